#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpgauge devices and selftest from outside: tables, JSON, exit codes, on the twin and on simulated RTL, and on a device
whose fault a setting names (tests/sim/faulty_library.c)."""

import json
import os
import shutil
import subprocess
import unittest

from fpgauge_system import DONE, FPGAUGE, INVALID, WRONG_DEVICE, WRONG_PLAN, SystemCase, map_of_program

FAULTY = os.path.join(os.path.dirname(FPGAUGE), "tests", "sim", "fakes", "libfpgauge-sim-faulty.so")
SIZES = [64, 128, 256, 512, 1024, 1280, 1518, 9216]


class Devices(SystemCase):
    def test_the_libraries_beside_the_program_are_listed_ready(self):
        done = self.fpgauge("devices")
        self.assertEqual(done.returncode, DONE, done.stderr)
        version, map_hash = map_of_program()
        self.assertRegex(done.stdout, rf"(?m)^sim:twin +2 +100 Gb/s +{version} 0x{map_hash:08x}  simulation of up to 16 ports /.*-twin\.so$")
        devices = {entry["name"]: entry for entry in json.loads(self.fpgauge("devices", "--json", "-").stdout)["devices"]}
        twin = devices["sim:twin"]
        self.assertTrue(twin["ready"])
        self.assertEqual((twin["backend"], twin["ports"], twin["bits_per_second"], twin["why_not"]),
                         ("sim", 2, 100_000_000_000, None))

    def test_a_device_that_cannot_be_opened_is_listed_with_the_reason(self):
        with open(self.path("libfpgauge-sim-broken.so"), "w", encoding="utf-8") as file:
            file.write("no library")
        # The environment is a copy: the environment that the tests were started with is for those that follow.
        self.environment = {**os.environ, "FPGAUGE_LIBRARY_PATH": self.scratch}
        done = self.fpgauge("devices")
        self.assertEqual(done.returncode, DONE, done.stderr)  # because others are ready
        self.assertRegex(done.stdout, r"(?m)^sim:broken +not ready: .*cannot be loaded: ")


    def test_what_the_build_needed_on_its_way_is_no_device(self):
        build = os.path.dirname(FPGAUGE)
        twin = os.path.join(build, "sim", "libfpgauge-sim-twin.so")
        os.makedirs(self.path("build/sim/rtl"))
        shutil.copy(FPGAUGE, self.path("build/fpgauge"))
        shutil.copy(twin, self.path("build/sim"))
        shutil.copy(twin, self.path("build/sim/rtl/libfpgauge-sim-rtl-training.so"))
        clean = {name: value for name, value in os.environ.items() if name != "FPGAUGE_LIBRARY_PATH"}
        done = subprocess.run([self.path("build/fpgauge"), "devices", "--json", "-"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=clean, check=False)
        listed = [entry["name"] for entry in json.loads(done.stdout)["devices"]]
        self.assertEqual([name for name in listed if name.startswith("sim:")], ["sim:twin"])
        # The same in the build itself: of all libraries that it made, only those beside the twin are devices.
        here = json.loads(self.fpgauge("devices", "--json", "-").stdout)["devices"]
        self.assertEqual([entry["name"] for entry in here if "training" in entry["name"]], [])


class Selftest(SystemCase):
    def check_passes(self, device, *settings):
        done = self.fpgauge("selftest", device, "--json", self.path("out.json"), *settings)
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("\npassed\n"), done.stdout)
        self.assertEqual(done.stderr, "")
        report = self.result("out.json")
        self.assertTrue(report["passed"] and report["complete"])
        self.assertEqual({row["verdict"] for row in report["checks"]}, {"pass", "not_applicable"})
        for port in range(report["device"]["ports"]):
            rows = [row for row in report["checks"] if row["check"] == "loopback" and row["port"] == port]
            self.assertEqual([row["frame_octets"] for row in rows], SIZES)
            for row in rows:
                values = row["values"]
                self.assertEqual(values["received_frames"], values["offered_frames"])
                self.assertAlmostEqual(values["gap_mean_octets"], 12, delta=8 / (values["offered_frames"] - 1))
        return report

    def test_the_twin_passes(self):
        self.check_passes("sim:twin")

    def test_simulated_rtl_passes(self):
        self.check_passes("sim:rtl")

    def test_simulated_rtl_passes_with_cables_and_says_how_long_they_are(self):
        report = self.check_passes("sim:rtl", "--external", "--duration", "20us", "--set", "dut.latency_ns=64")
        rows = [row for row in report["checks"] if row["check"] == "external" and row["frame_octets"]]
        self.assertEqual(len(rows), 2 * len(SIZES))
        for row in rows:
            self.assertEqual(row["values"]["to_port"], row["port"] ^ 1)
            self.assertEqual(row["values"]["latency_mean_ns"], 64)

    def test_a_fault_is_exit_1_with_the_check_that_found_it(self):
        done = self.fpgauge("selftest", f"sim:{FAULTY}", "--set", "device.fault=swapped streams")
        self.assertEqual(done.returncode, INVALID, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^memory +1 +FAIL  entry 77, not expected")
        self.assertTrue(done.stdout.endswith("\nFAILED\n"))
        self.assertEqual(done.stdout.count("FAIL "), 1, done.stdout)

    def test_a_device_that_fails_is_exit_3_and_its_rows_so_far_are_in_the_json(self):
        done = self.fpgauge("selftest", f"sim:{FAULTY}", "--set", "device.fault=busy", "--json", self.path("out.json"))
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stdout + done.stderr)
        self.assertIn("status.sending is still set", done.stderr)
        report = self.result("out.json")
        self.assertFalse(report["passed"] or report["complete"])

    def test_quiet_and_json_on_standard_output(self):
        self.assertEqual(self.fpgauge("selftest", "sim:twin", "--quiet").stdout, "")
        self.assertTrue(json.loads(self.fpgauge("selftest", "sim:twin", "--json", "-").stdout)["passed"])

    def test_wrong_names_and_settings_are_refused_in_one_line(self):
        cases = [(["sim:none"], WRONG_DEVICE, 'sim:none: device.library = "none": no libfpgauge-sim-none.so in '),
                 (["exec:x"], WRONG_PLAN, "exec:x: is an external tester, which has no registers"),
                 (["none"], WRONG_PLAN, 'none: device.backend = "none": must be '),
                 (["tape:0"], WRONG_PLAN, 'tape:0: device.backend = "tape": must be '),
                 (["sim:twin", "--set", "dut.mode=wire"], WRONG_PLAN, "did you mean dut.model?"),
                 (["sim:twin", "--set", "info.site=here"], WRONG_PLAN, "must be a setting of device, dut or link"),
                 (["sim:twin", "--set", "link.speed=9M"], WRONG_PLAN, "link.speed=9M"),
                 (["sim:twin", "--duration", "5"], WRONG_PLAN, "must be a time with its unit, 1us to 60s"),
                 (["sim:twin", "--json", "none/x"], WRONG_PLAN, "cannot be written")]
        for arguments, code, text in cases:
            with self.subTest(arguments=arguments):
                done = self.fpgauge("selftest", *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
