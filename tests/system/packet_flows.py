# SPDX-License-Identifier: Apache-2.0
"""Flows of the transmitter from headers, as a host makes them: where lengths and checksums stand, and the constants of the
checksums (docs/hardware-core.md, Contents of frames)."""

import struct

FCS, SIGNATURE = 4, 18
UDP, TCP, ICMP, ICMPV6, NO_NEXT = 17, 6, 1, 58, 59
INCREMENT, LIST, DRAW = 1, 2, 3
IN_CHECKSUM1, IN_CHECKSUM2 = 1 << 16, 1 << 17


def ones_sum(octets):
    """RFC 1071; an odd octet at the end is the high half of a word."""
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets[:len(octets) & ~1]))
    if len(octets) % 2:
        total += octets[-1] << 8
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def ones_minus(first, second):
    total = first + (~second & 0xFFFF)
    return (total & 0xFFFF) + (total >> 16)


def ethernet(*tags):
    """Tags: (TPID, TCI)."""
    return bytes.fromhex("020000000101" "020000000000") + b"".join(struct.pack(">HH", *tag) for tag in tags)


class Flow:
    """What is written of one flow. The headers hold 0 wherever something is put."""

    def __init__(self, name, frame, ethertype, network, transport=b"", protocol=None):
        self.name, self.protocol = name, protocol
        self.l3 = len(frame) + 2
        self.l4 = self.l3 + len(network)
        self.octets = frame + struct.pack(">H", ethertype) + network + transport
        self.payload = len(self.octets)
        self.ipv4, self.ipv6 = ethertype == 0x0800, ethertype == 0x86DD
        self.length1 = self.length2 = self.checksum1 = self.checksum2 = 0
        self.fields = []
        image = -(-max(len(self.octets), 64) // 64) * 64
        self.image = self.octets + bytes(range(image - self.payload))
        self.least_octets = max(64, image if protocol in (UDP, TCP, ICMP, ICMPV6) else self.payload) + FCS + SIGNATURE
        self.add_lengths()
        self.add_checksums()

    def add_lengths(self):
        if self.ipv4:
            self.length1 = length_field(self.l3 + 2, self.l3 + FCS)
        if self.ipv6:
            self.length1 = length_field(self.l3 + 4, self.l3 + 40 + FCS)
        if self.protocol in (UDP, TCP, ICMP, ICMPV6):
            self.length2 = length_field(self.l4 + 4, self.l4 + FCS, self.protocol == UDP)

    def add_checksums(self):
        if self.ipv4:
            self.checksum1 = ones_sum(self.image[self.l3:self.l4]) << 16 | 1 << 15 | self.l3 + 10
        at = {UDP: 6, TCP: 16, ICMP: 2, ICMPV6: 2}.get(self.protocol)
        if at is None:
            return
        pseudo = b""
        if self.protocol != ICMP:
            addresses = self.l3 + (12 if self.ipv4 else 8)
            pseudo = self.octets[addresses:addresses + (8 if self.ipv4 else 32)] + bytes((0, self.protocol))
        # All of header and body counts, but not what the device adds for the payload that they replace.
        there = ones_sum(pseudo + self.image[self.l4:])
        replaced = ones_sum(bytes(range(len(self.image) - self.payload)))
        times = (self.protocol != ICMP) + (self.protocol == UDP)
        self.checksum2 = (ones_minus(there, replaced) << 16 | 1 << 15 | (self.protocol == UDP) << 14 | times << 12
                          | self.l4 + at)

    def vary(self, octet, kind, mask, start=0, step=0, count=1 << 24, sums=0):
        """Another field; sums: IN_CHECKSUM1, IN_CHECKSUM2."""
        there = int.from_bytes(self.image[octet:octet + 4], "big")
        assert there & mask == 0, f"{self.name}: octet {octet} is not 0"
        self.fields.append((kind | octet << 8 | sums, start, step, mask, count))
        return self

    def write(self, device, index):
        device.write("tx_flow_index", index)
        for word in range(16):
            device.write("tx_header", little(self.image, 4 * word), word)
        first_entry = 2 * index
        device.write("tx_flow_body", len(self.image) // 64 - 1 << 16 | first_entry)
        for at in range(64, len(self.image), 4):
            device.write("tx_body_index", first_entry + at // 64 - 1)
            device.write("tx_body", little(self.image, at), at // 4 % 16)
        for name in ("payload", "length1", "length2", "checksum1", "checksum2"):
            device.write(f"tx_flow_{name}", getattr(self, name))
        for n in range(4):
            kind, *values = self.fields[n] if n < len(self.fields) else (0, 0, 0, 0, 1)
            device.write("tx_field_index", 4 * index + n)
            for name, value in zip(("start", "step", "mask", "count"), values):
                device.write(f"tx_field_{name}", value)
            device.write("tx_field_kind", kind)


def length_field(octet, base, used=True):
    return used << 31 | base << 16 | octet


def little(octets, at):
    return int.from_bytes(octets[at:at + 4], "little")
