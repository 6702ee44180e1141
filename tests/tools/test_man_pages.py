#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/man-pages: every key that the program FPGAUGE (build/fpgauge) explains is in the manual page with all of its text; groff and
man find nothing to warn of; and a line of help that it does not know is an error, not a gap in the page."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOOL = os.path.join(ROOT, "tools", "man-pages")
FPGAUGE = os.path.abspath(os.environ.get("FPGAUGE", os.path.join(ROOT, "build", "fpgauge")))


def words_of(text):
    """The words as a reader sees them, wherever lines break; without the marks of code."""
    return text.replace("`", "").split()


def rendered(path):
    """The page on a terminal wide enough that nothing breaks; what was warned of."""
    done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-P-cbou", "-rLL=5000n", path], capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


class ManPages(unittest.TestCase):
    def setUp(self):
        if not shutil.which("groff"):
            if os.environ.get("CI") == "true":
                self.fail("no groff")
            self.skipTest("no groff")
        folder = tempfile.TemporaryDirectory(prefix="fpgauge-man-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make(self, program=FPGAUGE):
        return subprocess.run([TOOL, program, self.folder], capture_output=True, text=True, check=False)

    def stand_in(self, text):
        """A program that helps with this text."""
        path = os.path.join(self.folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n[ $1 = --version ] && echo 'fpgauge 1.2-x (made)' && exit\ncat <<'END'\n{text}\nEND\n")
        os.chmod(path, 0o755)
        return path

    def test_every_word_of_help_is_in_the_page_in_its_order(self):
        self.assertEqual(self.make().returncode, 0)
        for topic, least in (("plan", 100), ("results", 300)):
            text = subprocess.run([FPGAUGE, "help", topic], capture_output=True, text=True, check=True).stdout
            page = rendered(os.path.join(self.folder, f"fpgauge-{topic}.5"))[0]
            wanted = []
            for line in text.splitlines():
                row = re.fullmatch(r"\| `(.+?)` \| (.+?) \| (.+?) \| (.+) \|", line)
                if row:
                    key, unit, better, meaning = row.groups()
                    wanted.append(f"{key} ({unit}{'' if better == '-' else f'; {better} is better'}) {meaning}")
                elif line.startswith("- `"):
                    wanted.append(re.sub(r"^- (`[^`]+`):", r"\1", line))
                elif line and not line.startswith("|"):
                    wanted.append(line.removeprefix("### "))
            self.assertGreater(len(wanted), least)
            shown = " ".join(words_of(page))
            place = shown.index("KEYS")
            for one in wanted:
                expected = " ".join(words_of(one))
                found = shown.find(expected, place)
                self.assertGreaterEqual(found, 0, f"{topic}: {expected!r} is not in the page after what is before it in help")
                place = found + len(expected)

    def test_neither_groff_nor_man_warns(self):
        self.assertEqual(self.make().returncode, 0)
        for topic in ("plan", "results"):
            path = os.path.join(self.folder, f"fpgauge-{topic}.5")
            self.assertEqual(rendered(path)[1], "")
            if shutil.which("man"):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], capture_output=True, text=True,
                                      check=True, env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
                self.assertEqual(done.stderr, "")

    def test_the_plan_of_the_page_is_one(self):
        self.assertEqual(self.make().returncode, 0)
        page = rendered(os.path.join(self.folder, "fpgauge-plan.5"))[0]
        plan = os.path.join(self.folder, "page.cfg")
        with open(plan, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in page.splitlines() if re.match(r" *(device|link|dut|run) += ", line) and line.endswith(";"))
        done = subprocess.run([FPGAUGE, "check", plan], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("throughput", done.stdout)

    def test_what_groff_would_take_for_its_own_is_shown(self):
        done = self.make(self.stand_in(r"""### .heading "quoted" \fB
- `.key-name`: 'tis a \n ^caret~ and `a\b`."""))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page, warned = rendered(os.path.join(self.folder, "fpgauge-plan.5"))
        self.assertEqual(warned, "")
        self.assertIn('.heading "quoted" \\fB', page)
        self.assertRegex(page, r"\.key-name\s+'tis a \\n \^caret~ and a\\b\.")

    def test_help_that_is_not_understood_is_an_error(self):
        for text, complaint in (("#### deep", "neither a heading"), ("| `a` | b | c |", "neither a heading"), ("- `a`: an `odd one", "odd number"),
                                ("| `a` | s | perhaps | b |", "neither more, less")):
            done = self.make(self.stand_in(text))
            self.assertEqual(done.returncode, 1)
            self.assertIn(complaint, done.stderr)
        done = self.make("/bin/false")
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit status 1", done.stderr)


if __name__ == "__main__":
    unittest.main()
