#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people and supervisors are told of traffic that is not plain: check, trial log, events, reports."""

import csv
import os

from fpgauge_system import DONE, SystemCase, events_of, main, plan_text

TIMES = 'trial_duration = "100us"; resolution = "1%"; settle = "10us"; drain = "100us"'
PLAN = plan_text([f'test = "throughput"; {TIMES}; traffic = {{ sizes = [68, 570]; vlan = 0; }};',
                  f'test = "throughput"; frame_sizes = [128]; {TIMES}; '
                  'traffic = { pattern = "snake"; frame = "ipv6_udp"; vlan = 100; addresses = 2; };'], library="twin")


class TrafficShown(SystemCase):
    def test_check_names_the_mix_and_what_is_not_plain(self):
        done = self.fpgauge("check", self.write("plan.cfg", PLAN))
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("destinations a port: 1\n     traffic: pairs, frames ipv4_udp, VLAN 0\n     frame sizes: [68, 570]\n",
                      done.stdout)
        self.assertIn("addresses for each pair of ports: 2\n     traffic: snake, frames ipv6_udp, VLAN 100\n"
                      "     frame sizes: 128\n", done.stdout)

    def test_a_run_names_it_wherever_it_tells_of_it(self):
        report, done = self.run_plan(PLAN, "--events", self.path("events"), "--trial-log=" + self.path("log"),
                                     "--html", self.path("page.html"))
        told = [event for event in events_of(self.path("events")) if event["event"] in ("step", "live")]
        self.assertLessEqual({(None, "[68, 570]"), (128, None)}, {(event["frame_octets"], event["sizes"]) for event in told})
        self.assertNotIn(0, [event["frame_octets"] for event in told])
        with open(self.path("log"), encoding="utf-8") as file:
            lines = [line.split()[:3] for line in file if not line.startswith("#")]
        self.assertEqual({tuple(line) for line in lines}, {("1", "throughput", "[68,570]"), ("2", "throughput", "128")})
        for result in report["results"]:
            self.assertEqual([row["port"] for row in result["ports"]], [0, 1])
            for key in ("offered_frames", "received_frames", "lost_frames"):
                self.assertEqual(sum(row[key] for row in result["ports"]), result["counters"][key])
            self.assertEqual(min(row["latency_min_ns"] for row in result["ports"]), result["latency_min_ns"])
        self.assertEqual(done.stdout.count("  By port, in the trial that settled each result\n"), 1, "of the snake")
        mix, snake = (result["parameters"] for result in report["results"])
        self.assertEqual((mix["pattern"], mix["frame"], mix["vlan"], mix["addresses"], mix["seed"]), ("pairs", "ipv4_udp", 0, 1, None))
        self.assertEqual((snake["pattern"], snake["frame"], snake["vlan"], snake["addresses"], snake["seed"]),
                         ("snake", "ipv6_udp", 100, 2, None))
        for text in ("  Frames               UDP echo over IPv4 (RFC 2544 Appendix C.2.6.4), with a priority tag\n",
                     "  Frames               UDP echo over IPv6 (addresses of RFC 5180 section 5.2), VLAN 100\n",
                     "  Traffic              snake, bidirectional, addresses for each pair of ports: 2, minimum gap 12 "):
            self.assertIn(text, done.stdout)
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("Frames: UDP echo over IPv4 (RFC 2544 Appendix C.2.6.4), with a priority tag.", page)
        self.assertIn("Frames: UDP echo over IPv6 (addresses of RFC 5180 section 5.2), VLAN 100.", page)
        self.assertEqual(page.count(" Traffic: snake, bidirectional, addresses for each pair of ports: 2."), 1)
        self.assertNotIn(" Traffic: pairs", page)
        self.assertEqual(page.count('data-table="ports"'), 2)   # one for each test

    def test_ports_of_a_mesh_lose_what_had_to_arrive_there(self):
        # The device passes frames on between the ports of a pair only, so a third of those of each port arrives.
        report, _ = self.run_plan(plan_text([f'test = "throughput"; frame_sizes = [128]; {TIMES}; '
                                             'traffic = { pattern = "mesh"; }'], library="twin", device="ports = 4;"))
        ports = report["results"][0]["ports"]
        self.assertEqual(len(ports), 4)
        self.assertEqual(sum(row["lost_frames"] for row in ports), report["results"][0]["counters"]["lost_frames"])
        for port, row in enumerate(ports):
            self.assertEqual(row["received_frames"] + row["wrong_port_frames"], ports[port ^ 1]["offered_frames"])
            # Each port sends to the next one first (RFC 2889 section 5.1.3).
            addressed = sum((ports[sender]["offered_frames"] - (port - sender - 1) % 4 + 2) // 3
                            for sender in range(4) if sender != port)
            self.assertEqual(row["received_frames"] + row["lost_frames"], addressed)
            self.assertGreater(row["lost_frames"], 0)

    def flows(self, test):
        """The result of a mesh of four through a switch with too small a line, and of its last trial the rows in the run file."""
        report, done = self.run_plan(plan_text([test + ' frame_sizes = [64]; settle = "0s"; drain = "1ms"; '
                                                'traffic = { pattern = "mesh"; addresses = 2; }'], library="twin",
                                               device="ports = 4;",
                                               dut='model = "switch"; latency_ns = 300; buffer_frames = 20; gap_octets = 18;'),
                                     "--db", "flows.db", "--csv", "csv", "--html", "flows.html")
        return report["results"][0], done.stdout

    def check_flows(self, flows, ports):
        self.assertEqual([(row["source_port"], row["flow"]) for row in flows], [(port, flow) for port in range(4) for flow in range(6)])
        for row in flows:
            port, flow, sent = row["source_port"], row["flow"], ports[row["source_port"]]["offered_frames"]
            # RFC 2889 section 5.1.3: to the next ports in turn, and then from the next host.
            self.assertEqual(row["destination_ports"], [(port + 1 + flow % 3) % 4])
            self.assertEqual(row["offered_frames"], (sent - flow + 5) // 6)
            self.assertEqual(row["received_frames"] + row["lost_frames"], row["offered_frames"])
            self.assertEqual((row["duplicated_frames"], row["reordered_frames"], row["wrong_port_frames"]), (0, 0, 0))
        for port, of_port in enumerate(ports):
            to = [row for row in flows if row["destination_ports"] == [port]]
            for key in ("received_frames", "lost_frames"):
                self.assertEqual(sum(row[key] for row in to), of_port[key])
            self.assertEqual(min(row["latency_min_ns"] for row in to), of_port["latency_min_ns"])
            self.assertEqual(max(row["latency_max_ns"] for row in to), of_port["latency_max_ns"])
            self.assertAlmostEqual(sum(row["latency_mean_ns"] * row["received_frames"] for row in to) / of_port["received_frames"],
                                   of_port["latency_mean_ns"], 6)

    def test_flows_of_a_mesh_add_up_to_its_ports(self):
        result, shown = self.flows('test = "throughput"; search = "binary"; trial_duration = "200us"; resolution = "1%";')
        self.assertEqual(result["flow_count"], 24)
        self.check_flows(result["flows"], result["ports"])
        self.assertEqual(sum(row["offered_frames"] for row in result["flows"]), result["counters"]["offered_frames"])
        self.assertIn("  By flow, in the trial that settled each result\n", shown)
        self.assertIn("  and 16 more in the JSON, ", shown)
        with open(self.path("flows.html"), encoding="utf-8") as file:
            self.assertEqual(file.read().count('data-table="flows"'), 1)
        with open(self.path("csv/flows.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual([(row["test"], row["frame_octets"]) for row in rows], [("throughput", "64")] * 24)
        for row, flow in zip(rows, result["flows"]):
            for key, value in flow.items():
                self.assertEqual(row[key], " ".join(map(str, value)) if isinstance(value, list) else str(value), key)
        self.assertIn("By flow", self.fpgauge("report", "flows.db").stdout)

    def test_flows_of_bursts_and_of_the_trials_at_both_bounds_of_a_goal(self):
        result, _ = self.flows('test = "back_to_back"; repetitions = 2; max_burst = "100us";')
        self.check_flows(result["flows"], result["ports"])
        self.assertEqual({row["offered_frames"] for row in result["ports"]}, {result["values_frames"][-1]})
        os.unlink(self.path("flows.db"))
        result, _ = self.flows('test = "mlrsearch"; goals = ( { loss_ratio = "0"; final_trial_duration = "200us"; '
                               'initial_trial_duration = "100us"; duration_sum = "400us"; width = "5%"; } );')
        self.check_flows(result["flows"], result["ports"])
        self.check_flows(result["upper_flows"], result["upper_ports"])
        self.assertEqual(sum(row["lost_frames"] for row in result["flows"]), 0)
        self.assertGreater(sum(row["lost_frames"] for row in result["upper_flows"]), 0)


if __name__ == "__main__":
    main()
