#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML report as a browser shows it: nothing is requested, there are no complaints, every chart is there with its
points where their values are, in light, in dark and on paper; tables say what the JSON says. Needs chromium; the tester
is an external program."""

import contextlib
import json
import math
import os
import re
import sqlite3
import zlib

import browser
from fpgauge_system import INVALID, main
from html_page import ALL, THROUGHPUT, HtmlCase, plan
from exec_tester_case import tester_text

# The layout of every chart: boxes in pixels of the page.
CHARTS = """
Array.from(document.querySelectorAll('figure[data-chart]'), figure => {
  const box = element => { const b = element.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; };
  const svg = figure.querySelector('svg.chart');
  const colour = element => { const style = getComputedStyle(element);
    return element.tagName === 'use' ? style.color : element.tagName === 'polygon' ? style.fill : style.stroke; };
  return { name: figure.dataset.chart, title: svg.querySelector('title').textContent, desc: svg.querySelector('desc').textContent,
    role: svg.getAttribute('role'), box: box(svg), text: getComputedStyle(svg.querySelector('text')).fill,
    tables: figure.querySelectorAll('table').length,
    texts: Array.from(svg.querySelectorAll('text'), text => text.textContent.trim()),
    series: Array.from(svg.querySelectorAll('g.series'), group => ({
      points: +group.dataset.points,
      lines: Array.from(group.querySelectorAll('path[class]'), path => ({ box: box(path), colour: colour(path) })),
      marks: Array.from(group.querySelectorAll('.mark'), mark => ({ box: box(mark), colour: colour(mark),
        label: mark.querySelector('title') ? mark.querySelector('title').textContent : null })) })) };
})
"""

CELLS = """
Array.from(document.querySelectorAll('tr[data-test] > td[data-key]'), cell => {
  const row = cell.parentElement.dataset, data = cell.querySelector('data');
  return [cell.closest('table').dataset.table, row.test, row.octets, row.goal || null, cell.dataset.key,
          data ? data.value : null, cell.textContent];
})
"""

# Every element that has text of its own, by its colour, and what is behind it.
TEXTS = """
Array.from(document.querySelectorAll('body *')).filter(element => !element.closest('svg') && element.checkVisibility()
    && Array.from(element.childNodes).some(node => node.nodeType === 3 && node.data.trim())).map(element => {
  let behind = element;
  while (behind && /, 0\\)$|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  return [element.tagName + '.' + element.className, getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
})
"""

# Everything about charts and tables that can be too small, too large or cut off, with everything unfolded. Sizes in
# pixels.
LAYOUT = """
(() => {
  document.querySelectorAll('details').forEach(details => { details.open = true; });
  const box = element => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  return {
    page: [document.documentElement.clientWidth, document.documentElement.scrollWidth],
    charts: Array.from(document.querySelectorAll('svg.chart'), svg => ({
      name: svg.closest('figure').dataset.chart, drawn: svg.viewBox.baseVal.width, box: box(svg),
      scrolls: getComputedStyle(svg.parentElement).overflowX, room: svg.parentElement.clientWidth,
      reachable: svg.parentElement.scrollWidth, around: box(svg.parentElement),
      texts: Array.from(svg.querySelectorAll('text'), text => ({ text: text.textContent, box: box(text),
        size: parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().d })) })),
    tables: Array.from(document.querySelectorAll('table')).filter(table => table.checkVisibility()).map(table => ({
      name: table.dataset.table, scrolls: getComputedStyle(table.parentElement).overflowX, around: box(table.parentElement),
      reachable: table.parentElement.scrollWidth,
      right: Math.max(...Array.from(table.querySelectorAll('th, td'), cell => cell.getBoundingClientRect().right)) })) };
})()
"""
LEAST_TEXT, MOST_STRETCH = 9, 1.2  # pixels; factor to the size that a chart was drawn at
PAPER = 688  # width of A4 without margins, in pixels

# The numbers on the y axis of a chart, and where they are: {name, label: what is written along the axis, tics: [[value,
# y]]}.
Y_AXES = """
Array.from(document.querySelectorAll('figure[data-chart]'), figure => {
  const texts = Array.from(figure.querySelectorAll('svg.chart text'));
  const place = text => { const b = text.getBoundingClientRect(); return [b.right, b.top + b.height / 2, b.height]; };
  const label = texts.find(text => text.parentElement.transform.baseVal.numberOfItems
    && Math.abs(text.parentElement.transform.baseVal.consolidate().matrix.b) > 0.5);
  const numbers = texts.filter(text => /^[-0-9.e+]+$/.test(text.textContent.trim()));
  const left = Math.min(...numbers.map(text => place(text)[0]));
  return { name: figure.dataset.chart, title: figure.querySelector('svg title').textContent, label: label && label.textContent,
    tics: numbers.filter(text => place(text)[0] < left + 3).map(text => [+text.textContent, place(text)[1]]) };
})
"""

DRAWN = {"throughput", "latency", "back_to_back", "buffer_time", "gaps", "mlrsearch", "loss_over_load", "latency_over_load",
         "search_trace"}


def rgb(text):
    return [int(part) for part in re.findall(r"\d+", text)[:3]]


def contrast(one, other):
    """WCAG 2.1, contrast ratio."""
    def luminance(text):
        parts = [part / 255 for part in rgb(text)]
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def line_through(points):
    """Slope and offset of the line through the outermost of [(value, pixel)]."""
    (low, first), (high, last) = min(points), max(points)
    slope = (last - first) / (high - low)
    return slope, first - slope * low


class BrowserCase(HtmlCase):
    """One browser for all cases of a class; each sets what it needs."""

    pages = {} # pages of complete runs, which take longest

    @classmethod
    def setUpClass(cls):
        browser.require()
        super().setUpClass()
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.size(1180, 900)
        self.browser.media("screen")

    def whole(self):
        """A page with every test, as run.html; returns the JSON of the same run."""
        if not self.pages:
            self.page(plan(ALL))
            for made in ("run.html", "run.json"):
                with open(self.path(made), encoding="utf-8") as file:
                    self.pages[made] = file.read()
        self.write("run.html", self.pages["run.html"])
        return json.loads(self.pages["run.json"])

    def charts_of(self, name):
        return [chart for chart in self.browser.evaluate(CHARTS) if chart["name"] == name]

    def only_chart(self, name):
        found = self.charts_of(name)
        self.assertEqual(len(found), 1, name)
        return found[0]

    def marks_on_axes(self, chart, value_of, log_x=True, flat=False):
        """The marks are placed on linear axes: pixels are a linear function of the values in their labels."""
        marks = [mark for series in chart["series"] for mark in series["marks"] if mark["label"]]
        places = [(value_of(mark["label"]), mark["box"]) for mark in marks]
        self.assertGreaterEqual(len(places), 3, chart["name"])
        for axis in (0, 1):
            pairs = [(math.log2(value[0]) if axis == 0 and log_x else value[axis], box[axis] + box[axis + 2] / 2)
                     for value, box in places]
            slope, offset = line_through(pairs)
            self.assertTrue(slope > 0 if axis == 0 else slope < 0, chart["name"])
            span = abs(slope) * (max(pairs)[0] - min(pairs)[0])
            if not flat:
                self.assertGreater(span, 50, "values that differ are drawn apart")
            for value, pixel in pairs: # the box of a triangle is not centred on its point
                self.assertAlmostEqual(slope * value + offset, pixel, delta=2.5, msg=(chart["name"], axis))


class Page(BrowserCase):
    def test_nothing_is_asked_for_and_nothing_complained_of(self):
        self.whole()
        self.browser.open(self.path("run.html"))
        self.assertEqual(self.browser.requests, ["file://" + self.path("run.html")])
        self.assertEqual(self.browser.console, [])

    def test_the_policy_of_the_page_stops_what_it_should(self):
        """Shows that the silence above means something: an image from another host in the same page is refused, and
        reported."""
        self.page(plan([THROUGHPUT]))
        with open(self.path("run.html"), encoding="utf-8") as file:
            page = file.read()
        self.write("bad.html", page.replace("</main>", '<img src="http://192.0.2.1/x.png" alt=""/><script>document.title = "ran"'
                                                       '</script></main>'))
        self.browser.open(self.path("bad.html"))
        self.assertTrue(any("Content Security Policy" in text for text in self.browser.console), self.browser.console)
        self.assertNotEqual(self.browser.evaluate("document.title"), "ran")

    def test_every_chart_is_there_with_all_its_points(self):
        report = self.whole()
        for media, dark in (("screen", False), ("screen", True), ("print", False)):
            self.browser.media(media, dark)
            self.browser.open(self.path("run.html"))
            charts = self.browser.evaluate(CHARTS)
            paper = self.browser.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            self.assertEqual({chart["name"] for chart in charts}, DRAWN)
            for chart in charts:
                with self.subTest(chart=chart["title"], media=media, dark=dark):
                    self.check_chart(chart, paper)
        sizes = {name: sorted(result["frame_octets"] for result in report["results"]
                              if result["test"] == name and not result.get("skipped"))
                 for name in ("throughput", "back_to_back", "mlrsearch")}
        for chart, count in (("throughput", 2 * len(sizes["throughput"])), ("latency", len(sizes["throughput"])),
                             ("back_to_back", len(sizes["back_to_back"])), ("buffer_time", 2 * len(sizes["back_to_back"])),
                             ("gaps", len(sizes["back_to_back"])), ("mlrsearch", 2 + len(sizes["mlrsearch"]))):
            self.assertEqual(sum(series["points"] for series in self.only_chart(chart)["series"]), count, chart)

    def check_chart(self, chart, paper):
        x, y, width, height = chart["box"]
        self.assertGreater(min(width, height), 100)
        self.assertEqual(chart["role"], "img")
        self.assertTrue(chart["title"] and chart["desc"])
        self.assertTrue(chart["series"])
        self.assertGreaterEqual(contrast(chart["text"], paper), 4.5, "words of the chart can be read")
        for series in chart["series"]:
            self.assertGreater(series["points"], 0)
            self.assertIn(len(series["marks"]), (0, series["points"]))
            self.assertTrue(series["marks"] or series["lines"])
            for drawn in series["marks"] + series["lines"]:
                left, top, wide, high = drawn["box"]
                self.assertGreater(max(wide, high), 0.5, "nothing to be seen")
                self.assertTrue(x - 1 <= left and left + wide <= x + width + 1 and y - 1 <= top and top + high <= y + height + 1,
                                "within the chart")
                self.assertGreaterEqual(contrast(drawn["colour"], paper), 3, "WCAG 2.1, 1.4.11")

    def test_points_stand_where_their_values_are(self):
        report = self.whole()
        self.browser.open(self.path("run.html"))
        rates = {result["frame_octets"]: result for result in report["results"] if result["test"] == "throughput"}
        bursts = {result["frame_octets"]: result for result in report["results"] if result["test"] == "back_to_back"}

        def octets(label):
            return int(label.split(" ")[0])

        self.marks_on_axes(self.only_chart("throughput"), lambda label: (octets(label), rates[octets(label)]["throughput_fps"]))
        self.marks_on_axes(self.only_chart("latency"), lambda label: (octets(label), rates[octets(label)]["latency_mean_ns"]),
                           flat=True)
        chart = self.only_chart("back_to_back")
        self.marks_on_axes(chart, lambda label: (octets(label), bursts[octets(label)]["average_frames"]))
        # Bars: heights are proportional to the values, from the axis up.
        series = self.only_chart("buffer_time")["series"]
        for key, bars in zip(("implied_buffer_s", "corrected_buffer_s"), series):
            heights = [(bursts[octets(bar["label"])][key], bar["box"][3]) for bar in bars["marks"]]
            slope, offset = line_through(heights)
            self.assertAlmostEqual(offset, 0, delta=1.5)
            for value, pixels in heights:
                self.assertAlmostEqual(slope * value, pixels, delta=1.5)

    def test_axes_of_loss_over_load_are_0_to_100_percent(self):
        self.page(plan([THROUGHPUT]))
        self.browser.open(self.path("run.html"))
        chart = self.only_chart("loss_over_load")
        numbers = [text for text in chart["texts"] if re.fullmatch(r"\d+", text)]
        self.assertEqual((numbers.count("0"), numbers.count("100")), (2, 2), "RFC 2544 section 26.3")
        self.assertEqual(max(map(int, numbers)), 100)
        rows = self.browser.evaluate("""Array.from(document.querySelectorAll('[data-table=loss_over_load] tbody tr'),
            row => Object.fromEntries(Array.from(row.children, cell => [cell.dataset.key, +cell.firstElementChild.value])))""")
        marks = [mark for series in chart["series"] for mark in series["marks"]]
        self.assertEqual(len(marks), len(rows))
        values = iter(rows) # rows and marks are in the same order: by size, then by load
        self.marks_on_axes(chart, lambda _: (lambda row: (row["load_percent"], row["loss_percent"]))(next(values)), log_x=False)

    def test_tables_say_what_the_json_says(self):
        report = self.whole()
        self.browser.open(self.path("run.html"))
        seen = 0
        for table, test, octets, goal, key, digits, shown in self.browser.evaluate(CELLS):
            if key.startswith("received_gap") or key == "values_frames":
                continue
            value = self.value_of(report, test, octets, goal, key)
            self.assertEqual(None if digits is None else float(digits), value, (table, octets, key))
            if digits is None:
                self.assertEqual(shown, "-")
            else:
                scale = 1e-9 if key.endswith("_ns") else 1
                self.assertTrue(self.shown_as(repr(float(digits) * scale), shown), (key, digits, shown))
            seen += 1
        self.assertGreater(seen, 150)

    def test_words_can_be_read_in_light_and_dark(self):
        self.write("tester.py", tester_text('reply["offered_frames"] -= 7; reply["received_frames"] = 0'))
        self.page(plan(ALL), expect=INVALID)
        self.browser.open(self.path("run.html"))
        papers = []
        for dark in (False, True):
            self.browser.media("screen", dark)
            texts = self.browser.evaluate(TEXTS)
            papers.append(self.browser.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
            self.assertGreater(len(texts), 100)
            for name, colour, behind in texts:
                self.assertGreaterEqual(contrast(colour, behind), 4.5, (name, colour, behind, dark))
        self.assertGreater(contrast(*papers), 10, "two schemes")

    def test_paper_is_white_also_in_dark_mode(self):
        self.whole()
        self.browser.media("print", dark=True)
        self.browser.open(self.path("run.html"))
        self.assertEqual(self.browser.evaluate("getComputedStyle(document.documentElement).backgroundColor"),
                         "rgb(255, 255, 255)")
        self.browser.media("")
        pdf = self.browser.pdf()
        self.assertTrue(pdf.startswith(b"%PDF-"))
        self.assertGreater(len(re.findall(rb"/Type\s*/Page\b", pdf)), 3)
        self.assertEqual(len(set(re.findall(rb"/MediaBox\s*\[([^\]]*)\]", pdf))), 1)

    def test_it_fits_screens_of_every_width(self):
        self.whole()
        self.browser.open(self.path("run.html"))
        for width in (360, 800, 1180, 2400):
            self.browser.size(width, 900)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)

    def check_layout(self, layout, paper):
        seen, wide = layout["page"]
        self.assertLessEqual(wide, seen, "the page itself does not move to the side")
        for chart in layout["charts"]:
            left, _, right, _ = chart["box"]
            with self.subTest(chart=chart["name"]):
                for text in chart["texts"]:
                    self.assertGreaterEqual(text["size"], LEAST_TEXT - 0.05, text["text"])
                    self.assertTrue(left - 1 <= text["box"][0] and text["box"][2] <= right + 1, (text["text"], "is cut off"))
                self.assertLessEqual((right - left) / chart["drawn"], MOST_STRETCH)
                self.check_reach(chart, left, right, paper)
        for table in layout["tables"]:
            with self.subTest(table=table["name"]):
                self.check_reach(table, table["around"][0], table["right"], paper)

    def check_reach(self, thing, left, right, paper):
        """All of it is within its box, or the box scrolls to it; and the box is on the screen."""
        box_left, _, box_right, _ = thing["around"]
        self.assertGreaterEqual(left, box_left - 1)
        if paper or thing["scrolls"] == "visible":
            self.assertLessEqual(right, box_right + 1, "paper does not move")
        else:
            self.assertEqual(thing["scrolls"], "auto")
            self.assertLessEqual(right - box_left, thing["reachable"] + 1)

    def test_charts_can_be_read_and_nothing_is_cut_off_on_any_screen(self):
        self.whole()
        for width, media in ((390, "screen"), (768, "screen"), (1400, "screen"), (PAPER, "print")):
            self.browser.media(media)
            self.browser.size(width, 900)
            self.browser.open(self.path("run.html"))
            with self.subTest(width=width, media=media):
                layout = self.browser.evaluate(LAYOUT)
                self.assertEqual({chart["name"] for chart in layout["charts"]}, DRAWN)
                self.assertGreaterEqual(len(layout["tables"]), 10)
                self.check_layout(layout, media == "print")

    def test_every_goal_is_drawn_however_many_a_plan_has(self):
        for count in (7, 16):
            goals = ", ".join(f'{{ loss_ratio = "{0.05 * (number + 1):.2f}%"; exceed_ratio = 0.5; }}' for number in range(count))
            self.page(plan([f'test = "mlrsearch"; frame_sizes = [64, 128, 256]; goals = ( {goals} ); settle = "0s"']),
                      name=f"goals{count}")
            report = self.result(f"goals{count}.json")
            self.assertEqual(len(report["results"]), 3 * count)
            for width, media in ((390, "screen"), (1400, "screen"), (PAPER, "print")):
                self.browser.media(media)
                self.browser.size(width, 900)
                self.browser.open(self.path(f"goals{count}.html"))
                with self.subTest(count=count, width=width):
                    self.check_layout(self.browser.evaluate(LAYOUT), media == "print")
            with self.subTest(count=count):
                self.check_goals(report, count)

    def check_goals(self, report, count):
        (chart,) = self.charts_of("mlrsearch")
        marks = [mark for series in chart["series"] for mark in series["marks"]]
        drawn = sorted(tuple(map(int, re.match(r"(\d+) octets, goal (\d+):", mark["label"]).groups())) for mark in marks)
        self.assertEqual(drawn, sorted((result["frame_octets"], result["goal"]) for result in report["results"]))
        for one in marks: # none hides another
            for other in marks:
                if one is not other:
                    self.assertGreater(math.dist(one["box"][:2], other["box"][:2]), 3, (one["label"], other["label"]))
        for trace in self.charts_of("search_trace"):
            octets = int(re.search(r"(\d+) octets", trace["title"]).group(1))
            bounds = sum(result[key] is not None for result in report["results"] if result["frame_octets"] == octets
                         for key in ("relevant_lower_bound_fps", "relevant_upper_bound_fps"))
            self.assertEqual(sum(bool(series["lines"]) for series in trace["series"]), bounds)
            self.assertLessEqual({f"goal {goal}" for goal in range(1, count + 1)}, set(trace["texts"]))
        looks = self.browser.evaluate("""Array.from(document.querySelectorAll('[data-chart=mlrsearch] g.series')).map(series =>
            [series, series.querySelector('use.mark')]).filter(([series, mark]) => mark).map(([series, mark]) =>
            [getComputedStyle(mark).color, mark.getAttribute('href')])""")
        self.assertEqual(len({tuple(look) for look in looks}), count, "no two look alike")
        self.assertEqual(len({shape for _, shape in looks}), min(count, 14), "nor without colours")

    def test_an_axis_is_what_its_label_says(self):
        """Histograms with similar bins and with dissimilar ones; axes are logarithmic exactly where they say so."""
        self.page(plan([THROUGHPUT]))
        shapes = {64: [40, 90, 70], 128: [3, 40, 12], 256: [1, 1000000, 5000], 1518: [9]}
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            for position, document in database.execute("SELECT position, document FROM result").fetchall():
                result = json.loads(document)
                result["latency_histogram"] = [{"from_ns": 100.0 * i, "to_ns": 100.0 * (i + 1), "frames": frames}
                                               for i, frames in enumerate(shapes[result["frame_octets"]], 1)]
                text = json.dumps(result)
                database.execute("UPDATE result SET document = ?, checksum = ? WHERE position = ?",
                                 (text, zlib.crc32(text.encode()), position))
            database.commit()
        done = self.fpgauge("report", "run.db", "--quiet", "--html", "other.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.open(self.path("other.html"))
        axes = self.browser.evaluate(Y_AXES)
        said = {}
        for axis in axes:
            with self.subTest(axis["title"]):
                logarithmic = axis["label"].count("(logarithmic)")
                self.assertLessEqual(logarithmic, 1, axis["label"])
                self.assertGreaterEqual(len(axis["tics"]), 2)
                pairs = [(math.log(value) if logarithmic else value, y) for value, y in axis["tics"]]
                slope, offset = line_through(pairs)
                for value, y in pairs:
                    self.assertAlmostEqual(slope * value + offset, y, delta=1.5)
                if axis["name"] == "latency_histogram":
                    said[int(re.search(r"(\d+) octets", axis["title"]).group(1))] = bool(logarithmic)
        self.assertEqual(said, {64: False, 128: True, 256: True, 1518: False})

    def test_every_chart_has_a_table_beside_it(self):
        self.whole()
        self.browser.open(self.path("run.html"))
        for chart in self.browser.evaluate(CHARTS):
            if chart["name"] == "search_trace":
                self.assertEqual(chart["tables"], 1)
        after = self.browser.evaluate("""Array.from(document.querySelectorAll('figure[data-chart]'), figure => {
            const section = figure.closest('section');
            return [figure.dataset.chart, Array.from(section.querySelectorAll('table'), table => table.dataset.table)]; })""")
        tables = {"throughput": "throughput", "latency": "throughput_trial", "back_to_back": "back_to_back",
                  "buffer_time": "buffer", "gaps": "gaps", "mlrsearch": "mlrsearch", "loss_over_load": "loss_over_load",
                  "latency_over_load": "loss_over_load", "search_trace": "search_trace"}
        for chart, names in after:
            self.assertIn(tables[chart], names)


class Hostile(BrowserCase):
    def test_what_is_hostile_does_not_run(self):
        name = """<script>document.title='ran'</script><img src=x onerror="document.title='ran'">"""
        self.write("tester.py", tester_text('reply["valid"] = False\nreply["why_invalid"] = open("why").read()'))
        self.write("why", name + "</style></svg></title>")
        text = plan([THROUGHPUT], f'["python3", "-S", "tester.py", {json.dumps(name)}]') + f"# </pre></code>{name}\n"
        self.page(text, expect=INVALID)
        self.browser.open(self.path("run.html"))
        self.assertEqual((self.browser.requests, self.browser.console), (["file://" + self.path("run.html")], []))
        self.assertEqual(self.browser.evaluate("document.title"), "run.cfg: benchmark report")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('script, img, iframe, object, embed, form').length"), 0)
        self.assertIn(name, self.browser.evaluate("document.body.textContent"))
        self.assertEqual(self.browser.evaluate("document.body.lastElementChild.tagName"), "FOOTER", "the page closed nothing early")


class Required(HtmlCase):
    def test_ci_does_not_skip(self):
        program, browser.PROGRAM = browser.PROGRAM, None
        before = os.environ.get("CI")
        try:
            os.environ["CI"] = "true"
            with self.assertRaisesRegex(AssertionError, "chromium is missing"):
                browser.require()
        finally:
            browser.PROGRAM = program
            os.environ.pop("CI")
            if before is not None:
                os.environ["CI"] = before


if __name__ == "__main__":
    main()
