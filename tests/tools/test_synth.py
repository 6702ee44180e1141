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
        for name, text in (("parity", PARITY), ("sum", SUM), ("memory", MEMORY), ("counter", COUNTER), ("deep", DEEP), ("row", ROW)):
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
        self.assertRegex(text, r"1\d levels  u_row +u_row\.in_reg")

    def test_a_registered_memory_is_block_ram(self):
        code, results, text = self.run_tool("memory - 99 99 1 0 0 2\n")
        self.assertEqual(code, 0, text)
        self.assertEqual((results[0]["brams"], results[0]["lutrams"]), (1, 0))

    def test_a_module_beyond_its_limit_fails_and_names_it(self):
        code, _, text = self.run_tool("parity W=36 99 99 0 0 0 1\n")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"BEYOND levels \d > 1")

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


if __name__ == "__main__":
    unittest.main()
