#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Durations of simulated trials that the plan does not state: as long as the queue of the device needs them, with the results of full ones."""

import os
import random
import re
import unittest

from fpgauge_system import DONE, NO_BASE, SEED, WRONG_PLAN, SystemCase, fifo, plan_text



def line_fps(octets):
    return 100e9 / 8 / (octets + 20)


def any_queue(draw, octets):
    """A device that is a known queue at that frame size, and the traffic that it needs."""
    buffer, latency = int(2 ** draw.uniform(1, 11)), draw.randrange(3000)
    share = draw.uniform(0.1, 1.05)
    return draw.choice((
        (fifo(buffer, round(line_fps(octets) * share), latency), ""),
        (f'model = "wire"; latency_ns = {latency};', ""),
        (f'model = "switch"; buffer_frames = {buffer}; gap_octets = {draw.choice((12, 13, 20, 100, 500))}; latency_ns = {latency};', ""),
        (f'model = "router"; buffer_frames = {buffer}; forwarding_fps = "{round(line_fps(octets) * share)}"; latency_ns = {latency};',
         "traffic = { routed = true; };"),
    ))


def any_tests(draw, octets, traffic):
    """One of each kind that gets a duration; latency last, at the throughput and at a load of its own."""
    common = f"frame_sizes = [{octets}]; {traffic}"
    preset = f'preset = "{draw.choice(("rfc2544", "tst009", "ndrpdr"))}"'
    tests = [f'test = "throughput"; {common} resolution = "{draw.choice(("0.1%", "0.37%", "1%", "100000"))}"',
             f'test = "mlrsearch"; {common} {preset}; width = "{draw.choice(("0.1%", "0.5%", "2%"))}"',
             f'test = "frame_loss_rate"; {common} step = "{draw.choice(("1%", "3%", "10%"))}"',
             f'test = "latency"; {common} repetitions = 1']
    if traffic:
        return tests + [f'test = "latency"; {common} repetitions = 1; load = "{draw.randrange(2, 10)}%"']
    return tests + [f'test = "rfc8239.line_rate"; {common} traffic = {{ pattern = "pairs"; }}; repetitions = 1; load = "{draw.randrange(20, 101)}%"']


STEP_NS = 2 * 8 * 8 / 100  # two groups of 8 octets: when frames begin, and are timestamped
LOSS_POINTS = 0.01         # the most that a buffer may keep of a trial's frames, in percentage points
PART_OF_WIDTH = 0.1        # part by which a conditional throughput may differ


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
        draw = random.Random(SEED)
        chosen = 0
        for _ in range(2):
            sizes = [draw.randrange(64, 1519)]
            service = round(line_fps(max(sizes)) * draw.uniform(0.1, 0.95))
            search, resolution = draw.choice(("binary", "loss_verification")), draw.choice(("0.1%", "0.37%", "1%", "100000"))
            text = plan_text([f'test = "throughput"; frame_sizes = {sizes}; search = "{search}"; resolution = "{resolution}"',
                              f'test = "back_to_back"; frame_sizes = {sizes}; repetitions = 1'],
                             dut=fifo(draw.randrange(2, 2000), service), library="twin")
            with self.subTest(text=text):
                short, full, _ = self.both(text)
                self.assertEqual(full["set"], [])
                chosen += short["set"] != []
                for before, after in zip(full["results"], short["results"], strict=True):
                    self.assertEqual((before["test"], before["frame_octets"]), (after["test"], after["frame_octets"]))
                    for key in ("valid", "throughput_fps", "first_lossy_fps", "latency_max_ns", "average_frames", "min_frames",
                                "max_frames", "buffer_frames", "implied_buffer_s"):
                        self.assertEqual(before.get(key), after.get(key), key)
        self.assertGreater(chosen, 0)

    def check_latency(self, result, load_fps, capacity_fps, truth):
        """Of every frame, below what the queue forwards for ever and above it."""
        lone, service = truth["latency_ns"], 1e9 / capacity_fps
        if load_fps <= capacity_fps:
            for key in ("latency_min_ns", "latency_mean_ns", "latency_max_ns", "latency_p99_9_ns"):
                self.assertAlmostEqual(result[key], lone, delta=STEP_NS, msg=key)
            return
        # The last place of the buffer, a service more or less: of the frame that leaves as one comes.
        full = lone + (truth["buffer_frames"] - 1) * service
        self.assertAlmostEqual(result["latency_max_ns"], full, delta=2 * service + STEP_NS)
        self.assertAlmostEqual(result["latency_mean_ns"], full, delta=full / 500 + 2 * service + STEP_NS)

    def check_goal(self, result, capacity_fps):
        """The bounds are around the highest load with that loss."""
        goal, width = result["parameters"]["goal_loss_ratio"], result["parameters"]["goal_width"]
        at = capacity_fps / (1 - goal)
        if at >= result["max_theoretical_fps"]:
            self.assertIsNone(result["relevant_upper_bound_fps"])
            return
        self.assertTrue(result["regular"])
        self.assertLessEqual(result["relevant_lower_bound_fps"], at * (1 + PART_OF_WIDTH * width))
        self.assertGreaterEqual(result["relevant_upper_bound_fps"], at * (1 - PART_OF_WIDTH * width))

    def check_truth(self, result):
        truth, line = result["truth"], result["max_theoretical_fps"]
        capacity = truth["throughput_fps"] * (1 + 1e-12)
        loss = lambda load: 100 * max(0, 1 - capacity / load)
        if result["test"] == "throughput":
            self.assertLessEqual(result["throughput_fps"], capacity)
            self.assertGreater(result["first_lossy_fps"] or line * 2, min(capacity, line))
        elif result["test"] == "mlrsearch":
            self.check_goal(result, capacity)
        elif result["test"] == "frame_loss_rate":
            for point in result["points"]:
                self.assertAlmostEqual(point["loss_percent"], loss(point["load_fps"]), delta=LOSS_POINTS)
                self.assertEqual(point["lost_frames"] > 0, point["load_fps"] > capacity)
        elif result["test"] == "latency":
            self.check_latency(result, result["load_fps"], capacity, truth)
            for tagged in result["tagged_latency_ns"]:
                self.assertAlmostEqual(tagged, result["latency_max_ns"], delta=1e9 / capacity + STEP_NS)
        else:
            load = result["load_percent"] / 100 * line
            self.assertAlmostEqual(result["loss_percent"], loss(load), delta=LOSS_POINTS)
            self.check_latency(result, load, capacity, truth)

    def test_all_tests_with_a_duration_find_the_truth_of_all_known_queues(self):
        draw = random.Random(SEED)
        for _ in range(2):
            octets = draw.randrange(64, 1519)
            dut, traffic = any_queue(draw, octets)
            text = plan_text(any_tests(draw, octets, traffic), dut=dut, library="twin")
            report, _ = self.run_plan(text)
            for result in report["results"]:
                with self.subTest(text=text, test=result["test"], why=result["parameters"].get("duration_reason")):
                    self.check_truth(result)

    def test_all_tests_with_a_duration_find_what_full_ones_find(self):
        draw = random.Random(SEED)
        octets = draw.randrange(64, 1519)
        dut = fifo(draw.randrange(2, 2000), f"{draw.randrange(20, 95)}%")
        text = plan_text(any_tests(draw, octets, ""), dut=dut, library="twin")
        short, full, _ = self.both(text)
        for before, after in zip(full["results"], short["results"], strict=True):
            self.assertNotIn("duration_chosen_for", before["parameters"])
            with self.subTest(text=text, test=before["test"], why=after["parameters"].get("duration_reason")):
                for key in ("test", "goal", "valid", "throughput_fps", "first_lossy_fps", "relevant_lower_bound_fps", "relevant_upper_bound_fps",
                            "regular", "end", "loss_free_load_percent"):
                    self.assertEqual(before.get(key), after.get(key), key)
                for key in ("line_rate_loss_percent", "max_loss_percent", "loss_percent"):
                    self.assertAlmostEqual(before.get(key, 0), after.get(key, 0), delta=LOSS_POINTS)
                for key in ("latency_min_ns", "latency_mean_ns", "latency_max_ns", "latency_p99_9_ns"):
                    if before.get(key) is not None:
                        self.assertAlmostEqual(before[key], after[key], delta=before[key] / 1000 + STEP_NS)

    def test_what_was_used_and_why_is_in_the_run_file(self):
        text = plan_text(['test = "throughput"; frame_sizes = [64]', 'test = "back_to_back"; frame_sizes = [64]; repetitions = 1'],
                         dut=fifo(500, "40M"), library="twin")
        short, full, done = self.both(text)
        # 1.5 x (500 + 8) frames at what load 269 of 1000 is above 40M frames/s, rounded up.
        why = ("at 64 octets the lowest load tried that it cannot forward for ever, 29.76 kfps above its 40.00 Mfps, fills its buffer of 500 "
               "frames within 25.60 ms")
        self.assertEqual(short["set"], ["run[0].trial_duration=50ms", "run[0].duration_chosen_for=simulated", f"run[0].duration_reason={why}"])
        self.assertIn("Chosen because the device is simulated: run[0].trial_duration=50ms", done.stdout)
        parameters = self.only(short, test="throughput")["parameters"]
        self.assertEqual((parameters["trial_duration_s"], parameters["duration_chosen_for"], parameters["duration_reason"]),
                         (0.05, "simulated", why))
        parameters = self.only(full, test="throughput")["parameters"]
        self.assertEqual((parameters["trial_duration_s"], parameters.get("duration_chosen_for"), parameters.get("duration_reason")),
                         (60, None, None))
        said = self.fpgauge("report", "short.db", "--html", "short.html").stdout
        self.assertRegex(said, r"final 50\.00 ms, chosen because the device is simulated \(RFC 2544 section 24, for a real one: 60 s\)")
        self.assertIn(f"50.00 ms: chosen because the device is simulated, and {why}\n", said)
        self.assertNotIn("duration_reason", said)
        with open(self.path("short.html"), encoding="utf-8") as file:
            html = file.read()
        self.assertIn(why, html)
        self.assertIn("--set run[0].trial_duration=50ms", html)
        self.assertNotIn("--set run[0].duration_reason", html)
        self.assertNotIn("chosen because", self.fpgauge("report", "full.db").stdout)

    def test_the_report_says_what_was_chosen_for_each_kind_of_test(self):
        sizes = "frame_sizes = [512]"
        text = plan_text([f'test = "throughput"; {sizes}', f'test = "latency"; {sizes}; repetitions = 1', f'test = "frame_loss_rate"; {sizes}',
                          f'test = "mlrsearch"; {sizes}', f'test = "rfc8239.line_rate"; {sizes}; repetitions = 1'],
                         dut=fifo(500, "50%"), library="twin")
        said = self.run_plan(text)[1].stdout
        self.assertEqual([why.strip() for why in re.findall(r"Duration +(.*: chosen because the device is simulated, and at 512 octets .{20})", said)], [
            "50.00 ms: chosen because the device is simulated, and at 512 octets the lowest load trie",
            "10.00 ms: chosen because the device is simulated, and at 512 octets so many frames, 1000",
            "500.00 ms: chosen because the device is simulated, and at 512 octets its buffer, 500 fram",
            "50.00 ms: chosen because the device is simulated, and at 512 octets the search, played a",
            "500.00 ms: chosen because the device is simulated, and at 512 octets its buffer, 500 fram"])

    def test_a_run_is_resumed_with_what_was_used(self):
        text = plan_text(['test = "throughput"; frame_sizes = [64]', 'test = "mlrsearch"; frame_sizes = [64]'], dut=fifo(500, "40M"), library="twin")
        short, _ = self.run_plan(text, "--db", self.path("run.db"))
        done = self.fpgauge("resume", "run.db", "--json", self.path("again.json"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        again = self.result("again.json")
        self.assertEqual((again["set"], again["results"]), (short["set"], short["results"]))
        self.run_plan(text, "--db", self.path("other.db"))
        done = self.fpgauge("compare", "run.db", "other.db")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)

    def test_a_plan_is_the_same_whatever_was_chosen_for_the_device_of_the_day(self):
        tests = ['test = "throughput"; frame_sizes = [64]', 'test = "mlrsearch"; frame_sizes = [64]', 'test = "frame_loss_rate"; frame_sizes = [64]',
                 'test = "latency"; frame_sizes = [64]; repetitions = 1']
        os.mkdir(self.path("runs"))
        before, _ = self.run_plan(plan_text(tests, dut=fifo(50, "40M"), library="twin"), "--db", "runs/before.db")
        after, _ = self.run_plan(plan_text(tests, dut=fifo(2000, "40M"), library="twin"), "--db", "after.db")
        self.assertNotEqual(before["set"], after["set"])
        done = self.fpgauge("compare", "--baseline-dir", "runs", "runs/before.db", "--accept-because", "the first")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        done = self.fpgauge("compare", "--baseline-dir", "runs", "after.db", "--json", "compared.json")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.assertEqual(os.path.basename(self.result("compared.json")["baseline"]["path"]), "before.db")
        # A duration that the plan says is another plan than one that was chosen, also if it is the default.
        self.run_plan(plan_text(tests, dut=fifo(2000, "40M"), library="twin"), "--db", "stated.db", "--set", "run[0].trial_duration=60s")
        for new in ("stated.db",):
            done = self.fpgauge("compare", "--baseline-dir", "runs", new)
            self.assertEqual(done.returncode, NO_BASE, done.stdout)

    def chosen(self, tests, *arguments, dut=fifo(500, "40M"), library="twin", ports=2):
        """What check says that it has chosen."""
        done = self.fpgauge("check", self.write("plan.cfg", plan_text(tests, dut=dut, device=f"ports = {ports};", library=library)), *arguments)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return re.findall(r"run\[\d\]\.trial_duration=\w+", done.stdout)

    def test_what_the_plan_says_or_nobody_knows_is_left_alone(self):
        plain = 'test = "throughput"; frame_sizes = [64]'
        self.assertEqual(self.chosen([plain]), ["run[0].trial_duration=50ms"])
        self.assertEqual(self.chosen([f'{plain}; trial_duration = "60s"', plain]), ["run[1].trial_duration=50ms"])
        self.assertEqual(self.chosen([f'{plain}; search_trial_duration = "1ms"']), [])
        self.assertEqual(self.chosen([plain], "--set", "run[0].trial_duration=60s"), [])
        self.assertEqual(self.chosen([plain], "--rfc-durations"), [])
        self.assertEqual(self.chosen(['test = "throughput"; traffic = { sizes = "imix"; }']), [])
        for dut in ('model = "stall"; buffer_frames = 500;', 'model = "faults, fifo"; drop_every = 10000;', 'model = "overload"; service_fps = "40M";',
                    'model = "switch"; ageing = "10s";', 'model = "switch"; table_addresses = 100;', 'model = "router"; first_lookup_ns = 100;'):
            self.assertEqual(self.chosen([plain], dut=dut), [], dut)
        # A buffer that is hardly overloaded takes longer than the RFC asks for.
        self.assertEqual(self.chosen([f'{plain}; resolution = "1"'], dut=fifo(65536, "40M")), [])
        self.assertEqual(self.chosen([plain], dut='model = "switch";', ports=4), ["run[0].trial_duration=1ms"])
        self.assertEqual(self.chosen([plain.replace("64", "512") + '; traffic = { pattern = "mesh"; }'], dut='model = "switch";', ports=4), [])
        self.assertEqual(self.chosen([f"{plain}; traffic = {{ addresses = 2048; }}"], dut='model = "switch";', ports=4), [])

    def test_goals_and_limits_of_a_plan_keep_the_durations_of_mlrsearch(self):
        plain = 'test = "mlrsearch"; frame_sizes = [64]'
        self.assertEqual(self.chosen([plain]), ["run[0].trial_duration=50ms"])
        for said in ('initial_trial_duration = "100ms"', 'goals = ( { final_trial_duration = "2s"; } )', 'traffic_limit = "100s"', "trials_limit = 50"):
            self.assertEqual(self.chosen([f"{plain}; {said}"]), [], said)

    def test_the_latency_at_a_throughput_that_may_be_too_high_is_measured_for_120_s(self):
        size = "frame_sizes = [64]; repetitions = 1"
        latency = f'test = "latency"; {size}'
        for throughput, known in (('trial_duration = "50ms"', True), ('trial_duration = "10ms"', False), ('search = "mlrsearch"', False)):
            tests = [f'test = "throughput"; frame_sizes = [64]; {throughput}', latency]
            self.assertEqual("run[1].trial_duration=5ms" in self.chosen(tests), known, throughput)
        self.assertEqual(self.chosen([f'{latency}; load = "20%"']), ["run[0].trial_duration=5ms"])
        for said in ('load = "50%"', 'load = "20%"; tag_after = "1s"'):  # a tagged frame may be lost at 50%
            self.assertEqual(self.chosen([f"{latency}; {said}"]), [], said)

    def test_a_word_that_is_none_of_the_two_is_refused(self):
        done = self.fpgauge("check", self.write("plan.cfg", plan_text(['test = "throughput"; duration_chosen_for = "twin"'],
                                                                      library="twin")))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('duration_chosen_for = "twin": must be "real" or "simulated"', done.stderr)


if __name__ == "__main__":
    unittest.main()
