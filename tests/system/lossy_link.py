# SPDX-License-Identifier: Apache-2.0
"""A link between a TAP of the tester and one of Linux' own that loses, doubles and reorders frames both ways, and knows what it has done:
what netem does, which not every kernel has."""

import fcntl
import os
import random
import select
import socket
import struct
import threading
import time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
ETH_P_ALL, PACKET_OUTGOING = 3, 4
MOST_OCTETS = 1 << 14
MOST_HELD_S = 0.05  # delay of a frame that no other one overtakes
LOOK_S = 0.01


class LossyLink(threading.Thread):
    """tester: the TAP of a port, which has no address. linux: name of a TAP that it makes, in the namespace of the caller; it is there
    until stop(). loss, doubling, reordering: probabilities of a frame. A reordered one waits until 1 to 8 others have overtaken it."""

    def __init__(self, tester, linux, seed, loss, doubling, reordering):
        super().__init__(daemon=True)
        self.random = random.Random(seed)
        self.loss, self.doubling, self.reordering = loss, doubling, reordering
        self.lost, self.doubled, self.reordered = ([0, 0] for _ in range(3))  # frames to Linux, to the tester
        self.held = ([], [])  # each: frames that are still to overtake it, until when it waits, the frame
        self.has_ended = threading.Event()
        self.packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.packets.bind((tester, ETH_P_ALL))
        self.tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(self.tap, TUNSETIFF, struct.pack("16sH22x", linux.encode(), IFF_TAP | IFF_NO_PI))

    def stop(self):
        self.has_ended.set()
        self.join()
        self.packets.close()
        os.close(self.tap)

    def run(self):
        while not self.has_ended.is_set():
            ready, _, _ = select.select((self.packets, self.tap), (), (), LOOK_S)
            if self.packets in ready:
                frame, (_, _, kind, _, _) = self.packets.recvfrom(MOST_OCTETS)
                if kind != PACKET_OUTGOING:
                    self.pass_on(0, frame)
            if self.tap in ready:
                self.pass_on(1, os.read(self.tap, MOST_OCTETS))
            self.release_overdue()

    def put(self, way, frame):
        if way == 0:
            os.write(self.tap, frame)
        else:
            self.packets.send(frame)

    def pass_on(self, way, frame):
        if self.random.random() < self.loss:
            self.lost[way] += 1
            return
        if self.random.random() < self.reordering:
            self.reordered[way] += 1
            self.held[way].append([self.random.randint(1, 8), time.monotonic() + MOST_HELD_S, frame])
            return
        self.put(way, frame)
        if self.random.random() < self.doubling:
            self.doubled[way] += 1
            self.put(way, frame)
        for one in self.held[way]:
            one[0] -= 1
        self.release(way, lambda one: one[0] <= 0)

    def release_overdue(self):
        now = time.monotonic()
        for way in (0, 1):
            self.release(way, lambda one: one[1] < now)

    def release(self, way, is_due):
        for one in [one for one in self.held[way] if is_due(one)]:
            self.held[way].remove(one)
            self.put(way, one[2])
