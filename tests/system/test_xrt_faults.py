#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong on the way to a card through XRT or with it: each is a named error with exit code 3, and the run
file keeps what was measured until then."""

import os
import signal
import sqlite3
import subprocess
import unittest

import fpgauge_system
from card_faults import SMALL, WrongDeviceCases
from fpgauge_system import DONE, IN_VAIN_S, LONG, WRONG_DEVICE, WRONG_PLAN, events_of, map_of_program, wait_until
from test_xrt import XrtCase
from xrt_emulation import MAKE_XCLBIN

# A trial that only a fault ends: a day, which is 86 s at the pace of this card.
ENDLESS = ['test = "throughput"; frame_sizes = [64]; trial_duration = "86400s"']


class WrongBitstream(XrtCase):
    """Files that cannot be the intended ones. XRT is not asked, and no card is touched."""

    def setUp(self):
        super().setUp()
        self.emulated = self.card()

    def refused_untouched(self, device, *says):
        self.refused(self.plan(device), "plan.cfg:1: ", *says)
        self.assertFalse(self.emulated.was_started())

    def refused_file(self, octets, *says):
        self.refused_untouched(f'xclbin = "{self.write("wrong.xclbin", octets)}";', "wrong.xclbin: ", *says)

    def octets(self):
        with open(self.emulated.xclbin, "rb") as file:
            return file.read()

    def test_no_file(self):
        self.refused_untouched('xclbin = "nowhere.xclbin";', "nowhere.xclbin: No such file")

    def test_a_folder(self):
        self.refused_untouched('xclbin = ".";', "is not a file")

    def test_a_file_that_is_cut_off_anywhere(self):
        whole = self.octets()
        for size in (0, 1, 100, 495):
            self.refused_file(whole[:size], f"is not an xclbin, or cut off: it has {size} octets")
        for size in (496, len(whole) // 2, len(whole) - 1):
            self.refused_file(whole[:size], f"is cut off: it has {size} octets, its header says {len(whole)}")

    def test_a_file_that_is_too_long(self):
        self.refused_file(self.octets() + b"\0", "is damaged")

    def test_a_file_of_something_else(self):
        self.refused_file(b"\x7fELF" + self.octets()[4:], "is not an xclbin")

    def test_an_xclbin_without_a_list_of_ips(self):
        whole = bytearray(self.octets())
        for at in range(456, 456 + 4 * 40, 40):  # the section headers
            whole[at:at + 4] = b"\x77\0\0\0"
        self.refused_file(bytes(whole), "has no list of its IPs")

    def test_an_xclbin_whose_list_of_ips_is_beyond_its_end(self):
        whole = bytearray(self.octets())
        for at in range(456, 456 + 4 * 40, 40):
            whole[at + 24:at + 32] = b"\xff" * 8
        self.refused_file(bytes(whole), "has no list of its IPs")

    def test_the_xclbin_of_another_kernel(self):
        subprocess.run([MAKE_XCLBIN, self.path("vadd.xclbin"), "vadd"], check=True)
        self.refused_untouched('xclbin = "vadd.xclbin";', "it has no IP fpgauge:fpgauge_0, but vadd:vadd_0")


class WrongManifest(XrtCase):
    def setUp(self):
        super().setUp()
        self.emulated = self.card()

    def refused_manifest(self, *says, **changes):
        self.manifest(**changes)
        self.refused(self.plan('manifest = "manifest.cfg";'), "plan.cfg:1: manifest.cfg: ", *says)
        self.assertFalse(self.emulated.was_started())

    def test_a_bitstream_that_nobody_has_built(self):
        self.refused_manifest("built = false", "no u55c.xclbin", "has to be built first", built=False, file="u55c.xclbin")

    def test_a_register_map_of_another_version(self):
        version, map_hash = map_of_program()
        self.refused_manifest(f"version {version + 1}, hash 0x{map_hash:08x}", f"needs version {version}",
                              map_version=version + 1)
        self.refused_manifest("hash 0x00000001", f"hash 0x{map_hash:08x}", map_hash="0x1")

    def test_a_file_that_is_not_the_one(self):
        self.manifest(sha256="0" * 64)
        self.refused(self.plan('manifest = "manifest.cfg";'), "its sha256 is ", "the manifest says " + "0" * 64)

    def test_what_is_missing_or_no_number(self):
        self.refused_manifest("file must be given", file="")
        self.refused_manifest("ip must be given", ip=1)
        self.refused_manifest("map_hash must be given", map_hash=5)
        self.refused_manifest('map_hash = "five"', map_hash="five")
        self.refused_manifest("map_version must be given", map_version="1")
        self.refused_manifest('sha256 = "abc"', "64 hexadecimal digits", sha256="abc")
        self.refused_manifest('uuid = "abc"', "must be text such as", uuid="abc")
        self.refused_manifest("version: must be text of up to 40 letters", version="1 2")
        self.refused_manifest("git: must be text", git=5)

    def test_a_manifest_that_cannot_be_read(self):
        self.refused(self.plan('manifest = "nowhere.cfg";'), "nowhere.cfg: No such file")
        self.write("manifest.cfg", "card = \n")
        self.refused(self.plan('manifest = "manifest.cfg";'), "manifest.cfg:", "syntax error")

    def test_both_or_neither_is_wrong_in_the_plan(self):
        self.refused(self.plan('xclbin = "x"; manifest = "y";'), "cannot be combined with xclbin", expect=WRONG_PLAN)
        self.refused(self.plan("card = 0;"), "xclbin or manifest must be given", expect=WRONG_PLAN)


class WrongDevice(WrongDeviceCases, XrtCase):
    def refused_with(self, fault, *says):
        self.card(fault=fault)
        self.refused(self.plan(), "plan.cfg:1: xrt ", *says)

    def test_a_card_that_dies_at_the_first_access(self):
        self.refused_with("die", "cannot read register 0x0: XRT's process ")

    def test_an_address_that_no_card_has(self):  # XRT's emulation has a card of any number
        card = self.card()
        self.refused(self.plan(f'xclbin = "{card.xclbin}"; card = "nowhere";'), "plan.cfg:1: xrt: cannot open the card: ")

    def test_no_card(self):
        card = self.card()
        del self.environment["XCL_EMULATION_MODE"]
        self.refused(self.plan(f'xclbin = "{card.xclbin}";'), "XRT finds no card")
        self.assertFalse(card.was_started())

    def test_no_xrt(self):
        card = self.card()
        if os.path.exists("/opt/xilinx/xrt"):
            self.skipTest("XRT is at its usual place")
        del self.environment["XILINX_XRT"]
        self.refused(self.plan(f'xclbin = "{card.xclbin}";'), "XILINX_XRT is not set", "setup.sh")

    def test_a_card_that_does_not_start(self):
        card = self.card(library="nowhere")
        self.refused(self.plan(), "plan.cfg:1: xrt 0000:00:00.0: cannot open the card: XRT's process ")
        self.assertIn("libfpgauge-sim-nowhere", card.log())


class FailsInARun(XrtCase):
    """Faults in the middle of trials. The card comes back, and the run continues where it was."""

    def setUp(self):
        super().setUp()
        self.card()
        self.write("plan.cfg", self.plan(tests=SMALL))

    def checked_trials(self, path):
        store = sqlite3.connect(path)
        self.assertEqual(store.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        trials = store.execute("SELECT count(*) FROM trial").fetchone()[0]
        store.close()
        return trials

    def fail_at(self, fault, access, *says):
        """Runs until the fault, that many accesses after the third start; returns how many trials the run file has."""
        card = self.card(fault=f"{fault},starts=3,at={access}")
        done = self.fpgauge("run", "plan.cfg", "--db", "run.db")
        self.assertTrue(card.met_its_fault(), card.log())
        self.assertEqual(done.returncode, WRONG_DEVICE, f"access {access}: {done.stdout}{done.stderr}")
        for part in ("xrt ", *says):
            self.assertIn(part, done.stderr, f"access {access}")
        return self.checked_trials(self.path("run.db"))

    def undisturbed(self):
        self.card()
        done = self.fpgauge("run", "plan.cfg", "--db", "whole.db", "--json", "whole.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        return self.result("whole.json")["results"]

    def goes_on(self):
        self.card()
        done = self.fpgauge("resume", "run.db", "--json", "resumed.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        os.remove(self.path("run.db"))
        return self.result("resumed.json")["results"]

    def test_a_card_that_is_gone_or_dies_at_any_access_of_a_trial(self):
        whole = self.undisturbed()
        for fault, says in (("gone", "gone"), ("die", "XRT's process was killed by signal")):
            for access in (0, 1, 5, 30, 60, 90, 180, 300):
                # The last accesses are in the settle time or in the next trial, depending on how often the clock was
                # read.
                trials = self.fail_at(fault, access, says)
                self.assertIn(trials, (2,) if access < 100 else (2, 3), f"{fault} at access {access}")
                self.assertEqual(self.goes_on(), whole, f"{fault} at access {access}")

    def test_a_run_goes_on_only_with_the_same_bitstream(self):
        value = self.card().uuid()
        self.write("plan.cfg", self.plan('manifest = "manifest.cfg";', SMALL))
        self.manifest(uuid=value, git="0a1b2c")
        self.fail_at("gone", 3, "gone")
        self.card()
        self.manifest(uuid=value, git="another")
        done = self.fpgauge("resume", "run.db")
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stdout)
        self.assertIn("git another", done.stderr)
        self.manifest(uuid=value, git="0a1b2c")
        self.goes_on()

    def test_a_card_that_is_never_done_sending(self):
        self.assertEqual(self.fail_at("stuck-busy", 3, "status.sending is still set"), 2)
        self.goes_on()

    def test_a_clock_that_stands_still(self):
        self.assertEqual(self.fail_at("stopped-clock", 3, "clock", "still"), 2)
        self.goes_on()

    def test_a_card_that_does_not_answer(self):
        self.assertEqual(self.fail_at("hang", 3, "XRT gave no answer within "), 2)
        self.goes_on()

    def test_a_device_process_that_is_killed_from_outside(self):
        card = self.card()
        plan = self.write("long.cfg", self.plan(tests=ENDLESS))
        with subprocess.Popen([fpgauge_system.FPGAUGE, "run", plan, "--db", "long.db", "--quiet", "--events", "events"],
                              cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as run:
            try:
                wait_until(lambda: any(event["event"] == "live" for event in events_of(self.path("events"))), "a trial runs", run)
                os.kill(card.pid(), signal.SIGKILL)
                _, complaint = run.communicate(timeout=IN_VAIN_S)
            finally:
                run.kill()
        self.assertEqual(run.returncode, WRONG_DEVICE, complaint)
        self.assertIn("XRT's process was killed by signal", complaint)
        self.checked_trials(self.path("long.db"))

    def test_nothing_is_left_of_a_program_that_is_killed(self):
        card = self.card()
        plan = self.write("long.cfg", self.plan(tests=ENDLESS))
        with subprocess.Popen([fpgauge_system.FPGAUGE, "run", plan, "--db", "long.db"], cwd=self.scratch,
                              env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as run:
            run.stdout.readline()
            run.kill()
        # Either the kernel ends it, or the end of its socket does.
        wait_until(lambda: not os.path.exists(f"/proc/{card.pid()}"), "the card is gone")


class Steady(XrtCase):
    """XRT's emulation is known to fail at random if it is not handled with care (xrt_emulation.py). FPGAUGE_XRT_RUNS
    says how often."""

    RUNS = int(os.environ.get("FPGAUGE_XRT_RUNS", "10" if LONG else "4"))

    def test_no_run_fails(self):
        self.card()
        self.write("plan.cfg", self.plan(tests=SMALL))
        failures = []
        for number in range(self.RUNS):
            done = self.fpgauge("run", "plan.cfg", "--quiet", "--db", "run.db")
            os.remove(self.path("run.db"))
            if done.returncode != DONE:
                failures.append(f"run {number}: exit {done.returncode}: {done.stderr}")
        self.assertEqual(failures, [], f"{len(failures)} of {self.RUNS}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
