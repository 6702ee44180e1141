#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every trial of a throughput search (RFC 2544 section 26.1) is what the FIFO does at that load, worked out frame by frame from its
definition (docs/dut-models.md): frames offered and lost to the frame, latencies to the octet time; and the result is what a bisection
over these trials must find."""

import collections
import contextlib
import fractions
import math
import random
import sqlite3

from fifo_truth import GROUP_OCTETS, PREAMBLE_OCTETS, max_theoretical_fps
from fpgauge_system import LINK_BPS, LONG, SEED, SystemCase, fifo, main, plan_text

SIZES_OCTETS = (64, 67, 128, 131, 257, 509, 1021, 1518)
STEPS = 200  # steps of the grid of loads: a resolution of 0.5%
OCTETS_PER_S = LINK_BPS // 8


def up(value):
    return math.ceil(value / GROUP_OCTETS) * GROUP_OCTETS


class Trial:
    """What one port offers, and what becomes of it."""

    def __init__(self, load_fps, duration_ot, frame_octets, buffer_frames, service_fps, latency_ns):
        period = fractions.Fraction(OCTETS_PER_S) / load_fps
        service = fractions.Fraction(OCTETS_PER_S) / service_fps
        latency_ot = math.ceil(fractions.Fraction(latency_ns) * OCTETS_PER_S / 10**9)
        ends, end = collections.deque(), fractions.Fraction(0)
        self.offered, self.lost, self.latencies = 0, 0, []
        while (start := int(self.offered * period) // GROUP_OCTETS * GROUP_OCTETS) < duration_ot:
            self.offered += 1
            arrival = start + PREAMBLE_OCTETS + frame_octets
            while ends and ends[0] <= arrival:
                ends.popleft()
            if len(ends) == buffer_frames:
                self.lost += 1
                continue
            end = max(end, arrival) + service
            ends.append(end)
            self.latencies.append(up(end + latency_ot) - start)


class Searches(SystemCase):
    def check_trial(self, row, truth, senders):
        numerator, denominator, valid, offered, received, lost, least, mean, most = row
        self.assertTrue(valid)
        self.assertEqual((offered, lost), (senders * truth.offered, senders * truth.lost), f"at {numerator}/{denominator} fps")
        self.assertEqual(received, offered - lost)
        self.assertEqual((least, most), (min(truth.latencies), max(truth.latencies)))
        self.assertAlmostEqual(mean, sum(truth.latencies) / len(truth.latencies), delta=1e-6)

    def check(self, library, draw, duration_ns, most_buffer):
        octets, senders = draw.choice(SIZES_OCTETS), draw.choice((1, 2))
        line_fps = max_theoretical_fps(octets, LINK_BPS)
        service_fps = int(line_fps * draw.randint(1000, 9900) / 10000)
        device = (octets, draw.randint(1, most_buffer), service_fps, draw.randint(0, 5000))
        direction = ("unidirectional", "bidirectional")[senders - 1]
        name = self.path(f"{draw.randrange(2**32)}.db")
        with self.subTest(library=library, device=device, direction=direction, duration_ns=duration_ns):
            report, _ = self.run_plan(plan_text(
                [f'test = "throughput"; frame_sizes = [{octets}]; search = "binary"; trial_duration = "{duration_ns}ns"; '
                 f'resolution = "{100 / STEPS}%"; direction = "{direction}";'], dut=fifo(*device[1:]), library=library), "--db", name)
            with contextlib.closing(sqlite3.connect(name)) as database:
                rows = database.execute(
                    "SELECT load_fps_numerator, load_fps_denominator, valid, offered_frames, received_frames, lost_frames, latency_min_ot, "
                    "latency_mean_ot, latency_max_ot, duration_ot FROM trial ORDER BY number").fetchall()
            self.assertGreater(len(rows), 0)
            passed, failed = [fractions.Fraction(0)], []
            for row in rows:
                load_fps = fractions.Fraction(row[0], row[1])
                truth = Trial(load_fps, row[9], *device)
                self.check_trial(row[:9], truth, senders)
                (failed if truth.lost else passed).append(load_fps)
            result = self.only(report, test="throughput")
            self.assertAlmostEqual(result["throughput_fps"], float(max(passed)), delta=1e-6)
            if not failed:  # the buffer holds what comes in too fast for so long
                self.assertEqual((result["first_lossy_fps"], result["throughput_percent"]), (None, 100))
                return
            self.assertAlmostEqual(result["first_lossy_fps"], float(min(failed)), delta=1e-6)
            self.assertAlmostEqual(float((min(failed) - max(passed)) / line_fps), 1 / STEPS, delta=1e-6)

    def test_on_the_twin_each_trial_loses_and_delays_what_the_fifo_does_and_the_result_is_theirs(self):
        draw = random.Random(SEED)
        for _ in range(60 if LONG else 10):
            self.check("twin", draw, draw.randint(20_000, 200_000), 60)

    def test_on_the_rtl_each_trial_loses_and_delays_what_the_fifo_does_and_the_result_is_theirs(self):
        draw = random.Random(SEED + 1)
        for _ in range(20 if LONG else 3):
            self.check("rtl", draw, draw.randint(5_000, 12_000), 12)


if __name__ == "__main__":
    main()
