#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plans in docs/examples. Those of Linux need a lab: tests/system/test_lab_linux.py and test_lab_switch.py."""

import os
import random
import subprocess
import unittest

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, LONG, ROOT, SEED, SystemCase, main

FOLDER = os.path.join(ROOT, "docs", "examples")
OF_LINUX = {"tap-bridge.cfg", "rfc2544-linux.cfg", "rfc2889-linux.cfg"}
RFC8239 = {f"rfc8239.{name}" for name in ("line_rate", "buffer_efficiency", "port_buffer", "port_pair_buffer", "device_buffer",
                                          "microburst", "head_of_line_blocking", "incast")}


SIZES = [64, 128, 256, 512, 1024, 1280, 1518]


class Examples(SystemCase):
    def sizes(self, *tests):
        """How many frame sizes the tests of these numbers have, and settings for that: the smallest, the largest and one between; with
        FPGAUGE_LONG=1 those of the plan."""
        if LONG:
            return len(SIZES), []
        chosen = [64, random.Random(SEED).choice(SIZES[1:-1]), 1518]
        return len(chosen), [word for test in tests for word in ("--set", f"run[{test}].frame_sizes={chosen}")]

    def beside_them(self, *arguments, within_s=IN_VAIN_S):
        """Runs the program in their folder, where the commands in plans are."""
        return subprocess.run([FPGAUGE, *arguments], cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=self.environment, timeout=within_s, check=False)

    def test_every_example_is_right_for_its_device(self):
        names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".cfg"))
        self.assertLessEqual(OF_LINUX, set(names))
        for name in names:
            if name not in OF_LINUX:
                with self.subTest(name):
                    done = self.beside_them("check", name)
                    self.assertEqual(done.returncode, DONE, done.stderr)

    def test_rfc2544_in_full_finds_the_rate_of_the_device_without_and_with_each_modifier(self):
        sizes, settings = self.sizes(*range(6))
        done = self.beside_them("run", "rfc2544-full.cfg", "--db", self.path("run.db"), "--json",
                              self.path("result.json"), "--quiet", *settings)
        self.assertEqual(done.returncode, DONE, done.stderr)
        results = self.result("result.json")["results"]
        for modifier, tests in ((None, 6), ("broadcast", 3), ("random_destinations", 5)):
            of_modifier = [entry for entry in results if entry["modifier"] == modifier]
            self.assertEqual(len(of_modifier), tests * sizes, f"tests at each size, {modifier}")
            for entry in of_modifier:
                self.assertTrue(entry["valid"] or entry["test"] == "back_to_back", entry["why_invalid"])
                if entry["test"] == "throughput":
                    true_fps = min(93_456_789, entry["max_theoretical_fps"])
                    self.assertLessEqual(entry["throughput_fps"], true_fps * (1 + 1e-9))
                    self.assertGreater(entry["throughput_fps"], true_fps - 0.0011 * entry["max_theoretical_fps"])

    def test_rfc2889_in_full_finds_the_rates_of_the_switch(self):
        """It leaves 16 octets between frames: of 8 ports that send at line rate, each gets L + 20 octets where it can be sent L + 24."""
        sizes, settings = self.sizes(*range(8), 11, 12)
        done = self.beside_them("run", "rfc2889-full.cfg", "--db", self.path("run.db"), "--json", self.path("result.json"), "--quiet",
                                *settings)
        self.assertEqual(done.returncode, DONE, done.stderr)
        results = self.result("result.json")["results"]
        self.assertEqual(len(results), 10 * sizes + 3, "ten tests at each size, and those of addresses and errors")
        for entry in results:
            self.assertTrue(entry["valid"], entry["why_invalid"])
            if entry["test"] == "rfc2889.address_caching":
                self.assertEqual(entry["addresses"], 8192)
            octets = entry["frame_octets"]
            share = (octets + 20) / (octets + 24)
            if entry["test"] in ("rfc2889.full_mesh", "rfc2889.unidirectional_mesh", "rfc2889.many_to_one"):
                self.assertAlmostEqual(entry["frmol_fps"] / entry["theoretical_fps"], share, 6)
                self.assertLessEqual(entry["throughput_fps"], entry["theoretical_fps"] * share * (1 + 1e-6))
            if entry["test"] == "rfc2889.congestion_control":
                self.assertEqual((entry["head_of_line_blocking"], entry["back_pressure"]), (False, False))
                # The frames in its buffer at the end arrive too: 500 frames, of 366 million and more.
                self.assertAlmostEqual(entry["congested_loss_percent"], 100 * (1 - share / 1.5), 3)
            if entry["test"] == "rfc2889.forward_pressure":
                self.assertIs(entry["forward_pressure_detected"], False)

    def test_rfc2889_of_tables_and_errors_finds_what_the_plan_says_of_the_switch(self):
        done = self.beside_them("run", "rfc2889-tables.cfg", "--db", self.path("run.db"), "--json", self.path("result.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        results = {entry["test"]: entry for entry in self.result("result.json")["results"]}
        capacity = results["rfc2889.address_caching"]
        self.assertEqual(capacity["addresses"], 3001)
        self.assertIn("not 35 s as the plan says", capacity["flags"][0])
        self.assertEqual(results["rfc2889.learning_rate"]["learning_rate_fps"], 20010)
        failed = {row["error"] for row in results["rfc2889.errored_frames"]["verdicts"] if row["verdict"] == "fail"}
        self.assertEqual(failed, {"fcs", "oversize"}, "a switch forwards up to 9216 octets")
        self.assertIs(results["rfc2889.congestion_control"]["head_of_line_blocking"], False)

    def test_examples_at_other_speeds_find_the_truth_of_their_devices(self):
        for name, bps in (("rfc2544-1g", 10**9), ("rfc2889-10g", 10**10), ("rfc9004-25g", 25 * 10**9), ("rfc8239-400g", 4 * 10**11)):
            done = self.beside_them("run", f"{name}.cfg", "--db", self.path(f"{name}.db"), "--json", self.path("result.json"), "--quiet")
            self.assertEqual(done.returncode, DONE, done.stderr)
            report = self.result("result.json")
            self.assertEqual(report["link"]["bits_per_second"], bps)
            for entry in report["results"]:
                with self.subTest(name, test=entry["test"], frame_octets=entry["frame_octets"]):
                    self.check_of_speed(entry)

    def check_of_speed(self, entry):
        self.assertTrue(entry["valid"], entry["why_invalid"])
        octets, test = entry["frame_octets"], entry["test"]
        if test == "throughput":  # latencies of the router and of the FIFO, and the line
            true_fps = min({10**9: 700_000, 25 * 10**9: 20_000_000}[round(entry["max_theoretical_fps"] * 8 * (octets + 20))],
                           entry["max_theoretical_fps"])
            self.assertAlmostEqual(entry["throughput_fps"] / true_fps, 1, delta=0.004)
        elif test == "back_to_back":
            self.assertEqual(entry["average_frames"], entry["truth"]["longest_burst_frames"])
        elif test.startswith("rfc2889."):
            self.assertAlmostEqual(entry["frmol_fps"] / entry["theoretical_fps"], (octets + 20) / (octets + 24), 4)
        elif test == "rfc8239.line_rate":
            self.assertEqual(entry["lost_frames"], 0)
        elif test == "rfc8239.port_buffer":
            self.assertLessEqual(abs(entry["buffer_frames"] - (211 - 1)), 1)

    def test_rfc8239_in_brief_finds_the_buffer_of_the_switch_by_every_procedure(self):
        """211 cells of 80 octets at each port, one of which holds the frame that is leaving."""
        done = self.beside_them("run", "rfc8239-quick.cfg", "--db", self.path("run.db"), "--json", self.path("result.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        results = self.result("result.json")["results"]
        self.assertEqual({entry["test"] for entry in results}, RFC8239)
        self.check_rfc8239(results, lambda octets: 211 // -(-octets // 80) - 1)

    @unittest.skipUnless(LONG, "minutes; tools/bench rfc8239 measures how many")
    def test_rfc8239_in_full_finds_the_buffer_of_the_switch_by_every_procedure(self):
        """1009 cells of 208 octets that all ports share: a queue may grow while it is shorter than what is free, two may to a third."""
        done = self.beside_them("run", "rfc8239-full.cfg", "--db", self.path("run.db"), "--json", self.path("result.json"), "--quiet",
                                within_s=3600)
        self.assertEqual(done.returncode, DONE, done.stderr)
        results = self.result("result.json")["results"]
        self.assertEqual({entry["test"] for entry in results}, RFC8239)
        self.check_rfc8239(results, lambda octets: -(-1009 // (2 * -(-octets // 208))) - 1,
                           lambda octets: 1009 // (3 * -(-octets // 208)))

    def test_incast_of_rfc8239_takes_all_of_the_line_with_one_stateful_port_and_less_with_more(self):
        """A hundred frames of buffer: two or three windows lose segments, and wait for a timeout of a quarter of the trial."""
        done = self.beside_them("run", "rfc8239-incast.cfg", "--db", self.path("run.db"), "--json", self.path("result.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        for entry in self.result("result.json")["results"]:
            with self.subTest(frame_octets=entry["frame_octets"]):
                self.assertTrue(entry["valid"], entry["why_invalid"])
                rows = {(row["stateful"], row["stateless"]): row for row in entry["iterations"]}
                self.assertEqual(list(rows), [(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)])
                self.assertGreater(rows[1, 1]["goodput_gbps"], 0.99 * entry["max_theoretical_goodput_gbps"])
                for stateful in (2, 3):
                    self.assertGreater(rows[stateful, 1]["again_segments"], 0)
                    self.assertLess(rows[stateful, 1]["goodput_gbps"], rows[1, 1]["goodput_gbps"])

    def check_rfc8239(self, results, alone, of_two=None):
        for entry in results:
            with self.subTest(test=entry["test"], frame_octets=entry["frame_octets"]):
                self.assertTrue(entry["valid"], entry["why_invalid"])
                if entry["test"] == "rfc8239.line_rate":
                    self.assertEqual(entry["lost_frames"], 0)
                    self.assertAlmostEqual(entry["received_percent"], 99.98, 3)
                elif entry["test"] == "rfc8239.port_pair_buffer" and of_two:
                    self.assertLessEqual(abs(entry["buffer_frames"] - of_two(entry["frame_octets"])), 3)
                elif entry["test"].endswith("_buffer") or entry["test"] == "rfc8239.buffer_efficiency":
                    self.assertLessEqual(abs(entry["buffer_frames"] - alone(entry["frame_octets"])), 1)
                elif entry["test"] == "rfc8239.incast":
                    ports = entry["parameters"]["ports"]
                    self.assertEqual(len(entry["iterations"]), 2 * (ports - 2) - 1, "the variations of section 6.2")
                    self.assertGreater(entry["goodput_gbps"], 0)


if __name__ == "__main__":
    main()
