#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/repeat-tests: a test that fails now and then is found and counted, and its output is kept."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOOL = os.path.join(ROOT, "tools", "repeat-tests")
# Fails every third time; a file counts.
FLAKY = "echo . >> count; n=$(wc -l < count); echo run $n; test $((n % 3)) != 0"


class RepeatTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = scratch.name
        with open(os.path.join(self.build, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write(f'add_test(a.flaky "sh" "-c" "{FLAKY}")\nadd_test(a.good "true")\nadd_test(b.other "false")\n'
                       .replace("$", "\\$"))

    def repeat(self, *arguments):
        return subprocess.run([sys.executable, "-B", TOOL, "--build", self.build, *arguments], capture_output=True, text=True,
                              check=False)

    def row(self, done, name):
        return next(line.split() for line in done.stdout.splitlines() if line.endswith(f"  {name}"))

    def test_failures_are_counted_a_test_and_their_output_is_kept(self):
        done = self.repeat(r"^a\.", "--times", "7")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.row(done, "a.flaky")[:3], ["2", "0", "7"])
        self.assertEqual(self.row(done, "a.good")[:3], ["0", "0", "7"])
        self.assertNotIn("b.other", done.stdout)
        for number in (3, 6):
            with open(os.path.join(self.build, "repeat-tests", f"a.flaky.{number}.txt"), encoding="utf-8") as file:
                self.assertIn(f"run {number}", file.read())

    def test_none_failed_is_exit_0_and_a_load_ends_with_it(self):
        done = self.repeat("^a.good$", "--times", "2", "--busy", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_load_ends_with_the_tool_also_when_that_is_killed(self):
        with open(os.path.join(self.build, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write('add_test(a.long "sh" "-c" "echo here > here; exec sleep 30")\n')
        with subprocess.Popen([sys.executable, "-B", TOOL, "--build", self.build, "a.long", "--times", "1", "--busy", "1"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as tool:
            while not os.path.exists(os.path.join(self.build, "here")):
                self.assertIsNone(tool.poll())
                time.sleep(0.01)
            load = self.children(tool.pid)
            tool.kill()
        self.assertGreaterEqual(len(load), 1)
        while any(os.path.exists(f"/proc/{pid}") for pid in load):
            time.sleep(0.01)

    def children(self, parent):
        """Process IDs of its children that only cause load."""
        found = subprocess.run(["pgrep", "-P", str(parent), "bash"], capture_output=True, text=True, check=False).stdout
        return [int(pid) for pid in found.split()]

    def test_a_name_that_no_test_has_is_said(self):
        done = self.repeat("^nothing$")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("^nothing$: no test in", done.stderr)


if __name__ == "__main__":
    unittest.main()
