#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/regs on broken and changed descriptions. Each test works on a copy of the tree's own description."""
import contextlib
import importlib.machinery
import importlib.util
import io
import re
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load_tool(name):
    loader = importlib.machinery.SourceFileLoader(f"tool_{name}", str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


regs = load_tool("regs")


class Regs(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="fpgauge-regs-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "hw/regs").mkdir(parents=True)
        shutil.copy(ROOT / regs.SOURCE, self.root / regs.SOURCE)

    def run_tool(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            code = regs.main(["--root", str(self.root), *arguments])
        return code, errors.getvalue()

    def edit(self, pattern, replacement):
        path = self.root / regs.SOURCE
        text, changes = re.subn(pattern, replacement, path.read_text(), count=1)
        self.assertEqual(changes, 1, f"{pattern!r} is not in the description any more")
        path.write_text(text)

    def append(self, text):
        with (self.root / regs.SOURCE).open("a") as file:
            file.write(text)

    def hash(self):
        return regs.map_hash(regs.load(self.root / regs.SOURCE))

    def assert_refused(self, *words):
        code, errors = self.run_tool()
        self.assertEqual(code, 2)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        for word in words:
            self.assertIn(word, errors)

    # -- stale outputs

    def test_committed_outputs_are_what_the_description_gives(self):
        self.assertEqual(regs.main(["--check"]), 0)

    def test_fresh_outputs_pass_the_check(self):
        self.assertEqual(self.run_tool()[0], 0)
        self.assertEqual(self.run_tool("--check"), (0, ""))

    def test_every_output_is_caught_when_it_is_changed_or_missing(self):
        for name in regs.OUTPUTS:
            self.run_tool()
            path = self.root / name
            path.write_text(path.read_text().replace("0x", "0X", 1) + "\n")
            code, errors = self.run_tool("--check")
            self.assertEqual(code, 1)
            self.assertIn(f"{path}: stale; run tools/regs", errors)
            path.unlink()
            code, errors = self.run_tool("--check")
            self.assertEqual(code, 1)
            self.assertIn(f"{path}: missing", errors)

    def test_a_changed_description_makes_the_outputs_stale(self):
        self.run_tool()
        self.edit(r"offset = 0x02c", "offset = 0x048")
        code, errors = self.run_tool("--check")
        self.assertEqual((code, len(errors.splitlines())), (1, len(regs.OUTPUTS)))

    # -- the hash

    def test_prose_does_not_change_the_hash(self):
        before = self.hash()
        self.edit(r'doc = "For self-tests; does nothing\."', 'doc = "Other words."')
        self.append("\n# a comment\n")
        self.assertEqual(self.hash(), before)

    def test_everything_that_software_relies_on_changes_the_hash(self):
        original = (self.root / regs.SOURCE).read_text()
        before = self.hash()
        for pattern, replacement in (
                (r"offset = 0x02c", "offset = 0x048"),
                (r'name = "scratch"', 'name = "scribble"'),
                (r'(name = "scratch"\noffset = 0x02c\naccess = )"rw"', r'\1"ro"'),
                (r'(name = "run_id"\noffset = 0x028\naccess = "rw"\nbits = )8', r"\g<1>9"),
                (r"(version = )1", r"\g<1>2"),
                (r"(counter_base\s*= )0x400", r"\g<1>0x500"),
                (r"count = 16", "count = 15"),
                (r'name = "stop",     bit = 1', 'name = "stop",     bit = 5'),
                (r'name = "stop", ', 'name = "halt", '),
                (r'name = "tx_octets"', 'name = "tx_bytes"')):
            self.edit(pattern, replacement)
            self.assertNotEqual(self.hash(), before, pattern)
            (self.root / regs.SOURCE).write_text(original)

    def test_hashes_in_texts_are_those_of_the_map(self):
        """Examples of what the program prints; --check verifies generated texts."""
        found = {}
        for path in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.cfg"), ROOT / "docs" / "fpgauge.1", ROOT / "README.md"]:
            for line in path.read_text(encoding="utf-8").splitlines():
                if re.search(r"map|^sim:", line, re.IGNORECASE):
                    for number in re.findall(r"\b0x[0-9a-f]{8}\b", line):
                        found.setdefault(number, set()).add(path.name)
        self.assertEqual(found.keys(), {f"0x{self.hash():08x}"}, found)
        self.assertLessEqual({"registers.md", "selftest.md", "xrt.md"}, found[f"0x{self.hash():08x}"])

    def test_the_order_of_counters_changes_the_hash(self):
        before = self.hash()
        self.edit(r'(name = "tx_frames"\ndoc = .*\n)\[\[counter\]\]\n(name = "tx_octets"\ndoc = .*\n)',
                  r"\2[[counter]]\n\1")
        self.assertNotEqual(self.hash(), before)

    def test_all_outputs_that_a_machine_reads_carry_the_same_hash(self):
        self.run_tool()
        text = f"{self.hash():08x}"
        for name in ("hw/regs/fpgauge_regs.vh", "hw/regs/fpgauge_regs.h"):
            self.assertIn(text, (self.root / name).read_text())

    # -- broken descriptions; line numbers are those of the [[...]] heading

    def line_of(self, name):
        lines = (self.root / regs.SOURCE).read_text().splitlines()
        return lines.index(f'name = "{name}"')  # 0-based line of the name = 1-based line of the heading before

    def test_an_overlap_is_refused_with_line_and_both_names(self):
        self.edit(r"offset = 0x02c", "offset = 0x028")
        self.assert_refused(f"fpgauge.toml:{self.line_of('scratch')}:", "scratch", "offset 0x28 is taken by", "run_id")

    def test_the_second_word_of_a_wide_register_is_taken_too(self):
        self.edit(r"offset = 0x010\naccess = \"rw\"\nbits = 32", 'offset = 0x00c\naccess = "rw"\nbits = 32')
        self.assert_refused("tx_gap_numerator", "offset 0xc is taken by", "tx_gap_octets")

    def test_a_misaligned_offset_is_refused(self):
        self.edit(r"offset = 0x02c", "offset = 0x02e")
        self.assert_refused("scratch", "offset = 0x2e: must be a multiple of 4")

    def test_a_wide_register_off_an_8_octet_address_is_refused(self):
        self.edit(r"offset = 0x040", "offset = 0x044")
        self.assert_refused("start_time", "must be a multiple of 8 for 64 bits")

    def test_widths_beyond_64_bits_are_refused(self):
        self.edit(r"bits = 56", "bits = 65")
        self.assert_refused("tx_duration", "bits = 0x41: must be 0x1 to 0x40")

    def test_a_register_under_the_counters_is_refused(self):
        self.edit(r"offset = 0x2b0", "offset = 0x400")
        self.assert_refused("rx_tag_time", "offset = 0x400")

    def test_more_counters_than_the_block_holds_are_refused(self):
        self.edit(r"counter_base  = 0x400", "counter_base  = 0xff0")
        self.assert_refused("tx_first_time", "address in the port = 0x1000")

    def test_an_address_space_too_small_for_the_ports_is_refused(self):
        self.edit(r"address_bits  = 17", "address_bits  = 16")
        self.assert_refused("[map]", "port_base")

    def test_a_field_outside_its_register_is_refused(self):
        self.edit(r'name = "snapshot", bit = 3', 'name = "snapshot", bit = 32')
        self.assert_refused("control", "snapshot", "bit = 0x20: must be 0x0 to 0x1f")

    def test_two_fields_on_one_bit_are_refused(self):
        self.edit(r'name = "snapshot", bit = 3', 'name = "snapshot", bit = 2')
        self.assert_refused("snapshot", "bit 2 is taken by field clear")

    def test_a_name_used_twice_is_refused(self):
        self.edit(r'name = "scratch"', 'name = "run_id"')
        self.assert_refused("name = 'run_id' is taken by")

    def test_a_counter_may_not_have_the_name_of_a_register(self):
        self.edit(r'name = "tx_gaps"', 'name = "tx_seed"')
        self.assert_refused("[[counter]] tx_seed", "is taken by", "[[port]]")

    def test_an_unknown_key_is_refused_with_the_known_ones(self):
        self.edit(r"offset = 0x02c", "ofset = 0x02c")
        self.assert_refused("scratch", "unknown key 'ofset'", "offset")

    def test_an_unknown_table_is_refused(self):
        self.append('[[counters]]\nname = "x"\n')
        self.assert_refused("unknown table 'counters'")

    def test_a_missing_key_is_refused(self):
        self.edit(r'name = "scratch"\n', "")
        self.assert_refused("[[global]]", "name is missing")

    def test_a_wrong_type_is_refused(self):
        self.edit(r"offset = 0x02c", 'offset = "0x02c"')
        self.assert_refused("offset = '0x02c': must be a int")

    def test_an_unknown_access_is_refused(self):
        self.edit(r'access = "wo"', 'access = "w1"')
        self.assert_refused("control", "access = 'w1': must be one of ro, rw, wo")

    def test_broken_toml_is_refused_with_its_line(self):
        self.edit(r"offset = 0x02c", "offset = ")
        self.assert_refused("fpgauge.toml", "line")

    def test_a_missing_description_is_refused(self):
        (self.root / regs.SOURCE).unlink()
        self.assert_refused("No such file")


if __name__ == "__main__":
    unittest.main()
