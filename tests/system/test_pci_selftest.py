#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The self-test of a simulated PCI board over a trapped BAR, including its clock against the host's; and what is kept
about its cables is used by its next run."""

import json
import os
import unittest

from fpgauge_system import DONE, INVALID, WRONG_PLAN
from test_pci import PciCase


class CalibrationOfABoard(PciCase):
    """What a self-test measured on the cables of a board is subtracted by its next run without being asked for."""

    CABLE_NS, DEVICE_NS = 800, 1600

    def setUp(self):
        super().setUp()
        self.trap(self.tree.add())
        self.environment["XDG_STATE_HOME"] = self.path("state")

    def latency(self, latency_ns, calibration=""):
        card = self.card(dut={"model": "fifo", "service_fps": "200M", "latency_ns": latency_ns})
        tests = ['test = "throughput"; frame_sizes = [64]; trial_duration = "20us"; resolution = "1%"']
        report, done = self.run_plan(self.plan(device=calibration, tests=tests))
        card.close()
        return report["results"][0]["latency_mean_ns"], report.get("calibration"), done

    def test_a_run_takes_it_by_itself_and_says_so(self):
        card = self.card(dut={"model": "wire", "latency_ns": self.CABLE_NS}, clock_ratio=1)
        arguments = ["selftest", "pci", "--set", f"device.sysfs={self.tree.sysfs}", "--duration", "10us", "--external"]
        done = self.fpgauge(*arguments)
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        path = os.path.join(self.path("state"), "fpgauge", "calibration.json")
        self.assertIn(f"calibration of 2 cables kept in {path}\n", done.stdout)
        card.close()
        truth, none, done = self.latency(self.DEVICE_NS, 'calibration = "none";')
        self.assertIsNone(none)
        self.assertIn("Calibration          none: latency has cables and transceivers in it", done.stdout)
        corrected, taken, done = self.latency(self.DEVICE_NS + self.CABLE_NS)
        self.assertEqual(corrected, truth)
        self.assertEqual(taken["file"], path)
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        for entry in kept["calibrations"]:
            entry["regmap"] = "1:0x12345678"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        self.card(dut={"model": "wire"})
        self.refused(self.plan(), f"{path}: is of pci 0000:3b:00.0 with register map 1:0x12345678", expect=WRONG_PLAN)


class SelftestOfABoard(PciCase):
    def selftest(self, expect=DONE, **settings):
        self.card(**{"dut": {"model": "wire"}, **settings})
        self.trap(self.tree.add())
        done = self.fpgauge("selftest", "pci:0000:3b:00.0", "--set", f"device.sysfs={self.tree.sysfs}", "--json",
                            self.path("out.json"), "--duration", "20us")
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        report = self.result("out.json")
        self.assertTrue(report["complete"])
        return report, {row["check"] for row in report["checks"] if row["verdict"] == "fail"}

    def clock_of(self, report):
        return next(row for row in report["checks"] if row["check"] == "clock")

    def test_a_board_that_keeps_real_time_passes(self):
        report, _ = self.selftest(clock_ratio=1)
        self.assertEqual({row["verdict"] for row in report["checks"]}, {"pass"})
        values = self.clock_of(report)["values"]
        self.assertLess(abs(values["clock_off_ppm"]), values["tolerance_ppm"] + values["clock_bound_ppm"])

    def test_a_board_with_a_clock_of_its_own_fails_by_that_check_alone(self):
        report, failed = self.selftest(expect=INVALID, clock_ratio=2)
        self.assertEqual(failed, {"clock"})
        self.assertGreater(self.clock_of(report)["values"]["clock_off_ppm"], 500_000)


if __name__ == "__main__":
    unittest.main()
