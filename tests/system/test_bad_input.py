#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bad plans, arguments and devices: each ends before any trial, with one line that names place, value and limit."""

import os
import re
import subprocess
import unittest

from fpgauge_system import ROOT, SystemCase, WRONG_DEVICE, WRONG_PLAN, main, map_of_program

PLAN = """\
device = { backend = "sim"; library = "rtl"; };
link = { speed = "100G"; };
dut = { model = "fifo"; buffer_frames = 64; service_fps = "100M"; latency_ns = 800; };
run = (
  { test = "throughput"; frame_sizes = [64, 128];
    trial_duration = "100us"; resolution = "1%"; },
  { test = "back_to_back"; frame_sizes = [64];
    repetitions = 2; max_burst = "1ms"; }
);
"""

# Name of the case: text of PLAN, its replacement, what the complaint must say. The expected line is that of the
# replacement.
WRONG_PLANS = {
    "unknown key, with a suggestion": ("trial_duration =", "trial_duraton =", ("trial_duraton", "trial_duration")),
    "unknown key of the device": ("library =", "libary =", ("libary",)),
    "unknown section": ("link = {", "lnk = {", ("lnk", "link")),
    "key of another test": ('resolution = "1%"', 'max_burst = "1ms"', ("max_burst", "throughput")),
    "wrong type, text for a list": ("[64, 128]", '"sixty-four"', ("frame_sizes", "sixty-four")),
    "wrong type, list for a number": ("repetitions = 2", "repetitions = [2]", ("repetitions",)),
    "wrong type, number for a text": ('trial_duration = "100us"', "trial_duration = 100", ("trial_duration", "100")),
    "frame size too small": ("[64, 128]", "[60]", ("frame_sizes", "60", "64", "9216")),
    "frame size too large": ("[64, 128]", "[9217]", ("frame_sizes", "9217", "64", "9216")),
    "no frame size": ("[64, 128]", "[]", ("frame_sizes",)),
    "frame size twice": ("[64, 128]", "[64, 64]", ("frame_sizes", "64")),
    "mixed sizes in back_to_back": ("frame_sizes = [64];", 'frame_sizes = "imix";', ("RFC 9004", "section 3")),
    "a mix in back_to_back": ('max_burst = "1ms"', 'traffic = { sizes = "imix"; }', ("RFC 9004", "section 3")),
    "VLAN that does not exist": ('resolution = "1%"', "traffic = { vlan = 4095; }", ("traffic.vlan", "4095", "4094")),
    "frame sizes beside a mix": ("frame_sizes = [64, 128];", 'traffic = { sizes = "imix"; }; frame_sizes = [64];',
                                 ("frame_sizes", "traffic.sizes")),
    "integer that would be cut": ("repetitions = 2", "repetitions = 100000000000", ("repetitions", "100000000000")),
    "integer that would read as 0": ("repetitions = 2", "repetitions = 4294967296", ("repetitions", "4294967296")),
    "hexadecimal integer that would be cut": ("repetitions = 2", "repetitions = 0x100000002",
                                              ("repetitions", "0x100000002")),
    "no repetition": ("repetitions = 2", "repetitions = 0", ("repetitions", "0", "1")),
    "negative": ("repetitions = 2", "repetitions = -1", ("repetitions", "-1")),
    "duration of no unit that exists": ('"100us"', '"5 parsecs"', ("trial_duration", "5 parsecs")),
    "duration of nothing": ('"100us"', '"0s"', ("trial_duration", "0s")),
    "resolution of nothing": ('"1%"', '"0%"', ("resolution", "0%")),
    "burst of nothing": ('max_burst = "1ms"', 'max_burst = "0 frames"', ("max_burst", "0 frames")),
    "unknown test": ('"throughput"', '"throughputs"', ("throughputs", "throughput")),
    "unknown search": ('resolution = "1%"', 'search = "linear"', ("search", "linear", "binary")),
    "unknown backend": ('backend = "sim"', 'backend = "sym"', ("backend", "sym", "sim")),
    "unknown link speed": ('"100G"', '"fast"', ("speed", "fast")),
    "speed that no simulation has": ('"100G"', '"900G"', ("speed", "900G", "800G")),
    "unknown model": ('model = "fifo"', 'model = "fito"', ("fito", "fifo")),
    "buffer of nothing": ("buffer_frames = 64", "buffer_frames = 0", ("buffer_frames", "0")),
    "service of nothing": ('"100M"', '"0"', ("service_fps", "0")),
    "service that is no number": ('"100M"', '"lots"', ("service_fps", "lots")),
    "key that the model has not": ("buffer_frames =", "stall_ns =", ("stall_ns",)),
    "ports for which there is no library": ('library = "rtl"', 'library = "rtl"; ports = 16', ("ports", "16", "(2 ports)")),
    "more ports than a device may have": ('library = "rtl"', 'library = "twin"; ports = 17', ("ports", "17", "2 to 16")),
    "a single port": ('library = "rtl"', 'library = "twin"; ports = 1', ("ports", "1", "2 to 16")),
    "syntax error": ("[64, 128];", "[64, 128", ()),
}

# A library that does as little as the ABI allows; register reads return one expression of `address`.
FAKE = """\
#include <stddef.h>
#include "drivers/sim_abi.h"
static struct fpgauge_sim *fake_open(const struct fpgauge_sim_option *o, size_t n, const char **bad, char *e, size_t s)
{ (void)o; (void)n; (void)bad; (void)e; (void)s; return (struct fpgauge_sim *)1; }
static void fake_close(struct fpgauge_sim *sim) { (void)sim; }
static int fake_read(struct fpgauge_sim *sim, uint32_t address, uint32_t *value)
{ (void)sim; *value = %(value)s; return 0; }
static int fake_write(struct fpgauge_sim *sim, uint32_t address, uint32_t value)
{ (void)sim; (void)address; (void)value; return 0; }
static int fake_wait(struct fpgauge_sim *sim, uint64_t octet_times) { (void)sim; (void)octet_times; return 0; }
static uint64_t fake_now(struct fpgauge_sim *sim) { (void)sim; return 0; }
static int fake_truth(struct fpgauge_sim *sim, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{ (void)sim; (void)frame_octets; (void)truth; return -1; }
static int fake_reset(struct fpgauge_sim *sim) { (void)sim; return -1; }
static const char *fake_error(struct fpgauge_sim *sim) { (void)sim; return "fake"; }
static const struct fpgauge_sim_api api = { %(abi)s, "fake", 2, fake_open, fake_close, fake_read, fake_write, fake_wait,
  fake_now, fake_truth, fake_error, fake_reset };
const struct fpgauge_sim_api *fpgauge_sim_entry(void) { return &api; }
"""
RIGHT_ABI = "FPGAUGE_SIM_ABI_VERSION"
# id and version of hw/regs/fpgauge.toml, but a different hash.
OTHER_MAP = f"address == 0 ? 0x46504741u : address == 4 ? {map_of_program()[0]}u : address == 8 ? 0xdeadbeefu : 2u"
GONE = "0xffffffffu"  # a bus returns this for a card that is not there


def defined(header, name):
    """What one of our headers defines a name as, without prefix and suffix of the number."""
    with open(os.path.join(ROOT, header), encoding="utf-8") as file:
        return re.search(rf"#define {name} (?:UINT32_C\()?(?:0x)?([0-9a-f]+)", file.read()).group(1)


class BadInput(SystemCase):
    def refused(self, *arguments, code=WRONG_PLAN, says=()):
        """Runs the binary, which must end at once with this code and one line that says all of `says`."""
        done = self.fpgauge(*arguments)
        self.assertEqual(done.returncode, code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, f"one line, not:\n{done.stderr}")
        for text in says:
            self.assertIn(text, lines[0])
        self.assertEqual(done.stdout, "")
        return lines[0]

    def test_traffic_that_the_device_cannot_send_is_refused(self):
        for traffic, says in (('pattern = "mesh"', ("needs 3 ports", "has 2", "write ports = 3")),
                              ('pattern = "unidirectional_mesh"', ("needs 4 ports", "has 2", "write ports = 4")),
                              ("addresses = 257", ("traffic.addresses = 257", "power of two"))):
            plan = self.write("bad.cfg", PLAN.replace("run = (", f"traffic = {{ {traffic}; }};\nrun = ("))
            for command in ("check", "run"):
                self.refused(command, plan, says=("bad.cfg:", *says))

    def test_a_good_plan_is_good(self):
        # Otherwise every refusal below could be about something that all these plans share.
        self.run_plan(PLAN)

    def test_a_wrong_plan_is_refused_with_file_line_value_and_limit(self):
        for name, (old, new, says) in WRONG_PLANS.items():
            with self.subTest(name):
                self.assertEqual(PLAN.count(old), 1, "the case does not know its line")
                text = PLAN.replace(old, new)
                line = text[:text.index(new)].count("\n") + 1
                # A missing bracket is noticed at the next word.
                place = "bad.cfg:" if name == "syntax error" else f"bad.cfg:{line}:"
                self.refused("run", self.write("bad.cfg", text), says=(place, *says))

    def test_an_unterminated_comment_is_refused(self):
        self.refused("run", self.write("bad.cfg", PLAN + "/* and so on\n"), says=("bad.cfg:10:", "comment"))

    def test_a_plan_without_tests_is_refused(self):
        self.refused("run", self.write("bad.cfg", PLAN[:PLAN.index("run")]), says=("bad.cfg", "run"))
        self.refused("run", self.write("empty.cfg", ""), says=("empty.cfg",))

    def test_a_missing_plan_is_refused(self):
        self.refused("run", self.path("nowhere.cfg"), says=("nowhere.cfg", "No such file"))

    def test_a_directory_is_no_plan(self):
        self.refused("run", self.scratch, says=(self.scratch,))

    def test_a_binary_file_is_no_plan(self):
        self.refused("run", self.write("noise.cfg", bytes(range(256))), says=("noise.cfg",))

    def test_a_missing_include_is_refused(self):
        self.refused("run", self.write("bad.cfg", '@include "nowhere.cfg"\n' + PLAN), says=("bad.cfg:1", "nowhere.cfg"))

    def test_a_setting_on_the_command_line_is_checked_like_the_plan(self):
        plan = self.write("plan.cfg", PLAN)
        self.refused("run", plan, "--set", "dut.buffer_frames=0", says=("--set dut.buffer_frames=0",))
        self.refused("run", plan, "--set", "dut.bufer_frames=1", says=("--set dut.bufer_frames=1", "buffer_frames"))
        self.refused("run", plan, "--set", "dut.model=stall, fifo, stall", says=("dut.model", "names stall twice"))
        self.refused("run", plan, "--set", "dut.model=fifo, faults", "--set", "dut.drop_probability=101%",
                     says=("--set dut.drop_probability=101%", "above 0%, up to 100%"))
        self.refused("run", plan, "--set", "dut.forwarding=cut_through", "--set", "dut.latency_ns=700",
                     says=("dut.forwarding", "9216 octets"))
        self.refused("run", plan, "--set", "nonsense", says=("nonsense",))

    def test_wrong_arguments_are_refused(self):
        plan = self.write("plan.cfg", PLAN)
        for arguments in (("walk", plan), ("run",), ("run", plan, "--jsn", "x"), ("run", plan, "--json"), ("run", plan, plan)):
            with self.subTest(arguments[0] + " " + " ".join(map(os.path.basename, arguments[1:]))):
                done = self.fpgauge(*arguments)
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertNotEqual(done.stderr, "")

    def with_library(self, library):
        return self.write("plan.cfg", PLAN.replace('library = "rtl"', f'library = "{library}"'))

    def test_a_missing_library_is_refused(self):
        self.refused("run", self.with_library(self.path("nowhere.so")), code=WRONG_DEVICE, says=("nowhere.so",))

    def test_garbage_is_no_library(self):
        garbage = self.write("garbage.so", b"\x7fELF" + bytes(range(256)) * 20)
        self.refused("run", self.with_library(garbage), code=WRONG_DEVICE, says=("garbage.so",))

    def build_library(self, name, source):
        path = self.path(name)
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", f"-I{ROOT}", "-x", "c", "-o", path, "-"],
                       input=source, text=True, check=True)
        return path

    def test_a_shared_library_without_our_entry_is_refused(self):
        other = self.build_library("other.so", "int answer(void) { return 42; }\n")
        self.refused("run", self.with_library(other), code=WRONG_DEVICE, says=("other.so", "fpgauge_sim_entry"))

    def test_a_library_of_another_abi_is_refused_with_both_versions(self):
        fake = self.build_library("abi.so", FAKE % {"abi": "99", "value": OTHER_MAP})
        ours = defined("drivers/sim_abi.h", "FPGAUGE_SIM_ABI_VERSION")
        self.refused("run", self.with_library(fake), code=WRONG_DEVICE,
                     says=("abi.so", "version 99 ", f"this program has {ours}"))

    def test_a_device_of_another_register_map_is_refused_with_both_hashes(self):
        fake = self.build_library("map.so", FAKE % {"abi": RIGHT_ABI, "value": OTHER_MAP})
        ours = defined("hw/regs/fpgauge_regs.h", "FPGAUGE_MAP_HASH")
        self.refused("run", self.with_library(fake), code=WRONG_DEVICE, says=("0xdeadbeef", f"0x{ours}"))

    def test_a_device_that_is_gone_is_refused(self):
        fake = self.build_library("gone.so", FAKE % {"abi": RIGHT_ABI, "value": GONE})
        self.refused("run", self.with_library(fake), code=WRONG_DEVICE, says=("ffffffff",))

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_an_unreadable_library_is_refused(self):
        locked = self.write("locked.so", b"x")
        os.chmod(locked, 0)
        self.refused("run", self.with_library(locked), code=WRONG_DEVICE, says=("locked.so", "Permission denied"))


if __name__ == "__main__":
    main()
