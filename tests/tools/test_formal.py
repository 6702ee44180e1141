#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/formal must not be fooled: by a proof about undriven wires, by one without assertions, by a false one."""
import contextlib
import importlib.machinery
import importlib.util
import io
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


COUNTER = """module counter (input clk, output reg [3:0] count);
  initial count = 0;
  always @(posedge clk) count <= count == 4'd9 ? 4'd0 : count + 4'd1;
endmodule
"""
PROOF = """// files: counter.v
// mode: induction depth=1 base=12
{mutants}module counter_formal (input clk);
  wire [3:0] count;
  counter dut (.clk(clk), .count(count));
  {property}
endmodule
"""


class Formal(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="fpgauge-formal-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("hw/rtl", "hw/formal", "hw/regs"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "hw/rtl/counter.v").write_text(COUNTER)
        self.formal = load_tool("formal")
        self.formal.ROOT, self.formal.FORMAL = self.root, self.root / "hw/formal"

    def run_tool(self, formal_property, mutants="", *arguments):
        (self.root / "hw/formal/counter_formal.v").write_text(PROOF.format(property=formal_property, mutants=mutants))
        output, errors = io.StringIO(), io.StringIO()
        arguments, sys.argv = sys.argv, ["formal", *arguments]
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                code = self.formal.main()
        finally:
            sys.argv = arguments
        return code, output.getvalue() + errors.getvalue()

    def test_a_true_property_is_proven(self):
        code, text = self.run_tool("always @* assert (count <= 9);")
        self.assertEqual(code, 0, text)
        self.assertIn("proven", text)

    def test_a_false_property_fails_with_its_line(self):
        code, text = self.run_tool("always @* assert (count <= 8);")
        self.assertEqual(code, 1)
        self.assertIn("FAILED", text)
        self.assertIn("base case", text)
        self.assertIn("counter_formal.v:6", text)

    def test_a_property_that_is_true_but_not_inductive_fails(self):
        code, text = self.run_tool("always @* assert (count != 12);")
        self.assertEqual(code, 1)
        self.assertIn("induction", text)

    def test_a_hierarchical_reference_is_fatal(self):
        code, text = self.run_tool("always @* assert (dut.count <= 9);")
        self.assertEqual(code, 1)
        self.assertNotIn("proven", text)

    def test_an_undeclared_name_is_fatal(self):
        code, text = self.run_tool("always @* assert (conut <= 9);")
        self.assertEqual(code, 1)
        self.assertNotIn("proven", text)

    def test_an_undriven_wire_is_fatal(self):
        code, text = self.run_tool("wire forgotten; always @* assert (count <= 9 || forgotten);")
        self.assertEqual(code, 1)
        self.assertNotIn("proven", text)

    def test_a_proof_without_assertion_is_refused(self):
        code, text = self.run_tool("")
        self.assertEqual(code, 1)
        self.assertIn("no assertion", text)

    def test_a_mutant_that_breaks_the_property_is_caught(self):
        code, text = self.run_tool("always @* assert (count <= 9);", "// mutant: s/4'd9/4'd11/\n")
        self.assertEqual(code, 0, text)
        self.assertIn("caught", text)

    def test_a_mutant_that_the_property_does_not_see_fails_the_run(self):
        code, text = self.run_tool("always @* assert (count <= 9);", "// mutant: s/4'd0 :/4'd1 :/\n")
        self.assertEqual(code, 1)
        self.assertIn("MISSED", text)

    def test_a_mutant_that_changes_nothing_is_refused(self):
        code, text = self.run_tool("always @* assert (count <= 9);", "// mutant: s/absent/present/\n")
        self.assertEqual(code, 1)
        self.assertIn("changes nothing", text)

    def test_an_unknown_name_lists_the_proofs(self):
        code, text = self.run_tool("always @* assert (count <= 9);", "", "pacer")
        self.assertEqual(code, 1)
        self.assertIn("pacer: no such proof; there are counter", text)


if __name__ == "__main__":
    unittest.main()
