#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version of CMakeLists.txt is what the program FPGAUGE says, writes into results and run files, and what the manual pages, the
packages and the Python package of the build directory FPGAUGE_BUILD have; no other file of the source names it, but for what a release
left in tests/releases."""

import contextlib
import glob
import json
import os
import re
import runpy
import sqlite3
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("FPGAUGE_BUILD", os.path.join(ROOT, "build")))
FPGAUGE = os.path.abspath(os.environ.get("FPGAUGE", os.path.join(BUILD, "fpgauge")))
PLAN = """device = { backend = "sim"; library = "twin"; }; link = { speed = "100G"; }; dut = { model = "wire"; };
run = ( { test = "throughput"; frame_sizes = [64]; trial_duration = "20us"; } );
"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


VERSION = re.search(r"(?m)^set\(FPGAUGE_VERSION (\S+)\)", read(ROOT, "CMakeLists.txt"))[1]
PYTHON = VERSION.replace("-", "")


def said(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


class Version(unittest.TestCase):
    def test_it_is_one_that_debian_and_python_can_order(self):
        self.assertRegex(VERSION, r"\A[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?\Z")
        self.assertTrue(re.search(rf"(?m)^## \[{re.escape(VERSION)}\]", read(ROOT, "CHANGELOG.md")), "CHANGELOG.md has no entry of it")

    def test_the_program_says_it_and_writes_it(self):
        self.assertTrue(said(FPGAUGE, "--version").startswith(f"fpgauge {VERSION} ("))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "plan.cfg"), "w", encoding="utf-8") as file:
                file.write(PLAN)
            said(FPGAUGE, "run", "plan.cfg", "--db", "run.db", "--json", "run.json", "-q", cwd=folder)
            results = json.loads(read(folder, "run.json"))
            self.assertEqual((results["tool"], results["build"]["version"]), (f"fpgauge {VERSION}", VERSION))
            with contextlib.closing(sqlite3.connect(os.path.join(folder, "run.db"))) as database:
                for table in ("run", "session"):
                    self.assertEqual(database.execute(f"SELECT tool FROM {table}").fetchall(), [(f"fpgauge {VERSION}",)], table)

    def test_the_manual_pages_have_it(self):
        pages = glob.glob(os.path.join(BUILD, "fpgauge*.[158]"))
        self.assertGreaterEqual(len(pages), 3)
        for page in pages:
            heading = re.search(r"(?m)^\.TH .*", read(page))[0]
            self.assertIn(f'"fpgauge {VERSION}"', heading.replace("\\-", "-"), page)

    def test_the_packages_and_the_python_package_have_it(self):
        self.assertIn(f'set(CPACK_PACKAGE_VERSION "{VERSION.replace("-", "~")}")', read(BUILD, "CPackConfig.cmake"))
        self.assertIn(f"\nVersion: {PYTHON}\n", read(BUILD, "dist-info", "METADATA"))
        given = {}
        with mock.patch.dict(sys.modules, {"setuptools": types.SimpleNamespace(setup=given.update)}):
            runpy.run_path(os.path.join(ROOT, "tools", "python", "setup.py"))
        self.assertEqual(given, {"version": PYTHON})

    def test_bitstreams_are_made_of_it(self):
        self.assertEqual(said(os.path.join(ROOT, "tools", "bitstreams"), "--source").split()[0], VERSION)

    def test_no_other_file_names_it(self):
        files = {"CMakeLists.txt", "CHANGELOG.md"}
        for folder, folders, names in os.walk(ROOT):
            folders[:] = [name for name in folders if not name.startswith((".", "build", "__pycache__", "releases"))]
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    if re.search(rb"\b(%s|%s)" % (re.escape(VERSION).encode(), re.escape(PYTHON).encode()), file.read()):
                        path = os.path.relpath(os.path.join(folder, name), ROOT)
                        self.assertIn(path, files)


if __name__ == "__main__":
    unittest.main(verbosity=2)
