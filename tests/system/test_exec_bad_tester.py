#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""External testers that die, hang, lie or talk rubbish: each ends the run with exit 3 and one line that names and
quotes what was wrong, and the results until then are reported. None of it is counted as loss in the device."""

import os
import signal
import subprocess

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fpgauge_system import FPGAUGE, IN_VAIN_S, INVALID, WRONG_DEVICE, main, wait_until

# 64 octets gives a result, 128 octets goes wrong.
THROUGHPUT = 'test = "throughput"; frame_sizes = [64, 128]; resolution = "1%"; trial_duration = "1s";'

# Faults of the tester at its first trial of 128 octets, and what the complaint must say.
BAD = {
    "dies with an exit status": ("os._exit(7)", "ended with exit status 7 before it answered"),
    "ends as if all was well": ("sys.exit(0)", "ended with exit status 0 before it answered"),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by signal 9 (Killed) before it answered"),
    "dies in the middle of a line": ("say('{\"trial\":'); os._exit(1)",
                                     'ended with exit status 1 before it answered, in the middle of the line "{"trial":"'),
    "closes its output": ("os.close(1); time.sleep(86400)", "closed its standard input or output before it answered"),
    "hangs": ("time.sleep(86400)", "no answer within {timeout_s} s"),
    "hangs in the middle of a line": ("say('{\"trial\"'); time.sleep(86400)",
                                      'no end of the line "{{"trial"" within {timeout_s} s'),
    "prints rubbish": ("say('hello, world\\n')", 'not JSON: "\'[\' or \'{\' expected near \'hello\'", in the answer "hello, world"'),
    "prints octets that are no text": ("sys.stdout.buffer.write(b'\\xff\\x00\\x1b[2J\\n')",
                                       'in the answer "\\xff\\x00\\x1b[2J"'),
    "prints an empty line": ("say('\\n')", 'in the answer ""'),
    "prints a number": ("say('5\\n')", 'in the answer "5"'),
    "prints a list": ("say('[1]\\n')", 'not a JSON object, in the answer "[1]"'),
    "prints a line without end": ("say('x' * 100000)", "a line of more than 65536 octets"),
    "answers another trial": ("reply['trial'] += 5", "answered, trial "),
    "answers no trial": ("del reply['trial']", "trial must be given"),
    "answers trial of no number": ("reply['trial'] = 'one'", "trial must be a whole number"),
    "says nothing of frames offered": ("del reply['offered_frames']", "offered_frames must be given"),
    "says nothing of frames received": ("del reply['received_frames']", "received_frames must be given"),
    "says nothing of the duration": ("reply['duration_s'] = None", "duration_s must be given"),
    "received more than was offered": ("reply['received_frames'] = reply['offered_frames'] + 1",
                                       "is more than offered_frames"),
    "received a negative number": ("reply['received_frames'] = -1", "received_frames must be a whole number, 0 to 2^60"),
    "received a part of a frame": ("reply['received_frames'] = 1.5", "received_frames must be a whole number"),
    "received NaN": ("reply['received_frames'] = float('nan')", "not JSON: \"invalid token near 'NaN'\""),
    "sent for an infinite time": ("reply['duration_s'] = float('inf')", "not JSON: \"invalid token near 'Infinity'\""),
    "sent for a time that is too large": ("reply['duration_s'] = 1e300", "duration_s must be a number of seconds, 0 to 1e9"),
    "sent for a negative time": ("reply['duration_s'] = -1.0", "duration_s must be a number of seconds, 0 to 1e9"),
    "has a number that no double holds": ("say('{\"trial\":1e999}\\n')", "not JSON: \"real number overflow"),
    "offered more than 64 bits hold": ("reply['offered_frames'] = 10 ** 30", "not JSON: \"too big integer"),
    "offered more than anybody can": ("reply['offered_frames'] = 2 ** 61", "offered_frames must be a whole number, 0 to 2^60"),
    "says a key twice": ("say('{\"trial\":1,\"trial\":1}\\n')", "not JSON: \"duplicate object key"),
    "says an unknown key": ("reply['ofered_frames'] = 1", 'unknown key "ofered_frames"'),
    "says valid is a number": ("reply['valid'] = 1", "valid must be true or false"),
    "says a part of latency": ("reply['latency_min_ns'] = 5", "must be given together, in order"),
    "says a latency of no trial": ("reply.update(latency_min_ns=0, latency_mean_ns=5, latency_max_ns=1e18)",
                                   "latency_max_ns must be a number of nanoseconds, 0 to 1e15"),
    "says gaps of no trial": ("reply.update(gap_min_octets=0, gap_mean_octets=1e15, gap_max_octets=1e17)",
                              "must be at most 2^60 octets in all"),
    "says latency out of order": ("reply.update(latency_min_ns=5, latency_mean_ns=4, latency_max_ns=6)",
                                  "must be given together, in order"),
}


class BadTester(ExecTesterCase):
    def run_hanging(self, tester, file):
        """Runs a tester that makes the file and hangs, with a time-out in which it gets that far, whatever else the
        machine has to do; the start of an interpreter counts, too. Returns (result object, finished process,
        time-out)."""
        for timeout_s in (1, 4, 16, 64, IN_VAIN_S):
            report, done = self.run_tester(tester, [THROUGHPUT], device=f'timeout = "{timeout_s}s";', expect=WRONG_DEVICE)
            if os.path.exists(self.path(file)):
                return report, done, timeout_s
        raise AssertionError(f"the tester did not come so far in {timeout_s} s: {done.stderr}")

    def test_each_ends_the_run_with_a_named_error_and_keeps_the_results_so_far(self):
        for name, (bad, says) in BAD.items():
            with self.subTest(name):
                if "hangs" in name:
                    report, done, timeout_s = self.run_hanging(tester_text(bad.replace("time.sleep", "open('here', 'w'); time.sleep")), "here")
                    says = says.format(timeout_s=timeout_s)
                else:
                    report, done = self.run_tester(tester_text(bad), [THROUGHPUT], expect=WRONG_DEVICE)
                lines = [line for line in done.stderr.splitlines() if line.startswith("fpgauge run:")]
                self.assertEqual(len(lines), 1, done.stderr)
                self.assertIn("python3 -S tester.py: trial ", lines[0])
                self.assertIn(says, lines[0])
                self.assertTrue(lines[0].isascii() and lines[0].isprintable(), lines[0])
                self.assertEqual("fpgauge run: " + report["incomplete"], lines[0])
                self.assertIn("INCOMPLETE: python3 -S tester.py", done.stdout)
                kept = self.only(report, frame_octets=64)
                self.assertTrue(kept["valid"], kept["why_invalid"])
                self.assertAlmostEqual(kept["throughput_fps"], 0.26 * 1e11 / 8 / 84, 3)
                broken = self.only(report, frame_octets=128)
                self.assertFalse(broken["valid"])
                self.assertIsNone(broken["throughput_fps"])

    def test_a_second_line_for_a_trial_is_never_taken_for_the_next_one(self):
        _, done = self.run_tester(tester_text("say(json.dumps(reply) + '\\n')"), [THROUGHPUT], expect=WRONG_DEVICE)
        # The second line is there before the next request is written, or after it.
        self.assertRegex(done.stderr, "more than one line for a trial: \"|trial [0-9]+ answered, trial [0-9]+ asked")

    def test_a_program_that_cannot_be_started_is_named_with_its_place(self):
        for command, why in (('["./nowhere"]', "No such file or directory"), ('["."]', "Permission denied"),
                             ('["tester.py"]', "No such file or directory")):
            with self.subTest(command):
                done = self.fpgauge("run", self.write("plan.cfg", plan_text([THROUGHPUT])), "--set",
                                    f"device.command={command}")
                self.assertEqual(done.returncode, WRONG_DEVICE, done.stderr)
                self.assertIn(f"device.command: {command[2:-2]}: cannot be started: {why}", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertEqual(done.stdout, "")

    def test_what_the_program_writes_to_its_standard_error_is_seen(self):
        _, done = self.run_tester(tester_text("sys.stderr.write('generator: no carrier\\n'); os._exit(1)"), [THROUGHPUT],
                                  expect=WRONG_DEVICE)
        self.assertIn("generator: no carrier\n", done.stderr)

    def test_a_trial_not_offered_as_asked_is_invalid_and_never_loss(self):
        for name, bad in {"too few": "reply['offered_frames'] -= 5; reply['received_frames'] = 0",
                          "too many": "reply['offered_frames'] += 5",
                          "too slow": "reply['duration_s'] *= 1.1",
                          "its own word": "reply.update(valid=False, why_invalid='no carrier')"}.items():
            with self.subTest(name):
                report, _ = self.run_tester(tester_text(bad), [THROUGHPUT], expect=INVALID)
                result = self.only(report, frame_octets=128)
                self.assertFalse(result["valid"])
                self.assertIn("the tester did not do what was asked, 4 times in a row", result["why_invalid"])
                self.assertIsNone(result["throughput_fps"])
                self.assertEqual((result["trials"], result["invalid_trials"]), (4, 4))
                self.assertTrue(self.only(report, frame_octets=64)["valid"])

    def test_an_invalid_trial_is_repeated_and_the_result_stands(self):
        bad = "global seen\nseen = globals().get('seen', 0) + 1\nif seen % 3 == 0: reply['offered_frames'] += 1000"
        report, _ = self.run_tester(tester_text(bad), [THROUGHPUT])
        result = self.only(report, frame_octets=128)
        self.assertGreater(result["invalid_trials"], 0)
        self.assertAlmostEqual(result["throughput_fps"], 0.47 * 1e11 / 8 / 148, 3)

    def test_a_tolerance_lets_a_coarse_generator_pass_and_is_reported(self):
        tester = tester_text("reply['offered_frames'] -= 100; reply['received_frames'] -= 100")
        self.run_tester(tester, [THROUGHPUT], expect=INVALID)
        report, _ = self.run_tester(tester, [THROUGHPUT], device='offered_tolerance = "0.1%";')
        self.assertTrue(self.only(report, frame_octets=128)["valid"])
        self.assertEqual(report["device"]["offered_tolerance_percent"], 0.1)

    def test_nothing_is_left_behind_not_even_children_that_ignore_the_end(self):
        tester = ("import os, signal, subprocess, sys, time\n"
                  "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                  "child = subprocess.Popen(['sleep', '86400'])\n"
                  "with open('new', 'w') as file: file.write(f'{os.getpid()} {child.pid}')\n"
                  "os.rename('new', 'pids')\n"
                  "time.sleep(86400)\n")
        self.run_hanging(tester, "pids")
        with open(self.path("pids"), encoding="ascii") as file:
            pids = [int(pid) for pid in file.read().split()]
        self.assertEqual(len(pids), 2)
        for pid in pids:
            # A child of a dead parent is a zombie until init reaps it; it no longer runs, once it had processor time to
            # die.
            wait_until(lambda pid=pid: state_of(pid) in (None, "Z", "X"), f"process {pid} is gone")

    def test_ctrl_c_ends_a_run_whose_tester_hangs_with_the_results_so_far(self):
        # A day, which is longer than anything waits here.
        self.write("tester.py", tester_text("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen('here', 'w')\n"
                                            "time.sleep(86400)"))
        plan = self.write("plan.cfg", plan_text([THROUGHPUT]))
        with subprocess.Popen([FPGAUGE, "run", plan, "--json", self.path("result.json")], cwd=self.scratch,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            try:
                wait_until(lambda: os.path.exists(self.path("here")), "the tester hangs", run)
                run.send_signal(signal.SIGINT)
                _, complaint = run.communicate(timeout=IN_VAIN_S)
            finally:
                run.kill()
        self.assertEqual(run.returncode, INVALID)
        self.assertRegex(complaint, r"\Afpgauge run: stopped by the user in trial \d+ of throughput of \d+ octets; bounds so far: .*; "
                                    r"to go on: fpgauge resume fpgauge-.*\.db\n\Z")
        self.assertTrue(self.only(self.result("result.json"), frame_octets=64)["valid"])


def state_of(pid):
    """One letter as in /proc/PID/stat; None when there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    main()
