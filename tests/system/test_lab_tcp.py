#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TCP connections of the simulated logic with sockets of Linux, over TAPs in real time. Linux checks each octet that it receives; tshark
reads the line of the tester. Where the machine was too slow for real time, what depends on time (that nothing is sent again, goodput) is
tried again, and if that is so each time the case is skipped and says why; octets, checksums and form must be right all the same."""

import contextlib
import ctypes
import itertools
import os
import random
import statistics
import subprocess
import time

from fpgauge_system import IN_VAIN_S, LONG, SEED, main
from lab import LabCase
from lossy_link import LossyLink
from sim_library import SimLibrary
from tcp_trial import LINUX, PREFIXES, TESTER, Connection, Trial

LINK_BPS = 50000000 if LONG else 10000000
BULK_OCTETS = 100000000 if LONG else 5000000
MOST_OCTETS = 2000000 if LONG else 200000  # octets of a stream, else
LINUX_MSS = (1460, 1440)  # segments at an MTU of 1500
LOSS, DOUBLING, REORDERING = 0.02, 0.01, 0.03
SAME = 0.01  # goodputs, at both ends
ATTEMPTS = 12
STOP_S = 0.5  # is above 0.1 s, all that may be late
CLONE_NEWNET = 0x40000000
GOOD = "1"  # tshark's word for a checksum
# Nothing of this may be on a line on which nothing is lost.
AGAIN = ("retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order", "lost_segment", "ack_lost_segment")
FIELDS = ("frame.number", "frame.interface_name", "_ws.malformed", "eth.fcs.status", "ip.checksum.status", "tcp.checksum.status",
          "tcp.checksum", "tcp.srcport", "tcp.seq_raw", "tcp.len", "tcp.flags.syn", "tcp.flags.reset", "tcp.options.mss_val",
          *(f"tcp.analysis.{what}" for what in AGAIN))


def enter(namespace):
    """Threads that begin from then on are in it too."""
    assert ctypes.CDLL(None, use_errno=True).setns(namespace, CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())


def slope(x, y):
    return statistics.linear_regression(x, y).slope


def octets_in_order(segments):
    """Of a stream, from SYN up to the first one that is in no segment."""
    syn = next(int(segment["tcp.seq_raw"]) for segment in segments if segment["tcp.flags.syn"] == "1")
    end = 0
    for begin, octets in sorted((int(segment["tcp.seq_raw"]) - syn - 1 & 0xFFFFFFFF, int(segment["tcp.len"]))
                                for segment in segments if segment["tcp.len"] != "0"):
        if begin > end:
            break
        end = max(end, begin + octets)
    return end


class Goodput:
    """Of a connection in one direction, at both ends: octets over time, by the tester's clock and count and by those of Linux."""

    def __init__(self, trial, c, to_linux):
        self.trial, self.c, self.to_linux = trial, c, to_linux
        self.peer = trial.peers[trial.connections.index(c)]
        self.samples = []  # the tester's time in s and octets, Linux' time and octets

    def watch(self):
        """Behind a snapshot."""
        if not self.peer.is_open.is_set() or not self.peer.is_alive():
            return
        linux = (time.monotonic(), self.peer.received_octets() if self.to_linux else self.peer.acknowledged_octets())
        self.samples.append((*self.of_the_tester(), *linux))

    def of_the_tester(self):
        """What a look tells is as it is when it is read."""
        port, device = self.trial.ports[self.c.port], self.trial.device
        if self.to_linux:
            octets = port.look(self.c.number, "snd_una") - self.c.iss - 1 & 0xFFFFFFFF
        else:
            octets = port.stream(self.c.number, "delivered")
        return device.read_global("time" if self.to_linux else "snapshot_time") * 8 / self.trial.link_bps, octets

    def measure(self):
        """Octets a second by the tester and by Linux, the slopes through all samples after slow start and before the end; and by how much,
        in parts of the time that this took, the simulation's time was off one that passes evenly."""
        whole = self.c.to_linux if self.to_linux else self.c.to_tester
        device_s, device_octets, linux_s, linux_octets = zip(*(one for one in self.samples if 0.2 * whole < one[1] < 0.95 * whole))
        pace = statistics.linear_regression(linux_s, device_s)
        late_s = [pace.intercept + pace.slope * linux - device for linux, device in zip(linux_s, device_s)]
        return slope(device_s, device_octets), slope(linux_s, linux_octets), (max(late_s) - min(late_s)) / (linux_s[-1] - linux_s[0])


class LinuxTcp(LabCase):
    def setUp(self):
        super().setUp()
        self.home = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.addCleanup(os.close, self.home)
        self.draw = random.Random(SEED)

    @contextlib.contextmanager
    def inside(self):
        """A new lab, in which this program then is: its sockets are Linux' side."""
        self.up("--no-bridge")
        lab = os.open(f"/run/netns/fpgauge-{self.lab}", os.O_RDONLY)
        enter(lab)
        os.close(lab)
        try:
            yield
        finally:
            enter(self.home)  # a lab that is taken down ends all who are in it

    @staticmethod
    def give_addresses(interfaces):
        for interface, own, other, prefix in zip(interfaces, LINUX, TESTER, PREFIXES):
            with open(f"/proc/sys/net/ipv6/conf/{interface}/disable_ipv6", "w", encoding="ascii") as file:
                file.write("0")
            subprocess.run(["ip", "-batch", "-"], text=True, check=True, input=f"""
link set dev {interface} address {own.mac}
link set dev {interface} up
address add {own.address}/{prefix} dev {interface} {"nodad" if ":" in own.address else ""}
neigh add {other.address} lladdr {other.mac} dev {interface} nud permanent
""")

    def device(self):
        return SimLibrary("rtl2-tcp", {"dut.model": "tap", "device.link": str(LINK_BPS), "device.capture": self.path("line.pcapng")})

    def undisturbed(self, attempt):
        """attempt() says what disturbed it, or None."""
        for _ in range(ATTEMPTS):
            why = attempt()
            if why is None:
                return
            print(f"tried again: {why}", flush=True)
        self.skipTest(f"this machine has disturbed {ATTEMPTS} trials in a row: {why}")

    # -- what must be so, also where the simulation was late

    def check_octets(self, trial):
        for c, peer in zip(trial.connections, trial.peers):
            self.assertIsNone(peer.wrong, c)
            self.assertEqual((peer.received, c.acknowledged), (c.to_linux, c.to_linux), c)
            self.assertEqual((peer.acknowledged, c.delivered), (c.to_tester, c.to_tester), c)
        self.assertEqual(trial.faults, [])

    def segments(self):
        """What tshark says of those on the line, having found nothing wrong with the form of any."""
        command = ["tshark", "-n", "-r", self.path("line.pcapng"), "-T", "fields", "-E", "separator=|", "-E", "occurrence=a"]
        for end in TESTER:  # else it takes the octets for those of a protocol that has such a port
            command += ["-d", f"tcp.port=={end.first_port}-{end.first_port + 63},data"]
        for check in ("eth.fcs:Always", "eth.check_fcs:TRUE", "ip.check_checksum:TRUE", "tcp.check_checksum:TRUE"):
            command += ["-o", check]
        for field in FIELDS:
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=IN_VAIN_S, check=True)
        frames = [dict(zip(FIELDS, line.split("|"))) for line in done.stdout.splitlines()]
        self.assertEqual([frame for frame in frames if frame["_ws.malformed"] or frame["eth.fcs.status"] != GOOD], [])
        segments = [frame for frame in frames if frame["tcp.len"]]
        self.assertEqual([segment for segment in segments if not self.has_right_checksums(segment)], [])
        return segments

    @staticmethod
    def has_right_checksums(segment):
        """IPv6 has none. Linux sends 0 as ffff, as UDP wants it: the sum is right with both, but tshark calls that of TCP a wrong one."""
        of_linux = segment["frame.interface_name"].endswith("-rx")
        return (segment["ip.checksum.status"] in (GOOD, "")
                and (segment["tcp.checksum.status"] == GOOD or of_linux and segment["tcp.checksum"] == "0xffff"))

    def check_line(self, trial):
        """All octets were on it, so that none is counted that was not, and no segment of the tester is longer than Linux wants it."""
        segments = self.segments()
        on = {interface: [one for one in segments if one["frame.interface_name"] == interface]
              for interface in ("port0-tx", "port0-rx", "port1-tx", "port1-rx")}
        for c in trial.connections:
            for interface, source, octets in ((f"port{c.port}-tx", TESTER, c.to_linux), (f"port{c.port}-rx", LINUX, c.to_tester)):
                port = str(source[c.port].first_port + c.number)
                stream = [one for one in on[interface] if one["tcp.srcport"] == port]
                self.assertEqual(octets_in_order(stream), octets, (interface, c))
        for port in (0, 1):
            announced = {int(one["tcp.options.mss_val"]) for one in on[f"port{port}-rx"] if one["tcp.options.mss_val"]}
            self.assertEqual(announced, {LINUX_MSS[port]})
            self.assertLessEqual(max(int(one["tcp.len"]) for one in on[f"port{port}-tx"]), LINUX_MSS[port])
        return segments

    # -- and where it was in time

    def check_nothing_was_sent_again(self, trial, segments):
        self.assertEqual([peer.retransmitted for peer in trial.peers], [0] * len(trial.peers))
        self.assertEqual(trial.sent_again, [0, 0])
        self.assertEqual([segment for segment in segments if segment["tcp.flags.reset"] != "0"
                          or any(segment[f"tcp.analysis.{what}"] for what in AGAIN)], [])

    # -- cases

    def drawn(self, least=1):
        """A connection for each port, who opens it and who closes it first; random octets both ways, at least so many."""
        return [Connection(port, number, connects, closes_first, iss=self.draw.getrandbits(32),
                           to_linux=self.draw.randint(least, MOST_OCTETS), to_tester=self.draw.randint(least, MOST_OCTETS))
                for number, (connects, closes_first) in enumerate(itertools.product((False, True), repeat=2)) for port in (0, 1)]

    def test_connections_open_and_close_from_either_side_and_nothing_is_sent_again(self):
        def attempt():
            with self.inside():
                self.give_addresses(("fpg0", "fpg1"))
                with self.device() as device:
                    trial = Trial(device, self.drawn(), LINK_BPS)
                    trial.play()
                    why = device.disturbance() or trial.lost()
            self.check_octets(trial)
            segments = self.check_line(trial)
            if why is None:
                self.check_nothing_was_sent_again(trial, segments)
            return why

        self.undisturbed(attempt)

    def test_a_tester_that_was_stopped_in_mid_trial_says_so_and_no_octet_is_wrong(self):
        stops = itertools.chain([STOP_S], itertools.repeat(0))

        def watch():
            if all(peer.is_open.is_set() for peer in trial.peers):
                time.sleep(next(stops))

        with self.inside():
            self.give_addresses(("fpg0", "fpg1"))
            with self.device() as device:
                trial = Trial(device, self.drawn(MOST_OCTETS // 2), LINK_BPS)
                trial.play(watch)
                self.assertRegex(device.disturbance() or "", "port [01]: the simulation fell behind real time by [0-9.]+ ms")
        self.check_octets(trial)
        self.check_line(trial)

    def test_both_ends_count_the_same_goodput_and_nothing_is_sent_again(self):
        """To Linux at one port and from it at the other, at once."""
        def attempt():
            connections = [Connection(0, 0, False, False, iss=self.draw.getrandbits(32), to_linux=BULK_OCTETS),
                           Connection(1, 0, True, True, iss=self.draw.getrandbits(32), to_tester=BULK_OCTETS)]
            with self.inside():
                self.give_addresses(("fpg0", "fpg1"))
                with self.device() as device:
                    trial = Trial(device, connections, LINK_BPS)
                    goodputs = [Goodput(trial, connections[0], True), Goodput(trial, connections[1], False)]

                    def watch():
                        device.strobe("snapshot")
                        for goodput in goodputs:
                            goodput.watch()

                    trial.play(watch)
                    why = device.disturbance() or trial.lost()
            self.check_octets(trial)
            segments = self.check_line(trial)
            if why is None:
                self.check_nothing_was_sent_again(trial, segments)
                why = self.check_goodputs(goodputs)
            return why

        self.undisturbed(attempt)

    def check_goodputs(self, goodputs):
        """None, or why they cannot be compared."""
        for goodput in goodputs:
            tester, linux, uneven = goodput.measure()
            what = f"port {goodput.c.port}: {8e-6 * tester:.4f} Mbit/s by the tester, {8e-6 * linux:.4f} by Linux"
            print(f"{what}; {100 * uneven:.3f}% of the time uneven", flush=True)
            if uneven > SAME:
                return f"the time of the simulation was uneven by {100 * uneven:.1f}% of what was measured"
            self.assertAlmostEqual(tester / linux, 1, delta=SAME)
            self.assertGreater(8 * linux, LINK_BPS / 2)  # nothing but the line holds it up
        return None

    def test_all_octets_arrive_over_links_that_lose_double_and_reorder(self):
        with self.inside():
            links = [LossyLink(f"fpg{port}", f"lin{port}", SEED + port, LOSS, DOUBLING, REORDERING) for port in (0, 1)]
            self.give_addresses(("lin0", "lin1"))
            for link in links:
                link.start()
                self.addCleanup(link.stop)
            with self.device() as device:
                trial = Trial(device, self.drawn(MOST_OCTETS // 2), LINK_BPS, rto_s=0.2)
                trial.play()
                print(f"disturbed: {device.disturbance() or trial.lost()}", flush=True)
        self.check_octets(trial)
        self.check_line(trial)
        for what in ("lost", "doubled", "reordered"):
            both = [sum(counts) for counts in zip(*(getattr(link, what) for link in links))]
            print(f"{what}: {both[0]} to Linux, {both[1]} to the tester", flush=True)
            self.assertGreater(min(both), 0)
        self.assertGreater(sum(trial.sent_again), 0)
        self.assertGreater(sum(peer.retransmitted for peer in trial.peers), 0)


if __name__ == "__main__":
    main()
