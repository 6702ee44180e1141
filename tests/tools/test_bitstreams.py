# SPDX-License-Identifier: Apache-2.0
"""The recipes in bitstreams/: they fit the rest of the repository, tools/bitstreams sees where they do not, and the
entry command says what is missing. Two scripts stand in for AMD's tools: all that is tested is that they are called
with files that exist."""
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def xclbin(value, octets=600):
    """A file with the head of an xclbin: struct axlf and axlf_header in XRT's xclbin.h, and nothing else."""
    head = struct.pack("<8si28s256sQ", b"xclbin2", -1, b"", b"", 1)
    head += struct.pack("<QQQHBBHH16s64s16s16sI", octets, 2, 3, 0, 2, 13, 0, 0, b"", b"platform", value.bytes, b"", 0)
    return head.ljust(octets, b"\xa5")


class Recipes(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fpgauge-bitstreams-")
        self.root = Path(self.temporary.name)
        ignore = shutil.ignore_patterns("_build", "*.xclbin")
        for folder in ("bitstreams", "hw", "tools"):
            shutil.copytree(ROOT / folder, self.root / folder, ignore=ignore)
        shutil.copy(ROOT / "CMakeLists.txt", self.root)
        self.version = re.search(r"set\(FPGAUGE_VERSION (\S+)\)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.manifest = self.root / "bitstreams/u55c/manifest.cfg"

    def tearDown(self):
        self.temporary.cleanup()

    def tool(self, *arguments):
        return subprocess.run([self.root / "tools/bitstreams", "--root", self.root, *arguments], capture_output=True,
                              text=True, check=False)

    def change(self, path, old, new):
        path = self.root / path
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def complains(self, expected):
        done = self.tool("--check")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stderr, expected)

    def make(self, *arguments, path=None):
        environment = dict(os.environ, PATH=path or "/usr/bin:/bin")
        return subprocess.run(["make", "-C", self.root / "bitstreams", *arguments], capture_output=True, text=True,
                              check=False, env=environment)

    def test_the_recipes_of_the_repository_are_in_order(self):
        done = self.tool("--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nothing_is_said_to_be_built_without_its_sha256(self):
        self.change("bitstreams/u55c/manifest.cfg", "built       = false", "built       = true")
        self.complains("built = True and sha256 = '' do not agree")
        self.change("bitstreams/u55c/manifest.cfg", 'sha256      = ""', f'sha256      = "{64 * "0"}"')
        self.complains("built = True and uuid = '' do not agree")

    def test_what_is_built_is_entered_with_the_uuid_of_the_file(self):
        for _ in range(20):
            value = uuid.uuid4()
            (self.root / "bitstreams/u55c/fpgauge.xclbin").write_bytes(xclbin(value))
            done = self.tool("--built", "u55c")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f'uuid        = "{value}";\n', self.manifest.read_text())
        self.assertIn('version     = "";\ngit         = "";\n', self.manifest.read_text())  # nobody kept what it was built from

    def test_a_file_that_is_no_whole_xclbin_with_a_uuid_is_not_entered(self):
        good = xclbin(uuid.uuid4())
        before = self.manifest.read_text()
        for octets, expected in ((b"", "is not an xclbin, or cut off: 0 octets"), (good[:495], "cut off: 495 octets"),
                                 (b"X" + good[1:], "is not an xclbin"), (good[:-1], "has 599 octets, its header says 600"),
                                 (good + b"!", "has 601 octets"), (xclbin(uuid.UUID(int=0)), "has no UUID")):
            (self.root / "bitstreams/u55c/fpgauge.xclbin").write_bytes(octets)
            done = self.tool("--built", "u55c")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, f"fpgauge.xclbin: .*{expected}")
            self.assertEqual(self.manifest.read_text(), before)

    def test_a_manifest_whose_texts_would_spoil_a_terminal_is_seen(self):
        self.change("bitstreams/u55c/manifest.cfg", 'git         = ""', 'git         = "a b"')
        self.complains("git = 'a b': must be up to 40 letters")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=x", "-c", "user.email=x@x", *arguments], check=True, capture_output=True)

    def source(self):
        done = self.tool("--source")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("\n")[:2]

    def test_the_source_of_a_build_is_its_commit_and_whether_anything_but_manifests_was_changed(self):
        self.assertEqual(self.source(), [self.version, ""])  # no repository
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "all")
        commit = subprocess.run(["git", "-C", self.root, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
        commit = commit.stdout.strip()
        self.assertRegex(commit, "^[0-9a-f]{12}$")
        self.change("bitstreams/u50/manifest.cfg", "built       = false", "built       = true")
        self.assertEqual(self.source(), [self.version, commit])
        new = self.root / "hw/rtl/tx/tx_new.v"
        new.write_text("module tx_new; endmodule\n")
        self.assertEqual(self.source(), [self.version, f"{commit}-changed"])
        new.unlink()
        self.change("bitstreams/common/cmac.xdc", "#", "# ")
        self.assertEqual(self.source(), [self.version, f"{commit}-changed"])

    def test_a_map_that_changed_is_seen_and_one_command_brings_all_manifests_up_to_date(self):
        header = self.root / "hw/regs/fpgauge_regs.h"
        header.write_text(re.sub(r"(FPGAUGE_MAP_HASH UINT32_C\()0x\w+", r"\g<1>0x01234567", header.read_text()))
        self.complains("u50/manifest.cfg: map version .* hw/regs has .* 0x01234567: run tools/bitstreams --fix")
        self.assertEqual(self.tool("--fix").returncode, 0)
        self.assertEqual(self.tool("--check").returncode, 0)
        self.assertIn('map_hash    = "0x01234567";', self.manifest.read_text())

    def test_a_bitstream_of_another_map_is_not_built_any_more(self):
        (self.root / "bitstreams/u55c/fpgauge.xclbin").write_bytes(xclbin(uuid.uuid4()))
        self.assertEqual(self.tool("--built", "u55c").returncode, 0)
        self.assertIn("built       = true;", self.manifest.read_text())
        header = self.root / "hw/regs/fpgauge_regs.h"
        header.write_text(re.sub(r"(FPGAUGE_MAP_HASH UINT32_C\()0x\w+", r"\g<1>0x01234567", header.read_text()))
        self.assertNotEqual(self.tool("--built", "u55c").returncode, 0)
        self.assertEqual(self.tool("--fix").returncode, 0)
        self.assertIn("built       = false;", self.manifest.read_text())
        self.assertIn('sha256      = "";\nuuid        = "";\nversion     = "";\ngit         = "";\n', self.manifest.read_text())

    def test_a_file_that_is_not_in_the_list_or_not_there_is_seen(self):
        (self.root / "hw/rtl/tx/tx_new.v").write_text("module tx_new; endmodule\n")
        self.complains("hw/rtl/tx/tx_new.v is missing: run tools/bitstreams --fix")
        self.assertEqual(self.tool("--fix").returncode, 0)
        (self.root / "hw/rtl/tx/tx_new.v").unlink()
        self.complains("hw/rtl/tx/tx_new.v: no such file")

    def test_a_manifest_that_is_not_whole_is_refused(self):
        self.change("bitstreams/u55c/manifest.cfg", "ports       = 2;\n", "")
        self.complains("manifest.cfg: ports: must be given, as int")

    def test_a_board_whose_parts_do_not_fit_is_seen(self):
        for path, old, new, expected in (
                ("bitstreams/u55c/manifest.cfg", "ports       = 2", "ports       = 4", "2 ports, the manifest has 4"),
                ("bitstreams/u55c/connectivity.cfg", "fpgauge_0/gt_refclk1\n", "fpgauge_0/gt_refclk7\n",
                 "fpgauge_0 has no gt_refclk7"),
                ("bitstreams/u55c/connectivity.cfg", "connect=fpgauge_0/gt_serial_port0:io_gt_qsfp0_00\n", "",
                 "fpgauge_0/gt_serial_port0 is not connected"),
                ("bitstreams/u50/board.tcl", "fpgauge_u50", "fpgauge_u51", "no .*fpgauge_u51.v"),
                ("bitstreams/u50/connectivity.cfg", "nk=fpgauge:1:fpgauge_0", "nk=fpgauge:1:fpgauge_1", "does not make"),
                ("bitstreams/u50/manifest.cfg", "xdma_5_202210_1", "xdma_5x_202210_1", "is not of shell")):
            with self.subTest(path=path, new=new):
                before = (self.root / path).read_text()
                self.change(path, old, new)
                self.complains(expected)
                (self.root / path).write_text(before)

    def test_without_a_card_named_the_cards_are_listed(self):
        for arguments in ((), ("PLATFORM=xilinx_u999",), ("BOARD=u999",)):
            done = self.make(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn("BOARD=u55c  PLATFORM=xilinx_u55c_gen3x16_xdma_3_202210_1\n", done.stderr)

    def test_without_the_tools_the_entry_command_says_what_is_missing(self):
        done = self.make("PLATFORM=xilinx_u50_gen3x16_xdma_5_202210_1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bitstreams: vivado is not in PATH: install AMD Vitis", done.stderr)
        self.assertFalse((self.root / "bitstreams/_build").exists())

    def test_with_tools_the_kernel_is_packed_linked_and_entered_in_the_manifest(self):
        fakes = self.root / "fakes"
        fakes.mkdir()
        value = uuid.uuid4()
        (self.root / "made").write_bytes(xclbin(value))
        for name, output in (("vivado", '"$last"'), ("v++", "fpgauge.xclbin")):
            (fakes / name).write_text('#!/bin/sh\necho "$(basename "$0") $*" >> "$LOG"\nfor last; do :; done\n'
                                      f"cp {self.root}/made {output}\n")
            (fakes / name).chmod(0o755)
        os.environ["LOG"] = str(self.root / "log")
        done = self.make("BOARD=u55c", path=f"{fakes}:/usr/bin:/bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        packed, linked = (self.root / "log").read_text().splitlines()
        self.assertRegex(packed, f"^vivado -mode batch .*-tclargs {self.root} u55c fpgauge.xo$")
        self.assertIn("--platform xilinx_u55c_gen3x16_xdma_3_202210_1 --config ../../u55c/connectivity.cfg", linked)
        self.assertIn(f'uuid        = "{value}";\nversion     = "{self.version}";\ngit         = "";\nbuilt       = true;', self.manifest.read_text())
        self.assertEqual(self.tool("--check").returncode, 0)

    def test_constraints_are_xdc_and_name_registers_that_exist(self):
        verilog = "".join(path.read_text() for path in (*(self.root / "hw/boards").glob("*/*.v"), self.root / "hw/rtl/csr/axil_slave.v"))
        for path in sorted((self.root / "bitstreams/common").glob("*.xdc")):
            lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
            self.assertTrue(lines)
            for line in lines:   # XDC is Tcl without control structures
                self.assertRegex(line, r"^set_(property|false_path|max_delay) ", path)
                for name in re.findall(r"/(\w+)_reg(?:\[\*\])?(?:/\w+)?\}", line):
                    self.assertRegex(verilog, rf"reg\b[^;]*\b{name}\b", f"{path}: {line}")

    def test_libconfig_reads_the_manifests_too(self):
        program = 'import sys\n' \
                  'import ctypes, ctypes.util\n' \
                  'library = ctypes.CDLL(ctypes.util.find_library("config"))\n' \
                  'config = ctypes.create_string_buffer(4096)\n' \
                  'library.config_init(config)\n' \
                  'sys.exit(0 if library.config_read_file(config, sys.argv[1].encode()) == 1 else 1)\n'
        for path in sorted((self.root / "bitstreams").glob("*/manifest.cfg")):
            done = subprocess.run(["python3", "-c", program, path], check=False)
            self.assertEqual(done.returncode, 0, path)


if __name__ == "__main__":
    unittest.main()
