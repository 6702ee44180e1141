#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wire that keeps frames for longer than the drain: on the twin and on the RTL, each trial is INVALID for the same reason, which names
the drain that would do; with that drain nothing is lost."""

import re

from fpgauge_system import DONE, INVALID, SystemCase, main, plan_text

KINDS = {"throughput": 'trial_duration = "5us"; resolution = "50%";', "frame_loss_rate": 'trial_duration = "5us";'}
REASON = r"(\d+) frames arrived in the settle time, after the drain of 1\.00 us: they were not lost; a drain of at least (\S+) us would do"


class Drain(SystemCase):
    def run_tests(self, library, drain, expect):
        waits = f'drain = "{drain}us"; settle = "50us"; direction = "unidirectional";'
        plan = plan_text([f'test = "{test}"; frame_sizes = [64]; {KINDS[test]} {waits}' for test in KINDS],
                         'model = "wire"; latency_ns = 20000;', library=library)
        return self.run_plan(plan, expect=expect)[0]["results"]

    def test_frames_that_come_in_the_settle_time_make_a_trial_invalid(self):
        reasons = {}
        for library in ("twin", "rtl"):
            results = self.run_tests(library, "1", INVALID)
            reasons[library] = [re.search(REASON, result["why_invalid"]).groups() for result in results]
            self.assertEqual([result["valid"] for result in results], [False, False])
        self.assertEqual(reasons["twin"], reasons["rtl"])
        drain = max(float(drain) for _, drain in reasons["rtl"])
        for library in ("twin", "rtl"):
            throughput, loss = self.run_tests(library, f"{drain:.2f}", DONE)
            self.assertEqual(throughput["throughput_percent"], 100)
            self.assertEqual(loss["points"][0]["lost_frames"], 0)


if __name__ == "__main__":
    main()
