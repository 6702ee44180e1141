# SPDX-License-Identifier: Apache-2.0
"""What the whole-system cases share: write a plan, run the binary on it, read its result object.

The binary is the one that FPGAUGE names in the environment, else build/fpgauge of this tree. Standard library only.
"""

import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FPGAUGE = os.path.abspath(os.environ.get("FPGAUGE", os.path.join(ROOT, "build", "fpgauge")))
LINK_BPS = 100_000_000_000
# The seed of all that a test draws; main() prints it, and FPGAUGE_TEST_SEED repeats it.
SEED = int(os.environ.get("FPGAUGE_TEST_SEED", random.randrange(2**32)))
LONG = os.environ.get("FPGAUGE_LONG") == "1"  # tools/test --long: all that a test can draw, not a selection

DONE, INVALID, WRONG_PLAN, WRONG_DEVICE, NO_BASE, UNCLEAR = 0, 1, 2, 3, 4, 5  # exit codes

# A background job of a shell ignores SIGINT, and so would every program that it starts. A handler does not survive
# exec.
signal.signal(signal.SIGINT, signal.default_int_handler)


def map_of_program():
    """(version, hash) of the register map, as in the generated header."""
    with open(os.path.join(ROOT, "hw", "regs", "fpgauge_regs.h"), encoding="utf-8") as file:
        text = file.read()
    return tuple(int(re.search(rf"#define FPGAUGE_MAP_{name} UINT32_C\((\w+)\)", text)[1], 0)
                 for name in ("VERSION", "HASH"))


def plan_text(tests, dut='model = "wire"', device="", library="rtl"):
    """A plan for a simulation. tests: the inside of each { } of run."""
    body = ",\n".join(f"  {{ {test} }}" for test in tests)
    return (f'device = {{ backend = "sim"; library = "{library}"; {device} }};\n'
            f'link = {{ speed = "100G"; }};\n'
            f"dut = {{ {dut} }};\n"
            f"run = (\n{body}\n);\n")


def fifo(buffer_frames, service_fps, latency_ns=800):
    return (f'model = "fifo"; buffer_frames = {buffer_frames}; service_fps = "{service_fps}"; '
            f"latency_ns = {latency_ns};")


# A test waits for what should happen, however long that takes; this only ends one that waits in vain.
IN_VAIN_S = 600


def wait_until(happened, why, run=None):
    """Calls happened() again and again until it is true, and returns its value. Fails if the program `run` ends before
    that."""
    end = time.monotonic() + IN_VAIN_S
    while True:
        over = run is not None and run.poll() is not None  # checked before happened(): what it did last counts
        found = happened()
        if found:
            return found
        if over:
            raise AssertionError(f"the program ended (exit {run.returncode}) before this: {why}")
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {IN_VAIN_S} s: {why}")
        time.sleep(0.005)


def events_of(path):
    """What --events wrote so far, whole lines."""
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file.read().split("\n")[:-1]]
    except FileNotFoundError:
        return []


class SystemCase(unittest.TestCase):
    """A case with its own scratch folder, which is also where the binary runs."""

    maxDiff = None
    environment = None  # environment of the binary, if it is not our own

    @classmethod
    def setUpClass(cls):
        if not os.access(FPGAUGE, os.X_OK):
            raise AssertionError(f"{FPGAUGE}: no such program; build it first (tools/build build), or set FPGAUGE")

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="fpgauge-")
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        with open(self.path(name), "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return self.path(name)

    def fpgauge(self, *arguments, timeout=IN_VAIN_S):
        """Runs the binary to its end."""
        return subprocess.run([FPGAUGE, *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL, capture_output=True,
                              env=self.environment, text=True, timeout=timeout, check=False)

    def assert_within(self, old, new, place=""):
        """A report says everything that an older one says; it may say more. Rounding may differ."""
        if isinstance(old, dict) and isinstance(new, dict):
            for key, value in old.items():
                self.assertIn(key, new, place)
                self.assert_within(value, new[key], f"{place}/{key}")
        elif isinstance(old, list) and isinstance(new, list):
            self.assertEqual(len(old), len(new), place)
            for number, (one, other) in enumerate(zip(old, new)):
                self.assert_within(one, other, f"{place}/{number}")
        elif isinstance(old, float) and isinstance(new, (int, float)):
            self.assertTrue(math.isclose(old, new, rel_tol=1e-12), f"{place}: {old}, now {new}")
        else:
            self.assertEqual(old, new, place)

    def run_plan(self, text, *arguments, expect=DONE, timeout=IN_VAIN_S):
        """Runs a plan with --json; returns (result object, the finished process)."""
        done = self.fpgauge("run", self.write("plan.cfg", text), "--json", self.path("result.json"), *arguments, timeout=timeout)
        self.assertEqual(done.returncode, expect, f"exit {done.returncode}\n{text}\n{done.stdout}\n{done.stderr}")
        return self.result("result.json"), done

    def result(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def only(self, report, **wanted):
        """The one entry of report's results whose keys have these values."""
        found = [entry for entry in report["results"] if all(entry.get(key) == value for key, value in wanted.items())]
        self.assertEqual(len(found), 1, f"{wanted}: {len(found)} results\n{json.dumps(report['results'], indent=1)}")
        return found[0]


def main():
    print(f"FPGAUGE_TEST_SEED={SEED}", file=sys.stderr, flush=True)
    unittest.main(verbosity=2)
