# SPDX-License-Identifier: Apache-2.0
"""A simulation library driven register by register, without the program: drivers/sim_abi.h through ctypes. Addresses come
from hw/regs/fpgauge.toml."""

import ctypes
import os
import tomllib

from fpgauge_system import FPGAUGE, ROOT

ABI_VERSION = 6
DISTURBED = 2


class Option(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class Api(ctypes.Structure):
    _fields_ = [
        ("abi_version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("ports", ctypes.c_uint),
        ("open", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Option), ctypes.c_size_t,
                                  ctypes.POINTER(ctypes.c_char_p), ctypes.c_char_p, ctypes.c_size_t)),
        ("close", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("read32", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32))),
        ("write32", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32)),
        ("wait", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64)),
        ("now", ctypes.c_void_p),  # not used here, nor are the others without a type
        ("truth", ctypes.c_void_p),
        ("error_text", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("reset_dut", ctypes.c_void_p),
        ("most_ports", ctypes.c_uint),
        ("disturbance", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t)),
    ]  # the rest is not used here


def library_path(name):
    folder = os.environ.get("FPGAUGE_LIBRARY_PATH", os.path.join(os.path.dirname(FPGAUGE), "sim"))
    return os.path.join(folder, f"libfpgauge-sim-{name}.so")


class SimLibrary:
    """An open device; a context manager. Registers by name: of a port, "tx_frame_octets", or global, "control"."""

    def __init__(self, name, options):
        library = ctypes.CDLL(library_path(name))
        library.fpgauge_sim_entry.restype = ctypes.POINTER(Api)
        self.api = library.fpgauge_sim_entry().contents
        assert self.api.abi_version == ABI_VERSION, self.api.abi_version
        with open(os.path.join(ROOT, "hw", "regs", "fpgauge.toml"), "rb") as file:
            described = tomllib.load(file)
        self.map = described["map"]
        self.ports = {register["name"]: register for register in described["port"]}
        self.globals = {register["name"]: register for register in described["global"]}
        self.counters = [counter["name"] for counter in described["counter"]]
        given = (Option * len(options))(*((key.encode(), value.encode()) for key, value in options.items()))
        error = ctypes.create_string_buffer(256)
        self.sim = self.api.open(given, len(options), ctypes.byref(ctypes.c_char_p()), error, len(error))
        assert self.sim, error.value.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.api.close(self.sim)

    def base(self, port):
        return self.map["port_base"] + port * self.map["port_stride"]

    def write(self, name, value, word=0, port=0):
        register = self.ports[name]
        address = self.base(port) + register["offset"] + 4 * word
        for part in range(2 if register["bits"] > 32 else 1):
            assert self.api.write32(self.sim, address + 4 * part, value >> 32 * part & 0xFFFFFFFF) == 0, name

    def read_at(self, address, bits=32):
        value, whole = ctypes.c_uint32(), 0
        for part in range(2 if bits > 32 else 1):
            assert self.api.read32(self.sim, address + 4 * part, ctypes.byref(value)) == 0, self.api.error_text(self.sim)
            whole |= value.value << 32 * part
        return whole

    def read(self, name, port=0):
        return self.read_at(self.base(port) + self.ports[name]["offset"], self.ports[name]["bits"])

    def read_global(self, name):
        return self.read_at(self.globals[name]["offset"], self.globals[name]["bits"])

    def counter(self, name, port=0):
        """As the last snapshot has frozen it."""
        return self.read_at(self.base(port) + self.map["counter_base"] + 8 * self.counters.index(name), 64)

    def wait(self, octet_times):
        assert self.api.wait(self.sim, octet_times) == 0, self.api.error_text(self.sim)

    def disturbance(self):
        """What has disturbed it since the last call: one line, or None."""
        text = ctypes.create_string_buffer(256)
        return text.value.decode() if self.api.disturbance(self.sim, text, len(text)) == DISTURBED else None

    def strobe(self, field):
        self.api.write32(self.sim, self.globals["control"]["offset"], 1 << self.bit("control", field))

    def status(self, field):
        return self.read_global("status") >> self.bit("status", field) & 1

    def bit(self, register, field):
        return next(f["bit"] for f in self.globals[register]["fields"] if f["name"] == field)

    def wait_while(self, field):
        for _ in range(1000):
            if not self.status(field):
                return
            self.wait(100000)
        raise AssertionError(f"{field} for {1000 * 100000} octet times")
