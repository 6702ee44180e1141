#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Started with standard input, output or error closed, as a careless service does: no file or pipe that is opened later
receives the output, and results are not lost silently."""

import os
import subprocess
import unittest

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, WRONG_PLAN, SystemCase, plan_text

EXAMPLES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "docs", "examples")
TESTER = os.path.abspath(os.path.join(EXAMPLES, "exec_tester.py"))
PLAN = f"""device = {{ backend = "exec"; command = ["python3", "{TESTER}", "40M", "500"]; }};
link = {{ speed = "100G"; }};
run = ( {{ test = "throughput"; frame_sizes = [64]; resolution = "5%"; trial_duration = "1s"; }} );
"""


class ClosedDescriptors(SystemCase):
    def closed(self, which, *arguments):
        """The program, started with those descriptors closed."""
        redirections = {0: "<&-", 1: ">&-", 2: "2>&-"}
        command = f'exec "$0" "$@" {" ".join(redirections[fd] for fd in which)}'
        return subprocess.run(["sh", "-c", command, FPGAUGE, *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=IN_VAIN_S, check=False)

    def test_a_run_with_an_external_tester_measures_the_same_whatever_is_closed(self):
        plan = self.write("plan.cfg", PLAN)
        results = []
        for which in [(), (0,), (0, 1), (1, 2), (0, 1, 2)]:
            with self.subTest(closed=which):
                name = "result" + "".join(map(str, which))
                done = self.closed(which, "run", plan, "--db", self.path(f"{name}.db"), "--json", name, "--quiet")
                self.assertEqual((done.returncode, done.stdout), (DONE, ""), done.stderr)
                results.append(self.result(name)["results"])
                self.assertEqual(results[-1], results[0])

    def test_a_report_that_would_go_nowhere_is_refused_before_the_first_trial(self):
        plan = self.write("plan.cfg", PLAN)
        for which in [(1,), (0, 1)]:
            for arguments in [[], ["--json", "-"], ["--html", "-", "--quiet"]]:
                with self.subTest(closed=which, arguments=arguments):
                    done = self.closed(which, "run", plan, "--db", self.path("run.db"), *arguments)
                    self.assertEqual(done.returncode, WRONG_PLAN)
                    self.assertIn("standard output is closed, and the report goes there", done.stderr)
                    self.assertEqual(done.stderr.count("\n"), 1)
                    self.assertFalse(os.path.exists(self.path("run.db")))

    def test_no_command_loses_what_it_prints_without_a_word(self):
        plan = self.write("plan.cfg", plan_text(['test = "throughput"'], dut='model = "wire";', library="twin"))
        for command in [["help"], ["help", "plan"], ["version"], ["devices"], ["check", plan], ["selftest", "sim:twin"],
                        ["watch", "sim:twin", "--count", "1"], ["report", "none.db"]]:
            with self.subTest(command=command):
                done = self.closed((1,), *command)
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertRegex(done.stderr, r"\Afpgauge \w+: .*(output cannot be written|output is closed)")
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
