#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linux between the ports of the simulated logic, in real time: what is measured of it, what it sees, and that nothing stays
behind. Needs the rights to make network namespaces and TAPs. A trial that the machine has disturbed is repeated, by the program and here:
it says nothing of Linux."""

import collections
import os
import random
import signal
import subprocess
import time

from fifo_truth import max_theoretical_fps
from fpgauge_system import FPGAUGE, INVALID, LONG, ROOT, WRONG_PLAN, main, wait_until
from lab import LAB_LINUX, LINK_BPS, LabCase, frames_of, kernel_state, tap_plan

SIZES_OCTETS = (64, 128, 256, 512, 1024, 1280, 1518)  # RFC 2544 section 9.1
DURATION = "2s" if LONG else "60ms"
WAITS = 'drain = "40ms"; settle = "5ms";'
DISTURBED = ("fell behind real time", "Linux did not take a frame")
ATTEMPTS = 12


class Linux(LabCase):
    def run_undisturbed(self, plan, *arguments):
        """The result of a plan, run again as long as the machine disturbs it so often that the program gives up."""
        for _ in range(ATTEMPTS):
            done = self.fpgauge("run", self.write("plan.cfg", plan), "--json", self.path("result.json"), *arguments)
            self.assertIn(done.returncode, (0, INVALID), done.stdout + done.stderr)
            report = self.result("result.json")
            if done.returncode == 0:
                return report, done
            for result in report["results"]:
                if not result["valid"]:
                    self.assertTrue(any(why in result["why_invalid"] for why in DISTURBED), result["why_invalid"])
        self.skipTest(f"this machine has disturbed {ATTEMPTS} runs in a row, so nothing can be said of Linux: {done.stdout}")

    def test_a_bridge_has_the_throughput_of_the_link_at_seven_sizes_and_no_frame_is_misjudged(self):
        self.up()
        for frame_octets in SIZES_OCTETS:
            with self.subTest(frame_octets=frame_octets):
                report, done = self.run_undisturbed(tap_plan(
                    [f'test = "throughput"; frame_sizes = [{frame_octets}]; trial_duration = "{DURATION}"; {WAITS}']))
                result = self.only(report, test="throughput", frame_octets=frame_octets)
                line = float(max_theoretical_fps(frame_octets, LINK_BPS))
                self.assertEqual(f"{100 * result['throughput_fps'] / line:.3f}", "100.000", done.stdout)
                self.assertIsNone(result["first_lossy_fps"])
                self.assertIsNone(result["truth"], "nobody knows the truth about Linux")
                self.assertTrue(report["device"]["real_time"])
                self.check_frames(result)

    def test_the_examples_are_plans_that_would_run(self):
        self.up()
        for name in ("tap-bridge.cfg", "rfc2544-linux.cfg"):
            with self.subTest(name):
                done = self.fpgauge("check", os.path.join(ROOT, "docs", "examples", name))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_router_has_the_throughput_of_the_link(self):
        self.up("--no-bridge")
        commands = ["echo 1 > /proc/sys/net/ipv4/ip_forward"]
        for port in (0, 1):  # neighbours as in docs/lab-linux.md: the hosts are those of docs/traffic.md
            host = f"198.{18 + port}.1"
            commands += [f"ip link set dev fpg{port} address 02:46:47:0{1 - port}:00:00",
                         f"ip address add {host}.1/24 dev fpg{port}",
                         f"ip neigh add {host}.2 lladdr 02:46:47:0{port}:00:00 dev fpg{port} nud permanent"]
        done = self.lab_linux("exec", "sh", "-ec", "; ".join(commands))
        self.assertEqual(done.returncode, 0, done.stderr)
        report, _ = self.run_undisturbed(tap_plan(
            [f'test = "throughput"; frame_sizes = [101]; trial_duration = "{DURATION}"; {WAITS}']))
        result = self.only(report, test="throughput", frame_octets=101)
        line = float(max_theoretical_fps(101, LINK_BPS))
        self.assertEqual(f"{100 * result['throughput_fps'] / line:.3f}", "100.000")
        self.check_frames(result)

    def check_frames(self, result):
        """Each port has sent, all of it was received at the other, and was what it had been."""
        counters = dict(result["counters"])
        self.assertEqual([port["received_frames"] for port in result["ports"]],
                         [port["offered_frames"] for port in reversed(result["ports"])])
        self.assertGreater(min(port["offered_frames"] for port in result["ports"]), 0)
        self.assertEqual(counters.pop("received_frames"), counters.pop("offered_frames"))
        self.assertEqual(counters.pop("trials"), 1)
        self.assertEqual({key: count for key, count in counters.items() if count != 0}, {})

    def test_what_linux_sends_of_its_own_is_foreign_and_does_no_harm(self):
        self.up()
        self.lab_linux("exec", "ip", "address", "add", "198.18.1.1/24", "dev", "fpgbr")
        # Each asks for another host by ARP, which nobody answers.
        self.start("bash", "-c", "while :; do echo > /dev/udp/198.18.1.$((RANDOM % 200 + 20))/9; sleep 0.01; done")
        report, done = self.run_undisturbed(tap_plan(
            [f'test = "throughput"; frame_sizes = [512]; trial_duration = "500ms"; {WAITS}']))
        counters = self.only(report, test="throughput", frame_octets=512)["counters"]
        self.assertGreater(counters["foreign_frames"], 0, done.stdout)
        self.assertEqual((counters["lost_frames"], counters["received_frames"]), (0, counters["offered_frames"]))
        self.assertEqual((counters["bad_frames"], counters["wrong_port_frames"]), (0, 0))

    def test_linux_sees_the_frames_that_the_tester_has_sent(self):
        self.up()
        sniffer = self.start("dumpcap", "-q", "-i", "fpg0", "-i", "fpg1", "-w", self.path("linux.pcapng"))
        begin = sniffer.stderr.readline()
        while "File:" not in begin:
            self.assertNotEqual(begin, "", "dumpcap ended")
            begin = sniffer.stderr.readline()
        report, _ = self.run_undisturbed(tap_plan(
            [f'test = "throughput"; frame_sizes = [67, 1518]; trial_duration = "20ms"; {WAITS}'],
            device=f'capture = "{self.path("line.pcapng")}";'))
        line = frames_of(self.path("line.pcapng"))
        wanted = [len(line["port0-tx"]) + len(line["port0-rx"]), len(line["port1-tx"]) + len(line["port1-rx"])]
        self.assertGreater(min(wanted), 100)
        # Linux has them all when the run ends, but dumpcap writes in its own time, and drops what it has not read yet.
        wait_until(lambda: sum(map(len, frames_of(self.path("linux.pcapng")).values())) >= sum(wanted),
                   "frames in the capture", sniffer)
        sniffer.send_signal(signal.SIGINT)
        sniffer.communicate()
        linux = frames_of(self.path("linux.pcapng"))
        for port in ("0", "1"):
            sent, received = ([frame[:-4] for frame in line[f"port{port}-{way}"]] for way in ("tx", "rx"))
            seen = linux[f"fpg{port}"]
            self.assertEqual(len(seen), len(sent) + len(received), report["results"])
            self.assertEqual(collections.Counter(seen), collections.Counter(sent + received))
            self.assertEqual([frame for frame in seen if frame in set(sent)], sent, "in another order")

    def start_long_trial(self, *arguments):
        """A run that sends when this returns."""
        plan = tap_plan([f'test = "throughput"; frame_sizes = [64]; trial_duration = "1s"; {WAITS}'])
        run = self.start(FPGAUGE, "run", self.write("plan.cfg", plan), *arguments)
        wait_until(lambda: self.counted("fpg0", "rx_packets") > 100, "frames of the trial", run)
        return run

    def test_a_tester_that_was_stopped_in_mid_trial_does_not_call_it_loss(self):
        self.up()
        run = self.start_long_trial("--json", self.path("result.json"), f"--trial-log={self.path('trials.log')}")
        run.send_signal(signal.SIGSTOP)
        time.sleep(0.5)  # the pause is the disturbance: above 0.1 s, all that may be late
        run.send_signal(signal.SIGCONT)
        run.communicate()
        result = self.only(self.result("result.json"), test="throughput", frame_octets=64)
        with open(self.path("trials.log"), encoding="utf-8") as file:
            log = file.read()
        self.assertGreaterEqual(result["invalid_trials"], 1, log)
        self.assertIn("fell behind real time by", log)
        if result["valid"]:  # else it was disturbed again and again
            self.assertIsNone(result["first_lossy_fps"], log)

    def test_after_a_kill_in_mid_trial_down_leaves_no_trace(self):
        before = kernel_state(self.lab)
        self.up()
        self.assertNotEqual(kernel_state(self.lab)["namespaces"], before["namespaces"])
        other = self.start("sleep", "100000")
        run = self.start_long_trial()
        run.kill()
        run.communicate()
        done = self.lab_linux("down")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(other.wait(), -signal.SIGTERM, "what runs in a lab ends with it")
        self.assertEqual(kernel_state(self.lab), before)

    def test_whenever_up_is_killed_down_leaves_no_trace(self):
        before = kernel_state(self.lab)
        for _ in range(20 if LONG else 4):
            making = subprocess.Popen([LAB_LINUX, "up", "--name", self.lab], stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(0, 0.4))
            making.kill()
            making.wait()
            # A command of its that runs just then may still make something. A process that becomes another one has no
            # command line for a moment.
            wait_until(lambda: not any(self.commands() for _ in range(10)), "the last command of lab-linux")
            self.assertEqual(self.lab_linux("down").returncode, 0)
            self.assertEqual(kernel_state(self.lab), before)

    def commands(self):
        time.sleep(0.02)
        return kernel_state(self.lab)["processes"]

    def test_up_and_down_can_be_repeated(self):
        before = kernel_state(self.lab)
        self.assertEqual(self.lab_linux("down").returncode, 0)
        self.up("--ports", "3", "--mtu", "9000")
        self.up("--ports", "2", "--no-bridge")
        links = self.lab_linux("exec", "ip", "-brief", "link").stdout
        self.assertEqual(sorted(line.split()[0] for line in links.splitlines()), ["fpg0", "fpg1", "lo"])
        for _ in range(2):
            self.assertEqual(self.lab_linux("down").returncode, 0)
        self.assertEqual(kernel_state(self.lab), before)

    def test_without_the_rights_there_is_one_clear_line_and_no_trace(self):
        before = kernel_state(self.lab)
        less = "-net_admin,-sys_admin"
        done = subprocess.run(["setpriv", f"--bounding-set={less}", f"--inh-caps={less}", LAB_LINUX, "up", "--name", self.lab],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "lab-linux: not permitted to make a network namespace: needs root, or CAP_SYS_ADMIN "
                                      "and CAP_NET_ADMIN\n")
        self.assertEqual(kernel_state(self.lab), before)

    def test_wrong_settings_are_refused_in_one_line(self):
        self.up()
        test = 'test = "throughput"; frame_sizes = [64]; trial_duration = "20ms";'
        for settings, says in ((dict(dut='tap = "fpg0,nowhere";'), '"fpg0,nowhere": nowhere: there is no such interface here'),
                               (dict(dut='tap = "fpg0,lo";'), '"fpg0,lo": lo: is no TAP interface'),
                               (dict(dut='tap = "fpg0";'), '"fpg0": names 1 interfaces: must be 2, one for each port'),
                               (dict(dut='tap = "fpg0,fpg1,fpg2";'), "names 3 interfaces: must be 2"),
                               (dict(dut='tap = "fpg0,fpg0";'), "fpg0: another program has it open"),
                               (dict(dut='tap = "fpg0,an-interface-name-of-28-octets";'), "is no name of an interface"),
                               (dict(dut='buffer_frames = 4;'), "dut.buffer_frames = 4: no such setting here"),
                               (dict(device='library = "twin";'), '"tap": real time is only for the simulated logic'),
                               (dict(device='library = "rtl"; ports = 13;'), "device.ports")):
            with self.subTest(**settings):
                done = self.fpgauge("run", self.write("plan.cfg", tap_plan([test], **settings)))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertIn(says, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for link, says in (("9M", "must be 10000000 to 1000000000 bit/s"), ("2G", "must be 10000000"), ("50%", "must be 1000")):
            with self.subTest(link=link):
                plan = tap_plan([test]).replace('link = "10M"', f'link = "{link}"', 1)
                done = self.fpgauge("run", self.write("plan.cfg", plan))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                self.assertIn(f"plan.cfg:1: device.link = {link}: {says}", done.stderr)


if __name__ == "__main__":
    main()
