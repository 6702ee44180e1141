# SPDX-License-Identifier: Apache-2.0
"""Reads hw/regs/fpgauge.toml and refuses a description that is wrong, naming place, value and limit."""
import hashlib
import re
import tomllib

SOURCE = "hw/regs/fpgauge.toml"
MAX_PORTS = 16  # the signature in a test frame has 4 bits for a port
ACCESS = {"ro": "read only", "rw": "read and write", "wo": "write only"}
MAP_KEYS = {"name": str, "version": int, "id": int, "address_bits": int, "global_base": int, "port_base": int,
            "port_stride": int, "counter_base": int}
REGISTER_KEYS = {"name": str, "offset": int, "access": str, "bits": int, "doc": str, "count": int, "fields": list,
                 "group": str, "table": str, "constant": str, "latch": bool}
FIELD_KEYS = {"name": str, "bit": int, "doc": str}
TABLE_KEYS = {"name": str, "group": str, "answer": str, "fewer": bool, "doc": str}
COUNTER_KEYS = {"name": str, "doc": str}
LISTS = ("global", "table", "port", "counter")
OPTIONAL = {"count", "fields", "group", "table", "constant", "latch", "fewer"}


class MapError(Exception):
    """The description is wrong; the text is one line that names place, value and limit."""


def load(path):
    """The checked description: {"map": {...}, "global": [...], "table": [...], "port": [...], "counter": [...]}; what a
    register does is for roles.assign() to add."""
    try:
        text = path.read_text(encoding="utf-8")
        description = tomllib.loads(text)
    except OSError as error:
        raise MapError(f"{path}: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise MapError(f"{path}: {error}") from error
    unknown = set(description) - {"map", *LISTS}
    if unknown:
        raise MapError(f"{path}: unknown table {sorted(unknown)[0]!r}; known are map, {', '.join(LISTS)}")
    checked = {"map": description.get("map", {})}
    check_keys(f"{path}: [map]", checked["map"], MAP_KEYS)
    for kind in LISTS:
        checked[kind] = description.get(kind, [])
        if not isinstance(checked[kind], list):
            raise MapError(f"{path}: {kind} must be an array of tables: [[{kind}]]")
        # tomllib keeps no line numbers, so take those of the headings.
        lines = [n for n, line in enumerate(text.splitlines(), 1) if re.match(rf"\s*\[\[\s*{kind}\s*\]\]", line)]
        for entry, line in zip(checked[kind], lines):
            entry["place"] = f"{path}:{line}: [[{kind}]] {entry.get('name', '')}".rstrip()
    check(path, checked)
    return checked


def check_keys(place, table, keys):
    for key, value in table.items():
        if key == "place":
            continue
        if key not in keys:
            raise MapError(f"{place}: unknown key {key!r}; known are {', '.join(keys)}")
        if type(value) is not keys[key]:
            raise MapError(f"{place}: {key} = {value!r}: must be a {keys[key].__name__}")
    for key in keys:
        if key not in table and key not in OPTIONAL:
            raise MapError(f"{place}: {key} is missing")


def check_name(place, name, taken, key="name"):
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise MapError(f"{place}: {key} = {name!r}: must be lower case words joined by _")
    if name in taken:
        raise MapError(f"{place}: name = {name!r} is taken by {taken[name]}")
    taken[name] = place


def check_range(place, key, value, low, high):
    if not low <= value <= high:
        raise MapError(f"{place}: {key} = {value:#x}: must be {low:#x} to {high:#x}")


def check(path, d):
    place, m = f"{path}: [map]", d["map"]
    check_range(place, "address_bits", m["address_bits"], 12, 32)
    check_range(place, "id", m["id"], 0, 0xffffffff)
    check_range(place, "version", m["version"], 1, 0xffffffff)
    stride = m["port_stride"]
    if stride < 0x100 or stride & (stride - 1):
        raise MapError(f"{place}: port_stride = {stride:#x}: must be a power of two from 0x100")
    for key in ("global_base", "port_base"):
        if m[key] % stride:
            raise MapError(f"{place}: {key} = {m[key]:#x}: must be a multiple of port_stride {stride:#x}")
    check_range(place, "port_base", m["port_base"], m["global_base"] + stride,
                (1 << m["address_bits"]) - MAX_PORTS * stride)
    check_range(place, "counter_base", m["counter_base"], 8, stride - 8)
    if m["counter_base"] % 8:
        raise MapError(f"{place}: counter_base = {m['counter_base']:#x}: must be a multiple of 8")
    check_registers(d["global"], stride, {})
    port_names = {}
    check_registers(d["port"], m["counter_base"], port_names)
    for table in d["table"]:
        check_keys(table["place"], table, TABLE_KEYS)
        check_name(table["place"], table["name"], {})
        check_name(table["place"], table["group"], {}, "group")
    for slot, counter in enumerate(d["counter"]):
        check_keys(counter["place"], counter, COUNTER_KEYS)
        check_name(counter["place"], counter["name"], port_names)
        check_range(counter["place"], "address in the port", m["counter_base"] + 8 * slot, 0, stride - 8)


def check_registers(registers, end, names):
    """Checks the registers of one block; offsets must be below end."""
    owner = {}
    for register in registers:
        place = register["place"]
        check_keys(place, register, REGISTER_KEYS)
        check_name(place, register["name"], names)
        if register["access"] not in ACCESS:
            raise MapError(f"{place}: access = {register['access']!r}: must be one of {', '.join(ACCESS)}")
        check_range(place, "bits", register["bits"], 1, 64)
        check_range(place, "count", register.setdefault("count", 1), 1, end // 4)
        alignment = 4 * words(register)
        if register["offset"] % alignment:
            raise MapError(f"{place}: offset = {register['offset']:#x}: must be a multiple of {alignment} "
                           f"for {register['bits']} bits")
        check_range(place, "offset", register["offset"], 0, end - alignment * register["count"])
        for offset in range(register["offset"], register["offset"] + alignment * register["count"], 4):
            if offset in owner:
                raise MapError(f"{place}: offset {offset:#x} is taken by {owner[offset]}")
            owner[offset] = place
        check_fields(place, register)
        if "group" in register:
            check_name(place, register["group"], {}, "group")


def check_fields(place, register):
    names, bits = {}, {}
    for field in register.setdefault("fields", []):
        if not isinstance(field, dict):
            raise MapError(f"{place}: fields: {field!r}: must be a table")
        field_place = f"{place}: field {field.get('name', '')}"
        check_keys(field_place, field, FIELD_KEYS)
        check_name(field_place, field["name"], names)
        check_range(field_place, "bit", field["bit"], 0, register["bits"] - 1)
        if field["bit"] in bits:
            raise MapError(f"{field_place}: bit {field['bit']} is taken by field {bits[field['bit']]}")
        bits[field["bit"]] = field["name"]


def words(register):
    return 1 if register["bits"] <= 32 else 2


def map_hash(d):
    """First 32 bits of the SHA-256 over everything that software and device must agree on, without the prose."""
    m = d["map"]
    lines = [f"{key} {m[key]}" for key in MAP_KEYS]
    for kind in ("global", "port"):
        for r in sorted(d[kind], key=lambda r: r["offset"]):
            lines.append(f"{kind} {r['name']} {r['offset']} {r['access']} {r['bits']} {r['count']}")
            lines += [f"field {f['name']} {f['bit']}" for f in sorted(r["fields"], key=lambda f: f["bit"])]
    lines += [f"counter {c['name']} {slot}" for slot, c in enumerate(d["counter"])]
    return int.from_bytes(hashlib.sha256("\n".join(lines).encode()).digest()[:4], "big")
