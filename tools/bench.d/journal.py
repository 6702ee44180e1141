# SPDX-License-Identifier: Apache-2.0
"""What the journal of the run file costs per trial: `tools/bench journal`. In memory that is the journal's own work; on the disk
of the build directory it also waits until the disk has the trial. For comparison, the time that memory or disk alone take to
keep as many octets: no journal can be faster. Exits with 1 if the journal's own work takes OWN_LIMIT_S or more."""

import json
import os
import subprocess

OWN_LIMIT_S = 2e-3
RUNS = 3
TRIALS, SHORT_TRIALS = {"memory": 3000, "disk": 300}, {"memory": 100, "disk": 10}


def measure(program, folder, trials, runs):
    """The fastest of several runs, because the others were disturbed."""
    runs = [list(map(float, subprocess.run([program, folder, str(trials)], check=True, capture_output=True,
                                           text=True).stdout.split())) for _ in range(runs)]
    return {"journal_s": min(run[0] for run in runs), "flush_s": min(run[1] for run in runs), "octets": runs[0][2]}


def main(build, path, options):
    program = os.path.join(build, "tests", "c", "bench_store")
    if not os.access(program, os.X_OK):
        raise SystemExit(f"tools/bench: {build} is not built; run tools/build {build} first")
    trials, runs = (SHORT_TRIALS, 1) if options.short else (TRIALS, RUNS)
    report = {"schema": 1, "load": os.getloadavg()[0], "memory": measure(program, "/dev/shm", trials["memory"], runs),
              "disk": measure(program, build, trials["disk"], runs)}
    for name in ("memory", "disk"):
        row = report[name]
        print(f"journal in {name}: {row['journal_s'] * 1e3:.3f} ms per trial ({row['octets']:.0f} octets of file), of which the "
              f"{name} alone takes {row['flush_s'] * 1e3:.3f} ms")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    print(f"written to {path}")
    return 1 if report["memory"]["journal_s"] >= OWN_LIMIT_S and not options.short else 0
