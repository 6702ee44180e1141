#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a trend of 500 runs as a browser shows it: nothing is requested, every run is a point where its value is, steps
stand where the JSON has them, in light, in dark, on paper and on a phone. Needs chromium."""

import random
import re

import browser
import test_html_browser as pages
from fpgauge_system import SEED, main
from trend_runs import TrendCase

RUNS, AT = 500, 300
INVALID_RUNS = (97, 400)  # numbers from 1

# [[label, x, y], ...] of all marks of a chart.
MARKS = """
Array.from(document.querySelectorAll('figure[data-chart=trend]')[INDEX].querySelectorAll('.mark'), mark => {
  const box = mark.getBoundingClientRect(), title = mark.querySelector('title');
  return [title && title.textContent, box.x + box.width / 2, box.y + box.height / 2]; })
"""
# [[x, height], ...] of the lines of a colour: where each ends, as its path begins with the sample in the key.
UPRIGHTS = """
Array.from(document.querySelectorAll('figure[data-chart=trend]')[INDEX].querySelectorAll('g.colour-COLOUR path[class]'), path =>
  [path.getPointAtLength(path.getTotalLength()).matrixTransform(path.getScreenCTM()).x, path.getBoundingClientRect().height])
  .filter(([x, height]) => height > 50)
"""
WORSE = "10"  # host/report/chart/chart.h


class Trend(TrendCase):
    check_chart = pages.Page.check_chart
    check_layout = pages.Page.check_layout
    check_reach = pages.Page.check_reach

    @classmethod
    def setUpClass(cls):
        browser.require()
        super().setUpClass()
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.made = None

    def setUp(self):
        super().setUp()
        if Trend.made is None:
            Trend.made = self.make_page()
        self.json, page = Trend.made
        self.write("trend.html", page)
        self.browser.size(1180, 900)
        self.browser.media("screen")

    def make_page(self):
        draw = random.Random(SEED)
        for i in range(RUNS):
            self.make(f"runs/{i:03}.db", i, {64: draw.gauss(1, 0.01) * (0.95 if i >= AT else 1), 512: draw.gauss(1, 0.01)},
                      firmware=f"1.{i // 100}", invalid=(64,) if i + 1 in INVALID_RUNS else ())
        trend, _ = self.trend("runs", "--html", "trend.html")
        with open(self.path("trend.html"), encoding="utf-8") as file:
            return trend, file.read()

    def open(self, width=1180, media="screen", dark=False):
        self.browser.media(media, dark)
        self.browser.size(width, 900)
        self.browser.open(self.path("trend.html"))

    def marks(self, index):
        return self.browser.evaluate(MARKS.replace("INDEX", str(index)))

    def test_nothing_is_asked_for_and_nothing_complained_of(self):
        self.open()
        self.assertEqual(self.browser.requests, ["file://" + self.path("trend.html")])
        self.assertEqual(self.browser.console, [])
        self.assertEqual(self.browser.evaluate("document.title"), "Trend")

    def test_every_run_is_a_point_where_its_value_is(self):
        self.open()
        for index, size in enumerate((64, 512)):
            series = self.series(self.json, size)
            marks = [(int(re.match(r"run (\d+),", label)[1]), x, y) for label, x, y in self.marks(index)
                     if label and "INVALID" not in label]
            self.assertEqual([run for run, _, _ in marks], [point["run"] for point in series["points"]])
            self.assertEqual(len(marks), RUNS - (len(INVALID_RUNS) if size == 64 else 0))
            for values, pixels in (([run for run, _, _ in marks], [x for _, x, _ in marks]),
                                   ([point["value"] for point in series["points"]], [y for _, _, y in marks])):
                slope, offset = pages.line_through(list(zip(values, pixels)))
                for value, pixel in zip(values, pixels):
                    self.assertAlmostEqual(slope * value + offset, pixel, delta=1.5)
        invalid = [(label, y) for label, _, y in self.marks(0) if label and "INVALID" in label]
        self.assertEqual([int(re.match(r"run (\d+),", label)[1]) for label, _ in invalid], list(INVALID_RUNS))
        lowest = max(y for label, _, y in self.marks(0) if label and "INVALID" not in label)
        for label, y in invalid:
            self.assertIn("the tester was <ill>", label)
            self.assertGreater(y, lowest + 5, "below every value")

    def test_a_step_is_marked_between_the_runs_where_the_json_has_it(self):
        self.open()
        step = max(self.series(self.json, 64)["steps"], key=lambda one: -one["change_percent"])
        self.assertEqual(step["verdict"], "worse")
        self.assertLess(abs(step["run"] - (AT + 1)), 8)  # noise of 1%
        places = {int(re.match(r"run (\d+),", label)[1]): x for label, x, _ in self.marks(0) if label}
        (end, _), = self.browser.evaluate(UPRIGHTS.replace("INDEX", "0").replace("COLOUR", WORSE))
        last = [one["run"] for one in self.series(self.json, 64)["steps"] if one["verdict"] == "worse"][-1]
        around = [run for run in (last - 2, last - 1, last, last + 1) if run in places]  # one of them may be invalid
        slope, offset = pages.line_through([(run, places[run]) for run in (around[0], around[-1])])
        self.assertAlmostEqual(end, slope * (last - 0.5) + offset, delta=1)
        self.assertFalse(self.browser.evaluate(UPRIGHTS.replace("INDEX", "1").replace("COLOUR", WORSE)))

    def test_charts_can_be_seen_in_light_in_dark_and_on_paper(self):
        for media, dark in (("screen", False), ("screen", True), ("print", False)):
            self.open(media=media, dark=dark)
            paper = self.browser.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            charts = self.browser.evaluate(pages.CHARTS)
            self.assertEqual([chart["name"] for chart in charts], ["trend", "trend"])
            for chart in charts:
                with self.subTest(chart=chart["title"], media=media, dark=dark):
                    self.check_chart(chart, paper)
            for name, colour, behind in self.browser.evaluate(pages.TEXTS):
                self.assertGreaterEqual(pages.contrast(colour, behind), 4.5, (name, media, dark))

    def test_nothing_is_too_small_stretched_or_cut_off_at_any_width(self):
        for width, media in ((390, "screen"), (768, "screen"), (1400, "screen"), (pages.PAPER, "print")):
            self.open(width, media)
            with self.subTest(width=width, media=media):
                self.check_layout(self.browser.evaluate(pages.LAYOUT), media == "print")


if __name__ == "__main__":
    main()
