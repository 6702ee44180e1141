#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/coverage: floors only rise, what is below one is named, and no line is left out without a reason."""

import os
import re
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tools", "coverage.d"))
import c_lines  # noqa: E402
import floors  # noqa: E402
import folders  # noqa: E402
import page  # noqa: E402
import rtl_lines  # noqa: E402


def count(lines, lines_run):
    made = folders.Count()
    made.lines, made.lines_run = lines, lines_run
    return made


class WholeRuns(unittest.TestCase):
    def test_what_tools_test_leaves_to_this_tool_is_run_here_as_ctest_runs_it(self):
        names = [name.removeprefix("system.") for name in c_lines.as_ctest()]
        self.assertGreater(len(names), 40)
        for name in names:
            self.assertIn(name, c_lines.SYSTEM_TESTS)  # whole: a choice of cases would follow the name
            with open(os.path.join(ROOT, "tests", "system", f"test_{name}.py"), encoding="utf-8") as file:
                self.assertNotRegex(file.read(), "FPGAUGE_KILLS|FPGAUGE_XRT_RUNS", name)  # run_system_test() sets them
        with open(os.path.join(ROOT, "tests", "system", "CMakeLists.txt"), encoding="utf-8") as file:
            for name in re.findall(r"\bsystem\.(\w+)", re.sub(r"set_tests_properties\([^)]*SKIP_REGULAR_EXPRESSION[^)]*\)|#.*", "", file.read())):
                self.assertNotIn(name, names)  # it has an environment of its own, or runs alone


class Floors(unittest.TestCase):
    def test_a_folder_below_its_floor_is_named_and_one_at_it_is_not(self):
        limits = {("short", "host/base"): 90.0, ("short", "drivers"): 80.0, ("long", "drivers"): 99.0}
        measured = {"host/base": count(1000, 899), "drivers": count(10, 8)}
        self.assertEqual(floors.below(limits, "short", measured),
                         ["host/base: 89.90% of its lines ran, the floor is 90.0%"])

    def test_a_folder_without_a_floor_and_a_floor_without_a_folder_are_named(self):
        wrong = floors.below({("short", "gone"): 1.0}, "short", {"new": count(1, 1)})
        self.assertEqual(len(wrong), 2)
        self.assertIn("gone: has a floor", wrong[0])
        self.assertIn("new: has no floor", wrong[1])

    def test_a_floor_rises_to_half_a_point_below_what_was_measured_and_never_falls(self):
        measured = {"up": count(1000, 950), "down": count(1000, 500)}
        raised = floors.raised({("short", "up"): 80.0, ("short", "down"): 90.0}, "short", measured)
        self.assertEqual(raised, {("short", "up"): 94.5, ("short", "down"): 90.0})
        # One line of 20 is 5%: the margin is two lines.
        self.assertEqual(floors.raised({}, "short", {"small": count(20, 20)}), {("short", "small"): 90.0})

    def test_the_floors_of_one_form_are_not_touched_by_the_other(self):
        limits = {("long", "up"): 80.0}
        self.assertEqual(floors.raised(limits, "short", {"up": count(1000, 1000)})["long", "up"], 80.0)

    def test_what_is_written_is_read_again_and_rubbish_is_refused_with_its_line(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "floors")
            limits = {("short", "host/base"): 98.3, ("rtl", "hw/rtl/core"): 100.0}
            floors.write(path, limits)
            self.assertEqual(floors.read(path), limits)
            with open(path, "a", encoding="utf-8") as file:
                file.write("host/base 5\n")
            with self.assertRaisesRegex(ValueError, r"floors:6: must be: short\|long\|rtl FOLDER PERCENT"):
                floors.read(path)


class Folders(unittest.TestCase):
    def test_files_are_summed_up_a_folder_and_a_total_takes_what_is_below(self):
        found = folders.by_folder({"host/a/x.c": count(10, 5), "host/a/y.c": count(30, 30), "sim/z.c": count(60, 0),
                                   "host/b/empty.h": count(0, 0)})
        self.assertEqual(list(found), ["host/a", "sim"])
        self.assertEqual(found["host/a"].percent, 87.5)
        self.assertEqual((folders.total(found, "host").lines, folders.total(found).lines_run), (40, 35))
        self.assertEqual(folders.total(found, "hos").lines, 0)

    def test_missed_lines_are_named_as_ranges(self):
        missed = {"host/a/x.c": [7, 3, 4, 5], "sim/z.c": [1]}
        self.assertEqual(folders.missed(missed, "host"), ["host/a/x.c: 3-5, 7"])


class Page(unittest.TestCase):
    def test_a_folder_that_was_measured_and_has_no_row_is_named(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "coverage.md")
            table = page.as_markdown({"host/a": count(10, 5), "host/ab": count(10, 5)}, (), True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"Not a row: `host/b`.\n\n{table}\n")
            self.assertEqual(page.without_row(path, ["host/a", "host/ab"]), [])
            wrong = page.without_row(path, ["host", "host/a", "host/b"])
        self.assertEqual([line.split(":")[0] for line in wrong], ["host", "host/b"])
        self.assertIn("has no row in docs/coverage.md", wrong[0])


class Exclusions(unittest.TestCase):
    def exclusions_of(self, text):
        with tempfile.TemporaryDirectory() as scratch:
            os.mkdir(os.path.join(scratch, "host"))
            with open(os.path.join(scratch, "host", "x.c"), "w", encoding="utf-8") as file:
                file.write(text)
            return c_lines.exclusions(scratch)

    def test_a_mark_has_a_place_and_a_reason(self):
        self.assertEqual(self.exclusions_of("a();\nb(); /* GCOV_EXCL_LINE: no kernel does this */\n"),
                         [("host/x.c:2", "no kernel does this")])

    def test_a_mark_without_a_reason_is_refused(self):
        with self.assertRaisesRegex(c_lines.Failed, r"host/x.c:1: a line is left out without a reason"):
            self.exclusions_of("a(); /* GCOV_EXCL_LINE */\n")

    def test_every_mark_of_the_tree_has_a_reason(self):
        c_lines.exclusions(ROOT)
        self.assertTrue(all(reason for _, reason in c_lines.exclusions_of_verilog(ROOT)))

    def test_a_mark_of_verilog_has_its_reason_on_the_line_before(self):
        with tempfile.TemporaryDirectory() as scratch:
            os.mkdir(os.path.join(scratch, "hw"))
            for text, says in (("// Not counted: a constant\n// verilator coverage_off\n", [("hw/x.v:2", "a constant")]),
                               ("wire a;\n// verilator coverage_off\n", None)):
                with open(os.path.join(scratch, "hw", "x.v"), "w", encoding="utf-8") as file:
                    file.write(text)
                if says:
                    self.assertEqual(c_lines.exclusions_of_verilog(scratch), says)
                else:
                    with self.assertRaisesRegex(c_lines.Failed, "hw/x.v:2: lines are left out without a reason"):
                        c_lines.exclusions_of_verilog(scratch)


class Verilog(unittest.TestCase):
    def test_a_line_that_ran_in_any_build_ran(self):
        text = "SF:hw/rtl/a.v\nDA:3,0\nDA:3,7\nDA:5,0\nend_of_record\nSF:hw/rtl/b.v\nDA:1,2\nend_of_record\n"
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "all.info")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("SF:", f"SF:{os.path.realpath(scratch)}/"))
            counts, missed = rtl_lines.read_info(os.path.realpath(scratch), path)
        self.assertEqual((counts["hw/rtl/a.v"].lines, counts["hw/rtl/a.v"].lines_run), (2, 1))
        self.assertEqual((missed["hw/rtl/a.v"], missed["hw/rtl/b.v"]), ([5], []))


if __name__ == "__main__":
    unittest.main()
