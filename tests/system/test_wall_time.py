#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a plan takes on this machine: what check and run say beforehand, against what it takes; the warning and the
settings that it names; progress inside a trial that takes longer than anybody would wait."""

import json
import os
import pty
import re
import resource
import select
import shlex
import signal
import subprocess

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, INVALID, SystemCase, main, plan_text, wait_until

MINIMAL = 'device = { backend = "sim"; library = "%s"; };\nrun = ({ test = "throughput"; frame_sizes = [64]; });\n'
HOUR_S = 3600
SAID = r"about ([\d:]+) of wall time"


def seconds(clock):
    """Seconds of "1:02:45" or "0:07"."""
    total = 0
    for part in clock.split(":"):
        total = 60 * total + int(part)
    return total


class WallTime(SystemCase):
    def check(self, plan, *settings):
        """Wall seconds according to `check`, and its standard output and error."""
        arguments = [word for setting in settings for word in ("--set", setting)]
        done = self.fpgauge("check", self.write("plan.cfg", plan), "--rfc-durations", *arguments)
        self.assertEqual(done.returncode, DONE, done.stderr)
        found = re.search(rf"^  On this machine: {SAID}, one trial after the other$", done.stdout, re.MULTILINE)
        self.assertTrue(found, done.stdout)
        return seconds(found[1]), done

    def hint(self, done):
        """The settings of --set that a warning names."""
        self.assertRegex(done.stderr, r"\Afpgauge check: warning: this may take long: about .* of wall time on this machine[;,].* about .*--set .*\n\Z")
        words = shlex.split(done.stderr)
        return [words[i + 1] for i, word in enumerate(words) if word == "--set"]

    def test_the_same_plan_is_hours_of_simulated_rtl_and_seconds_of_the_twin(self):
        rtl_s, rtl = self.check(MINIMAL % "rtl")
        twin_s, twin = self.check(MINIMAL % "twin")
        # Device time is the same: at least a minute, at most a dozen.
        for done in (rtl, twin):
            self.assertIn("In all: at least 1:02, at most 11:48 of device time", done.stdout)
        self.assertGreater(rtl_s, HOUR_S / 4)
        self.assertGreater(rtl_s, 20 * max(twin_s, 1))
        self.assertEqual(twin.stderr, "", "no warning below an hour")

    def test_the_settings_that_the_warning_names_shorten_the_plan(self):
        _, long = self.check(MINIMAL % "rtl")
        settings = self.hint(long)
        self.assertEqual([setting.split("=")[0] for setting in settings], ["run[0].trial_duration"])
        short_s, short = self.check(MINIMAL % "rtl", *settings)
        self.assertLess(short_s, HOUR_S / 4)
        self.assertEqual(short.stderr, "")

    def test_a_search_that_begins_with_shorter_trials_has_both_lengths_shortened(self):
        plan = plan_text(['test = "throughput"; search_trial_duration = "20s"; frame_sizes = [64, 72, 80, 88]'],
                         dut='model = "fifo"; service_fps = "40M"')
        long_s, long = self.check(plan)
        settings = self.hint(long)
        self.assertEqual({setting.split("=")[0] for setting in settings}, {"run[0].trial_duration", "run[0].search_trial_duration"})
        short_s, short = self.check(plan, *settings)
        self.assertLess(short_s, long_s / 10)
        self.assertEqual(short.stderr, "")

    def test_a_search_without_a_bound_takes_an_unknown_time_and_is_shortened_too(self):
        """The warning is about the trials that it cannot do without."""
        goals = '( { final_trial_duration = "90s"; duration_sum = "270s"; } )'
        for test, keys in (('test = "throughput"; search = "mlrsearch"', {"trial_duration"}),
                           ('test = "mlrsearch"; preset = "tst009"; initial_trial_duration = "1s"',
                            {"trial_duration", "initial_trial_duration"}),
                           (f'test = "mlrsearch"; goals = {goals}', {"goals[0].final_trial_duration", "goals[0].duration_sum",
                                                                    "goals[0].initial_trial_duration"})):
            with self.subTest(test):
                plan = self.write("plan.cfg", plan_text([f"frame_sizes = [64, 72, 80, 88]; {test};"], dut='model = "fifo"; service_fps = "40M"'))
                long = self.fpgauge("check", plan, "--rfc-durations")
                self.assertRegex(long.stdout, r"\n  On this machine: wall time not known: of test 1, \w+, the device decides how many trials it takes\n")
                settings = self.hint(long)
                self.assertEqual({setting.split("=")[0] for setting in settings}, {f"run[0].{key}" for key in keys})
                said = re.search(r"about ([\d:]+) \(h:mm:ss\).* about ([\d:]+) with", long.stderr)
                self.assertLess(seconds(said[2]), seconds(said[1]) / 10)
                short = self.fpgauge("check", plan, "--rfc-durations", *(word for setting in settings for word in ("--set", setting)))
                self.assertEqual((short.returncode, short.stderr), (DONE, ""))

    def test_only_the_tests_that_are_long_are_shortened(self):
        plan = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "100us"',
                          'test = "throughput"; frame_sizes = [128]'])
        settings = self.hint(self.check(plan)[1])
        self.assertEqual([setting.split("=")[0] for setting in settings], ["run[1].trial_duration"])

    def test_what_is_said_is_of_the_order_of_what_it_takes(self):
        # A wire passes the first trial, which is the minimum; processor time, because others may want the processor,
        # too.
        plan = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "20ms"'])
        said_s, _ = self.check(plan)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.fpgauge("run", self.write("plan.cfg", plan), "--db", "run.db", timeout=IN_VAIN_S)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertRegex(done.stdout, rf"\ARun file: run\.db\nOn this machine: {SAID}, one trial after the other\n")
        self.assertGreater(took_s, said_s / 4)
        self.assertLess(took_s, said_s * 4)

    def test_what_is_expected_is_of_the_order_of_what_a_search_takes(self):
        """Of a device that loses frames at line rate, and so needs a whole search. Processor time, as above."""
        fifo = 'model = "fifo"; buffer_frames = 211; service_fps = "41234567";'
        cases = (['test = "throughput"; frame_sizes = [64]; search = "binary"; trial_duration = "1ms"'],
                 ['test = "throughput"; frame_sizes = [64]; trial_duration = "100us"',
                  'test = "back_to_back"; frame_sizes = [64]; first_burst = "64 frames"; max_burst = "1ms"'])
        for number, tests in enumerate(cases):
            with self.subTest(tests[0]):
                # One thread: two wait for each other by asking, which takes processor time while others have the processor.
                plan = self.write("plan.cfg", plan_text(tests, dut=fifo, library="rtl", device="threads = 1;"))
                done = self.fpgauge("check", plan)
                expected_s = seconds(re.search(rf"^  On this machine: {SAID}", done.stdout, re.MULTILINE)[1])
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                done = self.fpgauge("run", plan, "--jobs", "1", "--db", f"{number}.db", timeout=IN_VAIN_S)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                took_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                self.assertEqual(done.returncode, DONE, done.stderr)
                print(f"{tests[0]}: expected {expected_s} s, took {took_s:.2f} s", flush=True)
                self.assertLess(expected_s - 1, took_s * 3)
                self.assertGreater(expected_s, took_s / 3)

    def pace(self, starved):
        """Wall seconds that `check` states for a second of line rate; starved: it gets a fiftieth of one processor."""
        plan = self.write("plan.cfg", plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "20ms"']))
        processor = {min(os.sched_getaffinity(0))}

        def begin(niceness):
            os.sched_setaffinity(0, processor)
            os.nice(niceness)

        others = [subprocess.Popen(["bash", "-c", "while :; do :; done"], preexec_fn=lambda: begin(0)) for _ in range(3 * starved)]
        try:
            done = subprocess.run([FPGAUGE, "check", plan], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
                                  preexec_fn=lambda: begin(14 * starved), timeout=IN_VAIN_S)
        finally:
            for other in others:
                other.kill()
                other.wait()
        return float(re.search(r"a second of line rate takes up to ([\d.]+) s$", done.stdout, re.MULTILINE)[1])

    def test_what_is_said_does_not_depend_on_what_else_the_machine_does(self):
        alone_s, starved_s = self.pace(starved=False), self.pace(starved=True)
        self.assertLess(starved_s, alone_s * 4)
        self.assertGreater(starved_s, alone_s / 4)

    def test_measuring_changes_nothing_of_the_run(self):
        # Random faults depend on everything that the device did before.
        plan = plan_text(['test = "throughput"; frame_sizes = [64, 128]; trial_duration = "100us"; resolution = "5%"'],
                         dut='model = "faults, fifo"; drop_probability = "0.01%"', library="twin")
        results = [self.run_plan(plan)[0]["results"] for _ in range(2)]
        self.assertEqual(results[0], results[1])
        captured = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "1us"; resolution = "50%"'],
                             device='capture = "run.pcapng";')
        self.run_plan(captured)
        alone = os.path.getsize(self.path("run.pcapng"))
        self.run_plan(captured)
        self.assertEqual(os.path.getsize(self.path("run.pcapng")), alone)
        self.assertLess(alone, 200 * 2 * 4 * 200, "frames of the run alone")


class Progress(SystemCase):
    def live(self):
        """The live events so far, whole lines only."""
        if not os.path.exists(self.path("events")):
            return []
        with open(self.path("events"), encoding="utf-8") as file:
            lines = [line for line in file.readlines() if line.endswith("\n")]
        return [event for event in map(json.loads, lines) if event["event"] == "live"]

    def told(self, shown):
        """(time left, what has been sent) of each live line."""
        return re.findall(r"throughput 64: ([\d:]+(?: \+ \?)?|\?) left, trial 1/~11, (\S+ \S+) of 60\.00 s", shown)

    def test_it_moves_inside_a_trial_that_takes_hours_and_says_what_is_left(self):
        terminal, theirs = pty.openpty()
        plan = self.write("plan.cfg", MINIMAL % "rtl")
        with subprocess.Popen([FPGAUGE, "run", plan, "--rfc-durations", "--db", "run.db", "--events", "events"], cwd=self.scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs) as run:
            os.close(theirs)
            shown = ""

            def has_moved():
                nonlocal shown
                if select.select([terminal], [], [], 0)[0]:
                    shown += os.read(terminal, 65536).decode()
                return len({event["sent_s"] for event in self.live()}) > 1 and len({sent for _, sent in self.told(shown)}) > 1

            # How long that takes is up to the machine: for a line that does not move, it waits in vain.
            wait_until(has_moved, "the live line and the live events move", run)
            run.send_signal(signal.SIGINT)
            run.wait(timeout=IN_VAIN_S)
        os.close(terminal)
        events = self.live()
        self.assertEqual({event["trials"] for event in events}, {0}, "all of it in the first trial")
        sent = [event["sent_s"] for event in events]
        self.assertEqual(sent, sorted(sent))
        for event in events:
            self.assertEqual(event["sending_s"], 60)
            self.assertLess(event["sent_s"], 60)
            self.assertGreater(event["left_s"], HOUR_S / 4, "a trial of hours")
            self.assertGreaterEqual(event["left_run_s"], event["left_s"])
        self.assertNotIn("?", {left for left, _ in self.told(shown)}, shown)
        self.assertEqual(run.returncode, INVALID)


if __name__ == "__main__":
    main()
