#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""System recovery (RFC 2544 section 26.5) against devices whose truth is computed here, frame by frame.

The overload of a FIFO is over when the rate changes, but its buffer is full then: the frame after the last one lost has the whole
backlog before it, and arrives when that has been served. So the recovery time is backlog / service rate plus the latency of an empty
device. The exact value depends on which frame was the last one lost, and is worked out below from the definition of the model.
"""

import collections
import fractions
import random
import unittest

from fifo_truth import GROUP_OCTETS, PREAMBLE_OCTETS, max_theoretical_fps
from fpgauge_system import INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, fifo, main, plan_text

OCTETS_PER_S = LINK_BPS // 8
PARTS = 10**9  # loads are whole parts of line rate
CASES = 60 if LONG else 8


def grouped(octets):
    return octets // GROUP_OCTETS * GROUP_OCTETS


class Pace:
    """Starts of the frames of a load that changes, in octet times from the first one (docs/hardware-core.md, phases)."""

    def __init__(self, overload_fps, frame_octets, overload_ot, duration_ot):
        line = max_theoretical_fps(frame_octets, LINK_BPS)
        parts = round(overload_fps / float(line) * PARTS)
        first = OCTETS_PER_S / (line * parts / PARTS)
        self.starts = []
        n = 0
        while grouped(int(n * first)) < overload_ot:
            self.starts.append(grouped(int(n * first)))
            n += 1
        self.change = grouped(int(n * first))
        m = 0
        while grouped(int(n * first) + int(m * 2 * first)) < duration_ot:
            self.starts.append(grouped(int(n * first) + int(m * 2 * first)))
            m += 1


def recovery_ot(pace, buffer_frames, service_fps, frame_octets, latency_ns):
    """Start of the frame received after the last loss, less that of the first frame at the lower rate; None: no loss."""
    service = OCTETS_PER_S / fractions.Fraction(service_fps)
    latency = -(-latency_ns * OCTETS_PER_S // 10**9)
    ends = collections.deque()
    end, lost, last = fractions.Fraction(0), False, None
    for start in pace.starts:
        arrival = start + PREAMBLE_OCTETS + frame_octets
        while ends and ends[0] <= arrival:
            ends.popleft()
        if len(ends) == buffer_frames:
            lost = True
            continue
        end = max(end, arrival) + service
        ends.append(end)
        if lost:
            last, lost = -(-(end + latency) // GROUP_OCTETS) * GROUP_OCTETS, False
    return None if last is None else max(last - pace.change, 0)


def plan(frame_octets, dut, library="twin", overload_us=300, recovery_us=900, trial_us=2000, repetitions=2, more=""):
    return plan_text(
        [f'test = "throughput"; frame_sizes = [{frame_octets}]; trial_duration = "{trial_us}us"; resolution = "0.1%";',
         f'test = "system_recovery"; frame_sizes = [{frame_octets}]; repetitions = {repetitions}; '
         f'overload_duration = "{overload_us}us"; recovery_duration = "{recovery_us}us"; {more}'], dut=dut, library=library)


class FifoRecovers(SystemCase):
    def check(self, frame_octets, buffer_frames, percent, latency_ns, library="twin", overload_us=300, recovery_us=900,
              trial_us=2000):
        line = max_theoretical_fps(frame_octets, LINK_BPS)
        service = int(line * percent / 100)
        report, _ = self.run_plan(plan(frame_octets, fifo(buffer_frames, service, latency_ns), library, overload_us, recovery_us,
                                       trial_us))
        result = self.only(report, test="system_recovery")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["outcome"], "recovered", result["flags"])
        self.assertEqual(len(result["values_s"]), 2)
        self.assertAlmostEqual(result["overload_fps"] / min(1.1 * result["throughput_fps"], float(line)), 1, delta=1e-8)
        self.assertAlmostEqual(result["reduced_fps"] / result["overload_fps"], 0.5, delta=1e-9)

        overload_ot = overload_us * OCTETS_PER_S // 10**6
        pace = Pace(result["overload_fps"], frame_octets, overload_ot, overload_ot + recovery_us * OCTETS_PER_S // 10**6)
        truth = recovery_ot(pace, buffer_frames, service, frame_octets, latency_ns)
        self.assertIsNotNone(truth, "this overload loses frames")
        frame_time_s = float(1 / line)
        for value in result["values_s"]:
            self.assertLessEqual(abs(value - float(truth / OCTETS_PER_S)), frame_time_s, f"true: {float(truth)} octet times")
        self.assertAlmostEqual(result["recovery_s"], sum(result["values_s"]) / 2, delta=1e-12)

        # The queue takes backlog / spare rate to become empty. The backlog is found within a frame, and the rate within the
        # resolution of the throughput, or what its trial hides.
        spare_fps = service - result["reduced_fps"]
        off = abs(result["throughput_fps"] / service - 1)
        self.assertLessEqual(abs(result["backlog_frames"] - buffer_frames), 1.5 + off * buffer_frames)
        self.assertLessEqual(abs(result["backlog_drain_s"] - buffer_frames / spare_fps),
                             (1.5 + 3 * off * buffer_frames) / spare_fps / (1 - 3 * off))

        # The recovery in closed form: the backlog at the service rate, and the latency of an empty device. The frame after the
        # last loss may have come before the change, by what fits between two losses.
        backlog_s = buffer_frames / service + latency_ns * 1e-9 + (frame_octets + 8) / OCTETS_PER_S
        between_losses = result["overload_fps"] / (result["overload_fps"] - service) + 2
        self.assertLess(result["recovery_s"], backlog_s + 2 / service)
        self.assertGreater(result["recovery_s"], backlog_s - between_losses / result["overload_fps"] - 2 / service)

    def test_of_random_buffers_rates_and_sizes_within_one_frame_time(self):
        draw = random.Random(SEED)
        for _ in range(CASES):
            # A buffer that the overload fills: a tenth of the service comes in beyond it, for 300 us.
            frame_octets, percent = draw.choice((64, 128, 256, draw.randint(65, 400))), draw.randint(20, 85)
            fills = int(max_theoretical_fps(frame_octets, LINK_BPS) * percent / 100 * fractions.Fraction(300, 10**6) / 10)
            case = (frame_octets, draw.randint(2, max(3, fills * 3 // 4)), percent, draw.randint(0, 20000))
            with self.subTest(case=case):
                self.check(*case)

    def test_on_the_simulated_logic_too(self):
        draw = random.Random(SEED + 1)
        for _ in range(12 if LONG else 3):
            case = (draw.choice((64, 128, draw.randint(65, 200))), draw.randint(4, 20), draw.randint(30, 60), draw.randint(0, 2000))
            with self.subTest(case=case):
                self.check(*case, library="rtl", overload_us=20, recovery_us=40, trial_us=40)

    def test_an_overload_of_60_s_is_as_one_of_less_than_a_millisecond(self):
        report, _ = self.run_plan(plan(64, fifo(500, "60M"), overload_us=60_000_000, recovery_us=60_000_000, trial_us=60_000_000))
        result = self.only(report, test="system_recovery")
        self.assertEqual((result["outcome"], result["flags"]), ("recovered", []))
        self.assertAlmostEqual(result["recovery_s"], 500 / 60e6 + 800e-9, delta=12 / 60e6)


class OtherDevices(SystemCase):
    def only_recovery(self, dut, *arguments, expect=0, **settings):
        report, done = self.run_plan(plan(64, dut, **settings), *arguments, expect=expect)
        return self.only(report, test="system_recovery"), done

    def test_a_device_that_never_loses_has_nothing_to_recover_from(self):
        result, done = self.only_recovery('model = "wire"; latency_ns = 500;')
        self.assertTrue(result["valid"])
        self.assertEqual(result["outcome"], "no_loss")
        self.assertIsNone(result["recovery_s"])
        self.assertEqual((result["values_s"], result["lossless_trials"]), ([], 2))
        self.assertTrue(result["overload_at_maximum"])
        self.assertEqual(result["overload_fps"], result["max_theoretical_fps"])
        self.assertIn("nothing to recover from", " ".join(result["flags"]))
        self.assertIn("no_loss", done.stdout)

    def test_a_device_that_loses_until_the_end_has_no_recovery_time(self):
        """Overloaded, it forwards 50% of what it did; 55% is offered afterwards, so that it never gets empty."""
        result, done = self.only_recovery('model = "overload"; buffer_frames = 50; service_fps = "60M"; overload_service = "50%";')
        self.assertTrue(result["valid"])
        self.assertEqual(result["outcome"], "not_recovered")
        self.assertIsNone(result["recovery_s"])
        self.assertEqual((result["values_s"], result["unrecovered_trials"]), ([], 2))
        self.assertIn("did not recover", " ".join(result["flags"]))
        self.assertIn("not_recovered", done.stdout)

    def test_with_a_little_more_service_the_same_device_recovers(self):
        result, _ = self.only_recovery('model = "overload"; buffer_frames = 50; service_fps = "60M"; overload_service = "75%";')
        self.assertEqual(result["outcome"], "recovered")
        self.assertAlmostEqual(result["recovery_s"], 50 / 45e6, delta=12 / 45e6)

    def test_without_a_throughput_there_is_no_rate_to_send_at(self):
        text = plan_text(['test = "system_recovery"; frame_sizes = [64];'], dut=fifo(50, "60M"), library="twin")
        done = self.fpgauge("run", self.write("plan.cfg", text))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('plan.cfg:5: test = "system_recovery": needs the throughput of 64 octets: put a throughput test of that size '
                      "before it (RFC 2544 section 26.5)", done.stderr)

    def test_a_throughput_of_0_is_none(self):
        result, _ = self.only_recovery('model = "faults"; drop_every = 100;', expect=INVALID)
        self.assertIn("lost at every load", result["why_invalid"])

    def test_an_external_program_is_refused_with_the_reason(self):
        self.write("plan.cfg", 'device = { backend = "exec"; command = ["true"]; };\nlink = { speed = "100G"; };\n'
                               'run = ( { test = "system_recovery"; } );\n')
        done = self.fpgauge("check", "plan.cfg")
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('plan.cfg:3: test = "system_recovery": is not for an external program', done.stderr)

    def test_check_says_how_long_it_takes(self):
        text = plan(64, fifo(50, "60M"), overload_us=60_000_000, recovery_us=30_000_000, repetitions=3)
        done = self.fpgauge("check", self.write("plan.cfg", text))
        self.assertEqual(done.returncode, 0, done.stderr)
        # Three trials of 60 + 30 s, each with 2 s of drain and 2 s of settle at most.
        self.assertRegex(done.stdout, r"2\. system_recovery, bidirectional, destinations[^\n]*\n[^2]*frame sizes: 64\n"
                                      r"[^\n]*\n\s*at most 3 trials, 4:46")


if __name__ == "__main__":
    main()
