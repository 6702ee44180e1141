# SPDX-License-Identifier: Apache-2.0
"""tools/check-crossings finds no crossing of clocks without a synchroniser in the boards' logic and no wrong row in
crossings.xdc, and finds those that were put there."""
import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools/check-crossings"
XDC = "bitstreams/common/crossings.xdc"


def load():
    """The tool as a module: reading the Verilog takes most of its time, and what is wrong with pages and rows needs it only once."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("check_crossings", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_crossings", loader))
    loader.exec_module(module)
    return module


class Crossings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tool = load()
        cls.read = cls.tool.netlists(ROOT)

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fpgauge-crossings-test-")
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name)
        for path in ("docs/boards.md", XDC):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)

    def change(self, path, old, new):
        text = (self.root / path).read_text()
        self.assertIn(old, text)
        (self.root / path).write_text(text.replace(old, new, 1))

    def complaints(self):
        return "\n".join(self.tool.check(self.root, self.read)[2])

    def test_every_crossing_of_the_repository_has_its_synchroniser_and_its_row(self):
        found, instances, bad = self.tool.check(self.root, self.read)
        self.assertEqual(bad, [])
        self.assertGreater(len(found), len(instances))

    def test_crossings_without_a_synchroniser_and_logic_in_front_of_one_are_found(self):
        shutil.copytree(ROOT / "hw", self.root / "hw")
        self.change("hw/boards/cmac/cmac_time.v", "sync_bit u_mark (.clk(clk), .d(mark), .q(mark_here));",
                    "assign mark_here = mark;")
        self.change("hw/boards/cmac/cmac_adapter.v", ".d(tx_go_reg), .q(link_up)", ".d(tx_go_reg && tx_rd_en), .q(link_up)")
        done = subprocess.run([TOOL, "--root", self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("port[0].u_adapter.word_reg -> port[0].u_adapter.u_time.mark_reg: crosses clocks", done.stderr)
        self.assertIn("u_tx_go.sync_first_reg: crosses clocks", done.stderr)

    def test_a_crossing_that_is_not_in_the_page_is_found(self):
        self.change("docs/boards.md", "`u_adapter.u_tx_go`", "`u_adapter.u_tx_gone`")
        self.assertIn("`u_adapter.u_tx_go` is not in the table", self.complaints())

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
        complaints = self.complaints()
        ports = "u_card/u_ports"
        for text in (f"also names {ports}/u_core/u_control/u_axil/awaddr_reg_reg[0], which is at no start of a crossing",
                     f"also names {ports}/u_core/port[1].u_port/u_tx/u_build/first_reg_reg, which is at no end of a crossing",
                     "exempts every path from what it names", f"no row for {ports}/u_axil/wdata_reg_reg[0] -> ",
                     f"also names {ports}/u_axil/write_reg_reg -> {ports}/u_axil/s_axil_bvalid_reg, which is within one clock",
                     "names no crossing of clocks", "names no register with an asynchronous reset",
                     f"no row for {ports}/u_axil/resp_reg_reg[0] -> {ports}/u_axil/s_axil_bresp_reg[0]"):
            self.assertIn(text, complaints)


if __name__ == "__main__":
    unittest.main()
