#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpgauge clock on two simulated cards: the true offset, drift, delay and latency are within what it prints."""

import random
import re
import unittest
from fractions import Fraction

from fpgauge_system import DONE, INVALID, SEED, WRONG_DEVICE, WRONG_PLAN, SystemCase

NOMINAL = 10**9
OT_PER_NS = 12.5


class Pair:
    """Two cards, as the arguments that open them, and what is true of their clocks."""

    def __init__(self, draw):
        self.starts = [draw.choice([0, 64, 2**43 - 6400, draw.randrange(2**50)]) // 64 * 64 for _ in range(2)]
        self.paces = [draw.choice([NOMINAL, NOMINAL + 100000, NOMINAL - 100000, draw.randrange(999900000, 1000100001)]) for _ in range(2)]
        self.cable_ns = draw.choice([0, 5, 37.3, 1234.567])
        self.other_ns = draw.choice([0, 800.25, 99999])

    def arguments(self):
        for card, name in enumerate("ab"):
            for setting, value in (("cable", "pair"), ("cable_ns", self.cable_ns), ("other_cables_ns", self.other_ns),
                                   ("clock_start", self.starts[card]), ("clock_pace", self.paces[card])):
                yield f"--set-{name}"
                yield f"device.{setting}={value}"

    def ahead(self, a_ot):
        """What B is ahead of A when A shows a_ot, exactly."""
        return self.starts[1] + Fraction((a_ot - self.starts[0]) * self.paces[1], self.paces[0]) - a_ot

    def delay_ns(self, ns):
        """By the clock of B."""
        return ns * self.paces[1] / NOMINAL


class Clock(SystemCase):
    def clock(self, *arguments, expect=DONE):
        done = self.fpgauge("clock", "sim:twin", "sim:twin", "--json", self.path("clock.json"), *arguments)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return self.result("clock.json") if expect in (DONE, INVALID) else None, done

    def expect_within(self, low, value, high):
        self.assertLessEqual(low, value)
        self.assertLessEqual(value, high)

    def check(self, pair, found):
        self.assertEqual([offset["after_s"] for offset in found["offsets"]], [0, 1, 10, 60, 600])
        for offset in found["offsets"]:
            ahead = float(pair.ahead(offset["a_ot"]) - offset["offset_base_ot"])
            self.expect_within(offset["offset_low_ot"], ahead, offset["offset_high_ot"])
            half_ns = (offset["offset_high_ot"] - offset["offset_low_ot"]) / 2 / OT_PER_NS
            self.assertAlmostEqual(offset["bound_ns"], half_ns, delta=1e-6)
            self.assertGreaterEqual(offset["bound_any_asymmetry_ns"], offset["bound_ns"])
        self.expect_within(found["drift_low_ppm"], (Fraction(pair.paces[1], pair.paces[0]) - 1) * 10**6, found["drift_high_ppm"])
        self.expect_within(found["delay_low_ns"], pair.delay_ns(pair.cable_ns), found["delay_high_ns"] + 1e-3)
        self.assertLess(found["offsets"][0]["bound_ns"], 1)

    def check_offset_now(self, pair, found):
        now = found["offsets"][0]
        self.expect_within(now["offset_low_ot"], float(pair.ahead(now["a_ot"]) - now["offset_base_ot"]), now["offset_high_ot"])

    def test_what_is_true_of_two_clocks_is_within_what_is_printed(self):
        draw = random.Random(SEED)
        for _ in range(6):
            pair = Pair(draw)
            with self.subTest(starts=pair.starts, paces=pair.paces, cable_ns=pair.cable_ns):
                found, done = self.clock(*pair.arguments(), "--for", draw.choice(["100ms", "1s", "7s"]))
                self.assertTrue(found["valid"])
                self.check(pair, found)
                self.assertNotIn("through", found)
                shown = re.search(r"B is ahead of A by (-?[\d.]+) ns, when A shows (\d+) octet times", done.stdout)
                self.assertAlmostEqual(float(pair.ahead(int(shown[2]))) / OT_PER_NS, float(shown[1]), delta=1)

    def test_latency_from_card_to_card_is_within_its_bound(self):
        draw = random.Random(SEED + 1)
        for _ in range(4):
            pair = Pair(draw)
            with self.subTest(starts=pair.starts, paces=pair.paces, other_ns=pair.other_ns):
                found, done = self.clock(*pair.arguments(), "--through", "1:1", "--size", "512")
                self.check(pair, found)
                self.assertEqual([way["way"] for way in found["through"]], ["a_to_b", "b_to_a"])
                for way in found["through"]:
                    self.assertEqual((way["sent_frames"], way["received_frames"], way["frame_octets"]), (500, 500, 512))
                    true_ns = pair.delay_ns(pair.other_ns)
                    for key in ("latency_min", "latency_mean", "latency_max"):
                        self.assertLessEqual(way[key]["low_ns"], true_ns + way["stamp_error_ns"] * 1.01)
                        self.assertGreaterEqual(way[key]["high_ns"], true_ns - 1e-3)
                        self.assertLess(way[key]["high_ns"] - way[key]["low_ns"], 1)
                self.assertIn("A port 1 to B port 1, 512 octets: 500 of 500 frames came", done.stdout)

    def test_latency_through_a_device_is_within_its_bound_when_it_is_constant_and_when_it_grows_with_load(self):
        draw = random.Random(SEED + 2)
        for duration, rates in (("10ms", (10**6, 10**8)), ("1ms", (250000, 499000))):
            pair = Pair(draw)
            octets, latency_ns = draw.randrange(64, 1519), 2 * draw.randrange(5000)
            service = [draw.randrange(*rates) for _ in "ab"]
            device = [part for name, fps in zip("ab", service) for setting in
                      ("dut.model=fifo", "dut.buffer_frames=1000", f"dut.service_fps={fps}", f"dut.latency_ns={latency_ns}")
                      for part in (f"--set-{name}", setting)]
            with self.subTest(starts=pair.starts, paces=pair.paces, service=service, octets=octets, latency_ns=latency_ns):
                found, _ = self.clock(*pair.arguments(), *device, "--through", "1:1", "--size", str(octets), "--for", duration)
                self.check_offset_now(pair, found)
                for card, way in enumerate(found["through"]):
                    self.assertEqual(way["received_frames"], 500)
                    # Alone; and the last one at a load of 500,000 frames a second, which found 499 before it. By the clock of B.
                    first_ot = 8 + octets + 12.5e9 / service[card] + 12.5 * latency_ns
                    last_ot = first_ot + max(0, 499 * (12.5e9 / service[card] - 25000))
                    by_b = pair.paces[1] / pair.paces[card]
                    for key, true_ot in (("latency_min", first_ot), ("latency_max", last_ot)):
                        true_ns = true_ot * by_b / OT_PER_NS + pair.delay_ns(pair.other_ns)
                        self.assertLessEqual(way[key]["low_ns"], true_ns + 8 / OT_PER_NS + way["stamp_error_ns"] * 1.01)  # leaves in a group
                        self.assertGreaterEqual(way[key]["high_ns"], true_ns - 1e-3)
                        self.assertLess(way[key]["high_ns"] - way[key]["low_ns"], 5)

    def test_asymmetry_that_is_stated_widens_the_bound_by_half_of_it(self):
        arguments = list(Pair(random.Random(1)).arguments())
        plain, wide = (self.clock(*arguments, *more)[0]["offsets"][0]["bound_ns"] for more in ((), ("--asymmetry", "10ns")))
        self.assertLessEqual(wide, plain + 5.001)
        self.assertGreater(wide, plain)

    def test_wander_that_is_stated_widens_the_bound(self):
        arguments = list(Pair(random.Random(1)).arguments())
        plain, wide = (self.clock(*arguments, *more)[0]["offsets"][0]["bound_ns"] for more in ((), ("--wander", "3ns")))
        self.assertGreater(wide, plain + 3)

    def test_a_device_that_is_not_there_is_named(self):
        done = self.fpgauge("clock", "sim:twin", "sim:nothing")
        self.assertEqual((done.returncode, done.stdout), (WRONG_DEVICE, ""))
        self.assertIn("fpgauge clock: DEVICE_B: ", done.stderr)

    def test_no_cable_is_no_measurement(self):
        found, done = self.clock("--set-a", "device.cable=one", "--set-b", "device.cable=another", expect=INVALID)
        self.assertFalse(found["valid"])
        self.assertIn("none of the frames came", found["invalid_reason"])
        self.assertNotIn("offsets", found)
        self.assertIn("INVALID: port 0 of sim twin: none of the frames came", done.stdout)

    def test_a_cable_to_another_port_is_no_measurement(self):
        cable = ("--set-a", "device.cable=x", "--set-b", "device.cable=x")
        found, _ = self.clock(*cable, "--ports", "0:1", expect=INVALID)
        self.assertIn("leads to another port", found["invalid_reason"])

    def test_json_takes_the_place_of_the_text_and_quiet_prints_nothing(self):
        cable = ("--set-a", "device.cable=x", "--set-b", "device.cable=x", "--for", "10ms")
        done = self.fpgauge("clock", "sim:twin", "sim:twin", *cable, "--json", "-")
        self.assertEqual((done.returncode, done.stdout[0]), (DONE, "{"))
        done = self.fpgauge("clock", "sim:twin", "sim:twin", *cable, "--quiet")
        self.assertEqual((done.returncode, done.stdout), (DONE, ""))

    def test_what_cannot_be_is_refused_with_the_reason(self):
        two = ("sim:twin", "sim:twin")
        for arguments, text in ((("sim:twin",), "two devices must be given"),
                                ((*two, "sim:twin"), "too many arguments"),
                                ((*two, "--ports", "0"), "--ports 0: must be two ports"),
                                ((*two, "--ports", "0:16"), "must be two ports, 0 to 15"),
                                ((*two, "--ports", "2:0"), "port 2 of sim twin: must be 0 to 1"),
                                ((*two, "--through", "0:1"), "port 0 of sim twin: has the cable"),
                                ((*two, "--through", "1:2"), "port 2 of sim twin: must be 0 to 1"),
                                ((*two, "--size", "64"), "--size 64: is of the frames of --through"),
                                ((*two, "--through", "1:1", "--size", "63"), "--size 63: must be 64 to 9216"),
                                ((*two, "--through", "1:1", "--size", "64k"), "--size 64k: must be 64 to 9216"),
                                ((*two, "--for", "3"), "--for 3: must be a time with its unit"),
                                ((*two, "--for", "301s"), "--for 301s: must be a time with its unit"),
                                ((*two, "--for", "1s", "--for", "2s"), "--for 2s: must be given once"),
                                ((*two, "--asymmetry", "2ms"), "--asymmetry 2ms: must be a time"),
                                ((*two, "--wander", "x"), "--wander x: must be a time"),
                                ((*two, "--json", "no/such/folder/x"), "no/such/folder"),
                                ((*two, "--set-a", "device.cable=x", "--set-a", "dut.model=switch"),
                                 "with device.cable: must be a model of one direction"),
                                ((*two, "--set-b", "device.clock_pace=5"), "DEVICE_B: ")):
            with self.subTest(" ".join(arguments)):
                done = self.fpgauge("clock", *arguments)
                self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""))
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
