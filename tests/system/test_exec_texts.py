#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts from outside: names, paths and messages of any octets and any length make a complete report, or one line before
the first trial."""

import os

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fpgauge_system import DONE, WRONG_DEVICE, WRONG_PLAN, main

THROUGHPUT = 'test = "throughput"; frame_sizes = [64, 128]; trial_duration = "2s"; resolution = "1%"'
SMILE = "\U0001f600"  # four octets


def command(*arguments):
    quoted = ", ".join(f'"{argument}"' for argument in ("python3", "-S", "tester.py", *arguments))
    return plan_text([THROUGHPUT]).replace('["python3", "-S", "tester.py"]', f"[{quoted}]")


class Texts(ExecTesterCase):
    def refused(self, *arguments, says):
        before = set(os.listdir(self.scratch))
        done = self.fpgauge(*arguments)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(set(os.listdir(self.scratch)), before, "something was begun")

    def test_a_plan_whose_path_is_no_utf8_is_refused_before_the_first_trial(self):
        self.write("tester.py", tester_text())
        name = b"pl\xe4n.cfg"
        with open(os.path.join(self.scratch.encode(), name), "w", encoding="utf-8") as file:
            file.write(plan_text([THROUGHPUT]))
        for command_name in ("run", "check"):
            self.refused(command_name, os.fsdecode(name), says=("PLAN pl\ufffdn.cfg: octet 3, 0xe4: must be UTF-8",))

    def test_a_plan_or_setting_whose_text_is_no_utf8_is_refused_before_the_first_trial(self):
        self.write("tester.py", tester_text())
        self.write("plan.cfg", plan_text([THROUGHPUT]).encode() + b"# Ger\xe4t\n")
        self.refused("run", "plan.cfg", says=("plan.cfg:6: octet 0xe4: must be UTF-8",))
        self.write("plan.cfg", plan_text([THROUGHPUT]))
        self.refused("run", "plan.cfg", "--set", os.fsdecode(b"device.command=[\"a\xe4\"]"), says=("must be UTF-8",))
        self.refused("run", "plan.cfg", "--set", os.fsdecode(b"ger\xe4t=1"), says=("--set",))

    def test_a_long_command_is_cut_between_characters(self):
        """Its name in the report has 255 octets; four lengths before it put the cut at every position within a
        character."""
        self.write("tester.py", tester_text())
        for shift in range(4):
            with self.subTest(shift=shift):
                report, _ = self.run_plan(command("x" * shift + SMILE * 80), "--quiet", "--db", f"{shift}.db")
                name = report["device"]["name"]
                self.assertTrue(name.startswith("python3 -S tester.py " + "x" * shift + SMILE), name)
                self.assertTrue(name.endswith(SMILE + "..."), name)
                self.assertGreater(len(name.encode()), 248)

    def test_a_run_that_ends_early_says_why_whatever_was_cut(self):
        self.write("tester.py", tester_text('say("no JSON\\n")'))
        for shift in range(4):
            with self.subTest(shift=shift):
                report, done = self.run_plan(command("x" * shift + SMILE * 80), "--quiet", "--db", f"{shift}.db",
                                             expect=WRONG_DEVICE)
                self.assertIn(SMILE + "...: trial ", report["incomplete"])
                self.assertIn(report["incomplete"], done.stderr)
                invalid = [result for result in report["results"] if not result["valid"]]
                self.assertTrue(invalid)
                for result in invalid:
                    self.assertIsInstance(result["why_invalid"], str)

    def test_octets_of_a_tester_that_are_no_utf8_are_quoted(self):
        self.write("tester.py", tester_text('sys.stdout.buffer.write(b"\\xff\\xfe\\n"); sys.stdout.flush()'))
        report, _ = self.run_plan(command(), "--quiet", "--db", "run.db", expect=WRONG_DEVICE)
        self.assertIn(r'in the answer "\xff\xfe"', report["incomplete"])

    def test_folders_may_have_any_name(self):
        """The run file's own name is only in events, and the folder of the plan nowhere in JSON."""
        folder = os.path.join(self.scratch.encode(), b"f\xfflder")
        os.mkdir(folder)
        self.write("tester.py", tester_text())
        database = os.fsdecode(os.path.join(folder, b"r\xff.db"))
        self.run_plan(plan_text([THROUGHPUT]), "--quiet", "--db", database, "--events", "events", expect=DONE)
        with open(self.path("events"), encoding="utf-8") as file:
            self.assertIn('r\ufffd.db"', file.readline())
        done = self.fpgauge("report", database, "--html", "r.html", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))


if __name__ == "__main__":
    main()
