#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MLRsearch over external testers whose truth is known: bounds enclose it, goals with loss are met where the model
loses that much, the trace and the result list the same trials, and a search that cannot succeed says so."""

import contextlib
import csv
import json
import math
import os
import sqlite3

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fpgauge_system import DONE, INVALID, ROOT, WRONG_DEVICE, WRONG_PLAN, main

try:
    import jsonschema
except ImportError as missing:
    raise SystemExit("python3-jsonschema is missing: tools/install-packages test") from missing

with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as schema:
    VALIDATOR = jsonschema.Draft202012Validator(json.load(schema))

LINE_FPS = 1e11 / 8 / 84
NDRPDR = 'test = "mlrsearch"; frame_sizes = [64]; preset = "ndrpdr";'


def trace_rows(text):
    """Lines of a trace as lists of words, without comments."""
    return [line.split("#")[0].split() for line in text.splitlines() if line.split("#")[0].strip()]


class ExecMlrsearch(ExecTesterCase):
    def goal(self, report, number, **wanted):
        return self.only(report, test="mlrsearch", goal=number, **wanted)

    def check_enclosed(self, result, truth_fps, slack_fps=0.0):
        """Bounds are as close as the goal asks for, with the truth between them."""
        lower, upper = result["relevant_lower_bound_fps"], result["relevant_upper_bound_fps"]
        self.assertTrue(result["valid"] and result["regular"], result)
        self.assertLessEqual(lower, truth_fps + slack_fps)
        self.assertGreater(upper, truth_fps)
        self.assertLessEqual((upper - lower) / upper, result["parameters"]["goal_width"] * (1 + 1e-9))
        self.assertAlmostEqual(result["width"], (upper - lower) / upper, 9)

    def test_bounds_enclose_the_rate_of_the_model_for_every_preset(self):
        for preset, duration_s in (("rfc2544", 60), ("tst009", 60), ("ndrpdr", 1)):
            for rate, buffer in ((300_000, 1), (12_345_678, 500), (99_000_000, 2000)):
                with self.subTest(f"{preset} {rate}"):
                    report, _ = self.run_tester(tester_text(rate=rate, buffer=buffer),
                                                [f'test = "mlrsearch"; frame_sizes = [64]; preset = "{preset}";'])
                    result = self.goal(report, 1)
                    # A trial of full length hides an overload of buffer / duration.
                    self.check_enclosed(result, rate, buffer / duration_s)
                    # The conditional throughput is the lower bound where that has no loss.
                    self.assertEqual(result["conditional_throughput_fps"], result["relevant_lower_bound_fps"])
                    self.assertEqual(result["parameters"]["preset"], preset)

    def test_a_goal_that_forgives_loss_is_met_where_the_model_loses_so_much(self):
        report, _ = self.run_tester(tester_text(rate=40e6, buffer=1), [NDRPDR])
        ndr, pdr = self.goal(report, 1), self.goal(report, 2)
        self.check_enclosed(ndr, 40e6, 1)
        # 0.5% of a load L is lost where 40M / L = 0.995.
        self.check_enclosed(pdr, 40e6 / 0.995, 1)
        self.assertAlmostEqual(pdr["conditional_throughput_fps"], 40e6, delta=2)
        self.assertEqual(ndr["trials"], pdr["trials"])

    def test_goals_of_the_plan_and_all_their_attributes_are_in_the_result(self):
        test = ('test = "mlrsearch"; frame_sizes = [64]; width = 0.02; initial_trial_duration = "100ms"; min_load = "1M"; '
                'max_load = "50%"; warm_up = "3s"; goals = ( { loss_ratio = "1%"; exceed_ratio = 0.25; '
                'final_trial_duration = "2s"; duration_sum = "10s"; width = 0.01; initial_trial_duration = "500ms"; }, '
                '{ final_trial_duration = "5s"; } );')
        report, done = self.run_tester(tester_text(rate=5e6, buffer=10), [test])
        first, second = (self.goal(report, number)["parameters"] for number in (1, 2))
        self.assertEqual({key: first[key] for key in first if key.startswith("goal_") and key != "goal_lost_frames"},
                         {"goal_loss_ratio": 0.01, "goal_exceed_ratio": 0.25, "goal_width": 0.01,
                          "goal_final_trial_duration_s": 2.0, "goal_duration_sum_s": 10.0,
                          "goal_initial_trial_duration_s": 0.5})
        self.assertEqual((second["goal_width"], second["goal_final_trial_duration_s"], second["goal_duration_sum_s"],
                          second["goal_initial_trial_duration_s"], second["goal_exceed_ratio"]), (0.02, 5.0, 5.0, 0.1, 0.5))
        self.assertEqual((first["goals"], first["preset"], first["warm_up_s"]), (2, None, 3.0))
        self.assertAlmostEqual(first["min_load_fps"], 1e6, delta=1)
        self.assertAlmostEqual(first["max_load_fps"], LINE_FPS / 2, 3)
        for trial in self.goal(report, 1)["trial_results"]:
            self.assertTrue(1e6 - 1 <= trial["load_fps"] <= LINE_FPS / 2 + 1)
        self.assertIn("Goal 1 of 2          loss ratio 1.000%, exceed ratio 25.000%, width 1.000%\n", done.stdout)

    def test_a_device_at_line_rate_is_irregular_and_says_so(self):
        report, done = self.run_tester(tester_text(rate=1e9), [NDRPDR])
        result = self.goal(report, 1)
        self.assertTrue(result["valid"])
        self.assertFalse(result["regular"])
        self.assertEqual(result["relevant_lower_bound_fps"], LINE_FPS)
        self.assertIsNone(result["relevant_upper_bound_fps"])
        self.assertIn("irregular: no upper bound", result["flags"][0])
        self.assertRegex(done.stdout, r" no +yes, see !")

    def test_a_device_that_always_loses_has_no_lower_bound(self):
        tester = tester_text().replace('if request["frame_octets"] == 128:', 'if True:')
        tester = tester.replace("    pass", "    reply['received_frames'] = reply['offered_frames'] // 2")
        report, _ = self.run_tester(tester, [NDRPDR])
        result = self.goal(report, 1)
        self.assertFalse(result["regular"])
        self.assertIsNone(result["relevant_lower_bound_fps"])
        self.assertIsNone(result["conditional_throughput_fps"])
        self.assertIn("irregular: no lower bound", result["flags"][0])

    def test_limits_end_a_search_with_an_invalid_result(self):
        for limit, says in (("trials_limit = 5", "limit on trials"), ('traffic_limit = "5s"', "limit on traffic time")):
            for test in (NDRPDR, 'test = "throughput"; frame_sizes = [64]; trial_duration = "2s";'):
                with self.subTest(limit + " " + test):
                    report, _ = self.run_tester(tester_text(), [f"{test} {limit};"], expect=INVALID)
                    result = report["results"][0]
                    self.assertFalse(result["valid"])
                    self.assertIn(says, result["why_invalid"])
                    self.assertLessEqual(result["trials"], 5)

    def test_a_short_preset_keeps_its_proportions(self):
        report, _ = self.run_tester(tester_text(), ['test = "mlrsearch"; frame_sizes = [64]; preset = "tst009"; '
                                                    'trial_duration = "6ms";'])
        parameters = self.goal(report, 1)["parameters"]
        self.assertEqual([parameters[f"goal_{key}_s"] for key in
                          ("final_trial_duration", "duration_sum", "initial_trial_duration")], [0.006, 0.012, 0.0001])

    def test_throughput_may_be_searched_for_by_mlrsearch_and_corrects_the_buffer(self):
        tests = ['test = "throughput"; frame_sizes = [64, 128]; search = "mlrsearch"; width = "0.1%";',
                 'test = "back_to_back"; frame_sizes = [64, 128]; repetitions = 2;']
        report, _ = self.run_tester(tester_text(rate=30e6, buffer=700), tests)
        for size in (64, 128):
            result = self.only(report, test="throughput", frame_octets=size)
            self.assertTrue(30e6 * 0.999 - 1 <= result["throughput_fps"] <= 30e6 + 700 / 60, result["throughput_fps"])
            self.assertAlmostEqual(result["first_lossy_fps"] - result["throughput_fps"], result["resolution_fps"], 3)
            self.assertLessEqual(result["resolution_fps"], 0.001 * result["first_lossy_fps"] * (1 + 1e-9))
            self.assertEqual((result["parameters"]["search"], result["parameters"]["trial_duration_s"]), ("mlrsearch", 60.0))
            self.assertEqual(result["counters"]["lost_frames"], 0)
            self.assertAlmostEqual(result["counters"]["offered_frames"], 60 * result["throughput_fps"], delta=1)
            burst = self.only(report, test="back_to_back", frame_octets=size)
            self.assertEqual(burst["throughput_source"], "throughput")
            self.assertAlmostEqual(burst["buffer_frames"], 700, delta=burst["corrected_buffer_error_frames"])

    def test_a_rate_with_loss_is_called_throughput_in_no_form_of_report_and_corrects_no_buffer(self):
        goal = "{ loss_ratio = \"0.5%\"; final_trial_duration = \"1s\"; duration_sum = \"1s\"; width = 0.001; }"
        tests = [f'test = "throughput"; frame_sizes = [64]; search = "mlrsearch"; goals = ( {goal} ); '
                 'require = { conditional_throughput_fps = "39M"; }',
                 'test = "back_to_back"; frame_sizes = [64]; repetitions = 2; first_burst = "64 frames"']
        self.write("tester.py", tester_text(rate=40e6, buffer=500))
        checked = self.fpgauge("check", self.write("plan.cfg", plan_text(tests)))
        says = "allows a loss of 0.5%"
        notice = (f"{says}: finds conditional throughput (RFC 9971; its goal allows loss, so it is not the throughput of RFC 2544), "
                  "and back_to_back does not use it (RFC 9004 section 5)")
        self.assertIn(f"frame sizes: 64\n     {notice}", checked.stdout)  # and others do not use it either
        report, done = self.run_tester(tester_text(rate=40e6, buffer=500), tests, "--csv", "csv", "--junit", "junit.xml",
                                       "--html", "page.html")
        self.assertEqual(list(VALIDATOR.iter_errors(report)), [])
        result, burst = report["results"]
        # 0.5% of a load L is lost where what gets through, 40M a second and 500 buffered frames, is 0.995 L.
        self.assertAlmostEqual(result["conditional_throughput_fps"], 40e6 + 500, delta=2)
        lower, upper = result["relevant_lower_bound_fps"], result["relevant_upper_bound_fps"]
        self.assertLessEqual(lower, (40e6 + 500) / 0.995 + 1)
        self.assertGreater(upper, (40e6 + 500) / 0.995 - 1)
        self.assertAlmostEqual(result["resolution_fps"], upper - lower, 3)
        self.assertEqual((result["valid"], result["rfc"], result["verdict"]), (True, "RFC 9971", "pass"))
        self.assertEqual([result[key] for key in ("throughput_fps", "throughput_percent", "first_lossy_fps")], [None] * 3)
        self.assertEqual((burst["throughput_source"], burst["rfc"]), ("forwarding_rate", "RFC 9004"))
        self.assertEqual((burst["throughput_fps"], burst["corrected_buffer_s"]), (None, None), "a program states no rate")
        self.assertIn("no valid throughput result without loss", burst["flags"][0])
        # The notice comes before the first trial, and then in every form.
        said = self.fpgauge("run", self.path("plan.cfg"), "--db", "said.db").stdout
        self.assertTrue(said.startswith(f"Run file: said.db\nTest 1 {notice}"), said)
        table = self.fpgauge("report", "said.db").stdout
        self.assertIn("\nConditional throughput (RFC 9971; its goal allows loss, so it is not the throughput of RFC 2544)\n", table)
        self.assertRegex(table, r"Size, octets +Conditional throughput, fps +Of line rate +Theoretical maximum, fps +Relevant upper bound, fps")
        self.assertIn(f"! 64 octets: the goal {says}: this is the conditional throughput", table)
        self.assertNotIn("Throughput (RFC 2544", table)
        with contextlib.closing(sqlite3.connect(self.path("said.db"))) as database:
            self.assertEqual(database.execute("SELECT * FROM rfc2544_throughput").fetchall(), [])
            self.assertEqual(database.execute("SELECT * FROM rfc9971_mlrsearch").fetchall(), [])
            row, = database.execute('SELECT "Goal loss ratio", "Conditional throughput, frames/s" FROM rfc9971_throughput')
            self.assertEqual(row, (0.005, result["conditional_throughput_fps"]))
        with open(self.path("junit.xml"), encoding="utf-8") as file:
            junit = file.read()
        self.assertIn('<testsuite id="0" package="fpgauge" name="1 conditional throughput"', junit)
        self.assertIn('name="1 conditional throughput, 64 octets', junit)
        with open(self.path("csv/throughput.csv"), encoding="utf-8", newline="") as file:
            row, = csv.DictReader(file)
        self.assertEqual((row["rfc"], row["throughput_fps"]), ("RFC 9971", ""))
        self.assertEqual(float(row["conditional_throughput_fps"]), result["conditional_throughput_fps"])
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("<h2>Conditional throughput</h2>", page)
        self.assertIn("Conditional throughput over frame size", page)
        for word in ("<h2>Throughput</h2>", ">Throughput over", "Throughput, frames/s</th>", "The highest load without loss",
                     "Latency at the throughput"):
            self.assertNotIn(word, page.split('id="test2"')[0])

    def test_the_trace_and_the_result_tell_the_same_trials(self):
        report, done = self.run_tester(tester_text(), [NDRPDR], "--trial-log")
        rows = trace_rows(done.stderr)
        result = self.goal(report, 2)
        self.assertEqual(len(rows), result["trials"])
        for number, (row, trial) in enumerate(zip(rows, result["trial_results"]), 1):
            self.assertEqual(row[:5], ["1", "mlrsearch", "64", "1", str(number)])
            self.assertAlmostEqual(float(row[5]), trial["load_fps"], 3)
            self.assertEqual((row[6], float(row[7])), ("-", trial["duration_s"]))
            self.assertEqual((int(row[8]), int(row[9])), (trial["offered_frames"], trial["lost_frames"]))
            self.assertTrue(math.isclose(float(row[10]), trial["loss_ratio"], abs_tol=1e-8))
        last = rows[-1]
        for goal, (low, high) in enumerate(((12, 13), (15, 16)), 1):
            self.assertAlmostEqual(float(last[low]), self.goal(report, goal)["relevant_lower_bound_fps"], delta=0.51)
            self.assertAlmostEqual(float(last[high]), self.goal(report, goal)["relevant_upper_bound_fps"], delta=0.51)

    def test_the_trace_may_be_a_file_of_the_plan_and_has_invalid_trials_too(self):
        self.write("tester.py", tester_text("if request['trial'] % 3 == 0: reply['offered_frames'] += 99"))
        plan = ('device = { backend = "exec"; command = ["python3", "-S", "tester.py"]; };\nlink = { speed = "100G"; };\n'
                'trial_log = "search.log";\n'
                'run = ({ test = "throughput"; frame_sizes = [128]; trial_duration = "1s"; resolution = "5%"; },\n'
                '       { test = "back_to_back"; frame_sizes = [64]; repetitions = 2; });\n')
        report, done = self.run_plan(plan)
        self.assertEqual(done.stderr, "")
        with open(self.path("search.log"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("# number test octets"))
        rows = trace_rows(text)
        throughput = self.only(report, test="throughput")
        self.assertEqual(sum(row[11] == "INVALID" for row in rows), throughput["invalid_trials"])
        self.assertGreater(throughput["invalid_trials"], 0)
        self.assertRegex(text, "INVALID - - # offered [0-9]+ frames, intended [0-9]+")
        bursts = [row for row in rows if row[1] == "back_to_back"]
        self.assertEqual({row[3] for row in bursts}, {"1", "2"})
        self.assertEqual(float(bursts[-1][12]), self.only(report, test="back_to_back")["values_frames"][1])

    def test_a_trace_that_cannot_be_written_is_found_before_any_trial(self):
        self.write("tester.py", tester_text())
        for argument in ("--trial-log=none/x", "--trial-log=."):
            _, done = None, self.fpgauge("run", self.write("plan.cfg", self.plan()), argument)
            self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""), done.stderr)
            self.assertIn(f"trial log {argument[12:]}: cannot be written: ", done.stderr)

    def plan(self):
        return ('device = { backend = "exec"; command = ["python3", "-S", "tester.py"]; };\nlink = { speed = "100G"; };\n'
                f"run = ({{ {NDRPDR} }});\n")

    def test_a_tester_that_fails_leaves_the_bounds_and_trials_so_far(self):
        tester = tester_text().replace('if request["frame_octets"] == 128:', 'if request["trial"] == 25:')
        tester = tester.replace("    pass", "    os._exit(9)")
        report, _ = self.run_tester(tester, [NDRPDR], expect=WRONG_DEVICE)
        for number in (1, 2):
            result = self.goal(report, number)
            self.assertFalse(result["valid"])
            self.assertIn("trial 25: ended with exit status 9", result["why_invalid"])
            self.assertEqual(len(result["trial_results"]), 24)
        self.assertIsNotNone(self.goal(report, 1)["relevant_lower_bound_fps"])

    def test_an_invalid_trial_is_repeated_and_moves_no_bound(self):
        tester = tester_text().replace('if request["frame_octets"] == 128:', 'if request["trial"] % 2:')
        tester = tester.replace("    pass", "    reply['received_frames'] = 0; reply['offered_frames'] //= 2")
        report, _ = self.run_tester(tester, [NDRPDR], expect=DONE)
        result = self.goal(report, 1)
        self.check_enclosed(result, 40e6, 500)
        self.assertEqual(result["invalid_trials"] * 2, result["trials"])


if __name__ == "__main__":
    main()
