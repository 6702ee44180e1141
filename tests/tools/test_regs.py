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


class Copy(unittest.TestCase):
    """A copy of the description to break."""

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

    def line_of(self, name):
        lines = (self.root / regs.SOURCE).read_text().splitlines()
        return lines.index(f'name = "{name}"')  # 0-based line of the name = 1-based line of the heading before

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


class Regs(Copy):
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
            path.write_text(path.read_text() + "\n")
            code, errors = self.run_tool("--check")
            self.assertEqual(code, 1)
            self.assertIn(f"{path}: stale; run tools/regs", errors)
            path.unlink()
            code, errors = self.run_tool("--check")
            self.assertEqual(code, 1)
            self.assertIn(f"{path}: missing", errors)

    def test_a_changed_description_makes_the_outputs_stale(self):
        for pattern, replacement, stale in (
                (r"offset = 0x02c", "offset = 0x070", {"fpgauge_regs.vh", "fpgauge_regs.h", "kernel.xml", "registers.md"}),
                (r'name = "scratch"', 'name = "scribble"', {"fpgauge_regs.vh", "fpgauge_regs.h", "kernel.xml", "registers.md",
                                                           "csr_global.v"}),
                (r"bits = 56", "bits = 48", {"fpgauge_regs.vh", "fpgauge_regs.h", "registers.md", "csr_port.v",
                                             "csr_types.svh"})):
            self.run_tool()
            self.edit(pattern, replacement)
            code, errors = self.run_tool("--check")
            self.assertEqual((code, {Path(line.split(":")[0]).name for line in errors.splitlines()}), (1, stale))

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
                (r"offset = 0x02c", "offset = 0x070"),
                (r'name = "scratch"', 'name = "scribble"'),
                (r'(name = "scratch"\noffset = 0x02c\naccess = )"rw"', r'\1"ro"'),
                (r'(name = "run_id"\noffset = 0x028\naccess = "rw"\nbits = )8', r"\g<1>9"),
                (r"(version = )3", r"\g<1>4"),
                (r"(counter_base\s*= )0x800", r"\g<1>0x808"),
                (r"count = 16", "count = 8"),
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
        self.edit(r"offset = 0x2b0", "offset = 0x800")
        self.assert_refused("rx_tag_time", "offset = 0x800")

    def test_more_counters_than_the_block_holds_are_refused(self):
        self.edit(r"counter_base  = 0x800", "counter_base  = 0xff0")
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


class Roles(Copy):
    """What a block does with a register."""

    def place(self, name):
        return f"fpgauge.toml:{self.line_of(name)}: [[port]] {name}: "

    def test_a_setting_without_a_group_is_refused(self):
        self.edit(r'(name = "tx_seed"\n.*\n.*\n.*\n)group = "tx"\n', r"\1")
        self.assert_refused(self.place("tx_seed"), "group or table is missing")

    def test_a_group_is_a_name(self):
        self.edit(r'group = "rx"', 'group = "RX"')
        self.assert_refused("group = 'RX': must be lower case words")

    def test_a_name_that_is_a_word_of_the_language_is_refused(self):
        self.edit(r'name = "tx_seed"', 'name = "tx_time"')
        self.assert_refused(self.place("tx_time"), "'time', without the prefix tx_, is a word of SystemVerilog")

    def test_a_key_that_the_access_does_not_allow_is_refused(self):
        self.edit(r'name = "tx_seed"\noffset = 0x040\naccess = "rw"', 'name = "tx_seed"\noffset = 0x040\naccess = "wo"')
        self.assert_refused(self.place("tx_seed"), "group: must not be given with access = 'wo'")

    def test_two_users_of_one_register_are_refused(self):
        self.edit(r'bits = 1\ngroup = "tx"', 'bits = 1\ngroup = "tx"\ntable = "tx_flow"')
        self.assert_refused("tx_enable: group and table: at most one of them")

    def test_an_unknown_table_of_a_register_is_refused_with_the_known_ones(self):
        self.edit(r'table = "rx_tag"', 'table = "rx_tags"')
        self.assert_refused(self.place("rx_tag_index"), "table = 'rx_tags': must be one of tx_flow, tx_size")

    def test_a_global_register_has_no_table(self):
        self.edit(r'group = "run"', 'table = "tx_flow"')
        self.assert_refused("[[global]] run_id", "table = 'tx_flow': must be one of none: only ports have tables")

    def test_a_second_index_is_refused(self):
        self.edit(r'(name = "tx_turns"\n(?:.*\n){3})group = "tx"', r'\1table = "tx_turn"')
        self.assert_refused(self.place("tx_turns"), "table = 'tx_turn' has an index, tx_turn_index")

    def test_a_wide_index_is_refused(self):
        self.edit(r'(name = "rx_tag_index"\noffset = )0x2a0(\naccess = "rw"\nbits = )9', r"\g<1>0x2d8\g<2>33")
        self.assert_refused(self.place("rx_tag_index"), "bits = 33: must be at most 32 for an index")

    def test_a_table_that_is_read_is_not_written(self):
        self.edit(r'(name = "rx_tag_stream"\n.*\naccess = )"ro"', r'\1"wo"')
        self.assert_refused(self.place("rx_tag_stream"), "access = 'wo': must not be, with answer = 'index' of its table 'rx_tag'")

    def test_a_table_that_is_written_is_not_read(self):
        self.edit(r'(name = "tx_turn_flow"\n.*\naccess = )"wo"', r'\1"ro"')
        self.assert_refused(self.place("tx_turn_flow"), "access = 'ro': must not be, with answer = 'none' of its table 'tx_turn'")

    def test_a_table_needs_registers(self):
        for answer, words in (("request", "needs a register with access rw (its index) and one with ro"),
                              ("none", "needs a register with access wo")):
            original = (self.root / regs.SOURCE).read_text()
            self.append(f'[[table]]\nname = "rx_new"\ngroup = "rx"\nanswer = "{answer}"\ndoc = "New."\n')
            self.assert_refused("[[table]] rx_new: answer = ", words)
            (self.root / regs.SOURCE).write_text(original)

    def test_a_table_with_an_unknown_answer_is_refused(self):
        self.edit(r'answer = "index"', 'answer = "soon"')
        self.assert_refused("[[table]] rx_tag", "answer = 'soon': must be one of request, index, none")

    def test_a_table_named_twice_is_refused(self):
        self.edit(r'name = "tx_turn"\n', 'name = "tx_size"\n')
        self.assert_refused("[[table]] tx_size: name = 'tx_size' is taken by")

    def test_only_a_table_that_is_asked_may_have_fewer_entries(self):
        self.edit(r'answer = "index"', 'answer = "index"\nfewer = true')
        self.assert_refused("[[table]] rx_tag", "fewer = true: must have answer = 'request'")

    def test_a_register_has_the_prefix_of_its_tables_group(self):
        self.edit(r'name = "rx_tag_time"', 'name = "tag_time"')
        self.assert_refused("[[port]] tag_time", "name must begin with the table's group, rx_")

    def test_an_array_is_written_to_a_table_and_lies_at_a_multiple_of_its_size(self):
        for pattern, replacement, words in (
                (r"count = 16", "count = 12", "count = 12: must be a power of two"),
                (r'(name = "rx_expected"\n.*\n)access = "wo"\n(.*\n.*\n)table = .*\n', r'\1access = "rw"\n\2group = "rx"\n',
                 "count = 128: must be a power of two, of words that are written to a table"),
                (r"offset = 0x400\n(.*\n.*\n)count = 128", r"offset = 0x480\n\1count = 64",
                 "offset = 0x480: must be a multiple of 0x100, the octets of the array")):
            original = (self.root / regs.SOURCE).read_text()
            self.edit(pattern, replacement)
            self.assert_refused(words)
            (self.root / regs.SOURCE).write_text(original)

    def test_a_write_without_an_effect_is_refused(self):
        self.edit(r"(?s)fields = \[\n  \{ name = \"start\".*?\n\]\n", "")
        self.assert_refused("[[global]] control: table is missing, or fields")

    def test_a_constant_is_of_the_map_or_the_parameter_of_its_name(self):
        self.edit(r'constant = "FLOWS"', 'constant = "PORTS"')
        self.assert_refused("[[global]] flows", "constant = 'PORTS': must be one of MAP_ID, MAP_VERSION, MAP_HASH, FLOWS")

    def test_only_a_wide_register_latches(self):
        self.edit(r"latch = true\n", "")
        self.edit(r'(name = "status"\n(?:.*\n){3})(?s:.*?\n\]\n)', r'\1latch = true\ndoc = "Now one word."\n')
        self.assert_refused("[[global]] status: latch: bits = 32: must be above 32")

    # -- what is generated

    def generated(self, name):
        self.assertEqual(self.run_tool()[0], 0)
        return (self.root / name).read_text()

    def test_a_new_setting_is_one_entry(self):
        self.append('[[port]]\nname = "tx_fresh"\noffset = 0x700\naccess = "rw"\nbits = 33\ngroup = "tx"\ndoc = "New."\n')
        self.assertIn("logic [32:0] fresh;", self.generated("hw/regs/csr_types.svh"))
        block = (self.root / "hw/regs/csr_port.v").read_text()
        for row in (r"PORT_TX_FRESH: +tx_settings\.fresh\[31:0\] +<= bus_wdata;",
                    r"PORT_TX_FRESH \+ HIGH: +tx_settings\.fresh\[32\] +<= bus_wdata\[0\];",
                    r"PORT_TX_FRESH: +plain_rdata_reg <= tx_settings\.fresh\[31:0\];",
                    r"PORT_TX_FRESH \+ HIGH: +plain_rdata_reg <= \{31'd0, tx_settings\.fresh\[32\]\};"):
            self.assertTrue(re.search(row, block), row)
        self.assertRegex(block, r"PORT_TX_FRESH,\s+PORT_TX_FRESH \+ HIGH[ ,:]")   # writable

    def test_a_new_table_brings_its_ports_and_struct(self):
        self.append('[[table]]\nname = "rx_new"\ngroup = "rx"\nanswer = "request"\nfewer = true\ndoc = "New."\n'
                    '[[port]]\nname = "rx_new_index"\noffset = 0x700\naccess = "rw"\nbits = 5\ntable = "rx_new"\ndoc = "I."\n'
                    '[[port]]\nname = "rx_new_count"\noffset = 0x708\naccess = "ro"\nbits = 40\ntable = "rx_new"\ndoc = "C."\n')
        self.assertRegex(self.generated("hw/regs/csr_types.svh"),
                         r"// New\.\ntypedef struct packed \{\n  logic \[39:0\] new_count;\n\} port_rx_new_values_t;")
        block = (self.root / "hw/regs/csr_port.v").read_text()
        for row in ("parameter RX_NEW_ENTRIES = 32", r"output reg +rx_new_req,", r"output reg \[4:0\] +rx_new_index,",
                    r"input +rx_new_ack,", "input csr_types::port_rx_new_values_t rx_new_values,",
                    r"asked\[10\] = \{27'd0, rx_new_index\} < RX_NEW_ENTRIES;",
                    r"PORT_RX_NEW_COUNT \+ HIGH: +asked_rdata_reg <= \{24'd0, rx_new_values.new_count\[39:32\]\};"):
            self.assertTrue(re.search(row, block), row)


if __name__ == "__main__":
    unittest.main()
