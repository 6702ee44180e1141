#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line rate of RFC 8239 section 2, on switches with random settings whose truth is computed here from docs/dut-models.md: a switch that
leaves more room between frames than the tester forwards less than line rate, and every frame of one that does not has the same latency."""

import random
from fractions import Fraction

from fifo_truth import max_theoretical_fps
from fpgauge_system import DONE, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text

ROUNDS = 30 if LONG else 4
OT_NS = Fraction(8 * 10**9, LINK_BPS)
WAITS = 'drain = "60us"; settle = "10us";'


def lone_latency_ns(octets, latency_ns):
    """T - s of a frame that waits for no other, at the next start."""
    octet_times = 8 + octets + latency_ns / OT_NS
    return float(-(-octet_times // 8) * 8 * OT_NS)


class LineRate(SystemCase):
    def check_times(self, result, octets, latency_ns):
        """Pairs without loss: no frame ever waits for another."""
        true = lone_latency_ns(octets, latency_ns)
        for name in ("min", "mean", "max"):
            self.assertAlmostEqual(result[f"latency_{name}_ns"], true, places=3)
            self.assertAlmostEqual(result[f"jitter_{name}_ns"], 0, places=3)

    def check_jitter(self, result):
        """Of the same trial: what its latencies are above the smallest, and a histogram of all its frames."""
        low, mean, high = (result[f"latency_{name}_ns"] for name in ("min", "mean", "max"))
        self.assertEqual(result["jitter_min_ns"], 0)
        self.assertAlmostEqual(result["jitter_mean_ns"], mean - low, places=3)
        self.assertAlmostEqual(result["jitter_max_ns"], high - low, places=3)
        if result["lost_frames"]:
            self.assertEqual(result["jitter_histogram"], [])
            return
        bins = result["jitter_histogram"]
        self.assertEqual(sum(entry["frames"] for entry in bins), result["counters"]["received_frames"])
        self.assertLessEqual(bins[0]["from_ns"], 0)
        self.assertLess(bins[-1]["from_ns"], result["jitter_max_ns"] + 1e-3)
        self.assertGreater(bins[-1]["to_ns"], result["jitter_max_ns"] - 1e-3)

    def check_repetitions(self, result, count):
        rows = result["repetitions"]
        self.assertEqual([row["repetition"] for row in rows], list(range(1, count + 1)))
        reported = rows[result["reported_repetition"] - 1]
        for key in ("received_percent", "lost_frames", "latency_min_ns", "latency_mean_ns", "latency_max_ns", "jitter_max_ns"):
            self.assertEqual(reported[key], result[key], key)
        self.assertEqual(result["lost_frames"], max(row["lost_frames"] for row in rows))
        values = [row["received_percent"] for row in rows]
        changes = [100 * (now - before) / before for before, now in zip(values, values[1:])]
        if count == 1:
            self.assertEqual(result["variation_percent"], {"min": None, "mean": None, "max": None})
            self.assertIsNone(result["relative_stddev_percent"])
            return
        for key, true in (("min", min(changes)), ("mean", sum(changes) / len(changes)), ("max", max(changes))):
            self.assertAlmostEqual(result["variation_percent"][key], true, places=6)
        self.assertLess(result["relative_stddev_percent"], 0.01)

    def check(self, draw, pattern, library="twin", ports=None, duration_us=400):
        ports = ports or draw.choice((4, 6, 8, 14))
        octets = draw.choice((64, 67, 128, 251, 509, 1021, 1518, 4096))
        gap_octets, buffer_frames = 12 + draw.choice((0, 0, 7, 31)), draw.choice((17, 31, 53))
        load, latency_ns, count = Fraction(draw.choice(("99.98", "100", "73.1"))), draw.randrange(2000), draw.choice((1, 3))
        line = max_theoretical_fps(octets, LINK_BPS)
        test = (f'test = "rfc8239.line_rate"; frame_sizes = [{octets}]; trial_duration = "{duration_us}us"; {WAITS} '
                f'load = "{float(load)}%"; repetitions = {count}; traffic = {{ pattern = "{pattern}"; }};')
        dut = f'model = "switch"; gap_octets = {gap_octets}; buffer_frames = {buffer_frames}; latency_ns = {latency_ns};'
        with self.subTest(pattern=pattern, library=library, ports=ports, dut=dut, test=test):
            report, _ = self.run_plan(plan_text([test], dut=dut, library=library,
                                                device="" if library == "rtl4" else f"ports = {ports};"))
            result = self.only(report, test="rfc8239.line_rate")
            frames = float(line) * duration_us / 1e6
            most = 100 * Fraction(octets + 20, octets + 8 + gap_octets)
            self.assertAlmostEqual(result["load_percent"], float(load), places=9)
            # 8 octet times for the first and the last frame
            off = 100 * 16 / ((frames - 1) * (octets + 20))
            self.assertAlmostEqual(result["received_percent"], float(min(load, most)), delta=off + 100 * (ports > 4) / frames * 2)
            sent = result["counters"]["offered_frames"]
            self.assertEqual(result["lost_frames"], sent - result["counters"]["received_frames"])
            self.assertAlmostEqual(result["delivered_percent"] + result["loss_percent"], 100, places=6)
            self.assertAlmostEqual(result["loss_of_line_percent"], result["loss_percent"] * float(load) / 100, places=6)
            if load <= most:
                self.assertEqual(result["lost_frames"], 0)
            elif pattern != "snake":
                lost = float(1 - most / load) * sent
                self.assertAlmostEqual(result["lost_frames"], max(0, lost), delta=(buffer_frames + 3) * ports + off * sent / 100)
            self.check_repetitions(result, count)
            if pattern == "snake":
                self.assertEqual([result[f"{what}_{how}_ns"] for what in ("latency", "jitter") for how in ("min", "mean", "max")],
                                 [None] * 6)
                self.assertEqual(result["jitter_histogram"], [])
            else:
                self.check_jitter(result)
                if pattern == "pairs" and load <= most:
                    self.check_times(result, octets, latency_ns)
            above = [flag for flag in result["flags"] if "99.98% of line rate" in flag]
            self.assertEqual(bool(above), load > Fraction("99.98"))

    def test_rates_loss_latency_and_jitter_are_those_of_the_switch_on_the_twin(self):
        draw = random.Random(SEED)
        for pattern in ("pairs", "mesh", "snake"):
            for _ in range(ROUNDS):
                self.check(draw, pattern)

    def test_rates_loss_latency_and_jitter_are_those_of_the_switch_on_the_rtl(self):
        draw = random.Random(SEED)
        for pattern in ("pairs", "mesh") if LONG else (draw.choice(("pairs", "mesh")),):
            self.check(draw, pattern, "rtl4", 4, 40)


class Plans(SystemCase):
    def refused(self, test, wanted, device="ports = 4;", text=None):
        done = self.fpgauge("run", self.write("plan.cfg", text or plan_text([test], library="twin", device=device)))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, wanted)

    def test_patterns_of_other_clauses_are_refused(self):
        self.refused('test = "rfc8239.line_rate"; traffic = { pattern = "many_to_one"; };',
                     r'traffic.pattern.*must be "pairs", "mesh" or "snake" for test = "rfc8239.line_rate" \(RFC 8239 section 2.2\)')

    def test_a_mesh_of_two_ports_and_loads_above_line_rate_are_refused(self):
        self.refused('test = "rfc8239.line_rate"; traffic = { pattern = "mesh"; };', "needs 3 ports", device="ports = 2;")
        self.refused('test = "rfc8239.line_rate"; load = "100.1%";', "must be 0.0001% to 100%")

    def test_an_external_program_is_refused(self):
        self.refused("", r'must not be "rfc8239.line_rate" with backend = "exec"',
                     text='device = { backend = "exec"; command = ["true"]; };\nlink = { speed = "100G"; };\n'
                          'run = ( { test = "rfc8239.line_rate"; } );\n')


class Reports(SystemCase):
    def test_the_report_has_what_section_2_3_asks_for(self):
        report, done = self.run_plan(plan_text(
            [f'test = "rfc8239.line_rate"; frame_sizes = [64, 1518]; trial_duration = "100us"; {WAITS} '
             'traffic = { pattern = "mesh"; }; physical_layer = "3 m DAC, no transceivers";'],
            dut='model = "switch";', library="twin", device="ports = 6;"), "--html", self.path("page.html"))
        self.assertEqual(done.returncode, DONE)
        for wanted in ("6; RFC 8239 section 2.3 assumes nine or more", "3 m DAC, no transceivers", "multiples of 0.64 ns",
                       "N = 3", "Loss of line rate", "Jitter max", "PV mean", "Rel. StdDev"):
            self.assertIn(wanted, done.stdout)
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        for wanted in ("Histogram of jitter", "Latency and jitter over frame size", "Repeatability of the received rate"):
            self.assertIn(wanted, page)
        self.assertEqual(report["results"][0]["parameters"]["repetitions"], 3)


if __name__ == "__main__":
    main()
