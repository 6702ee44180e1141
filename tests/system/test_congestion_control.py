#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Congestion control (RFC 2889 section 5.5) of switches with and without head-of-line blocking: verdicts, and what follows from
docs/dut-models.md for the losses at both receivers."""

import random

from fpgauge_system import DONE, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text

TEST = "rfc2889.congestion_control"
PREAMBLE_OCTETS, MIN_GAP_OCTETS = 8, 12
HALF_PAUSE_US = 32768 * 512 / LINK_BPS * 1e6


class CongestionControl(SystemCase):
    def setUp(self):
        super().setUp()
        self.drawn = random.Random(SEED)

    def measure(self, octets, duration, dut, device, library="twin", expect=DONE):
        report, _ = self.run_plan(plan_text(
            [f'test = "{TEST}"; frame_sizes = [{octets}]; trial_duration = "{duration}"; settle = "50us"; drain = "200us";'],
            dut=f'model = "switch"; {dut}', device=device, library=library), expect=expect)
        result = report["results"][0]
        self.assertTrue(result["valid"], result["why_invalid"])
        self.check_counts(result, octets, dut)
        return result

    def check_counts(self, result, octets, dut):
        """Exact numbers of frames, half of the first source's for each receiver, and both at line rate."""
        line_fps = LINK_BPS / 8 / (octets + PREAMBLE_OCTETS + MIN_GAP_OCTETS)
        for row in result["groups"]:
            sent = row["first_source_frames"]
            self.assertEqual((sent % 2, row["second_source_frames"]), (0, sent))
            self.assertEqual(row["uncongested_frames"] + row["uncongested_lost_frames"], sent // 2)
            self.assertEqual(row["congested_frames"] + row["congested_lost_frames"], sent // 2 * 3)
            self.assertAlmostEqual(row["first_source_fps"] / line_fps, 1, delta=8 / (sent - 1))
            self.assertAlmostEqual(row["second_source_fps"] / line_fps, 1, delta=8 / (sent - 1))
        self.assertEqual(result["flood_frames"], 0)
        if "back_pressure = true" not in dut:
            self.assertEqual(result["pause_frames"], 0)

    def check_separate(self, library, device, duration_us):
        """A queue at each output: the uncongested port loses nothing, the other all that it cannot send or hold."""
        octets, buffer_frames = self.drawn.randrange(64, 400), self.drawn.randrange(5, 60)
        result = self.measure(octets, f"{duration_us}us",
                              f"buffer_frames = {buffer_frames}; latency_ns = {self.drawn.randrange(1500)};", device, library)
        self.assertIs(result["head_of_line_blocking"], False)
        self.assertIs(result["back_pressure"], False)
        self.assertEqual((result["uncongested_loss_percent"], result["relieved_lost_frames"], result["flags"]), (0, 0, []))
        for row in result["groups"]:
            sent = row["first_source_frames"]
            # The receiver gets what the line takes while frames come, and what the buffer holds then.
            self.assertAlmostEqual(row["congested_frames"], sent + buffer_frames, delta=2)
            self.assertAlmostEqual(row["congested_loss_percent"], 100 * (sent / 2 - buffer_frames) / (1.5 * sent),
                                   delta=100 * 2 / sent)

    def check_blocking(self, library, device, duration_us, buffer_frames, gap):
        """A queue at each input. The two sources share the congested port equally, so the first one gets half of it. Where the lines of the device are slower than those of the tester it loses frames, though the
        uncongested port has nothing to do for half of the time. (Frames come at such regular times that with a short queue and
        almost equal lines those that find it full may all be for the congested port.)"""
        octets = self.drawn.randrange(64, 100)
        result = self.measure(octets, f"{duration_us}us",
                              f"head_of_line_blocking = true; buffer_frames = {buffer_frames}; gap_octets = {gap};", device, library)
        self.assertIs(result["head_of_line_blocking"], True)
        self.assertIs(result["back_pressure"], False)
        self.assertEqual(result["relieved_lost_frames"], 0)
        at_line, through = octets + PREAMBLE_OCTETS + MIN_GAP_OCTETS, octets + PREAMBLE_OCTETS + gap
        for row in result["groups"]:
            sent = row["first_source_frames"]
            shared = next(flow["received_frames"] for flow in result["flows"] if flow["source_port"] == row["first_port"]
                          and flow["destination_ports"] == [row["first_port"] + 3])
            self.assertGreater(row["uncongested_lost_frames"], 0)
            self.assertAlmostEqual(shared, sent / 2 * at_line / through, delta=0.02 * sent + buffer_frames)

    def check_verdicts(self, blocks, presses, library, device, duration_us):
        """Both verdicts, which say nothing about each other. A source is told to pause once its queue fills, again after each half of
        the longest pause, and to go on when the queue has drained: as these sources do not obey, that is after the trial."""
        dut = (f"head_of_line_blocking = {str(blocks).lower()}; back_pressure = {str(presses).lower()}; "
               f"buffer_frames = {self.drawn.randrange(20, 80)}; gap_octets = {self.drawn.randrange(40, 60) if blocks else 12};")
        with self.subTest(library=library, device=device, dut=dut, duration_us=duration_us):
            result = self.measure(self.drawn.randrange(64, 100), f"{duration_us}us", dut, device, library)
            self.assertEqual((result["head_of_line_blocking"], result["back_pressure"]), (blocks, presses), result["flags"])
            self.assertEqual(result["relieved_lost_frames"], 0)
            self.assertEqual(len(result["flags"]), 2 * int(presses))  # the verdict, and what sources that obey make of it
            self.assertEqual(result["counters"]["foreign_frames"], result["pause_frames"] + (result["obeyed_pause_frames"] or 0))
            if not presses:
                return
            self.assertIn("Back pressure by pause frames (RFC 2285 section 3.7.1)", result["flags"][0])
            again = duration_us / HALF_PAUSE_US
            told = [row[f"{source}_source_pause_frames"] for row in result["groups"] for source in ("first", "second")]
            for frames in told:
                self.assertIn(frames, range(2 + max(0, int(again) - 1), 3 + int(again)))
            self.assertEqual(sum(told), result["pause_frames"])

    def test_the_verdicts_on_blocking_and_back_pressure_are_those_of_the_settings(self):
        for blocks in (False, True):
            for presses in (False, True):
                for _ in range(10 if LONG else 2):
                    self.check_verdicts(blocks, presses, "twin", f"ports = {self.drawn.choice((4, 6, 8, 13))};",
                                        self.drawn.randrange(300, 900))
                self.check_verdicts(blocks, presses, "rtl4", "", 80)

    def test_pauses_without_congestion_are_no_back_pressure(self):
        result = self.measure(64, "200us", "back_pressure = true; buffer_frames = 9; gap_octets = 200;", "ports = 4;")
        self.assertIsNone(result["back_pressure"])
        self.assertTrue(any("while nothing was congested" in flag for flag in result["flags"]), result["flags"])

    def test_separate_queues_do_not_block(self):
        for _ in range(20 if LONG else 4):
            self.check_separate("twin", f"ports = {self.drawn.choice((4, 6, 8, 12))};", self.drawn.randrange(100, 900))
        with self.subTest("the core itself"):
            self.check_separate("rtl4", "", 40)

    def test_head_of_line_blocking_is_found(self):
        for _ in range(20 if LONG else 4):
            self.check_blocking("twin", f"ports = {self.drawn.choice((4, 8))};", self.drawn.randrange(200, 900),
                                self.drawn.randrange(30, 90), self.drawn.randrange(32, 60))
        with self.subTest("the core itself"):
            self.check_blocking("rtl4", "", 60, 20, 59)

    def test_one_that_cannot_take_the_load_of_a_source_is_not_said_to_block(self):
        for blocking in ("true", "false"):
            result = self.measure(64, "200us", f"head_of_line_blocking = {blocking}; buffer_frames = 9; gap_octets = 200;", "ports = 4;")
            self.assertIsNone(result["head_of_line_blocking"])
            self.assertGreater(result["relieved_lost_frames"], 0)
            self.assertIn("also while nothing is congested", result["flags"][0])

    def test_a_buffer_that_holds_all_is_no_back_pressure(self):
        for presses in ("false", "true"):
            result = self.measure(64, "10us", f"buffer_frames = 5000; back_pressure = {presses};", "ports = 4;")
            self.assertIs(result["head_of_line_blocking"], False)
            self.assertIsNone(result["back_pressure"])
            self.assertIn("a longer trial shows", result["flags"][0])

    def test_fewer_ports_than_a_group_are_refused(self):
        for ports in (2, 3):
            plan = self.write("plan.cfg", plan_text([f'test = "{TEST}";'], dut='model = "switch"', device=f"ports = {ports};",
                                                    library="twin"))
            done = self.fpgauge("run", plan, "--db", self.path("refused.db"))
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
            self.assertIn(f"needs 4 ports (RFC 2889 section 5.5.3), and sim twin has {ports}", done.stderr)


if __name__ == "__main__":
    main()
