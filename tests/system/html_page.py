# SPDX-License-Identifier: Apache-2.0
"""What the cases of the HTML report share: a run of every kind of test over a noisy model of a device, and the page,
parsed as the XML that it also is."""

import json
import xml.etree.ElementTree

from exec_tester_case import ExecTesterCase

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"

# A FIFO whose rate and buffer vary from trial to trial, and which measures latency and gaps.
NOISY = """\
import json, random, sys
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["trial"])
    rate, buffer = 40e6 * noise.gauss(1, 0.001), 500 * noise.gauss(1, 0.03)
    theory = request["link_bps"] / 8 / (request["frame_octets"] + 20)
    load = request.get("load_fps", theory)
    duration = request.get("duration_s", request.get("burst_frames", 0) / load)
    offered = request.get("burst_frames", round(load * duration))
    received = offered if load <= rate else min(offered, int(buffer + (offered - 1) * rate / load))
    delay = 800 + (1e9 * buffer / rate if load > rate else 40 * load / rate)
    answer = {"trial": request["trial"], "offered_frames": offered, "received_frames": received, "duration_s": duration,
              "latency_min_ns": 800, "latency_mean_ns": (800 + delay) / 2, "latency_max_ns": delay}
    if "burst_frames" in request and offered > 1:
        answer.update(gap_min_octets=8, gap_mean_octets=12, gap_max_octets=16)
    print(json.dumps(answer), flush=True)
"""

THROUGHPUT = 'test = "throughput"; frame_sizes = [64, 128, 256, 1518]; trial_duration = "1s"; resolution = "0.5%"; settle = "0s"'
BURST = 'test = "back_to_back"; frame_sizes = [64, 128, 256, 1518]; repetitions = 6; first_burst = "64 frames"; settle = "0s"'
GOALS = 'test = "mlrsearch"; frame_sizes = [64, 128]; preset = "ndrpdr"; settle = "0s"'
ALL = [THROUGHPUT, BURST, GOALS]


def plan(tests, command='["python3", "-S", "tester.py"]'):
    body = ",\n".join(f"  {{ {test} }}" for test in tests)
    return f'device = {{ backend = "exec"; command = {command}; }};\nlink = {{ speed = "100G"; }};\nrun = (\n{body}\n);\n'


class HtmlCase(ExecTesterCase):
    def setUp(self):
        super().setUp()
        self.write("tester.py", NOISY)

    def page(self, text, *arguments, expect=0, name="run"):
        """Runs a plan with --html and --json; returns (the page as a tree, the JSON)."""
        done = self.fpgauge("run", self.write(f"{name}.cfg", text), "--db", f"{name}.db", "--quiet", "--html",
                            f"{name}.html", "--json", f"{name}.json", *arguments)
        self.assertEqual(done.returncode, expect, done.stderr)
        return self.tree(f"{name}.html"), self.result(f"{name}.json")

    def tree(self, name):
        return xml.etree.ElementTree.parse(self.path(name)).getroot()

    def charts(self, tree):
        """{name: how many}"""
        names = [figure.get("data-chart") for figure in tree.iter(HTML + "figure")]
        return {name: names.count(name) for name in names}

    def text(self, tree):
        return " ".join("".join(tree.itertext()).split())

    def verdict(self, tree):
        return next(element.get("data-verdict") for element in tree.iter() if element.get("data-verdict"))

    def cells(self, tree):
        """Every cell of a result: (table, test, octets, goal, key, digits or None, text shown)."""
        for table in tree.iter(HTML + "table"):
            for row in table.iter(HTML + "tr"):
                if row.get("data-test") is None:
                    continue
                for cell in row:
                    if cell.get("data-key"):
                        data = cell.find(HTML + "data")
                        yield (table.get("data-table"), row.get("data-test"), row.get("data-octets"), row.get("data-goal"),
                               cell.get("data-key"), None if data is None else data.get("value"), "".join(cell.itertext()))

    def shown_as(self, digits, text):
        """Whether a text for people is the number, rounded: with grouped digits, or with a unit of time."""
        units = {"s": 1, "ms": 1e-3, "\u00b5s": 1e-6, "ns": 1e-9}
        plain = text.replace("\u202f", "")
        number, _, unit = plain.partition(" ")
        places = len(number.partition(".")[2])
        return abs(float(number) - float(digits) / units.get(unit, 1)) <= 0.5000001 * 10 ** -places

    def result_of(self, report, test, octets, goal):
        found = [result for result in report["results"]
                 if str(result["test_number"]) == test and str(result["frame_octets"]) == octets
                 and (goal is None or str(result.get("goal")) == goal)]
        self.assertEqual(len(found), 1, (test, octets, goal))
        return found[0]

    def value_of(self, report, test, octets, goal, key):
        """The JSON number behind a cell; "counters.lost_frames" is that of an inner object."""
        result = self.result_of(report, test, octets, goal)
        if result.get("skipped"): # most of its keys are missing
            return result.get(key)
        value = result
        for part in key.split("."):
            self.assertIn(part, value, f"{key}: not in {json.dumps(result)[:300]}")
            value = value[part]
        return value
