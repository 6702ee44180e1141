# SPDX-License-Identifier: Apache-2.0
"""A simulated card for the whole-system cases: the device process, and its PCI board in a sysfs tree of our own.

The device process is build/sim/cards/fpgauge-sim-card (FPGAUGE_SIM_CARD in the environment), the trapped BAR
build/sim/cards/libfpgauge-trapbar.so (FPGAUGE_TRAPBAR). Standard library only.
"""

import contextlib
import os
import socket
import struct
import subprocess
import time

from fpgauge_system import FPGAUGE, IN_VAIN_S

BUILD = os.path.dirname(FPGAUGE)
SIM_CARD = os.path.abspath(os.environ.get("FPGAUGE_SIM_CARD", os.path.join(BUILD, "sim", "cards", "fpgauge-sim-card")))
TRAPBAR = os.path.abspath(os.environ.get("FPGAUGE_TRAPBAR",
                                         os.path.join(BUILD, "sim", "cards", "libfpgauge-trapbar.so")))
VENDOR, DEVICE = 0x10ee, 0x903f
MAP_OCTETS = 0x20000
IORESOURCE_IO, IORESOURCE_MEMORY, IORESOURCE_MEMORY_64 = 0x100, 0x200, 0x100000
COMMAND_MEMORY = 0x0002


def settings(dut):
    """{"model": "fifo", ...} as arguments of the device process."""
    return [word for name, value in dut.items() for word in ("--set", f"dut.{name}={value}")]


class SimCard:
    """A device process with the trapped BAR as its front."""

    def __init__(self, socket_path, library="rtl", dut=None, clock_ratio=1000, fault=None):
        self.socket_path = socket_path
        command = [SIM_CARD, "--front=bar", f"--socket={socket_path}", f"--library={library}",
                   f"--clock-ratio={clock_ratio}", *settings(dut or {"model": "wire"})]
        self.fault_file = f"{socket_path}.fault"  # made by the card when its fault occurs
        command += [f"--fault={fault}", f"--fault-file={self.fault_file}"] if fault else []
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.await_ready()

    def await_ready(self):
        end = time.monotonic() + IN_VAIN_S
        while True:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
                with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                    probe.connect(self.socket_path)
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                self.close()
                raise AssertionError(f"the device process does not listen (exit {self.process.returncode})")
            time.sleep(0.01)

    def close(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class PciTree:
    """A sysfs of PCI boards, as libpci reads it, in a folder: root/bus/pci."""

    def __init__(self, folder):
        self.folder = folder
        self.sysfs = os.path.join(folder, "bus", "pci")
        os.makedirs(os.path.join(self.sysfs, "devices"))

    def path(self, address, name):
        return os.path.join(self.sysfs, "devices", address, name)

    def add(self, address="0000:3b:00.0", vendor=VENDOR, device=DEVICE, device_class=0x120000, octets=MAP_OCTETS,
            flags=IORESOURCE_MEMORY | IORESOURCE_MEMORY_64, command=COMMAND_MEMORY):
        """A board with one BAR; returns the path of its resource0."""
        os.makedirs(self.path(address, ""))
        base = 0x38000000000
        config = bytearray(256)
        struct.pack_into("<HHHH", config, 0x00, vendor, device, command, 0x0010)
        struct.pack_into("<I", config, 0x08, device_class << 8)
        struct.pack_into("<II", config, 0x10, base & 0xffffffff | 0xc, base >> 32)  # memory, 64 bits, prefetchable
        struct.pack_into("<HH", config, 0x2c, vendor, 0x0007)
        with open(self.path(address, "config"), "wb") as file:
            file.write(config)
        rows = [(base, base + octets - 1, flags) if octets else (0, 0, 0)] + [(0, 0, 0)] * 12
        texts = {"vendor": f"0x{vendor:04x}", "device": f"0x{device:04x}", "class": f"0x{device_class:06x}", "irq": "0",
                 "enable": "0", "resource": "\n".join("0x%016x 0x%016x 0x%016x" % row for row in rows)}
        for name, text in texts.items():
            with open(self.path(address, name), "w", encoding="ascii") as file:
                file.write(text + "\n")
        with open(self.path(address, "resource0"), "wb") as file:
            file.truncate(octets)
        return self.path(address, "resource0")

    def lock_down(self, mode):
        """What a kernel shows in /sys/kernel/security/lockdown."""
        folder = os.path.join(self.folder, "kernel", "security")
        os.makedirs(folder)
        with open(os.path.join(folder, "lockdown"), "w", encoding="ascii") as file:
            file.write(f"none [{mode}] confidentiality\n")


def trapped(resource, socket_path):
    """The environment of a program for which mapping `resource` gives it the card at that socket."""
    return {"LD_PRELOAD": TRAPBAR, "FPGAUGE_TRAPBAR_FILE": resource, "FPGAUGE_TRAPBAR_SOCKET": socket_path,
            "ASAN_OPTIONS": "verify_asan_link_order=0"}  # a sanitized program needs it: the trap may come first


def plan_text(tests, sysfs, device=""):
    body = ",\n".join(f"  {{ {test} }}" for test in tests)
    return f'device = {{ backend = "pci"; sysfs = "{sysfs}"; {device} }};\nrun = (\n{body}\n);\n'
