#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reset (RFC 2544 section 26.6) of Linux: a command takes its bridge down and up again, and says itself when it did. What the tester
measures from the times of frames is compared with that."""

import os
import random

from fpgauge_system import INVALID, LONG, SEED, main
from lab import LINK_BPS, LabCase, tap_plan

CASES = 12 if LONG else 3
ATTEMPTS = 12

# Writes when each command began and ended: what happens to frames happens between the two.
HOOK = """#!/bin/sh -e
now() { date +%s.%N; }
begin=$(now); ip link set fpgbr down; dark=$(now)
sleep "$1"
bright=$(now); ip link set fpgbr up; end=$(now)
echo "$begin $dark $bright $end" >> times
"""


class LinuxReset(LabCase):
    LATE_S = 0.05  # time by which a frame may come to Linux or back on a busy machine; 3 ms were the most on one at rest

    def measure(self, frame_octets, dark_s):
        """The result, and the times of the command; again as long as the machine disturbs it."""
        plan = self.write("plan.cfg", tap_plan(
            [f'test = "throughput"; frame_sizes = [{frame_octets}]; trial_duration = "100ms"; drain = "100ms"; settle = "5ms";',
             f'test = "reset"; frame_sizes = [{frame_octets}]; kind = "software"; command = ["./hook", "{dark_s}"]; repetitions = 1; '
             'before_reset = "200ms"; after_reset = "2s"; drain = "100ms"; settle = "5ms";']))
        for _ in range(ATTEMPTS):
            if os.path.exists(self.path("times")):
                os.remove(self.path("times"))
            done = self.fpgauge("run", plan, "--json", self.path("result.json"))
            self.assertIn(done.returncode, (0, INVALID), done.stdout + done.stderr)
            if done.returncode == 0:
                with open(self.path("times"), encoding="ascii") as file:
                    return self.only(self.result("result.json"), test="reset"), [
                        float(word) for word in file.read().splitlines()[-1].split()]
        self.skipTest(f"this machine has disturbed {ATTEMPTS} runs in a row, so nothing can be said of Linux: {done.stdout}")

    def test_a_bridge_that_is_down_for_a_random_time_is_found_to_be_down_for_it(self):
        draw = random.Random(SEED)
        self.write("hook", HOOK)
        os.chmod(self.path("hook"), 0o755)
        self.up()
        for _ in range(CASES):
            frame_octets, dark_s = draw.randint(64, 1518), draw.uniform(0.15, 0.6)
            with self.subTest(frame_octets=frame_octets, dark_s=dark_s):
                result, (begin, dark, bright, end) = self.measure(frame_octets, f"{dark_s:.6f}")
                self.assertEqual((result["outcome"], result["kind"]), ("recovered", "software"), result["flags"])
                period_s = 8 * (frame_octets + 20) / LINK_BPS
                self.assertGreaterEqual(result["reset_s"], bright - dark - period_s - self.LATE_S)
                self.assertLessEqual(result["reset_s"], end - begin + 2 * period_s + self.LATE_S)
                self.assertLessEqual(abs(result["reset_by_loss_s"] - result["reset_s"]), 3 * period_s + self.LATE_S)


if __name__ == "__main__":
    main()
