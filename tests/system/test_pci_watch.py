#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpgauge watch at a board that is taken out and put back: it says so, goes on when the board is back, and ends with code 3 only
if the board is gone at the end. What a run does then: test_pci_faults.py."""

import contextlib
import json
import os
import shutil
import signal
import subprocess

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, WRONG_DEVICE, main, wait_until
from test_pci import PciCase

BOARD = "0000:3b:00.0"


class Watched(PciCase):
    def setUp(self):
        super().setUp()
        self.trap(self.tree.add())

    def command(self, *more):
        return [FPGAUGE, "watch", f"pci:{BOARD}", "--set", f"device.sysfs={self.tree.sysfs}", "--interval", "5ms", *more]

    @contextlib.contextmanager
    def watch(self):
        """Until Ctrl-C, its lines in the file `looks`."""
        with subprocess.Popen(self.command("--json", "looks"), cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as watch:
            try:
                yield watch
            finally:
                watch.kill()

    def looks(self):
        try:
            with open(self.path("looks"), encoding="utf-8") as file:
                return [json.loads(line) for line in file.read().split("\n")[:-1]]
        except FileNotFoundError:
            return []

    def wait_for_looks(self, watch, why, that, more=2):
        """Until so many more lines are like that."""
        before = len(self.looks())
        wait_until(lambda: sum(that(look) for look in self.looks()[before:]) >= more, why, watch)

    def ended(self, watch):
        watch.send_signal(signal.SIGINT)
        _, said = watch.communicate(timeout=IN_VAIN_S)
        return watch.returncode, said.splitlines()

    def test_a_watch_goes_on_with_a_board_that_is_taken_out_twice(self):
        card = self.card()
        with self.watch() as watch:
            self.wait_for_looks(watch, "a look", lambda look: "ports" in look)
            for _ in range(2):
                card.close()  # reads all ones, as a slot without a board
                self.wait_for_looks(watch, "it is gone", lambda look: "gone" in look, more=3)
                card = self.card()
                self.wait_for_looks(watch, "it is back", lambda look: "ports" in look)
            code, said = self.ended(watch)
        self.assertEqual(code, DONE, said)
        self.assertEqual(len(said), 4, said)
        for line in said[::2]:
            self.assertIn(f"pci {BOARD}: the device is gone: every register reads 0xffffffff", line)
            self.assertIn("watch goes on when it is back", line)
        for line in said[1::2]:
            self.assertRegex(line, rf"^fpgauge watch: pci {BOARD} is back; it was gone since \d{{4}}-")
        looks = self.looks()
        first = [look for before, look in zip(looks, looks[1:]) if "gone" in before and "ports" in look]
        self.assertEqual(len(first), 2)
        for look in first:  # the looks before it are of another life of the card
            self.assertEqual((look["interval_s"], [port["tx_fps"] for port in look["ports"]]), (None, [None, None]))
        times = [look["time"] for look in looks]
        self.assertEqual(times, sorted(times))
        self.assertGreater(sum(look.get("interval_s") is not None for look in looks), 2)

    def test_a_board_that_the_kernel_has_removed_and_found_again(self):
        """As after a hot removal and a rescan of the bus: its folder in sysfs is gone, then a new one."""
        card = self.card()
        away = self.path("away")
        with self.watch() as watch:
            self.wait_for_looks(watch, "a look", lambda look: "ports" in look)
            shutil.move(self.tree.path(BOARD, ""), away)
            card.close()
            self.wait_for_looks(watch, "no such board", lambda look: BOARD in look.get("gone", "") and
                                "the device is gone" not in look["gone"])
            self.card()
            shutil.move(away, self.tree.path(BOARD, ""))
            self.wait_for_looks(watch, "it is back", lambda look: "ports" in look)
            code, said = self.ended(watch)
        self.assertEqual((code, len(said)), (DONE, 2), said)

    def test_a_watch_that_ends_while_the_board_is_gone_fails(self):
        card = self.card()
        with self.watch() as watch:
            self.wait_for_looks(watch, "a look", lambda look: "ports" in look)
            card.close()
            self.wait_for_looks(watch, "it is gone", lambda look: "gone" in look)
            code, said = self.ended(watch)
        self.assertEqual(code, WRONG_DEVICE, said)
        self.assertTrue(said[-1].startswith("fpgauge watch: "), said)

    def test_a_count_ends_it_too_and_looks_at_nothing_count(self):
        self.card(fault="gone,at=100")  # the fault comes after opening: 2 ports of some 80 counters are more than 100 accesses
        done = subprocess.run(self.command("--count", "6"), cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        looks = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stderr)
        self.assertEqual(["gone" in look for look in looks], [True] * 6)

    def test_a_board_that_is_not_there_at_first_is_an_error_as_ever(self):
        done = subprocess.run(self.command(), cwd=self.scratch, env=dict(os.environ), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (WRONG_DEVICE, ""), done.stderr)


if __name__ == "__main__":
    main()
