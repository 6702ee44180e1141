# SPDX-License-Identifier: Apache-2.0
"""A scratch tree on which a tool that checks trees is run: files are written into it, and what the tool says is looked at."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


class TreeCase(unittest.TestCase):
    tool = None  # name in tools/

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="fpgauge-tree-")
        self.addCleanup(scratch.cleanup)
        self.root = os.path.realpath(scratch.name)

    def check(self, root):
        """Returns (exit code, complaints as a list of lines)."""
        done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tools", self.tool), root], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stderr.splitlines()

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def append(self, path, text):
        with open(os.path.join(self.root, path), "a", encoding="utf-8") as file:
            file.write(text)

    def assert_clean(self):
        self.assertEqual(self.check(self.root), (0, []))
