#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RFC 9004 demo on a whole card (rtl-card: registers through a crossing, adapters, models of CMACs with alignment markers at both
ports, brought up as on a card) gives what the core alone gives, with no trial invalid.

The plan is docs/examples/rfc9004-demo.cfg with shorter trials and a smaller buffer; as it is with tools/test --long.
"""

import json
import os
import pty
import re
import subprocess

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, LONG, ROOT, SystemCase, main

DEMO = os.path.join(ROOT, "docs", "examples", "rfc9004-demo.cfg")
SHORTER = {'buffer_frames = 500;': 'buffer_frames = 60;', 'search_trial_duration = "1ms"': 'search_trial_duration = "40us"',
           'trial_duration = "12ms"': 'trial_duration = "100us"', 'resolution = "0.1%"': 'resolution = "1%"',
           'repetitions = 10': 'repetitions = 2', 'max_burst = "2ms"': 'max_burst = "30us"'}
# An adapter may move a frame by a clock and two groups when it sends and a clock and one when it receives, markers by 160 octets
# (docs/boards.md); a latency is in groups.
MOVES_NS = (2 * 1280 / 33 + 3 * 8 + 160 + 8) * 0.08
# The error as the card states it; both CMACs are on the core's clock, with FEC: 215 and 847 octet times.
ERROR_NS = (215 + 847) * 0.08
SAME = {"throughput": ("frame_octets", "valid", "why_invalid", "throughput_fps", "first_lossy_fps", "trials"),
        "back_to_back": ("frame_octets", "valid", "why_invalid", "gap_min_octets", "gap_max_octets")}
# Markers within a burst give the FIFO 12.8 ns more, half of the time in which it serves a frame.
BURST_FRAMES = 1
# The searches may try other bursts on their way; the mean gap of one of 64 frames or more is off by where its last start falls.
MEAN_GAP_OCTETS = 8 / 63


def on_a_terminal(*command):
    """What it shows there."""
    terminal, inside = pty.openpty()
    shown = b""
    with subprocess.Popen(command, stdout=inside, stdin=subprocess.DEVNULL) as process:
        os.close(inside)
        while True:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
        os.close(terminal)
    assert process.returncode == DONE
    return shown.decode()


def demo(library):
    with open(DEMO, encoding="utf-8") as file:
        text = file.read().replace('library = "rtl"', f'library = "{library}"')
    for before, after in {} if LONG else SHORTER.items():
        assert before in text, f"{DEMO} has no {before}"
        text = text.replace(before, after)
    return text


class Card(SystemCase):
    def check_what_times_are_worth(self, core, card, printed):
        """As the card states it."""
        self.assertEqual((core["gaps_measured"], core["latency_error_ns"]), ("on the line", 0))
        self.assertEqual(card["gaps_measured"], "before the MAC")
        self.assertAlmostEqual(card["latency_error_ns"], ERROR_NS)
        self.assertIn("  Latency              right within 85.0 ns", printed)
        self.assertIn("  Sent gaps            measured before the MAC", printed)
        self.assertIn("FIFO of RFC 1242); latency right within 85.0 ns", printed)

    def test_a_self_test_of_a_card_with_a_cable_passes_and_its_links_are_up(self):
        done = self.fpgauge("selftest", "sim:rtl-card", "--external", "--set", "dut.model=wire", "--duration", "5us",
                            "--json", self.path("selftest.json"))
        report = self.result("selftest.json")
        self.assertEqual(done.returncode, 0, [row for row in report["checks"] if row["verdict"] == "fail"])
        links = [(row["port"], row["verdict"], row["text"]) for row in report["checks"] if row["check"] == "link"]
        self.assertEqual(links, [(port, "pass", "the link is up, and has not gone down since the bitstream was loaded") for port in (0, 1)])

    def test_what_is_sent_by_hand_has_what_latencies_are_worth_in_every_line_and_below_the_table(self):
        sending = ("send", "sim:rtl-card", "--load", "50%", "--for", "5us", "--interval", "1us", "--set", "dut.model=wire")
        done = self.fpgauge(*sending, "--json", "lines")
        self.assertEqual(done.returncode, DONE, done.stderr)
        with open(self.path("lines"), encoding="utf-8") as file:
            states = [json.loads(line) for line in file]
        self.assertGreater(len(states), 2)
        for state in states:
            self.assertAlmostEqual(state["latency_error_ns"], ERROR_NS, places=9)
        bound = re.compile(r"(?m)^latency right within (.*) ns, beyond a constant$")
        self.assertEqual(bound.findall(done.stdout), [f"{ERROR_NS:.1f}"])
        shown = on_a_terminal(FPGAUGE, *sending)
        self.assertGreater(shown.count("\033[H\033[J"), 1)
        self.assertEqual(len(bound.findall(shown.replace("\r", ""))), shown.count("\033[H\033[J"))
        done = self.fpgauge("send", "sim:rtl", *sending[2:], "--json", "lines")
        self.assertEqual(bound.findall(done.stdout), [])
        with open(self.path("lines"), encoding="utf-8") as file:
            self.assertEqual({json.loads(line)["latency_error_ns"] for line in file}, {0})

    def test_the_rfc_9004_demo_on_a_card_gives_what_the_core_alone_gives(self):
        core, _ = self.run_plan(demo("rtl"))
        card, done = self.run_plan(demo("rtl-card"), timeout=6 * IN_VAIN_S if LONG else IN_VAIN_S)
        self.check_what_times_are_worth(core["device"], card["device"], done.stdout)
        self.assertEqual(len(core["results"]), 8)
        self.assertEqual(len(card["results"]), 8)
        self.assertEqual({result["latency_error_ns"] for result in card["results"]}, {card["device"]["latency_error_ns"]})
        for of_core, of_card in zip(core["results"], card["results"]):
            what = f'{of_card["test"]}, {of_card["frame_octets"]} octets'
            self.assertEqual(of_card["invalid_trials"], 0, what)
            for key in SAME[of_card["test"]]:
                self.assertEqual(of_card.get(key), of_core.get(key), f"{what}: {key}")
            for on_card, on_core in zip(of_card.get("values_frames", ()), of_core.get("values_frames", ())):
                self.assertAlmostEqual(on_card, on_core, delta=BURST_FRAMES, msg=what)
            if of_card.get("gap_mean_octets") is not None:
                self.assertAlmostEqual(of_card["gap_mean_octets"], of_core["gap_mean_octets"], delta=MEAN_GAP_OCTETS, msg=what)
        self.assertEqual([result["valid"] for result in card["results"]], 7 * [True] + [False])  # 512: no burst fills it
        # Adapters and cables add the same to a latency at all sizes, but for what they may move a frame by.
        added_ns = [of_card[key] - of_core[key] for of_core, of_card in zip(core["results"], card["results"])
                    for key in ("latency_min_ns", "latency_max_ns") if of_card["test"] == "throughput"]
        self.assertGreater(min(added_ns), 2 * 320 * 64 * 0.08, "less than the delays of two adapters")
        self.assertLess(max(added_ns) - min(added_ns), MOVES_NS)


if __name__ == "__main__":
    main()
