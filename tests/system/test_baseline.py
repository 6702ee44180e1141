#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gate: the last good run of the same plan as the baseline, and the comparison as JUnit and as Markdown."""

import os
import random
import re
import sqlite3
import subprocess
import xml.etree.ElementTree as xml

from fpgauge_system import DONE, INVALID, ROOT, WRONG_PLAN, SystemCase, main, plan_text

TEST = 'test = "throughput"; frame_sizes = [{sizes}]; trial_duration = "{duration}"; resolution = "1%"; settle = "0s"; drain = "1ms"; {more}'
FIFO = 'model = "fifo"; buffer_frames = 100; service_fps = "{service}%"; latency_ns = 800'
FAILS = {"worse", "missing", "invalid", "differs"}


class Baseline(SystemCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("runs"))

    def measure(self, name, started=None, service=50, sizes="64, 512", duration="200us", more="", info="", expect=DONE, library="twin"):
        """A run, dated as it should be: runs of this test are made within a second."""
        text = info + plan_text([TEST.format(sizes=sizes, duration=duration, more=more)], dut=FIFO.format(service=service), library=library)
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", name, "--quiet")
        self.assertEqual(done.returncode, expect, done.stderr)
        if started:
            self.change(name, f"UPDATE run SET started = '2026-01-{started:02}T00:00:00Z'")
        return name

    def change(self, name, sql):
        with sqlite3.connect(self.path(name)) as database:
            database.execute(sql)

    def gate(self, new, *arguments):
        done = self.fpgauge("compare", "--baseline-dir", "runs", new, *arguments)
        return done.returncode, done.stdout, done.stderr

    def chosen(self, new):
        done = self.fpgauge("compare", "--baseline-dir", "runs", new, "--json", "compared.json", "--quiet")
        self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
        baseline = self.result("compared.json")["baseline"]
        return baseline["path"], {os.path.basename(one["path"]): one["why"] for one in baseline["passed_over"]}

    def test_names_of_files_that_are_no_utf_8_are_said_as_well_as_they_can_be(self):
        new = self.measure("new.db", 20)
        for name, day, sizes in ((b"a-\xff.db", 3, "64, 512"), (b"b-\xc3.db", 5, "64, 512"), (b"c-\xfe\xff.db", 6, "64, 511")):
            self.measure("one.db", day, sizes=sizes)
            os.rename(os.fsencode(self.path("one.db")), os.path.join(os.fsencode(self.path("runs")), name))
        self.write("text.db", "no run file\n")
        os.rename(os.fsencode(self.path("text.db")), os.path.join(os.fsencode(self.path("runs")), b"d-\xf8.db"))
        path, passed_over = self.chosen(new)
        self.assertEqual(path, "runs/b-\ufffd.db")
        self.assertEqual(set(passed_over), {"a-\ufffd.db", "c-\ufffd\ufffd.db", "d-\ufffd.db"})
        self.assertEqual(passed_over["a-\ufffd.db"], "it is older")

    def test_the_last_good_run_of_the_same_plan_is_taken_and_each_other_says_why_not(self):
        new = self.measure("new.db", 20, info='info = { dut = "S-48"; firmware = "2"; };')
        self.measure("runs/a-good.db", 3, info='info = { dut = "S-48"; firmware = "1"; };')
        self.measure("runs/b-last.db", 5)
        self.measure("runs/c-older.db", 4)
        self.measure("runs/d-future.db", 21)
        self.measure("runs/e-incomplete.db", 6)
        self.change("runs/e-incomplete.db", "UPDATE run SET incomplete = 'Ctrl-C'")
        self.measure("runs/f-limit.db", 7, more='require = { throughput_percent = "99%"; };', expect=INVALID)
        self.measure("runs/g-size.db", 8, sizes="64, 511")
        self.measure("runs/h-more.db", 9, sizes="64, 128, 512")
        self.measure("runs/i-duration.db", 10, duration="300us")
        self.measure("runs/j-device.db", 11, info='info = { dut = "S-24"; };')
        self.write("runs/k-text.db", "no run file\n")
        self.write("runs/l-other.txt", "not looked at\n")
        path, others = self.chosen(new)
        self.assertEqual(path, "runs/b-last.db")
        self.assertEqual(set(others), {"a-good.db", "c-older.db", "d-future.db", "e-incomplete.db", "f-limit.db", "g-size.db", "h-more.db",
                                       "i-duration.db", "j-device.db", "k-text.db"})
        for name, says in (("a-good", "older"), ("c-older", "older"), ("d-future", "began after NEW"), ("e-incomplete", "incomplete"),
                           ("f-limit", "limits"), ("g-size", "no result of throughput at 512 octets"),
                           ("h-more", "only it has a result of throughput at 128 octets"), ("i-duration", "another plan"),
                           ("j-device", "another device under test: S-24"), ("k-text", "k-text.db")):
            self.assertIn(says, others[name + ".db"])
        os.unlink(self.path("runs/b-last.db"))
        self.assertEqual(self.chosen(new)[0], "runs/c-older.db")
        os.unlink(self.path("runs/c-older.db"))
        self.assertEqual(self.chosen(new)[0], "runs/a-good.db")

    def test_the_choice_is_the_one_of_the_definition_in_any_order_of_files(self):
        seed = int(os.environ.get("FPGAUGE_TEST_SEED", random.getrandbits(32)))
        draw = random.Random(seed)
        print(f"FPGAUGE_TEST_SEED={seed}")
        self.measure("new.db", 15)
        days = draw.sample([day for day in range(1, 29) if day != 15], 5)
        good = {}
        for number, day in enumerate(days):
            name = f"runs/{number}.db"
            self.measure(name, day)
            if draw.random() < 0.4:
                self.change(name, "UPDATE run SET incomplete = 'stopped'")
            elif day < 15:
                good[day] = name
        if good:
            self.assertEqual(self.chosen("new.db")[0], good[max(good)], f"seed {seed}")
        else:
            self.assertEqual(self.gate("new.db")[0], WRONG_PLAN, f"seed {seed}")

    def test_new_in_the_folder_is_not_its_own_baseline_and_without_any_it_is_an_error(self):
        new = self.measure("runs/new.db", 5)
        code, shown, complaint = self.gate(new)
        self.assertEqual(code, WRONG_PLAN)
        self.assertIn("none of its 0 other run files can be the baseline", complaint)
        self.measure("runs/other.db", 6)
        code, shown, complaint = self.gate(new)
        self.assertEqual(code, WRONG_PLAN)
        self.assertIn("not runs/other.db: it began after NEW", shown)
        self.assertIn("none of its 1 other", complaint)
        self.assertIn("nowhere: cannot be read", self.fpgauge("compare", "--baseline-dir", "nowhere", new).stderr)

    def test_a_slower_device_fails_the_gate_in_every_form(self):
        new = self.measure("new.db", 9, service=41)
        self.measure("runs/a.db", 1)
        code, shown, _ = self.gate(new)
        self.assertEqual(code, INVALID)
        self.assertIn("Baseline: runs/a.db, of 2026-01-01T00:00:00Z", shown)
        self.assertEqual(self.gate(new, "--quiet", "--json", "c.json", "--junit", "c.xml", "--markdown", "c.md"), (INVALID, "", ""))
        rows = self.result("c.json")["results"]
        failed = [row for row in rows if row["verdict"] in FAILS]
        self.assertGreaterEqual(len(failed), 2)
        done = subprocess.run(["xmllint", "--noout", "--schema", os.path.join(ROOT, "docs", "junit.xsd"), self.path("c.xml")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        suite, = xml.parse(self.path("c.xml")).getroot()
        cases = suite.findall("testcase")
        self.assertEqual(len(cases), len(rows))
        self.assertEqual(int(suite.get("failures")), len(failed))
        for case, row in zip(cases, rows):
            values = {one.get("name"): float(one.get("value")) for one in case.iter("property")}
            self.assertEqual((values["base"], values["new"]), (row["base"]["value"], row["new"]["value"]))
            failure = case.find("failure")
            self.assertEqual(failure is not None, row in failed)
            if failure is not None:
                self.assertEqual((failure.get("type"), failure.get("message")), (row["verdict"], row["why"]))
        with open(self.path("c.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("### fpgauge: FAILS\n"))
        self.assertEqual(text.count("**fails**"), len(failed))
        self.assertEqual({line.count("|") for line in text.splitlines() if line.startswith("|")}, {10})
        same = sum(row["verdict"] == "same" for row in rows)
        self.assertEqual(f"{same} values are the same." in text, same > 0)

    def test_an_equal_device_passes_and_the_markdown_is_a_line(self):
        new = self.measure("new.db", 9)
        self.measure("runs/a.db", 1)
        self.assertEqual(self.gate(new, "--quiet", "--markdown", "c.md", "--junit", "c.xml")[0], DONE)
        with open(self.path("c.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("### fpgauge: no change for the worse\n"))
        self.assertNotIn("|", text)
        self.assertEqual(xml.parse(self.path("c.xml")).getroot()[0].get("failures"), "0")

    def test_markup_of_others_stays_text(self):
        self.measure("runs/a|b`<b>@x.db", 1)
        new = self.measure("new.db", 9)
        self.assertEqual(self.gate(new, "--quiet", "--markdown", "c.md")[0], DONE)
        with open(self.path("c.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIsNone(re.search(r"[|`<>@]", text))
        self.assertIn("a&#124;b&#96;&#60;b&#62;&#64;x.db", text)

    def test_a_comparison_of_nothing_is_a_failed_case(self):
        base, new = self.measure("a.db", sizes="64"), self.measure("b.db", sizes="65")
        done = self.fpgauge("compare", base, new, "--junit", "c.xml")
        self.assertEqual(done.returncode, INVALID)
        suite, = xml.parse(self.path("c.xml")).getroot()
        self.assertEqual(suite.get("failures"), str(len(suite.findall("testcase/failure"))))
        self.assertIn("nothing was compared", suite.findall("testcase/failure")[-1].get("message"))

    def test_wrong_arguments_are_refused(self):
        new = self.measure("new.db")
        for arguments, says in (((new,), "--baseline-dir DIR"), (("--baseline-dir", "runs"), "one run file must be given, NEW"),
                                (("--baseline-dir", "runs", new, new), "one run file must be given, NEW"),
                                ((new, new, "--markdown", "nowhere/c.md"), "--markdown nowhere/c.md: cannot be written"),
                                ((new, new, "--junit", "nowhere/c.xml"), "--junit nowhere/c.xml: cannot be written")):
            done = self.fpgauge("compare", *arguments)
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    main()
