# SPDX-License-Identifier: Apache-2.0
"""tools/check-crossings finds no crossing of clocks without a synchroniser in the boards' logic and no wrong row in
crossings.xdc, and finds those that were put there."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
XDC = "bitstreams/common/crossings.xdc"


class Crossings(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fpgauge-crossings-test-")
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name)
        shutil.copytree(ROOT / "hw", self.root / "hw")
        (self.root / "docs").mkdir()
        shutil.copy(ROOT / "docs/boards.md", self.root / "docs")
        (self.root / "bitstreams/common").mkdir(parents=True)
        shutil.copy(ROOT / "bitstreams/common/crossings.xdc", self.root / "bitstreams/common")

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
        self.assertIn("u_mark.sync_first_reg: crosses clocks", done.stderr)

    def test_a_crossing_that_is_not_in_the_page_is_found(self):
        self.change("docs/boards.md", "`u_adapter.u_tx_go`", "`u_adapter.u_tx_gone`")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("`u_adapter.u_tx_go` is not in the table", done.stderr)

    def refused(self, *texts):
        done = self.check()
        self.assertEqual(done.returncode, 1)
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_every_mistake_in_the_rows_of_the_exceptions_is_found(self):
        core, axil = "*/u_ports/u_core/u_control/u_axil", "*/u_ports/u_axil"
        # names that the core has too: one of its AXI4-Lite slave, one of its pipelines
        self.change(XDC, f"{axil}/wstrb_reg_reg[*]", "*/wstrb_reg_reg[*]")
        self.change(XDC, f"{axil}/address_reg_reg[*]", "*_reg_reg[*]")
        self.change(XDC, "*/u_ports/*/sync_first_reg_reg/D", "*first_reg_reg/D")
        # no end of its paths, and one that takes in a path within the host's clock
        self.change(XDC, f" -to [get_cells -hierarchical -filter {{NAME =~ {core}/wdata_reg_reg[*]}}]", "")
        self.change(XDC, f"{axil}/m_axil_wvalid_reg", f"{axil}/*valid_reg")
        # an end that is not there any more, and one that is missing
        self.change(XDC, "*_descriptors/rd_gray_first_reg_reg[*]", "*_descriptors/rd_gray_last_reg_reg[*]")
        self.change(XDC, "*u_ports/stretch_reg_reg[*]/CLR", "*u_ports/stretched_reg[*]/CLR")
        self.change(XDC, f"{axil}/s_axil_*resp_reg[*]", f"{axil}/s_axil_rresp_reg[*]")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        ports = "u_card/u_ports"
        for text in (f"also names {ports}/u_core/u_control/u_axil/awaddr_reg_reg[0], which is at no start of a crossing",
                     f"also names {ports}/u_core/port[1].u_port/u_tx/u_build/first_reg_reg, which is at no end of a crossing",
                     "exempts every path from what it names", f"no row for {ports}/u_axil/wdata_reg_reg[0] -> ",
                     f"also names {ports}/u_axil/write_reg_reg -> {ports}/u_axil/s_axil_bvalid_reg, which is within one clock",
                     "names no crossing of clocks", "names no register with an asynchronous reset",
                     f"no row for {ports}/u_axil/resp_reg_reg[0] -> {ports}/u_axil/s_axil_bresp_reg[0]"):
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
