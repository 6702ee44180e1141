#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two devices and the uplink between them (RFC 2889 section 5.3), with random settings whose truth is known: how much of an oversubscribed
uplink is passed, which frames are lost at which ports, and what remote traffic takes longer than local traffic."""

import math
import random
from dataclasses import replace
from fractions import Fraction

from fifo_truth import max_theoretical_fps
from fpgauge_system import LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text
from two_switches_truth import TwoSwitches

ROUNDS = 20 if LONG else 4
SIZES = (64, 67, 128, 131, 509, 1021, 1518)
OCTET_TIME_NS = 8e9 / LINK_BPS


def waits(two):
    """A frame that comes after the drain makes a trial INVALID, so the drain is longer than the devices can hold one."""
    return f'drain = "{math.ceil(two.held_octet_times() * OCTET_TIME_NS / 1000) + 10}us"; settle = "10us";'


def draw_two(draw, ports, first=None, **settings):
    return TwoSwitches(ports, first or draw.randrange(1, ports), draw.choice(SIZES), Fraction(draw.randrange(1000, 20001), 10000),
                       latency_ns=draw.randrange(900), local=draw.random() < 0.5, **settings)


def of(ports):
    return f"ports = {ports};"


class Uplink(SystemCase):
    def measure(self, two, library="twin", **keys):
        test = (f'test = "rfc2889.multiple_devices"; frame_sizes = [{two.octets}]; first_device_ports = {two.first}; '
                f'local_traffic = {str(two.local).lower()}; {waits(two)} ' + " ".join(f"{key} = {value};" for key, value in keys.items()))
        report, done = self.run_plan(plan_text([test], dut=two.plan(), library=library,
                                               device="" if library == "rtl4" else of(two.ports)))
        result = self.only(report, test="rfc2889.multiple_devices")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["flood_frames"], 0)
        return result, done.stdout

    def check_rates(self, two, library, duration_us, resolution):
        """By closed form. Two groups of the same size: no output line is offered more than line rate."""
        result, _ = self.measure(two, library, trial_duration=f'"{duration_us}us"', resolution=f'"{float(resolution):.2%}"',
                                 step='"11%"')
        line_fps = float(max_theoretical_fps(two.octets, LINK_BPS))
        frames = line_fps * duration_us / 1e6
        found, true = result["throughput_percent"] / 100, two.throughput()
        hidden = (two.buffer + two.ports) / frames / float(min(two.across(True), two.across(False)))  # frames in the queue of the uplink
        self.assertGreaterEqual(found, float(true - resolution) * (1 - 1e-9))
        self.assertLessEqual(found, min(1, float(true) + hidden) * (1 + 1e-9))
        self.assertEqual(result["loads"][-1]["load_percent"], 100)
        for row in result["loads"]:
            local, remote = map(float, two.forwarded(Fraction(row["load_percent"]) / 100))
            self.assertAlmostEqual(row["received_frames"] / frames, local + remote, delta=(2 * two.buffer + 2 * two.ports) / frames)
            # the time from the first frame to the last, which comes when the queue of the uplink is empty; a port whose last
            # frame comes before that got its share of the queue in less time
            tail = (two.buffer / float(two.uplink) + 30 * two.ports) / frames
            stored = 2 * two.buffer / (frames * (local + remote))
            self.assertAlmostEqual(row["forwarding_rate_fps"] / line_fps / (local + remote), 1, delta=2e-3 + tail + stored)
        return result

    def check_frames(self, two, result):
        """At the maximum offered load, each frame: at which port it was lost, and the latency of those that were not."""
        played = two.play([port["offered_frames"] for port in result["ports"]])
        pairs = {(row["source_port"], row["destination_port"]): row for row in result["matrix"]}
        self.assertEqual(sorted(pairs), sorted((port, peer) for port in range(two.ports) for peer in two.peers(port)))
        for (port, peer), row in pairs.items():
            there = [frame for frame in played if frame[1:3] == (port, peer)]
            arrived = sum(frame[3] is not None for frame in there)
            self.assertEqual((row["offered_frames"], row["received_frames"], row["lost_frames"]),
                             (len(there), arrived, len(there) - arrived), (port, peer))
        for number, port in enumerate(result["ports"]):
            latencies = [frame[3] - frame[0] for frame in played if frame[2] == number and frame[3] is not None]
            if latencies:
                for measured, true in (("latency_min_ns", min(latencies)), ("latency_max_ns", max(latencies))):
                    self.assertAlmostEqual(port[measured], true * OCTET_TIME_NS, delta=1e-3, msg=f"{measured} at port {number}")

    def check(self, two, library="twin", **keys):
        with self.subTest(two=two, library=library):
            result, _ = self.measure(two, library, resolution='"25%"', step='"50%"', **keys)
            self.check_frames(two, result)

    def test_the_throughput_and_each_rate_is_that_of_the_uplink(self):
        draw = random.Random(SEED)
        for ports in (4, 8) * ROUNDS:
            two = draw_two(draw, ports, ports // 2, buffer=draw.randrange(40, 100))
            with self.subTest(two=two):
                self.check_rates(two, "twin", max(1000, int(5e9 / float(max_theoretical_fps(two.octets, LINK_BPS)))), Fraction(1, 200))

    def test_each_frame_is_lost_where_the_model_says_and_takes_as_long(self):
        draw = random.Random(SEED + 1)
        for _ in range(2 * ROUNDS):
            ports = draw.choice((3, 4, 5, 7, 8, 8))
            two = draw_two(draw, ports, buffer=draw.choice((8, 9, 13, 19, 40)), gap_octets=draw.choice((12, 12, 15, 31)))
            self.check(two, trial_duration='"10us"' if two.octets < 200 else '"40us"')

    def test_the_same_on_the_rtl(self):
        draw = random.Random(SEED + 2)
        two = draw_two(draw, 4, buffer=draw.choice((4, 7, 19)))
        self.check(two, "rtl4", trial_duration='"10us"')

    def test_trials_of_30_s_are_exact_to_the_frames_that_the_uplink_holds(self):
        draw = random.Random(SEED + 3)
        two = draw_two(draw, 8, 4, buffer=50)
        with self.subTest(two=two):
            result, _ = self.measure(two, trial_duration='"30s"', search_trial_duration='"1ms"', resolution='"5%"', step='"50%"')
            received = float(sum(two.forwarded(Fraction(1))) * 30 * max_theoretical_fps(two.octets, LINK_BPS))
            self.assertAlmostEqual(result["loads"][-1]["received_frames"], received, delta=2 * two.buffer + 2 * two.ports)

    def test_remote_and_local_traffic_are_shown_apart(self):
        two = TwoSwitches(8, 3, 128, Fraction(1, 2), 20, latency_ns=100, local=True)
        result, shown = self.measure(two, trial_duration='"100us"', resolution='"10%"', step='"50%"')
        remote = [row for row in result["matrix"] if two.at_first(row["source_port"]) != two.at_first(row["destination_port"])]
        local = [row for row in result["matrix"] if row not in remote]
        self.assertEqual(len(remote), 2 * 3 * 5)
        self.assertGreater(sum(row["lost_frames"] for row in remote), 0)
        self.assertEqual(sum(row["lost_frames"] for row in local), 0)
        self.assertEqual([group["traffic"] for group in result["groups"]], ["local", "remote"])
        played = two.play([port["offered_frames"] for port in result["ports"]])
        for group, rows in zip(result["groups"], (local, remote)):
            for key in ("offered_frames", "received_frames", "lost_frames"):
                self.assertEqual(group[key], sum(row[key] for row in rows), group["traffic"])
            self.assertAlmostEqual(group["loss_percent"], 100 * group["lost_frames"] / group["offered_frames"])
            took = [left - start for start, port, to, left in played if left is not None and
                    (two.at_first(port) == two.at_first(to)) == (rows is local)]
            for key, true in (("min", min(took)), ("mean", sum(took) / len(took)), ("max", max(took))):
                self.assertAlmostEqual(group[f"latency_{key}_ns"], true * OCTET_TIME_NS, delta=1e-3)
        self.assertIn("Local and remote traffic, at the maximum offered load", shown)
        alone, _ = self.measure(replace(two, local=False), trial_duration='"20us"', resolution='"50%"', step='"50%"')
        self.assertEqual([group["traffic"] for group in alone["groups"]], ["remote"])

    def test_the_stated_truth_of_a_pair_across_the_uplink_is_what_is_measured(self):
        draw = random.Random(SEED + 4)
        two = replace(draw_two(draw, 2, 1, buffer=draw.randrange(2, 50)), local=False)
        with self.subTest(two=two):
            report, _ = self.run_plan(plan_text(
                [f'test = "throughput"; frame_sizes = [{two.octets}]; trial_duration = "1ms"; {waits(two)} resolution = "0.5%";'],
                dut=two.plan(), library="twin", device=of(2)))
            result, line_fps = self.only(report, test="throughput"), float(max_theoretical_fps(two.octets, LINK_BPS))
            self.assertEqual(result["truth"]["model"], "two_switches")
            self.assertAlmostEqual(result["truth"]["throughput_fps"] / line_fps, float(two.throughput()))
            most = float(two.throughput()) + (two.buffer + 2) / (line_fps * 1e-3)
            self.assertTrue(float(two.throughput()) - 0.005 <= result["throughput_fps"] / line_fps * (1 + 1e-9) and
                            result["throughput_fps"] / line_fps <= min(1, most) * (1 + 1e-9), result["throughput_fps"])
            lone = [left - start for start, port, _, left in two.play([1, 0])]
            self.assertAlmostEqual(result["truth"]["latency_ns"], lone[0] * OCTET_TIME_NS, delta=1e-3)
            self.assertAlmostEqual(result["latency_min_ns"], lone[0] * OCTET_TIME_NS, delta=1e-3)

    def test_each_switch_learns_for_itself_and_floods_over_the_uplink(self):
        """Each has room for its own addresses, which come to it first, and for some of the others, those of the lower ports. A frame to one of
        the rest is flooded to the ports of the switch and over the uplink, behind which the other switch knows where it goes."""
        ports, first, known = 7, 3, 5
        report, _ = self.run_plan(plan_text(
            [f'test = "rfc2889.full_mesh"; frame_sizes = [64]; trial_duration = "100us"; drain = "60us"; settle = "10us"; resolution = "5%"; '
             'intended_load = "10%"; step = "50%";'],
            dut=f'model = "two_switches"; table_addresses = {known}; uplink_bps = "200%"; first_ports = {first};',
            library="twin", device=of(ports)))
        result = self.only(report, frame_octets=64)
        row = [row for row in result["loads"] if abs(row["load_percent"] - 10) < 1e-6][0]
        self.assertEqual(row["lost_frames"], 0)
        there = ports - first
        copies = first * (first + there - known) * (first - 1) + there * (there + first - known) * (there - 1)
        self.assertAlmostEqual(row["flood_frames"] / row["offered_frames"], copies / ports / (ports - 1), delta=5e-3)

    def refused(self, dut, message, ports=4):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text(
            ['test = "rfc2889.multiple_devices";'], library="twin", device=of(ports), dut=f'model = "two_switches"; {dut}')))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, message)

    def test_settings_that_two_switches_cannot_have_are_refused(self):
        self.refused("first_ports = 4;", r"plan.cfg:\d+: dut.first_ports = 4: must be below the number of ports, 4")
        self.refused("first_ports = 0;", r"dut.first_ports = 0: must be 1 to 15")
        self.refused('uplink_bps = "1001%";', r"dut.uplink_bps = 1001%: must be .*1000%")
        self.refused('uplink_bps = "1.001T";', r"dut.uplink_bps = 1.001T: must not be above 1000% of the link")
        self.refused("back_pressure = true;", r'dut.back_pressure = true: not with dut.model = "two_switches"')
        self.refused("head_of_line_blocking = true;", r'dut.head_of_line_blocking = true: not with dut.model = "two_switches"')
        self.refused('forwarding = "cut_through"; latency_ns = 800;', r'dut.forwarding = cut_through: not with dut.model = "two_switches"')
        self.refused("uplink_fps = 5;", r"dut.uplink_fps = 5: no such setting here; did you mean dut.uplink_bps")


if __name__ == "__main__":
    main()
