# SPDX-License-Identifier: Apache-2.0
"""tools/check-crossings finds no crossing of clocks without a synchroniser in the boards' logic, and finds those that
were put there."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Crossings(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fpgauge-crossings-test-")
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name)
        shutil.copytree(ROOT / "hw", self.root / "hw")
        (self.root / "docs").mkdir()
        shutil.copy(ROOT / "docs/boards.md", self.root / "docs")

    def change(self, path, old, new):
        text = (self.root / path).read_text()
        self.assertIn(old, text)
        (self.root / path).write_text(text.replace(old, new, 1))

    def check(self):
        return subprocess.run([ROOT / "tools/check-crossings", "--root", self.root], capture_output=True, text=True,
                              check=False)

    def test_every_crossing_of_the_repository_has_its_synchroniser_and_its_row(self):
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_crossing_without_a_synchroniser_is_found(self):
        self.change("hw/boards/cmac/cmac_time.v", "sync_bit u_mark (.clk(clk), .d(mark), .q(mark_here));",
                    "assign mark_here = mark;")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("port[0].u_adapter.word_reg -> port[0].u_adapter.u_time.mark_reg: crosses clocks", done.stderr)

    def test_logic_in_front_of_a_synchroniser_is_found(self):
        self.change("hw/boards/cmac/cmac_adapter.v", ".mark(word_reg[11])", ".mark(word_reg[11] ^ word_reg[10])")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("u_mark.first_reg: crosses clocks", done.stderr)

    def test_a_crossing_that_is_not_in_the_page_is_found(self):
        self.change("docs/boards.md", "`u_adapter.u_tx_go`", "`u_adapter.u_tx_gone`")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("`u_adapter.u_tx_go` is not in the table", done.stderr)


if __name__ == "__main__":
    unittest.main()
