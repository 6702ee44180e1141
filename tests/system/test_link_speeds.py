#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulated devices at any speed of their links, 10 Mb/s to 800 Gb/s.

Simulated time is counted in octet times. So a device whose settings are shares of the line and octet times, tested with durations
in octet times, does the same at every speed to the frame; only what is said in seconds and in frames a second is another number."""

import json
import random
import unittest
from fractions import Fraction

from fifo_truth import longest_burst, max_theoretical_fps
from fpgauge_system import DONE, LONG, SEED, WRONG_PLAN, SystemCase, main

ROUND = {"10M": 10**7, "100M": 10**8, "1G": 10**9, "2.5G": 25 * 10**8, "10G": 10**10, "25G": 25 * 10**9, "40G": 4 * 10**10,
         "50G": 5 * 10**10, "100G": 10**11, "200G": 2 * 10**11, "400G": 4 * 10**11, "800G": 8 * 10**11}
OCTETS, BUFFER, TRIAL_OT, LATENCY_OT = 128, 57, 400_000, 1000


def decimal(value):
    """Nine decimals, never more than the value."""
    return f"{int(value)}.{int(value % 1 * 10**9):09}"


class Link:
    """A speed as a plan says it, and times in it. A plan has whole nanoseconds, each of up to 100 octet times."""

    def __init__(self, text, bps):
        self.text, self.bps = text, bps

    def ns(self, octet_times):
        """The nanoseconds that are rounded up to so many octet times; below 8 Gb/s there always are some."""
        return octet_times * 8 * 10**9 // self.bps

    def exact_ns(self, octet_times):
        """As the setting of a device, which may have decimals."""
        return decimal(Fraction(octet_times * 8 * 10**9, self.bps))

    def fps(self, period_ot):
        return decimal(Fraction(self.bps, 8 * period_ot))

    def scale(self, key):
        """What makes a number of a result one of octet times, as its key says."""
        for end, factor in (("_fps", Fraction(8, self.bps)), ("_bps", Fraction(1, self.bps)), ("_gbps", Fraction(10**9, self.bps)),
                            ("_ns", Fraction(self.bps, 8 * 10**9)), ("_us", Fraction(self.bps, 8 * 10**6)), ("_s", Fraction(self.bps, 8))):
            if key.endswith(end):
                return float(factor)
        return 1


def odd_speeds(draw):
    """One at which a nanosecond is less than an octet time, and one at which it is more."""
    return [Link(str(bps), bps) for bps in (draw.randrange(10**7, 8 * 10**9) | 1, draw.randrange(10**10, 8 * 10**11) | 1)]


MODELS = {
    "fifo": lambda link: f'model = "fifo"; buffer_frames = {BUFFER}; service_fps = "73.21%"; latency_ns = {link.exact_ns(LATENCY_OT)};',
    "overload": lambda link: f'model = "overload"; buffer_frames = {BUFFER}; service_bps = "61.7%"; latency_ns = {link.exact_ns(24)};',
    "switch": lambda link: f'model = "switch"; buffer_frames = {BUFFER}; gap_octets = 61; latency_ns = {link.exact_ns(LATENCY_OT)};',
    "router": lambda link: f'model = "router"; buffer_frames = {BUFFER}; forwarding_fps = {link.fps(200)};',
}


def plan(link, model):
    trial, wait = f'trial_duration = "{link.ns(TRIAL_OT)}ns";', f'settle = "0s"; drain = "{link.ns(100_000)}ns";'
    burst = f'max_burst = "{link.ns(TRIAL_OT)}ns"; repetitions = 2;'
    routed = "traffic = { routed = true; };\n" if model == "router" else ""
    return (f'device = {{ backend = "sim"; library = "twin"; }};\nlink = {{ speed = "{link.text}"; }};\n{routed}'
            f"dut = {{ {MODELS[model](link)} }};\nrun = (\n"
            f'  {{ test = "throughput"; frame_sizes = [{OCTETS}]; search = "binary"; resolution = "0.1%"; {trial} {wait} }},\n'
            f'  {{ test = "back_to_back"; frame_sizes = [{OCTETS}]; {burst} {wait} }},\n'
            f'  {{ test = "latency"; frame_sizes = [{OCTETS}]; {trial} {wait} }}\n);\n')


def numbers(value, link, key=""):
    """All numbers and truths of a result, by where they are, in octet times."""
    if isinstance(value, dict):  # parameters are what the plan says
        return {f"{name}/{at}": number for name, part in value.items() if name != "parameters" for at, number in numbers(part, link, name).items()}
    if isinstance(value, list):
        return {f"{i}/{at}": number for i, part in enumerate(value) for at, number in numbers(part, link, key).items()}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"": value * link.scale(key)}
    return {} if isinstance(value, str) else {"": value}


class EverySpeed(SystemCase):
    def measure(self, link, model):
        report, _ = self.run_plan(plan(link, model), "--quiet")
        self.assertEqual(report["link"]["bits_per_second"], link.bps)
        return report["results"]

    def check_truth(self, results, link, model):
        """Of the FIFO, computed apart from the program; of the others, what the simulation says itself."""
        throughput, bursts, latency = results
        line_fps = max_theoretical_fps(OCTETS, link.bps)
        share = Fraction("0.7321")
        for result in results:
            self.assertTrue(result["valid"], result["why_invalid"])
        self.assertAlmostEqual(throughput["max_theoretical_fps"], float(line_fps), delta=1e-9 * float(line_fps))
        if model == "fifo":
            at_100g = share * max_theoretical_fps(OCTETS, 10**11)
            self.assertEqual(bursts["average_frames"], longest_burst(BUFFER, at_100g, OCTETS, 10**11))
            # Its last octet is in, then served, then late; and leaves in a group of 8.
            leaves_ot = -(-(8 + OCTETS + (OCTETS + 20) / share + LATENCY_OT) // 8) * 8
            self.assertAlmostEqual(latency["latency_min_ns"] * link.bps / 8e9, float(leaves_ot), delta=1e-6)
            self.assertAlmostEqual(throughput["truth"]["throughput_fps"], float(share * line_fps), delta=1e-9 * float(line_fps))
        true_fps = throughput["truth"]["throughput_fps"]
        self.assertGreater(throughput["throughput_fps"], true_fps - 0.001001 * float(line_fps))
        self.assertEqual(bursts["average_frames"], bursts["truth"]["longest_burst_frames"])
        self.assertAlmostEqual(latency["latency_min_ns"], latency["truth"]["latency_ns"], delta=1e-9 * latency["latency_min_ns"])

    def expect_same(self, found, wanted, tolerance):
        self.assertEqual(found.keys(), wanted.keys())
        for at, number in wanted.items():
            if isinstance(number, float):
                self.assertAlmostEqual(found[at], number, delta=tolerance * max(1, abs(number)), msg=at)
            else:
                self.assertEqual(found[at], number, at)

    def test_a_device_in_octet_times_does_the_same_at_every_speed_and_that_is_its_truth(self):
        draw = random.Random(SEED)
        at_100g = Link("100G", 10**11)
        slow, fast = odd_speeds(draw)
        chosen = list(ROUND) if LONG else ["10M", *draw.sample([speed for speed in ROUND if speed != "100G"], 3)]
        for model in MODELS:
            results = self.measure(at_100g, model)
            self.check_truth(results, at_100g, model)
            wanted = numbers(results, at_100g)
            for link in [*(Link(speed, ROUND[speed]) for speed in chosen), slow, fast]:
                with self.subTest(model=model, speed=link.text):
                    results = self.measure(link, model)
                    self.check_truth(results, link, model)
                    if link is not fast:  # where a trial may be shorter by up to 100 octet times
                        self.expect_same(numbers(results, link), wanted, 1e-5 if link is slow else 1e-9)

    def test_a_day_at_the_fastest_speed_is_counted_to_the_frame(self):
        report, _ = self.run_plan(
            'device = { backend = "sim"; library = "twin"; };\nlink = { speed = "800G"; };\ndut = { model = "wire"; };\n'
            'run = ( { test = "latency"; frame_sizes = [64]; load = "70%"; trial_duration = "86400s"; repetitions = 20;\n'
            '          settle = "0s"; drain = "1us"; } );\n', "--quiet")
        counters = report["results"][0]["counters"]
        self.assertEqual(counters["received_frames"], 20 * 2 * 86400 * (8 * 10**11 // 8) * 7 // (84 * 10))
        self.assertEqual(counters["offered_frames"], counters["received_frames"])


class Commands(SystemCase):
    def test_a_speed_that_cannot_be_is_refused_with_the_limits(self):
        text = plan(Link("100G", 10**11), "fifo")
        for speed, says in (("9M", "must be 10M to 800G"), ("801G", "must be 10M to 800G"), ("fast", "link.speed")):
            done = self.fpgauge("run", self.write("plan.cfg", text.replace('"100G"', f'"{speed}"')))
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
            self.assertIn(says, done.stderr)
        done = self.fpgauge("run", self.path("plan.cfg"), "--set", "link.speed=10G", "--set", "device.link=25G")
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
        self.assertIn('link.speed = "10G": must be "25G", the speed of sim twin', done.stderr)

    def test_commands_without_a_plan_take_the_speed_too(self):
        for speed, line_fps in (("10M", 10**7 / 672), ("400G", 4e11 / 672)):
            link = ("--set", f"link.speed={speed}")
            for library in ("twin", "rtl"):
                done = self.fpgauge("selftest", f"sim:{library}", *link, "--duration", "2us" if speed == "400G" else "5ms")
                self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
            done = self.fpgauge("send", "sim:twin", "--load", "50%", "--frames", "1000", *link, "--json", self.path("sent"))
            self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
            with open(self.path("sent"), encoding="utf-8") as file:
                last = json.loads(file.read().splitlines()[-1])
            self.assertAlmostEqual(last["load_fps"] / line_fps, 0.5, 6)
            done = self.fpgauge("watch", "sim:twin", "--count", "1", "--interval", "1ms", *link, "--json", "-")
            self.assertEqual(done.returncode, DONE, done.stderr)
            done = self.fpgauge("check", "--preset", "rfc2544-quick", "--device", "twin", *link)
            self.assertEqual(done.returncode, DONE, done.stderr)


if __name__ == "__main__":
    main()
