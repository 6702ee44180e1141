# SPDX-License-Identifier: Apache-2.0
"""The tables of the reports as people read them: which column says what, and parsers that know nothing about how they
are made.

A column is (heading, key of the result, kind). Kinds: an integer is the number of decimal places; "%" a percentage;
"ratio" a ratio shown in percent; "time" a time in the unit that suits it, "times" in one unit for all such columns of
the table, with five digits of the smallest; a text is the separator of several values in one cell.
"""

import re

HTML = "{http://www.w3.org/1999/xhtml}"
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "\u00b5s": 1e-6, "ns": 1e-9}

SIZE = ("Size, octets", "frame_octets", 0)
LATENCIES = [("Latency min", "latency_min_ns", "times"), ("Latency mean", "latency_mean_ns", "times"),
             ("Latency max", "latency_max_ns", "times")]

# Tables on the terminal: {test: tables in their order}. None: words, or what has a case of its own.
TERMINAL = {
    "throughput": [
        [SIZE, ("Throughput, fps", "throughput_fps", 1), ("Of line rate", "throughput_percent", "%"),
         ("Theoretical maximum, fps", "max_theoretical_fps", 1), ("First lossy, fps", "first_lossy_fps", 1), ("Trials", "trials", 0),
         ("Valid", None, None)],
        [SIZE, ("Layer 1, Gb/s", "layer_1_gbps", 3), ("Layer 2, Gb/s", "layer_2_gbps", 3),
         ("PDV mean", "pdv_mean_ns", "times"), ("PDV 99.9%", "pdv_p99_9_ns", "times"), ("PDV max", "pdv_max_ns", "times")],
        [SIZE, ("Offered, frames", "counters.offered_frames", 0), ("Lost", "counters.lost_frames", 0),
         ("Duplicated", "counters.duplicated_frames", 0), ("Reordered", "counters.reordered_frames", 0),
         ("Late", "counters.late_frames", 0), ("Foreign", "counters.foreign_frames", 0), *LATENCIES],
        [SIZE, ("DUT", None, None), ("Throughput, fps", "throughput_fps", 1), ("True throughput, fps", "truth.throughput_fps", 1),
         ("Latency min", "latency_min_ns", "times"), ("True latency", "truth.latency_ns", "times")]],
    "back_to_back": [
        [("Frame Size, octets", "frame_octets", 0), ("Ave B2B Length, frames", "average_frames", 2),
         ("Min,Max,StdDev", [("min_frames", 0), ("max_frames", 0), ("stddev_frames", 2)], ","),
         ("Corrected Buff Time, Sec", "corrected_buffer_s", 10), ("Valid", None, None)],
        [SIZE, ("Implied, s", "implied_buffer_s", 10), ("Corrected, s", "corrected_buffer_s", 10),
         ("Buffer, frames", "buffer_frames", 1), ("From latency, frames", "latency_buffer_frames", 1),
         ("Buffer, octets", "buffer_octets", 0), ("Throughput, fps", "throughput_fps", 1),
         ("Filling rate, fps", "filling_rate_fps", 1), ("Fill time, s", "fill_time_s", 10)],
        [SIZE, ("Bursts proven", "bursts_proven", 0), ("not proven", "bursts_unproven", 0), ("Gap min, octets", "gap_min_octets", 0),
         ("Gap mean, octets", "gap_mean_octets", 4), ("Gap max, octets", "gap_max_octets", 0),
         ("Forwarding rate, fps", "forwarding_rate_fps", 1), ("Longest allowed, frames", "max_burst_frames", 0),
         ("Trials", "trials", 0)],
        [SIZE, ("Values, in order", None, None),
         ("95% confidence from, to", [("confidence95_low_frames", 2), ("confidence95_high_frames", 2)], ",")],
        [SIZE, ("DUT", None, None), ("Longest burst, frames", "average_frames", 2), ("True longest burst, frames", "truth.longest_burst_frames", 0),
         ("Buffer, frames", "buffer_frames", 1), ("True buffer, frames", "truth.buffer_frames", 0)]],
    "mlrsearch": [
        [SIZE, ("Goal", "goal", 0), ("Relevant lower bound, fps", "relevant_lower_bound_fps", 1),
         ("Relevant upper bound, fps", "relevant_upper_bound_fps", 1),
         ("Conditional throughput, fps", "conditional_throughput_fps", 1), ("Of line rate", "conditional_throughput_percent", "%"),
         ("Width", "width", "ratio"), ("Trials", "trials", 0), ("Traffic", "traffic_s", "time"), ("Regular", None, None),
         ("Valid", None, None)],
        [SIZE, ("Goal", "goal", 0), ("Layer 1, Gb/s", "layer_1_gbps", 3), ("Layer 2, Gb/s", "layer_2_gbps", 3)]],
}

# Tables in the page: {name of the table: (test, columns)}.
PAGE = {
    "throughput": ("throughput", [
        SIZE, ("Throughput, frames/s", "throughput_fps", 1), ("Of line rate, %", "throughput_percent", 3),
        ("Theoretical maximum, frames/s", "max_theoretical_fps", 1), ("First lossy, frames/s", "first_lossy_fps", 1),
        ("Resolution, frames/s", "resolution_fps", 1), ("Final trial", "final_trial_duration_s", "times"), ("Trials", "trials", 0),
        ("Valid", None, None)]),
    "throughput_layers": ("throughput", [
        SIZE, ("Layer 1, Gb/s", "layer_1_gbps", 3), ("Layer 2, Gb/s", "layer_2_gbps", 3),
        ("PDV mean", "pdv_mean_ns", "times"), ("PDV 99.9%", "pdv_p99_9_ns", "times"), ("PDV max", "pdv_max_ns", "times")]),
    "throughput_trial": ("throughput", [
        SIZE, ("Offered, frames", "counters.offered_frames", 0), ("Received", "counters.received_frames", 0),
        ("Lost", "counters.lost_frames", 0), ("Duplicated", "counters.duplicated_frames", 0),
        ("Reordered", "counters.reordered_frames", 0), ("Late", "counters.late_frames", 0), ("Bad", "counters.bad_frames", 0),
        ("Foreign", "counters.foreign_frames", 0), ("Latency min", "latency_min_ns", "times"),
        ("Latency mean", "latency_mean_ns", "times"), ("Latency max", "latency_max_ns", "times"),
        ("Hidden overload, frames/s", "hidden_overload_fps", 1)]),
    "throughput_truth": ("throughput", [
        SIZE, ("DUT", None, None), ("Throughput, frames/s", "throughput_fps", 1),
        ("True throughput, frames/s", "truth.throughput_fps", 1), ("Latency min", "latency_min_ns", "times"),
        ("True latency", "truth.latency_ns", "times")]),
    "latency_percentiles": ("throughput", [
        SIZE, ("50% within", "latency_p50_ns", "times"), ("90% within", "latency_p90_ns", "times"),
        ("99% within", "latency_p99_ns", "times"), ("99.9% within", "latency_p99_9_ns", "times"),
        ("Latency max", "latency_max_ns", "times")]),
    "back_to_back": ("back_to_back", [
        ("Frame Size, octets", "frame_octets", 0), ("Ave B2B Length, frames", "average_frames", 2), ("Min", "min_frames", 0),
        ("Max", "max_frames", 0), ("StdDev", "stddev_frames", 2), ("Corrected Buff Time, Sec", "corrected_buffer_s", 10),
        ("N", "repetitions", 0), ("95% confidence from, frames", "confidence95_low_frames", 2),
        ("to, frames", "confidence95_high_frames", 2), ("Valid", None, None)]),
    "buffer": ("back_to_back", [
        SIZE, ("Implied", "implied_buffer_s", "times"), ("Corrected", "corrected_buffer_s", "times"),
        ("Actual", "actual_buffer_s", "times"), ("Buffer, frames", "buffer_frames", 1),
        ("Right within, frames", "corrected_buffer_error_frames", 1), ("From latency, frames", "latency_buffer_frames", 1),
        ("Buffer, octets", "buffer_octets", 0), ("Throughput, frames/s", "throughput_fps", 1),
        ("Filling rate, frames/s", "filling_rate_fps", 1), ("Fill time", "fill_time_s", "times"), ("Rate from", None, None)]),
    "back_to_back_truth": ("back_to_back", [
        SIZE, ("DUT", None, None), ("Longest burst, frames", "average_frames", 2),
        ("True longest burst, frames", "truth.longest_burst_frames", 0), ("Buffer, frames", "buffer_frames", 1),
        ("True buffer, frames", "truth.buffer_frames", 0)]),
    "mlrsearch_layers": ("mlrsearch", [
        SIZE, ("Goal", "goal", 0), ("Layer 1, Gb/s", "layer_1_gbps", 3), ("Layer 2, Gb/s", "layer_2_gbps", 3)]),
    "mlrsearch": ("mlrsearch", [
        SIZE, ("Goal", "goal", 0), ("Loss ratio", "parameters.goal_loss_ratio", 6),
        ("Relevant lower bound, frames/s", "relevant_lower_bound_fps", 1),
        ("Relevant upper bound, frames/s", "relevant_upper_bound_fps", 1),
        ("Conditional throughput, frames/s", "conditional_throughput_fps", 1),
        ("Of line rate, %", "conditional_throughput_percent", 3), ("Theoretical maximum, frames/s", "max_theoretical_fps", 1),
        ("Width", "width", 5), ("Trials", "trials", 0), ("Traffic", "traffic_s", "times"), ("Regular", None, None),
        ("Valid", None, None)]),
}

TITLES = {"Throughput (RFC 2544": "throughput", "Back-to-back frames (RFC 9004)": "back_to_back", "MLRsearch (RFC 9971)": "mlrsearch"}


def terminal_tables(text):
    """[(test, headings, rows)] of a printed report. Cells are separated by two or more blanks, and none is empty."""
    test, tables, inside = None, [], False
    for line in text.splitlines():
        test = next((name for title, name in TITLES.items() if line.startswith(title)), test)
        cells = re.split(r" {2,}", line.strip())
        if re.match(r"  +(Frame )?Size, octets  ", line):
            tables.append((test, cells, []))
            inside = True
        elif inside and re.match(r" +\d+  ", line):
            tables[-1][2].append(cells)
        else:
            inside = False
    return tables


def page_tables(tree, name):
    """[(headings, rows of (text, digits or None))] of the tables with a name in a page."""
    for table in tree.iter(HTML + "table"):
        if table.get("data-table") != name:
            continue
        rows = []
        for row in table.find(HTML + "tbody"):
            data = [cell.find(HTML + "data") for cell in row]
            rows.append([("".join(cell.itertext()), None if one is None else float(one.get("value"))) for cell, one in zip(row, data)])
        yield ["".join(head.itertext()) for head in table.find(HTML + "thead").iter(HTML + "th")], rows


def seconds(text):
    """(value in seconds, what its last place is worth) of "13.430 us"."""
    number, _, unit = text.replace("\u202f", "").partition(" ")
    return float(number) * UNITS[unit], 10.0 ** -len(number.partition(".")[2]) * UNITS[unit]
