#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two programs on one board, which is a simulated card behind a BAR: one drives it and is named to every other one that
wants to, and those that watch do not change what it measures."""

import json
import os
import signal
import subprocess
import time
import unittest

import sim_card
from fpgauge_system import DONE, FPGAUGE, WRONG_DEVICE, SystemCase, wait_until


def looks_in(path):
    """What a watch has written so far, whole lines."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n")[:-1]]


def sent_frames(path):
    return os.path.exists(path) and any(port["counters"]["tx_frames"] for look in looks_in(path) for port in look["ports"])


class TwoPrograms(SystemCase):
    PLAN = ['test = "throughput"; frame_sizes = [64, 512]; trial_duration = "50us"; resolution = "1%"; settle = "1ms"',
            'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; first_burst = "64 frames"; max_burst = "20us"; '
            'settle = "1ms"']
    LONG_PLAN = ['test = "throughput"; frame_sizes = [64]; trial_duration = "60s"']
    DUT = {"model": "fifo", "buffer_frames": 200, "service_fps": "40M"}
    ADDRESS = "0000:3b:00.0"
    # Slow, so that the clock's low word lasts for many accesses, as on a card (0.3 s there, 30 ms here).
    CLOCK_RATIO = 10

    def setUp(self):
        super().setUp()
        self.tree = sim_card.PciTree(self.path("sys"))
        card = sim_card.SimCard(self.path("card"), library="twin", dut=self.DUT, clock_ratio=self.CLOCK_RATIO)
        self.addCleanup(card.close)
        self.resource = self.tree.add(self.ADDRESS)
        self.environment = dict(os.environ, **sim_card.trapped(self.resource, self.path("card")))
        self.device = [f"pci:{self.ADDRESS}", "--set", f"device.sysfs={self.tree.sysfs}"]

    def start(self, *arguments, **settings):
        process = subprocess.Popen([FPGAUGE, *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, text=True,
                                   **settings)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def start_run(self):
        """A run that has the board, and has begun."""
        run = self.start("run", self.write("long.cfg", sim_card.plan_text(self.LONG_PLAN, self.tree.sysfs)))
        self.assertIn("Run file: ", run.stdout.readline())
        return run

    def assert_undisturbed(self, run):
        if run.poll() is not None:
            self.fail(f"the run ended, exit {run.returncode}: {run.communicate()}")

    def refused(self, done, other, command):
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stdout + done.stderr)
        self.assertIn(f"pci {self.ADDRESS}: is in use by process {other.pid} ({FPGAUGE} {command}", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_run_that_is_watched_gives_what_one_that_is_not_gives(self):
        reports = []
        for watches in (0, 2):
            looking = [self.start("watch", *self.device, "--interval", "1us", "--json", self.path(f"looks{i}"))
                       for i in range(watches)]
            reports.append(self.run_plan(sim_card.plan_text(self.PLAN, self.tree.sysfs), "--db",
                                         self.path(f"{watches}.db"))[0])
            for i, watch in enumerate(looking):
                # The program may not have begun on a busy machine, and until then the signal would end it like any other.
                wait_until(lambda path=self.path(f"looks{i}"): sent_frames(path), "it has seen the run's frames", watch)
                watch.send_signal(signal.SIGINT)
                _, complaints = watch.communicate()
                self.assertEqual((watch.returncode, complaints), (DONE, ""))
                for look in looks_in(self.path(f"looks{i}")):
                    for port in look["ports"]:  # the register map: these add up in every snapshot
                        counters = port["counters"]
                        self.assertEqual(counters["rx_frames"], sum(counters[f"rx_{name}_frames"] for name in (
                            "foreign", "other_run", "wrong_length", "bad_payload", "wrong_port", "received")))
        self.assertEqual(reports[0]["results"], reports[1]["results"])

    def test_a_long_trial_is_seen_while_it_sends(self):
        run = self.start_run()
        watch = self.start("watch", *self.device, "--interval", "1ms", "--json", "-")
        counts = set()
        while len(counts) < 3:
            counts.add(json.loads(watch.stdout.readline())["ports"][0]["counters"]["tx_frames"])
        self.assert_undisturbed(run)

    def test_who_drives_a_board_is_named_to_those_who_would_too(self):
        run = self.start_run()
        self.refused(self.fpgauge("run", self.path("long.cfg")), run, "run ")
        self.refused(self.fpgauge("selftest", *self.device), run, "run ")
        self.assert_undisturbed(run)
        checked = self.fpgauge("check", self.path("long.cfg"))
        self.assertEqual((checked.returncode, checked.stderr), (DONE, ""))

    def test_a_run_that_is_killed_leaves_no_lock(self):
        run = self.start_run()
        run.kill()
        run.wait()
        self.start_run()

    def test_a_selftest_keeps_a_run_away(self):
        selftest = self.start("selftest", *self.device, "--duration", "60s")
        selftest.stdout.readline()
        self.refused(self.fpgauge("run", self.write("p.cfg", sim_card.plan_text(self.PLAN, self.tree.sysfs))), selftest,
                     "selftest ")

    def test_a_watch_that_is_stopped_in_mid_look_is_named_and_then_not_in_the_way(self):
        watch = self.start("watch", *self.device, "--interval", "1us", "--json", self.path("looks"))
        plan = self.write("long.cfg", sim_card.plan_text(self.LONG_PLAN, self.tree.sysfs))
        for _ in range(2000):  # repeats until it is caught holding the lock, which it does a quarter of the time
            watch.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, watch.pid, os.WSTOPPED | os.WNOWAIT)
            with open("/proc/locks", encoding="ascii") as file:
                caught = f" {watch.pid} " in file.read()
            if caught:
                break
            watch.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        self.assertTrue(caught)
        self.refused(self.fpgauge("run", plan), watch, "watch ")
        watch.send_signal(signal.SIGCONT)
        self.start_run()

    @unittest.skipUnless(os.geteuid() == 0, "only root starts programs of other users")
    def test_a_program_of_another_user_is_kept_away_and_told_the_name(self):
        os.chmod(self.scratch, 0o755)
        os.chmod(self.resource, 0o666)
        os.chmod(self.path("card"), 0o666)
        run = self.start_run()
        other = self.start("run", self.path("long.cfg"), "--db", "/dev/null", user=65534, group=65534, extra_groups=[])
        output, complaints = other.communicate()
        self.refused(subprocess.CompletedProcess([], other.returncode, output, complaints), run, "run ")


if __name__ == "__main__":
    unittest.main(verbosity=2)
