#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stack of 128 KB is enough for every benchmark, in threads too, and for reports: a container or a service may have no more. The
compiler refuses frames above 16 KB (tools/cmake/FpgaugeLibrary.cmake); that they do not add up to more shows only here."""

import os
import re
import subprocess
import unittest

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, ROOT, SystemCase, plan_text

STACK_KB = 128
EXAMPLES = os.path.join(ROOT, "docs", "examples")
THREADS = ("--set", "device.threads=2")
MORE = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "1ms"',
                  'test = "reset"; frame_sizes = [64]; before_reset = "1ms"; after_reset = "10ms"; repetitions = 2',
                  'test = "mlrsearch"; frame_sizes = [64]; trial_duration = "1ms"'],
                 dut='model = "reset, fifo"; buffer_frames = 211; service_fps = 93456789; latency_ns = 800', library="twin")


def example(name):
    """The plan, with only the first of its sizes."""
    with open(os.path.join(EXAMPLES, f"{name}.cfg"), encoding="utf-8") as file:
        return re.sub(r"frame_sizes = \[(\d+)[^]]*\]", r"frame_sizes = [\1]", file.read())


class SmallStack(SystemCase):
    def small(self, *arguments):
        """The program with that stack; it must end well."""
        done = subprocess.run(["sh", "-c", f'ulimit -s {STACK_KB} && exec "$0" "$@"', FPGAUGE, *arguments], cwd=self.scratch,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=IN_VAIN_S, check=False)
        self.assertEqual(done.returncode, DONE, done.stderr)

    def test_every_benchmark_measures_the_same_as_with_the_usual_stack(self):
        for name, text, options in [("rfc2544", example("rfc2544-quick"), ()), ("rfc2889", example("rfc2889-quick"), THREADS),
                                    ("tables", example("rfc2889-tables"), ()), ("rfc8239", example("rfc8239-quick"), THREADS),
                                    ("more", MORE, ())]:
            with self.subTest(plan=name):
                usual, _ = self.run_plan(text, "--db", self.path(f"{name}.db"), *options)
                small = self.path(f"{name}-small.db")
                self.small("run", self.path("plan.cfg"), "--db", small, "--json", self.path("small.json"), *options)
                self.assertEqual(self.result("small.json")["results"], usual["results"])
                self.small("report", small, "--csv", self.path("small.csv"), "--junit", self.path("small.xml"))
                self.small("compare", self.path(f"{name}.db"), small)

    def test_the_page_and_a_trend(self):
        paths = [self.path(f"{run}.db") for run in (1, 2)]
        for path in paths:
            self.run_plan(MORE, "--db", path)
        self.small("report", paths[0], "--html", self.path("report.html"))
        self.small("trend", *paths, "--html", self.path("trend.html"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
