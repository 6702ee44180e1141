# SPDX-License-Identifier: Apache-2.0
"""The table on the terminal, and docs/coverage.md."""

import math
import subprocess

from folders import total


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def percent(value):
    """Rounded down, so that 100.0 means all of them."""
    return "-" if value is None else f"{math.floor(value * 10) / 10:.1f}"


def rows(folders, totals):
    """The rows of a table: folder, lines, run, percent, branches, percent; then the totals."""
    counts = [*folders.items(), *((name, total(folders, *below)) for name, below in totals)]
    return [(name, str(count.lines), str(count.lines_run), percent(count.percent), str(count.branches),
             percent(count.branch_percent)) for name, count in counts if count.lines]


def as_text(folders, totals):
    table = [("folder", "lines", "run", "%", "branches", "%"), *rows(folders, totals)]
    widths = [max(len(row[i]) for row in table) for i in range(6)]
    return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))) for row in table)


def as_markdown(folders, totals, has_branches):
    shown = 6 if has_branches else 4
    head = ("folder", "lines", "run", "%", "branches", "%")[:shown]
    table = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (shown - 1)]
    for row in rows(folders, totals):
        name = row[0] if row[0] == "all" or " " in row[0] else f"`{row[0]}`"
        table.append("| " + " | ".join((name, *row[1:shown])) + " |")
    return "\n".join(table)


def without_row(path, folders):
    """[what is wrong]: folders that were measured and that the page does not name."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return [f"{folder}: has no row in docs/coverage.md; --rtl --write makes one" for folder in folders if f"\n| `{folder}` |" not in text]


TESTS = {"short": "the C tests and the whole runs that are quick (`tools/coverage.d/c_lines.py` names them)",
         "long": "all C tests and all whole runs but those of a browser and of a QEMU guest"}
MADE_BY = {"short": "tools/coverage --rtl --write", "long": "tools/coverage --long --write"}


def write(path, form, c_table, rtl_table, exclusions, testbenches):
    left_out = "\n".join(f"- `{place}`: {reason}" for place, reason in exclusions) or "Nothing."
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""\
# What the tests run

Made by `{MADE_BY[form]}`; do not edit. A line that ran is not yet a line that was checked: what finds a wrong
line is a test that compares (CONTRIBUTING.md), and mutants (`tests/differential`).

Conditions: {first_line("gcc", "--version")}; gcovr {first_line("gcovr", "--version").split()[-1]}; {first_line("verilator", "--version")}.
C by {TESTS[form]}, over the Verilated libraries of a
release build. Verilog by {testbenches}; no run of a simulation library counts.

`tools/test coverage` measures C by the quick tests and fails below the floors marked "short" in `tools/coverage.floor`. Those marked
"rtl" are checked by `tools/coverage --rtl`, which is too long for every test run, and those marked "long" by `--long`.

## C

Lines and branches of the C sources, and of the C++ of the driver for XRT. Not counted: `sim/rtl`, C++ around the Verilated core,
whose libraries are optimised with a profile and carry no counters; `tests/sim` and `tests/rtl` run it.

{as_markdown(*c_table, True)}

## Verilog

Lines with a statement of `hw/`, by Verilator; it counts no branches, and no assignment outside of a block. A line counts as run when
it did in one of the builds (1, 2, 4 or 8 groups a word, 2 or 4 ports, both forms of the CRC).

{as_markdown(*rtl_table, False)}

## What is left out, and why

Lines marked `GCOV_EXCL_LINE` (C) or `verilator coverage_off` (Verilog) are not in the numbers. Each has its reason beside it:

{left_out}
""")
