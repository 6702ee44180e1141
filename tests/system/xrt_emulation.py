# SPDX-License-Identifier: Apache-2.0
"""A card for XRT's software emulation: the real, unmodified XRT library, which starts fpgauge-sim-card instead of its
own model of a card. Standard library only.

    card = Emulation(folder, library="twin", settings={"dut.model": "wire"})
    subprocess.run([FPGAUGE, "run", plan], env=card.environment)    # device = { backend = "xrt"; xclbin = card.xclbin; }
"""

import glob
import os
import shlex
import subprocess
import uuid

from fpgauge_system import FPGAUGE

CARDS = os.path.join(os.path.dirname(FPGAUGE), "sim", "cards")
SIM_CARD = os.path.join(CARDS, "fpgauge-sim-card")
MAKE_XCLBIN = os.path.join(CARDS, "fpgauge-make-xclbin")
BRIDGE = os.path.join(os.path.dirname(FPGAUGE), "fpgauge-xrt-bridge")

# The program that XRT starts as the card, below $XILINX_VITIS.
MODEL = "data/emulation/unified/cpu_em/generic_pcie/model/genericpciemodel"

# Debian's libxrt_swemu uses memory after it has freed it (alloc_void()). If malloc puts every block into pages of its
# own and returns it to the kernel at once, what it reads there does no harm.
MALLOC = "glibc.malloc.mmap_threshold=0:glibc.malloc.mmap_max=60000"


def is_built():
    return all(os.access(program, os.X_OK) for program in (SIM_CARD, MAKE_XCLBIN, BRIDGE))


def library_folder():
    """The folder of libxrt_swemu: XRT looks for it in $XILINX_XRT/lib."""
    for pattern in ("/usr/lib/*/libxrt_swemu.so.2", "/usr/lib/libxrt_swemu.so.2", "/opt/xilinx/xrt/lib/libxrt_swemu.so.2"):
        for path in glob.glob(pattern):
            return os.path.dirname(path)
    raise AssertionError("no libxrt_swemu.so.2: install libxrt1")


class Emulation:
    """One card, in a folder of its own. Any number of cards may be used side by side."""

    def __init__(self, folder, library="twin", settings=None, fault=None, clock_ratio=1000, kernel="fpgauge"):
        self.folder = folder
        self.xclbin = os.path.join(folder, "fpgauge.xclbin")
        self.pid_file = os.path.join(folder, "card.pid")
        model = os.path.join(folder, "vitis", MODEL)
        for made in (os.path.dirname(model), os.path.join(folder, "xrt"), os.path.join(folder, "run")):
            os.makedirs(made, exist_ok=True)
        if not os.path.lexists(os.path.join(folder, "xrt", "lib")):
            os.symlink(library_folder(), os.path.join(folder, "xrt", "lib"))
        command = [SIM_CARD, "--front=xrt", f"--library={library}", f"--clock-ratio={clock_ratio}"]
        command += [f"--set={name}={value}" for name, value in (settings or {}).items()]
        self.fault_file = os.path.join(folder, "fault")  # made by the card when its fault occurs
        command += [f"--fault={fault}", f"--fault-file={self.fault_file}"] if fault else []
        with open(model, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\necho $$ > {shlex.quote(self.pid_file)}\n"
                         f"exec {shlex.join(command)} 2>> {shlex.quote(os.path.join(folder, 'card.log'))}\n")
        os.chmod(model, 0o755)
        subprocess.run([MAKE_XCLBIN, self.xclbin, kernel], check=True)

    @property
    def environment(self):
        wanted = dict(os.environ)
        # XRT's sockets are in /tmp/$USER, where they remain when it is killed.
        wanted["USER"] = os.path.relpath(os.path.join(self.folder, "run"), "/tmp")
        wanted.update(XCL_EMULATION_MODE="sw_emu", XILINX_XRT=os.path.join(self.folder, "xrt"),
                      XILINX_VITIS=os.path.join(self.folder, "vitis"),
                      SDACCEL_EM_RUN_DIR=os.path.join(self.folder, "run"), GLIBC_TUNABLES=MALLOC)
        wanted.pop("EMULATION_SOCKETID", None)
        return wanted

    def uuid(self):
        """Of its xclbin, from struct axlf of XRT's xclbin.h."""
        with open(self.xclbin, "rb") as file:
            return str(uuid.UUID(bytes=file.read()[416:432]))

    def was_started(self):
        return os.path.exists(self.pid_file)

    def pid(self):
        """The process that plays the card: the last one that was started."""
        with open(self.pid_file, encoding="utf-8") as file:
            return int(file.read())

    def met_its_fault(self):
        return os.path.exists(self.fault_file)

    def log(self):
        """What the card said."""
        try:
            with open(os.path.join(self.folder, "card.log"), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""
