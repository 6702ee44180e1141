#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plan of before traffic was data gives the same results: the plans of tests/older-plans, whose results the program of then
wrote down."""

import json
import os
import shutil

from fpgauge_system import ROOT, SystemCase, main

PLANS = os.path.join(ROOT, "tests", "older-plans")
NAMES = sorted(entry[:-len(".cfg")] for entry in os.listdir(PLANS) if entry.endswith(".cfg"))

# Libraries that a build may not have: the RTL takes longer over the same trials, and there was a twin for each number of ports.
LIBRARIES = {'library = "rtl"': ("--set", "device.library=twin"),
             'library = "twin4"': ("--set", "device.library=twin", "--set", "device.ports=4")}


def renamed(value):
    """With the names of today: addresses were destinations."""
    if isinstance(value, dict):
        return {"addresses" if key == "destinations" else key: renamed(one) for key, one in value.items()}
    return [renamed(one) for one in value] if isinstance(value, list) else value


class OlderPlans(SystemCase):
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
                self.assert_within(renamed(then["results"]), self.result(f"{name}.json")["results"], name)


if __name__ == "__main__":
    main()
