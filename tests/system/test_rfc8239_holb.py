#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Head-of-line blocking of RFC 8239 section 5, on switches with random settings: what each group loses is computed by a model of
docs/dut-models.md that plays the frames one by one. A switch with queues at its outputs and a buffer for each never blocks."""

import random
from fractions import Fraction

from fpgauge_system import LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text
from switch_truth import Switch, starts

ROUNDS = 20 if LONG else 2
DURATION_US = 20
WAITS = 'drain = "60us"; settle = "10us";'


def destinations(ports, groups, everywhere, position):
    """By port, to whom it sends in turn, from the text of section 5.2."""
    sends = {}
    for group in range(groups):
        first, other = 4 * group, 4 * ((group + 1) % groups)
        sends[first] = [first + 2, first + 3] + ([other + 2, other + 3] if everywhere else [])
        sends[first + 1] = [first + 3]
    return {(port + position) % ports: [(to + position) % ports for to in peers] for port, peers in sends.items()}


def losses(switch, sends):
    """(from, to): (offered, lost) of a trial."""
    ends = DURATION_US * 12500
    first = [start for start in starts(switch.octets, ends // (switch.octets + 20) + 2) if start < ends]
    frames = [(start, port, peers[n % len(peers)]) for n, start in enumerate(first) for port, peers in sends.items()]
    counts = {}
    for (_, port, to), left in zip(frames, switch.play(frames)):
        offered, lost = counts.get((port, to), (0, 0))
        counts[port, to] = offered + 1, lost + (left is None)
    return counts


class Blocking(SystemCase):
    def check_rows(self, result, switch, ports, groups, everywhere, repetitions):
        rows = result["groups"]
        self.assertEqual([row["position"] for row in rows], [place for place in range(ports) for _ in range(groups)])
        worst = 0
        for i, row in enumerate(rows):
            place, group = row["position"], i % groups
            roles = [(4 * group + n + place) % ports for n in range(4)]
            self.assertEqual([row[key] for key in ("first_port", "second_port", "free_port", "congested_port")], roles)
            counts = losses(switch, destinations(ports, groups, everywhere, place))
            free = [(4 * g + 2 + place) % ports for g in range(groups)]
            own = [pair for (source, to), pair in counts.items() if source == roles[0] and to in free]
            other = [pair for (source, to), pair in counts.items() if source in roles[:2] and to not in free]
            offered, lost = (repetitions * sum(pair[n] for pair in own) for n in range(2))
            self.assertEqual((row["offered_frames"], row["lost_frames"]), (offered, lost), row)
            self.assertAlmostEqual(row["loss_percent"], 100 * lost / offered, places=9)
            self.assertAlmostEqual(row["congested_loss_percent"],
                                   100 * sum(pair[1] for pair in other) / sum(pair[0] for pair in other), places=9)
            worst = max(worst, row["loss_percent"])
        self.assertEqual(result["loss_percent"], worst)
        self.assertEqual(result["lost_frames"], sum(row["lost_frames"] for row in rows))
        self.assertEqual(result["head_of_line_blocking"], worst > 0)
        self.assertEqual(result["variation_percent"], {"min": 0, "mean": 0, "max": 0})

    def check(self, draw, switch, ports, everywhere):
        groups, repetitions = ports // 4 if everywhere else 2, 2
        test = (f'test = "rfc8239.head_of_line_blocking"; frame_sizes = [{switch.octets}]; trial_duration = "{DURATION_US}us"; '
                f'repetitions = {repetitions}; groups = "{"all" if everywhere else "two"}"; {WAITS}')
        with self.subTest(ports=ports, dut=switch.plan(), test=test):
            report, _ = self.run_plan(plan_text([test], dut=switch.plan(), library="twin", device=f"ports = {ports};"))
            result = self.only(report, test="rfc8239.head_of_line_blocking")
            self.check_rows(result, switch, ports, groups, everywhere, repetitions)
            return result

    def draw(self, draw, **settings):
        return Switch(draw.choice((128, 257, 509)), draw.choice((19, 37, 61)), latency_ns=draw.randrange(900),
                      gap_octets=12 + draw.choice((0, 3)), **settings)

    def test_a_switch_with_queues_at_its_outputs_does_not_block(self):
        draw = random.Random(SEED)
        for everywhere in (False, True):
            result = self.check(draw, self.draw(draw), draw.choice((8, 9)), everywhere)
            self.assertFalse(result["head_of_line_blocking"])

    def test_a_switch_with_queues_at_its_inputs_blocks_as_the_model_says(self):
        draw = random.Random(SEED + 1)
        for everywhere in (False, True):
            # Two ports that take turns at a congested one leave each half of line rate there: what blocks is a slower output.
            switch = Switch(draw.choice((64, 131)), draw.choice((5, 7, 11)), latency_ns=draw.randrange(900), gap_octets=47, blocking=True)
            self.assertTrue(self.check(draw, switch, 8, everywhere)["head_of_line_blocking"])
            self.check(draw, self.draw(draw, blocking=True), 8, everywhere)

    def test_what_a_shared_buffer_loses_is_what_the_model_says(self):
        draw = random.Random(SEED + 2)
        for _ in range(ROUNDS):
            self.check(draw, self.draw(draw, shared=True, alpha=draw.choice((None, Fraction(1, 2), Fraction(1))),
                                       cell_octets=draw.choice((None, 200))), draw.choice((8, 10)), draw.random() < 0.5)


    def test_a_trial_too_short_to_congest_a_port_is_flagged(self):
        text = plan_text([f'test = "rfc8239.head_of_line_blocking"; frame_sizes = [1518]; trial_duration = "5us"; repetitions = 1; {WAITS}'],
                         dut='model = "switch"; buffer_frames = 1000;', library="twin", device="ports = 8;")
        report, _ = self.run_plan(text)
        result = self.only(report, test="rfc8239.head_of_line_blocking")
        self.assertFalse(result["head_of_line_blocking"])
        self.assertIn("no frame for a congested port was lost in 16 of 16", " ".join(result["flags"]))


class Plans(SystemCase):
    def refused(self, test, wanted, ports=8):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], library="twin", device=f"ports = {ports};")))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, wanted)

    def test_fewer_than_eight_ports_are_refused_with_the_clause_and_what_is_possible(self):
        self.refused('test = "rfc8239.head_of_line_blocking";',
                     r"plan.cfg:\d+: .*7 ports.*needs 8, in two groups of four \(RFC 8239 section 5.2\).*rfc2889.congestion_control", 7)

    def test_modifiers_are_refused(self):
        self.refused('test = "rfc8239.head_of_line_blocking"; modifiers = ["broadcast"];', "RFC 8239 section 5.2")


if __name__ == "__main__":
    main()
