#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frame loss rate (RFC 2544 section 26.3) against devices whose loss is computed here: equal at every load, to the frame."""

import fractions
import itertools
import math
import random
import re
import sqlite3

from fifo_truth import GROUP_OCTETS, frames_lost, max_theoretical_fps
from fpgauge_system import DONE, INVALID, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, fifo, main, plan_text

SIZES_OCTETS = (64, 67, 128, 131, 256, 509, 1021, 1518, 4093, 9216)
STEPS_PERCENT = tuple(map(fractions.Fraction, ("10", "7", "9.99", "2.5", "3.3")))
MASK = 2**64 - 1


def loads_percent(step):
    """100%, then down by the step as long as more than nothing is left."""
    return [100 - step * i for i in range(math.ceil(100 / step))]


def until_two_without(losses):
    """As many of these as the clause asks for: down to the second of two successive trials without loss."""
    for i in range(1, len(losses)):
        if losses[i - 1] == losses[i] == 0:
            return losses[:i + 1]
    return losses


def offered_frames(load_fps, duration_ns):
    """Of one port: those that begin before the end of the trial, which is in octet times, rounded up. They begin on groups of
    8 octets, so one that is due after the end may still begin before it."""
    duration_ot = -(-duration_ns * LINK_BPS // 8_000_000_000)
    return math.ceil(-(-duration_ot // GROUP_OCTETS) * GROUP_OCTETS * load_fps * 8 / LINK_BPS)


def test_text(frame_octets, step, duration_ns, direction="bidirectional"):
    return (f'test = "frame_loss_rate"; frame_sizes = [{frame_octets}]; step = "{float(step)}%"; '
            f'trial_duration = "{duration_ns}ns"; direction = "{direction}";')


def splitmix_output(state):
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9 & MASK
    state = (state ^ state >> 27) * 0x94d049bb133111eb & MASK
    return state ^ state >> 31


def drops(seed, port, probability):
    """Whether the device drops each frame that a port sends, as docs/dut-models.md says (Random numbers)."""
    state = splitmix_output((splitmix_output(seed) + (port << 32) + 6) & MASK)
    limit = math.ceil(probability * 2**64)
    while True:
        state = (state + 0x9e3779b97f4a7c15) & MASK
        yield splitmix_output(state) < limit


class LossCase(SystemCase):
    def check_points(self, result, step, true_lost, true_offered):
        """true_lost, true_offered: of each load, as far down as the clause goes."""
        self.assertTrue(result["valid"], result["why_invalid"])
        points = result["points"]
        self.assertEqual([point["lost_frames"] for point in points], true_lost)
        self.assertEqual([point["offered_frames"] for point in points], true_offered)
        self.assertEqual(result["trials"], len(points))
        line_fps = max_theoretical_fps(result["frame_octets"], LINK_BPS)
        for point, percent in zip(points, loads_percent(step)):
            self.assertAlmostEqual(point["load_percent"], float(percent), delta=1e-9)
            self.assertAlmostEqual(point["load_fps"], float(line_fps * percent / 100), delta=1e-3)
            self.assertEqual(point["received_frames"], point["offered_frames"] - point["lost_frames"])
            self.assertAlmostEqual(point["loss_percent"], 100 * point["lost_frames"] / point["offered_frames"], delta=1e-9)
        self.assertEqual(result["line_rate_loss_percent"], points[0]["loss_percent"])
        self.assertEqual(result["max_loss_percent"], max(point["loss_percent"] for point in points))
        if true_lost[-2:] == [0, 0]:
            self.assertEqual(result["loss_free_load_percent"], points[-2]["load_percent"])
            self.assertEqual(result["flags"], [])
        else:
            self.assertIsNone(result["loss_free_load_percent"])
            self.assertEqual(len(result["flags"]), 1)

    def check_fifo(self, library, frame_octets, percent, buffer_frames, step, duration_ns, direction):
        line_fps = max_theoretical_fps(frame_octets, LINK_BPS)
        with self.subTest(library=library, frame_octets=frame_octets, percent=float(percent), step=float(step),
                          buffer_frames=buffer_frames, duration_ns=duration_ns, direction=direction):
            report, _ = self.run_plan(plan_text([test_text(frame_octets, step, duration_ns, direction)],
                                                dut=fifo(buffer_frames, f"{float(percent)}%"), library=library))
            ports = 2 if direction == "bidirectional" else 1
            lost, offered = [], []
            for load_percent in loads_percent(step):
                load_fps = line_fps * load_percent / 100
                frames = offered_frames(load_fps, duration_ns)
                offered.append(ports * frames)
                lost.append(ports * frames_lost(buffer_frames, line_fps * percent / 100, frame_octets, load_fps, frames,
                                                LINK_BPS))
                if lost[-2:] == [0, 0]:
                    break
            self.check_points(self.only(report, test="frame_loss_rate"), step, lost, offered)
            return lost


class Fifos(LossCase):
    def test_loss_in_trials_of_60_s_on_the_twin_is_that_of_the_fifo_at_every_load(self):
        draw = random.Random(SEED)
        for _ in range(200 if LONG else 12):
            self.check_fifo("twin", draw.choice(SIZES_OCTETS), fractions.Fraction(draw.randint(2, 110)), draw.randint(1, 60),
                            draw.choice(STEPS_PERCENT), 60_000_000_000, draw.choice(("unidirectional", "bidirectional")))

    def test_loss_in_short_trials_on_the_rtl_is_that_of_the_fifo_at_every_load(self):
        draw = random.Random(SEED)
        for _ in range(20 if LONG else 3):
            self.check_fifo("rtl", draw.choice(SIZES_OCTETS[:6]), fractions.Fraction(draw.randint(200, 9900), 100),
                            draw.randint(1, 20), draw.choice(STEPS_PERCENT[:2]), draw.randint(3_000, 12_000),
                            draw.choice(("unidirectional", "bidirectional")))

    def test_a_device_that_loses_down_to_the_lowest_load_is_said_to(self):
        for step, flag in ((10, "even at the lowest load, 10% of line rate"), (7, "even at the lowest load, 2% of line rate")):
            lost = self.check_fifo("twin", 64, fractions.Fraction(1), 3, fractions.Fraction(step), 1_000_000, "bidirectional")
            self.assertEqual((len(lost), min(lost) > 0), (math.ceil(100 / step), True))
            self.assertIn(flag, self.result("result.json")["results"][0]["flags"][0])

    def test_one_trial_without_loss_at_the_lowest_load_is_not_two(self):
        """12% of line rate: 20% loses, 10% does not, and there is no load below it."""
        lost = self.check_fifo("twin", 64, fractions.Fraction(12), 5, fractions.Fraction(10), 1_000_000, "bidirectional")
        self.assertEqual((len(lost), lost[-2] > 0, lost[-1]), (10, True, 0))
        self.assertIn("only the trial at the lowest load, 10% of line rate", self.result("result.json")["results"][0]["flags"][0])

    def test_a_device_that_loses_nothing_is_done_after_two_trials(self):
        report, done = self.run_plan(plan_text([test_text(size, 10, 60_000_000_000) for size in (64, 1518)], library="twin"))
        for result in report["results"]:
            self.assertEqual([point["load_percent"] for point in result["points"]], [100, 90])
            self.assertEqual(result["loss_free_load_percent"], 100)
            self.assertEqual(result["line_rate_loss_percent"], 0)
        self.assertRegex(done.stdout, r"\n +64 +90\.000 +133928571\.4 ")


class Faults(LossCase):
    """A device that drops frames at random: whether a trial loses any is luck, at every load anew."""

    def check(self, library, frame_octets, step, duration_ns, expected_losses, seed):
        line_fps = max_theoretical_fps(frame_octets, LINK_BPS)
        offered = [offered_frames(line_fps * percent / 100, duration_ns) for percent in loads_percent(step)]
        probability = fractions.Fraction(math.ceil(min(expected_losses / offered[0], 1) * 10**6), 10**6)
        with self.subTest(library=library, frame_octets=frame_octets, step=float(step), duration_ns=duration_ns,
                          probability=float(probability), seed=seed):
            report, _ = self.run_plan(plan_text(
                [test_text(frame_octets, step, duration_ns)], library=library,
                dut=f'model = "faults"; drop_probability = "{float(100 * probability):.6f}%"; seed = "{seed}";'))
            ports = [drops(seed, port, probability) for port in range(2)]
            lost = [sum(sum(itertools.islice(port, frames)) for port in ports) for frames in offered]
            lost = until_two_without(lost)
            self.check_points(self.only(report, test="frame_loss_rate"), step, lost, [2 * each for each in offered[:len(lost)]])
        return lost

    def test_frames_dropped_at_random_are_those_that_the_generator_draws(self):
        draw = random.Random(SEED)
        for _ in range(60 if LONG else 8):
            self.check("twin", draw.choice(SIZES_OCTETS), draw.choice(STEPS_PERCENT), draw.randint(20_000, 200_000),
                       draw.choice((0.3, 1, 3)), draw.randint(1, 2**32))
        for _ in range(10 if LONG else 1):
            self.check("rtl", draw.choice(SIZES_OCTETS[:4]), fractions.Fraction(10), draw.randint(4_000, 12_000), 1,
                       draw.randint(1, 2**32))


class Plans(SystemCase):
    def test_what_the_clause_forbids_or_no_search_needs_is_refused(self):
        for setting, complaint in (('step = "11%"', r'step = "11%": must be 0\.01% to 10%'),
                                   ('search = "binary"', r"search .*frame_loss_rate does not: its loads are given"),
                                   ("trials_limit = 3", r"trials_limit = 3: is for tests that search")):
            text = plan_text([f'test = "frame_loss_rate"; {setting};'], library="twin")
            done = self.fpgauge("check", self.write("plan.cfg", text))
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertRegex(done.stderr, complaint)

    def test_check_tells_how_long_it_may_take(self):
        text = plan_text([test_text(64, 10, 60_000_000_000)], library="twin")
        done = self.fpgauge("check", self.write("plan.cfg", text))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("at least 2:04 (h:mm:ss), when nothing is lost at the two highest loads", done.stdout)
        self.assertIn("at most 10 trials, 10:44, when frames are lost down to the lowest load", done.stdout)
        self.assertFalse("search" in done.stdout)

    def test_a_limit_of_the_plan_holds_it_to_a_loss(self):
        for limit, code in (("49.9%", INVALID), ("50.1%", DONE)):
            self.run_plan(plan_text([test_text(64, 10, 1_000_000) + f' require = {{ max_loss_percent = "{limit}"; }};'],
                                    dut=fifo(4, "50%"), library="twin"), expect=code)

    def test_a_run_that_was_stopped_goes_on_where_it_was(self):
        text = plan_text([test_text(64, fractions.Fraction("0.5"), 1_000_000)], dut=fifo(4, "30%"), library="twin")
        whole, _ = self.run_plan(text, "--db", self.path("whole.db"))
        self.assertEqual(self.fpgauge("run", self.path("plan.cfg"), "--db", self.path("cut.db"), "--quiet").returncode, DONE)
        with sqlite3.connect(self.path("cut.db")) as database:
            database.execute("DELETE FROM trial WHERE number > 77")
            database.execute("UPDATE run SET finished = NULL, incomplete = 'not at its end'")
            database.execute("DELETE FROM result")
        done = self.fpgauge("resume", self.path("cut.db"), "--json", self.path("again.json"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.result("again.json")["results"][0]["points"], whole["results"][0]["points"])


class Reports(SystemCase):
    def test_csv_and_html_have_every_point_and_the_axes_end_at_100_percent(self):
        report, _ = self.run_plan(plan_text([test_text(size, 10, 1_000_000) for size in (64, 1518)], dut=fifo(4, "45%"),
                                            library="twin"), "--csv", self.path("csv"), "--html", self.path("run.html"))
        points = [(result["frame_octets"], point) for result in report["results"] for point in result["points"]]
        with open(self.path("csv/points.csv"), encoding="utf-8", newline="") as file:
            head, *rows = file.read().split("\r\n")[:-1]
        self.assertEqual(head.split(",")[6:], list(points[0][1]))
        self.assertEqual([[float(value) for value in row.split(",")[6:]] for row in rows],
                         [list(map(float, point.values())) for _, point in points])
        with open(self.path("run.html"), encoding="utf-8") as file:
            page = file.read()
        for size, point in points:
            self.assertTrue(f"{size} octets: load {point['load_percent']:.3f}%, loss " in page, (size, point))
            self.assertTrue(f'<data value="{point["lost_frames"]}">' in page, (size, point))
        figure = page[page.index('<figure data-chart="frame_loss_rate"'):]
        numbers = re.findall(r">\s*(\d+)\s*<", figure[:figure.index("</svg>")])
        self.assertEqual((numbers.count("0"), numbers.count("100"), max(map(int, numbers))), (2, 2, 100))


if __name__ == "__main__":
    main()
