#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The modifiers "management" and "routing" (RFC 2544 sections 11.2, 11.3): which frames are on the line and when, what is counted,
and what is told of the answers of a simulated router whose agent is known."""

import collections
import random
import re
import signal
import subprocess

from fpgauge_system import FPGAUGE, INVALID, IN_VAIN_S, LINK_BPS, SEED, SystemCase, events_of, main, plan_text, wait_until

WAITS = 'settle = "20us"; drain = "50us";'
QUERY_OCTETS, UPDATE_OCTETS = 153, 170
ANNOUNCEMENT_OCTETS = 70  # the update before a trial, of one network
MS = 10**6


def router(more='community = "public";', ports=2, forwarding_fps=None, latency_ns=800):
    addresses = ", ".join(f"{port} 198.{18 + port % 2}.{1 + port // 2}.1/24" for port in range(ports))
    limit = f"forwarding_fps = {forwarding_fps};" if forwarding_fps else ""
    return (f'model = "router"; addresses = "{addresses}"; latency_ns = {latency_ns}; ask_every = "20us"; rip_networks = 256; '
            f"{limit} {more}")


def stream(modifiers, octets=64, fps=1000, duration_ns=1200 * MS, traffic="", more=""):
    """One trial at a load that is low enough for seconds of device time."""
    size = "" if "sizes" in traffic else f"frame_sizes = [{octets}];"
    return (f'test = "latency"; {size} load = "{fps}"; repetitions = 1; trial_duration = "{duration_ns}ns"; '
            f'tag_after = "{duration_ns // 2}ns"; {WAITS} modifiers = {modifiers}; '
            f'traffic = {{ routed = true; routing_wait = "20us"; {traffic} }}; {more}')


def due_frames(octets, fps, duration_ns, rule_octets=QUERY_OCTETS, interval_ns=10**9):
    """Place by place: frames of a rule in a stream. A place with another length than that of the test frames has the same gap, so
    those after it begin earlier or later. Octet times, times fps so that they are whole."""
    count = start = 0
    while start < -(-duration_ns * 25 // 2 // 8) * 8 * fps:
        is_rule = start // fps // 8 * 8 >= -(-count * interval_ns * 25 // 2)
        count += is_rule
        start += LINK_BPS // 8 + (rule_octets - octets if is_rule else 0) * fps
    return count


class ProtocolCase(SystemCase):
    def setUp(self):
        super().setUp()
        self.draw = random.Random(f"{SEED} {self.id()}")

    def latency(self, report, **wanted):
        result = self.only(report, test="latency", **wanted)
        self.assertTrue(result["valid"], result["why_invalid"])
        return result

    def frames_sent(self, name):
        """What each port sent in test streams, by the name of its interface in a capture: (time in ns, kind, octets, id or metric)."""
        fields = ("frame.interface_name", "frame.time_epoch", "frame.len", "udp.dstport", "snmp.request_id", "rip.metric", "ip.dst",
                  "eth.type")
        command = ["tshark", "-n", "-r", self.path(name), "-T", "fields", "-E", "separator=|", "-E", "occurrence=f"]
        for field in fields:
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        sent = collections.defaultdict(list)
        for line in done.stdout.splitlines():
            interface, time, octets, port, request, metric, _, kind = line.split("|")
            if not interface.endswith("tx") or int(kind, 16) == 0x0806:
                continue
            if port == "520" and int(octets) == ANNOUNCEMENT_OCTETS:
                continue
            seconds, fraction = time.split(".")
            what = {"161": "query", "520": "update"}.get(port, "test")
            sent[interface].append((int(seconds) * 10**9 + int(fraction[:9].ljust(9, "0")), what, int(octets),
                                    int(request or metric or 0)))
        return sent


class Line(ProtocolCase):
    def check_agent(self, name, queries):
        """What the simulated agent says of its first port is what was on the line there until then."""
        command = ["tshark", "-n", "-r", self.path(name), "-T", "fields", "-E", "separator=|"]
        for field in ("frame.interface_name", "frame.len", "eth.dst", "udp.dstport", "snmp.value.counter", "snmp.value.timeticks",
                      "frame.time_relative"):
            command += ["-e", field]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        octets, unicast, told = collections.Counter(), collections.Counter(), []
        asked = None
        for line in done.stdout.splitlines():
            interface, count, destination, port, counters, ticks, _ = line.split("|")
            if not interface.startswith("port0"):
                continue
            if counters:
                told.append((tuple(int(value) for value in counters.split(",")), int(ticks)))
                self.assertEqual(told[-1][0], (asked[0], octets["port0-rx"], asked[1], unicast["port0-rx"]))
            octets[interface] += int(count)
            unicast[interface] += not int(destination[:2], 16) & 1
            if port == "161":
                asked = octets[interface], unicast[interface]
        self.assertEqual(len(told), queries)
        self.assertEqual([ticks - told[0][1] for _, ticks in told], [100 * second for second in range(queries)])

    def test_a_query_is_the_first_frame_of_each_second_and_no_other_frame_is(self):
        fps, duration_ns = self.draw.randrange(300, 900), self.draw.randrange(1020, 1300) * MS
        report, _ = self.run_plan(plan_text([stream('["management"]', fps=fps, duration_ns=duration_ns)], dut=router(),
                                            device='capture = "line.pcapng";', library="rtl"))
        result = self.latency(report)
        self.assertEqual(result["counters"]["management_queries"], 2)
        self.assertEqual(result["counters"]["management_answers"], 2)
        sent = self.frames_sent("line.pcapng")
        self.assertEqual(len(sent), 2)
        asking, other = sorted(sent.values(), key=lambda frames: all(what == "test" for _, what, _, _ in frames))
        self.assertTrue(all(what == "test" for _, what, _, _ in other))
        start_ns, second, ids = asking[0][0], -1, []
        for time_ns, what, octets, request in asking:
            begins = (time_ns - start_ns) // 10**9 > second
            self.assertEqual(what, "query" if begins else "test", time_ns - start_ns)
            self.assertEqual(octets, QUERY_OCTETS if begins else 64)
            if begins:
                second += 1
                ids.append(request)
        self.assertEqual(ids, [ids[0], ids[0] + 1])
        self.check_agent("line.pcapng", 2)

    def test_updates_alternate_at_the_interval_and_the_first_frame_of_each_port_is_one(self):
        fps, interval_ms = self.draw.randrange(800, 1500), self.draw.randrange(90, 130)
        report, _ = self.run_plan(plan_text(
            [stream('["routing", "management"]', fps=fps, duration_ns=int(3.5 * interval_ms) * MS,
                    traffic=f'routing_interval = "{interval_ms}ms";')], dut=router(), device='capture = "line.pcapng";', library="rtl"))
        self.assertEqual(self.latency(report)["counters"]["routing_updates"], 8)
        sent = self.frames_sent("line.pcapng")
        for port, frames in enumerate(sent.values()):
            updates = [(time_ns, octets, metric) for time_ns, what, octets, metric in frames if what == "update"]
            self.assertEqual(frames[0][1], "update")
            self.assertEqual(frames[1][1], "query" if port == 0 else "test")
            self.assertEqual([metric for _, _, metric in updates], [7, 8, 7, 8], "A, B, A, B")
            self.assertEqual({octets for _, octets, _ in updates}, {UPDATE_OCTETS})
            for number, (time_ns, _, _) in enumerate(updates):
                due_ns = frames[0][0] + number * interval_ms * MS
                self.assertGreaterEqual(time_ns, due_ns - 1)
                before = [other for other, _, _, _ in frames if other < time_ns]
                self.assertTrue(not before or max(before) < due_ns, "it is the first frame since then")


class Counts(ProtocolCase):
    def check_counts(self, result, queries, senders=2):
        counters = result["counters"]
        self.assertEqual(counters["management_queries"], queries)
        self.assertEqual(counters["lost_frames"], 0)
        self.assertEqual(counters["offered_frames"], counters["received_frames"])
        of_tests = sum(flow["offered_frames"] for flow in result["flows"] if flow["destination_ports"])
        self.assertEqual(counters["offered_frames"], of_tests, "neither queries nor updates are among the test frames")
        self.assertEqual(len({flow["source_port"] for flow in result["flows"] if flow["destination_ports"]}), senders)

    def test_of_any_load_length_and_time_each_second_begun_has_one_answered_query(self):
        for _ in range(12):
            octets, fps = self.draw.choice((64, 65, 127, 512, 1518)), self.draw.choice((7, 97, self.draw.randrange(2, 20000)))
            duration_ns = self.draw.randrange(1, 7 * 10**9)
            duration_ns = max(duration_ns, 3 * 10**9 // fps)
            what = f"{octets} octets, {fps} fps, {duration_ns} ns"
            with self.subTest(what):
                report, done = self.run_plan(plan_text([stream('["management"]', octets, fps, duration_ns)], dut=router(),
                                                       library="twin"))
                result = self.latency(report)
                self.check_counts(result, due_frames(octets, fps, duration_ns))
                counters = result["counters"]
                self.assertEqual((counters["management_answers"], counters["management_unanswered"], counters["management_wrong_frames"]),
                                 (counters["management_queries"], 0, 0))
                self.assertIn("answered and verified", done.stdout)
                self.assertEqual(result["flags"], [])

    def test_updates_of_every_sending_port_are_a_b_a(self):
        for _ in range(6):
            interval_ns, duration_ns = self.draw.randrange(50 * MS, 900 * MS), self.draw.randrange(100 * MS, 4000 * MS)
            fps = self.draw.randrange(400, 5000)
            report, _ = self.run_plan(plan_text(
                [stream('["routing"]', 128, fps, duration_ns, traffic=f'routing_interval = "{interval_ns}ns";')],
                dut=router(ports=4), library="twin", device="ports = 4;"))
            result = self.latency(report)
            due = due_frames(128, fps, duration_ns, UPDATE_OCTETS, interval_ns)
            for port in range(4):
                flows = [flow["offered_frames"] for flow in result["flows"]
                         if flow["source_port"] == port and not flow["destination_ports"]]
                self.assertEqual(flows, [(due + 1) // 2, due // 2], f"{interval_ns} ns, {duration_ns} ns, {fps} fps")
            self.assertEqual(result["counters"]["routing_updates"], 4 * due)
            self.assertNotIn("management_queries", result["counters"])

    def test_with_all_modifiers_tags_and_mixed_lengths_every_frame_has_its_place(self):
        """Also where the tag, a broadcast, an update and a query are due together, at the first second."""
        for sizes in ("", 'sizes = "imix";', "vlan"):
            traffic = 'routing_interval = "500ms"; ' + ("" if sizes == "vlan" else sizes)
            report, _ = self.run_plan(plan_text(
                [stream('["broadcast", "routing", "management"]', 128, 1000, 2000 * MS, traffic=traffic)], dut=router(ports=4),
                device="ports = 4;", library="twin"))
            result = self.latency(report)
            counters = result["counters"]
            self.assertEqual(counters["management_queries"], 2)
            self.assertEqual(counters["management_answers"], 2)
            self.assertEqual(counters["routing_updates"], 16)
            self.assertGreaterEqual(counters["broadcast_offered_frames"], 4 * 19)
            self.assertEqual(counters["broadcast_received_frames"], 0)
            self.assertEqual(counters["lost_frames"], 0)

    def test_the_rtl_and_the_twin_count_the_same(self):
        text = stream('["management", "routing"]', 64, 700, 1100 * MS, traffic='routing_interval = "300ms";')
        counters = []
        for library in ("rtl", "twin"):
            report, _ = self.run_plan(plan_text([text], dut=router('community = "public"; unanswered_every = 2;'), library=library))
            result = self.latency(report)
            counters.append((result["counters"], result["flows"], result["ports"], result["flags"]))
        self.assertEqual(*counters)

    def test_at_line_rate_the_first_frame_is_a_query_and_nothing_is_lost(self):
        """A query is longer than two frames of 64 octets: the gaps are those of the load all the same."""
        for library, duration in (("twin", "200us"), ("rtl", "20us")):
            report, _ = self.run_plan(plan_text(
                [f'test = "throughput"; frame_sizes = [64, 1518]; search = "binary"; trial_duration = "{duration}"; '
                 f'resolution = "1%"; {WAITS} modifiers = ["management", "routing"]; '
                 'traffic = { routed = true; routing_wait = "20us"; };'],
                dut=router(), library=library))
            for result in report["results"]:
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual(result["throughput_percent"], 100)
                self.assertEqual(result["counters"]["management_answers"], 1)
                self.assertEqual(result["counters"]["routing_updates"], 2)


class Answers(ProtocolCase):
    def of_agent(self, more, traffic="", duration_ns=5500 * MS):
        report, done = self.run_plan(plan_text([stream('["management"]', 64, 100, duration_ns, traffic=traffic)], dut=router(more),
                                               library="twin"))
        return self.latency(report), done

    def test_unanswered_queries_are_told_and_are_no_loss(self):
        every = self.draw.randrange(2, 5)
        result, done = self.of_agent(f'community = "public"; unanswered_every = {every};')
        counters = result["counters"]
        self.assertEqual((counters["management_queries"], counters["management_unanswered"]), (6, 6 // every))
        self.assertEqual(counters["management_answers"], 6 - 6 // every)
        self.assertEqual(counters["lost_frames"], 0)
        self.assertEqual(result["flags"], [f"the device did not answer {6 // every} of the 6 management queries of all trials"])
        self.assertIn(f"{6 // every} not answered", done.stdout)

    def test_another_community_or_no_agent_is_silent(self):
        for more, traffic in (("", ""), ('community = "secret";', ""), ('community = "public";', 'community = "Public";')):
            result, _ = self.of_agent(more, traffic)
            self.assertEqual(result["counters"]["management_unanswered"], 6, more)
            self.assertEqual(result["counters"]["management_wrong_frames"], 0)
        result, _ = self.of_agent('community = "a secret of 32 octets, no fewer.";', 'community = "a secret of 32 octets, no fewer.";')
        self.assertEqual(result["counters"]["management_answers"], 6)
        self.assertNotIn("secret", str(result), "a community may be one")

    def test_what_the_device_does_not_have_is_a_wrong_answer(self):
        for version, why in (("1", "an error status in place of values"), ("2c", "a variable without a value")):
            result, done = self.of_agent('community = "public";', f'interface = 3; snmp_version = "{version}";')
            counters = result["counters"]
            self.assertEqual((counters["management_answers"], counters["management_wrong_frames"]), (0, 6))
            self.assertEqual(counters["management_unanswered"], 6)
            self.assertEqual(result["flags"][1], f"the device sent 6 wrong answers to the management queries of all trials, the first: {why}")
            self.assertRegex(done.stdout, r"6 wrong answers")
            self.assertEqual(result["parameters"]["snmp_version"], version)
            self.assertEqual(result["parameters"]["interface"], 3)


class Runs(ProtocolCase):
    PLAN = [f'test = "{test}"; frame_sizes = [128, 256]; {more} {WAITS} modifiers = ["management", "routing"]; each_alone = true; '
            "traffic = { routed = true; routing_wait = \"20us\"; };" for test, more in (
                ("throughput", 'search = "binary"; resolution = "1%"; trial_duration = "100us";'),
                ("latency", 'repetitions = 2; trial_duration = "100us"; tag_after = "50us";'),
                ("frame_loss_rate", 'trial_duration = "50us";'),
                ("bursty_traffic", 'bursts = [16, 64]; resolution = "10%"; trial_duration = "50us";'),
                ("mlrsearch", 'preset = "tst009"; trial_duration = "50us";'))]
    WANTED = [None, None, "management", "management", "routing", "routing"]

    def test_every_test_that_takes_them_runs_with_each_alone(self):
        for test in self.PLAN:
            name = re.search(r'test = "(\w+)"', test)[1]
            tests = [test] if name != "latency" else [self.PLAN[0], test]
            with self.subTest(name):
                report, done = self.run_plan(plan_text(tests, dut=router(forwarding_fps=30_000_000), library="twin"),
                                             "--html", self.path("page.html"), "--csv", self.path("csv"))
                modifiers = collections.Counter(result["modifier"] for result in report["results"] if result["test"] == name)
                self.assertEqual(len(modifiers), 3, modifiers)
                self.assertEqual(len(set(modifiers.values())), 1)
                for result in report["results"]:
                    self.assertTrue(result["valid"], result["why_invalid"])
                    if result["modifier"] == "management" and name != "mlrsearch":  # mlrsearch's results have no counters
                        self.assertGreater(result["counters"]["management_queries"], 0)
                        self.assertEqual(result["counters"]["management_unanswered"], 0)
                with open(self.path("page.html"), encoding="utf-8") as file:
                    page = file.read()
                self.assertEqual([result["flags"] for result in report["results"] if result["modifier"] == "management" and
                                  any("management" in flag for flag in result["flags"])], [])
                for text in (done.stdout, page) if name != "mlrsearch" else ():
                    self.assertIn("management queries sent", text)
                    self.assertIn("routing updates sent", text)

    def test_in_any_test_a_silent_device_is_told(self):
        """Also where a result has no counters."""
        for test in self.PLAN[:1] + self.PLAN[2:]:
            report, _ = self.run_plan(plan_text([test], dut=router("", forwarding_fps=30_000_000), library="twin"))
            for result in report["results"]:
                told = [flag for flag in result["flags"] if "did not answer" in flag]
                self.assertEqual(len(told), result["modifier"] == "management", (result["test"], result["modifier"], told))

    def test_a_stopped_run_goes_on_with_the_queries_and_updates_it_had(self):
        text = plan_text([self.PLAN[0].replace("100us", "3ms")], dut=router(forwarding_fps=30_000_000), library="twin")
        whole, _ = self.run_plan(text)
        running = subprocess.Popen([FPGAUGE, "run", self.write("stop.cfg", text), "--db", self.path("run.db"), "--events",
                                    self.path("events")], cwd=self.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: any(event["event"] == "step" and event["modifier"] == "management" for event in
                               events_of(self.path("events"))), "a trial with queries", running)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(IN_VAIN_S), INVALID)
        resumed = self.fpgauge("resume", self.path("run.db"), "--json", self.path("resumed.json"))
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(self.result("resumed.json")["results"], whole["results"])
        same = self.fpgauge("compare", self.path("result.json"), self.path("resumed.json"))
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)


if __name__ == "__main__":
    main()
