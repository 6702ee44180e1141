# SPDX-License-Identifier: Apache-2.0
"""The backend pci in a QEMU guest: a real kernel's PCI, sysfs and mapping between the program and the simulated card.

Skipped, with a message, if a package is missing; in CI (CI=true) that is a failure.
"""

import json
import os
import re
import unittest

import fpgauge_system
import qemu_guest
from fpgauge_system import DONE, ROOT, WRONG_DEVICE, SystemCase

BOARD = "0000:00:02.0"  # the first free slot of the machine
BOARD_Q35 = "0000:00:01.0"
VFIO = ("irqbypass.ko", "vfio.ko", "vfio_virqfd.ko", "vfio_iommu_type1.ko", "vfio-pci-core.ko", "vfio-pci.ko")
FOLDER = f"/sys/bus/pci/devices/{BOARD}"
TEST = ('test = "throughput"; frame_sizes = [64, 512]; trial_duration = "60us"; search_trial_duration = "30us"; '
        'resolution = "1%"')
DUT = {"model": "fifo", "buffer_frames": 200, "service_fps": "40M", "latency_ns": 800}
SWITCH_OFF = rf"printf '\000\000' | dd of={FOLDER}/config bs=1 seek=4 conv=notrunc"  # memory space, by the command register
COMMAND_REGISTER = f"echo $(hexdump -s 4 -n 2 -e '1/2 \"%04x\"' {FOLDER}/config)"


def udev_command():
    """What drivers/70-fpgauge.rules runs for a board."""
    with open(os.path.join(ROOT, "drivers", "70-fpgauge.rules"), encoding="utf-8") as file:
        command = re.search(r"^RUN\+=\"/bin/sh -c '(.*)'\"$", file.read(), re.M).group(1)
    return command.replace("/sys%p", FOLDER)


def as_nobody(command):
    """A user who is in the group fpgauge, and has no other rights."""
    return f"su -s /bin/sh -c '{command}' nobody"


class Guest(SystemCase):
    def setUp(self):
        super().setUp()
        why = qemu_guest.missing()
        if why and os.environ.get("CI") == "true":
            self.fail(why)
        if why:
            self.skipTest(why)

    def guest(self, commands, **settings):
        files = {"plan.cfg": f'device = {{ backend = "pci"; }};\nrun = ( {{ {TEST} }} );\n', **settings.pop("files", {})}
        return qemu_guest.run(self.scratch, commands, files=files, dut=DUT, **settings)

    def ends(self, result, code, *says):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for part in says:
            self.assertIn(part, result.stdout + result.stderr)

    def test_the_program_finds_the_board_and_measures_what_the_simulation_measures(self):
        devices, ran, report = self.guest(
            ["fpgauge devices", "fpgauge run plan.cfg --json result.json", "cat result.json"], library="rtl")
        self.ends(devices, DONE, f"pci:{BOARD}", "10ee:903f", "100 Gb/s")
        self.ends(ran, DONE)
        in_guest = json.loads(report.stdout)
        dut = 'model = "fifo"; buffer_frames = 200; service_fps = "40M"; latency_ns = 800;'
        simulated, _ = self.run_plan(fpgauge_system.plan_text([TEST], dut=dut))
        for result in simulated["results"]:
            result["truth"] = None  # a board knows nothing of the device under test
        self.assertEqual(in_guest["device"]["name"], f"pci {BOARD}")
        self.assertEqual(in_guest["results"], simulated["results"])

    def test_the_board_passes_its_selftest(self):
        # The clock check compares the card's clock with the guest's, so this card runs at the pace of its link.
        result, = self.guest(["fpgauge selftest pci"], library="rtl", clock_ratio=1)
        self.ends(result, DONE, f"pci {BOARD}, 2 ports", "\npassed")
        self.assertRegex(result.stdout, r"clock +pass")
        self.assertNotIn("FAIL", result.stdout.upper())

    def test_no_root_is_needed_once_the_udev_rule_has_run(self):
        before, rule, after = self.guest(
            [as_nobody("fpgauge run plan.cfg --db /tmp/before.db"), udev_command(),
             as_nobody("fpgauge run plan.cfg --db /tmp/after.db")],
            library="twin")
        self.ends(before, WRONG_DEVICE, "resource0: Permission denied", "70-fpgauge.rules")
        self.ends(rule, DONE)
        self.ends(after, DONE, "All 2 results are valid")

    def test_a_board_that_is_off_is_switched_on(self):
        off, command, ran, on = self.guest(
            [SWITCH_OFF,
             COMMAND_REGISTER, "fpgauge run plan.cfg", COMMAND_REGISTER],
            library="twin")
        self.ends(off, DONE)
        self.assertEqual(int(command.stdout, 16) & 2, 0, command.stdout)
        self.ends(ran, DONE)
        self.assertEqual(int(on.stdout, 16) & 2, 2, on.stdout)


    def test_a_board_that_no_longer_answers_in_a_trial_is_a_named_error(self):
        long = TEST.replace('"60us"', '"60s"').replace('"30us"', '"60s"')
        ran, = self.guest(
            # Its first line says that the device is open; a second later it is in its first trial, which takes a minute.
            ["fpgauge run long.cfg > said & RUN=$!; until test -s said; do sleep 1; done; sleep 1; "
             f"{SWITCH_OFF} 2>/dev/null; wait $RUN"],
            files={"long.cfg": f'device = {{ backend = "pci"; }};\nrun = ( {{ {long} }} );\n'}, library="twin",
            clock_ratio=1)
        # If nobody answers, QEMU returns zeros, not the all ones of a bus.
        self.ends(ran, WRONG_DEVICE, f"pci {BOARD}: its clock went back")

    def test_who_has_a_board_is_named_by_the_kernel_s_own_lock_whether_by_sysfs_or_by_vfio(self):
        with open(os.path.join(ROOT, "drivers", "vfio-bind"), encoding="utf-8") as file:
            files = {"vfio-bind": file.read(),
                     "long.cfg": 'device = { backend = "pci"; };\nrun = ( { test = "throughput"; trial_duration = "60s"; } );\n'}
        loads = [f"insmod /modules/{name}" for name in VFIO]
        # The first program runs in the background; what follows begins when it has the board.
        first = "fpgauge run long.cfg --db /tmp/{0}.db >/tmp/{0} 2>&1 & until grep -q Run /tmp/{0}; do sleep 1; done; echo $!"
        second = "fpgauge run plan.cfg --db /tmp/second.db"
        results = self.guest(
            [*loads, first.format("sysfs"), second, "fpgauge watch pci --count 2 --interval 1us", "fpgauge devices",
             "killall -9 fpgauge",
             "sh vfio-bind " + BOARD_Q35, first.format("vfio"), second, "fpgauge watch pci --count 1",
             "killall -9 fpgauge", second],
            files=files, library="twin", modules=VFIO, iommu=True, clock_ratio=1)
        by_sysfs, refused, watched, listed, _, bound, by_vfio, refused_by_vfio, not_watched, _, after = results[len(loads):]
        says = "pci {}: is in use by process {} (fpgauge run long.cfg"
        self.ends(refused, WRONG_DEVICE, says.format(BOARD_Q35, by_sysfs.stdout.strip()))
        self.ends(watched, DONE)
        self.assertEqual(len(watched.stdout.splitlines()), 2)
        self.ends(listed, DONE, "100 Gb/s")
        self.ends(bound, DONE)
        self.ends(refused_by_vfio, WRONG_DEVICE, says.format(BOARD_Q35, by_vfio.stdout.strip()))
        self.ends(not_watched, WRONG_DEVICE, says.format(BOARD_Q35, by_vfio.stdout.strip()))
        self.ends(after, DONE, "All 2 results are valid")

    def test_vfio_reaches_the_board_for_a_user_and_lets_it_go(self):
        with open(os.path.join(ROOT, "drivers", "vfio-bind"), encoding="utf-8") as file:
            script = file.read()
        loads = [f"insmod /modules/{name}" for name in VFIO]
        results = self.guest(
            [*loads, f"sh vfio-bind --user nobody {BOARD_Q35}", as_nobody("fpgauge run plan.cfg --db /tmp/vfio.db"),
             f"sh vfio-bind --release {BOARD_Q35}", as_nobody("fpgauge run plan.cfg --db /tmp/sysfs.db"),
             "sh vfio-bind 0000:77:00.0"],
            files={"vfio-bind": script}, library="twin", modules=VFIO, iommu=True)
        for loaded in results[:len(loads)]:
            self.ends(loaded, DONE)
        bound, ran, released, refused, nowhere = results[len(loads):]
        self.ends(bound, DONE, "driver: vfio-pci, group: /dev/vfio/")
        self.ends(ran, DONE, "All 2 results are valid")
        self.ends(released, DONE, f"{BOARD_Q35}: driver: \n")
        self.ends(refused, WRONG_DEVICE, "resource0: Permission denied")  # no longer by VFIO
        self.ends(nowhere, 1, "no such device")


def main():
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
