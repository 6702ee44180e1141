#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reset (RFC 2544 section 26.6, RFC 6201) against simulated devices that are dark for a known time, and by commands.

What is in the device when it goes dark is lost, so the last frame before is one that had left, and the first one after needs the whole
latency: the silence is the dark time and the latency, and between nothing and two periods of the load, since frames do not come when
the device goes dark and comes back, but a period apart. Without any reset they are one period apart.
"""

import os
import random
import shutil
import signal
import subprocess
import unittest

from fpgauge_system import FPGAUGE, INVALID, LONG, SEED, WRONG_DEVICE, WRONG_PLAN, SystemCase, main, plan_text, wait_until

CASES = 60 if LONG else 10
GROUP_S = 8 * 8e-11  # a group of 8 octet times


def device(buffer_frames, service_percent, latency_ns, dark_ns):
    return (f'model = "reset, fifo"; buffer_frames = {buffer_frames}; service_fps = "{service_percent}%"; latency_ns = {latency_ns}; '
            f"dark_for_ns = {dark_ns};")


FIFO = device(50, 60, 800, 50_000)


# Service rates are on the grid of the throughput search, whose trials are so long that no buffer here hides a step of it. So at the
# throughput no queue grows, of which the reset would lose the frames.
def plan(frame_octets=64, dut=FIFO, library="twin", before_us=200, after_us=3000, trial_us=2000, repetitions=2, more=""):
    return plan_text(
        [f'test = "throughput"; frame_sizes = [{frame_octets}]; trial_duration = "{trial_us}us"; resolution = "1%";',
         f'test = "reset"; frame_sizes = [{frame_octets}]; repetitions = {repetitions}; before_reset = "{before_us}us"; '
         f'after_reset = "{after_us}us"; {more}'], dut=dut, library=library)


class DarkTimes(SystemCase):
    def check(self, frame_octets, buffer_frames, percent, latency_ns, dark_ns, kind="hardware", **settings):
        report, _ = self.run_plan(plan(frame_octets, device(buffer_frames, percent, latency_ns, dark_ns), more=f'kind = "{kind}";',
                                       **settings))
        result = self.only(report, test="reset")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual((result["outcome"], result["kind"]), ("recovered", kind), result["flags"])
        self.assertEqual(len(result["values_s"]), 2)
        period_s = 1 / result["throughput_fps"]
        truth_s = dark_ns * 1e-9 + result["truth"]["latency_ns"] * 1e-9
        for value in result["values_s"]:
            self.assertLessEqual(abs(value - period_s - truth_s), period_s + 2 * GROUP_S)
        self.assertAlmostEqual(result["reset_s"], sum(result["values_s"]) / 2, delta=1e-12)
        self.assertAlmostEqual(result["reset_ms"], result["reset_s"] * 1000, delta=1e-9)
        # The other method of RFC 6201: each lost frame is a period. Both ports lose as much, within a frame.
        self.assertLessEqual(abs(result["reset_by_loss_s"] - truth_s), period_s + 2 * GROUP_S)
        self.assertAlmostEqual(result["average_lost_frames"], 2 * result["reset_by_loss_s"] * result["throughput_fps"], delta=1e-3)
        # It goes dark 20480 octet times after the command.
        self.assertLessEqual(abs(result["stop_delay_s"] - 20480 * 8e-11), 2 * period_s + GROUP_S)
        self.assertFalse([flag for flag in result["flags"] if "more frames were lost" in flag], result["flags"])

    def test_random_ones_are_found_within_one_frame_time(self):
        draw = random.Random(SEED)
        for _ in range(CASES):
            case = (draw.choice((64, 128, draw.randint(65, 1518))), draw.randint(2, 60), draw.randint(20, 99), draw.randint(0, 20000),
                    draw.randint(20_000, 2_000_000), draw.choice(("hardware", "software", "power")))
            with self.subTest(case=case):
                self.check(*case, before_us=draw.randint(50, 300))

    def test_on_the_simulated_logic_too(self):
        draw = random.Random(SEED + 1)
        for _ in range(12 if LONG else 3):
            case = (draw.choice((64, draw.randint(65, 200))), draw.randint(2, 10), draw.randint(30, 60), draw.randint(0, 2000),
                    draw.randint(20_000, 30_000))
            with self.subTest(case=case):
                self.check(*case, library="rtl", before_us=10, after_us=50, trial_us=20)

    def test_the_smallest_size_is_taken_unless_the_plan_says_otherwise(self):
        report, _ = self.run_plan(plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "1ms";',
                                             'test = "reset"; before_reset = "200us"; after_reset = "1ms"; repetitions = 1;'],
                                            dut=FIFO, library="twin"))
        result = self.only(report, test="reset")
        self.assertEqual((result["frame_octets"], result["valid"]), (64, True))
        self.assertIn("RFC 6201 section 4 asks for 15 s", " ".join(result["flags"]))


class OtherDevices(SystemCase):
    def only_reset(self, text, **arguments):
        report, done = self.run_plan(text, **arguments)
        return self.only(report, test="reset"), done

    def test_one_that_never_comes_back_has_no_reset_time(self):
        result, done = self.only_reset(plan(dut=device(50, 60, 800, 10**9), after_us=500))
        self.assertTrue(result["valid"])
        self.assertEqual((result["outcome"], result["unrecovered_trials"], result["values_s"]), ("not_recovered", 2, []))
        self.assertIsNone(result["reset_s"])
        self.assertIn("did not forward again", " ".join(result["flags"]))
        self.assertIn("not_recovered", done.stdout)

    def test_one_that_loses_nothing_has_a_reset_time_of_0(self):
        result, _ = self.only_reset(plan(more='command = ["true"]; kind = "software";'))
        self.assertEqual((result["outcome"], result["lossless_trials"], result["values_s"]), ("no_loss", 2, [0, 0]))
        self.assertEqual(result["reset_s"], 0)
        self.assertIn('"no loss"', " ".join(result["flags"]))

    def test_one_that_cannot_be_reset_is_refused_with_the_reason(self):
        done = self.fpgauge("check", self.write("plan.cfg", plan(dut='model = "fifo"; service_fps = "60M";')))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('test = "reset": needs a command that resets the device', done.stderr)

    def test_frames_lost_without_an_interruption_are_no_reset(self):
        """The device loses a frame now and then at the throughput of a short trial: it does not sustain it."""
        result, _ = self.only_reset(plan(dut='model = "faults"; drop_every = 40000;', trial_us=100, before_us=600, after_us=10,
                                         more='command = ["true"];'), expect=INVALID)
        self.assertFalse(result["valid"])
        self.assertIn("does not sustain", result["why_invalid"])

    def test_without_a_throughput_there_is_no_rate_to_send_at(self):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text(['test = "reset";'], dut=FIFO, library="twin")))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn('plan.cfg:5: test = "reset": needs the throughput of 64 octets: ', done.stderr)
        self.assertIn("RFC 2544 section 26.6", done.stderr)


class Commands(SystemCase):
    def command(self, *words):
        return plan(more=f"command = [{', '.join(chr(34) + word + chr(34) for word in words)}];")

    def test_runs_once_in_each_trial_with_its_arguments_and_prints_nothing_into_results(self):
        self.write("hook", '#!/bin/sh\necho "$1 $2" >> ran\necho noise\n')
        os.chmod(self.path("hook"), 0o755)
        report, done = self.run_plan(self.command("./hook", "outlet", "3"))
        with open(self.path("ran"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "outlet 3\n" * 2)
        self.assertNotIn("noise", done.stdout)
        self.assertIn("noise", done.stderr)
        self.assertEqual(self.only(report, test="reset")["parameters"]["command"], ["./hook", "outlet", "3"])

    def test_that_fails_ends_the_run_and_says_how(self):
        for words, says in ((("false",), "the reset command false ended with exit status 1"),
                            (("./no-such",), "the reset command ./no-such cannot be started: No such file")):
            with self.subTest(words):
                done = self.fpgauge("run", self.write("plan.cfg", self.command(*words)), "--db", f"{len(says)}.db")
                self.assertEqual(done.returncode, WRONG_DEVICE, done.stderr)
                self.assertIn(says, done.stderr)

    def test_that_does_not_end_is_ended_with_the_run(self):
        self.write("hook", "#!/bin/sh\necho $$ > pid\nexec sleep 1000\n")
        os.chmod(self.path("hook"), 0o755)
        with subprocess.Popen([FPGAUGE, "run", self.write("plan.cfg", self.command("./hook"))], cwd=self.scratch,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            wait_until(lambda: os.path.exists(self.path("pid")) and os.path.getsize(self.path("pid")), "the command starts", run)
            run.send_signal(signal.SIGINT)
            run.wait()
        with open(self.path("pid"), encoding="utf-8") as file:
            pid = int(file.read())
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    def test_of_a_copied_run_file_is_not_started_unasked(self):
        self.write("hook", '#!/bin/sh\ntouch ran\ntest -e good\n')
        os.chmod(self.path("hook"), 0o755)
        done = self.fpgauge("run", self.write("plan.cfg", self.command("./hook")), "--db", "run.db")
        self.assertEqual(done.returncode, WRONG_DEVICE)
        os.unlink(self.path("ran"))
        self.write("good", "")
        shutil.copy(self.path("run.db"), self.path("copy.db"))
        done = self.fpgauge("resume", "copy.db")
        self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
        self.assertIn("starts the command ./hook", done.stderr)
        self.assertFalse(os.path.exists(self.path("ran")))
        done = self.fpgauge("resume", "copy.db", "--allow-command", "--json", "result.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.only(self.result("result.json"), test="reset")["outcome"], "no_loss")


class Resumed(SystemCase):
    def test_a_run_that_was_stopped_gives_what_it_would_have_given(self):
        """The trials of recovery and reset come back from the file, with the times that only they have."""
        whole = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "1ms";',
                           'test = "reset"; frame_sizes = [64]; before_reset = "200us"; after_reset = "1ms"; repetitions = 3;',
                           'test = "system_recovery"; frame_sizes = [64]; overload_duration = "300us"; recovery_duration = "900us";'],
                          dut=FIFO, library="twin")
        report, _ = self.run_plan(whole, "--db", "run.db")
        stopped = self.path("stopped.db")
        shutil.copy(self.path("run.db"), stopped)
        import contextlib
        import sqlite3
        with contextlib.closing(sqlite3.connect(stopped)) as database:
            database.executescript("UPDATE run SET finished = NULL, incomplete = 'not at its end'; DELETE FROM result;"
                                   "DELETE FROM trial WHERE number > (SELECT max(number) FROM trial) - 2;")
            database.commit()
        done = self.fpgauge("resume", stopped, "--json", self.path("resumed.json"), "--allow-command")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([entry for entry in self.result("resumed.json")["results"]], report["results"])


if __name__ == "__main__":
    main()
