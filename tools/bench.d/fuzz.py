# SPDX-License-Identifier: Apache-2.0
"""Runs the fuzzers of tests/fuzz for any length of time: `tools/bench fuzz --minutes N [NAME...]`. As many at a time as there are
processors, each N minutes. Each continues from what it found before: inputs that reach new code stay in DIR/fuzz/NAME. A
fuzzer that finds something stops and names the file with the input. Exits with 1 if any did."""

import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tests", "fuzz"))
import run as fuzzer_run  # tests/fuzz/run.py

SHORT_MINUTES = 1 / 60
STATISTICS = {"number_of_executed_units": "executions", "new_units_added": "new_inputs", "peak_rss_mb": "peak_rss_mb",
              "slowest_unit_time_sec": "slowest_s"}


def fuzzers_of(build, names):
    """Programs by name: those requested, or all."""
    found = {os.path.basename(path).removeprefix("fuzz_"): path
             for path in sorted(glob.glob(os.path.join(build, "tests", "fuzz", "fuzz_*"))) if os.access(path, os.X_OK) and
             os.path.isfile(path)}
    if not found:
        raise SystemExit(f"tools/bench: {build} has no fuzzers; run tools/build {os.path.relpath(build)} -DFPGAUGE_FUZZ=ON first")
    for name in names:
        if name not in found:
            raise SystemExit(f"tools/bench: fuzz {name}: must be one of {', '.join(found)}")
    return {name: found[name] for name in names or found}


def files_of(folder):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))] if os.path.isdir(folder) else []


def measure(name, program, build, seconds):
    """Runs one fuzzer from beginning to end."""
    corpus = os.path.join(build, "fuzz", name)
    os.makedirs(corpus, exist_ok=True)
    before = set(files_of(fuzzer_run.findings_of(program)))
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fpgauge-", dir="/dev/shm") as scratch:
        done = subprocess.run(fuzzer_run.command_of(program, seconds, corpus), capture_output=True, text=True,
                              errors="replace", check=False, env=dict(os.environ, TMPDIR=scratch))
    wall = time.monotonic() - begin
    numbers = {key: int(value) for key, value in re.findall(r"^stat::(\w+):\s+(\d+)", done.stderr, re.MULTILINE)}
    covered = re.findall(r"cov: (\d+) ft: (\d+)", done.stderr)
    findings = sorted(set(files_of(fuzzer_run.findings_of(program))) - before)
    row = {"fuzzer": name, "wall_s": wall, **{ours: numbers.get(theirs) for theirs, ours in STATISTICS.items()}}
    # The rate is in wall time, including start-up and seeds: what a shared machine really achieved.
    row["executions_per_s"] = row["executions"] / wall if row["executions"] else None
    inputs = files_of(corpus)
    row.update(corpus_inputs=len(inputs), corpus_octets=sum(map(os.path.getsize, inputs)),
               edges=int(covered[-1][0]) if covered else None, features=int(covered[-1][1]) if covered else None,
               exit_code=done.returncode, findings=findings)
    if done.returncode:
        row["output"] = done.stderr[-20000:]
    return row


def show(row):
    rate = f"{row['executions_per_s']:,.0f}" if row["executions_per_s"] else "?"
    print(f"{row['fuzzer']:>12}: {row['executions'] or 0:>12,} executions in {row['wall_s']:,.0f} s, {rate} per second; "
          f"corpus {row['corpus_inputs']:,} ({row['corpus_octets'] / 1e3:,.0f} kB); edges {row['edges']}; "
          f"{'no finding' if row['exit_code'] == 0 else 'FOUND ' + ', '.join(row['findings'])}", flush=True)
    if row["exit_code"]:
        print(row["output"], flush=True)


def main(build, path, options):
    programs, minutes = fuzzers_of(build, options.names), SHORT_MINUTES if options.short else options.minutes
    jobs = os.cpu_count() or 1
    report = {"schema": 1, "load": os.getloadavg()[0], "minutes_each": minutes, "at_a_time": jobs, "fuzzers": []}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(measure, name, program, build, max(1, round(minutes * 60)))
                   for name, program in programs.items()]
        for future in concurrent.futures.as_completed(running):
            row = future.result()
            show(row)
            report["fuzzers"].append(row)
    report["executions"] = sum(row["executions"] or 0 for row in report["fuzzers"])
    report["findings"] = [finding for row in report["fuzzers"] for finding in row["findings"]]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    print(f"{report['executions']:,} executions in total; written to {path}")
    return 1 if any(row["exit_code"] for row in report["fuzzers"]) else 0
