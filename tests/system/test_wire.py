#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wire forwards everything: line rate at every size, so no size qualifies for back-to-back (RFC 9004 6.1)."""

import zlib

from fifo_truth import max_theoretical_fps
from fpgauge_system import DONE, LINK_BPS, SystemCase, main, plan_text

# RFC 2544 section 9, jumbo, and lengths just above a group, a word and two words.
SIZES_OCTETS = (64, 65, 69, 73, 127, 128, 129, 256, 512, 1024, 1280, 1518, 9216)


class Wire(SystemCase):
    def test_throughput_is_line_rate_at_every_size(self):
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = {list(SIZES_OCTETS)}; trial_duration = "200us";']))
        for frame_octets in SIZES_OCTETS:
            with self.subTest(frame_octets=frame_octets):
                result = self.only(report, test="throughput", frame_octets=frame_octets)
                line = float(max_theoretical_fps(frame_octets, LINK_BPS))
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertEqual(f"{100 * result['throughput_fps'] / line:.3f}", "100.000")
                self.assertAlmostEqual(result["max_theoretical_fps"] / line, 1, delta=1e-9)
                self.assertIsNone(result["first_lossy_fps"], "a wire lost something")

    def test_no_size_qualifies_for_back_to_back(self):
        report, done = self.run_plan(plan_text(
            ['test = "throughput"; frame_sizes = [64, 1518]; trial_duration = "200us";',
             'test = "back_to_back"; frame_sizes = [64, 1518]; repetitions = 2; max_burst = "1ms";']), expect=DONE)
        self.assertIn("6.1", done.stdout, "the report does not name the clause")
        for result in report["results"]:
            if result["test"] == "back_to_back":
                self.assertIsNone(result.get("average_frames"), "a burst length for a device that has no limit")

    def check_build(self, build):
        """What `--version` says, and the file that simulated the device, as Python reads it."""
        said = self.fpgauge("--version").stdout
        commit = build["commit"]
        self.assertEqual(said, f"fpgauge {build['version']} ({f'commit {commit}' if commit else 'built outside of git'}, "
                               f"{build['compiler']}, {build['type']})\n")
        with open(build["library"]["path"], "rb") as file:
            content = file.read()
        self.assertEqual(build["library"]["octets"], len(content))
        self.assertEqual(build["library"]["crc32"], f"0x{zlib.crc32(content):08x}")

    def test_the_object_says_what_was_run(self):
        text = plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "100us";'])
        report, _ = self.run_plan(text)
        self.assertEqual(report["plan"], text)
        self.assertEqual(report["link"]["bits_per_second"], LINK_BPS)
        self.assertEqual(report["device"]["backend"], "sim")
        self.assertIsInstance(report["schema"], int)
        for key in ("tool", "started", "finished"):
            self.assertIn(key, report)
        self.check_build(report["build"])
        result = report["results"][0]
        for key in ("rfc", "parameters", "trials", "valid", "why_invalid"):
            self.assertIn(key, result)
        self.assertGreaterEqual(result["trials"], 1)


if __name__ == "__main__":
    main()
