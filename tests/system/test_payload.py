#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A device that changes the payload of frames and makes a new FCS for them: results give exactly the number of frames that
the device altered, which is computed here from docs/dut-models.md and from what each trial offered."""

import contextlib
import csv
import os
import random
import sqlite3

from fpgauge_system import DONE, INVALID, SEED, SystemCase, main, plan_text

MASK = 2**64 - 1
USE_ALTER = 11  # number of the generator, in docs/dut-models.md
FLAG = "in {} of the trials, the device changed the payload of {} frames and made a new FCS for them: they count as lost"


def mix(value):
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


class Every:
    """alter_every: frames N, 2N, ... of a direction, from the start of the device."""

    def __init__(self, period):
        self.period, self.frames = period, 0

    def altered(self, frames):
        before = self.frames // self.period
        self.frames += frames
        return self.frames // self.period - before


class Drawn:
    """alter_probability of a millionth times `millionths`: a draw for each frame."""

    def __init__(self, millionths, seed, direction):
        self.limit = -(-(millionths << 64) // 10**6)
        self.state = mix(mix(seed) + (direction << 32 | USE_ALTER) & MASK)

    def altered(self, frames):
        hits = 0
        for _ in range(frames):
            self.state = self.state + 0x9E3779B97F4A7C15 & MASK
            hits += mix(self.state) < self.limit
        return hits


class Payload(SystemCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.random = random.Random(SEED)

    def trials(self, directions):
        """Of each trial: test, size, offered, lost, altered frames; after comparing each port with its device."""
        found = []
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            ports = {}
            for trial, port, offered, bad in database.execute(
                    "SELECT trial, port, offered_frames, bad_payload_frames FROM trial_port ORDER BY trial, port"):
                ports.setdefault(trial, []).append((port, offered, bad))
            for number, test, size, offered, lost, valid in database.execute(
                    "SELECT trial.number, test_number, search.frame_octets, offered_frames, lost_frames, valid "
                    "FROM trial JOIN search ON trial.search = search.number ORDER BY trial.number"):
                altered = [directions[port].altered(sent) for port, sent, _ in ports[number]]
                self.assertTrue(valid)
                self.assertEqual([bad for _, _, bad in ports[number]], [altered[port ^ 1] for port, _, _ in ports[number]],
                                 f"trial {number}")
                self.assertEqual(lost, sum(altered), "nothing else loses frames here")
                found.append((test, size, offered, lost, sum(altered)))
        return found

    def check(self, library, setting, directions, trial_duration):
        low = self.random.randrange(66, 200)
        sizes = [low, self.random.randrange(200, 1519)]
        goal = f'loss_ratio = "50%"; final_trial_duration = "{trial_duration}"; duration_sum = "{trial_duration}";'
        tests = [f'test = "throughput"; frame_sizes = {sizes}; trial_duration = "{trial_duration}"; resolution = "20%"; '
                 'settle = "1us"; drain = "5us";',
                 f'test = "throughput"; frame_sizes = {sizes}; search = "mlrsearch"; goals = ( {{ {goal} }} ); settle = "1us"; '
                 'drain = "5us";',
                 f'test = "mlrsearch"; frame_sizes = {sizes}; goals = ( {{ {goal} }} ); settle = "1us"; drain = "5us";']
        dut = f'model = "faults"; {setting}'
        print(library, dut, sizes, flush=True)
        report, done = self.run_plan(plan_text(tests, dut, library=library), "--db", self.path("run.db"), "--csv", self.path("csv"),
                                     "--html", self.path("page.html"))
        trials = self.trials(directions)
        self.assertGreater(sum(trial[4] for trial in trials), 0, "nothing was altered: choose other values")
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        for result in report["results"]:
            of_result = [trial for trial in trials if trial[:2] == (result["test_number"], result["frame_octets"])]
            total, lossy = sum(trial[4] for trial in of_result), sum(trial[4] != 0 for trial in of_result)
            self.assertEqual(len(of_result), result["trials"])
            flag = FLAG.format(lossy, total)
            self.assertEqual([text for text in result["flags"] if "payload" in text], [flag] if total else [])
            if total:
                self.assertIn(flag, " ".join(done.stdout.split()))
                self.assertIn(flag, page)
            if "counters" in result:
                counters = [result["counters"][key] for key in ("offered_frames", "lost_frames", "bad_payload_frames")]
                self.assertIn(tuple(counters), [trial[2:] for trial in of_result])
        self.check_csv(report)

    def check_csv(self, report):
        with open(os.path.join(self.path("csv"), "throughput.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["counters.bad_payload_frames"] for row in rows],
                         [str(result["counters"]["bad_payload_frames"]) for result in report["results"]
                          if result["test"] == "throughput"])
        # The goal allows this loss, so the trial that settled the second test has altered frames.
        self.assertTrue(any(int(row["counters.bad_payload_frames"]) > 0 for row in rows), rows)

    def every(self, library, trial_duration, periods):
        period = self.random.randrange(*periods)
        self.check(library, f"alter_every = {period};", [Every(period) for _ in range(2)], trial_duration)

    def drawn(self, library, trial_duration):
        millionths, seed = self.random.randrange(10000, 200000), self.random.randrange(2**63)
        self.check(library, f'alter_probability = {millionths / 10**6:.6f}; seed = "{seed}";',
                   [Drawn(millionths, seed, direction) for direction in range(2)], trial_duration)

    def test_the_twin_counts_every_altered_frame(self):
        for _ in range(3):
            self.every("twin", "2ms", (2, 1000))
            os.unlink(self.path("run.db"))
            self.drawn("twin", "100us")
            os.unlink(self.path("run.db"))

    def test_the_simulated_logic_counts_every_altered_frame(self):
        self.every("rtl", "20us", (2, 60))
        os.unlink(self.path("run.db"))
        self.drawn("rtl", "20us")

    def test_a_device_that_alters_every_frame_has_no_throughput_and_the_report_says_why(self):
        size = self.random.randrange(66, 1519)
        report, done = self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = [{size}]; trial_duration = "100us"; settle = "1us"; drain = "5us";'],
            'model = "faults"; alter_every = 1;', library="twin"), expect=INVALID)
        result = report["results"][0]
        self.assertIsNone(result["throughput_fps"])
        self.assertIn("not known: no test frame arrived whole", result["why_invalid"])
        self.assertEqual(result["counters"]["bad_payload_frames"], result["counters"]["offered_frames"])
        self.assertEqual(result["counters"]["received_frames"], 0)
        self.assertIn("made a new FCS for them", done.stdout.replace("\n", " "))

    def test_a_frame_without_octets_between_headers_and_signature_cannot_be_checked(self):
        """The limit that docs/trial.md states: 66 octets."""
        for size, checked in ((65, False), (66, True)):
            report, _ = self.run_plan(plan_text(
                [f'test = "throughput"; frame_sizes = [{size}]; trial_duration = "10us"; resolution = "50%"; settle = "1us"; '
                 'drain = "5us";'], 'model = "faults"; alter_every = 1;', library="twin"), expect=INVALID if checked else DONE)
            counters = report["results"][0]["counters"]
            self.assertEqual(counters["bad_payload_frames"], counters["offered_frames"] if checked else 0)


if __name__ == "__main__":
    main()
