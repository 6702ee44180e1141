# SPDX-License-Identifier: Apache-2.0
"""The paths of a flat netlist: levels, carry cells and estimated ns between registers, by the clock at their end; what a clock enable drives."""
import math
import re
from dataclasses import dataclass

import delays

REGISTER = re.compile(r"FD[RSCP]E|RAMB\d+E\d|SRL\w+|URAM\w*")
LUTRAM = re.compile(r"RAM\d+\w*")
WRITE_PORT = re.compile(r"D|DI[A-H]?|WE")          # pins of a LUT RAM: taken with its clock, unlike its addresses
ENABLE_PORT = re.compile(r"CE|ENARDEN|ENBWREN")
CLOCK_PORT = re.compile(r"C|CLK|WCLK|CLKARDCLK|CLKBWRCLK")
WRITES_BLOCK_RAM = re.compile(r"ADDRB|ENB|WE|DIN|RSTRAMB|RSTREGB|REGCEB")


class LoopError(Exception):
    """The logic has a combinational loop."""


@dataclass
class Path:
    """The worst path to an end; `levels` and `ns` may be those of two paths: from `deep_from` and from `slow_from`."""
    instance: str
    clock: str        # the name of the clock's net, "" without a register at either end
    levels: int
    ns: float
    carries: int      # CARRY8 on the slowest path
    deep_from: str
    deep_to: str
    slow_from: str
    slow_to: str


def bits_of(cell, direction):
    """(port, index, bit) of a cell's inputs or outputs, without constants."""
    return [(port, index, bit) for port, bits in cell["connections"].items() if cell["port_directions"][port] == direction
            for index, bit in enumerate(bits) if isinstance(bit, int)]


def clock_of(cell, port):
    """The bit of the clock with which a cell takes or gives what is at `port`."""
    clocks = cell["connections"]
    if "CLKBWRCLK" in clocks:  # a block RAM has two ports: A reads and B writes
        name = "CLKBWRCLK" if WRITES_BLOCK_RAM.match(port) else "CLKARDCLK"
        bits = clocks[name] if isinstance(clocks[name][0], int) else clocks["CLKBWRCLK"] + clocks["CLKARDCLK"]
    else:
        bits = next((clocks[name] for name in ("C", "CLK", "WCLK") if name in clocks), [])
    return next((bit for bit in bits if isinstance(bit, int)), None)


def ends_at(cell, port):
    """Whether a path ends where `cell` takes what is at its input `port`."""
    kind = cell["type"]
    if CLOCK_PORT.fullmatch(port):
        return False
    return bool(REGISTER.fullmatch(kind) or (LUTRAM.fullmatch(kind) and WRITE_PORT.fullmatch(port)))


def chain_inputs(output, index, inputs, drivers, fanouts, part):
    """[(bit, levels, ns, carry cells)] that output O[index] or CO[index] of a carry cell, `part` of a CARRY8, depends on."""
    result = []
    for port, at, bit in inputs:
        kind, wire = drivers.get(bit, ""), delays.wire(fanouts[bit])
        if port == "S" and at <= index:
            entry = (1, delays.WIRE_IN_SLICE) if kind.startswith("LUT") else (2, wire + delays.LUT)
            result.append((bit, entry[0], entry[1] + delays.CARRY_IN, part))
        elif port == "DI" and (at < index or (at == index and output == "CO")):
            result.append((bit, 1, wire + delays.CARRY_IN, part))
        elif port in ("CI", "CYINIT", "CI_TOP"):
            through = delays.CARRY_ON * part if output == "CO" else delays.CARRY_OUT
            result.append((bit, 0, through, part) if kind.startswith("CARRY") else (bit, 1, wire + delays.CARRY_IN, part))
    return result


def plain_inputs(cell, inputs, drivers, fanouts):
    """[(bit, levels, ns, carry cells)] that each output of any other cell without a clock on the way depends on."""
    kind, result = cell["type"], {}
    for port, _, bit in inputs:
        if ends_at(cell, port) or (LUTRAM.fullmatch(kind) and CLOCK_PORT.fullmatch(port)):
            continue
        wire = delays.wire(fanouts[bit])
        if kind.startswith("LUT"):
            result[bit] = (bit, 1, wire + delays.LUT, 0)
        elif LUTRAM.fullmatch(kind):
            result[bit] = (bit, 1, wire + delays.LUT_RAM, 0)
        elif kind.startswith("DSP"):
            result[bit] = (bit, 4, wire + delays.DSP, 0)
        elif kind.startswith("MUXF"):
            near = port != "S" and drivers.get(bit, "").startswith(("LUT", "MUXF"))
            result[bit] = (bit, 0, (delays.WIRE_IN_SLICE if near else wire) + delays.MUXF, 0)
        else:
            result[bit] = (bit, 0, 0.0, 0)     # an inverter is part of the LUT behind it
    return list(result.values())


def dependencies(logic, drivers, fanouts):
    """{bit: [(bit that it depends on, levels, ns, carry cells between them)]} of what the cells drive; all bits of an entry are those of nets."""
    graph = {}
    for cell in logic.values():
        inputs = bits_of(cell, "input")
        carry, part = cell["type"].startswith("CARRY"), 0.5 if cell["type"] == "CARRY4" else 1  # yosys has CARRY4 here, too
        plain = None if carry else plain_inputs(cell, inputs, drivers, fanouts)
        for port, index, bit in bits_of(cell, "output"):
            graph[bit] = chain_inputs(port, index, inputs, drivers, fanouts, part) if carry else plain
    return graph


def longest(graph, began):
    """({bit: (levels, source)}, {bit: (ns, source, carry cells)}): the deepest and the slowest path to each bit. began: {bit: ns} of sources."""
    readers, waiting, deep, slow = {}, {}, {}, {}
    for bit, inputs in graph.items():
        own = [entry[0] for entry in inputs if entry[0] in graph]
        waiting[bit] = len(own)
        for source in own:
            readers.setdefault(source, []).append(bit)
    ready = [bit for bit, count_left in waiting.items() if not count_left]
    first = delays.start("FD")
    while ready:
        bit = ready.pop()
        most, most_from, last, last_from, carries = 0, None, began.get(bit, 0.0), None, 0
        for source, levels, ns, cells in graph[bit]:
            at = deep[source][0] + levels if source in deep else levels
            if most_from is None or at > most:
                most, most_from = at, source
            before = slow.get(source) or (began.get(source, first), None, 0)
            if before[0] + ns > last:
                last, last_from, carries = before[0] + ns, source, before[2] + cells
        deep[bit], slow[bit] = (most, most_from), (last, last_from, carries)
        for reader in readers.get(bit, []):
            waiting[reader] -= 1
            if not waiting[reader]:
                ready.append(reader)
    if len(deep) != len(graph):
        raise LoopError("a combinational loop")
    return deep, slow


class Netlist:
    """A flat netlist of yosys, with its names: `files_root` is where the sources are."""

    def __init__(self, top, files_root):
        self.top, self.root, self.cells = top, str(files_root), top["cells"]
        self.drivers, self.driver_cells, self.fanouts = {}, {}, {}
        for cell in self.cells.values():
            for port, _, bit in bits_of(cell, "output"):
                self.drivers[bit], self.driver_cells[bit] = cell["type"], (cell, port)
            for _, _, bit in bits_of(cell, "input"):
                self.fanouts[bit] = self.fanouts.get(bit, 0) + 1
        for port in top["ports"].values():
            for bit in port["bits"] if port["direction"] == "output" else []:
                self.fanouts[bit] = self.fanouts.get(bit, 0) + 1
        self.names = self._names()

    def _files(self, attributes):
        """The files of a cell or net: those of the instantiations on the way to it, and its own."""
        return {place.split(":")[0] for place in attributes.get("src", "").split("|") if place.startswith(self.root)}

    def _names(self):
        """{bit: [(name, files)] of its nets}, shortest first, and those that yosys made last."""
        names = {}
        for name, net in sorted(self.top["netnames"].items(), key=lambda item: (bool(item[1].get("hide_name")), len(item[0]))):
            files = self._files(net["attributes"])
            for index, bit in enumerate(net["bits"]):
                names.setdefault(bit, []).append((name if len(net["bits"]) == 1 else f"{name}[{index}]", files))
        return names

    def name(self, bit, otherwise="?"):
        return self.names.get(bit, [(otherwise,)])[0][0]

    def _clock_name(self, bit):
        """The port that a clock comes in at, else the name of its net."""
        while self.drivers.get(bit, "").startswith("BUF"):
            bit = next(source for _, _, source in bits_of(self.driver_cells[bit][0], "input"))
        ports = [name for name, port in self.top["ports"].items() if bit in port["bits"]]
        return ports[0] if ports else self.name(bit, "")

    def _register_name(self, cell_name, cell):
        """The name of a register in its own instance, not that of a port elsewhere that is the same net."""
        known = [entry for _, _, bit in bits_of(cell, "output") for entry in self.names.get(bit, [])] or [(cell_name, set())]
        files = self._files(cell["attributes"])
        name = next((name for name, own in known if own and own == files), known[0][0])
        return cell_name if name.startswith("$") else name

    def _ends(self):
        """(bit, cell kind, port, clock, name, instance) of each place where a path ends; the clock of an output is None."""
        for cell_name, cell in self.cells.items():
            name = None
            for port, _, bit in bits_of(cell, "input"):
                if ends_at(cell, port):
                    name = name or self._register_name(cell_name, cell)
                    instance = name.rsplit(".", 1)[0] if "." in name and not name.startswith("$") else "-"
                    yield bit, cell["type"], port, clock_of(cell, port), name, instance
        for port in self.top["ports"].values():
            for bit in port["bits"] if port["direction"] == "output" else []:
                if isinstance(bit, int):
                    yield bit, "FDRE", "D", None, self.name(bit), "-"

    def worst_paths(self):
        """The worst path to a register of each instance and clock: [Path], deepest first."""
        began = {bit: delays.start(kind) for bit, kind in self.drivers.items() if delays.family(kind)}
        logic = {name: cell for name, cell in self.cells.items() if not REGISTER.fullmatch(cell["type"])}
        deep, slow = longest(dependencies(logic, self.drivers, self.fanouts), began)
        first = delays.start("FD")

        def source(bit, of):
            while bit in of and of[bit][1] is not None:
                bit = of[bit][1]
            return bit

        worst, clocks = {}, {}
        for bit, kind, port, clock, name, instance in self._ends():
            levels = deep[bit][0] if bit in deep else 0
            before, _, carries = slow.get(bit) or (began.get(bit, first), None, 0)
            ns = before + delays.end(kind, port, self.drivers.get(bit, ""), self.fanouts[bit])
            if clock is None:  # an output: the clock of the register that its deepest path comes from
                cell, out = self.driver_cells.get(source(bit, deep), (None, None))
                clock = clock_of(cell, out) if cell else None
            if clock not in clocks:
                clocks[clock] = self._clock_name(clock) if clock is not None else ""
            entry = worst.setdefault((instance, clocks[clock]), [(-1,), (-1.0,)])
            if levels > entry[0][0]:
                entry[0] = (levels, bit, name)
            if ns > entry[1][0]:
                entry[1] = (ns, bit, name, carries)
        paths = [Path(instance, clock, by_level[0], round(by_ns[0], 2), math.ceil(by_ns[3]), self.name(source(by_level[1], deep), "constant"),
                      by_level[2], self.name(source(by_ns[1], slow), "constant"), by_ns[2])
                 for (instance, clock), (by_level, by_ns) in worst.items()]
        return sorted(paths, key=lambda path: (path.levels, path.ns, path.instance), reverse=True)

    def enables(self):
        """{clock: (inputs, name)}: the net with the most clock enables that is not the output of a register. (Tools copy a register that has
        many; of logic behind an input or in front of a register they can copy nothing but its last LUT.)"""
        loads = {}
        for cell in self.cells.values():
            for port, _, bit in bits_of(cell, "input"):
                if ENABLE_PORT.fullmatch(port) and not (self.drivers.get(bit) or "").startswith(("FD", "SRL")):
                    key = (self._clock_name(clock_of(cell, port)), bit)
                    loads[key] = loads.get(key, 0) + 1
        most = {}
        for (clock, bit), number in loads.items():
            if number > most.get(clock, (0, ""))[0]:
                most[clock] = (number, self.name(bit))
        return most
