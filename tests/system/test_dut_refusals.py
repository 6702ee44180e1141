#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Impossible devices under test are refused before any trial, with line, setting, value and limit, by RTL and twin in
the same words."""

import unittest

from fpgauge_system import SystemCase, WRONG_PLAN, main, plan_text

# The inside of dut, and what the complaint must say.
IMPOSSIBLE = (
    ('model = "sieve";', ("dut.model", "sieve", "fifo", "stall")),
    ('model = "fifo, fifo";', ("dut.model", "twice")),
    ('model = "wire, fifo";', ("dut.model", "wire", "cannot")),
    ('model = "fifo"; buffer_frames = 0;', ("dut.buffer_frames", "0", "1 to 65536")),
    ('model = "fifo"; buffer_frames = 65537;', ("dut.buffer_frames", "65537", "1 to 65536")),
    ('model = "fifo"; buffer_octets = 63;', ("dut.buffer_octets", "63", "64")),
    ('model = "fifo"; buffer_frames = 4; buffer_octets = 6400;', ("dut.buffer_octets", "dut.buffer_frames")),
    ('model = "fifo"; service_fps = "0";', ("dut.service_fps", "0", "1 to 10000000000")),
    ('model = "fifo"; service_fps = "1001%";', ("dut.service_fps", "1001%", "1000%")),
    ('model = "fifo"; service_fps = "1M"; service_bps = "1G";', ("dut.service_bps", "dut.service_fps")),
    ('model = "fifo"; latency_ns = -1;', ("dut.latency_ns", "-1", "100000000")),
    ('model = "fifo"; forwarding = "cut_through"; latency_ns = 700;', ("dut.forwarding", "700", "732.16")),
    ('model = "fifo"; overhead_octets = 8;', ("dut.overhead_octets", "dut.buffer_octets")),
    ('model = "stall, fifo"; stall_ns = 2000; stall_every_ns = 2000;', ("dut.stall_every_ns", "dut.stall_ns")),
    ('model = "fifo"; stall_ns = 2000;', ("dut.stall_ns", "no such setting")),
    ('model = "overload, fifo"; overload_service = "101%";', ("dut.overload_service", "101%", "100%")),
    ('model = "faults";', ("dut.model", "drop_every")),
    ('model = "faults"; drop_every = 0;', ("dut.drop_every", "0", "1 to 1000000000")),
    ('model = "faults"; reorder_every = 1;', ("dut.reorder_every", "1", "2 to 1000000000")),
    ('model = "faults"; drop_probability = "0%";', ("dut.drop_probability", "0%")),
    ('model = "reset"; dark_at_ns = 0; dark_for_ns = 19999;', ("dut.dark_for_ns", "19999", "20000")),
)


class Refusals(SystemCase):
    def complaint(self, dut, library):
        plan = self.write("plan.cfg", plan_text(['test = "throughput"; frame_sizes = [64];'], dut=dut, library=library))
        done = self.fpgauge("run", plan)
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], r"plan\.cfg:\d+: ")
        return lines[0]

    def test_an_impossible_device_is_refused_with_setting_value_and_limit_by_both_simulations(self):
        for dut, says in IMPOSSIBLE:
            with self.subTest(dut=dut):
                twin = self.complaint(dut, "twin")
                for text in says:
                    self.assertIn(text, twin)
                self.assertEqual(self.complaint(dut, "rtl"), twin)


if __name__ == "__main__":
    main()
