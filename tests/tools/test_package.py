#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian packages of the build directory that FPGAUGE_BUILD names (build): lintian has nothing against them, they have what an
installation has, and docs/tutorial.md runs with what is in them. Usually they are unpacked into a root with nothing else in it, and
dpkg installs and removes them in an empty one. With FPGAUGE_LONG, apt installs them in a bare Debian 12, made by mmdebstrap from this
machine's mirror, where a user who is not root goes through the tutorial, and then purges them.

    FPGAUGE_LONG=1 FPGAUGE_PACKAGES=build-release/trixie tests/tools/test_package.py BareDebian

does that with the packages of a release (tools/release), in the Debian that the folder is named for."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import bare_root
import tutorial

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("FPGAUGE_BUILD", os.path.join(ROOT, "build")))
LONG = bool(os.environ.get("FPGAUGE_LONG"))
RELEASED = os.environ.get("FPGAUGE_PACKAGES")


class Packages:
    """Made once for all cases; `files` are their paths by name."""

    scratch = ""
    files = {}


def done(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise AssertionError(f"{command}: exit status {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def cannot(why):
    """In CI, what cannot be tested is a failure."""
    return AssertionError(why) if os.environ.get("CI") == "true" else unittest.SkipTest(why)


def by_name(paths):
    return {os.path.basename(path).split("_")[0]: path for path in paths}


def setUpModule():
    if RELEASED:
        # The packages with symbols for debuggers are of no use to a user.
        Packages.files = by_name(path for path in glob.glob(os.path.join(os.path.abspath(RELEASED), "*.deb")) if "-dbgsym_" not in path)
        if not Packages.files:
            raise AssertionError(f"{RELEASED}: no packages")
    for tool in ("dpkg-shlibdeps", "lintian"):
        if not shutil.which(tool):
            raise cannot(f"no {tool}")
    scratch = tempfile.TemporaryDirectory(prefix="fpgauge-package-")
    unittest.addModuleCleanup(scratch.cleanup)
    Packages.scratch = os.path.realpath(scratch.name)
    os.chmod(Packages.scratch, 0o755)
    if RELEASED:
        return
    # The packages are made by somebody whose umask lets nobody else in, as files of packages must be readable all the same.
    made = done(os.path.join(ROOT, "tools/package"), "--from", BUILD, os.path.join(Packages.scratch, "packages"), umask=0o077)
    Packages.files = by_name(made.split())


def files_below(folder):
    return {os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names}


def unpacked(folder, names):
    for name in names:
        done("dpkg-deb", "--extract", Packages.files[name], folder)
    return folder


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)


class Contents(unittest.TestCase):
    def test_packages_have_what_an_installation_has_and_what_debian_wants(self):
        manifest = os.path.join(BUILD, "install_manifest.txt")
        before = None
        if os.path.exists(manifest):
            with open(manifest, "rb") as file:
                before = file.read()
        try:
            installed = os.path.join(Packages.scratch, "installed")
            done("cmake", "--install", BUILD, "--prefix", "/usr", env={**os.environ, "DESTDIR": installed})
        finally:
            os.remove(manifest)
            if before is not None:
                with open(manifest, "wb") as file:
                    file.write(before)
        wanted = {re.sub(r"(share/man/.*)", r"\1.gz", path) for path in files_below(installed)} - {"usr/share/doc/fpgauge/LICENSE"}
        wanted |= {f"usr/share/doc/{name}/{file}" for name in Packages.files for file in ("copyright", "changelog.gz")}
        self.assertEqual(sorted(files_below(unpacked(os.path.join(Packages.scratch, "contents"), Packages.files))), sorted(wanted))

    def test_xrt_is_a_package_of_its_own_and_nothing_else_needs_it(self):
        self.assertNotIn("xrt", done("dpkg-deb", "--field", Packages.files["fpgauge"], "Depends"))
        if "fpgauge-xrt" in Packages.files:
            depends = done("dpkg-deb", "--field", Packages.files["fpgauge-xrt"], "Depends")
            self.assertIn("libxrt1", depends)
            version = done("dpkg-deb", "--field", Packages.files["fpgauge"], "Version").strip()
            self.assertIn(f"fpgauge (= {version})", depends)

    def test_every_library_that_is_needed_is_of_a_package_in_depends(self):
        for name, package in Packages.files.items():
            folder = unpacked(os.path.join(Packages.scratch, f"depends-{name}"), [name])
            depends = set(re.findall(r"[a-z0-9][a-z0-9+.-]+(?=[ ,\n]|$)", re.sub(r"\([^)]*\)", "", done("dpkg-deb", "--field", package, "Depends"))))
            for path in files_below(folder):
                with open(os.path.join(folder, path), "rb") as file:
                    if file.read(4) != b"\x7fELF":
                        continue
                dynamic = done("readelf", "--dynamic", os.path.join(folder, path))
                for library in bare_root.libraries_of(os.path.join(folder, path)):
                    if os.path.basename(library) in re.findall(r"NEEDED.*\[(.*)\]", dynamic):
                        forms = {library, "/usr" + library, os.path.realpath(library)}
                        owners = subprocess.run(["dpkg-query", "--search", *forms], capture_output=True, text=True, check=False).stdout
                        owning = {line.split(":")[0] for line in owners.splitlines()}
                        self.assertTrue(owning & depends, f"{name}: {path} needs {library} of {owning}, Depends are {depends}")

    def test_the_same_build_gives_the_same_packages(self):
        again = done(os.path.join(ROOT, "tools/package"), "--no-lintian", "--from", BUILD, os.path.join(Packages.scratch, "again"))
        for path in again.split():
            with open(path, "rb") as new, open(Packages.files[os.path.basename(path).split("_")[0]], "rb") as old:
                self.assertTrue(new.read() == old.read(), f"{path} differs")

    def test_dpkg_removes_all_that_it_installed(self):
        if os.geteuid() != 0:
            self.skipTest("dpkg needs root")
        root = os.path.join(Packages.scratch, "dpkg")
        for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log", "tmp"):
            os.makedirs(os.path.join(root, folder))
        write(os.path.join(root, "var/lib/dpkg/status"), "")

        def ours():
            entries = {os.path.relpath(os.path.join(path, name), root) for path, folders, names in os.walk(root) for name in folders + names}
            return {entry for entry in entries if "fpgauge" in entry or not re.match(r"(var|tmp)(/|$)", entry)}

        dpkg = ("dpkg", f"--root={root}", "--force-depends")
        names = [name for name in Packages.files if not name.startswith("python3-")] # its scripts need a whole root
        done(*dpkg, "--install", *[Packages.files[name] for name in names])
        self.assertGreater(len(ours()), 60)
        done(*dpkg, "--purge", *names)
        self.assertEqual(ours(), set())


class Unpacked(unittest.TestCase):
    def test_the_tutorial_runs_with_what_is_in_the_package_and_the_libraries_alone(self):
        bare = bare_root.BareRoot(unpacked(os.path.join(Packages.scratch, "bare"), ["fpgauge"]))
        for path in files_below(bare.path("usr")):
            with open(bare.path(f"usr/{path}"), "rb") as file:
                if file.read(4) == b"\x7fELF":
                    bare.add_libraries_of(bare.path(f"usr/{path}"))
        for program in ("sh", "bash", "cp", "date", "grep", "mkdir", "mv", "rm", "sed"):
            bare.add_program(program)
        tried = bare.run("bash", "-c", ":")
        if tried.returncode != 0:
            raise cannot(f"no root of one's own can be had here: {tried.stderr}")
        count = 0
        for kind, what, more in tutorial.steps():
            if kind == "file":
                write(bare.path(f"{bare_root.HOME}/{what}"), more)
            elif kind == "user":
                result = bare.run("bash", "-c", what)
                self.assertEqual(result.returncode, more, f"{what}\n{result.stdout}\n{result.stderr}")
                count += 1
        self.assertGreater(count, 10)


class BareDebian(unittest.TestCase):
    """A Debian with what is essential and apt, and a user."""

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
            raise cannot("needs root and mmdebstrap")
        cls.root = os.path.join(Packages.scratch, "debian")
        release = os.path.basename(os.path.abspath(RELEASED)) if RELEASED else "bookworm"
        sites = done("apt-get", "indextargets", "--format", "$(SITE)", "Codename: bookworm", "Created-By: Packages").split()
        done("mmdebstrap", "--variant=minbase", "--format=directory", release, cls.root, *sites[:1])
        cls.inside("useradd", "--create-home", "tester")
        cls.inside("apt-get", "update", "-q")
        cls.before = cls.files()

    @classmethod
    def inside(cls, *command, user="root", cwd="/", expect=0):
        options = [] if user == "root" else [f"--userspec={user}:{user}"]
        result = subprocess.run(["chroot", *options, cls.root, "env", "-i", f"HOME={cwd}", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                                 "DEBIAN_FRONTEND=noninteractive", "sh", "-c", 'cd "$0" && exec "$@"', cwd, *command],
                                capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if result.returncode != expect:
            raise AssertionError(f"{command}: exit status {result.returncode}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    @classmethod
    def files(cls):
        """Without what a user makes, and what apt and dpkg keep of their own."""
        own = ("home/", "var/cache/", "var/log/", "var/lib/apt/", "var/lib/dpkg/", "tmp/")
        return {path for path in files_below(cls.root) if not path.startswith(own)}

    def test_a_user_goes_through_the_tutorial_and_purging_leaves_nothing(self):
        done("cp", *Packages.files.values(), os.path.join(self.root, "root"))
        for kind, what, more in tutorial.steps():
            if kind == "file":
                write(os.path.join(self.root, "home/tester", what), more)
            elif kind == "root":
                self.inside("sh", "-c", what, cwd="/root", expect=more)
            else:
                self.inside("sh", "-c", what, user="tester", cwd="/home/tester", expect=more)
        # The tutorial names these in passing; pytest finds the plugin by itself.
        self.inside("sh", "-c", "apt-get install -y --no-install-recommends ./python3-fpgauge_*.deb python3-pytest", cwd="/root")
        said = self.inside("python3", "-m", "pytest", "ci/test_device.py", user="tester", cwd="/home/tester")
        self.assertIn("3 passed", said)
        self.inside("fpgauge", "report", "twin.db", "--html", "first.html", user="tester", cwd="/home/tester")
        missing = subprocess.run(["chroot", self.root, "ldd", "/usr/bin/fpgauge"], capture_output=True, text=True, check=True)
        self.assertNotIn("not found", missing.stdout)
        self.inside("rm", "-r", *[f"/root/{os.path.basename(path)}" for path in Packages.files.values()])
        self.inside("apt-get", "purge", "-y", "--autoremove", "fpgauge", "python3-fpgauge")
        left = {path for path in self.files() - self.before if "fpgauge" in path}
        self.assertEqual(left, set())
        states = self.inside("dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n")
        self.assertNotIn("fpgauge", states)

    def test_a_module_in_verilog_is_benchmarked_with_the_packages_that_are_suggested(self):
        done("cp", Packages.files["fpgauge"], os.path.join(self.root, "root"))
        self.inside("sh", "-c", "apt-get install -y --no-install-recommends ./fpgauge_*.deb verilator make g++", cwd="/root")
        self.inside("cp", "-r", "/usr/share/doc/fpgauge/examples/dut", ".", user="tester", cwd="/home/tester")
        self.inside("sh", "dut/benchmark.sh", user="tester", cwd="/home/tester")
        self.inside("sh", "-c", "rm /root/*.deb")
        self.inside("apt-get", "purge", "-y", "--autoremove", "fpgauge", "verilator", "make", "g++")
        self.assertEqual({path for path in self.files() - self.before if "fpgauge" in path}, set())


if not LONG: # mmdebstrap alone takes a minute; a case that is skipped would count as one that could not be tested
    del BareDebian

if __name__ == "__main__":
    unittest.main(verbosity=2)
