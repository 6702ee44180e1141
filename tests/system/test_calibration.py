#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cable latency from the self-test to the report: measured on a simulated wire of known latency, kept, and subtracted, so
that a device of known latency behind such cables shows its own."""

import contextlib
import json
import os
import sqlite3
import subprocess
import time
import unittest

from fpgauge_system import FPGAUGE, WRONG_PLAN, SystemCase, fifo, plan_text

CABLE_NS, DEVICE_NS = 800, 1600  # both whole groups of 8 octet times at 100G: 0.64 ns
THROUGHPUT = 'test = "throughput"; frame_sizes = [64]; trial_duration = "20us"; resolution = "1%"'
LATENCIES = ["latency_min_ns", "latency_mean_ns", "latency_max_ns"]


class Calibration(SystemCase):
    def calibrate(self, name="cal.json", latency_ns=CABLE_NS):
        done = self.fpgauge("selftest", "sim:twin", "--external", "--duration", "10us", "--set",
                            f"dut.latency_ns={latency_ns}", "--calibration", self.path(name))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"calibration of 2 cables kept in {self.path(name)}\n", done.stdout)
        return self.result(name)

    def plan(self, latency_ns, calibration=None):
        device = f'calibration = "{calibration}";' if calibration else ""
        return plan_text([THROUGHPUT], dut=fifo(2000, "200M", latency_ns), device=device, library="twin")

    def latencies(self, *arguments):
        report, done = self.run_plan(self.plan(*arguments))
        return [self.only(report, test="throughput")[key] for key in LATENCIES], report, done

    def test_the_file_has_what_was_measured(self):
        entries = self.calibrate()["calibrations"]
        self.assertEqual([(entry["from_port"], entry["to_port"]) for entry in entries], [(0, 1), (1, 0)])
        for entry in entries:
            self.assertEqual([entry[key] for key in LATENCIES], [CABLE_NS] * 3)
            self.assertEqual((entry["device"], entry["bits_per_second"]), ("sim twin", 100_000_000_000))

    def test_measuring_again_replaces_and_keeps_what_is_of_others(self):
        kept = self.calibrate()
        other = dict(kept["calibrations"][0], device="pci 0000:3b:00.0")
        kept["calibrations"].append(other)
        self.write("cal.json", json.dumps(kept))
        entries = self.calibrate(latency_ns=64)["calibrations"]
        self.assertEqual(len(entries), 3)
        self.assertIn(other, entries)
        self.assertEqual({entry["latency_mean_ns"] for entry in entries if entry["device"] == "sim twin"}, {64})

    def test_a_device_behind_calibrated_cables_shows_its_own_latency(self):
        self.calibrate()
        truth, report, _ = self.latencies(DEVICE_NS)
        self.assertNotIn("calibration", report)
        corrected, report, done = self.latencies(DEVICE_NS + CABLE_NS, self.path("cal.json"))
        self.assertEqual(corrected, truth)
        ways = report["calibration"]["ports"]
        self.assertEqual([(way["from_port"], way["to_port"], way["latency_ns"]) for way in ways],
                         [(1, 0, CABLE_NS), (0, 1, CABLE_NS)])
        self.assertIn("Calibration          subtracted from latency: port 1 to 0: 800.00 ns, port 0 to 1: 800.00 ns",
                      done.stdout)

    def test_the_run_file_has_it_with_every_trial_corrected(self):
        self.calibrate()
        database = self.path("run.db")
        report, _ = self.run_plan(self.plan(DEVICE_NS, self.path("cal.json")), "--db", database)
        corrected = [self.only(report, test="throughput")[key] for key in LATENCIES]
        with sqlite3.connect(database) as run:
            self.assertEqual(json.loads(run.execute("SELECT calibration FROM run").fetchone()[0]), report["calibration"])
        done = self.fpgauge("report", database, "--json", self.path("again.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        again = self.only(self.result("again.json"), test="throughput")
        self.assertEqual([again[key] for key in LATENCIES], corrected)

    def test_a_run_that_died_goes_on_with_the_calibration_that_it_began_with(self):
        self.calibrate()
        burst = 'test = "back_to_back"; frame_sizes = [64]; repetitions = 100; max_burst = "20us"; first_burst = 16'
        self.write("plan.cfg", plan_text([burst, THROUGHPUT], dut=fifo(50, "70M", DEVICE_NS + CABLE_NS),
                                         device=f'calibration = "{self.path("cal.json")}";', library="twin"))
        arguments = ["run", "plan.cfg", "--quiet", "--db", "run.db"]
        with subprocess.Popen([FPGAUGE, *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL) as run:
            while not self.trials():
                self.assertIsNone(run.poll(), "the run is over before it was killed")
                time.sleep(0.01)
            run.kill()
        made = len(self.trials())
        os.remove(self.path("cal.json"))
        done = self.fpgauge("resume", "run.db", "--json", self.path("resumed.json"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        trials = self.trials()
        self.assertGreater(len(trials), made)
        # A frame into an idle device: its own latency, whenever the trial was made.
        self.assertEqual({row[0] for row in trials}, {trials[0][0]})
        self.assertLess(trials[0][0] * 0.08, DEVICE_NS + CABLE_NS)
        self.assertEqual(len(self.result("resumed.json")["calibration"]["ports"]), 2)

    def trials(self):
        """Least latency of every trial in the run file so far."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path('run.db')}?mode=ro", uri=True)) as database:
                return database.execute("SELECT latency_min_ot FROM trial").fetchall()
        except sqlite3.OperationalError:  # not made yet
            return []

    def test_ports_that_were_looped_to_themselves_stand_for_the_way_between_them(self):
        kept = self.calibrate()
        for entry, latency in zip(kept["calibrations"], (640, 960)):
            entry.update(to_port=entry["from_port"], latency_mean_ns=latency)
        self.write("cal.json", json.dumps(kept))
        truth, _, _ = self.latencies(DEVICE_NS)
        corrected, _, _ = self.latencies(DEVICE_NS + CABLE_NS, self.path("cal.json"))
        self.assertEqual(corrected, truth)

    def test_none_subtracts_nothing(self):
        truth, _, _ = self.latencies(DEVICE_NS)
        same, report, _ = self.latencies(DEVICE_NS, "none")
        self.assertEqual(same, truth)
        self.assertNotIn("calibration", report)

    def refused(self, change, *says):
        kept = self.calibrate()
        change(kept)
        self.write("cal.json", json.dumps(kept))
        done = self.fpgauge("run", self.write("plan.cfg", self.plan(DEVICE_NS, self.path("cal.json"))))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for text in (f'plan.cfg:1: device.calibration = "{self.path("cal.json")}"', *says):
            self.assertIn(text, done.stderr)

    def test_another_bitstream_is_refused_with_both_named(self):
        def change(kept):
            for entry in kept["calibrations"]:
                entry["regmap"] = "1:0x12345678"
        self.refused(change, "is of sim twin with register map 1:0x12345678 at 100 Gb/s", "it has 1:0x", "now")

    def test_another_speed_is_refused_with_both_named(self):
        def change(kept):
            for entry in kept["calibrations"]:
                entry["bits_per_second"] = 25_000_000_000
        self.refused(change, "at 25 Gb/s", "at 100 Gb/s now")

    def test_another_device_is_refused(self):
        def change(kept):
            for entry in kept["calibrations"]:
                entry["device"] = "pci 0000:3b:00.0"
        self.refused(change, "has no calibration of sim twin, only of others, such as pci 0000:3b:00.0")

    def test_a_missing_port_is_refused(self):
        self.refused(lambda kept: kept["calibrations"].pop(),
                     "has no cable from port 1 to port 0 of sim twin, nor of both to themselves")

    def test_files_that_are_no_calibration_are_refused(self):
        for text in ("", "{}", '{"schema": 7, "calibrations": []}'):
            with self.subTest(text=text):
                self.write("cal.json", text)
                done = self.fpgauge("run", self.write("plan.cfg", self.plan(DEVICE_NS, self.path("cal.json"))))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertIn("plan.cfg:1: device.calibration: ", done.stderr)
                self.assertIn("no calibration", done.stderr)

    def test_simulations_neither_keep_nor_use_one_by_themselves(self):
        os.environ["XDG_STATE_HOME"] = self.path("state")
        self.addCleanup(os.environ.pop, "XDG_STATE_HOME")
        done = self.fpgauge("selftest", "sim:twin", "--external", "--duration", "10us")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(self.path("state")))
        self.assertNotIn("kept in", done.stdout)


if __name__ == "__main__":
    unittest.main()
