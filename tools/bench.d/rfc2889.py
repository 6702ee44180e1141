# SPDX-License-Identifier: Apache-2.0
"""RFC 2889 in full on the twin: the tests of docs/examples/rfc2889-full.cfg, each in a process of its own, one after the other.

A switch of 8 ports, seven sizes, trials of 30 s, and the resolution, step and search trials that a plan has by default.
"""

import contextlib
import json
import os
import re
import resource
import sqlite3
import subprocess
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLE = os.path.join(ROOT, "docs", "examples", "rfc2889-full.cfg")
MOST_WALL_S = 300
WITHOUT_DURATION = r"rfc2889\.(address_caching|learning_rate|broadcast_latency)"  # they go by addresses, or have one frame


def plans(text):
    """(name, plan) of every test of a plan."""
    head, tests = re.split(r"^run\s*=", text, maxsplit=1, flags=re.MULTILINE)
    return [(name, f"{head}run = ( {test} );\n")
            for test, name in re.findall(r'(\{\s*test\s*=\s*"([^"]+)"[^}]*\})', tests)]


def short(plan):
    """The same test at one size, and as short as it can be."""
    plan = re.sub(r"frame_sizes = \[[^]]*\];", "frame_sizes = [64];", plan)
    return plan if re.search(WITHOUT_DURATION, plan) else re.sub(r"(test = [^;]*;)", r'\1 trial_duration = "1ms";', plan)


def run(build, name, plan, folder):
    paths = [os.path.join(folder, f"{name}.{ending}") for ending in ("cfg", "db")]
    with open(paths[0], "w", encoding="utf-8") as file:
        file.write(plan)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run([os.path.join(build, "fpgauge"), "run", paths[0], "--db", paths[1], "--quiet"],
                          env=dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim")), capture_output=True, text=True,
                          check=False)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"tools/bench: {name}: exit {done.returncode}\n{done.stderr}")
    with contextlib.closing(sqlite3.connect(paths[1])) as database:
        trials, simulated_ot = database.execute("SELECT count(*), sum(duration_ot) FROM trial").fetchone()
        slowest = database.execute("SELECT frame_octets, intended_fps, wall_s FROM trial ORDER BY wall_s DESC LIMIT 1").fetchone()
        link_bps, = database.execute("SELECT link_bps FROM run").fetchone()
    return {"test": name, "trials": trials, "simulated_s": simulated_ot * 8 / link_bps, "wall_s": wall,
            "processor_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "slowest": dict(zip(("frame_octets", "load_fps", "wall_s"), slowest))}


def main(build, path, options):
    report = {"schema": 1, "cores": os.cpu_count(), "load": os.getloadavg()[0], "most_wall_s": MOST_WALL_S}
    with open(EXAMPLE, encoding="utf-8") as file:
        tests = plans(file.read())
    with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as folder:
        report["tests"] = [run(build, name, short(plan) if options.short else plan, folder) for name, plan in tests]
    for sum_of in ("trials", "simulated_s", "wall_s", "processor_s"):
        report[sum_of] = sum(row[sum_of] for row in report["tests"])
    for row in report["tests"]:
        print(f"{row['test']}: {row['trials']} trials, {row['simulated_s']:,.0f} s simulated, {row['wall_s']:.1f} s, "
              f"{row['processor_s']:.1f} s of processor time; slowest trial {row['slowest']['wall_s']:.2f} s at "
              f"{row['slowest']['frame_octets']} octets")
    print(f"in all: {report['trials']} trials, {report['simulated_s']:,.0f} s simulated, {report['wall_s']:.1f} s, "
          f"{report['processor_s']:.1f} s of processor time; load {report['load']:.1f}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    if report["wall_s"] > MOST_WALL_S and not options.short:
        print(f"tools/bench: RFC 2889 takes {report['wall_s']:.0f} s: must be at most {MOST_WALL_S} s")
        return 1
    return 0
