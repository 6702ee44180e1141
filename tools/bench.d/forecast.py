# SPDX-License-Identifier: Apache-2.0
"""How well `fpgauge check` foretells the wall time of a run of a simulation: what it said (0: not known), what the run then took, and their
ratio, for seven plans on the RTL and the twin. Four are plans of docs/examples; the others have random settings, from a seed that is printed
and can be given.

`check` foretells what the run takes where nothing else runs, so what other programs took of the machine meanwhile is subtracted: how long the
run was ready to go on but had no processor, as the kernel counts it. Trials run one after the other (--jobs 1), and simulations of the RTL and
of random plans have one thread, as that count is of one. "to CPU" is the ratio to the processor time of the run, which others disturb less."""

import json
import os
import random
import resource
import subprocess
import tempfile
import time

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples")
WITHIN = 1.5

# (name, device, plan, further arguments): plans of docs/examples run there, as their programs are found in that folder.
EXAMPLE_PLANS = [
    ("fifo-throughput.cfg", "rtl", "fifo-throughput.cfg", ["--set", "device.threads=1"]),
    ("rfc2544-router.cfg", "twin", "rfc2544-router.cfg", []),
    ("rfc8239-quick.cfg", "twin", "rfc8239-quick.cfg", []),
    ("rfc8239-incast.cfg", "twin", "rfc8239-incast.cfg", []),
]
# A plan of each device; two sizes, of which a line can be made.
SHORT_PLANS = [(f"short, {library}", library, f'''device = {{ backend = "sim"; library = "{library}"; threads = 1; }};
link = {{ speed = "100G"; }};
dut = {{ model = "fifo"; service_fps = "60M"; }};
run = ( {{ test = "throughput"; frame_sizes = [64, 1518]; resolution = "10%"; search = "binary"; trial_duration = "20us"; }} );
''', []) for library in ("rtl", "twin")]


def sim_plan(draw, library, ports):
    """Throughput and bursts through a queue that is slower than the line at the smaller of the sizes."""
    sizes = sorted(draw.sample((64, 128, 200, 512, 1024, 1518), 2))
    fps = draw.uniform(0.4, 0.95) * 100e9 / 8 / (sizes[0] + 20)
    trial_us = draw.randrange(100, 400) if library == "rtl" else draw.randrange(20_000, 200_000)
    return f"""device = {{ backend = "sim"; library = "{library}"; ports = {ports}; threads = 1; }};
link = {{ speed = "100G"; }};
dut = {{ model = "fifo"; buffer_frames = {draw.randrange(20, 600)}; service_fps = "{int(fps)}"; latency_ns = 500; }};
run = (
  {{ test = "throughput"; frame_sizes = {sizes}; resolution = "{draw.choice(('0.2%', '1%'))}"; search = "binary"; trial_duration = "{trial_us}us"; }},
  {{ test = "back_to_back"; frame_sizes = {sizes}; repetitions = {draw.randrange(2, 8)}; first_burst = "64 frames"; max_burst = "100us"; }}
);
"""


def most_ports():
    """Of the RTL: a library with four ports is only made if the build is told to."""
    return 4 if os.path.exists(os.path.join(os.environ["FPGAUGE_LIBRARY_PATH"], "libfpgauge-sim-rtl4.so")) else 2


def random_plans(draw):
    ports = most_ports()
    return [("random, 2 ports", "rtl", sim_plan(draw, "rtl", 2), []),
            (f"random, {ports} ports", "rtl", sim_plan(draw, "rtl", ports), []),
            ("random, 8 ports", "twin", sim_plan(draw, "twin", 8), [])]


def starved_s(pid):
    """How long the first thread of a process, which may have ended, was ready to run but had no processor."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0


def used_s(usage):
    return usage.ru_utime + usage.ru_stime


def measured(command, folder):
    """(wall time less what others took of it, wall time, processor time, exit code, standard error) of a program."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryFile() as errors:
        program = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        wall_s, starved = time.monotonic() - began, starved_s(program.pid)
        code = program.wait()
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    processor_s = used_s(resource.getrusage(resource.RUSAGE_CHILDREN)) - used_s(before)
    return {"taken_s": wall_s - starved, "wall_s": wall_s, "processor_s": processor_s, "code": code, "errors": text}


def measure_one(program, plan, further, folder, scratch):
    """What check said and what it took, and what the run then took."""
    said, file = os.path.join(scratch, "said.json"), os.path.join(scratch, "forecast.db")
    check = measured([program, "check", plan, "--json", said, *further], folder)
    if check["code"]:
        raise SystemExit(f"check {plan}: exit {check['code']}\n{check['errors']}")
    with open(said, encoding="utf-8") as opened:
        forecast = json.load(opened)
    run = measured([program, "run", plan, "--jobs", "1", "--db", file, "--quiet",
                    *further], folder)
    if run["code"] not in (0, 1):  # 1: a result is invalid, as some of the examples show
        raise SystemExit(f"run {plan}: exit {run['code']}\n{run['errors']}")
    os.remove(file)
    row = forecast["wall_time"]
    row |= {key: run[key] for key in ("taken_s", "wall_s", "processor_s")}
    row["check_s"] = check["processor_s"]
    row["ratio"] = row["expected_s"] / run["taken_s"] if row["expected_s"] else None
    # A run of a simulation waits for the disk, which on a busy machine is not the same from one minute to the next.
    row["processor_ratio"] = row["expected_s"] / run["processor_s"] if row["expected_s"] else None
    row["within"] = row["ratio"] is not None and 1 / WITHIN <= row["ratio"] <= WITHIN
    row["load"] = os.getloadavg()[0]
    return row


def measure(program, scratch, draw, names=(), short=False):
    rows = []
    print(f"{'plan':<20} {'device':<6} {'check s':>8} {'said s':>8} {'taken s':>8} {'wall s':>8} {'ratio':>6} {'to CPU':>6}")
    for name, device, plan, further in SHORT_PLANS if short else EXAMPLE_PLANS + random_plans(draw):
        if names and not any(wanted in name for wanted in names):
            continue
        folder = EXAMPLES
        if "\n" in plan:
            folder = scratch
            with open(os.path.join(scratch, "plan.cfg"), "w", encoding="utf-8") as file:
                file.write(plan)
        row = {"plan": name, "device": device}
        row |= measure_one(program, plan if folder == EXAMPLES else "plan.cfg", further, folder, scratch)
        rows.append(row)
        print(f"{name:<20} {device:<6} {row['check_s']:>8.2f} {row['expected_s'] or 0:>8.2f} {row['taken_s']:>8.2f} {row['wall_s']:>8.2f} "
              f"{row['ratio'] or 0:>6.2f} {row['processor_ratio'] or 0:>6.2f}{'' if row['within'] or not row['expected_s'] else ' !'}", flush=True)
    return rows


def main(build, path, options):
    program = os.path.join(build, "fpgauge")
    seed = int(os.environ.get("FPGAUGE_TEST_SEED", random.randrange(2**32)))
    os.environ.setdefault("FPGAUGE_LIBRARY_PATH", os.path.join(build, "sim"))
    print(f"seed {seed} (FPGAUGE_TEST_SEED)")
    with tempfile.TemporaryDirectory() as scratch:
        rows = measure(program, scratch, random.Random(seed), options.names, options.short)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": 4, "seed": seed, "cores": os.cpu_count(), "within": WITHIN, "plans": rows}, file, indent=1)
        file.write("\n")
    known = [row for row in rows if row["expected_s"]]
    print(f"{len(known)} of {len(rows)} known, {sum(row['within'] for row in known)} of them within a factor of {WITHIN}")
    return 0
