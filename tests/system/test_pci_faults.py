# SPDX-License-Identifier: Apache-2.0
"""What can go wrong on the way to a board or with it: each is a named error with exit code 3, and the run file keeps
what was measured until then."""

import os
import shutil
import sqlite3
import subprocess

import fpgauge_system
import sim_card
from card_faults import SMALL, WrongDeviceCases
from fpgauge_system import DONE, WRONG_DEVICE
from test_pci import PciCase

NOBODY = 65534


class MapRefused(PciCase):
    """Boards that cannot be used at all. There is no card behind them, so nothing may be asked of it."""

    def test_a_bar_that_is_too_small(self):
        self.tree.add(octets=0x10000)
        self.refused(self.plan(), "BAR 0", "65536 octets", "needs 131072")

    def test_a_bar_that_is_not_there(self):
        self.tree.add()
        self.refused(self.plan("bar = 2;"), "BAR 2", "no such BAR", "device.bar")

    def test_a_bar_of_ports(self):
        self.tree.add(flags=sim_card.IORESOURCE_IO)
        self.refused(self.plan(), "BAR 0", "I/O ports", "device.bar")

    def test_memory_space_that_stays_off(self):
        self.tree.add(command=0)
        self.refused(self.plan(), "memory space is off", "/enable", "as root: echo 1", "70-fpgauge.rules")

    def test_no_permission(self):
        os.chmod(self.tree.add(), 0)
        command = [fpgauge_system.FPGAUGE]
        if os.geteuid() == 0:  # no file mode stops root
            program = shutil.copy(fpgauge_system.FPGAUGE, self.path("fpgauge"))
            os.chmod(self.scratch, 0o777)
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", program]
        done = subprocess.run([*command, "run", self.write("plan.cfg", self.plan())], cwd=self.scratch,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stdout + done.stderr)
        for part in ("resource0: Permission denied", "run as root", "70-fpgauge.rules", "group"):
            self.assertIn(part, done.stderr)

    def test_a_kernel_that_is_locked_down(self):
        self.trap(self.tree.add())
        self.environment["FPGAUGE_TRAPBAR_LOCKDOWN"] = "1"
        self.refused(self.plan(), "Operation not permitted", "run as root")
        self.tree.lock_down("integrity")
        self.refused(self.plan(), "Operation not permitted", "kernel lockdown (integrity)", "Secure Boot")


class WrongDevice(WrongDeviceCases, PciCase):
    """A board that answers, but is not the expected one."""

    def refused_with(self, fault, *says):
        self.trap(self.tree.add())
        self.card(fault=fault)
        self.refused(self.plan(), "pci 0000:3b:00.0", *says)


class FailsInARun(PciCase):
    """Faults in the middle of trials. The card comes back, and the run continues where it was."""

    def setUp(self):
        super().setUp()
        self.trap(self.tree.add())
        self.write("plan.cfg", self.plan(tests=SMALL))

    def fail_at(self, fault, access, *says):
        """Runs until the fault, that many accesses after the third start; returns how many trials the run file has."""
        with self.card(fault=f"{fault},starts=3,at={access}") as card:
            done = self.fpgauge("run", "plan.cfg", "--db", "run.db")
            self.assertTrue(os.path.exists(card.fault_file), "the card has met no fault")
        self.assertEqual(done.returncode, WRONG_DEVICE, f"access {access}: {done.stdout}{done.stderr}")
        for part in ("pci 0000:3b:00.0", *says):
            self.assertIn(part, done.stderr, f"access {access}")
        with sqlite3.connect(self.path("run.db")) as store:
            self.assertEqual(store.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            trials = store.execute("SELECT count(*) FROM trial").fetchone()[0]
        store.close()
        return trials

    def undisturbed(self):
        with self.card():
            done = self.fpgauge("run", "plan.cfg", "--db", "whole.db", "--json", "whole.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        return self.result("whole.json")["results"]

    def goes_on(self):
        with self.card():
            done = self.fpgauge("resume", "run.db", "--json", "resumed.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        return self.result("resumed.json")["results"]

    def test_a_card_that_is_gone_at_any_access_of_a_trial(self):
        whole = self.undisturbed()
        for access in (0, 1, 5, 30, 60, 90, 120, 180, 240, 300):
            # The last accesses are in the settle time or in the next trial, depending on how often the clock was read.
            self.assertIn(self.fail_at("gone", access, "gone"), (2,) if access < 100 else (2, 3), f"access {access}")
            self.assertEqual(self.goes_on(), whole, f"access {access}")
            os.remove(self.path("run.db"))

    def test_a_card_that_is_never_done_sending(self):
        self.assertEqual(self.fail_at("stuck-busy", 3, "status.sending is still set"), 2)
        self.goes_on()

    def test_a_clock_that_stands_still(self):
        self.assertEqual(self.fail_at("stopped-clock", 3, "clock", "still"), 2)
        self.goes_on()

    def test_a_device_process_that_is_killed(self):
        self.assertEqual(self.fail_at("die", 3, "gone"), 2)
        self.goes_on()

    def test_a_card_that_does_not_answer(self):
        self.environment["FPGAUGE_TRAPBAR_TIMEOUT_S"] = "5"
        self.assertEqual(self.fail_at("hang", 3, "gone"), 2)
        self.goes_on()


if __name__ == "__main__":
    fpgauge_system.main()
