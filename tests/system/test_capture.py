#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A capture of simulated ports, read by tshark: test frames are the UDP echo frames of RFC 2544 C.2.6.4, on both sides of
both ports, a known latency apart."""

import collections
import random
import subprocess

from fpgauge_system import SEED, SystemCase, main, plan_text

SIZES_OCTETS = (64, 65, 128, 1518)
ECHO_PORT, SOURCE_PORT, TTL = 7, 0xC020, 0x0A
ETHERNET_OCTETS = 18  # header 14, FCS 4
IP_OCTETS, UDP_OCTETS, SIGNATURE_OCTETS = 20, 8, 18
GOOD = "1"            # tshark's value for a correct checksum
LATENCY_NS = 800      # 1250 groups of 8 octets at 100 Gb/s: the wire need not round it to them


FIELDS = ("frame.interface_name", "frame.len", "frame.time_epoch", "frame.protocols", "eth.fcs.status", "ip.checksum.status",
          "ip.len", "ip.ttl", "udp.srcport", "udp.dstport", "udp.length", "udp.checksum", "udp.payload", "_ws.malformed")


# Names of the headers between IPv6 and UDP in tshark (RFC 5180 section 5.3), and the shortest frame.
EXTENSIONS = {"ipv6_udp": ("", 84), "ipv6_hop_by_hop": ("ipv6.hopopts", 92), "ipv6_destination_options": ("ipv6.dstopts", 92),
              "ipv6_routing": ("ipv6.routing", 108), "ipv6_fragment": ("ipv6.fraghdr", 92), "ipv6_authentication": ("ah", 108),
              "ipv6_chain": ("ipv6.routing:ipv6.dstopts:ipv6.fraghdr", 124)}
EXTENSION_FIELDS = ("frame.interface_name", "frame.len", "frame.protocols", "eth.fcs.status", "ipv6.plen", "udp.checksum.status",
                    "udp.length", "_ws.malformed", "_ws.expert.message")


class Capture(SystemCase):
    def decode(self, path, fields=FIELDS):
        """One dictionary per frame. The FCS is in the capture; tshark is told so, and need not guess."""
        command = ["tshark", "-n", "-r", path, "-o", "eth.fcs:Always", "-o", "eth.check_fcs:TRUE",
                   "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-T", "fields", "-E", "separator=|"]
        for field in fields:
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        return [dict(zip(fields, line.split("|"))) for line in done.stdout.splitlines()]

    def check_frame(self, frame):
        frame_octets = int(frame["frame.len"])
        self.assertIn(frame_octets, SIZES_OCTETS)
        self.assertIn("udp", frame["frame.protocols"])
        self.assertTrue(frame["frame.protocols"].endswith(":echo"), frame["frame.protocols"])
        self.assertEqual(frame["_ws.malformed"], "")
        self.assertEqual(frame["eth.fcs.status"], GOOD)
        self.assertEqual(frame["ip.checksum.status"], GOOD)
        self.assertEqual(int(frame["ip.len"]), frame_octets - ETHERNET_OCTETS)
        self.assertEqual(int(frame["ip.ttl"]), TTL)
        self.assertEqual(int(frame["udp.srcport"]), SOURCE_PORT)
        self.assertEqual(int(frame["udp.dstport"]), ECHO_PORT)
        self.assertEqual(int(frame["udp.length"]), frame_octets - ETHERNET_OCTETS - IP_OCTETS)
        self.assertEqual(int(frame["udp.checksum"], 16), 0, "C.2.6.4 has no UDP checksum")
        self.check_payload(bytes.fromhex(frame["udp.payload"].replace(":", "")), frame_octets)

    def check_payload(self, payload, frame_octets):
        self.assertEqual(len(payload), frame_octets - ETHERNET_OCTETS - IP_OCTETS - UDP_OCTETS)
        counting, signature = payload[:-SIGNATURE_OCTETS], payload[-SIGNATURE_OCTETS:]
        self.assertEqual(counting, bytes(n % 256 for n in range(len(counting))))
        self.assertEqual(signature[:2], b"\xf9\xa6")
        self.assertEqual(int.from_bytes(signature[16:], "big") & 0x3FFF, frame_octets)

    def test_captured_frames_are_udp_echo_with_right_lengths_and_checksums(self):
        self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = {list(SIZES_OCTETS)}; trial_duration = "10us";'],
            dut=f'model = "wire"; latency_ns = {LATENCY_NS};', device='capture = "line.pcapng";'))
        lines = collections.defaultdict(list)
        for frame in self.decode(self.path("line.pcapng")):
            self.check_frame(frame)
            lines[frame["frame.interface_name"]].append(frame)

        self.assertEqual(sorted(lines), ["port0-rx", "port0-tx", "port1-rx", "port1-tx"])
        for sent, received in (("port0-tx", "port1-rx"), ("port1-tx", "port0-rx")):
            self.assertEqual({int(frame["frame.len"]) for frame in lines[sent]}, set(SIZES_OCTETS))
            self.check_wire(lines[sent], lines[received])

    def test_frames_with_each_extension_header_of_ipv6_are_well_formed(self):
        """With fixed and with mixed lengths, and with a tag: the device makes lengths and checksum."""
        draw = random.Random(SEED)
        for frame, (headers, least) in EXTENSIONS.items():
            sizes = [draw.randint(least + 4, 1518) for _ in range(3)]
            vlan = draw.choice(("", f"vlan = {draw.randint(0, 4094)};"))
            with self.subTest(frame=frame, sizes=sizes, vlan=vlan):
                self.run_plan(plan_text([f'test = "throughput"; trial_duration = "2us"; traffic = {{ frame = "{frame}"; '
                                         f"sizes = {sizes}; {vlan} }};"], dut='model = "wire";', device='capture = "line.pcapng";'))
                frames = self.decode(self.path("line.pcapng"), EXTENSION_FIELDS)
                self.assertEqual({int(frame["frame.len"]) for frame in frames}, set(sizes))
                for one in frames:
                    self.assertEqual((one["eth.fcs.status"], one["udp.checksum.status"], one["_ws.malformed"]), (GOOD, GOOD, ""))
                    self.assertIn(":ipv6:" + (headers + ":" if headers else "") + "udp", self.without_data(one["frame.protocols"]))
                    self.assertEqual(int(one["ipv6.plen"]), int(one["frame.len"]) - ETHERNET_OCTETS - 40 - (4 if vlan else 0))

    @staticmethod
    def without_data(protocols):
        return protocols.replace(":data", "")

    def check_wire(self, sent, received):
        """What went in comes out, in order and unchanged, after the latency (tshark truncates timestamps to whole
        nanoseconds)."""
        self.assertEqual([frame["udp.payload"] for frame in sent], [frame["udp.payload"] for frame in received])
        for before, after in zip(sent, received):
            self.assertLessEqual(abs(time_ns(after) - time_ns(before) - LATENCY_NS), 1)


def time_ns(frame):
    seconds, _, fraction = frame["frame.time_epoch"].partition(".")
    return int(seconds) * 10**9 + int(fraction.ljust(9, "0"))


if __name__ == "__main__":
    main()
