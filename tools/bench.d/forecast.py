# SPDX-License-Identifier: Apache-2.0
"""How well `fpgauge check` foretells the wall time of a run: what it said, what the run then took, and their ratio, plan by plan, on the RTL,
the twin and external programs."""

import os
import re
import subprocess
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
SECOND = 1  # what `check` prints is in whole seconds, and at least one


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
    began = time.monotonic()
    done = subprocess.run([program, "run", *arguments, "--db", os.path.join(folder, "forecast.db"), "--quiet"], cwd=EXAMPLES, check=False,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):  # 1: a result is invalid, as some of the examples show
        raise SystemExit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
    os.remove(os.path.join(folder, "forecast.db"))
    return time.monotonic() - began


def measure(program, folder, names=()):
    rows = []
    for name, device, arguments in PLANS:
        if names and not any(wanted in name for wanted in names):
            continue
        row = {"plan": name, "device": device}
        expected = said(program, arguments)
        row["taken_s"] = taken(program, arguments, folder)
        if expected:
            row |= dict(zip(("said_s", "least_s", "most_s"), expected))
            row["ratio"] = max(row["said_s"], SECOND) / max(row["taken_s"], SECOND)
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
