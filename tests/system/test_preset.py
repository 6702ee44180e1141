#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs without a plan file: the presets of the program, on the device of --device."""

import os
import random
import re

from fpgauge_system import DONE, ROOT, WRONG_PLAN, SystemCase, main

TWIN = ("--device", "twin")
FOLDER = os.path.join(ROOT, "host", "plan", "presets")


class Preset(SystemCase):
    def names(self):
        done = self.fpgauge("run", "--preset")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        return [line.split()[0] for line in done.stdout.splitlines()]

    def test_preset_without_a_name_lists_every_file_of_the_folder(self):
        files = [name[:-4] for name in os.listdir(FOLDER) if name.endswith(".cfg")]
        self.assertEqual(sorted(self.names()), sorted(files))

    def test_every_preset_is_right_for_the_twin_with_8_ports(self):
        for name in self.names():
            for form in (("--preset", name), (f"--preset={name}",)):
                with self.subTest(form):
                    done = self.fpgauge("check", *form, *TWIN, "--set", "device.ports=8")
                    self.assertEqual(done.returncode, DONE, done.stderr)
                    self.assertIn(f"--preset {name} is right for sim twin", done.stdout)

    def test_rfc8239_on_a_device_without_tcp_leaves_incast_out_and_says_so(self):
        done = self.fpgauge("check", "--preset", "rfc8239", *TWIN, "--set", "device.ports=8", "--set", "device.tcp=false")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertRegex(done.stdout, r"Left out: rfc8239.incast of line \d+: it needs TCP connections .RFC 8239 section 6.1.")
        self.assertIn("9. rfc8239.head_of_line_blocking", done.stdout)
        self.assertNotIn("10. ", done.stdout)

    def test_rfc2889_on_two_ports_says_how_many_it_needs(self):
        done = self.fpgauge("check", "--preset", "rfc2889", *TWIN)
        self.assertEqual(done.returncode, WRONG_PLAN, done.stdout)
        self.assertIn("needs 3 ports", done.stderr)

    def test_a_quick_run_of_rfc2544_finds_the_truth_of_a_fifo_at_every_size(self):
        seed = random.randrange(2**32)
        draw = random.Random(seed)
        service_fps, buffer_frames = draw.randrange(30_000_000, 140_000_000), draw.randrange(50, 3000)
        done = self.fpgauge("run", "--preset", "rfc2544-quick", *TWIN, "--set", "dut.model=fifo", "--set",
                            f"dut.buffer_frames={buffer_frames}", "--set", f"dut.service_fps={service_fps}",
                            "--json", self.path("result.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, f"seed {seed}: {done.stdout}{done.stderr}")
        report = self.result("result.json")
        self.assertTrue(report["plan"].startswith("# RFC 2544"))
        found = [entry for entry in report["results"] if entry["test"] == "throughput"]
        self.assertEqual([entry["frame_octets"] for entry in found], [64, 512, 1518])
        for entry in found:
            # A trial of 1 s fits into the buffer if its load is above the service by less than that.
            true_fps = min(service_fps, entry["max_theoretical_fps"])
            self.assertLessEqual(entry["throughput_fps"], true_fps + buffer_frames + 1, f"seed {seed}")
            self.assertGreater(entry["throughput_fps"], true_fps - 0.0011 * entry["max_theoretical_fps"], f"seed {seed}")
        self.assertEqual({entry["test"] for entry in report["results"]},
                         {"throughput", "latency", "frame_loss_rate", "back_to_back", "bursty_traffic", "system_recovery"})

    def test_a_run_of_a_preset_is_resumed_from_its_file(self):
        settings = ("--set", "dut.model=wire", "--db", self.path("run.db"), "--json", self.path("first.json"), "--quiet")
        done = self.fpgauge("run", "--preset", "rfc2544-quick", *TWIN, *settings)
        self.assertEqual(done.returncode, DONE, done.stderr)
        done = self.fpgauge("resume", self.path("run.db"), "--json", self.path("again.json"), "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(self.result("again.json"), self.result("first.json"))

    def test_a_device_of_the_command_line_takes_the_place_of_the_plans(self):
        plan = self.write("plan.cfg", 'device = { backend = "sim"; library = "rtl"; ports = 2; };\ndut = { model = "wire"; };\n'
                          'run = ( { test = "throughput"; frame_sizes = [64]; trial_duration = "10us"; } );\n')
        for device, name in (("twin", "sim twin"), ("sim:twin", "sim twin"), ("sim:rtl", "sim rtl")):
            with self.subTest(device):
                done = self.fpgauge("run", plan, "--device", device, "--json", self.path("result.json"))
                self.assertEqual(done.returncode, DONE, done.stderr)
                self.assertEqual(self.result("result.json")["device"]["name"], name)

    def test_settings_of_the_command_line_go_before_the_device(self):
        done = self.fpgauge("check", "--preset=rfc9004", "--set", "device.library=rtl", *TWIN)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("is right for sim rtl", done.stdout)

    def test_what_cannot_be_is_refused_in_one_line_that_names_it(self):
        plan = self.write("plan.cfg", "")
        for arguments, says in ((("--preset", "rfc1242", *TWIN), r"--preset rfc1242: must be one of [\w|-]*rfc2544\|"),
                                (("--preset", "rfc2544"), "--preset rfc2544: --device must be given"),
                                (("--preset=rfc2544", plan, *TWIN), "plan.cfg: must not be given with --preset"),
                                (("--preset=rfc2544", "--preset=rfc9004", *TWIN), "--preset rfc9004: must be given once"),
                                (("--preset=rfc2544", "--device", 'sim:"'), '--device sim:": must be a name that'),
                                (("--preset=rfc2544", "--device", "nowhere"), "nowhere"),
                                (("--preset=rfc2544", *TWIN, "--set", "run[0].resolution=200%"), "run.0..resolution=200%"),
                                (("--preset=rfc2544", *TWIN, "--set", "link.speed=900G"), "link.speed=900G"),
                                ((), "the PLAN is missing; or --preset NAME --device DEVICE")):
            with self.subTest(arguments):
                for command in ("run", "check"):
                    done = self.fpgauge(command, *arguments)
                    self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
                    self.assertTrue(re.search(says, done.stderr.splitlines()[0]) or says in done.stderr.splitlines()[0],
                                    done.stderr)
        self.assertEqual([name for name in os.listdir(self.scratch) if name.endswith(".db")], [])


if __name__ == "__main__":
    main()
