#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forward pressure (RFC 2889 section 5.6.3.2) and broadcasts (5.10), on switches whose truth follows from docs/dut-models.md."""

import random
from fractions import Fraction

from fifo_truth import max_theoretical_fps
from fpgauge_system import INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text

SIZES_OCTETS = (64, 67, 128, 131, 509, 1021, 1518, 9216)
WAITS = 'drain = "200us"; settle = "10us";'
OCTET_NS = 8e9 / LINK_BPS


def passed_starts(frames, octets, limit_fps):
    """Starts, in octet times, of those frames at line rate that a limit of the switch lets pass: each 1 / rate after the one before, or
    up to a group of 8 octets sooner."""
    starts, due = [], 0  # due: in octet times x limit_fps
    for number in range(frames):
        start = number * (octets + 20) // 8 * 8
        if -(-due // limit_fps) <= start + 8:
            starts.append(start)
            due = max(due, start * limit_fps) + LINK_BPS // 8
    return starts


class ForwardPressure(SystemCase):
    def check(self, draw, gap_octets, library="twin", duration_us=1000):
        octets, ports = draw.choice(SIZES_OCTETS), 4 if library == "rtl4" else draw.choice((2, 3, 4, 6))
        test = f'test = "rfc2889.forward_pressure"; frame_sizes = [{octets}]; trial_duration = "{duration_us}us"; {WAITS}'
        dut = f'model = "switch"; gap_octets = {gap_octets}; buffer_frames = {draw.randrange(3, 20)}; latency_ns = {draw.randrange(999)};'
        with self.subTest(library=library, ports=ports, octets=octets, gap_octets=gap_octets, dut=dut):
            report, done = self.run_plan(plan_text([test], dut=dut, library=library,
                                                   device="" if library == "rtl4" else f"ports = {ports};"))
            result = self.only(report, frame_octets=octets)
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual(result["forward_pressure_detected"], gap_octets < 12)
            self.assertEqual(any("Forward Pressure detected" in flag for flag in result["flags"]), gap_octets < 12)
            self.assertFalse([flag for flag in result["flags"] if "more than line rate" in flag], "that is what was asked for")
            self.assertEqual("Forward Pressure detected" in done.stdout, gap_octets < 12)
            self.assertAlmostEqual(result["sent_gap_mean_octets"], 11, delta=8 / (duration_us * 12500 / (octets + 20)) + 1e-9)
            frames = duration_us * 12500 / (octets + 20)
            # Frames that come with gaps of 11 cannot leave faster than that, whatever the switch would do.
            leaves = max(gap_octets, 11)
            self.assertAlmostEqual(result["gap_mean_octets"], leaves, delta=16 / frames)
            pairs = ports // 2
            self.assertAlmostEqual(result["forwarding_rate_fps"] / (pairs * LINK_BPS / 8 / (octets + 8 + leaves)), 1, delta=2 / frames)
            self.assertAlmostEqual(result["theoretical_fps"] / (pairs * float(max_theoretical_fps(octets, LINK_BPS))), 1, 9)
            self.assertAlmostEqual(result["intended_load_fps"] / (pairs * LINK_BPS / 8 / (octets + 19)), 1, 9)
            self.assertAlmostEqual(result["offered_load_fps"] / result["intended_load_fps"], 1, delta=2 / frames)
            self.assertEqual([row["port"] for row in result["receivers"]], list(range(1, 2 * pairs, 2)))
            self.check_histogram(result, octets, leaves)
            self.assertEqual(result["parameters"]["gap_octets"], 11)
            lost = 1 - Fraction(octets + 19, octets + 8 + leaves)
            self.assertAlmostEqual(result["loss_percent"], float(100 * lost), delta=100 * 30 / frames)

    def check_histogram(self, result, octets, leaves):
        """Frames begin on groups of 8 octets: gaps of a switch that keeps up are the two lengths next to its gap, as often as their
        average says, and others only where the frames that come do not press yet."""
        bins = {one["from_octets"]: one["gaps"] for one in result["gap_histogram"]}
        for one in result["gap_histogram"]:
            self.assertEqual(one["to_octets"], one["from_octets"] + 1)
        gaps = sum(row["gaps"] for row in result["receivers"])
        self.assertEqual(sum(bins.values()), gaps)
        self.assertEqual(sum(length * count for length, count in bins.items()),
                         round(sum(row["gaps"] * row["gap_mean_octets"] for row in result["receivers"])))
        self.assertEqual(min(bins), result["gap_min_octets"])
        self.assertEqual(max(bins), max(row["gap_max_octets"] for row in result["receivers"]))
        period = octets + 8 + leaves
        shorter = period // 8 * 8 - octets - 8
        for length in bins:
            self.assertIn(length, (shorter, shorter + 8) if period % 8 else (shorter - 8, shorter, shorter + 8))
        self.assertAlmostEqual(bins.get(shorter, 0) / gaps, 1 - period % 8 / 8, delta=20 / (gaps / len(result["receivers"])))

    def test_it_is_detected_when_and_only_when_gaps_are_short(self):
        draw = random.Random(SEED)
        for gap_octets in (8, 9, 10, 11, 12, 13, 20):
            for _ in range(8 if LONG else 2):
                self.check(draw, gap_octets)

    def test_the_rtl_sees_the_same(self):
        draw = random.Random(SEED)
        for gap_octets in (11, 12):
            self.check(draw, gap_octets, "rtl4", 30)

    def test_twelve_octets_on_average_are_not_short_in_a_trial_of_30_s(self):
        report, _ = self.run_plan(plan_text(['test = "rfc2889.forward_pressure"; frame_sizes = [67];'], library="twin",
                                            dut='model = "switch";', device="ports = 2;"))
        result = self.only(report, frame_octets=67)
        self.assertIs(result["forward_pressure_detected"], False)
        self.assertLess(result["gap_min_octets"], 12)  # single gaps are
        self.assertAlmostEqual(result["loss_percent"], 100 * (1 - 86 / 87), delta=1e-4)


class Broadcasts(SystemCase):
    def check_forwarding(self, draw, library="twin", ports=None, duration_us=None, resolution=Fraction(1, 200)):
        octets, ports = draw.choice(SIZES_OCTETS), ports or draw.choice((3, 4, 7, 8, 16))
        line_fps = max_theoretical_fps(octets, LINK_BPS)
        broadcast_fps = int(line_fps * draw.choice((Fraction(3, 10), Fraction(61, 100), Fraction(97, 100), 2)))
        duration_us = duration_us or max(1000, int(1e6 * 3000 / float(line_fps)))
        frames = float(line_fps) * duration_us / 1e6
        test = (f'test = "rfc2889.broadcast_forwarding"; frame_sizes = [{octets}]; trial_duration = "{duration_us}us"; {WAITS} '
                f'resolution = "{float(resolution):.2%}"; step = "20%"; intended_load = "25%";')
        dut = f'model = "switch"; broadcast_fps = {broadcast_fps}; latency_ns = {draw.randrange(999)};'
        with self.subTest(library=library, ports=ports, test=test, dut=dut):
            report, _ = self.run_plan(plan_text([test], dut=dut, library=library,
                                                device="" if library == "rtl4" else f"ports = {ports};"))
            result = self.only(report, frame_octets=octets)
            self.assertTrue(result["valid"], result["why_invalid"])
            true_fps = min(float(broadcast_fps), float(line_fps))
            resolution_fps = float(resolution * line_fps)
            self.assertGreaterEqual(result["throughput_fps"], true_fps - resolution_fps * (1 + 1e-9))
            self.assertLessEqual(result["throughput_fps"], true_fps * (1 + 3 / frames))
            sent = result["ports"][0]["offered_frames"]
            passed = passed_starts(sent, octets, broadcast_fps)
            self.assertAlmostEqual(result["frmol_fps"] * (passed[-1] - passed[0]) / (LINK_BPS / 8) / (len(passed) - 1), 1, 9)
            self.assertLessEqual(result["mfr_fps"], true_fps * (1 + 4 / frames))
            self.assertGreaterEqual(result["mfr_fps"], true_fps * (1 - 4 / frames) - resolution_fps)
            self.assertAlmostEqual(result["theoretical_fps"] / float(line_fps), 1, 9)
            self.assertAlmostEqual(result["forwarding_rate_fps"] / result["offered_load_fps"], 1, delta=4 / frames)
            self.assertEqual([row["port"] for row in result["receivers"]], list(range(1, ports)))
            for row in result["receivers"]:
                self.assertEqual((row["received_frames"], row["lost_frames"]), (len(passed), sent - len(passed)))
                self.assertAlmostEqual(row["loss_percent"], 100 * (1 - len(passed) / sent), 9)
                self.assertEqual(row["forwarding_rate_fps"], result["frmol_fps"])
            self.assertEqual(result["counters"]["lost_frames"], sum(row["lost_frames"] for row in result["receivers"]))
            self.assertEqual(result["flood_frames"], 0)

    def test_the_throughput_is_what_the_switch_broadcasts_to_the_resolution(self):
        draw = random.Random(SEED)
        for _ in range(20 if LONG else 4):
            self.check_forwarding(draw)

    def test_the_rtl_broadcasts_the_same(self):
        self.check_forwarding(random.Random(SEED), "rtl4", 4, 60, Fraction(1, 10))

    def check_latency(self, draw, library="twin"):
        octets, ports = draw.choice(SIZES_OCTETS), 4 if library == "rtl4" else draw.choice((3, 5, 8, 16))
        latency_ot, repetitions = 25 * draw.randrange(0, 500), draw.choice((1, 3))  # 2 ns are 25 octet times
        report, _ = self.run_plan(plan_text(
            [f'test = "rfc2889.broadcast_latency"; frame_sizes = [{octets}]; repetitions = {repetitions}; {WAITS}'],
            dut=f'model = "switch"; latency_ns = {latency_ot * 2 // 25};', library=library,
            device="" if library == "rtl4" else f"ports = {ports};"))
        result = self.only(report, frame_octets=octets)
        self.assertTrue(result["valid"], result["why_invalid"])
        true_ns = -(-(8 + octets + latency_ot) // 8) * 8 * OCTET_NS
        self.assertEqual([row["port"] for row in result["receivers"]], list(range(1, ports)))
        for row in [*result["receivers"], result]:
            for key in ("latency_min_ns", "latency_mean_ns", "latency_max_ns"):
                self.assertAlmostEqual(row[key], true_ns, 6, msg=f"{octets} octets, {latency_ot} octet times, {ports} ports")
        for row in result["receivers"]:
            self.assertEqual((row["received_frames"], row["lost_frames"]), (repetitions, 0))
        self.assertAlmostEqual(result["frame_time_ns"], (8 + octets) * OCTET_NS, 9)

    def test_the_latency_of_one_frame_to_each_port_is_exact_to_the_group(self):
        draw = random.Random(SEED)
        for _ in range(40 if LONG else 6):
            self.check_latency(draw)
        self.check_latency(draw, "rtl4")

    def test_a_port_that_gets_no_broadcast_has_no_latency(self):
        report, _ = self.run_plan(plan_text([f'test = "rfc2889.broadcast_latency"; frame_sizes = [64]; repetitions = 3; {WAITS}'],
                                            dut='model = "faults"; drop_every = 1;', library="twin", device="ports = 4;"), expect=INVALID)
        result = self.only(report, frame_octets=64)
        self.assertIsNone(result["latency_max_ns"])
        self.assertEqual([row["lost_frames"] for row in result["receivers"]], [3, 3, 3])
        self.assertIn("not known: no test frame arrived in 3 trials", result["why_invalid"])

    def test_several_addresses_and_routers_are_refused(self):
        for extra, message in (("addresses = 4;", "must be 1, not 4 (RFC 2889 section 5.10.2)"),
                               ("routed = true;", "it is for bridges (RFC 2889 5.10)")):
            for name in ("broadcast_latency", "broadcast_forwarding"):
                done = self.fpgauge("run", self.write("plan.cfg", plan_text(
                    [f'test = "rfc2889.{name}"; traffic = {{ {extra} }};'], library="twin", device="ports = 4;")))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    main()
