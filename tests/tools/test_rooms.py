#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/rooms: floors and the arrows that are drawn, of a small house; the page of the tree has the drawing of today."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

from tree_case import ROOT

TOOL = os.path.join(ROOT, "tools", "rooms")
LOADER = importlib.machinery.SourceFileLoader("rooms", TOOL)
rooms = importlib.util.module_from_spec(importlib.util.spec_from_loader("rooms", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(rooms)

HOUSE = """
[arrows]
"host/base" = []
"host/plan" = ["host/base", "drivers/device.h"]
"host/plan/presets" = []
"host/cli" = ["host/base", "host/plan", "host/plan/presets", "hw/regs"]
"drivers" = ["host/base"]
"hw" = []
[jobs]
"host/base" = "units"
"""


class Rooms(unittest.TestCase):
    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(HOUSE)
            file.flush()
            self.uses, self.jobs = rooms.read(file.name)

    def test_a_room_stands_one_floor_above_the_highest_that_it_uses(self):
        self.assertEqual(rooms.floors_of(self.uses),
                         {"host/base": 0, "drivers": 1, "host/plan": 2, "host/plan/presets": 0, "host/cli": 3})

    def test_what_an_arrow_implies_is_not_drawn(self):
        self.assertEqual(rooms.nearest("host/cli", self.uses), ["host/plan", "host/plan/presets"])
        self.assertEqual(rooms.nearest("host/plan", self.uses), ["drivers"])

    def test_the_drawing_names_every_room_once_with_its_job(self):
        lines = rooms.drawing(self.uses, self.jobs).splitlines()
        self.assertEqual(lines[0], "host: 4 rooms on 4 floors")
        for room in self.uses:
            self.assertEqual(sum(line.split()[:1] != ["on"] and line.split()[1:2] == [room] for line in lines), 1, room)
        self.assertIn("   0  host/base          units", lines)

    def test_the_page_has_the_drawing_of_the_tree(self):
        done = subprocess.run([TOOL, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
