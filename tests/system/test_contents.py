#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frames of all kinds, with fields that vary, from the registers to a capture, read by tshark with all checksums checked:
what the transmitter makes of lengths and checksums is what others understand by them."""

import collections
import struct
import subprocess

from fpgauge_system import SystemCase, main
from packet_flows import (DRAW, ICMP, ICMPV6, IN_CHECKSUM1, IN_CHECKSUM2, INCREMENT, LIST, NO_NEXT, TCP, UDP, Flow,
                          ethernet)
from sim_library import SimLibrary

FRAMES_A_FLOW = 25
LIST_FIRST, LIST_VALUES = 100, (5, 4094, 77, 1, 2048)  # values of VLAN identifiers
GOOD, BAD = "1", "0"                                   # tshark's values of the status of a checksum
CHECKSUMS = {UDP: "udp", TCP: "tcp", ICMP: "icmp", ICMPV6: "icmpv6"}
BOTH = IN_CHECKSUM1 | IN_CHECKSUM2

FIELDS = ("frame.interface_name", "frame.len", "eth.fcs.status", "eth.src", "eth.type", "vlan.id", "ieee8021ad.id",
          "ip.checksum.status",
          "ip.len", "ip.src", "ip.dst", "ipv6.plen", "ipv6.src", "udp.checksum.status", "udp.length", "udp.srcport",
          "tcp.checksum.status", "tcp.len", "tcp.ack_raw", "icmp.checksum.status", "icmp.seq",
          "icmpv6.checksum.status", "icmpv6.echo.sequence_number", "arp.src.hw_mac", "arp.src.proto_ipv4", "_ws.malformed")


def ipv4(protocol):
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 0, 0x1234, 0, 64, protocol, 0, bytes((10, 1, 0, 0)), bytes((10, 0, 0, 0)))


def ipv6(protocol):
    return struct.pack(">IHBB", 6 << 28, 0, protocol, 64) + bytes.fromhex("20010200" + "00" * 12) + \
        bytes.fromhex("20010200" + "00" * 11 + "01")


UDP_HEADER = struct.pack(">HHHH", 0xC000, 7, 0, 0)
TCP_HEADER = struct.pack(">HHIIBBHHH", 0xC000, 9, 1, 0, 0x50, 0x10, 8192, 0, 0)
ECHO, ECHO6 = struct.pack(">BBHHH", 8, 0, 0, 1, 0), struct.pack(">BBHHH", 128, 0, 0, 1, 0)
ARP = struct.pack(">HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 1, bytes.fromhex("020000000000"), bytes((10, 1, 0, 0)), bytes(6),
                  bytes((10, 2, 0, 1)))


def flow(name, tags, transport, ip_version):
    """Source MAC address: an increment; IP addresses: an increment and a draw; identifiers of VLANs: a list."""
    header = {UDP: UDP_HEADER, TCP: TCP_HEADER, ICMP: ECHO, ICMPV6: ECHO6}.get(transport, b"")
    frame = ethernet(*tags)
    made = Flow(name, frame, *((0x0800, ipv4(transport)) if ip_version == 4 else (0x86DD, ipv6(transport))), header,
                transport)
    pseudo = IN_CHECKSUM2 if transport in (UDP, TCP, ICMPV6) else 0
    if ip_version == 4:
        made.vary(made.l3 + 12, INCREMENT, 0xFFFF, 0xFFF0, 1, 1 << 16, IN_CHECKSUM1 | pseudo)
        # The field begins at an odd octet; only the three octets of the address that vary.
        made.vary(made.l3 + 17, DRAW, 0xFFFFFF00, 0, 8, 1 << 24, IN_CHECKSUM1 | pseudo)
    else:
        made.vary(made.l3 + 20, INCREMENT, 0xFFFFFFFF, 0xFFFFFFF0, 3, 1 << 24, pseudo)
        made.vary(made.l3 + 33, DRAW, 0xFFFF0000, 0, 16, 1 << 16, pseudo)
    if transport == TCP:  # acknowledgement number: octet 62 with IPv6, so part of it is in the body
        made.vary(made.l4 + 8, DRAW, 0xFFFFFFFF, 0, 8, 1 << 24, IN_CHECKSUM2)
    if transport == UDP:
        made.vary(made.l4, INCREMENT, 0x00FF0000, 0, 1 << 16, 256, IN_CHECKSUM2)
    if transport in (ICMP, ICMPV6):
        made.vary(made.l4 + 4, INCREMENT, 0xFFFF, 0, 1, 1 << 16, IN_CHECKSUM2)
    if tags:
        made.vary(14, LIST, 0x0FFF0000, LIST_FIRST, 0, len(LIST_VALUES))
    else:
        made.vary(8, INCREMENT, 0xFFFFFFFF, 0, 1)
    return made


def arp():
    made = Flow("ARP", ethernet(), 0x0806, ARP)
    made.vary(8, INCREMENT, 0xFFFF, 0, 1).vary(24, INCREMENT, 0xFFFF, 0, 1)  # both MAC addresses of the sender
    return made.vary(28, INCREMENT, 0xFFFF, 0, 1)


def templates():
    vlan, service = (0x8100, 0x0000), (0x88A8, 0x2000)
    return [flow("IPv4", (), NO_NEXT, 4), flow("IPv6", (), NO_NEXT, 6), flow("UDP", (), UDP, 4), flow("UDP on IPv6", (), UDP, 6),
            flow("TCP", (), TCP, 4), flow("TCP on IPv6", (), TCP, 6), flow("ICMP", (), ICMP, 4),
            flow("ICMPv6", (), ICMPV6, 6), flow("VLAN", (vlan,), UDP, 4), flow("QinQ", (service, (0x8100, 7)), TCP, 6),
            arp()]


class Contents(SystemCase):
    def send(self, flows):
        """All flows in turn, at the smallest gap; the frames that tshark sees on the line of port 0, by flow."""
        capture = self.path("line.pcapng")
        with SimLibrary("rtl", {"dut.model": "wire", "device.capture": capture}) as device:
            for index, value in enumerate(LIST_VALUES):
                device.write("tx_value_index", LIST_FIRST + index)
                device.write("tx_value", value << 16)
            for index, one in enumerate(flows):
                one.write(device, index)
                sizes = (0, 1, 2, 3, 60, 61, 437, 1400, 9216 - one.least_octets)
                for n, more in enumerate(sizes):
                    device.write("tx_size_index", 16 * index + n)
                    device.write("tx_size_octets", one.least_octets + more)
                device.write("tx_flow_size", len(sizes) << 16 | 16 * index << 2 | 1)
            for name, value in (("enable", 1), ("flows", len(flows)), ("order", 0), ("frame_octets", 64), ("gap_octets", 12),
                                ("gap_numerator", 0), ("gap_denominator", 1), ("field_seed", 12345),
                                ("stop_frames", FRAMES_A_FLOW * len(flows))):
                device.write(f"tx_{name}", value)
            device.strobe("start")
            device.wait_while("sending")
        sent = [frame for frame in self.decode(capture) if frame["frame.interface_name"] == "port0-tx"]
        self.assertEqual(len(sent), FRAMES_A_FLOW * len(flows))
        return [sent[index::len(flows)] for index in range(len(flows))]

    def decode(self, path):
        command = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "separator=|", "-E", "occurrence=a"]
        for check in ("eth.fcs:Always", "eth.check_fcs:TRUE", "ip.check_checksum:TRUE", "udp.check_checksum:TRUE",
                      "tcp.check_checksum:TRUE", "tcp.relative_sequence_numbers:FALSE"):
            command += ["-o", check]
        for field in FIELDS:
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        return [dict(zip(FIELDS, line.split("|"))) for line in done.stdout.splitlines()]

    def check_frame(self, one, frame):
        what = f"{one.name}: {frame}"
        octets = int(frame["frame.len"])
        covered = octets - one.l4 - 4  # octets after the network header
        self.assertEqual(frame["_ws.malformed"], "", what)
        self.assertEqual(frame["eth.fcs.status"], GOOD, what)
        if one.ipv4:
            self.assertEqual(frame["ip.checksum.status"], GOOD, what)
            self.assertEqual(int(frame["ip.len"]), octets - one.l3 - 4, what)
        if one.ipv6:
            self.assertEqual(int(frame["ipv6.plen"]), covered, what)
        if one.protocol in CHECKSUMS:
            self.assertEqual(frame[f"{CHECKSUMS[one.protocol]}.checksum.status"], GOOD, what)
        if one.protocol == UDP:
            self.assertEqual(int(frame["udp.length"]), covered, what)
        if one.protocol == TCP:
            self.assertEqual(int(frame["tcp.len"]), covered - 20, what)

    def test_tshark_finds_every_template_well_formed_with_right_lengths_and_checksums(self):
        flows = templates()
        for one, frames in zip(flows, self.send(flows)):
            for frame in frames:
                self.check_frame(one, frame)
            self.assertIn(one.least_octets, {int(frame["frame.len"]) for frame in frames})
            self.assertIn(9216, {int(frame["frame.len"]) for frame in frames})
            self.check_fields(one, frames)

    def check_fields(self, one, frames):
        """Each frame has the value of its number; those that are drawn differ."""
        def column(name):
            return [frame[name] for frame in frames]

        numbers = range(FRAMES_A_FLOW)
        if one.ipv4:
            self.assertEqual(column("ip.src"), [f"10.1.{(n + 0xFFF0 >> 8) & 255}.{(n + 0xFFF0) & 255}" for n in numbers])
            self.assertGreater(len(set(column("ip.dst"))), FRAMES_A_FLOW - 3)
        if one.ipv6:
            self.assertEqual(len(set(column("ipv6.src"))), FRAMES_A_FLOW)
        if one.protocol == UDP:
            self.assertEqual(column("udp.srcport"), [str(0xC000 + n) for n in numbers])
        if one.protocol == TCP:
            self.assertGreater(len(set(column("tcp.ack_raw"))), FRAMES_A_FLOW - 3)
        if one.protocol == ICMP:
            self.assertEqual([frame["icmp.seq"].split(",")[0] for frame in frames], [str(n) for n in numbers])
        if one.protocol == ICMPV6:
            self.assertEqual(column("icmpv6.echo.sequence_number"), [str(n) for n in numbers])
        if one.name == "ARP":
            self.assertEqual(column("arp.src.hw_mac"), column("eth.src"))
            self.assertEqual(column("arp.src.proto_ipv4"), [f"10.1.0.{n}" for n in numbers])
        identifiers = "ieee8021ad.id" if one.name == "QinQ" else "vlan.id"  # the outer tag
        if column(identifiers)[0]:
            self.assertEqual(column(identifiers), [str(LIST_VALUES[n % len(LIST_VALUES)]) for n in numbers])
            if one.name == "QinQ":
                self.assertEqual(set(column("vlan.id")), {"7"})
        else:
            self.assertEqual([int(address[-2:], 16) for address in column("eth.src")], list(numbers))

    def test_tshark_finds_a_wrong_constant_in_every_frame_of_its_flow_and_in_no_other(self):
        for register, of, status in (("checksum1", "IPv4", "ip"), ("checksum2", "UDP", "udp"),
                                     ("checksum2", "TCP on IPv6", "tcp"), ("checksum2", "ICMP", "icmp"),
                                     ("checksum2", "ICMPv6", "icmpv6")):
            flows = templates()
            wrong = next(one for one in flows if one.name == of)
            setattr(wrong, register, getattr(wrong, register) ^ 1 << 20)
            for one, frames in zip(flows, self.send(flows)):
                if one is wrong:
                    statuses = collections.Counter(frame[f"{status}.checksum.status"] for frame in frames)
                    self.assertEqual(statuses, {BAD: FRAMES_A_FLOW}, of)
                    continue
                for frame in frames:
                    self.check_frame(one, frame)


if __name__ == "__main__":
    main()
