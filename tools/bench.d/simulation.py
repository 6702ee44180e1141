# SPDX-License-Identifier: Apache-2.0
"""The speed of the simulation: `tools/bench`. 2 ports at line rate through the C ABI; more ports, and idle ones; the twin; the RTL under
Icarus; the twin against the RTL."""

import glob
import json
import os
import platform
import subprocess
import tempfile
import time

import mesh

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
SIZES_OCTETS = (64, 512, 1518, 9216)
ICARUS_SIZE_OCTETS = TWIN_SIZE_OCTETS = PORTS_SIZE_OCTETS = 64
PORTS = (2, 4, 8)
SENDERS = 2  # where others are idle
ONE_THREAD = ",device.threads=1"  # comes after other settings
ICARUS_CLOCKS = (300, 2300)  # two runs; their difference excludes the start-up
CLOCK_HZ = 195_312_500
DIFFERENTIAL_TRIALS, DIFFERENTIAL_LONG_TRIALS = 2_000, 50_000
MOST_PORTS_SHORT, MOST_PORTS = 4, 16
DIFFERENTIAL_SEED = 2_000_000  # far from the seeds of the test run
SOURCES = os.path.join("bitstreams", "common", "sources.f")  # tools/bitstreams --check holds it to the files that are there
SHORT_MICROSECONDS, SHORT_TWIN, SHORT_ICARUS_CLOCKS, SHORT_DIFFERENTIAL_TRIALS = 20, 1e-3, (300, 800), 20


def run_bench_sim(build, library, dut, microseconds, sizes, runs, senders=None):
    """Rows of figures, one per size: the fastest of `runs`. senders: how many ports send; all."""
    program = os.path.join(build, "tests", "sim", "bench_sim")
    environment = dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim"))
    best = {}
    for _ in range(runs):
        done = subprocess.run([program, *(["-p", str(senders)] if senders else []), library, str(microseconds), dut,
                               *map(str, sizes)], env=environment, check=True, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            size, _, wall, simulated_ns, clocks, sent, received = line.split()
            row = {"frame_octets": int(size), "dut": dut, "wall_s": float(wall), "simulated_ns": float(simulated_ns),
                   "clocks": float(clocks), "frames": int(sent), "received_frames": int(received)}
            if row["frame_octets"] not in best or row["wall_s"] < best[row["frame_octets"]]["wall_s"]:
                best[row["frame_octets"]] = row
    for row in best.values():
        row["frames_per_wall_s"] = row["frames"] / row["wall_s"]
        row["simulated_ns_per_wall_s"] = row["simulated_ns"] / row["wall_s"]
        row["clocks_per_wall_s"] = row["clocks"] / row["wall_s"]
        row["wall_s_per_simulated_ms"] = row["wall_s"] / row["simulated_ns"] * 1e6
    return [best[size] for size in sizes]


def measure_sizes(build, dut, microseconds, runs):
    """2 ports at line rate at each size: with as many threads as there are processors for, and, by turns, with one."""
    ways = {"threads": dut, "one_thread": dut + ONE_THREAD}
    best = {way: {} for way in ways}
    for _ in range(runs):
        for way, settings in ways.items():
            for row in run_bench_sim(build, "rtl", settings, microseconds, SIZES_OCTETS, 1):
                before = best[way].setdefault(row["frame_octets"], row)
                if row["wall_s"] < before["wall_s"]:
                    best[way][row["frame_octets"]] = row
    return {way: list(rows.values()) for way, rows in best.items()}


def measure_ports(build, dut, microseconds, runs):
    """2, 4 and 8 ports at line rate, and the same libraries with 2 ports at line rate and the others idle, with one thread; and
    how many times as fast all ports are in as many threads as there are processors for.

    Runs take turns, so that other load disturbs all alike.
    """
    libraries = {ports: "rtl" if ports == 2 else f"rtl{ports}" for ports in PORTS}
    cases = [(ports, senders) for ports in PORTS for senders in sorted({ports, SENDERS}, reverse=True)
             if os.path.exists(os.path.join(build, "sim", f"libfpgauge-sim-{libraries[ports]}.so"))]
    seconds, in_threads = {}, {}

    def measure(case, times, settings):
        row = run_bench_sim(build, libraries[case[0]], settings, microseconds, [PORTS_SIZE_OCTETS], 1, case[1])[0]
        times[case] = min(times.get(case, float("inf")), row["wall_s"] / row["clocks"])

    for _ in range(runs):
        for case in cases:
            measure(case, seconds, dut + ONE_THREAD)
            if case[0] == case[1]:
                measure(case, in_threads, dut)
    rows = []
    for ports, senders in cases:
        rows.append({"ports": ports, "senders": senders, "frame_octets": PORTS_SIZE_OCTETS,
                     "clocks_per_wall_s": 1 / seconds[ports, senders],
                     "busy_port_wall_ns_per_clock": seconds[ports, ports] / ports * 1e9,
                     "threads_to_one": seconds[ports, senders] / in_threads[ports, senders] if ports == senders else None,
                     "idle_to_busy": idle_to_busy(seconds, ports, senders),
                     "added_idle_to_busy": added_idle_to_busy(seconds, ports, senders)})
    return rows


def idle_to_busy(seconds, ports, senders):
    """Cost of an idle port at that of a busy one: what the library with idle ports takes beyond its busy ones, at the cost of
    one of those when all are busy. So it bears its share of what the core does for all ports.

    seconds: of a clock, by (ports, senders). None: no port is idle.
    """
    if senders == ports:
        return None
    busy = seconds[ports, ports] / ports
    return (seconds[ports, senders] - senders * busy) / (ports - senders) / busy


def added_idle_to_busy(seconds, ports, senders):
    """The same of a port that is added, to the next lower number of ports that was measured with idle ones. None: there is none."""
    fewer = max((count for count, sending in seconds if sending == senders < count < ports), default=None)
    if fewer is None:
        return None
    return (seconds[ports, senders] - seconds[fewer, senders]) / (seconds[ports, ports] - seconds[fewer, fewer])


def measure_twin(build, runs, rtl, scale):
    """Long periodic trials, short ones in which every frame is played, and the same trial as on the RTL. scale: of a minute and the like."""
    minute_us, played_us = 60e6 * scale, 200e3 * scale
    cases = [("a minute, steady", "dut.model=fifo", minute_us),
             ("a minute, overloaded", "dut.model=fifo,dut.service_fps=100M", minute_us),
             ("every frame played: wire", "dut.model=wire,device.jumps=false", played_us),
             ("every frame played: fifo", "dut.model=fifo,device.jumps=false", played_us),
             ("every frame played: faults at random", "dut.model=faults,dut.drop_probability=0.01%", played_us),
             ("the RTL's trial", rtl["dut"], rtl["simulated_ns"] / 1e3)]
    rows = [{"case": name, **run_bench_sim(build, "twin", dut, microseconds, [TWIN_SIZE_OCTETS], runs)[0]}
            for name, dut, microseconds in cases]
    return {"cases": rows, "faster_than_rtl": rtl["wall_s"] / rows[-1]["wall_s"]}


def run_icarus(program, clocks):
    begin = time.monotonic()
    done = subprocess.run(["vvp", "-n", program, f"+clocks={clocks}", f"+frame_octets={ICARUS_SIZE_OCTETS}"], check=True,
                          capture_output=True, text=True)
    sent, received = map(int, done.stdout.split())
    if received == 0:
        raise SystemExit(f"tools/bench: Icarus received nothing: {done.stdout}")
    return time.monotonic() - begin, sent


def core_sources():
    """Sources of a bitstream, without the boards."""
    with open(os.path.join(ROOT, SOURCES), encoding="utf-8") as file:
        return [line.strip() for line in file if line.startswith(("hw/regs/", "hw/rtl/"))]


def build_icarus(folder):
    sources, program = core_sources(), os.path.join(folder, "core.vvp")
    subprocess.run(["iverilog", "-g2012", "-s", "tb_icarus", "-o", program,
                    *[f"-I{name}" for name in sorted(set(map(os.path.dirname, sources)))], *sources, "tools/bench.d/tb_icarus.v"],
                   check=True, cwd=ROOT)
    return program


def measure_icarus(build, dut, microseconds, runs, icarus_clocks):
    """Icarus, and by turns with it the library: with one thread, as Icarus has, and with as many as there are processors for."""
    icarus, ours = {clocks: [] for clocks in icarus_clocks}, {"one_thread": [], "threads": []}
    with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as scratch:
        program = build_icarus(scratch)
        for _ in range(runs):
            for clocks, done in icarus.items():
                done.append(run_icarus(program, clocks))
            for threads, rows in ours.items():
                settings = dut + ONE_THREAD if threads == "one_thread" else dut
                rows += run_bench_sim(build, "rtl", settings, microseconds, [ICARUS_SIZE_OCTETS], 1)
    short, long = (min(icarus[clocks]) for clocks in icarus_clocks)
    clocks = icarus_clocks[1] - icarus_clocks[0]
    wall = long[0] - short[0]
    ours = {threads: max(row["clocks_per_wall_s"] for row in rows) for threads, rows in ours.items()}
    return {"frame_octets": ICARUS_SIZE_OCTETS, "wall_s": wall, "clocks": clocks, "frames": long[1] - short[1],
            "clocks_per_wall_s": clocks / wall, "frames_per_wall_s": (long[1] - short[1]) / wall,
            "simulated_ns_per_wall_s": clocks / CLOCK_HZ * 1e9 / wall, "ours_clocks_per_wall_s": ours,
            "faster": {threads: speed * wall / clocks for threads, speed in ours.items()}}


def built_ports(build, most):
    """Numbers of ports up to `most` for which this build has the RTL; that of 2 has no number in its name."""
    names = [os.path.basename(path)[len("libfpgauge-sim-rtl"):-len(".so")]
             for path in glob.glob(os.path.join(build, "sim", "libfpgauge-sim-rtl*.so"))]
    return sorted(ports for ports in (int(name or 2) for name in names if name.isdecimal() or not name) if ports <= most)


def measure_differential(build, ports, trials):
    """Random trials on twin and RTL: figures from tests/differential/differential, or its explanation of a difference."""
    program = os.path.join(build, "tests", "differential", "differential")
    first = os.path.join(build, "sim", f"libfpgauge-sim-rtl{ports if ports != 2 else ''}.so")
    second = os.path.join(build, "sim", "libfpgauge-sim-twin.so")
    done = subprocess.run([program, "--first", first, "--second", second, "--second-option", f"device.ports={ports}", "--seed",
                           str(DIFFERENTIAL_SEED), "--trials", str(trials), "--jobs", str(os.cpu_count())],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"tools/bench: RTL and twin differ:\n{done.stdout}{done.stderr}")
    figures = dict(word.split("=") for word in done.stdout.splitlines()[0].split())
    wall = float(figures.pop("wall_s"))
    figures = {name: int(value) for name, value in figures.items()}
    return {"ports": ports, **figures, "wall_s": wall, "trials_per_wall_s": figures["trials"] / wall}


def print_table(report):
    print(f"{'frame':>6} {'threads':>8} {'frames/s':>12} {'simulated ns/s':>15} {'Mclocks/s':>10} {'s per simulated ms':>19}")
    for threads, rows in ((1, report["simulated_one_thread"]), (min(2, len(os.sched_getaffinity(0))), report["simulated"])):
        for row in rows:
            print(f"{row['frame_octets']:>6} {threads:>8} {row['frames_per_wall_s']:>12,.0f} "
                  f"{row['simulated_ns_per_wall_s']:>15,.0f} {row['clocks_per_wall_s'] / 1e6:>10.3f} "
                  f"{row['wall_s_per_simulated_ms']:>19.3f}")
    for row in report["by_ports"]:
        more = f", an idle port costs {row['idle_to_busy']:.1%} of a busy one" if row["idle_to_busy"] is not None \
            else f", {row['threads_to_one']:.2f} times that in threads"
        if row["added_idle_to_busy"] is not None:
            more += f", one that is added {row['added_idle_to_busy']:.1%} of a busy one that is added"
        print(f"{row['ports']} ports, {row['senders']} at line rate: {row['clocks_per_wall_s'] / 1e6:.3f} Mclocks/s{more}")
    if report["icarus"]:
        row = report["icarus"]
        print(f"Icarus at {row['frame_octets']} octets: {row['clocks_per_wall_s']:,.0f} clocks/s, "
              f"{row['frames_per_wall_s']:,.0f} frames/s: {row['faster']['one_thread']:,.0f} times slower than the library with "
              f"one thread, {row['faster']['threads']:,.0f} times with as many as processors")
    for row in report["twin"]["cases"]:
        print(f"twin, {row['frame_octets']} octets, {row['case']}: {row['wall_s']:.4f} s for "
              f"{row['simulated_ns'] / 1e9:g} s, {row['frames']:,} frames, {row['frames_per_wall_s'] / 1e6:,.0f} M frames/s")
    print(f"twin : RTL on the same trial: {report['twin']['faster_than_rtl']:,.0f} times faster")
    for row in report["differential"]:
        print(f"twin against RTL, {row['ports']} ports: {row['trials']:,} random trials, {row['frames']:,} frames, "
              f"{row['different']} different, {row['trials_per_wall_s']:,.0f} trials/s")


def main(build, path, options):
    if not os.access(os.path.join(build, "tests", "sim", "bench_sim"), os.X_OK):
        raise SystemExit(f"tools/bench: {build} is not built; run tools/build {os.path.relpath(build)} first")
    dut, runs = options.dut, options.runs
    microseconds = SHORT_MICROSECONDS if options.short else options.microseconds
    sizes = measure_sizes(build, dut, microseconds, runs)
    report = {"schema": 2, "ports": 2, "machine": platform.processor() or platform.machine(), "cores": os.cpu_count(),
              "load": os.getloadavg()[0], "simulated": sizes["threads"], "simulated_one_thread": sizes["one_thread"],
              "by_ports": measure_ports(build, dut, microseconds, runs), "icarus": None}
    if not options.no_icarus:
        report["icarus"] = measure_icarus(build, dut, microseconds, runs, SHORT_ICARUS_CLOCKS if options.short else ICARUS_CLOCKS)
        report["faster_than_icarus"] = report["icarus"]["faster"]["threads"]
    fast = next(row for row in report["simulated"] if row["frame_octets"] == TWIN_SIZE_OCTETS)
    report["twin"] = measure_twin(build, runs, fast, SHORT_TWIN if options.short else 1)
    report["mesh"] = mesh.measure(build, runs, options.seed, options.short)
    trials = SHORT_DIFFERENTIAL_TRIALS if options.short else DIFFERENTIAL_LONG_TRIALS if options.long else DIFFERENTIAL_TRIALS
    most_ports = MOST_PORTS if options.long else MOST_PORTS_SHORT
    report["differential"] = [measure_differential(build, ports, trials) for ports in built_ports(build, most_ports)]
    print_table(report)
    mesh.print_table(report["mesh"])
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    print(f"written to {path}")
    return 0
