#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/synth counts what it says it counts, and fails beyond a limit. Small modules are really synthesised."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load_tool(name):
    loader = importlib.machinery.SourceFileLoader(f"tool_{name}", str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


# The parity of 6 inputs is one LUT.
PARITY = """module parity #(parameter W = 36) (input clk, input [W-1:0] in, output reg out);
  reg [W-1:0] in_reg;
  always @(posedge clk) begin in_reg <= in; out <= ^in_reg; end
endmodule
"""
# The carry chain of a 40-bit sum is one level, and the LUT before it is another.
SUM = """module sum (input clk, input [39:0] a, input [39:0] b, output reg [39:0] out);
  reg [39:0] a_reg, b_reg;
  always @(posedge clk) begin a_reg <= a; b_reg <= b; out <= a_reg + b_reg; end
endmodule
"""
# A counter's register reaches the chain through a LUT, whether yosys shows it or not.
COUNTER = """module counter (input clk, output reg [39:0] out);
  always @(posedge clk) out <= out + 40'd1;
endmodule
"""
# An input behind a LUT enables every register of a word; a register enables as many.
ENABLED = """module enabled #(parameter W = 40) (input clk, input go, input off, input [W-1:0] d, output reg [W-1:0] q, output reg [W-1:0] r);
  reg take;
  always @(posedge clk) begin
    take <= go;
    if (go && !off) q <= d;
    if (take) r <= d;
  end
endmodule
"""
# Two clocks: a parity of one, a sum of the other.
CLOCKS = """module clocks (input fast, input slow, input [35:0] in, output reg odd, output reg [39:0] out);
  reg [35:0] in_reg;
  reg [39:0] a_reg;
  always @(posedge fast) begin in_reg <= in; odd <= ^in_reg; end
  always @(posedge slow) begin a_reg <= {4'd0, in}; out <= out + a_reg; end
endmodule
"""
# N sums in a row, each with LUTs before its chain, in an instance.
DEEP = """module deep #(parameter N = 6) (input clk, input [23:0] in, output [23:0] out);
  row #(.N(N)) u_row (.clk(clk), .in(in), .out(out));
endmodule
"""
ROW = """module row #(parameter N = 6) (input clk, input [23:0] in, output reg [23:0] out);
  reg [23:0] in_reg;
  reg [23:0] sum;
  integer i;
  always @* begin
    sum = in_reg;
    for (i = 0; i < N; i = i + 1) sum = {sum[22:0], ^sum} + in_reg;
  end
  always @(posedge clk) begin in_reg <= in; out <= sum; end
endmodule
"""
# A path that depends on `skip` takes two levels or more; `ahead` does nothing else.
SKIPPING = """module skipping (input clk, input skip, input [35:0] in, output reg out, output [35:0] ahead);
  reg [35:0] in_reg;
  always @(posedge clk) begin in_reg <= in; out <= skip ? ^in_reg : in_reg[0]; end
  assign ahead = in_reg ^ {in_reg[0], in_reg[35:1]};
endmodule
"""
MEMORY = """module memory (input clk, input we, input [8:0] wa, input [71:0] d, input [8:0] ra, output reg [71:0] q);
  reg [71:0] ram [0:511];
  always @(posedge clk) begin if (we) ram[wa] <= d; q <= ram[ra]; end
endmodule
"""


class Synth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = Path(tempfile.mkdtemp(prefix="fpgauge-synth-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        for name, text in (("parity", PARITY), ("sum", SUM), ("memory", MEMORY), ("counter", COUNTER), ("deep", DEEP), ("row", ROW),
                           ("enabled", ENABLED), ("clocks", CLOCKS), ("skipping", SKIPPING)):
            folder = cls.root / "hw/rtl" / name
            folder.mkdir(parents=True)
            (folder / f"{name}.v").write_text(text)
        (cls.root / "hw/regs").mkdir()
        cls.synth = load_tool("synth")
        cls.synth.ROOT, cls.synth.LIMITS = cls.root, cls.root / "limits"
        made, really = {}, cls.synth.netlist

        def netlist(module, parameters, directory):  # yosys takes seconds for a module, however small
            key = (module, *parameters.items())
            if key not in made:
                made[key] = really(module, parameters, directory)
            return made[key]

        cls.synth.netlist = netlist

    def run_tool(self, limits, *options):
        (self.root / "limits").write_text(limits)
        output, errors = io.StringIO(), io.StringIO()
        arguments, sys.argv = sys.argv, ["synth", "--json", str(self.root / "out.json"), *options]
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                code = self.synth.main()
        finally:
            sys.argv = arguments
        results = json.loads((self.root / "out.json").read_text())["modules"] if code < 2 else []
        return code, results, output.getvalue() + errors.getvalue()

    def test_levels_are_luts_in_a_row(self):
        # 36 inputs need at least two levels, 216 need three; any more are up to the mapper.
        code, results, text = self.run_tool("parity W=6 1 99 0 0 0 1\nparity W=36 99 99 0 0 0 4\nparity W=216 99 999 0 0 0 8\n")
        self.assertEqual(code, 0, text)
        levels = [r["levels"] for r in results]
        self.assertEqual(levels[0], 1)
        self.assertGreaterEqual(levels[1], 2)
        self.assertGreaterEqual(levels[2], max(3, levels[1] + 1))
        self.assertEqual([r["ffs"] for r in results], [7, 37, 217])

    def test_a_carry_chain_is_a_level_behind_its_entry(self):
        code, results, text = self.run_tool("sum - 99 120 0 0 0 2\ncounter - 99 40 0 0 0 2\n")
        self.assertEqual(code, 0, text)
        self.assertEqual([r["levels"] for r in results], [2, 2])

    def test_chains_in_a_row_add_up(self):
        code, results, text = self.run_tool("deep N=1 999 99 0 0 0 99\ndeep N=4 999 99 0 0 0 99\n")
        self.assertEqual(code, 0, text)
        # Two LUTs for the parity of 24 bits, one for the sum, and the chain.
        self.assertGreaterEqual(results[0]["levels"], 4)
        self.assertGreaterEqual(results[1]["levels"], 4 * results[0]["levels"] - 3)

    def test_deep_paths_are_listed_with_the_instance_in_which_they_end(self):
        code, results, text = self.run_tool("deep N=1 999 99 0 0 0 99\ndeep N=4 999 99 0 0 0 99\n")
        self.assertEqual(code, 0, text)
        self.assertEqual([[d["instance"] for d in r["deep"]] for r in results], [[], ["u_row"]])
        self.assertRegex(text, r"1\d levels, \d\.\d\d ns  u_row +u_row\.in_reg")

    def test_carry_cells_of_the_slowest_path_are_counted(self):
        # A sum of 40 bits has 5 cells of 8 bits, one of 24 has 3; so has each of the sums in a row, which a path may leave early.
        code, results, text = self.run_tool("sum - 99 120 0 0 0 2\ncounter - 99 40 0 0 0 2\nparity W=36 99 99 0 0 0 4\n"
                                            "deep N=4 999 99 0 0 0 99\n")
        self.assertEqual(code, 0, text)
        carries = [r["clocks"]["clk"]["carries"] for r in results]
        self.assertEqual(carries[:3], [5, 5, 0])
        self.assertTrue(4 <= carries[3] <= 12, carries)

    def test_a_longer_chain_and_more_levels_take_longer(self):
        code, results, text = self.run_tool("parity W=6 1 99 0 0 0 1\nparity W=216 99 999 0 0 0 8\nsum - 99 120 0 0 0 2\n"
                                            "deep N=1 999 99 0 0 0 99\ndeep N=4 999 99 0 0 0 99\n")
        self.assertEqual(code, 0, text)
        one, many, total, once, four = (r["clocks"]["clk"]["ns"] for r in results)
        self.assertLess(one, many)
        self.assertLess(total, once + 1)
        self.assertGreater(four, 2 * once)

    def test_clock_enables_behind_an_input_are_counted_and_those_of_a_register_are_not(self):
        code, results, text = self.run_tool("clock core 195.3125 10\nenabled W=40 9 99 0 0 0 9 core:clk=9/9/40\n"
                                            "enabled W=70 9 199 0 0 0 9 core:clk=9/9/40\n")
        self.assertEqual(code, 1, text)
        self.assertEqual([r["clocks"]["clk"]["enables"] for r in results], [40, 70])
        self.assertEqual([r["good"] for r in results], [True, False])
        self.assertRegex(text, r"70 clock enables on \S+  BEYOND enables 70 > 40")

    def test_each_clock_has_its_own_paths_and_limits(self):
        limits = "clock core 200 10\nclock mac 300 7\nclocks - 99 199 0 0 0 9 core:slow=2/{}/0 mac:fast=9/3/0\n"
        code, results, text = self.run_tool(limits.format(3))
        self.assertEqual(code, 0, text)
        slow, fast = results[0]["clocks"]["slow"], results[0]["clocks"]["fast"]
        self.assertEqual((slow["domain"], slow["carries"], fast["domain"], fast["carries"]), ("core", 5, "mac", 0))
        self.assertRegex(slow["from"] + slow["to"], "a_reg|out")
        self.assertRegex(text, r"slow, core: 2 levels; \d\.\d\d of 5\.00 ns with 5 carry cells")
        code, _, text = self.run_tool(limits.format(0.5))
        self.assertEqual(code, 1)
        self.assertRegex(text, r"BEYOND ns \d\.\d+ > 0\.5")

    def test_a_clock_that_a_row_does_not_name_fails(self):
        code, _, text = self.run_tool("clock core 200 10\nclocks - 99 199 0 0 0 9 core:slow=9/9/9\n")
        self.assertEqual(code, 1)
        self.assertIn("limits does not name its clock fast", text)

    def test_a_registered_memory_is_block_ram(self):
        code, results, text = self.run_tool("memory - 99 99 1 0 0 2\n")
        self.assertEqual(code, 0, text)
        self.assertEqual((results[0]["brams"], results[0]["lutrams"]), (1, 0))

    def test_a_module_beyond_its_limit_fails_and_names_it(self):
        code, _, text = self.run_tool("parity W=36 99 99 0 0 0 1\n")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"BEYOND levels \d > 1")

    def test_tied_inputs_and_open_outputs_cost_nothing(self):
        code, results, text = self.run_tool("skipping - 99 99 0 0 0 9\nskipping skip=0 99 99 0 0 0 9\nskipping skip=0,ahead=open 99 99 0 0 0 9\n")
        self.assertEqual(code, 0, text)
        both, tied, neither = results
        self.assertGreater(both["luts"], tied["luts"])
        self.assertGreater(tied["luts"], 30)
        self.assertEqual((tied["ffs"], neither["luts"], neither["ffs"], neither["levels"]), (37, 0, 2, 0))
        code, _, text = self.run_tool("skipping skap=0 99 99 0 0 0 9\n")
        self.assertEqual(code, 1)
        self.assertIn("selection", text.lower())

    def test_a_missing_module_fails(self):
        code, _, text = self.run_tool("absent - 1 1 1 1 1 1\n")
        self.assertEqual(code, 1)
        self.assertIn("absent: no absent.v", text)

    def test_a_long_row_waits_for_long_or_its_name(self):
        limits = "parity W=36 99 99 0 0 0 4\nparity W=36 99 99 0 0 0 1 long\n"
        for options, expected in (((), [True]), (("--long",), [True, False]), (("parity",), [True, False])):
            code, results, text = self.run_tool(limits, *options)
            self.assertEqual(([result["good"] for result in results], code), (expected, 0 if all(expected) else 1), text)

    def test_a_malformed_limit_is_refused_with_its_line(self):
        code, _, text = self.run_tool("# comment\nparity W=36 9 99\n")
        self.assertEqual(code, 2)
        self.assertIn("limits:2:", text)
        for row in ("parity - 1 1 1 1 1 1 core:clk=1/1", "parity - 1 1 1 1 1 1 other:clk=1/1/1", "clock core fast 10"):
            code, _, text = self.run_tool(f"clock core 200 10\n{row}\n")
            self.assertEqual(code, 2, text)
            self.assertIn("limits:2:", text)


def cell(kind, inputs, outputs, src=""):
    """A cell as yosys writes it: {port: [bits]}."""
    return {"type": kind, "connections": {**inputs, **outputs}, "attributes": {"src": src},
            "port_directions": {**dict.fromkeys(inputs, "input"), **dict.fromkeys(outputs, "output")}}


class HandMade(unittest.TestCase):
    """Netlists whose levels, carry cells and delays are known by hand."""
    def setUp(self):
        self.synth = load_tool("synth")
        self.paths, self.delays = self.synth.paths, self.synth.paths.delays

    def worst(self, cells, ports=()):
        ports = {"clk": {"direction": "input", "bits": [2]}, **dict(ports)}
        nets = {f"n{bit}": {"bits": [bit], "attributes": {}} for bit in range(3, 60)}
        design = self.paths.Netlist({"cells": cells, "ports": ports, "netnames": nets}, "/")
        return design.worst_paths(), design.enables()

    @staticmethod
    def register(d, q, **others):
        return cell("FDRE", {"C": [2], "D": [d], **others}, {"Q": [q]})

    def test_two_luts_between_registers(self):
        # n3 -> LUT -> n4 (two inputs) -> LUT -> n5 -> register
        cells = {"a": self.register("0", 3), "l1": cell("LUT2", {"I0": [3]}, {"O": [4]}), "l2": cell("LUT2", {"I0": [4], "I1": [4]}, {"O": [5]}),
                 "b": self.register(5, 6)}
        (path,), enables = self.worst(cells)
        d = self.delays
        ns = (d.UNCERTAIN + d.CLOCK_TO_OUT["FD"] + d.wire(1) + d.LUT + d.wire(2) + d.LUT + d.WIRE_IN_SLICE + d.SETUP["FD"])
        self.assertEqual((path.levels, path.carries, path.clock, path.deep_from, path.deep_to), (2, 0, "clk", "n3", "n6"))
        self.assertAlmostEqual(path.ns, ns, delta=0.006)
        self.assertEqual(enables, {})

    def test_a_chain_of_three_cells(self):
        # Each chain cell has 8 S; the path enters the first from a LUT and leaves the third at O.
        cells = {"a": self.register("0", 3), "l": cell("LUT1", {"I0": [3]}, {"O": [4]})}
        for index, (carry_in, base) in enumerate((("0", 10), (17, 20), (27, 30))):
            cells[f"c{index}"] = cell("CARRY8", {"CI": [carry_in], "S": [4 if not index else "0"] + ["0"] * 7, "DI": ["0"] * 8},
                                      {"CO": list(range(base, base + 8)), "O": list(range(base + 8, base + 10)) + ["x"] * 6})
        cells["b"] = self.register(39, 50)
        (path,), _ = self.worst(cells)
        d = self.delays
        ns = (d.UNCERTAIN + d.CLOCK_TO_OUT["FD"] + d.wire(1) + d.LUT + d.WIRE_IN_SLICE + d.CARRY_IN + d.CARRY_ON + d.CARRY_OUT
              + d.WIRE_IN_SLICE + d.SETUP["FD"])
        self.assertEqual((path.levels, path.carries), (2, 3))
        self.assertAlmostEqual(path.ns, ns, delta=0.006)

    def test_fan_out_makes_a_net_slower(self):
        def ns(readers):
            cells = {"a": self.register("0", 3), "l": cell("LUT1", {"I0": [3]}, {"O": [4]})}
            cells |= {f"r{i}": self.register("0", 10 + i, CE=[4]) for i in range(readers)}
            paths, enables = self.worst(cells)
            self.assertEqual(enables, {"clk": (readers, "n4")})
            return max(path.ns for path in paths)
        self.assertAlmostEqual(ns(32) - ns(1), 5 * self.delays.WIRE_A_DOUBLING, delta=0.011)

    def test_a_write_into_a_lut_ram_ends_a_path_and_a_read_goes_through(self):
        ram = cell("RAM32X1D", {"WCLK": [2], "D": [4], "WE": [3], "DPRA0": [3]}, {"DPO": [5]})
        cells = {"a": self.register("0", 3), "l1": cell("LUT1", {"I0": [3]}, {"O": [7]}), "l2": cell("LUT1", {"I0": [7]}, {"O": [4]}),
                 "ram": ram, "b": self.register(5, 6)}
        paths, _ = self.worst(cells)
        self.assertEqual(sorted(path.levels for path in paths), [2])   # the two LUTs to D; from DPRA0 to n6 it is one
        del cells["l2"], cells["l1"]
        ram["connections"]["D"] = ["0"]
        paths, _ = self.worst(cells)
        self.assertEqual([(path.levels, path.deep_to) for path in paths], [(1, "n6")])

    def test_a_loop_is_refused(self):
        with self.assertRaises(self.paths.LoopError):
            self.worst({"l1": cell("LUT1", {"I0": [3]}, {"O": [4]}), "l2": cell("LUT1", {"I0": [4]}, {"O": [3]})})


if __name__ == "__main__":
    unittest.main()
