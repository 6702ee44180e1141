#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plan of before traffic was data gives the same results: the plans of tests/older-plans, whose results the program of then
wrote down."""

import json
import math
import os
import shutil

from fpgauge_system import ROOT, SystemCase, main

PLANS = os.path.join(ROOT, "tests", "older-plans")
NAMES = sorted(entry[:-len(".cfg")] for entry in os.listdir(PLANS) if entry.endswith(".cfg"))

# What a build may not have: the RTL takes longer over the same trials, and there was a twin for each number of ports.
LIBRARIES = {'library = "rtl"': ("--set", "device.library=twin"),
             'library = "twin4"': ("--set", "device.library=twin", "--set", "device.ports=4")}


class OlderPlans(SystemCase):
    def assert_within(self, then, now, place):
        """The new value has everything that the old one has; it may have more keys. Older programs rounded more than once."""
        if isinstance(then, dict):
            self.assertIsInstance(now, dict, place)
            for key, value in then.items():
                self.assertIn(key, now, place)
                self.assert_within(value, now[key], f"{place}/{key}")
        elif isinstance(then, list):
            self.assertEqual(len(then), len(now), place)
            for number, (one, other) in enumerate(zip(then, now)):
                self.assert_within(one, other, f"{place}/{number}")
        elif isinstance(then, float) and isinstance(now, (int, float)):
            self.assertTrue(math.isclose(then, now, rel_tol=1e-12), f"{place}: {then} then, {now} now")
        else:
            self.assertEqual(then, now, place)

    def test_each_gives_the_results_that_it_gave_then(self):
        self.assertGreaterEqual(len(NAMES), 10)
        for name in NAMES:
            with self.subTest(name):
                for file in (f"{name}.cfg", "exec_tester.py"):
                    shutil.copy(os.path.join(PLANS, file), self.scratch)
                with open(self.path(f"{name}.cfg"), encoding="utf-8") as plan:
                    text = plan.read()
                twin = [word for library, settings in LIBRARIES.items() if library in text for word in settings]
                with open(os.path.join(PLANS, f"{name}.json"), encoding="utf-8") as file:
                    then = json.load(file)
                done = self.fpgauge("run", f"{name}.cfg", *twin, "--json", f"{name}.json", "--quiet")
                self.assertEqual(done.returncode, then["exit"], done.stdout + done.stderr)
                self.assert_within(then["results"], self.result(f"{name}.json")["results"], name)


if __name__ == "__main__":
    main()
