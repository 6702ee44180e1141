# SPDX-License-Identifier: Apache-2.0
"""One more benchmark costs its own file and a line of the table (tests/house): help, checks, limits, comparison and
every form of report have it, with a chart, without a change to any other line.

FPGAUGE must name the program that includes it: build/tests/house/fpgauge-house."""

import csv
import os
import random
import sqlite3
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import fpgauge_system
from fpgauge_system import INVALID, LINK_BPS, SEED, WRONG_PLAN, SystemCase, plan_text

SIZES = (64, 137, 1518)
KEYS = ["offered_load_fps", "received_load_fps", "received_percent", "latency_max_ns"]


def line_rate_fps(octets):
    return LINK_BPS / (8 * (octets + 20))


def test_of(**keys):
    keys = {"frame_sizes": f"[{', '.join(map(str, SIZES))}]", "trial_duration": '"1ms"', **keys}
    return 'test = "offered_load"; ' + " ".join(f"{key} = {value};" for key, value in keys.items())


class House(SystemCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(SEED)
        self.service_fps, self.buffer_frames = draw.randrange(9_000_000, 60_000_000), draw.randrange(1, 3000)

    def plan(self, service_fps=None, latency_ns=800, **keys):
        dut = (f'model = "fifo"; service_fps = {service_fps or self.service_fps}; buffer_frames = {self.buffer_frames}; '
               f"latency_ns = {latency_ns};")
        return plan_text([test_of(**keys)], dut=dut, library="twin")

    def run_to(self, name, **keys):
        report, done = self.run_plan(self.plan(**keys), "--db", self.path(f"{name}.db"), "--html", self.path(f"{name}.html"),
                                     "--csv", self.path(name), "--junit", self.path(f"{name}.xml"))
        return report, done.stdout

    def test_it_measures_what_the_simulated_device_forwards(self):
        report, _ = self.run_to("run")
        for octets in SIZES:
            result = self.only(report, frame_octets=octets)
            offered = round(line_rate_fps(octets) * 1e-3)
            truth = min(offered, self.service_fps * 1e-3 + self.buffer_frames)
            self.assertAlmostEqual(result["received_percent"], 100 * truth / offered, delta=100 * 3 / offered)

    def test_help_has_its_keys(self):
        page = self.fpgauge("help", "plan").stdout
        self.assertIn('"offered_load"', page)
        self.assertIn("Length of the only trial.", page)

    def test_check_says_how_long_it_takes_and_what_is_wrong(self):
        done = self.fpgauge("check", self.write("plan.cfg", self.plan()))
        self.assertIn("1. offered_load", done.stdout)
        self.assertIn("at most 3 trials", done.stdout)
        done = self.fpgauge("check", self.write("plan.cfg", self.plan(trial_duration='"1"')))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('trial_duration = "1": must be a time with its unit', done.stderr)
        done = self.fpgauge("check", self.write("plan.cfg", self.plan(search='"mlrsearch"')))
        self.assertIn("as it has one point only", done.stderr)

    def test_the_terminal_has_its_table(self):
        _, printed = self.run_to("run")
        self.assertRegex(printed, r"\nOffered load \(of the house\)\n")
        self.assertRegex(printed, r"\n  Size, octets  Offered load, fps  Received load, fps  Received +Latency max +Valid\n")
        self.assertRegex(printed, r"\n +1518 +8127438\.2 +")

    def test_the_page_has_its_chart_and_its_table(self):
        self.run_to("run")
        with open(self.path("run.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn('<figure data-chart="offered_load"', page)
        self.assertIn('data-table="offered_load"', page)
        self.assertIn("Offered and received load over frame size", page)
        self.assertIn("Histogram of latency", page)

    def test_csv_and_junit_and_sql_have_its_values(self):
        report, _ = self.run_to("run", require='{ received_percent = "0.001%"; }')
        with open(self.path("run/offered_load.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        cases = list(ElementTree.parse(self.path("run.xml")).iter("testcase"))
        view = sqlite3.connect(self.path("run.db")).execute('SELECT "Received, %" FROM offered_load').fetchall()
        for result, row, case, shown in zip(report["results"], rows, cases, view, strict=True):
            properties = {one.get("name"): float(one.get("value")) for one in case.iter("property")}
            for key in KEYS:
                self.assertEqual(float(row[key]), result[key])
            self.assertEqual(properties["received_percent"], result["received_percent"])
            self.assertIn("offered_load", case.get("name"))
            self.assertEqual(shown, (result["received_percent"],))

    def test_the_schema_has_its_keys(self):
        self.run_to("run")
        schema = self.fpgauge("help", "results-schema").stdout
        for key in KEYS:
            self.assertIn(f'"{key}"', schema)
        # the program checks what it reads against that schema
        with open(self.path("result.json"), encoding="utf-8") as file:
            text = file.read()
        self.write("wrong.json", text.replace('"received_percent": ', '"received_percent": "much", "was": ', 1))
        done = self.fpgauge("compare", self.path("wrong.json"), self.path("result.json"))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertIn("received_percent", done.stderr)

    def test_limits_hold_for_its_metrics(self):
        report, _ = self.run_plan(self.plan(require='{ frame_sizes = [64]; received_percent = "99.9%"; latency_max_ns = "1s"; }'),
                                  expect=INVALID)
        requirements = self.only(report, frame_octets=64)["requirements"]
        self.assertEqual([(one["key"], one["met"]) for one in requirements],
                         [("received_percent", False), ("latency_max_ns", True)])
        done = self.fpgauge("check", self.write("plan.cfg", self.plan(require="{ offered_load_fps = 1; }")))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn("must be one of received_load_fps, received_percent, latency_min_ns", done.stderr)

    def test_compare_finds_a_device_that_hands_back_less_or_later(self):
        self.run_to("base")
        self.run_to("less", service_fps=self.service_fps * 9 // 10)
        self.run_to("later", latency_ns=80_000)
        for name, key, expect in (("base", "received_percent", 0), ("less", "received_percent", 1), ("later", "latency_min_ns", 1)):
            done = self.fpgauge("compare", self.path("base.db"), self.path(f"{name}.db"))
            self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
            self.assertRegex(done.stdout, rf"offered_load +64 .*{key} " if expect else "same")


if __name__ == "__main__":
    if "house" not in os.path.basename(fpgauge_system.FPGAUGE):
        sys.exit("FPGAUGE must name build/tests/house/fpgauge-house")
    unittest.main(verbosity=2)
