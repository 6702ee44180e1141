#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""device.waveform: the signals of the core, in a file of the format that its name says, without a word on the terminal;
a library that cannot write one says which can."""

import os
import struct
import unittest

from fpgauge_system import DONE, WRONG_PLAN, SystemCase, plan_text

TESTS = ['test = "throughput"; frame_sizes = [64]; trial_duration = "2us"; settle = "0s"']
WIRE = 'model = "wire";'
CLOCK_PS, TRIAL_PS = 5120, 2_000_000
FST_HEADER, FST_HEADER_OCTETS = 0, 329  # the type of the first block and its length, from GTKWave's manual, appendix F


class Waveform(SystemCase):
    def draw(self, name, *arguments, library="rtl"):
        plan = self.write("plan.cfg", plan_text(TESTS, dut=WIRE, library=library, device=f'waveform = "{name}";'))
        return self.fpgauge("run", plan, "--db", self.path("run.db"), *arguments)

    def test_a_quiet_run_draws_an_fst_file_and_says_nothing(self):
        done = self.draw("core.fst", "--quiet")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (DONE, "", ""))
        with open(self.path("core.fst"), "rb") as file:
            block, length, begin_ps, end_ps = struct.unpack(">BQQQ", file.read(25))
        self.assertEqual((block, length), (FST_HEADER, FST_HEADER_OCTETS))
        self.assertLess(begin_ps, CLOCK_PS * 2)  # time from the end of the reset
        self.assertGreater(end_ps, TRIAL_PS)
        self.assertGreater(os.path.getsize(self.path("core.fst")), 4096)

    def refused(self, done, *says):
        self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in ("plan.cfg:1: device.waveform = ", *says):
            self.assertIn(part, done.stderr)
        self.assertFalse(os.path.exists(self.path("run.db")))

    def test_a_name_of_another_format_is_refused(self):
        for name in ("core.vcd", "core", ".fst"):
            self.refused(self.draw(name), f'"{name}": the format is FST, so the name must end with .fst')
            self.assertFalse(os.path.exists(self.path(name)))

    def test_who_has_no_signals_names_who_has(self):
        self.refused(self.draw("core.fst", library="twin"), 'library = "rtl" has them')

    def test_a_simulation_of_more_ports_names_the_one_of_two(self):
        devices = self.fpgauge("devices", "--names").stdout.split()
        if "sim:rtl4" not in devices:
            why = "built without -DFPGAUGE_SIM_PORTS=4"
            if os.environ.get("CI") == "true":
                self.fail(why)
            self.skipTest(why)
        self.refused(self.draw("core.fst", library="rtl4"), "built without waveforms", 'library = "rtl" has them, for two ports')


if __name__ == "__main__":
    unittest.main(verbosity=2)
