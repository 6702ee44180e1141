# SPDX-License-Identifier: Apache-2.0
"""What the cases of sweeps share: a plan, its sweep, and what the run files of one say."""

import contextlib
import json
import os
import signal
import sqlite3

from fpgauge_system import DONE, SystemCase, fifo, plan_text, wait_until

# 0.2 s and a few hundred trials each, of a buffer that the results depend on.
PLAN = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "1ms"; resolution = "1%"; settle = "1us"; drain = "100us"',
                  'test = "back_to_back"; frame_sizes = [64]; repetitions = 20; max_burst = "1ms"; settle = "1us"; drain = "100us"'],
                 fifo(2000, "40M"), library="twin")
TIMES = ("started", "finished")


def points_that_run(folder):
    """{point of a sweep: pids of the program on it}, wherever it runs."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
            if folder.encode() in words and b"fpgauge" in words[0]:
                found.setdefault(int(words[words.index(b"--point") + 1]), []).append(int(pid))
    return found


def processes_on(folder, number):
    return points_that_run(folder).get(number, [])


def stop(pid):
    """Stops a process, and returns once all of it stands still: until then, a signal that comes later may be taken first."""
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: all(state in "TZX" for state in states(pid)), f"process {pid} stands still")


def states(pid):
    """The state of each thread, as a letter."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task") if os.path.isdir(f"/proc/{pid}/task") else []:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/stat", encoding="utf-8", errors="replace") as file:
            found.append(file.read().rpartition(")")[2].split()[0])
    return found


class SweepCase(SystemCase):
    def setUp(self):
        super().setUp()
        self.plan = self.write("plan.cfg", PLAN)

    def sweep(self, folder, *arguments, expect=DONE):
        done = self.fpgauge("sweep", "plan.cfg", *arguments, "-o", folder)
        self.assertEqual(done.returncode, expect, f"{done.stdout}\n{done.stderr}")
        return done

    def refused(self, *arguments):
        """What sweep says as it ends with exit status 2; nothing was made."""
        before = sorted(os.listdir(self.scratch))
        done = self.fpgauge("sweep", *arguments)
        self.assertEqual((done.returncode, sorted(os.listdir(self.scratch))), (2, before), f"{done.stdout}\n{done.stderr}")
        return done.stderr

    def run_files(self, folder):
        """Those of a sweep, in the order of their numbers."""
        try:
            names = sorted(name for name in os.listdir(self.path(folder)) if name.endswith(".db"))
        except FileNotFoundError:  # not made yet
            return []
        return [os.path.join(self.path(folder), name) for name in names]

    def rows(self, path, query):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return database.execute(query).fetchall()

    def sessions(self, path):
        """Commands of the sessions on a run file, in order."""
        return [row[0] for row in self.rows(path, "SELECT command FROM session ORDER BY rowid")]

    def is_incomplete(self, path):
        """Whether trials are in it that a later session can go on from."""
        try:
            trials = self.rows(path, "SELECT count(*) FROM trial")[0][0]
            complete = self.rows(path, "SELECT count(*) FROM run WHERE finished IS NOT NULL AND incomplete IS NULL")[0][0]
        except sqlite3.Error:  # not made yet
            return False
        return trials > 0 and not complete

    def reports(self, folder):
        """The report of each run by its settings, without times; every run file must give one."""
        found = {}
        for path in self.run_files(folder):
            done = self.fpgauge("report", path, "--json", "-")
            self.assertEqual(done.returncode, DONE, done.stderr)
            report = json.loads(done.stdout)
            settings = tuple(report["set"])
            self.assertNotIn(settings, found, f"two runs of one point: {path}")
            found[settings] = {key: value for key, value in report.items() if key not in TIMES}
        return found

    def stop_in_mid_run(self, folder, number):
        """Stops the process on a point, which holds still from here on. True: it is in the middle of its run; False: it is not, or not
        any more, and goes on."""
        path = [name for name in self.run_files(folder) if os.path.basename(name).startswith(f"{number:03d}-")]
        pids = processes_on(self.path(folder), number)
        if not path or not pids:
            return False
        with contextlib.suppress(ProcessLookupError):
            for pid in pids:
                stop(pid)
            if self.is_incomplete(path[0]):
                return True
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        return False
