# SPDX-License-Identifier: Apache-2.0
"""The TCP connections of a port of a simulation library, through its registers (docs/tcp.md)."""

import socket
import struct
from dataclasses import dataclass

STATES = ("CLOSED", "LISTEN", "SYN-SENT", "SYN-RECEIVED", "ESTABLISHED", "FIN-WAIT-1", "FIN-WAIT-2", "CLOSE-WAIT", "CLOSING", "LAST-ACK",
          "TIME-WAIT")  # names in the order of tcp_look_state
WORD_BITS = 512
TICK_WORDS = 256
PROTOCOL_TCP = 6
ETHERNET_OCTETS, TCP_OCTETS = 14, 20
HEADER_OCTETS = 64  # tx_header, and as many in a body
OPENS, IS_PASSIVE = 1 << 8, 1 << 9  # tcp_command
POLLS = 100


@dataclass
class End:
    """Who is at an end of a line."""
    mac: str
    address: str
    first_port: int  # port of connection 0

    @property
    def family(self):
        return socket.AF_INET6 if ":" in self.address else socket.AF_INET

    @property
    def mac_octets(self):
        return bytes.fromhex(self.mac.replace(":", ""))

    @property
    def octets(self):
        return socket.inet_pton(self.family, self.address)


def ones_sum(octets):
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


class TcpPort:
    """A port with connections from `own` to `other`, one for each number from their first ports on."""

    def __init__(self, device, port, own, other, link_bps):
        self.device, self.port, self.own, self.other, self.link_bps = device, port, own, other, link_bps
        self.is_ipv6 = own.family == socket.AF_INET6
        self.l4 = ETHERNET_OCTETS + (40 if self.is_ipv6 else 20)

    def write(self, name, value, word=0):
        self.device.write(name, value, word, self.port)

    def ticks(self, seconds):
        return max(1, round(seconds * self.link_bps / (TICK_WORDS * WORD_BITS)))

    def set_up(self, connections, mss=1460, window=1 << 18, rto_s=0.4):
        """mss and window: octets. rto_s: least timeout."""
        rto = self.ticks(rto_s)
        for name, value in (("tx_enable", 1), ("tx_gap_octets", 12), ("tx_gap_numerator", 0), ("tx_gap_denominator", 1), ("tx_flows", 0),
                            ("tx_duration", 0), ("rx_max_frame_octets", 1518), ("tcp_enable", 1), ("tcp_flow", 0),
                            ("tcp_port", self.own.first_port), ("tcp_header_octets", self.l4 + TCP_OCTETS), ("tcp_mss", mss),
                            ("tcp_window", window), ("tcp_use_scale", 1), ("tcp_scale", 4),
                            ("tcp_initial_segments", 10), ("tcp_ack_every", 2), ("tcp_retries", 0), ("tcp_ack_delay", self.ticks(0.04)), ("tcp_granularity", 1), ("tcp_rto_initial", self.ticks(1)),
                            ("tcp_rto_min", rto), ("tcp_rto_max", self.ticks(60)), ("tcp_rto_after_syn", self.ticks(1)),
                            ("tcp_time_wait", self.ticks(60))):
            self.write(name, value)
        assert self.device.read("tcp_connections", self.port) >= connections
        for connection in range(connections):
            self.write_flow(connection)

    def headers(self, connection):
        """Zeros wherever the device writes: lengths, checksums, all of TCP but the ports."""
        if self.is_ipv6:
            network = struct.pack(">IHBB", 6 << 28, 0, PROTOCOL_TCP, 64)
        else:
            network = struct.pack(">BBHHHBBH", 0x45, 0, 0, 0, 0x4000, 64, PROTOCOL_TCP, 0)
        ports = struct.pack(">HH", self.own.first_port + connection, self.other.first_port + connection)
        return (self.other.mac_octets + self.own.mac_octets + (b"\x86\xdd" if self.is_ipv6 else b"\x08\x00") +
                network + self.own.octets + self.other.octets + ports)

    def write_flow(self, connection):
        header = self.headers(connection)
        octets = header.ljust(2 * HEADER_OCTETS, b"\0")
        self.write("tx_flow_index", connection)
        self.write("tx_body_index", connection)
        for name, half in (("tx_header", octets[:HEADER_OCTETS]), ("tx_body", octets[HEADER_OCTETS:])):
            for word, value in enumerate(struct.unpack("<16I", half)):
                self.write(name, value, word)
        l3, l4 = ETHERNET_OCTETS, self.l4
        # uncounted: octets that the length does not count, FCS included.
        length_at, uncounted = (l3 + 4, l3 + 44) if self.is_ipv6 else (l3 + 2, l3 + 4)
        pseudo = ones_sum(self.own.octets + self.other.octets + struct.pack(">HH", 0, PROTOCOL_TCP) + header[l4:])
        self.write("tx_flow_body", 1 << 16 | connection)
        self.write("tx_flow_length1", 1 << 31 | uncounted << 16 | length_at)
        self.write("tx_flow_checksum1", 0 if self.is_ipv6 else ones_sum(header[l3:l4]) << 16 | 1 << 15 | l3 + 10)
        self.write("tx_flow_length2", l4 + 4 << 16)
        self.write("tx_flow_checksum2", pseudo << 16 | 1 << 15 | 1 << 12 | l4 + 16)

    def command(self, value):
        self.write("tcp_command", value)
        for _ in range(POLLS):
            if not self.device.read("tcp_status", self.port):
                return
        raise AssertionError(f"port {self.port} does not take TCP commands")

    def open(self, connection, passive, iss, octets):
        self.write("tcp_iss", iss)
        self.write("tcp_octets", octets)
        self.command(connection | OPENS | (IS_PASSIVE if passive else 0))

    def close(self, connection):
        self.command(connection)

    def look(self, connection, what):
        self.write("tcp_look_index", connection)
        return self.device.read(f"tcp_look_{what}", self.port)

    def state(self, connection):
        return STATES[self.look(connection, "state") & 15]

    def stream(self, connection, what):
        """As the last snapshot has frozen it."""
        self.write("tcp_stream_index", connection)
        return self.device.read(f"tcp_stream_{what}", self.port)

    def counter(self, name):
        return self.device.counter(name, self.port)
