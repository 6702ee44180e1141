#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How exact latencies are stands beside every latency of every form of report: what the device states is in its results, in
the rows of CSV, and in the caption of each table and chart with latencies, and nowhere else.

The run is that of the twin, which states 0; in its run file that is replaced by what a card states."""

import contextlib
import csv
import json
import os
import random
import re
import sqlite3
import xml.etree.ElementTree

from fpgauge_system import DONE, SEED, SystemCase, fifo, main, plan_text
from html_page import HTML

TESTS = ['test = "throughput"; frame_sizes = [64, 512]; trial_duration = "100us"; resolution = "5%"; settle = "0s"; drain = "100us"',
         'test = "latency"; frame_sizes = [512]; repetitions = 2; trial_duration = "100us"; tag_after = "50us"; settle = "0s"; drain = "100us"',
         'test = "back_to_back"; frame_sizes = [64]; repetitions = 2; max_burst = "1ms"; settle = "0s"; drain = "100us"']
LATENCY = re.compile(r"latency\w*_(ns|s)$")
BOUND = re.compile(r"(?:latency|jitter)(?: is)? right within", re.IGNORECASE)
TIME_IN_VIEW = re.compile(r"\b\w*(?:latency|lifo|jitter|pdv)(?:_\w+)?_ns\b")
VIEWS = {"loss_over_load", "rfc2544_latency"}  # views that have rows here
JITTER = re.compile(r"(pdv|jitter)\w*_ns$")


class Exactness(SystemCase):
    def setUp(self):
        super().setUp()
        self.error_ns = random.Random(SEED).randrange(1, 5000) * 0.08
        self.shown = f"right within {self.error_ns:.1f} ns"
        text = plan_text(TESTS, dut=fifo(100, "40M"), library="twin")
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", "run.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)

    def state(self, change):
        """Changes what the run file says of its device."""
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            device = json.loads(database.execute("SELECT tester FROM run").fetchone()[0])
            change(device)
            database.execute("UPDATE run SET tester = ?", (json.dumps(device),))
            database.commit()

    def reports(self):
        """(what is printed, the JSON, the page)"""
        done = self.fpgauge("report", "run.db", "--json", "run.json", "--html", "run.html", "--csv", "tables")
        self.assertEqual(done.returncode, DONE, done.stderr)
        return done.stdout, self.result("run.json"), xml.etree.ElementTree.parse(self.path("run.html")).getroot()

    def sheets(self):
        for name in sorted(os.listdir(self.path("tables"))):
            with open(self.path(os.path.join("tables", name)), encoding="utf-8", newline="") as file:
                yield name, list(csv.DictReader(file))

    def captions(self, page):
        """(name of a table, caption, names of the values in it)"""
        for table in page.iter(HTML + "table"):
            caption = "".join(table.find(HTML + "caption").itertext())
            keys = {cell.get("data-key") for cell in table.iter(HTML + "td")} - {None}
            yield table.get("data-table"), caption, keys

    def bounds_in_views(self):
        """{view: the bounds in it}, of those that have rows. Each view with times in nanoseconds has the column, no other does."""
        found = {}
        with contextlib.closing(sqlite3.connect(f"file:{self.path('run.db')}?mode=ro", uri=True)) as database:
            for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'").fetchall():
                bound = "latency_error_ns" if name == "loss_over_load" else "Latency error, ns"
                columns = {row[1] for row in database.execute(f"PRAGMA table_xinfo({name})")}
                has_times = set(TIME_IN_VIEW.findall(sql)) - {"latency_error_ns"} != set()
                self.assertEqual(bound in columns, has_times, name)
                rows = database.execute(f'SELECT DISTINCT "{bound}" FROM {name}').fetchall() if has_times else []
                found.update({name: {value for value, in rows}} if rows else {})
        return found

    def test_the_bound_of_a_card_is_beside_every_latency_and_jitter(self):
        self.state(lambda device: device.update(latency_error_ns=self.error_ns, gaps_measured="before the MAC"))
        printed, report, page = self.reports()
        for result in report["results"]:
            self.assertEqual(result["latency_error_ns"], self.error_ns)
        seen = {"latency": set(), "jitter": set(), "neither": set()}
        for name, caption, keys in self.captions(page):
            if name in ("summary", "values", "latency_histogram"):
                continue
            kind = "latency" if any(map(LATENCY.search, keys)) else "jitter" if any(map(JITTER.search, keys)) else "neither"
            seen[kind].add(name)
            self.assertEqual(caption.endswith(f"; {kind} {self.shown}"), kind != "neither", (name, caption, keys))
        self.assertLessEqual({"throughput_trial", "ports", "flows", "tagged_latency", "latency_every_frame", "latency_percentiles",
                              "loss_over_load", "tags"}, seen["latency"])
        self.assertTrue(seen["jitter"] and "back_to_back" in seen["neither"], seen)
        text = "".join(page.itertext())
        self.assertIn(f"Results at a glance; latency {self.shown}", text)  # one of the answers is a latency
        # Charts of latency, the histogram of it, and how it grows with load; throughput, bursts and loss have none.
        charts = {figure.get("data-chart"): "".join(figure.itertext())
                  for figure in page.iter(HTML + "figure")}
        with_bound = {name for name, words in charts.items() if f"Latency is {self.shown}." in words.split("points are in the table")[0]}
        self.assertTrue(with_bound and len(with_bound) < len(charts), charts.keys())
        headings = [line for line in printed.splitlines() if self.shown in line]
        self.assertTrue(any(line.startswith("  Latency   ") for line in headings))
        self.assertTrue(any(line.endswith(f"; latency {self.shown}") for line in headings), printed)
        for name, rows in self.sheets():
            latencies = [key for key in rows[0] if "latency" in key and key.endswith("_ns")]
            if name == "info.csv" or not latencies:
                continue
            self.assertEqual({float(row["latency_error_ns"]) for row in rows}, {self.error_ns}, name)
        self.assertEqual(self.bounds_in_views(), {name: {self.error_ns} for name in VIEWS})

    def test_where_nothing_moves_a_frame_nothing_is_said_of_it(self):
        printed, report, page = self.reports()
        self.assertEqual({result["latency_error_ns"] for result in report["results"]}, {0})
        self.assertEqual(self.bounds_in_views(), {name: {0} for name in VIEWS})
        self.assertEqual(BOUND.findall(printed + "".join(page.itertext())), [])

    def test_a_report_of_a_device_that_states_nothing_has_no_bound(self):
        self.state(lambda device: device.pop("latency_error_ns"))
        printed, report, page = self.reports()
        self.assertTrue(all("latency_error_ns" not in result for result in report["results"]))
        self.assertEqual(self.bounds_in_views(), {name: {None} for name in VIEWS})
        self.assertEqual(BOUND.findall(printed + "".join(page.itertext())), [])
        for name, rows in self.sheets():
            if name == "ports.csv":
                self.assertEqual({row["latency_error_ns"] for row in rows}, {""})


if __name__ == "__main__":
    main()
