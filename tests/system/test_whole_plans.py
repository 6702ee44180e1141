#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plan gives the same results on the twin and on the logic, also where a device acts by the time or by chance: it stalls, loses,
doubles, reorders or delays frames by draws of its own. So both count the same frames at the same times, register accesses included.

Plans are drawn: FPGAUGE_TEST_SEED is the first one's. FPGAUGE_LONG=1 draws 200."""

import json
import os
import random
import unittest

from fpgauge_system import LONG, SEED, SystemCase, main

SPEEDS = {"100G": 10**11, "10M": 10**7, "25G": 25 * 10**9, "400G": 4 * 10**11, "1234567891": 1234567891}
PLANS = 200 if LONG else 3
FAULTS = ("drop", "duplicate", "corrupt", "alter", "delay", "reorder")


class Draw(random.Random):
    """A plan. Times are octet times, said in whole nanoseconds."""

    def __init__(self, seed):
        super().__init__(seed)
        self.speed = self.choice([*SPEEDS, "100G"])
        self.sizes = sorted(self.sample([64, 65, 128, 333, 512, 1024, 1518], self.randint(1, 2)))
        self.direction = self.choice(["unidirectional", "bidirectional"])

    def ns(self, least_ot, most_ot):
        return -(-self.randint(least_ot, most_ot) * 8 * 10**9 // SPEEDS[self.speed])

    def faults(self):
        text = f"reorder_frames = {self.randint(1, 20)}; " if (kinds := self.sample(FAULTS, self.randint(1, 3))).count("reorder") else ""
        for kind in kinds:
            text += self.choice([f'{kind}_probability = "{self.choice([0.01, 0.3, 2])}%"; ', f"{kind}_every = {self.randint(2, 900)}; "])
        return text

    def stall(self):
        length = self.ns(100, 20000)
        mean = max(1000, length + self.ns(1, 100000))
        return f"stall_ns = {length}; stall_{self.choice(['every', 'mean'])}_ns = {mean + 1}; "

    def dut(self):
        models = self.choice([("stall",), ("faults",), ("faults", "stall"), ("stall", "faults"), ("overload", "faults")])
        text = f'model = "{",".join(models)}"; seed = "{self.randint(0, 2**64 - 1)}"; '
        text += self.faults() if "faults" in models else ""
        text += self.stall() if "stall" in models else ""
        if models != ("faults",):
            text += f'buffer_frames = {self.randint(1, 200)}; service_fps = "{self.randint(300, 1100) / 10}%"; '
            text += f"latency_ns = {self.ns(0, 5000)}; "
        return text

    def test(self):
        name = self.choice(["throughput", "frame_loss_rate", "back_to_back", "latency"])
        text = f'test = "{name}"; frame_sizes = {self.sizes}; settle = "{self.ns(0, 20000)}ns"; drain = "{max(1000, self.ns(1000, 200000))}ns"; '
        text += f'direction = "{self.direction}"; '
        duration = f'"{self.ns(50000, 150000)}ns"'
        if name == "back_to_back":
            return text + f"max_burst = {duration}; repetitions = 2; "
        text += f"trial_duration = {duration}; "
        if name == "throughput":
            text += f'resolution = "{self.choice([1, 3])}%"; search = "{self.choice(["binary", "loss_verification"])}"; '
        return text + (f'load = "{self.randint(10, 100)}%"; repetitions = 2; ' if name == "latency" else "")

    def plan(self, library):
        tests = ",\n".join(f"  {{ {self.test()} }}" for _ in range(self.randint(2, 3)))
        return (f'device = {{ backend = "sim"; library = "{library}"; }};\nlink = {{ speed = "{self.speed}"; }};\n'
                f"dut = {{ {self.dut()} }};\nrun = (\n{tests}\n);\n")


def but_for_the_library(report):
    """What a report says of the measurement, and not of when and on what it was made."""
    return {key: value for key, value in report.items() if key in ("link", "results")}


class WholePlans(SystemCase):
    def report(self, seed, library):
        text = Draw(seed).plan(library)
        done = self.fpgauge("run", self.write(f"{library}.cfg", text), "--json", self.path(f"{library}.json"), "--quiet",
                            "--db", self.path(f"{library}.db"))
        self.assertIn(done.returncode, (0, 1), f"{text}\n{done.stderr}")
        os.remove(self.path(f"{library}.db"))
        return but_for_the_library(self.result(f"{library}.json"))

    def test_results_of_a_plan_are_those_of_the_logic_to_the_last_digit(self):
        for seed in range(SEED, SEED + PLANS):
            with self.subTest(seed=seed, plan=Draw(seed).plan("twin")):
                twin, logic = (json.dumps(self.report(seed, library), indent=1).splitlines() for library in ("twin", "rtl"))
                self.assertEqual(twin, logic)


if __name__ == "__main__":
    main()
