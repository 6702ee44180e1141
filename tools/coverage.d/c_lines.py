# SPDX-License-Identifier: Apache-2.0
"""Lines and branches of C (and of the C++ of drivers): a build by gcc with counters, tests, and gcovr."""

import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from folders import Count

COUNTED = ("host/", "drivers/", "sim/")
# The quick C tests; the others pass millions of frames through sim/ only.
SLOW_C_TESTS = r"^(sim\.(models|fifo|truth)|differential\..*)$"
C_TESTS = r"^(c|sim|differential)\."
# The quickest whole runs that reach code that no other test does, the longest first; --long runs all. Words after a name choose among its cases.
SYSTEM_TESTS = ("own_dut wrong clocks_of settings_of lists_folders nothing_is_made_again two_digits waveform_shows_all", "rfc2889_forwarding", "rfc8239_buffers", "address_table", "errored_frames", "congestion_control",
                "rfc2889_pressure", "rfc8239_device_buffers", "new_network", "routing_updates",
                "rfc8239_microburst", "rfc8239_line_rate", "rfc8239_holb", "rfc8239_incast", "protocol_modifiers", "filters", "side_by_side",
                "bursty_traffic", "modifiers", "xrt the_twin WhichCard", "html", "preset", "recovery_truth", "pci_faults", "pci_watch", "xrt_watch", "frame_loss_rate", "routed",
                "latency", "reset_truth", "selftest", "pci the_twin PlainMac WhichBoard", "xrt_selftest", "pci_selftest", "report", "report_exactness", "exec_foreign", "exec_bad_tester",
                "bad_input", "calibration", "capture", "cli", "clock", "dut_refusals", "exec_mlrsearch", "exec_tester", "interrupt", "resume", "info", "baseline", "trend", "rfc2889_uplink",
                "run_files", "fit_durations", "forecast", "send", "sweep", "sweep_slurm", "watch", "wire", "load_range",
                "what_people_type", "exec_offered")
# These need the machine for themselves, may be skipped, which ctest tells, or are run with fewer repetitions here.
NOT_AS_CTEST = ("pci_selftest", "xrt_selftest", "sweep_slurm", "resume")
# A browser, or a guest without access to our folders, adds nothing that is counted.
UNCOUNTED_SYSTEM_TESTS = ("html_browser", "html_trend", "qemu_guest")
EXCLUSION = re.compile(r"GCOV_EXCL_(?:LINE|BR_LINE|START):? *(.*?) *(?:\*/)?$")


class Failed(Exception):
    """The text says what went wrong."""


def as_ctest():
    """Names of tests that run here as ctest runs them, so that tools/test need not run them twice."""
    return [f"system.{name}" for name in SYSTEM_TESTS if " " not in name and name not in NOT_AS_CTEST]


def run(command, **more):
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=False, **more)


def build(root, folder, jobs, libraries):
    configure = ["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DFPGAUGE_COVERAGE=C",
                 "-DFPGAUGE_SIM=OFF", "-DFPGAUGE_TESTS=ON", "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++"]
    for command in (configure, ["ninja", "-C", folder, "-j", str(jobs)]):
        if run(command, stdout=subprocess.DEVNULL).returncode:
            raise Failed(f"{command[0]} failed")
    # The twin is built here, with counters; the Verilated libraries are used as they are.
    for library in glob.glob(os.path.join(libraries, "libfpgauge-sim-rtl*.so")):
        link = os.path.join(folder, "sim", os.path.basename(library))
        if os.path.lexists(link):
            os.remove(link)
        os.symlink(library, link)
    if not os.path.exists(os.path.join(folder, "sim", "libfpgauge-sim-rtl.so")):
        raise Failed(f"{libraries}: there are no simulation libraries; make them first: tools/test build")


def forget(folder):
    """Removes the counters of earlier runs."""
    for path in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True):
        os.remove(path)


def run_c_tests(folder, jobs, whole):
    command = ["ctest", "--test-dir", folder, "-R", C_TESTS, "--parallel", str(jobs + 1), "--timeout", "900", "--quiet",
               "--no-tests=error", "--output-on-failure"]
    if run(command + ([] if whole else ["-E", SLOW_C_TESTS])).returncode:
        raise Failed("a C test failed")


def run_system_test(root, folder, name):
    # Few repetitions: running the same again adds nothing here, and a killed program leaves no counters.
    environment = dict(os.environ, FPGAUGE=os.path.join(folder, "fpgauge"), FPGAUGE_KILLS="5", FPGAUGE_XRT_RUNS="2")
    name, *cases = name.split()
    chosen = [word for case in cases for word in ("-k", case)]
    return name, subprocess.run([sys.executable, "-B", os.path.join(root, "tests", "system", f"test_{name}.py"), *chosen],
                                env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def run_system_tests(root, folder, jobs, whole):
    names = SYSTEM_TESTS
    if whole:
        names = [os.path.basename(path)[5:-3] for path in sorted(glob.glob(os.path.join(root, "tests/system/test_*.py")))]
        names = [name for name in names if name not in UNCOUNTED_SYSTEM_TESTS]
    print(f"+ {len(names)} system tests", flush=True)
    said = os.path.join(folder, "failed-tests")  # a file for each, with what it printed
    shutil.rmtree(said, ignore_errors=True)
    os.mkdir(said)
    failed = []
    with concurrent.futures.ThreadPoolExecutor(jobs + 1) as pool:  # some wait most of the time
        for name, done in pool.map(lambda name: run_system_test(root, folder, name), names):
            if done.returncode:
                failed.append(name)
                print(f"system.{name} failed:\n{done.stdout}{done.stderr}", file=sys.stderr)
                with open(os.path.join(said, f"system.{name}"), "w", encoding="utf-8") as file:
                    file.write(done.stdout + done.stderr)
    if failed:
        raise Failed(f"failed: {', '.join(f'system.{name}' for name in failed)}")


def collect(root, folder, jobs):
    """({path: Count}, {path: [numbers of lines that did not run]})"""
    report = os.path.join(folder, "gcovr.json")
    command = ["gcovr", "--root", root, folder, "--gcov-executable", "gcov", "-j", str(jobs), "--exclude-throw-branches",
               "--exclude-unreachable-branches", "--json", report]
    for part in COUNTED:
        command += ["--filter", os.path.join(root, part)]
    if run(command, stdout=subprocess.DEVNULL).returncode:
        raise Failed("gcovr failed")
    with open(report, encoding="utf-8") as file:
        entries = json.load(file)["files"]
    counts, missed = {}, {}
    for entry in entries:
        lines = [line for line in entry["lines"] if not line["gcovr/noncode"] and not line.get("gcovr/excluded")]
        count = counts[entry["file"]] = Count()
        count.lines = len(lines)
        count.lines_run = sum(1 for line in lines if line["count"])
        count.branches = sum(len(line["branches"]) for line in lines)
        count.branches_taken = sum(1 for line in lines for branch in line["branches"] if branch["count"])
        missed[entry["file"]] = [line["line_number"] for line in lines if not line["count"]]
    return counts, missed


def exclusions(root):
    """[(place, reason)] of the marks that exclude lines. One without a reason is an error."""
    found = []
    for part in COUNTED:
        for path in sorted(glob.glob(os.path.join(root, part, "**", "*.[ch]*"), recursive=True)):
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    mark = EXCLUSION.search(line)
                    if mark is None:
                        continue
                    place = f"{os.path.relpath(path, root)}:{number}"
                    if not mark[1]:
                        raise Failed(f"{place}: a line is left out without a reason")
                    found.append((place, mark[1]))
    return found


def exclusions_of_verilog(root):
    """The same for Verilog: the reason is the comment on the line before "verilator coverage_off"."""
    found = []
    for path in sorted(glob.glob(os.path.join(root, "hw", "**", "*.v*"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for number, line in enumerate(lines, 1):
            if "verilator coverage_off" not in line:
                continue
            place, reason = f"{os.path.relpath(path, root)}:{number}", re.match(r"\s*// *Not counted: (.+)", lines[number - 2])
            if reason is None:
                raise Failed(f"{place}: lines are left out without a reason")
            found.append((place, reason[1]))
    return found


def measure(root, folder, jobs, libraries, whole):
    build(root, folder, jobs, libraries)
    forget(folder)
    run_c_tests(folder, jobs, whole)
    run_system_tests(root, folder, jobs, whole)
    return collect(root, folder, jobs)
