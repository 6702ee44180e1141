#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TCP incast of RFC 8239 section 6 on switches with random buffers: which ports send what, goodput that the line can carry, and
latency of microbursts that a buffer can hold. tests/sim/test_tcp_trials.c looks at single trials."""

import json
import os
import random
import re
import sqlite3
import statistics

from fpgauge_system import DONE, LONG, SEED, WRONG_PLAN, SystemCase, fifo, main, plan_text

ROUNDS = 20 if LONG else 3
WAITS = 'drain = "200us"; settle = "10us"; lead_time = "200us"; ack_delay = "50us";'


def variations(ports):
    """(stateful, stateless) of section 6.2, from "first" to "last iteration" of both series."""
    return [(k, 1) for k in range(1, ports - 1)] + [(1, k) for k in range(2, ports - 1)]


def most_gbps(mss, header=54):
    return 100 * mss / (mss + header + 4 + 20)


class Incast(SystemCase):
    def measure(self, test, dut, ports, library="twin"):
        plan = self.write("plan.cfg", plan_text([test], dut=dut, library=library, device=f"ports = {ports};"))
        self.remove("run.db")
        done = self.fpgauge("run", plan, "--db", self.path("run.db"), "--json", self.path("result.json"))
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        result = self.only(self.result("result.json"), test="rfc8239.incast")
        self.assertTrue(result["valid"], result["why_invalid"])
        return result

    def remove(self, name):
        if os.path.exists(self.path(name)):
            os.remove(self.path(name))

    def check_ports(self, result, ports, positions):
        wanted = []
        for stateful, stateless in variations(ports):
            for shift in range(positions):
                wanted.append((sorted((p + shift) % ports for p in range(stateful)),
                               sorted((p + shift) % ports for p in range(stateful, stateful + stateless)),
                               (stateful + stateless + shift) % ports))
        for rows in (result["iterations"], result["latencies"]):
            self.assertEqual([(row["stateful_ports"], row["stateless_ports"], row["egress_port"]) for row in rows], wanted)
            self.assertEqual([row["iteration"] for row in rows], list(range(1, len(wanted) + 1)))
            self.assertEqual([(row["stateful"], row["stateless"]) for row in rows], [(len(a), len(b)) for a, b, _ in wanted])

    def trials(self):
        with sqlite3.connect(self.path("run.db")) as base:
            rows = base.execute("SELECT request, result FROM trial ORDER BY number").fetchall()
        return [(json.loads(request), json.loads(result)) for request, result in rows]

    def check_goodput(self, result, mss, repetitions):
        """Each iteration's goodput is that of its trials in the run file, and no more than the line carries beside the microburst."""
        trials = self.trials()
        self.assertEqual(len(trials), len(result["iterations"]) * repetitions)
        self.assertAlmostEqual(result["max_theoretical_goodput_gbps"], most_gbps(mss), 6)
        for number, row in enumerate(result["iterations"]):
            mine = trials[number * repetitions:(number + 1) * repetitions]
            goodputs = [sum(one[4] for one in trial["connection"]) * 100 / trial["tcp_ot"] for _, trial in mine]
            self.assertAlmostEqual(row["goodput_gbps"], sum(goodputs) / repetitions, 6)
            self.assertAlmostEqual(row["min_goodput_gbps"], min(goodputs), 6)
            self.assertAlmostEqual(row["max_goodput_gbps"], max(goodputs), 6)
            # Some octets that get in order after losses in this time arrived before it: at most since the start, in lead_time.
            share = 1.02 if row["lost_segments"] == 0 else 1.5
            self.assertLessEqual(row["max_goodput_gbps"], result["max_theoretical_goodput_gbps"] * share)
            self.assertLessEqual(row["least_connection_gbps"], row["most_connection_gbps"])
            self.assertEqual(row["segments"], sum(one[6] for _, trial in mine for one in trial["connection"]))
            self.assertEqual(row["again_segments"], sum(one[7] for _, trial in mine for one in trial["connection"]))
        self.assertEqual(result["goodput_gbps"], min(row["goodput_gbps"] for row in result["iterations"]))
        self.check_variation(result, trials, repetitions)

    def check_variation(self, result, trials, repetitions):
        """By the formulas of sections 3.3 and 1.2; what varies by 10% or more is flagged, the worst iteration by its number."""
        worst = {"goodput": (0, 0), "stateless latency": (0, 0)}
        for number, (row, of_latency) in enumerate(zip(result["iterations"], result["latencies"])):
            mine = [trial for _, trial in trials[number * repetitions:(number + 1) * repetitions]]
            goodputs = [sum(one[4] for one in trial["connection"]) * 100 / trial["tcp_ot"] for trial in mine]
            means = [trial["latency_mean_ot"] * 0.08 for trial in mine if trial["latency_frames"]]
            for what, found, values in (("goodput", row, goodputs), ("stateless latency", of_latency, means)):
                if len(values) == repetitions and min(values) > 0:
                    varies = [100 * (b - a) / a for a, b in zip(values, values[1:])]
                    deviation = 100 * statistics.stdev(values) / statistics.mean(values)
                    self.assertAlmostEqual(found["variation_percent"]["min"], min(varies), 5)
                    self.assertAlmostEqual(found["variation_percent"]["max"], max(varies), 5)
                    self.assertAlmostEqual(found["relative_stddev_percent"], deviation, 5)
                worst[what] = max(worst[what], (found["relative_stddev_percent"] or 0, -row["iteration"]))
        flags = " ".join(result["flags"])
        for what, (deviation, iteration) in worst.items():
            flagged = re.search(rf"the {what}( of iteration {-iteration})? varies: its relative standard deviation is ", flags)
            self.assertEqual(flagged is not None, deviation >= 10, f"{what}: {deviation}% in iteration {-iteration}; {flags}")

    def check(self, draw):
        ports, mss, positions = draw.choice((3, 4, 5)), draw.randrange(1200, 1461), draw.choice((1, 1, 2))
        octets = draw.choice((64, 512, 1518))
        connections, buffer, burst = draw.randrange(1, 5), draw.randrange(20, 300), draw.randrange(1, 60)
        test = (f'test = "rfc8239.incast"; frame_sizes = [{octets}]; burst = "{burst} frames"; connections = {connections}; mss = {mss}; '
                f'min_rto = "{draw.randrange(100, 1000)}us"; positions = {positions}; repetitions = 2; trial_duration = "400us"; {WAITS}')
        with self.subTest(ports=ports, buffer=buffer, test=test):
            result = self.measure(test, f'model = "switch"; buffer_frames = {buffer}; latency_ns = 500;', ports)
            self.check_ports(result, ports, positions)
            self.check_goodput(result, mss, 2)
            self.check_begin(result, 2)
            for row in result["latencies"]:
                self.assertEqual(row["offered_frames"], 2 * burst * row["stateless"])
                if row["latency_min_ns"] is not None:
                    self.assertGreaterEqual(row["latency_min_ns"], 500)
            self.assertEqual(result["lost_frames"], sum(row["lost_frames"] for row in result["latencies"]))

    def check_begin(self, result, repetitions):
        """Connections begin with the trial, microbursts lead_time later, all at once."""
        trials = self.trials()
        for number, row in enumerate(result["iterations"]):
            for request, trial in trials[number * repetitions:(number + 1) * repetitions]:
                first = [port["tx_first_ot"] for port in trial["port"]]
                begin = min(first[port] for port in row["stateful_ports"])
                for port in row["stateless_ports"]:
                    self.assertLess(abs(first[port] - begin - request["tcp_lead_ot"]), 2000)
                self.assertEqual(len({first[port] for port in row["stateless_ports"]}), 1)

    def test_random_switches_are_measured_with_every_choice_of_ports(self):
        draw = random.Random(SEED)
        for _ in range(ROUNDS):
            self.check(draw)

    def test_a_connection_alone_has_what_the_line_carries_and_a_burst_of_one_frame_takes_its_place(self):
        draw = random.Random(SEED + 1)
        latency = draw.randrange(300, 2000)
        test = (f'test = "rfc8239.incast"; frame_sizes = [64]; burst = "1 frames"; repetitions = 1; window = 1048448; '
                f'trial_duration = "2ms"; {WAITS}')
        result = self.measure(test, f'model = "switch"; buffer_frames = 5000; latency_ns = {latency};', 3)
        self.assertLess(abs(result["goodput_percent"] - 100), 0.1)
        self.assertEqual((result["again_segments"], result["lost_frames"]), (0, 0))

    def test_a_run_is_resumed_from_the_trials_in_its_file(self):
        test = f'test = "rfc8239.incast"; frame_sizes = [64]; burst = "10 frames"; repetitions = 2; trial_duration = "200us"; {WAITS}'
        first = self.measure(test, 'model = "switch"; buffer_frames = 50; latency_ns = 500;', 4)
        done = self.fpgauge("resume", self.path("run.db"), "--json", self.path("again.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.only(self.result("again.json"), test="rfc8239.incast"), first)

    def test_octets_of_all_connections_arrive_whatever_the_buffer_loses(self):
        draw = random.Random(SEED + 2)
        octets = draw.randrange(10000, 100000)
        test = (f'test = "rfc8239.incast"; frame_sizes = [512]; burst = "20 frames"; repetitions = 1; connections = 4; '
                f'connection_octets = {octets}; min_rto = "200us"; trial_duration = "50ms"; {WAITS}')
        result = self.measure(test, f'model = "switch"; buffer_frames = {draw.randrange(8, 60)}; latency_ns = 500;', 4)
        for _, trial in self.trials():
            self.assertEqual({one[5] for one in trial["connection"]}, {octets})
        self.assertGreater(result["goodput_gbps"], 0)


class ShortSegments(SystemCase):
    """docs/tcp.md, "Load": the engine of a port takes 12 words for a segment that arrives and 7 for one that is sent."""
    FITS, DEPENDS = 19 * 64 - 78, 12 * 64 - 78  # 54 octets of header, FCS, preamble and gap

    def run_incast(self, settings, dut, ports):
        plan = self.write("plan.cfg", plan_text([f'test = "rfc8239.incast"; repetitions = 1; {settings}'], dut=f'model = "switch"; {dut}',
                                                library="twin", device=f"ports = {ports};"))
        done = self.fpgauge("run", plan, "--db", self.path(f"{len(os.listdir(self.scratch))}.db"), "--json", self.path("result.json"),
                            "--quiet")
        return self.only(self.result("result.json"), test="rfc8239.incast"), done

    def test_no_segment_is_lost_in_the_tester_at_any_mss_from_the_bound_on(self):
        draw = random.Random(SEED + 3)
        for _ in range(60 if LONG else 12):
            ports = draw.choice((3, 4, 5, 8))
            stateful = draw.choice((1, draw.randrange(1, ports - 1)))
            mss = draw.choice((self.FITS, draw.randrange(self.FITS, 1461), draw.randrange(self.FITS, 9001)))
            settings = (f'frame_sizes = [{draw.choice((64, 512, 1518))}]; burst = "{draw.choice((1, 100, 1000))} frames"; mss = {mss}; '
                        f"stateful = {stateful}; stateless = {draw.randrange(1, ports - stateful)}; "
                        f"connections = {draw.randrange(1, 64 // stateful + 1)}; ack_every = {draw.choice((1, 2))}; "
                        f"initial_window = {draw.choice((1, 2, 10, 15))}; "
                        'min_rto = "500us"; initial_rto = "100us"; ack_delay = "50us"; lead_time = "1ms"; trial_duration = "500us"; '
                        'drain = "500us"; settle = "10us";')
            dut = f"buffer_frames = {draw.choice((20, 60, 200, 1000, 5000))}; latency_ns = {draw.choice((300, 500, 2000, 20000))};"
            with self.subTest(settings=settings, dut=dut):
                result, done = self.run_incast(settings, dut, ports)
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual(done.returncode, DONE, done.stderr)

    def test_segments_below_the_bound_whose_acknowledgements_come_one_for_each_are_lost_in_the_tester_which_says_so(self):
        draw = random.Random(SEED + 4)
        settings = (f'frame_sizes = [64]; burst = "1 frames"; mss = {draw.randrange(self.DEPENDS, 13 * 64 - 78)}; stateful = 1; stateless = 1; '
                    f'connections = {draw.randrange(32, 65)}; ack_every = 1; min_rto = "500us"; initial_rto = "500us"; '
                    'lead_time = "300us"; trial_duration = "1ms"; drain = "200us"; settle = "10us";')
        result, _ = self.run_incast(settings, "buffer_frames = 20000; latency_ns = 500;", 3)
        self.assertFalse(result["valid"])
        self.assertRegex(result["why_invalid"], r"port 0: the tester lost \d+ TCP segments that had arrived, because 64 others waited")

    def test_check_says_from_which_mss_on_segments_are_long_enough(self):
        draw = random.Random(SEED + 5)
        for mss, code, says in ((draw.randrange(88, self.DEPENDS), WRONG_PLAN, f"must be at least {self.DEPENDS}: shorter segments"),
                                (self.DEPENDS - 1, WRONG_PLAN, f"must be at least {self.DEPENDS}: shorter segments"),
                                (self.DEPENDS, DONE, f"has segments of {self.DEPENDS} octets"),
                                (draw.randrange(self.DEPENDS, self.FITS), DONE, f"from mss = {self.FITS} on they never are"),
                                (self.FITS, DONE, None), (draw.randrange(self.FITS, 9001), DONE, None)):
            with self.subTest(mss=mss):
                plan = self.write("plan.cfg", plan_text([f'test = "rfc8239.incast"; frame_sizes = [64]; mss = {mss}; lead_time = "100us"; '
                                                         'trial_duration = "100us"; drain = "10us"; settle = "1us";'],
                                                        library="twin", device="ports = 3;", dut='model = "switch";'))
                done = self.fpgauge("check", plan)
                self.assertEqual(done.returncode, code, done.stderr)
                if says:
                    self.assertIn(says, done.stdout + done.stderr)
                else:
                    self.assertNotIn("has segments of", done.stdout)


class WithoutTcp(SystemCase):
    WANTED = 'test = "rfc8239.incast"; if_possible = true; require = { goodput_gbps = "1"; };'
    WHY = r"rfc8239.incast of line 5: it needs TCP connections \(RFC 8239 section 6.1\), and sim twin has none"

    def plan(self, *tests):
        return self.write("plan.cfg", plan_text(tests, library="twin", device="ports = 2; tcp = false;"))

    def test_a_test_that_is_wanted_if_it_is_possible_is_left_out_and_the_report_says_so(self):
        other = 'test = "throughput"; frame_sizes = [64]; trial_duration = "10us"; settle = "0s"; drain = "10us";'
        plan = self.plan(self.WANTED, other)
        done = self.fpgauge("check", plan)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertRegex(done.stdout, "Left out: " + self.WHY)
        self.assertRegex(done.stdout, r"\n  1\. throughput")
        done = self.fpgauge("run", plan, "--db", self.path("run.db"), "--json", self.path("result.json"))
        self.assertEqual(done.returncode, DONE, done.stderr)
        report = self.result("result.json")
        self.assertEqual([entry["test"] for entry in report["results"]], ["throughput"])
        self.assertRegex(report["info"]["left_out"], self.WHY)
        self.assertRegex(done.stdout, self.WHY)
        again = self.fpgauge("resume", self.path("run.db"), "--json", self.path("again.json"), "--quiet")
        self.assertEqual(again.returncode, DONE, again.stderr)
        self.assertEqual(self.result("again.json"), report)

    def test_durations_that_are_chosen_are_those_of_the_tests_that_are_left(self):
        plan = self.write("plan.cfg", plan_text([self.WANTED, 'test = "throughput"; frame_sizes = [64];'], library="twin",
                                                device="ports = 2; tcp = false;", dut=fifo(200, "90M")))
        done = self.fpgauge("check", plan)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertRegex(done.stdout, "Left out: " + self.WHY)
        self.assertRegex(done.stdout, r"run\[1\]\.trial_duration")

    def test_a_plan_of_which_nothing_is_left_is_refused(self):
        done = self.fpgauge("run", self.plan(self.WANTED, self.WANTED))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
        self.assertRegex(done.stderr, "no test is left: " + self.WHY + "; " + self.WHY.replace("line 5", "line 6"))

    def test_a_device_with_tcp_leaves_nothing_out(self):
        plan = self.write("plan.cfg", plan_text([self.WANTED], library="twin", device="ports = 3;", dut='model = "switch";'))
        done = self.fpgauge("check", plan)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("1. rfc8239.incast", done.stdout)
        self.assertNotIn("Left out", done.stdout)


class Plans(SystemCase):
    def refused(self, test, wanted, ports=4, library="twin", dut='model = "wire";'):
        device = f"ports = {ports};" if library == "twin" else ""
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], dut=dut, library=library, device=device)))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, wanted)

    def test_a_device_without_tcp_is_refused_with_the_clause(self):
        self.refused('test = "rfc8239.incast";', r"needs TCP connections \(RFC 8239 section 6.1\), and sim rtl.* has none", library="rtl4")

    def test_what_cannot_be_had_is_refused_with_the_limit(self):
        self.refused('test = "rfc8239.incast";', r"needs 3 ports.*RFC 8239 section 6.2", 2)
        self.refused('test = "rfc8239.incast"; connections = 33;', r"connections = 33 .* at most 32")
        self.refused('test = "rfc8239.incast"; stateful = 2; stateless = 2;', "must be below 4 together")
        self.refused('test = "rfc8239.incast"; stateful = 2;', "stateful = 2: and stateless must both be given")
        self.refused('test = "rfc8239.incast"; window = 1000;', "must be a multiple of 128, and at most 8388480")
        self.refused('test = "rfc8239.incast"; traffic = { frame = "ethernet"; };', "TCP runs over IP")
        self.refused('test = "rfc8239.incast"; traffic = { sizes = "imix"; };', "RFC 8239 section 6.2")
        self.refused('test = "rfc8239.incast"; modifiers = ["broadcast"];', "RFC 8239 section 6.2")


if __name__ == "__main__":
    main()
