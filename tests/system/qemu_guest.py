# SPDX-License-Identifier: Apache-2.0
"""A QEMU guest with the simulated card on its PCI bus: a Debian kernel, busybox, and the program under test with its
libraries. The guest's own kernel finds the board, sizes its BAR and maps it; every access of configuration space and BAR
reaches the device process. Standard library only.

The kernel is build/guest/vmlinuz (tools/guest-kernel), or the one that FPGAUGE_GUEST_KERNEL names.
"""

import os
import re
import shutil
import socket
import subprocess

from fpgauge_system import FPGAUGE, IN_VAIN_S
from sim_card import BUILD, SIM_CARD, settings

KERNEL = os.environ.get("FPGAUGE_GUEST_KERNEL", os.path.join(BUILD, "guest", "vmlinuz"))
QEMU, BUSYBOX = "qemu-system-x86_64", "/bin/busybox"

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
chmod 1777 /tmp /work
cd /work
N=0
cat commands | while read -r COMMAND; do
  sh -c "$COMMAND" >output 2>complaint </dev/null
  echo "@@exit $N $?"
  sed "s/^/@@out $N /" output
  sed "s/^/@@err $N /" complaint
  N=$((N + 1))
done
echo "@@done"
poweroff -f
"""


def missing():
    """What prevents a guest from running, or nothing."""
    if not shutil.which(QEMU):
        return f"no {QEMU} (package qemu-system-x86)"
    if not os.access(BUSYBOX, os.X_OK) or "statically" not in file_kind(BUSYBOX):
        return "no static busybox (package busybox-static)"
    if not shutil.which("cpio"):
        return "no cpio (package cpio)"
    if not os.access(KERNEL, os.R_OK):
        return f"no {KERNEL}: run tools/guest-kernel"
    return None


def file_kind(program):
    """"statically" if the dynamic linker says that it does not load this program."""
    done = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    return "statically linked" if done.returncode else done.stdout


def libraries(program):
    """Paths of the shared libraries of a program, including its dynamic linker."""
    done = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
    return re.findall(r"(/\S+) \(0x", done.stdout)


class Result:
    """How a command in the guest ended."""

    def __init__(self, log, number):
        code = re.search(rf"@@exit {number} (\d+)", log)
        if code is None:
            raise AssertionError(f"the guest did not come to command {number}:\n{log}")
        self.returncode = int(code.group(1))
        self.stdout, self.stderr = ("".join(line + "\n" for line in re.findall(rf"@@{stream} {number} ?([^\r\n]*)", log))
                                    for stream in ("out", "err"))


def make_initramfs(folder, commands, files, modules=()):
    """Packs what the guest needs into folder/initramfs; returns its path."""
    root = os.path.join(folder, "initramfs.d")
    for name in ("bin", "dev", "etc", "proc", "sys", "tmp", "work", "modules"):
        os.makedirs(os.path.join(root, name))
    shutil.copy(BUSYBOX, os.path.join(root, "bin", "busybox"))
    shutil.copy(FPGAUGE, os.path.join(root, "bin", "fpgauge"))
    for library in libraries(FPGAUGE):
        os.makedirs(root + os.path.dirname(library), exist_ok=True)
        shutil.copy(os.path.realpath(library), root + library)
    for module in modules:
        shutil.copy(os.path.join(os.path.dirname(KERNEL), module), os.path.join(root, "modules"))
    for name, text in {**files, "commands": "".join(command + "\n" for command in commands)}.items():
        with open(os.path.join(root, "work", name), "w", encoding="ascii") as file:
            file.write(text)
    for name, text in (("passwd", "root::0:0::/:/bin/sh\nnobody::65534:65534::/:/bin/sh\n"),
                       ("group", "root::0:\nfpgauge::999:nobody\n")):
        with open(os.path.join(root, "etc", name), "w", encoding="ascii") as file:
            file.write(text)
    init = os.path.join(root, "init")
    with open(init, "w", encoding="ascii") as file:
        file.write(INIT)
    os.chmod(init, 0o755)
    names = subprocess.run(["find", "."], cwd=root, capture_output=True, check=True).stdout
    packed = os.path.join(folder, "initramfs")
    with open(packed, "wb") as file:
        subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=root, input=names, stdout=file, check=True)
    return packed


def run(folder, commands, files=None, library="rtl", dut=None, clock_ratio=1000, modules=(), iommu=False):
    """Boots the guest, runs the commands in it one by one, and returns a Result for each. modules: files beside the kernel, which
    are then in /modules of the guest."""
    machine = ["-machine", "q35,accel=tcg", "-device", "intel-iommu"] if iommu else ["-machine", "pc,accel=tcg"]
    append = "console=ttyS0 quiet panic=-1" + (" intel_iommu=on" if iommu else "")
    initramfs = make_initramfs(folder, commands, files or {}, modules)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        card = subprocess.Popen(
            [SIM_CARD, "--front=qemu", f"--fd={ours.fileno()}", f"--library={library}", f"--clock-ratio={clock_ratio}",
             *settings(dut or {"model": "wire"})], pass_fds=[ours.fileno()], stdin=subprocess.DEVNULL)
        ours.close()  # so that QEMU notices when the card ends
        try:
            done = subprocess.run(
                [QEMU, *machine, "-m", "512", "-nodefaults", "-display", "none", "-serial", "stdio",
                 "-no-reboot", "-kernel", KERNEL, "-initrd", initramfs, "-append", append,
                 "-device", f"x-pci-proxy-dev,id=card,fd={theirs.fileno()}"],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=IN_VAIN_S, check=False)
        finally:
            card.kill()
            card.wait()
    log = done.stdout + done.stderr
    return [Result(log, number) for number in range(len(commands))]
