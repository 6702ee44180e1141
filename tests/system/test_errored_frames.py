#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errored frames filtering (RFC 2889 section 5.9): the verdicts on switches of which it is known what they forward, for every
combination, with exact counts."""

import itertools
import random

from fpgauge_system import DONE, INVALID, LONG, SEED, WRONG_PLAN, SystemCase, main, plan_text

TEST = "rfc2889.errored_frames"
LONGEST_OCTETS = 9216  # the longest that a switch forwards without forward_errors = "long"
WAITS = 'settle = "5us"; drain = "30us";'


class ErroredFrames(SystemCase):
    def setUp(self):
        super().setUp()
        self.drawn = random.Random(SEED)

    def measure(self, settings, dut, device="", library="twin", expect=DONE):
        report, _ = self.run_plan(plan_text([f'test = "{TEST}"; {settings} {WAITS}'], dut=dut, device=device, library=library),
                                  expect=expect)
        return report["results"][0]

    def check_verdicts(self, result, forwards):
        """forwards(error, octets): whether the device does."""
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertFalse([flag for flag in result["flags"] if "more than line rate" in flag], "short frames are more than line rate has")
        for row in result["verdicts"]:
            with self.subTest(row=row):
                forwarded = forwards(row["error"], row["error_octets"])
                self.assertGreater(row["offered_frames"], 0)
                self.assertEqual(row["forwarded_frames"], row["offered_frames"] if forwarded else 0)
                self.assertEqual(row["verdict"], "fail" if forwarded and row["error"] != "tagged" else "pass")
                self.assertEqual((row["unknown_frames"], row["right_received_frames"]), (0, row["right_frames"]))
        self.assertEqual(result["failed_verdicts"], sum(row["verdict"] == "fail" for row in result["verdicts"]))

    def check_combination(self, errors, library, device, loads, undersize):
        max_frame = self.drawn.choice((1518, self.drawn.randrange(1519, LONGEST_OCTETS)))
        oversize = [max_frame + 1, self.drawn.randrange(LONGEST_OCTETS + 1, 16384)]
        setting = f'forward_errors = "{", ".join(errors)}";' if errors else ""
        result = self.measure(
            f'trial_duration = "{self.drawn.randrange(5, 30)}us"; frame_sizes = [{self.drawn.randrange(64, 1519)}]; loads = {loads}; '
            f'max_frame = {max_frame}; oversize = {oversize}; undersize = {undersize};',
            f'model = "switch"; latency_ns = {self.drawn.randrange(100, 2000)}; {setting}', device, library)
        self.assertEqual(len(result["verdicts"]), len(loads) * (len(oversize) + 1 + len(undersize) + 2))
        self.check_verdicts(result, lambda error, octets: {
            "oversize": octets <= LONGEST_OCTETS or "long" in errors, "tagged": octets <= LONGEST_OCTETS or "long" in errors,
            "undersize": "short" in errors, "fcs": "fcs" in errors, "code": False}[error])

    def test_verdicts_are_right_for_every_combination_of_what_a_switch_forwards(self):
        kinds = ("fcs", "short", "long")
        for errors in (c for n in range(4) for c in itertools.combinations(kinds, n)):
            for _ in range(5 if LONG else 1):
                with self.subTest(errors=errors):
                    self.check_combination(errors, "twin", f"ports = {self.drawn.randrange(2, 7)};",
                                           self.drawn.sample(range(1, 101), 3), self.drawn.sample(range(54, 64), 4))
        with self.subTest("the core itself"):
            self.check_combination(self.drawn.sample(kinds, 2), "rtl", "", [self.drawn.randrange(20, 101)], [54, 63])

    def test_a_wire_forwards_all_of_them(self):
        result = self.measure('trial_duration = "10us"; loads = [50]; undersize = [54, 60];', 'model = "wire"')
        self.check_verdicts(result, lambda error, octets: True)
        self.assertEqual(result["failed_verdicts"], len(result["verdicts"]) - 1)

    def test_errors_that_the_plan_leaves_out_have_no_verdict(self):
        for fcs, code in itertools.product((False, True), repeat=2):
            result = self.measure(f'trial_duration = "10us"; loads = [50]; undersize = [60]; tagged = false; fcs = {str(fcs).lower()}; '
                                  f'code = {str(code).lower()};', 'model = "wire"')
            self.check_verdicts(result, lambda error, octets: True)
            self.assertEqual([row["error"] for row in result["verdicts"]],
                             ["oversize", "oversize", "undersize"] + ["fcs"] * fcs + ["code"] * code)

    def test_what_right_frames_do_not_show_has_no_verdict(self):
        result = self.measure('trial_duration = "10us"; loads = [50];', 'model = "faults"; drop_every = 3;', expect=INVALID)
        self.assertIn("right frames that went the same way before", result["why_invalid"])
        self.assertEqual(result["verdicts"], [])

    def test_the_report_says_what_does_not_exist_at_these_speeds(self):
        _, printed = self.run_plan(plan_text([f'test = "{TEST}"; trial_duration = "5us"; loads = [100]; undersize = [60]; {WAITS}'],
                                             dut='model = "switch"', library="twin"))
        text = getattr(printed, "stdout", printed)
        self.assertIn("dribble bits and alignment errors, which do not exist above 100 Mb/s", text)

    def test_what_is_no_error_is_refused(self):
        for setting, text in (("oversize = [1519, 1600]; max_frame = 1600;", "must be above max_frame = 1600"),
                              ("undersize = [64];", "54 to 63"), ("loads = [101];", "1 to 100"), ("oversize = [16384];", "1519 to 16383"),
                              ("frame_sizes = [2000];", "must be at most max_frame = 1518"),
                              ("traffic = { vlan = 3; };", "says itself which frames are tagged")):
            with self.subTest(setting):
                plan = self.write("plan.cfg", plan_text([f'test = "{TEST}"; {setting}'], dut='model = "switch"', library="twin"))
                done = self.fpgauge("run", plan, "--db", self.path("refused.db"))
                self.assertEqual(done.returncode, WRONG_PLAN, done.stdout + done.stderr)
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    main()
