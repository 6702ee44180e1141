# SPDX-License-Identifier: Apache-2.0
"""RFC 8239 whole, as in docs/examples/rfc8239-full.cfg: 16 ports of the twin; wall time of one run. What the plan says
of the switch must be found; a result that is not valid or not right ends the program with exit 1, as does a run above the limit."""

import json
import os
import re
import resource
import subprocess
import tempfile
import time

MOST_WALL_S = 600
PORTS = 16
CELLS, CELL_OCTETS = 1009, 208  # the plan's buffer, which gives a queue as much as is free
PLAN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "docs", "examples", "rfc8239-full.cfg")
ONE_QUEUE = ("rfc8239.buffer_efficiency", "rfc8239.port_buffer", "rfc8239.device_buffer")
SHORT_TESTS = r"rfc8239\.(line_rate|buffer_efficiency)"


def waiting_frames(octets):
    """Frames of a queue alone, without the one that is leaving: it may begin one more while it is below what is free."""
    return -(-CELLS // (2 * -(-octets // CELL_OCTETS))) - 1


def wrong(result):
    """Why a result is not what the plan says of the switch; None: it is."""
    if not result["valid"]:
        return result["why_invalid"]
    test, octets = result["test"], result["frame_octets"]
    if test in ONE_QUEUE and abs(result["buffer_frames"] - waiting_frames(octets)) > 1:
        return f"{result['buffer_frames']} frames in a buffer of {waiting_frames(octets)}"
    if test == "rfc8239.line_rate" and result["lost_frames"]:
        return f"{result['lost_frames']} frames lost"
    if test == "rfc8239.incast":
        return wrong_incast(result)
    return None


def wrong_incast(result):
    """Each choice of ports of section 6.2 is there, and goodput is that of a line of 100 Gb/s at most."""
    rows = [(row["stateful"], row["stateless"]) for row in result["iterations"]]
    if rows != [(n, 1) for n in range(1, PORTS - 1)] + [(1, n) for n in range(2, PORTS - 1)]:
        return f"{len(rows)} choices of ports"
    if not 0 < result["goodput_gbps"] <= result["max_theoretical_goodput_gbps"]:
        return f"{result['goodput_gbps']} Gb/s of {result['max_theoretical_goodput_gbps']} Gb/s"
    return None


def write_short(path):
    """A plan of those tests that are soon done, at one size."""
    with open(PLAN, encoding="utf-8") as file:
        head, tests = re.split(r"(?m)^run\s*=", file.read(), maxsplit=1)
    tests = [re.sub(r"frame_sizes = \[[^]]*\]", "frame_sizes = [1518]", test.replace('"20ms"', '"1ms"'))
             for test in re.findall(r"\{ test = .*?;[^{}]*(?:\{[^}]*\}[^{}]*)?\}", tests) if re.search(SHORT_TESTS, test)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}run = ( {', '.join(tests)} );\n")
    return path


def main(build, path, options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    load = os.getloadavg()[0]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        name, plan = os.path.join(folder, "result.json"), PLAN
        if options.short:
            plan = write_short(os.path.join(folder, "plan.cfg"))
        done = subprocess.run([os.path.join(build, "fpgauge"), "run", plan, "--db", os.path.join(folder, "run.db"),
                               "--json", name, "--quiet"], capture_output=True, text=True, check=False,
                              env=dict(os.environ, FPGAUGE_LIBRARY_PATH=os.path.join(build, "sim")))
        wall = time.monotonic() - began
        if done.returncode not in (0, 1):
            raise SystemExit(f"tools/bench: {done.stderr}")
        with open(name, encoding="utf-8") as file:
            results = json.load(file)["results"]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    failures = [f"{entry['test']} at {entry['frame_octets']} octets: {wrong(entry)}" for entry in results if wrong(entry)]
    report = {"schema": 1, "cores": os.cpu_count(), "load": load, "ports": PORTS, "wall_s": wall, "results": len(results),
              "trials": sum(entry["trials"] for entry in results), "most_wall_s": MOST_WALL_S, "failures": failures,
              "processor_s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}
    print(f"RFC 8239 whole, {PORTS} ports of the twin: {report['results']} results, {report['trials']:,} trials, {wall:.1f} s, "
          f"{report['processor_s']:.1f} s of processor time; load {load:.1f}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    if wall > MOST_WALL_S and not options.short:
        failures.append(f"{wall:.0f} s; at most {MOST_WALL_S} s are allowed")
    for failure in failures:
        print(f"tools/bench: {failure}")
    return 1 if failures else 0
