#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""RFC 2889 on a bridge of Linux between four ports of the simulated logic, in real time at 10 Mb/s: what is measured is held against what
the kernel was told and what it counts itself. A trial that the machine has disturbed is repeated, by the program and here: it says
nothing of Linux."""

import os
import random
import re
import signal
import sys

from fpgauge_system import FPGAUGE, INVALID, ROOT, SEED, main, wait_until
from lab import LabCase, tap_plan

PORTS = 4
WAITS = 'drain = "40ms"; settle = "5ms";'
SEARCH = 'resolution = "10%"; step = "100%"; intended_load = "100%";'
DISTURBED = ("fell behind real time", "Linux did not take a frame", "because the tester was late")
ATTEMPTS = 12

# Frames that a switch sends of its own. Seldom enough that the tester can read it while a trial runs: at 10 Mb/s a frame takes
# it 10 ms or more.
TALK = """
import socket, time
lldp = bytes.fromhex("0180c200000e 020000000001 88cc 0207040200000000010404054e31060200780000").ljust(60, b"\\0")
ports = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW) for _ in range(4)]
asks = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
for number, port in enumerate(ports):
    port.bind((f"fpg{number}", 0))
number = 0
while True:
    for port in ports:
        port.send(lldp)
    number += 1
    asks.sendto(b"", (f"2001:db8::{number % 60000 + 4096:x}", 9))
    time.sleep(1)
"""

# Makes the bridge forget in mid-trial.
FLUSH = """
count=/sys/class/net/fpg0/statistics/rx_packets
until=$(($(cat $count) + 200))
while [ $(cat $count) -lt $until ]; do sleep 0.01; done
exec ip link set dev fpgbr type bridge fdb_flush
"""


class LinuxSwitch(LabCase):
    def setUp(self):
        super().setUp()
        self.drawn = random.Random(SEED)
        self.up("--ports", str(PORTS))

    def in_lab(self, *command):
        done = self.lab_linux("exec", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def set_bridge(self, settings):
        self.in_lab("ip", "link", "set", "dev", "fpgbr", "type", "bridge", *settings.split())

    def bound_addresses(self, addresses):
        """The bound that the kernel has then, or None."""
        return int(self.in_lab(sys.executable, os.path.join(ROOT, "tests", "system", "bridge_link.py"), "fpgbr", str(addresses)) or 0) or None

    def plan(self, *tests):
        return self.write("plan.cfg", tap_plan([f"{test} {WAITS}" for test in tests], device=f'library = "rtl"; ports = {PORTS};',
                                               dut='tap = "fpg0,fpg1,fpg2,fpg3";'))

    def run_undisturbed(self, *tests, begin=lambda: None, ageing_s=float("inf")):
        """The results, run again as long as the machine disturbs it so often that the program gives up. begin: before each run. ageing_s: of
        the bridge, which by then has forgotten an address rightly."""
        plan = self.plan(*tests)
        for _ in range(ATTEMPTS):
            begin()
            done = self.fpgauge("run", plan, "--json", self.path("result.json"))
            self.assertIn(done.returncode, (0, INVALID), done.stdout + done.stderr)
            results = self.result("result.json")["results"]
            if done.returncode == 0:
                return results
            for result in results:
                if not result["valid"]:
                    asked = re.search(r"was not known (\S+) s after its frame", result["why_invalid"])
                    self.assertTrue(asked and float(asked[1]) > ageing_s or any(why in result["why_invalid"] for why in DISTURBED),
                                    result["why_invalid"])
        self.skipTest(f"this machine has disturbed {ATTEMPTS} runs in a row, so nothing can be said of Linux: {done.stdout}")

    def expect_only(self, counters, **wanted):
        """Those, and nothing else that could be counted."""
        self.assertEqual({key: count for key, count in counters.items() if count and not key.startswith("foreign_")}, wanted)

    # -- forwarding ------------------------------------------------------------------------------------------------------------------

    def test_a_full_mesh_has_the_throughput_of_the_link_and_broadcasts_reach_all_others(self):
        sizes = [self.drawn.randrange(64, 1519) for _ in range(2)]
        with self.subTest(sizes=sizes):
            mesh, broadcast, latency = self.run_undisturbed(
                f'test = "rfc2889.full_mesh"; frame_sizes = [{sizes[0]}]; trial_duration = "300ms"; {SEARCH}',
                f'test = "rfc2889.broadcast_forwarding"; frame_sizes = [{sizes[1]}]; trial_duration = "300ms"; {SEARCH}',
                f'test = "rfc2889.broadcast_latency"; frame_sizes = [{sizes[1]}]; repetitions = 5;')
            self.check_mesh(mesh)
            offered = broadcast["counters"]["offered_frames"]
            self.assertEqual(f"{broadcast['throughput_percent']:.3f}", "100.000")
            self.expect_only(broadcast["counters"], trials=1, offered_frames=offered, received_frames=3 * offered)
            self.assertEqual([(row["port"], row["received_frames"], row["lost_frames"]) for row in broadcast["receivers"]],
                             [(port, offered, 0) for port in (1, 2, 3)])
            self.expect_only(latency["counters"], trials=5, offered_frames=5, received_frames=15)
            for row in latency["receivers"]:
                self.assertGreaterEqual(row["latency_min_ns"], latency["frame_time_ns"], "a TAP stores and forwards")

    def check_mesh(self, result):
        self.assertEqual(f"{result['throughput_percent']:.3f}", "100.000", result["flags"])
        offered = result["counters"]["offered_frames"]
        self.assertGreater(offered, 0)
        self.expect_only(result["counters"], trials=1, offered_frames=offered, received_frames=offered)
        self.assertEqual(len(result["ports"]), PORTS)
        for port in result["ports"]:
            self.assertEqual((port["wrong_port_frames"], port["lost_frames"]), (0, 0))

    def test_frames_to_addresses_that_were_flushed_are_seen_as_flooded_and_linux_has_sent_as_many(self):
        """Only port 0 sends, so nothing teaches the bridge again."""
        frame_octets = self.drawn.randrange(100, 1519)
        with self.subTest(frame_octets=frame_octets):
            for flushed in (False, True):
                wait_until(lambda: self.flood(frame_octets, flushed), "a trial that is not disturbed")  # pylint: disable=cell-var-from-loop

    def flood(self, frame_octets, flushed):
        """False if the machine has disturbed a trial: Linux has counted that one, too."""
        before = []

        def begin():
            before[:] = self.transmitted()
            if flushed:
                self.start("sh", "-c", FLUSH)

        result, = self.run_undisturbed(
            f'test = "throughput"; frame_sizes = [{frame_octets}]; trial_duration = "700ms"; direction = "unidirectional"; '
            'traffic = { pattern = "one_to_many"; };', begin=begin)
        counters = result["counters"]
        if result["invalid_trials"]:
            return False
        self.assertEqual((counters["lost_frames"], counters["received_frames"]), (0, counters["offered_frames"]))
        for port, was, now in zip(result["ports"], before, self.transmitted()):
            # Each other receiver has sent one learning frame before the trial, which all get.
            learning = 3 if port["port"] == 0 else 2
            self.assertEqual(now - was, port["received_frames"] + port["wrong_port_frames"] + learning, port)
            self.assertEqual(port["wrong_port_frames"] > 0, flushed and port["port"] != 0, port)
        return True

    def transmitted(self):
        """Frames that Linux has sent to each port."""
        return [self.counted(f"fpg{port}", "tx_packets") for port in range(PORTS)]

    # -- addresses -------------------------------------------------------------------------------------------------------------------

    def test_the_ageing_time_is_what_the_bridge_was_told_within_a_second(self):
        told_s = self.drawn.randrange(201, 350) / 100  # ageing_time is in hundredths of a second
        self.set_bridge(f"ageing_time {round(100 * told_s)}")
        with self.subTest(told_s=told_s):
            result, = self.run_undisturbed('test = "rfc2889.address_caching"; ageing = "2s"; learning_rate = 500; test_rate = 500; '
                                           'initial_addresses = 16; max_addresses = 16; address_order = "scattered"; '
                                           f'traffic = {{ seed = {self.drawn.randrange(1, 2**31)}; }};',
                                           ageing_s=told_s)
            self.assertLess(abs(result["ageing_s"] - told_s), 1, result)
            self.assertLessEqual(result["ageing_above_s"], result["ageing_s"])
            self.assertEqual(result["addresses"], 17, "all that were offered, and that of the test port")

    def test_the_capacity_is_the_bound_that_the_kernel_was_told(self):
        """A kernel that has no such bound learns all that are offered."""
        drawn = self.drawn.randrange(20, 60)
        bound = self.bound_addresses(drawn)
        print(f"SEED={SEED}: " + (f"fdb_max_learned {bound}" if bound else "a kernel without fdb_max_learned, before Linux 6.7"), flush=True)
        self.assertIn(bound, (None, drawn))
        self.set_bridge("ageing_time 280")  # the pauses are longer, so Linux has certainly forgotten all
        with self.subTest(bound=bound):
            result, = self.run_undisturbed('test = "rfc2889.address_caching"; ageing = "3s"; measure_ageing = false; learning_rate = 500; '
                                           f'test_rate = 500; initial_addresses = {drawn - 1}; max_addresses = {drawn};')
            self.assertEqual(result["addresses"], bound or drawn + 1, result["iterations"])
            self.assertEqual([(row["addresses"], row["received_frames"], row["mport_flood_frames"]) for row in result["iterations"]],
                             [(drawn - 1, drawn - 1, 0), (drawn, drawn, 1 if bound else 0)])

    def test_a_tester_that_was_stopped_does_not_blame_the_bridge_for_what_it_has_forgotten(self):
        self.set_bridge("ageing_time 200")
        plan = self.plan('test = "rfc2889.address_caching"; ageing = "2s"; measure_ageing = false; learning_rate = 500; test_rate = 500; '
                         'initial_addresses = 64; max_addresses = 64;')
        run = self.start(FPGAUGE, "run", plan, "--json", self.path("result.json"))
        taught = self.drawn.randrange(5, 65)  # part of 64: while it teaches, or before it asks
        wait_until(lambda: self.counted("fpg0", "rx_packets") >= taught, "learning frames", run)
        run.send_signal(signal.SIGSTOP)
        wait_until(self.forgotten, "the bridge forgets all", run)
        run.send_signal(signal.SIGCONT)
        run.communicate()
        result = self.only(self.result("result.json"), test="rfc2889.address_caching")
        self.assertGreater(result["invalid_trials"], 0)
        if result["valid"]:
            self.assertEqual(result["addresses"], 65, result["iterations"])
        else:
            self.assertTrue(any(why in result["why_invalid"] for why in DISTURBED), result["why_invalid"])

    def forgotten(self):
        return not self.in_lab("bridge", "fdb", "show", "br", "fpgbr", "dynamic").strip()

    # -- errors ----------------------------------------------------------------------------------------------------------------------

    def test_what_linux_does_with_errored_frames_is_told_and_what_a_tap_cannot_carry_has_no_verdict(self):
        """Linux forwards frames of up to 4 octets above the MTU, for a tag that need not be there, and those that are too short: a TAP
        has no MAC that would drop them, and pads them as they leave, after which nobody knows a signature."""
        short = self.drawn.randrange(54, 64)
        errors = f'trial_duration = "20ms"; loads = [30]; oversize = [1522, 1523]; undersize = [{short}];'
        with self.subTest(short=short):
            result, = self.run_undisturbed(f'test = "rfc2889.errored_frames"; {errors} fcs = false; code = false;')
            rows = {(row["error"], row["error_octets"]): row for row in result["verdicts"]}
            self.assertEqual(list(rows), [("oversize", 1522), ("oversize", 1523), ("tagged", 1522), ("undersize", short)])
            for (error, octets), row in rows.items():
                offered, forwarded = row["offered_frames"], octets == 1522
                self.assertGreater(offered, 0)
                self.assertEqual(row["right_received_frames"], row["right_frames"])
                self.assertEqual(row["forwarded_frames"], offered if forwarded else 0, row)
                self.assertEqual(row["unknown_frames"], offered if error == "undersize" else 0, row)
                self.assertEqual(row["verdict"], "not tested" if error == "undersize" else
                                 "fail" if forwarded and error == "oversize" else "pass")
            self.assertEqual((result["failed_verdicts"], result["untested_verdicts"]), (1, 1))
            self.assertEqual(len([flag for flag in result["flags"] if "padded or cut" in flag and "is not tested" in flag]), 1, result["flags"])
            for key, why in (("fcs", "a frame with a wrong FCS cannot be given to Linux: a TAP carries no FCS"),
                             ("code", "a frame that is broken cannot be given to Linux: a TAP carries whole frames only")):
                self.check_refusal(key, why)

    def check_refusal(self, key, why):
        other = "code" if key == "fcs" else "fcs"
        plan = self.plan(f'test = "rfc2889.errored_frames"; trial_duration = "20ms"; loads = [30]; oversize = [1523]; undersize = [60]; '
                         f'tagged = false; {key} = true; {other} = false;')
        for _ in range(ATTEMPTS):
            done = self.fpgauge("run", plan, "--json", self.path("result.json"))
            self.assertEqual(done.returncode, INVALID, done.stdout + done.stderr)
            result, = self.result("result.json")["results"]
            self.assertNotIn(key, {row["error"] for row in result["verdicts"]})
            if why in result["why_invalid"]:
                return
            self.assertTrue(any(disturbed in result["why_invalid"] for disturbed in DISTURBED), result["why_invalid"])
        self.skipTest(f"this machine has disturbed {ATTEMPTS} runs in a row: {done.stdout}")

    def test_the_example_is_a_plan_that_would_run(self):
        done = self.fpgauge("check", os.path.join(ROOT, "docs", "examples", "rfc2889-linux.cfg"))
        self.assertEqual(done.returncode, 0, done.stderr)

    # -- control-plane frames -------------------------------------------------------------------------------------------------------

    def test_with_a_spanning_tree_lldp_and_ipv6_their_frames_are_counted_apart_and_do_no_harm(self):
        self.set_bridge("stp_state 1 forward_delay 200 hello_time 100")
        self.in_lab("sh", "-ec", "cd /proc/sys/net/ipv6; echo 0 > conf/fpgbr/disable_ipv6; "
                    "echo 1 > neigh/fpgbr/mcast_solicit; ip address add 2001:db8::1/64 dev fpgbr nodad")
        self.start(sys.executable, "-c", TALK)
        # A port listens for what others send from the first trial after one that has had some.
        first, result = self.run_undisturbed(
            'test = "throughput"; frame_sizes = [512]; trial_duration = "1100ms"; traffic = { pattern = "mesh"; };',
            'test = "rfc2889.full_mesh"; frame_sizes = [512]; trial_duration = "2300ms"; ' + SEARCH)
        self.assertEqual((f"{first['throughput_percent']:.3f}", first["counters"]["wrong_port_frames"]), ("100.000", 0),
                         "all ports forward from the first trial on")
        self.check_mesh(result)
        counters = result["counters"]
        kinds = {key: counters[key] for key in counters if key.startswith("foreign_") and key != "foreign_frames"}
        self.assertEqual(sum(kinds.values()), counters["foreign_frames"], counters)
        # Each of four ports has at least two hellos of the spanning tree in 2.3 s.
        for kind, least in (("stp", 2 * PORTS), ("lldp", PORTS), ("nd", 1)):
            self.assertGreaterEqual(kinds[f"foreign_{kind}_frames"] + kinds["foreign_unread_frames"], least, counters)
        self.assertGreater(kinds["foreign_stp_frames"] + kinds["foreign_lldp_frames"], 0, counters)


if __name__ == "__main__":
    main()
