#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Filters (RFC 2544 section 11.4): a device without them is not reported as one with them, what is sent to find out is what the
filters block, and throughput with and without them is what the device can do. The simulated router has the filters of its setting."""

import collections
import contextlib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
from fractions import Fraction

from fifo_truth import max_theoretical_fps
from fpgauge_system import (DONE, FPGAUGE, INVALID, LINK_BPS, SEED, WRONG_DEVICE, WRONG_PLAN, SystemCase, fifo, main, plan_text, wait_until)

RESOLUTION = Fraction(1, 200)
WAITS = 'settle = "20us"; drain = "50us";'
CHECKS = 2  # trials that verify filters, before and after the others
ADDRESSES = "0 198.18.1.1/24, 1 198.19.1.1/24, 0 2001:2:0:1::1/64, 1 2001:2:0:8001::1/64"
# The networks of what the filters block are behind the router that each port plays, node 10 (docs/traffic.md).
NETWORKS = ", ".join([f"198.{18 + port}.{network} 198.{18 + port}.1.10" for port in (0, 1) for network in ("152.0/21", "160.0/20")] +
                     [f"2001:2:0:{port}200::/56 2001:2:0:{port}001::a".replace(":0200", ":200").replace(":0001", ":1") for port in (0, 8)])


def test(octets, modifiers, more="", duration="300us", name="throughput"):
    return (f'test = "{name}"; frame_sizes = [{octets}]; trial_duration = "{duration}"; resolution = "{float(RESOLUTION):.1%}"; {WAITS} '
            f'modifiers = {modifiers}; {more}')


def router(filters, forwarding_fps=40_000_000):
    listed = f'filters = "{", ".join(filters)}"; ' if filters else ""
    return (f'model = "router"; addresses = "{ADDRESSES}"; networks = "{NETWORKS}"; latency_ns = 800; buffer_frames = 20; '
            f'forwarding_fps = {forwarding_fps}; ask_every = "20us"; {listed}')


class FilterCase(SystemCase):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(f"{SEED} {self.id()}")

    def listed(self, text):
        """The conditions that check prints, in order, of all directions."""
        done = self.fpgauge("check", self.write("listed.cfg", text))
        self.assertEqual(done.returncode, DONE, done.stderr)
        return re.findall(r"^(?:block|forward) (?!all else).*$", done.stdout, re.MULTILINE)

    def with_filters(self, text, change=lambda filters: filters, **arguments):
        """The result of a plan, on a router with the filters that check prints, changed."""
        filters = self.listed(text(router([])))
        report, done = self.run_plan(text(router(change(filters))), **arguments)
        return self.only(report, test="throughput"), done


class InForce(FilterCase):
    def plan(self, modifier, traffic="", library="twin", **settings):
        octets = self.draw.choice((97, 128, 151, 512))
        direction = self.draw.choice(("unidirectional", "bidirectional"))
        self.senders = 1 if direction == "unidirectional" else 2
        more = f'direction = "{direction}"; traffic = {{ routed = true; {traffic} }};'
        return lambda dut: plan_text([test(octets, f'["{modifier}"]', more, **settings)], dut=dut, library=library)

    def check_all_blocked(self, result, kinds):
        self.assertTrue(result["valid"], result["why_invalid"])
        # 520 frames a port take turns with those of the stream; a trial may have one frame more or less.
        share = CHECKS * self.senders * 520 * kinds / (kinds + 1)
        self.assertAlmostEqual(result["filters"]["blocked_sent_frames"], share, delta=CHECKS * self.senders)
        self.assertEqual(result["filters"]["blocked_arrived_frames"], 0)
        self.assertEqual([flag for flag in result["flags"] if "filters" in flag], [])

    def test_a_router_with_them_is_verified_for_ipv4_and_ipv6(self):
        for modifier, kinds in (("filters_1", 1), ("filters_25", 25)):
            for frame in ("ipv4_udp", "ipv6_udp"):
                with self.subTest(modifier=modifier, frame=frame):
                    result, done = self.with_filters(self.plan(modifier, f'frame = "{frame}";'))
                    self.check_all_blocked(result, kinds)
                    self.assertIn("that the filters must block; 0 of them arrived", done.stdout)
                    self.assertEqual(result["modifier"], modifier)
                    self.assertEqual(len(re.findall("^block (?!all)", result["filters"]["set"], re.MULTILINE)),
                                     (kinds - 1) * self.senders)

    def test_on_the_simulated_logic_too(self):
        result, _ = self.with_filters(self.plan("filters_25", library="rtl", duration="20us"))
        self.check_all_blocked(result, 25)

    def test_a_condition_that_lets_its_frames_pass_makes_the_result_invalid(self):
        """Any number of conditions are entered the wrong way round: their frames arrive, and no others."""
        for frame in ("ipv4_udp", "ipv6_udp"):
            wrong = self.draw.randrange(1, 24)

            def change(filters, wrong=wrong):
                blocks = self.draw.sample([number for number, text in enumerate(filters) if text.startswith("block")], wrong)
                return [text.replace("block", "forward") if number in blocks else text for number, text in enumerate(filters)]

            result, done = self.with_filters(self.plan("filters_25", f'frame = "{frame}";'), change, expect=INVALID)
            self.assertFalse(result["valid"])
            self.assertIn("filters not in force", result["why_invalid"])
            self.assertIn("INVALID: filters not in force", done.stdout)
            self.assertAlmostEqual(result["filters"]["blocked_arrived_frames"], CHECKS * 20 * wrong, delta=CHECKS * wrong)

    def test_a_device_without_them_lets_all_frames_pass(self):
        for modifier in ("filters_1", "filters_25"):
            for dut, traffic in ((router([]), 'traffic = { routed = true; };'),
                                 (router([]), 'traffic = { routed = true; frame = "ipv6_udp"; };'),
                                 (fifo(50, "60%"), ""),
                                 (fifo(50, "60%"), 'traffic = { frame = "ethernet"; vlan = 7; };'),
                                 ('model = "switch"; latency_ns = 300;', 'traffic = { sizes = [64, 570, 1518]; };')):
                sizes = "[128]" if "sizes" not in traffic else None
                text = test(128, f'["{modifier}"]', traffic)
                text = text if sizes else text.replace("frame_sizes = [128]; ", "")
                with self.subTest(modifier=modifier, dut=dut, traffic=traffic):
                    report, _ = self.run_plan(plan_text([text], dut=dut, library="twin"), expect=INVALID)
                    result = self.only(report, test="throughput")
                    filters = result["filters"]
                    self.assertGreaterEqual(filters["blocked_sent_frames"], CHECKS * 500)
                    self.assertEqual(filters["blocked_arrived_frames"], filters["blocked_sent_frames"])
                    self.assertIn("filters not in force", result["why_invalid"])

    def test_filters_that_block_the_stream_too_are_told(self):
        text = lambda dut: plan_text([test(128, '["filters_1"]', 'direction = "unidirectional"; traffic = { routed = true; };')],
                                     dut=dut, library="twin")
        result, _ = self.with_filters(text, lambda filters: [filters[0].replace("forward", "block")], expect=INVALID)
        self.assertIsNone(result["throughput_fps"])
        self.assertRegex(result["why_invalid"], "^not known: no test frame arrived in .* filters of the device")
        self.assertEqual(len([flag for flag in result["flags"] if "of the stream were lost while filters were verified" in flag]), 1)


class OnTheLine(FilterCase):
    def test_the_stream_alone_is_measured_and_what_must_be_blocked_is_sent_before_and_after(self):
        more = 'direction = "unidirectional"; traffic = { routed = true; };'
        text = lambda dut: plan_text([test(128, '["filters_25"]', more, duration="20us")], dut=dut,
                                     device='capture = "line.pcapng";')
        result, _ = self.with_filters(text)
        self.assertTrue(result["valid"], result["why_invalid"])
        command = ["tshark", "-n", "-r", self.path("line.pcapng"), "-T", "fields", "-E", "separator=|", "-e", "frame.interface_name",
                   "-e", "ip.src", "-e", "ip.dst", "-e", "ip.checksum.status"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        sent, received = collections.Counter(), collections.Counter()
        pairs = []
        for line in done.stdout.splitlines():
            interface, source, destination, _ = line.split("|")
            if not source:
                continue
            (sent if interface.endswith("tx") else received)[source, destination] += 1
            if interface.endswith("tx"):
                pairs.append((source, destination))
        stream = ("198.18.1.2", "198.19.1.2")
        blocked = {(f"198.18.{23 + k}.{k}", f"198.19.{151 + k}.{k}") for k in range(1, 25)} | {("198.18.1.3", "198.19.1.2")}
        self.assertEqual(set(sent), blocked | {stream})
        self.assertEqual(set(received), {stream})
        for pair in blocked:
            self.assertAlmostEqual(sent[pair], CHECKS * 20, delta=CHECKS)
        self.assertEqual(sum(sent[pair] for pair in blocked), result["filters"]["blocked_sent_frames"])
        # Nothing but the stream is between the last of them before and the first of them after.
        places = [number for number, pair in enumerate(pairs) if pair != stream]
        self.assertEqual(sum(after - before > 50 for before, after in zip(places, places[1:])), 1)
        self.assertEqual(result["counters"]["offered_frames"], result["ports"][0]["offered_frames"])


class Throughput(FilterCase):
    def test_with_and_without_is_what_the_router_forwards(self):
        for modifier in ("filters_1", "filters_25"):
            octets, forwarding_fps = self.draw.choice((128, 151, 256)), self.draw.randrange(8_000_000, 40_000_000)
            text = lambda dut: plan_text([test(octets, f'["{modifier}"]', 'each_alone = true; traffic = { routed = true; };', "3ms")],
                                         dut=dut, library="twin")
            filters = self.listed(text(router([])))
            report, _ = self.run_plan(text(router(filters, forwarding_fps)))
            without, with_them = report["results"]
            self.assertEqual((without["modifier"], with_them["modifier"]), (None, modifier))
            self.assertNotIn("filters", without)
            step_fps = float(RESOLUTION * max_theoretical_fps(octets, LINK_BPS))
            for result in report["results"]:
                self.assertTrue(result["valid"], result["why_invalid"])
                # The margins are what a buffer of 20 frames hides in 3 ms, and rounding up to whole octet times.
                self.assertLess(result["throughput_fps"], forwarding_fps + step_fps + 21 / 3e-3)
                self.assertGreater(result["throughput_fps"], forwarding_fps * 0.994 - step_fps)
            for key in ("throughput_fps", "trials", "counters", "latency_mean_ns"):
                self.assertEqual(without[key], with_them[key], key)

    def test_every_benchmark_of_rfc_2544_takes_them(self):
        alone = f'frame_sizes = [128]; {WAITS} modifiers = ["filters_25"]; traffic = {{ routed = true; }};'
        text = lambda dut: plan_text(
            [f'test = "throughput"; trial_duration = "1ms"; resolution = "1%"; {alone}',
             f'test = "latency"; trial_duration = "600us"; tag_after = "300us"; repetitions = 2; {alone}',
             f'test = "frame_loss_rate"; step = "10%"; trial_duration = "100us"; {alone}',
             f'test = "back_to_back"; repetitions = 2; max_burst = "200us"; {alone}',
             f'test = "system_recovery"; overload_duration = "100us"; recovery_duration = "300us"; repetitions = 2; {alone}',
             f'test = "bursty_traffic"; trial_duration = "100us"; {alone}'], dut=dut, library="twin")
        filters = self.listed(text(router([])))
        filters = filters[:len(filters) // 6]
        report, _ = self.run_plan(text(router(filters)))
        self.assertEqual(len({result["test"] for result in report["results"]}), 6)
        for result in report["results"]:
            self.assertTrue(result["valid"], (result["test"], result["why_invalid"]))
            self.assertEqual(result["filters"]["blocked_arrived_frames"], 0)
        report, _ = self.run_plan(text(router([])), expect=INVALID)
        self.assertEqual({result["valid"] for result in report["results"]}, {False})


HOOK = '#!/bin/sh\n{ echo "call $*"; cat; } >> calls\necho noise\n'


class Commands(FilterCase):
    def plan(self, command='["./hook", "dut", "1"]', modifiers='["filters_1", "filters_25"]', more="each_alone = true;", tests=1):
        return plan_text([test(128, modifiers, f'{more} filters_command = {command};', "50us")] * tests, dut=fifo(50, "60%"), library="twin")

    def setUp(self):
        super().setUp()
        self.write("hook", HOOK)
        os.chmod(self.path("hook"), 0o755)

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read().split("call dut 1\n")[1:]

    def test_gets_no_filters_then_one_then_25_and_none_at_the_end(self):
        """Also between two sets, since all previous conditions should be cleared (RFC 2544 section 11.4.1)."""
        report, done = self.run_plan(self.plan(), "--html", self.path("report.html"), expect=INVALID)
        with open(self.path("report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("block 02:46:47:ff:00:18\n", page)
        self.assertIn("Search trace, 128 octets, filters_25", page)
        self.assertNotIn("filter_check", page)
        sets = {result["modifier"]: result["filters"]["set"] for result in report["results"] if result["modifier"]}
        self.assertEqual(self.calls(), ["", sets["filters_1"], "", sets["filters_25"], ""])
        self.assertEqual(report["results"][1]["filters"]["command"], ["./hook", "dut", "1"])
        self.assertNotIn("noise", done.stdout)
        self.assertIn("noise", done.stderr)

    def test_is_started_once_for_several_tests_and_sizes_with_the_same_filters(self):
        self.run_plan(self.plan(modifiers='["filters_25"]', more="", tests=3), expect=INVALID)
        self.assertEqual([len(call.splitlines()) for call in self.calls()], [54, 0])

    def test_side_by_side_is_started_as_often_and_the_results_are_the_same(self):
        """Two tests whose traffic is the same, of which the second has the command."""
        text = plan_text([test(128, '["filters_25"]', duration="50us"),
                          test(128, '["filters_25"]', 'filters_command = ["./hook", "dut", "1"];', "50us")], dut=fifo(50, "60%"), library="twin")
        alone, _ = self.run_plan(text, "--jobs", "1", expect=INVALID)
        calls = self.calls()
        os.unlink(self.path("calls"))
        beside, _ = self.run_plan(text, "--jobs", "2", expect=INVALID)
        self.assertEqual(self.calls(), calls)
        self.assertEqual([len(call.splitlines()) for call in calls], [54, 0])
        self.assertEqual(beside["results"], alone["results"])

    def test_gets_a_file_of_nft_with_a_table_for_each_stream(self):
        more = 'each_alone = true; filters_format = "nft"; filters_interfaces = ["eth0", "eth1"];'
        self.run_plan(self.plan(more=more), expect=INVALID)
        calls = self.calls()
        self.assertEqual([call.count("accept;") for call in calls], [0, 2, 0, 2, 0])
        self.assertEqual([call.count(" drop") for call in calls], [0, 0, 0, 48, 0])
        self.assertEqual([call.count("delete table bridge fpgauge_port1") for call in calls], [1] * 5)
        self.assertEqual([call.count('iifname "eth1" jump conditions') for call in calls], [0, 1, 0, 1, 0])

    def test_nft_for_several_senders_needs_the_interfaces(self):
        for interfaces in ("", 'filters_interfaces = ["eth0"];'):
            done = self.fpgauge("run", self.write("plan.cfg", self.plan(more=f'filters_format = "nft"; {interfaces}', modifiers='["filters_1"]')))
            self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
            self.assertIn("filters_interfaces: ", done.stderr)
            self.assertFalse(os.path.exists(self.path("calls")))

    def test_that_fails_ends_the_run_and_says_how(self):
        for command, says in (('["false"]', "the filters command false ended with exit status 1"),
                              ('["./no-such"]', "the filters command ./no-such cannot be started: No such file")):
            done = self.fpgauge("run", self.write("plan.cfg", self.plan(command)), "--db", f"{len(says)}.db")
            self.assertEqual(done.returncode, WRONG_DEVICE, done.stderr)
            self.assertIn(says, done.stderr)

    def test_that_does_not_end_is_ended_with_the_run(self):
        self.write("hook", "#!/bin/sh\necho $$ > pid\nexec sleep 1000\n")
        with subprocess.Popen([FPGAUGE, "run", self.write("plan.cfg", self.plan())], cwd=self.scratch, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as run:
            wait_until(lambda: os.path.exists(self.path("pid")) and os.path.getsize(self.path("pid")), "the command starts", run)
            run.send_signal(signal.SIGINT)
            run.wait()
        with open(self.path("pid"), encoding="utf-8") as file, self.assertRaises(ProcessLookupError):
            os.kill(int(file.read()), 0)

    def test_of_a_run_that_goes_on_sets_the_filters_again_and_of_a_copied_file_not_unasked(self):
        report, _ = self.run_plan(self.plan(), "--db", "run.db", expect=INVALID)
        shutil.copy(self.path("run.db"), self.path("stopped.db"))
        with contextlib.closing(sqlite3.connect(self.path("stopped.db"))) as database:
            database.executescript("UPDATE run SET finished = NULL, incomplete = 'not at its end'; DELETE FROM result;"
                                   "DELETE FROM trial WHERE number > (SELECT max(number) FROM trial) - 2;")
            database.commit()
        os.unlink(self.path("calls"))
        done = self.fpgauge("resume", "stopped.db")
        self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
        self.assertIn("starts the command ./hook dut 1", done.stderr)
        self.assertFalse(os.path.exists(self.path("calls")))
        done = self.fpgauge("resume", "stopped.db", "--json", self.path("resumed.json"), "--allow-command")
        self.assertEqual(done.returncode, INVALID, done.stderr)
        self.assertEqual(self.result("resumed.json")["results"], report["results"])
        self.assertEqual([len(call.splitlines()) for call in self.calls()], [54, 0])


class Refused(FilterCase):
    def test_what_the_filters_of_one_stream_do_not_permit(self):
        for keys, says in (('modifiers = ["filters_1", "filters_25"];', "modifiers filters_1 and filters_25 cannot be combined"),
                           ('modifiers = ["filters_25", "random_destinations"];', "filters_25 and random_destinations cannot be combined"),
                           ('modifiers = ["filters_1"]; traffic = { addresses = 2; };', "traffic.addresses = 2 with modifier filters_1"),
                           ('modifiers = ["filters_1"]; traffic = { pattern = "mesh"; };', 'traffic.pattern = "mesh" with modifier filters_1'),
                           ('modifiers = ["filter_check"];', 'must be "broadcast" or'),
                           ('filters_command = ["true"];', "needs modifiers with filters_1 or filters_25"),
                           ('modifiers = ["filters_1"]; filters_interfaces = ["eth0"];', 'needs filters_command and')):
            with self.subTest(keys):
                done = self.fpgauge("check", self.write("plan.cfg", plan_text([f'test = "throughput"; {keys}'], dut=fifo(50, "60%"))))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertRegex(done.stderr, r"plan\.cfg:\d+: ")

    def test_by_the_router_what_is_no_filter(self):
        for filters in ("block 198.18.1.2", "drop 198.18.1.2 to 198.19.1.2", "block 198.18.1.2 to 2001:2::1", "block all else",
                        "block all else, forward 198.18.1.2 to 198.19.1.2", "forward 198.18.1.2 to 198.19.1.2 now",
                        ", ".join(["block 198.18.1.2 to 198.19.1.2"] * 65)):
            with self.subTest(filters):
                done = self.fpgauge("check", self.write("plan.cfg", plan_text(['test = "throughput";'], dut=f'model = "router"; filters = "{filters}";',
                                                                       library="twin")))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
                self.assertIn("filters", done.stderr)


if __name__ == "__main__":
    main()
