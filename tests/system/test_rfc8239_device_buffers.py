#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Buffers of port pairs and of whole devices, RFC 8239 section 3.2, procedures 3 and 4, on switches with random buffers: private, shared
as a whole, shared with a threshold, in frames and in cells. What fits is computed by a model of docs/dut-models.md that plays
the frames one by one, and by the closed form of a threshold (Choudhury and Hahne 1998): a queue takes alpha / (1 + alpha) of a buffer."""

import math
import random
from fractions import Fraction

from fpgauge_system import DONE, INVALID, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text
from switch_truth import Switch, starts, up

ROUNDS = 40 if LONG else 3
WAITS = 'drain = "60us"; settle = "10us";'


def pair_places(ports, by=0):
    """The pairs, and (ingress, egress, extra) of both queues at each place, from the text of procedure 3 as it is meant; ports from 0,
    all moved on by so many."""
    def moved(*numbers):
        return tuple((number + by) % ports for number in numbers)

    firsts = range(0, ports - 3, 2)
    return ([moved(port, port + 1) for port in firsts],
            [[moved(port, port + 1, ports - 2), moved(port + 2, port + 3, ports - 1)] for port in firsts[:-1]])


def pair_truth(switch, share, ports, place, by, most):
    """Frames that the extra port of each queue ends before the first loss there."""
    pairs, places = pair_places(ports, by)
    slow = starts(switch.octets, most + 2, share)
    fast = [start for start in starts(switch.octets, int(slow[-1] / (switch.octets + 20)) + 2) if start < slow[-1]]
    frames = [(start, *pair) for pair in pairs for start in fast]
    frames += [(start, extra, egress) for _, egress, extra in places[place] for start in slow]
    lost = [frame for frame, left in zip(frames, switch.play(frames)) if left is None]
    taken = []
    for _, egress, _ in places[place]:
        first = min((start for start, _, to in lost if to == egress), default=math.inf)
        taken.append(max(n for n in range(most + 2) if slow[n] <= first))
    return taken


def device_truth(switch, share, ports, egress, most):
    """Frames that wait when the first are lost."""
    senders = [port for port in range(ports) if port != egress]
    each = starts(switch.octets, most, share)
    frames = [(start, sender, egress) for start in each for sender in senders]
    left = switch.play(frames)
    first = next(i for i, start in enumerate(left) if start is None) // len(senders)
    frames, left = frames[:(first + 1) * len(senders)], left[:(first + 1) * len(senders)]
    now = up(switch.decided(frames[-1][0]))
    return sum(start is not None and start > now for start in left)


class Buffers(SystemCase):
    def measure(self, test, switch, library="twin", ports=8):
        device = "" if library == "rtl4" else f"ports = {ports};"
        plan = self.write("plan.cfg", plan_text([test], dut=switch.plan(), library=library, device=device))
        done = self.fpgauge("run", plan, "--json", self.path("result.json"))
        self.assertIn(done.returncode, (DONE, INVALID), done.stdout + done.stderr)
        result = self.only(self.result("result.json"), test=test.split('"')[1])
        self.assertTrue(result["valid"], result["why_invalid"])
        return result

    def draw_switch(self, draw):
        octets, cells = draw.choice((64, 67, 131, 512, 1021)), draw.choice((None, 32, 208))
        shared = draw.random() < 0.7
        cost = -(-octets // cells) if cells else 1
        alpha = draw.choice((None, Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))) if shared else None
        return Switch(octets, draw.choice((23, 31, 59)) * cost + draw.randrange(cost), shared, alpha, cells, draw.randrange(1500))

    def check_sums(self, result, rows, switch):
        values = [row["buffer_frames"] for row in rows]
        self.assertEqual((result["buffer_frames"], result["largest_buffer_frames"]), (min(values), max(values)))
        self.assertEqual(result["buffer_octets"], min(values) * switch.octets)
        self.assertIs(result["estimates_agree"], all(row["agrees"] for row in rows))
        self.assertEqual(result["variation_percent"], {"min": 0, "mean": 0, "max": 0})
        self.assertEqual(result["relative_stddev_percent"], 0)
        for row in rows:
            self.assertEqual((row["min_buffer_frames"], row["max_buffer_frames"]), (row["buffer_frames"],) * 2)
            self.assertEqual(row["buffer_octets"], row["buffer_frames"] * switch.octets)
            self.assertLessEqual(abs(row["buffer_frames"] - row["buffer_from_latency_frames"]), 1.3, row)

    def check_pairs(self, draw, switch, ports, positions, share=None):
        share = share or Fraction(draw.choice((1, 1, 3)), 100)
        test = (f'test = "rfc8239.port_pair_buffer"; frame_sizes = [{switch.octets}]; repetitions = 2; {WAITS} '
                f'oversubscription = "{float(share * 100)}%"; positions = {positions};')
        with self.subTest(ports=ports, dut=switch.plan(), test=test):
            result, (_, places) = self.measure(test, switch, ports=ports), pair_places(ports)
            rows, sums = result["pair_buffers"], []
            self.assertEqual([row["place"] for row in rows], [n for n in range(len(places) * positions) for _ in range(2)])
            for n in range(0, len(rows), 2):
                place, by = n // 2 % len(places), n // 2 // len(places)
                true = pair_truth(switch, share, ports, place, by, switch.buffer // switch.cost() + 4)
                for row, roles, frames in zip(rows[n:n + 2], pair_places(ports, by)[1][place], true):
                    self.assertEqual(tuple(row[key] for key in ("ingress_port", "egress_port", "oversubscribing_port")), roles)
                    self.assertEqual(row["buffer_frames"], frames, row)
                    if not switch.shared:
                        self.assertTrue(row["agrees"], row)
                        self.assertLessEqual(abs(row["buffer_frames"] - (switch.queue_frames() - 1)), 1)
                sums.append(sum(row["buffer_frames"] for row in rows[n:n + 2]))
            self.assertEqual(result["pair_buffer_frames"], max(sums))
            self.assertEqual(result["pair_buffer_octets"], max(sums) * switch.octets)
            self.check_sums(result, rows, switch)

    def test_the_buffers_of_port_pairs_are_those_of_the_switch_on_the_twin(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            self.check_pairs(draw, self.draw_switch(draw), draw.choice((6, 7, 8, 9, 10)), draw.choice((1, 1, 2)))

    def test_what_is_lost_for_the_other_port_of_two_does_not_count(self):
        draw = random.Random(SEED + 4)
        for _ in range(2):
            while True:  # a switch whose two queues do not lose their first frames together
                octets = draw.choice((64, 131))
                switch = Switch(octets, draw.randrange(11, 60), True, draw.choice((None, Fraction(1), Fraction(2))), None, draw.randrange(900))
                if len({*pair_truth(switch, Fraction(1, 100), 8, 0, 0, switch.buffer + 4)}) == 2:
                    break
            self.check_pairs(draw, switch, 8, 1, Fraction(1, 100))

    def check_device(self, draw, switch, ports, library="twin", over=None, positions=0):
        over = over or Fraction(draw.choice((1, 1, 3)), 100)
        test = (f'test = "rfc8239.device_buffer"; frame_sizes = [{switch.octets}]; repetitions = 2; {WAITS} '
                f'oversubscription = "{float(over * 100)}%"; positions = {positions};')
        share = (Fraction(9998, 10000) + over) / (ports - 1)
        with self.subTest(library=library, ports=ports, dut=switch.plan(), test=test):
            result = self.measure(test, switch, library, ports)
            rows = result["device_buffers"]
            self.assertEqual([row["egress_port"] for row in rows], [(n - 1) % ports for n in range(positions or ports)])
            excess = over - Fraction(2, 10000)
            most = int(switch.buffer // switch.cost() * (1 + 1 / excess) / (ports - 1)) + 8
            true = device_truth(switch, share, ports, ports - 1, most)
            for row in rows:
                self.assertEqual(row["ingress_ports"], [port for port in range(ports) if port != row["egress_port"]])
                self.assertLessEqual(abs(row["buffer_frames"] - true), 1, row)
                self.assertLessEqual(abs(row["buffer_frames"] - (switch.queue_frames() - 1)), 1, row)
                self.assertLessEqual(abs(row["buffer_from_latency_frames"] - (switch.queue_frames() - 1)), 1, row)
                self.assertTrue(row["agrees"], row)
            self.check_sums(result, rows, switch)

    def test_the_buffer_of_a_device_is_that_of_the_switch_on_the_twin(self):
        draw = random.Random(SEED + 1)
        for _ in range(ROUNDS):
            self.check_device(draw, self.draw_switch(draw), draw.choice((3, 5, 8, 9, 16)))

    def test_the_buffer_of_a_device_is_that_of_the_switch_on_the_rtl(self):
        draw = random.Random(SEED + 2)
        switch = Switch(64, draw.choice((7, 9, 11)), shared=draw.random() < 0.5, latency_ns=draw.randrange(300))
        self.check_device(draw, switch, 4, "rtl4", Fraction(1, 10), 1)

    def test_a_slower_egress_port_is_no_larger_buffer(self):
        """Where all oversubscribe, what an egress port forwards is measured, so its queue is counted right at any rate."""
        draw = random.Random(SEED + 3)
        switch = Switch(draw.choice((64, 131)), 47, gap_octets=13 + draw.randrange(9))
        self.check_device(draw, switch, 5, positions=1)

    def test_many_to_one_fills_all_queues_where_frames_come_in(self):
        draw = random.Random(SEED + 5)
        for ports in (4, draw.choice((7, 8, 9))):
            switch = Switch(draw.choice((64, 131, 512)), draw.randrange(11, 40), latency_ns=draw.randrange(900), blocking=True)
            test = f'test = "rfc8239.device_buffer"; frame_sizes = [{switch.octets}]; repetitions = 1; positions = 2; {WAITS}'
            with self.subTest(ports=ports, dut=switch.plan()):
                for row in self.measure(test, switch, ports=ports)["device_buffers"]:
                    true = (ports - 1) * switch.buffer - 1  # one is leaving
                    self.assertLessEqual(abs(row["buffer_frames"] - true), 1, row)
                    self.assertLessEqual(abs(row["buffer_from_latency_frames"] - true), 1.3, row)
                    self.assertTrue(row["agrees"], row)


class Plans(SystemCase):
    def refused(self, test, wanted, ports=8, device=""):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], library="twin", device=f"ports = {ports};{device}")))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, wanted)

    def test_ports_loads_and_marks_that_cannot_be_had_are_refused(self):
        self.refused('test = "rfc8239.port_pair_buffer";',
                     r"plan.cfg:\d+: .*5 ports.*need 6.*two pairs.*RFC 8239 section 3.2, procedure 3", 5)
        self.refused('test = "rfc8239.device_buffer";', "needs 3 ports", 2)
        self.refused('test = "rfc8239.device_buffer"; oversubscription = "0.02%";', r"plan.cfg:\d+: .*must be above 0.02%.*procedure 4")
        for name in ("port_buffer", "buffer_efficiency", "port_pair_buffer", "device_buffer"):
            self.refused(f'test = "rfc8239.{name}"; cos = 3;', r"plan.cfg:\d+: .*cos.*must be 0 without traffic.vlan.*802.1Q")
            self.refused(f'test = "rfc8239.{name}"; dscp = 64;', "must be a whole number, 0 to 63")
            self.refused(f'test = "rfc8239.{name}"; dscp = 1; traffic = {{ frame = "ethernet"; }};', "dscp.*no IP header")
            self.refused(f'test = "rfc8239.{name}"; modifiers = ["broadcast"];', "RFC 8239 section 3.2")


if __name__ == "__main__":
    main()
