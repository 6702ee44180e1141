#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A gate: the accepted runs of the same plan as the baseline, and the comparison as JUnit and as Markdown."""

import json
import os
import random
import re
import sqlite3
import subprocess
import xml.etree.ElementTree as xml

from fpgauge_system import DONE, FPGAUGE, INVALID, NO_BASE, ROOT, SEED, UNCLEAR, WRONG_PLAN, SystemCase, main, plan_text

TEST = 'test = "throughput"; frame_sizes = [{sizes}]; trial_duration = "{duration}"; resolution = "{resolution}"; settle = "0s"; drain = "1ms"; {more}'
FIFO = 'model = "fifo"; buffer_frames = 100; service_fps = "{service}%"; latency_ns = 800'
FAILS = {"worse", "unclear", "missing", "invalid", "differs"}


class Baseline(SystemCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("runs"))

    def measure(self, name, started=None, service=50, sizes="64, 512", duration="200us", more="", info="", expect=DONE, library="twin",
                resolution="1%", accepted=False):
        """A run, dated as it should be: runs of this test are made within a second."""
        text = info + plan_text([TEST.format(sizes=sizes, duration=duration, more=more, resolution=resolution)], dut=FIFO.format(service=service), library=library)
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", name, "--quiet")
        self.assertEqual(done.returncode, expect, done.stderr)
        if started:
            self.change(name, f"UPDATE run SET started = '2026-01-{started:02}T00:00:00Z'")
        if accepted:
            self.mark(name)
        return name

    def mark(self, name, reason=None):
        """As docs/results.md says that an accepted run is marked."""
        with sqlite3.connect(self.path(name)) as database:
            (started, finished), = database.execute("SELECT started, finished FROM run")
        self.write(name + ".accepted", json.dumps({"fpgauge_accepted": 1, "started": started, "finished": finished,
                                                   "accepted": finished, "by": "person" if reason else "gate", "reason": reason}))

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
            self.measure("one.db", day, sizes=sizes, accepted=True)
            for end in (b"", b".accepted"):
                os.rename(os.fsencode(self.path("one.db")) + end, os.path.join(os.fsencode(self.path("runs")), name + end))
        self.write("text.db", "no run file\n")
        os.rename(os.fsencode(self.path("text.db")), os.path.join(os.fsencode(self.path("runs")), b"d-\xf8.db"))
        path, passed_over = self.chosen(new)
        self.assertEqual(path, "runs/b-\ufffd.db")
        self.assertEqual(set(passed_over), {"c-\ufffd\ufffd.db", "d-\ufffd.db"})
        self.assertEqual(self.result("compared.json")["baseline"]["runs"][0]["path"], "runs/a-\ufffd.db")

    def test_the_accepted_runs_of_the_same_plan_are_taken_and_each_other_says_why_not(self):
        new = self.measure("new.db", 20, info='info = { dut = "S-48"; firmware = "2"; };')
        self.measure("runs/a-good.db", 3, info='info = { dut = "S-48"; firmware = "1"; };', accepted=True)
        self.measure("runs/b-last.db", 5, accepted=True)
        self.measure("runs/c-older.db", 4, accepted=True)
        self.measure("runs/d-future.db", 21, accepted=True)
        self.measure("runs/e-incomplete.db", 6)
        self.change("runs/e-incomplete.db", "UPDATE run SET incomplete = 'Ctrl-C'")
        self.measure("runs/f-limit.db", 7, more='require = { throughput_percent = "99%"; };', expect=INVALID)
        self.measure("runs/g-size.db", 8, sizes="64, 511", accepted=True)
        self.measure("runs/h-more.db", 9, sizes="64, 128, 512")
        self.measure("runs/i-duration.db", 10, duration="300us")
        self.measure("runs/j-device.db", 11, info='info = { dut = "S-24"; };')
        self.write("runs/k-text.db", "no run file\n")
        self.write("runs/l-other.txt", "not looked at\n")
        self.measure("runs/m-nobody.db", 12)
        self.measure("runs/n-other.db", 13, accepted=True)  # the mark is of a run that had this name before
        self.change("runs/n-other.db", "UPDATE run SET finished = '2026-01-13T00:01:00Z'")
        path, others = self.chosen(new)
        self.assertEqual(path, "runs/b-last.db")
        self.assertEqual([run["path"] for run in self.result("compared.json")["baseline"]["runs"]],
                         ["runs/a-good.db", "runs/c-older.db", "runs/b-last.db"])
        self.assertEqual(set(others), {"d-future.db", "e-incomplete.db", "f-limit.db", "g-size.db", "h-more.db", "i-duration.db", "j-device.db",
                                       "k-text.db", "m-nobody.db", "n-other.db"})
        for name, says in (("d-future", "began after NEW"), ("e-incomplete", "incomplete"),
                           ("f-limit", "limits"), ("g-size", "no result of throughput at 512 octets"),
                           ("h-more", "only it has a result of throughput at 128 octets"), ("i-duration", "another plan"),
                           ("j-device", "another device under test: S-24"), ("k-text", "k-text.db"), ("m-nobody", "nobody accepted it"),
                           ("n-other", "nobody accepted it")):
            self.assertIn(says, others[name + ".db"])
        self.mark("runs/c-older.db", "a new level")
        path, others = self.chosen(new)
        self.assertEqual([run["path"] for run in self.result("compared.json")["baseline"]["runs"]], ["runs/c-older.db", "runs/b-last.db"])
        self.assertEqual(others["a-good.db"], "it is older")

    def test_the_choice_is_the_one_of_the_definition_in_any_order_of_files(self):
        draw = random.Random(SEED)
        self.measure("new.db", 15)
        days = draw.sample([day for day in range(1, 29) if day != 15], 6)
        good, level = {}, 0
        for number, day in enumerate(days):
            name = f"runs/{number}.db"
            self.measure(name, day)
            kind = draw.choice(("incomplete", "nobody", "gate", "gate", "person"))
            if kind == "incomplete":
                self.change(name, "UPDATE run SET incomplete = 'stopped'")
            elif kind != "nobody":
                self.mark(name, "so" if kind == "person" else None)
                if day < 15:
                    good[day] = name
                    level = max(level, day) if kind == "person" else level
        if good:
            self.chosen("new.db")
            self.assertEqual([run["path"] for run in self.result("compared.json")["baseline"]["runs"]],
                             [good[day] for day in sorted(good) if day >= level])
        else:
            self.assertEqual(self.gate("new.db")[0], NO_BASE)

    def test_a_folder_in_which_nothing_is_accepted_says_so_by_an_exit_code_of_its_own(self):
        new = self.measure("runs/new.db", 5)
        code, shown, _ = self.gate(new)
        self.assertEqual(code, NO_BASE)
        self.assertIn("No run of this plan in runs is accepted: accept the first one with --accept", shown)
        self.measure("runs/other.db", 6)
        code, shown, _ = self.gate(new)
        self.assertEqual(code, NO_BASE)
        self.assertIn("not runs/other.db: it began after NEW", shown)
        self.assertIn("nowhere: cannot be read", self.fpgauge("compare", "--baseline-dir", "nowhere", new).stderr)
        # a folder of a version that knew no acceptance: which level is right, only a person knows
        code, shown, _ = self.gate("runs/other.db", "--accept")
        self.assertEqual(code, NO_BASE)
        self.assertIn("though 1 could be: accept one whose level is right, with --accept-because REASON", shown)
        self.assertFalse(os.path.exists(self.path("runs/other.db.accepted")))
        self.assertEqual(self.gate(new, "--accept-because", "measured by hand")[0], DONE)
        self.assertEqual(self.gate("runs/other.db", "--accept")[0], DONE)
        self.assertEqual(self.gate("runs/other.db", "--quiet", "--junit", "c.xml", "--markdown", "c.md")[0], DONE)

    def test_the_first_run_is_no_failure_in_any_form(self):
        new = self.measure("runs/new.db", 5)
        code, _, _ = self.gate(new, "--accept", "--quiet", "--json", "c.json", "--junit", "c.xml", "--markdown", "c.md")
        self.assertEqual(code, NO_BASE)
        self.assertEqual((self.result("c.json")["verdict"], self.result("c.json")["accepted"]), ("no_base", True))
        done = subprocess.run(["xmllint", "--noout", "--schema", os.path.join(ROOT, "docs", "junit.xsd"), self.path("c.xml")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        suite, = xml.parse(self.path("c.xml")).getroot()
        self.assertEqual((suite.get("failures"), suite.get("skipped")), ("0", "1"))
        with open(self.path("c.md"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("### fpgauge: no baseline yet\n"))

    def test_a_regression_is_red_until_somebody_accepts_it(self):
        codes = []
        for day, service in ((1, 50), (2, 38), (3, 38), (4, 50)):
            codes.append(self.gate(self.measure(f"runs/{day}.db", day, service=service), "--accept")[0])
        self.assertEqual(codes, [NO_BASE, INVALID, INVALID, DONE])
        code, shown, _ = self.gate(self.measure("runs/5.db", 5, service=38), "--accept-because", "the new firmware checks all frames")
        self.assertEqual(code, DONE, shown)
        self.assertEqual(self.result("runs/5.db.accepted")["reason"], "the new firmware checks all frames")
        self.assertEqual(self.gate(self.measure("runs/6.db", 6, service=38), "--accept")[0], DONE)
        self.assertEqual(self.gate(self.measure("runs/7.db", 7, service=28), "--accept")[0], INVALID)

    def test_a_single_value_counts_in_a_simulation_but_not_where_linux_is_part_of_it(self):
        """The description of the tester says so: real_time."""
        runs = [self.measure(name, service=service, sizes="64", resolution="0.05%") for name, service in (("base.db", 50), ("new.db", 48))]
        self.assertEqual(self.fpgauge("compare", *runs).returncode, INVALID)
        self.change("new.db", "UPDATE run SET tester = json_set(tester, '$.real_time', json('true'))")
        self.assertEqual(self.fpgauge("compare", *runs).returncode, UNCLEAR)

    def test_small_steps_down_are_not_green_one_by_one(self):
        codes, service = [], 50.0
        for day in range(1, 7):
            new = self.measure(f"runs/{day}.db", day, service=round(service, 3), sizes="64", resolution="0.05%")
            codes.append(self.gate(new, "--accept")[0])
            service *= 0.992
        self.assertEqual(codes, [NO_BASE, DONE] + 4 * [INVALID])
        self.assertTrue(os.path.exists(self.path("runs/2.db.accepted")))
        self.assertFalse(os.path.exists(self.path("runs/3.db.accepted")))

    def test_a_slower_device_fails_the_gate_in_every_form(self):
        new = self.measure("new.db", 9, service=35)
        self.measure("runs/a.db", 1, accepted=True)
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
        self.measure("runs/a.db", 1, accepted=True)
        self.assertEqual(self.gate(new, "--quiet", "--markdown", "c.md", "--junit", "c.xml")[0], DONE)
        with open(self.path("c.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("### fpgauge: no change for the worse\n"))
        self.assertNotIn("|", text)
        self.assertEqual(xml.parse(self.path("c.xml")).getroot()[0].get("failures"), "0")

    def test_markup_of_others_stays_text(self):
        self.measure("runs/a|b`<b>@x.db", 1, accepted=True)
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

    def test_the_gate_of_the_examples_says_the_same_by_exit_code_and_by_junit(self):
        ci = os.path.join(ROOT, "docs", "examples", "ci")
        plan = self.write("gate.cfg", plan_text([TEST.format(sizes="64", duration="200us", resolution="1%", more="")],
                                                dut=FIFO.format(service=50), library="twin"))
        for settings, reason, code, failures, suites in (
                ((), None, DONE, 0, {"comparison"}), ((), None, DONE, 0, {"comparison"}),
                (("dut.service_fps=30%",), None, INVALID, 1, {"comparison"}), (("dut.service_fps=30%",), None, INVALID, 1, {"comparison"}),
                (("dut.service_fps=45%",), None, INVALID, 1, {"comparison"}), (("dut.latency_ns=x",), None, WRONG_PLAN, 1, {"gate"}),
                (("dut.service_fps=30%",), "so be it", DONE, 1, {"comparison"}), (("dut.service_fps=30%",), None, DONE, 0, {"comparison"})):
            with self.subTest(settings=settings, reason=reason):
                self.write("junit.xml", "an old one\n")
                environment = {**os.environ, "FPGAUGE": FPGAUGE, "FPGAUGE_ACCEPT_BECAUSE": reason or ""}
                done = subprocess.run(["sh", os.path.join(ci, "gate.sh"), plan, "runs", *(word for one in settings for word in ("--set", one))],
                                      cwd=self.scratch, env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                lint = subprocess.run(["xmllint", "--noout", "--schema", os.path.join(ROOT, "docs", "junit.xsd"), self.path("junit.xml")],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(lint.returncode, 0, lint.stderr)
                found = list(xml.parse(self.path("junit.xml")).getroot())
                self.assertLessEqual(suites, {suite.get("name") for suite in found})
                self.assertEqual(sum(int(suite.get("failures")) for suite in found) > 0, failures > 0)

    def test_an_old_junit_is_not_left_for_a_run_that_has_none(self):
        self.write("junit.xml", "an old one\n")
        self.assertEqual(self.fpgauge("run", "nowhere.cfg", "--junit", "junit.xml").returncode, WRONG_PLAN)
        self.assertFalse(os.path.exists(self.path("junit.xml")))
        self.write("c.xml", "an old one\n")
        self.assertEqual(self.fpgauge("compare", "nowhere.db", "nowhere.db", "--junit", "c.xml").returncode, WRONG_PLAN)
        self.assertFalse(os.path.exists(self.path("c.xml")))

    def test_a_run_that_is_not_good_is_not_accepted(self):
        new = self.measure("runs/new.db", more='require = { throughput_percent = "99%"; };', expect=INVALID)
        code, shown, _ = self.gate(new, "--accept")
        self.assertEqual(code, NO_BASE)
        self.assertIn("this one cannot be: a result is invalid, or not within the limits of its plan", shown)
        code, _, complaint = self.gate(new, "--accept-because", "I say so")
        self.assertEqual(code, WRONG_PLAN)
        self.assertIn("runs/new.db: cannot be accepted: a result is invalid", complaint)
        self.assertFalse(os.path.exists(self.path("runs/new.db.accepted")))

    def test_wrong_arguments_are_refused(self):
        new = self.measure("new.db")
        for arguments, says in (((new,), "--baseline-dir DIR"), (("--baseline-dir", "runs"), "one run file must be given, NEW"),
                                (("--baseline-dir", "runs", new, new), "one run file must be given, NEW"),
                                ((new, new, "--accept"), "--accept: --baseline-dir DIR must be given"),
                                (("--baseline-dir", "runs", new, "--accept", "--accept-because", "x"), "give one of them"),
                                (("--baseline-dir", "runs", new, "--accept-because", ""), "must say why"),
                                (("--baseline-dir", "runs", new, "--accept"), "new.db: cannot be accepted: only a file NAME.db in the folder runs"),
                                ((new, new, "--markdown", "nowhere/c.md"), "--markdown nowhere/c.md: cannot be written"),
                                ((new, new, "--junit", "nowhere/c.xml"), "--junit nowhere/c.xml: cannot be written")):
            done = self.fpgauge("compare", *arguments)
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    main()
