#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/formal must not be fooled: by a proof about undriven wires, by one without promises, by a false one, by one that holds
because nothing happens. It leaves no solver behind."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
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
`ifdef FORMAL
`include "counter_properties.vh"
`endif
endmodule
"""
PROOF = """// files: counter.v
// mode: induction depth=1 base=12 cover=12 mutants=12
// mutant counts_on: s/4'd9/4'd11/
{mutants}module counter_formal (input clk);
  wire [3:0] count;
  counter dut (.clk(clk), .count(count));
endmodule
"""
TRUE = """  // It is a digit.
  always @* digit: assert (count <= 9);
  // It comes round.
  always @* round: cover (f_nine && count == 0);
  reg f_nine = 0;
  always @(posedge clk) f_nine <= count == 9;
"""
PAGE = "# Proofs\n\n<!-- tools/formal --write: begin -->\n<!-- tools/formal --write: end -->\nThe end.\n"


class Formal(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="fpgauge-formal-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("hw/rtl", "hw/formal", "hw/regs"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "docs").mkdir()
        (self.root / "docs/formal.md").write_text(PAGE)
        (self.root / "hw/rtl/counter.v").write_text(COUNTER)
        self.formal = load_tool("formal")
        self.formal.ROOT, self.formal.FORMAL = self.root, self.root / "hw/formal"

    def run_tool(self, properties, mutants="", arguments=("counter",), proof=PROOF):
        (self.root / "hw/formal/counter_formal.v").write_text(proof.format(mutants=mutants))
        (self.root / "hw/formal/counter_properties.vh").write_text(properties)
        output, errors = io.StringIO(), io.StringIO()
        saved, sys.argv = sys.argv, ["formal", *arguments]
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                code = self.formal.main()
        finally:
            sys.argv = saved
        return code, output.getvalue() + errors.getvalue()

    def assert_refused(self, properties, text, **arguments):
        code, output = self.run_tool(properties, **arguments)
        self.assertEqual(code, 1, output)
        self.assertIn(text, output)

    # ---------------------------------------------------------------- proofs
    def test_a_true_promise_is_proven(self):
        code, text = self.run_tool(TRUE)
        self.assertEqual(code, 0, text)
        for line in ("proven  counter          base 12", "proven  counter          induction 1", "reached counter          1 covers",
                     "caught  counter          mutant counts_on", "1 promises, 4 steps: all passed"):
            self.assertIn(line, text)

    def test_a_false_promise_fails_by_its_name(self):
        self.assert_refused(TRUE.replace("<= 9", "<= 8"), ": digit\n")

    def test_a_solver_that_is_asked_once_finds_the_same(self):
        once = PROOF.replace("mutants=12", "mutants=12 solver=once")
        code, text = self.run_tool(TRUE, proof=once)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, "caught  counter          mutant counts_on.*: digit")
        self.assert_refused(TRUE.replace("<= 9", "<= 8"), ": digit\n", proof=once)
        self.assert_refused(TRUE.replace("count <= 9", "count != 12"), "induction 1", proof=once)
        # It fails in the last step of the base case, too: the ninth of these is the first with a count of 8.
        short = once.replace("base=12", "base=9")
        _, text = self.run_tool(TRUE.replace("<= 9", "<= 7"), proof=short, arguments=("counter", "--no-mutants"))
        self.assertRegex(text, "FAILED  counter          base 9.*: digit")

    def test_a_promise_that_is_true_but_not_inductive_fails(self):
        code, text = self.run_tool(TRUE.replace("count <= 9", "count != 12"))
        self.assertEqual(code, 1)
        self.assertRegex(text, "proven  counter          base")
        self.assertRegex(text, "FAILED  counter          induction 1.*: digit")

    def test_a_helper_makes_it_inductive(self):
        code, text = self.run_tool(TRUE.replace("count <= 9", "count != 12")
                                   + "`ifdef FORMAL_HELPERS\nalways @* assert (count <= 9);\n`endif\n", arguments=("counter", "--no-mutants"))
        self.assertEqual(code, 0, text)

    def test_a_false_helper_fails_with_its_line(self):
        self.assert_refused(TRUE + "`ifdef FORMAL_HELPERS\nalways @* assert (count <= 8);\n`endif\n", "counter_properties.vh:8")

    def test_a_cover_that_is_not_reached_fails(self):
        self.assert_refused(TRUE.replace("f_nine && count == 0", "count == 10"), "round is not reached")

    # ---------------------------------------------------------------- vacuous proofs
    def test_a_hierarchical_reference_is_fatal(self):
        # A proof file may hold promises too; there, a reference into the module would be about nothing.
        (self.root / "hw/rtl/counter.v").write_text(COUNTER.replace("counter (", "counter_core (") + "module counter (input clk, "
            "output [3:0] count);\n  counter_core core (.clk(clk), .count(count));\n`ifdef FORMAL\n`include \"counter_properties.vh\"\n"
            "`endif\nendmodule\n")
        code, text = self.run_tool(TRUE.replace("assert (count", "assert (core.count"))
        self.assertEqual(code, 1)
        self.assertIn("core.count", text)
        self.assertNotIn("proven", text)

    def test_an_undeclared_name_is_fatal(self):
        code, text = self.run_tool(TRUE.replace("assert (count", "assert (conut"))
        self.assertEqual(code, 1)
        self.assertNotIn("proven", text)

    def test_an_undriven_wire_is_fatal(self):
        code, text = self.run_tool("wire forgotten;\n" + TRUE.replace("count <= 9", "count <= 9 || forgotten"))
        self.assertEqual(code, 1)
        self.assertNotIn("proven", text)

    def test_a_proof_without_promise_cover_or_mutant_is_refused(self):
        self.assert_refused(TRUE.replace("digit: assert", "digit: cover"), "no assertion")
        self.assert_refused(TRUE.replace("round: cover", "round: assert"), "no cover")
        path = self.root / "hw/formal/counter_formal.v"
        self.run_tool(TRUE)
        path.write_text(path.read_text().replace("// mutant counts_on: s/4'd9/4'd11/\n", ""))
        with self.assertRaisesRegex(self.formal.ProofError, "no mutant"):
            self.formal.Proof(path)

    def test_properties_that_the_module_does_not_include_are_noticed(self):
        (self.root / "hw/rtl/counter.v").write_text(COUNTER.replace("FORMAL", "FORMULA"))
        self.assert_refused(TRUE, "not in the model: digit")

    # ---------------------------------------------------------------- names
    def test_a_promise_without_name_or_meaning_is_refused(self):
        self.assert_refused(TRUE.replace("digit: ", ""), "counter_properties.vh:2: assert without a name")
        self.assert_refused(TRUE.replace("// It is a digit.", ""), "counter_properties.vh:2: digit: a comment above must say")
        self.assert_refused(TRUE.replace("round:", "digit:"), "counter_properties.vh:4: digit: there are two")

    def test_the_page_has_every_promise(self):
        path = self.root / "docs/formal.md"
        self.assert_refused(TRUE, "docs/formal.md: is not what the proof files say", arguments=("--check",))
        self.assertEqual(self.run_tool(TRUE, arguments=("--write",))[0], 0)
        self.assertIn("| `digit` | It is a digit. |", path.read_text())
        self.assertTrue(path.read_text().startswith("# Proofs\n") and path.read_text().endswith("\nThe end.\n"))
        self.assertEqual(self.run_tool(TRUE, arguments=("--check",))[0], 0)
        self.assert_refused(TRUE.replace("a digit", "a decimal digit"), "docs/formal.md: is not", arguments=("--check",))
        self.assert_refused(TRUE.replace("a digit", "a decimal digit"), "docs/formal.md: is not", arguments=())

    # ---------------------------------------------------------------- mutants
    def test_a_mutant_that_no_promise_sees_fails_the_run(self):
        code, text = self.run_tool(TRUE.replace("f_nine && count == 0", "f_nine"), "// mutant skips_zero: s/4'd0 :/4'd1 :/\n")
        self.assertEqual(code, 1)
        self.assertIn("MISSED  counter          mutant skips_zero", text)

    def test_a_mutant_that_only_breaks_a_helper_is_missed(self):
        helper = "`ifdef FORMAL_HELPERS\nreg [3:0] f_copy = 0;\nalways @(posedge clk) f_copy <= f_copy == 9 ? 0 : f_copy + 1;\n" \
                 "always @* assert (f_copy == count);\n`endif\n"
        code, text = self.run_tool(TRUE.replace("f_nine && count == 0", "count == 3") + helper, "// mutant early: s/4'd9 ?/4'd8 ?/\n")
        self.assertEqual(code, 1, text)
        self.assertIn("MISSED  counter          mutant early", text)

    def test_a_mutant_that_stands_still_is_caught_by_a_cover(self):
        code, text = self.run_tool(TRUE, "// mutant stands_still: s/count + 4'd1/count/\n")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, "caught  counter          mutant stands_still.*: round is not reached")

    def test_the_step_in_which_a_mutant_is_said_to_fail_is_tried_first_and_others_if_it_does_not(self):
        run, tried = self.formal.Programs.run, []

        def listen(programs, command, seconds):
            if command[0] == "yosys-smtbmc" and len(tried) < 9:
                tried.append(command[command.index("-t") + 1])
            return run(programs, command, seconds)

        for mode in ("", " solver=once"):
            for step, steps in ((11, ["11:12"]), (3, ["3:4", "0:12:12" if mode else "12"])):
                with self.subTest(mode=mode, step=step), unittest.mock.patch.object(self.formal.Programs, "run", listen):
                    tried.clear()
                    proof = PROOF.replace("mutants=12", f"mutants=12{mode}").replace("mutant counts_on", f"mutant counts_on at={step}")
                    code, text = self.run_tool(TRUE, proof=proof, arguments=("counter", "--jobs", "1"))
                    self.assertEqual(code, 0, text)
                    self.assertRegex(text, "caught  counter          mutant counts_on.*: digit")
                    self.assertEqual(tried[-len(steps):], steps, "the mutant is the last")
                    self.assertEqual(len(tried), 3 + len(steps))

    def test_a_mutant_that_changes_nothing_is_refused(self):
        self.assert_refused(TRUE, "changes nothing", mutants="// mutant nothing: s/absent/present/\n")

    def test_a_mutant_without_a_name_is_refused(self):
        self.assert_refused(TRUE, "needs a name", mutants="// mutant: s/4'd9/4'd8/\n")

    def test_an_unknown_name_lists_the_proofs(self):
        self.assert_refused(TRUE, "pacer: no such proof; there are counter", arguments=("pacer",))


# A solver front end that starts a solver and waits for it, like yosys-smtbmc; it writes down both process ids.
FAKE = """#!/bin/sh
sleep 1000 &
echo "$$ $!" >> "$FAKE_IDS"
wait
"""


class Solvers(unittest.TestCase):
    """With a solver that never answers."""

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="fpgauge-solver-test-"))
        self.addCleanup(shutil.rmtree, self.directory)
        fake = self.directory / "yosys-smtbmc"
        fake.write_text(FAKE)
        fake.chmod(0o755)
        self.ids = self.directory / "ids"
        self.ids.touch()

    def start(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.directory}:{os.environ['PATH']}", "FAKE_IDS": str(self.ids)}
        process = subprocess.Popen([sys.executable, "-B", str(ROOT / "tools/formal"), "snapshot_bank", "--jobs", "2", *arguments],
                                   env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(self.kill_all)
        return process

    def started(self):
        return [int(word) for word in self.ids.read_text().split()]

    def kill_all(self):
        for process in self.started():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def wait_for(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, "did not happen in 60 s")
            time.sleep(0.01)

    @staticmethod
    def runs(process):
        """A zombie does not."""
        try:
            return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def assert_none_runs(self):
        self.wait_for(lambda: not any(map(self.runs, self.started())))

    def test_a_time_out_kills_the_solver_and_fails(self):
        process = self.start("--no-mutants", "--seconds", "2")
        output, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(output.count("no answer of the solver in 2.0 s"), 3, output)
        self.assertEqual(len(self.started()), 6)
        self.assert_none_runs()

    def test_a_time_out_does_not_catch_a_mutant(self):
        process = self.start("--seconds", "1")
        output, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertNotIn("caught", output)
        self.assert_none_runs()

    def test_ctrl_c_and_termination_kill_the_solvers(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.ids.write_text("")
            process = self.start()
            self.wait_for(lambda: len(self.started()) >= 4)
            self.assertTrue(all(map(self.runs, self.started())))
            process.send_signal(number)
            output, _ = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 128 + number, output)
            self.assert_none_runs()


if __name__ == "__main__":
    unittest.main()
