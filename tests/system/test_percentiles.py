#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Percentiles of latency against devices whose latency is known frame by frame: within 3% from a fifth of a microsecond to a fifth
of a second, with latencies far apart in one trial too."""

import random

from fpgauge_system import LINK_BPS, SEED, SystemCase, main, plan_text

OT_PER_NS = LINK_BPS / 8e9
SHARES = (("latency_p50_ns", 500), ("latency_p90_ns", 900), ("latency_p99_ns", 990), ("latency_p99_9_ns", 999))
GROUP = 8


def up(value):
    return -(-value // GROUP) * GROUP


class Device:
    """A wire, then a store-and-forward stage that delays every Nth frame and keeps the order (docs/dut-models.md). Its frames leave
    12 octets apart on average: deficit idle count."""

    def __init__(self, frame_octets, latency_ns, delay_ns, every):
        self.octets, self.latency_ns, self.delay_ns, self.every = frame_octets, latency_ns, delay_ns, every
        self.wire_ot = up(-(-latency_ns * LINK_BPS // 8_000_000_000))
        self.delay_ot = -(-delay_ns * LINK_BPS // 8_000_000_000)

    def text(self):
        return (f'model = "wire, faults"; latency_ns = {self.latency_ns}; delay_every = {self.every}; '
                f"delay_ns = {self.delay_ns};")

    def latencies_ns(self, frames, period_ot):
        """Of each frame of the first trial of one direction, in order of size."""
        found, free = [], 0
        for number in range(frames):
            start = int(number * period_ot) // GROUP * GROUP
            ready = start + self.wire_ot + 8 + self.octets + (self.delay_ot if (number + 1) % self.every == 0 else 0)
            out = max(up(ready), free // GROUP * GROUP)
            free = max(out, free) + self.octets + 20
            found.append((out - start) / OT_PER_NS)
        return sorted(found)


class Percentiles(SystemCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.random = random.Random(SEED)

    def draw(self, low, high):
        """A whole number, as likely in any octave."""
        return round(low * (high / low) ** self.random.random())

    def check(self, library, device, frames, load_percent):
        period_ot = (device.octets + 20) * 100 / load_percent
        duration_ns = round(frames * period_ot / OT_PER_NS)
        goal = f'final_trial_duration = "{duration_ns}ns"; initial_trial_duration = "{duration_ns}ns";'
        text = plan_text([f'test = "throughput"; search = "mlrsearch"; frame_sizes = [{device.octets}]; max_load = "{load_percent}%"; '
                          f'min_load = "{load_percent / 2}%"; goals = ( {{ {goal} }} ); settle = "1us"; drain = "1s";'],
                         device.text(), library=library)
        report, _ = self.run_plan(text)
        result = report["results"][0]
        self.assertEqual((result["trials"], result["counters"]["lost_frames"]), (1, 0), result)
        offered = result["counters"]["offered_frames"] // 2
        self.assertAlmostEqual(offered, frames, delta=2)
        truth = device.latencies_ns(offered, period_ot)
        print(f"{library}: {device.octets} octets, {offered} frames, {load_percent}%; {device.latency_ns} ns, every {device.every} "
              f"+{device.delay_ns} ns:", end="", flush=True)
        for key, per_mille in SHARES:
            true_ns = truth[-(-offered * per_mille // 1000) - 1]
            print(f" {key[8:-3]} {true_ns:.0f} {100 * (result[key] / true_ns - 1):+.2f}%", end="", flush=True)
            self.assertLessEqual(abs(result[key] - true_ns), 0.03 * true_ns, f"{key}: {text}")
        print(flush=True)
        self.assertLessEqual(abs(result["latency_max_ns"] - truth[-1]), 2)
        bins = result["latency_histogram"]
        self.assertEqual(sum(entry["frames"] for entry in bins), 2 * offered)
        # Bins as of one port: no latency of the device is outside of the bins that have frames.
        for true_ns in (truth[0], truth[offered // 2], truth[-1]):
            self.assertTrue(any(entry["from_ns"] - 2 <= true_ns < entry["to_ns"] + 2 for entry in bins), (true_ns, bins))

    def drawn(self, longest_ns):
        """Latency and delay from 200 ns on; half of the devices delay so often that the frames behind pile up."""
        return Device(self.random.randrange(64, 1519), self.draw(200, longest_ns), self.draw(200, longest_ns),
                      self.draw(2, 2000))

    def test_percentiles_of_known_latencies_are_right_on_the_twin(self):
        for latency_ns in (12_300, 370_000, 2_900_000):
            for delay_ns in (latency_ns // 20, latency_ns, 40 * latency_ns):
                for every in (3, 60, 700):
                    self.check("twin", Device(128, latency_ns, min(delay_ns, 100_000_000), every), 20_000, 10)

    def test_percentiles_of_drawn_latencies_are_right_on_the_twin(self):
        for _ in range(25):
            self.check("twin", self.drawn(100_000_000), 20_000, self.random.choice((0.01, 1, 50)))

    def test_percentiles_of_drawn_latencies_are_right_on_the_simulated_logic(self):
        self.check("rtl", Device(128, 12_300, 25_000, 70), 1500, 2)
        for _ in range(2):
            self.check("rtl", self.drawn(300_000), 1500, self.random.choice((1, 20)))


if __name__ == "__main__":
    main()
