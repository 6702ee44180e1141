#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every part of tools/bench runs, in its short form, and writes all of its figures. How large they are, a busy machine cannot say; "fuzz" is
a test of the build of the fuzzers (tests/fuzz/CMakeLists.txt)."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("FPGAUGE_BUILD", ROOT / "build"))
PORTS = [ports for ports in (2, 4, 8) if (BUILD / f"sim/libfpgauge-sim-rtl{ports if ports != 2 else ''}.so").exists()]
needs_rtl = unittest.skipUnless(2 in PORTS, "a build without the RTL")


def numbers(value, path=""):
    """{path: number} of a document."""
    if isinstance(value, dict):
        return {key: number for name, inner in value.items() for key, number in numbers(inner, f"{path}.{name}").items()}
    if isinstance(value, list):
        return {key: number for i, inner in enumerate(value) for key, number in numbers(inner, f"{path}[{i}]").items()}
    return {path.lstrip("."): value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}


class BenchCase(unittest.TestCase):
    def measured(self, part, *positive):
        """Figures that a part has written. positive: those above 0."""
        with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as folder:
            file = Path(folder) / "figures.json"
            done = subprocess.run([ROOT / "tools/bench", part, "--short", "--build", BUILD, "--json", file], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            report = json.loads(file.read_text(encoding="utf-8"))
        found = numbers(report)
        for name in positive:
            self.assertGreater(found.get(name, 0), 0, f"{name}: {sorted(found)}")
        return report

    def assert_positive(self, rows, *names):
        for row in rows:
            for name in names:
                self.assertGreater(row[name] or 0, 0, f"{name} of {row}")


class Bench(BenchCase):
    @needs_rtl
    @unittest.skipUnless(shutil.which("iverilog"), "no Icarus here")
    def test_simulation_measures_sizes_ports_twin_and_icarus_and_plays_twin_against_rtl(self):
        report = self.measured("simulation", "icarus.frames", "twin.faster_than_rtl")
        # A difference of two runs of Icarus, below 0 where something else delays the shorter one.
        self.assertNotEqual(report["faster_than_icarus"], 0)
        self.assertEqual(set(report["icarus"]["faster"]), {"one_thread", "threads"})
        for way in ("simulated", "simulated_one_thread"):
            self.assertEqual([row["frame_octets"] for row in report[way]], [64, 512, 1518, 9216])
            self.assert_positive(report[way], "received_frames", "clocks_per_wall_s", "wall_s_per_simulated_ms")
        self.assertEqual([(row["ports"], row["senders"]) for row in report["by_ports"]],
                         [case for ports in PORTS for case in ([(2, 2)] if ports == 2 else [(ports, ports), (ports, 2)])])
        self.assert_positive(report["by_ports"], "clocks_per_wall_s", "busy_port_wall_ns_per_clock")
        self.assertEqual(len(report["twin"]["cases"]), 6)
        self.assert_positive(report["twin"]["cases"], "received_frames", "frames_per_wall_s")
        self.assert_positive(report["mesh"]["cases"], "received_frames")
        self.assert_positive(report["differential"], "trials", "frames", "trials_per_wall_s")
        self.assertEqual({row["different"] for row in report["differential"]}, {0})

    def test_mesh_measures_jumps_and_played_frames_on_one_core_and_two(self):
        report = self.measured("mesh")
        self.assertEqual([row["cores"] for row in report["cases"]], [1, 1, 1, 1, 2, 1, 2])
        self.assert_positive(report["cases"], "frames", "received_frames", "memory_kib", "frames_per_processor_s")

    def test_search_measures_every_kind_of_goal_on_every_device(self):
        report = self.measured("search", "step.microseconds", "step.steps")
        self.assertEqual(len(report["searches"]), 4 * 8)
        self.assert_positive(report["searches"], "trials", "traffic_s", "most_traffic_s")
        self.assertEqual(sum(row.get("lower_bound_stddev_percent") is not None for row in report["searches"]), 4 * 2)

    def test_journal_measures_memory_and_disk(self):
        self.measured("journal", *(f"{where}.{what}" for where in ("memory", "disk") for what in ("journal_s", "flush_s", "octets")))

    @needs_rtl
    def test_access_measures_twin_and_rtl_by_every_way_that_is_built(self):
        rows = self.measured("access")["access"]
        ways = [row["backend"] for row in rows[::2]]
        self.assertEqual([(row["backend"], row["library"]) for row in rows], [(way, library) for way in ways for library in ("twin", "rtl")])
        self.assertIn("sim", ways)
        self.assert_positive(rows, "read_s", "write_s", "write_and_read_s")

    def test_traffic_measures_pairs_and_meshes(self):
        rows = self.measured("traffic")["rows"]
        self.assertEqual([row["pattern"] for row in rows], ["pairs", "mesh", "mesh"])
        self.assert_positive(rows, "flows", "compile_s", "registers", "first_trial_writes", "other_load_writes")

    @needs_rtl
    def test_rates_measures_trials_searches_and_whole_tests(self):
        rows = self.measured("rates")
        self.assertEqual([row["what"] for row in rows],
                         ["lossy trial"] * 2 + ["lossless trial"] * 2 + ["ndrpdr", "rfc2544", "RFC 9004", "RFC 2544"])
        self.assert_positive(rows, "wall_s", "median_s", "service_fps")

    def test_rfc2889_measures_all_thirteen_tests(self):
        report = self.measured("rfc2889", "trials", "simulated_s", "wall_s", "processor_s")
        self.assertEqual(len(report["tests"]), 13)
        self.assert_positive(report["tests"], "trials", "wall_s")

    def test_rfc8239_finds_the_buffer_of_its_plan(self):
        report = self.measured("rfc8239", "results", "trials", "wall_s", "processor_s")
        self.assertEqual(report["failures"], [])

    @needs_rtl
    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "one core")
    def test_jobs_measures_the_same_on_one_core_and_on_two(self):
        report = self.measured("jobs", "ratio")
        self.assertTrue(report["same"])
        self.assert_positive(report["fastest"], "trials", "wall_s", "processor_s")

    def test_trend_counts_every_case(self):
        report = self.measured("trend")
        self.assertEqual(len(report["cases"]), 14)
        self.assert_positive(report["cases"], "runs", "seeds")

    @needs_rtl
    @unittest.skipUnless(shutil.which("verilator"), "no Verilator here")
    def test_own_dut_builds_the_switch_which_loses_nothing(self):
        row, = self.measured("own-dut")["ports"]
        self.assert_positive([row], "build_s", "build_again_s")
        self.assertEqual([size["lost"] for size in row["sizes"]], [0, 0])
        self.assert_positive(row["sizes"], "switch_wall_s", "wire_wall_s", "switch_to_wire")

    @needs_rtl
    def test_forecast_compares_a_plan_of_each_device(self):
        rows = self.measured("forecast")["plans"]
        self.assertEqual([row["device"] for row in rows], ["rtl", "twin"])
        self.assert_positive(rows, "expected_s", "taken_s", "processor_s", "ratio")


@unittest.skipUnless(list(BUILD.glob("tests/fuzz/fuzz_*")), "a build without fuzzers")
class Fuzz(BenchCase):
    def test_fuzz_measures_every_fuzzer(self):
        report = self.measured("fuzz", "executions")
        self.assertEqual(report["findings"], [])
        self.assertGreaterEqual(len(report["fuzzers"]), 7)
        self.assert_positive(report["fuzzers"], "executions", "executions_per_s", "edges", "peak_rss_mb")


if __name__ == "__main__":
    unittest.main()
