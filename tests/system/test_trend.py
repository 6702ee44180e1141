#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many runs of a plan: what is read and what is passed over, the page and the JSON of a trend, and its exit code. The tester is
an external program, and the run files are copies of one with other values."""

import os
import random
import re
import xml.etree.ElementTree as xml

from fpgauge_system import DONE, INVALID, ROOT, SEED, UNCLEAR, WRONG_PLAN, main
from html_page import NOISY
from trend_runs import TEST, TrendCase, date_of

HTML = "{http://www.w3.org/1999/xhtml}"


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else values[half - 1] / 2 + values[half] / 2


class Trend(TrendCase):
    def series_of_runs(self, count, at, factor, noise=0.002, folder="runs", draw=None):
        """Runs with a step at 64 octets and none at 512; the factors of both."""
        draw = draw or random.Random(1)
        factors = []
        for i in range(count):
            factors.append({64: draw.gauss(1, noise) * (factor if i >= at else 1), 512: draw.gauss(1, noise)})
            self.make(f"{folder}/{i:03}.db", i, factors[-1], firmware="2" if i >= at else "1")
        return factors

    def test_a_seeded_step_is_found_where_it_is_and_no_other(self):
        draw = random.Random(SEED)
        count = draw.randint(30, 50)
        at, factor = draw.randint(10, count - 10), draw.choice((0.95, 1.05))
        factors = self.series_of_runs(count, at, factor, draw=draw)
        trend, shown = self.trend("runs")
        series, other = self.series(trend, 64), self.series(trend, 512)
        values = [point["value"] for point in series["points"]]
        self.assertEqual([point["run"] for point in series["points"]], list(range(1, count + 1)))
        for value, one in zip(values, factors):
            self.assertAlmostEqual(value / values[0], one[64] / factors[0][64], places=12)
        big = [step for step in series["steps"] if abs(step["change_percent"]) > 3]
        self.assertEqual([step["run"] for step in big], [at + 1])
        self.assertEqual(big[0]["verdict"], "better" if factor > 1 else "worse")
        self.assertEqual(other["steps"], [])  # noise of 0.2% has no step of 1%
        levels = series["levels"]
        self.assertEqual(levels[0]["median"], median(values[:levels[0]["to"]]))
        self.assertEqual((levels[0]["from"], levels[-1]["to"]), (1, count))
        self.assertEqual((trend["measures"], trend["with_steps"]), (2, 1))
        self.assertIn("1 of 2 measures have a step", shown)

    def test_runs_are_by_date_with_their_versions_whatever_the_names_and_folders(self):
        os.makedirs(self.path("runs/sweep/deeper"))
        self.make("runs/z.db", 0, firmware="1.0")
        self.make("runs/sweep/a.db", 1, firmware="1.1")
        self.make("runs/m.db", 2, firmware="1.1")
        self.make("runs/sweep/deeper/not-read.db", 3)
        self.make("runs/.hidden.db", 3)
        self.make("runs/no-run-file.txt", 3)
        self.make("alone.db", 4, firmware="2.0")
        os.link(self.path("runs/m.db"), self.path("runs/sweep/same.db"))
        trend, _ = self.trend("runs", "alone.db", "runs/z.db")
        plan, = trend["plans"]
        self.assertEqual([(run["path"], run["started"], run["firmware"]) for run in plan["runs"]],
                         [("runs/z.db", date_of(0), "1.0"), ("runs/sweep/a.db", date_of(1), "1.1"),
                          ("runs/m.db", date_of(2), "1.1"), ("alone.db", date_of(4), "2.0")])
        self.assertEqual((plan["dut"], plan["title"], plan["link"]), ("S-48", "Nightly", {"bits_per_second": 100000000000}))
        self.assertEqual([(version["firmware"], version["runs"]) for version in self.series(trend, 64)["versions"]],
                         [("1.0", 1), ("1.1", 2), ("2.0", 1)])
        self.assertEqual(self.series(trend, 64)["verdict"], "untested")

    def test_other_plans_and_devices_are_apart(self):
        longer = self.octets_of([TEST.replace("10ms", "11ms")])
        other = self.octets_of([TEST], info='info = { dut = "S-24"; firmware = "1"; };\n')
        for i in range(3):
            self.make(f"runs/a{i}.db", 3 * i)
            self.make(f"runs/b{i}.db", 3 * i + 1, base=longer)
            self.make(f"runs/c{i}.db", 3 * i + 2, base=other)
        trend, shown = self.trend("runs")
        self.assertEqual([(plan["dut"], [run["path"] for run in plan["runs"]]) for plan in trend["plans"]],
                         [(dut, [f"runs/{letter}{i}.db" for i in range(3)]) for dut, letter in (("S-48", "a"), ("S-48", "b"), ("S-24", "c"))])
        self.assertIn("Plan 3: S-24, 3 runs", shown)

    def test_what_cannot_be_read_is_named_with_the_reason_and_the_rest_is_shown(self):
        self.make("runs/a.db", 0)
        self.make("runs/b.db", 1, more=["UPDATE result SET document = replace(document, 'valid', 'VALID') WHERE position = 0"])
        self.make("runs/c.db", 2)
        self.make("runs/d.db", 3, more=["DELETE FROM result"])
        self.write("runs/e.db", "no run file\n")
        self.write("runs/f.db", "")
        with open(self.path("runs/g.db"), "wb") as file:
            file.write(self.base[:5000])
        os.symlink("nowhere", self.path("runs/h.db"))
        trend, shown = self.trend("runs")
        why = {one["path"]: one["why"] for one in trend["passed_over"]}
        self.assertEqual(sorted(why), [f"runs/{letter}.db" for letter in "bdefg"])
        self.assertIn("the file is damaged: result 1 is not what was written", why["runs/b.db"])
        self.assertEqual(why["runs/d.db"], "it has no results")
        self.assertIn("neither a run file nor JSON", why["runs/e.db"])
        self.assertEqual(trend["runs"], 2)
        for path, reason in why.items():
            self.assertIn(f"! not {path}: {reason}", shown)
        tree = self.page("runs")
        text = "".join(tree.itertext())
        for path, reason in why.items():
            self.assertIn(f"{path}: {reason}", text)

    def test_without_any_run_it_is_an_error_that_says_why(self):
        for arguments, says in ((("runs",), "runs: has no run file, NAME.db"), (("nowhere",), "nowhere: cannot be read: No such file"),
                                ((), "run files, or folders that have some, must be given"),
                                (("runs", "--tolerance", "2"), "--tolerance 2: must be 0% to 100%"),
                                (("runs", "--html", "nowhere/t.html"), "--html nowhere/t.html: cannot be written"),
                                (("runs", "--json", "nowhere/t.json"), "--json nowhere/t.json: cannot be written")):
            done = self.fpgauge("trend", *arguments)
            self.assertEqual(done.returncode, WRONG_PLAN, arguments)
            self.assertIn(says, done.stderr)
        self.write("runs/e.db", "no run file\n")
        done = self.fpgauge("trend", "runs")
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn("none of 1 files is a run with results; the first: runs/e.db: ", done.stderr)

    def test_a_newest_step_for_the_worse_fails_only_when_that_is_asked_for(self):
        self.series_of_runs(24, 12, 0.95)
        for arguments, code in (((), DONE), (("--fail-on-step",), INVALID), (("--fail-on-step", "--tolerance", "10%"), DONE)):
            self.assertEqual(self.fpgauge("trend", "runs", *arguments).returncode, code)
        for i in range(24, 36):  # mended
            self.make(f"runs/{i:03}.db", i, {64: 1 + i % 5 / 1000})
        self.assertEqual(self.fpgauge("trend", "runs", "--fail-on-step").returncode, DONE)
        trend, _ = self.trend("runs")
        self.assertEqual([step["verdict"] for step in self.series(trend, 64)["steps"]], ["worse", "better"])
        self.assertIn("STEPS", [element.get("data-verdict") for element in self.page("runs").iter()])

    def test_a_gate_that_cannot_judge_says_so_and_is_not_green(self):
        self.series_of_runs(11, 11, 1)
        self.assertEqual(self.fpgauge("trend", "runs").returncode, DONE)
        done = self.fpgauge("trend", "runs", "--fail-on-step")
        self.assertEqual(done.returncode, UNCLEAR, done.stdout)
        self.assertRegex(done.stdout, r"! \d+ measures have fewer than 12 runs: not tested")
        for i in range(11, 24):
            self.make(f"runs/{i:03}.db", i, {64: 1 + i % 5 / 1000})
        self.assertEqual(self.fpgauge("trend", "runs", "--fail-on-step").returncode, DONE)
        for i in (24, 25):
            self.make(f"runs/{i:03}.db", i, {64: 0.9})
        done = self.fpgauge("trend", "runs", "--fail-on-step")
        self.assertEqual(done.returncode, UNCLEAR, done.stdout)
        self.assertIn("64 octets, throughput_fps: newest runs that are worse than all others of their level: 2; too few", done.stdout)

    def test_json_of_reports_is_read_like_their_run_files(self):
        for i in range(3):
            self.make(f"runs/{i}.db", i, {64: 1 + i / 10})
            self.assertEqual(self.fpgauge("report", f"runs/{i}.db", "--quiet", "--json", f"{i}.json").returncode, DONE)
        of_files, _ = self.trend("runs/0.db", "runs/1.db", "runs/2.db")
        of_json, _ = self.trend("0.json", "1.json", "2.json")
        self.assertEqual(self.series(of_files, 64), self.series(of_json, 64))

    def test_every_key_of_the_json_is_in_the_documentation_and_no_other(self):
        self.series_of_runs(24, 12, 0.95)
        self.make("runs/x.db", 50, invalid=(64,))
        self.write("runs/y.db", "")
        trend, _ = self.trend("runs")
        keys = set()

        def collect(value, name):
            for one in value if isinstance(value, list) else [value]:
                for key, inner in one.items() if isinstance(one, dict) else ():
                    keys.add(f"{name}.{key}" if name else key)
                    collect(inner, key)
        collect(trend, "")
        with open(os.path.join(ROOT, "docs", "trend.md"), encoding="utf-8") as file:
            section = file.read().split("## JSON", 1)[1]
        documented = set()
        for names, of in re.findall(r"^\| (`[^|]*`) \| (?:of )?([^|]*) \|", section, re.M):
            documented |= {key if of.strip() == "the trend" else f"{of.strip().strip('`')}.{key}" for key in re.findall(r"`([^`]+)`", names)}
        documented.discard("link.bits_per_second")
        keys.discard("link.bits_per_second")
        optional = {"series.goal", "left_out.run", "left_out.why"}
        self.assertEqual(keys | optional, documented)

    def page(self, *arguments, expect=DONE):
        done = self.fpgauge("trend", *arguments, "--quiet", "--html", "trend.html")
        self.assertEqual((done.returncode, done.stdout), (expect, ""), done.stderr)
        return xml.parse(self.path("trend.html")).getroot()

    def test_the_page_has_a_chart_a_measure_and_all_that_the_json_says_of_steps(self):
        self.series_of_runs(30, 15, 0.95)
        self.make("runs/ill.db", 40, invalid=(64,))
        trend, _ = self.trend("runs")
        tree = self.page("runs")
        figures = [figure for figure in tree.iter(HTML + "figure") if figure.get("data-chart") == "trend"]
        self.assertEqual(len(figures), trend["measures"])
        self.assertIn("WORSE", [element.get("data-verdict") for element in tree.iter()])
        table, = (table for table in tree.iter(HTML + "table") if table.get("data-table") == "steps")
        rows = [{cell.get("data-key"): float(cell.find(HTML + "data").get("value")) for cell in row if cell.get("data-key")}
                for row in table.find(HTML + "tbody")]
        self.assertEqual(rows, [{key: float(step[key]) for key in ("run", "before", "after", "change_percent", "p")}
                                for step in self.series(trend, 64)["steps"]])
        text = " ".join("".join(tree.itertext()).split())
        for words in ("Lausen and Schumacher", "run 31, 2026-01-06: INVALID: the tester was <ill>", "Plan 1: S-48",
                      "one trend in a hundred"):
            self.assertIn(words, text)
        self.assertFalse([element for element in tree.iter() if element.tag.endswith("script")])

    def test_a_measure_without_any_valid_value_has_words_in_place_of_a_chart(self):
        for i in range(2):
            self.make(f"runs/{i}.db", i, invalid=(512,))
        tree = self.page("runs")
        self.assertEqual(len(list(tree.iter(HTML + "figure"))), 1)
        text = " ".join("".join(tree.itertext()).split())
        self.assertIn("512 octets: throughput_fps: no run has a valid value.", text)
        self.assertIn("Not tested for steps: it has too few runs.", text)
        self.assertIn("NOT TESTED", [element.get("data-verdict") for element in tree.iter()])

    def test_texts_of_others_stay_texts(self):
        name = b"runs/<b>\xff&.db"
        self.make("runs/a.db", 0, firmware='<script>alert("1")</script>\x07 \u20ac' + "\u20ac" * 40)
        os.rename(self.path("runs/a.db"), os.path.join(self.path("runs").encode(), name[5:]))
        trend, shown = self.trend("runs")
        self.assertEqual(trend["plans"][0]["runs"][0]["path"], "runs/<b>\ufffd&.db")
        self.assertNotIn("\x07", shown)
        tree = self.page("runs")
        self.assertIn('<script>alert("1")</script>', "".join(tree.itertext()))

    def test_a_plan_with_goals_and_repetitions_has_a_series_of_each_with_its_spread(self):
        tests = ['test = "mlrsearch"; frame_sizes = [64]; preset = "ndrpdr"; settle = "0s"; drain = "1us"',
                 'test = "back_to_back"; frame_sizes = [64]; repetitions = 5; settle = "0s"; drain = "1us"']
        base = self.octets_of(tests)
        for i in range(2):
            self.make(f"runs/{i}.db", i, base=base)
        trend, _ = self.trend("runs")
        answers = [(one["test"], one.get("goal"), one["key"]) for one in trend["plans"][0]["series"] if one["answer"]]
        self.assertEqual(answers, [("mlrsearch", 1, "conditional_throughput_fps"), ("mlrsearch", 2, "conditional_throughput_fps"),
                                   ("back_to_back", None, "average_frames")])
        bursts = next(one for one in trend["plans"][0]["series"] if one["key"] == "average_frames")
        point = bursts["points"][0]
        self.assertEqual(point["count"], 5)
        self.page("runs")

    def test_values_beside_the_answer_have_small_charts_of_their_own(self):
        base = self.octets_of([TEST], tester=NOISY)
        for i in range(13):
            self.make(f"runs/{i:02}.db", i, base=base)
        trend, _ = self.trend("runs")
        beside = [one["key"] for one in trend["plans"][0]["series"] if not one["answer"]]
        self.assertIn("latency_mean_ns", beside)
        self.assertEqual({one["verdict"] for one in trend["plans"][0]["series"]}, {"level"})
        tree = self.page("runs")
        small = [figure for figure in tree.iter(HTML + "figure") if figure.get("class") == "small"]
        self.assertEqual(len(small), len(beside))
        self.assertIn("LEVEL", [element.get("data-verdict") for element in tree.iter()])

    def test_a_run_in_progress_or_stopped_counts_with_what_it_has(self):
        self.make("runs/a.db", 0)
        self.make("runs/b.db", 1, more=["UPDATE run SET incomplete = 'Ctrl-C'", "DELETE FROM result WHERE frame_octets = 512"])
        trend, _ = self.trend("runs")
        plan, = trend["plans"]
        self.assertEqual([run["complete"] for run in plan["runs"]], [True, False])
        self.assertEqual((len(self.series(trend, 64)["points"]), len(self.series(trend, 512)["points"])), (2, 1))


if __name__ == "__main__":
    main()
