# SPDX-License-Identifier: Apache-2.0
"""Lines of Verilog that the testbenches run: Verilator's counters, one file per testbench, and verilator_coverage."""

import collections
import glob
import os
import subprocess

from c_lines import Failed, run
from folders import Count


def build(root, folder, jobs):
    configure = ["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=MinSizeRel",
                 "-DFPGAUGE_COVERAGE=RTL", "-DFPGAUGE_SIM=OFF", "-DFPGAUGE_TESTS=ON"]
    for command in (configure, ["ninja", "-C", folder, "-j", str(jobs), "tests/rtl/all"]):
        if run(command, stdout=subprocess.DEVNULL).returncode:
            raise Failed(f"{command[0]} failed")


def run_testbenches(folder, jobs):
    for path in glob.glob(os.path.join(folder, "rtl-coverage", "*.dat")):
        os.remove(path)
    command = ["ctest", "--test-dir", folder, "-R", r"^rtl\.", "--parallel", str(jobs), "--timeout", "1800", "--quiet",
               "--no-tests=error", "--output-on-failure"]
    if run(command).returncode:
        raise Failed("a testbench failed")


def collect(root, folder):
    """({path: Count}, {path: [numbers of lines that did not run]}); a line ran if it did in any testbench."""
    info = os.path.join(folder, "rtl-coverage", "all.info")
    data = sorted(glob.glob(os.path.join(folder, "rtl-coverage", "*.dat")))
    if run(["verilator_coverage", "--write-info", info, *data], stdout=subprocess.DEVNULL).returncode:
        raise Failed("verilator_coverage failed")
    return read_info(root, info)


def read_info(root, info):
    lines, path = collections.defaultdict(dict), None
    with open(info, encoding="utf-8") as file:
        for row in file:
            key, _, value = row.strip().partition(":")
            if key == "SF":
                path = os.path.relpath(os.path.realpath(value), root)
            elif key == "DA":
                number, times = value.split(",")[:2]
                lines[path][int(number)] = lines[path].get(int(number), 0) + int(times)
    counts, missed = {}, {}
    for path, numbers in lines.items():
        count = counts[path] = Count()
        count.lines = len(numbers)
        count.lines_run = sum(1 for times in numbers.values() if times)
        missed[path] = [number for number, times in numbers.items() if not times]
    return counts, missed


def measure(root, folder, jobs):
    build(root, folder, jobs)
    run_testbenches(folder, jobs)
    return collect(root, folder)
