#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the sources of mutants.toml: make_mutants.py OUT. Run by CMake, from the top of the source tree.

OUT/rtl/FILE.v, OUT/FILE.cpp   every change of such files, each only alive when mutant.cpp gives its number
OUT/N/FILE.c, OUT/N/FILE.h     one change each, N its number
OUT/mutants.h                  rows MUTANT(number, "name", KIND, "what is wrong with the row, else nothing", trial) for the test
OUT/mutants.cmake              fpgauge_twin_mutant(number file [source...]) for each .c and .h; of a .h, the sources that it can change

A row that does not fit the source any more is left out, and the test fails: the table must follow the source. Files are
only written anew where they change.
"""

import glob
import os
import sys
import tomllib

import mutant_reach

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TABLE = os.path.join(ROOT, "tests", "differential", "mutants.toml")
VERILOG_HEAD = '\n  import "DPI-C" function int fpgauge_mutant();\n  integer mutant;\n  initial mutant = fpgauge_mutant();\n'
TWIN_SOURCES = ("sim/twin/*.c", "sim/twin/play/*.c", "sim/twin/skip/*.c", "sim/dut/*.c")
CPP_HEAD = 'extern int fpgauge_mutant_number;\n'


def misfit(mutant):
    """Why the row cannot be applied, else nothing."""
    if source(mutant["file"]).count(mutant["line"]) != 1:
        return f"its line is not once in {mutant['file']}"
    if mutant["line"].count(mutant["from"]) != 1:
        return "its from is not once in its line"
    return ""


def changed(text, mutant, replacement):
    """text with mutant's `from` replaced, in its line."""
    return text.replace(mutant["line"], mutant["line"].replace(mutant["from"], replacement))


def alive_by_number(text, rows):
    """All of rows in one text, each asleep until its number is asked for."""
    if not rows:
        return text
    verilog = rows[0][1]["file"].endswith(".v")
    for number, mutant in rows:
        which = "mutant" if verilog else "fpgauge_mutant_number"
        text = changed(text, mutant, f"({which} == {number} ? ({mutant['to']}) : ({mutant['from']}))")
    if not verilog:
        return CPP_HEAD + text
    ports_end = text.index("\n);") + len("\n);")
    return text[:ports_end] + VERILOG_HEAD + text[ports_end:]


def write(path, text, made_from=TABLE):
    """made_from: a file that this one must not be older than, or make and ninja come back."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                newest = max(os.path.getmtime(each) for each in (TABLE, os.path.realpath(__file__), made_from))
                if os.path.getmtime(path) < newest:
                    os.utime(path)
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def kind(mutant):
    """How the test plays it."""
    if mutant.get("jumps"):
        return "JUMPS"
    side = "RTL" if mutant["file"].endswith((".v", ".cpp")) else "TWIN"
    if not mutant.get("on"):
        return side
    return mutant["on"].upper() + ("_RTL" if side == "RTL" else "")


def source(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def twin_mutant(tree, number, mutant):
    """The row of mutants.cmake."""
    sources = []
    if mutant["file"].endswith(".h"):
        every = [os.path.relpath(path, ROOT) for pattern in TWIN_SOURCES for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
        sources = mutant_reach.touched(tree, mutant["file"], mutant["line"], every)
    return f"fpgauge_twin_mutant({' '.join([str(number), mutant['file'], *sources])})\n"


def remove_others(out, kept):
    """Changed files of rows that had another number, or are gone: a twin finds those of its number before the source."""
    for number in os.listdir(out):
        for folder, _, files in os.walk(os.path.join(out, number) if number.isdigit() else ""):
            for path in (os.path.join(folder, name) for name in files):
                if path not in kept:
                    os.remove(path)


def main():
    out = sys.argv[1]
    with open(TABLE, "rb") as file:
        mutants = list(enumerate(tomllib.load(file)["mutant"], start=1))
    twins, tree = [], mutant_reach.Tree(ROOT)
    kept = set()
    for path in dict.fromkeys(mutant["file"] for _, mutant in mutants):
        rows = [(number, mutant) for number, mutant in mutants if mutant["file"] == path and not misfit(mutant)]
        if path.endswith((".c", ".h")):
            for number, mutant in rows:
                kept.add(os.path.join(out, str(number), path))
                write(os.path.join(out, str(number), path), changed(source(path), mutant, mutant["to"]),
                      os.path.join(ROOT, path))
                twins.append(twin_mutant(tree, number, mutant))
        else:
            name = os.path.join("rtl", os.path.basename(path)) if path.endswith(".v") else os.path.basename(path)
            write(os.path.join(out, name), alive_by_number(source(path), rows), os.path.join(ROOT, path))
    remove_others(out, kept)
    write(os.path.join(out, "mutants.h"), "".join(
        f'MUTANT({number}, "{mutant["name"]}", {kind(mutant)}, "{misfit(mutant)}", {mutant.get("trial", 0)})\n'
        for number, mutant in mutants))
    write(os.path.join(out, "mutants.cmake"), "".join(twins))


if __name__ == "__main__":
    main()
