#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an RTL library compiled with -march=native requires of the processor that it is opened on
(sim/rtl/processor.cpp), for each compiler available here: against the published levels of x86-64, and against what the
kernel says about this processor."""

import os
import platform
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
MAIN = """
#include "sim/rtl/processor.h"
#include <cstdio>
#define NAME(macro, name) name,
static const char *const NAMES[] = {PROCESSOR_FEATURES(NAME)};
int main()
{
	const char *missing = processor_lacks(PROCESSOR_NEEDS);
	for (unsigned i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
		if (PROCESSOR_NEEDS[i])
			printf("%s ", NAMES[i]);
	printf("\\n%s\\n", missing ? missing : "");
}
"""
# x86-64 psABI 1.0, table 3.1, except what compilers cannot query the processor for: F16C, LZCNT, MOVBE, and CMPXCHG16B,
# LAHF of v2. A processor with AVX2 has them.
V2 = ["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"]
V3 = V2 + ["avx", "avx2", "bmi", "bmi2", "fma"]
V4 = V3 + ["avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd"]
LEVELS = {"x86-64": [], "x86-64-v2": V2, "x86-64-v3": V3, "x86-64-v4": V4}
# More than the original AVX-512: icelake-server in the manuals of GCC and clang.
ICELAKE = V4 + ["avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "gfni", "vpclmulqdq"]
# Features for which the kernel has another name.
KERNEL = {"sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "bmi": "bmi1",
          **{f"avx512{name}": f"avx512_{name}" for name in ("vbmi2", "vnni", "bitalg", "vpopcntdq")}}


def kernel_flags():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return set(next(line for line in file if line.startswith("flags")).split())


@unittest.skipUnless(platform.machine() == "x86_64", "only x86-64 is asked")
class Processor(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = scratch.name
        self.compilers = [compiler for compiler in ("clang++", "g++") if shutil.which(compiler)]
        self.assertTrue(self.compilers)

    def needs(self, compiler, march):
        """What is required when the Verilated code is compiled like this, and what of it is missing here ("" for
        nothing)."""
        program = os.path.join(self.scratch, "main")
        main, objects = os.path.join(self.scratch, "main.cpp"), []
        with open(main, "w", encoding="utf-8") as file:
            file.write(MAIN)
        for source, options in ((main, []), (f"{ROOT}/sim/rtl/processor.cpp", []), (f"{ROOT}/sim/rtl/needs.cpp", [f"-march={march}"])):
            objects.append(os.path.join(self.scratch, f"{len(objects)}.o"))
            subprocess.run([compiler, "-std=c++17", f"-I{ROOT}", *options, "-c", source, "-o", objects[-1]], check=True)
        subprocess.run([compiler, *objects, "-o", program], check=True)
        asked, missing = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        return asked.split(), missing

    def test_a_library_asks_for_all_that_its_compiler_was_allowed_and_names_what_is_missing(self):
        flags = kernel_flags()
        for compiler in self.compilers:
            for march, expected in {**LEVELS, "icelake-server": ICELAKE}.items():
                with self.subTest(f"{compiler} -march={march}"):
                    asked, missing = self.needs(compiler, march)
                    self.assertEqual(sorted(asked), sorted(expected))
                    lacking = [name for name in asked if KERNEL.get(name, name) not in flags]
                    self.assertEqual(missing, lacking[0] if lacking else "")

    def test_a_library_for_this_processor_opens_on_it(self):
        for compiler in self.compilers:
            asked, missing = self.needs(compiler, "native")
            self.assertIn("sse3", asked)
            self.assertEqual(missing, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
