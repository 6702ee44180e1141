#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpgauge watch: JSON lines, the table of a terminal, and a device of which somebody else takes snapshots."""

import json
import os
import pty
import shutil
import subprocess
import tomllib
import unittest

from fpgauge_system import DONE, FPGAUGE, ROOT, WRONG_DEVICE, WRONG_PLAN, SystemCase, fifo, plan_text

BUILD = os.path.dirname(FPGAUGE)
FAKE_BRIDGE = os.path.join(BUILD, "tests", "c", "xrt", "fpgauge-xrt-bridge")
MAKE_XCLBIN = os.path.join(BUILD, "sim", "cards", "fpgauge-make-xclbin")
FAULTY = os.path.join(os.path.dirname(FPGAUGE), "tests", "sim", "fakes", "libfpgauge-sim-faulty.so")


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


class Watch(SystemCase):
    def test_a_line_a_look_with_the_time_of_the_device_between(self):
        done = self.fpgauge("watch", "sim:twin", "--interval", "2ms", "--count", "3")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        looks = lines(done.stdout)
        self.assertEqual(len(looks), 3)
        self.assertIsNone(looks[0]["interval_s"])
        for look in looks[1:]:
            self.assertAlmostEqual(look["interval_s"], 2e-3, delta=1e-4)
        with open(os.path.join(ROOT, "hw", "regs", "fpgauge.toml"), "rb") as file:
            described = [counter["name"] for counter in tomllib.load(file)["counter"]]
        for port in looks[1]["ports"]:
            self.assertEqual((port["tx_fps"], port["rx_fps"], port["latency_mean_ns"]), (0, 0, None))
            self.assertEqual(list(port["counters"]), described)
            self.assertIsNone(port["counters"]["tx_gap_min_octets"])  # the minimum of nothing
            self.assertEqual((port["link"], port["link_flaps"]), (None, None))  # no MAC
        self.assertEqual(looks[0]["sensors"], [])

    def test_lines_into_a_file(self):
        done = self.fpgauge("watch", "sim:twin", "--interval", "1ms", "--count", "2", "--json", self.path("looks"))
        self.assertEqual((done.returncode, done.stdout), (DONE, ""))
        with open(self.path("looks"), encoding="utf-8") as file:
            self.assertEqual(len(lines(file.read())), 2)

    def screens(self, *arguments):
        """What a terminal shows, look by look."""
        terminal, inside = pty.openpty()
        with subprocess.Popen([FPGAUGE, "watch", *arguments, "--interval", "1ms", "--count", "2"], stdout=inside,
                              stdin=subprocess.DEVNULL) as watch:
            os.close(inside)
            shown = b""
            while True:
                try:
                    piece = os.read(terminal, 65536)
                except OSError:  # the other end is closed
                    break
                shown += piece
            os.close(terminal)
        self.assertEqual(watch.returncode, DONE)
        screens = shown.decode().split("\033[H\033[J")[1:]
        self.assertEqual(len(screens), 2)
        return screens

    def test_a_terminal_gets_a_table(self):
        for screen in self.screens("sim:twin"):
            self.assertIn("sim twin, 2 ports at 100 Gb/s", screen)
            self.assertRegex(screen, r"(?m)^   1 +0 ")
            self.assertNotIn("link", screen)  # there is no MAC

    def test_links_and_how_often_they_went_down(self):
        """Of a library that has a MAC and a link behind each port, as a card (tests/sim/faulty_library.c)."""
        for fault, link, flaps in (("flapping link", "up", 3), ("flapped link", "up", 1), ("silent MAC", "down", 0)):
            device = [f"sim:{FAULTY}", "--set", f"device.fault={fault}"]
            done = self.fpgauge("watch", *device, "--count", "1")
            self.assertEqual(done.returncode, DONE, done.stderr)
            look, = lines(done.stdout)
            self.assertEqual([(port["link"], port["link_flaps"]) for port in look["ports"]], [("up", 0), (link, flaps)])
            times = "1 time" if flaps == 1 else f"{flaps} times"
            for screen in self.screens(*device):
                self.assertIn(f"link: port 0 up, down 0 times since load; port 1 {link}, down {times} since load", screen)

    def test_wrong_arguments_are_refused(self):
        for arguments, code, text in [(["sim:none"], WRONG_DEVICE, "no libfpgauge-sim-none.so"),
                                      (["sim:twin", "--interval", "1"], WRONG_PLAN, "must be a time with its unit"),
                                      (["sim:twin", "--count", "0"], WRONG_PLAN, "must be a whole number, at least 1"),
                                      (["sim:twin", "--count", "1", "--json", "none/x"], WRONG_PLAN, "cannot be written")]:
            with self.subTest(arguments=arguments):
                done = self.fpgauge("watch", *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual((done.stderr.count("\n"), done.stdout), (1, ""))


@unittest.skipUnless(os.access(FAKE_BRIDGE, os.X_OK) and os.access(MAKE_XCLBIN, os.X_OK), "built without XRT")
class Sensors(SystemCase):
    """A card whose bridge tells three sensors (tests/c/fake_bridge.c): XRT emulates cards, but none of their sensors."""

    def test_temperatures_and_power_of_a_card_are_in_every_line(self):
        for program in (FPGAUGE, FAKE_BRIDGE):  # the bridge is looked for beside the program
            shutil.copy(program, self.scratch)
        subprocess.run([MAKE_XCLBIN, self.path("core.xclbin")], check=True)
        os.makedirs(self.path("devices/0000:3b:00.1"))
        self.write("devices/0000:3b:00.1/config", "")
        done = subprocess.run([self.path("fpgauge"), "watch", "xrt:0000:3b:00.1", "--set", f"device.xclbin={self.path('core.xclbin')}",
                               "--set", f"device.sysfs={self.scratch}", "--count", "1"], capture_output=True, text=True, check=False,
                              env={**os.environ, "FAKE_BRIDGE": "as it should"})
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        look, = lines(done.stdout)
        self.assertEqual(look["sensors"], [{"name": "FPGA", "unit": "C", "value": 41},
                                           {"name": "PCB \ufffd Top", "unit": "C", "value": 36.5},
                                           {"name": "power", "unit": "W", "value": 23.25}])


class ForeignSnapshots(SystemCase):
    """A device of which something that no lock keeps away takes snapshots, too: a library that takes one now and
    then."""

    def test_a_watch_reads_again_when_another_snapshot_came_between(self):
        done = self.fpgauge("watch", f"sim:{FAULTY}", "--count", "20", "--set", "device.fault=rare foreign snapshots")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertEqual(len(lines(done.stdout)), 20)

    def test_a_watch_that_never_gets_one_to_itself_says_so(self):
        done = self.fpgauge("watch", f"sim:{FAULTY}", "--count", "20", "--set", "device.fault=foreign snapshots")
        self.assertEqual(done.returncode, WRONG_DEVICE)
        self.assertIn("another program takes snapshots faster than one can be read", done.stderr)


if __name__ == "__main__":
    unittest.main()
