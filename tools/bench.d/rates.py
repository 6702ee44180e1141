# SPDX-License-Identifier: Apache-2.0
"""The twin at random rates: trials of a minute with loss and without, and whole searches, on a fifo whose service is a random
number of frames a second. All seeds are printed, and each figure can be repeated by its seed.

  tools/bench rates [--build DIR] [--json FILE] [--seed N] [--long]

--long takes 100 trials of each kind in place of 25, and 20 plans in place of 3.
"""
import json
import os
import random
import subprocess
import tempfile
import time

TRIAL_S = 60
BARS_S = {"trial": 3, "ndrpdr": 10, "rfc2544": 10, "RFC 9004": 40, "RFC 2544": 300}
EXAMPLES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "docs", "examples")
SIZES = "[64, 128, 256, 512, 1024, 1280, 1518]"
ODD_FPS = 93_456_789  # the first device of RFC 2544: a rate that nobody chose for the twin
LINE_FPS = {64: 148_809_523, 1518: 8_127_438}


def run_trials(build, trials, seed, kind, size):
    """Seconds of wall time of each trial, the longest last, with its rates."""
    environment = dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim"))
    done = subprocess.run([os.path.join(build, "tests", "sim", "bench_rates"), "twin", str(TRIAL_S), str(trials), str(seed), kind,
                           str(size)], env=environment, check=True, capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return sorted((float(row[3]), int(row[1]), int(row[2])) for row in rows)


def plan_of(what, service_fps):
    """The RFC 2544 of docs/examples, or a plan with that test."""
    if what == "RFC 2544":
        with open(os.path.join(EXAMPLES, "rfc2544-full.cfg"), encoding="utf-8") as file:
            return file.read()
    if what == "RFC 9004":
        tests = (f'{{ test = "throughput"; frame_sizes = {SIZES}; search = "binary"; trial_duration = "{TRIAL_S}s"; '
                 'resolution = "0.01%"; }, '
                 f'{{ test = "back_to_back"; frame_sizes = {SIZES}; search = "binary"; repetitions = 50; max_burst = "30s"; }}')
    else:
        tests = f'{{ test = "mlrsearch"; frame_sizes = [64]; preset = "{what}"; }}'
    return ('device = { backend = "sim"; library = "twin"; };\nlink = { speed = "100G"; };\n'
            f'dut = {{ model = "fifo"; buffer_frames = 2000; service_fps = "{service_fps}"; latency_ns = 800; }};\n'
            f'run = ( {tests} );\n')


def run_plan(build, what, service_fps):
    with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as scratch:
        plan, run = os.path.join(scratch, "plan.cfg"), os.path.join(scratch, "run.db")
        with open(plan, "w", encoding="utf-8") as file:
            file.write(plan_of(what, service_fps))
        begin = time.monotonic()
        subprocess.run([os.path.join(build, "fpgauge"), "run", plan, "--set", f"dut.service_fps={service_fps}", "--db", run,
                        "--quiet"], check=True, capture_output=True)
        return time.monotonic() - begin


def main(build, path, seed, long):
    trials, plans = (100, 20) if long else (25, 3)
    rows = []
    for kind in ("lossy", "lossless"):
        for size in LINE_FPS:
            times = run_trials(build, trials, seed, kind, size)
            worst, load, service = times[-1]
            rows.append({"what": f"{kind} trial", "frame_octets": size, "seed": seed, "count": trials, "wall_s": worst,
                         "median_s": times[len(times) // 2][0], "load_fps": load, "service_fps": service, "bar_s": BARS_S["trial"]})
            print(f"{trials} {kind} trials of {TRIAL_S} s at {size} octets, seed {seed}: median {rows[-1]['median_s']:.3f} s, worst "
                  f"{worst:.3f} s (load {load:,}, service {service:,} fps), bar {BARS_S['trial']} s", flush=True)
    for what in ("ndrpdr", "rfc2544", "RFC 9004", "RFC 2544"):
        draw = random.Random(seed)
        top = LINE_FPS[1518 if what == "RFC 9004" else 64]
        times = []
        for i in range(plans):
            service = ODD_FPS if what == "RFC 2544" and i == 0 else draw.randrange(top // 10, top)
            times.append((run_plan(build, what, service), service))
        worst, service = max(times)
        rows.append({"what": what, "seed": seed, "count": plans, "wall_s": worst, "service_fps": service, "bar_s": BARS_S[what],
                     "median_s": sorted(times)[plans // 2][0]})
        print(f"{plans} times {what}, seed {seed}: median {rows[-1]['median_s']:.1f} s, worst {worst:.1f} s (service {service:,} "
              f"fps), bar {BARS_S[what]} s", flush=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")
    return 0
