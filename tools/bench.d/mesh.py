# SPDX-License-Identifier: Apache-2.0
"""The twin with a full mesh of 16 ports through a switch: frames/s, on one core and on two, and the most memory that the
process ever had."""
import json
import os
import random
import sys
import subprocess

PORTS = 16
FRAME_OCTETS = 64
LINE_RATE = (12, 0, 1)
SECOND_US = 1e6
PLAYED_US = 20e3
SHORT = 1e-2  # the same for so much of the time
CORES = (1, 2)
LEAST_FRAMES_PER_S = 50e6
MEMORY_MARGIN_KIB = 1024  # pages that happen to be touched


def run(build, microseconds, gap, *options):
    """Figures of one run with an average gap of gap[0] + gap[1] / gap[2] octets."""
    environment = dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim"))
    done = subprocess.run([os.path.join(build, "tests", "sim", "bench_mesh"), str(PORTS), str(microseconds), *map(str, gap),
                           *options], env=environment, check=True, capture_output=True, text=True)
    wall, processor, sent, received, memory = done.stdout.split()
    return {"microseconds": microseconds, "gap": list(gap), "options": list(options), "wall_s": float(wall),
            "processor_s": float(processor), "frames": int(sent), "received_frames": int(received), "memory_kib": int(memory),
            "frames_per_wall_s": int(sent) / float(wall), "frames_per_processor_s": int(sent) / float(processor)}


def fastest(runs, *arguments):
    return min((run(*arguments) for _ in range(runs)), key=lambda row: row["wall_s"])


def odd_gaps(seed):
    """Average gaps of 13 octets and more: one that repeats within a second, one that does not."""
    draw = random.Random(seed)
    short, long = draw.randrange(1000, 20000), draw.randrange(2**31, 2**32)
    return (13, draw.randrange(1, short), short), (13, draw.randrange(1, long), long)


def measure(build, runs, seed, short):
    scale = SHORT if short else 1
    seed = random.randrange(2**32) if seed is None else seed
    repeating, odd = odd_gaps(seed)
    jumped = [("1 s at line rate", SECOND_US * scale, LINE_RATE), ("0.1 s at line rate", SECOND_US * scale / 10, LINE_RATE),
              ("1 s at an odd load that repeats", SECOND_US * scale, repeating)]
    played = [("an odd load that does not repeat, every frame played", PLAYED_US * scale, odd),
              ("line rate, every frame played", PLAYED_US * scale, LINE_RATE, "device.jumps=false")]
    cases = [(name, 1, *rest, "device.threads=1") for name, *rest in jumped]
    cases += [(name, cores, *rest, f"device.threads={cores}") for name, *rest in played for cores in CORES]
    rows = [{"case": name, "cores": cores, **fastest(runs, build, *rest)} for name, cores, *rest in cases]
    grown = rows[0]["memory_kib"] - rows[1]["memory_kib"]
    return {"ports": PORTS, "frame_octets": FRAME_OCTETS, "seed": seed, "cases": rows, "memory_grown_kib": grown,
            "fast_enough": rows[0]["frames_per_wall_s"] >= LEAST_FRAMES_PER_S,
            "played_fast_enough": all(row["frames_per_wall_s"] >= LEAST_FRAMES_PER_S for row in rows if row["cores"] == 2),
            "memory_stays": grown <= MEMORY_MARGIN_KIB}


def print_table(report):
    print(f"mesh of {report['ports']} ports through a switch, {report['frame_octets']} octets, seed {report['seed']}:")
    for row in report["cases"]:
        cores = "1 core" if row["cores"] == 1 else f"{row['cores']} cores"
        print(f"  {row['case']}, {cores}: {row['frames']:,} frames, {row['wall_s']:.3f} s, "
              f"{row['frames_per_wall_s'] / 1e6:,.1f} M frames/s, {row['frames_per_processor_s'] / 1e6:,.1f} M per second of "
              f"processor time, {row['memory_kib']:,} KiB")


def failures(report):
    """What does not hold of what the twin must reach, as sentences."""
    found = []
    if not report["fast_enough"]:
        found.append(f"a mesh of {PORTS} ports: below {LEAST_FRAMES_PER_S / 1e6:.0f} M frames/s")
    if not report["played_fast_enough"]:
        found.append(f"a mesh of {PORTS} ports, every frame played on two cores: below {LEAST_FRAMES_PER_S / 1e6:.0f} M frames/s")
    if not report["memory_stays"]:
        found.append(f"a mesh of {PORTS} ports: {report['memory_grown_kib']} KiB more memory in 1 s than in 0.1 s")
    return found


def main(build, path, options):
    report = {"schema": 1, "cores": os.cpu_count(), "load": os.getloadavg()[0], **measure(build, options.runs, options.seed, options.short)}
    print_table(report)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    print(f"written to {path}")
    found = [] if options.short else failures(report)
    for failure in found:
        print(f"tools/bench: {failure}", file=sys.stderr)
    return 1 if found else 0
