# SPDX-License-Identifier: Apache-2.0
"""How well `fpgauge check` foretells the wall time of a run: what it said, what the run then took, and their ratio, plan by plan, on the RTL,
the twin and external programs.

`check` foretells what the run takes where nothing else runs. Other programs may take most of the machine meanwhile, so the ratio is to the
lesser of wall time and the processor time of the run, which is what a simulation with one thread takes when it is alone; "load" says how
busy the machine was."""

import json
import math
import os
import re
import resource
import subprocess
import tempfile
import time

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")
# (name, device, arguments): plans of docs/examples run there, as their programs are found in that folder.
PLANS = [
    ("fifo-throughput.cfg", "rtl", ["fifo-throughput.cfg"]),
    ("rfc9004-demo.cfg", "rtl", ["rfc9004-demo.cfg"]),
    ("preset rfc2544-quick", "rtl", ["--preset", "rfc2544-quick", "--device", "rtl"]),
    ("rfc2544-router.cfg", "twin", ["rfc2544-router.cfg"]),
    ("rfc9004-full.cfg", "twin", ["rfc9004-full.cfg"]),
    ("rfc2889-full.cfg", "twin", ["rfc2889-full.cfg"]),
    ("rfc8239-quick.cfg", "twin", ["rfc8239-quick.cfg"]),
    ("rfc8239-full.cfg", "twin", ["rfc8239-full.cfg"]),
    ("exec-model.cfg", "exec", ["exec-model.cfg"]),
    ("exec-mlrsearch.cfg", "exec", ["exec-mlrsearch.cfg"]),
]
WITHIN = 1.5


def seconds(clock):
    """0:44, 1:02:03, 16d 2:03:04"""
    days, rest = re.fullmatch(r"(?:(\d+)d )?([\d:]+)", clock).groups()
    total = 0
    for part in rest.split(":"):
        total = 60 * total + int(part)
    return total + 86400 * int(days or 0)


CLOCK = r"(?:\d+d )?\d+:\d\d(?::\d\d)?"
SAID = re.compile(rf"On this machine: about ({CLOCK}) of wall time \(({CLOCK}) (?:to ({CLOCK})|or more)\)")


def said(program, arguments):
    """(expected, least, most) in seconds; most None: no end; None: check says that it does not know."""
    done = subprocess.run([program, "check", *arguments], cwd=EXAMPLES, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    found = SAID.search(done.stdout)
    return found and tuple(text and seconds(text) for text in found.groups())


def taken(program, arguments, folder):
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([program, "run", *arguments, "--db", os.path.join(folder, "forecast.db"), "--quiet"], cwd=EXAMPLES, check=False,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):  # 1: a result is invalid, as some of the examples show
        raise SystemExit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
    wall_s, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    os.remove(os.path.join(folder, "forecast.db"))
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, folder, names=()):
    rows = []
    for name, device, arguments in PLANS:
        if names and not any(wanted in name for wanted in names):
            continue
        row = {"plan": name, "device": device}
        expected = said(program, arguments)
        row["wall_s"], row["processor_s"] = taken(program, arguments, folder)
        row["taken_s"] = min(row["wall_s"], row["processor_s"])
        row["load"] = os.getloadavg()[0]
        if expected:
            row |= dict(zip(("said_s", "least_s", "most_s"), expected))
            row["ratio"] = row["said_s"] / math.ceil(row["taken_s"])  # check prints whole seconds, rounded up
            row["within"] = 1 / WITHIN <= row["ratio"] <= WITHIN
        else:
            row |= {"said_s": None, "within": None}
        rows.append(row)
        print_row(row)
    return rows


def print_head():
    print(f"{'plan':<24} {'device':<6} {'said s':>8} {'least s':>8} {'most s':>8} {'taken s':>8} {'ratio':>6}")


def print_row(row):
    def shown(key):
        return "-" if row.get(key) is None else f"{row[key]:.1f}"

    ratio = "-" if row["within"] is None else f"{row['ratio']:.2f}" + ("" if row["within"] else " !")
    print(f"{row['plan']:<24} {row['device']:<6} {shown('said_s'):>8} {shown('least_s'):>8} {shown('most_s'):>8} {shown('taken_s'):>8} {ratio:>8}",
          flush=True)


def main(root, build, path):
    program = os.path.join(root, build, "fpgauge")
    os.environ["FPGAUGE_LIBRARY_PATH"] = os.path.join(root, build, "sim")
    print_head()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(program, folder)
    with open(path or os.path.join(build, "bench-forecast.json"), "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "cores": os.cpu_count(), "within": WITHIN, "plans": rows}, file, indent=1)
        file.write("\n")
    known = [row for row in rows if row["within"] is not None]
    print(f"{sum(row['within'] for row in known)} of {len(known)} within a factor of {WITHIN}; of {len(rows) - len(known)}, check says that it cannot tell")
    return 0
