# SPDX-License-Identifier: Apache-2.0
"""What cases in a lab of Linux share (tools/lab-linux): a lab of their own, what stands in the kernel, and captures."""

import os
import struct
import subprocess
import unittest

from fpgauge_system import FPGAUGE, IN_VAIN_S, ROOT, SystemCase

LAB_LINUX = os.path.join(ROOT, "tools", "lab-linux")
LINK_BPS = 10000000


def can_make_labs():
    """None, or why not."""
    done = subprocess.run(["unshare", "--net", "ip", "tuntap", "add", "dev", "fpg0", "mode", "tap"], capture_output=True,
                          text=True, check=False)
    return None if done.returncode == 0 else f"no TAP in a network namespace here: {done.stderr.strip()}"


def kernel_state(lab):
    """All that this lab could leave behind: its namespace, interfaces, processes. Another case may have a lab beside it."""
    links = subprocess.run(["ip", "-brief", "link"], capture_output=True, text=True, check=True).stdout.splitlines()
    namespaces = os.listdir("/run/netns") if os.path.isdir("/run/netns") else []
    return {"namespaces": [name for name in namespaces if name == f"fpgauge-{lab}"],
            "links": sorted(line.split()[0] for line in links),
            "processes": [pid for pid in os.listdir("/proc") if pid.isdigit() and named(pid, lab)]}


def named(pid, word):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return word.encode() in file.read()
    except OSError:
        return False


def frames_of(path):
    """Frames of a pcapng file by the name of their interface, as octets; of a file that is still written, those that are there.
    Block types: draft-ietf-opsawg-pcapng 4."""
    with open(path, "rb") as file:
        data = file.read()
    names, frames, at = [], {}, 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if at + length > len(data):
            break
        body = data[at + 8:at + length - 4]
        if kind == 1:  # interface description: link type, reserved, snap length, then options
            names.append(option(body[8:], 2))
            frames.setdefault(names[-1], [])
        elif kind == 6:  # enhanced packet: interface, time, captured length, length
            interface, _, _, captured, whole = struct.unpack_from("<IIIII", body)
            assert captured == whole, "a frame was cut"
            frames[names[interface]].append(body[20:20 + captured])
        at += length
    return frames


def option(octets, wanted):
    at = 0
    while at + 4 <= len(octets):
        code, length = struct.unpack_from("<HH", octets, at)
        if code == wanted:
            return octets[at + 4:at + 4 + length].decode().rstrip("\0")
        at += 4 + (length + 3) // 4 * 4
    return None


def keep_real_time():
    """Linux and the tester between TAPs keep real time, and other tests run beside them: they go first, also the programs that this
    process starts. They wait nearly all of the time. Where that is not allowed, trials that were disturbed are made again."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    except PermissionError:
        pass


class LabCase(SystemCase):
    """A case with a lab of its own, which is gone afterwards."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        why = can_make_labs()
        if why:
            raise unittest.SkipTest(why)
        keep_real_time()

    def setUp(self):
        super().setUp()
        self.lab = f"test-{os.getpid()}"
        self.addCleanup(self.lab_linux, "down")

    def lab_linux(self, verb, *arguments, **options):
        return subprocess.run([LAB_LINUX, verb, "--name", self.lab, *arguments], cwd=self.scratch, capture_output=True,
                              text=True, timeout=IN_VAIN_S, check=False, **options)

    def up(self, *arguments):
        done = self.lab_linux("up", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def start(self, *command):
        """A program in the lab; lab-linux becomes it, so that its process id is the program's."""
        run = subprocess.Popen([LAB_LINUX, "exec", "--name", self.lab, *command], cwd=self.scratch,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, run)
        return run

    @staticmethod
    def end(run):
        if run.poll() is None:
            run.kill()
        run.communicate()

    def fpgauge(self, *arguments, timeout=IN_VAIN_S):
        return self.lab_linux("exec", FPGAUGE, *arguments, stdin=subprocess.DEVNULL)

    def counted(self, interface, counter):
        done = self.lab_linux("exec", "cat", f"/sys/class/net/{interface}/statistics/{counter}")
        return int(done.stdout or 0)


def tap_plan(tests, device="", dut=""):
    body = ",\n".join(f"  {{ {test} }}" for test in tests)
    return (f'device = {{ backend = "sim"; link = "10M"; {device} }};\nlink = {{ speed = "10M"; }};\n'
            f'dut = {{ model = "tap"; {dut} }};\nrun = (\n{body}\n);\n')
