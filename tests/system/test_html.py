#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML report says what the JSON says, for complete runs and for others; hostile input remains text. The tester is
an external program, so this needs no simulation. What a browser makes of the page: test_html_browser.py."""

import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import time
import zlib

from exec_tester_case import tester_text
from fpgauge_system import DONE, FPGAUGE, INVALID, LONG, ROOT, WRONG_DEVICE, WRONG_PLAN, main
from html_page import ALL, BURST, GOALS, HTML, NOISY, SVG, THROUGHPUT, HtmlCase, plan
from results_schema import reader_of_results

# Columns of values that only the run file has, or the limits of a plan.
NOT_OF_THE_RESULT = {"received_gap_min_octets", "received_gap_mean_octets", "received_gap_max_octets", "limit", "value"}
HOSTILE = """<script>alert("1")</script>'"&amp;]]>--><img src=x onerror=alert(2)>\u202eevil \\u0001 `id` $(id)"""


class Values(HtmlCase):
    def test_every_value_of_every_table_is_that_of_the_json(self):
        tree, report = self.page(plan(ALL))
        seen = set()
        for table, test, octets, goal, key, digits, shown in self.cells(tree):
            if key in NOT_OF_THE_RESULT:
                continue
            place = (table, octets, goal, key)
            if key == "values_frames":
                values = [int(value) for part in shown.split(", ")
                          for value in [part.split(" \u00d7 ")[0]] * int((part.split(" \u00d7 ") + ["1"])[1])]
                self.assertEqual(values, self.value_of(report, test, octets, goal, key), place)
                continue
            value = self.value_of(report, test, octets, goal, key)
            if digits is None:
                self.assertIsNone(value, place)
                self.assertEqual(shown, "-", place)
                continue
            self.assertEqual(float(digits), value, place)
            if not key.endswith("_ns"):
                self.assertTrue(self.shown_as(digits, shown), (place, digits, shown))
            else:
                self.assertTrue(self.shown_as(repr(float(digits) * 1e-9), shown), (place, digits, shown))
            seen.add((table, octets, goal))
        for table in ("summary", "throughput", "throughput_trial", "back_to_back", "buffer", "gaps", "mlrsearch"):
            self.assertIn(table, {place[0] for place in seen})
        for result in report["results"]:
            self.assertIn(("summary", str(result["frame_octets"]), str(result["goal"]) if "goal" in result else None), seen)

    def test_times_of_a_column_have_one_unit(self):
        """Also the latencies of a table that belong together: a minimum next to its maximum."""
        tree, _ = self.page(plan(ALL))
        columns = {}
        for table in tree.iter(HTML + "table"):
            for cell in table.iter(HTML + "td"):
                key = cell.get("data-key") or ""
                text = "".join(cell.itertext())
                if re.search(r"latency.*_n?s$|buffer_s$|fill_time_s$", key) and re.search(r" (n|\u00b5|m)?s$", text):
                    group = "latency" if key.startswith("latency") else key
                    columns.setdefault((table.get("data-table"), group), []).append(text)
        self.assertEqual({"throughput_trial", "buffer", "loss_over_load"}, {table for table, _ in columns})
        for column, texts in columns.items():
            self.assertEqual(len({text.split(" ")[-1] for text in texts}), 1, (column, texts))
            self.assertEqual(len({len(text.split(" ")[0].partition(".")[2]) for text in texts}), 1, (column, texts))

    def test_remarks_say_what_the_results_say(self):
        """The rate behind every corrected buffer; for a size that was left out, why."""
        tree, report = self.page(plan([THROUGHPUT.replace("1518", "9000"), BURST.replace("1518", "9000")]))
        section = next(section for section in tree.iter(HTML + "section") if section.get("id") == "test2")
        remarks = [self.text(item) for item in section.iter(HTML + "li")]
        bursts = [result for result in report["results"] if result["test"] == "back_to_back"]
        self.assertEqual({bool(result.get("skipped")) for result in bursts}, {True, False})
        for result in bursts:
            with self.subTest(octets=result["frame_octets"]):
                own = [text for text in remarks if text.startswith(f"{result['frame_octets']} octets: ")]
                if result.get("skipped"):
                    self.assertEqual(own, [f"{result['frame_octets']} octets: " + " ".join(result["why_invalid"].split())])
                else:
                    self.assertEqual(sum(text.endswith(f"rate of the correction: {result['throughput_source']}") for text in own), 1)
        self.assertFalse(any("{" in text or "[" in text for text in remarks), remarks)

    def test_two_tests_of_one_kind_are_two_sections(self):
        tree, report = self.page(plan([THROUGHPUT, THROUGHPUT.replace("0.5%", "5%")]))
        for number in (1, 2):
            section = next(section for section in tree.iter(HTML + "section") if section.get("id") == f"test{number}")
            octets = [cell[2] for cell in self.cells(section) if (cell[0], cell[4]) == ("throughput", "throughput_fps")]
            self.assertEqual(octets, ["64", "128", "256", "1518"])
        summary = next(table for table in tree.iter(HTML + "table") if table.get("data-table") == "summary")
        heads = ["".join(head.itertext()) for head in summary.iter(HTML + "th") if head.get("scope") == "row"]
        self.assertEqual(heads, ["1\u00a0Throughput"] * 4 + ["2\u00a0Throughput"] * 4)

    def test_all_values_are_there_by_their_names(self):
        tree, report = self.page(plan(ALL))
        tables = [table for table in tree.iter(HTML + "table") if table.get("data-table") == "values"]
        self.assertEqual(len(tables), 3)
        for number, table in enumerate(tables, 1):
            results = [result for result in report["results"] if result["test_number"] == number]
            rows = {row.get("data-name"): row.findall(HTML + "td") for row in table.iter(HTML + "tr")}
            for index, result in enumerate(results):
                flat = dict(result)
                for outer in ("parameters", "counters", "upper_counters"):
                    flat.update({f"{outer}.{key}": value for key, value in (result.get(outer) or {}).items()})
                for key, value in flat.items():
                    if isinstance(value, (dict, list)) or key in ("requirements", "truth"):
                        continue
                    cell = rows[key][index]
                    data = cell.find(HTML + "data")
                    text = "".join(cell.itertext())
                    if isinstance(value, bool):
                        self.assertEqual(text, "yes" if value else "no", key)
                    elif isinstance(value, (int, float)):
                        self.assertEqual(float(data.get("value")), value, key)
                    else:
                        self.assertEqual(text, "-" if value is None else value, key)

    def test_points_of_the_loss_chart_are_the_trials_of_the_run_file(self):
        tree, _ = self.page(plan([THROUGHPUT]))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            trials = database.execute("SELECT frame_octets, intended_fps, sum(offered_frames), sum(lost_frames), count(*) "
                                      "FROM trial WHERE kind = 'load' AND valid GROUP BY 1, 2 ORDER BY 1, 2").fetchall()
        table = next(table for table in tree.iter(HTML + "table") if table.get("data-table") == "loss_over_load")
        rows = [{cell.get("data-key"): float(cell.find(HTML + "data").get("value")) for cell in row}
                for row in table.find(HTML + "tbody")]
        self.assertEqual(len(rows), len(trials))
        for row, (octets, load, offered, lost, count) in zip(rows, trials):
            self.assertEqual((row["frame_octets"], row["load_fps"], row["offered_frames"], row["lost_frames"], row["trials"]),
                             (octets, load, offered, lost, count))
            self.assertAlmostEqual(row["load_percent"], 100 * load / (100e9 / 8 / (octets + 20)), places=9)
            self.assertAlmostEqual(row["loss_percent"], 100 * lost / offered, places=9)
        self.assertTrue(any(row["loss_percent"] > 0 for row in rows) and any(row["loss_percent"] == 0 for row in rows))

    def test_traces_have_every_trial_of_the_run_file(self):
        tree, _ = self.page(plan(ALL))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            recorded = {}
            for test, octets, count in database.execute(
                    "SELECT test_number, frame_octets, count(*) FROM search_trace GROUP BY 1, 2"):
                recorded[test, octets] = count
        shown = {}
        for section in tree.iter(HTML + "section"):
            for table in section.iter(HTML + "table"):
                if table.get("data-table") != "search_trace":
                    continue
                octets = int(re.search(r"(\d+) octets", "".join(table.find(HTML + "caption").itertext())).group(1))
                counts = [float(cell.find(HTML + "data").get("value")) for cell in table.iter(HTML + "td")
                          if cell.get("data-key") == "trials"]
                shown[int(section.get("id").removeprefix("test")), octets] = sum(counts)
        self.assertEqual(shown, recorded)

    def test_run_resume_and_report_write_the_same_octets(self):
        self.page(plan([THROUGHPUT]))
        for command in ("report", "resume"):
            done = self.fpgauge(command, "run.db", "--quiet", "--html", "again.html")
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            with open(self.path("run.html"), "rb") as first, open(self.path("again.html"), "rb") as again:
                self.assertEqual(first.read(), again.read(), command)
        done = self.fpgauge("report", "run.db", "--html", "-")
        with open(self.path("run.html"), encoding="utf-8") as first:
            self.assertEqual(done.stdout, first.read(), "standard output is the page alone")


class Whatever(HtmlCase):
    """A sensible page for every run that there can be."""

    def test_a_whole_run_has_every_chart(self):
        tree, _ = self.page(plan(ALL))
        self.assertEqual(self.verdict(tree), "VALID")
        self.assertEqual(self.charts(tree), {"throughput": 1, "latency": 1, "back_to_back": 1, "buffer_time": 1, "gaps": 1,
                                             "mlrsearch": 1, "loss_over_load": 1, "latency_over_load": 1, "search_trace": 9},
                         "1518 octets is line rate, so RFC 9004 has 3 sizes")

    def test_what_the_plan_requires(self):
        for limit, word, code in (("1M", "PASS", DONE), ("100M", "FAIL", INVALID)):
            tree, _ = self.page(plan([THROUGHPUT + f'; require = {{ throughput_fps = "{limit}"; }}']), name=word, expect=code)
            self.assertEqual(self.verdict(tree), word)
            table = next(table for table in tree.iter(HTML + "table") if table.get("data-table") == "requirements")
            self.assertEqual(len(table.find(HTML + "tbody")), 4)
            self.assertEqual("NOT MET" in self.text(table), word == "FAIL")

    def test_what_is_required_of_results_that_are_none(self):
        """For a size that was left out, and for one that is invalid."""
        require = '; require = { average_frames = "1"; }'
        for name, tester, word, code in (("skipped", NOISY, "not tested", DONE),
                                         ("invalid", tester_text('reply["offered_frames"] -= 7; reply["received_frames"] = 0'), "INVALID", INVALID)):
            self.write("tester.py", tester)
            tree, _ = self.page(plan([x.replace("1518", "9000") for x in (THROUGHPUT, BURST + require)]), name=name, expect=code)
            table = next(table for table in tree.iter(HTML + "table") if table.get("data-table") == "requirements")
            with self.subTest(name):
                self.assertIn(word, self.text(table))

    def test_events_beyond_the_first_thousand_are_counted(self):
        self.page(plan([THROUGHPUT]))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(event)") if row[5] == 0]
            names = ", ".join(columns)
            while database.execute("SELECT count(*) FROM event").fetchone()[0] <= 1000:
                database.execute(f"INSERT INTO event ({names}) SELECT {names} FROM event")
            all_events = database.execute("SELECT count(*) FROM event").fetchone()[0]
            database.commit()
        done = self.fpgauge("report", "run.db", "--quiet", "--html", "other.html")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        tree = self.tree("other.html")
        table = next(table for table in tree.iter(HTML + "table") if table.get("data-table") == "events")
        self.assertEqual(len(table.find(HTML + "tbody")), 1000)
        self.assertIn(f"{all_events - 1000} more are in the run file", self.text(tree))

    def test_one_size(self):
        for name, test in (("throughput", THROUGHPUT), ("burst", BURST), ("goals", GOALS)):
            tree, _ = self.page(plan([re.sub(r"\[.*?\]", "[64]", test)]), name=name)
            self.assertEqual(self.verdict(tree), "VALID")
            self.assertEqual(self.charts(tree)["search_trace"], 1)

    def test_many_sizes(self):
        sizes = ", ".join(str(size) for size in range(64, 64 + 40 * 8, 8))
        tree, report = self.page(plan([re.sub(r"\[.*?\]", f"[{sizes}]", THROUGHPUT).replace("0.5%", "20%")]))
        self.assertEqual(len(report["results"]), 40)
        self.assertIn("Of 40 frame sizes the first 24 are drawn", self.text(tree))
        self.assertIn("Only the first 12 frame sizes are drawn", self.text(tree))

    def test_what_a_calibration_subtracted(self):
        tree, _ = self.page(plan([THROUGHPUT]))
        self.assertIn("nothing is subtracted from any latency", self.text(tree))
        made = {"file": "cables <1>.json", "bits_per_second": 100000000000,
                "ports": [{"from_port": 0, "to_port": 1, "latency_ns": 12.5, "measured": "2026-11-21T10:00:00Z"},
                          {"from_port": 1, "to_port": 0, "latency_ns": 13.25, "measured": "2026-11-21T10:00:00Z"}]}
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.execute("UPDATE run SET calibration = ?", (json.dumps(made),))
            database.commit()
        self.fpgauge("report", "run.db", "--quiet", "--html", "other.html")
        tree = self.tree("other.html")
        self.assertIn("cables <1>.json", self.text(tree))
        table = next(table for table in tree.iter(HTML + "table") if table.get("data-table") == "calibration")
        rows = [{cell.get("data-key"): float(cell.find(HTML + "data").get("value")) for cell in row if cell.get("data-key")}
                for row in table.find(HTML + "tbody")]
        self.assertEqual(rows, [{key: value for key, value in way.items() if key != "measured"} for way in made["ports"]])

    def test_a_buffer_of_nothing_keeps_its_place_in_the_chart(self):
        self.page(plan([THROUGHPUT, BURST]))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            for position, document in database.execute("SELECT position, document FROM result").fetchall():
                text = re.sub(r'"corrected_buffer_s": ?[^,}]*', '"corrected_buffer_s":0.0', document)
                database.execute("UPDATE result SET document = ?, checksum = ? WHERE position = ?",
                                 (text, zlib.crc32(text.encode()), position))
            database.commit()
        self.fpgauge("report", "run.db", "--quiet", "--html", "other.html")
        figure = next(figure for figure in self.tree("other.html").iter(HTML + "figure")
                      if figure.get("data-chart") == "buffer_time")
        labels = ["".join(mark.itertext()) for mark in figure.iter(SVG + "polygon") if mark.get("class").startswith("mark")]
        self.assertEqual(sum("corrected 0 s" in label for label in labels), 3, labels)

    def test_a_bin_that_ends_before_it_begins_has_no_bar_and_leaves_the_others_theirs(self):
        self.page(plan([THROUGHPUT.replace("64, 128, 256, 1518", "64")]))
        bins = [{"from_ns": 10 * i, "to_ns": 10 * (i + 1), "frames": 100 + i} for i in range(60)]
        bins[30].update(from_ns=340, to_ns=280)
        for name, broken, bars in (("one", bins, 59), ("all", [dict(bins[30])], None)):
            with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
                for position, document in database.execute("SELECT position, document FROM result").fetchall():
                    text = json.dumps(dict(json.loads(document), latency_histogram=broken))
                    database.execute("UPDATE result SET document = ?, checksum = ? WHERE position = ?",
                                     (text, zlib.crc32(text.encode()), position))
                database.commit()
            done = self.fpgauge("report", "run.db", "--quiet", "--html", f"{name}.html")
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            drawn = [len([mark for mark in figure.iter(SVG + "polygon") if (mark.get("class") or "").startswith("mark")])
                     for figure in self.tree(f"{name}.html").iter(HTML + "figure") if figure.get("data-chart") == "latency_histogram"]
            self.assertEqual(drawn, [bars] if bars else [])
            rows = [row for table in self.tree(f"{name}.html").iter(HTML + "table")
                    if table.get("data-table") == "latency_histogram" for row in table.find(HTML + "tbody")]
            self.assertEqual(len(rows), len(broken) if bars else 0)

    def test_a_size_that_does_not_qualify(self):
        tree, _ = self.page(plan([THROUGHPUT.replace("1518", "9000"), BURST.replace("1518", "9000")]))
        self.assertIn("did not qualify", self.text(tree))
        tree, _ = self.page(plan([x.replace("64, 128, 256, 1518", "9000") for x in (THROUGHPUT, BURST)]), name="none")
        self.assertNotIn("back_to_back", self.charts(tree))
        self.assertIn("No frame size qualifies", self.text(tree))

    def test_results_that_are_invalid(self):
        self.write("tester.py", tester_text('reply["offered_frames"] -= 7; reply["received_frames"] = 0'))
        tree, report = self.page(plan([THROUGHPUT, BURST]), expect=INVALID)
        self.assertEqual(self.verdict(tree), "INVALID")
        why = [result["why_invalid"] for result in report["results"] if not result["valid"] and not result.get("skipped")]
        self.assertTrue(why)
        for reason in why:
            self.assertIn(" ".join(reason.split()), self.text(tree))

    def test_no_line_leads_over_a_size_that_is_invalid(self):
        self.write("tester.py", tester_text('reply["offered_frames"] -= 7; reply["received_frames"] = 0'))
        tree, _ = self.page(plan([THROUGHPUT.replace("64, 128", "64, 72, 128")]), expect=INVALID)
        figure = next(figure for figure in tree.iter(HTML + "figure") if figure.get("data-chart") == "throughput")
        series = [group for group in figure.iter(SVG + "g") if group.get("data-points") == "4"]
        self.assertEqual(len(series), 1, "64, 72, 256 and 1518; 128 is invalid")
        line = next(path.get("d") for path in series[0].iter(SVG + "path"))
        # marks in the key, of 64 and 72, of 256 and 1518
        self.assertEqual((line.count("M"), line.count("L")), (3, 3), line)

    def test_a_run_that_died(self):
        self.write("tester.py", tester_text("os._exit(7)"))
        tree, report = self.page(plan([THROUGHPUT]), expect=WRONG_DEVICE)
        self.assertEqual(self.verdict(tree), "INCOMPLETE")
        self.assertIn(" ".join(report["incomplete"].split()), self.text(tree))

    def test_a_run_without_a_single_result(self):
        self.write("tester.py", tester_text("os._exit(7)"))
        tree, report = self.page(plan([THROUGHPUT.replace("64, 128", "128")]), expect=WRONG_DEVICE)
        self.assertEqual(self.verdict(tree), "INCOMPLETE")
        self.assertNotIn("throughput", self.charts(tree))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.execute("DELETE FROM result")
            database.commit()
        self.fpgauge("report", "run.db", "--quiet", "--html", "bare.html")
        self.assertEqual(self.verdict(self.tree("bare.html")), "INCOMPLETE")

    def test_a_run_that_was_killed_in_its_first_search(self):
        # The fourth trial never ends; the tester ends when its standard input does.
        self.write("tester.py", NOISY.replace("    noise =", "    if request['trial'] == 4: sys.stdin.read(); break\n    noise ="))
        for name, test, bounds in (("one", THROUGHPUT, "the bounds that the search had before it"),
                                   ("goals", GOALS, "the bounds that each goal came to")):
            with self.subTest(name):
                self.kill_after_three_trials(name, test)
                done = self.fpgauge("report", f"{name}.db", "--quiet", "--html", f"{name}.html")
                self.assertEqual((done.returncode, done.stderr), (INVALID, ""))
                tree = self.tree(f"{name}.html")
                self.assertEqual(self.verdict(tree), "INCOMPLETE")
                self.assertIn("no result yet", self.text(tree))
                self.assertIn(bounds, self.text(tree))
                self.assertGreaterEqual(self.charts(tree)["search_trace"], 1)

    def kill_after_three_trials(self, name, test):
        with subprocess.Popen([FPGAUGE, "run", self.write("run.cfg", plan([test])), "--db", f"{name}.db", "--quiet"],
                              cwd=self.scratch, stderr=subprocess.PIPE) as run:
            trials = 0
            while trials < 3:
                time.sleep(0.02)
                with contextlib.suppress(sqlite3.Error), \
                        contextlib.closing(sqlite3.connect(f"file:{self.path(name)}.db?mode=ro", uri=True)) as database:
                    trials = database.execute("SELECT count(*) FROM trial").fetchone()[0]
                self.assertIsNone(run.poll())
            run.kill()

    def test_a_tester_that_counts_only_frames(self):
        self.write("tester.py", tester_text())
        tree, _ = self.page(plan(ALL))
        self.assertNotIn("latency", self.charts(tree))
        self.assertNotIn("gaps", self.charts(tree))
        self.assertIn("loss_over_load", self.charts(tree))


class Hostile(HtmlCase):
    def test_names_reasons_and_plans_stay_text(self):
        quoted = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
        self.write("tester.py", tester_text('reply["valid"] = False\nreply["why_invalid"] = open("why").read()'))
        self.write("why", HOSTILE)
        text = plan([THROUGHPUT], f'["python3", "-S", "tester.py", "{quoted}"]') + f"# {HOSTILE}\n"
        tree, report = self.page(text, "--set", "run[0].resolution=1%", expect=INVALID, name="<b>run&")
        self.assertIn("<script>", report["device"]["name"])
        self.assertTrue(any("<script>" in (result["why_invalid"] or "") for result in report["results"]), report["results"])
        names = {element.tag for element in tree.iter()}
        for name in ("script", "img", "iframe", "object", "embed", "b", "foreignObject", "image", "animate"):
            self.assertFalse({HTML + name, SVG + name} & names, name)
        for element in tree.iter():
            for attribute, value in element.attrib.items():
                self.assertFalse(attribute.startswith("on"), (element.tag, attribute))
                if attribute in ("href", "src"):
                    self.assertRegex(value, r"\A(#[-\w]+|data:,)\Z")
        text = self.text(tree)
        self.assertIn("""<script>alert("1")</script>'"&amp;]]>--><img src=x onerror=alert(2)>""", text)
        self.assertNotIn("\u202e", text, "it would turn the text that follows")
        self.assertIn("\ufffdevil", text)

    def test_a_run_file_of_somebody_else(self):
        """What only another program could have written: control characters, and results that are not results."""
        self.page(plan([THROUGHPUT]))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.execute("UPDATE session SET command = ?, host = ?", ("<i>\x01\x0b", '{"name": "<script>x</script>"}'))
            database.execute("UPDATE event SET kind = ?, detail = ?", ("`id`\x1b[2J", "no JSON"))
            database.commit()
        done = self.fpgauge("report", "run.db", "--quiet", "--html", "other.html")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        text = self.text(self.tree("other.html"))
        self.assertIn("<i>\ufffd\ufffd", text)
        self.assertIn("<script>x</script>", text)
        self.assertIn("`id`\ufffd[2J", text)

    def test_results_with_any_numbers_make_a_page(self):
        """Documents with missing keys, or numbers of any size, as far as the schema allows; system.report has what is
        refused."""
        self.page(plan(ALL))
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        wrong = [None, -1, 0, 1e308, -1e308, 5e-324, 1 << 62, 0.5]
        judge = reader_of_results("result")
        essential = ("test", "test_number", "frame_octets", "valid")
        bound = ("frame_octets", "gap_octets", "max_theoretical_fps")

        def spoil(value, key="", counter=False):
            if isinstance(value, dict):
                return {inner: spoil(value[inner], inner, key.endswith("counters")) for inner in value
                        if inner in essential or chance.random() > 0.02}
            if chance.random() > 0.06 or key in bound or not re.search("_(fps|s|ns|octets|percent|ratio|frames)$", key):
                return value
            if isinstance(value, (list, str)):
                return value
            return chance.choice([None, 0, 1 << 62] if counter else wrong)

        shutil.copy(self.path("run.db"), self.path("good.db"))
        for attempt in range(100 if LONG else 12):
            shutil.copy(self.path("good.db"), self.path("run.db"))
            with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
                for position, document in database.execute("SELECT position, document FROM result").fetchall():
                    spoiled = spoil(json.loads(document))
                    if not judge.is_valid(dict(spoiled, requirements=None, verdict=None)):
                        continue
                    text = json.dumps(spoiled)
                    database.execute("UPDATE result SET document = ?, checksum = ? WHERE position = ?",
                                     (text, zlib.crc32(text.encode()), position))
                database.commit()
            with self.subTest(seed=seed, attempt=attempt):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(self.path("any.html"))
                done = self.fpgauge("report", "run.db", "--quiet", "--html", "any.html")
                self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
                self.assertEqual(done.stderr, "")
                self.tree("any.html")

    def test_the_page_asks_for_nothing(self):
        self.page(plan(ALL))
        with open(self.path("run.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("default-src 'none'", page)
        self.assertEqual(set(re.findall(r"https?://[^\s\"'<]+", page)), {"http://www.w3.org/1999/xhtml",
                                                                         "http://www.w3.org/2000/svg"}, "names, not places")
        self.assertNotRegex(page, r"@import|url\(")
        self.assertTrue(page.startswith("<!DOCTYPE html>\n<html"))

    def test_names_of_elements_are_unique(self):
        tree, _ = self.page(plan(ALL))
        names = [element.get("id") for element in tree.iter() if element.get("id")]
        self.assertEqual(len(names), len(set(names)))
        for element in tree.iter():
            for name in (element.get("aria-labelledby") or "").split():
                self.assertIn(name, names)
            if (element.get("href") or "").startswith("#"):
                self.assertIn(element.get("href")[1:], names)


class Complaints(HtmlCase):
    def test_without_gnuplot_nothing_is_measured_and_the_package_is_named(self):
        programs = self.path("programs")
        os.mkdir(programs)
        os.symlink(shutil.which("python3"), os.path.join(programs, "python3"))
        self.write("run.cfg", plan([THROUGHPUT]))
        done = subprocess.run([FPGAUGE, "run", "run.cfg", "--db", "run.db", "--html", "run.html"], cwd=self.scratch,
                              env={"PATH": programs}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertEqual(done.stderr, "fpgauge run: --html: charts cannot be drawn: there is no program gnuplot; install the "
                                      "package gnuplot-nox\n")
        self.assertFalse(os.path.exists(self.path("run.db")))

    def test_a_gnuplot_that_fails_is_quoted(self):
        programs = self.path("programs")
        os.mkdir(programs)
        self.page(plan([THROUGHPUT]))
        for script, says in (("echo 'no terminal' >&2; exit 3", "gnuplot ended with exit code 3: no terminal"),
                             ("exit 0", "gnuplot cannot draw SVG"), ("kill -9 $$", "gnuplot was killed"),
                             ("echo '<svg'", "what gnuplot drew is not SVG"),
                             ("echo '<svg xmlns=\"http://www.w3.org/2000/svg\"/>'", "gnuplot left out a series")):
            self.write("programs/gnuplot", "#!/bin/sh\n" + script + "\n")
            os.chmod(self.path("programs/gnuplot"), 0o755)
            done = subprocess.run([FPGAUGE, "report", "run.db", "--quiet", "--html", "bad.html"], cwd=self.scratch,
                                  env={"PATH": programs + ":/usr/bin:/bin"}, capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, DONE)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(os.path.exists(self.path("bad.html")))

    def test_a_chart_that_lacks_a_point_is_not_shown(self):
        programs = self.path("programs")
        os.mkdir(programs)
        self.page(plan([THROUGHPUT]))
        self.write("programs/gnuplot", f"#!/bin/sh\n{shutil.which('gnuplot')} \"$@\" | sed '0,/<use [^>]*translate/s/<use [^>]*translate.*//'\n")
        os.chmod(self.path("programs/gnuplot"), 0o755)
        done = subprocess.run([FPGAUGE, "report", "run.db", "--quiet", "--html", "bad.html"], cwd=self.scratch,
                              env={"PATH": programs + ":/usr/bin:/bin"}, capture_output=True, text=True, check=False)
        self.assertRegex(done.stderr, r"\Afpgauge report: --html: chart throughput: gnuplot drew 4 marks of series 2, there are 5\n\Z")
        self.assertFalse(os.path.exists(self.path("bad.html")))

    def test_a_file_that_cannot_be_written_is_found_before_the_run(self):
        self.write("run.cfg", plan([THROUGHPUT]))
        done = self.fpgauge("run", "run.cfg", "--db", "run.db", "--html", "no/such/run.html")
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertEqual(done.stderr, "fpgauge run: --html no/such/run.html: cannot be written: No such file or directory\n")
        self.assertFalse(os.path.exists(self.path("run.db")))

    def test_a_damaged_trial_is_not_drawn(self):
        self.page(plan([THROUGHPUT]))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.execute("UPDATE trial SET result = json_set(result, '$.lost_frames', lost_frames + 1) WHERE number = 3")
            database.commit()
        done = self.fpgauge("report", "run.db", "--quiet", "--html", "bad.html")
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn("the file is damaged: trial 3 is not what was written", done.stderr)
        self.assertFalse(os.path.exists(self.path("bad.html")))

    def test_help_names_it(self):
        for command in ("run", "resume", "report"):
            self.assertIn("--html=FILE", self.fpgauge(command, "--help").stdout)
        with open(os.path.join(ROOT, "docs", "fpgauge.1"), encoding="utf-8") as page:
            self.assertIn(r"\-\-html", page.read())


if __name__ == "__main__":
    main()
