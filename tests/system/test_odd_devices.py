#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Odd devices: every benchmark and every form of report, whatever a device does with frames. No result is lost, no report
says "nan", and where nothing came, nothing is called a measurement.

FPGAUGE must name the program with odd cables, build/tests/odd/fpgauge-odd; FPGAUGE_LIBRARY_PATH, where the twin is."""

import contextlib
import csv
import os
import random
import re
import sqlite3
import sys
import unittest
import xml.etree.ElementTree

import fpgauge_system
from fpgauge_system import DONE, INVALID, LONG, SEED, WRONG_DEVICE, SystemCase, main

# Alone, FPGAUGE_ODD_DEVICES says how many, and FPGAUGE_TEST_SEED from which on.
DEVICES = int(os.environ.get("FPGAUGE_ODD_DEVICES", "500" if LONG else "2"))
ENDS = 'settle = "5ms"; drain = "10us";'
LENGTH = 'trial_duration = "20us";'
COARSE = 'resolution = "5%";'
TABLE = 'ageing = "60ms"; test_rate = 1000000;'
PLAN = {
    "throughput": LENGTH + 'resolution = "1%";',
    "back_to_back": 'repetitions = 2; max_burst = "20us"; test_all_sizes = true;',
    "mlrsearch": 'goals = ( { loss_ratio = "0%"; final_trial_duration = "20us"; duration_sum = "21us"; initial_trial_duration = "10us"; } );',
    "frame_loss_rate": LENGTH,
    "latency": LENGTH + 'repetitions = 2; tag_after = "5us"; load = "50%";',
    "system_recovery": 'overload_duration = "20us"; recovery_duration = "20us"; repetitions = 2;',
    "reset": 'before_reset = "20us"; after_reset = "100us"; repetitions = 2;',
    "bursty_traffic": LENGTH + "bursts = [16];",
    "rfc2889.full_mesh": LENGTH + COARSE,
    "rfc2889.one_to_many": LENGTH + COARSE,
    "rfc2889.many_to_one": LENGTH + COARSE,
    "rfc2889.multiple_devices": LENGTH + COARSE,
    "rfc2889.unidirectional_mesh": LENGTH + COARSE,
    "rfc2889.congestion_control": LENGTH,
    "rfc2889.maximum_forwarding_rate": LENGTH + COARSE + 'step = "10%";',
    "rfc2889.forward_pressure": LENGTH,
    "rfc2889.address_caching": TABLE + "learning_rate = 1000000; initial_addresses = 8; max_addresses = 64;",
    "rfc2889.learning_rate": TABLE + "addresses = 8; initial_rate = 1000000; min_rate = 100000; max_rate = 1000000; rate_step = 100000;",
    "rfc2889.errored_frames": LENGTH + "max_frame = 9216;",
    "rfc2889.broadcast_forwarding": LENGTH + COARSE,
    "rfc2889.broadcast_latency": "repetitions = 2;",
    "rfc8239.line_rate": LENGTH + "repetitions = 2;",
    "rfc8239.microburst": 'max_burst = "20us"; senders = 2; positions = 1; repetitions = 2;',
    "rfc8239.head_of_line_blocking": LENGTH + "repetitions = 2;",
    "rfc8239.buffer_efficiency": "max_frames = 200; repetitions = 2;",
    "rfc8239.port_buffer": "max_frames = 200; positions = 1; repetitions = 2;",
    "rfc8239.port_pair_buffer": "max_frames = 200; positions = 1; repetitions = 2;",
    "rfc8239.device_buffer": "max_frames = 200; repetitions = 2;",
    "rfc8239.incast": LENGTH + 'positions = 1; connections = 1; stateful = 1; stateless = 1; lead_time = "50us"; min_rto = "20us"; '
                      'initial_rto = "20us"; ack_delay = "5us"; repetitions = 2;',
}
# Keys of a result that say what was done, not what was measured.
ASKED = ("test_number", "frame_octets", "max_theoretical_fps", "trials", "invalid_trials", "repetitions", "theoretical_fps", "mol_fps",
         "intended_load_fps", "load_percent", "frame_time_ns", "goal")

NO_NUMBER = re.compile(r"\b(?:nan|inf)\b")


def percent(chance):
    return f'"{chance.choice([1, 10, 50, 90, 99])}%"'


def faults(chance):
    kinds = chance.sample(["drop", "duplicate", "corrupt", "alter", "reorder"], chance.randrange(1, 4))
    keys = "".join(f"{kind}_probability = {percent(chance)}; " for kind in kinds)
    return keys + (f"reorder_frames = {chance.choice([1, 70, 1000])};" if "reorder" in kinds else "")


def fifo(chance):
    room = chance.choice([f"buffer_frames = {chance.choice([1, 2, 50])};", f"buffer_octets = {chance.choice([64, 1518, 9000])};"])
    rate = chance.choice(['service_fps = "1k";', 'service_fps = "1M";', 'service_fps = "50%";', 'service_fps = "99%";'])
    return f"{room} {rate} latency_ns = {chance.choice([0, 800, 5000, 1000000])};"


def all_of(kind):
    return lambda chance: f'model = "faults, reset"; {kind}_probability = "100%";'


# How a simulated device may be odd. The last two are cables (tests/odd).
KINDS = {
    "silent": all_of("drop"),
    "only errors": all_of("corrupt"),
    "only other payloads": all_of("alter"),
    "only duplicates": all_of("duplicate"),
    "one frame": lambda chance: f'model = "fifo, reset"; buffer_frames = 1; service_fps = "{chance.choice(["1k", "1M", "50%"])}";',
    "switch with one frame": lambda chance: f'model = "switch"; buffer_frames = {chance.choice([1, 2])}; latency_ns = 800;',
    "no room": lambda chance: f'model = "fifo, reset"; buffer_octets = {chance.choice([64, 1518, 9000])}; service_bps = "1G";',
    "slow wire": lambda chance: f'model = "wire"; latency_ns = {chance.choice([20000, 1000000, 100000000])};',
    "faults": lambda chance: f'model = "faults, reset"; {faults(chance)}',
    "fifo": lambda chance: f'model = "fifo, reset"; {fifo(chance)}',
    "both": lambda chance: f'model = "faults, fifo, reset"; {faults(chance)} {fifo(chance)}',
    "dead port": lambda chance: 'model = "fifo, reset"; service_fps = "50%"; buffer_frames = 50;',
    "wrong cables": lambda chance: 'model = "fifo, reset"; service_fps = "90%"; buffer_frames = 50;',
}
SILENT = ("silent", "only errors", "only other payloads", "wrong cables")  # such frames are no measurement


class Device:
    """One, from its seed."""

    def __init__(self, seed):
        chance = random.Random(seed)
        self.kind = list(KINDS)[seed % len(KINDS)]
        self.dut = KINDS[self.kind](chance)
        self.octets = chance.choice([64, 64, 1518, 9216])
        self.cables = {"dead port": f"dead {chance.randrange(8)}", "wrong cables": f"shift {chance.randrange(1, 8)}"}.get(self.kind, "")

    def tests(self):
        return [test for test in PLAN if test != "reset" or "reset" in self.dut]

    def plan(self, tests):
        body = ",\n".join(f'  {{ test = "{test}"; frame_sizes = [{self.octets}]; {ENDS} {PLAN[test]} }}' for test in tests)
        return (f'device = {{ backend = "sim"; library = "twin"; ports = 8; }};\nlink = {{ speed = "100G"; }};\n'
                f"dut = {{ {self.dut} }};\nrun = (\n{body}\n);\n")


def numbers_of(result):
    return {key: value for key, value in result.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and key not in ASKED}


class OddDevices(SystemCase):
    def test_every_benchmark_and_every_report_of_every_odd_device_is_there(self):
        self.unplayed = 0
        for seed in range(SEED, SEED + DEVICES):
            device = Device(seed)
            with self.subTest(seed=seed, kind=device.kind, dut=device.dut, octets=device.octets, cables=device.cables):
                self.environment = dict(os.environ, FPGAUGE_ODD=device.cables)
                # The twin does not play TCP connections and frames that it keeps for the host in one session.
                tests = device.tests()[:-1]
                some = ["throughput", *random.Random(seed).sample(tests[1:], 8)]  # others need that one before them
                self.check(device, [test for test in tests if LONG or test in some])
                self.check(device, ["rfc8239.incast"])
        print(f"{DEVICES} devices from seed {SEED} on; {self.unplayed} runs that the twin does not play to their end")

    def check(self, device, tests):
        for name in os.listdir(self.scratch):  # a run that makes no report must not be taken for the last one
            if name.startswith("run."):
                os.unlink(self.path(name))
        self.write("plan.cfg", device.plan(tests))
        done = self.fpgauge("run", "plan.cfg", "--db", "run.db", "--json", "run.json", "--csv", "csv", "--junit", "run.xml",
                            "--html", "run.html")
        self.assertTrue(os.path.exists(self.path("run.json")), done.stderr)
        report = self.result("run.json")
        if done.returncode == WRONG_DEVICE and "the twin does not" in done.stderr:  # it has no frames of TCP for the host
            self.assertIn("the twin does not", report["incomplete"])
            self.unplayed += 1
            return
        self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
        self.assertEqual([result["test"] for result in report["results"]], tests)
        self.assertNotIn("incomplete", report)
        self.check_known(device, report)
        self.check_texts(tests, done.stdout)
        self.check_again(report)

    def check_known(self, device, report):
        # The octet that is altered in a frame of 64 octets is one of a header, which a device may change.
        silent = device.kind in SILENT and not (device.kind == "only other payloads" and device.octets == 64)
        for result in report["results"]:
            if silent and result["trials"]:
                self.assertFalse(result["valid"], result["test"])
            if str(result["why_invalid"]).startswith("not known: no test frame"):
                self.assertEqual({key: value for key, value in numbers_of(result).items() if value}, {}, result["test"])

    def check_texts(self, tests, terminal):
        xml.etree.ElementTree.parse(self.path("run.html"))
        cases = xml.etree.ElementTree.parse(self.path("run.xml")).iter("testcase")
        self.assertEqual(len(list(cases)), len(tests))
        texts = [terminal]
        for name in ["run.xml", "run.html", *(os.path.join("csv", f"{test}.csv") for test in tests)]:
            with open(self.path(name), encoding="utf-8", newline="") as file:
                texts.append(file.read())
            if name.endswith(".csv"):
                self.assertGreaterEqual(len(list(csv.reader(texts[-1].splitlines(), strict=True))), 2, name)
        for text in texts:
            for found in NO_NUMBER.finditer(text):
                self.fail(text[max(0, found.start() - 80):found.end() + 80])

    def check_again(self, report):
        """The same from the run file: by report, in SQL, and held against itself."""
        done = self.fpgauge("report", "run.db", "--json", "run.again.json")
        self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
        self.assertEqual(self.result("run.again.json"), report)
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            for view, in database.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
                database.execute(f'SELECT * FROM "{view}"').fetchall()
        done = self.fpgauge("compare", "run.db", "run.db", "--json", "run.compare.json")
        self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    if "odd" not in os.path.basename(fpgauge_system.FPGAUGE):
        sys.exit("FPGAUGE must name build/tests/odd/fpgauge-odd")
    main()
