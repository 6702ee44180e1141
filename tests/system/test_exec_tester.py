#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""External testers end to end: a model whose truth is known gives that truth in every report, the examples in the
documentation work as they are, and a program is told what it needs to know."""

import json
import os
import re
import shutil
import subprocess

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fifo_truth import max_theoretical_fps
from fpgauge_system import LINK_BPS, ROOT, WRONG_DEVICE, WRONG_PLAN, main

EXAMPLES = os.path.join(ROOT, "docs", "examples")
THROUGHPUT = 'test = "throughput"; frame_sizes = [64, 256]; resolution = "0.1%"; trial_duration = "10s";'
BACK_TO_BACK = 'test = "back_to_back"; frame_sizes = [64, 256]; repetitions = 3;'


def longest_burst(buffer_frames, service_fps, frame_octets):
    """How many frames at line rate a FIFO takes, counted one by one."""
    line = max_theoretical_fps(frame_octets, LINK_BPS)
    frames = 1
    while frames + 1 - (frames * service_fps * 8 * (frame_octets + 20)) // LINK_BPS <= buffer_frames:
        frames += 1
    assert service_fps < line
    return frames


class ExecTester(ExecTesterCase):
    def test_the_truth_of_a_model_is_what_is_reported(self):
        for rate, buffer in ((12_000_000, 2000), (31_234_567, 17)):
            with self.subTest(rate):
                report, _ = self.run_tester(tester_text(rate=rate, buffer=buffer), [THROUGHPUT, BACK_TO_BACK])
                for size in (64, 256):
                    step = float(max_theoretical_fps(size, LINK_BPS)) / 1000
                    found = self.only(report, test="throughput", frame_octets=size)
                    # A trial of 10 s hides an overload of buffer / 10 s.
                    self.assertLessEqual(found["throughput_fps"], rate + buffer / 10)
                    self.assertGreater(found["throughput_fps"], rate - step)
                    burst = self.only(report, test="back_to_back", frame_octets=size)
                    self.assertTrue(burst["valid"], burst["why_invalid"])
                    self.assertEqual(burst["values_frames"], [longest_burst(buffer, rate, size)] * 3)
                    self.assertAlmostEqual(burst["buffer_frames"], buffer, delta=burst["corrected_buffer_error_frames"])
                    self.assertEqual(burst["bursts_proven"], 0)
                    self.assertIn("bursts have only the tester's word", " ".join(burst["flags"]))

    def test_the_report_says_who_measured_and_what_was_agreed(self):
        report, done = self.run_tester(tester_text(), [THROUGHPUT], device='timeout = "5s"; offered_tolerance = "1%";')
        self.assertEqual(report["device"], {"backend": "exec", "name": "python3 -S tester.py", "regmap": None, "ports": None,
                                            "senders": 1, "offered_tolerance_percent": 1.0, "timeout_s": 5.0})
        self.assertEqual(report["link"], {"bits_per_second": LINK_BPS})
        self.assertIn("Tester               external program python3 -S tester.py, sending ports: 1,\n"
                      "                       timeout 5.00 s, offered frames within 1.000%\n", done.stdout)
        parameters = self.only(report, frame_octets=64)["parameters"]
        self.assertEqual(parameters["direction"], "unidirectional")
        # Not measured is null, never 0.
        self.assertIsNone(self.only(report, frame_octets=64)["counters"]["duplicated_frames"])
        self.assertIsNone(self.only(report, frame_octets=64)["latency_min_ns"])

    def test_what_the_program_measures_is_in_the_report(self):
        more = ("reply.update(duplicated_frames=1, reordered_frames=2, late_frames=3, sequence_gaps=4, bad_frames=5,\n"
                " bad_fcs_frames=6, foreign_frames=0, other_run_frames=8, wrong_port_frames=9, wrong_length_frames=10,\n"
                " bad_payload_frames=11,\n"
                " forwarding_rate_fps=1e6, latency_min_ns=800, latency_mean_ns=900.5, latency_max_ns=1000,\n"
                " gap_min_octets=8, gap_mean_octets=12, gap_max_octets=16)")
        tests = ['test = "throughput"; frame_sizes = [128]; trial_duration = "1s";',
                 'test = "back_to_back"; frame_sizes = [128]; repetitions = 1;']
        report, _ = self.run_tester(tester_text(more), tests)
        result = self.only(report, test="throughput")
        keys = ("duplicated_frames", "reordered_frames", "late_frames", "sequence_gaps", "bad_frames", "bad_fcs_frames",
                "foreign_frames", "other_run_frames", "wrong_port_frames", "wrong_length_frames", "bad_payload_frames")
        self.assertEqual([result["counters"][key] for key in keys], [1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 11])
        # The tester says so of each of its trials.
        self.assertIn(f"in {result['trials']} of the trials, the device changed the payload of {11 * result['trials']} frames and made a "
                      "new FCS for them: they count as lost", result["flags"])
        self.assertEqual((result["latency_min_ns"], result["latency_max_ns"]), (800, 1000))
        self.assertAlmostEqual(result["latency_mean_ns"], 900.5, 6)
        self.assertEqual(result["forwarding_rate_fps"], 1e6)
        burst = self.only(report, test="back_to_back")
        self.assertEqual((burst["gap_min_octets"], burst["gap_mean_octets"], burst["gap_max_octets"]), (8, 12, 16))
        self.assertEqual(burst["bursts_unproven"], 0)
        self.assertGreater(burst["bursts_proven"], 0)

    def test_a_burst_whose_gaps_were_wrong_is_no_result(self):
        more = "reply.update(gap_min_octets=12, gap_mean_octets=12.5, gap_max_octets=13)"
        report, _ = self.run_tester(tester_text(more),
                                    ['test = "back_to_back"; frame_sizes = [128]; repetitions = 1; max_burst = "1000 frames";'],
                                    expect=1)
        self.assertIn("average gap 12.500000 octets, requested 12", self.only(report)["why_invalid"])

    def test_the_program_is_told_everything_about_the_trial(self):
        tester = tester_text().replace("request = json.loads(line)",
                                       "open('asked', 'a').write(line)\n    request = json.loads(line)")
        tests = ['test = "throughput"; frame_sizes = [64]; trial_duration = "2s"; resolution = "50%"; settle = "3s"; '
                 'drain = "500ms"; traffic = { addresses = 4; };', 'test = "back_to_back"; frame_sizes = [64]; repetitions = 1; '
                 'traffic = { addresses = 4; }; first_burst = "26 frames"; max_burst = "26 frames"; max_trials = 1; '
                 'search = "loss_verification";']
        self.run_tester(tester, tests, expect=1)  # the longest burst allowed passes
        with open(self.path("asked"), encoding="ascii") as file:
            lines = file.read().splitlines()
        self.assertEqual([json.loads(line)["trial"] for line in lines], list(range(1, len(lines) + 1)))
        common = {"frame_octets": 64, "direction": "unidirectional", "senders": 1, "destinations": 4, "gap_octets": 12,
                  "link_bps": LINK_BPS}
        first, last = json.loads(lines[0]), json.loads(lines[-1])
        self.assertEqual(first, {"trial": 1, "load_fps": 1e11 / 8 / 84, "duration_s": 2.0, "drain_s": 0.5, "settle_s": 3.0,
                                 **common})
        self.assertEqual({key: last[key] for key in last if key not in ("trial", "drain_s", "settle_s")},
                         {"burst_frames": 26, **common})
        self.assertTrue(lines[0].startswith('{"trial":1,"frame_octets":64,"load_fps":148809523.8095238'), lines[0])

    def test_frames_of_several_senders_are_counted_together(self):
        tester = tester_text("""\
n = request["senders"]
for key in ("offered_frames", "received_frames"): reply[key] *= n""")
        tests = ['test = "throughput"; frame_sizes = [128]; trial_duration = "1s"; direction = "bidirectional";']
        report, _ = self.run_tester(tester, tests, device="senders = 2;")
        result = self.only(report)
        self.assertAlmostEqual(result["throughput_fps"], 40e6, delta=result["resolution_fps"])
        self.assertAlmostEqual(result["counters"]["offered_frames"], 2 * result["throughput_fps"], delta=2)

    def test_the_plan_of_the_documentation_runs_with_both_examples(self):
        shutil.copytree(EXAMPLES, self.scratch, dirs_exist_ok=True)
        program = self.path("exec_tester")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "jansson"], capture_output=True, text=True, check=True)
        built = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", program, "exec_tester.c",
                                *flags.stdout.split(), "-lm"], cwd=self.scratch, capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stderr)
        for name, command, burst in (("python", None, longest_burst(500, 40_000_000, 64)),
                                     ("c", '["./exec_tester", "40000000"]', 1)):
            with self.subTest(name):
                arguments = ["--set", f"device.command={command}"] if command else []
                done = self.fpgauge("run", "exec-model.cfg", "--json", "result.json", *arguments)
                self.assertEqual(done.returncode, 0, done.stderr)
                report = self.result("result.json")
                found = self.only(report, test="throughput", frame_octets=64)
                self.assertAlmostEqual(found["throughput_fps"], 40e6, delta=found["resolution_fps"])
                self.assertEqual(self.only(report, test="back_to_back", frame_octets=64)["values_frames"], [burst] * 5)

    def test_the_example_of_mlrsearch_finds_what_the_model_does(self):
        shutil.copytree(EXAMPLES, self.scratch, dirs_exist_ok=True)
        done = self.fpgauge("run", "exec-mlrsearch.cfg", "--json", "result.json", "--trial-log=search.log")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.result("result.json")
        found = self.only(report, test="throughput")
        self.assertTrue(40e6 * 0.995 <= found["throughput_fps"] <= 40e6 + 500 / 60)
        # The model loses 1 - 40M / L of a load L: none, 0.5%, 1%.
        for result, loss in zip([result for result in report["results"] if result["test"] == "mlrsearch"], (0, 0.005, 0.01)):
            self.assertEqual(result["parameters"]["goal_loss_ratio"], loss)
            self.assertLessEqual(result["relevant_lower_bound_fps"], (40e6 + 500) / (1 - loss))
            self.assertGreater(result["relevant_upper_bound_fps"], 40e6 / (1 - loss))
        with open(self.path("search.log"), encoding="utf-8") as file:
            lines = len(file.read().splitlines())
        self.assertEqual(lines, 1 + sum(result["trials"] for result in report["results"] if result.get("goal") != 2))

    def documented(self, heading):
        """Keys in the first column of the tables below a heading of the page, excluding those of the next heading."""
        with open(os.path.join(ROOT, "docs", "exec-tester.md"), encoding="utf-8") as file:
            part = file.read().split(f"### {heading}\n")[1].split("\n##")[0]
        return {key for line in part.splitlines() if line.startswith("| `")
                for key in re.findall("`([a-z0-9_]+)`", line.split("|")[1])}

    def test_the_page_names_the_keys_that_are_asked_and_no_others(self):
        tester = tester_text().replace("request = json.loads(line)",
                                       "open('asked', 'a').write(line)\n    request = json.loads(line)")
        self.run_tester(tester, ['test = "throughput"; frame_sizes = [64]; trial_duration = "1s";',
                                 'test = "back_to_back"; frame_sizes = [64]; repetitions = 1;'])
        with open(self.path("asked"), encoding="ascii") as file:
            asked = {key for line in file for key in json.loads(line)}
        # Plain traffic has none of the keys that are there "only if" it is not, nor has one burst those of several;
        # tests/c/test_exec_request.c has them.
        only = {"pattern", "frame", "routed", "vlan", "sizes", "seed", "bursts", "burst_gap_octets"}
        self.assertEqual((asked, only - self.documented("Request")), (self.documented("Request") - only, set()))

    def test_the_page_names_the_keys_that_are_understood_and_no_others(self):
        keys = {}
        for path, key in (("host/trial/exec/answer.c", r"^\s+KEY\([A-Z]+, (\w+)\)"), ("host/base/port_counters.h", r"^\s+ROW\((\w+), rx_")):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                keys[path] = set(re.findall(key, file.read(), re.M))
            self.assertGreater(len(keys[path]), 9, path)
        own, counters = keys.values()
        self.assertEqual(own, self.documented("Answer") - counters)
        with open(os.path.join(ROOT, "docs", "exec-tester.md"), encoding="utf-8") as file:
            self.assertIn("| each other of the [counters](results.md#counters) |", file.read())

    def test_the_program_that_the_page_prints_is_a_tester(self):
        with open(os.path.join(ROOT, "docs", "exec-tester.md"), encoding="utf-8") as file:
            program = file.read().split("```python\n")[1].split("```")[0]
        generator = """\
class my_generator:
    def load(octets, fps, seconds):
        offered = round(fps * seconds)
        return offered, min(offered, int(25e6 * seconds)), seconds
    def burst(octets, frames):
        return frames, min(frames, 77), 0.0
"""
        report, _ = self.run_tester(generator + program, [THROUGHPUT, BACK_TO_BACK])
        found = self.only(report, test="throughput", frame_octets=64)
        self.assertTrue(25e6 - found["resolution_fps"] < found["throughput_fps"] <= 25e6)
        self.assertEqual(self.only(report, test="back_to_back", frame_octets=64)["values_frames"], [77, 77, 77])

    def test_check_starts_the_program_and_says_what_would_run(self):
        self.write("tester.py", tester_text())
        done = self.fpgauge("check", self.write("plan.cfg", plan_text([THROUGHPUT])))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("and python3 -S tester.py starts: senders 1 at 100 Gb/s", done.stdout)

    def test_check_finds_a_program_that_does_not_run(self):
        for text, says in (("import nothing_of_that_name", "ended with exit status 1 although it was asked nothing"),
                           ("import os; os.abort()", "was killed by signal 6 (Aborted) although it was asked nothing"),
                           ("import time; time.sleep(600)", "does not end within 5 s of the end of its standard input")):
            with self.subTest(says):
                self.write("tester.py", text)
                done = self.fpgauge("check", self.write("plan.cfg", plan_text([THROUGHPUT])))
                self.assertEqual((done.returncode, done.stdout), (WRONG_DEVICE, ""))
                self.assertIn(f"fpgauge check: python3 -S tester.py: {says}\n", done.stderr)

    def test_plans_that_do_not_fit_a_program_are_refused_with_their_place(self):
        plan = plan_text([THROUGHPUT])
        for name, old, new, says in (
                ("no command", 'command = ["python3", "-S", "tester.py"];', "", "bad.cfg:1: device: command must be given"),
                ("command of text", '["python3", "-S", "tester.py"]', '"tester.py"', "device.command = \"tester.py\": must be a list"),
                ("empty command", '["python3", "-S", "tester.py"]', "[]", "device.command = []: must be a list"),
                ("command of numbers", '["python3", "-S", "tester.py"]', '[1, 2]', "device.command = [...]: must be a list"),
                ("no link speed", 'speed = "100G"; ', "", "bad.cfg:2: link.speed must be given with backend"),
                ("a library", "backend", 'library = "rtl"; backend', 'device.library = "rtl": is not a key of backend = "exec"'),
                ("a timeout of nothing", "backend", 'timeout = "0s"; backend', 'device.timeout = "0s": must be a time'),
                ("an option of a library", "backend", 'capture = "x"; backend', 'device.capture = "x": unknown key'),
                ("a command of sim", '"exec"', '"sim"', 'device.command = [...]: is not a key of backend = "sim", only of "exec"'),
                ("a dut", "run =", 'dut = { model = "wire"; };\nrun =', "bad.cfg:3: dut = {...}: is for a simulation"),
                ("both directions", "frame_sizes", 'direction = "bidirectional"; frame_sizes',
                 'direction = "bidirectional": must be "unidirectional" with one sender; see device.senders')):
            with self.subTest(name):
                self.assertIn(old, plan)
                done = self.fpgauge("run", self.write("bad.cfg", plan.replace(old, new, 1)))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    main()
