#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The links of a whole card (rtl-card): how they come up, what the registers and the self-test say of one that does not, and how
they come back after a device under test has restarted.

The library fails an access with the reason where the card does what it must not: while a receiver has no lanes the far end
must be told of it, also in a reset of that receiver alone (sim/rtl/card_port.cpp).
"""

import random

from fpgauge_system import INVALID, SEED, WRONG_DEVICE, SystemCase, main, plan_text
from sim_library import SimLibrary

# Fields of link_status with each fault, in the order in which a receiver comes up; and what the self-test calls it.
CLOCK = {"present", "clock"}
BLOCKS = CLOCK | {"block_lock"}
LANES = BLOCKS | {"lanes_synced"}
ALIGNED = LANES | {"aligned"}
FAULTS = {
    "no reference clock": ({"present"}, "the MAC has no clock: no reference clock, or the transceivers have not locked to it"),
    "no signal": (CLOCK, "no block lock: no signal (module, cable, far end), another speed, or RS-FEC at one end only"),
    "other rate": (CLOCK, "no block lock: no signal (module, cable, far end), another speed, or RS-FEC at one end only"),
    "other FEC": (CLOCK, "no block lock: no signal (module, cable, far end), another speed, or RS-FEC at one end only"),
    "bad lane": (BLOCKS, "blocks are found, but not the alignment markers of all lanes: a bad lane"),
    "skew": (LANES, "all lanes are found, but are not aligned: lanes are twice there, or their skew is too large"),
    "far end deaf": (ALIGNED | {"remote_fault"}, "this end receives, but the far end says that it does not"),
    "FEC errors": (ALIGNED | {"up", "fec_uncorrectable"}, None),
    "none": (ALIGNED | {"up"}, None),
}
NOW = {"present", "up", "clock", "block_lock", "lanes_synced", "aligned", "remote_fault", "fec_uncorrectable"}
# A receiver that has adapted to noise is reset by the watchdog every 2^14 clocks, and then finds its lanes within 10 us.
WATCHDOG_S, COMES_UP_S = 2 ** 14 / 322.265625e6, 10e-6


class CardLinks(SystemCase):
    def status(self, card, port):
        word = card.read("link_status", port=port)
        return {field["name"] for field in card.ports["link_status"]["fields"] if word >> field["bit"] & 1} & NOW

    def test_each_fault_of_a_link_at_each_port_is_in_the_fields_of_its_register(self):
        draw = random.Random(SEED)
        for port in (0, 1):
            others = [name for name in FAULTS if name != "no reference clock"]
            for fault in FAULTS:
                if (fault, port) == ("no reference clock", 0):
                    continue  # the core's clock is made of it
                here = {port: fault, port ^ 1: draw.choice(others)}
                with SimLibrary("rtl-card", {"dut.model": "wire", **{f"device.fault_{at}": name for at, name in here.items()}}) as card:
                    for at, name in here.items():
                        for _ in range(20):  # it comes at any time between two restarts of the receiver, and in them
                            self.assertEqual(self.status(card, at), FAULTS[name][0], f"port {at}, {here}")
                            card.wait(draw.randrange(20000))
                        self.assertEqual(card.read("link_flaps", port=at), 0, f"port {at}, {here}")

    def test_the_self_test_says_what_is_wrong_with_a_link_in_words_of_the_board(self):
        for faults in (("bad lane", "no reference clock"), ("other FEC", "skew")):
            done = self.fpgauge("selftest", "sim:rtl-card", "--external", "--duration", "1us", "--json", self.path("out.json"),
                                "--set", "dut.model=wire", *(part for port, name in enumerate(faults)
                                                             for part in ("--set", f"device.fault_{port}={name}")))
            self.assertEqual(done.returncode, INVALID, done.stdout + done.stderr)
            links = [(row["port"], row["verdict"], row["text"]) for row in self.result("out.json")["checks"] if row["check"] == "link"]
            self.assertEqual(links, [(port, "fail", f"no link: {FAULTS[name][1]}") for port, name in enumerate(faults)])

    def test_without_a_reference_clock_at_port_0_the_core_has_no_clock_and_the_device_is_refused_with_that_reason(self):
        done = self.fpgauge("selftest", "sim:rtl-card", "--set", "dut.model=wire", "--set", "device.fault_0=no reference clock")
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stdout + done.stderr)
        self.assertIn("every register reads 0xffffffff, even the id. Or the core of a card has no clock: no reference clock at port 0",
                      done.stderr)

    def test_a_fault_that_nobody_knows_is_refused(self):
        done = self.fpgauge("selftest", "sim:rtl-card", "--set", "dut.model=wire", "--set", "device.fault_1=bad cable")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('device.fault_1', done.stderr)
        self.assertIn('"bad cable": must be one of "none", "no reference clock", ', done.stderr)

    def test_links_come_back_after_a_device_under_test_has_restarted_and_the_watchdog_has_reset_the_deaf_receiver(self):
        dark_us = 40 + random.Random(SEED).randrange(60)
        report, _ = self.run_plan(plan_text(
            ['test = "throughput"; frame_sizes = [512]; trial_duration = "20us"; resolution = "50%";',
             'test = "reset"; frame_sizes = [512]; repetitions = 1; before_reset = "50us"; after_reset = "400us";'],
            dut=f'model = "reset, fifo"; buffer_frames = 50; service_fps = "100%"; latency_ns = 800; dark_for_ns = {dark_us}000;',
            device=f'link_dark_for = "{dark_us}us";', library="rtl-card"))
        result = self.only(report, test="reset")
        self.assertTrue(result["valid"], result["why_invalid"])
        self.assertEqual(result["outcome"], "recovered")
        self.assertGreater(result["reset_s"], dark_us * 1e-6)
        self.assertLess(result["reset_s"], dark_us * 1e-6 + WATCHDOG_S + COMES_UP_S)


if __name__ == "__main__":
    main()
