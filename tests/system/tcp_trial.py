# SPDX-License-Identifier: Apache-2.0
"""Connections between two ports of a simulation library and sockets of Linux, from their opening until all are closed: port 0 by IPv4,
port 1 by IPv6."""

import time
from dataclasses import dataclass

from fpgauge_system import IN_VAIN_S
from tcp_device import End, TcpPort
from tcp_peer import TcpPeer

TESTER = (End("02:46:47:00:00:00", "198.18.1.2", 10000), End("02:46:47:01:00:00", "2001:2:0:1::2", 20000))
LINUX = (End("02:00:00:00:00:01", "198.18.1.1", 30000), End("02:00:00:00:00:02", "2001:2:0:1::1", 40000))
PREFIXES = (24, 64)
# The tester's own faults, by its counters.
FAULTS = ("rx_tcp_bad_frames", "tcp_lost_connections", "tx_late_frames", "rx_bad_fcs_frames")
POLL_S = 0.02


@dataclass
class Connection:
    """What a connection is to do, and what the tester has counted of it when it is closed."""
    port: int
    number: int
    linux_connects: bool
    linux_closes_first: bool
    iss: int  # the tester's first sequence number
    to_linux: int = 0  # octets
    to_tester: int = 0
    delivered: int = 0  # octets of those to the tester, in order
    acknowledged: int = 0  # octets of those to Linux, modulo 2^32


class Trial:
    def __init__(self, device, connections, link_bps, **settings):
        """settings: those of TcpPort.set_up()."""
        self.device, self.connections, self.link_bps = device, connections, link_bps
        self.ports = [TcpPort(device, port, TESTER[port], LINUX[port], link_bps) for port in (0, 1)]
        for port in self.ports:
            port.set_up(1 + max([c.number for c in connections if c.port == port.port], default=0), **settings)
        self.peers = [self.peer(c) for c in connections]
        self.told_to_close = []
        self.faults = []
        self.sent_again, self.dropped = [], []  # segments, by port

    @staticmethod
    def peer(c):
        own, other = LINUX[c.port], TESTER[c.port]
        return TcpPeer((own.address, own.first_port + c.number), (other.address, other.first_port + c.number), c.linux_connects,
                       c.to_tester, c.iss + 1, c.linux_closes_first)

    def play(self, watch=lambda: None):
        """watch: called again and again meanwhile."""
        for c in self.connections:
            self.ports[c.port].open(c.number, c.linux_connects, c.iss, c.to_linux)
        self.device.strobe("start")
        for peer in self.peers:
            peer.start()
        end = time.monotonic() + IN_VAIN_S
        left = list(self.connections)
        while (left or any(peer.is_alive() for peer in self.peers)) and not any(peer.wrong for peer in self.peers):
            assert time.monotonic() < end, f"waited in vain for {left}"
            self.device.wait(int(POLL_S * self.link_bps / 8))
            watch()
            left = [c for c in left if not self.is_over(c)]
        self.device.strobe("stop")
        self.count()

    def is_over(self, c):
        """As host/trial has it: in TIME-WAIT both have said that they have no more, and both have heard it."""
        port = self.ports[c.port]
        state = port.state(c.number)
        if c not in self.told_to_close and (state == "CLOSE-WAIT" or (state == "ESTABLISHED" and not c.linux_closes_first)):
            port.close(c.number)  # FIN leaves behind the last octet
            self.told_to_close.append(c)
        return state in ("CLOSED", "TIME-WAIT")

    def count(self):
        self.device.strobe("snapshot")
        for c in self.connections:
            c.delivered = self.ports[c.port].stream(c.number, "delivered")
            c.acknowledged = self.ports[c.port].look(c.number, "snd_una") - c.iss - 2 & 0xFFFFFFFF  # SYN and FIN are counted there
        self.faults = [f"port {port.port}: {name}" for port in self.ports for name in FAULTS if port.counter(name)]
        self.sent_again = [port.counter("tcp_sent_again_segments") for port in self.ports]
        self.dropped = [port.counter("tcp_dropped_segments") for port in self.ports]

    def lost(self):
        """What makes a trial of the host invalid (host/trial/judging/tcp.c), and is no more than a loss for TCP; None: nothing was."""
        if not any(self.dropped):
            return None
        return f"the tester lost {self.dropped} segments that had arrived, because 64 others waited"
