#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What host/traffic/protocols makes is understood by others: net-snmp's snmpd answers management queries, BIRD takes routing updates, Linux
filters by the sets of RFC 2544 11.4, and tshark reads all of it.

Each case has a network namespace of its own, with the device under test in it; TAPs are the wires between that and the tester. It ends with
this process, and nothing else on the machine sees any of it."""

import ctypes
import fcntl
import os
import select
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from fpgauge_system import IN_VAIN_S, ROOT, main, wait_until

FRAMES = os.environ.get("FPGAUGE_PROTOCOL_FRAMES", os.path.join(ROOT, "build", "tests", "c", "protocol_frames"))
CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TAP_NO_PI = 0x400454CA, 0x1002
ASKED_ID = 0x12345678
ROUTER_MAC = "02:50:aa:00:00:01"  # the address in protocol_frames
HOST_MACS = ("02:46:47:00:00:00", "02:46:47:01:00:00")  # host 0 of ports 0 and 1, docs/traffic.md
HOSTS = ("198.18.1.2", "198.19.1.2")
HOSTS6 = ("2001:2:0:1::2", "2001:2:0:8001::2")
ROUTERS = ("198.18.1.1/24", "198.19.1.1/24")
ROUTERS6 = ("2001:2:0:1::1/64", "2001:2:0:8001::1/64")
ALL_ROUTER_IPV4, ALL_ROUTER_IPV6, ALL_BRIDGE = 0, 1, 2  # enum filter_device
ONE, PERMIT_LAST, PERMIT_MIDDLE = 0, 1, 2  # enum filter_kind


def new_namespace():
    """None, or why there is none. From here on this process and what it starts is in it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET):
        return f"no network namespace here: {os.strerror(ctypes.get_errno())}"
    try:
        Wire("probe").close()
    except OSError as error:
        return f"no TAP here: {error}"
    return None


def frames_of_program(*arguments, given=None):
    done = subprocess.run([FRAMES, *map(str, arguments)], input=given, capture_output=True, text=True, check=False, timeout=IN_VAIN_S)
    if done.returncode:
        raise AssertionError(f"protocol_frames {arguments}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


class Wire:
    """A TAP: what is written arrives at the interface, what the interface sends can be read."""

    def __init__(self, name):
        self.fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(self.fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP_NO_PI))
        except OSError:
            self.close()
            raise

    def close(self):
        os.close(self.fd)

    def send(self, octets):
        os.write(self.fd, octets)

    def frames(self):
        """Those that have come, without waiting for more."""
        found = []
        while select.select([self.fd], [], [], 0)[0]:
            found.append(os.read(self.fd, 65536))
        return found


def octets_of_mac(text):
    return bytes.fromhex(text.replace(":", ""))


def one_complement(octets):
    octets += bytes(len(octets) % 2)
    total = sum(struct.unpack(f"!{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def datagram(source, destination, payload, to_mac=ROUTER_MAC, from_mac=HOST_MACS[0]):
    """A UDP datagram in a frame, made here and not by what is tested."""
    is_ipv6 = ":" in source
    family = socket.AF_INET6 if is_ipv6 else socket.AF_INET
    ends = socket.inet_pton(family, source) + socket.inet_pton(family, destination)
    length = 8 + len(payload)
    udp = struct.pack("!HHHH", 49184, 7, length, 0) + payload
    udp = udp[:6] + struct.pack("!H", one_complement(ends + struct.pack("!HH", 17, length) + udp) or 0xFFFF) + udp[8:]
    if is_ipv6:
        ip = struct.pack("!IHBB", 6 << 28, length, 17, 10) + ends
    else:
        ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + length, 0, 0, 10, 17, 0) + ends
        ip = ip[:10] + struct.pack("!H", one_complement(ip)) + ip[12:]
    return octets_of_mac(to_mac) + octets_of_mac(from_mac) + (b"\x86\xdd" if is_ipv6 else b"\x08\x00") + ip + udp


class ProtocolCase(unittest.TestCase):
    def setUp(self):
        if not os.access(FRAMES, os.X_OK):
            raise AssertionError(f"{FRAMES}: no such program; build it first, or set FPGAUGE_PROTOCOL_FRAMES")
        why = new_namespace()
        if why:
            self.skipTest(why)
        scratch = tempfile.TemporaryDirectory(prefix="fpgauge-")
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.command("ip", "link", "set", "lo", "up")

    def need(self, program):
        path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        if path is None:
            self.skipTest(f"no {program} here: tools/install-packages test")
        return path

    def command(self, *words, given=None):
        done = subprocess.run(words, input=given, capture_output=True, text=True, check=False, timeout=IN_VAIN_S)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        return done.stdout

    def write(self, name, text):
        path = os.path.join(self.scratch, name)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return path

    def start(self, *words, **options):
        """A program that runs until the end of the case; its output is in a file."""
        with open(os.path.join(self.scratch, "output"), "ab") as output:
            run = subprocess.Popen(words, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)

        def end():
            run.kill()
            run.wait()
        self.addCleanup(end)
        return run

    def wait(self, happened, why, run):
        try:
            return wait_until(happened, why, run)
        except AssertionError as error:
            with open(os.path.join(self.scratch, "output"), encoding="utf-8", errors="replace") as file:
                raise AssertionError(f"{error}\n{file.read()}") from None

    def wire(self, port):
        """The interface fpgN with the addresses of a router, which knows where the host is."""
        name = f"fpg{port}"
        wire = Wire(name)
        self.addCleanup(wire.close)
        self.command("ip", "link", "set", name, "address", ROUTER_MAC[:-1] + str(1 + port), "up")
        for address, host in ((ROUTERS[port], HOSTS[port]), (ROUTERS6[port], HOSTS6[port])):
            self.command("ip", "address", "add", address, "dev", name, *(["nodad"] if ":" in address else []))
            self.command("ip", "neighbour", "add", host, "lladdr", HOST_MACS[port], "dev", name, "nud", "permanent")
        return wire

    def tshark(self, frames, *fields):
        """For each frame the values of the fields; all that tshark complains of fails."""
        capture = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        for frame in frames:
            capture += struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame
        path = self.write("capture.pcap", capture)
        done = self.command(self.need("tshark"), "-n", "-r", path, "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE",
                            "-T", "fields", "-E", "occurrence=a", "-e", "_ws.malformed", "-e", "_ws.expert.message",
                            *(word for field in fields for word in ("-e", field)))
        rows = [line.split("\t") for line in done.splitlines()]
        self.assertEqual([row[:2] for row in rows], [["", ""]] * len(frames), "tshark complains")
        return [row[2:] for row in rows]


class Queries(ProtocolCase):
    """snmpd, which answers for its own interface."""

    # Other frames, and late answers to a query before this one.
    NOT_THIS_ONE = ("a frame that is not for who asked", "a response to a request id that was not used",
                    "another version of SNMP than that of the query")

    def agent(self):
        config = self.write("snmpd.conf", "rocommunity public default\nrocommunity6 public default\n")
        return self.start(self.need("snmpd"), "-f", "-Lo", "-C", "-c", config, "-I", "-smux", "udp:198.18.1.1:161",
                          "udp6:[2001:2:0:1::1]:161",
                          env=dict(os.environ, SNMP_PERSISTENT_DIR=self.scratch, SNMPCONFPATH=self.scratch, MIBS=""))

    def ask(self, wire, run, *, version=1, family=4, community="public", interface=None, number=ASKED_ID):
        """Asks until there is an answer to it: the words of protocol_frames."""
        words = (version, family, community, interface or socket.if_nametoindex("fpg0"), number, -1)
        query = bytes.fromhex(frames_of_program("query", *words))

        def answered():
            wire.send(query)
            select.select([wire.fd], [], [], 0.2)
            frames = "".join(frame.hex() + "\n" for frame in wire.frames())
            rows = [line.split("\t") for line in frames_of_program("read", *words, given=frames).splitlines()]
            return [row for row in rows if row[0] not in self.NOT_THIS_ONE]
        return self.wait(answered, f"an answer to {words}", run)[0]

    def test_snmpd_answers_a_query_of_either_version_over_ipv4_and_ipv6_and_the_answer_is_verified(self):
        wire = self.wire(0)
        begin = time.monotonic()
        run = self.agent()
        for version in (0, 1):
            for family in (4, 6):
                with self.subTest(version=version, family=family):
                    number = ASKED_ID + 2 * version + family
                    answer = self.ask(wire, run, version=version, family=family, number=number)
                    self.assertEqual(answer[:3], ["an answer", str(number), "0"])
                    up_time, in_octets, out_octets, in_packets, out_packets = map(int, answer[3:])
                    self.assertLessEqual(up_time / 100, time.monotonic() - begin + 0.01, "hundredths of a second")
                    # The counts are over nothing but queries and answers, and what IPv6 says by itself.
                    self.assertTrue(in_octets >= in_packets and out_octets >= out_packets, answer)

    def test_up_time_and_octets_go_up_from_one_answer_to_the_next(self):
        wire = self.wire(0)
        run = self.agent()
        first = self.ask(wire, run)
        # snmpd looks at its interfaces every few seconds.
        last = self.wait(lambda: (lambda answer: int(answer[4]) > int(first[4]) and answer)(self.ask(wire, run)),
                         "more octets in", run)
        self.assertGreater(int(last[3]), int(first[3]))

    def test_an_interface_that_is_not_there_is_an_error_in_version_1_and_no_value_in_2c(self):
        wire = self.wire(0)
        run = self.agent()
        answer = self.ask(wire, run, version=0, interface=999)
        self.assertEqual(answer[:3], ["an error status in place of values", str(ASKED_ID), "2"])  # noSuchName
        answer = self.ask(wire, run, version=1, interface=999)
        self.assertEqual(answer[:3], ["a variable without a value", str(ASKED_ID), "0"])

    def test_tshark_reads_the_query_as_what_it_is(self):
        queries = [bytes.fromhex(frames_of_program("query", version, family, "public", 3, ASKED_ID, tci))
                   for version in (0, 1) for family in (4, 6) for tci in (-1, 5)]
        rows = self.tshark(queries, "snmp.version", "snmp.community", "snmp.request_id", "snmp.name", "snmp.value.null", "udp.dstport",
                           "udp.checksum.status", "vlan.id")
        names = ",".join(["1.3.6.1.2.1.1.3.0"] + [f"1.3.6.1.2.1.2.2.1.{column}.3" for column in (10, 16, 11, 17)])
        wanted = [[str(version), "public", str(ASKED_ID), names, "161", {4: "3", 6: "1"}[family], vlan]
                  for version in (0, 1) for family in (4, 6) for vlan in ("", "5")]  # 1: right, 3: there is none
        self.assertEqual([row[:4] + row[5:] for row in rows], wanted)


class Updates(ProtocolCase):
    NETWORKS = [f"198.18.{88 + n}.0" for n in range(6)]

    def update(self, state, port=0):
        return bytes.fromhex(frames_of_program("rip", port, state))

    def test_tshark_reads_both_updates_as_well_formed_with_all_networks(self):
        rows = self.tshark([self.update(0), self.update(1)], "rip.command", "rip.version", "rip.family", "rip.ip", "rip.metric", "ip.dst",
                           "ip.ttl", "udp.srcport", "udp.dstport", "udp.length", "ip.checksum.status")
        for row, metric in zip(rows, ("7", "8"), strict=True):
            self.assertEqual(row, ["2", "1", ",".join(["2"] * 6), ",".join(self.NETWORKS), ",".join([metric] * 6), "198.18.1.255", "10",
                                   "520", "520", "132", "1"])

    def test_bird_takes_the_routes_of_a_then_b_then_a_and_tells_its_neighbours(self):
        wires = [self.wire(0), self.wire(1)]
        # BIRD 2.0.12 ignores every route of version 1 with "reserved field is nonzero", although all of them are 0 (test_rip.c looks at
        # each octet). So it may not check that.
        config = self.write("bird.conf", 'router id 198.18.1.1;\nprotocol device { }\n'
                            'protocol kernel { ipv4 { export all; }; }\n'
                            'protocol rip { ipv4 { import all; export all; };\n'
                            '  interface "fpg*" { version 1; mode broadcast; update time 5; check zero no; };\n}\n')
        control = os.path.join(self.scratch, "control")
        run = self.start(self.need("bird"), "-f", "-c", config, "-s", control, "-P", os.path.join(self.scratch, "pid"))
        self.wait(lambda: os.path.exists(control), "the control socket", run)
        for state, metric in ((0, 8), (1, 9), (0, 8)):  # one more than they were told
            frame = self.update(state)

            def taken():
                wires[0].send(frame)
                select.select([], [], [], 0.1)
                return self.routes(control) == {f"{network}/24": ("198.18.1.2", metric) for network in self.NETWORKS}
            self.wait(taken, f"the routes of state {'AB'[state]}", run)
            self.wait(lambda: self.told(wires[1]) == {network: metric for network in self.NETWORKS}, "its own update", run)
        in_kernel = self.command("ip", "route", "show", "via", HOSTS[0])
        self.assertEqual(sorted(line.split()[0] for line in in_kernel.splitlines()), sorted(f"{network}/24" for network in self.NETWORKS))

    def routes(self, control):
        """{network: (next hop, metric)} of BIRD's table."""
        done = subprocess.run([self.need("birdc"), "-s", control, "show", "route", "all"], capture_output=True, text=True, check=False,
                              timeout=IN_VAIN_S)
        found, network = {}, None
        for line in done.stdout.splitlines():
            words = line.split()
            if words and words[0].endswith("/24") and "unicast" in line:
                network = words[0]
            elif words[:1] == ["via"] and network:
                found[network] = (words[1], None)
            elif words[:1] == ["RIP.metric:"] and network in found:
                found[network] = (found[network][0], int(words[1]))
        return found

    @staticmethod
    def told(wire):
        """What the last update on a wire says of networks of state A and B: {network: metric}."""
        said = {}
        for frame in wire.frames():
            if frame[12:14] == b"\x08\x00" and frame[23] == 17 and frame[36:38] == b"\x02\x08" and frame[42] == 2:
                entries = frame[46:]
                said.update({socket.inet_ntoa(entries[at + 4:at + 8]): struct.unpack_from("!I", entries, at + 16)[0]
                             for at in range(0, len(entries) - 19, 20)})
        return {network: metric for network, metric in said.items() if network in Updates.NETWORKS}


class Filters(ProtocolCase):
    def load(self, device, kind, interface="fpg0"):
        self.command(self.need("nft"), "-f", "-", given=frames_of_program("filter", device, kind, 0, 1, "nft", interface))

    def conditions(self, device, kind):
        """(verb, source, destination) of the text for the report, without the last line."""
        lines = frames_of_program("filter", device, kind, 0, 1, "text").splitlines()
        self.assertEqual(lines.pop(), "block all else")
        return [tuple(line.replace(" to ", " ").split()) for line in lines]

    def expect_only_the_stream(self, wires, frame_of, wrong, right):
        """Frames of `wrong` are not forwarded, that of `right` is: it comes after all of them, and Linux keeps their order."""
        for number, ends in enumerate([*wrong, right]):
            wires[0].send(frame_of(*ends, b"fpgauge frame %d." % number))
        mark = b"fpgauge frame %d." % len(wrong)
        came = []

        def arrived():
            came.extend(frame for frame in wires[1].frames() if b"fpgauge frame" in frame)
            return any(mark in frame for frame in came)
        wait_until(arrived, f"the frame of {right}")
        self.assertEqual(len(came), 1, f"{len(came) - 1} frames came that are to be blocked: {wrong}")

    def set_forwarding(self):
        for path in ("ipv4/ip_forward", "ipv6/conf/all/forwarding"):
            with open(f"/proc/sys/net/{path}", "w", encoding="ascii") as file:
                file.write("1")

    def test_linux_as_a_router_forwards_the_stream_and_nothing_else_by_any_set(self):
        self.need("nft")
        wires = [self.wire(0), self.wire(1)]
        self.set_forwarding()
        for path in os.listdir("/proc/sys/net/ipv4/conf"):  # blocked sources are in no network of the interface
            with open(f"/proc/sys/net/ipv4/conf/{path}/rp_filter", "w", encoding="ascii") as file:
                file.write("0")
        for network in ("198.19.128.0/17", "2001:2:0:8200::/56"):  # so that only a filter stops what is blocked
            self.command("ip", "route", "add", network, "via", HOSTS6[1] if ":" in network else HOSTS[1], "dev", "fpg1")
        for device, hosts, others in ((ALL_ROUTER_IPV4, HOSTS, "198.18.1.3"), (ALL_ROUTER_IPV6, HOSTS6, "2001:2:0:1::3")):
            blocked = [condition[1:] for condition in self.conditions(device, PERMIT_LAST) if condition[0] == "block"]
            if device == ALL_ROUTER_IPV6:  # routes to the destinations are in the half of port 1
                self.assertTrue(all(to.startswith("2001:2:0:82") for _, to in blocked))
            self.command("nft", "flush", "ruleset")
            self.expect_only_the_stream(wires, datagram, [], blocked[0])  # they pass without filters
            for kind in (ONE, PERMIT_LAST, PERMIT_MIDDLE):
                with self.subTest(device=device, kind=kind):
                    self.load(device, kind)
                    self.expect_only_the_stream(wires, datagram, [*blocked, (others, hosts[1])], hosts)

    def test_a_set_takes_the_place_of_the_one_before_and_the_order_is_that_of_the_text(self):
        self.need("nft")
        self.wire(0)
        for kind, count in ((PERMIT_LAST, 25), (ONE, 1), (PERMIT_MIDDLE, 25)):
            self.load(ALL_ROUTER_IPV4, kind)
            listed = self.command("nft", "list", "ruleset")
            rules = [line.split() for line in listed.splitlines() if "saddr" in line]
            verbs = {"drop": "block", "accept": "forward"}
            self.assertEqual([(verbs[words[6]], words[2], words[5]) for words in rules], self.conditions(ALL_ROUTER_IPV4, kind))
            self.assertEqual(len(rules), count)

    def test_sets_of_both_directions_go_together(self):
        self.need("nft")
        wires = [self.wire(0), self.wire(1)]
        self.set_forwarding()
        self.load(ALL_ROUTER_IPV4, PERMIT_LAST)
        self.command("nft", "-f", "-", given=frames_of_program("filter", ALL_ROUTER_IPV4, PERMIT_LAST, 1, 0, "nft", "fpg1"))
        self.expect_only_the_stream(wires, datagram, [("198.18.1.3", HOSTS[1])], HOSTS)

        def back(source, destination, payload):
            return datagram(source, destination, payload, ROUTER_MAC[:-1] + "2", HOST_MACS[1])
        self.expect_only_the_stream(wires[::-1], back, [("198.19.1.3", HOSTS[0])], HOSTS[::-1])

    def test_linux_as_a_bridge_forwards_to_the_permitted_address_only(self):
        self.need("nft")
        wires = []
        made = subprocess.run(["ip", "link", "add", "fpgbr", "type", "bridge", "mcast_snooping", "0"], capture_output=True, text=True,
                              check=False)
        if made.returncode:
            self.skipTest(f"no bridge here: {made.stderr.strip()}")
        for port in range(2):
            wires.append(Wire(f"fpg{port}"))
            self.addCleanup(wires[-1].close)
            self.command("ip", "link", "set", f"fpg{port}", "master", "fpgbr", "up")
        self.command("ip", "link", "set", "fpgbr", "up")

        def frame_of(destination, payload):
            return octets_of_mac(destination) + octets_of_mac(HOST_MACS[0]) + b"\x88\xb5" + payload.ljust(46, b"\0")
        blocked = [condition[1:] for condition in self.conditions(ALL_BRIDGE, PERMIT_LAST) if condition[0] == "block"]
        wait_until(lambda: (wires[0].send(frame_of(HOST_MACS[1], b"hello")), any(b"hello" in frame for frame in wires[1].frames()))[1],
                   "a frame through the bridge")
        self.expect_only_the_stream(wires, frame_of, [], blocked[0])
        for kind in (ONE, PERMIT_LAST, PERMIT_MIDDLE):
            with self.subTest(kind=kind):
                self.load(ALL_BRIDGE, kind)
                self.expect_only_the_stream(wires, frame_of, [*blocked, ("02:46:47:01:00:01",)], (HOST_MACS[1],))


if __name__ == "__main__":
    main()
