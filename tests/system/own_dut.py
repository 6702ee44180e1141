# SPDX-License-Identifier: Apache-2.0
"""What docs/your-own-dut.md says of a MAC and of the example switch, computed clock by clock with exact fractions. Nothing here
is taken from the code of the simulation."""

import os
from fractions import Fraction
from math import gcd, lcm

from fpgauge_system import LINK_BPS, ROOT

SWITCH = [os.path.join(ROOT, "docs", "examples", "dut", name) for name in ("switch.v", "switch_input.v", "switch_table.v")]
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dut")
FCS = 4
SWITCH_CLOCKS = 4  # clocks from the last beat of a frame in to its first beat out


class Clock:
    """Edge k is at k * step octet times."""

    def __init__(self, hertz, link_bps=LINK_BPS):
        self.step = Fraction(link_bps, 8) / Fraction(hertz)

    def first(self, time):
        """The first edge at a time or after it."""
        return -(-time // self.step)

    def time(self, edge):
        return edge * self.step


def last_beat(clock, start, octets, width):
    """The edge at which the device takes the last beat of a lone frame that starts at this time: data is there at the end of
    its group of 8; a beat that is not the last waits for an octet more, and 4 are kept back, which may be the FCS."""
    beat, data = width // 8, octets - FCS
    end = start + 8 + 8 * (octets // 8 + 1)  # end of the group with the terminate character
    given, valid, edge = 0, False, clock.first(start)
    while True:
        now = clock.time(edge)
        if valid and given == data:
            return edge
        there = data if now >= end else max(0, min(octets, (now - start - 8) // 8 * 8) - FCS)
        more = there - given
        if more > beat or (now >= end and more > 0):
            given += min(beat, more)
            valid = True
        else:
            valid = False
        edge += 1


def switch_latency(clock, start, octets, width):
    """First octet in to first octet out, of a lone frame."""
    out = clock.time(last_beat(clock, start, octets, width) + SWITCH_CLOCKS)
    return -(-out // 8) * 8 - start


def latencies_of_phases(clock, octets, width, period):
    """(least, greatest) of frames that start every `period` octet times, a multiple of 8, for each way in which that can fall
    on the clock."""
    whole = lcm(8, clock.step.numerator)  # all is as before after this time
    of_start = [switch_latency(clock, start, octets, width) for start in range(0, whole, 8)]
    count, step = len(of_start), gcd(period // 8, len(of_start))
    return {(min(of_start[first:count:step]), max(of_start[first:count:step])) for first in range(step)}


def longest_burst(clock, phase, queue_frames, forward_clocks):
    """Frames of 64 octets, one beat each, at the minimum gap into the switch: how many pass before the first is lost. A frame
    is in the queue from the clock after its beat, and is no longer counted from the clock after it has left."""
    grants, count = [], 0
    while True:
        edge = last_beat(clock, phase + count * 84 // 8 * 8, 64, 512)
        held = sum(1 for grant in grants if grant + 1 >= edge)
        if held >= queue_frames:
            return count
        grants.append(max(edge + 2, grants[-1] + max(forward_clocks, 2)) if grants else edge + 2)
        count += 1
