#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A device forwards exactly what the plan asks for, and the run says so in every form of its report.

c.exact_limits has all percentages at all sizes; these are whole runs of some that failed by a rounding of the last digit.
"""

import re

from fpgauge_system import SystemCase, main

PLAN = """
device = {{ backend = "sim"; library = "twin"; }};
link = {{ speed = "100G"; }};
dut = {{ model = "fifo"; buffer_frames = 10; service_fps = "{0}%"; }};
run = ( {{ test = "throughput"; frame_sizes = [64, 512, 1280, 1518, 9000]; trial_duration = "10ms"; resolution = "0.1%";
          require = {{ throughput_percent = "{0}%"; layer_1_gbps = {0}; }}; }} );
"""
# 16 or 17 digits that are next to a number with few.
NOISE = re.compile(r"\d\.\d*(?:0000000000|9999999999)\d*")


class ExactLimits(SystemCase):
    def text_of(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_a_rate_that_is_its_limit_passes_and_no_form_shows_a_rounding(self):
        for percent in ("53", "7", "29.3", "99.9"):
            with self.subTest(percent=percent):
                report, done = self.run_plan(PLAN.format(percent), "--csv", self.path("csv"), "--junit", self.path("out.xml"))
                json_text, csv_text, junit = self.text_of("result.json"), self.text_of("csv/throughput.csv"), self.text_of("out.xml")
                self.assertEqual(len(report["results"]), 5)
                self.assertEqual(json_text.count(f'"throughput_percent": {float(percent)},'), 5)
                for result in report["results"]:
                    self.assertEqual(result["layer_1_gbps"], float(percent))
                    self.assertEqual(result["verdict"], "pass")
                for shown in (done.stdout, json_text, csv_text, junit):
                    self.assertEqual(NOISE.findall(shown), [])


if __name__ == "__main__":
    main()
