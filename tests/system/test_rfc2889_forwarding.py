#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Throughput and forwarding rates of RFC 2889 sections 5.1 to 5.4 and 5.6.3.1, on switches with random settings whose truth is computed
here from docs/dut-models.md: a switch that leaves more room between frames than the tester forwards less than line rate."""

import random
import re
from fractions import Fraction

from fifo_truth import max_theoretical_fps
from fpgauge_system import DONE, LINK_BPS, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text

ROUNDS = 20 if LONG else 2
PRIMES = [number for number in range(31, 100) if all(number % divisor for divisor in range(2, number))]
WAITS = 'drain = "60us"; settle = "10us";'


def cyclic(first, count, begin):
    return [first + (begin + i) % count for i in range(count)]


def without(own, others):
    return [port for port in others if port != own]


# Patterns by test: the ports to which a port sends, in order, of so many ports; `first` are at the first of two devices.
def full_mesh(port, ports, first):
    return cyclic(0, ports, port + 1)[:-1]


def one_to_many(port, ports, first):
    return list(range(1, ports)) if port == 0 else []


def many_to_one(port, ports, first):
    return [0] if port else []


def unidirectional_mesh(port, ports, first):
    half = ports // 2
    return cyclic(half, half, port) if port < half else []


def multiple_devices(port, ports, first):
    return cyclic(first, ports - first, port) if port < first else cyclic(0, first, port - first)


def maximum_forwarding_rate(port, ports, first):
    return [port + 1] if port % 2 == 0 and port + 1 < ports else []


TESTS = {test.__name__: test for test in
         (full_mesh, one_to_many, many_to_one, unidirectional_mesh, multiple_devices, maximum_forwarding_rate)}


class Truth:
    """What a switch forwards of a load, a part of line rate at each sending port, in the long run. both: also in the other
    direction."""

    def __init__(self, name, ports, first, octets, gap_octets, both=False):
        tests = (one_to_many, many_to_one) if both else (TESTS[name],)
        self.peers = [sum((test(port, ports, first) for test in tests), []) for port in range(ports)]
        self.line = max_theoretical_fps(octets, LINK_BPS)
        self.most = Fraction(octets + 20, max(octets + 8 + gap_octets, octets + 20))  # part of line rate, at an output port
        self.senders = sum(map(bool, self.peers))
        self.share = [sum(Fraction(1, len(peers)) for peers in self.peers if port in peers) for port in range(ports)]

    def throughput(self):
        """The highest part of line rate at each sending port that is not lost."""
        return min(Fraction(1), *(self.most / share for share in self.share if share))

    def forwarded_fps(self, load, most=None):
        return float(self.line * sum(min(load * share, most or self.most) for share in self.share))

    def theoretical_fps(self):
        return self.forwarded_fps(1, Fraction(1))

    def offered_fps(self, load):
        return float(self.line * load * self.senders)


class Forwarding(SystemCase):
    def about(self, value, true, ratio, what):
        self.assertIsNotNone(value, what)
        self.assertAlmostEqual(value / true, 1, delta=ratio, msg=f"{what}: {value}, in truth {true}")

    def check_throughput(self, result, truth, resolution, hidden):
        """hidden: the part of line rate that the buffers of all ports may have absorbed in a trial."""
        self.assertTrue(result["valid"], result["why_invalid"])
        true = truth.throughput()
        self.assertGreaterEqual(result["throughput_percent"] / 100, float(true - resolution) * (1 - 1e-9))
        self.assertLessEqual(result["throughput_percent"] / 100, min(1, float(true) + hidden) * (1 + 1e-9))
        self.about(result["throughput_fps"], truth.offered_fps(Fraction(result["throughput_percent"]) / 100), 1e-9, "throughput")
        self.about(result["theoretical_fps"], truth.theoretical_fps(), 1e-9, "theoretical")
        self.about(result["mol_fps"], truth.offered_fps(1), 1e-9, "MOL")

    def check_loads(self, result, truth, ratio, buffers, frames_of_port):
        """buffers: frames that all queues hold together."""
        rows = result["loads"]
        self.assertEqual([row["load_percent"] for row in rows], sorted({row["load_percent"] for row in rows}))
        self.assertEqual(rows[-1]["load_percent"], 100)
        for row in rows:
            load = Fraction(row["load_percent"]) / 100
            self.about(row["offered_load_fps"], truth.offered_fps(load), ratio, f"Oload at {float(load)}")
            self.about(row["forwarding_rate_fps"], truth.forwarded_fps(load), ratio, f"forwarding rate at {float(load)}")
            self.assertEqual(row["received_frames"] + row["lost_frames"], row["offered_frames"])
            lost = (1 - truth.forwarded_fps(load) / truth.offered_fps(load)) * row["offered_frames"]
            self.assertAlmostEqual(row["lost_frames"], lost, delta=buffers + frames_of_port * ratio * truth.senders)
            self.assertEqual(row["flood_frames"], 0)
        most = max(row["forwarding_rate_fps"] for row in rows)
        self.about(result["mfr_fps"], most, 1e-4, "MFR")
        self.assertEqual(result["frmol_fps"], rows[-1]["forwarding_rate_fps"])
        self.assertEqual(result["mol_loss_percent"], rows[-1]["loss_percent"])
        self.assertIn((result["mfr_load_percent"], result["mfr_offered_load_fps"], result["mfr_fps"]),
                      [(row["load_percent"], row["offered_load_fps"], row["forwarding_rate_fps"]) for row in rows])
        return rows

    def check_steps(self, result, step_percent):
        """RFC 2889 section 5.6.3.1: from the throughput up to the MOL."""
        tried = {round(row["load_percent"], 6) for row in result["loads"]}
        load = result["throughput_percent"]
        while load < 100 - 1e-6:
            self.assertIn(round(load, 6), tried)
            load += step_percent

    def check_matrix(self, result, truth, addresses):
        pairs = {(row["source_port"], row["destination_port"]): row for row in result["matrix"]}
        self.assertEqual(sorted(pairs), sorted((port, peer) for port, peers in enumerate(truth.peers) for peer in peers))
        for port, peers in enumerate(truth.peers):
            sent = [pairs[port, peer]["offered_frames"] for peer in peers]
            # frames go in turn, host by host: the first ones have at most `addresses` frames more
            self.assertLessEqual(max(sent, default=0) - min(sent, default=0), addresses)
            self.assertEqual(sum(sent), result["ports"][port]["offered_frames"])
            arrived = [row["received_frames"] for (_, to), row in pairs.items() if to == port]
            self.assertEqual(sum(arrived), result["ports"][port]["received_frames"])
        self.assertEqual(sum(row["lost_frames"] for row in result["matrix"]), result["counters"]["lost_frames"])

    def check(self, draw, name, library="twin", ports=None, duration_us=None, resolution=Fraction(1, 200)):
        ports = ports or draw.choice((4, 5, 6, 7, 8, 13, 16))
        ports += ports % 2 if name == "unidirectional_mesh" else 0
        first = draw.randrange(1, ports)
        octets = draw.choice((64, 67, 128, 131, 509, 1021, 1518))
        gap_octets, buffer_frames = 12 + draw.choice((0, 1, 9, 23, 41)), draw.choice(PRIMES)
        addresses, step = draw.choice((1, 2, 4)), draw.choice((5, 7, 10, 30))
        both = name in ("one_to_many", "many_to_one") and draw.randrange(2) == 1
        truth = Truth(name, ports, first, octets, gap_octets, both)
        duration_us = duration_us or max(1000, int(1e6 * 4000 / float(truth.line)))
        frames = float(truth.line) * duration_us / 1e6
        own = (f"first_device_ports = {first}; " if name == "multiple_devices" else
               'direction = "bidirectional"; ' if both else "")
        test = (f'test = "rfc2889.{name}"; frame_sizes = [{octets}]; trial_duration = "{duration_us}us"; {own}{WAITS} '
                f'resolution = "{float(resolution):.2%}"; step = "{step}%"; traffic = {{ addresses = {addresses}; '
                f"seed = {draw.randrange(1, 999)}; }};")
        dut = f'model = "switch"; gap_octets = {gap_octets}; buffer_frames = {buffer_frames}; latency_ns = {draw.randrange(900)};'
        with self.subTest(name=name, library=library, ports=ports, octets=octets, gap_octets=gap_octets, dut=dut, test=test):
            report, _ = self.run_plan(plan_text([test], dut=dut, library=library,
                                                device="" if library == "rtl4" else f"ports = {ports};"))
            result = self.only(report, test=f"rfc2889.{name}")
            most_senders = max(float(share) for share in truth.share) * truth.senders
            self.check_throughput(result, truth, resolution, (buffer_frames + 2) * max(1, most_senders) / frames)
            self.check_loads(result, truth, 20 / frames + 2e-4, (buffer_frames + 3) * ports, frames)
            self.check_steps(result, step)
            if result["flow_count"] <= 256:
                self.check_matrix(result, truth, addresses)
            self.assertEqual(result["start_spread_ns"], 0)
            return result

    def test_every_rate_is_that_of_the_switch_on_the_twin(self):
        draw = random.Random(SEED)
        for name in TESTS:
            for _ in range(ROUNDS):
                self.check(draw, name)

    def test_every_rate_is_that_of_the_switch_on_the_rtl(self):
        draw = random.Random(SEED)
        for name in TESTS if LONG else draw.sample(sorted(TESTS), 1):
            self.check(draw, name, "rtl4", 4, 60, Fraction(1, 10))

    def test_an_overload_that_a_buffer_hides_is_named(self):
        """Three ports send to one, which forwards line rate: a buffer of 2,000 frames takes 100 M frames/s more for 20 us."""
        line = float(max_theoretical_fps(64, LINK_BPS))
        for buffer_frames, duration_us, hides in ((2000, 20, True), (20, 1000, False)):
            report, _ = self.run_plan(plan_text(
                [f'test = "rfc2889.many_to_one"; frame_sizes = [64]; step = "50%"; resolution = "1%"; trial_duration = "{duration_us}us"; '
                 f"{WAITS}"], dut=f'model = "switch"; buffer_frames = {buffer_frames};', library="twin", device="ports = 4;"))
            result = self.only(report, frame_octets=64)
            over = result["throughput_fps"] - line
            self.assertEqual(over > result["resolution_fps"], hides)
            flags = " ".join(result["flags"])
            for word in ("latency grew during the final trial", "the throughput is above what the receiving ports can be sent"):
                self.assertEqual(word in flags, hides, flags)
            if hides:
                self.about(result["queue_growth_fps"], over, 0.01, "queue growth")

    def test_the_mesh_in_trials_of_30_s_is_exact_to_the_resolution(self):
        truth = Truth("full_mesh", 8, 4, 64, 20)
        report, _ = self.run_plan(plan_text(
            ['test = "rfc2889.full_mesh"; frame_sizes = [64]; step = "50%"; resolution = "1%"; search_trial_duration = "1ms";'],
            dut='model = "switch"; gap_octets = 20; buffer_frames = 50;', library="twin", device="ports = 8;"))
        result = self.only(report, frame_octets=64)
        self.assertAlmostEqual(result["throughput_percent"], 91, 9)  # 84 / 92 is 91.3%
        self.about(result["frmol_fps"], truth.forwarded_fps(1), 1e-8, "FRMOL")
        self.about(result["mol_loss_percent"], 100 * (1 - 84 / 92), 1e-6, "loss")


class Loads(SystemCase):
    """How a load is offered: at the ports, by the counters of the tester."""

    def test_bursts_have_the_load_and_the_number_of_appendix_a(self):
        draw = random.Random(SEED)
        for burst in (2, draw.randrange(3, 100), 930):
            octets, percent = draw.choice((64, 131, 1518)), draw.choice((10, 37, 50, 73))
            octets_a_burst = burst * (octets + 20)
            period = -(-octets_a_burst * 100 // percent)
            duration_us = period * 30 // 12500 + 1
            report, _ = self.run_plan(plan_text(
                [f'test = "rfc2889.full_mesh"; frame_sizes = [{octets}]; trial_duration = "{duration_us}us"; {WAITS} '
                 f'burst = {burst}; intended_load = "{percent}%"; resolution = "25%";'],
                dut='model = "switch"; buffer_frames = 5000;', library="twin", device="ports = 4;"))
            result = self.only(report, frame_octets=octets)
            self.assertTrue(result["valid"], result["why_invalid"])
            row = [row for row in result["loads"] if abs(row["load_percent"] - percent) < 1e-6][0]
            bursts = -(-duration_us * 12500 // period)
            self.assertEqual(row["offered_frames"], 4 * burst * bursts)
            self.assertAlmostEqual(row["offered_load_fps"] / (4 * burst * LINK_BPS / 8 / period), 1,
                                   delta=1e-6 + 8 / (bursts - 1) / period)  # they begin on groups of 8 octets
            self.assertAlmostEqual(row["forwarding_rate_fps"] / row["offered_load_fps"], 1, delta=2e-2)
            self.assertEqual(row["lost_frames"], 0)

    def test_a_frame_based_load_is_exactly_so_many_frames_at_each_port(self):
        draw = random.Random(SEED)
        for _ in range(3):
            octets, duration_us = draw.choice((64, 67, 509, 1021)), draw.randrange(100, 3000)
            report, _ = self.run_plan(plan_text(
                [f'test = "rfc2889.full_mesh"; frame_sizes = [{octets}]; trial_duration = "{duration_us}us"; {WAITS} '
                 f'load_mode = "frames"; intended_load = "{draw.randrange(1, 99)}%"; resolution = "10%";'],
                dut='model = "switch"; gap_octets = 30;', library="twin", device="ports = 5;"))
            for row in self.only(report, frame_octets=octets)["loads"]:
                load_fps = max_theoretical_fps(octets, LINK_BPS) * Fraction(round(row["load_percent"] * 1e7)) / 10**9
                self.assertEqual(row["offered_frames"], 5 * int(load_fps * duration_us / 1_000_000), row)

    def test_frames_to_addresses_that_the_switch_cannot_learn_are_flooded_and_not_received_there(self):
        """It has room for all addresses but those of the last ports, which are learned last."""
        ports, unknown = 6, 2
        report, _ = self.run_plan(plan_text(
            [f'test = "rfc2889.full_mesh"; frame_sizes = [64]; trial_duration = "100us"; {WAITS} resolution = "5%"; '
             'intended_load = "10%"; step = "50%";'],
            dut=f'model = "switch"; table_addresses = {ports - unknown};', library="twin", device=f"ports = {ports};"))
        result = self.only(report, frame_octets=64)
        row = [row for row in result["loads"] if abs(row["load_percent"] - 10) < 1e-6][0]
        self.assertEqual(row["lost_frames"], 0)
        # Frames to such an address are unknown * (ports - 1) of the ports * (ports - 1) pairs: to all other ports too.
        to_unknown = row["offered_frames"] * unknown / ports
        self.assertAlmostEqual(row["flood_frames"], to_unknown * (ports - 2), delta=ports * ports)
        self.assertGreater(result["flood_frames"], 0)


class Resumed(SystemCase):
    def test_a_run_is_resumed_from_its_file_to_the_same_results(self):
        tests = [f'test = "rfc2889.{name}"; frame_sizes = [64, 131]; {WAITS} {own}' for name, own in
                 (("multiple_devices", 'trial_duration = "200us"; resolution = "5%"; burst = 7;'),
                  ("broadcast_forwarding", 'trial_duration = "200us"; resolution = "5%"; load_mode = "frames";'),
                  ("forward_pressure", 'trial_duration = "200us";'), ("broadcast_latency", "repetitions = 2;"))]
        report, _ = self.run_plan(plan_text(tests, dut='model = "switch"; gap_octets = 14;', library="twin", device="ports = 6;"),
                                  "--db", self.path("run.db"))
        done = self.fpgauge("resume", self.path("run.db"), "--json", self.path("again.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.result("again.json"), report)


class SideBySide(SystemCase):
    def test_trials_side_by_side_give_the_same_results(self):
        text = plan_text([f'test = "rfc2889.{name}"; frame_sizes = [64]; {WAITS} trial_duration = "3ms"; resolution = "1%"; '
                          'search_trial_duration = "1ms";' for name in ("full_mesh", "many_to_one")],
                         dut='model = "switch"; gap_octets = 23; buffer_frames = 31;', library="twin", device="ports = 4;")
        alone, _ = self.run_plan(text)
        together, _ = self.run_plan(text, "--jobs=2")
        self.assertEqual(together["results"], alone["results"])


class Refusals(SystemCase):
    def refused(self, test, message, device="ports = 6;", **plan):
        done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], library="twin", device=device, **plan)))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, message)

    def test_another_pattern_or_direction_than_that_of_the_clause_is_refused(self):
        self.refused('test = "rfc2889.full_mesh"; traffic = { pattern = "pairs"; };',
                     r'plan.cfg:\d+: traffic.pattern = "pairs": must be "mesh" for test = "rfc2889.full_mesh" \(RFC 2889 section 5.1.3\)')
        self.refused('test = "rfc2889.full_mesh"; direction = "unidirectional";',
                     r'direction = "unidirectional": must be "bidirectional" for test = "rfc2889.full_mesh" \(RFC 2889 section 5.1.3\)')
        self.refused('test = "rfc2889.unidirectional_mesh"; direction = "bidirectional";', r"\(RFC 2889 section 5.4.3\)")

    def test_what_the_clause_says_may_stand_in_the_plan_too(self):
        done = self.fpgauge("check", self.write("plan.cfg", plan_text(
            ['test = "rfc2889.full_mesh"; traffic = { pattern = "mesh"; }; direction = "bidirectional";',
             'test = "rfc2889.one_to_many"; direction = "bidirectional";'], library="twin", device="ports = 6;")))
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)

    def test_too_few_ports_are_refused(self):
        self.refused('test = "rfc2889.full_mesh";', r'test = "rfc2889.full_mesh": needs 3 ports', "ports = 2;")
        self.refused('test = "rfc2889.unidirectional_mesh";', r"needs 4 ports", "ports = 3;")
        self.refused('test = "rfc2889.unidirectional_mesh";', r"RFC 2889 section 5.4.3\), so their number must be even", "ports = 5;")
        self.refused('test = "rfc2889.multiple_devices"; first_device_ports = 6;',
                     r"first_device_ports = 6: must be below the number of ports, 6.*RFC 2889 section 5.3")

    def test_a_burst_that_does_not_fit_the_load_is_refused(self):
        self.refused('test = "rfc2889.full_mesh"; burst = 930; trial_duration = "1ms"; resolution = "0.1%"; frame_sizes = [64];',
                     r"plan.cfg:\d+: burst = 930: at the lowest load that may be tried, 0.1% of line rate.*RFC 2889 appendix A")
        self.refused('test = "rfc2889.full_mesh"; burst = 931;', r"burst = 931: must be a whole number, 1 to 930 frames")

    def test_mixed_sizes_and_sizes_beyond_the_limit_are_refused(self):
        self.refused('test = "rfc2889.full_mesh"; traffic = { sizes = "imix"; };', "RFC 2889 section 5.1.5")
        self.refused('test = "rfc2889.full_mesh"; frame_sizes = [9217];', "must be 64 to 9216")

    def test_routers_and_modifiers_of_rfc_2544_are_refused(self):
        self.refused('test = "rfc2889.full_mesh"; traffic = { routed = true; };',
                     r'plan.cfg:\d+: traffic.routed = true: must be false for test = "rfc2889.full_mesh": it is for bridges')
        self.refused('test = "rfc2889.many_to_one"; modifiers = ["broadcast"];', r"plan.cfg:\d+: modifiers: .*RFC 2889 5.2 has none")

    def test_an_external_program_is_refused(self):
        text = ('device = { backend = "exec"; command = ["true"]; };\nlink = { speed = "100G"; };\n'
                'run = ( { test = "rfc2889.full_mesh"; } );\n')
        done = self.fpgauge("run", self.write("plan.cfg", text))
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r'must not be "rfc2889.full_mesh" with backend = "exec".*RFC 2889 section 5.1.4')


class Reports(SystemCase):
    def test_the_report_has_what_the_clause_asks_for(self):
        report, done = self.run_plan(plan_text(
            [f'test = "rfc2889.full_mesh"; frame_sizes = [64, 1518]; trial_duration = "300us"; {WAITS} resolution = "1%";'],
            dut='model = "switch"; gap_octets = 40; buffer_frames = 20;', library="twin", device="ports = 4;"),
            "--html", self.path("page.html"), "--csv", self.path("table.csv"))
        for wanted in ("full duplex; half duplex does not exist", "One clock starts all", "FRMOL, fps", "MFR, fps", "Theoretical, fps",
                       "Offered at the MFR", "Flooded, frames", "ILoad", "Oload", "by time", "frames in a burst: 1"):
            self.assertIn(wanted, done.stdout)
        self.assertNotIn("first of two devices", done.stdout)
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        for wanted in ("theoretical maximum", "FRMOL", "MFR", "Port by port", "Forwarding rate by load"):
            self.assertIn(wanted, page)
        self.assertEqual(len(re.findall(r"<svg", page)) >= 2, True)
        self.assertEqual(report["results"][0]["parameters"]["duplex"], "full")
        self.check_squares(page, report)

    def check_squares(self, page, report):
        """Of each size: the loss from every port to every other one in percent, warmer the more it is."""
        squares = re.findall(r'data-table="matrix-square">.*?</table>', page, re.DOTALL)
        self.assertEqual(len(squares), 2)
        for square, result in zip(squares, report["results"]):
            self.assertIn(f"percent: {result['frame_octets']} octets", square)
            rows = [re.findall(r'<td(?: class="heat-(\d)")?>([^<]*)</td>', row) for row in re.findall(r"<tr>.*?</tr>", square, re.DOTALL)[1:]]
            self.assertEqual([len(row) for row in rows], [4] * 4)
            loss = {(row["source_port"], row["destination_port"]): 100 * row["lost_frames"] / row["offered_frames"]
                    for row in result["matrix"]}
            for port, row in enumerate(rows):
                for peer, (heat, text) in enumerate(row):
                    percent = loss.get((port, peer))
                    self.assertEqual(text, "-" if percent is None else f"{percent:.3f}")
                    self.assertEqual(heat, "" if percent is None else str(sum(percent > above for above in (0, 0.1, 1, 10, 50))))
            self.assertGreater(max(loss.values()), 10 if result["frame_octets"] == 64 else 1)

    def test_a_test_of_two_devices_says_which_ports_are_where(self):
        for own, wanted in (("first_device_ports = 1;", "ports at the first of two devices: 1; local traffic: off"),
                            ("local_traffic = true;", "ports at the first of two devices: 2; local traffic: on")):
            report, done = self.run_plan(plan_text(
                [f'test = "rfc2889.multiple_devices"; frame_sizes = [64]; trial_duration = "50us"; {WAITS} resolution = "10%"; {own}'],
                dut='model = "switch";', library="twin", device="ports = 4;"))
            self.assertIn(wanted, done.stdout)
            pairs = {(row["source_port"], row["destination_port"]) for row in report["results"][0]["matrix"]}
            local = {(a, b) for a in range(4) for b in range(4) if a != b} if "true" in own else set()
            self.assertEqual(pairs, local or {(0, b) for b in (1, 2, 3)} | {(b, 0) for b in (1, 2, 3)})


if __name__ == "__main__":
    main()
