#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""RFC 9004 against FIFOs whose truth is computed here: burst length, corrected buffer time and throughput.

Each of 1, 64, 500 and 2000 frames, served at 50%, 67.2% and 90% of line rate, at 64, 128 and 256 octets.
"""

import fractions
import unittest

from fifo_truth import first_lost, longest_burst, max_theoretical_fps, throughput_fps
from fpgauge_system import LINK_BPS, SystemCase, fifo, main, plan_text

BUFFERS_FRAMES = (1, 64, 500, 2000)
SERVICES_PERCENT = (fractions.Fraction(50), fractions.Fraction("67.2"), fractions.Fraction(90))
SIZES_OCTETS = (64, 128, 256)
TRIAL_S = fractions.Fraction(1, 2000)
RESOLUTION = fractions.Fraction(1, 10000)  # of line rate


class FifoTruth(SystemCase):
    def measure(self, buffer_frames, service_fps, frame_octets):
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = [{frame_octets}]; search = "binary"; trial_duration = "500us"; '
             f'resolution = "0.01%";',
             f'test = "back_to_back"; frame_sizes = [{frame_octets}]; search = "binary"; repetitions = 2; '
             f'max_burst = "2ms";'],
            dut=fifo(buffer_frames, service_fps)))
        return (self.only(report, test="throughput", frame_octets=frame_octets),
                self.only(report, test="back_to_back", frame_octets=frame_octets))

    def check_throughput(self, result, buffer_frames, service_fps, frame_octets):
        line = max_theoretical_fps(frame_octets, LINK_BPS)
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertAlmostEqual(result["max_theoretical_fps"] / float(line), 1, delta=1e-9)

        # Frame by frame: the load that passed loses nothing in a trial of this length, the one that failed loses some.
        # A part in 10^9 apart, because the result object holds doubles.
        for key, nudge, loses in (("throughput_fps", 1 - 1e-9, False), ("first_lossy_fps", 1 + 1e-9, True)):
            self.assertIsNotNone(result[key], f"{key}: this FIFO is slower than the line")
            load = fractions.Fraction(result[key] * nudge)
            lost = first_lost(buffer_frames, service_fps, frame_octets, load, int(load * TRIAL_S), LINK_BPS)
            self.assertEqual(lost is not None, loses, f"{key} = {result[key]}: first lost frame is {lost}")

        # In the long run: within the resolution, or the self-check says by how much a trial of this length deceives.
        truth = float(throughput_fps(buffer_frames, service_fps, frame_octets, LINK_BPS))
        resolution_fps = float(RESOLUTION * line)
        excess = result["throughput_fps"] - truth
        self.assertGreater(excess, -1.001 * resolution_fps, "below the truth by more than the resolution")
        if excess > resolution_fps:
            self.assertTrue(result["hidden_overload_flagged"], f"{excess} frames/s too high and not flagged")
            self.assertLessEqual(excess, result["hidden_overload_fps"] + resolution_fps)

    def check_burst(self, result, buffer_frames, service_fps, frame_octets):
        line = max_theoretical_fps(frame_octets, LINK_BPS)
        truth = longest_burst(buffer_frames, service_fps, frame_octets, LINK_BPS)
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["repetitions"], 2)
        self.assertEqual(len(result["values_frames"]), 2)
        self.assertLessEqual(abs(result["average_frames"] - truth), 1, f"the FIFO takes {truth}")

        stated = result["corrected_buffer_error_frames"]
        buffer_seen = result["corrected_buffer_s"] * float(line)
        self.assertLessEqual(abs(buffer_seen - buffer_frames), 1 + stated)
        # A bound that is wide enough always holds: what can be hidden is the buffer spread over the trial, and what the
        # search leaves open is its step; both act on every frame of the burst.
        largest = truth * (float(buffer_frames / TRIAL_S / line) + 2 * float(RESOLUTION)) + 2
        self.assertLessEqual(stated, largest, "the stated bound is too wide to mean anything")

    def test_burst_buffer_and_throughput_of_a_fifo_are_found(self):
        for buffer_frames in BUFFERS_FRAMES:
            for percent in SERVICES_PERCENT:
                for frame_octets in SIZES_OCTETS:
                    service_fps = int(max_theoretical_fps(frame_octets, LINK_BPS) * percent / 100)
                    with self.subTest(buffer_frames=buffer_frames, service_percent=float(percent),
                                      frame_octets=frame_octets):
                        throughput, burst = self.measure(buffer_frames, service_fps, frame_octets)
                        self.check_throughput(throughput, buffer_frames, service_fps, frame_octets)
                        self.check_burst(burst, buffer_frames, service_fps, frame_octets)


class TheModelItself(unittest.TestCase):
    """fifo_truth.py against cases done by hand, because everything above leans on it."""

    def test_one_slot_takes_one_frame(self):
        self.assertEqual(longest_burst(1, 100_000_000, 64, LINK_BPS), 1)

    def test_half_rate_drains_every_second_frame(self):
        # 64 octets, 84 on the line; service of 168 octet times. Starts 0 80 168 248 336 416 504 ..., ends of service
        # 168 336 504 ... after the first arrival. Two slots: frames 0, 1; at 168 one ends: frame 2; at 248 both slots
        # are taken: frame 3 is lost.
        self.assertEqual(longest_burst(2, 74_404_762, 64, LINK_BPS), 3)

    def test_closed_form_agrees_within_a_frame(self):
        for buffer_frames in (64, 2000):
            line = max_theoretical_fps(64, LINK_BPS)
            closed = buffer_frames / (1 - 100_000_000 / line)
            self.assertLess(abs(longest_burst(buffer_frames, 100_000_000, 64, LINK_BPS) - closed), 4)


if __name__ == "__main__":
    main()
