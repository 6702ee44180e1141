#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpgauge send: what it shows while it sends and what it says at the end, against devices of which the truth is known."""

import json
import os
import pty
import random
import signal
import subprocess
import unittest

from fpgauge_system import DONE, FPGAUGE, INVALID, LINK_BPS, SEED, WRONG_DEVICE, WRONG_PLAN, SystemCase, wait_until

FAULTY = os.path.join(os.path.dirname(FPGAUGE), "tests", "sim", "fakes", "libfpgauge-sim-faulty.so")
IMIX = [64] * 7 + [570] * 4 + [1518]


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def line_fps(sizes):
    """Line rate of frames of these lengths in turn."""
    return LINK_BPS / 8 * len(sizes) / sum(size + 20 for size in sizes)


class Send(SystemCase):
    def send(self, *arguments, expect=DONE):
        """(lines while it sent, last line)"""
        done = self.fpgauge("send", *arguments)
        self.assertEqual((done.returncode, done.stderr), (expect, ""), (SEED, arguments))
        *looks, end = lines(done.stdout)
        self.assertTrue(all(look["state"] == "sending" for look in looks))
        self.assertEqual(end["state"], "done")
        return looks, end

    def test_the_rate_of_a_device_that_is_too_slow_is_seen_and_what_it_loses_is_counted(self):
        draw = random.Random(SEED)
        for _ in range(6):
            size, buffer = draw.randrange(64, 1519), draw.randrange(1, 2000)
            service = round(line_fps([size]) * draw.uniform(0.05, 0.8))
            load = draw.uniform(1.05, 1.2) * service
            frames = int(buffer * load / (load - service) * draw.uniform(1.5, 4)) + 20000
            with self.subTest(size=size, buffer=buffer, service=service, load=load, frames=frames):
                looks, end = self.send("twin", "--load", f"{load:.0f}", "--size", str(size), "--frames", str(frames),
                                       "--set", "dut.model=fifo", "--set", f"dut.buffer_frames={buffer}", "--set",
                                       f"dut.service_fps={service}")
                self.assertTrue(end["valid"], end["why_invalid"])
                self.assertEqual(end["sent_frames"], 2 * frames)
                self.assertEqual(end["received_frames"] + end["lost_frames"], 2 * frames)
                forwarded = frames / load * service + buffer
                for port in end["ports"]:
                    self.assertEqual(port["sent_frames"], frames)
                    self.assertAlmostEqual(port["received_frames"], forwarded, delta=3 + 2e-4 * frames)
                    self.assertEqual(port["lost_frames"], frames - port["received_frames"])
                    # A full queue in front of a frame, and the time in which it is received.
                    self.assertAlmostEqual(port["latency_max_ns"], buffer * 1e9 / service, delta=5 * 1e9 / service + 200)
                full = looks[len(looks) // 2:-1]  # the queue fills in the looks before; the last one may reach beyond the end
                self.assertTrue(full)
                for look in full:
                    for port in look["ports"]:
                        self.assertAlmostEqual(port["tx_fps"], load, delta=2 / look["interval_s"])
                        self.assertAlmostEqual(port["rx_fps"], service, delta=2 / look["interval_s"])
                        self.assertLessEqual(port["lost_frames"], end["lost_frames"])

    def test_only_the_ports_that_are_named_send_and_only_to_those_that_they_have(self):
        draw = random.Random(SEED + 7)
        four = ("--set", "device.ports=4")
        for pattern, to in (("pairs", lambda port: [port ^ 1]), ("mesh", lambda port: [other for other in range(4) if other != port]),
                            ("one_to_many", lambda port: [1, 2, 3] if port == 0 else [0])):
            ports = sorted(draw.sample(range(4), draw.randrange(1, 4)))
            frames = 12 * draw.randrange(20, 500)
            shown = draw.sample(ports, len(ports))
            with self.subTest(pattern=pattern, ports=shown, frames=frames):
                looks, end = self.send("twin", "--load", "20%", "--frames", str(frames), "--pattern", pattern, "--ports", ",".join(map(str, shown)),
                                       *four, "--set", "dut.model=switch")
                self.assertEqual((end["valid"], end["why_invalid"], end["lost_frames"]), (True, None, 0))
                received = [sum(frames // len(to(port)) for port in ports if other in to(port)) for other in range(4)]
                self.assertEqual([one["sent_frames"] for one in end["ports"]], [frames * (port in ports) for port in range(4)])
                self.assertEqual([one["received_frames"] for one in end["ports"]], received)
                self.assertEqual(end["sent_frames"], frames * len(ports))
                for look in looks:
                    self.assertEqual([one["port"] for one in look["ports"] if one["tx_fps"] > 0 and one["port"] not in ports], [])

    def test_ports_that_are_not_there_or_do_not_send_are_refused(self):
        for ports, more, why in (("0,2", (), "--ports 0,2: port 2: must be below 2, the number of ports of the device"),
                                 ("1", ("--direction", "unidirectional"), "port 1 does not send with this pattern and direction: must be some of 0"),
                                 ("0,0", (), "--ports 0,0: must appear only once"), ("16", (), "--ports 16: must be "), ("a", (), "--ports a: syntax error"),
                                 ("0", ("--set", "traffic.routed=true", "--set", "dut.model=router"), "must not be given with traffic.routed")):
            done = self.fpgauge("send", "twin", "--load", "1%", "--for", "1ms", "--ports", ports, *more)
            self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""), done.stderr)
            self.assertIn(why, done.stderr)

    def test_below_the_rate_of_the_device_nothing_is_lost(self):
        draw = random.Random(SEED + 1)
        for size in (str(draw.randrange(64, 1519)), "imix", "64,1518,9000"):
            sizes = IMIX if size == "imix" else [int(octets) for octets in size.split(",")]
            share = draw.uniform(0.1, 0.9)
            with self.subTest(size=size, share=share):
                looks, end = self.send("sim:twin", "--load", f"{share * 99:.3f}%", "--size", size, "--for", "20ms", "--set",
                                       "dut.model=fifo", "--set", f"dut.service_bps={share * LINK_BPS:.0f}", "--set",
                                       "dut.overhead_octets=20", "--set", "dut.buffer_octets=1000000")
                fps = line_fps(sizes) * share * 0.99
                self.assertEqual((end["valid"], end["lost_frames"], end["stopped"]), (True, 0, False))
                self.assertAlmostEqual(end["load_fps"], fps, delta=1e-4 * fps)
                self.assertAlmostEqual(end["sent_frames"], 2 * 0.02 * fps, delta=2 + 2e-4 * fps * 0.02)
                self.assertEqual(end["received_frames"], end["sent_frames"])
                self.assertGreaterEqual(len(looks), 9)  # a tenth of the time each
                for before, after in zip(looks, looks[1:]):
                    self.assertGreater(after["sent_s"], before["sent_s"])

    def test_a_load_in_bits_counts_preamble_and_gap(self):
        for load in ("10Gbit/s", "10%", f"{line_fps([64]) / 10:.0f}"):
            end = self.send("twin", "--load", load, "--for", "1ms")[1]
            self.assertAlmostEqual(end["load_fps"], line_fps([64]) / 10, delta=1)

    def test_one_direction_and_a_pattern_of_four_ports(self):
        _, end = self.send("twin", "--load", "1M", "--for", "1ms", "--direction", "unidirectional")
        self.assertEqual([(port["sent_frames"], port["received_frames"]) for port in end["ports"]], [(1000, 0), (0, 1000)])
        _, end = self.send("twin", "--load", "30%", "--for", "1ms", "--pattern", "mesh", "--set", "device.ports=4", "--set",
                           "dut.model=switch", "--drain", "100us")
        self.assertTrue(end["valid"], end["why_invalid"])
        self.assertEqual(end["lost_frames"], 0)
        self.assertEqual(len({port["received_frames"] for port in end["ports"]}), 1)

    def test_a_fault_of_the_tester_is_named_and_is_no_loss(self):
        _, end = self.send(f"sim:{FAULTY}", "--load", "10%", "--for", "1ms", "--set", "device.fault=wide gap", expect=INVALID)
        self.assertFalse(end["valid"])
        self.assertRegex(end["why_invalid"], "port 1: .*gap")
        self.assertIsNone(end["lost_frames"])

    def test_ctrl_c_ends_it_and_what_was_sent_is_judged(self):
        for length, code in (((), DONE), (("--for", "600000s"), INVALID)):
            with self.subTest(length), subprocess.Popen(
                    [FPGAUGE, "send", "twin", "--load", "50%", "--json", self.path("lines"), "--set", "dut.model=faults", "--set",
                     "dut.drop_every=10", *length], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as send:
                wait_until(lambda: os.path.exists(self.path("lines")) and os.path.getsize(self.path("lines")) > 10000,
                           "it sends", send)
                send.send_signal(signal.SIGINT)
                out, err = send.communicate()
            self.assertEqual((send.returncode, err), (code, ""))
            with open(self.path("lines"), encoding="utf-8") as file:
                end = lines(file.read())[-1]
            self.assertEqual((end["state"], end["stopped"], end["valid"]), ("done", True, True), end["why_invalid"])
            for port in end["ports"]:
                self.assertEqual(port["lost_frames"], port["sent_frames"] // 10)
            self.assertRegex(out, r"(?m)^sim twin sent .* from each sending port, then was stopped$")
            self.assertRegex(out, rf"(?m)^ all +{end['sent_frames']} +{end['received_frames']} +{end['lost_frames']} ")
            self.assertRegex(out, r"(?m)^valid: lost .* frames, 10\.000%$")
            os.remove(self.path("lines"))

    def test_a_terminal_gets_a_table_that_is_drawn_again(self):
        terminal, inside = pty.openpty()
        with subprocess.Popen([FPGAUGE, "send", "twin", "--load", "50%"], stdout=inside, stdin=subprocess.DEVNULL) as send:
            os.close(inside)
            shown, asked = b"", False
            while True:
                try:
                    piece = os.read(terminal, 65536)
                except OSError:  # the other end is closed
                    break
                shown += piece
                if not asked and shown.count(b"\033[H") >= 3:
                    asked = True
                    send.send_signal(signal.SIGINT)
            os.close(terminal)
        self.assertEqual(send.returncode, DONE)
        *screens, last = shown.decode().split("\033[H\033[J")[1:]
        self.assertGreaterEqual(len(screens), 2)
        for screen in screens:
            self.assertIn("sim twin, 2 ports at 100 Gb/s; sending for ", screen)
            self.assertRegex(screen, r"(?m)^   1 +\d+ +\d\d\.\d\d Mfps +\d\d\.\d\d\d% ")  # the first is a moment after the start
        self.assertRegex(screens[-1], r"(?m)^   1 +\d+ +74\.40 Mfps +50\.000% ")
        self.assertRegex(last, r"(?m)^valid: lost 0 of \d+ frames, 0\.000%")

    def test_wrong_arguments_are_refused_with_option_value_and_limit(self):
        for arguments, text in [
                (["--load", "101%"], "--load 101%: must be 0.0001% to 100%, or 1 to 1T frames a second"),
                (["--load", "149M"], "--load 149M: must be at most 148809523.8 frames a second, the line rate of sim twin at 64 octets"),
                (["--load", "200Gbit/s"], "--load 200Gbit/s: must be at most 148809523.8 frames a second, "
                                          "the line rate of sim twin at 64 octets"),
                (["--load", "xbit/s"], "--load xbit/s: must be 0.0001% to 100%, or 1 to 1T frames a second"),
                (["--load", "50", "--for", "1ms"], "--load 50: 50.00 fps is a frame of each port in 20.00 ms, which is longer than 1.00 ms, "
                                                   "the time to send; a share of line rate ends in %"),
                (["--load", "1M", "--size", "63"], "--size 63: must be 64 to 9216 "),
                (["--load", "1M", "--size", "64,63"], "--size 64,63: must be 64 to 9216 "),
                (["--load", "1M", "--size", "big"], '--size big: must be "imix", "genome:" '),
                (["--load", "1M", "--for", "3"], "--for 3: must be a time with its unit, 1us to 604800s"),
                (["--load", "1M", "--frames", "0"], "--frames 0: must be 1 to 1T frames"),
                (["--load", "1", "--frames", "1M"], "--frames 1M: must be at most what is sent in a week, 604800 frames"),
                (["--load", "1M", "--pattern", "ring"], '--pattern ring: must be "pairs" or '),
                (["--load", "1M", "--pattern", "mesh"], "--pattern mesh: needs 3 ports, and sim twin has 2: --set device.ports=3"),
                (["--load", "1M", "--direction", "up"], '--direction up: must be "unidirectional" or "bidirectional"'),
                (["--load", "1M", "--drain", "1"], "--drain 1: must be a time with its unit, 1us to 604800s"),
                (["--load", "1M", "--interval", "0s"], "--interval 0s: must be a time with its unit, 1us to 86400s"),
                (["--load", "1M", "--json", "none/x"], "--json none/x: cannot be written"),
                (["--load", "1M", "--set", "run[0].settle=1s"],
                 "--set run[0].settle=1s: must be a setting of device, dut, link or traffic"),
                (["--load", "1M", "--set", "dut.model=none"], "--set dut.model=none: dut.model = "),
                (["--load", "1M", "--set", "link.speed=900G"], 'link.speed = "900G": must be 10M to 800G bits a second')]:
            with self.subTest(arguments=arguments):
                done = self.fpgauge("send", "twin", *arguments)
                self.assertIn(text, done.stderr)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (WRONG_PLAN, "", 1))
        for device, code, text in (("sim:none", WRONG_DEVICE, "no libfpgauge-sim-none.so"),
                                   ("exec", WRONG_PLAN, "exec: an external tester has no counters to be read while it sends")):
            done = self.fpgauge("send", device, "--load", "1M")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
