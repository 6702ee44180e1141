# SPDX-License-Identifier: Apache-2.0
"""What a FIFO really does with repeated bursts, frame by frame, in exact integers; and the gap that follows in closed form.

Written from the definition of the model (docs/dut-models.md), not from the simulator; fifo_truth.py says what it is. Frame n
of burst k is due on the line at k T + n L octet times, L the frame with preamble and the minimum gap of 12, and starts on the
group of 8 octets in which that is.
"""

import collections
import fractions
import math

from fifo_truth import GROUP_OCTETS, OVERHEAD_OCTETS

MIN_GAP_OCTETS = 12


def burst_octets(burst_frames, frame_octets):
    return burst_frames * (frame_octets + OVERHEAD_OCTETS)


def period_octets(burst_frames, frame_octets, gap_octets):
    """From one burst to the next."""
    return burst_octets(burst_frames, frame_octets) + gap_octets - MIN_GAP_OCTETS


def bursts_in(burst_frames, frame_octets, gap_octets, duration_ot):
    """Whole bursts of a trial, at least two."""
    return max(2, -(-duration_ot // period_octets(burst_frames, frame_octets, gap_octets)))


def frames_lost(buffer_frames, service_ot, frame_octets, burst_frames, gap_octets, bursts):
    """How many frames are lost. service_ot: octet times for a frame, a Fraction.

    Played frame by frame until the state at the beginning of a burst was seen before; from there on, every cycle loses what
    the first one did. The state is where the burst begins in a group, how many frames the buffer holds, and when the last of
    them ends: those before it follow one another without a pause."""
    service_ot = fractions.Fraction(service_ot)
    unit, service = service_ot.denominator, service_ot.numerator
    period, spacing = period_octets(burst_frames, frame_octets, gap_octets), frame_octets + OVERHEAD_OCTETS
    ends, end, lost, k, seen = collections.deque(), 0, 0, 0, {}
    while k < bursts:
        due = k * period
        now = due // GROUP_OCTETS * GROUP_OCTETS * unit
        while ends and ends[0] <= now:
            ends.popleft()
        if seen is not None:
            state = due % GROUP_OCTETS, len(ends), ends[-1] - now if ends else 0
            if state in seen:
                before, lost_before = seen[state]
                cycles, seen = (bursts - k) // (k - before), None
                lost += cycles * (lost - lost_before)
                shift = cycles * (k - before)
                ends = collections.deque(each + shift * period * unit for each in ends)
                end = ends[-1] if ends else 0
                k += shift
                continue
            seen[state] = k, lost
        for n in range(burst_frames):
            arrival = (due + n * spacing) // GROUP_OCTETS * GROUP_OCTETS * unit
            while ends and ends[0] <= arrival:
                ends.popleft()
            if len(ends) == buffer_frames:
                lost += 1
            else:
                end = max(end, arrival) + service
                ends.append(end)
        k += 1
    return lost


def least_gap(buffer_frames, service_ot, frame_octets, burst_frames):
    """The smallest gap at which nothing is lost, however many bursts there are; None: none is enough. Starts are taken as if
    they were not rounded down to groups of 8 octets.

    With N frames in a burst, S for a frame in the server and L on the line, S > L: while a burst comes every T >= N S, the
    server is done with one when the next begins, and each is like the first. Its frame n finds n - floor(n L / S) frames
    before it (of those that arrived, the server has finished so many), and is lost if these are all that the buffer holds. If
    bursts come every T < N S, the server never catches up, and any buffer overflows. So it is T = N S, or none."""
    spacing = frame_octets + OVERHEAD_OCTETS
    if service_ot <= spacing:
        return MIN_GAP_OCTETS
    last = burst_frames - 1
    if last - math.floor(last * spacing / fractions.Fraction(service_ot)) >= buffer_frames:
        return None
    return MIN_GAP_OCTETS + math.ceil(burst_frames * (service_ot - spacing))


def absorbed_gap(buffer_frames, service_ot, burst_frames, bursts):
    """By how much a gap may be shorter than least_gap() if there are only so many bursts: the work left over, less than
    (B + 1) S, has grown by as much with each."""
    return math.ceil((buffer_frames + 1) * fractions.Fraction(service_ot) / (bursts - 1))
