#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The backend xrt over XRT's software emulation: the program and the XRT library are the real ones, and the simulated
card answers each register access. The results are those of the same plan on the simulation itself."""

import hashlib
import json
import os
import shutil
import unittest

import fpgauge_system
from card_faults import SMALL
from fpgauge_system import DONE, WRONG_DEVICE, SystemCase, map_of_program
from xrt_emulation import Emulation

DUT = {"model": "fifo", "buffer_frames": 200, "service_fps": "40M", "latency_ns": 800}
TESTS = ['test = "throughput"; frame_sizes = [64, 512]; trial_duration = "60us"; search_trial_duration = "30us"; '
         'resolution = "1%"',
         'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; first_burst = "64 frames"; max_burst = "20us"']


def plan_text(tests, device):
    body = ",\n".join(f"  {{ {test} }}" for test in tests)
    return f'device = {{ backend = "xrt"; {device} }};\nrun = (\n{body}\n);\n'


class XrtCase(SystemCase):
    def card(self, **settings):
        """XRT's only card from here on; earlier ones are gone."""
        shutil.rmtree(self.path("card"), ignore_errors=True)
        settings = {"library": "twin", "settings": {f"dut.{name}": value for name, value in DUT.items()}, **settings}
        card = Emulation(self.path("card"), **settings)
        self.environment = card.environment
        return card

    def plan(self, device="", tests=None):
        return plan_text(tests or TESTS, device or f'xclbin = "{self.path("card/fpgauge.xclbin")}";')

    def manifest(self, **changes):
        version, map_hash = map_of_program()
        keys = {"card": "u55c", "platform": "xilinx_u55c_gen3x16_xdma_3_202210_1", "file": "card/fpgauge.xclbin",
                "ip": "fpgauge:{fpgauge_0}", "ports": 2, "map_version": version, "map_hash": f"0x{map_hash:08x}",
                "sha256": "", "built": True, **changes}
        # JSON and libconfig write these values alike.
        return self.write("manifest.cfg", "".join(f"{key} = {json.dumps(value)};\n" for key, value in keys.items()))

    def refused(self, text, *says, expect=WRONG_DEVICE):
        """The plan ends with that exit code and one line that contains all of `says`."""
        done = self.fpgauge("run", self.write("plan.cfg", text), "--db", self.path("run.db"))
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)


class SameResults(XrtCase):
    def results_of_simulation(self, library):
        dut = " ".join(f"{name} = {json.dumps(value)};" for name, value in DUT.items())
        report, _ = self.run_plan(fpgauge_system.plan_text(TESTS, dut=dut, library=library))
        for result in report["results"]:  # only a simulation knows these about its device
            self.assertEqual(result.pop("truth")["model"], "fifo")
        return report["results"]

    def results_of_card(self, library):
        self.card(library=library)
        report, _ = self.run_plan(self.plan())
        self.assertEqual(report["device"]["backend"], "xrt")
        for result in report["results"]:
            self.assertIsNone(result.pop("truth"))
        return report["results"]

    def compare(self, library):
        results = self.results_of_card(library)
        self.environment = None
        self.assertEqual(results, self.results_of_simulation(library))
        self.assertTrue(all(result["valid"] for result in results))

    def test_the_twin_behind_xrt_gives_the_results_of_the_twin(self):
        self.compare("twin")

    def test_the_rtl_behind_xrt_gives_the_results_of_the_rtl(self):
        self.compare("rtl")


class WhichCard(XrtCase):
    def runs(self, device):
        report, _ = self.run_plan(self.plan(device, SMALL))
        return report["device"]["name"]

    def test_a_card_is_named_by_number_by_address_or_by_being_the_only_one(self):
        card = self.card()
        name = self.runs("")
        self.assertRegex(name, r"^xrt [0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$")
        self.assertEqual(self.runs(f'xclbin = "{card.xclbin}"; card = 0;'), name)
        self.assertEqual(self.runs(f'xclbin = "{card.xclbin}"; card = "0";'), name)

    def test_a_manifest_names_the_file_from_its_own_folder(self):
        card = self.card()
        with open(card.xclbin, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.manifest(sha256=digest)
        os.mkdir(self.path("elsewhere"))
        self.runs(f'manifest = "{self.path("manifest.cfg")}";')
        self.runs('manifest = "manifest.cfg";')
        self.manifest(sha256="", built=False)  # built by somebody who did not say so
        self.runs('manifest = "elsewhere/../manifest.cfg";')

    def test_results_say_which_bitstream_was_loaded(self):
        value = self.card().uuid()
        self.manifest(uuid=value.upper(), version="0.1.0", git="0a1b2c3d4e5f")
        report, done = self.run_plan(self.plan('manifest = "manifest.cfg";', TESTS[:1]))
        text = f"manifest.cfg (fpgauge 0.1.0, git 0a1b2c3d4e5f), UUID {value}"
        self.assertEqual(report["device"]["bitstream"], text)
        self.assertIn(f"\n  Bitstream            {text}\n", done.stdout)

    def test_a_card_passes_its_selftest(self):
        card = self.card(clock_ratio=1)  # its clock is compared with wall time
        done = self.fpgauge("selftest", "xrt:0", "--set", f"device.xclbin={card.xclbin}")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.assertIn("xrt 0000:00:00.0, 2 ports", done.stdout)

    def test_nothing_of_xrt_reaches_the_terminal(self):
        self.card()
        _, done = self.run_plan(self.plan(tests=SMALL), "--quiet", "--db", "run.db")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_devices_says_nothing_of_xrt_where_there_is_none(self):
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("X")}
        done = self.fpgauge("devices")
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertIn("sim:twin", names)
        self.assertEqual([name for name in names if name.startswith("xrt")], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
