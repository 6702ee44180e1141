#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Modifiers of RFC 2544 sections 11 and 12 as keys of a test: what is on the line, what is counted apart, and that throughput with them
is what the device can do."""

import collections
import os
import random
import signal
import subprocess
from fractions import Fraction

from fifo_truth import max_theoretical_fps, throughput_fps
from fpgauge_system import (FPGAUGE, IN_VAIN_S, INVALID, LINK_BPS, SEED, WRONG_PLAN, SystemCase, events_of, fifo, main, plan_text,
                            wait_until)

EVERY = 100
NETWORKS = 256
RESOLUTION = Fraction(1, 200)
WAITS = 'settle = "20us"; drain = "50us";'
EVERYBODY = "ff:ff:ff:ff:ff:ff"
BOTH = '["broadcast", "random_destinations"]'


def load_test(octets, modifiers, duration="10us", more=""):
    """One trial at line rate, if nothing is lost."""
    return (f'test = "throughput"; frame_sizes = {octets if isinstance(octets, list) else [octets]}; search = "binary"; '
            f'trial_duration = "{duration}"; resolution = "{float(RESOLUTION):.1%}"; {WAITS} modifiers = {modifiers}; {more}')


def networks(port=1):
    """Those behind a port, with their router, node 10 (docs/traffic.md)."""
    return [f"198.{18 + port % 2}.{128 + n // 16}.{n % 16 * 16}/28 198.{18 + port % 2}.1.10" for n in range(NETWORKS)]


def router(networks_there, forwarding_fps=40_000_000):
    return (f'model = "router"; addresses = "0 198.18.1.1/24, 1 198.19.1.1/24"; latency_ns = 800; buffer_frames = 100; '
            f'forwarding_fps = {forwarding_fps}; ask_every = "20us"; networks = "{", ".join(networks_there)}";')


class ModifierCase(SystemCase):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(f"{SEED} {self.id()}")

    def frames_sent(self, name, fields):
        """What each port sent, by the name of its interface in a capture, in order."""
        command = ["tshark", "-n", "-r", self.path(name), "-T", "fields", "-E", "separator=|"]
        for field in ("frame.interface_name", *fields):
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        sent = collections.defaultdict(list)
        for line in done.stdout.splitlines():
            interface, *values = line.split("|")
            if interface.endswith("tx"):
                sent[interface].append(values)
        return sent

    def flows_of(self, result):
        """Frames that each port sent: (those of test flows, those of the flow that is broadcast)."""
        sums = collections.defaultdict(lambda: [0, 0])
        last = max(flow["flow"] for flow in result["flows"])
        for flow in result["flows"]:
            sums[flow["source_port"]][flow["flow"] == last] += flow["offered_frames"]
        return sums


class Broadcast(ModifierCase):
    def check_counted_apart(self, result, receivers):
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["modifier"], "broadcast")
        broadcasts = 0
        for test_frames, sent in self.flows_of(result).values():
            self.assertEqual(sent, (test_frames + sent) // EVERY)
            broadcasts += sent
        counters = result["counters"]
        self.assertEqual(counters["broadcast_offered_frames"], broadcasts)
        self.assertEqual(counters["broadcast_expected_frames"], broadcasts * receivers)
        self.assertEqual(counters["broadcast_received_frames"] + counters["broadcast_lost_frames"], broadcasts * receivers)
        self.assertEqual(counters["offered_frames"], sum(port["offered_frames"] for port in result["ports"]))
        self.assertEqual(counters["offered_frames"], sum(frames for frames, _ in self.flows_of(result).values()))
        self.assertEqual(counters["received_frames"], counters["offered_frames"])

    def test_every_hundredth_frame_of_a_port_and_no_other_is_on_the_line_a_broadcast(self):
        for octets in (64, self.draw.randrange(65, 200)):
            duration_ns = self.draw.randrange(3000, 8000)
            report, _ = self.run_plan(plan_text([load_test(octets, '["broadcast"]', f"{duration_ns}ns")],
                                                device='capture = "line.pcapng";'))
            self.check_counted_apart(self.only(report, test="throughput"), 1)
            sent = self.frames_sent("line.pcapng", ("eth.dst", "eth.type", "frame.len"))
            self.assertEqual(len(sent), 2)
            for frames in sent.values():
                self.assertGreater(len(frames), EVERY)
                for number, (destination, ethertype, length) in enumerate(frames, 1):
                    self.assertEqual(destination == EVERYBODY, number % EVERY == 0, f"frame {number}, {octets} octets")
                    self.assertEqual(int(length), octets)
                    self.assertEqual(int(ethertype, 16), 0x0800 if number % EVERY else 0x88B5)

    def test_of_any_number_of_frames_a_hundredth_is_counted_apart(self):
        for library, rounds in (("twin", 8), ("rtl", 1)):
            for _ in range(rounds):
                octets = self.draw.choice((64, 65, 127, 512, 1518))
                text = plan_text([load_test(octets, '["broadcast"]', f"{self.draw.randrange(2000, 30000)}ns")], library=library)
                report, done = self.run_plan(text)
                self.check_counted_apart(self.only(report, test="throughput"), 1)
                self.assertIn("are counted apart", done.stdout)

    def test_broadcasts_that_a_switch_loses_are_no_loss_of_the_test_frames(self):
        """They go to three ports each. The switch lets few through."""
        for library in ("twin", "rtl"):
            report, _ = self.run_plan(plan_text(
                [load_test(128, '["broadcast"]', "30us")], library=library, device="ports = 4;",
                dut=f'model = "switch"; latency_ns = 300; buffer_frames = 50; broadcast_fps = {self.draw.randrange(50_000, 100_000)};'))
            result = self.only(report, test="throughput")
            self.check_counted_apart(result, 3)
            self.assertGreater(result["counters"]["broadcast_lost_frames"], 0)
            self.assertEqual(result["counters"]["lost_frames"], 0)

    def test_a_router_forwards_none_and_its_throughput_is_that_of_the_test_frames(self):
        forwarding_fps, octets = self.draw.randrange(20_000_000, 40_000_000), self.draw.choice((97, 128, 151))
        report, _ = self.run_plan(plan_text(
            [load_test(octets, '["broadcast"]', "200us", "traffic = { routed = true; };")],
            dut=router(networks()[:1], forwarding_fps), library="twin"))
        result = self.only(report, test="throughput")
        self.check_counted_apart(result, 0)
        # The device forwards 99 of 100 frames of the load.
        resolution_fps = float(RESOLUTION * max_theoretical_fps(octets, LINK_BPS))
        self.assertGreater(result["throughput_fps"], forwarding_fps - resolution_fps)
        self.assertLess(result["throughput_fps"], (forwarding_fps + 100 / 200e-6) * EVERY / (EVERY - 1) + resolution_fps)


class RandomDestinations(ModifierCase):
    def check_drawn(self, values):
        """256 of them, and no more unequal than chance allows: chi squared of 255, twelve standard deviations."""
        counts = collections.Counter(values)
        expected = len(values) / NETWORKS
        self.assertEqual(len(counts), NETWORKS)
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        self.assertLess(chi, 255 + 12 * (2 * 255) ** 0.5)
        self.assertGreater(chi, 100, "too even for chance")

    def test_on_the_line_destinations_of_a_bridge_are_256_mac_addresses(self):
        # 5,952 frames of a port: one of 256 destinations is missing by chance once in 25 million runs.
        self.run_plan(plan_text([load_test(64, '["random_destinations"]', "40us", f"traffic = {{ seed = {self.draw.randrange(1, 10**6)}; }};")],
                                device='capture = "line.pcapng";'))
        sent = self.frames_sent("line.pcapng", ("eth.dst", "eth.src", "ip.dst"))
        for port, frames in enumerate(sent.values()):
            frames = [frame for frame in frames if frame[0] != EVERYBODY]  # learning frames
            self.check_drawn([destination for destination, _, _ in frames])
            self.assertTrue(all(destination.startswith(f"02:46:47:0{1 - port}:00:") for destination, _, _ in frames))
            self.assertEqual(len({frame[1:] and frame[1] for frame in frames}), 1, "one source")
        orders = [[frame[0][-2:] for frame in frames if frame[0] != EVERYBODY] for frames in sent.values()]
        self.assertNotEqual(orders[0], orders[1], "ports draw alike")

    def test_on_the_line_destinations_behind_a_router_are_256_networks(self):
        report, _ = self.run_plan(plan_text(
            [load_test(128, '["random_destinations"]', "60us", 'direction = "unidirectional"; traffic = { routed = true; };')],
            dut=router(networks(), 90_000_000), device='capture = "line.pcapng";'))
        result = self.only(report, test="throughput")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual((result["throughput_percent"], result["trials"]), (100, 1))  # another trial would draw the same again
        sent = self.frames_sent("line.pcapng", ("ip.dst", "ip.checksum.status"))
        drawn = [destination for frames in sent.values() for destination, _ in frames if destination.startswith("198.19.1")]
        drawn = [destination for destination in drawn if not destination.startswith("198.19.1.")]
        self.check_drawn(drawn)
        self.assertEqual({f"{value.rsplit('.', 1)[0]}.{int(value.rsplit('.', 1)[1]) - 2}/28" for value in drawn},
                         {network.split()[0] for network in networks()})

    def test_what_a_router_has_no_way_to_is_lost_network_by_network(self):
        """On the twin, which writes no capture: each of the 256 that is missing costs its share of the frames."""
        missing = self.draw.sample(range(NETWORKS), self.draw.randrange(1, 60))
        there = [network for n, network in enumerate(networks()) if n not in missing]
        report, _ = self.run_plan(plan_text(
            ['test = "frame_loss_rate"; frame_sizes = [128]; step = "10%"; trial_duration = "2ms"; settle = "20us"; drain = "50us"; '
             'direction = "unidirectional"; traffic = { routed = true; }; modifiers = ["random_destinations"];'],
            dut=router(there, 90_000_000), library="twin"))
        for point in self.only(report, test="frame_loss_rate")["points"]:
            share = len(missing) / NETWORKS
            offered = point["offered_frames"]
            self.assertLess(abs(point["lost_frames"] - share * offered), 8 * (offered * share * (1 - share)) ** 0.5)

    def test_ipv6_networks_are_reached_through_the_same_router(self):
        ways = ", ".join(f"2001:2:0:{0xC000 + n:x}::/64 2001:2:0:8001::a" for n in range(NETWORKS))
        report, _ = self.run_plan(plan_text(
            [load_test(128, '["random_destinations"]', "100us",
                       'direction = "unidirectional"; traffic = { routed = true; frame = "ipv6_udp"; };')],
            dut=f'model = "router"; addresses = "0 2001:2:0:1::1/64, 1 2001:2:0:8001::1/64"; networks = "{ways}";', library="twin"))
        result = self.only(report, test="throughput")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["throughput_percent"], 100)


class Throughput(ModifierCase):
    def test_with_modifiers_is_the_truth_of_a_fifo(self):
        """Between two ports a broadcast is a frame like others."""
        for _ in range(6):
            octets = self.draw.choice((64, 128, 512))
            line_fps = max_theoretical_fps(octets, LINK_BPS)
            percent, buffer_frames = Fraction(self.draw.randrange(300, 950), 10), self.draw.randrange(3, 60)
            service_fps = line_fps * percent / 100
            # A load that is a step too high fills the buffer three times in this time.
            duration_us = 200 + int(3 * buffer_frames / (line_fps * RESOLUTION) * 10**6)
            report, _ = self.run_plan(plan_text([load_test(octets, BOTH, f"{duration_us}us", "each_alone = true;")],
                                                dut=fifo(buffer_frames, f"{float(percent)}%"), library="twin"))
            truth = throughput_fps(buffer_frames, service_fps, octets, LINK_BPS)
            self.assertEqual(len(report["results"]), 3)
            for result in report["results"]:
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertLessEqual(result["throughput_fps"], float(truth + line_fps * RESOLUTION))
                self.assertGreater(result["throughput_fps"], float(truth - line_fps * RESOLUTION) - 1)

    def test_with_broadcasts_is_what_the_lines_of_a_switch_leave(self):
        """Each port receives its partner's test frames, 99 of 100, and the broadcasts of all others; what it can send is
        less than a line by its larger gap. Broadcasts come to a queue all at once, so some of them may be lost where no test frame
        is yet; at most, it is as if there were none."""
        for ports in (2, 4, 6):
            octets, gap_octets = self.draw.choice((128, 256)), self.draw.randrange(40, 80)
            line_fps = max_theoretical_fps(octets, LINK_BPS)
            leaving_fps = Fraction(LINK_BPS, 8) / (octets + 8 + gap_octets)
            test_share = Fraction(EVERY - 1, EVERY)
            least, most = leaving_fps / (test_share + Fraction(ports - 1, EVERY)), leaving_fps / test_share
            report, _ = self.run_plan(plan_text(
                [load_test(octets, '["broadcast"]', "2ms")], library="twin", device=f"ports = {ports};",
                dut=f'model = "switch"; latency_ns = 300; buffer_frames = 20; gap_octets = {gap_octets};'))
            result = self.only(report, test="throughput")
            self.assertTrue(result["valid"], result["why_invalid"])
            # The margins are what the buffer hides in a trial, and the steps.
            hidden_fps = 30 / 2e-3
            self.assertGreater(result["throughput_fps"], float(least - line_fps * RESOLUTION))
            self.assertLess(result["throughput_fps"], float(most + line_fps * RESOLUTION) + hidden_fps)
            if result["counters"]["broadcast_lost_frames"] == 0:
                self.assertLess(result["throughput_fps"], float(least + line_fps * RESOLUTION) + hidden_fps)


class Suite(ModifierCase):
    def test_through_a_fifo_every_benchmark_finds_the_same_and_loses_the_same_frames(self):
        """It treats all frames alike, so what is lost with broadcasts is what is lost without, divided in two; and times are the
        same to the octet time."""
        octets, percent = self.draw.choice((64, 128)), self.draw.randrange(40, 80)
        alone = f'frame_sizes = [{octets}]; modifiers = {BOTH}; each_alone = true; {WAITS}'
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; {alone} resolution = "1%"; trial_duration = "{self.draw.randrange(200, 400)}us";',
             f'test = "frame_loss_rate"; {alone} step = "10%"; trial_duration = "{self.draw.randrange(100, 300)}us";',
             f'test = "reset"; {alone} before_reset = "100us"; after_reset = "300us"; repetitions = 2;',
             f'test = "mlrsearch"; {alone} preset = "ndrpdr"; width = "1%"; trial_duration = "200us";'],
            dut=f'model = "reset, fifo"; dark_for_ns = 30000; buffer_frames = {self.draw.randrange(20, 400)}; service_fps = "{percent}%"; '
                'latency_ns = 800;', library="twin"))
        for test, values in (("throughput", ("throughput_fps", "first_lossy_fps")),
                             ("frame_loss_rate", ("loss_free_load_percent",)),
                             ("reset", ("reset_s", "values_s"))):
            plain, broadcast, drawn = [result for result in report["results"] if result["test"] == test]
            self.assertEqual([result["modifier"] for result in (plain, broadcast, drawn)],
                             [None, "broadcast", "random_destinations"])
            for result in (plain, broadcast, drawn):
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual([result[key] for key in values], [plain[key] for key in values])
            for key in ("offered_frames", "received_frames", "lost_frames"):
                self.assertEqual(drawn["counters"][key], plain["counters"][key])
                self.assertEqual(broadcast["counters"][key] + broadcast["counters"][f"broadcast_{key}"], plain["counters"][key], key)
            self.assertNotIn("broadcast_offered_frames", plain["counters"])
        self.check_recovery(octets, percent)
        by_loss = [result["reset_by_loss_s"] for result in report["results"] if result["test"] == "reset"]
        self.assertLess(abs(by_loss[1] / by_loss[0] - 1), 1 / EVERY)
        for goal in (1, 2):
            bounds = {result["relevant_lower_bound_fps"] for result in report["results"] if result.get("goal") == goal}
            self.assertLess(max(bounds) / min(bounds) - 1, 0.03)


    def check_recovery(self, octets, percent):
        drawn = f'frame_sizes = [{octets}]; modifiers = ["random_destinations"]; each_alone = true; {WAITS}'
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; {drawn} resolution = "1%"; trial_duration = "300us";',
             f'test = "system_recovery"; {drawn} overload_duration = "300us"; recovery_duration = "300us"; repetitions = 2;'],
            dut=fifo(self.draw.randrange(20, 100), f"{percent}%"), library="twin"))
        recovered = [result for result in report["results"] if result["test"] == "system_recovery"]
        self.assertEqual([result["modifier"] for result in recovered], [None, "random_destinations"])
        self.assertGreater(recovered[0]["recovery_s"], 0)
        self.assertEqual(recovered[0]["values_s"], recovered[1]["values_s"])


class Runs(ModifierCase):
    WANTED = [None, None, "broadcast", "broadcast", "random_destinations", "random_destinations"]

    def test_each_alone_is_first_without_and_then_each_and_others_find_their_own(self):
        """The device forwards more of the test frames if some are broadcasts, so that each latency test has a load of its own."""
        text = plan_text(
            [load_test([128, 256], BOTH, "100us", "each_alone = true; traffic = { routed = true; };"),
             'test = "latency"; frame_sizes = [128, 256]; repetitions = 2; trial_duration = "100us"; tag_after = "50us"; '
             f'{WAITS} modifiers = ["random_destinations", "broadcast"]; each_alone = true; traffic = {{ routed = true; }};'],
            dut=router(["198.19.128.0/20 198.19.1.10", "198.18.128.0/20 198.18.1.10"], 25_000_000), library="twin")
        report, done = self.run_plan(text, "--db", self.path("run.db"), "--csv", self.path("csv"), "--junit", self.path("junit.xml"),
                                     "--html", self.path("page.html"), f"--trial-log={self.path('trials')}")
        self.assertEqual([result["modifier"] for result in report["results"]], self.WANTED * 2)
        self.assertEqual([result["frame_octets"] for result in report["results"]], [128, 256] * 6)
        self.assertRegex(done.stdout, r"Size, octets +Modifier +Throughput")
        for throughput, latency in zip(report["results"][:4], report["results"][6:10]):
            self.assertTrue(latency["valid"], latency["why_invalid"])
            self.assertAlmostEqual(latency["load_fps"] / throughput["throughput_fps"], 1, 6)
        self.assertNotEqual(*(self.only(report, test="throughput", frame_octets=128, modifier=one)["throughput_fps"]
                              for one in (None, "broadcast")))
        again = self.fpgauge("report", self.path("run.db"), "--json", self.path("again.json"))
        self.assertEqual(again.returncode, done.returncode, again.stderr)
        self.assertEqual(self.result("again.json"), report)
        same = self.fpgauge("compare", self.path("result.json"), self.path("again.json"))
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        self.assert_texts()

    def assert_texts(self):
        for name in ("csv/throughput.csv", "csv/flows.csv", "page.html", "trials", "junit.xml"):
            with open(self.path(name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("broadcast", text, name)
            self.assertIn("random_destinations", text, name)
        with open(self.path("junit.xml"), encoding="utf-8") as file:
            cases = [line for line in file.read().split("<") if line.startswith("testcase")]
        self.assertEqual(len(set(cases)), 12)

    def test_results_with_different_modifiers_are_different_measurements(self):
        """Of two runs of one plan, one without modifiers: what is the same in both is compared, the others have nothing to be
        compared with."""
        for name, more in (("each", "each_alone = true;"), ("none", "")):
            text = plan_text([load_test(512, '["broadcast"]', more=more)], library="twin")
            self.run_plan(text if more else text.replace('modifiers = ["broadcast"];', ""))
            os.rename(self.path("result.json"), self.path(f"{name}.json"))
        done = self.fpgauge("compare", self.path("each.json"), self.path("none.json"), "--json", self.path("compared.json"))
        self.assertNotEqual(done.returncode, 0, done.stdout)
        answers = [(entry.get("modifier"), entry["verdict"]) for entry in self.result("compared.json")["results"] if entry["answer"]]
        self.assertEqual(answers[0], (None, "same"))
        self.assertEqual([modifier for modifier, _ in answers], [None, "broadcast"])
        self.assertNotEqual(answers[1][1], "same")

    def test_a_stopped_run_goes_on_with_the_modifiers_it_had(self):
        text = plan_text([load_test([64, 128], BOTH, "1ms", "each_alone = true;")], library="twin", device="ports = 4;",
                         dut='model = "switch"; latency_ns = 300; gap_octets = 50; buffer_frames = 30;')
        whole, _ = self.run_plan(text)
        running = subprocess.Popen([FPGAUGE, "run", self.write("stop.cfg", text), "--db", self.path("run.db"), "--events",
                                    self.path("events")], cwd=self.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: any(event["event"] == "step" and event["modifier"] == "broadcast" for event in
                               events_of(self.path("events"))), "a trial with broadcasts", running)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(IN_VAIN_S), INVALID)
        resumed = self.fpgauge("resume", self.path("run.db"), "--json", self.path("resumed.json"))
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(self.result("resumed.json")["results"], whole["results"])

    def test_check_counts_each_run(self):
        counts = []
        for more in ("", "each_alone = true;"):
            done = self.fpgauge("check", self.write("plan.cfg", plan_text([load_test([64, 128], BOTH, "10us", more)], library="twin")))
            self.assertEqual(done.returncode, 0, done.stderr)
            counts.append(int(done.stdout.split("at most ")[1].split()[0]))
        self.assertEqual(counts[1], 3 * counts[0])

    def test_what_cannot_be_is_refused_with_file_and_line(self):
        for test, complaint in (
                (load_test(64, '["filters_24"]'), r'plan\.cfg:5: modifiers\[0\] = "filters_24": must be "broadcast" or "random_destinations"'),
                (load_test(64, BOTH, more="traffic = { addresses = 2; };"), r"plan\.cfg:5: modifiers = .*needs traffic\.addresses = 1, not 2"),
                (f'test = "back_to_back"; frame_sizes = [64]; modifiers = {BOTH};', r"plan\.cfg:5: modifiers = .*RFC 9004 section 6\.2"),
                (f'test = "system_recovery"; frame_sizes = [64]; modifiers = {BOTH};', r"plan\.cfg:5: modifiers = .*100 frames later"),
                (load_test([64, 96], '["random_destinations"]', more="traffic = { frame = \"ipv6_udp\"; };"), r"plan\.cfg:5: .*at least 84")):
            done = self.fpgauge("run", self.write("plan.cfg", plan_text([test], library="twin")))
            self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
            self.assertRegex(done.stderr, complaint)


if __name__ == "__main__":
    main()
