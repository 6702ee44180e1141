# SPDX-License-Identifier: Apache-2.0
"""How a block of registers answers: reads at once, reads of counters and tables that wait, errors.

Everything is decoded inside of an `if`, because a simulation pays for every clock, and in most there is no access."""
from block import cut, halves, nowhere, padded, section, wrapped
from roles import member


def flags(register):
    """Its fields in their places, zeros between."""
    pieces, above = [], 32
    for field in sorted(register["fields"], key=lambda f: -f["bit"]):
        pieces += [f"{above - field['bit'] - 1}'d0"] if above > field["bit"] + 1 else []
        pieces.append(f"{register['name']}_{field['name']}")
        above = field["bit"]
    pieces += [f"{above}'d0"] if above else []
    return f"{{{', '.join(pieces)}}}"


def plain_rows(block):
    """(offset, expression) of every word that is read at once."""
    by_index = [w for t in block.tables if t["answer"] == "index" for w in t["windows"]]
    for r in block.registers:
        if r["role"] == "flags":
            yield block.offset(r), flags(r)
            continue
        name = {"constant": r.get("constant"), "input": f"{r['name']}_value"}.get(r["role"])
        if r in by_index:
            table = next(t for t in block.tables if r in t["windows"])
            name = f"{table['name']}_values.{member(r, table['group'])}"
        elif r["role"] in ("setting", "stored", "index"):
            name = block.place(r)
        if name is None:
            continue
        for offset, low, high in halves(block, r):
            latched = r.get("latch") and low
            yield offset, f"{r['name']}_high_reg" if latched else padded(cut(name, r, low, high), high - low + 1)


def latches(block):
    out = []
    for r in block.of("input"):
        if r.get("latch"):
            name = f"{r['name']}_high_reg"
            out += [f"  reg [{r['bits'] - 33}:0] {name};   // high word of the value whose low word was read last",
                    "  always @(posedge clk)",
                    f"    if (read && bus_offset == {block.offset(r)}) {name} <= {r['name']}_value[{r['bits'] - 1}:32];"]
    return out


def asked_windows(block):
    return [(table, offset, low, high, w) for table in block.asked for w in table["windows"]
            for offset, low, high in halves(block, w)]


def asking(block):
    """Who is asked by a read in this clock: `asked`."""
    width = 1 + len(block.asked)
    top = block.offset_bits - 1
    out = ["  // Who has to be asked before the answer: the counters, the tables.", f"  reg [{width - 1}:0] asked;",
           f"  wire [{top}:0] in_counters = bus_offset - MAP_COUNTER_BASE;", "  always @* begin",
           f"    asked = {width}'d0;", "    if (read && bus_offset[1:0] == 2'd0) begin",
           "      asked[0] = bus_offset >= MAP_COUNTER_BASE && in_counters < 8 * COUNTERS;", "      case (bus_offset)"]
    for number, table in enumerate(block.asked, 1):
        index, there = table["index"], "1'b1"
        if table["fewer"]:
            there = f"{padded(index['name'], index['bits'])} < {table['name'].upper()}_ENTRIES"
        out += wrapped([offset for t, offset, *_ in asked_windows(block) if t is table], 8, ":")
        out.append(f"          asked[{number}] = {there};")
    slot_bits = (block.counters - 1).bit_length()
    return [*out, "        default: ;", "      endcase", "    end", "  end", f"  wire slow = asked != {width}'d0;",
            "  assign counter_read = asked[0];", f"  assign counter_slot = in_counters[{slot_bits + 2}:3];", ""]


def waiting(block):
    names = [t["name"] for t in block.asked]
    regs = ["bus_ack", "counter_wait_reg", "table_wait_reg", *(f"{name}_req" for name in names)]
    space = max(map(len, regs))
    return ["  reg counter_wait_reg;                         // the counter's value comes now",
            "  reg table_wait_reg;                           // a table has a request and has not answered",
            *wrapped([f"{name}_ack" for name in names], 34, ");", " ||", "  wire table_ack = table_wait_reg && ("),
            "  wire answered  = (bus_req && !slow) || counter_wait_reg || table_ack;", "  always @(posedge clk)",
            "    if (rst) begin", *(f"      {name:<{space}} <= 1'b0;" for name in regs), "    end else begin",
            f"      {'bus_ack':<{space}} <= answered;", f"      {'counter_wait_reg':<{space}} <= asked[0];",
            "      if (slow || table_ack) begin              // one access at a time, so one request",
            f"        {'table_wait_reg':<{space}} <= slow && !asked[0];",
            *(f"        {f'{name}_req':<{space}} <= asked[{number}];" for number, name in enumerate(names, 1)),
            "      end", "    end"]


def write_errors(block):
    writable = [offset for r in block.of("setting", "stored", "index", "write", "strobes") if r["count"] == 1
                for offset, _, _ in halves(block, r)]
    return ["      if (write)", "        case (bus_offset)", *wrapped(writable, 10, ": ;"),
            f"          default: bus_error <= {nowhere(block)};", "        endcase"]


def values(rows, register):
    space = max(len(offset) for offset, _ in rows) + 1
    return [f"          {offset + ':':<{space}} {register} <= {expression};" for offset, expression in rows]


def plain_values(block, register):
    error = f"!slow && {nowhere(block)}" if block.counters else nowhere(block)
    zero = [offset for r in block.of("strobes", "write") if r["count"] == 1 for offset, _, _ in halves(block, r)]
    return ["      if (read)", "        case (bus_offset)", *values(list(plain_rows(block)), register),
            *(wrapped(zero, 10, ": ;   // write only") if zero else []),
            f"          default: bus_error <= {error};", "        endcase"]


def table_values(block):
    rows = [(offset, padded(cut(f"{t['name']}_values.{member(w, t['group'])}", w, low, high), high - low + 1))
            for t, offset, low, high, w in asked_windows(block)]
    return ["      if (counter_wait_reg) asked_rdata_reg <= bus_offset[2] ? counter_value[63:32] : counter_value[31:0];",
            "      if (table_ack)", "        case (bus_offset)", *values(rows, "asked_rdata_reg"), "          default: ;", "        endcase"]


def answers(block):
    """The value that is read, and whether there is none."""
    if not block.counters:
        return ["  always @(posedge clk) begin", "    bus_error <= 1'b0;", "    bus_rdata <= 32'd0;", "    if (answered) begin",
                *write_errors(block), *plain_values(block, "bus_rdata"), "    end", "  end"]
    return ["  // Two registers, so that a value that is there at once does not wait for one that is asked for.",
            "  reg [31:0] plain_rdata_reg, asked_rdata_reg;", "  assign bus_rdata = plain_rdata_reg | asked_rdata_reg;",
            "  always @(posedge clk) begin", "    bus_error       <= 1'b0;", "    plain_rdata_reg <= 32'd0;",
            "    asked_rdata_reg <= 32'd0;", "    if (bus_req) begin", *write_errors(block), *plain_values(block, "plain_rdata_reg"),
            "    end", "    if (counter_wait_reg || table_ack) begin", *table_values(block), "    end", "  end"]


def write(block):
    waits = bool(block.counters)
    out = [*section("reads and answers"), *latches(block)]
    if waits:
        out += [*asking(block), *waiting(block)]
    else:
        out += ["  wire answered = bus_req;", "  always @(posedge clk) bus_ack <= answered && !rst;"]
    return [*out, *answers(block)]
