#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throughput, back-to-back and MLRsearch on every pattern, through devices with random settings whose truth is computed here from
docs/dut-models.md: on the twin, with 2 to 16 ports, tags, IPv4, IPv6 and plain Ethernet, several addresses, and mixes of lengths."""

import os
import random
from fractions import Fraction

from fifo_truth import longest_burst, max_theoretical_fps, throughput_fps
from fpgauge_system import INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, fifo, main, plan_text

ROUNDS = 12 if LONG else 1
RESOLUTION, WIDTH = Fraction(1, 200), Fraction(1, 200)
COMMON = 'drain = "60us"; settle = "10us";'
LEAST_OCTETS = 96  # length in which every kind of frame has room
PRIMES = [number for number in range(17, 100) if all(number % divisor for divisor in range(2, number))]

# Pattern and direction; the fewest ports; how many senders share a receiver, of so many ports.
PATTERNS = {
    ("pairs", "bidirectional"): (2, lambda ports: 1), ("pairs", "unidirectional"): (2, lambda ports: 1),
    ("snake", "bidirectional"): (2, lambda ports: 1), ("snake", "unidirectional"): (2, lambda ports: 1),
    ("mesh", "bidirectional"): (3, lambda ports: 1), ("unidirectional_mesh", "unidirectional"): (4, lambda ports: 1),
    ("many_to_one", "bidirectional"): (3, lambda ports: ports - 1), ("many_to_one", "unidirectional"): (3, lambda ports: ports - 1),
    ("one_to_many", "bidirectional"): (3, lambda ports: ports - 1), ("one_to_many", "unidirectional"): (3, lambda ports: 0),
}


def trial_us(buffer_frames, line_fps):
    """Long enough for a buffer to overflow at line rate, which is at least 5% more than what leaves."""
    return max(200, int(100 * buffer_frames / line_fps * 1e6))


class Switch:
    """A switch that leaves more room between frames than the tester does; lengths in octets, times in octet times."""

    def __init__(self, draw, shortest):
        self.buffer_frames = draw.choice(PRIMES)
        self.gap_octets = 12 + int((shortest + 20) * draw.uniform(0.06, 0.4)) + 1
        self.latency_ot = 25 * draw.randrange(2, 80)  # 2 ns are 25 octet times
        self.text = (f'model = "switch"; buffer_frames = {self.buffer_frames}; gap_octets = {self.gap_octets}; '
                     f"latency_ns = {self.latency_ot // 25 * 2};")

    def period(self, octets):
        return octets + 8 + self.gap_octets

    def throughput_fps(self, lengths, senders):
        """Of each sender; 0 senders: one that sends to many in turn, to each less than its line can take."""
        mean = Fraction(sum(lengths), len(lengths))
        return Fraction(LINK_BPS, 8) / max(mean + 20, senders * self.period(mean))

    def longest_burst(self, octets, senders):
        """Frames of each sender, all from one instant on: the first round of which a frame finds no place is lost."""
        arriving, leaving = octets + 20, self.period(octets)
        held = -(8 + octets + self.latency_ot) % 8 + 8 + octets
        rounds = 0
        while True:
            last = rounds * senders + senders - 1
            if (last >= self.buffer_frames and
                    (last - self.buffer_frames) * leaving // 8 * 8 + held > rounds * arriving // 8 * 8):
                return rounds
            rounds += 1


class PatternTruth(SystemCase):
    def draw_traffic(self, draw, pattern, direction):
        frame = draw.choice(("ipv4_udp", "ipv6_udp", "ethernet"))
        vlan = draw.choice(("", f" vlan = {draw.randrange(4095)};"))
        key = "" if "mesh" in pattern else f' direction = "{direction}";'
        return (f'{COMMON}{key} traffic = {{ pattern = "{pattern}"; frame = "{frame}"; addresses = {draw.randrange(1, 17)};{vlan} '
                f"seed = {draw.randrange(1, 1000)};", "};")

    def draw_ports(self, draw, pattern, least):
        ports = draw.choice((least, least + 1, draw.randrange(least, 17), 7, 16))
        return ports + ports % 2 if pattern == "unidirectional_mesh" else ports

    def runs_of(self, traffic, sizes, duration_us, burst_frames):
        begin, end = traffic
        both = f"{sizes} {begin}{end}"
        tests = [f'test = "throughput"; search = "binary"; trial_duration = "{duration_us}us"; '
                 f'resolution = "{float(RESOLUTION):.1%}"; {both}',
                 f'test = "mlrsearch"; width = {float(WIDTH)}; {both} initial_trial_duration = "{duration_us // 2}us"; '
                 f'goals = ( {{ final_trial_duration = "{duration_us}us"; duration_sum = "{duration_us}us"; }} );']
        if burst_frames:
            tests.append(f'test = "back_to_back"; repetitions = 1; max_burst = "{burst_frames} frames"; {both}')
        return tests

    def check_rates(self, report, line_fps, true_fps, hidden_fps):
        """hidden_fps: by the buffer, during a trial."""
        found = self.only(report, test="throughput")
        self.assertTrue(found["valid"], found["why_invalid"])
        self.assertGreaterEqual(found["throughput_fps"], float(true_fps - RESOLUTION * line_fps) * (1 - 1e-9))
        self.assertLessEqual(found["throughput_fps"], min(float(line_fps), float(true_fps) + hidden_fps) * (1 + 1e-9))
        goal = self.only(report, test="mlrsearch")
        self.assertTrue(goal["valid"], goal["why_invalid"])
        lower, upper = goal["relevant_lower_bound_fps"], goal["relevant_upper_bound_fps"]
        self.assertLessEqual(lower, min(float(line_fps), float(true_fps) + hidden_fps) * (1 + 1e-9))
        if true_fps == line_fps:
            self.assertAlmostEqual(lower / float(line_fps), 1, 6)
        else:
            self.assertGreater(upper, float(true_fps) * (1 - 1e-9))
            self.assertLessEqual((upper - lower) / upper, float(WIDTH) * (1 + 1e-9))
        return found

    def check_truth(self, result, stated, true_fps, true_burst):
        if not stated:
            self.assertIsNone(result["truth"], "of pairs, beside a result of another pattern")
            return
        self.assertAlmostEqual(result["truth"]["throughput_fps"] / float(true_fps), 1, 9)
        self.assertEqual(result["truth"]["longest_burst_frames"], true_burst)

    def check_switch(self, draw, pattern, direction):
        least, senders_of = PATTERNS[pattern, direction]
        ports, octets = self.draw_ports(draw, pattern, least), draw.choice((LEAST_OCTETS, draw.randrange(97, 700), 1518))
        senders, switch = senders_of(ports), Switch(draw, octets)
        traffic = self.draw_traffic(draw, pattern, direction)
        line_fps, true_fps = max_theoretical_fps(octets, LINK_BPS), switch.throughput_fps([octets], senders)
        duration_us = trial_us(switch.buffer_frames, line_fps)
        tests = self.runs_of(traffic, f"frame_sizes = [{octets}];", duration_us, 30 * switch.buffer_frames if senders else 0)
        report, _ = self.run_plan(plan_text(tests, dut=switch.text, library="twin", device=f"ports = {ports};"))
        hidden_fps = (switch.buffer_frames + senders) / (max(senders, 1) * duration_us * 1e-6)
        found = self.check_rates(report, line_fps, true_fps, hidden_fps)
        if pattern != "snake":  # frames that are flooded to its idle ports are no harm
            self.assertEqual(found["counters"]["wrong_port_frames"], 0)
        if not senders:
            return
        burst, true_burst = self.only(report, test="back_to_back"), switch.longest_burst(octets, senders)
        self.assertTrue(burst["valid"], burst["why_invalid"])
        self.assertEqual(burst["average_frames"], true_burst)
        self.assertEqual(burst["throughput_fps"], found["throughput_fps"], "rests on the throughput test before it")
        for result in (found, burst):
            self.check_truth(result, pattern == "pairs" or ports == 2, true_fps, true_burst)

    def test_every_pattern_through_a_switch_has_the_truth_of_that_pattern(self):
        draw = random.Random(SEED)
        for number in range(ROUNDS):
            for pattern, direction in PATTERNS:
                with self.subTest(pattern=pattern, direction=direction, round=number):
                    self.check_switch(draw, pattern, direction)

    def test_a_switch_as_fast_as_its_lines_loses_nothing_in_the_first_trial_either(self):
        """What it does not know yet it floods, to queues that have no room for it."""
        draw = random.Random(SEED + 3)
        for pattern, direction in PATTERNS:
            if PATTERNS[pattern, direction][1](16) != 1:
                continue
            ports, octets = 2 * draw.randrange(2, 9), draw.choice((LEAST_OCTETS, draw.randrange(97, 700)))
            begin, end = self.draw_traffic(draw, pattern, direction)
            with self.subTest(pattern=pattern, direction=direction, ports=ports, octets=octets):
                report, _ = self.run_plan(plan_text([f'test = "throughput"; frame_sizes = [{octets}]; search = "binary"; '
                                                     f'trial_duration = "100us"; {begin}{end}'], library="twin",
                                                    dut='model = "switch"; buffer_frames = 3;', device=f"ports = {ports};"))
                result = self.only(report, test="throughput")
                self.assertEqual((result["throughput_percent"], result["trials"]), (100, 1))

    def test_pairs_through_fifos_have_the_truth_whatever_the_number_of_ports(self):
        draw = random.Random(SEED + 1)
        for number in range(ROUNDS * 2):
            octets, buffer_frames = draw.choice((LEAST_OCTETS, draw.randrange(97, 700), 1518)), draw.choice(PRIMES)
            line_fps = max_theoretical_fps(octets, LINK_BPS)
            service_fps = int(line_fps * draw.randrange(600, 940) / 1000) | 1
            ports, pattern = draw.choice(((2, "snake"), (draw.choice((3, 5, 7, 13)), "pairs"), (16, "pairs")))
            with self.subTest(ports=ports, pattern=pattern, octets=octets, round=number):
                traffic = self.draw_traffic(draw, pattern, draw.choice(("bidirectional", "unidirectional")))
                duration_us = trial_us(buffer_frames, line_fps)
                tests = self.runs_of(traffic, f"frame_sizes = [{octets}];", duration_us, 30 * buffer_frames)
                report, _ = self.run_plan(plan_text(tests, dut=fifo(buffer_frames, service_fps), library="twin",
                                                    device=f"ports = {ports};"))
                true_fps = throughput_fps(buffer_frames, service_fps, octets, LINK_BPS)
                true_burst = longest_burst(buffer_frames, service_fps, octets, LINK_BPS)
                found = self.check_rates(report, line_fps, true_fps, (buffer_frames + 1) / (duration_us * 1e-6))
                burst = self.only(report, test="back_to_back")
                self.assertTrue(burst["valid"], burst["why_invalid"])
                self.assertEqual(burst["average_frames"], true_burst)
                self.check_truth(found, True, true_fps, true_burst)

    def check_mix(self, draw, pattern, ports, device):
        lengths = [draw.choice((LEAST_OCTETS, 570, 1518, draw.randrange(97, 1518))) for _ in range(draw.choice((2, 5, 7, 11)))]
        begin, end = self.draw_traffic(draw, pattern, draw.choice(("bidirectional", "unidirectional")))
        line_fps = Fraction(LINK_BPS, 8) / (Fraction(sum(lengths), len(lengths)) + 20)
        senders = PATTERNS[pattern, "unidirectional"][1](ports)
        if device == "switch":
            dut = Switch(draw, max(lengths))
            buffer_frames, text, true_fps = dut.buffer_frames, dut.text, dut.throughput_fps(lengths, senders)
        else:
            buffer_frames, true_fps = draw.choice(PRIMES), Fraction(int(line_fps * draw.randrange(600, 940) / 1000) | 1)
            text = fifo(buffer_frames, true_fps)
        duration_us = trial_us(buffer_frames, line_fps)
        tests = self.runs_of((f"{begin} sizes = {lengths};", end), "", duration_us, 0)
        report, _ = self.run_plan(plan_text(tests, dut=text, library="twin", device=f"ports = {ports};"))
        hidden_fps = (buffer_frames + senders + len(lengths)) / (senders * duration_us * 1e-6)
        found = self.check_rates(report, line_fps, true_fps, hidden_fps)
        self.assertIsNone(found["truth"])
        self.assertIsNone(found["frame_octets"])

    def test_mixes_of_lengths_have_the_truth_of_their_average(self):
        draw = random.Random(SEED + 2)
        for number in range(ROUNDS):
            for pattern, ports, device in (("pairs", draw.choice((2, 5, 6)), "fifo"), ("pairs", draw.choice((4, 7)), "switch"),
                                           ("snake", draw.choice((2, 9)), "switch"), ("many_to_one", draw.choice((3, 4, 7)), "switch")):
                with self.subTest(pattern=pattern, ports=ports, device=device, round=number):
                    self.check_mix(draw, pattern, ports, device)


class Snake(SystemCase):
    TEST = 'test = "throughput"; frame_sizes = [64]; search = "binary"; trial_duration = "20us"; ' + COMMON

    def test_a_snake_goes_from_the_first_port_to_the_last_of_2_to_16(self):
        line_fps = float(max_theoretical_fps(64, LINK_BPS))
        for ports in range(2, 17):
            with self.subTest(ports=ports):
                report, _ = self.run_plan(plan_text([self.TEST + ' traffic = { pattern = "snake"; };'], dut='model = "switch";',
                                                    library="twin", device=f"ports = {ports};"))
                result = self.only(report, test="throughput")
                self.assertAlmostEqual(result["throughput_fps"] / line_fps, 1, 6)
                self.assertEqual([bool(port["offered_frames"]) for port in result["ports"]],
                                 [port in (0, ports - 1) for port in range(ports)])

    def test_a_device_that_passes_nothing_to_the_last_port_has_no_throughput(self):
        """A FIFO between 0 and 1, 2 and 3."""
        report, _ = self.run_plan(plan_text([self.TEST + ' traffic = { pattern = "snake"; };'], dut=fifo(50, "50M"), library="twin",
                                            device="ports = 4;"), expect=INVALID)
        result = self.only(report, test="throughput")
        self.assertIsNone(result["throughput_fps"])
        self.assertIn("not known: no test frame arrived where it had to", result["why_invalid"])
        self.assertIsNone(result["truth"], "a throughput of a pair")

    def test_a_pattern_that_needs_more_ports_is_refused_with_both_numbers_and_what_to_write(self):
        for pattern, has, needs in (("mesh", 2, 3), ("one_to_many", 2, 3), ("many_to_one", 2, 3), ("unidirectional_mesh", 2, 4),
                                    ("unidirectional_mesh", 3, 4)):
            with self.subTest(pattern=pattern, ports=has):
                text = plan_text([f'test = "throughput"; frame_sizes = [64]; traffic = {{ pattern = "{pattern}"; }};'],
                                 library="twin", device=f"ports = {has};")
                done = self.fpgauge("run", self.write("plan.cfg", text), "--db", "run.db")
                self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
                self.assertIn(f'plan.cfg:5: test = "throughput": needs {needs} ports, and sim twin has {has}: write ports = {needs} in '
                              "device = { ... }", done.stderr)
                self.assertFalse(os.path.exists(self.path("run.db")), "a trial was run")

    def test_half_of_an_odd_number_of_ports_is_refused(self):
        text = plan_text(['test = "throughput"; frame_sizes = [64]; traffic = { pattern = "unidirectional_mesh"; };'], library="twin",
                         device="ports = 7;")
        done = self.fpgauge("run", self.write("plan.cfg", text))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
        self.assertIn('traffic.pattern = "unidirectional_mesh" with 7 ports', done.stderr)
        self.assertIn("must be even", done.stderr)


if __name__ == "__main__":
    main()
