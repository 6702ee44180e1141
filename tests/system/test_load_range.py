#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""max_load and min_load, for a tester that cannot reach line rate: what the plan leaves is all that is offered, and a device that forwards more
is reported as "at least" in every format. An external tester that refuses more than it can send; and switches of four ports, for the tests
of RFC 2889, whose maximum offered load is then max_load."""

import csv
import os
import random
import xml.etree.ElementTree as xml
from fractions import Fraction

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fifo_truth import max_theoretical_fps
from fpgauge_system import INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, main
from fpgauge_system import plan_text as sim_plan_text

ROUNDS = 20 if LONG else 2
SAYS = "no limit of the device was found"
# A generator that has its own limit fails if it is asked for more.
WEAK = "if request.get('load_fps', 0) > %r: sys.exit('more than I can send')"


class LoadRange(ExecTesterCase):
    def weak_tester(self, most_fps, rate_fps):
        """bad() is for trials of 128 octets."""
        return tester_text(bad=WEAK % most_fps, rate=rate_fps)

    def reports(self, run):
        """(text, HTML, JUnit properties, rows of CSV by file) of the run."""
        with open(self.path("out.html"), encoding="utf-8") as file:
            html = file.read()
        properties = [item.attrib for item in xml.parse(self.path("out.xml")).iter("property")]
        rows = {}
        for name in os.listdir(self.path("tables")):
            with open(self.path(os.path.join("tables", name)), encoding="utf-8", newline="") as file:
                rows[name] = list(csv.DictReader(file))
        return run.stdout, html, properties, rows

    def test_a_weak_generator_is_asked_for_no_more_and_the_reports_say_that_nothing_more_was_tried(self):
        draw = random.Random(SEED)
        line = max_theoretical_fps(128, LINK_BPS)
        for _ in range(ROUNDS):
            percent = draw.randrange(20, 99)
            most = float(line * percent / 100)
            faster = draw.random() < 0.5
            rate = most * (draw.uniform(1.02, 2) if faster else draw.uniform(0.5, 0.98))
            limit = draw.choice((f'max_load = "{percent}%";', f"max_load = {int(most)};"))
            common = f'frame_sizes = [128]; trial_duration = "100ms"; {limit}'
            tests = [f'test = "throughput"; {common}', f'test = "throughput"; search = "mlrsearch"; {common}',
                     f'test = "mlrsearch"; {common}', f'test = "frame_loss_rate"; step = "5%"; {common}']
            with self.subTest(percent=percent, rate=rate):
                report, run = self.run_tester(self.weak_tester(most * 1.000001, rate), tests, "--html", "out.html", "--junit", "out.xml",
                                              "--csv", "tables")
                self.assertTrue(all(result["valid"] for result in report["results"]))
                said = [result.get("at_least", False) for result in report["results"]]
                flagged = [any(SAYS in flag for flag in result["flags"]) for result in report["results"]]
                self.assertEqual(said, flagged)
                self.assertEqual(said[:3], [faster] * 3)
                found = report["results"][0]["throughput_fps"]
                self.assertAlmostEqual(found, min(most, rate), delta=float(line) / 1000 + 500 / 0.1)
                text, html, properties, rows = self.reports(run)
                self.assertEqual(f">= {found:.1f}" in text, faster)
                self.assertEqual(SAYS in text and SAYS in html and "≥" in html, faster or said[3])
                self.assertEqual({"name": "at_least", "value": "true"} in properties, faster or said[3])
                self.assertEqual([row.get("at_least", "") for row in rows["throughput.csv"]], ["true" if faster else ""] * 2)

    def test_limits_that_leave_nothing_are_refused_with_file_line_value_and_limit(self):
        self.write("tester.py", tester_text())
        for setting, says in (
                ('max_load = "101%";', 'must be 0.0001% to 100%, or 1 to 1T frames a second'),
                ('max_load = "200M";', "must be at most the line rate, 148809523.8 frames a second of 64 octets"),
                ('min_load = "50%"; max_load = "40%";', "must be below max_load: they are"),
                ('min_load = "41%"; max_load = "49%"; resolution = "10%";', "max_load: must leave a load to try: from 41% to 49% of line rate there is "
                 "none, as loads are steps of 10% down from line rate, the lowest of them 10%")):
            plan = plan_text([f'test = "throughput"; frame_sizes = [64]; {setting}'])
            run = self.fpgauge("check", self.write("wrong.cfg", plan))
            self.assertEqual(run.returncode, WRONG_PLAN, run.stderr)
            self.assertIn(says, run.stderr)
            self.assertRegex(run.stderr, r"\.cfg:4: ")

    def test_a_throughput_below_min_load_is_invalid_and_not_zero(self):
        report, _ = self.run_tester(tester_text(rate=30e6), ['test = "throughput"; frame_sizes = [64]; trial_duration = "100ms"; min_load = "50%";'],
                                    expect=INVALID)
        self.assertIn("the throughput is below it", report["results"][0]["why_invalid"])


SWITCHED = ("full_mesh", "one_to_many", "many_to_one", "unidirectional_mesh", "maximum_forwarding_rate", "broadcast_forwarding")


class SwitchLoadRange(ExecTesterCase):
    def check_layers(self, entry, prefix, fps):
        """Frames of 512 octets, with 20 more on the line."""
        self.assertAlmostEqual(entry[prefix + "layer_1_gbps"], fps * 8 * 532 / 1e9, 6)
        self.assertAlmostEqual(entry[prefix + "layer_2_gbps"], fps * 8 * 512 / 1e9, 6)

    def test_the_maximum_offered_load_is_max_load_and_every_load_is_within_the_limits(self):
        draw = random.Random(SEED + 1)
        for _ in range(ROUNDS):
            name = draw.choice(SWITCHED)
            high, low = draw.randrange(30, 100), draw.randrange(1, 20)
            text = sim_plan_text([f'test = "rfc2889.{name}"; frame_sizes = [512]; trial_duration = "200us"; drain = "60us"; settle = "10us"; '
                                  f'max_load = "{high}%"; min_load = "{low}%"; resolution = "5%"; step = "20%"; '
                                  + ("" if name == "maximum_forwarding_rate" else f'intended_load = "{high}%";')],
                                 dut='model = "switch"; buffer_frames = 50;', device="ports = 4;", library="twin")
            with self.subTest(test=name, high=high, low=low):
                report, _ = self.run_plan(text)
                result = report["results"][0]
                loads = [row["load_percent"] for row in result["loads"]]
                most = high // 5 * 5
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertTrue(all(low <= load <= high for load in loads), loads)
                senders = round(result["mol_fps"] / float(max_theoretical_fps(512, LINK_BPS) * Fraction(most, 100)), 6)
                self.assertEqual(senders, int(senders))
                self.assertIn(most, loads)
                # a switch is a wire to every output that its senders do not overload: many ports to one do
                overloaded = name == "many_to_one" and most * 3 > 100
                self.assertEqual(result.get("at_least", False), not overloaded)
                self.assertTrue(any("maximum offered load" in flag for flag in result["flags"]))
                for prefix, fps in (("", "throughput_fps"), ("frmol_", "frmol_fps"), ("mfr_", "mfr_fps")):
                    self.check_layers(result, prefix, result[fps])
                for row in result["loads"]:
                    self.check_layers(row, "", row["forwarding_rate_fps"])
                if not overloaded:
                    self.assertAlmostEqual(result["throughput_percent"], most, 9)


if __name__ == "__main__":
    main()
