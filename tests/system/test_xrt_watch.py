#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpgauge watch at a card by XRT that dies again and again: XRT's process ends with it, and each time the watch says so, opens
the card anew and goes on."""

import json
import subprocess

from fpgauge_system import DONE, FPGAUGE, WRONG_DEVICE, main
from test_xrt import XrtCase

COUNT = 16
# A look is some 250 accesses: opening, two ports of 60 counters, link and sensors.
DIES_AT = 700


class Watched(XrtCase):
    def test_a_watch_goes_on_after_each_death_of_the_card(self):
        self.card(fault=f"die,at={DIES_AT}")
        done = subprocess.run([FPGAUGE, "watch", "xrt", "--set", f'device.xclbin={self.path("card/fpgauge.xclbin")}', "--interval", "1ms",
                               "--count", str(COUNT)], cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        looks = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(looks), COUNT, done.stderr)
        gone = ["gone" in look for look in looks]
        self.assertIn(done.returncode, (WRONG_DEVICE,) if gone[-1] else (DONE,), done.stderr)
        said = done.stderr.splitlines()
        lost = [line for line in said if "watch goes on when it is back" in line]
        back = [line for line in said if "is back; it was gone since" in line]
        self.assertGreaterEqual(len(lost), 2, (gone, said))
        self.assertGreaterEqual(len(back), 1, (gone, said))
        for line in lost:
            self.assertIn("XRT's process", line)
        for before, look in zip(looks, looks[1:]):
            if "gone" in before and "ports" in look:
                self.assertIsNone(look["interval_s"])


if __name__ == "__main__":
    main()
