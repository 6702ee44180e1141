# SPDX-License-Identifier: Apache-2.0
"""RFC 9004 with 10 repetitions on the RTL: on one core, and on two with trials side by side.

Runs take turns, one core and then two, so that what else the machine does hits both; the fastest of each counts. Every octet of
every trial and result must be the same. "processor_s" is what the program and its processes used: the difference is what
the processes cost, and what was simulated for nothing.
"""

import contextlib
import json
import os
import resource
import sqlite3
import subprocess
import tempfile
import time

LEAST_RATIO = 1.7
PLAN = """device = {{ backend = "sim"; library = "rtl"; threads = 1; }};
dut = {{ model = "fifo"; buffer_frames = 4000; service_fps = "67%"; }};
run = (
  {{ test = "throughput"; frame_sizes = [64, 512, 1518]; trial_duration = "{trial}"; resolution = "1%" }},
  {{ test = "back_to_back"; frame_sizes = [64, 512, 1518]; repetitions = {repetitions}; max_burst = "{trial}"; resolution = 16 }}
);
"""


def run(build, plan, folder, cores, jobs):
    """(figures, what was measured) of one run on so many cores."""
    name = os.path.join(folder, "run.db")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run([os.path.join(build, "fpgauge"), "run", plan, "--db", name, "--jobs", str(jobs), "--quiet"],
                          env=dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim")), capture_output=True, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores), check=False)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"tools/bench: {done.stderr}")
    with contextlib.closing(sqlite3.connect(name)) as database:
        measured = (database.execute("SELECT number, request, result FROM trial ORDER BY number").fetchall(),
                    database.execute("SELECT position, document FROM result ORDER BY position").fetchall())
    os.unlink(name)
    return {"cores": len(cores), "jobs": jobs, "wall_s": wall, "trials": len(measured[0]),
            "processor_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}, measured


def main(build, path, options):
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise SystemExit("tools/bench: two cores are needed")
    rows, all_measured = [], []
    report = {"schema": 1, "load": os.getloadavg()[0], "repetitions": 10, "trial": "2ms"}
    if options.short:
        report |= {"repetitions": 2, "trial": "50us"}
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "plan.cfg")
        with open(plan, "w", encoding="utf-8") as file:
            file.write(PLAN.format(**report))
        for _ in range(options.runs):
            for jobs in (1, 2):
                row, measured = run(build, plan, folder, cores[:jobs], jobs)
                rows.append(row)
                all_measured.append(measured)
    fastest = [min((row for row in rows if row["jobs"] == jobs), key=lambda row: row["wall_s"]) for jobs in (1, 2)]
    report |= {"runs": rows, "fastest": fastest, "ratio": fastest[0]["wall_s"] / fastest[1]["wall_s"],
               "same": all(measured == all_measured[0] for measured in all_measured)}
    for row in fastest:
        print(f"RFC 9004 on the RTL, {row['jobs']} at a time on as many cores: {row['trials']} trials, {row['wall_s']:.2f} s, "
              f"{row['processor_s']:.2f} s of processor time")
    print(f"two cores to one: {report['ratio']:.2f} times as fast; load {report['load']:.1f}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    if not report["same"]:
        print("tools/bench: the runs differ")
    slow = not options.short and report["ratio"] < LEAST_RATIO
    if slow:
        print(f"tools/bench: must be at least {LEAST_RATIO} times as fast, on cores that do nothing else")
    return 0 if report["same"] and not slow else 1
