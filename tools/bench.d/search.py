# SPDX-License-Identifier: Apache-2.0
"""What searches cost: trials and seconds of traffic on simulated devices, and the time of a search step.

bench_search (tests/c) runs the searches; this makes JSON and a table of them, and compares them with the limits below.
"""

import json
import os
import subprocess

# The most seconds of traffic, on average, by goals and device. A controller that is known to be good needs as much.
TRAFFIC_LIMIT_S = {("ndrpdr", "hard"): 35, ("zero_loss", "hard"): 27, ("rfc2544", "hard"): 70,
                   ("rfc2544", "buffer"): 383, ("ndrpdr", "droop70"): 47, ("rfc2544", "droop70"): 91}
# The largest relative standard deviation of the lower bound, in percent.
SPREAD_LIMIT_PERCENT = {("ndrpdr", "noisy0.02"): 0.005, ("tst009", "noisy0.02"): 7, ("rfc2544", "noisy0.02"): 18}
STEP_LIMIT_US = 10


def measure(program):
    """The rows of the searches, and the row of the step."""
    rows, step = [], None
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        if fields[0] == "step":
            step = {"trials_before": int(fields[1]), "steps": int(fields[2]), "microseconds": float(fields[3])}
            continue
        goals, device, searches, trials, traffic, most, mean, stddev, regular = fields
        row = {"goals": goals, "device": device, "searches": int(searches), "regular": int(regular),
               "trials": float(trials), "traffic_s": float(traffic), "most_traffic_s": float(most)}
        if device.startswith("noisy"):  # all of one capacity; for others the spread would be that of the capacities
            row["lower_bound_mean_fps"] = float(mean)
            row["lower_bound_stddev_percent"] = 100 * float(stddev) / float(mean) if float(mean) else None
        rows.append(row)
    return rows, step


def exceeded(rows, step, step_limit_us):
    """One line for every limit that does not hold."""
    lines = []
    for row in rows:
        case = (row["goals"], row["device"])
        if row["traffic_s"] > TRAFFIC_LIMIT_S.get(case, row["traffic_s"]):
            lines.append(f"{case[0]} on {case[1]}: {row['traffic_s']:.1f} s: must be at most {TRAFFIC_LIMIT_S[case]} s")
        spread = row.get("lower_bound_stddev_percent")
        if case in SPREAD_LIMIT_PERCENT and not spread <= SPREAD_LIMIT_PERCENT[case]:
            lines.append(f"{case[0]} on {case[1]}: standard deviation {spread:.2f}%: must be at most "
                         f"{SPREAD_LIMIT_PERCENT[case]}%")
    if step["microseconds"] > step_limit_us:
        lines.append(f"a search step: {step['microseconds']:.2f} us: must be at most {step_limit_us} us")
    return lines


def print_table(rows, step):
    print(f"{'goals':<10} {'device':<10} {'trials':>7} {'traffic s':>10} {'most s':>8} {'regular':>9} {'stddev':>8}")
    for row in rows:
        spread = row.get("lower_bound_stddev_percent")
        print(f"{row['goals']:<10} {row['device']:<10} {row['trials']:>7.1f} {row['traffic_s']:>10.1f} "
              f"{row['most_traffic_s']:>8.0f} {row['regular']:>4}/{row['searches']:<4} "
              f"{'' if spread is None else f'{spread:.2f}%':>8}")
    print(f"a search step with {step['trials_before']} trials behind it: {step['microseconds']:.2f} us")


def main(build, path, options):
    program = os.path.join(build, "tests", "c", "bench_search")
    if not os.access(program, os.X_OK):
        raise SystemExit(f"tools/bench: {build} is not built; run tools/build {build} first")
    rows, step = measure(program)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "searches": rows, "step": step}, file, indent=1)
        file.write("\n")
    print_table(rows, step)
    print(f"written to {path}")
    lines = exceeded(rows, step, STEP_LIMIT_US if not options.short else float("inf"))
    for line in lines:
        print(line)
    return 1 if lines else 0
