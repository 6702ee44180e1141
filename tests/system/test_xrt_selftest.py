#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The self-test of a simulated card behind XRT's emulation, including its clock against the host's."""

import unittest

from fpgauge_system import DONE
from test_xrt import XrtCase


class SelftestByXrt(XrtCase):
    def test_a_card_behind_xrt_passes(self):
        self.card(settings={"dut.model": "wire"}, clock_ratio=1)
        done = self.fpgauge("selftest", "xrt:0", "--set", f'device.xclbin={self.path("card/fpgauge.xclbin")}', "--duration",
                            "20us")
        self.assertEqual(done.returncode, DONE, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^clock +pass ")
        self.assertTrue(done.stdout.endswith("\npassed\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
