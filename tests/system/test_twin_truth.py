#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks at the length that the RFCs ask for, on the twin, against devices whose truth is computed here.

Trials of 60 s (RFC 2544 section 24), bursts of up to 30 s: simulated RTL would need years for them.
"""

import fractions
import os
import random
import unittest

from fifo_truth import longest_burst, max_theoretical_fps, throughput_fps
from fpgauge_system import LINK_BPS, LONG, ROOT, SystemCase, fifo, main, plan_text

BUFFERS_FRAMES = (1, 64, 500, 2000)
SERVICES_PERCENT = (fractions.Fraction(50), fractions.Fraction("67.2"), fractions.Fraction(90))
SIZES_OCTETS = (64, 128, 256)
RFC2544_SIZES_OCTETS = (64, 128, 256, 512, 1024, 1280, 1518)
RESOLUTION = fractions.Fraction(1, 10000)  # part of line rate; the service rates above are on its grid, so it adds no error
RANDOM_RATES = 200 if LONG else 50
SEED = 2544


def example(name):
    with open(os.path.join(ROOT, "docs", "examples", name), encoding="utf-8") as file:
        return file.read()


class FullLengthTable(SystemCase):
    """The table of buffers, service rates and sizes, all sizes of a device in one run."""

    def measure(self, buffer_frames, percent):
        sizes = ", ".join(map(str, SIZES_OCTETS))
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = [{sizes}]; search = "binary"; trial_duration = "60s"; '
             f'resolution = "{float(100 * RESOLUTION)}%";',
             f'test = "back_to_back"; frame_sizes = [{sizes}]; search = "binary"; repetitions = 2; max_burst = "30s";'],
            dut=fifo(buffer_frames, f"{float(percent)}%"), library="twin"))
        return report

    def check(self, report, buffer_frames, percent, frame_octets):
        line_fps = max_theoretical_fps(frame_octets, LINK_BPS)
        service_fps = line_fps * percent / 100
        throughput = self.only(report, test="throughput", frame_octets=frame_octets)
        burst = self.only(report, test="back_to_back", frame_octets=frame_octets)
        for result in (throughput, burst):
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual(result["flags"], [], f"a trial of 60 s hides nothing of {buffer_frames} frames")

        true_fps = throughput_fps(buffer_frames, service_fps, frame_octets, LINK_BPS)
        self.assertLessEqual(throughput["throughput_fps"], float(true_fps) + buffer_frames / 60 + 1)
        self.assertGreater(throughput["throughput_fps"], float(true_fps - RESOLUTION * line_fps) - 1)

        self.assertEqual(burst["average_frames"], longest_burst(buffer_frames, service_fps, frame_octets, LINK_BPS))
        self.assertLessEqual(abs(burst["corrected_buffer_s"] * float(line_fps) - buffer_frames), 1)
        self.assertGreaterEqual(burst["parameters"]["max_burst_frames"], int(30 * line_fps))

    def test_corrected_buffer_time_is_the_buffer_within_a_frame_and_nothing_is_flagged(self):
        for buffer_frames in BUFFERS_FRAMES:
            for percent in SERVICES_PERCENT:
                report = self.measure(buffer_frames, percent)
                for frame_octets in SIZES_OCTETS:
                    with self.subTest(buffer_frames=buffer_frames, service_percent=float(percent),
                                      frame_octets=frame_octets):
                        self.check(report, buffer_frames, percent, frame_octets)


class NeverLoses(SystemCase):
    def test_a_size_at_which_the_device_never_loses_is_invalid_as_the_clause_asks(self):
        """RFC 9004 6.1: a size whose throughput is the maximum rate does not qualify; 512 octets here."""
        report, done = self.run_plan(plan_text(
            ['test = "throughput"; frame_sizes = [256, 512]; search = "binary"; trial_duration = "60s";',
             'test = "back_to_back"; frame_sizes = [256, 512]; repetitions = 2; max_burst = "30s";'],
            dut=fifo(500, "40M"), library="twin"))
        self.assertTrue(self.only(report, test="back_to_back", frame_octets=256)["valid"])
        result = self.only(report, test="back_to_back", frame_octets=512)
        self.assertFalse(result["valid"])
        self.assertIn("maximum theoretical frame rate", result["why_invalid"])
        self.assertIn("RFC 9004 section 6.1", result["why_invalid"])
        self.assertIn("512 octets: not tested", done.stdout)


class RandomRates(SystemCase):
    """Throughput of a FIFO at any service rate is within the resolution of the search."""

    def check(self, frame_octets, service, service_fps, buffer_frames, trial_s):
        line_fps = max_theoretical_fps(frame_octets, LINK_BPS)
        with self.subTest(frame_octets=frame_octets, service=service, buffer_frames=buffer_frames):
            report, _ = self.run_plan(plan_text(
                [f'test = "throughput"; frame_sizes = [{frame_octets}]; trial_duration = "{trial_s}s"; '
                 f'resolution = "0.1%";'], dut=fifo(buffer_frames, service), library="twin"))
            result = self.only(report, test="throughput")
            self.assertTrue(result["valid"], result["why_invalid"])
            truth = min(line_fps, service_fps)
            # The buffer absorbs as many frames of overload in a trial as it holds.
            self.assertLessEqual(result["throughput_fps"], float(truth + buffer_frames / trial_s) * (1 + 1e-9))
            self.assertGreaterEqual(result["throughput_fps"], float(truth - line_fps / 1000) * (1 - 1e-9))

    def test_at_random_rates_with_trials_of_60_s(self):
        draw = random.Random(SEED)
        for _ in range(RANDOM_RATES):
            frame_octets = draw.choice(RFC2544_SIZES_OCTETS + (draw.randint(64, 9216),))
            percent = fractions.Fraction(draw.randint(100, 11000), 100)
            service_fps = max_theoretical_fps(frame_octets, LINK_BPS) * percent / 100
            self.check(frame_octets, f"{float(percent)}%", service_fps, draw.randint(2, 4000), 60)

    def test_at_rates_that_never_fall_into_step_with_the_load(self):
        """Any integer number of frames a second: such trials take hours to repeat themselves, so they are shorter."""
        draw = random.Random(SEED)
        for _ in range(20):
            frame_octets = draw.choice(RFC2544_SIZES_OCTETS + (draw.randint(64, 9216),))
            line_fps = int(max_theoretical_fps(frame_octets, LINK_BPS))
            service_fps = draw.randint(line_fps // 100, line_fps * 11 // 10)
            self.check(frame_octets, service_fps, service_fps, draw.randint(2, 20), 0.05)


class Noise(SystemCase):
    """A FIFO that stops for 50 us every 100 s on average: about half of the trials of 60 s meet a stop and lose frames."""

    SEEDS = range(1, 7)

    def measure(self, seed):
        common = 'test = "throughput"; frame_sizes = [64]; direction = "unidirectional"; trial_duration = "60s";'
        dut = (f'model = "stall, fifo"; buffer_frames = 100; service_fps = "80%"; latency_ns = 800; '
               f'stall_ns = 50000; stall_mean_ns = "100000000000"; seed = {seed};')
        report, done = self.run_plan(plan_text(
            [f'{common} search = "binary";', f'{common} search = "loss_verification"; max_trials = 10;'], dut=dut,
            library="twin"))
        plain, verified = report["results"]
        self.assertEqual([result["parameters"]["search"] for result in (plain, verified)], ["binary", "loss_verification"])
        self.assertIn("binary", done.stdout)
        self.assertIn("loss_verification, at most 10 trials at a point", done.stdout)
        return plain, verified

    def test_plain_search_stops_at_a_stall_and_loss_verification_finds_the_rate_behind_it(self):
        line_fps = float(max_theoretical_fps(64, LINK_BPS))
        deceived = 0
        for seed in self.SEEDS:
            with self.subTest(seed=seed):
                plain, verified = self.measure(seed)
                for result in (plain, verified):
                    self.assertTrue(result["valid"], result["why_invalid"])
                # A point fails wrongly if all ten trials meet a stop: three times in ten thousand.
                self.assertAlmostEqual(verified["throughput_fps"] / line_fps, 0.8, delta=1e-9)
                self.assertGreater(verified["trials"], plain["trials"])
                self.assertLessEqual(plain["throughput_fps"], verified["throughput_fps"])
                deceived += plain["throughput_fps"] < verified["throughput_fps"] - 0.001001 * line_fps
        # The plain search needs luck at each of about five points that pass: a chance of 5% per search.
        self.assertGreaterEqual(deceived, len(self.SEEDS) - 1)


class Examples(SystemCase):
    def test_the_plan_of_a_software_device_shows_what_loss_verification_is_for(self):
        report, _ = self.run_plan(example("software-device.cfg"))
        plain, verified = report["results"]
        self.assertLess(plain["throughput_percent"], 70)
        self.assertAlmostEqual(verified["throughput_percent"], 80)

    def test_the_full_rfc9004_plan_finds_the_buffer_at_all_seven_sizes(self):
        report, _ = self.run_plan(example("rfc9004-full.cfg"))
        for frame_octets in RFC2544_SIZES_OCTETS:
            result = self.only(report, test="back_to_back", frame_octets=frame_octets)
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual(result["repetitions"], 50)
            self.assertEqual(result["stddev_frames"], 0)
            self.assertLessEqual(
                abs(result["corrected_buffer_s"] * float(max_theoretical_fps(frame_octets, LINK_BPS)) - 2000), 1)

    def test_the_full_rfc2544_plan_finds_the_rate_up_to_the_line(self):
        report, _ = self.run_plan(example("rfc2544-throughput-full.cfg"))
        for frame_octets in RFC2544_SIZES_OCTETS:
            result = self.only(report, test="throughput", frame_octets=frame_octets)
            line_fps = float(max_theoretical_fps(frame_octets, LINK_BPS))
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertLessEqual(result["throughput_fps"], min(line_fps, 40e6 + 500 / 60))
            self.assertGreater(result["throughput_fps"], min(line_fps, 40e6) - 0.0010001 * line_fps)


if __name__ == "__main__":
    main()
