#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people type, save in an editor and pipe every day: units, names of devices, byte order marks, `| head`."""

import json
import subprocess

from fpgauge_system import DONE, FPGAUGE, INVALID, WRONG_DEVICE, WRONG_PLAN, SystemCase, fifo, main, plan_text

QUICK = 'test = "throughput"; frame_sizes = [64]; trial_duration = "10us"; resolution = "10%"'
PLAN = plan_text([QUICK], library="twin")


class WhatPeopleType(SystemCase):
    def check(self, text, *arguments, expect=DONE):
        done = self.fpgauge("check", self.write("lab.cfg", text), *arguments)
        self.assertEqual(done.returncode, expect, f"{text}\n{done.stdout}\n{done.stderr}")
        return done

    def test_a_tolerance_of_0_is_0_percent(self):
        self.run_plan(PLAN, "--db", self.path("run.db"))
        for tolerance in ("0", "0%", "0.0"):
            done = self.fpgauge("compare", "run.db", "run.db", "--tolerance", tolerance)
            self.assertEqual(done.returncode, DONE, done.stderr)
            self.assertIn("by more than 0%", done.stdout)

    def test_a_version_without_quotes_is_kept_as_it_was_written(self):
        for written, shown in (("1.2", "1.2"), ("1.10", "1.10"), ("7", "7"), ("2e3", "2e3"), ("0x1F", "0x1F"), ("5L", "5L"),
                               ("+4", "+4"), ('"1.2.3-rc4"', "1.2.3-rc4")):
            report, _ = self.run_plan(PLAN + f"info = {{ firmware = {written}; }};")
            self.assertEqual(report["info"]["firmware"], shown)
            report, _ = self.run_plan(PLAN, "--set", f"info.firmware={written}")
            self.assertEqual(report["info"]["firmware"], shown)

    def test_a_byte_order_mark_is_skipped(self):
        self.write("tests.cfg", b"\xef\xbb\xbf" + PLAN[PLAN.index("run ="):].encode())
        self.check(b"\xef\xbb\xbf" + PLAN.encode())
        self.check(PLAN[:PLAN.index("run =")] + '@include "tests.cfg"\n')

    def test_utf_16_is_named_and_what_cannot_be_seen_is_shown(self):
        for encoding in ("utf-16-le", "utf-16-be"):
            done = self.check(("\ufeff" + PLAN).encode(encoding), expect=WRONG_PLAN)
            self.assertIn("lab.cfg:1: is UTF-16: save it as UTF-8", done.stderr)
        for invisible, shown in (("\ufeff", r"\ufeff"), ("\u00a0", r"\u00a0"), ("\u200b", r"\u200b"), ("\u202e", r"\u202e")):
            done = self.check(PLAN.replace("link", invisible + "link"), expect=WRONG_PLAN)
            self.assertIn(f"lab.cfg:2: {shown}", done.stderr)
            self.assertNotIn(invisible, done.stderr)

    def test_a_device_has_one_name_for_all_commands(self):
        for name in ("twin", "sim:twin"):
            self.assertEqual(self.fpgauge("selftest", name).returncode, DONE)
            self.assertEqual(self.fpgauge("watch", name, "--count", "1").returncode, DONE)
            self.assertEqual(self.fpgauge("send", name, "--load", "1%", "--for", "1us").returncode, DONE)
            self.assertEqual(self.check(PLAN, "--device", name).returncode, DONE)

    def test_keys_of_another_backend_are_left_aside_when_the_device_is_replaced(self):
        done = self.check(PLAN, "--device", "pci:0000:ff:1f.7", "--set", "device.sysfs=/nowhere", expect=WRONG_DEVICE)
        self.assertIn("/nowhere", done.stderr)
        done = self.check('device = { backend = "pci"; card = "0000:3b:00.0"; bar = 2; };' + PLAN[PLAN.index("run ="):],
                          "--device", "sim:twin")
        self.assertIn("Left aside for --device: device.card, device.bar", done.stdout)
        # Settings of the command line itself are meant for the new device.
        done = self.check(PLAN, "--device", "pci:0000:ff:1f.7", "--set", "device.library=twin", expect=WRONG_PLAN)
        self.assertIn("--set device.library=twin", done.stderr)
        # A run goes on with the same device.
        plan = self.write("card.cfg", 'device = { backend = "pci"; bar = 2; };' + PLAN[PLAN.index("run ="):])
        done = self.fpgauge("run", plan, "--device", "twin", "--db", "run.db")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("Left aside for --device: device.bar", done.stdout)
        self.assertEqual(self.fpgauge("resume", "run.db").returncode, DONE)

    def piped_to_head(self, *arguments):
        """Its first line, standard error and exit code, when the reader of its output closes it after that line."""
        with subprocess.Popen([FPGAUGE, *arguments], cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            line = run.stdout.readline()
            run.stdout.close()
            errors = run.stderr.read().decode()
            return line, errors, run.wait()

    def test_a_reader_that_has_seen_enough_is_no_error(self):
        sizes = ", ".join(str(size) for size in range(64, 264))
        plan = self.write("long.cfg", plan_text([QUICK.replace("[64]", f"[{sizes}]")], library="twin"))
        line, errors, code = self.piped_to_head("run", plan, "--db", "run.db")
        self.assertEqual((line, code), (b"Run file: run.db\n", DONE), errors)
        self.assertNotIn("cannot be written", errors)
        self.fpgauge("report", "run.db", "--quiet", "--json", "run.json")
        self.assertEqual(len(self.result("run.json")["results"]), 200)  # it went on to its end
        for arguments in (("report", "run.db"), ("report", "run.db", "--json", "-"), ("report", "run.db", "--html", "-"),
                          ("report", "run.db", "--junit", "-"), ("help", "plan"), ("help", "results-schema"),
                          ("compare", "run.db", "run.db"), ("compare", "run.db", "run.db", "--json", "-"),
                          ("check", plan, "--json", "-")):
            _, errors, code = self.piped_to_head(*arguments)
            self.assertEqual((errors, code), ("", DONE), arguments)
        with open("/dev/full", "w", encoding="utf-8") as full:  # a full disk is another matter
            done = subprocess.run([FPGAUGE, "report", "run.db"], cwd=self.scratch, stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, WRONG_PLAN)
        self.assertIn(b"cannot be written", done.stderr)

    def test_check_refuses_a_latency_test_for_which_no_throughput_is_known(self):
        latency = 'test = "latency"; frame_sizes = [64, 128]; trial_duration = "10us"'
        done = self.check(plan_text([latency], library="twin"), expect=WRONG_PLAN)
        self.assertIn('lab.cfg:5: test = "latency": ', done.stderr)
        done = self.check(plan_text([QUICK, latency], library="twin"), expect=WRONG_PLAN)
        self.assertIn("128", done.stderr)  # there is no throughput of that size
        self.check(plan_text([QUICK, latency.replace(", 128", "")], library="twin"))
        self.check(plan_text([latency + '; load = "50%"'], library="twin"))

    def test_what_was_merely_stopped_is_not_finished_and_not_invalid(self):
        text = plan_text([QUICK + "; trials_limit = 2", QUICK], dut=fifo(10, "30M"), library="twin")
        report, done = self.run_plan(text, "--db", "run.db", "--html", "run.html", "--junit", "run.xml", expect=INVALID)
        stopped, whole = report["results"]
        self.assertEqual((stopped["valid"], stopped["unfinished"], whole["valid"]), (False, True, True))
        self.assertNotIn("unfinished", whole)
        self.assertIn("64 octets is not finished: the search ended after 2 trials", done.stdout)
        self.assertIn("1 of 2 results is not finished.", done.stdout)
        with open(self.path("run.html"), encoding="utf-8") as page, open(self.path("run.xml"), encoding="utf-8") as junit:
            page, junit = page.read(), junit.read()
        self.assertIn(">NOT FINISHED<", page)
        self.assertIn('<failure type="not_finished"', junit)
        for text in (done.stdout, page, junit):
            self.assertNotIn("INVALID", text)
        self.assertNotIn('type="invalid"', junit)

    def test_rates_are_taken_with_the_units_that_people_write(self):
        def sent(load):
            done = self.fpgauge("send", "twin", "--load", load, "--for", "100us", "--json", "-")
            self.assertEqual(done.returncode, DONE, f"{load}: {done.stderr}")
            return [json.loads(line) for line in done.stdout.splitlines()][-1]["load_fps"]
        for load in ("14880952fps", "14.880952Mpps", "14.880952mpps", "14880.952 kpps", "14880952"):
            self.assertEqual(sent(load), 14880952, load)
        # The load is that on the line: a frame of 64 octets takes 84 with preamble and gap.
        for load in ("10Gbps", "10gbps", "10 Gbit/s", "10000Mbps", "10Gb/s", "10%"):
            self.assertAlmostEqual(sent(load), 10e9 / 8 / 84, places=6, msg=load)
        done = self.fpgauge("send", "twin", "--load", "10GB/s", "--for", "1us")
        self.assertIn("unknown unit: known are %, s ms us ns, frames, fps pps bps bit/s", done.stderr)
        plan = plan_text(['test = "latency"; frame_sizes = [64]; trial_duration = "10us"; repetitions = 1; load = "14.880952Mpps"'],
                         library="twin").replace('"100G"', '"100Gbps"')
        report, _ = self.run_plan(plan)
        self.assertEqual(report["results"][0]["load_fps"], 14880952)
        done = self.check(plan.replace("14.880952Mpps", "10Gbps"), expect=WRONG_PLAN)
        self.assertIn('load = "10Gbps": must be 0.0001% to 100%, or 1 to 1T frames a second (not in bits a second)', done.stderr)

    def test_sizes_that_nobody_typed_follow_the_headers(self):
        # RFC 8200: 40 octets of IPv6 and 8 of UDP; 14 of Ethernet, 4 of a tag, 4 of FCS; 18 are our signature.
        tagged, ipv6, both = 68, 84, 88
        self.assertEqual((14 + 4 + 20 + 8 + 18 + 4, 14 + 40 + 8 + 18 + 4, 14 + 4 + 40 + 8 + 18 + 4), (tagged, ipv6, both))
        throughput = 'test = "throughput"; trial_duration = "10us"; resolution = "10%"; '
        for traffic, least in (("vlan = 7;", tagged), ('frame = "ipv6_udp";', ipv6), ('vlan = 7; frame = "ipv6_udp";', both)):
            done = self.check(plan_text([throughput + f"traffic = {{ {traffic} }}"], library="twin"))
            self.assertIn(f"frame sizes: {least} 128 256 512 1024 1280 1518\n", done.stdout)
            self.assertIn(f"sizes below {least} octets, which its headers need, are raised to it", done.stdout)
            report, _ = self.run_plan(plan_text([throughput + f'traffic = {{ {traffic} sizes = "imix"; }}'], library="twin"))
            self.assertEqual(report["results"][0]["sizes"].count(str(least)), 7)
            self.assertIn(f"less than {least} octets", report["results"][0]["flags"][0])
            done = self.check(plan_text([throughput + f"frame_sizes = [64]; traffic = {{ {traffic} }}"], library="twin"), expect=WRONG_PLAN)
            self.assertIn(f"frames of 64 octets: at least {least}", done.stderr)
            done = self.check(plan_text([throughput + f"traffic = {{ {traffic} sizes = [64, 128]; }}"], library="twin"), expect=WRONG_PLAN)
            self.assertIn(f"frames of 64 octets: at least {least}", done.stderr)
            done = self.fpgauge("send", "twin", "--load", "1%", "--for", "1us", *(f"--set=traffic.{one.strip().replace(' = ', '=')}"
                                for one in traffic.replace('"', "").split(";") if one.strip()))
            self.assertEqual(done.returncode, DONE, done.stderr)
        done = self.fpgauge("check", "--preset", "rfc2544-quick", "--device", "twin", "--set", "traffic.vlan=7")
        self.assertIn("frame sizes: 68 512 1518\n", done.stdout)
        self.assertNotIn("raised", self.check(PLAN).stdout)

    def test_check_names_a_port_that_idles(self):
        done = self.check(plan_text([QUICK], library="twin", device="ports = 3;"))
        self.assertIn("leaves ports idle: 2", done.stdout)
        done = self.check(plan_text([QUICK + '; traffic = { pattern = "mesh"; }'], library="twin", device="ports = 3;"))
        self.assertNotIn("idle", done.stdout)


main()
