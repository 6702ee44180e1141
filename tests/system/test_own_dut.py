#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilog of a user between the ports: the example switch measures as own_dut.py computes; deliberate faults are named by the
right counter; what is wrong with a module or a file is said in one line."""

import contextlib
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import unittest
import unittest.mock
from fractions import Fraction

import own_dut
from fpgauge_system import DONE, FPGAUGE, INVALID, LONG, SEED, WRONG_DEVICE, WRONG_PLAN, SystemCase, main

CLOCK = 322265625
LIBRARIES = os.environ.get("FPGAUGE_LIBRARY_PATH", os.path.join(os.path.dirname(FPGAUGE), "sim"))
HAS_THREE, HAS_FOUR = (os.path.exists(os.path.join(LIBRARIES.split(":")[0], f"libfpgauge-sim-rtl{ports}.so")) for ports in (3, 4))
SHORT = 'settle = "10us"; drain = "10us";'


@unittest.skipUnless(shutil.which("verilator") and shutil.which("g++"), "no Verilator here")
class OwnDut(SystemCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="fpgauge-dut-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.built = folder.name, {}
        if "OBJCACHE" not in os.environ:
            cls.keep_objects(os.path.join(cls.folder, "objects"))

    @classmethod
    def keep_objects(cls, folder):
        """Verilator's runtime is compiled once for all modules."""
        os.mkdir(folder)
        cls.enterClassContext(unittest.mock.patch.dict(os.environ, {
            "OBJCACHE": os.path.join(own_dut.HERE, "compile_once"), "FPGAUGE_KEPT_OBJECTS": folder}))

    def build(self, name, *arguments):
        """A library, which is made once."""
        path = os.path.join(self.folder, name + ".so")
        if name not in self.built:
            done = subprocess.run([FPGAUGE, "sim-build", "-o", path, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
            self.built[name] = done.stdout
        return path

    def switch(self, ports, width, **parameters):
        parameters = {"PORTS": ports, "WIDTH": width, **parameters}
        name = "_".join(["switch", *(f"{key}{value}" for key, value in parameters.items())])
        return self.build(name, "--top", "switch", "--ports", str(ports), *own_dut.SWITCH,
                          *(f"-G{key}={value}" for key, value in parameters.items()))

    def faulty(self, fault, every):
        return self.build(f"faulty_{fault}_{every}", "--top", "faulty", "--ports", "2", "--map",
                          os.path.join(own_dut.HERE, "faulty.cfg"), f'-GFAULT="{fault}"', f"-GEVERY={every}",
                          os.path.join(own_dut.HERE, "faulty.v"))

    def run_on(self, library, tests, *settings, device="", dut="", expect=DONE):
        body = ",\n".join(f"{{ {test} {SHORT} }}" for test in tests)
        text = (f'device = {{ backend = "sim"; library = "{library}"; {device} }};\n' + (f"dut = {{ {dut} }};\n" if dut else "") +
                f"run = (\n{body}\n);\n")
        for old in ("run.db", "result.json"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.path(old))
        return self.run_plan(text, "--db", self.path("run.db"), *settings, expect=expect)

    def ports(self, columns, trial=1):
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            return database.execute(f"SELECT {columns} FROM trial_port WHERE trial = ? ORDER BY port", (trial,)).fetchall()

    # -- the example switch

    def check_latency(self, width, hertz, octets, ports=2):
        period = (octets + 20) * 4 // 8 * 8
        self.run_on(self.switch(ports, width), [f'test = "latency"; frame_sizes = [{octets}]; trial_duration = "100us"; repetitions = 1; '
                                            f'tag_after = "50us"; load = "{Fraction(10**11, 8 * period).__round__()}";'],
                    dut=f'clock = "{hertz}";')
        possible = own_dut.latencies_of_phases(own_dut.Clock(hertz), octets, width, period)
        for least, greatest in self.ports("latency_min_ot, latency_max_ot"):
            self.assertIn((least, greatest), possible, f"{octets} octets, {width} bits, {hertz} Hz")

    def test_latency_is_that_of_its_clocks(self):
        cases = [(512, CLOCK, 64), (512, 195312500, 257), (64, 1562500000, 64), (64, 2000000000, 131)]
        if LONG:
            cases += [(512, CLOCK, 1518), (8, 12500000000, 64), (128, 1000000000, 9000)]
        for width, hertz, octets in cases:
            with self.subTest(width=width, hertz=hertz, octets=octets):
                self.check_latency(width, hertz, octets)

    def test_throughput_and_buffer_are_those_of_its_parameters(self):
        for ports, queue, clocks in [(2, 7, 3)] + [(4, 5, 4)] * HAS_FOUR + [(2, 32, 4)] * LONG:
            with self.subTest(ports=ports, queue=queue, clocks=clocks):
                library = self.switch(ports, 512, QUEUE_FRAMES=queue, FORWARD_CLOCKS=clocks)
                report, _ = self.run_on(library, ['test = "throughput"; frame_sizes = [64]; trial_duration = "200us"; '
                                                  'resolution = "0.2%";',
                                                  'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; max_burst = "20us";'])
                fps = self.only(report, test="throughput")["throughput_fps"]
                self.assertGreaterEqual(fps, 0.997 * CLOCK / clocks)
                # More may hide in the queue during a trial.
                self.assertLessEqual(fps, 1.003 * CLOCK / clocks + queue / 200e-6)
                clock = own_dut.Clock(CLOCK)
                bursts = {own_dut.longest_burst(clock, phase, queue, clocks) for phase in range(0, 1280, 8)}
                found = self.only(report, test="back_to_back")["average_frames"]
                self.assertTrue(min(bursts) <= found <= max(bursts), f"{found} of {bursts}")
                self.assertLessEqual(max(bursts) - min(bursts), 2)

    def test_a_clock_slower_than_the_line_limits_it(self):
        # 60 octets are 8 beats, and the switch takes a clock more for a frame.
        report, _ = self.run_on(self.switch(2, 64), ['test = "throughput"; frame_sizes = [64]; trial_duration = "200us"; '
                                                     'resolution = "0.2%";'],
                                dut='clock = "1.2G"; mac_start = "last_beat"; mac_buffer_octets = 4096;')
        fps = self.only(report, test="throughput")["throughput_fps"]
        self.assertGreaterEqual(fps, 0.997 * 1.2e9 / 9)
        self.assertLessEqual(fps, 1.003 * 1.2e9 / 9 + (32 + 4096 / 64 + 2) / 200e-6)

    def test_a_mac_that_starts_with_the_first_beat_runs_dry_at_a_slow_clock(self):
        report, _ = self.run_on(self.switch(2, 64), ['test = "frame_loss_rate"; frame_sizes = [1518]; trial_duration = "20us"; step = "10%";'],
                                dut='clock = "1G"; mac_buffer_octets = 16384;', expect=INVALID)
        self.assertIn("arrived with a wrong FCS", self.only(report, test="frame_loss_rate")["why_invalid"])
        for received, bad in self.ports("received_frames, bad_frames", trial=10):
            self.assertEqual(received, 0)
            self.assertGreater(bad, 0)

    @unittest.skipUnless(HAS_FOUR, "no simulation library of 4 ports here (-DFPGAUGE_SIM_PORTS=4)")
    def test_latency_is_that_of_its_clocks_with_four_ports_too(self):
        for width, hertz, octets in ((512, CLOCK, 64), (64, 3000000000, 301)):
            with self.subTest(width=width, hertz=hertz, octets=octets):
                self.check_latency(width, hertz, octets, ports=4)

    @unittest.skipUnless(HAS_FOUR, "no simulation library of 4 ports here (-DFPGAUGE_SIM_PORTS=4)")
    def test_four_ports_learn_and_forward_to_the_right_one(self):
        for width, hertz in ((64, 1562500000), (64, 3000000000), (512, CLOCK)) if LONG else ((64, 1562500000),):
            with self.subTest(width=width, hertz=hertz):
                report, done = self.run_on(self.switch(4, width), [
                    'test = "throughput"; frame_sizes = [64, 300]; trial_duration = "20us"; resolution = "10%"; '
                    'traffic = { pattern = "mesh"; };'], dut=f'clock = "{hertz}";')
                for octets in (64, 300):
                    result = self.only(report, test="throughput", frame_octets=octets)
                    self.assertTrue(result["valid"], done.stdout)
                    # The oldest frame of an input holds up those behind it that are for another output.
                    self.assertGreater(result["throughput_fps"], 0.4 * 100e9 / 8 / (octets + 20))
                self.assertEqual(set(self.ports("wrong_port_frames, bad_frames, reordered_frames")), {(0, 0, 0)})

    @unittest.skipUnless(HAS_THREE, "no simulation library of 3 ports here (-DFPGAUGE_SIM_PORTS=3)")
    def test_the_last_port_of_an_odd_number_takes_part(self):
        octets, hertz, width = 301, 3000000000, 64
        report, done = self.run_on(self.switch(3, width), [
            f'test = "frame_loss_rate"; frame_sizes = [{octets}]; trial_duration = "20us"; step = "10%"; '
            'traffic = { pattern = "mesh"; };'], dut=f'clock = "{hertz}";')
        self.assertTrue(self.only(report, test="frame_loss_rate")["valid"], done.stdout)
        period = (octets + 20 + 7) // 8 * 8  # frames begin with a group of 8 octets at 100%, one or the other
        least = min(own_dut.switch_latency(own_dut.Clock(hertz), start, octets, width) for start in range(0, 120 * period, 8))
        for port in self.ports("received_frames, offered_frames, wrong_port_frames, bad_frames, reordered_frames, latency_min_ot"):
            self.assertEqual(port[0], port[1], "no output is asked for more than it can carry")
            self.assertEqual(port[2:5], (0, 0, 0))
            self.assertEqual(port[5], least)

    def test_ports_may_be_numbered_with_two_digits(self):
        library = self.build("two_digits", "--top", "two_digits", "--ports", "2", "--map", os.path.join(own_dut.HERE, "two_digits.cfg"),
                             os.path.join(own_dut.HERE, "two_digits.v"))
        self.run_on(library, ['test = "frame_loss_rate"; frame_sizes = [99]; trial_duration = "10us"; step = "10%";'],
                    dut='clock = "1.6G";')
        for offered, received in self.ports("offered_frames, received_frames"):
            self.assertEqual(received, offered)

    def test_idle_clocks_need_not_be_played(self):
        test = ['test = "frame_loss_rate"; frame_sizes = [99]; trial_duration = "10us"; step = "10%";']
        found = []
        for device in ("", "idle_skip = false;"):
            self.run_on(self.switch(2, 512), test, device=device)
            found.append([self.ports("received_frames, latency_min_ot, latency_max_ot, latency_mean_ot, rx_last_ot", trial)
                          for trial in (1, 2, 3)])
        self.assertEqual(found[0], found[1])

    def test_an_fcs_may_pass_through(self):
        # Then 64 octets with it are one beat of 512 bits, and 65 are two, for which the switch needs three clocks.
        for octets in (64, 65, 1518):
            self.run_on(self.switch(2, 512), [f'test = "frame_loss_rate"; frame_sizes = [{octets}]; trial_duration = "10us"; '
                                              'step = "10%";'], dut='fcs = "pass"; clock = "500M";')
            for offered, received, bad in self.ports("offered_frames, received_frames, bad_frames"):
                self.assertEqual((received, bad), (offered, 0))

    def test_a_slower_link_has_its_own_clock(self):
        report, _ = self.run_on(self.switch(2, 64), ['test = "throughput"; frame_sizes = [64, 1518]; trial_duration = "100us";'],
                                device='link = "10G";', dut='clock = "156.25M";')
        self.assertEqual(self.only(report, frame_octets=64)["throughput_fps"], 10e9 / 8 / 84)

    # -- faults

    def faults(self, fault, columns, every=10000, octets=64, extra="", expect=DONE):
        self.run_on(self.faulty(fault, every), [f'test = "frame_loss_rate"; frame_sizes = [{octets}]; trial_duration = "200us"; '
                                                f'{extra}'], expect=expect)
        return self.ports("offered_frames, received_frames, " + columns)

    def test_faults_are_named_by_their_counters(self):
        columns = "reordered_frames, bad_payload_frames, latency_max_ot, bad_frames, duplicated_frames"
        (sent, _, *_), (_, whole, *_) = self.faults("none", columns)
        self.assertEqual(sent, whole)
        _, (_, received, reordered, *_) = self.faults("drop", columns)
        self.assertEqual((sent - received, reordered), (sent // 10000, 0), "frames that are dropped are lost")
        _, (_, received, reordered, *_) = self.faults("swap", columns)
        self.assertEqual((sent - received, reordered), (0, sent // 10000), "frames that are swapped are reordered")
        _, (_, received, _, altered, *_) = self.faults("corrupt", columns, extra='traffic = { frame = "ethernet"; };')
        self.assertEqual((sent - received, altered), (sent // 10000, sent // 10000), "a changed octet is in the payload")
        _, (_, received, _, _, longest, *_) = self.faults("stall", columns)
        # While 2000 clocks pass, the MAC holds 8 frames, and the rest is lost; what was in it is that late.
        clock = own_dut.Clock(CLOCK)
        self.assertGreater(longest, 2000 * clock.step)
        lost = (2000 * clock.step / 84 - 8) * (sent // 10000)
        self.assertAlmostEqual(sent - received, float(lost), delta=3 * (sent // 10000))

    def test_a_broken_rule_ends_the_run_with_its_name_and_time(self):
        for fault, rule in (("retreat", "tvalid fell before tready"), ("change", "tdata changed while waiting for tready"),
                            ("hole", "tkeep has a hole")):
            with self.subTest(fault=fault):
                done = self.fpgauge("run", self.write("plan.cfg", f'device = {{ backend = "sim"; library = "{self.faulty(fault, 1000)}"; }};\n'
                                                      f'run = ( {{ test = "frame_loss_rate"; frame_sizes = [64]; trial_duration = "20us"; {SHORT} }} );'))
                self.assertEqual(done.returncode, WRONG_DEVICE, done.stdout + done.stderr)
                self.assertRegex(done.stderr, rf"faulty breaks a rule at port 1, m_axis, at [0-9.]+ ns \(clock \d+\): {rule}")

    # -- waveforms

    def drawn(self, name):
        """(first, last) time in ps, from the header of the FST file (GTKWave's manual, appendix F)."""
        with open(self.path(name), "rb") as file:
            return struct.unpack(">BQQQ", file.read(25))[2:]

    def waveform_of(self, on_loss, duration):
        """Of a module that drops frame 1008."""
        library = self.build("drawing", "--waveform", "--top", "faulty", "--ports", "2", "--map",
                             os.path.join(own_dut.HERE, "faulty.cfg"), '-GFAULT="drop"', "-GEVERY=1009",
                             os.path.join(own_dut.HERE, "faulty.v"))
        test = f'test = "frame_loss_rate"; frame_sizes = [64]; trial_duration = "{duration}"; step = "10%";'
        more = f'waveform_on_loss = "{on_loss}ns";' if on_loss else ""
        self.run_on(library, [test], dut=f'waveform = "dut.fst"; {more}')
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            return database.execute("SELECT tx_first_ot, tx_last_ot FROM trial_port WHERE trial = 1 AND port = 0").fetchone()

    def test_a_waveform_shows_all_of_a_run(self):
        _, last_ot = self.waveform_of(on_loss=0, duration="20us")
        begin_ps, end_ps = self.drawn("dut.fst")
        self.assertLess(begin_ps, 10_000)
        self.assertGreater(end_ps, last_ot * 80)

    def test_a_waveform_on_loss_shows_what_is_near_the_first_lost_frame(self):
        """It shows when the next frame leaves: 1009 frames of 84 octets after the first, and later by what a frame takes through the
        module."""
        draw = random.Random(SEED)
        stretch_ns = draw.randint(200, 4000)
        with self.subTest(stretch_ns=stretch_ns):
            first_ot, _ = self.waveform_of(on_loss=stretch_ns, duration="20us")
            seen_ps = (first_ot + 1009 * 84) * 80
            begin_ps, end_ps = self.drawn("dut.fst")
            before_ps, between_ps = self.drawn("dut.before.fst")
            latency_ps = 100_000
            self.assertLess(before_ps, seen_ps - stretch_ns * 1000 + latency_ps)
            self.assertLessEqual(between_ps, begin_ps)
            self.assertLess(begin_ps, seen_ps + latency_ps)
            self.assertGreater(end_ps, seen_ps + stretch_ns * 1000 - 5000)
            self.assertLess(end_ps, seen_ps + stretch_ns * 1000 + latency_ps)
            self.waveform_of(on_loss=stretch_ns, duration="2us")
            self.assertFalse(os.path.exists(self.path("dut.fst")) or os.path.exists(self.path("dut.before.fst")), "nothing was lost")

    # -- clocks

    def test_a_second_clock_has_its_own_rate(self):
        """It permits a frame for every so many of its edges, whatever the clock of the ports does."""
        draw = random.Random(SEED + 1)
        ticks, hertz = draw.choice((3, 5, 7)), draw.randint(150_000_000, 290_000_000)
        with self.subTest(ticks=ticks, hertz=hertz):
            names = self.write("clocks.cfg", f'clocks = {{ clk_b = "{hertz}"; }};\n')
            library = self.build(f"two_clocks_{ticks}", "--top", "two_clocks", "--ports", "2", "--map", names, f"-GTICKS={ticks}",
                                 os.path.join(own_dut.HERE, "two_clocks.v"))
            report, _ = self.run_on(library, ['test = "throughput"; frame_sizes = [64]; trial_duration = "100us"; resolution = "0.1%";'])
            fps = self.only(report, test="throughput")["throughput_fps"]
            self.assertGreater(fps, 0.998 * hertz / ticks)
            self.assertLess(fps, 1.001 * hertz / ticks + 17 / 100e-6)

    # -- an MII

    def test_an_mii_is_as_long_as_its_registers(self):
        for width in (64, 512):
            library = self.build(f"mii{width}", "--top", "mii_pair", "--ports", "2", "--style", "mii", f"-GWIDTH={width}",
                                 os.path.join(own_dut.HERE, "mii_pair.v"))
            self.run_on(library, ['test = "frame_loss_rate"; frame_sizes = [64, 1518]; trial_duration = "10us"; step = "10%";'])
            for offered, received, least, greatest in self.ports("offered_frames, received_frames, latency_min_ot, latency_max_ot"):
                # A word is on the pins when it is whole; the register has it a clock later, and it leaves another one later.
                self.assertEqual((received, least, greatest), (offered, 3 * width // 8, 3 * width // 8))

    def test_lists_folders_and_macros_are_taken_as_verilator_takes_them(self):
        self.write("whole.v", '`ifdef WHOLE\n`include "mii_pair.v"\n`endif\n')
        files = self.write("files", self.path("whole.v") + "\n")
        library = self.build("listed", "--top", "mii_pair", "--ports", "2", "--style", "mii", "-f", files, "-I", own_dut.HERE, "-D", "WHOLE")
        self.run_on(library, ['test = "frame_loss_rate"; frame_sizes = [77]; trial_duration = "10us"; step = "10%";'])
        for offered, received in self.ports("offered_frames, received_frames"):
            self.assertEqual(received, offered)
        done = self.fpgauge("sim-build", "-o", self.path("x.so"), "--top", "mii_pair", "--ports", "2", "--style", "mii", "-f", files,
                            "-I", own_dut.HERE)
        self.assertEqual(done.returncode, WRONG_PLAN, "without the macro there is no module")

    # -- what is wrong

    def refused(self, text, *arguments, expect=WRONG_PLAN):
        done = self.fpgauge("sim-build", "-o", self.path("x.so"), *arguments)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertEqual(done.stderr, f"fpgauge sim-build: {text}\n")

    def test_clocks_of_a_map_file_are_checked(self):
        two = (os.path.join(own_dut.HERE, "two_clocks.v"), "--top", "two_clocks", "--ports", "2", "--map", "map.cfg")
        for text, complaint in (('clocks = { clk_c = "100M"; };', "clocks.clk_c: module two_clocks (two_clocks.v:4) has no such input"),
                                ('clocks = { clk = "100M"; };', "clocks.clk: is something else already"),
                                ('clocks = { clk_b = "fast"; };', "clk_b: must be a number of hertz such as 156.25M, 1k to 100G"),
                                ("clocks = 3;", 'clocks: must be a group: { clk_b = "156.25M"; }')):
            self.write("map.cfg", text + "\n")
            done = self.fpgauge("sim-build", "-o", self.path("x.so"), *two)
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
            self.assertIn("map.cfg:1: ", done.stderr)
            self.assertIn(complaint, done.stderr.replace(own_dut.HERE + "/", ""))

    def test_what_is_wrong_is_said_in_one_line(self):
        switch = own_dut.SWITCH
        two = ("--top", "switch", "--ports", "2", "-GPORTS=2")
        self.refused("--top swich: no such module in the files", "--top", "swich", "--ports", "2", *switch)
        self.refused(f'{switch[0]}:19: "s_axis_tdata" has 128 bits; must have 256: 128 of s_tdata for 2 ports', *two,
                     "--data-width", "128", *switch)
        with open(switch[0], encoding="utf-8") as file:
            line = next(number for number, text in enumerate(file, 1) if "switch_table #(" in text)
        self.refused(f"{switch[0]}:{line}:3: Cannot find file containing module: 'switch_table'", *two, switch[0])
        self.write("broken.v", "module broken (input clk;\nendmodule\n")
        self.refused("broken.v:1:25: syntax error, unexpected ';', expecting ')'", "--top", "broken", "--ports", "2", "broken.v")
        self.write("none.v", "module none (\n  input wire x\n);\nendmodule\n")
        self.refused('none.v:1: module none has no clock: an input "clk" or "aclk"; --map FILE names it if it is called otherwise',
                     "--top", "none", "--ports", "2", "none.v")
        self.write("less.v", "module less (input clk, input [1:0] s_axis_tvalid,\n  output [127:0] s_axis_tdata);\nendmodule\n")
        self.refused('less.v:2: "s_axis_tdata" is an output; must be an input: s_tdata', "--top", "less", "--ports", "2", "less.v")
        self.write("map.cfg", 'clock = "clk";\ns_tdata = "data%";\n')
        self.refused('map.cfg:2: s_tdata: module less (less.v:1) has no input "data0"', "--top", "less", "--ports", "2", "--map",
                     "map.cfg", "less.v")
        self.write("map.cfg", 'clock = "takt";\n')
        self.refused('map.cfg:1: module less (less.v:1) has no "takt"', "--top", "less", "--ports", "2", "--map", "map.cfg", "less.v")

    def test_wrong_arguments_are_refused_before_anything_is_read(self):
        right = ("--top", "switch", "--ports", "2", "-o", "x.so", "switch.v")
        for arguments, complaint in (((*right, "--ports", "1"), "--ports 1: must be 2 to 16, in steps of 1"),
                                     ((*right, "--ports", "17"), "--ports 17: must be 2 to 16, in steps of 1"),
                                     ((*right, "--data-width", "12"), "--data-width 12: must be 8 to 512, in steps of 8"),
                                     ((*right, "--clock", "fast"), "--clock fast: must be"),
                                     ((*right, "--style", "rgmii"), "--style rgmii: must be axis or mii"),
                                     ((*right, "--style", "mii", "--clock", "1M"), "--clock 1M: with --style mii"),
                                     ((*right, "-GWIDTH"), "-GWIDTH: must be NAME=VALUE"),
                                     (right[:6], "the FILES are missing"),
                                     (right[2:], "--top must be given"),
                                     ((*right[:2], *right[4:]), "--ports must be given"),
                                     ((*right[:4], right[6]), "--output must be given")):
            with self.subTest(arguments=arguments):
                done = self.fpgauge("sim-build", *arguments)
                self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
                self.assertIn(complaint, done.stderr)
        self.assertEqual(os.listdir(self.scratch), [])

    def test_without_verilator_it_says_so(self):
        done = subprocess.run([FPGAUGE, "sim-build", "-o", self.path("x.so"), "--top", "switch", "--ports", "2", *own_dut.SWITCH],
                              capture_output=True, text=True, env={**os.environ, "PATH": "/nonexistent"}, check=False)
        self.assertEqual(done.returncode, WRONG_DEVICE)
        self.assertIn("verilator: not found in PATH", done.stderr)

    def test_settings_of_a_library_are_checked(self):
        library = self.switch(2, 512)
        for setting, what in (('dut = { model = "wire"; };', "is the device under test"),
                              ('dut = { clock = "1"; };', "must be 1000 to 100000000000 Hz"),
                              ('dut = { fcs = "keep"; };', 'must be "strip" or "pass"'),
                              ('dut = { waveform = "x.fst"; };', "the library was built without: fpgauge sim-build --waveform"),
                              ('dut = { waveform_on_loss = "1us"; };', "dut.waveform must name the file"),
                              ('dut = { latency_ns = 3; };', "no such setting here")):
            done = self.fpgauge("check", self.write("plan.cfg", f'device = {{ backend = "sim"; library = "{library}"; }};\n{setting}\n'
                                                    'run = ( { test = "throughput"; frame_sizes = [64]; } );'))
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
            self.assertIn("plan.cfg:2: ", done.stderr)
            self.assertIn(what, done.stderr)

    def test_the_recipe_for_ci_measures_and_compares(self):
        folder = shutil.copytree(os.path.dirname(own_dut.SWITCH[0]), self.path("dut"))
        script = os.path.join(folder, "benchmark.sh")

        def recipe():
            return subprocess.run(["sh", script, "base.db"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "FPGAUGE": FPGAUGE})

        done = recipe()
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        with open(os.path.join(folder, "junit.xml"), encoding="utf-8") as file:
            self.assertIn("<testcase", file.read())
        os.rename(os.path.join(folder, "run.db"), os.path.join(folder, "base.db"))
        with open(script, encoding="utf-8") as file:
            text = file.read()
        with open(script, "w", encoding="utf-8") as file:
            file.write(text.replace("FORWARD_CLOCKS=4", "FORWARD_CLOCKS=5"))
        done = recipe()
        self.assertEqual(done.returncode, INVALID, "slower than the baseline\n" + done.stdout + done.stderr)

    def test_nothing_is_made_again_if_nothing_has_changed(self):
        arguments = ("--top", "switch", "--ports", "4", *own_dut.SWITCH)
        for said in (False, True):
            done = self.fpgauge("sim-build", "-o", self.path("x.so"), *arguments)
            self.assertEqual("nothing has changed" in done.stdout, said, done.stdout + done.stderr)
        done = self.fpgauge("sim-build", "-o", self.path("x.so"), *arguments, "-GQUEUE_FRAMES=5")
        self.assertNotIn("nothing has changed", done.stdout)


if __name__ == "__main__":
    main()
