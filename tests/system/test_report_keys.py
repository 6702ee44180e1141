#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every key that any benchmark writes is in the schema, and is described in docs/results.md where it belongs. The
tester is an external program, or the twin where only a device has something to say."""

import contextlib
import copy
import json
import os
import re
import sqlite3

from exec_tester_case import tester_text
from fpgauge_system import DONE, INVALID, ROOT, WRONG_DEVICE, main
from test_report import ALL, BURST, GOALS, THROUGHPUT, ReportCase, jsonschema


def strict_validator():
    """The same schema, except that only the keys that it names are allowed: for what this program writes today."""
    with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    definitions = schema["$defs"]
    definitions["with_units"].pop("patternProperties") # they would match every key that ends in a unit
    definitions["counters"].update(additionalProperties=False,
                                   properties={key: {"$ref": "#/$defs/count"} for key in definitions["counters"]["required"]})
    closed = [schema, *(definitions[name] for name in ("result", "parameters", "truth", "requirement", "trial_result")),
              *(schema["properties"][name] for name in ("device", "link", "calibration")),
              schema["properties"]["calibration"]["properties"]["ports"]["items"]]
    for one in closed:
        one["unevaluatedProperties"] = False
    return jsonschema.Draft202012Validator(schema)


# Everything that makes a benchmark report something of its own. The tester is a program, or the twin.
EVERY_WAY = [
    THROUGHPUT + '; require = { throughput_fps = "1M"; }', THROUGHPUT + '; search = "loss_verification"; max_repeats = 2',
    BURST + '; actual_rate = "5M"', 'test = "throughput"; search = "mlrsearch"; frame_sizes = [64]; settle = "0s"',
    GOALS, 'test = "mlrsearch"; frame_sizes = [64]; settle = "0s"; trials_limit = 2; warm_up = "1s"']
ON_THE_TWIN = """
device = { backend = "sim"; library = "twin"; };
link   = { speed = "100G"; };
dut    = { model = "fifo"; buffer_frames = 500; service_fps = "40M"; latency_ns = 800; };
run    = (
  { test = "throughput"; frame_sizes = [64, 1518]; trial_duration = "1ms"; resolution = "1%"; settle = "0s"; drain = "1ms"; },
  { test = "back_to_back"; frame_sizes = [64, 1518]; repetitions = 3; max_burst = "10ms"; settle = "0s"; drain = "1ms"; },
  { test = "mlrsearch"; frame_sizes = [64]; settle = "0s"; drain = "1ms";
    goals = ( { final_trial_duration = "1ms"; initial_trial_duration = "1ms"; duration_sum = "21ms"; } ); }
);
"""


class Keys(ReportCase):
    def every_report(self):
        """Results of every benchmark, found in every way, by a program and by the twin: complete, skipped, invalid, cut
        short."""
        self.measure(EVERY_WAY, "--json", "exec.json", name="exec.db", expect=INVALID)
        done = self.fpgauge("run", self.write("twin.cfg", ON_THE_TWIN), "--db", "twin.db", "--quiet", "--json", "twin.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.write("tester.py", tester_text('reply["received_frames"] = 0; reply["offered_frames"] -= 7'))
        self.measure([test.replace("1518", "128") for test in ALL], "--json", "ill.json", name="ill.db", expect=INVALID)
        self.write("tester.py", tester_text("os._exit(7)"))
        self.measure([THROUGHPUT.replace("1518", "128")], "--json", "died.json", name="died.db", expect=WRONG_DEVICE)
        with contextlib.closing(sqlite3.connect(self.path("twin.db"))) as database:
            database.execute("UPDATE run SET calibration = ?", (json.dumps({
                "file": "cables.json", "bits_per_second": 100000000000,
                "ports": [{"from_port": 0, "to_port": 1, "latency_ns": 12.5, "measured": "2026-11-21T10:00:00Z"}]}),))
            database.commit()
        self.fpgauge("report", "twin.db", "--quiet", "--json", "calibrated.json")
        return {name: self.result(name) for name in ("exec.json", "twin.json", "ill.json", "died.json", "calibrated.json")}

    def test_no_key_is_written_that_the_schema_does_not_name(self):
        check = strict_validator()
        reports = self.every_report()
        kinds = {(result["test"], result["parameters"]["search"]) for report in reports.values() for result in report["results"]}
        self.assertEqual(kinds, {("throughput", "binary"), ("throughput", "loss_verification"), ("throughput", "mlrsearch"),
                                 ("back_to_back", "binary"), ("mlrsearch", "mlrsearch")})
        for name, report in reports.items():
            with self.subTest(name):
                check.validate(report)
        for place in (lambda r: r, lambda r: r["device"], lambda r: r["results"][0], lambda r: r["results"][0]["parameters"],
                      lambda r: r["results"][0]["counters"], lambda r: r["results"][0]["truth"]):
            with self.subTest("a new key is seen"):
                bad = copy.deepcopy(reports["twin.json"])
                place(bad)["new_key_fps"] = 1
                self.assertFalse(check.is_valid(bad))

    def test_every_key_is_described_where_it_belongs(self):
        with open(os.path.join(ROOT, "docs", "results.md"), encoding="utf-8") as file:
            sections = dict(re.findall(r"^## (\S.*?)(?: \(RFC [^)]*\))?\n(.*?)(?=^## |\Z)", file.read(), re.DOTALL | re.MULTILINE))
        named = {title: set(re.findall(r"`(\w+)`", text)) for title, text in sections.items()}

        def keys(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    yield key
                    yield from keys(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from keys(inner)

        for name, report in self.every_report().items():
            head = {key: value for key, value in report.items() if key != "results"}
            self.assertEqual(set(keys(head)) - named["The object"], set(), name)
            for result in report["results"]:
                here = named["Every result"] | named["Counters"] | named[result["test"]]
                if result["parameters"]["search"] == "mlrsearch": # "has the goal as below"
                    here |= named["mlrsearch"]
                self.assertEqual(set(keys(result)) - here, set(), (name, result["test"], result["frame_octets"]))


if __name__ == "__main__":
    main()
