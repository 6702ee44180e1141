#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/check-deps: the tree passes, and every kind of wrong arrow in a copy of it is found and named."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import tempfile
import unittest

from tree_case import ROOT, TreeCase

TABLE = os.path.join("tools", "deps.toml")


def all_but_sources(folder, names):
    return [name for name in names if not os.path.isdir(os.path.join(folder, name)) and
            not name.endswith(TOOL.SOURCES) and name != "CMakeLists.txt"]


def load_tool():
    loader = importlib.machinery.SourceFileLoader("check_deps", os.path.join(ROOT, "tools", "check-deps"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


TOOL = load_tool()
FOLDERS = TOOL.FOLDERS


class CheckDeps(TreeCase):
    tool = "check-deps"

    @classmethod
    def setUpClass(cls):
        """One copy for all: each test puts back what it has changed."""
        super().setUpClass()
        scratch = tempfile.TemporaryDirectory(prefix="fpgauge-tree-")
        cls.addClassCleanup(scratch.cleanup)
        cls.copy = os.path.realpath(scratch.name)
        for folder in FOLDERS:
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(cls.copy, folder), ignore=all_but_sources)
        os.mkdir(os.path.join(cls.copy, "tools"))
        shutil.copy(os.path.join(ROOT, TABLE), os.path.join(cls.copy, TABLE))

    def setUp(self):
        self.root = self.copy
        self.touched = {TABLE}
        self.addCleanup(self.put_back)

    def put_back(self):
        for path in self.touched:
            ours, copy = os.path.join(ROOT, path), os.path.join(self.root, path)
            if os.path.exists(ours):
                shutil.copy(ours, copy)
            else:
                os.remove(copy)
                with contextlib.suppress(OSError):  # not empty
                    os.removedirs(os.path.dirname(copy))

    def write(self, path, text):
        self.touched.add(path)
        super().write(path, text)

    def append(self, path, text):
        self.touched.add(path)
        super().append(path, text)

    def check(self, root):
        """In this process: what the tool keeps of the text of a file serves all copies of the tree."""
        said = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            code = TOOL.main([root])
        return code, said.getvalue().splitlines()

    def assert_found(self, *expected):
        """Exactly the expected complaints, each a beginning of a line."""
        code, complaints = self.check(self.root)
        self.assertEqual(len(complaints), len(expected), complaints)
        for complaint, beginning in zip(sorted(complaints), sorted(expected)):
            self.assertTrue(complaint.startswith(beginning), f"{complaint!r} does not begin with {beginning!r}")
        self.assertEqual(code, 1)

    def test_the_tree_as_it_is_has_no_wrong_arrow(self):
        self.assertEqual(super().check(ROOT), (0, []))  # runs as a program of its own
        self.assert_clean()

    def test_a_search_that_includes_the_device_is_named_with_its_line(self):
        self.write("host/search/wrong.c", '#include "host/base/rate.h"\n#include "drivers/device.h"\n')
        self.assert_found("host/search/wrong.c:2: host/search may not include drivers/device.h (allowed: host/base)")

    def test_an_include_relative_to_the_file_is_followed(self):
        self.write("sim/wrong.cpp", '#include "../host/plan/plan.h"\n')
        self.assert_found("sim/wrong.cpp:1: sim may not include host/plan/plan.h")

    def test_an_include_in_angle_brackets_is_followed(self):
        self.write("host/report/wrong.c", "#include <host/bench/bench.h>\n")
        self.assert_found("host/report/wrong.c:1: host/report may not include host/bench/bench.h")

    def test_one_header_of_a_folder_does_not_open_the_folder(self):
        self.write("host/bench/wrong.c", '#include "drivers/device.h"\n#include "drivers/sim_abi.h"\n')
        self.assert_found("host/bench/wrong.c:2: host/bench may not include drivers/sim_abi.h")

    def test_verilog_may_include_nothing_of_the_host(self):
        self.write("hw/rtl/core/wrong.v", '`include "../../../host/base/rate.h"\n')
        self.assert_found("hw/rtl/core/wrong.v:1: hw may not include host/base/rate.h (allowed: nothing)")

    def test_a_library_that_links_against_the_arrow_is_found(self):
        self.write("host/search/CMakeLists.txt",
                   "fpgauge_library(NAME fpgauge_search SOURCES search.c\n  DEPENDS fpgauge_base fpgauge_trial)\n")
        self.assert_found("host/search/CMakeLists.txt:1: host/search may not link fpgauge_trial of host/trial")

    def test_target_link_libraries_is_read_too(self):
        self.append("drivers/CMakeLists.txt", "target_link_libraries(fpgauge_drivers PUBLIC fpgauge_plan)\n")
        code, complaints = self.check(self.root)
        self.assertEqual(code, 1)
        self.assertEqual(len(complaints), 1)
        self.assertIn("drivers may not link fpgauge_plan of host/plan", complaints[0])

    def test_a_new_folder_needs_a_row(self):
        self.write("host/spare/spare.c", "int store;\n")
        self.assert_found("host/spare/spare.c:1: host/spare has no row in tools/deps.toml")

    def test_only_cli_may_exit(self):
        self.write("host/plan/wrong.c", "void f(void)\n{\n\texit(2);\n}\n")
        self.write("host/cli/right.c", "void f(void)\n{\n\texit(2);\n}\n")
        self.assert_found("host/plan/wrong.c:3: host/plan may not call exit: only commands end the program")

    def test_only_cli_and_report_may_print(self):
        self.write("host/trial/wrong.c", 'void f(void)\n{\n\tprintf("x");\n\tfputs("x", stderr);\n}\n')
        self.write("host/report/right.c", 'void f(void)\n{\n\tprintf("x");\n}\n')
        self.assert_found("host/trial/wrong.c:3: host/trial may not call printf",
                          "host/trial/wrong.c:4: host/trial may not call fputs",
                          "host/trial/wrong.c:4: host/trial may not use stderr")

    def test_decisions_have_no_clock(self):
        self.write("host/bench/wrong.c", "#include <time.h>\nint f(void)\n{\n\treturn clock_gettime(0, 0);\n}\n")
        self.assert_found("host/bench/wrong.c:1: host/bench may not include <time.h>: decisions are pure",
                          "host/bench/wrong.c:4: host/bench may not call clock_gettime: decisions are pure",
                          "host/bench/wrong.c:4: host/bench may not call clock_gettime: time is read")

    def test_only_one_file_reads_a_clock(self):
        self.write("drivers/wrong.c", "#include <time.h>\nlong f(void)\n{\n\treturn time(0);\n}\n")
        self.write("host/base/wrong.c", "void f(void)\n{\n\tnanosleep(0, 0);\n}\n")
        self.write("drivers/right.c", '#include "host/base/clock.h"\nlong g(void)\n{\n\treturn clock_ns();\n}\n')
        self.assert_found("drivers/wrong.c:4: drivers may not call time: time is read, waited for and written by host/base/clock.h",
                          "host/base/wrong.c:3: host/base may not call nanosleep")

    def test_only_one_file_starts_programs(self):
        self.write("drivers/wrong.c", "#include <spawn.h>\nint f(void)\n{\n\treturn fork() ? 0 : execv(0, 0);\n}\n")
        self.assert_found("drivers/wrong.c:1: drivers may not include <spawn.h>: programs are started and waited for by",
                          "drivers/wrong.c:4: drivers may not call fork: programs are started",
                          "drivers/wrong.c:4: drivers may not call execv: programs are started")

    def test_what_is_pure_may_not_ask_for_the_time(self):
        self.write("host/search/wrong.c", '#include "host/base/clock.h"\n')
        self.write("host/report/html/wrong.c", '#include "host/base/clock.h"\n')
        self.assert_found("host/search/wrong.c:1: host/search may not include host/base/clock.h: decisions are pure",
                          "host/report/html/wrong.c:1: host/report/html may not include host/base/clock.h: the same file in")

    def test_a_call_that_must_be_looked_at_is_found_where_nobody_does(self):
        with open(os.path.join(self.root, "tools", "deps.toml"), "a", encoding="utf-8") as file:
            file.write('\n[[rule]]\nfolders = ["host"]\nwhy = "it can fail"\nstatements = ["drop_it"]\n')
        self.write("host/bench/wrong.c", "void f(int i)\n{\n\tdrop_it(i);\n\tif (i)\n\t\tdrop_it(i);\n\telse\n\t\tdrop_it(i);\n#undef A\n\tdrop_it(i);\n"
                                         "\ti |= drop_it(i);\n\tif (drop_it(i) ||\n\t    drop_it(i))\n\t\tdo_drop_it(i);\n}\n")
        why = "host/bench may not call drop_it without looking at what it returns: it can fail"
        self.assert_found(*(f"host/bench/wrong.c:{line}: {why}" for line in (3, 5, 7, 9)))

    def test_a_rule_for_a_folder_is_one_for_the_folders_below_it(self):
        self.write("host/bench/rfc2544/wrong.c", "int f(void)\n{\n\treturn getenv(0) != 0;\n}\n")
        self.write("host/bench/rfc9999/wrong.c", "int f(void)\n{\n\treturn getenv(0) != 0;\n}\n")
        self.assert_found("host/bench/rfc2544/wrong.c:3: host/bench/rfc2544 may not call getenv: decisions are pure",
                          "host/bench/rfc9999/wrong.c:3: host/bench may not call getenv: decisions are pure")

    def test_a_benchmark_knows_no_other_and_only_the_table_knows_it(self):
        self.write("host/bench/rfc2544/wrong.c", '#include "host/bench/rfc9004/back_to_back.h"\n#include "host/bench/goals.h"\n')
        self.write("host/cli/wrong.c", '#include "host/bench/rfc2544/throughput.h"\n#include "host/bench/bench.h"\n')
        self.write("host/bench/right.c", '#include "host/bench/rfc2544/throughput.h"\n')
        self.assert_found("host/bench/rfc2544/wrong.c:1: host/bench/rfc2544 may not include host/bench/rfc9004/back_to_back.h",
                          "host/cli/wrong.c:1: host/cli may not include host/bench/rfc2544/throughput.h")

    def test_nobody_asks_for_the_name_of_a_benchmark_in_place_of_its_row(self):
        self.write("host/cli/wrong.c", "int f(int kind)\n{\n\treturn kind == PLAN_BACK_TO_BACK;\n}\n")
        self.write("host/plan/wrong.c", '#define SQL "SELECT 1 WHERE test = \'throughput\'"\n'
                                        'int f(const char *name)\n{\n\treturn !strcmp(name, "mlrsearch");\n}\n')
        self.write("host/bench/wrong.c", 'const char *tests = "mlrsearch throughput";\nvoid *row = &THROUGHPUT;\n')
        self.assert_found("host/cli/wrong.c:3: PLAN_BACK_TO_BACK names a benchmark: what is of one benchmark stands in its row",
                          "host/plan/wrong.c:1: \"SELECT 1 WHERE test = 'throughput'\" names a benchmark",
                          'host/plan/wrong.c:4: "mlrsearch" names a benchmark',
                          'host/bench/wrong.c:1: "mlrsearch throughput" names a benchmark',
                          "host/bench/wrong.c:2: THROUGHPUT names a benchmark")

    def test_prose_metrics_and_searches_name_no_benchmark(self):
        self.write("host/cli/right.c", '/* "throughput" */\nconst char *s = "finds throughput", *key = "throughput_fps";\n'
                                       "int f(int search)\n{\n\treturn search == PLAN_SEARCH_MLRSEARCH;\n}\n")
        self.assert_clean()

    def test_a_benchmark_that_is_new_is_held_to_the_same(self):
        self.write("host/bench/rfc2544/fast_reset.c",
                   'const struct benchmark FAST_RESET = {\n        .plan = {.keys = {"fast_reset", SLICES(&KEYS_TEST)}},\n};\n')
        self.write("host/cli/wrong.c", 'int f(const char *name)\n{\n\treturn !strcmp(name, "fast_reset");\n}\n')
        self.assert_found('host/cli/wrong.c:3: "fast_reset" names a benchmark')

    def test_an_exception_that_nobody_needs_any_more_is_taken_off_the_list(self):
        toml = os.path.join(self.root, "tools", "deps.toml")
        with open(toml, encoding="utf-8") as file:
            text = file.read()
        with open(toml, "w", encoding="utf-8") as file:
            file.write(text.replace("until = [", 'until = ["host/trial", '))
        self.assert_found("tools/deps.toml:1: host/trial names no benchmark any more")

    def write_pair(self, name, header, code):
        self.write(f"host/base/{name}.h", header)
        self.write(f"host/base/{name}.c", f'#include "host/base/{name}.h"\n' + code)

    def test_two_files_that_call_one_another_are_a_circle_with_both_calls_named(self):
        self.write_pair("egg", "int egg(int n);\n", '#include "host/base/hen.h"\nint egg(int n)\n{\n\treturn hen(n);\n}\n')
        self.write_pair("hen", "int hen(int n);\n", '#include "host/base/egg.h"\nint hen(int n)\n{\n\treturn egg(n - 1);\n}\n')
        self.assert_found("host/base/egg.c:5: a circle of files: host/base/egg uses hen of host/base/hen (host/base/egg.c:5); "
                          "host/base/hen uses egg of host/base/egg (host/base/hen.c:5)")

    def test_a_circle_goes_through_headers_function_pointers_and_objects(self):
        self.write("host/base/shared.h", "extern const int RED;\nint green(void);\nint blue(void);\n")
        self.write("host/base/all.h", '#include "host/base/shared.h"\n')
        begin = '#include "host/base/all.h"\n'
        self.write("host/base/red.c", begin + "const int RED = 1;\nstatic int (*const TABLE[])(void) = {\n\tgreen,\n};\n")
        self.write("host/base/green.c", begin + "int\ngreen(void)\n{\n\treturn blue();\n}\n")
        self.write("host/base/blue.c", begin + "int blue(void)\n{\n\treturn RED;\n}\n")
        self.assert_found("host/base/blue.c:4: a circle of files: host/base/blue uses RED of host/base/red (host/base/blue.c:4); "
                          "host/base/red uses green of host/base/green (host/base/red.c:4); "
                          "host/base/green uses blue of host/base/blue (host/base/green.c:5)")

    def test_types_statics_members_and_comments_make_no_circle(self):
        self.write_pair("egg", "struct egg {\n\tint hen;\n};\nint lay(struct egg *egg);\n",
                        '#include "host/base/hen.h"\n/* not brood() */\nstatic int count(void)\n{\n\treturn 1;\n}\n'
                        "int lay(struct egg *egg)\n{\n\treturn egg->hen + count();\n}\n")
        self.write_pair("hen", "struct hen {\n\tint (*lay)(void);\n};\nint brood(struct hen *hen);\nint count(void);\n",
                        '#include "host/base/egg.h"\nint count(void)\n{\n\treturn 2;\n}\n'
                        "int brood(struct hen *hen)\n{\n\tstruct egg egg = {0};\n\treturn hen->lay() + lay(&egg);\n}\n")
        self.assert_clean()

    def test_decisions_touch_no_register(self):
        self.write("host/bench/wrong.c", "int f(void)\n{\n\treturn device_read32(0, 0, 0, 0);\n}\n")
        self.assert_found("host/bench/wrong.c:3: host/bench may not call device_read32")

    def test_comments_strings_and_members_are_not_calls(self):
        self.write("host/search/right.c",
                   '/* exit(1) and\n * printf("x") */\n// time(0)\nconst char *s = "fopen(\\"x\\") exit(1)";\n'
                   "int f(struct o *o)\n{\n\treturn o->close(o) + o->ops.time() + my_exit(1) + snprintf(0, 0, s);\n}\n")
        self.assert_clean()

    def test_an_empty_tree_is_an_error_and_not_a_pass(self):
        with tempfile.TemporaryDirectory() as empty:
            os.mkdir(os.path.join(empty, "tools"))
            shutil.copy(os.path.join(ROOT, "tools", "deps.toml"), os.path.join(empty, "tools"))
            self.assertEqual(super().check(empty)[0], 1)


if __name__ == "__main__":
    unittest.main()
