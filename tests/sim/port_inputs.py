#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless nothing but its two clocks follows at once from the inputs of a port's model: port_inputs.py FOLDER, with
what Verilator wrote. All else would be evaluated whenever the model is looked at (sim/rtl/sim_port.v)."""

import glob
import os
import re
import sys


def main():
    text = "".join(open(path, encoding="utf-8").read() for path in sorted(glob.glob(os.path.join(sys.argv[1], "*_DepSet_*.cpp"))))
    # Verilator's name of the code that runs when an input has changed.
    bodies = re.findall(r"___ico_sequent__TOP__\d+\(\w+\* vlSelf\) \{\n(.*?)\n\}", text, re.DOTALL)
    assigned = sorted(name for body in bodies for name in re.findall(r"^    vlSelf->(\w+)\s+=", body, re.MULTILINE))
    if assigned != ["sim_port__DOT__clk", "sim_port__DOT__rx_clk"]:
        sys.exit(f"an input changes more than the clocks, or Verilator writes it otherwise: {assigned}")


main()
