#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of ports through a switch that sends with a larger gap than it receives: what the benchmarks find is computed here
from docs/dut-models.md."""

from fractions import Fraction

from fpgauge_system import LINK_BPS, SystemCase, WRONG_PLAN, main, plan_text

LATENCY_OT = 3750  # 300 ns
TRIAL_S = 100e-6


def burst_frames(octets, gap, places):
    """The first frame that finds no place, in octet times after its first decision: frame n is decided on at nP rounded down
    to a multiple of 8, and frame k leaves r + 8 + L after kS rounded down, with all of its octets."""
    decided = 8 + octets + LATENCY_OT
    held = -decided % 8 + 8 + octets
    n = places
    while (n - places) * (octets + 8 + gap) // 8 * 8 + held <= n * (octets + 20) // 8 * 8:
        n += 1
    return n


class Switch(SystemCase):
    def check(self, dut, gap, places):
        report, _ = self.run_plan(plan_text(
            ['test = "throughput"; frame_sizes = [64, 300]; trial_duration = "100us"; resolution = "0.5%";',
             'test = "back_to_back"; frame_sizes = [64, 300]; repetitions = 2;'],
            dut=f'model = "switch"; latency_ns = 300; gap_octets = {gap}; {dut}', library="rtl"))
        for octets in (64, 300):
            with self.subTest(dut=dut, octets=octets):
                result = self.only(report, test="throughput", frame_octets=octets)
                true_fps = Fraction(LINK_BPS, 8 * (octets + 8 + gap))
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertGreaterEqual(result["throughput_fps"], 0.995 * float(true_fps))
                # More may hide in the buffer during a trial.
                self.assertLessEqual(result["throughput_fps"], 1.005 * float(true_fps) + places(octets) / TRIAL_S)
                self.assertEqual(result["latency_min_ns"], (8 + octets + LATENCY_OT + 7) // 8 * 8 * 0.08)
                result = self.only(report, test="back_to_back", frame_octets=octets)
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual(result["average_frames"], burst_frames(octets, gap, places(octets)))

    def test_load_burst_and_latency_are_those_of_its_settings(self):
        self.check("buffer_frames = 40;", 16, lambda octets: 40)
        self.check("buffer_frames = 40; head_of_line_blocking = true; table_addresses = 2;", 24, lambda octets: 40)
        self.check("buffer_frames = 90; cell_octets = 80;", 20, lambda octets: 90 // -(-octets // 80))

    def test_what_is_not_built_is_refused(self):
        for setting in ("service_fps = 100",):
            plan = self.write("plan.cfg", plan_text(['test = "throughput"; frame_sizes = [64];'],
                                                    dut=f'model = "switch"; {setting};', library="rtl"))
            done = self.fpgauge("run", plan)
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
            self.assertIn("dut." + setting, done.stderr)


if __name__ == "__main__":
    main()
