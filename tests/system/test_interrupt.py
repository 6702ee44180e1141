#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the middle of a long trial: the program ends within a second and keeps the results it has."""

import signal
import subprocess
import time

from fpgauge_system import DONE, FPGAUGE, SystemCase, main, plan_text

SHORT = 'test = "throughput"; frame_sizes = [64]; trial_duration = "100us";'
# A minute at 100 Gb/s takes hours to simulate: this one never ends by itself.
LONG = 'test = "throughput"; frame_sizes = [128]; trial_duration = "60s";'


class Interrupt(SystemCase):
    def interrupt(self, signal_number):
        """Runs SHORT then LONG, sends the signal while LONG runs; returns (exit code, seconds it took to end)."""
        began = time.monotonic()
        self.run_plan(plan_text([SHORT]))
        short_s = time.monotonic() - began

        plan = self.write("long.cfg", plan_text([SHORT, LONG]))
        with subprocess.Popen([FPGAUGE, "run", plan, "--json", self.path("long.json")], cwd=self.scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            try:
                time.sleep(3 * short_s + 1)
                self.assertIsNone(run.poll(), "ended before it was interrupted")
                sent = time.monotonic()
                run.send_signal(signal_number)
                _, complaint = run.communicate(timeout=30)
                took_s = time.monotonic() - sent
            finally:
                run.kill()
        self.assertEqual(len(complaint.splitlines()), 1, complaint)
        return run.returncode, took_s

    def check(self, signal_number):
        code, took_s = self.interrupt(signal_number)
        self.assertLess(took_s, 1.0)
        self.assertGreater(code, DONE, "an interrupted run is not done, and a signal must not kill it outright")
        report = self.result("long.json")
        short = self.only(report, test="throughput", frame_octets=64)
        self.assertTrue(short["valid"], short["why_invalid"])
        for result in report["results"]:
            self.assertFalse(result["frame_octets"] == 128 and result["valid"], "a trial cut short became a result")

    def test_sigint_ends_within_a_second_with_the_results_so_far(self):
        self.check(signal.SIGINT)


if __name__ == "__main__":
    main()
