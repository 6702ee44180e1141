#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""RFC 9004 against FIFOs whose truth is computed here: burst length, corrected buffer time and throughput.

Each of 1, 64, 500 and 2000 frames, served at 50%, 67.2% and 90% of line rate, at one of 64, 128 and 256 octets in turn, and at
each of them in tools/test --long. (test_twin_truth.py does all of them on the twin.)
"""

import fractions
import math
import unittest

from fifo_truth import first_lost, longest_burst, max_theoretical_fps, throughput_fps
from fpgauge_system import LINK_BPS, LONG, SystemCase, fifo, main, plan_text

BUFFERS_FRAMES = (1, 64, 500, 2000)
SERVICES_PERCENT = (fractions.Fraction(50), fractions.Fraction("67.2"), fractions.Fraction(90))
SIZES_OCTETS = (64, 128, 256)
RESOLUTION = fractions.Fraction(1, 10000)  # part of line rate
US_PER_S = 1_000_000


class Fifo:
    """A FIFO with its truth, and the trial length of its throughput test."""

    def __init__(self, buffer_frames, service_percent, frame_octets):
        self.buffer_frames = buffer_frames
        self.frame_octets = frame_octets
        self.line_fps = max_theoretical_fps(frame_octets, LINK_BPS)
        self.service_fps = int(self.line_fps * service_percent / 100)
        self.longest_burst = longest_burst(buffer_frames, self.service_fps, frame_octets, LINK_BPS)
        self.throughput_fps = throughput_fps(buffer_frames, self.service_fps, frame_octets, LINK_BPS)
        # Ten times the burst that fills the buffer: in a shorter trial, the buffer would be most of what is seen.
        self.trial_us = max(500, math.ceil(10 * US_PER_S * self.longest_burst / self.line_fps))

    def loses(self, load_fps):
        """Index of the first frame lost in a trial at this load, or None."""
        load = fractions.Fraction(load_fps)
        frames = int(load * self.trial_us / US_PER_S)
        return first_lost(self.buffer_frames, self.service_fps, self.frame_octets, load, frames, LINK_BPS)


class FifoTruth(SystemCase):
    def measure(self, truth):
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = [{truth.frame_octets}]; search = "binary"; '
             f'trial_duration = "{truth.trial_us}us"; resolution = "0.01%";',
             f'test = "back_to_back"; frame_sizes = [{truth.frame_octets}]; search = "binary"; repetitions = 2; '
             f'max_burst = "2ms";'],
            dut=fifo(truth.buffer_frames, truth.service_fps)))
        return (self.only(report, test="throughput", frame_octets=truth.frame_octets),
                self.only(report, test="back_to_back", frame_octets=truth.frame_octets))

    def check_throughput(self, result, truth):
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertAlmostEqual(result["max_theoretical_fps"] / float(truth.line_fps), 1, delta=1e-9)

        # Frame by frame: the load that passed loses nothing in a trial of this length, the one that failed loses some.
        # They are nudged by a part in 10^9, because the result object holds doubles.
        for key, nudge, loses in (("throughput_fps", 1 - 1e-9, False), ("first_lossy_fps", 1 + 1e-9, True)):
            self.assertIsNotNone(result[key], f"{key}: this FIFO is slower than the line")
            lost = truth.loses(result[key] * nudge)
            self.assertEqual(lost is not None, loses, f"{key} = {result[key]}: first lost frame is {lost}")

        # The error in the long run is within the resolution, or the self-check says how far off a trial of this length can be.
        resolution_fps = float(RESOLUTION * truth.line_fps)
        excess_fps = result["throughput_fps"] - float(truth.throughput_fps)
        self.assertGreater(excess_fps, -1.001 * resolution_fps, "below the truth by more than the resolution")
        if excess_fps > resolution_fps:
            self.assertTrue(result["flags"], f"{excess_fps} frames/s too high and not flagged")
            self.assertLessEqual(excess_fps, result["hidden_overload_fps"] + resolution_fps)

    def check_burst(self, result, truth):
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["repetitions"], 2)
        self.assertEqual(len(result["values_frames"]), 2)
        self.assertLessEqual(abs(result["average_frames"] - truth.longest_burst), 1,
                             f"the FIFO takes {truth.longest_burst}")

        stated = result["corrected_buffer_error_frames"]
        buffer_seen = result["corrected_buffer_s"] * float(truth.line_fps)
        self.assertLessEqual(abs(buffer_seen - truth.buffer_frames), 1 + stated)
        # A bound that is wide enough always holds. A trial can hide the buffer, spread over its length; the burst is a
        # tenth of the trial, so that is about a tenth of the buffer. What the search leaves open affects every frame.
        largest = 0.15 * truth.buffer_frames + 2 * float(RESOLUTION) * truth.longest_burst + 4
        self.assertLessEqual(stated, largest, "the stated bound is too wide to mean anything")

    def check_stated_truth(self, result, truth):
        """The truth that the report prints beside the measurement comes from the simulator: it must equal ours."""
        stated = result["truth"]
        self.assertEqual(stated["buffer_frames"], truth.buffer_frames)
        self.assertEqual(stated["longest_burst_frames"], truth.longest_burst)
        self.assertAlmostEqual(stated["throughput_fps"] / float(truth.throughput_fps), 1, delta=1e-9)

    def test_burst_buffer_and_throughput_of_a_fifo_are_found(self):
        for i, buffer_frames in enumerate(BUFFERS_FRAMES):
            for j, percent in enumerate(SERVICES_PERCENT):
                # So each size meets each buffer and each rate.
                for frame_octets in SIZES_OCTETS if LONG else (SIZES_OCTETS[(i + j) % len(SIZES_OCTETS)],):
                    with self.subTest(buffer_frames=buffer_frames, service_percent=float(percent),
                                      frame_octets=frame_octets):
                        truth = Fifo(buffer_frames, percent, frame_octets)
                        throughput, burst = self.measure(truth)
                        self.check_throughput(throughput, truth)
                        self.check_burst(burst, truth)
                        self.check_stated_truth(burst, truth)


class TheModelItself(unittest.TestCase):
    """fifo_truth.py against cases worked out by hand, because everything above relies on it."""

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
