#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""device.ports: the twin with 2, 3, 5 and 16 ports has the same truth at every pair; the RTL is the library of so many ports,
where it is built; a test that needs more ports than the device has is refused."""

import contextlib
import os
import re
import sqlite3

from fifo_truth import max_theoretical_fps, throughput_fps
from fpgauge_system import DONE, FPGAUGE, LINK_BPS, SystemCase, WRONG_PLAN, fifo, main, plan_text

BUFFER_FRAMES, SERVICE_FPS, LATENCY_NS, FRAME_OCTETS = 100, 100_000_000, 800, 64
RESOLUTION = 0.01
TEST = (f'test = "throughput"; frame_sizes = [{FRAME_OCTETS}]; search = "binary"; trial_duration = "1ms"; resolution = '
        f'"{RESOLUTION:.0%}"; settle = "0s"; drain = "1ms"')
DUT = fifo(BUFFER_FRAMES, "100M", LATENCY_NS)
OF_PORT = ("sent", "offered_frames", "received_frames", "latency_frames", "latency_min_ot", "latency_max_ot", "latency_mean_ot",
           "wrong_port_frames", "foreign_frames", "bad_frames", "sequence_gaps")
NOTHING = {name: 0 for name in OF_PORT}

# tests/sim/fake_library.c: a library of one port.
ONE_PORT = os.path.join(os.path.dirname(FPGAUGE), "tests", "sim", "fakes", "libfpgauge-sim-fake-one-port.so")


class Ports(SystemCase):
    def measure(self, ports, library="twin"):
        """The result, and the ports of each trial: a list of {name: value} by port."""
        database = self.path(f"{library}-{ports}.db")
        report, _ = self.run_plan(plan_text([TEST], dut=DUT, device=f"ports = {ports};", library=library), "--db", database)
        self.assertEqual(report["device"]["ports"], ports)
        trials = {}
        with contextlib.closing(sqlite3.connect(database)) as connection:
            for trial, port, *values in connection.execute(
                    f"SELECT trial, port, {', '.join(OF_PORT)} FROM trial_port ORDER BY trial, port"):
                self.assertEqual(len(trials.setdefault(trial, [])), port)
                trials[trial].append(dict(zip(OF_PORT, values)))
        return self.only(report, test="throughput"), list(trials.values())

    def test_every_pair_of_the_twin_has_the_truth(self):
        line_fps = float(max_theoretical_fps(FRAME_OCTETS, LINK_BPS))
        true_fps = float(throughput_fps(BUFFER_FRAMES, SERVICE_FPS, FRAME_OCTETS, LINK_BPS))
        expected, pair_trials = self.measure(2)
        self.assertLessEqual(expected["throughput_fps"], true_fps + BUFFER_FRAMES / 1e-3 + 1)
        self.assertGreater(expected["throughput_fps"], true_fps - RESOLUTION * line_fps - 1)
        self.assertGreater(sum(trial[0]["offered_frames"] - trial[1]["received_frames"] for trial in pair_trials), 0)
        for ports in (3, 5, 16):
            with self.subTest(ports=ports):
                found, trials = self.measure(ports)
                self.assertEqual(found["throughput_fps"], expected["throughput_fps"])
                self.assertEqual(found["counters"]["offered_frames"], expected["counters"]["offered_frames"] * (ports // 2))
                self.assertEqual([len(trial) for trial in trials], [ports] * len(pair_trials))
                for trial, pair in zip(trials, pair_trials):
                    for port in range(ports // 2 * 2):
                        self.assertEqual(trial[port], pair[port % 2], f"port {port}")
                    for alone in trial[ports // 2 * 2:]:
                        self.assertEqual({name: alone[name] or 0 for name in OF_PORT}, NOTHING, "the last of an odd number")

    def complaint(self, *arguments):
        done = self.fpgauge("check", *arguments)
        self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def test_other_numbers_are_refused_with_file_and_line(self):
        plan = self.write("lab.cfg", plan_text([TEST], library="twin", device="\n  ports = 2;"))
        for value in ("0", "1", "17", '"x"', "2.5", "-4"):
            with self.subTest(value):
                wrong = self.write("wrong.cfg", plan_text([TEST], library="twin", device=f"\n  ports = {value};"))
                self.assertIn("wrong.cfg:2: device.ports = ", self.complaint(wrong))
                self.assertIn("must be a whole number, 2 to 16", self.complaint(wrong))
                self.assertIn(f"--set device.ports={value}: ", self.complaint(plan, "--set", f"device.ports={value}"))

    def test_a_card_refuses_the_key(self):
        for backend in ('"xrt"; xclbin = "x.xclbin"', '"pci"'):
            plan = self.write("card.cfg", f'device = {{ backend = {backend};\n ports = 2; }};\nrun = ( {{ {TEST}; }} );\n')
            self.assertIn('card.cfg:2: device.ports = 2: is not a key of backend = ', self.complaint(plan))

    def test_a_test_that_needs_more_ports_than_there_are_is_refused_with_both_numbers(self):
        plan = self.write("lab.cfg", plan_text([TEST], library=ONE_PORT))
        self.assertIn('lab.cfg:5: test = "throughput": needs 2 ports, and sim fake has 1: write ports = 2 in device',
                      self.complaint(plan))
        self.assertIn("device.ports = 2: sim fake has 1", self.complaint(plan, "--set", "device.ports=2"))

    def libraries(self):
        return re.findall(r"(?m)^sim:(\S+)$", self.fpgauge("devices", "--names").stdout)

    def test_a_name_with_a_number_is_the_twin_with_another_default(self):
        plan = self.write("lab.cfg", plan_text([TEST]))
        for name in self.libraries():
            if re.fullmatch(r"twin\d+", name):
                for setting, ports in (([], int(name[4:])), (["--set", "device.ports=6"], 6)):
                    done = self.fpgauge("check", plan, "--set", f"device.library={name}", *setting)
                    self.assertIn(f"is right for sim {name}: {ports} ports", done.stdout)

    def test_the_rtl_is_the_library_of_so_many_ports(self):
        libraries = self.libraries()
        plan = self.write("lab.cfg", plan_text([TEST], library="rtl", device="\n  ports = 14;"))
        there = ", ".join(f'"{name}" ({name[3:] or 2} ports)' for name in sorted(libraries, key=len)
                          if re.fullmatch(r"rtl\d*", name))
        said = self.complaint(plan)
        self.assertIn("lab.cfg:2: device.ports = 14: no libfpgauge-sim-rtl14.so in ", said)
        self.assertIn(f"there is {there or 'none'}. CMake with -DFPGAUGE_SIM_PORTS=14 builds it", said)
        if "rtl3" in libraries:
            done = self.fpgauge("check", plan, "--set", "device.ports=3")
            self.assertEqual(done.returncode, DONE, done.stderr)
            self.assertIn("is right for sim rtl3: 3 ports", done.stdout)
        if "rtl4" in libraries:
            done = self.fpgauge("check", plan, "--set", "device.ports=4")
            self.assertEqual(done.returncode, DONE, done.stderr)
            self.assertIn("is right for sim rtl4: 4 ports", done.stdout)
            self.assertIn("device.ports = 2: sim rtl4 has 4",
                          self.complaint(plan, "--set", "device.library=rtl4", "--set", "device.ports=2"))


if __name__ == "__main__":
    main()
