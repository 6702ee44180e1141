# SPDX-License-Identifier: Apache-2.0
"""A block of registers, csr_port.v or csr_global.v, as its writers see it, and how they write. What a register does: roles.py."""
from description import words
from roles import groups, member, written_groups

class Block:
    """What the writers below need of a block, by role, in the order of the map."""

    def __init__(self, d, kind):
        self.kind, self.map, self.registers = kind, d["map"], d[kind]
        self.offset_bits = d["map"]["port_stride"].bit_length() - 1
        self.counters = len(d["counter"]) if kind == "port" else 0
        self.tables = d["table"] if kind == "port" else []
        self.asked = [t for t in self.tables if t["answer"] == "request"]
        self.settings = groups(self.registers, "setting")
        self.writes = written_groups(d) if kind == "port" else {}

    def of(self, *wanted):
        return [r for r in self.registers if r["role"] in wanted]

    def offset(self, register):
        return f"{self.kind}_{register['name']}".upper()

    def place(self, register):
        """The variable that keeps a register."""
        if register["role"] == "setting":
            return f"{register['group']}_settings.{member(register, register['group'])}"
        if register["role"] == "index":
            table = next(t for t in self.tables if t["index"] is register)
            return f"{table['group']}_writes.{member(register, table['group'])}" if table["writes"] else register["name"]
        return f"{register['name']}_reg"


def bits(count):
    return f"[{count - 1}:0]" if count > 1 else ""


def halves(block, register):
    """(offset, lowest bit, highest bit) of every word."""
    name = block.offset(register)
    return [(name if low == 0 else f"{name} + HIGH", low, min(low + 31, register["bits"] - 1))
            for low in range(0, 32 * words(register), 32)]


def cut(name, register, low, high):
    """These bits of a register, as an expression."""
    if (low, high) == (0, register["bits"] - 1):
        return name
    return f"{name}[{high}]" if low == high else f"{name}[{high}:{low}]"


def padded(expression, count):
    return expression if count == 32 else f"{{{32 - count}'d0, {expression}}}"


def lower_bits(name, count, of=32):
    return name if count == of else f"{name}[{bits(count)[1:-1] or '0'}]"


def in_array(block, register):
    """An array lies at a multiple of its size."""
    mask = ((1 << block.offset_bits) - 1) & ~(4 * (register["count"] - 1))
    return f"(bus_offset & {block.offset_bits}'h{mask:x}) == {block.offset(register)}"


def nowhere(block):
    """What is not in a case statement may still be in an array."""
    inside = " || ".join(in_array(block, r) for r in block.of("write") if r["count"] > 1)
    return f"!({inside})" if inside else "1'b1"


def section(title):
    return [f"  // ---------------------------------------------------------------- {title}"]


def wrapped(names, indent, end, joint=",", begin=None):
    """Names joined, in lines of up to 120 columns."""
    lines, line = [], " " * indent if begin is None else begin
    for number, name in enumerate(names):
        piece = name + (end if number + 1 == len(names) else joint)
        if len(line) + 1 + len(piece) > 120:
            lines.append(line.rstrip())
            line = " " * indent
        line += piece + " "
    return [*lines, line.rstrip()]
