#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Microbursts of RFC 8239 section 4, on switches with random buffers, private and shared, with and without thresholds, cells and
head-of-line blocking. The longest burst is computed by a model of docs/dut-models.md that plays the frames one by one."""

import random
from fractions import Fraction

from fpgauge_system import DONE, INVALID, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text
from switch_truth import Switch, starts

ROUNDS = 40 if LONG else 3
LIMIT = 300  # max_burst
WAITS = 'drain = "60us"; settle = "10us";'


def longest_burst(switch, senders, receivers, share):
    """Frames of each port before the first loss; LIMIT or more: not known."""
    first = starts(switch.octets, LIMIT, share)
    frames = [(first[n], port, senders + n % receivers) for n in range(LIMIT) for port in range(senders)]
    lost = [i // senders for i, left in enumerate(switch.play(frames)) if left is None]
    return min(lost, default=LIMIT)


class Microburst(SystemCase):
    def measure(self, test, dut, library, device):
        """The only result, valid or not."""
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], dut=dut, library=library, device=device)),
                            "--json", self.path("result.json"))
        self.assertIn(done.returncode, (DONE, INVALID), done.stdout + done.stderr)
        return self.only(self.result("result.json"), test="rfc8239.microburst")

    def draw_switch(self, draw, octets):
        shared, cells = draw.random() < 0.5, draw.choice((None, 80, 128))
        buffer = draw.choice((11, 23, 47, 101)) * (-(-octets // cells) if cells else 1)
        return Switch(octets, buffer, shared, draw.choice((None, Fraction(1, 2), Fraction(1), Fraction(2))) if shared else None,
                      cells, draw.randrange(1500), 12 + draw.choice((0, 0, 5, 17)), draw.random() < 0.3)

    def check_rows(self, result, switch, ports, share, positions):
        rows, shift = result["bursts"], 0
        self.assertEqual([row["senders"] for row in rows], [k for k in range(ports - 1, 1, -1) for _ in range(positions)])
        least = None
        for row in rows:
            senders, receivers = row["senders"], row["receivers"]
            self.assertEqual(senders + receivers, ports)
            self.assertEqual(row["sending_ports"], sorted((port + shift) % ports for port in range(senders)))
            self.assertEqual(row["receiving_ports"], sorted((port + shift) % ports for port in range(senders, ports)))
            # The order of equal ports changes when they move with blocking.
            true = longest_burst(switch, senders, receivers, share) if shift == 0 or not switch.blocking else None
            shift = (shift + 1) % positions
            if true is None:
                continue
            if true >= LIMIT:
                self.assertTrue(row["reached_limit"])
                self.assertIsNone(row["burst_frames"])
                continue
            self.assertEqual((row["burst_per_port_frames"], row["burst_frames"]), (true, true * senders), f"{senders} to {receivers}")
            self.assertEqual((row["min_burst_frames"], row["max_burst_frames"]), (true * senders, true * senders))
            self.assertEqual(row["variation_percent"], {"min": 0, "mean": 0, "max": 0})
            least = true * senders if least is None else min(least, true * senders)
        return least

    def check(self, draw, library="twin", ports=None, octets=None, switch=None):
        ports, octets = ports or draw.choice((3, 5, 8)), octets or draw.choice((64, 67, 131, 512, 1021))
        switch = switch or self.draw_switch(draw, octets)
        share, positions = draw.choice((Fraction(1), Fraction(1), Fraction(3, 4))), draw.choice((1, 1, 2))
        test = (f'test = "rfc8239.microburst"; frame_sizes = [{octets}]; max_burst = "{LIMIT} frames"; repetitions = 2; {WAITS} '
                f'intensity = "{float(share * 100)}%"; positions = {positions};')
        with self.subTest(library=library, ports=ports, dut=switch.plan(), test=test):
            result = self.measure(test, switch.plan(), library, "" if library == "rtl4" else f"ports = {ports};")
            least = self.check_rows(result, switch, ports, share, positions)
            if result["valid"] and positions == 1:
                self.assertEqual(result["burst_frames"], least)
                if least is not None:
                    self.assertEqual(result["burst_octets"], least * octets)
                    self.assertEqual(result["burst_per_port_frames"] * result["senders"], least)

    def test_every_burst_is_the_longest_without_loss_on_the_twin_with_8_ports(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            self.check(draw, ports=8)

    def test_every_burst_is_the_longest_without_loss_on_the_twin_with_other_ports(self):
        draw = random.Random(SEED + 1)
        for _ in range(ROUNDS):
            self.check(draw)

    def test_every_burst_is_the_longest_without_loss_on_the_rtl(self):
        draw = random.Random(SEED + 2)
        self.check(draw, "rtl4", 4, 64, Switch(64, draw.choice((13, 29)), latency_ns=draw.randrange(500)))

    def test_bursts_that_no_device_loses_are_no_answer_where_more_ports_send_than_receive(self):
        test = f'test = "rfc8239.microburst"; frame_sizes = [64]; max_burst = "20 frames"; senders = 3; {WAITS}'
        result = self.measure(test, 'model = "switch"; buffer_frames = 500;', "twin", "ports = 4;")
        self.assertFalse(result["valid"])
        self.assertIn("repeat with a longer max_burst", result["why_invalid"])
        self.assertIsNone(result["burst_frames"])

    def test_more_senders_at_an_intensity_that_congests_no_port_are_no_fault(self):
        """Three ports at half of line rate to two, which can take all of it."""
        test = f'test = "rfc8239.microburst"; frame_sizes = [64]; max_burst = "200 frames"; intensity = "50%"; repetitions = 1; {WAITS}'
        result = self.measure(test, 'model = "switch"; buffer_frames = 29;', "twin", "ports = 5;")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual([row["reached_limit"] for row in result["bursts"]], [False, True, True])
        self.assertEqual(result["senders"], 4)


class Plans(SystemCase):
    def refused(self, test, wanted, ports=4):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], library="twin", device=f"ports = {ports};")))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, wanted)

    def test_numbers_of_ports_that_cannot_be_had_are_refused(self):
        self.refused('test = "rfc8239.microburst";', "needs 3 ports", 2)
        self.refused('test = "rfc8239.microburst"; senders = 4;',
                     r"senders = 4: must be below the number of ports, 4.*2 to 3 are possible \(RFC 8239 section 4.2\)")
        self.refused('test = "rfc8239.microburst"; senders = 1;', r"must be 0 or at least 2.*\(RFC 8239 section 4.2\)")
        self.refused('test = "rfc8239.microburst"; traffic = { sizes = "imix"; };', "RFC 8239 section 4.3")
        self.refused('test = "rfc8239.microburst"; modifiers = ["broadcast"];', "RFC 8239 section 4.2")


if __name__ == "__main__":
    main()
