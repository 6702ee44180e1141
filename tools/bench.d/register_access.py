# SPDX-License-Identifier: Apache-2.0
"""What a register access costs through each way to a device: `tools/bench access`. The simulation library, a PCI board behind a
trapped BAR, and XRT's emulation if it is built, each with the twin and with Verilated RTL behind it. A card has nothing of what
makes these slow: the trap, the socket and the simulation of the clocks that an access takes. So the figures say what the
tests cost, not what a card will."""

import json
import os
import subprocess
import sys
import tempfile

COUNT = {"sim": 20000, "pci": 20000, "xrt": 2000}
RUNS = 3
SHORT_COUNT, SHORT_RUNS = 200, 1
WIRE = {"dut.model": "wire"}


def measure(program, backend, library, options, environment, short):
    """Seconds for a read, for a write, and for a write and a read; the fastest of several runs, the others were disturbed."""
    count, repeated = (SHORT_COUNT, SHORT_RUNS) if short else (COUNT[backend], RUNS)
    command = [program, backend, library, str(count), *(f"{name}={value}" for name, value in options.items())]
    runs = [list(map(float, subprocess.run(command, env=environment, check=True, capture_output=True,
                                           text=True).stdout.split())) for _ in range(repeated)]
    read, write, both = (min(column) / count for column in zip(*runs))
    return {"backend": backend, "read_s": read, "write_s": write, "write_and_read_s": both}


def by_simulation(program, library, _, short):
    return measure(program, "sim", library, WIRE, os.environ, short)


def by_pci(program, library, folder, short):
    import sim_card
    tree = sim_card.PciTree(os.path.join(folder, "sys"))
    socket = os.path.join(folder, "card")
    environment = dict(os.environ, **sim_card.trapped(tree.add(), socket))
    with sim_card.SimCard(socket, library=library, clock_ratio=1):
        return measure(program, "pci", "-", {"device.sysfs": tree.sysfs}, environment, short)


def by_xrt(program, library, folder, short):
    import xrt_emulation
    card = xrt_emulation.Emulation(folder, library=library, settings=WIRE, clock_ratio=1)
    return measure(program, "xrt", "-", {"device.xclbin": card.xclbin}, card.environment, short)


def is_built(build, way):
    if way == "xrt":
        try:
            import xrt_emulation
        except ImportError:
            return False
        return xrt_emulation.is_built()
    return way != "pci" or os.access(os.path.join(build, "sim", "cards", "libfpgauge-trapbar.so"), os.R_OK)


def main(build, path, options):
    program = os.path.join(build, "tests", "sim", "bench_access")
    if not os.access(program, os.X_OK):
        raise SystemExit(f"tools/bench: {build} is not built; run tools/build {build} first")
    os.environ.setdefault("FPGAUGE", os.path.join(build, "fpgauge"))
    os.environ["FPGAUGE_LIBRARY_PATH"] = os.environ.get("FPGAUGE_LIBRARY_PATH") or os.path.join(build, "sim")
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tests", "system"))
    report = {"schema": 1, "load": os.getloadavg()[0], "access": []}
    for way, run in (("sim", by_simulation), ("pci", by_pci), ("xrt", by_xrt)):
        if not is_built(build, way):
            print(f"{way}: not built, not measured")
            continue
        for library in ("twin", "rtl"):
            with tempfile.TemporaryDirectory(prefix="fpgauge-bench-") as folder:
                row = {"library": library, **run(program, library, folder, options.short)}
            report["access"].append(row)
            print(f"{way:>4}, {library:>4}: read {row['read_s'] * 1e6:8.3f} us, write {row['write_s'] * 1e6:8.3f} us, "
                  f"write and read {row['write_and_read_s'] * 1e6:8.3f} us")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    print(f"written to {path}")
    return 0
