#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The update before each trial with the modifier "routing" (RFC 2544 sections 13, 23 a), against a simulated router of which it is known
whether it hears RIP: what is announced and when, where the stream goes, and what is said of a router that does not hear it."""

import random
import re
import subprocess

from fpgauge_system import INVALID, SEED, WRONG_PLAN, SystemCase, main, plan_text

WAITS = 'settle = "20us"; drain = "50us";'


def router(rip_networks, ports=2, more=""):
    addresses = ", ".join(f"{port} 198.{18 + port % 2}.{1 + port // 2}.1/24" for port in range(ports))
    return (f'model = "router"; addresses = "{addresses}"; latency_ns = 800; ask_every = "20us"; rip_networks = {rip_networks}; '
            f"{more}")


def throughput(octets=128, wait="20us", more="", traffic="", duration="40us", modifiers='["routing"]'):
    return (f'test = "throughput"; frame_sizes = [{octets}]; search = "binary"; resolution = "1%"; trial_duration = "{duration}"; {WAITS} '
            f'modifiers = {modifiers}; {more} traffic = {{ routed = true; routing_wait = "{wait}"; {traffic} }};')


class Updates(SystemCase):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(f"{SEED} {self.id()}")

    def test_a_router_that_hears_the_updates_forwards_all_and_one_that_does_not_is_no_loss(self):
        """A learned network for each receiving port is needed, and no room for more: A and B come later."""
        for library, ports in (("twin", 2), ("twin", 4), ("rtl", 2)):
            direction, octets = self.draw.choice(("unidirectional", "bidirectional")), self.draw.randrange(67, 1519)
            hosts = self.draw.randrange(1, 7)
            receivers = ports if direction == "bidirectional" else ports // 2
            test = throughput(octets, more=f'direction = "{direction}";', traffic=f"addresses = {hosts};")
            device = "ports = 4;" if ports == 4 else ""
            with self.subTest(library=library, ports=ports, direction=direction, octets=octets, hosts=hosts):
                report, done = self.run_plan(plan_text([test], dut=router(receivers, ports), library=library, device=device))
                result = self.only(report, test="throughput")
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual((result["throughput_percent"], result["flags"]), (100, []))
                self.assertEqual(result["parameters"]["routing_wait_s"], 20e-6)
                self.assertIn("test frames went to networks of which only an update before each trial told", done.stdout)
                for room in (0, receivers - 1):
                    report, _ = self.run_plan(plan_text([test], dut=router(room, ports), library=library, device=device), expect=INVALID)
                    result = self.only(report, test="throughput")
                    self.assertFalse(result["valid"])
                    self.assertIsNone(result["throughput_fps"])
                    self.assertIn("routing updates not in force: none of ", result["why_invalid"])
                    self.assertIn("65.0" if ports == 2 else ".0, of which", result["why_invalid"])

    def test_before_each_trial_each_receiving_port_tells_of_its_network_and_the_plans_time_passes(self):
        wait_us, trials = self.draw.randrange(7, 90), self.draw.randrange(2, 4)
        self.run_plan(plan_text([
            f'test = "latency"; frame_sizes = [131]; load = "11%"; repetitions = {trials}; trial_duration = "30us"; {WAITS} '
            f'direction = "unidirectional"; modifiers = ["routing"]; traffic = {{ routed = true; routing_wait = "{wait_us}us"; }};'],
            dut=router(20), device='capture = "line.pcapng";', library="rtl"))
        done = subprocess.run(["tshark", "-n", "-r", self.path("line.pcapng"), "-T", "fields", "-E", "separator=|", "-E",
                               "occurrence=a", "-e", "frame.interface_name", "-e", "frame.time_epoch", "-e", "eth.dst", "-e", "ip.src",
                               "-e", "ip.dst", "-e", "rip.ip", "-e", "rip.metric", "-e", "rip.version", "-Y", "ip"],
                              capture_output=True, text=True, timeout=300, check=True)
        told, first = [], []
        for line in done.stdout.splitlines():
            interface, time, mac, source, destination, networks, metrics, version = line.split("|")
            seconds, fraction = time.split(".")
            time_ns = int(seconds) * 10**9 + int(fraction[:9].ljust(9, "0"))
            if interface == "port1-tx":
                self.assertEqual((mac, source, destination, networks, metrics, version),
                                 ("ff:ff:ff:ff:ff:ff", "198.19.1.2", "198.19.1.255", "198.19.65.0", "7", "1"))
                told.append(time_ns)
            elif interface == "port0-tx" and not networks:
                self.assertEqual((source, destination), ("198.18.1.2", "198.19.65.2"))
                if len(first) < len(told):
                    first.append(time_ns)
        self.assertEqual((len(told), len(first)), (trials, trials))
        for update_ns, stream_ns in zip(told, first):
            self.assertGreaterEqual(stream_ns - update_ns, wait_us * 1000)
            self.assertLess(stream_ns - update_ns, wait_us * 1000 + 20000, "the two programs of the tester take microseconds")

    def test_with_random_destinations_or_filters_nothing_is_verified_and_a_flag_says_so(self):
        networks = 'networks = "198.18.128.0/20 198.18.1.10, 198.19.128.0/20 198.19.1.10";'
        report, done = self.run_plan(plan_text([throughput(modifiers='["routing", "random_destinations"]')], dut=router(0, more=networks),
                                               library="twin"))
        result = self.only(report, test="throughput")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(len(result["flags"]), 1)
        self.assertIn("whether the device processed routing updates was not verified", result["flags"][0])
        self.assertNotIn("routing_wait_s", result["parameters"])
        self.assertIn("was not verified", done.stdout)

    def test_check_counts_the_wait_before_each_trial(self):
        wait_s, seconds = self.draw.randrange(3, 50), []
        for modifiers in ('["broadcast"]', '["routing"]', '["routing", "random_destinations"]'):
            done = self.fpgauge("check", self.write("plan.cfg", plan_text([
                f'test = "latency"; frame_sizes = [128]; load = "10%"; trial_duration = "60s"; repetitions = 7; modifiers = {modifiers}; '
                f'settle = "1s"; traffic = {{ routed = true; routing_wait = "{wait_s}s"; }};'], dut=router(20), library="twin")))
            self.assertEqual(done.returncode, 0, done.stderr)
            hours, minutes, rest = re.search(r"at least (?:(\d+):)?(\d+):(\d+) ", done.stdout).groups()
            seconds.append(3600 * int(hours or 0) + 60 * int(minutes) + int(rest))
        self.assertEqual([later - seconds[0] for later in seconds], [0, 7 * wait_s, 0])

    def test_a_trial_longer_than_a_router_keeps_what_it_was_told_is_refused(self):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([
            f'test = "latency"; frame_sizes = [128]; load = "2"; trial_duration = "179s"; tag_after = "1s"; repetitions = 1; {WAITS} '
            'modifiers = ["routing"]; traffic = { routed = true; };'], dut=router(20), library="twin")))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
        self.assertIn("plan.cfg:5: modifier routing: trials of 179 s after traffic.routing_wait of 2 s: together at most 180 s", done.stderr)


if __name__ == "__main__":
    main()
