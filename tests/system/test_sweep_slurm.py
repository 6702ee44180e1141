#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sweep as an array job of a real Slurm with four nodes, one of which dies in the middle of a run: all runs are there, none twice,
and they are those of a sweep on this machine. FPGAUGE_RUNS says how many (16; 200 in tools/test --long, where Slurm takes its own
time to see that the node is dead)."""

import os
import subprocess
import tempfile
import unittest

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, LONG, WRONG_DEVICE, WRONG_PLAN, main, wait_until
from slurm import Cluster, why_no_slurm
from sweep_case import SweepCase, points_that_run

RUNS = int(os.environ.get("FPGAUGE_RUNS", "200" if LONG else "16"))
VARY = ("--vary", "dut.buffer_frames=" + ",".join(str(100 + 10 * value) for value in range(RUNS // 2)),
        "--vary", "run[1].repetitions=20,25")

# Durable is durable, whatever the disk.
if os.access("/dev/shm", os.W_OK):
    tempfile.tempdir = "/dev/shm"


class SweepSlurm(SweepCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        why = why_no_slurm()
        if why:
            raise unittest.SkipTest(why)
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="fpgauge-slurm-"))
        cls.cluster = cls.enterClassContext(Cluster(folder, 4))
        cls.environment = cls.cluster.environment

    def kill_a_node(self, folder, leader):
        """One on which a run is in its middle. Returns the number of that run. The run is stopped before Slurm is asked where it is: an
        answer of Slurm may take longer than a run."""
        def found():
            return next((number for number in points_that_run(self.path(folder)) if self.stop_in_mid_run(folder, number)), None)
        number = wait_until(found, "a run is in its middle", leader)
        name = wait_until(lambda: next((name for name in self.cluster.alive() if number in self.cluster.tasks_on(name)), None),
                          f"a node has run {number}", leader)
        self.cluster.kill(name)
        if not LONG:
            self.cluster.bury(name, number)
        return number

    def test_all_runs_are_there_and_none_twice_although_a_node_died(self):
        command = [FPGAUGE, "sweep", "plan.cfg", *VARY, "-o", "slurm", "--slurm", "--wait"]
        with subprocess.Popen(command, cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as leader:
            lost = self.kill_a_node("slurm", leader)
            out, errors = leader.communicate(timeout=IN_VAIN_S)
        self.assertEqual(leader.returncode, DONE, f"{out}\n{errors}")
        self.assertIn(f"{RUNS} runs: {RUNS} done, {RUNS} of them passed", out)
        files = self.run_files("slurm")
        self.assertEqual([int(os.path.basename(path)[:3]) for path in files], list(range(1, RUNS + 1)))
        for path in files:
            again = int(os.path.basename(path)[:3]) == lost
            self.assertEqual(self.sessions(path), ["run", "resume"] if again else ["run"], path)
        self.sweep("here", *VARY, "--quiet")
        self.assertEqual(self.reports("slurm"), self.reports("here"))
        self.assertEqual(self.fpgauge("compare", "here", "slurm").returncode, DONE)

    def test_a_sweep_that_is_not_waited_for_is_gone_on_with_by_another_job(self):
        done = self.sweep("later", "--vary", "dut.buffer_frames=100,200,300", "--slurm", f"--slurm-option=--nodelist={self.cluster.alive()[0]}", "--jobs", "1")
        self.assertIn("Job ", done.stderr)
        wait_until(lambda: not self.cluster.says("squeue", "--noheader"), "the job is over")
        os.remove(self.run_files("later")[1])
        done = self.fpgauge("sweep", "--resume", "later", "--slurm", "--wait")
        self.assertEqual(done.returncode, DONE, f"{done.stdout}\n{done.stderr}")
        self.assertIn(": 1 runs", done.stderr)
        self.assertEqual([self.sessions(path) for path in self.run_files("later")], [["run"]] * 3)

    def test_what_sbatch_refuses_is_said_and_nothing_runs(self):
        done = self.sweep("none", "--vary", "dut.buffer_frames=100,200", "--slurm", "--slurm-option=--partition=nowhere", "--wait",
                          expect=WRONG_DEVICE)
        self.assertIn("invalid partition", done.stderr)
        self.assertIn("fpgauge sweep --resume", done.stderr)
        self.assertEqual(self.run_files("none"), [])


class NoSlurm(SweepCase):
    def test_without_slurm_a_sweep_says_so_before_anything_is_made(self):
        self.environment = {**os.environ, "PATH": self.scratch}
        said = self.refused("plan.cfg", "--vary", "dut.buffer_frames=1,2", "-o", "none", "--slurm")
        self.assertIn("sbatch: cannot be started: No such file or directory", said)
        self.assertEqual(self.fpgauge("sweep", "plan.cfg", "--vary", "dut.buffer_frames=1,2", "--slurm").returncode, WRONG_PLAN)


if __name__ == "__main__":
    main()
