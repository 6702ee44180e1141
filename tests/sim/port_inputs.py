#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless nothing but its two clocks follows at once from the inputs of a port's model: port_inputs.py FOLDER, with
what Verilator wrote. All else would be evaluated whenever the model is looked at (sim/rtl/sim_port.v).

And unless these triggers are written as PortModel::tick() sets them (sim/rtl/port_model.cpp), and are all that comes before
what a clock does."""

import glob
import os
import re
import sys

TRIGGERS = ["sim_port__DOT__clk", "sim_port__DOT__rx_clk", "load"]  # the order of PortModel::tick()
SELF = r"vlSelf(?:->|Ref\.)"


def bodies_of(name, text):
    """Of the functions of this name: what is in their braces."""
    return re.findall(r"___" + name + r"\(\w+\* vlSelf\) \{\n(.*?)\n\}", text, re.DOTALL)


def check_triggers(text):
    triggers = bodies_of("eval_triggers__act", text)
    # Versions 5.006 and 5.032.
    rising = rf"\(\(IData\)\({SELF}(\w+)\)\s*& \(~ \(IData\)\({SELF}__Vtrig(?:rprev|prevexpr_)__TOP__(\w+?)(?:__0)?\)\)\)"
    order = re.findall(r"__VactTriggered\.(?:at\((\d+)U\)\s*= |set\((\d+)U, )" + rising, triggers[0] if len(triggers) == 1 else "")
    order = [(at or set_, *names) for at, set_, *names in order]
    if order != [(str(i), name, name) for i, name in enumerate(TRIGGERS)]:
        sys.exit(f"the triggers of a port's model are not rising edges of {TRIGGERS}, or Verilator writes it otherwise: {order}")
    before = bodies_of("eval_act", text)
    if len(before) != 1 or "// Body" in before[0]:
        sys.exit(f"something comes before what a clock does, or Verilator writes it otherwise: {before}")


def main():
    text = "".join(open(path, encoding="utf-8").read() for path in sorted(glob.glob(os.path.join(sys.argv[1], "*_DepSet_*.cpp"))))
    # Verilator's name of the code that runs when an input has changed.
    bodies = bodies_of(r"ico_sequent__TOP__\d+", text)
    assigned = sorted(name for body in bodies for name in re.findall(rf"^    {SELF}(\w+)\s+=", body, re.MULTILINE))
    if assigned != ["sim_port__DOT__clk", "sim_port__DOT__rx_clk"]:
        sys.exit(f"an input changes more than the clocks, or Verilator writes it otherwise: {assigned}")
    check_triggers(text)


main()
