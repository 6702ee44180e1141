#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bursty traffic (RFC 2544 section 21) against devices whose smallest gap without loss is computed here."""

import csv
import fractions
import itertools
import json
import random
import sqlite3
import sys

from burst_truth import (MIN_GAP_OCTETS, absorbed_gap, burst_octets, bursts_in, frames_lost, least_gap, period_octets)
from fifo_truth import GROUP_OCTETS, OVERHEAD_OCTETS, max_theoretical_fps
from fpgauge_system import DONE, INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, fifo, main, plan_text

OCTETS_PER_S = LINK_BPS // 8


def test_text(frame_octets, bursts, duration_ns, settings="", direction="bidirectional"):
    return (f'test = "bursty_traffic"; frame_sizes = [{frame_octets}]; bursts = {list(bursts)}; '
            f'trial_duration = "{duration_ns}ns"; direction = "{direction}"; {settings}')


def duration_ot(duration_ns):
    return -(-duration_ns * OCTETS_PER_S // 10**9)


class BurstCase(SystemCase):
    def check_rate(self, row, frame_octets):
        """What is said of the gap found is what follows from it."""
        gap = row["inter_burst_gap_octets"]
        load = fractions.Fraction(burst_octets(row["burst_frames"], frame_octets),
                                  period_octets(row["burst_frames"], frame_octets, gap))
        self.assertAlmostEqual(row["inter_burst_gap_ns"], gap * 8e9 / LINK_BPS, delta=1e-6)
        self.assertAlmostEqual(row["load_percent"], float(100 * load), delta=1e-9)
        self.assertAlmostEqual(row["load_fps"], float(load * max_theoretical_fps(frame_octets, LINK_BPS)), delta=1e-3)

    def check_row(self, row, frame_octets, buffer_frames, service_ot, trial_ot, ports):
        """Nothing is lost at the gap found, and a step below it exactly what the model loses."""
        burst, gap, lossy = row["burst_frames"], row["inter_burst_gap_octets"], row["lossy_gap_octets"]

        def lost_at(gap_octets):
            bursts = bursts_in(burst, frame_octets, gap_octets, trial_ot)
            return ports * frames_lost(buffer_frames, service_ot, frame_octets, burst, gap_octets, bursts)

        if lossy is not None:
            self.assertEqual(row["lossy_gap_lost_frames"], lost_at(lossy), row)
            self.assertGreater(row["lossy_gap_lost_frames"], 0)
        if gap is None:
            self.assertEqual((row["outcome"], lossy), ("no_gap", row["max_gap_octets"]))
            return
        self.assertEqual(lost_at(gap), 0, row)
        self.assertEqual(row["offered_frames"], ports * burst * bursts_in(burst, frame_octets, gap, trial_ot))
        if lossy is None:
            self.assertEqual((row["outcome"], gap), ("line_rate", MIN_GAP_OCTETS))
        else:
            self.assertEqual((row["outcome"], gap - lossy), ("found", row["resolution_octets"]), row)
        self.check_rate(row, frame_octets)

    def check_closed_form(self, row, frame_octets, buffer_frames, service_ot, trial_ot):
        """The gap is that of the closed form: to a step, the octets of a group, and what a short trial hides."""
        burst, gap = row["burst_frames"], row["inter_burst_gap_octets"]
        true = least_gap(buffer_frames, service_ot, frame_octets, burst)
        if true is not None and true > row["max_gap_octets"] + GROUP_OCTETS:
            if gap is not None:  # a smaller one than is tried at most, because a short trial hides what the buffer absorbs
                slack = absorbed_gap(buffer_frames, service_ot, burst, bursts_in(burst, frame_octets, gap, trial_ot))
                self.assertGreaterEqual(gap, true - slack - GROUP_OCTETS, row)
        elif true is None or gap is None:
            # The octets by which starts are rounded down may decide whether the last frame fits in.
            around = {least_gap(buffer_frames + more, service_ot, frame_octets, burst) is None for more in (-1, 0, 1)}
            self.assertIn(gap is None, around, row)
        else:
            slack = absorbed_gap(buffer_frames, service_ot, burst, bursts_in(burst, frame_octets, gap, trial_ot))
            self.assertGreaterEqual(gap, true - slack - GROUP_OCTETS, row)
            self.assertLessEqual(gap, true + row["resolution_octets"] + GROUP_OCTETS, row)

    def check_fifo(self, library, frame_octets, percent, buffer_frames, bursts, duration_ns, direction, settings="", latency_ns=800):
        service_ot = (frame_octets + OVERHEAD_OCTETS) * 100 / percent
        case = dict(library=library, frame_octets=frame_octets, percent=str(percent), buffer_frames=buffer_frames, bursts=bursts,
                    duration_ns=duration_ns, direction=direction, settings=settings, latency_ns=latency_ns)
        with self.subTest(**case):
            report, _ = self.run_plan(plan_text([test_text(frame_octets, bursts, duration_ns, settings, direction)],
                                                dut=fifo(buffer_frames, f"{float(percent)}%", latency_ns), library=library))
            result = self.only(report, test="bursty_traffic")
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual([row["burst_frames"] for row in result["bursts"]], list(bursts))
            for row in result["bursts"]:
                self.check_row(row, frame_octets, buffer_frames, service_ot, duration_ot(duration_ns),
                               2 if direction == "bidirectional" else 1)
                self.check_closed_form(row, frame_octets, buffer_frames, service_ot, duration_ot(duration_ns))
            self.check_sums(result)
            return result
        return None

    def check_sums(self, result):
        gaps = [row["inter_burst_gap_octets"] for row in result["bursts"]]
        known = [gap for gap in gaps if gap is not None]
        self.assertEqual(result["bursts_without_gap"], len(gaps) - len(known))
        self.assertEqual(result["max_inter_burst_gap_octets"], max(known) if len(known) == len(gaps) else None)
        self.assertEqual(result["trials"], sum(row["trials"] for row in result["bursts"]))
        self.assertEqual(result["counters"]["lost_frames"], 0)
        self.assertEqual(sum("even with a gap of" in flag for flag in result["flags"]), len(gaps) - len(known))


class Fifos(BurstCase):
    def test_the_gap_found_in_trials_of_60_s_on_the_twin_is_the_smallest_without_loss(self):
        draw = random.Random(SEED)
        for _ in range(40 if LONG else 6):
            self.check_fifo("twin", draw.choice((64, 67, 128, 131, 512, 1518, 9216)), fractions.Fraction(draw.randint(5, 98)),
                            draw.randint(1, 300), draw.sample((1, 2, 5, 16, 31, 64, 100), 3), 60_000_000_000,
                            draw.choice(("unidirectional", "bidirectional")), latency_ns=draw.randint(0, 5000))

    def test_the_gap_found_in_short_trials_on_the_rtl_is_the_smallest_without_loss(self):
        draw = random.Random(SEED)
        for _ in range(8 if LONG else 2):
            self.check_fifo("rtl", draw.choice((64, 67, 131, 512)), fractions.Fraction(draw.randint(2000, 9800), 100),
                            draw.randint(1, 40), draw.sample((1, 2, 5, 16, 31), 2), draw.randint(10_000, 40_000),
                            draw.choice(("unidirectional", "bidirectional")),
                            f'max_inter_burst_gap = {draw.randint(3000, 9000)};', draw.randint(0, 3000))

    def test_short_trials_of_the_search_are_settled_at_full_length_at_any_rate(self):
        draw = random.Random(SEED)
        service_fps, buffer_frames = draw.randint(20_000_000, 140_000_000), draw.randint(20, 60)
        report, _ = self.run_plan(plan_text([test_text(64, (1, 16, 40), 300_000_000, 'search_trial_duration = "10ms"; resolution = 1;')],
                                            dut=fifo(buffer_frames, service_fps), library="twin"))
        service_ot = fractions.Fraction(OCTETS_PER_S, service_fps)
        for row in report["results"][0]["bursts"]:
            with self.subTest(service_fps=service_fps, buffer_frames=buffer_frames, burst=row["burst_frames"]):
                self.check_closed_form(row, 64, buffer_frames, service_ot, duration_ot(300_000_000))
                if row["inter_burst_gap_octets"] is not None:
                    self.assertEqual(row["offered_frames"], 2 * row["burst_frames"] * bursts_in(
                        row["burst_frames"], 64, row["inter_burst_gap_octets"], duration_ot(300_000_000)))

    def test_the_rtl_and_the_twin_have_the_same_result(self):
        draw = random.Random(SEED)
        results = [self.check_fifo(library, 65, fractions.Fraction(613, 10), 9, (3, 16), 20_000 + draw.randint(0, 0),
                                   "bidirectional", 'resolution = 7; max_inter_burst_gap = "400ns";')
                   for library in ("rtl", "twin")]
        self.assertEqual(results[0]["bursts"], results[1]["bursts"])
        self.assertEqual(results[0]["counters"], results[1]["counters"])

    def test_bursts_of_one_frame_are_a_load_and_their_gap_is_that_of_the_throughput(self):
        result = self.check_fifo("twin", 64, fractions.Fraction("67.2"), 20, (1,), 60_000_000_000, "bidirectional", "resolution = 1;")
        row = result["bursts"][0]
        self.assertEqual(row["inter_burst_gap_octets"], 125 - 64 - 8)
        self.assertAlmostEqual(row["load_fps"], 100e6, delta=1e-3)

    def test_a_burst_longer_than_what_the_device_absorbs_is_settled_in_one_trial(self):
        result = self.check_fifo("twin", 64, fractions.Fraction(50), 10, (19, 20, 64, 1024), 60_000_000_000, "bidirectional")
        rows = result["bursts"]
        self.assertEqual([row["outcome"] for row in rows], ["found", "no_gap", "no_gap", "no_gap"])
        self.assertEqual([row["trials"] for row in rows[1:]], [1, 1, 1])
        self.assertIn("bursts of 1024 frames were lost even with a gap of", result["flags"][-1])

    def test_a_gap_beyond_the_longest_that_may_be_tried_is_not_found(self):
        result = self.check_fifo("twin", 64, fractions.Fraction(50), 100, (16,), 60_000_000_000, "bidirectional",
                                 "max_inter_burst_gap = 1000;")
        self.assertEqual(result["bursts"][0]["outcome"], "no_gap")

    def test_a_device_at_line_rate_needs_no_gap(self):
        for library, duration_ns in (("twin", 60_000_000_000), ("rtl", 20_000)):
            report, done = self.run_plan(plan_text([test_text(64, (16, 64), duration_ns)], library=library))
            result = self.only(report, test="bursty_traffic")
            self.assertEqual([(row["outcome"], row["inter_burst_gap_octets"], row["trials"], row["true_gap_octets"])
                              for row in result["bursts"]], [("line_rate", MIN_GAP_OCTETS, 2, MIN_GAP_OCTETS)] * 2)
            self.assertEqual((result["max_inter_burst_gap_octets"], result["min_load_percent"]), (MIN_GAP_OCTETS, 100))
            self.assertIn("the device holds line rate", result["flags"][0])
            self.assertRegex(done.stdout, r"line_rate +12 ")

    def test_what_a_simulated_device_states_is_its_closed_form(self):
        draw = random.Random(SEED)
        for _ in range(60 if LONG else 12):
            frame_octets, percent, buffer_frames = draw.choice((64, 131, 1518)), draw.randint(2, 110), draw.randint(2, 500)
            bursts = draw.sample((1, 16, 64, 256, 1000), 3)
            report, _ = self.run_plan(plan_text([test_text(frame_octets, bursts, 1_000, "max_inter_burst_gap = 12;")],
                                                dut=fifo(buffer_frames, f"{percent}%"), library="twin"))
            result = self.only(report, test="bursty_traffic")
            for row in result["bursts"]:
                service_ot = fractions.Fraction((frame_octets + OVERHEAD_OCTETS) * 100, percent)
                burst, longest = row["burst_frames"], result["truth"]["longest_burst_frames"]
                true = least_gap(10**6, service_ot, frame_octets, burst)
                if longest is not None and burst > longest:
                    true = None
                self.assertEqual(row["true_gap_octets"], true, (frame_octets, percent, buffer_frames, burst))


class Faults(BurstCase):
    """A tester that does not do what it was asked, as an external program."""

    PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    with open("requests", "a") as file:
        file.write(line)
    bursts, frames, gap = asked.get("bursts", 1), asked["burst_frames"], asked.get("burst_gap_octets", 12)
    offered, within = bursts * frames, bursts * (frames - 1)
    answer = {"trial": asked["trial"], "offered_frames": offered, "received_frames": offered,
              "gap_min_octets": 8, "gap_max_octets": gap,
              "gap_mean_octets": (12 * within + gap * (bursts - 1)) / (offered - 1)}
    lost = gap < 1000
    answer["received_frames"] -= lost
    FAULT
    print(json.dumps(answer), flush=True)
"""

    def run_program(self, fault, expect=DONE):
        path = self.write("tester.py", self.PROGRAM.replace("FAULT", fault))
        plan = (f'device = {{ backend = "exec"; command = ["{sys.executable}", "{path}"]; senders = 1; }};\n'
                f'link = {{ speed = "100G"; }};\n'
                f"run = ( {{ {test_text(64, (16,), 1_000_000, 'resolution = 1;', 'unidirectional')} }} );\n")
        report, _ = self.run_plan(plan, expect=expect)
        return self.only(report, test="bursty_traffic")

    def test_an_external_tester_is_asked_for_bursts_and_its_answer_is_the_result(self):
        result = self.run_program("pass")
        self.assertEqual(result["bursts"][0]["inter_burst_gap_octets"], 1000)
        self.assertEqual(result["flags"], [])

    def test_an_external_tester_that_reports_no_gaps_has_proven_no_bursts(self):
        result = self.run_program('answer = {key: answer[key] for key in answer if "gap" not in key}')
        self.assertEqual(result["bursts"][0]["inter_burst_gap_octets"], 1000)
        self.assertIn("did not report its gaps", result["flags"][-1])

    def test_what_the_tester_did_wrong_is_never_loss(self):
        for fault, why in (('answer["offered_frames"] -= frames; answer["received_frames"] = 0', "offered .* frames, intended"),
                           ('answer["gap_mean_octets"] = 12', "average gap"),
                           ('answer["gap_max_octets"] = gap + 8', "largest gap"),
                           ('answer["gap_min_octets"] = 20', "smallest gap"),
                           ('answer = {"trial": asked["trial"], "valid": False, "why_invalid": "no cable"}', "no cable")):
            with self.subTest(fault=fault):
                result = self.run_program(fault, expect=INVALID)
                self.assertFalse(result["valid"])
                self.assertRegex(result["why_invalid"], "ended after 0 of 1 burst sizes: .*" + why)
                self.assertEqual((result["bursts"], result["counters"]["trials"]), ([], 0))
                self.assertIsNone(result["bursts_without_gap"])


class Plans(BurstCase):
    def test_wrong_burst_sizes_are_refused(self):
        for setting, complaint in (("bursts = [];", r"bursts = .*: must be a list of up to 16 whole numbers, each 1 to 1000000 frames"),
                                   ("bursts = [16, 0];", r"bursts\[1\] = 0: must be 1 to 1000000 frames"),
                                   ("bursts = [16, 16];", r"bursts\[1\] = 16: must appear only once; bursts\[0\] is the same"),
                                   ("bursts = [1.5];", r"bursts\[0\] = 1\.5: must be"),
                                   (f"bursts = {list(range(1, 18))};", r"must be a list of up to 16"),
                                   ("max_inter_burst_gap = 11;", r"must be 10ns to 20s, or 12 to 1T octets"),
                                   ('search = "mlrsearch";', r"search.*gaps, not loads"),
                                   ('search_trial_duration = "61s";', r"search_trial_duration.*must be at most trial_duration, 60 s")):
            text = plan_text([f'test = "bursty_traffic"; frame_sizes = [64]; {setting}'], library="twin")
            done = self.fpgauge("check", self.write("plan.cfg", text))
            self.assertEqual(done.returncode, WRONG_PLAN, setting)
            self.assertRegex(done.stderr, complaint)

    def test_the_sizes_of_the_clause_are_the_default(self):
        report, _ = self.run_plan(plan_text(['test = "bursty_traffic"; frame_sizes = [64]; trial_duration = "1ms";'], library="twin"))
        self.assertEqual([row["burst_frames"] for row in report["results"][0]["bursts"]], [16, 64, 256, 1024])

    def test_a_mix_of_sizes_has_a_gap_too(self):
        report, _ = self.run_plan(plan_text(
            ['test = "bursty_traffic"; traffic = { sizes = [64, 570, 64, 1518]; }; bursts = [4, 32]; trial_duration = "500ms";'],
            dut=fifo(100, "20M"), library="twin"))
        result = report["results"][0]
        mean = (64 + 570 + 64 + 1518) / 4 + OVERHEAD_OCTETS
        for row in result["bursts"]:
            true = MIN_GAP_OCTETS + row["burst_frames"] * (OCTETS_PER_S / 20e6 - mean)
            self.assertAlmostEqual(row["inter_burst_gap_octets"], true, delta=row["resolution_octets"] + 8)

    def test_a_limit_of_the_plan_holds_it_to_a_gap(self):
        for limit, code in ((667, INVALID), (668, DONE)):
            self.run_plan(plan_text([test_text(64, (16,), 1_000_000_000, f"resolution = 1; require = {{ max_inter_burst_gap_octets = {limit}; }};")],
                                    dut=fifo(100, "67.2%"), library="twin"), expect=code)

    def test_a_run_that_was_stopped_goes_on_where_it_was(self):
        text = plan_text([test_text(64, (16, 31), 1_000_000)], dut=fifo(40, "30%"), library="twin")
        whole, _ = self.run_plan(text, "--db", self.path("whole.db"))
        self.assertEqual(self.fpgauge("run", self.path("plan.cfg"), "--db", self.path("cut.db"), "--quiet").returncode, DONE)
        with sqlite3.connect(self.path("cut.db")) as database:
            self.assertEqual(database.execute("SELECT count(DISTINCT search) FROM trial").fetchone(), (2,))
            database.execute("DELETE FROM trial WHERE number > 27")
            database.execute("UPDATE run SET finished = NULL, incomplete = 'not at its end'")
            database.execute("DELETE FROM result")
        done = self.fpgauge("resume", self.path("cut.db"), "--json", self.path("again.json"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.result("again.json")["results"][0]["bursts"], whole["results"][0]["bursts"])


class Reports(BurstCase):
    def test_csv_html_events_and_trial_log_have_the_gaps(self):
        report, done = self.run_plan(
            plan_text([test_text(64, (1, 16, 64), 1_000_000)], dut=fifo(30, "45%"), library="twin"),
            "--csv", self.path("csv"), "--html", self.path("run.html"), "--events", self.path("events"), f"--trial-log={self.path('log')}")
        rows = report["results"][0]["bursts"]
        with open(self.path("csv/bursts.csv"), encoding="utf-8", newline="") as file:
            head, *lines = csv.reader(file)
        own = head.index("burst_frames")  # the columns before it say which result it is
        self.assertEqual(head[own:], list(rows[0]))
        for line, row in zip(lines, rows):
            for value, key in zip(line[own:], head[own:]):
                self.assertEqual(value if isinstance(row[key], str) else float(value) if value else None, row[key], key)
        self.assertRegex(done.stdout, r"64 +64 +no_gap +- ")
        with open(self.path("run.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn('<figure data-chart="bursty_traffic"', page)
        self.assertIn(">no_gap<", page)
        self.assertIn("at the gap between bursts it asked for", page)
        with open(self.path("events"), encoding="utf-8") as file:
            steps = [event for event in map(json.loads, file) if event["event"] == "step"]
        self.assertEqual(steps[1]["burst_gap_octets"], MIN_GAP_OCTETS)
        with open(self.path("log"), encoding="utf-8") as file:
            log = [line.split() for line in file if not line.startswith("#")]
        self.assertEqual([line[6] for line in log], list(itertools.chain(*([str(row["burst_frames"])] * row["trials"] for row in rows))))
        found = [line for line in log if line[3] == "2"][-1]
        self.assertIn(str(rows[1]["inter_burst_gap_octets"]), found[-2:])
        self.assertAlmostEqual(float(found[7]), 0.001, delta=1e-5)


if __name__ == "__main__":
    main()
