# SPDX-License-Identifier: Apache-2.0
"""A socket of Linux at the other end of a connection of the tester."""

import socket
import struct
import threading
import time

from fpgauge_system import IN_VAIN_S

CHUNK_OCTETS = 1 << 16
COUNTING = bytes(range(256)) * (CHUNK_OCTETS // 256 + 1)
TCP_WINDOW_CLAMP = 10
# Octets. The tester keeps 64 segments that wait. Where it was late and then sends close together, Linux' acknowledgements come back close
# together too: from a window of so many octets they are not many more than that, one to every two segments.
WINDOW = 1 << 17
# Places in struct tcp_info of linux/tcp.h.
TOTAL_RETRANS = ("=I", 100)
BYTES_ACKED = ("=Q", 120)
BYTES_RECEIVED = ("=Q", 128)


class TcpPeer(threading.Thread):
    """Connects to the tester or waits for it, sends so many octets that count up, and receives until the tester has no more. closes_first:
    FIN goes behind the last octet; else only once the tester's has come. What it finds is in `wrong`, None if that is nothing."""

    def __init__(self, own, other, connects, octets, first, closes_first):
        """own, other: address and port. first: what the tester's first octet must be."""
        super().__init__(daemon=True)
        self.other, self.connects, self.octets, self.first, self.closes_first = other, connects, octets, first, closes_first
        self.received, self.wrong, self.retransmitted, self.acknowledged = 0, None, None, None
        self.is_open, self.has_heard_fin = threading.Event(), threading.Event()
        self.socket = socket.socket(socket.AF_INET6 if ":" in own[0] else socket.AF_INET)
        self.socket.settimeout(IN_VAIN_S)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.setsockopt(socket.IPPROTO_TCP, TCP_WINDOW_CLAMP, WINDOW)
        self.socket.bind(own)
        if not connects:
            self.socket.listen(1)

    def run(self):
        try:
            self.begin()
            self.is_open.set()
            sender = threading.Thread(target=self.send, daemon=True)
            sender.start()
            self.receive()
            self.has_heard_fin.set()
            sender.join()
            self.wait_for_acknowledgement()
        except (OSError, AssertionError) as error:
            self.wrong = self.wrong or repr(error)
        self.socket.close()

    def begin(self):
        if self.connects:
            self.socket.connect(self.other)
            return
        listening = self.socket
        self.socket, _ = listening.accept()
        self.socket.settimeout(IN_VAIN_S)
        listening.close()

    def send(self):
        try:
            left = self.octets
            while left:
                left -= self.socket.send(memoryview(COUNTING)[:min(left, CHUNK_OCTETS)])
            if not self.closes_first:
                self.has_heard_fin.wait(IN_VAIN_S)
            self.socket.shutdown(socket.SHUT_WR)
        except OSError as error:
            self.wrong = repr(error)

    def receive(self):
        while octets := self.socket.recv(CHUNK_OCTETS):
            at = (self.first + self.received) % 256
            if octets != COUNTING[at:at + len(octets)]:
                raise AssertionError(f"wrong octets among those from {self.received} on")
            self.received += len(octets)

    def info(self, field):
        form, at = field
        return struct.unpack_from(form, self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256), at)[0]

    def received_octets(self):
        """Which the program may not have read yet."""
        return self.info(BYTES_RECEIVED)

    def acknowledged_octets(self):
        """Linux counts its SYN too if it connects, and FIN."""
        return self.info(BYTES_ACKED) - self.connects

    def wait_for_acknowledgement(self):
        end = time.monotonic() + IN_VAIN_S
        while self.acknowledged_octets() <= self.octets and time.monotonic() < end:
            time.sleep(0.01)
        self.acknowledged = self.acknowledged_octets() - 1
        self.retransmitted = self.info(TOTAL_RETRANS)
