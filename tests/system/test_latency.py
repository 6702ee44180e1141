#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latency (RFC 2544 section 26.2) of devices whose latency is known frame by frame: each tagged frame is the one that the clause
names, and its latency is exact, to the group of 8 octets on which frames begin."""

import fractions
import random
import sqlite3

from fifo_truth import GROUP_OCTETS, max_theoretical_fps
from fpgauge_system import DONE, INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, fifo, main, plan_text

OT_PER_NS = LINK_BPS / 8e9
SIZES_OCTETS = (64, 67, 128, 131, 509, 1021, 1518, 9216)


def up(value):
    return -(-value // GROUP_OCTETS) * GROUP_OCTETS


def octet_times(ns):
    """Of a time in a plan: rounded up."""
    return -(-ns * LINK_BPS // 8_000_000_000)


class Device:
    """A wire, then a store-and-forward stage that delays every Nth frame and keeps the order (docs/dut-models.md). Frames of a
    direction are counted over all trials."""

    def __init__(self, frame_octets, latency_ns, delay_ns, every):
        self.octets, self.latency_ns, self.delay_ns, self.every = frame_octets, latency_ns, delay_ns, every
        self.arrived = 0

    def text(self):
        return (f'model = "wire, faults"; latency_ns = {self.latency_ns}; delay_every = {self.every}; '
                f"delay_ns = {self.delay_ns};")

    def trial(self, period_ot, duration_ot):
        """(start, latency) of each frame of a trial, in octet times."""
        found, free, before, number = [], 0, 0, 0
        while (start := int(number * period_ot) // GROUP_OCTETS * GROUP_OCTETS) < duration_ot:
            self.arrived += 1
            ready = start + up(octet_times(self.latency_ns)) + 8 + self.octets
            ready += octet_times(self.delay_ns) if self.arrived % self.every == 0 else 0
            before = max(ready, before)
            # The line begins frames on groups, and keeps gaps of 12 octets on average (docs/dut-models.md, the line out).
            out = max(up(before), free // GROUP_OCTETS * GROUP_OCTETS)
            free = max(out, free) + self.octets + 20
            found.append((start, out - start))
            number += 1
        return found


class LatencyCase(SystemCase):
    def same_ns(self, got_ns, true_ot, what):
        self.assertAlmostEqual(got_ns * OT_PER_NS, true_ot, delta=1e-6, msg=what)

    def check_pairs(self, result, fifo_ot):
        """The four pairs of instants, from the first one: a frame is on a line for as long as it has octets."""
        octets = result["frame_octets"]
        self.assertEqual(result["reference"], "fifo")
        for pair, true_ot in (("fifo", fifo_ot), ("lifo", fifo_ot - octets), ("filo", fifo_ot + octets), ("lilo", fifo_ot)):
            self.same_ns(result[f"tagged_{pair}_ns"], true_ot, pair)


class Tagged(LatencyCase):
    def check(self, library, draw, frames, repetitions):
        octets, load_percent = draw.choice(SIZES_OCTETS), draw.choice((5, 13, 33, 50))
        period_ot = fractions.Fraction(100 * (octets + 20), load_percent)
        duration_ns = max(1000, 100 + round(frames * period_ot / OT_PER_NS))
        tag_ns = draw.randint(1, int(duration_ns - period_ot / OT_PER_NS) - 1)
        direction = draw.choice(("unidirectional", "bidirectional"))
        # The delay is shorter than what is between two delayed frames, so the queue behind one is gone before the next.
        every = draw.choice((2, 3, 5, 7, 11))
        delay_ns = draw.randint(1, max(1, int(every * (period_ot - octets - 20) / OT_PER_NS / 2)))
        latency_ns = draw.randint(100, 5000)
        with self.subTest(library=library, octets=octets, load_percent=load_percent, duration_ns=duration_ns, tag_ns=tag_ns,
                          direction=direction, every=every, delay_ns=delay_ns, latency_ns=latency_ns):
            devices = [Device(octets, latency_ns, delay_ns, every) for _ in range(2 if direction == "bidirectional" else 1)]
            report, _ = self.run_plan(plan_text(
                [f'test = "latency"; frame_sizes = [{octets}]; load = "{load_percent}%"; trial_duration = "{duration_ns}ns"; '
                 f'tag_after = "{tag_ns}ns"; repetitions = {repetitions}; direction = "{direction}";'],
                dut=devices[0].text(), library=library))
            self.check_result(self.only(report, test="latency"), devices, period_ot, octet_times(duration_ns),
                              octet_times(tag_ns))

    def check_result(self, result, devices, period_ot, duration_ot, tag_ot):
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["flags"], [])
        every, means, tags = [], [], iter(result["tags"])
        for repetition in range(1, result["repetitions"] + 1):
            tagged = []
            for port, device in enumerate(devices):
                frames = device.trial(period_ot, duration_ot)
                every += [latency for _, latency in frames]
                after = [latency for start, latency in frames if start >= tag_ot]
                tagged.append(after[0])
                row = next(tags)
                self.assertEqual((row["repetition"], row["source_port"]), (repetition, port))
                self.same_ns(row["latency_ns"], after[0], f"tag of port {port} in stream {repetition}")
            means.append(sum(tagged) / len(tagged))
        self.assertIsNone(next(tags, None))
        for got, true in zip(result["tagged_latency_ns"], means, strict=True):
            self.same_ns(got, true, "mean of a stream")
        mean = sum(means) / len(means)
        self.same_ns(result["tagged_latency_mean_ns"], mean, "mean")
        self.check_pairs(result, mean)
        self.assertEqual(result["counters"]["received_frames"], len(every))
        for key, true in (("min", min(every)), ("mean", sum(every) / len(every)), ("max", max(every))):
            self.same_ns(result[f"latency_{key}_ns"], true, key)
        for key, true in (("mean", sum(every) / len(every)), ("max", max(every))):
            self.same_ns(result[f"pdv_{key}_ns"], true - min(every), f"PDV {key}")
        self.assertEqual(sum(one["frames"] for one in result["latency_histogram"]), len(every))
        for key, share in (("p50", 500), ("p90", 900), ("p99", 990), ("p99_9", 999)):
            true = sorted(every)[max(0, -(-len(every) * share // 1000) - 1)]
            self.assertLessEqual(abs(result[f"latency_{key}_ns"] * OT_PER_NS - true), 0.03 * true + GROUP_OCTETS, key)

    def test_each_tagged_frame_is_the_first_after_its_time_and_has_its_latency_on_the_twin(self):
        draw = random.Random(SEED)
        for _ in range(100 if LONG else 12):
            self.check("twin", draw, draw.choice((17, 101, 997, 3001)), draw.choice((1, 2, 5)))

    def test_each_tagged_frame_is_the_first_after_its_time_and_has_its_latency_on_the_rtl(self):
        draw = random.Random(SEED)
        for _ in range(20 if LONG else 3):
            self.check("rtl", draw, draw.choice((17, 61)), draw.choice((1, 3)))


class FullLength(LatencyCase):
    def test_at_the_throughput_of_the_same_run_20_streams_of_120_s_have_the_latency_of_a_lone_frame(self):
        """A FIFO that is faster than its load: no frame meets another, and all latencies are that of a lone one."""
        draw = random.Random(SEED)
        for _ in range(20 if LONG else 3):
            octets, percent, latency_ns = draw.choice(SIZES_OCTETS), draw.randint(20, 99), draw.randint(500, 3000)
            service = max_theoretical_fps(octets, LINK_BPS) * fractions.Fraction(percent * 10 + 5, 1000)
            with self.subTest(octets=octets, percent=percent, latency_ns=latency_ns):
                report, _ = self.run_plan(plan_text(
                    [f'test = "throughput"; frame_sizes = [{octets}]; resolution = "1%"; trial_duration = "1s";',
                     f'test = "latency"; frame_sizes = [{octets}];'],
                    dut=fifo(5000, f"{float(percent + 0.5)}%", latency_ns), library="twin"), "--rfc-durations")
                throughput, latency = report["results"]
                self.assertTrue(latency["valid"], latency["why_invalid"])
                self.assertEqual(latency["load_source"], "throughput")
                self.assertAlmostEqual(latency["load_fps"] / throughput["throughput_fps"], 1, delta=1e-12)
                self.assertEqual(len(latency["tagged_latency_ns"]), 20)
                true_ot = up(8 + octets + fractions.Fraction(LINK_BPS, 8) / service + octet_times(latency_ns))
                if throughput["throughput_percent"] == percent: # the buffer hid the overload of half a percent above it
                    for got in latency["tagged_latency_ns"]:
                        self.assertLess(abs(got * OT_PER_NS - true_ot), GROUP_OCTETS + 1e-6)
                    self.assertLess(abs(latency["latency_max_ns"] * OT_PER_NS - true_ot), GROUP_OCTETS + 1e-6)
                    self.assertLessEqual(latency["latency_min_ns"] * OT_PER_NS, true_ot + 1e-6)
                frames = 120 * latency["load_fps"]
                self.assertLessEqual(abs(latency["counters"]["offered_frames"] - 2 * 20 * frames), 2 * 20)


class Plans(SystemCase):
    THROUGHPUT = 'test = "throughput"; frame_sizes = [64]; trial_duration = "10us";'
    TEST = 'test = "latency"; frame_sizes = [64]; trial_duration = "10us"; repetitions = 2;'

    def run_latency(self, settings="", dut='model = "wire"; latency_ns = 500', expect=DONE, before=()):
        report, done = self.run_plan(plan_text([*before, self.TEST + settings], dut=dut, library="twin"), expect=expect)
        return self.only(report, test="latency"), done

    def test_settings_that_contradict_one_another_are_refused(self):
        for setting, complaint in (('tag_after = "10us"', "must be below trial_duration, 1e-05 s"),
                                   ('search = "binary"', "its load is the throughput"),
                                   ('load = "149M"', "must be at most the line rate, 148809523.8"),
                                   ('tag_after = "9999ns"', "must leave time for a frame before the end of the stream"),
                                   ("repetitions = 0", "1 to 1000 streams")):
            text = plan_text([self.THROUGHPUT, self.TEST.replace("repetitions = 2;", "") + setting + ";"], library="twin")
            done = self.fpgauge("check", self.write("plan.cfg", text))
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertIn(complaint, done.stderr)

    def test_without_a_throughput_of_the_same_size_nothing_is_tested_and_the_result_says_so(self):
        result, _ = self.run_latency(expect=INVALID, before=(self.THROUGHPUT,), dut='model = "faults"; drop_every = 1')
        self.assertIn("no valid throughput of this size", result["why_invalid"])
        self.assertEqual((result["trials"], result["tagged_latency_ns"], result["load_source"]), (0, [], "none"))

    def test_without_a_test_of_the_throughput_of_the_same_size_the_plan_is_refused(self):
        for before in ((), (self.THROUGHPUT.replace("64", "128"),), (self.TEST,)):
            text = plan_text([*before, self.TEST], library="twin")
            for command in ("check", "run"):
                done = self.fpgauge(command, self.write("plan.cfg", text))
                self.assertEqual(done.returncode, WRONG_PLAN)
                self.assertIn('test = "latency": needs the throughput of 64 octets: put a throughput test of that size before it, '
                              "or give load (RFC 2544 section 26.2)", done.stderr)

    def test_other_traffic_than_that_of_the_throughput_is_refused(self):
        text = plan_text(['test = "throughput"; direction = "unidirectional";', 'test = "latency";'], library="twin")
        done = self.fpgauge("check", self.write("plan.cfg", text))
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn("must be that of the throughput test", done.stderr)
        self.assertIn("RFC 2544 section 26.2", done.stderr)

    def test_a_tagged_frame_that_is_lost_has_no_latency(self):
        result, _ = self.run_latency('load = "50%"; tag_after = "5us";', dut='model = "faults"; drop_every = 1',
                                     expect=INVALID)
        self.assertIn("not known: no test frame arrived", result["why_invalid"])
        self.assertEqual(result["tagged_latency_ns"], [])
        self.assertIsNone(result["tagged_latency_mean_ns"])
        # 5 us are 62500 octet times, and a frame each 168: frame 372, counted from 0. With this, it is lost in the first stream only.
        frames, _ = self.run_latency('load = "50%"; tag_after = "5us";')
        sent = frames["counters"]["offered_frames"] // 4
        number = -(-62500 // 168) + 1
        result, _ = self.run_latency('load = "50%"; tag_after = "5us";', dut=f'model = "faults"; drop_every = {number}')
        self.assertTrue(number < sent < 2 * number)
        self.assertIsNone(result["tagged_latency_ns"][0])
        self.assertIsNotNone(result["tagged_latency_ns"][1])
        self.assertTrue(any("in 1 of 2 streams no tagged frame came back" in flag for flag in result["flags"]))
        self.assertTrue(any("frames were lost in 2 of 2 streams" in flag for flag in result["flags"]))

    def test_a_run_that_was_stopped_goes_on_with_the_tags_that_it_had(self):
        settings = 'load = "33%"; repetitions = 9;'
        text = plan_text([self.TEST.replace("repetitions = 2;", "") + settings],
                         dut='model = "wire, faults"; latency_ns = 700; delay_every = 7; delay_ns = 300', library="twin")
        whole, _ = self.run_plan(text, "--db", self.path("run.db"))
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("UPDATE run SET finished = NULL, incomplete = 'not at its end'")
            database.execute("DELETE FROM result")
            database.execute("DELETE FROM trial WHERE number > 4")
        done = self.fpgauge("resume", self.path("run.db"), "--json", self.path("again.json"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        again = self.result("again.json")["results"][0]
        self.assertEqual(again["tags"][:8], whole["results"][0]["tags"][:8])
        self.assertEqual(len(again["tags"]), 18)

    def test_reports_have_each_tagged_frame_and_the_chart(self):
        report, _ = self.run_plan(plan_text([self.TEST + 'load = "40%";'], dut=fifo(9, "90%"), library="twin"), "--csv", self.path("csv"),
                                  "--html", self.path("run.html"))
        with open(self.path("csv/tags.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(len(file.read().split("\r\n")[1:-1]), len(report["results"][0]["tags"]))
        with open(self.path("run.html"), encoding="utf-8") as file:
            page = file.read()
        for part in ('data-chart="tagged_latency"', 'data-table="tagged_latency"', 'data-table="tags"'):
            self.assertEqual(page.count(part), 1, part)


if __name__ == "__main__":
    main()
