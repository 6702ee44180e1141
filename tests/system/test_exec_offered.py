#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""External testers that offer more or less than they are asked for, within what the plan tolerates, as programs: results are made of what they
offered, in every form of report, and a resumed run has the same."""

import csv
import json
import os
import random
import re

from exec_tester_case import ExecTesterCase, plan_text
from fpgauge_system import LONG, ROOT, SEED, WRONG_DEVICE, main

try:
    import jsonschema
except ImportError as missing:
    raise SystemExit("python3-jsonschema is missing: tools/install-packages test") from missing

with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as schema:
    VALIDATOR = jsonschema.Draft202012Validator(json.load(schema))

ROUNDS = 40 if LONG else 4
LINE_FPS = 1e11 / 8 / 84
STEP_FPS = LINE_FPS / 1000
SLACK_FPS = 200  # the most that a trial of almost 100 ms hides in a buffer of 16 frames, and a frame at its end
TOLERANT = 'offered_tolerance = "10%";'

# Load and duration are factors of those asked for, each varied at random from trial to trial.
OFFERING = """\
import json, math, os, random, sys
load, load_varies, duration, duration_varies, most, rate, buffer, stop = {numbers}
drawn = random.Random({seed})
for line in sys.stdin:
    request = json.loads(line)
    if request["trial"] == stop and not os.path.exists("stopped"):
        open("stopped", "w").close()
        os._exit(9)
    line_fps = request["link_bps"] / 8 / (request["frame_octets"] + 20)
    factor = load + drawn.uniform(-load_varies, load_varies)
    seconds = request.get("duration_s", 0) * (duration + drawn.uniform(-duration_varies, duration_varies))
    fps = min(request["load_fps"] * factor, most, line_fps) if "load_fps" in request else line_fps
    offered = round(fps * seconds) if seconds else round(request["burst_frames"] * factor)
    received = offered if fps <= rate else min(offered, buffer + math.floor((offered - 1) * rate / fps))
    print(json.dumps({{"trial": request["trial"], "offered_frames": offered, "received_frames": received, "duration_s": seconds}}), flush=True)
"""


def tester(rate, load=1.0, load_varies=0.0, duration=1.0, duration_varies=0.0, most=1e9, buffer=16, stop=0, seed=1):
    return OFFERING.format(numbers=repr((load, load_varies, duration, duration_varies, most, rate, buffer, stop)), seed=seed)


def test_of(name, more=""):
    return f'test = "{name}"; frame_sizes = [64]; trial_duration = "100ms"; {more}'


class ExecOffered(ExecTesterCase):
    def check_throughput(self, result, truth):
        found, flags = result["throughput_fps"], " ".join(result["flags"])
        self.assertTrue(result["valid"], result)
        self.assertLessEqual(found, min(truth, LINE_FPS) + SLACK_FPS)
        if result.get("at_least"):
            self.assertIn("no limit of the device was found", flags)
        elif "more than the resolution" not in flags:
            self.assertGreaterEqual(found, min(truth, LINE_FPS) - STEP_FPS - SLACK_FPS)

    def test_random_testers_find_the_throughput_to_a_step_or_a_flag_says_that_they_did_not(self):
        draw = random.Random(SEED)
        for number in range(ROUNDS):
            truth = draw.uniform(0.05, 1.05) * LINE_FPS
            load = draw.uniform(0.9001, 1.0999) if number % 2 else 1.0
            kind = {"load": load, "duration": draw.uniform(max(0.9501, 0.9001 / load), min(1.0499, 1.0999 / load))}
            if number % 4 == 0:
                kind = {"load_varies": 0.047, "duration_varies": 0.049, "seed": draw.randrange(1000)}
            if number % 4 == 2:
                kind["most"] = draw.uniform(0.95, 1) * LINE_FPS
            with self.subTest(truth=truth, kind=kind):
                report, _ = self.run_tester(tester(truth, **kind), [test_of("throughput"), test_of("frame_loss_rate")], device=TOLERANT)
                self.assertEqual(list(VALIDATOR.iter_errors(report)), [])
                self.check_throughput(self.only(report, test="throughput"), truth)
                for point in self.only(report, test="frame_loss_rate")["points"]:
                    frames = 200 / point["offered_frames"]  # whole frames in percent: what was sent and what came are whole
                                                            # frames
                    self.assertLessEqual(abs(point["loss_percent"] - max(0, 100 * (1 - truth / point["load_fps"]))), 0.001 + frames)

    def test_every_report_shows_the_intended_load_beside_the_offered_one_and_that_the_line_was_not_reached(self):
        tests = [test_of("throughput"), test_of("throughput", 'search = "mlrsearch";'), test_of("mlrsearch"), test_of("frame_loss_rate")]
        report, done = self.run_tester(tester(LINE_FPS / 2, most=0.91 * LINE_FPS, load=0.996), tests, "--html", "out.html", "--csv", "csv",
                                       device=TOLERANT)
        self.assertEqual(list(VALIDATOR.iter_errors(report)), [])
        with open(self.path("out.html"), encoding="utf-8") as file:
            html = file.read()
        for result in report["results"]:
            self.assertAlmostEqual(result["intended_load_fps"] * 0.996, result["offered_load_fps"], delta=10)
            self.assertTrue(any("the line was never reached: at most 91% of line rate was offered" in flag for flag in result["flags"]))
            for key in ("intended_load_fps", "offered_load_fps"):
                self.assertIn(f" {result[key]:.1f} ", done.stdout)
                self.assertIn(f'<td data-key="{key}">', html)
                self.assertIn(f"{result[key]:,.1f}<".replace(",", "\u202f"), html)
        self.assertEqual(done.stdout.count("Intended load, fps  Offered load, fps"), len(tests))
        loads = re.findall('data-key="load_percent"><data value="([0-9.]+)"', html.split('<section id="loss">')[1].split("</section>")[0])
        self.assertAlmostEqual(max(map(float, loads)), 91, 2)
        with open(self.path("csv/throughput.csv"), encoding="utf-8", newline="") as file:
            for row, result in zip(csv.DictReader(file), report["results"]):
                self.assertEqual(float(row["intended_load_fps"]), result["intended_load_fps"])

    def test_a_device_at_line_rate_is_no_more_than_what_was_offered_and_its_buffer_is_not_corrected_by_that(self):
        report, done = self.run_tester(tester(LINE_FPS, load=0.91), [test_of("throughput", 'require = { throughput_percent = "90%"; };'),
                                                                   'test = "back_to_back"; frame_sizes = [64]; repetitions = 1; '
                                                                   'max_burst = "1000 frames";'], device=TOLERANT, expect=1)
        result, burst = report["results"]
        self.assertAlmostEqual(result["throughput_percent"], 91, 5)
        self.assertTrue(result["at_least"])
        self.assertEqual(result["verdict"], "pass")
        self.assertIn(">= 91.000%", done.stdout)
        self.assertEqual(burst["throughput_source"], "forwarding_rate")

    def test_a_resumed_run_has_the_results_of_one_that_was_not_stopped(self):
        tests = [test_of("throughput"), test_of("mlrsearch"), test_of("frame_loss_rate"),
                 'test = "back_to_back"; frame_sizes = [64]; repetitions = 2; first_burst = "8 frames";']
        calm, _ = self.run_tester(tester(LINE_FPS / 3, load=1.03), tests, device=TOLERANT)
        self.run_tester(tester(LINE_FPS / 3, load=1.03, stop=20), tests, "--db", "stopped.db", device=TOLERANT, expect=WRONG_DEVICE)
        done = self.fpgauge("resume", "stopped.db", "--allow-command", "--json", "resumed.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.result("resumed.json")["results"], calm["results"])


if __name__ == "__main__":
    main()
