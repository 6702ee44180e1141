# SPDX-License-Identifier: Apache-2.0
"""What a FIFO really does with a stream of frames, frame by frame, in exact integers.

Written from the definition of the model, not from the simulator: a frame is in the buffer from the arrival of its last
octet to the end of its service, which takes exactly 1 / service_fps; a slot that is freed at the instant of an arrival
is available to it; a frame that finds no slot is lost. Frame n begins on the line at the ideal time, rounded down to a
group of 8 octets, and its first octet follows the 8 octets of preamble.
"""

import collections
import fractions
import math

OVERHEAD_OCTETS = 20  # preamble 8, gap 12
PREAMBLE_OCTETS = 8
GROUP_OCTETS = 8


def max_theoretical_fps(frame_octets, link_bps):
    return fractions.Fraction(link_bps, 8 * (frame_octets + OVERHEAD_OCTETS))


def first_lost(buffer_frames, service_fps, frame_octets, load_fps, frames, link_bps):
    """Index of the first of `frames` frames at load_fps that is lost, or None. Both rates are integers or Fractions.

    Times are octet times multiplied by the numerator of service_fps, which makes all of them integers."""
    load = fractions.Fraction(load_fps)
    octets_per_s = link_bps // 8
    unit = fractions.Fraction(service_fps).numerator
    service = octets_per_s * fractions.Fraction(service_fps).denominator
    ends = collections.deque()
    end = 0
    for n in range(frames):
        start = n * octets_per_s * load.denominator // load.numerator
        arrival = (start // GROUP_OCTETS * GROUP_OCTETS + PREAMBLE_OCTETS + frame_octets) * unit
        while ends and ends[0] <= arrival:
            ends.popleft()
        if len(ends) == buffer_frames:
            return n
        end = max(end, arrival) + service
        ends.append(end)
    return None


def frames_lost(buffer_frames, service_fps, frame_octets, load_fps, frames, link_bps):
    """How many of `frames` frames at load_fps are lost. Both rates are integers or Fractions.

    Played frame by frame until the state at the beginning of a period of the arrivals was seen before; from there on, every
    cycle loses what the first one did, so trials of billions of frames take as long as one cycle. The state is how many
    frames the buffer holds and when the last of them ends: those before it follow one another without a pause."""
    load, service_rate = fractions.Fraction(load_fps), fractions.Fraction(service_fps)
    octets_per_s, unit = link_bps // 8, service_rate.numerator
    service = octets_per_s * service_rate.denominator
    period = fractions.Fraction(octets_per_s) / load
    repeats = GROUP_OCTETS * period.denominator // math.gcd(period.numerator, GROUP_OCTETS * period.denominator)
    ends, end, lost, n, seen = collections.deque(), 0, 0, 0, {}
    while n < frames:
        start = n * period.numerator // period.denominator
        arrival = (start // GROUP_OCTETS * GROUP_OCTETS + PREAMBLE_OCTETS + frame_octets) * unit
        while ends and ends[0] <= arrival:
            ends.popleft()
        if seen is not None and n % repeats == 0:
            state = len(ends), ends[-1] - arrival if ends else 0
            if state in seen:
                before, lost_before = seen[state]
                cycles, seen = (frames - n) // (n - before), None
                lost += cycles * (lost - lost_before)
                shift = cycles * (n - before)
                n += shift
                ends = collections.deque(each + shift * period * unit for each in ends)
                end = ends[-1] if ends else 0
                continue
            seen[state] = n, lost
        if len(ends) == buffer_frames:
            lost += 1
        else:
            end = max(end, arrival) + service
            ends.append(end)
        n += 1
    return lost


def longest_burst(buffer_frames, service_fps, frame_octets, link_bps):
    """Frames of the longest burst at minimum gap that loses nothing. The service must be slower than the line."""
    line = max_theoretical_fps(frame_octets, link_bps)
    if service_fps >= line:
        raise ValueError("this FIFO never fills")
    # The buffer gains 1 - service / line frames per frame; a few more frames than it then takes must overflow it.
    enough = math.ceil((buffer_frames + 3) / (1 - service_fps / line)) + 3
    lost = first_lost(buffer_frames, service_fps, frame_octets, line, enough, link_bps)
    assert lost is not None
    return lost


def throughput_fps(buffer_frames, service_fps, frame_octets, link_bps):
    """The highest load that loses nothing, however long it lasts.

    Frames begin on groups of 8 octets, so single intervals differ from the average by up to 8. A second slot absorbs
    that; a buffer of one does not: for it no interval may be below the service time, which only a period of whole
    groups ensures."""
    line = max_theoretical_fps(frame_octets, link_bps)
    if buffer_frames > 1:
        return min(line, fractions.Fraction(service_fps))
    octets_per_s = link_bps // 8
    period = math.ceil(fractions.Fraction(octets_per_s, service_fps) / GROUP_OCTETS) * GROUP_OCTETS
    return min(line, fractions.Fraction(octets_per_s, period))
