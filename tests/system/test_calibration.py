#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cable latency from the self-test to the report: measured on a simulated wire of known latency, kept, and subtracted, so
that a device of known latency behind such cables shows its own."""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import unittest

from fpgauge_system import FPGAUGE, WRONG_PLAN, SystemCase, fifo, map_of_program, plan_text, wait_until

CABLE_NS, DEVICE_NS = 800, 1600  # both are whole groups of 8 octet times at 100G, 0.64 ns each
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
        made = self.killed_in_mid_run()
        os.remove(self.path("cal.json"))
        done = self.fpgauge("resume", "run.db", "--json", self.path("resumed.json"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        trials = self.trials()
        self.assertGreater(len(trials), made)
        # A frame into an idle device has the device's own latency, whenever the trial was made.
        self.assertEqual({row[0] for row in trials}, {trials[0][0]})
        self.assertLess(trials[0][0] * 0.08, DEVICE_NS + CABLE_NS)
        self.assertEqual(len(self.result("resumed.json")["calibration"]["ports"]), 2)

    def killed_in_mid_run(self):
        """Leaves a run file of a run that was killed; returns how many trials are in it. A run that was over too soon,
        because nobody looked for so long, is repeated with more trials."""
        for repetitions in (100, 300, 1000):
            burst = f'test = "back_to_back"; frame_sizes = [64]; repetitions = {repetitions}; max_burst = "20us"; first_burst = 16'
            self.write("plan.cfg", plan_text([burst, THROUGHPUT], dut=fifo(50, "70M", DEVICE_NS + CABLE_NS),
                                             device=f'calibration = "{self.path("cal.json")}";', library="twin"))
            with subprocess.Popen([FPGAUGE, "run", "plan.cfg", "--quiet", "--db", "run.db"], cwd=self.scratch,
                                  stdin=subprocess.DEVNULL) as run:
                wait_until(self.trials, "the first trial is in the run file", run)
                run.kill()
            if run.returncode == -signal.SIGKILL:
                return len(self.trials())
            os.remove(self.path("run.db"))
        raise AssertionError("every run was over before it was killed")

    def trials(self):
        """Minimum latency of every trial in the run file so far."""
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.path('run.db')}?mode=ro", uri=True)) as database:
                return database.execute("SELECT latency_min_ot FROM trial").fetchall()
        except sqlite3.OperationalError:  # not made yet
            return []

    def test_ports_that_were_looped_to_themselves_stand_for_the_way_between_them(self):
        kept = self.calibrate()
        for entry, latency in zip(kept["calibrations"], (640, 960)):
            entry.update(to_port=entry["from_port"], **dict.fromkeys(LATENCIES, latency))
        self.write("cal.json", json.dumps(kept))
        truth, _, _ = self.latencies(DEVICE_NS)
        corrected, _, _ = self.latencies(DEVICE_NS + CABLE_NS, self.path("cal.json"))
        self.assertEqual(corrected, truth)

    def loops(self, latencies, library="twin"):
        """A calibration in which each port was looped to itself: latencies by port."""
        kept = self.calibrate()
        entry = kept["calibrations"][0]
        kept["calibrations"] = [dict(entry, from_port=port, to_port=port, **dict.fromkeys(LATENCIES, latency))
                                for port, latency in enumerate(latencies)]
        return self.write("cal.json", json.dumps(kept))

    def switched(self, pattern, calibration="none", ports=3, latency_ns=DEVICE_NS):
        """Latencies through a switch, which delays all alike; a load far below what it can."""
        direction = "" if "mesh" in pattern else ' direction = "unidirectional";'
        test = (f'test = "throughput"; search = "binary"; trial_duration = "20us"; drain = "20us"; settle = "5us"; resolution = "25%"; '
                f'frame_sizes = [64];{direction} traffic = {{ pattern = "{pattern}"; }};')
        return plan_text([test], dut=f'model = "switch"; latency_ns = {latency_ns}; buffer_frames = 2000;', library="twin",
                         device=f'ports = {ports}; calibration = "{calibration}";')

    def test_the_way_that_frames_took_is_subtracted_whatever_the_pattern(self):
        """Port 0 has a short cable. On the way from 1 to 2 it has no part; only the pattern knows."""
        for pattern, ports, ways in (("mesh", 3, {(1, 0): 642, (2, 0): 642, (0, 1): 642, (2, 1): 644, (0, 2): 642, (1, 2): 644}),
                                     ("many_to_one", 3, {(1, 0): 642, (2, 0): 642}), ("snake", 4, {(0, 3): 642}),
                                     ("unidirectional_mesh", 4, {(0, 2): 642, (1, 2): 644, (0, 3): 642, (1, 3): 644})):
            with self.subTest(pattern=pattern):
                calibration = self.loops([640, 644, 644, 644][:ports])
                database = self.path(f"{pattern}.db")
                report, _ = self.run_plan(self.switched(pattern, calibration, ports), "--db", database)
                found = {(way["from_port"], way["to_port"]): way["latency_ns"] for way in report["calibration"]["ports"]}
                self.assertEqual(found, ways)
                self.run_plan(self.switched(pattern, ports=ports), "--db", self.path(f"{pattern}-plain.db"))
                for port in range(ports):
                    to_here = [way for (_, to), way in ways.items() if to == port]
                    plain, corrected = (self.port_latencies(name, port) for name in (f"{pattern}-plain.db", f"{pattern}.db"))
                    self.assertEqual(bool(to_here), bool(plain), "a port that receives has latencies")
                    for one, other in zip(plain, corrected, strict=True):
                        self.assertAlmostEqual((one - other) * 0.08, sum(to_here) / len(to_here), delta=0.081)

    def port_latencies(self, name, port):
        with contextlib.closing(sqlite3.connect(self.path(name))) as database:
            return [row[0] for row in database.execute(
                "SELECT latency_min_ot FROM trial_port WHERE port = ? AND latency_frames > 0 ORDER BY trial", (port,))]

    def refused_pattern(self, pattern, *says):
        done = self.fpgauge("run", self.write("plan.cfg", self.switched(pattern, self.path("cal.json"))))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stdout + done.stderr)
        for text in (f'plan.cfg:1: device.calibration = "{self.path("cal.json")}"', *says):
            self.assertIn(text, done.stderr)

    def test_a_way_that_is_not_known_is_refused_with_the_test_that_uses_it(self):
        self.calibrate()  # 0 to 1 and back; 2 to nothing
        self.refused_pattern("mesh", "has no cable from port 2 to port 0 of sim twin, nor of both to themselves",
                             "the throughput test of line 5 sends frames that way", 'traffic.pattern = "mesh"',
                             "connect each port to itself")

    def test_ways_to_one_port_that_differ_are_refused(self):
        self.loops([640, 644, 700])
        self.refused_pattern("many_to_one", "the ways from ports 1 and 2 to port 0 of sim twin differ by 28.00 ns",
                             "must be within 10 ns")

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

    def test_what_is_wrong_in_a_file_is_named_with_entry_key_and_value(self):
        """Every key of an entry, missing or with values that it cannot have; the entry need not be one that is used."""
        good = self.calibrate()
        number = [None, "804.1", True, [804.1], -0.5, 1e300, 1.1e9]
        whole = [*number, 0.5]
        text = [None, 5, "", ["sim twin"]]
        wrong = {"device": text, "tool": text, "regmap": [*text, "1", "1:0x1234567", "1:0xG2345678", " 1:0x12345678"],
                 "measured": [*text, "yesterday", "2026-11-21 13:00:00"], "bits_per_second": [*whole, 0],
                 "from_port": [*whole, 16], "to_port": [*whole, 16], "frames": [*[v for v in whole if v != 1.1e9], 0],
                 **dict.fromkeys(LATENCIES, number)}
        self.assertEqual(set(wrong), set(good["calibrations"][1]))
        plan = self.write("plan.cfg", self.plan(DEVICE_NS, "cal.json"))
        for key, values in wrong.items():
            for value in [*values, "gone"]:
                with self.subTest(key=key, value=value):
                    entries = [dict(entry) for entry in good["calibrations"]]
                    entries[1][key] = value
                    if value == "gone":
                        del entries[1][key]
                    self.write("cal.json", json.dumps(dict(good, calibrations=entries)))
                    done = self.fpgauge("run", plan, "--db", "run.db")
                    self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
                    shown = re.escape(f"{json.dumps(value)}: must be") if not isinstance(value, float) else ".*: must be"
                    says = f"{key} is missing: must be" if value == "gone" else f"{key} = {shown}"
                    self.assertRegex(done.stderr, rf"plan\.cfg:1: .*cal\.json: calibrations\[1\]: {says}")
                    self.assertFalse(os.path.exists(self.path("run.db")), "a trial was run")

    def test_entries_that_contradict_each_other_or_themselves_are_refused(self):
        def twice(kept):
            kept["calibrations"].append(dict(kept["calibrations"][0], latency_mean_ns=CABLE_NS))
        self.refused_file(twice, "calibrations[2]: is of the same", "as calibrations[0]")

        def disorder(kept):
            kept["calibrations"][0]["latency_mean_ns"] = CABLE_NS + 0.5
        self.refused_file(disorder, "calibrations[0]: latency_mean_ns = 800.5: must be latency_min_ns to latency_max_ns, "
                                    "800 to 800")

    def test_a_file_that_is_none_is_refused(self):
        for text, says in ((b"{}", "its schema is nothing"), (b"[]", "its schema is nothing"), (b"", "cal.json:1: no calibration"),
                           (b'{"schema": 1.0, "calibrations": []}', "its schema is 1.0"),
                           (b'{"schema": 2, "calibrations": []}', "its schema is 2"),
                           (b'{"schema": 1}', "calibrations = nothing: must be a list"),
                           (b'{"schema": 1, "calibrations": [5]}', "calibrations[0] = 5: must be an object"),
                           (b'{"schema": 1,\n"calibrations": ["\xff"]}', "cal.json:2: no calibration: "),
                           (b'{"schema": 1, "schema": 1, "calibrations": []}', "cal.json:1: no calibration: ")):
            with self.subTest(text=text):
                self.write("cal.json", text)
                done = self.fpgauge("run", self.write("plan.cfg", self.plan(DEVICE_NS, "cal.json")))
                self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
                self.assertIn(says, done.stderr)

    def refused_file(self, change, *says):
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path("cal.json"))
        kept = self.calibrate()
        change(kept)
        self.write("cal.json", json.dumps(kept))
        done = self.fpgauge("run", self.write("plan.cfg", self.plan(DEVICE_NS, "cal.json")))
        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def test_another_bitstream_is_refused_with_both_named(self):
        def change(kept):
            for entry in kept["calibrations"]:
                entry["regmap"] = "1:0x12345678"
        version, map_hash = map_of_program()
        self.refused(change, "is of sim twin with register map 1:0x12345678 at 100 Gb/s", f"it has {version}:0x{map_hash:08x}", "now")

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
        self.environment = {**os.environ, "XDG_STATE_HOME": self.path("state")}
        done = self.fpgauge("selftest", "sim:twin", "--external", "--duration", "10us")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(self.path("state")))
        self.assertNotIn("kept in", done.stdout)


if __name__ == "__main__":
    unittest.main()
