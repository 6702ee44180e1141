#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/install-packages: the names of a package are those of the release, and without one those of Debian 12."""

import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "install-packages")


class InstallPackages(unittest.TestCase):
    def on(self, os_release, *arguments):
        with tempfile.NamedTemporaryFile("w", prefix="fpgauge-release-") as file:
            file.write(os_release)
            file.flush()
            return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False,
                                  env={**os.environ, "FPGAUGE_OS_RELEASE": file.name})

    def listed(self, os_release):
        return self.on(os_release, "--list", "build", "run").stdout.split()

    def test_a_release_has_its_own_names(self):
        for codename, name in (("bookworm", "libsnmp40"), ("trixie", "libsnmp40t64"), ("noble", "libnettle8t64")):
            self.assertIn(name, self.listed(f"ID=any\nVERSION_CODENAME={codename}\n"))

    def test_an_unknown_release_has_the_names_of_debian_12(self):
        self.assertEqual(self.listed("ID=other\nVERSION_CODENAME=other\n"), self.listed("ID=debian\nVERSION_CODENAME=bookworm\n"))

    def test_fedora_and_its_relatives_are_told_the_names_for_dnf(self):
        for os_release in ("ID=fedora\nVERSION_CODENAME=\"\"\n", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"):
            self.assertIn("net-snmp-devel", self.listed(os_release))
            self.assertNotIn("-", self.listed(os_release))
            done = self.on(os_release, "build")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "dnf install .*gcc-c[+][+]")


if __name__ == "__main__":
    unittest.main()
