# SPDX-License-Identifier: Apache-2.0
"""What the simulated switch does with frames that come in at known times, computed frame by frame from docs/dut-models.md, apart from
its code: which of them are lost in its queues, and when the others leave. The addresses are known, so nothing is flooded."""

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction

LINK_BPS = 100_000_000_000


def up(value):
    """To the next group of 8 octets, where frames start."""
    return -(-value // 8) * 8


def starts(octets, count, share=Fraction(1)):
    """When a port's frames start, in octet times from the first: at that share of line rate, rounded down to a group."""
    return [math.floor(n * (octets + 20) / share) // 8 * 8 for n in range(count)]


@dataclass
class Switch:
    octets: int
    buffer: int
    shared: bool = False
    alpha: Fraction = None
    cell_octets: int = None
    latency_ns: int = 0
    gap_octets: int = 12
    blocking: bool = False  # head-of-line: queues where frames come in

    def plan(self):
        """The inside of dut = { }."""
        text = f'model = "switch"; latency_ns = {self.latency_ns}; gap_octets = {self.gap_octets}; '
        text += f'{"shared_" if self.shared else ""}buffer_frames = {self.buffer}; '
        text += f"alpha = {float(self.alpha)}; " if self.alpha else ""
        text += f"cell_octets = {self.cell_octets}; " if self.cell_octets else ""
        return text + ("head_of_line_blocking = true; " if self.blocking else "")

    def cost(self):
        return -(-self.octets // self.cell_octets) if self.cell_octets else 1

    def decided(self, start):
        return start + 8 + self.octets + math.ceil(Fraction(self.latency_ns * LINK_BPS, 8 * 10**9))

    def queue_frames(self):
        """How many frames one queue can hold alone: with alpha it may begin one more while below alpha times what is free."""
        most = self.buffer // self.cost()
        if not self.alpha:
            return most
        held = 0
        while held < most and held * self.cost() < self.alpha * (self.buffer - held * self.cost()):
            held += 1
        return held

    def play(self, frames):
        """frames: (start, from, to), in any order. Returns for each its start at the output, or None if it is lost."""
        order = sorted(range(len(frames)), key=lambda i: (frames[i][0], frames[i][1]))
        return _Play(self, frames).run(order)


class _Play:
    def __init__(self, switch, frames):
        self.switch, self.frames = switch, frames
        self.used, self.total = {}, 0  # frames by queue; of all
        self.releases = []             # (time, queue)
        self.line = {}                 # the state by output: the ideal start of its next frame
        self.left = [None] * len(frames)
        self.waiting, self.heads, self.began, self.last_free = {}, [], {}, {}

    def release(self, now):
        while self.releases and self.releases[0][0] <= now:
            _, queue = heapq.heappop(self.releases)
            self.used[queue] -= self.switch.cost()
            self.total -= self.switch.cost()

    def admit(self, queue, now):
        self.release(now)
        cost, own = self.switch.cost(), self.used.get(queue, 0)
        used = self.total if self.switch.shared else own
        if used + cost > self.switch.buffer:
            return False
        if self.switch.alpha and own >= self.switch.alpha * (self.switch.buffer - used):
            return False
        self.used[queue] = own + cost
        self.total += cost
        return True

    def place(self, frame, ready, queue):
        """On the output line. Frees the room when it has left, and all before it in its queue."""
        to, octets = self.frames[frame][2], self.switch.octets
        free = self.line.get(to, 0)
        start = max(up(ready), free // 8 * 8)
        self.line[to] = max(start, free) + octets + 8 + self.switch.gap_octets
        self.left[frame] = start
        self.last_free[queue] = max(self.last_free.get(queue, 0), start + 8 + octets)
        heapq.heappush(self.releases, (self.last_free[queue], queue))
        return start

    def run_heads(self, until):
        """Heads of queues up to that time, in order, of equal ones those from lower ports first."""
        while self.heads and self.heads[0][0] <= until:
            now, source = heapq.heappop(self.heads)
            queue = self.waiting[source]
            began = self.place(queue.pop(0)[1], now, source)
            if queue:
                heapq.heappush(self.heads, (max(queue[0][0], began), source))
            self.began[source] = began

    def run(self, order):
        for frame in order:
            start, source, to = self.frames[frame]
            now = self.switch.decided(start)
            if not self.switch.blocking:
                if self.admit(to, now):
                    self.place(frame, now, to)
                continue
            self.run_heads(now - 1)
            if not self.admit(source, now):
                continue
            queue = self.waiting.setdefault(source, [])
            queue.append((now, frame))
            if len(queue) == 1:
                heapq.heappush(self.heads, (max(now, self.began.get(source, 0)), source))
        self.run_heads(math.inf)
        return self.left
