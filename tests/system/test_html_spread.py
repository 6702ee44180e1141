#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How values are distributed: percentiles and histograms of latency, and histograms of gaps, from a device of known
truth through the results to the page, and as a browser shows them."""

from fpgauge_system import main
from html_page import HTML
from test_html_browser import CHARTS, BrowserCase

PLAN = """
device = { backend = "sim"; library = "twin"; };
link   = { speed = "100G"; };
dut    = { model = "stall, fifo"; buffer_frames = 2000; service_fps = "60M"; latency_ns = 800; stall_ns = 3000;
           stall_mean_ns = 200000; };
run    = (
  { test = "throughput"; frame_sizes = [64, 256, 1518]; trial_duration = "5ms"; resolution = "5%"; },
  { test = "back_to_back"; frame_sizes = [64]; repetitions = 3; max_burst = "10ms"; }
);
"""
OCTET_NS = 0.08


class Spread(BrowserCase):
    def results(self, name):
        return [result for result in self.report["results"] if result["test"] == name]

    def setUp(self):
        super().setUp()
        self.written, self.report = self.page(PLAN)

    def rows(self, name):
        """The tables with a name, in order: rows as {key: value}."""
        for table in self.written.iter(HTML + "table"):
            if table.get("data-table") == name:
                yield [{cell.get("data-key"): float(cell.find(HTML + "data").get("value")) for cell in row if cell.get("data-key")}
                       for row in table.find(HTML + "tbody")]

    def test_latency_is_counted_frame_by_frame(self):
        for result in self.results("throughput"):
            bins = result["latency_histogram"]
            self.assertEqual(sum(one["frames"] for one in bins), result["counters"]["received_frames"])
            least = result["truth"]["latency_ns"]
            self.assertAlmostEqual(result["latency_min_ns"], least, delta=8 * OCTET_NS)
            self.assertTrue(bins[0]["from_ns"] <= least < bins[0]["to_ns"])
            self.assertLess(bins[-1]["from_ns"], result["latency_max_ns"] + OCTET_NS)
            middle = sum((one["from_ns"] + one["to_ns"]) / 2 * one["frames"] for one in bins) / sum(
                one["frames"] for one in bins)
            self.assertAlmostEqual(middle, result["latency_mean_ns"], delta=max(one["to_ns"] - one["from_ns"] for one in bins) / 2)

    def test_percentiles_are_those_of_the_histogram(self):
        """Counted again in another way: every frame has the upper edge of its bin, or the middle if it is one of octaves."""
        for result in self.results("throughput"):
            bins = result["latency_histogram"]
            frames = sum(one["frames"] for one in bins)
            for key, share in (("latency_p50_ns", 0.5), ("latency_p90_ns", 0.9), ("latency_p99_ns", 0.99),
                               ("latency_p99_9_ns", 0.999)):
                edge, low = min((min(one["to_ns"], result["latency_max_ns"]), max(one["from_ns"], result["latency_min_ns"]))
                                for one in bins
                                if sum(other["frames"] for other in bins if other["to_ns"] <= one["to_ns"]) >= share * frames)
                nearest = min((edge, (low + edge) / 2), key=lambda value: abs(value - result[key]))
                self.assertAlmostEqual(result[key], nearest, places=6, msg=key)
                self.assertLessEqual(edge - low, low / 32 + 1e-6, "the bin is too wide")

    def test_gaps_of_bursts_are_8_and_16_octets_in_turn(self):
        (result,) = self.results("back_to_back")
        gaps = {one["from_octets"]: one["gaps"] for one in result["gap_histogram"]}
        self.assertEqual(set(gaps), {8, 16}, "84 octets from start to start, and starts on groups of 8")
        self.assertAlmostEqual(sum(octets * count for octets, count in gaps.items()) / sum(gaps.values()),
                               result["gap_mean_octets"], places=9)

    def test_tables_have_every_bin(self):
        for name, results in (("latency_histogram", self.results("throughput")), ("gap_histogram", self.results("back_to_back"))):
            self.assertEqual(list(self.rows(name)), [result[name] for result in results])

    def test_the_table_of_percentiles_is_the_json(self):
        (rows,) = self.rows("latency_percentiles")
        for row, result in zip(rows, self.results("throughput"), strict=True):
            self.assertEqual(row, {key: result[key] for key in row})
            self.assertEqual(len(row), 6)

    def test_a_browser_shows_a_bar_for_every_bin(self):
        self.browser.open(self.path("run.html"))
        self.assertEqual((self.browser.requests, self.browser.console), (["file://" + self.path("run.html")], []))
        shown = self.browser.evaluate(CHARTS)
        for name, count, results in (("latency_histogram", "frames", self.results("throughput")),
                                     ("gap_histogram", "gaps", self.results("back_to_back"))):
            charts = [chart for chart in shown if chart["name"] == name]
            self.assertEqual(len(charts), len(results))
            for chart, result in zip(charts, results):
                with self.subTest(chart=chart["title"]):
                    self.bars_are(chart, [one[count] for one in result[name]])
        (percentiles,) = [chart for chart in shown if chart["name"] == "latency_percentiles"]
        self.assertEqual([series["points"] for series in percentiles["series"]], [3] * 5)

    def bars_are(self, chart, counts):
        (series,) = chart["series"]
        boxes = [mark["box"] for mark in series["marks"]]
        self.assertEqual(len(boxes), len(counts))
        left, top, width, height = chart["box"]
        for (x, y, wide, high), (after, *_) in zip(boxes, boxes[1:] + [[left + width] * 4]):
            self.assertGreater(wide, 0.5)
            self.assertLess(x, after, "in the order of their values")
            self.assertTrue(left <= x and x + wide <= left + width and top <= y and y + high <= top + height)
        for (_, _, _, high), count in zip(boxes, counts):
            for (_, _, _, other_high), other in zip(boxes, counts):
                if count > other:
                    self.assertGreater(high, other_high - 1, "more is higher")


if __name__ == "__main__":
    main()
