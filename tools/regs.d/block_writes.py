# SPDX-License-Identifier: Apache-2.0
"""What a block of registers does with a write: settings, indices, writes to tables, strobes."""
from block import bits, cut, halves, in_array, lower_bits, section
from block_types import write_members
from description import words
from roles import member


def table_writes(block):
    held, rows = [], []
    for group, tables in block.writes.items():
        held.append((f"{group}_writes.data", "bus_wdata"))
        word_bits = dict(write_members(tables)).get("word")
        if word_bits:
            held.append((f"{group}_writes.word", f"bus_offset[{word_bits + 1}:2]"))
        for w in (w for table in tables for w in table["writes"]):
            name = f"{group}_writes.{member(w, group)}_we"
            if w["count"] > 1:
                rows.append((name, in_array(block, w)))
            else:
                rows += [(f"{name}[{number}]" if words(w) == 2 else name, f"bus_offset == {offset}")
                         for number, (offset, _, _) in enumerate(halves(block, w))]
    space = max(len(name) for name, _ in rows)
    return ["    if (write) begin", *(f"      {name} <= {value};" for name, value in held), "    end",
            "    if (write || written_reg) begin", *(f"      {name:<{space}} <= write && {value};" for name, value in rows),
            "    end", "    written_reg <= write;"]


def kept(block):
    """Settings, stored registers and indices."""
    out = ["  // Nothing is decoded without a request: a simulation pays for every clock, and in most there is no access.",
           "  always @(posedge clk) begin", "    if (write)", "      case (bus_offset)"]
    rows = [(offset, cut(block.place(r), r, low, high), lower_bits("bus_wdata", high - low + 1))
            for r in block.of("setting", "stored", "index") for offset, low, high in halves(block, r)]
    widths = [max(len(row[column]) for row in rows) + 1 for column in (0, 1)]
    out += [f"        {offset + ':':<{widths[0]}} {place:<{widths[1] - 1}} <= {value};" for offset, place, value in rows]
    out += ["        default: ;", "      endcase"]
    if block.writes:
        out += table_writes(block)
    out += ["    // A reset makes everything that can be read 0.", "    if (rst) begin"]
    out += [f"      {group}_settings <= '0;" for group in block.settings]
    out += [f"      {group}_writes <= '0;" for group in block.writes]
    out += [f"      {block.place(r)} <= {r['bits']}'d0;" for r in block.of("stored", "index") if "." not in block.place(r)]
    return out + ["    end", "  end"]


def strobes(block):
    out = []
    for r in block.of("strobes"):
        names = [f"{r['name']}_{f['name']}" for f in r["fields"]]
        space = max(map(len, names))
        out += ["", f"  wire {r['name']}_write = write && bus_offset == {block.offset(r)};", "  always @(posedge clk)",
                "    if (rst) begin", *(f"      {name:<{space}} <= 1'b0;" for name in names), "    end else begin",
                *(f"      {name:<{space}} <= {r['name']}_write && bus_wdata[{block.offset(r)}_{f['name'].upper()}_BIT];"
                  for name, f in zip(names, r["fields"])), "    end"]
    return out


def write(block):
    out = section("writes")
    out += [f"  reg {bits(r['bits'])} {block.place(r)};" for r in block.of("stored")]
    if block.writes:
        out.append("  reg written_reg;                              // the last clock had a write: its strobes end now")
    return [*out, *kept(block), *strobes(block), ""]
