#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learning frames (RFC 2544 section 23 b): a switch knows where every address is before test frames go there, so it floods none of
them. Without, ports that only receive get each other's frames."""

import contextlib
import random
import sqlite3

from fifo_truth import max_theoretical_fps
from fpgauge_system import LINK_BPS, SEED, SystemCase, main, plan_text

PORTS, FRAME_OCTETS = 4, 128
RESOLUTION = 0.005
BUFFER_FRAMES, TRIAL_S = 32, 40e-6
# Longer than it takes to program a trial: what has not left before that comes into the trial.
SWITCH = f'model = "switch"; latency_ns = 15000; buffer_frames = {BUFFER_FRAMES};'

# Shares of line rate that a port can send at most: 1 / 3 where three of them send to one.
SHARES = {("unidirectional_mesh", "unidirectional"): 1, ("many_to_one", "unidirectional"): 1 / 3,
          ("one_to_many", "unidirectional"): 1, ("pairs", "unidirectional"): 1, ("pairs", "bidirectional"): 1,
          ("mesh", "bidirectional"): 1}


class Learning(SystemCase):
    def measure(self, pattern, direction, addresses, dut=SWITCH):
        """The result, and of all trials the frames that came to a wrong port, or from before the trial."""
        # A pattern of RFC 2889 has its directions itself, other than the default.
        key = "" if "mesh" in pattern else f' direction = "{direction}";'
        database = self.path(f"{pattern}-{direction}-{addresses}.db")
        report, _ = self.run_plan(plan_text(
            [f'test = "throughput"; frame_sizes = [{FRAME_OCTETS}]; search = "binary"; trial_duration = "40us"; settle = "5us"; '
             f'drain = "20us"; resolution = "{RESOLUTION:.1%}";{key} traffic = {{ pattern = "{pattern}"; addresses = {addresses}; }};'],
            dut=dut, device=f"ports = {PORTS};"), "--db", database)
        with contextlib.closing(sqlite3.connect(database)) as connection:
            strays = connection.execute("SELECT COUNT(*), SUM(wrong_port_frames), SUM(foreign_frames), SUM(other_run_frames) "
                                        "FROM trial_port").fetchone()
        self.assertGreater(strays[0], 0)
        return self.only(report, test="throughput"), strays[1:]

    def test_what_a_switch_forwards_is_what_its_lines_can(self):
        drawn = random.Random(SEED)
        line_fps = float(max_theoretical_fps(FRAME_OCTETS, LINK_BPS))
        for (pattern, direction), share in SHARES.items():
            for addresses in drawn.sample(range(1, 25), 2):
                with self.subTest(pattern=pattern, direction=direction, addresses=addresses):
                    result, strays = self.measure(pattern, direction, addresses)
                    self.assertTrue(result["valid"], result["why_invalid"])
                    found = result["throughput_fps"] / line_fps
                    hidden = BUFFER_FRAMES / TRIAL_S / line_fps  # frames that the buffer hides during a trial
                    self.assertGreater(found, share - RESOLUTION - 1e-9)
                    self.assertLessEqual(found, min(1, share + hidden) + 1e-9)
                    self.assertEqual(strays, (0, 0, 0), "flooded, or learning frames in a trial")

    def test_what_a_switch_forgets_between_trials_is_learned_again(self):
        """An address that only receives is refreshed by nothing else. A trial with learning takes 110 us at most."""
        for pattern in ("unidirectional_mesh", "many_to_one"):
            with self.subTest(pattern=pattern):
                result, strays = self.measure(pattern, "unidirectional", 3, SWITCH + ' ageing = "150us"; gap_octets = 20;')
                self.assertTrue(result["valid"], result["why_invalid"])
                self.assertGreater(result["trials"], 1, "not longer than the switch remembers")
                self.assertEqual(strays, (0, 0, 0), "flooded")


if __name__ == "__main__":
    main()
