# SPDX-License-Identifier: Apache-2.0
"""What two simulated switches with an uplink between them do with the frames of RFC 2889 section 5.3, from docs/dut-models.md, apart from
their code: frame by frame, and in closed form. The addresses are known, so nothing is flooded."""

import math
from collections import deque
from dataclasses import dataclass
from fractions import Fraction

from switch_truth import LINK_BPS, starts, up


@dataclass
class TwoSwitches:
    ports: int
    first: int
    octets: int
    uplink: Fraction  # its rate over that of a port
    buffer: int
    latency_ns: int = 0
    gap_octets: int = 12
    local: bool = False  # true: ports send to those at their own switch too

    def plan(self):
        """The inside of dut = { }."""
        return (f'model = "two_switches"; first_ports = {self.first}; uplink_bps = "{float(self.uplink * 100):.10g}%"; '
                f"buffer_frames = {self.buffer}; latency_ns = {self.latency_ns}; gap_octets = {self.gap_octets};")

    def at_first(self, port):
        return port < self.first

    def peers(self, port):
        """To which a port sends, in turn: to the others from the next one on, or to those of the other switch, each port beginning one
        further than the one before it."""
        if self.local:
            return [(port + i) % self.ports for i in range(1, self.ports)]
        there, begin, turn = ((self.ports - self.first, self.first, port) if self.at_first(port) else
                              (self.first, 0, port - self.first))
        return [begin + (turn + i) % there for i in range(there)]

    def decided(self, whole):
        """When a frame is decided on that has come in whole by then."""
        return whole + math.ceil(Fraction(self.latency_ns * LINK_BPS, 8 * 10**9))

    # -- closed forms: loads are parts of line rate at each port, rates frames of a port at line rate ---------------------------------

    def across(self, from_first):
        """Frames on the uplink in one direction, if each port sends one."""
        return sum(Fraction(sum(self.at_first(peer) != from_first for peer in self.peers(port)), len(self.peers(port)))
                   for port in range(self.ports) if self.at_first(port) == from_first)

    def arriving(self, to):
        return sum(Fraction(1, len(self.peers(port))) for port in range(self.ports) if to in self.peers(port))

    def throughput(self):
        """The highest load that neither the uplink nor an output line loses anything of."""
        line = Fraction(self.octets + 20, max(self.octets + 8 + self.gap_octets, self.octets + 20))
        return min([Fraction(1)] + [self.uplink / self.across(side) for side in (True, False)] +
                   [line / self.arriving(to) for to in range(self.ports) if self.arriving(to)])

    def forwarded(self, load):
        """(local, remote) frames that arrive, where no output line is offered more than it passes."""
        remote = [self.across(side) for side in (True, False)]
        return load * (self.ports - sum(remote)), sum(min(self.uplink, load * crossing) for crossing in remote)

    def held_octet_times(self):
        """The longest that a frame can be inside: it comes last to a full queue of the uplink, then to a full queue of its output."""
        return ((self.buffer + 1) * ((self.octets + 20) / self.uplink + self.octets + 8 + self.gap_octets) +
                2 * self.decided(self.octets + 8))

    # -- frame by frame ------------------------------------------------------------------------------------------------------------

    def play(self, frames):
        """frames: how many each port sends at line rate, all from the same time on. Returns (start, from, to, start at the output or None
        if it was lost) of each."""
        sent = [(start, port, self.peers(port)[n % len(self.peers(port))]) for port in range(self.ports)
                for n, start in enumerate(starts(self.octets, frames[port]))]
        sent.sort()
        ready = []  # (decided on at the switch of its output, uplink last, number in sent)
        for from_first in (True, False):
            uplink = Queue(self.buffer)
            for number, (start, port, to) in enumerate(sent):
                if self.at_first(port) != from_first:
                    continue
                now = self.decided(start + 8 + self.octets)
                if self.at_first(to) == from_first:
                    ready.append((now, False, number))
                elif uplink.admits(now):
                    begin = max(now, uplink.free)
                    whole = math.ceil(begin + (8 + self.octets) / self.uplink)
                    uplink.took(begin + (20 + self.octets) / self.uplink, whole)
                    ready.append((self.decided(whole), True, number))
        ready.sort()
        left, outputs = [None] * len(sent), [Queue(self.buffer) for _ in range(self.ports)]
        for now, _, number in ready:
            output = outputs[sent[number][2]]
            if output.admits(now):
                left[number] = max(up(now), output.free // 8 * 8)
                output.took(max(left[number], output.free) + 8 + self.octets + self.gap_octets, left[number] + 8 + self.octets)
        return [(*frame, start) for frame, start in zip(sent, left)]


class Queue:
    """Room for so many frames, until each has left."""

    def __init__(self, frames):
        self.frames, self.inside, self.free = frames, deque(), 0

    def admits(self, now):
        while self.inside and self.inside[0] <= now:
            self.inside.popleft()
        return len(self.inside) < self.frames

    def took(self, free, left):
        self.free = free
        self.inside.append(left)
