#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latency with the tagged frame to a new destination network (RFC 2544 section 26.2), through a router with a route cache, which takes
a known time longer for the first frame to a destination."""

import fractions
import random
import subprocess

from fpgauge_system import LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text

OT_PER_NS = LINK_BPS / 8e9
WAITS = 'settle = "20us"; drain = "50us";'
BOTH = 'tagged_destination = "same and new network";'
ADDRESSES = {"ipv4_udp": "0 198.18.1.1/24, 1 198.19.1.1/24", "ipv6_udp": "0 2001:2:0:1::1/64, 1 2001:2:0:8001::1/64"}
NETWORKS = {"ipv4_udp": "198.18.128.0/20 198.18.1.10, 198.19.128.0/20 198.19.1.10",
            "ipv6_udp": "2001:2:0:4000::/56 2001:2:0:1::a, 2001:2:0:c000::/56 2001:2:0:8001::a"}


def up(value):
    return -(-value // 8) * 8


def octet_times(ns):
    return -(-ns * LINK_BPS // 8_000_000_000)


def router(frame="ipv4_udp", networks=True, latency_ns=800, lookup_ns=0, more=""):
    routes = f'networks = "{NETWORKS[frame]}";' if networks else ""
    return (f'model = "router"; addresses = "{ADDRESSES[frame]}"; {routes} latency_ns = {latency_ns}; first_lookup_ns = {lookup_ns}; '
            f'ask_every = "20us"; rip_networks = 16; {more}')


def latency(octets=64, load_percent=13, duration_ns=50_000, tag_ns=20_000, repetitions=3, frame="ipv4_udp", more=BOTH, traffic=""):
    return (f'test = "latency"; frame_sizes = [{octets}]; load = "{load_percent}%"; repetitions = {repetitions}; '
            f'trial_duration = "{duration_ns}ns"; tag_after = "{tag_ns}ns"; {WAITS} {more} '
            f'traffic = {{ routed = true; frame = "{frame}"; {traffic} }};')


def tagged_ot(octets, load_percent, duration_ns, tag_ns, latency_ns, lookup_ns):
    """Latency of the tagged frame, in octet times, if the router takes lookup_ns longer for it: others pass it meanwhile, and
    frames leave in the order in which they are decided on (docs/dut-models.md)."""
    period_ot = fractions.Fraction(100 * (octets + 20), load_percent)
    frames, number, tagged = [], 0, None
    while (start := int(number * period_ot) // 8 * 8) < octet_times(duration_ns):
        ready = start + 8 + octets + octet_times(latency_ns)
        if tagged is None and start >= octet_times(tag_ns):
            tagged = number
            ready += octet_times(lookup_ns)
        frames.append((ready, number != tagged, number, start))
        number += 1
    free = 0
    for ready, _, number, start in sorted(frames):
        out = max(up(ready), free // 8 * 8)
        free = max(out, free) + octets + 20
        if number == tagged:
            return out - start
    raise AssertionError("no frame begins after the tag")


class NewNetwork(SystemCase):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(f"{SEED} {self.id()}")

    def check(self, library):
        draw = self.draw
        frame, direction = draw.choice(tuple(ADDRESSES)), draw.choice(("unidirectional", "bidirectional"))
        octets, load_percent = draw.choice((97, 128, 131, 509, 1021, 1518)), draw.choice((5, 13, 33, 47))
        duration_ns = draw.randrange(30_000, 60_000)
        tag_ns, latency_ns = draw.randrange(14_000, 16_000), draw.randrange(100, 3000)
        # The very first frame is the first to its destination, too. It counts as late if 64 others pass it.
        lookup_ns = draw.randrange(1, min(7000, int(6000 * (octets + 20) / load_percent / OT_PER_NS)))
        repetitions = draw.randrange(1, 5)
        words = {"octets": octets, "load_percent": load_percent, "duration_ns": duration_ns, "tag_ns": tag_ns}
        with self.subTest(library=library, frame=frame, direction=direction, lookup_ns=lookup_ns, latency_ns=latency_ns, **words):
            report, _ = self.run_plan(plan_text(
                [latency(**words, repetitions=repetitions, frame=frame, more=f'{BOTH} direction = "{direction}";')],
                dut=router(frame, latency_ns=latency_ns, lookup_ns=lookup_ns), library=library))
            result = self.only(report, test="latency")
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual(result["flags"], [])
            self.assertEqual(result["repetitions"], repetitions)
            ports = 2 if direction == "bidirectional" else 1
            for key, tags, lookup in (("tagged", "tags", 0), ("new_network", "new_network_tags", lookup_ns)):
                true_ns = tagged_ot(**words, latency_ns=latency_ns, lookup_ns=lookup) / OT_PER_NS
                self.assertEqual([(row["repetition"], row["source_port"]) for row in result[tags]],
                                 [(i + 1, port) for i in range(repetitions) for port in range(ports)])
                for row in result[tags]:
                    self.assertAlmostEqual(row["latency_ns"], true_ns, delta=1e-6, msg=key)
                self.assertEqual(len(result[f"{key}_latency_ns"]), repetitions)
                self.assertAlmostEqual(result[f"{key}_latency_mean_ns"], true_ns, delta=1e-6, msg=key)
            self.assertEqual(result["counters"]["lost_frames"], 0)
            self.assertEqual(result["counters"]["trials"], 2 * repetitions)

    def test_each_tagged_frame_to_a_new_network_takes_as_much_longer_as_the_first_to_a_destination_does(self):
        for _ in range(30 if LONG else 8):
            self.check("twin")
        for _ in range(6 if LONG else 2):
            self.check("rtl")

    def test_every_such_frame_goes_to_a_network_of_its_own(self):
        repetitions = self.draw.randrange(3, 6)
        self.run_plan(plan_text([latency(repetitions=repetitions)], dut=router(), device='capture = "line.pcapng";', library="rtl"))
        done = subprocess.run(["tshark", "-n", "-r", self.path("line.pcapng"), "-T", "fields", "-e", "frame.interface_name",
                               "-e", "ip.src", "-e", "ip.dst", "-Y", "udp"], capture_output=True, text=True, timeout=300, check=True)
        for port, end in enumerate(("tx", "rx")):  # port 0 sent to networks behind port 1, and the other way round
            networks = [tuple(map(int, line.split("\t")[2].split("."))) for line in done.stdout.splitlines()
                        if line.startswith(f"port0-{end}") and not line.split("\t")[2].endswith(".1.2")]
            self.assertEqual(len(networks), repetitions)
            self.assertEqual(len({(third, fourth >> 4) for _, _, third, fourth in networks}), repetitions)
            for first, second, third, fourth in networks:
                self.assertEqual((first, second, third >> 4, fourth & 15), (198, 19 - port, 8, 2))

    def test_updates_and_queries_do_not_take_its_place(self):
        for library in ("twin", "rtl"):
            interval_ns = self.draw.randrange(1_000_000, 1_300_000)
            tag_ns = interval_ns + self.draw.choice((-3, 0, 1, 700))
            report, _ = self.run_plan(plan_text(
                [latency(load_percent=1, duration_ns=3_500_000, tag_ns=tag_ns, repetitions=2,
                         more=f'{BOTH} modifiers = ["routing", "management"];',
                         traffic=f'routing_interval = "{interval_ns}ns"; routing_wait = "20us";')],
                dut=router(lookup_ns=5000, more='community = "public";'), library=library))
            result = self.only(report, test="latency")
            self.assertTrue(result["valid"], result["why_invalid"])
            self.assertEqual(result["flags"], [])
            self.assertGreater(result["new_network_latency_mean_ns"], result["tagged_latency_mean_ns"] + 4000)

    def test_a_router_without_the_routes_loses_those_frames_and_no_other(self):
        report, done = self.run_plan(plan_text([latency()], dut=router(networks=False), library="twin"))
        result = self.only(report, test="latency")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["new_network_latency_ns"], [None] * 3)
        self.assertIsNone(result["new_network_latency_mean_ns"])
        self.assertEqual(result["counters"]["lost_frames"], 0)
        self.assertEqual(len(result["flags"]), 1)
        self.assertIn("in 3 of 3 streams no tagged frame to a new network came back", result["flags"][0], done.stdout)

    def test_without_the_key_nothing_is_said_of_new_networks(self):
        report, done = self.run_plan(plan_text([latency(more="")], dut=router(lookup_ns=400), library="twin"))
        self.assertFalse([key for key in self.only(report, test="latency") if key.startswith("new_network")])
        self.assertNotIn("ew network", done.stdout)

    def test_a_plan_for_which_no_network_is_new_is_refused(self):
        for more, routed, why in (("", "", "traffic.routed must be true"),
                                   ('modifiers = ["random_destinations"];', "routed = true;", "cannot be used with modifier random_destinations"),
                                   ('modifiers = ["filters_1"]; filters_command = ["true"];', "routed = true;", "cannot be used with modifiers filters_1 and filters_25")):
            plan = latency(more=BOTH + more).replace("routed = true;", routed)
            done = self.fpgauge("run", self.write("plan.cfg", plan_text([plan], dut=router(), library="twin")))
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
            self.assertIn(why, done.stderr)
            self.assertIn('plan.cfg:5: tagged_destination = "same and new network": ', done.stderr)


if __name__ == "__main__":
    main()
