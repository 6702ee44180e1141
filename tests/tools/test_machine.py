#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/cmake/FpgaugeMachine.cmake: machines of 32 bits and big-endian ones are refused with a word on what is needed."""

import os
import subprocess
import unittest

CHECK = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "cmake", "FpgaugeMachine.cmake")


class Machine(unittest.TestCase):
    def configure(self, octets, order):
        return subprocess.run(["cmake", f"-DCMAKE_SIZEOF_VOID_P={octets}", f"-DCMAKE_C_BYTE_ORDER={order}", "-P", CHECK],
                              capture_output=True, text=True, check=False)

    def test_a_64_bit_little_endian_machine_passes(self):
        done = self.configure(8, "LITTLE_ENDIAN")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_others_are_refused_with_what_is_needed(self):
        for octets, order in ((4, "LITTLE_ENDIAN"), (8, "BIG_ENDIAN"), (4, "BIG_ENDIAN")):
            done = self.configure(octets, order)
            self.assertNotEqual(done.returncode, 0)
            said = " ".join(done.stderr.split())
            self.assertIn("needs a 64-bit little-endian machine", said)
            self.assertIn(f"one of {octets * 8} bits, {order}", said)


if __name__ == "__main__":
    unittest.main()
