#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Port buffers and buffer efficiency of RFC 8239 section 3, on switches with random buffers, private and shared, with thresholds and cells.
How many frames in excess are taken is computed by a model of docs/dut-models.md that plays the frames one by one, and the buffer by its
closed form."""

import math
import random
from fractions import Fraction

from fpgauge_system import DONE, INVALID, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text
from switch_truth import Switch, starts

ROUNDS = 30 if LONG else 3
WAITS = 'drain = "60us"; settle = "10us";'


def frames_taken(switch, share, ingress, egress, extra, most):
    """Frames of the port with that share of line rate that end before the first loss."""
    slow = starts(switch.octets, most + 2, share)
    fast = [start for start in starts(switch.octets, int(slow[-1] / (switch.octets + 20)) + 2) if start < slow[-1]]
    frames = [(start, ingress, egress) for start in fast] + [(start, extra, egress) for start in slow]
    lost = [frame[0] for frame, left in zip(frames, switch.play(frames)) if left is None]
    first_lost = min(lost, default=math.inf)
    return max(n for n in range(most + 2) if slow[n] <= first_lost) if first_lost < math.inf else None


class Buffers(SystemCase):
    def measure(self, test, dut, library="twin", ports=8):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], dut=dut, library=library,
                                                                    device="" if library == "rtl4" else f"ports = {ports};")),
                            "--json", self.path("result.json"))
        self.assertIn(done.returncode, (DONE, INVALID), done.stdout + done.stderr)
        return self.result("result.json")["results"]

    def draw_switch(self, draw, octets):
        shared, cells = draw.random() < 0.6, draw.choice((None, 80, 128))
        buffer = draw.choice((7, 13, 29)) * (-(-octets // cells) if cells else 1) + draw.randrange(2)
        alpha = draw.choice((None, Fraction(1, 2), Fraction(1), Fraction(2))) if shared else None
        return Switch(octets, buffer, shared, alpha, cells, draw.randrange(1500))

    def check(self, draw, library="twin", ports=8, switch=None, share=None, positions=0):
        switch = switch or self.draw_switch(draw, draw.choice((64, 67, 131, 512, 1021)))
        share = share or Fraction(draw.choice((1, 1, 3)), 100)
        test = (f'test = "rfc8239.port_buffer"; frame_sizes = [{switch.octets}]; repetitions = 2; {WAITS} '
                f'oversubscription = "{float(share * 100)}%"; positions = {positions};')
        with self.subTest(library=library, ports=ports, dut=switch.plan(), test=test):
            result = self.measure(test, switch.plan(), library, ports)[0]
            self.assertTrue(result["valid"], result["why_invalid"])
            rows = result["buffers"]
            self.assertEqual([row["egress_port"] for row in rows], [(n + 1) % ports for n in range(positions or ports)])
            for row in rows:
                roles = [row[key] for key in ("ingress_port", "egress_port", "oversubscribing_port")]
                self.assertEqual(roles, [(roles[0] + n) % ports for n in range(3)])
                true = frames_taken(switch, share, *roles, switch.queue_frames() + 4)
                self.assertEqual(row["buffer_frames"], true, row)
                self.assertEqual((row["min_buffer_frames"], row["max_buffer_frames"]), (true, true))
                self.assertEqual(row["buffer_octets"], true * switch.octets)
                # the frame that is leaving is in the queue, and in neither estimate
                self.assertLessEqual(abs(row["buffer_frames"] - (switch.queue_frames() - 1)), 1)
                self.assertAlmostEqual(row["buffer_from_latency_frames"], switch.queue_frames() - 1, delta=0.3)
                self.assertTrue(row["agrees"], row)
                self.assertEqual(row["variation_percent"], {"min": 0, "mean": 0, "max": 0})
            values = [row["buffer_frames"] for row in rows]
            self.assertEqual((result["buffer_frames"], result["largest_buffer_frames"]), (min(values), max(values)))
            self.assertEqual(result["buffer_octets"], min(values) * switch.octets)
            self.assertIs(result["estimates_agree"], True)

    def test_every_port_buffer_is_that_of_the_switch_by_count_and_by_latency_on_the_twin(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            self.check(draw)

    def test_the_port_buffer_is_that_of_the_switch_by_count_and_by_latency_on_the_rtl(self):
        draw = random.Random(SEED + 1)
        self.check(draw, "rtl4", 4, Switch(64, draw.choice((5, 7)), latency_ns=draw.randrange(300)), Fraction(1, 10), 1)

    def test_an_egress_port_below_line_rate_is_why_the_estimates_do_not_agree(self):
        draw = random.Random(SEED + 2)
        switch = Switch(64, 53, gap_octets=13 + draw.randrange(9))
        result = self.measure(f'test = "rfc8239.port_buffer"; frame_sizes = [64]; repetitions = 1; positions = 1; {WAITS}', switch.plan())[0]
        self.assertEqual(result["buffer_frames"], frames_taken(switch, Fraction(1, 100), 0, 1, 2, 60))
        self.assertIs(result["estimates_agree"], False)
        self.assertIn("forwards less than line rate", " ".join(result["flags"]))

    def test_more_than_max_frames_is_no_answer(self):
        result = self.measure(f'test = "rfc8239.port_buffer"; frame_sizes = [64]; positions = 1; max_frames = "50 frames"; {WAITS}',
                              Switch(64, 200).plan())[0]
        self.assertFalse(result["valid"])
        self.assertIn("repeat with more", result["why_invalid"])
        self.assertIsNone(result["buffer_frames"])

    def test_the_most_efficient_size_is_the_one_that_fills_the_cells(self):
        draw = random.Random(SEED + 3)
        cells, buffer = draw.choice((80, 96, 112)), draw.choice((31, 47))
        sizes = [64, cells - 1, cells, cells + 1]
        results = self.measure(f'test = "rfc8239.buffer_efficiency"; frame_sizes = {sizes}; repetitions = 1; {WAITS}',
                               Switch(64, buffer, cell_octets=cells).plan())
        self.assertEqual([result["frame_octets"] for result in results], sizes)
        for result in results:
            switch = Switch(result["frame_octets"], buffer, cell_octets=cells)
            self.assertEqual(result["buffer_frames"], frames_taken(switch, Fraction(1, 100), 0, 1, 2, buffer + 2))
        self.assertEqual([result["efficient_frame_octets"] for result in results], [64, cells - 1, cells, cells])


class Plans(SystemCase):
    def refused(self, test, wanted, ports=8):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], library="twin", device=f"ports = {ports};")))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, wanted)

    def test_two_ports_and_what_the_clause_has_not_are_refused(self):
        for name in ("port_buffer", "buffer_efficiency"):
            self.refused(f'test = "rfc8239.{name}";', "needs 3 ports", 2)
            self.refused(f'test = "rfc8239.{name}"; modifiers = ["broadcast"];', "RFC 8239 section 3.2")
            self.refused(f'test = "rfc8239.{name}"; oversubscription = "0.000000000001%";', "must be 0.01% to 100%")


if __name__ == "__main__":
    main()
