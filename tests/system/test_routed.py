#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traffic through a router (traffic.routed): its addresses are asked for, it asks for hosts and is answered, and what the benchmarks find
is what the router can do."""

import random

from fifo_truth import max_theoretical_fps
from fpgauge_system import INVALID, LINK_BPS, SEED, SystemCase, main, plan_text

FORWARDING_FPS, BUFFER_FRAMES, TRIAL_S = 40e6, 60, 100e-6
RESOLUTION = 0.005
IPV4 = "0 198.18.1.1/24, 1 198.19.1.1/24"
EXTENDED = ("ipv6_hop_by_hop", "ipv6_destination_options", "ipv6_routing", "ipv6_fragment", "ipv6_authentication", "ipv6_chain")
IPV6 = "0 2001:2:0:1::1/64, 1 2001:2:0:8001::1/64"


def router(addresses):
    return (f'model = "router"; addresses = "{addresses}"; latency_ns = 800; buffer_frames = {BUFFER_FRAMES}; '
            f"forwarding_fps = {FORWARDING_FPS:.0f}; ask_every = \"20us\";")


def traffic(frame, addresses, direction="bidirectional"):
    return f'direction = "{direction}"; traffic = {{ routed = true; frame = "{frame}"; addresses = {addresses}; }};'


def throughput(octets, traffic_text):
    return (f'test = "throughput"; frame_sizes = [{octets}]; search = "binary"; trial_duration = "100us"; settle = "20us"; '
            f'drain = "50us"; resolution = "{RESOLUTION:.1%}"; {traffic_text}')


class Routed(SystemCase):
    def expect_throughput(self, result, octets):
        self.assertTrue(result["valid"], result["why_invalid"])
        resolution_fps = RESOLUTION * float(max_theoretical_fps(octets, LINK_BPS))
        self.assertGreater(result["throughput_fps"], FORWARDING_FPS - resolution_fps - 1)
        # More may hide in the buffer during a trial.
        self.assertLessEqual(result["throughput_fps"], FORWARDING_FPS + BUFFER_FRAMES / TRIAL_S + resolution_fps)
        self.assertTrue(result["parameters"]["routed"])

    def test_benchmarks_find_what_a_router_forwards(self):
        drawn = random.Random(SEED)
        for frame, addresses in (("ipv4_udp", IPV4), ("ipv6_udp", IPV6), (drawn.choice(EXTENDED), IPV6)):
            octets, hosts = drawn.choice((97, 128, 151)), drawn.randrange(1, 30)
            octets = 151 if frame in EXTENDED else octets
            with self.subTest(frame=frame, octets=octets, hosts=hosts):
                words = traffic(frame, hosts)
                report, done = self.run_plan(plan_text(
                    [throughput(octets, words),
                     f'test = "back_to_back"; frame_sizes = [{octets}]; search = "binary"; repetitions = 2; settle = "20us"; '
                     f'drain = "50us"; {words}',
                     f'test = "mlrsearch"; frame_sizes = [{octets}]; preset = "tst009"; width = "{RESOLUTION:.1%}"; '
                     f'trial_duration = "100us"; settle = "20us"; drain = "50us"; {words}'],
                    dut=router(addresses), library="twin"))
                self.expect_throughput(self.only(report, test="throughput"), octets)
                self.assertIn(", through a router", done.stdout)
                burst = self.only(report, test="back_to_back")
                self.assertTrue(burst["valid"], burst["why_invalid"])
                self.assertLessEqual(abs(burst["average_frames"] - burst["truth"]["longest_burst_frames"]), 1)
                goals = self.only(report, test="mlrsearch")
                self.assertTrue(goals["valid"], goals["why_invalid"])

    def test_the_core_hears_and_answers_as_the_twin_does(self):
        report, _ = self.run_plan(plan_text([throughput(128, traffic("ipv4_udp", 3, "unidirectional"))], dut=router(IPV4)))
        self.expect_throughput(self.only(report, test="throughput"), 128)

    def test_without_a_router_trials_are_invalid_and_say_whom_they_asked(self):
        for frame, dut, why in (("ipv4_udp", 'model = "wire";', "port 0: 198.18.1.1 did not answer 3 ARP requests"),
                                ("ipv6_udp", router("0 2001:2:0:1::1/64, 1 2001:2:0:8001::7/64"),
                                 "port 1: 2001:2:0:8001:0:0:0:1 did not answer 3 neighbour solicitations")):
            report, done = self.run_plan(plan_text([throughput(128, traffic(frame, 2))], dut=dut, library="twin"), expect=INVALID)
            result = self.only(report, test="throughput")
            self.assertFalse(result["valid"])
            self.assertIn(why, result["why_invalid"], done.stderr)


if __name__ == "__main__":
    main()
