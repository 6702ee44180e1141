#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Congestion control (RFC 2889 section 5.5) with sources that obey the pause frames of a switch: what each of them offers then is
its share of the congested port, which follows from docs/dut-models.md; nothing is lost; and the verdicts are those of the settings."""

import random

from fpgauge_system import LINK_BPS, LONG, SEED, SystemCase, main, plan_text

TEST = "rfc2889.congestion_control"
PREAMBLE_OCTETS, MIN_GAP_OCTETS = 8, 12
OT_NS = 8 / LINK_BPS * 1e9
TURN = 2   # frames by which two sources that are held for the same queue differ at each turn: the first one has every other frame for it


class Setting:
    """A switch that holds its senders in time. A pause acts 2048 octet times after its end, and frames that are on their way then are
    fewer than a quarter of the buffer holds, beside what leaves it. After a release, half of the buffer lasts until frames come again."""

    def __init__(self, drawn, blocks, presses):
        self.blocks, self.presses = blocks, presses
        self.octets = drawn.randrange(64, 200)
        self.gap = drawn.choice((MIN_GAP_OCTETS, drawn.randrange(40, 60)))
        self.buffer_frames = drawn.randrange(120, 260)
        self.quanta = drawn.choice((65535, drawn.randrange(300, 5000)))
        self.latency_ns = drawn.randrange(150)

    def dut(self):
        quanta = f" pause_quanta = {self.quanta};" if self.presses else ""
        return (f'model = "switch"; head_of_line_blocking = {str(self.blocks).lower()}; back_pressure = {str(self.presses).lower()};'
                f"{quanta} buffer_frames = {self.buffer_frames}; gap_octets = {self.gap}; latency_ns = {self.latency_ns};")

    @property
    def at_line(self):
        return self.octets + PREAMBLE_OCTETS + MIN_GAP_OCTETS

    @property
    def through(self):
        return self.octets + PREAMBLE_OCTETS + self.gap

    def shares(self, duration_ot):
        """Frames of the first and the second source that the congested port makes room for. With a queue for each input, both get half
        of that port, and the first one sends as many frames to the other port. With a queue for the port, both fill it, are held, and
        are let go at the same times, so they send equally many, of which it gets 3 of 4."""
        can_leave = duration_ot / self.through
        return (can_leave, can_leave / 2) if self.blocks else (can_leave * 2 / 3, can_leave * 2 / 3)


class ObeyedPauses(SystemCase):
    def setUp(self):
        super().setUp()
        self.drawn = random.Random(SEED)

    def measure(self, setting, duration_us, library, device, keys=""):
        report, _ = self.run_plan(plan_text(
            [f'test = "{TEST}"; frame_sizes = [{setting.octets}]; trial_duration = "{duration_us}us"; settle = "50us"; drain = "200us";'
             f" {keys}"], dut=setting.dut(), device=device, library=library))
        result = report["results"][0]
        self.assertTrue(result["valid"], result["why_invalid"])
        return result

    def check_verdicts(self, result, setting):
        """A queue for each input blocks where the lines of the device are slower than those of the tester: else the first source gets
        from the congested port just what it has for it."""
        self.assertIs(result["head_of_line_blocking"], setting.blocks and setting.gap > MIN_GAP_OCTETS, result["flags"])
        self.assertIs(result["back_pressure"], setting.presses, result["flags"])

    def check_row(self, row, setting, duration_ot):
        """What each source sent is its share, to within what the buffer holds at the end and what differs at each turn; and it was held
        for the rest of the trial, to within a frame."""
        sent = row["first_source_frames"], row["second_source_frames"]
        held = row["first_source_held_ns"], row["second_source_held_ns"]
        pauses = row["first_source_pause_frames"], row["second_source_pause_frames"]
        turns = max(pauses) / 2
        for source, share in enumerate(setting.shares(duration_ot)):
            self.assertAlmostEqual(sent[source], share, delta=0.005 * share + setting.buffer_frames + (0 if setting.blocks else TURN * turns))
            self.assertAlmostEqual(held[source] / OT_NS, max(0, duration_ot - sent[source] * setting.at_line), delta=2 * setting.at_line)
        self.assertEqual(row["uncongested_frames"], (sent[0] + 1) // 2)
        self.assertEqual(row["congested_frames"], sent[0] // 2 + sent[1])
        self.assertEqual((row["uncongested_lost_frames"], row["congested_lost_frames"]), (0, 0))
        # All that the congested port could send in the trial, and what was in the buffer at its end.
        self.assertAlmostEqual(row["congested_frames"], duration_ot / setting.through,
                               delta=0.005 * duration_ot / setting.through + 2 * setting.buffer_frames)
        self.assertAlmostEqual(row["congested_fps"] * setting.through * OT_NS / 1e9, 1, delta=0.005)

    def check_obeyed(self, result, setting, duration_us):
        duration_ot = duration_us * 1000 / OT_NS
        self.assertEqual(result["trials"], 3)
        self.assertEqual(len(result["obeyed_groups"]), len(result["groups"]))
        for row in result["obeyed_groups"]:
            self.check_row(row, setting, duration_ot)
        rows = result["obeyed_groups"]
        self.assertEqual((result["obeyed_uncongested_loss_percent"], result["obeyed_congested_loss_percent"]), (0, 0))
        self.assertAlmostEqual(result["obeyed_offered_load_fps"] / sum(row["first_source_fps"] + row["second_source_fps"] for row in rows),
                               1, delta=1e-9)
        self.assertLess(result["obeyed_offered_load_fps"], result["offered_load_fps"])
        held_ns = max(row[f"{source}_source_held_ns"] for row in rows for source in ("first", "second"))
        # The trial is shorter by up to two frames, of which the intended number is even.
        self.assertAlmostEqual(result["held_percent"], 100 * held_ns / (duration_us * 1000), delta=300 * setting.at_line / duration_ot)
        self.assertEqual(result["obeyed_pause_frames"], sum(row[f"{source}_source_pause_frames"] for row in rows
                                                            for source in ("first", "second")))

    def check(self, blocks, presses, library, device, duration_us):
        setting = Setting(self.drawn, blocks, presses)
        with self.subTest(library=library, device=device, dut=setting.dut(), octets=setting.octets, us=duration_us):
            result = self.measure(setting, duration_us, library, device)
            self.check_verdicts(result, setting)
            if presses:
                self.check_obeyed(result, setting, duration_us)
            else:
                self.assertEqual((result["trials"], result["obeyed_groups"], result["obeyed_offered_load_fps"], result["held_percent"]),
                                 (2, [], None, None))

    def test_each_source_offers_its_share_of_the_congested_port_and_nothing_is_lost(self):
        for blocks in (False, True):
            for presses in (False, True):
                for _ in range(10 if LONG else 2):
                    self.check(blocks, presses, "twin", f"ports = {self.drawn.choice((4, 5, 8, 12))};", self.drawn.randrange(400, 900))
            self.check(blocks, True, "rtl4", "", 80)

    def test_without_obey_pause_no_source_obeys(self):
        result = self.measure(Setting(self.drawn, False, True), 400, "twin", "ports = 4;", "obey_pause = false;")
        self.assertEqual((result["trials"], result["obeyed_groups"], result["obeyed_pause_frames"]), (2, [], None))
        self.assertIs(result["back_pressure"], True)
        self.assertEqual(result["parameters"]["flow_control"], "pause frames are counted, and not obeyed")


if __name__ == "__main__":
    main()
