#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A device that loses nothing and lets 100 frames overtake each 10,000th: 36 more than the sequence check of a receiver looks back.
Every form of report says that nothing was lost, and how many were overtaken."""

import csv
import json
import os

from fpgauge_system import DONE, SystemCase, main, plan_text

DUT = 'model = "faults"; reorder_every = 10000; reorder_frames = {}; reorder_wait_ns = 1000;'
TESTS = ['test = "throughput"; frame_sizes = [64]; trial_duration = "1ms"; resolution = "10%"; direction = "unidirectional";',
         'test = "frame_loss_rate"; frame_sizes = [64]; trial_duration = "1ms"; direction = "unidirectional";']
BACK = "in {} of the trials, {} frames were overtaken by 64 or more of their flow: they count as reordered, not as lost; " \
       "of a device that duplicates as late as this, as many more may be lost"
STAY = "frames came so late that they could not be told from second copies, which came too: they stay counted as lost, though some may " \
       "only have been overtaken"


class LateFrames(SystemCase):
    def run_tests(self, dut, tests=TESTS):
        return self.run_plan(plan_text(tests, dut, library="twin"), "--db", self.path("run.db"), "--csv", self.path("csv"), "--html",
                             self.path("page.html"))

    def test_every_report_says_that_they_are_not_lost_and_how_many_they_are(self):
        report, done = self.run_tests(DUT.format(100))
        throughput, loss = report["results"]
        self.assertEqual(throughput["throughput_percent"], 100)
        self.assertEqual([load["lost_frames"] for load in loss["points"]], [0, 0])
        # Each 10,000th of 148,810 and of 133,929 frames, those of the trials before included.
        self.assertEqual(throughput["flags"], [BACK.format(1, 14)])
        self.assertEqual([flag for flag in loss["flags"] if "overtaken" in flag], [BACK.format(2, 29)])
        counters = throughput["counters"]
        self.assertEqual([counters[key] for key in ("lost_frames", "reordered_frames", "far_reordered_frames", "late_frames")],
                         [0, 14, 14, 0])
        self.assertEqual([throughput["flows"][0][key] for key in ("lost_frames", "reordered_frames", "late_frames")], [0, 14, 0])
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn(BACK.format(1, 14), page)
        self.assertIn(BACK.format(1, 14), " ".join(done.stdout.split()))
        with open(os.path.join(self.path("csv"), "throughput.csv"), encoding="utf-8", newline="") as file:
            row, = csv.DictReader(file)
        self.assertEqual((row["counters.late_frames"], row["counters.far_reordered_frames"]), ("0", "14"))
        again = self.fpgauge("report", "--json", "-", self.path("run.db"))
        self.assertEqual(json.loads(again.stdout)["results"][0]["counters"], counters)
        resumed = self.fpgauge("resume", self.path("run.db"))
        self.assertEqual(resumed.returncode, DONE, resumed.stderr)

    def test_below_64_nothing_is_said(self):
        report, _ = self.run_tests(DUT.format(63))
        self.assertEqual([result["flags"] for result in report["results"]], [[], []])
        self.assertEqual(report["results"][0]["counters"]["reordered_frames"], 14)

    def test_beside_duplicates_they_stay_lost_and_a_flag_says_so(self):
        report, _ = self.run_tests(DUT.format(100) + " duplicate_every = 100003;", TESTS[1:])
        loss, = report["results"]
        self.assertEqual(loss["points"][0]["lost_frames"], 14)
        self.assertTrue(any(STAY in flag for flag in loss["flags"]), loss["flags"])

    def test_send_says_it_too(self):
        done = self.fpgauge("send", "twin", "--load", "100%", "--size", "64", "--frames", "148810", "--set", "dut.model=faults", "--set",
                            "dut.reorder_every=10000", "--set", "dut.reorder_frames=100", "--json", self.path("lines"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^valid: lost 0 of ")
        self.assertIn("28 frames were overtaken by 64 or more of their flow", done.stdout)
        with open(self.path("lines"), encoding="utf-8") as file:
            end = json.loads(file.read().splitlines()[-1])
        self.assertEqual([end[key] for key in ("lost_frames", "reordered_frames", "late_frames")], [0, 28, 0])


if __name__ == "__main__":
    main()
