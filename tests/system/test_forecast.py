#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `check` forecasts: bounds of the device time and of the number of trials that hold for what is then asked, of the twin and of external
programs; that what is not known is said to be. How far off the wall time is, `tools/bench forecast` measures."""

import json
import os
import random
import unittest

from fpgauge_system import DONE, INVALID, LONG, SEED, SystemCase, main, plan_text

ROUNDS = 30 if LONG else 4
# The tester of docs/exec-tester.md: a queue of SERVICE_FPS and BUFFER_FRAMES that takes PACE seconds for each one that it is
# asked to send, and notes what it is asked.
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
# The device of case 05: nothing comes, and the twin sees soon that nothing will.
NOTHING_COMES = """device = { backend = "sim"; library = "twin"; };
link = { speed = "100G"; };
dut = { model = "faults"; drop_probability = "100%"; };
run = ( { test = "bursty_traffic"; frame_sizes = [64]; } );
"""


class Forecast(SystemCase):
    def check(self, plan, *arguments):
        done = self.fpgauge("check", self.write("plan.cfg", plan), "--json", "said.json", *arguments)
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        return self.result("said.json"), done.stdout

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

    def exec_plan(self, draw, pace, duration):
        self.write("tester.py", TESTER)
        command = ["python3", "-S", "tester.py", str(draw.randrange(10_000_000, 80_000_000)), str(draw.randrange(10, 3000)), str(pace)]
        return (f'device = {{ backend = "exec"; command = {json.dumps(command)}; }};\nlink = {{ speed = "100G"; }};\n'
                f'run = ({{ test = "throughput"; frame_sizes = [{draw.choice((64, 100))}]; search = "binary"; resolution = "1%"; '
                f'trial_duration = "{duration}"; drain = "1ms"; settle = "1ms"; }});\n')

    def test_a_search_has_no_more_trials_than_was_said(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            plan = self.random_plan(draw, "twin")
            with self.subTest(plan):
                said, _ = self.check(plan)
                trials = self.trials(plan)
                for test, count in zip(said["tests"], trials, strict=True):
                    self.assertLessEqual(count, test["device_time"]["most_trials"])
                self.assertLessEqual(sum(trials), said["device_time"]["most_trials"])

    def test_what_a_program_is_asked_for_lies_between_the_bounds_and_its_wall_time_is_not_known(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            plan = self.exec_plan(draw, 0, "1s")
            with self.subTest(plan):
                said, text = self.check(plan)
                self.assertEqual(self.asked(), [], "check asks for nothing")
                self.assertEqual(said["according_to"], "asked_time")
                self.assertEqual((said["wall_time"]["expected_s"], said["wall_time"]["least_s"]), (None, None))
                self.assertIn("Wall time is not known: that is up to the program", text)
                self.trials(plan)
                asked_s = sum(sum(request[key] for key in ("duration_s", "drain_s", "settle_s")) for request in self.asked())
                self.assertLessEqual(said["device_time"]["least_s"], asked_s)
                self.assertLessEqual(asked_s, said["device_time"]["most_s"])

    def test_what_the_twin_jumps_over_has_no_lower_bound_of_wall_time(self):
        """It was said to take at least 33 minutes, and took less than one."""
        said, text = self.check(NOTHING_COMES)
        self.assertIsNone(said["wall_time"]["least_s"])
        if said["wall_time"]["expected_s"] is None:
            self.assertRegex(said["wall_time"]["not_known"], r"\Aof test 1, bursty_traffic, trials last 60\.00 s on average, .* too little of them\Z")
            self.assertIn("On this machine: wall time not known: of test 1, bursty_traffic, ", text)
        self.assertNotRegex(text, r"least .* of wall time|wall time \(|or more")

    def test_a_test_of_which_the_device_decides_makes_the_whole_unknown_and_is_named(self):
        plan = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "10us"',
                          'test = "rfc8239.port_buffer"; frame_sizes = [64]; max_frames = 100'],
                         dut='model = "switch"; buffer_frames = 50', library="twin", device="ports = 3;")
        said, text = self.check(plan)
        self.assertGreater(said["tests"][0]["wall_time"]["expected_s"], 0)
        self.assertEqual(said["tests"][1]["wall_time"], {"expected_s": None, "least_s": None, "not_known": "the device decides how many trials it takes"})
        self.assertEqual(said["wall_time"]["not_known"], "of test 2, rfc8239.port_buffer, the device decides how many trials it takes")
        self.assertIn("     on this machine: about 0:01 of wall time, one trial after the other\n", text)
        self.assertIn("  On this machine: wall time not known: of test 2, rfc8239.port_buffer, the device decides", text)

    def test_json_on_standard_output_takes_the_place_of_the_text(self):
        plan = self.write("plan.cfg", self.random_plan(random.Random(SEED), "twin"))
        done = self.fpgauge("check", plan, "--json", "-")
        self.assertEqual(done.returncode, DONE, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual([test["test"] for test in said["tests"]], ["throughput", "back_to_back"])
        self.assertLessEqual(said["device_time"]["least_s"], said["device_time"]["most_s"])


if __name__ == "__main__":
    main()
