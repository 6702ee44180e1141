#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every form of report from one run file: each says the same, and complies with the schema that the project ships. Then
limits, events, comparison, and a disk that is full or cannot be written. The tester is an external program, so this
needs no simulation."""

import contextlib
import copy
import csv
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import unittest
import xml.etree.ElementTree

from exec_tester_case import ExecTesterCase, plan_text, tester_text
import fpgauge_system
from fpgauge_system import DONE, FPGAUGE, INVALID, ROOT, WRONG_DEVICE, WRONG_PLAN, main

try:
    import jsonschema
except ImportError as missing:
    raise SystemExit("python3-jsonschema is missing: tools/install-packages test") from missing

THROUGHPUT = 'test = "throughput"; frame_sizes = [64, 1518]; trial_duration = "1s"; resolution = "1%"; settle = "0s"'
BURST = 'test = "back_to_back"; frame_sizes = [64, 1518]; repetitions = 4; first_burst = "64 frames"; settle = "0s"'
GOALS = 'test = "mlrsearch"; frame_sizes = [64]; preset = "ndrpdr"; settle = "0s"'
ALL = [THROUGHPUT, BURST, GOALS]

# People have these names in their queries. Each view has Test before them, and Valid and Why not after them.
BOUNDS = ("Goal loss ratio", "Relevant lower bound, frames/s", "Relevant upper bound, frames/s", "Conditional throughput, frames/s")
VIEWS = {
    "rfc2544_throughput": ("Frame size, octets", "Throughput, frames/s", "Of line rate, %", "Maximum theoretical, frames/s",
                           "First lossy, frames/s", "Trials"),
    "rfc9004_table_1": ("Frame Size, octets", "Ave B2B Length, frames", "Min, frames", "Max, frames", "StdDev, frames",
                        "Corrected Buff Time, Sec"),
    "rfc9971_mlrsearch": ("Frame size, octets", "Goal", *BOUNDS, "Regular"),
    "rfc9971_throughput": ("Frame size, octets", *BOUNDS, "Of line rate, %", "Trials"),
}

# A FIFO whose rate and buffer vary from trial to trial, in the same way for the same seed.
NOISY = """\
import json, math, random, sys
rate, buffer, seed = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(seed * 1000003 + request["trial"])
    service, held = rate * noise.gauss(1, 0.002), buffer * noise.gauss(1, 0.03)
    load = request.get("load_fps", request["link_bps"] / 8 / (request["frame_octets"] + 20))
    duration = request.get("duration_s", request.get("burst_frames", 0) / load)
    offered = request.get("burst_frames", round(load * duration))
    received = offered if load <= service else min(offered, int(held + (offered - 1) * service / load))
    print(json.dumps({"trial": request["trial"], "offered_frames": offered, "received_frames": received,
                      "duration_s": duration}), flush=True)
"""


def validator():
    with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class ReportCase(ExecTesterCase):
    def setUp(self):
        super().setUp()
        self.write("tester.py", tester_text())

    def measure(self, tests, *arguments, name="run.db", expect=DONE):
        plan = self.write("plan.cfg", plan_text(tests))
        done = self.fpgauge("run", plan, "--db", name, "--quiet", *arguments)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def trials(self, name):
        with contextlib.closing(sqlite3.connect(f"file:{self.path(name)}?mode=ro", uri=True)) as database:
            return database.execute("SELECT number, checksum FROM trial ORDER BY number").fetchall()


class RunFile(ReportCase):
    def test_every_column_is_described_and_no_other(self):
        with open(os.path.join(ROOT, "docs", "run-file.md"), encoding="utf-8") as file:
            sections = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##)", file.read(), re.DOTALL | re.MULTILINE))
        with open(os.path.join(ROOT, "docs", "results.md"), encoding="utf-8") as file:
            counters = re.search(r"<!-- counters: .*?-->\n(.*?)<!--", file.read(), re.DOTALL).group(1)
        sections["trial_port"] += counters.replace("| `lost_frames`", "| -")  # a row of it refers there; a port loses none
        self.measure([THROUGHPUT])
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            kinds = dict(database.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')"))
            columns = {name: {row[1] for row in database.execute(f"PRAGMA table_xinfo({name})")} for name in kinds}
        described = {name for name in kinds if not name.startswith("rfc")} # views have headings of their own
        self.assertEqual(set(sections), described)
        for name in sorted(described):
            with self.subTest(name):
                listed = "| column | meaning |" in sections[name]  # tables, and a view that has as many columns as one
                first = r"^\| (.*?) \|" if listed else r"(.*)"
                named = set(re.findall(r"`(\w+)`", " ".join(re.findall(first, sections[name], re.MULTILINE))))
                others = set() if listed else {"intended_fps"} # a view says where they come from
                self.assertEqual(named - others, columns[name])

    def test_loss_over_load_is_what_the_trials_say(self):
        self.measure([THROUGHPUT, BURST])
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.row_factory = sqlite3.Row
            trials = {row["number"]: row for row in database.execute("SELECT * FROM trial WHERE kind = 'load' AND valid")}
            rows = database.execute("SELECT * FROM loss_over_load").fetchall()
        self.assertEqual({row["trial"] for row in rows}, set(trials))
        for row in rows:
            trial = trials[row["trial"]]
            theory = 100e9 / (8 * (trial["frame_octets"] + 20))
            self.assertAlmostEqual(row["load_percent"], 100 * trial["intended_fps"] / theory, places=9)
            self.assertAlmostEqual(row["loss_percent"], 100 * trial["lost_frames"] / trial["offered_frames"], places=9)
        self.assertTrue(any(row["loss_percent"] > 1 for row in rows))

    def test_the_loss_of_broadcasts_is_of_those_that_had_to_arrive(self):
        """One sends to three; nothing forwards as much as the others could take."""
        plan = fpgauge_system.plan_text(['test = "rfc2889.broadcast_forwarding"; frame_sizes = [64]; trial_duration = "20us"; settle = "5ms"; drain = "100us"'],
                         dut='model = "switch"; buffer_frames = 2; gap_octets = 100', device="ports = 4;", library="twin")
        done = self.fpgauge("run", self.write("plan.cfg", plan), "--db", "run.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            rows = database.execute("SELECT loss_percent, received_frames + trial.lost_frames, trial.offered_frames, trial.lost_frames "
                                    "FROM loss_over_load JOIN trial ON trial = number").fetchall()
        self.assertTrue(any(lost for _, _, _, lost in rows), rows)
        for percent, expected, offered, lost in rows:
            self.assertEqual(expected, 3 * offered)
            self.assertAlmostEqual(percent, 100 * lost / (3 * offered), places=9)


class Forms(ReportCase):
    def test_run_and_report_write_the_same_octets(self):
        forms = ("--json", "{}.json", "--csv", "{}", "--junit", "{}.xml")
        self.measure(ALL, *(form.format("run") for form in forms))
        done = self.fpgauge("report", "run.db", "--quiet", *(form.format("later") for form in forms))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "", ""))
        for name in ("{}.json", "{}.xml", "{}/throughput.csv", "{}/back_to_back.csv", "{}/mlrsearch.csv"):
            self.assertEqual(self.read(name.format("run")), self.read(name.format("later")), name)
        self.assertEqual(sorted(os.listdir(self.path("run"))), ["back_to_back.csv", "mlrsearch.csv", "throughput.csv"])

    def test_the_table_is_the_same_when_it_is_made_again(self):
        plan = self.write("plan.cfg", plan_text(ALL))
        first = self.fpgauge("run", plan, "--db", "run.db")
        again = self.fpgauge("report", "run.db")
        self.assertEqual(first.stdout, "Run file: run.db\n" + again.stdout)
        self.assertEqual((first.stderr, again.stderr), ("", ""), "progress is for terminals")

    def test_a_run_file_is_named_after_its_date_and_said_before_the_trials(self):
        plan = self.write("plan.cfg", plan_text([THROUGHPUT]))
        done = self.fpgauge("run", plan)
        self.assertRegex(done.stdout, r"\ARun file: fpgauge-\d{8}-\d{6}(-\d+)?\.db\n")
        name = done.stdout.split("\n")[0].split(": ")[1]
        self.assertEqual(self.fpgauge("report", name, "--quiet").returncode, DONE)
        # If nobody looks for it on standard output, it is on standard error.
        for silent in (["--json", "-"], ["--quiet"], ["--quiet", "--json", "-"], ["--junit", "-"]):
            before = set(os.listdir(self.scratch))
            done = self.fpgauge("run", plan, *silent)
            self.assertEqual(done.stdout[:1], {"--json": "{", "--quiet": "", "--junit": "<"}[silent[0] if silent[-1] != "-" else silent[-2]])
            (made,) = set(os.listdir(self.scratch)) - before
            self.assertEqual(done.stderr, f"Run file: {made}\n", silent)
        done = self.fpgauge("run", plan, "--quiet", "--db", "named.db")
        self.assertEqual((done.stdout, done.stderr), ("", ""), "who gave the name knows it")

    def test_json_keeps_to_the_schema_whatever_became_of_the_run(self):
        check = validator()
        self.measure(ALL, "--json", "good.json")
        self.measure([THROUGHPUT + '; require = { throughput_fps = "1M"; latency_max_ns = "1us"; }'], "--json",
                     "required.json", name="required.db", expect=INVALID)
        self.write("tester.py", tester_text("os._exit(7)"))
        self.measure([THROUGHPUT.replace("1518", "128")], "--json", "died.json", name="died.db", expect=WRONG_DEVICE)
        for name in ("good.json", "required.json", "died.json"):
            with self.subTest(name):
                check.validate(self.result(name))
        self.assertIn("incomplete", self.result("died.json"))

    def test_the_schema_that_is_printed_keeps_to_the_meta_schema_and_adds_one_keyword_to_it(self):
        schema = json.loads(self.fpgauge("help", "results-schema").stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        known = set(jsonschema.Draft202012Validator.VALIDATORS) | {"$schema", "$comment", "$defs", "title", "then", "else"}
        used = set()

        def look(value):
            if not isinstance(value, dict):
                return
            used.update(value)
            for keyword, inner in value.items():
                if keyword in ("properties", "patternProperties", "$defs"):
                    inner = list(inner.values())
                if keyword not in ("const", "enum"):
                    for one in inner if isinstance(inner, list) else [inner]:
                        look(one)

        look(schema)
        self.assertEqual(used - known, {"x-essential"})

    def test_the_schema_can_say_no(self):
        check = validator()
        self.measure(ALL, "--json", "good.json")
        good = self.result("good.json")
        burst = next(i for i, result in enumerate(good["results"]) if result["test"] == "back_to_back")
        wrongs = {
            "a key is missing": lambda r: r["results"][0].pop("throughput_fps"),
            "a number is text": lambda r: r["results"][0].update(throughput_fps="fast"),
            "a reason without a fault": lambda r: r["results"][0].update(why_invalid="because"),
            "a fault without a reason": lambda r: r["results"][0].update(valid=False),
            "another schema": lambda r: r.update(schema=3),
            "local time": lambda r: r.update(started="2026-01-01T00:00:00"),
            "a counter below 0": lambda r: r["results"][burst]["counters"].update(lost_frames=-1),
            "half a frame": lambda r: r["results"][burst]["values_frames"].append(0.5),
            "an unknown verdict": lambda r: r.update(verdict="fine"),
        }
        for name, spoil in wrongs.items():
            with self.subTest(name):
                bad = copy.deepcopy(good)
                spoil(bad)
                self.assertFalse(check.is_valid(bad))

    def test_csv_has_units_in_its_headers_and_the_values_of_the_json(self):
        self.measure(ALL, "--json", "run.json", "--csv", "csv")
        units = re.compile(r"_(fps|gbps|s|ns|octets|frames|percent|ratio)$")
        # Counts, and numbers without a unit.
        counts = {"test_number", "trials", "invalid_trials", "repetitions", "bursts_proven", "bursts_unproven", "goal", "goals", "width",
                  "goal_width", "max_trials", "max_repeats", "trials_limit", "addresses", "vlan", "seed", "sequence_gaps",
                  "schema"}
        for test in ("throughput", "back_to_back", "mlrsearch"):
            with open(self.path(f"csv/{test}.csv"), encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file, strict=True))
            results = [result for result in self.result("run.json")["results"] if result["test"] == test]
            self.assertEqual(len(rows), len(results))
            for row, result in zip(rows, results):
                for column, text in row.items():
                    outer, _, inner = column.partition(".")
                    value = (result.get(outer) or {}).get(inner) if inner else result.get(outer)
                    if isinstance(value, bool):
                        self.assertEqual(text, str(value).lower(), column)
                    elif isinstance(value, (int, float)):
                        self.assertEqual(float(text), value, column)
                        self.assertTrue(units.search(column) or column.split(".")[-1] in counts, f"{column}: no unit")
                    elif isinstance(value, list) and value and isinstance(value[0], int):
                        self.assertEqual([int(one) for one in text.split()], value, column)
                    else:
                        self.assertEqual(text, value if isinstance(value, str) else "; ".join(value or []), column)

    def test_junit_keeps_to_the_schema_and_says_what_the_json_says(self):
        tests = [THROUGHPUT + '; require = ( { frame_sizes = [64]; throughput_fps = "100M"; }, '
                 '{ throughput_percent = "<= 100%"; } )', BURST]
        self.measure(tests, "--json", "run.json", "--junit", "run.xml", expect=INVALID)
        self.write("tester.py", tester_text("os._exit(7)"))
        self.measure([THROUGHPUT.replace("1518", "128")], "--junit", "died.xml", name="died.db", expect=WRONG_DEVICE)
        for name in ("run.xml", "died.xml"):
            done = subprocess.run(["xmllint", "--noout", "--schema", os.path.join(ROOT, "docs", "junit.xsd"),
                                   self.path(name)], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        suites = xml.etree.ElementTree.parse(self.path("run.xml")).getroot()
        self.assertEqual([(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("skipped"))
                          for suite in suites], [("1 throughput", "2", "1", "0"), ("2 back_to_back", "2", "0", "1")])
        failure, = suites.iter("failure")
        measured = self.only(self.result("run.json"), test="throughput", frame_octets=64)["throughput_fps"]
        self.assertEqual(failure.get("message"), f"throughput_fps is {measured!r}, must be at least 100000000")
        died = xml.etree.ElementTree.parse(self.path("died.xml")).getroot()
        self.assertEqual([failure.get("type") for failure in died.iter("failure")], ["not_finished", "invalid"])
        self.assertIn("ended with exit status 7", died[-1].find("testcase/failure").get("message"))

    def junit(self, name):
        """{name of a case: (its properties, whether it failed)} of a file that complies with the schema."""
        done = subprocess.run(["xmllint", "--noout", "--schema", os.path.join(ROOT, "docs", "junit.xsd"), self.path(name)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        cases = list(xml.etree.ElementTree.parse(self.path(name)).getroot().iter("testcase"))
        named = {case.get("name"): ({one.get("name"): one.get("value") for one in case.iter("property")},
                                    case.find("failure") is not None) for case in cases}
        self.assertEqual(len(named), len(cases), "a name stands twice")
        return named

    def test_junit_cases_of_tests_of_one_kind_have_names_of_their_own(self):
        small = THROUGHPUT.replace("[64, 1518]", "[64]")
        self.measure([small, small, GOALS, GOALS], "--junit", "run.xml")
        self.assertEqual(set(self.junit("run.xml")), {
            "1 throughput, 64 octets, unidirectional", "2 throughput, 64 octets, unidirectional",
            *(f"{test} mlrsearch, 64 octets, unidirectional, goal {goal}" for test in (3, 4) for goal in (1, 2))})

    def test_junit_cases_carry_what_was_measured_and_invalid_ones_nothing(self):
        self.write("tester.py", tester_text('reply["received_frames"] = 0; reply["offered_frames"] -= 7'))
        tests = [test.replace("1518", "128") for test in (THROUGHPUT, BURST)] + [GOALS]
        self.measure(tests, "--junit", "run.xml", "--json", "run.json", expect=INVALID)
        metrics = {"throughput": ("throughput_fps", "throughput_percent"),
                   "back_to_back": ("average_frames", "stddev_frames", "corrected_buffer_s", "buffer_octets"),
                   "mlrsearch": ("conditional_throughput_fps", "relevant_lower_bound_fps")}
        seen = set()
        for result in self.result("run.json")["results"]:
            name = (f"{result['test_number']} {result['test']}, {result['frame_octets']} octets, "
                    f"{result['parameters']['direction']}" + (f", goal {result['goal']}" if "goal" in result else ""))
            values, failed = self.junit("run.xml")[name]
            self.assertEqual(failed, not result["valid"])
            seen.add((result["test"], failed))
            if failed:
                self.assertEqual(values, {})
                continue
            for key in metrics[result["test"]]:
                self.assertIn(key, values)
            for key, text in values.items():
                self.assertEqual(float(text), result[key], key)
        self.assertEqual(seen, {("throughput", True), ("throughput", False), ("back_to_back", True), ("back_to_back", False),
                                ("mlrsearch", False)})

    def test_numbers_of_csv_have_no_more_digits_than_they_need(self):
        self.measure(ALL, "--json", "run.json", "--csv", "csv")
        seen = 0
        for test in ("throughput", "back_to_back", "mlrsearch"):
            for cell in re.split(r"[,\r\n ]+", self.read(f"csv/{test}.csv")):
                if not re.fullmatch(r"-?[0-9.]+(e[-+][0-9]+)?", cell) or "." not in cell:
                    continue
                # Python's repr() is the shortest text that reads back the same, found by another way.
                digits, shortest = (text.partition("e")[0].replace(".", "").strip("-0") for text in (cell, repr(float(cell))))
                self.assertEqual(digits, shortest, cell)
                seen += len(digits) > 10
        self.assertGreater(seen, 10)

    def test_sqlite_shows_the_tables_of_the_rfcs(self):
        self.measure(ALL, "--json", "run.json")
        burst = self.only(self.result("run.json"), test="back_to_back", frame_octets=64)
        goals = [result for result in self.result("run.json")["results"] if result["test"] == "mlrsearch"]
        with contextlib.closing(sqlite3.connect(f"file:{self.path('run.db')}?mode=ro", uri=True)) as database:
            for view, columns in VIEWS.items():
                table = database.execute(f"SELECT * FROM {view}")
                self.assertEqual([column[0] for column in table.description], ["Test", *columns, "Valid", "Why not"])
            table = database.execute("SELECT * FROM rfc9004_table_1")
            self.assertEqual(table.fetchone()[1:7], tuple(burst[key] for key in (
                "frame_octets", "average_frames", "min_frames", "max_frames", "stddev_frames", "corrected_buffer_s")))
            self.assertEqual(database.execute('SELECT "Throughput, frames/s" FROM rfc2544_throughput').fetchall(),
                             [(result["throughput_fps"],) for result in self.result("run.json")["results"]
                              if result["test"] == "throughput"])
            self.assertEqual(database.execute("SELECT * FROM rfc9971_throughput").fetchall(), [], "no goal allows loss")
            self.assertEqual(database.execute('SELECT "Goal", "Regular" FROM rfc9971_mlrsearch').fetchall(),
                             [(result["goal"], int(result["regular"])) for result in goals])
            trace = database.execute("SELECT count(*) FROM search_trace WHERE test = 'back_to_back'").fetchone()
            self.assertEqual(trace, (burst["trials"],))

    def test_files_that_cannot_be_written_are_found_before_the_first_trial(self):
        plan = self.write("plan.cfg", plan_text([THROUGHPUT]))
        self.write("taken", "a file")
        for option, path in (("--json", "none/x.json"), ("--csv", "taken"), ("--csv", "none/x"), ("--junit", "."),
                             ("--db", "none/x.db"), ("--events", "none/x")):
            with self.subTest(f"{option} {path}"):
                done = self.fpgauge("run", plan, option, path)
                self.assertEqual(done.returncode, WRONG_PLAN)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(path, done.stderr)


class Limits(ReportCase):
    def test_a_verdict_for_every_limit_and_one_for_all(self):
        met = '; require = { throughput_fps = "38M"; throughput_percent = ">= 20%"; }'
        small = THROUGHPUT.replace("[64, 1518]", "[64]")
        self.measure([small + met], "--json", "met.json", name="met.db")
        report = self.result("met.json")
        self.assertEqual(report["verdict"], "pass")
        self.assertEqual({result["verdict"] for result in report["results"]}, {"pass"})
        missed = '; require = { throughput_fps = "41M"; forwarding_rate_fps = "1"; }'
        self.measure([small + missed], "--json", "missed.json", name="missed.db", expect=INVALID)
        report = self.result("missed.json")
        self.assertEqual(report["verdict"], "fail")
        first = self.only(report, frame_octets=64)
        self.assertEqual([(one["key"], one["limit"], one["met"]) for one in first["requirements"]],
                         [("throughput_fps", 41e6, False), ("forwarding_rate_fps", 1, False)])
        self.assertIsNone(first["requirements"][1]["value"], "what was not measured meets nothing")
        self.assertIn("Verdict: FAIL", self.fpgauge("report", "missed.db").stdout)

    def test_a_size_that_does_not_qualify_misses_no_limit(self):
        self.measure([THROUGHPUT, BURST + '; require = { average_frames = 500; }'], "--json", "run.json")
        report = self.result("run.json")
        self.assertEqual([result["verdict"] for result in report["results"]], [None, None, "pass", "skipped"])
        self.assertEqual(report["verdict"], "pass")

    def test_limits_that_make_no_sense_are_refused(self):
        for limit, says in (('{ througput_fps = "1M"; }', "must be one of throughput_fps"),
                            ('{ throughput_fps = "1ms"; }', "must be a rate"),
                            ('{ latency_max_ns = 5; }', "must be a time with its unit"),
                            ('{ throughput_percent = "fast"; }', "must be a percentage"),
                            ('{ average_frames = 5; }', "not a key of the results of throughput"),
                            ('( { frame_sizes = [65]; throughput_fps = "1"; } )', "must be a size of the test"),
                            ('"fast"', "must be a group of limits")):
            with self.subTest(limit):
                plan = self.write("bad.cfg", plan_text([THROUGHPUT + "; require = " + limit]))
                done = self.fpgauge("check", plan)
                self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
                self.assertRegex(done.stderr, rf"^fpgauge check: .*bad.cfg:4: require.*{re.escape(says)}")


class Events(ReportCase):
    def test_a_supervisor_is_told_of_every_second_every_trial_and_every_result(self):
        self.write("tester.py", tester_text('request["trial"] % 4 or time.sleep(1.6)'))
        self.measure([THROUGHPUT.replace("1518", "128")], "--events", "events", "--json", "run.json")
        events = [json.loads(line) for line in self.read("events").splitlines()]
        report = self.result("run.json")
        self.assertEqual([events[0]["event"], events[-1]["event"], events[-1]["incomplete"]], ["run", "end", None])
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual([event["trial"] for event in steps], list(range(1, len(self.trials("run.db")) + 1)))
        self.assertTrue(all(event["lost_frames"] == event["offered_frames"] - event["received_frames"] for event in steps))
        told = [event["result"] for event in events if event["event"] == "result"]
        self.assertEqual([result["throughput_fps"] for result in told],
                         [result["throughput_fps"] for result in report["results"]])
        live = [event for event in events if event["event"] == "live"]
        self.assertGreater(len(live), 0)
        self.assertEqual({(event["test"], event["frame_octets"], event["test_count"]) for event in live},
                         {("throughput", 128, 1)})
        self.assertTrue(all(event["low_fps"] <= event["load_fps"] <= event["high_fps"] for event in live))
        self.assertEqual([event["time"] for event in events], sorted(event["time"] for event in events))

    def test_a_reader_that_goes_away_does_not_end_the_run(self):
        os.mkfifo(self.path("pipe"))
        plan = self.write("plan.cfg", plan_text(ALL))
        with subprocess.Popen([FPGAUGE, "run", plan, "--quiet", "--db", "run.db", "--events", "pipe"], cwd=self.scratch,
                              stderr=subprocess.PIPE, text=True) as run:
            with open(self.path("pipe"), encoding="utf-8") as pipe:
                pipe.readline()
            _, complaint = run.communicate(timeout=120)
        self.assertEqual(run.returncode, DONE, complaint)
        self.assertRegex(complaint, r"\Afpgauge: --events pipe: cannot be written any more: .*; the run goes on\n\Z")

    def test_a_terminal_shows_test_size_bracket_and_time_left(self):
        plan = self.write("plan.cfg", plan_text([THROUGHPUT, BURST]))
        ours, theirs = pty.openpty()
        with subprocess.Popen([FPGAUGE, "run", plan, "--db", "run.db"], cwd=self.scratch, stdout=subprocess.DEVNULL,
                              stderr=theirs) as run:
            os.close(theirs)
            seen = b""
            try:
                while chunk := os.read(ours, 4096):
                    seen += chunk
            except OSError:  # the other end is closed
                pass
        os.close(ours)
        self.assertEqual(run.returncode, DONE)
        self.assertRegex(seen.decode(), r"\[1/2\] throughput 64: [\d:]+ left, trial \d+/~\d+, \d+ in \d+\.\.\d+")
        self.assertRegex(seen.decode(), r"\[2/2\] back_to_back 64: \S+ left, search \d/4, trial \d+/~\d+, \d+ in \d+\.\.\d+")
        self.assertTrue(seen.endswith(b"\r\x1b[K"), "the line is taken away in the end")


class Compare(ReportCase):
    REPEATED = [THROUGHPUT.replace("[64, 1518]", "[64]").replace("1%", "0.1%")] * 6 + [
        BURST.replace("[64, 1518]", "[64]").replace("repetitions = 4", "repetitions = 30")]

    def noisy(self, name, rate, buffer, seed):
        plan = plan_text(self.REPEATED).replace('"tester.py"]', f'"tester.py", "{rate}", "{buffer}", "{seed}"]')
        self.write("tester.py", NOISY)
        done = self.fpgauge("run", self.write("noisy.cfg", plan), "--db", name, "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)

    def compare(self, *arguments, expect):
        done = self.fpgauge("compare", *arguments, "--json", "compared.json")
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return {(row["key"], row["frame_octets"]): row for row in self.result("compared.json")["results"]}, done.stdout

    def test_two_percent_less_is_found_in_the_noise_and_equal_runs_are_quiet(self):
        self.noisy("base.db", 40e6, 500, 1)
        self.noisy("same.db", 40e6, 500, 2)
        self.noisy("slow.db", 0.98 * 40e6, 500, 3)
        self.noisy("small.db", 40e6, 450, 4)
        same, _ = self.compare("base.db", "same.db", expect=DONE)
        self.assertEqual({row["verdict"] for row in same.values()}, {"same"})
        self.assertNotEqual(same["average_frames", 64]["base"]["value"], same["average_frames", 64]["new"]["value"],
                            "without noise this shows nothing")
        slow, table = self.compare("base.db", "slow.db", expect=INVALID)
        change = slow["throughput_fps", 64]
        self.assertEqual((change["verdict"], change["significant"], change["base"]["count"]), ("worse", True, 6))
        self.assertAlmostEqual(change["change_percent"], -2, delta=0.5)
        self.assertLess(change["change_high_percent"], 0)
        self.assertRegex(table, r"[12] of 2 are worse than BASE by more than 1%")
        self.compare("base.db", "slow.db", "--tolerance", "5%", expect=DONE)
        small, _ = self.compare("base.db", "small.db", expect=INVALID)
        self.assertEqual({key: row["verdict"] for key, row in small.items()},
                         {("throughput_fps", 64): "same", ("average_frames", 64): "worse"})
        better, _ = self.compare("slow.db", "base.db", expect=DONE)
        self.assertEqual(better["throughput_fps", 64]["verdict"], "better")

    def test_what_is_missing_or_invalid_is_worse(self):
        self.measure(ALL, "--json", "whole.json", name="whole.db")
        self.measure([THROUGHPUT], name="part.db")
        compared, _ = self.compare("whole.db", "part.db", expect=INVALID)
        self.assertEqual(compared["average_frames", 64]["verdict"], "missing")
        self.compare("part.db", "whole.db", expect=DONE)
        # Saved JSON will do in place of a run file.
        self.compare("whole.json", "whole.db", expect=DONE)
        report = self.result("whole.json")
        report["results"][0].update(valid=False, why_invalid="the tester was ill")
        self.write("ill.json", json.dumps(report))
        self.compare("whole.json", "ill.json", expect=INVALID)

    def test_a_comparison_of_nothing_fails_and_says_why(self):
        self.measure([THROUGHPUT], "--json", "whole.json", name="whole.db")
        report = self.result("whole.json")
        self.write("empty.json", json.dumps({**report, "results": []}))
        for result in report["results"]:
            result.update(valid=False, why_invalid="the tester was ill")
        self.write("ill.json", json.dumps(report))
        for base, says in (("empty.json", "BASE has no results"), ("ill.json", "BASE has no valid result")):
            _, table = self.compare(base, "whole.db", expect=INVALID)
            self.assertTrue(table.endswith(f"\nNothing was compared: {says}.\n"), table)
            compared = self.result("compared.json")
            self.assertEqual((compared["verdict"], compared["compared"]), ("fail", 0))

    def test_tests_of_one_size_that_ask_in_different_ways_are_compared_each_with_its_own(self):
        small = THROUGHPUT.replace("[64, 1518]", "[64]")
        tests = [small, small.replace('"1s"', '"1ms"'), small.replace('resolution = "1%"', 'search = "mlrsearch"')]
        self.measure(tests, "--json", "base.json", name="base.db")
        self.measure(tests[::-1], name="turned.db")
        self.measure([tests[0], small.replace('"1s"', '"3ms"'), tests[2]], name="other.db")
        values = [result["throughput_fps"] for result in self.result("base.json")["results"]]
        self.assertEqual(len(set(values)), 3, "else this shows nothing")
        self.compare("base.db", "turned.db", expect=DONE)
        rows = self.result("compared.json")["results"]
        self.assertEqual([(row["test_number"], row["verdict"], row["base"]["value"], row["new"]["value"]) for row in rows],
                         [(number, "same", value, value) for number, value in enumerate(values, 1)])
        self.assertEqual({row["base"]["count"] for row in rows}, {1})
        _, table = self.compare("base.db", "other.db", expect=INVALID)
        rows = self.result("compared.json")["results"]
        self.assertEqual([row["verdict"] for row in rows], ["same", "differs", "same"])
        self.assertEqual([(one["key"], one["base"], one["new"]) for one in rows[1]["differences"]],
                         [("trial_duration_s", 0.001, 0.003), ("search_trial_duration_s", 0.001, 0.003)])
        self.assertRegex(table, r"(?m)^ +2 throughput +64 .* differs +see !$")
        self.assertIn("\n  ! 2 throughput of 64 octets: requested differently: trial_duration_s was 0.001, is 0.003; "
                      "search_trial_duration_s was 0.001, is 0.003\n", table)
        self.assertTrue(table.endswith("\n1 of 3 are worse than BASE by more than 1%, invalid, missing or requested differently.\n"), table)

    def test_a_size_that_does_not_qualify_any_more_is_still_the_same_measurement(self):
        burst = BURST.replace("[64, 1518]", "[64]")
        small = THROUGHPUT.replace("[64, 1518]", "[64]")
        self.measure([small, burst], "--json", "base.json", name="base.db")
        self.write("tester.py", tester_text(rate=1e9))
        self.measure([small, burst], "--json", "wire.json", name="wire.db")
        base, wire = (self.only(self.result(name), test="back_to_back") for name in ("base.json", "wire.json"))
        self.assertEqual((base["skipped"], wire["skipped"]), (False, True))
        self.assertEqual(base["parameters"], wire["parameters"])
        rows, _ = self.compare("base.db", "wire.db", expect=DONE)
        self.assertEqual((rows["average_frames", 64]["verdict"], self.result("compared.json")["notes"]), ("better", []))

    def test_wrong_arguments_are_refused(self):
        self.measure([THROUGHPUT], "--json", "run.json")
        for name, schema in (("future.json", 99), ("first.json", 1), ("text.json", "1"), ("none.json", None)):
            self.write(name, json.dumps({**self.result("run.json"), "schema": schema}))
        report = self.result("run.json")
        del report["schema"]
        self.write("unsaid.json", json.dumps(report))
        self.write("other.json", "[1]")
        self.write("notes.txt", "x")
        for arguments, says in ((("run.db", "run.db", "--tolerance", "1"), "--tolerance 1: must be 0% to 100%"),
                                (("run.db", "run.db", "--tolerance", "101%"), "must be 0% to 100%"),
                                (("run.db", "none.db"), "none.db: cannot be read: No such file"),
                                (("run.db", "other.json"), "other.json: is JSON, but not of fpgauge"),
                                (("run.db", "notes.txt"), "notes.txt:1: neither a run file nor JSON"),
                                (("run.db", "future.json"), "future.json: schema is 99; this program (fpgauge "),
                                (("future.json", "run.db"), ") reads schema 2"),
                                (("run.db", "first.json"), "first.json: schema is 1; this program"),
                                (("text.json", "run.db"), 'text.json: schema is "1"; this program'),
                                (("none.json", "run.db"), "none.json: schema is null; this program"),
                                (("unsaid.json", "run.db"), "unsaid.json: schema is not there; this program")):
            with self.subTest(says):
                done = self.fpgauge("compare", *arguments)
                self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (WRONG_PLAN, "", 1))
                self.assertIn(says, done.stderr)
        self.assertEqual(self.fpgauge("compare", "run.db").returncode, WRONG_PLAN)


class Resumed(ReportCase):
    def test_an_external_tester_is_asked_on_with_the_number_it_would_have_had(self):
        self.measure([test.replace("1518", "128") for test in (THROUGHPUT, BURST)], "--json", "calm.json", name="calm.db")
        log = 'open("asked", "a").write("%d " % request["trial"])\n'
        self.write("tester.py", tester_text(log + 'os.path.exists("ill") and os.kill(os.getpid(), signal.SIGKILL)'))
        self.write("ill", "")
        self.measure([test.replace("1518", "128") for test in (THROUGHPUT, BURST)], name="run.db", expect=WRONG_DEVICE)
        died_at = int(self.read("asked").split()[-1])
        self.assertEqual(len(self.trials("run.db")), died_at - 1)
        os.unlink(self.path("ill"))
        done = self.fpgauge("resume", "run.db", "--json", "resumed.json", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        asked = [int(number) for number in self.read("asked").split()]
        # Only trials of 128 octets are noted: the one that killed it, its repetition, and those that follow.
        self.assertEqual(asked[:3], [died_at, died_at, died_at + 1])
        self.assertEqual(asked[1:], sorted(set(asked)))
        self.assertEqual(asked[-1], len(self.trials("run.db")))
        times = ("started", "finished")
        calm, resumed = ({key: value for key, value in self.result(name).items() if key not in times}
                         for name in ("calm.json", "resumed.json"))
        self.assertEqual(resumed, calm)


@unittest.skipUnless(os.geteuid() == 0, "needs root, to mount a small file system")
class Disk(ReportCase):
    """A file system of its own, of the size and kind that the case needs."""

    MANY = ['test = "back_to_back"; frame_sizes = [64]; repetitions = 4000; first_burst = "64 frames"; settle = "0s"']

    def mount(self, options):
        os.makedirs(self.path("disk"), exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path("disk")], capture_output=True,
                              text=True, check=False)
        if done.returncode:
            self.skipTest(f"cannot mount: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", self.path("disk")], check=True)

    def remount(self, options):
        subprocess.run(["mount", "-o", "remount," + options, self.path("disk")], check=True)

    def test_a_full_disk_ends_the_run_and_takes_nothing_of_it(self):
        self.mount("size=1m")
        plan = self.write("plan.cfg", plan_text(self.MANY))
        done = self.fpgauge("run", plan, "--db", "disk/run.db", "--quiet")
        self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
        self.assertRegex(done.stderr, r"\Afpgauge run: disk/run.db: .*full[^\n]*\n")
        self.remount("size=400m")
        kept = self.trials("disk/run.db")
        self.assertGreater(len(kept), 100)
        done = self.fpgauge("report", "disk/run.db", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (INVALID, ""))
        with subprocess.Popen([FPGAUGE, "resume", "disk/run.db", "--quiet"], cwd=self.scratch, text=True,
                              stderr=subprocess.PIPE) as run:
            while len(self.trials("disk/run.db")) < len(kept) + 50:
                self.assertIsNone(run.poll(), "ended before it went on")
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)
        self.assertEqual(self.trials("disk/run.db")[:len(kept)], kept)

    def test_a_disk_that_is_full_before_the_run_is_said_at_once(self):
        self.mount("size=64k")
        self.write("disk/filler", "x" * 60000)
        plan = self.write("plan.cfg", plan_text([THROUGHPUT]))
        done = self.fpgauge("run", plan, "--db", "disk/run.db", "--quiet")
        self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
        self.assertRegex(done.stderr, r"\Afpgauge run: disk/run.db: [^\n]*(full|No space left)[^\n]*\n\Z")

    def test_a_folder_that_cannot_be_written(self):
        self.mount("size=20m")
        self.measure([THROUGHPUT], "--json", "run.json", name="disk/run.db")
        plan = self.write("plan.cfg", plan_text([THROUGHPUT]))
        self.write("disk/tester.py", tester_text())
        self.remount("ro")
        done = self.fpgauge("run", plan, "--db", "disk/new.db")
        self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""))
        self.assertEqual(done.stderr, "fpgauge run: disk/new.db: cannot be created: Read-only file system\n")
        done = self.fpgauge("resume", "disk/run.db")
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertEqual(done.stderr,
                         "fpgauge resume: disk/run.db: cannot be opened for writing: Read-only file system\n")
        # Reading it must not need to write anything.
        done = self.fpgauge("report", "disk/run.db", "--quiet", "--json", "again.json")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(self.read("again.json"), self.read("run.json"))
        with subprocess.Popen([FPGAUGE, "run", plan], cwd=self.path("disk"), stderr=subprocess.PIPE, text=True) as run:
            _, complaint = run.communicate()
        self.assertRegex(complaint, r"\Afpgauge run: fpgauge-[-0-9]+\.db: cannot be created: Read-only file system\n\Z")


if __name__ == "__main__":
    main()
