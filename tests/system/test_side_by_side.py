#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trials of a simulation that run side by side, in processes of their own, count what those of one process count: every
octet of every trial and result of the run file is the same, device times included. A process that dies is no loss of the
device, and none outlives the run."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess

from fpgauge_system import DONE, FPGAUGE, INVALID, IN_VAIN_S, LONG, SEED, SystemCase, fifo, main, plan_text, wait_until

JOBS = (2, 3, 7)
TRIALS = ("SELECT trial.number, test_number, test, search.frame_octets, repetition, point, low, high, request, result FROM trial "
          "JOIN search ON search = search.number ORDER BY trial.number")
RESULTS = "SELECT position, document FROM result ORDER BY position"

SEARCHES = ('test = "throughput"; frame_sizes = [64, 128]; trial_duration = "150us"; resolution = "0.5%";'
            ' search = "loss_verification"; search_trial_duration = "50us"',
            'test = "back_to_back"; frame_sizes = [64, 128]; repetitions = 5; max_burst = "100us"; first_burst = 16',
            'test = "mlrsearch"; frame_sizes = [64, 1518]; trial_duration = "2ms"; preset = "ndrpdr"')
REPEATED = ('test = "throughput"; frame_sizes = [128]; trial_duration = "100us"; resolution = "1%"',
            'test = "latency"; frame_sizes = [128]; trial_duration = "100us"; repetitions = 4',
            'test = "system_recovery"; frame_sizes = [128]; overload_duration = "100us"; recovery_duration = "300us"',
            'test = "reset"; frame_sizes = [128]; before_reset = "100us"; after_reset = "400us"; repetitions = 3',
            'test = "frame_loss_rate"; frame_sizes = [128]; trial_duration = "100us"; step = "2%"',
            'test = "bursty_traffic"; frame_sizes = [128]; trial_duration = "100us"; bursts = [16, 64]; resolution = "5%"')
TRAFFIC = ('test = "throughput"; traffic = { sizes = [64, 65, 1518] }; trial_duration = "200us"; resolution = "1%"',
           'test = "throughput"; frame_sizes = [67]; modifiers = ["broadcast", "random_destinations"]; each_alone = true;'
           ' trial_duration = "200us"; resolution = "1%"',
           'test = "throughput"; frame_sizes = [64]; direction = "unidirectional"; trial_duration = "100us"; resolution = "1%"')


def rows(path, query):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def children_of(pid):
    """Processes that its main thread has made and that are not over."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split() if not is_over(int(child))]
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_over(pid):
    """Gone, or a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


class SideBySide(SystemCase):
    def run_with(self, jobs, plan, *arguments, expect=(DONE,)):
        """(trials, results) of a run file; which of the exit codes there was is in the results."""
        name = self.path(f"jobs{jobs}.db")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        done = self.fpgauge("run", plan, "--db", name, "--jobs", str(jobs), "--quiet", *arguments)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertIn(done.returncode, expect)
        return rows(name, TRIALS), rows(name, RESULTS)

    def expect_same(self, text, *arguments, jobs=JOBS, expect=(DONE,)):
        plan = self.write("plan.cfg", text)
        alone = self.run_with(1, plan, *arguments, expect=expect)
        for number in jobs:
            together = self.run_with(number, plan, *arguments, expect=expect)
            for one, other in zip(alone[0], together[0]):
                self.assertEqual(one, other, f"{number} jobs\n{text}")
            self.assertEqual(alone, together, f"{number} jobs\n{text}")
        return alone

    def test_searches_on_fifos_of_any_size_and_service(self):
        """Of some, a burst of max_burst is not the longest, and then the result is invalid, whatever the number of processes."""
        draw = random.Random(SEED)
        for _ in range(12 if LONG else 3):
            self.expect_same(plan_text(SEARCHES, fifo(draw.choice((1, 7, 64, 997, 4001)), draw.randrange(20_000_001, 140_000_000),
                                                      draw.choice((0, 800, 12_345))), library="twin"), expect=(DONE, INVALID))

    def test_every_other_benchmark_and_its_repetitions(self):
        dut = 'model = "fifo, reset"; buffer_frames = 61; service_fps = "50M"; dark_for_ns = 50000;'
        trials, _ = self.expect_same(plan_text(REPEATED, dut, library="twin"))
        self.assertEqual({row[2] for row in trials}, {"throughput", "latency", "system_recovery", "reset", "frame_loss_rate",
                                                      "bursty_traffic"})

    def test_mixed_sizes_modifiers_and_one_direction(self):
        self.expect_same(plan_text(TRAFFIC, fifo(101, "9.87M"), library="twin"))

    def test_a_device_with_a_memory_is_not_run_side_by_side(self):
        draw = random.Random(SEED + 1)
        for dut in (f'model = "fifo, faults"; buffer_frames = 64; drop_probability = 0.0001; seed = {draw.randrange(2**31)};',
                    f'model = "fifo, faults"; buffer_frames = 64; drop_every = {draw.randrange(1009, 20_000)};',
                    'model = "stall, fifo"; buffer_frames = 20; stall_ns = 3000; stall_every_ns = 50000;',
                    f'model = "stall, fifo"; buffer_frames = 20; stall_ns = 3000; seed = {draw.randrange(2**31)};',
                    'model = "switch"; buffer_frames = 64; ageing = "1ms";'):
            self.expect_same(plan_text(SEARCHES, dut, library="twin"), jobs=JOBS if LONG else (2, 7), expect=(DONE, INVALID))

    def test_frames_that_are_still_inside_after_a_trial_are_there_in_the_next_one(self):
        # An overload leaves some: what comes after the drain makes it invalid, and the rest the next ones.
        tests = ('test = "throughput"; frame_sizes = [64]; trial_duration = "150us"; resolution = "0.2%"; settle = "0s";'
                 ' drain = "5us"',)
        trials, _ = self.expect_same(plan_text(tests, fifo(8000, "90M"), library="twin"), expect=(INVALID,))
        self.assertIn("frames arrived in the settle time, after the drain of 5.00 us", trials[0][9])
        self.assertTrue(all("frames of an earlier trial arrived in this one" in row[9] for row in trials[1:]), trials)
        self.assertEqual(len(trials), 4)

    def test_the_simulated_logic_too(self):
        draw = random.Random(SEED + 2)
        tests = ('test = "throughput"; frame_sizes = [64]; trial_duration = "30us"; resolution = "1%"; search = "loss_verification"',
                 'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; max_burst = "30us"; first_burst = 16',
                 'test = "throughput"; traffic = { sizes = [64, 65, 300] }; trial_duration = "30us"; resolution = "2%"')
        for device in ("", "threads = 2;"):
            text = plan_text(tests, fifo(draw.randrange(5, 60), draw.randrange(30_000_000, 120_000_000)), device)
            trials, _ = self.expect_same(text, jobs=(2,))
            self.assertGreater(len(trials), 15)

    def test_a_resumed_run_goes_on_side_by_side(self):
        plan = self.write("plan.cfg", plan_text(SEARCHES, fifo(64, "70M"), library="twin"))
        whole = self.run_with(1, plan)
        self.run_with(2, plan)
        middle = self.path("middle.db")
        with contextlib.closing(sqlite3.connect(middle)) as copy, contextlib.closing(sqlite3.connect(self.path("jobs2.db"))) as full:
            full.backup(copy)
            keep = len(whole[0]) * 2 // 3
            copy.executescript(f"DELETE FROM trial WHERE number > {keep}; DELETE FROM result; "
                               "DELETE FROM search WHERE number > (SELECT max(search) FROM trial); DELETE FROM event; "
                               "UPDATE run SET incomplete = 'killed', finished = NULL;")
        done = self.fpgauge("resume", middle, "--jobs", "3", "--quiet", "--allow-command")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "", ""))
        self.assertEqual(rows(middle, RESULTS), whole[1])
        self.assertEqual(rows(middle, TRIALS)[:keep], whole[0][:keep])
        # device times start over, all else is as it was
        self.assertEqual([row[:-1] for row in rows(middle, TRIALS)], [row[:-1] for row in whole[0]])

    @contextlib.contextmanager
    def busy(self, *arguments, jobs=2):
        """A run whose second trial takes minutes, with the processes that simulate it."""
        plan = self.write("long.cfg", plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "20ms"; resolution = "1%"'],
                                                fifo(64, "70M"), "threads = 1;"))
        with subprocess.Popen([FPGAUGE, "run", plan, "--db", self.path("long.db"), "--jobs", str(jobs), "--quiet", *arguments],
                              cwd=self.scratch, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as run:
            try:
                yield run, wait_until(lambda: len(children_of(run.pid)) == jobs and children_of(run.pid), "there are children", run)
            finally:
                if run.poll() is None:
                    run.kill()
        self.addCleanup(os.unlink, self.path("long.db"))

    def expect_over(self, pids):
        wait_until(lambda: all(is_over(pid) for pid in pids), "all processes end")

    def test_a_process_that_is_killed_makes_its_trial_invalid_and_no_loss(self):
        with self.busy() as (run, children):
            os.kill(min(children), signal.SIGKILL)  # the first is that of the trial that comes next
            wait_until(lambda: rows(self.path("long.db"), "SELECT count(*) FROM trial WHERE NOT valid")[0][0], "an invalid trial", run)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=IN_VAIN_S)
            self.assertEqual(run.returncode, INVALID)
            invalid = rows(self.path("long.db"), "SELECT why_invalid, lost_frames FROM trial WHERE NOT valid")
            self.assertEqual(invalid, [("the process that simulated the trial was killed by signal 9 (Killed)", 0)])
            self.expect_over(children)

    def test_ctrl_c_ends_all_of_them(self):
        for everybody in (False, True):  # the signal goes to all, as from a terminal, or to one, as from kill
            with self.busy() as (run, children):
                (os.killpg if everybody else os.kill)(run.pid, signal.SIGINT)
                _, said = run.communicate(timeout=IN_VAIN_S)
                self.assertEqual(run.returncode, INVALID, said)
                self.assertIn("stopped by the user", said)
                self.expect_over(children)
            os.unlink(self.path("long.db"))
            self._cleanups.pop()

    def test_killed_it_leaves_no_process_behind_and_resumes(self):
        with self.busy() as (run, children):
            run.kill()
            run.communicate()
            self.expect_over(children)
            self.assertEqual(rows(self.path("long.db"), "SELECT count(*) FROM trial"), [(1,)])
            self.assertEqual(self.fpgauge("report", "long.db", "--quiet").returncode, INVALID)

    def test_the_number_is_checked(self):
        plan = self.write("plan.cfg", plan_text(SEARCHES, library="twin"))
        for wrong in ("0", "65", "-1", "two", "2x", ""):
            done = self.fpgauge("run", plan, "--jobs", wrong)
            self.assertIn(f"--jobs {wrong}: must be 1 to 64", done.stderr)
            self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    main()
