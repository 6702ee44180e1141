#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs on the twin, compared with one another and with limits: a device that got slower in any measured respect fails,
and one that is the same as before does not, however its latency varies from run to run."""

import os
import random

from fpgauge_system import DONE, INVALID, SEED, UNCLEAR, SystemCase, main, plan_text

TEST = 'test = "throughput"; frame_sizes = [64, 512]; trial_duration = "1ms"; resolution = "1%"; settle = "0s"; drain = "1ms";'
BURST = 'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; max_burst = "1ms"; settle = "0s"; drain = "1ms";'
LATENCIES = {"latency_min_ns", "latency_mean_ns", "latency_p50_ns", "latency_p90_ns", "latency_p99_ns", "latency_p99_9_ns",
             "latency_max_ns"}
# Few, as each is a whole run; tests/c/test_compare_alarms.c has the rates over thousands. At 5% false alarms, there are
# more than this many once in 2,700 times. Longer stalls were missed in 2 of 268 pairs; at that rate more than one of eight
# is missed once in 660 times.
PAIRS, MOST_FALSE, MOST_MISSED = 8, 3, 1


class Compare(SystemCase):
    def measure(self, name, dut, repetitions=1, tests=(TEST,)):
        plan = self.write("plan.cfg", plan_text(list(tests) * repetitions, dut=dut, library="twin"))
        done = self.fpgauge("run", plan, "--db", name, "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)

    def compare(self, base, new, *arguments):
        """Exit code, verdicts by key and size, what the terminal shows."""
        done = self.fpgauge("compare", base, new, "--json", "compared.json", *arguments)
        self.assertIn(done.returncode, (DONE, INVALID, UNCLEAR), done.stderr)
        rows = self.result("compared.json")["results"]
        return done.returncode, {(row["key"], row["frame_octets"]): row["verdict"] for row in rows}, done.stdout

    @staticmethod
    def fifo(latency_ns):
        return f'model = "fifo"; buffer_frames = 500; service_fps = "50%"; latency_ns = {latency_ns}'

    def test_a_hundred_times_the_latency_fails_though_all_else_is_the_same(self):
        for repetitions in (1, 2):
            with self.subTest(repetitions=repetitions):
                self.measure("base.db", self.fifo(800), repetitions, (TEST, BURST))
                self.measure("again.db", self.fifo(800), repetitions, (TEST, BURST))
                self.measure("slow.db", self.fifo(80000), repetitions, (TEST, BURST))
                code, verdicts, _ = self.compare("base.db", "again.db")
                self.assertEqual((code, set(verdicts.values())), (DONE, {"same"}))
                code, verdicts, shown = self.compare("base.db", "slow.db")
                self.assertEqual(code, INVALID)
                self.assertEqual({key for (key, _), verdict in verdicts.items() if verdict == "worse"}, LATENCIES)
                self.assertEqual(verdicts["throughput_fps", 64], "same")
                self.assertIn("\n2 of 3 are worse than BASE by more than 1%", shown)
                self.assertEqual(self.compare("slow.db", "base.db")[0], DONE)
                for base in ("base.db", "slow.db"):
                    os.unlink(self.path(base))
                os.unlink(self.path("again.db"))

    def test_three_percent_fails_where_repetitions_show_that_it_is_no_chance(self):
        self.measure("one.db", self.fifo(3000))
        self.measure("more.db", self.fifo(3090 + 1))
        code, verdicts, shown = self.compare("one.db", "more.db")
        self.assertEqual((code, set(verdicts.values())), (DONE, {"same"}), shown)
        self.measure("three.db", self.fifo(3000), 3)
        self.measure("threemore.db", self.fifo(3090 + 1), 3)
        code, verdicts, shown = self.compare("three.db", "threemore.db")
        self.assertEqual(code, INVALID, shown)
        self.assertEqual({key for (key, _), verdict in verdicts.items() if verdict == "worse"}, LATENCIES)
        self.assertEqual(self.compare("three.db", "threemore.db", "--tolerance", "4%")[0], DONE)

    def stalling(self, draw, stall_ns=2000):
        return (f'model = "stall, fifo"; buffer_frames = 2000; service_fps = "60%"; latency_ns = 2000; stall_ns = {stall_ns}; '
                f'stall_mean_ns = 50000; seed = {draw.getrandbits(31)}')

    def test_runs_of_one_device_that_stalls_at_random_rarely_fail_and_longer_stalls_do(self):
        draw = random.Random(SEED)
        for repetitions, times in ((1, 1), (3, 1), (3, 20)):
            failed = 0
            for pair in range(PAIRS):
                files = [f"{name}{repetitions}.{times}.{pair}.db" for name in ("base", "new")]
                self.measure(files[0], self.stalling(draw), repetitions)
                self.measure(files[1], self.stalling(draw, 2000 * times), repetitions)
                failed += self.compare(*files)[0] == INVALID
            with self.subTest(repetitions=repetitions, times=times):
                says = f"{failed} of {PAIRS} comparisons failed"
                print(says)
                if times == 1:
                    self.assertLessEqual(failed, MOST_FALSE, says)
                else:
                    self.assertGreaterEqual(failed, PAIRS - MOST_MISSED, says)

    def test_a_percentile_is_held_against_the_limit_of_the_plan(self):
        for limit, verdict, code in (("4us", "pass", DONE), ("2.9us", "fail", INVALID)):
            test = TEST.replace("[64, 512]", "[64]") + f' require = {{ latency_p99_ns = "{limit}"; latency_min_ns = ">= 1us"; }};'
            report, _ = self.run_plan(plan_text([test], dut=self.fifo(3000), library="twin"), expect=code)
            self.assertEqual(report["verdict"], verdict)
            self.assertEqual([one["met"] for one in report["results"][0]["requirements"]], [verdict == "pass", True])


if __name__ == "__main__":
    main()
