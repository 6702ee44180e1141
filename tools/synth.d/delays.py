# SPDX-License-Identifier: Apache-2.0
"""An estimate of delays in UltraScale+ of speed grade -2, in ns, without placement.

It is not timing analysis. The constants are round numbers of the size that Vivado prints for these cells in timing reports that are public
(searched for as Prop_LUT6, Prop_CARRY8 and so on): a LUT takes 0.04 to 0.18 by its input, a CARRY8 0.15 to 0.25 from its S, 0.03 from its CI
to CO and 0.15 to O, a flip-flop 0.08 to 0.1, a block RAM without output register 0.83, and a multiplier of a DSP48E2 with its adder 1.9. Wires
are what differs most: those reports have 0.13 to 0.31 where little is around. A card that is filled, or a frame that crosses from one die to the
next, is slower. So a path that is estimated at its clock's period is too long, and one at three quarters of it probably is not.
"""
import math
import re

LUT, LUT_RAM, MUXF, DSP = 0.10, 0.12, 0.07, 1.9
CARRY_IN, CARRY_ON, CARRY_OUT = 0.24, 0.04, 0.15  # S or DI to O or CO; CI to CO; CI to O
CLOCK_TO_OUT = {"FD": 0.09, "SRL": 0.50, "RAMB": 0.83, "URAM": 1.20, "RAM": 0.50}
SETUP = {"FD": 0.04, "SRL": 0.10, "RAMB": 0.35, "URAM": 0.40, "RAM": 0.10}
UNCERTAIN = 0.07  # clock uncertainty and skew, taken off every path
WIRE, WIRE_A_DOUBLING, WIRE_IN_SLICE = 0.22, 0.04, 0.03


def family(kind):
    """The key of a cell in the tables above, or None for one without a clock."""
    return next((name for name in ("FD", "SRL", "RAMB", "URAM", "RAM") if kind.startswith(name)), None)


def wire(fanout):
    """A net to one of its `fanout` inputs: each doubling of them makes it longer."""
    return WIRE + WIRE_A_DOUBLING * math.log2(max(fanout, 1))


def start(kind):
    """From the clock to the output of a register or RAM; an input of the module is one of a flip-flop outside."""
    return UNCERTAIN + CLOCK_TO_OUT.get(family(kind) or "FD")


def end(kind, port, source_kind, fanout):
    """From the output of the last cell, of `source_kind`, to the clock of the register that takes it at `port`."""
    same_slice = kind.startswith("FD") and port == "D" and fanout == 1 and re.match(r"LUT|CARRY|MUXF", source_kind)
    return (WIRE_IN_SLICE if same_slice else wire(fanout)) + SETUP.get(family(kind) or "FD")
