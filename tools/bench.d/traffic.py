# SPDX-License-Identifier: Apache-2.0
"""What traffic of 16 ports costs before frames leave: `tools/bench traffic`. From a plan's parameters to the values of all tables
(the time of the host's own work), and the registers that are written for a first trial, for the same again, and for one in
which only the load differs. Exits with 1 if the making takes COMPILE_LIMIT_S or more, or if another load is written with a
table."""

import json
import os
import subprocess

COMPILE_LIMIT_S = 50e-3
RUNS = 20
PORTS = 16
# More than the settings of every port: then a table was written.
ANOTHER_LOAD_WRITES = 64 * PORTS
CASES = (("pairs", 256), ("mesh", 17), ("mesh", 1))  # addresses; a flow for each pair of hosts, up to 256 of a port


def measure(build, runs, pattern, addresses):
    program = os.path.join(build, "tests", "sim", "bench_traffic")
    watched = os.path.join(build, "tests", "sim", "fakes", "libfpgauge-sim-watched.so")
    environment = dict(os.environ, FPGAUGE_WATCHED_LIBRARY=os.path.join(build, "sim", "libfpgauge-sim-twin.so"))
    done = subprocess.run([program, watched, pattern, str(addresses), str(runs)], env=environment, check=True, capture_output=True,
                          text=True)
    flows, compile_s, registers, first, again, other_load = done.stdout.split()
    return {"pattern": pattern, "addresses": addresses, "ports": PORTS, "flows": int(flows), "compile_s": float(compile_s),
            "registers": int(registers), "first_trial_writes": int(first), "same_trial_writes": int(again),
            "other_load_writes": int(other_load)}


def main(build, path, options):
    if not os.access(os.path.join(build, "tests", "sim", "bench_traffic"), os.X_OK):
        raise SystemExit(f"tools/bench: {build} is not built; run tools/build {build} first")
    rows = [measure(build, 1 if options.short else RUNS, *case) for case in CASES]
    for row in rows:
        print(f"{row['pattern']} of {PORTS} ports with {row['flows']} flows each: {row['compile_s'] * 1e3:.2f} ms for "
              f"{row['registers']:,} values; writes of a first trial {row['first_trial_writes']:,}, of the same again "
              f"{row['same_trial_writes']:,}, of another load {row['other_load_writes']:,}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "load": os.getloadavg()[0], "rows": rows}, file, indent=1)
        file.write("\n")
    print(f"written to {path}")
    slow = not options.short and any(row["compile_s"] >= COMPILE_LIMIT_S for row in rows)
    return 1 if slow or any(row["other_load_writes"] > ANOTHER_LOAD_WRITES for row in rows) else 0
