# SPDX-License-Identifier: Apache-2.0
"""What each register does in its block, from its access and the keys group, table, constant, latch and fields.

role       access  key       what the block does with it
setting    rw      group     keeps it, in the struct of its group
stored     rw      group = "none"   keeps it; only the bus reads it
index      rw      table     keeps it: the entry of the table that the registers below go to
write      wo      table     passes what is written on to the table
window     ro      table     reads it from the table's answer
strobes    wo      fields    a pulse for each field that is written as 1
constant   ro      constant  a constant of the map, or a parameter of the block
flags      ro      fields    inputs of the block, one for each field
input      ro                an input of the block; latch: reading the low word keeps the high one for the next read
"""
from description import MapError

ANSWERS = ("request", "index", "none")
MAP_CONSTANTS = ("MAP_ID", "MAP_VERSION", "MAP_HASH")
KEYS_OF_ACCESS = {"rw": {"group", "table"}, "wo": {"table", "fields"}, "ro": {"table", "constant", "fields", "latch"}}

# IEEE 1800-2017 annex B: what a register may not be called once it has lost the prefix of its group.
RESERVED = frozenset("""
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins binsof bit
break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const constraint context continue
cover covergroup coverpoint cross deassign default defparam design disable dist do edge else end endcase endchecker endclass
endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram endproperty
endsequence endspecify endtable endtask enum event eventually expect export extends extern final first_match for force foreach
forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies
import incdir include initial inout input inside instance int integer interconnect interface intersect join join_any join_none
large let liblist library local localparam logic longint macromodule matches medium modport module nand negedge nettype new
nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority
program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small soft
solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table
tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef
union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0
weak1 while wildcard wire with within wor xnor xor""".split())


def assign(d):
    """Gives every register its role and its table, and every table its index, windows and writes."""
    tables = {}
    for table in d["table"]:
        if table["answer"] not in ANSWERS:
            raise MapError(f"{table['place']}: answer = {table['answer']!r}: must be one of {', '.join(ANSWERS)}")
        if table["name"] in tables:
            raise MapError(f"{table['place']}: name = {table['name']!r} is taken by {tables[table['name']]['place']}")
        table.update(index=None, windows=[], writes=[])
        table.setdefault("fewer", False)
        tables[table["name"]] = table
    for kind in ("global", "port"):
        for register in d[kind]:
            register["role"] = role(register)
            check_array(register)
            if register["role"] in ("index", "window", "write"):
                join_table(register, tables if kind == "port" else {})
            group = register.get("group") or tables.get(register.get("table"), {}).get("group")
            if group and member(register, group) in RESERVED:
                raise MapError(f"{register['place']}: name = {register['name']!r}: {member(register, group)!r}, without the "
                               f"prefix {group}_, is a word of SystemVerilog")
    for table in d["table"]:
        check_table(table)


def role(register):
    place, access, fields = register["place"], register["access"], register["fields"]
    given = {key for key in ("group", "table", "constant", "latch", "fields") if register.get(key)}
    wrong = given - KEYS_OF_ACCESS[access]
    if wrong:
        raise MapError(f"{place}: {sorted(wrong)[0]}: must not be given with access = {access!r}")
    if len(given) > 1:
        raise MapError(f"{place}: {' and '.join(sorted(given))}: at most one of them")
    if "table" in given:
        return {"rw": "index", "ro": "window", "wo": "write"}[access]
    if access == "rw":
        if "group" not in given:
            raise MapError(f"{place}: group or table is missing: who uses the value? \"none\" if nobody")
        return "stored" if register["group"] == "none" else "setting"
    if access == "wo":
        if not fields or register["bits"] > 32:
            raise MapError(f"{place}: table is missing, or fields of a register of up to 32 bits: what does a write do?")
        return "strobes"
    if "constant" in given:
        allowed = (*MAP_CONSTANTS, register["name"].upper())
        if register["constant"] not in allowed or register["bits"] != 32:
            raise MapError(f"{place}: constant = {register['constant']!r}: must be one of {', '.join(allowed)}, in 32 bits")
        return "constant"
    if "latch" in given and register["bits"] <= 32:
        raise MapError(f"{place}: latch: bits = {register['bits']}: must be above 32, there is no high word to keep")
    if fields and register["bits"] > 32:
        raise MapError(f"{place}: bits = {register['bits']}: must be at most 32 for fields")
    return "flags" if fields else "input"


def check_array(register):
    """Arrays are decoded by the upper bits of the offset."""
    count = register["count"]
    if count == 1:
        return
    if register["role"] != "write" or register["bits"] > 32 or count & (count - 1):
        raise MapError(f"{register['place']}: count = {count}: must be a power of two, of words that are written to a table")
    if register["offset"] % (4 * count):
        raise MapError(f"{register['place']}: offset = {register['offset']:#x}: must be a multiple of {4 * count:#x}, "
                       "the octets of the array")


def join_table(register, tables):
    place, name = register["place"], register["table"]
    if name not in tables:
        raise MapError(f"{place}: table = {name!r}: must be one of {', '.join(tables) or 'none: only ports have tables'}")
    table = tables[name]
    if not register["name"].startswith(f"{table['group']}_"):
        raise MapError(f"{place}: table = {name!r}: name must begin with the table's group, {table['group']}_")
    if register["role"] == "index":
        if table["index"]:
            raise MapError(f"{place}: table = {name!r} has an index, {table['index']['name']}")
        if register["bits"] > 32:
            raise MapError(f"{place}: bits = {register['bits']}: must be at most 32 for an index")
        table["index"] = register
    else:
        table["windows" if register["role"] == "window" else "writes"].append(register)


def check_table(table):
    """A table is either read or written."""
    place, read = table["place"], table["answer"] != "none"
    if read and table["writes"] or not read and table["windows"]:
        wrong = (table["writes"] or table["windows"])[0]
        raise MapError(f"{wrong['place']}: access = {wrong['access']!r}: must not be, with answer = {table['answer']!r} "
                       f"of its table {table['name']!r}")
    if read and (not table["index"] or not table["windows"]):
        raise MapError(f"{place}: answer = {table['answer']!r}: needs a register with access rw (its index) and one with ro")
    if not read and not table["writes"]:
        raise MapError(f"{place}: answer = 'none': needs a register with access wo")
    if table["fewer"] and table["answer"] != "request":
        raise MapError(f"{place}: fewer = true: must have answer = 'request'")


def groups(registers, wanted):
    """{group: its registers with that role}, in the order of the map."""
    found = {}
    for register in registers:
        if register["role"] == wanted:
            found.setdefault(register["group"], []).append(register)
    return found


def written_groups(d):
    """{group: tables that are written}, in the order of the map."""
    found = {}
    for table in d["table"]:
        if table["writes"]:
            found.setdefault(table["group"], []).append(table)
    return found


def member(register, group):
    """Its name in a struct: without the prefix of the group."""
    return register["name"].removeprefix(f"{group}_")
