#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Durations of simulated trials that the plan does not state: as long as the buffer needs them, with the results of full ones."""

import os
import random
import re
import unittest

from fpgauge_system import DONE, WRONG_PLAN, SystemCase, fifo, plan_text

SEED = int(os.environ.get("FPGAUGE_TEST_SEED", random.randrange(2**32)))


def line_fps(octets):
    return 100e9 / 8 / (octets + 20)


class FitDurations(SystemCase):
    def both(self, text):
        """The same plan with the duration that is chosen, and with that of the RFC."""
        for name in ("short.db", "full.db"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        short, done = self.run_plan(text, "--db", self.path("short.db"))
        full, _ = self.run_plan(text, "--db", self.path("full.db"), "--rfc-durations")
        return short, full, done

    def test_the_results_are_those_of_trials_of_60_s(self):
        print(f"seed {SEED} (FPGAUGE_TEST_SEED)", flush=True)
        draw = random.Random(SEED)
        chosen = 0
        for _ in range(4):
            sizes = [draw.randrange(64, 1519)]
            service = round(line_fps(max(sizes)) * draw.uniform(0.1, 0.95))
            search, resolution = draw.choice(("binary", "loss_verification")), draw.choice(("0.1%", "0.37%", "1%", "100000"))
            text = plan_text([f'test = "throughput"; frame_sizes = {sizes}; search = "{search}"; resolution = "{resolution}"',
                              f'test = "back_to_back"; frame_sizes = {sizes}; repetitions = 1'],
                             dut=fifo(draw.randrange(2, 2000), service), library="twin")
            with self.subTest(text=text, FPGAUGE_TEST_SEED=SEED):
                short, full, _ = self.both(text)
                self.assertEqual(full["set"], [])
                chosen += short["set"] != []
                for before, after in zip(full["results"], short["results"], strict=True):
                    self.assertEqual((before["test"], before["frame_octets"]), (after["test"], after["frame_octets"]))
                    for key in ("valid", "throughput_fps", "first_lossy_fps", "latency_max_ns", "average_frames", "min_frames",
                                "max_frames", "buffer_frames", "implied_buffer_s"):
                        self.assertEqual(before.get(key), after.get(key), key)
        self.assertGreater(chosen, 0)

    def test_what_was_used_and_why_is_in_the_run_file(self):
        text = plan_text(['test = "throughput"; frame_sizes = [64]', 'test = "mlrsearch"; frame_sizes = [64]; preset = "ndrpdr"'],
                         dut=fifo(500, "40M"), library="twin")
        short, full, done = self.both(text)
        # 1.5 x (500 + 8) frames at what load 269 of 1000 is above 40M frames/s, rounded up.
        self.assertEqual(short["set"], ["run[0].trial_duration=50ms", "run[0].duration_chosen_for=simulated"])
        self.assertIn("Chosen because the device is simulated: run[0].trial_duration=50ms", done.stdout)
        parameters = self.only(short, test="throughput")["parameters"]
        self.assertEqual((parameters["trial_duration_s"], parameters["duration_chosen_for"]), (0.05, "simulated"))
        parameters = self.only(full, test="throughput")["parameters"]
        self.assertEqual((parameters["trial_duration_s"], parameters.get("duration_chosen_for")), (60, None))
        self.assertEqual(short["results"][1:], full["results"][1:])
        said = self.fpgauge("report", "short.db").stdout
        self.assertRegex(said, r"final 50\.00 ms, chosen because the device is simulated \(RFC 2544 section 24, for a real one: 60 s\)")
        self.assertNotIn("chosen because", self.fpgauge("report", "full.db").stdout)

    def test_a_run_is_resumed_with_what_was_used(self):
        text = plan_text(['test = "throughput"; frame_sizes = [64]'], dut=fifo(500, "40M"), library="twin")
        short, _ = self.run_plan(text, "--db", self.path("run.db"))
        done = self.fpgauge("resume", "run.db", "--json", self.path("again.json"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        again = self.result("again.json")
        self.assertEqual((again["set"], again["results"]), (short["set"], short["results"]))
        self.run_plan(text, "--db", self.path("other.db"))
        done = self.fpgauge("compare", "run.db", "other.db")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)

    def chosen(self, tests, *arguments, dut=fifo(500, "40M"), library="twin"):
        """What check says that it has chosen."""
        done = self.fpgauge("check", self.write("plan.cfg", plan_text(tests, dut=dut, library=library)), *arguments)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return re.findall(r"run\[\d\]\.trial_duration=\w+", done.stdout)

    def test_what_the_plan_says_or_nobody_knows_is_left_alone(self):
        plain = 'test = "throughput"; frame_sizes = [64]'
        self.assertEqual(self.chosen([plain]), ["run[0].trial_duration=50ms"])
        self.assertEqual(self.chosen([f'{plain}; trial_duration = "60s"', plain]), ["run[1].trial_duration=50ms"])
        self.assertEqual(self.chosen([f'{plain}; search_trial_duration = "1ms"']), [])
        self.assertEqual(self.chosen([f'{plain}; search = "mlrsearch"']), [])
        self.assertEqual(self.chosen([plain], "--set", "run[0].trial_duration=60s"), [])
        self.assertEqual(self.chosen([plain], "--rfc-durations"), [])
        self.assertEqual(self.chosen(['test = "throughput"; traffic = { sizes = "imix"; }']), [])
        for dut in ('model = "wire"', 'model = "stall"; buffer_frames = 500;', 'model = "faults, fifo"; drop_every = 10000;',
                    'model = "switch"'):
            self.assertEqual(self.chosen([plain], dut=dut), [], dut)
        # A buffer that is hardly overloaded takes longer than the RFC asks for.
        self.assertEqual(self.chosen([f'{plain}; resolution = "1"'], dut=fifo(65536, "40M")), [])

    def test_a_word_that_is_none_of_the_two_is_refused(self):
        done = self.fpgauge("check", self.write("plan.cfg", plan_text(['test = "throughput"; duration_chosen_for = "twin"'],
                                                                      library="twin")))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('duration_chosen_for = "twin": must be "real" or "simulated"', done.stderr)


if __name__ == "__main__":
    unittest.main()
