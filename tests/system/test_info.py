#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a lab files with a report: who measured what and where, Gb/s of both layers, jitter, each direction, and a PDF."""

import csv
import os
import random
import re
import shutil
import sqlite3
import stat
import unittest
import xml.etree.ElementTree as xml
import zlib

import browser
from fpgauge_system import DONE, SEED, WRONG_PLAN, SystemCase, main, plan_text

KEYS = ("title", "dut", "firmware", "operator", "site", "notes")
TEST = 'test = "throughput"; frame_sizes = [{sizes}]; trial_duration = "200us"; resolution = "1%"; settle = "0s"; drain = "1ms";'
WIRE = 'model = "wire"'


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Info(SystemCase):
    def plan(self, texts, tests=(TEST.format(sizes="64"),), dut=WIRE):
        group = " ".join(f"{key} = {quoted(text)};" for key, text in texts.items())
        return f"info = {{ {group} }};\n" + plan_text(tests, dut=dut, library="twin")

    def test_every_report_has_the_texts_of_the_plan_and_the_run_file_keeps_them(self):
        texts = {key: f'{key} "of" <b>&amp; Zürich, {number}</b>' for number, key in enumerate(KEYS)}
        report, done = self.run_plan(self.plan(texts), "--db", "a.db", "--csv", "tables", "--junit", "a.xml", "--html", "a.html")
        self.assertEqual(report["info"], texts)
        for key, text in texts.items():
            self.assertRegex(done.stdout, rf"(?m)^  {key.capitalize()} +{re.escape(text)}$")
        with open(self.path("tables/info.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(list(csv.reader(file))[1:], [list(pair) for pair in texts.items()])
        properties = {one.get("name"): one.get("value") for one in xml.parse(self.path("a.xml")).iter("property")}
        self.assertEqual({key: properties["info." + key] for key in KEYS}, texts)
        words = "".join(xml.parse(self.path("a.html")).getroot().itertext())
        for text in texts.values():
            self.assertIn(text, words)
        with sqlite3.connect(self.path("a.db")) as database:
            self.assertEqual(dict(database.execute("SELECT key, text FROM info ORDER BY number")), texts)
        self.assertEqual(self.fpgauge("report", "a.db", "--json", "again.json", "--quiet").returncode, DONE)
        self.assertEqual(self.result("again.json"), report)

    def test_set_gives_a_text_and_a_plan_without_any_has_no_info(self):
        report, _ = self.run_plan(plan_text([TEST.format(sizes="64")], dut=WIRE, library="twin"), "--db", "a.db",
                                  "--set", 'info.firmware="1.2.3"')
        self.assertEqual(report["info"], {"firmware": "1.2.3"})
        report, done = self.run_plan(plan_text([TEST.format(sizes="64")], dut=WIRE, library="twin"), "--csv", "tables", "--db", "b.db")
        self.assertNotIn("info", report)
        self.assertFalse(os.path.exists(self.path("tables/info.csv")))
        self.assertNotIn("Firmware", done.stdout)

    def test_a_run_file_with_an_empty_table_says_nothing_and_one_with_a_broken_table_is_refused(self):
        self.run_plan(self.plan({"firmware": "1"}), "--db", "a.db")
        for change, code, says in (("DELETE FROM info", DONE, ""), ("INSERT INTO info VALUES (1, 'firmware', x'33')", WRONG_PLAN, "info"),
                                   ("UPDATE info SET key = char(27) || '[2J', text = '3'", WRONG_PLAN, "not 1 to 20 letters"),
                                   ("UPDATE info SET key = ''", WRONG_PLAN, "not 1 to 20 letters"),
                                   ("UPDATE info SET key = 'a' || hex(zeroblob(10))", WRONG_PLAN, "not 1 to 20 letters"),
                                   (f"UPDATE info SET key = '{'a' * 21}'", WRONG_PLAN, "not 1 to 20 letters"),
                                   (f"UPDATE info SET key = '{'a' * 20}', text = char(27)", DONE, ""),
                                   ("DROP TABLE info", WRONG_PLAN, "it has no column info.key TEXT"),
                                   ("CREATE TABLE info (number, key, text)", WRONG_PLAN, "it has no column info.key TEXT")):
            with sqlite3.connect(self.path("a.db")) as database:
                database.execute(change)
            done = self.fpgauge("report", "a.db", "--json", "b.json", "--quiet")
            self.assertEqual(done.returncode, code, f"{change}: {done.stderr}")
            self.assertIn(says, done.stderr)
            if code == DONE and "UPDATE" not in change:
                self.assertNotIn("info", self.result("b.json"))
            self.assertNotIn("\x1b", self.fpgauge("report", "a.db").stdout)

    def test_what_is_no_text_or_no_key_is_refused_with_its_line(self):
        for group, says in (("info = { firmware = true; };", 'info.firmware = true: must be text, in quotes, or a number'),
                            ('info = { version = "3"; };', "info.version"), ('info = "x";', "info"),):
            done = self.fpgauge("check", self.write("bad.cfg", f"{group}\n" + plan_text([TEST.format(sizes="64")], library="twin")))
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertRegex(done.stderr, rf"bad\.cfg:1: .*{re.escape(says)}")

    def test_gigabits_of_both_layers_and_jitter_follow_from_the_other_values(self):
        draw = random.Random(SEED)
        sizes = sorted(draw.sample(range(64, 1519), 3))
        service = draw.randrange(20, 90)
        dut = f'model = "fifo"; buffer_frames = 97; service_fps = "{service}%"; latency_ns = {draw.randrange(100, 5000)}'
        report, _ = self.run_plan(self.plan({}, (TEST.format(sizes=", ".join(map(str, sizes))),), dut))
        self.assertEqual(len(report["results"]), len(sizes))
        for result, size in zip(report["results"], sizes):
            with self.subTest(size=size):
                self.assertGreater(result["throughput_fps"], 0)
                self.assertAlmostEqual(result["layer_1_gbps"], result["throughput_fps"] * 8 * (size + 20) / 1e9, places=6)
                self.assertAlmostEqual(result["layer_2_gbps"], result["throughput_fps"] * 8 * size / 1e9, places=6)
                for key in ("mean", "p99_9", "max"):
                    self.assertAlmostEqual(result[f"pdv_{key}_ns"], max(0, result[f"latency_{key}_ns"] - result["latency_min_ns"]), places=6)

    def test_of_a_mix_the_layers_are_those_of_its_average_length(self):
        test = TEST.replace("frame_sizes = [{sizes}];", 'traffic = { sizes = "imix"; };')
        report, _ = self.run_plan(self.plan({}, (test,)))
        result, = report["results"]
        octets = 100e9 / 8 / result["max_theoretical_fps"] - 20
        self.assertAlmostEqual(result["layer_2_gbps"], result["throughput_fps"] * 8 * octets / 1e9, places=6)
        self.assertAlmostEqual(result["layer_1_gbps"], result["throughput_percent"], places=6)  # percent of 100 Gb/s

    def test_the_page_has_both_directions_of_two_ports(self):
        self.run_plan(self.plan({}), "--db", "a.db", "--html", "a.html")
        with open(self.path("a.html"), encoding="utf-8") as file:
            page = file.read()
        for name, columns in (("ports", "From"), ("flows", "From port")):
            table, = re.findall(rf'<table[^>]*="{name}".*?</table>', page, re.S)
            self.assertEqual(len(re.findall("<tr[ >]", table)), 1 + 2, columns)

    def test_a_pdf_is_printed_and_nothing_is_left_behind(self):
        browser.require()
        os.mkdir(self.path("tmp"))
        self.environment = {**os.environ, "TMPDIR": self.path("tmp")}
        self.run_plan(self.plan({"title": "A title"}), "--db", "a.db", "--pdf", "a.pdf")
        with open(self.path("a.pdf"), "rb") as file:
            data = file.read()
        self.assertTrue(data.startswith(b"%PDF-"))
        self.assertIn(b"%%EOF", data[-32:])
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", data)), 1)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def printers(self, **scripts):
        """A PATH with these programs, and what a report needs besides."""
        folder = self.path("bin")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        os.symlink(shutil.which("gnuplot"), os.path.join(folder, "gnuplot"))
        for name, text in scripts.items():
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/bash\n" + text)
            os.chmod(path, stat.S_IRWXU)
        self.environment = {**os.environ, "PATH": folder}

    def test_without_a_program_to_print_it_is_refused_before_the_first_trial(self):
        self.printers()
        done = self.fpgauge("run", self.write("plan.cfg", self.plan({})), "--db", "a.db", "--pdf", "a.pdf")
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn("install the package chromium or weasyprint", done.stderr)
        self.assertFalse(os.path.exists(self.path("a.db")))

    def test_weasyprint_prints_where_there_is_no_browser_and_a_program_that_fails_is_named(self):
        self.run_plan(self.plan({}), "--db", "a.db")
        self.printers(weasyprint='read -r line < "$1"; echo "%PDF- of $line" > "$2"\n')
        self.assertEqual(self.fpgauge("report", "a.db", "--pdf", "a.pdf", "--quiet").returncode, DONE)
        with open(self.path("a.pdf"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "%PDF- of <!DOCTYPE html>\n")
        for script, says in (("exit 3\n", "exit status 3"), ("exit 0\n", "exit status 0")):
            self.printers(weasyprint=script)
            os.unlink(self.path("a.pdf"))
            done = self.fpgauge("report", "a.db", "--pdf", "a.pdf", "--quiet")
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertRegex(done.stderr, f"--pdf: weasyprint made no PDF: it ended with {says}")
            self.assertFalse(os.path.exists(self.path("a.pdf")))
            self.write("a.pdf", "")


    @unittest.skipUnless(shutil.which("weasyprint"), "weasyprint is not installed")
    def test_the_real_weasyprint_prints_a_report_with_its_charts(self):
        self.run_plan(self.plan({}), "--db", "a.db")
        self.printers()
        os.symlink(shutil.which("weasyprint"), self.path("bin/weasyprint"))
        os.symlink(shutil.which("python3"), self.path("bin/python3"))
        done = self.fpgauge("report", "a.db", "--pdf", "a.pdf", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        with open(self.path("a.pdf"), "rb") as file:
            data = file.read()
        self.assertTrue(data.startswith(b"%PDF-"))
        self.assertTrue(data.rstrip().endswith(b"%%EOF"))
        streams = b"".join(zlib.decompress(data[found.end():data.index(b"endstream", found.end())].rstrip(b"\r\n"))
                           for found in re.finditer(rb"/Filter /FlateDecode[^>]*>>\s*stream\r?\n", data))
        # The colour of the first series, #0b6fb8, as a line: no chart but has it.
        self.assertRegex(streams or data, rb"0\.043137\d* 0\.43529\d* 0\.72156\d* RG")


if __name__ == "__main__":
    main()
