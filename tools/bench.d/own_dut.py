# SPDX-License-Identifier: Apache-2.0
"""A user's Verilog between the ports: how long `fpgauge sim-build` takes, and what the module costs the simulation.

The example switch of docs/examples/dut, with 2 ports, and with 4 where that simulation is built: built from nothing, and again
without a change; then a trial at line rate through it and one through a wire, which costs the simulation next to nothing.

  tools/bench own-dut [--build DIR] [--json FILE] [--runs N]
"""

import contextlib
import json
import os
import sqlite3
import subprocess
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLE = os.path.join(ROOT, "docs", "examples", "dut")
MOST_BUILD_S = 90
PORTS = (2, 4)
SHORT_PORTS = (2,)
SIZES_OCTETS = (64, 1518)
WIDTH = 512
TRIAL, SHORT_TRIAL = "2ms", "10us"


def fpgauge(build, *arguments):
    environment = dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim"))
    done = subprocess.run([os.path.join(build, "fpgauge"), *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"tools/bench: fpgauge {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")


def build_switch(build, ports, library):
    """Seconds."""
    began = time.monotonic()
    fpgauge(build, "sim-build", "--top", "switch", "--ports", str(ports), f"-GPORTS={ports}", f"-GWIDTH={WIDTH}", "-o", library,
            *(os.path.join(EXAMPLE, name) for name in ("switch.v", "switch_input.v", "switch_table.v")))
    return time.monotonic() - began


def run_trial(build, folder, device, octets, trial):
    """Seconds of wall time of one trial, and what it lost."""
    plan, database = (os.path.join(folder, name) for name in ("plan.cfg", "run.db"))
    with contextlib.suppress(FileNotFoundError):
        os.remove(database)
    with open(plan, "w", encoding="utf-8") as file:
        file.write(f'{device}\nrun = ( {{ test = "throughput"; frame_sizes = [{octets}]; trial_duration = "{trial}"; search = "binary"; '
                   'settle = "20us"; drain = "20us"; } );\n')
    fpgauge(build, "run", plan, "--db", database, "--quiet")
    with contextlib.closing(sqlite3.connect(database)) as rows:
        return rows.execute("SELECT wall_s, lost_frames FROM trial WHERE number = 1").fetchone()


def measure(build, folder, ports, runs, trial):
    library = os.path.join(folder, f"switch{ports}.so")
    row = {"ports": ports, "build_s": build_switch(build, ports, library), "build_again_s": build_switch(build, ports, library),
           "sizes": []}
    devices = {"switch": f'device = {{ backend = "sim"; library = "{library}"; }};',
               "wire": f'device = {{ backend = "sim"; library = "rtl"; ports = {ports}; }};\ndut = {{ model = "wire"; }};'}
    for octets in SIZES_OCTETS:
        best = {name: min(run_trial(build, folder, device, octets, trial) for _ in range(runs)) for name, device in devices.items()}
        row["sizes"].append({"frame_octets": octets, "lost": best["switch"][1],
                             **{f"{name}_wall_s": wall for name, (wall, _) in best.items()},
                             "switch_to_wire": best["switch"][0] / best["wire"][0]})
    return row


def main(build, path, options):
    trial = SHORT_TRIAL if options.short else TRIAL
    report = {"schema": 1, "cores": os.cpu_count(), "load": os.getloadavg()[0], "most_build_s": MOST_BUILD_S, "trial": trial,
              "width_bits": WIDTH}
    with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as folder:
        report["ports"] = [measure(build, folder, ports, options.runs, trial) for ports in (SHORT_PORTS if options.short else PORTS)
                           if ports == 2 or os.path.exists(os.path.join(build, "sim", f"libfpgauge-sim-rtl{ports}.so"))]
    for row in report["ports"]:
        print(f"{row['ports']} ports: built in {row['build_s']:.1f} s, again in {row['build_again_s']:.1f} s")
        for size in row["sizes"]:
            print(f"  {size['frame_octets']} octets, {trial} at line rate: {size['switch_wall_s']:.2f} s through the switch, "
                  f"{size['wire_wall_s']:.2f} s through a wire: {size['switch_to_wire']:.2f} times as long; {size['lost']} lost")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    slowest = max(row["build_s"] for row in report["ports"])
    if (slowest > MOST_BUILD_S and not options.short) or any(size["lost"] for row in report["ports"] for size in row["sizes"]):
        print(f"tools/bench: a build takes {slowest:.0f} s, must be at most {MOST_BUILD_S} s; and the switch must lose nothing")
        return 1
    return 0
