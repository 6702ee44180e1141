#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the tables of the reports say, cell by cell, against numbers found in another way: for a device whose truth is
drawn at random, by the formulas of the RFCs from that truth and from the trials; and for results whose numbers are all
drawn at random, so that no column can show another's value. The tester is an external program."""

import contextlib
import csv
import json
import math
import os
import random
import sqlite3
import statistics
import xml.etree.ElementTree
import zlib

from exec_tester_case import plan_text
from fpgauge_system import DONE, ROOT, main
from html_page import HtmlCase
from report_tables import PAGE, TERMINAL, page_tables, seconds, terminal_tables
from test_report import validator

# A FIFO: rate and size of its queue are its arguments. The room in the queue differs from burst to burst.
MODEL = """\
import json, math, random, sys
rate, room, seed = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
def answer(request):
    line = request["link_bps"] / 8 / (request["frame_octets"] + 20)
    load = request.get("load_fps", line)
    duration = request.get("duration_s", request.get("burst_frames", 0) / load)
    offered = request.get("burst_frames", round(load * duration))
    held = room if "load_fps" in request else room - random.Random(seed * 1000003 + request["trial"]).randrange(room // 10)
    received = offered if load <= rate else min(offered, held + math.floor((offered - 1) * rate / load))
    made = {"trial": request["trial"], "offered_frames": offered, "received_frames": received, "duration_s": duration,
            "latency_min_ns": 800, "latency_mean_ns": 1000 + request["frame_octets"], "latency_max_ns": 123456}
    if "burst_frames" in request and offered > 1:
        made.update(gap_min_octets=8, gap_mean_octets=12, gap_max_octets=16)
    return made
if __name__ == "__main__":
    for text in sys.stdin:
        print(json.dumps(answer(json.loads(text))), flush=True)
"""
SIZES = (64, 100, 128, 200)


def longest(rate, line, room):
    """Frames of the longest burst that a FIFO takes without loss: all but `room` have left when the last one comes."""
    frames = 1
    while frames + 1 <= room + math.floor(frames * rate / line):
        frames += 1
    return frames


def student_t(degrees):
    """Two-sided 95%, by integrating the density: no table, no expansion."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    low, high = 1.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        steps = 2000
        area = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * (1 + (middle * i / steps) ** 2 / degrees) ** (-(degrees + 1) / 2)
                   for i in range(steps + 1)) * scale * middle / steps / 3
        low, high = (middle, high) if area < 0.475 else (low, middle)
    return low


class TableCase(HtmlCase):
    def shows(self, text, value, kind, slack, place):
        """A cell without a unit is the value, rounded to so many places."""
        if value is None:
            self.assertEqual(text, "-", place)
            return
        places, factor = (3, 1) if kind == "%" else (3, 100) if kind == "ratio" else (kind, 1)
        self.assertEqual(text.endswith("%"), kind in ("%", "ratio"), place)
        number = text.replace("\u202f", "").rstrip("%")
        if kind == 0:
            self.assertNotIn(".", number, place)
        elif not isinstance(value, int):
            self.assertEqual(len(number.partition(".")[2]), places, (place, text))
        self.assertAlmostEqual(float(number), value * factor, delta=0.5000001 * 10.0 ** -places + abs(value) * 1e-9 + slack,
                               msg=str((place, text)))

    def shows_time(self, text, key, value, slack, place):
        if value is None:
            self.assertEqual(text, "-", place)
            return
        in_seconds = value * (1e-9 if key.endswith("_ns") else 1)
        shown, last = seconds(text)
        self.assertAlmostEqual(shown, in_seconds, delta=0.5000001 * last + 1e-9 * in_seconds + slack, msg=str((place, text)))

    def check_cell(self, text, column, look, place):
        heading, key, kind = column
        if isinstance(key, list): # several values in one cell
            for part, (inner, places) in zip(text.split(kind), key, strict=True):
                self.check_cell(part, (heading, inner, places), look, place)
        elif kind in ("time", "times"):
            self.shows_time(text, key, *look(key), place)
        elif key:
            self.shows(text, *look(key)[:1], kind, look(key)[1], place)

    def check_table(self, columns, headings, rows, looks, place):
        """looks: for every row, a function from a key to (value, how far off it may be)."""
        self.assertEqual(headings, [column[0] for column in columns], place)
        self.assertEqual(len(rows), len(looks), place)
        for row, look in zip(rows, looks):
            self.assertEqual(len(row), len(columns), (place, row))
            for text, column in zip(row, columns):
                self.check_cell(text, column, look, (place, column[0], row))
        of_one_unit = [row[i] for row in rows for i, column in enumerate(columns) if column[2] == "times" and row[i] != "-"]
        if of_one_unit:
            self.assertEqual(len({text.split(" ")[-1] for text in of_one_unit}), 1, (place, of_one_unit))
            least = min(seconds(text)[0] for text in of_one_unit)
            self.assertLessEqual(max(seconds(text)[1] for text in of_one_unit), least * 1.0001e-4, "five digits of the smallest")

    def check_terminal(self, text, looks, tests):
        """looks: {test: a function for every row}."""
        tables = terminal_tables(text)
        for test in tests:
            shown = [table for table in tables if table[0] == test]
            wanted = TERMINAL[test]
            self.assertEqual([headings for _, headings, _ in shown],
                             [[column[0] for column in columns] for columns in wanted][:len(shown)], test)
            self.assertGreaterEqual(len(shown), max(1, len(wanted) - 1), "all but that of the truth")
            for (_, headings, rows), columns in zip(shown, wanted):
                self.check_table(columns, headings, rows, looks[test], ("terminal", test))
        return tables

    def check_page(self, tree, looks, names):
        for name in names:
            test, columns = PAGE[name]
            ((headings, rows),) = page_tables(tree, name)
            self.check_table(columns, headings, [[text for text, _ in row] for row in rows], looks[test], ("page", name))
            for row, look in zip(rows, looks[test]):
                for (_, digits), (heading, key, kind) in zip(row, columns):
                    if isinstance(key, str) and look(key)[0] is not None:
                        value, slack = look(key)
                        scale = 1e9 if key.endswith("_ns") else 1
                        self.assertAlmostEqual(digits, value, delta=abs(value) * 1e-9 + slack * scale, msg=f"{name} {heading}")


class Known(TableCase):
    """A known device: nothing is taken from the results, everything from the device, the RFCs and the trials."""

    def setUp(self):
        super().setUp()
        self.seed = random.randrange(1 << 30)
        chance = random.Random(self.seed)
        self.link_bps = chance.choice((10, 25, 40, 100)) * 10**9
        self.rate = chance.uniform(0.2, 0.8) * self.link_bps / 8 / (SIZES[-1] + 20) # is below the line rate of every size
        self.room = chance.randrange(100, 2000)
        self.repetitions = chance.randrange(3, 9)
        self.actual_fps = chance.randrange(1000, 1000000)
        self.write("tester.py", MODEL)
        tests = [f'test = "throughput"; frame_sizes = [64, 100, 128, 200]; trial_duration = "10s"; resolution = "0.1%"; settle = "0s"',
                 f'test = "back_to_back"; frame_sizes = [64, 100, 128, 200]; repetitions = {self.repetitions}; settle = "0s"; '
                 f'first_burst = "64 frames"; actual_rate = "{self.actual_fps}"']
        text = plan_text(tests).replace('"tester.py"]', f'"tester.py", "{self.rate!r}", "{self.room}", "{self.seed}"]')
        text = text.replace('"100G"', f'"{self.link_bps // 10**9}G"')
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", "run.db", "--html", "run.html", "--csv", "csv",
                            "--junit", "run.xml")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.text = done.stdout
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.row_factory = sqlite3.Row
            self.trials = database.execute("SELECT trial.*, search.test, search.repetition FROM trial JOIN search "
                                           "ON trial.search = search.number ORDER BY trial.number").fetchall()

    def of(self, test, octets):
        return [trial for trial in self.trials if (trial["test"], trial["frame_octets"]) == (test, octets)]

    def throughput(self, octets):
        """RFC 2544 section 26.1, RFC 5180 A.1: {key: (value, how far off the text may be)}."""
        line = self.link_bps / (8 * (octets + 20))
        trials = self.of("throughput", octets)
        clean = max(trial["intended_fps"] for trial in trials if trial["lost_frames"] == 0)
        lossy = min(trial["intended_fps"] for trial in trials if trial["lost_frames"] > 0)
        self.assertLessEqual(clean, self.rate + self.room / 10, "the truth, and what the queue hides in 10 s")
        self.assertGreater(lossy, self.rate)
        self.assertAlmostEqual(lossy - clean, line / 1000, delta=2, msg="a step of the search")
        octet_s = 8 / self.link_bps
        final = next(trial for trial in reversed(trials) if trial["intended_fps"] == clean)
        return {"frame_octets": (octets, 0), "throughput_fps": (clean, 0), "throughput_percent": (100 * clean / line, 0),
                "max_theoretical_fps": (line, 0), "first_lossy_fps": (lossy, 0), "trials": (len(trials), 0),
                "counters.offered_frames": (round(clean * 10), 1), "counters.received_frames": (final["received_frames"], 0),
                "counters.lost_frames": (0, 0), "latency_min_ns": (800, octet_s), "latency_mean_ns": (1000 + octets, octet_s),
                "latency_max_ns": (123456, octet_s), "final_trial_duration_s": (10, 1e-6),
                "layer_1_gbps": (clean * 8 * (octets + 20) / 1e9, 1e-9), "layer_2_gbps": (clean * 8 * octets / 1e9, 1e-9),
                "pdv_mean_ns": (200 + octets, 2 * octet_s), "pdv_max_ns": (122656, 2 * octet_s)}

    def back_to_back(self, octets):
        """RFC 9004 sections 6.3, 6.4 and 7."""
        line = self.link_bps / (8 * (octets + 20))
        throughput = self.throughput(octets)["throughput_fps"][0]
        trials = self.of("back_to_back", octets)
        values = [max(trial["burst_frames"] for trial in trials if trial["repetition"] == number and trial["lost_frames"] == 0)
                  for number in range(1, self.repetitions + 1)]
        least, most = longest(self.rate, line, self.room - self.room // 10 + 1), longest(self.rate, line, self.room)
        self.assertTrue(all(least <= value <= most for value in values), (least, values, most))
        average, deviation = statistics.fmean(values), statistics.stdev(values)
        half = student_t(len(values) - 1) * deviation / math.sqrt(len(values))
        implied = average / line
        corrected = implied - implied * throughput / line
        return {"frame_octets": (octets, 0), "average_frames": (average, 0), "min_frames": (min(values), 0),
                "max_frames": (max(values), 0), "stddev_frames": (deviation, 0), "repetitions": (len(values), 0),
                "confidence95_low_frames": (average - half, half * 1e-4), "confidence95_high_frames": (average + half, half * 1e-4),
                "implied_buffer_s": (implied, 0), "corrected_buffer_s": (corrected, 0),
                "actual_buffer_s": (corrected * line / self.actual_fps, 0), "buffer_frames": (corrected * line, 1e-6),
                "buffer_octets": (corrected * line * octets, 1e-3), "throughput_fps": (throughput, 0),
                "filling_rate_fps": (line - throughput, 0), "gap_min_octets": (8, 0), "gap_mean_octets": (12, 1e-3),
                "gap_max_octets": (16, 0), "trials": (len(trials), 0), "bursts_proven": (len(trials), 0)}

    def looks(self):
        self.truths = {"throughput": [self.throughput(octets) for octets in SIZES],
                       "back_to_back": [self.back_to_back(octets) for octets in SIZES]}
        return {test: [truth.get for truth in truths] for test, truths in self.truths.items()}

    def check_cell(self, text, column, look, place):
        keys = [inner for inner, _ in column[1]] if isinstance(column[1], list) else [column[1]]
        known = [key for key in keys if key and look(key)]
        if known:
            self.checked.update(known)
            super().check_cell(text, column, look, place)

    def test_every_form_says_what_the_device_is(self):
        self.checked = set()
        looks = self.looks()
        with self.subTest(seed=self.seed, link_bps=self.link_bps, rate=self.rate, room=self.room):
            self.check_terminal(self.text, looks, ("throughput", "back_to_back"))
            self.assertGreaterEqual(len(self.checked), 25)
            self.check_lines()
            tree = self.tree("run.html")
            self.known_cells_of_page(tree, looks)
            self.check_csv()
            self.check_junit()

    def check_lines(self):
        for truth in self.truths["back_to_back"]:
            begins = f"  {truth['frame_octets'][0]} octets: Actual Buffer Time"
            (line,) = [line for line in self.text.splitlines() if line.startswith(begins)]
            rate, buffer_s = line.partition("Rate of ")[2].replace(" fps:", "").replace(" Sec", "").split(" ")
            self.assertEqual(float(rate), self.actual_fps)
            self.assertAlmostEqual(float(buffer_s), truth["actual_buffer_s"][0], delta=0.51e-10)

    def known_cells_of_page(self, tree, looks):
        for name in ("throughput", "throughput_trial", "back_to_back", "buffer"):
            test, columns = PAGE[name]
            ((headings, rows),) = page_tables(tree, name)
            self.check_table(columns, headings, [[text for text, _ in row] for row in rows], looks[test], ("page", name))

    def check_csv(self):
        for test, truths in self.truths.items():
            with open(self.path(f"csv/{test}.csv"), encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file, strict=True))
            self.assertEqual(len(rows), len(truths))
            for row, truth in zip(rows, truths):
                self.check_values(row, truth, ("csv", test))

    def check_values(self, texts, truth, place):
        seen = 0
        for key, (value, slack) in truth.items():
            if key in texts:
                slack *= 1e9 if key.endswith("_ns") else 1
                self.assertAlmostEqual(float(texts[key]), value, delta=abs(value) * 1e-9 + slack, msg=str((place, key)))
                seen += 1
        self.assertGreaterEqual(seen, 5, place)

    def check_junit(self):
        cases = {case.get("name"): {one.get("name"): one.get("value") for one in case.iter("property")}
                 for case in xml.etree.ElementTree.parse(self.path("run.xml")).getroot().iter("testcase")}
        for number, (test, truths) in enumerate(self.truths.items(), 1):
            for truth in truths:
                self.check_values(cases[f"{number} {test}, {truth['frame_octets'][0]} octets, unidirectional"], truth, ("junit", test))


class Drawn(TableCase):
    """Results with every number drawn at random: what is in a column can only be the value of its key."""

    TESTS = ['test = "throughput"; frame_sizes = [64, 128, 256]; trial_duration = "1s"; resolution = "1%"; settle = "0s"',
             'test = "back_to_back"; frame_sizes = [64, 128, 256]; repetitions = 3; first_burst = "64 frames"; settle = "0s"',
             'test = "mlrsearch"; frame_sizes = [64, 128]; preset = "ndrpdr"; settle = "0s"']
    KEPT = {"test_number", "frame_octets", "goal", "goals", "gap_octets", "latency_histogram", "gap_histogram",
            "trial_results", "values_frames", "requirements"}
    NULLABLE = {"first_lossy_fps", "latency_min_ns", "latency_mean_ns", "latency_p99_ns", "duplicated_frames", "actual_buffer_s",
                "latency_buffer_frames", "gap_mean_octets", "fill_time_s", "relevant_upper_bound_fps", "hidden_overload_fps"}
    TRUTH = {"model": "fifo", "throughput_fps": 1.5, "buffer_frames": 2, "longest_burst_frames": 3, "latency_ns": 4.5}

    def setUp(self):
        super().setUp()
        self.seed = random.randrange(1 << 30)
        self.chance = random.Random(self.seed)
        with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        self.whole = self.counts(schema) | set(schema["$defs"]["counters"]["required"])

    def counts(self, schema):
        """The keys that are whole numbers."""
        if isinstance(schema, dict):
            own = {key for key, value in schema.get("properties", {}).items() if isinstance(value, dict)
                   and (value.get("$ref") == "#/$defs/count" or value.get("type") == "integer")}
            return own.union(*(self.counts(value) for value in schema.values()))
        return set().union(*map(self.counts, schema)) if isinstance(schema, list) else set()

    def draw(self, key, old):
        if isinstance(old, int) or key in self.whole:
            return self.chance.randrange(1, 10 ** self.chance.randrange(1, 10))
        if key.endswith("_percent"):
            return self.chance.uniform(0.001, 99)
        if key.endswith("_ratio") or key == "width":
            return self.chance.uniform(1e-6, 1)
        if key.endswith("_ns"):
            return self.chance.uniform(0.08, 1) * 10 ** self.chance.randrange(3, 8)
        if key.endswith("_s"):
            return self.chance.uniform(0.1, 1) * 10 ** self.chance.randrange(-6, 2)
        return self.chance.uniform(0.1, 1) * 10 ** self.chance.randrange(1, 9)

    def spoil(self, value):
        """Draws all numbers anew, even where nothing was measured; now and then it leaves one unmeasured."""
        for key, old in value.items():
            if key in self.KEPT or isinstance(old, (bool, str, list)):
                continue
            if isinstance(old, dict):
                self.spoil(old)
            elif old is not None or key.endswith(("_fps", "_s", "_ns", "_frames", "_octets", "_percent")):
                value[key] = self.draw(key, old)
                if key in self.NULLABLE and self.chance.random() < 0.1:
                    value[key] = None

    def drawn(self):
        self.write("tester.py", MODEL)
        text = plan_text(self.TESTS).replace('"tester.py"]', '"tester.py", "20e6", "500", "1"]')
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", "run.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        results = {}
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            for position, document in database.execute("SELECT position, document FROM result ORDER BY position").fetchall():
                result = json.loads(document)
                result["truth"] = dict(self.TRUTH)
                self.spoil(result)
                text = json.dumps(result)
                database.execute("UPDATE result SET document = ?, checksum = ? WHERE position = ?",
                                 (text, zlib.crc32(text.encode()), position))
                results.setdefault(result["test"], []).append(result)
            database.commit()
        return results

    def look(self, result):
        def value(key):
            outer, _, inner = key.rpartition(".")
            return (result[outer] if outer else result).get(inner), 0
        return value

    def test_every_cell_of_every_table_is_the_value_that_its_heading_names(self):
        results = self.drawn()
        looks = {test: [self.look(result) for result in of_test] for test, of_test in results.items()}
        done = self.fpgauge("report", "run.db", "--html", "run.html", "--json", "run.json")
        with self.subTest(seed=self.seed):
            self.assertEqual(done.stderr, "")
            validator().validate(self.result("run.json"))
            tables = self.check_terminal(done.stdout, looks, TERMINAL)
            self.assertEqual(len(tables), sum(map(len, TERMINAL.values())), "also those of the truth")
            tree = self.tree("run.html")
            self.check_page(tree, looks, PAGE)
            self.check_summary(tree, results)

    def check_summary(self, tree, results):
        ((headings, rows),) = page_tables(tree, "summary")
        self.assertEqual(headings, ["Test", "Size, octets", "Answer", "Unit", "Of line rate, %", "Verdict"])
        answers = {"throughput": ("throughput_fps", 1, "throughput_percent"), "back_to_back": ("average_frames", 2, None),
                   "mlrsearch": ("conditional_throughput_fps", 1, "conditional_throughput_percent")}
        all_results = [result for of_test in results.values() for result in of_test]
        self.assertEqual(len(rows), len(all_results))
        for row, result in zip(rows, all_results):
            key, places, percent = answers[result["test"]]
            texts = [text for text, _ in row]
            self.shows(texts[1], result["frame_octets"], 0, 0, "summary")
            self.shows(texts[2], result[key], places, 0, ("summary", key))
            self.shows(texts[4], result[percent] if percent else None, 3, 0, ("summary", percent))


if __name__ == "__main__":
    main()
