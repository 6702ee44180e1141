# SPDX-License-Identifier: Apache-2.0
"""How often `fpgauge trend` finds a step, and one that is not there.

bench_trend (tests/c) makes series with normal noise, seed by seed; this makes JSON and the table in docs/trend.md of its counts, and
compares them with the limits below.
"""

import json
import os
import subprocess

SEEDS, LONG_SEEDS, SHORT_SEEDS = 1_000, 10_000, 2
KEYS = ("runs", "edge", "step", "noise", "tolerance", "memory", "seeds", "found", "within_2", "within_5", "more_than_one", "by_chance")
# Limits of the first case, a step of 3% in 50 runs with noise of 1%: percent of the seeds.
LEAST_FOUND, LEAST_WITHIN_5 = 97, 96
# The limit without memory is the level of the test, and half of it more, since a memory that is none is sometimes found. With
# it, the memory is an estimate, of 20 or 50 values a rough one. Rates of some seeds vary: MARGIN standard deviations more.
MOST_BY_CHANCE, MOST_BY_CHANCE_WITH_MEMORY, MEMORY_THAT_LOOKS_LIKE_STEPS = 1.5, 10, 0.8
MARGIN = 4


def measure(program, seeds):
    rows = []
    for line in subprocess.run([program, str(seeds)], check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        rows.append({key: float(field) if key in ("step", "noise", "tolerance", "memory") else int(field) for key, field in zip(KEYS, fields)})
    return rows


def percent(row, key):
    return 100 * row[key] / row["seeds"]


def exceeded(rows):
    lines = []
    for key, least in (("found", LEAST_FOUND), ("within_5", LEAST_WITHIN_5)):
        if percent(rows[0], key) < least:
            lines.append(f"{key}: {percent(rows[0], key):.1f}%: must be at least {least}%")
    for row in rows:
        most = MOST_BY_CHANCE_WITH_MEMORY if row["memory"] else MOST_BY_CHANCE
        if row["memory"] > MEMORY_THAT_LOOKS_LIKE_STEPS:
            continue
        level = most + MARGIN * (most * (100 - most) / row["seeds"]) ** 0.5
        if percent(row, "by_chance") > level:
            lines.append(f"{row['runs']} runs: {percent(row, 'by_chance'):.2f}% by chance: must be at most {most}%, "
                         f"{level:.2f}% with {row['seeds']} seeds")
    return lines


def print_table(rows):
    print("| autocorrelation | runs | at least on each side | step | tolerance | found | within 2 runs of its place | within 5 | more than one | without a "
          "step, one is found |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        rates = " | ".join(f"{percent(row, key):.1f}%" for key in ("found", "within_2", "within_5", "more_than_one"))
        print(f"| {row['memory']:g} | {row['runs']} | {row['edge']} | {100 * row['step']:g}% | {100 * row['tolerance']:g}% | {rates} | "
              f"{percent(row, 'by_chance'):.2f}% |")


def main(build, path, options):
    program = os.path.join(build, "tests", "c", "bench_trend")
    if not os.access(program, os.X_OK):
        raise SystemExit(f"tools/bench: {build} is not built; run tools/build {build} first")
    rows = measure(program, SHORT_SEEDS if options.short else LONG_SEEDS if options.long else SEEDS)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "cases": rows}, file, indent=1)
        file.write("\n")
    print_table(rows)
    print(f"written to {path}")
    lines = [] if options.short else exceeded(rows)  # a rate of two seeds is none
    for line in lines:
        print(line)
    return 1 if lines else 0
