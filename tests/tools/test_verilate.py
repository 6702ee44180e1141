#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model is built again from what the Verilog is now, however much that has grown or shrunk: Verilator then writes other files,
and neither a missing nor an old one may become part of the model. fpgauge_verilate() in a project of two small programs, of which
one, as the simulation library does, waits for a run of the other."""
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLOCKS = 5
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(two LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH {root}/tools/cmake)
include(FpgaugeVerilate)
add_executable(first main.cpp)
add_custom_command(OUTPUT ${{CMAKE_BINARY_DIR}}/answer.h COMMAND first > ${{CMAKE_BINARY_DIR}}/answer.h DEPENDS first)
add_executable(second main.cpp ${{CMAKE_BINARY_DIR}}/answer.h)
foreach(target first second)
  fpgauge_verilate(${{target}} TOP_MODULE top PREFIX Vtop SOURCES top.v
    VERILATOR_ARGS --output-split 100 --output-split-cfuncs 20 -y .)
endforeach()
"""
MAIN = """#include "Vtop.h"
#include <cstdio>
double sc_time_stamp() { return 0; }
int main() {
  Vtop top;
  top.clk = 0, top.eval();
  for (int i = 0; i < %d; i++) top.clk = 1, top.eval(), top.clk = 0, top.eval();
  printf("%%u\\n", unsigned(top.sum));
}
""" % CLOCKS


def verilog(registers):
    """Each register adds its number to itself in every clock, in some statements; sum is of them all."""
    numbers = range(1, registers + 1)
    blocks = "".join(f"  reg [31:0] a{n} = 0;\n  always @(posedge clk) if (a{n}[0]) a{n} <= a{n} + 32'd{n}; else a{n} <= a{n} + 32'd{n};\n"
                     for n in numbers)
    return f"module top (input clk, output [31:0] sum);\n{blocks}  adder u_adder (.sum(sum), .of({' + '.join(f'a{n}' for n in numbers)}));\nendmodule\n"


ADDER = """module adder (input [31:0] of, output [31:0] sum);
  assign sum = of + 32'd{plus};
endmodule
"""


@unittest.skipUnless(shutil.which("verilator") and shutil.which("cmake"), "needs Verilator")
class Verilate(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="fpgauge-verilate-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.build = self.root / "build"
        (self.root / "CMakeLists.txt").write_text(PROJECT.format(root=ROOT))
        (self.root / "main.cpp").write_text(MAIN)
        (self.root / "adder.v").write_text(ADDER.format(plus=0))

    def run_program(self, *command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{command}:\n{done.stdout[-3000:]}")
        return done.stdout

    def built(self, registers, plus):
        """Builds; the number of files of the model."""
        output = self.run_program("cmake", "--build", self.build, "--parallel", "2")
        should = CLOCKS * sum(range(1, registers + 1)) + plus
        for program in ("first", "second"):
            self.assertEqual(int(self.run_program(self.build / program)), should, f"{program}, {registers} registers:\n{output}")
        return len(re.findall("#include", next(self.build.rglob("second.dir/Vtop.dir/Vtop__ALL.cpp")).read_text()))

    def grows_and_shrinks(self, generator):
        self.run_program("cmake", "-S", self.root, "-B", self.build, "-G", generator, "-DCMAKE_BUILD_TYPE=")
        files = []
        for registers in (5, 60, 5):
            (self.root / "top.v").write_text(verilog(registers))
            files.append(self.built(registers, 0))
        self.assertTrue(files[0] == files[2] < files[1], f"another number of files was never written: {files}")
        # Verilator finds this one by itself, so that CMake has never heard of it.
        (self.root / "adder.v").write_text(ADDER.format(plus=7))
        self.built(5, 7)

    @unittest.skipUnless(shutil.which("ninja"), "needs Ninja")
    def test_ninja_builds_what_the_verilog_is_now(self):
        self.grows_and_shrinks("Ninja")
        # All was built in one run, also main.cpp, which reads a header that Verilator wrote.
        self.assertIn("no work to do", self.run_program("ninja", "-C", self.build))

    @unittest.skipUnless(shutil.which("make"), "needs make")
    def test_make_builds_what_the_verilog_is_now(self):
        self.grows_and_shrinks("Unix Makefiles")


if __name__ == "__main__":
    unittest.main()
