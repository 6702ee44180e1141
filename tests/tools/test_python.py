#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/python: what the program FPGAUGE (build/fpgauge) measures and says reaches the caller unchanged; its errors are exceptions; the
classes agree with docs/results.schema.json; types are clean by mypy; the example for pytest passes, and fails where the device does."""

import ast
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import types
import typing
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
PACKAGE = os.path.join(ROOT, "tools", "python")
EXAMPLE = os.path.join(ROOT, "docs", "examples", "ci", "test_device.py")
PYTHON = "/usr/bin/python3" # Debian's, which has Debian's pytest
os.environ.setdefault("FPGAUGE", os.path.join(ROOT, "build", "fpgauge"))
os.environ["FPGAUGE"] = os.path.abspath(os.environ["FPGAUGE"])
sys.path.insert(0, PACKAGE)

import fpgauge # pylint: disable=wrong-import-position

PLAN = """device = { backend = "sim"; library = "twin"; };
link = { speed = "100G"; };
dut = { model = "fifo"; buffer_frames = 500; service_fps = "40M"; latency_ns = 800; };
run = ( { test = "throughput"; frame_sizes = [64, 1518]; trial_duration = "100us"; require = { throughput_percent = "26%"; }; } );
"""
JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def has(module):
    return subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fpgauge-python-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.plan = self.path("plan.cfg")
        with open(self.plan, "w", encoding="utf-8") as file:
            file.write(PLAN)

    def path(self, name):
        return os.path.join(self.folder, name)

    def needs(self, module):
        if not has(module):
            if os.environ.get("CI") == "true":
                self.fail(f"no {module}: tools/install-packages test")
            self.skipTest(f"no {module}")

    def outside(self, *command, **environment):
        return subprocess.run([PYTHON, "-B", *command], capture_output=True, text=True, check=False, cwd=self.folder,
                              env={**os.environ, "PYTHONPATH": PACKAGE, **environment})


class Runs(Case):
    def test_the_objects_have_what_the_program_writes(self):
        run = fpgauge.run(self.plan, db=self.path("run.db"), junit=self.path("junit.xml"))
        subprocess.run([os.environ["FPGAUGE"], "report", self.path("run.db"), "-q", "--json", self.path("run.json")], check=True)
        with open(self.path("run.json"), encoding="utf-8") as file:
            written = json.load(file)
        self.assertEqual(run.report, written)
        self.assertEqual([dict(one) for one in run.results], written["results"])
        self.assertEqual(fpgauge.read(self.path("run.json")).results, run.results)
        self.assertTrue(run.passed, run.explain())
        self.assertEqual(run.explain(), "")
        self.assertTrue(os.path.getsize(self.path("junit.xml")))
        self.assertEqual(run.result("throughput", 1518)["throughput_percent"], 100)
        self.assertLess(run.result("throughput", 64)["throughput_percent"], 40)
        with self.assertRaisesRegex(KeyError, "2 results of throughput"):
            run.result("throughput")
        for again in (fpgauge.report(self.path("run.db")), fpgauge.resume(self.path("run.db"))):
            self.assertEqual(again.results, run.results)

    def test_a_missed_limit_is_an_answer_and_says_which(self):
        run = fpgauge.run(self.plan, db=self.path("run.db"), settings={"run[0].require.throughput_percent": "90%"})
        self.assertFalse(run.passed)
        self.assertEqual([one.missed != () for one in run.results], [True, False])
        self.assertRegex(run.explain(), r"\A1 throughput of 64 octets: throughput_percent is [0-9.]+, must be at least 90(\.0)?\Z")

    def test_a_run_that_was_stopped_is_resumed(self):
        if "sim:rtl\n" not in subprocess.run([os.environ["FPGAUGE"], "devices", "--names"], capture_output=True, text=True, check=False).stdout:
            self.skipTest("the RTL is not built; the twin is done before it can be stopped")
        tester = subprocess.Popen([os.environ["FPGAUGE"], "run", self.plan, "--db", self.path("run.db"), "--set=device.library=rtl",
                                   "--set=run[0].trial_duration=300us", "-q", "--events", self.path("events")], stderr=subprocess.DEVNULL)
        try:
            while tester.poll() is None and not (os.path.exists(self.path("events")) and os.path.getsize(self.path("events"))):
                pass
        finally:
            tester.kill()
            tester.wait()
        part = fpgauge.report(self.path("run.db"))
        self.assertIsNotNone(part.incomplete)
        self.assertFalse(part.passed)
        self.assertIn("did not finish", part.explain())
        whole = fpgauge.resume(self.path("run.db"))
        self.assertIsNone(whole.incomplete)
        self.assertTrue(whole.passed, whole.explain())
        self.assertEqual([one.frame_octets for one in whole.results], [64, 1518])

    def test_errors_are_exceptions_with_what_the_program_says(self):
        with self.assertRaisesRegex(fpgauge.PlanError, r"plan\.cfg|--set.*link\.speed|speed"):
            fpgauge.run(self.plan, db=self.path("a.db"), settings={"link.speed": "1"})
        with self.assertRaisesRegex(fpgauge.PlanError, "none.cfg"):
            fpgauge.check(self.path("none.cfg"))
        with self.assertRaisesRegex(fpgauge.DeviceError, "nosuch"):
            fpgauge.run(self.plan, db=self.path("b.db"), settings={"device.library": "nosuch"})
        with self.assertRaises(ValueError):
            fpgauge.run(db=self.path("c.db"))
        before = os.environ["FPGAUGE"]
        try:
            os.environ["FPGAUGE"] = self.path("missing")
            with self.assertRaisesRegex(fpgauge.ProgramError, "missing cannot be started: No such file"):
                fpgauge.version()
        finally:
            os.environ["FPGAUGE"] = before
        for text, complaint in (("{}", "schema is None"), ("[]", "schema is none"), ("{", "Expecting"), ('{"schema": 2}', "lacks 'tool'")):
            with open(self.path("bad.json"), "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(fpgauge.ProgramError, complaint):
                fpgauge.read(self.path("bad.json"))

    def test_check_and_presets(self):
        self.assertIn("throughput", fpgauge.check(self.plan))
        self.assertIn("throughput", fpgauge.check(preset="rfc2544-quick", device="twin"))


class Schema(unittest.TestCase):
    def test_every_attribute_is_a_key_of_the_schema_of_the_same_type(self):
        with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        self.assertEqual(list(fpgauge.results.SCHEMAS), schema["properties"]["schema"]["enum"])
        own = {"report", "db"}
        for one, described in ((fpgauge.Run, schema), (fpgauge.Result, schema["$defs"]["result"]), (fpgauge.Requirement, schema["$defs"]["requirement"])):
            hints = typing.get_type_hints(one)
            for field in dataclasses.fields(one):
                if field.name in own:
                    continue
                self.assertIn(field.name, described["properties"])
                hint = hints[field.name]
                # incomplete may be missing, and is None then
                self.assertTrue(field.name in described["required"] or type(None) in typing.get_args(hint), field.name)
                rule = described["properties"][field.name]
                while "$ref" in rule:
                    rule = schema["$defs"][rule["$ref"].rsplit("/", 1)[1]]
                if "enum" in rule:
                    allowed = {JSON_TYPES[type(value)] for value in rule["enum"]}
                else:
                    allowed = set(rule["type"] if isinstance(rule["type"], list) else [rule["type"]])
                parts = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
                said = {JSON_TYPES.get(part, "array" if typing.get_origin(part) is tuple else "object") for part in parts}
                self.assertTrue(allowed - {"null"} <= said | ({"integer"} if "number" in said else set()) | ({"null"} if "array" in said else set()),
                                f"{one.__name__}.{field.name}: {said}, the schema allows {allowed}")
                self.assertTrue("null" not in allowed or said & {"null", "array"}, f"{one.__name__}.{field.name} may be null")


class Package(Case):
    def test_it_needs_the_standard_library_alone(self):
        found = set()
        for name in os.listdir(os.path.join(PACKAGE, "fpgauge")):
            if name.endswith(".py") and name != "pytest_plugin.py":
                with open(os.path.join(PACKAGE, "fpgauge", name), encoding="utf-8") as file:
                    for node in ast.walk(ast.parse(file.read())):
                        found |= {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
                        found |= {node.module} if isinstance(node, ast.ImportFrom) else set()
        self.assertLessEqual({name.split(".")[0] for name in found}, set(sys.stdlib_module_names) | {"fpgauge"})
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "fpgauge", "py.typed")))

    def test_what_is_installed_and_what_a_build_runs_is_python_3_9(self):
        for name in ("plot-search", "man-pages"):
            with open(os.path.join(ROOT, "tools", name), encoding="utf-8") as file:
                ast.parse(file.read(), name, feature_version=(3, 9))

    def test_types_are_clean_by_mypy_for_python_3_9(self):
        self.needs("mypy")
        done = self.outside("-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir", self.folder, os.path.join(PACKAGE, "fpgauge"), EXAMPLE, MYPYPATH=PACKAGE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_example_passes_and_fails_where_the_device_does(self):
        self.needs("pytest")
        pytest = ("-m", "pytest", "-p", "no:cacheprovider", "-p", "fpgauge.pytest_plugin", "--strict-markers", "-q", "test_device.py")
        for name in ("test_device.py", "gate.cfg"):
            with open(os.path.join(os.path.dirname(EXAMPLE), name), encoding="utf-8") as file:
                text = file.read()
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        done = self.outside(*pytest)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("3 passed", done.stdout)
        with open(self.path("gate.cfg"), "w", encoding="utf-8") as file:
            file.write(text.replace('service_fps = "40M"', 'service_fps = "30M"'))
        done = self.outside(*pytest)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 failed, 2 passed", done.stdout)
        self.assertRegex(done.stdout, "throughput_percent is 20.*must be at least 26")


if __name__ == "__main__":
    unittest.main()
