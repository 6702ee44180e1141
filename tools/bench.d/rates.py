# SPDX-License-Identifier: Apache-2.0
"""The twin at random rates: trials of a minute with loss and without, and whole searches, on a fifo whose service is a random
number of frames a second. All seeds are printed, and each figure can be repeated by its seed.

--long takes 100 trials of each kind in place of 25, and 20 plans in place of 3; --short one of each, of milliseconds, at one size.

"RFC 2544" is all of it at full length: docs/examples/rfc2544-full.cfg on a fifo, rfc2544-router.cfg, and throughput, latency and
frame loss rate through a router with 1 filter and with 25.
"""
import json
import os
import random
import re
import subprocess
import tempfile
import time

TRIAL_S, SHORT_TRIAL_S = 60, 0.001
BARS_S = {"trial": 3, "ndrpdr": 10, "rfc2544": 10, "RFC 9004": 40, "RFC 2544": 300}
EXAMPLES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "docs", "examples")
SIZES = "[64, 128, 256, 512, 1024, 1280, 1518]"
ODD_FPS = 93_456_789  # the first device of RFC 2544: a rate that nobody chose for the twin
LINE_FPS = {64: 148_809_523, 1518: 8_127_438}


def run_trials(build, trial_s, trials, seed, kind, size):
    """Seconds of wall time of each trial, the longest last, with its rates."""
    environment = dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim"))
    done = subprocess.run([os.path.join(build, "tests", "sim", "bench_rates"), "twin", str(trial_s), str(trials), str(seed), kind,
                           str(size)], env=environment, check=True, capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return sorted((float(row[3]), int(row[1]), int(row[2])) for row in rows)


# Networks behind the router that each port plays, node 10: where what the filters block goes to (docs/traffic.md).
NETWORKS = ", ".join(f"198.{18 + port}.{network} 198.{18 + port}.1.10" for port in (0, 1) for network in ("152.0/21", "160.0/20"))


def example(name):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        return file.read()


def plan_of(what, service_fps):
    if what == "RFC 9004":
        tests = (f'{{ test = "throughput"; frame_sizes = {SIZES}; search = "binary"; trial_duration = "{TRIAL_S}s"; '
                 'resolution = "0.01%"; }, '
                 f'{{ test = "back_to_back"; frame_sizes = {SIZES}; search = "binary"; repetitions = 50; max_burst = "30s"; }}')
    else:
        tests = f'{{ test = "mlrsearch"; frame_sizes = [64]; preset = "{what}"; }}'
    return ('device = { backend = "sim"; library = "twin"; };\nlink = { speed = "100G"; };\n'
            f'dut = {{ model = "fifo"; buffer_frames = 2000; service_fps = "{service_fps}"; latency_ns = 800; }};\n'
            f'run = ( {tests} );\n')


def plan_with_filters(modifier, service_fps, filters):
    more = f'frame_sizes = {SIZES}; modifiers = ["{modifier}"];'
    return ('device = { backend = "sim"; library = "twin"; };\nlink = { speed = "100G"; };\ntraffic = { routed = true; };\n'
            f'dut = {{ model = "router"; buffer_frames = 2000; forwarding_fps = {service_fps}; latency_ns = 800; '
            f'networks = "{NETWORKS}"; ' + (f'filters = "{", ".join(filters)}"; ' if filters else "") + "};\n"
            f'run = ( {{ test = "throughput"; {more} trial_duration = "{TRIAL_S}s"; }}, {{ test = "latency"; {more} }}, '
            f'{{ test = "frame_loss_rate"; {more} trial_duration = "{TRIAL_S}s"; }} );\n')


def shortened(plan):
    """The same tests at one size, with short trials and few repetitions."""
    for pattern, short in ((r"frame_sizes = \[[^]]*\]", "frame_sizes = [1518]"), (f'"{TRIAL_S}s"', '"100ms"'), ('"30s"', '"1ms"'),
                           ("repetitions = 50", "repetitions = 2"), ("(preset = [^;]*;)", r'\1 trial_duration = "1ms";')):
        plan = re.sub(pattern, short, plan)
    return plan


class Runs:
    """Plans that are run one after the other, and the wall time of all of them."""

    def __init__(self, build, scratch, short):
        self.build, self.scratch, self.short, self.wall_s = build, scratch, short, 0

    def write(self, text):
        path = os.path.join(self.scratch, "plan.cfg")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, text, *settings):
        arguments = [word for setting in settings for word in ("--set", setting)]
        begin = time.monotonic()
        done = subprocess.run([os.path.join(self.build, "fpgauge"), "run", self.write(shortened(text) if self.short else text), *arguments, "--db",
                               os.path.join(self.scratch, "run.db"), "--quiet"], check=False, capture_output=True, text=True)
        self.wall_s += time.monotonic() - begin
        if done.returncode != 0:
            raise SystemExit(f"tools/bench: {text}\n{done.stderr}")
        os.remove(os.path.join(self.scratch, "run.db"))

    def filters(self, modifier):
        """Those that a device must have, as `fpgauge check` prints them."""
        done = subprocess.run([os.path.join(self.build, "fpgauge"), "check", self.write(plan_with_filters(modifier, 10**7, []))],
                              check=True, capture_output=True, text=True)
        return list(dict.fromkeys(re.findall(r"^(?:block|forward) (?!all else).*$", done.stdout, re.MULTILINE)))


def run_plan(build, what, service_fps, short):
    with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as scratch:
        runs = Runs(build, scratch, short)
        if what == "RFC 2544":
            runs.run(example("rfc2544-full.cfg"), f"dut.service_fps={service_fps}")
            runs.run(example("rfc2544-router.cfg"), f"dut.forwarding_fps={service_fps}")
            for modifier in ("filters_1", "filters_25"):
                runs.run(plan_with_filters(modifier, service_fps, runs.filters(modifier)))
        else:
            runs.run(plan_of(what, service_fps))
        return runs.wall_s


def main(build, path, options):
    seed = options.seed or 1
    trials, plans = (1, 1) if options.short else (100, 20) if options.long else (25, 3)
    trial_s = SHORT_TRIAL_S if options.short else TRIAL_S
    rows = []
    for kind in ("lossy", "lossless"):
        for size in LINE_FPS:
            times = run_trials(build, trial_s, trials, seed, kind, size)
            worst, load, service = times[-1]
            rows.append({"what": f"{kind} trial", "frame_octets": size, "seed": seed, "count": trials, "wall_s": worst,
                         "median_s": times[len(times) // 2][0], "load_fps": load, "service_fps": service, "bar_s": BARS_S["trial"]})
            print(f"{trials} {kind} trials of {trial_s} s at {size} octets, seed {seed}: median {rows[-1]['median_s']:.3f} s, worst "
                  f"{worst:.3f} s (load {load:,}, service {service:,} fps), bar {BARS_S['trial']} s", flush=True)
    for what in ("ndrpdr", "rfc2544", "RFC 9004", "RFC 2544"):
        draw = random.Random(seed)
        top = LINE_FPS[1518 if what == "RFC 9004" else 64]
        times = []
        for i in range(plans):
            service = ODD_FPS if what == "RFC 2544" and i == 0 else draw.randrange(top // 10, top)
            times.append((run_plan(build, what, service, options.short), service))
        worst, service = max(times)
        rows.append({"what": what, "seed": seed, "count": plans, "wall_s": worst, "service_fps": service, "bar_s": BARS_S[what],
                     "median_s": sorted(times)[plans // 2][0]})
        print(f"{plans} times {what}, seed {seed}: median {rows[-1]['median_s']:.1f} s, worst {worst:.1f} s (service {service:,} "
              f"fps), bar {BARS_S[what]} s", flush=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")
    return 0
