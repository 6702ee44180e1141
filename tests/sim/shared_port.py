#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless the ports of a Verilated core share their code: shared_port.py PREFIX__ALL.cpp, which includes what Verilator wrote.

Verilator names a function after the port for which it wrote it first. See sim/rtl/shared_port.vlt for what keeps ports
from sharing one.
"""
import pathlib
import re
import sys

FUNCTION = re.compile(r"^(?:VL_INLINE_OPT )?void (\w+___nba_\w+__port__BRA__(\d+)__KET__\w*)\(.*\) \{$", re.M)

SOURCE = re.compile(r'^#include "([^"]+\.cpp)"', re.M)


def main():
    listed = pathlib.Path(sys.argv[1])
    shared, apart = [], []
    for source in SOURCE.findall(listed.read_text(encoding="utf-8")):
        for name, port in FUNCTION.findall((listed.parent / source).read_text(encoding="utf-8")):
            (shared if int(port) == 0 else apart).append(name)
    for name in apart:
        print(f"of one port alone: {name}")
    if not shared:
        print(f"{listed}: no code of a port")
    return 1 if apart or not shared else 0


if __name__ == "__main__":
    sys.exit(main())
