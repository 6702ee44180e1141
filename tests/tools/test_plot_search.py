#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/plot-search draws every trial that a trial log or a result has, and refuses what is neither."""
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "plot-search"

LOG = """\
# number test octets repetition trial load_fps burst_frames duration_s offered_frames lost_frames loss_ratio, then ...
1 mlrsearch 64 1 1 100.000 - 1 100 60 0.6 UPPER - 100 UPPER - 100
1 mlrsearch 64 1 2 40.000 - 1 40 0 0 undecided - 100 LOWER 40 100
1 mlrsearch 64 1 3 40.000 - 60 - - - INVALID - - # offered 5 frames, intended 2400
1 mlrsearch 64 1 4 40.000 - 60 2400 0 0 LOWER 40 100 LOWER 40 100
2 back_to_back 128 1 1 1000.000 1024 - 1024 10 0.01 UPPER - 1024
2 back_to_back 128 2 1 1000.000 512 - 512 0 0 LOWER 512 -
"""


def result(goal, trials, lower, upper):
    return {"test": "mlrsearch", "frame_octets": 64, "goal": goal, "relevant_lower_bound_fps": lower,
            "relevant_upper_bound_fps": upper,
            "trial_results": [{"load_fps": load, "duration_s": 1.0, "loss_ratio": loss} for load, loss in trials]}


class PlotSearch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="fpgauge-plot-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def draw(self, text, *arguments, output="out.svg"):
        source = self.folder / "in"
        source.write_text(text, encoding="utf-8")
        done = subprocess.run([TOOL, source, self.folder / output, *arguments], capture_output=True, text=True, check=False)
        return done, self.folder / output

    def test_every_trial_of_a_log_is_a_point(self):
        done, path = self.draw(LOG)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = path.read_text(encoding="utf-8")
        for title in ("mlrsearch, 64 octets: 4 trials", "back_to_back, 128 octets, search 1: 1 trials",
                      "back_to_back, 128 octets, search 2: 1 trials", "lower bound of goal 2", "invalid", "with loss"):
            self.assertIn(title, text)
        # 6 trials; beside them the keys: three kinds in the first plot, one in each of the others.
        self.assertEqual(len(re.findall(r"<use [^>]*translate", text)), 6 + 3 + 1 + 1)

    def test_a_mix_is_named_and_chosen_by_its_text(self):
        log = LOG.replace("back_to_back 128", "throughput [64,570]").replace("mlrsearch 64", "mlrsearch imix")
        done, path = self.draw(log, "--size", "imix")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = path.read_text(encoding="utf-8")
        self.assertIn("mlrsearch, imix: 4 trials", text)
        self.assertNotIn("throughput", text)
        done, path = self.draw(log, "--size", "[64, 570]")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("throughput, [64,570]: ", path.read_text(encoding="utf-8"))

    def test_the_trials_of_a_mix_are_drawn_from_a_result(self):
        report = {"results": [result(1, [(100.0, 0.6)], 40.0, 100.0) | {"frame_octets": None, "sizes": "[64, 570]"}]}
        done, path = self.draw(json.dumps(report))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("mlrsearch, [64,570]: 1 trials", path.read_text(encoding="utf-8"))

    def test_one_search_can_be_chosen(self):
        done, path = self.draw(LOG, "--test", "2", "--size", "128", "--repetition", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = path.read_text(encoding="utf-8")
        self.assertIn("search 2", text)
        self.assertNotIn("mlrsearch", text)

    def test_trials_of_a_result_are_drawn_with_the_final_bounds(self):
        trials = [(100.0, 0.6), (40.0, 0.0), (41.0, 0.01)]
        done, path = self.draw(json.dumps({"results": [result(1, trials, 40.0, 41.0), result(2, trials, 41.0, None)]}))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = path.read_text(encoding="utf-8")
        self.assertIn("mlrsearch, 64 octets: 3 trials", text)
        self.assertIn("upper bound of goal 2", text)
        self.assertEqual(len(re.findall(r"<use [^>]*translate", text)), 3 + 2)

    def test_png_is_drawn_too(self):
        done, path = self.draw(LOG, output="out.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_what_is_no_search_is_refused_in_one_line(self):
        for text, arguments, output, says in (
                ("hello", (), "out.svg", "neither a trial log nor a result"),
                ("[]", (), "out.svg", "neither a trial log nor a result"),
                ('{"results": []}', (), "out.svg", "no result has trials"),
                (LOG + "1 mlrsearch 64\n", (), "out.svg", "in:8: not a line of a trial log: 3 fields"),
                (LOG.replace("0.6", "six", 1), (), "out.svg", "in:2: not a line of a trial log"),
                (LOG.replace("0.6", "inf", 1), (), "out.svg", "in:2: not a line of a trial log"),
                (LOG, ("--size", "65"), "out.svg", "no such search among 3"),
                (LOG, (), "out.pdf", "must end in .svg or .png")):
            with self.subTest(says):
                done, path = self.draw(text, *arguments, output=output)
                self.assertEqual(done.returncode, 1)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
