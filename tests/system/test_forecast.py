#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `check` forecasts: as many trials as the run then makes, on the RTL, the twin and external programs; what a program is asked for it;
that it takes a program's time as its own. How far off the wall time is, `tools/bench forecast` measures."""

import json
import os
import random
import unittest

from fpgauge_system import DONE, INVALID, LONG, SystemCase, main, plan_text

SEED = int(os.environ.get("FPGAUGE_TEST_SEED", random.randrange(2**32)))
ROUNDS = 12 if LONG else 2
# Of docs/exec-tester.md: a queue of SERVICE_FPS and BUFFER_FRAMES that takes PACE seconds for each one that it is asked to send, and notes what
# it is asked.
TESTER = """\
import json, math, sys, time
service, held, pace = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
for line in sys.stdin:
    request = json.loads(line)
    with open("asked", "a") as file:
        file.write(line)
    load = request.get("load_fps", request["link_bps"] / 8 / (request["frame_octets"] + 20))
    duration = request.get("duration_s", request.get("burst_frames", 0) / load)
    offered = request.get("burst_frames", math.ceil(load * duration - 1e-6))
    received = offered if load <= service else min(offered, held + math.floor((offered - 1) * service / load))
    time.sleep(pace * duration)
    print(json.dumps({"trial": request["trial"], "offered_frames": offered, "received_frames": received, "duration_s": duration}), flush=True)
"""


class Forecast(SystemCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        print(f"seed {SEED} (FPGAUGE_TEST_SEED)", flush=True)

    def check(self, plan, *arguments, expect=DONE):
        done = self.fpgauge("check", self.write("plan.cfg", plan), "--json", "said.json", *arguments)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return self.result("said.json") if expect == DONE else done

    def asked(self):
        """What the program was asked, of the last command."""
        if not os.path.exists(self.path("asked")):
            return []
        with open(self.path("asked"), encoding="utf-8") as file:
            requests = [json.loads(line) for line in file]
        os.remove(self.path("asked"))
        return requests

    def trials(self, plan):
        """How many the run makes, by test."""
        done = self.fpgauge("run", self.write("plan.cfg", plan), "--json", "result.json", "--db", "run.db")
        self.assertIn(done.returncode, (DONE, INVALID), done.stderr)  # a result that is invalid has trials too
        count = {}
        for entry in self.result("result.json")["results"]:
            count[entry["test_number"]] = count.get(entry["test_number"], 0) + entry["trials"]
        os.remove(self.path("run.db"))
        return [count[number] for number in sorted(count)]

    def random_plan(self, draw, library):
        octets = draw.choice((64, 128, 333, 512))
        fps = int(draw.uniform(0.3, 0.95) * 100e9 / 8 / (octets + 20))
        dut = f'model = "fifo"; buffer_frames = {draw.randrange(5, 60)}; service_fps = "{fps}"; latency_ns = 300;'
        tests = [f'test = "throughput"; frame_sizes = [{octets}]; search = "binary"; resolution = "{draw.choice(("1%", "5%"))}"; '
                 f'trial_duration = "{draw.randrange(5, 20)}us"',
                 f'test = "back_to_back"; frame_sizes = [{octets}]; repetitions = {draw.randrange(1, 4)}; first_burst = "8 frames"; '
                 f'max_burst = "10us"']
        return plan_text(tests, dut=dut, library=library)

    def test_a_plan_on_the_rtl_is_said_to_have_as_many_trials_as_it_then_has(self):
        """The twin answers in its place."""
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            plan = self.random_plan(draw, "rtl")
            with self.subTest(plan):
                said = self.check(plan)
                self.assertEqual(said["according_to"], "measured")
                self.assertEqual(said["parts_whole"], 2)
                self.assertEqual([test["trials"] for test in said["tests"]], self.trials(plan))

    def test_choices_of_ports_count(self):
        """All of incast, which takes one test at a size to its end; without them, it is said to take a fraction."""
        draw = random.Random(SEED)
        ports = draw.randrange(3, 6)
        test = (f'test = "rfc8239.incast"; frame_sizes = [512]; burst = "10 frames"; connections = 1; min_rto = "100us"; repetitions = 2; '
                f'trial_duration = "{draw.randrange(50, 200)}us"; drain = "400us"; settle = "10us"; lead_time = "400us"; ack_delay = "50us"')
        plan = plan_text([test], dut='model = "switch"; buffer_frames = 100; latency_ns = 500;', library="twin", device=f"ports = {ports};")
        said = self.check(plan)
        self.assertEqual(said["parts_tried"], 1)
        count = self.trials(plan)[0]
        self.assertEqual(count, 2 * (2 * (ports - 2) - 1), "none is repeated: connections have time to open")
        self.assertIn(said["tests"][0]["trials"], (count, None), "None: the machine was so busy that it was cut short")

    def exec_plan(self, draw, pace, duration):
        self.write("tester.py", TESTER)
        command = ["python3", "-S", "tester.py", str(draw.randrange(10_000_000, 80_000_000)), str(draw.randrange(10, 3000)), str(pace)]
        return (f'device = {{ backend = "exec"; command = {json.dumps(command)}; }};\nlink = {{ speed = "100G"; }};\n'
                f'run = ({{ test = "throughput"; frame_sizes = [{draw.choice((64, 100))}]; search = "binary"; resolution = "1%"; '
                f'trial_duration = "{duration}"; drain = "1ms"; settle = "1ms"; }});\n')

    def test_a_program_is_asked_only_with_the_option_and_then_for_no_more_than_the_plan_does(self):
        plan = self.exec_plan(random.Random(SEED), 0, "2s")
        said = self.check(plan)
        self.assertEqual(self.asked(), [])
        self.assertEqual(said["according_to"], "asked_time")
        self.assertGreater(said["wall_time"]["expected_s"], 10, "a search of trials of 2 s")
        said = self.check(plan, "--rehearse")
        asked = self.asked()
        self.assertTrue(asked)
        self.assertLessEqual(max(request["duration_s"] for request in asked), 2)
        self.assertLess(said["wall_time"]["expected_s"], 8, "the program computes its answers")

    def test_a_program_is_said_to_be_asked_for_as_many_trials_as_it_then_is(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            plan = self.exec_plan(draw, 0, "1s")
            with self.subTest(plan):
                said = self.check(plan, "--rehearse")
                self.asked()
                trials = self.trials(plan)
                self.assertEqual(len(self.asked()), sum(trials))
                # Its throughput is known from two trials, so a search may take another way near the end.
                self.assertAlmostEqual(said["tests"][0]["trials"], trials[0], delta=2)

    def test_a_program_that_is_slower_than_real_time_is_said_to_be(self):
        """It sleeps, so it takes at least that long whatever else the machine does."""
        plan = self.exec_plan(random.Random(SEED), 3, "20ms")
        said = self.check(plan, "--rehearse")
        self.asked()
        self.trials(plan)
        slept_s = sum(3 * request["duration_s"] for request in self.asked())
        self.assertGreater(said["wall_time"]["expected_s"], slept_s * 0.7)

    def test_a_program_that_fails_in_a_rehearsal_fails_the_check(self):
        plan = self.exec_plan(random.Random(SEED), 0, "1s")
        self.write("tester.py", TESTER.replace("    load =", "    sys.exit(7)\n    load =", 1))
        done = self.fpgauge("check", self.write("plan.cfg", plan), "--rehearse")
        self.assertEqual(done.returncode, 3)
        self.assertIn("exit status 7", done.stderr)

    def test_without_a_rehearsal_nothing_is_tried(self):
        plan = self.random_plan(random.Random(SEED), "twin")
        said = self.check(plan, "--no-rehearsal")
        self.assertEqual((said["parts"], said["parts_tried"]), (0, 0))
        self.assertEqual([test["trials"] for test in said["tests"]], [None, None])
        self.assertGreater(said["wall_time"]["expected_s"], 0)
        self.assertEqual(self.check(plan)["parts_tried"], 2)

    def test_json_on_standard_output_takes_the_place_of_the_text(self):
        plan = self.write("plan.cfg", self.random_plan(random.Random(SEED), "twin"))
        done = self.fpgauge("check", plan, "--json", "-")
        self.assertEqual(done.returncode, DONE, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual([test["test"] for test in said["tests"]], ["throughput", "back_to_back"])
        least, expected, most = (said["wall_time"][key] for key in ("least_s", "expected_s", "most_s"))
        self.assertLessEqual(least, expected)
        self.assertLessEqual(expected, most)

    def test_options_that_contradict_each_other_are_refused(self):
        plan = self.write("plan.cfg", self.random_plan(random.Random(SEED), "twin"))
        done = self.fpgauge("check", plan, "--rehearse", "--no-rehearsal")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--no-rehearsal", done.stderr)


if __name__ == "__main__":
    main()
