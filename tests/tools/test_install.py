#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cmake --install` of the build directory that FPGAUGE_BUILD names (build): into a DESTDIR, which then becomes the
root of a user without rights, with nothing else in it, and below a prefix of its own, which is then moved. Everything
that was built must be there."""

import glob
import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import bare_root

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.abspath(os.environ.get("FPGAUGE_BUILD", os.path.join(ROOT, "build")))
MANIFEST = os.path.join(BUILD, "install_manifest.txt")
DONE, WRONG_DEVICE = 0, 3
SHORT = ["--set", "run[0].frame_sizes=[64]", "--set", "run[0].trial_duration=20us"]
EVERYBODY_READS = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
EVERYBODY_ENTERS = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


def cached():
    """CMake's variables of the build directory."""
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
        return dict(re.findall(r"^([A-Za-z_0-9]+):[A-Z]+=(.*)$", file.read(), re.M))


CACHE = cached()
PREFIX = CACHE["CMAKE_INSTALL_PREFIX"]
with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as LISTS:
    VERSION = re.search(r"(?m)^set\(FPGAUGE_VERSION (\S+)\)", LISTS.read())[1]
SIM = os.path.join(CACHE["CMAKE_INSTALL_LIBDIR"], "fpgauge", "sim")
DOC = "share/doc/fpgauge"


def is_on(variable):
    return CACHE.get(variable, "OFF").upper() in ("ON", "1", "TRUE", "YES")


def libraries():
    """Names of the simulation libraries that are for users: not the one that records a profile, and none of the
    tests."""
    names = ["twin"] + (["rtl", "rtl-trace"] if is_on("FPGAUGE_SIM") else [])
    for ports in filter(None, CACHE.get("FPGAUGE_SIM_PORTS", "").split(";")):
        names += [f"twin{ports}"] + ([f"rtl{ports}"] if is_on("FPGAUGE_SIM") else [])
    if is_on("FPGAUGE_SIM"):
        names += [f"rtl{ports}-tcp" for ports in filter(None, CACHE.get("FPGAUGE_SIM_TCP_PORTS", "").split(";"))]
    return sorted(names)


def expected_files():
    """What is installed, below the prefix."""
    docs = os.path.join(ROOT, "docs")
    files = {"bin/fpgauge", "bin/fpgauge-plot-search", "share/man/man1/fpgauge.1", "share/man/man1/fpgauge-plot-search.1",
             "share/man/man5/fpgauge-plan.5", "share/man/man5/fpgauge-results.5",
             "share/bash-completion/completions/fpgauge",
             f"{DOC}/LICENSE"}
    files |= {f"{SIM}/libfpgauge-sim-{name}.so" for name in libraries()}
    for pattern in ("*.md", "results.schema.json", "junit.xsd", "images/*.png", "examples/*.cfg", "examples/*.c", "examples/*.py",
                    "examples/ci/*.*", "examples/dut/*"):
        found = glob.glob(pattern, root_dir=docs)
        assert found, pattern
        files |= {f"{DOC}/{name}" for name in found}
    python = "lib/python3/dist-packages/fpgauge"
    modules = glob.glob("*", root_dir=os.path.join(ROOT, "tools/python/fpgauge"))
    files |= {f"{python}/{name}" for name in modules if not name.startswith("__pycache__")}
    files |= {f"{python}-{VERSION.replace('-', '')}.dist-info/{name}" for name in ("METADATA", "entry_points.txt")}
    if is_on("FPGAUGE_PCI"):
        files |= {"sbin/fpgauge-vfio-bind", "share/man/man8/fpgauge-vfio-bind.8", "lib/udev/rules.d/70-fpgauge.rules"}
    if is_on("FPGAUGE_XRT"):
        files.add("libexec/fpgauge/fpgauge-xrt-bridge")
    return files


def files_below(folder):
    return {os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names}


def octets_of(path):
    with open(path, "rb") as file:
        return file.read()


def install(*arguments, **environment):
    done = subprocess.run(["cmake", "--install", BUILD, *arguments], capture_output=True, text=True, check=False, umask=0o077,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout


class Places:
    """Installed once for all cases: into DESTDIR, and below a prefix, by somebody whose umask lets nobody else in."""

    scratch = root = tree = prefix = said = ""


def put_manifest_back(before):
    """A real installation from this directory must still be removable by its list."""
    if before is not None:
        with open(MANIFEST, "wb") as file:
            file.write(before)
    elif os.path.exists(MANIFEST):
        os.remove(MANIFEST)


def setUpModule():
    scratch = tempfile.TemporaryDirectory(prefix="fpgauge-install-")
    unittest.addModuleCleanup(scratch.cleanup)
    unittest.addModuleCleanup(put_manifest_back, octets_of(MANIFEST) if os.path.exists(MANIFEST) else None)
    Places.scratch = os.path.realpath(scratch.name)
    os.chmod(Places.scratch, 0o755)
    Places.root = os.path.join(Places.scratch, "root")
    Places.said = install(DESTDIR=Places.root)
    Places.tree = Places.root + PREFIX
    first = os.path.join(Places.scratch, "first place")
    install("--prefix", first)
    Places.prefix = os.path.join(Places.scratch, "second place")
    os.rename(first, Places.prefix)


class Files(unittest.TestCase):
    def test_what_was_built_and_what_goes_with_it_is_installed_and_no_more(self):
        for folder in (Places.tree, Places.prefix):
            self.assertEqual(sorted(files_below(folder)), sorted(expected_files()))
        self.assertEqual(len(files_below(Places.root)), len(expected_files()), "something is outside the prefix")

    def test_everybody_may_read_it_and_start_the_programs(self):
        for path, folders, names in os.walk(Places.root):
            for name in folders:
                mode = os.stat(os.path.join(path, name)).st_mode
                self.assertEqual(mode & (EVERYBODY_READS | EVERYBODY_ENTERS), EVERYBODY_READS | EVERYBODY_ENTERS, f"{path}/{name}")
            for name in names:
                mode = os.stat(os.path.join(path, name)).st_mode
                self.assertEqual(mode & EVERYBODY_READS, EVERYBODY_READS, f"{path}/{name}")
                self.assertFalse(mode & (stat.S_IWGRP | stat.S_IWOTH), f"{path}/{name}")
                if os.path.basename(path) in ("bin", "sbin") or "libexec" in path:
                    self.assertEqual(mode & EVERYBODY_ENTERS, EVERYBODY_ENTERS, f"{path}/{name}")

    def test_nothing_that_is_installed_names_the_folder_of_the_sources_or_of_the_build(self):
        if CACHE["CMAKE_BUILD_TYPE"] == "Debug":
            self.skipTest("a Debug build is for a debugger on this machine")
        for name in files_below(Places.tree):
            content = octets_of(os.path.join(Places.tree, name))
            for folder in (ROOT, BUILD):
                self.assertNotIn(folder.encode(), content, name)

    def test_no_program_or_library_has_a_path_for_libraries_built_in(self):
        binaries = [name for name in files_below(Places.tree) if octets_of(os.path.join(Places.tree, name)).startswith(b"\x7fELF")]
        self.assertGreaterEqual(len(binaries), 1 + len(libraries()))
        for name in binaries:
            dynamic = subprocess.run(["readelf", "--dynamic", os.path.join(Places.tree, name)], capture_output=True, text=True, check=True)
            self.assertIn("NEEDED", dynamic.stdout)
            self.assertNotRegex(dynamic.stdout, "RPATH|RUNPATH", name)

    def test_links_of_the_installed_pages_lead_to_installed_files(self):
        pages = glob.glob(os.path.join(Places.tree, DOC, "*.md"))
        self.assertGreater(len(pages), 10)
        for page in pages:
            for link in re.findall(rb"\]\(([^)#]+)", octets_of(page)):
                if not link.startswith(b"https://"):
                    target = os.path.join(os.path.dirname(page), link.decode())
                    self.assertTrue(os.path.exists(target), f"{page}: {link}")

    def test_the_manual_pages_are_clean(self):
        if not shutil.which("groff"):
            if os.environ.get("CI") == "true":
                self.fail("no groff")
            self.skipTest("no groff")
        pages = glob.glob("share/man/man*/*", root_dir=Places.tree)
        self.assertGreater(len(pages), 1)
        for page in pages:
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou", os.path.join(Places.tree, page)],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "", page)
            headings = ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"] + ["OPTIONS", "EXIT STATUS", "FILES"] * page.endswith("/fpgauge.1")
            for heading in headings if not page.endswith(".5") else ("NAME", "DESCRIPTION", "SEE ALSO"):
                self.assertRegex(done.stdout, f"(?m)^{heading}$", page)

    def test_a_library_for_this_processor_only_is_said_to_be_one(self):
        native = is_on("FPGAUGE_SIM") and is_on("FPGAUGE_SIM_NATIVE")
        self.assertEqual("-DFPGAUGE_SIM_NATIVE=OFF" in Places.said, native, Places.said)

    def test_uninstall_removes_every_file_and_our_folders(self):
        folder = os.path.join(Places.scratch, "short")
        install(DESTDIR=folder)
        kept = os.path.join(folder + PREFIX, DOC, "of-somebody-else")
        with open(kept, "wb"):
            pass
        for left in ({os.path.relpath(kept, folder)}, set()):
            done = subprocess.run(["cmake", "--build", BUILD, "--target", "uninstall"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "DESTDIR": folder})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(files_below(folder), left)
            if left:
                os.remove(kept)
        self.assertEqual([path for path, _, _ in os.walk(folder) if os.path.basename(path) == "fpgauge"], [])


class Packages(unittest.TestCase):
    def test_the_packages_to_run_it_are_those_that_tools_install_packages_lists(self):
        if not shutil.which("dpkg-query"):
            self.skipTest("no Debian")
        libraries_needed = set()
        for name in files_below(Places.tree):
            path = os.path.join(Places.tree, name)
            if octets_of(path).startswith(b"\x7fELF"):
                dynamic = subprocess.run(["readelf", "--dynamic", path], capture_output=True, text=True, check=True).stdout
                direct = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
                libraries_needed |= {library for library in bare_root.libraries_of(path) if os.path.basename(library) in direct}
        needed = self.packages_of(libraries_needed)
        self.assertGreater(len(needed), 5)
        listed = subprocess.run([os.path.join(ROOT, "tools/install-packages"), "--list", "run"], capture_output=True, text=True, check=True)
        wanted = set(listed.stdout.split()) - {"gnuplot-nox", "python3"} # programs, not libraries
        optional = {"FPGAUGE_PCI": {"libpci3"}, "FPGAUGE_SIM": {"libstdc++6", "libgcc-s1"},
                    "FPGAUGE_XRT": {"libxrt1", "libnettle8", "libuuid1", "libstdc++6", "libgcc-s1"}}
        for option, packages in optional.items():
            wanted -= set() if is_on(option) else packages - needed
        self.assertEqual(needed, wanted | {"libc6"})

    def packages_of(self, libraries_needed):
        """A library may be registered below /lib or below /usr/lib, which are the same; its link may be another
        package's."""
        forms = {library: {library, "/usr" + library, os.path.realpath(library)} for library in libraries_needed}
        found = subprocess.run(["dpkg-query", "--search", *set().union(*forms.values())], capture_output=True, text=True, check=False)
        owners = {line.split(": ")[1]: line.split(":")[0] for line in found.stdout.splitlines()}
        packages = set()
        for library, paths in forms.items():
            self.assertTrue(paths & set(owners), f"{library} is of no package")
            packages |= {owners[path] for path in paths & set(owners)}
        return packages


class BareRoot(unittest.TestCase):
    """The program alone in a root, as user nobody."""

    @classmethod
    def setUpClass(cls):
        folder = os.path.join(Places.scratch, "bare")
        shutil.copytree(Places.root, folder)
        cls.bare = bare_root.BareRoot(folder)
        for path in files_below(Places.root):
            if octets_of(os.path.join(Places.root, path)).startswith(b"\x7fELF"):
                cls.bare.add_libraries_of(os.path.join(Places.root, path))
        cls.bare.add_program("bash")
        done = cls.bare.run("bash", "-c", ":")
        if done.returncode != 0: # but not because anything installed is missing
            why = f"no root of one's own can be had here: {done.stderr}"
            raise AssertionError(why) if os.environ.get("CI") == "true" else unittest.SkipTest(why)
        cls.has_gnuplot = cls.bare.add_program("gnuplot")
        cls.examples = os.path.join(PREFIX, DOC, "examples")

    def fpgauge(self, *arguments, expect=DONE):
        done = self.bare.run(f"{PREFIX}/bin/fpgauge", *arguments)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_it_is_a_root_without_anything_else_and_the_user_is_nobody(self):
        done = self.bare.run("bash", "-c", 'echo $UID; echo /*; echo /proc/*; echo >/usr/x || echo refused')
        self.assertEqual(done.stdout.splitlines()[0], str(bare_root.NOBODY), done.stderr)
        self.assertFalse({"/proc", "/sys", "/etc"} & set(done.stdout.splitlines()[1].split()), done.stdout)
        # The user owns the files of the test without root, and may write them.
        self.assertEqual(done.stdout.splitlines()[2:], ["/proc/*", "refused"] if os.geteuid() == 0 else ["/proc/*"])

    def test_it_says_its_version_and_helps(self):
        self.assertTrue(self.fpgauge("version").startswith(f"fpgauge {VERSION} ("))
        self.assertIn("fpgauge run PLAN", self.fpgauge("--help"))
        self.assertIn("--html=FILE", self.fpgauge("help", "run"))
        self.assertIn("frame_sizes", self.fpgauge("help", "plan"))

    def test_the_devices_are_the_installed_libraries_and_each_opens(self):
        self.fpgauge("devices", "--json", "devices.json")
        with open(self.bare.path(f"{bare_root.HOME}/devices.json"), encoding="utf-8") as file:
            devices = [device for device in json.load(file)["devices"] if device["name"].startswith("sim:")]
        folder = os.path.join(PREFIX, SIM)
        self.assertEqual([(device["name"], device["ready"], device["what"]) for device in devices],
                         [(f"sim:{name}", True, f"simulation {'of up to 16 ports ' * name.startswith('twin')}{folder}/libfpgauge-sim-{name}.so")
                          for name in sorted(libraries(), key=lambda name: f"libfpgauge-sim-{name}.so") if name != "rtl-trace"])

    def test_the_process_for_cards_is_found(self):
        listed = self.fpgauge("devices")
        self.assertNotIn("there is no fpgauge-xrt-bridge", listed)

    def test_every_example_of_a_simulation_is_a_plan_that_would_run(self):
        names = [name for name in os.listdir(self.bare.path(self.examples)) if name.endswith(".cfg") and not name.startswith("exec-")]
        self.assertGreater(len(names), 5)
        seed = int(os.environ.get("FPGAUGE_TEST_SEED", random.randrange(2**32)))
        print(f"FPGAUGE_TEST_SEED={seed}", file=sys.stderr)
        # Some of them: that all are right is system.examples; here it is that what they need is there.
        for name in sorted(names) if os.environ.get("FPGAUGE_LONG") == "1" else random.Random(seed).sample(sorted(names), 5):
            content = octets_of(self.bare.path(f"{self.examples}/{name}"))
            if b"capture" in content and not is_on("FPGAUGE_SIM"):
                continue # only the RTL has words of a line to capture
            if b'"tap"' in content:
                continue # needs the interfaces of a lab: system.lab_linux runs it
            library = [] if is_on("FPGAUGE_SIM") else ["--set", "device.library=twin"]
            with self.subTest(name):
                self.fpgauge("check", f"{self.examples}/{name}", *library)

    def test_an_example_runs_and_every_report_is_made_of_it(self):
        for library in [name for name in ("twin", "rtl") if name in libraries()]:
            with self.subTest(library):
                table = self.fpgauge("run", f"{self.examples}/wire.cfg", "--set", f"device.library={library}", *SHORT, "--db", f"{library}.db")
                self.assertIn("148809523.8", table)
                forms = ["--json", "run.json", "--csv", "csv", "--junit", "run.xml"] + (["--html", "run.html"] if self.has_gnuplot else [])
                self.fpgauge("report", f"{library}.db", *forms)
                page = octets_of(self.bare.path(f"{bare_root.HOME}/run.html")) if self.has_gnuplot else b"<svg"
                self.assertIn(b"<svg", page)
                result = json.loads(octets_of(self.bare.path(f"{bare_root.HOME}/run.json")))["results"][0]
                self.assertTrue(result["valid"])

    def test_a_device_proves_itself(self):
        self.assertIn("pass", self.fpgauge("selftest", "sim:twin", "--duration", "10us"))

    def test_bash_completes(self):
        script = f"{PREFIX}/share/bash-completion/completions/fpgauge"
        offer = ('source "$1"; complete -p fpgauge; COMP_WORDS=(fpgauge "${@:2}"); COMP_CWORD=$(($# - 1)); _fpgauge fpgauge; '
                 'printf "%s\\n" "${COMPREPLY[@]}"')
        for words, offered in ((["sel"], ["selftest"]), (["resume", "--rec"], ["--recorded-plan"]), (["selftest", "sim", ":", "twi"],
                               [name for name in libraries() if name.startswith("twi")])):
            # The program on the line is found through PATH, or by its path if it is not installed there.
            done = self.bare.run("bash", "-c", f"PATH={PREFIX}/bin:$PATH; {offer}", "bash", script, *words)
            self.assertEqual((done.stdout.splitlines(), done.stderr), (["complete -F _fpgauge fpgauge", *offered], ""))


class OtherPrefix(unittest.TestCase):
    """Below a prefix with a space in its name, moved since, and started from elsewhere by a user."""

    def setUp(self):
        self.home = os.path.join(Places.scratch, "home")
        os.makedirs(self.home, exist_ok=True)
        self.user = {}
        if os.geteuid() == 0:
            os.chown(self.home, bare_root.NOBODY, bare_root.NOBODY)
            self.user = {"user": bare_root.NOBODY, "group": bare_root.NOBODY, "extra_groups": []}

    def run_there(self, *command, cwd=None, expect=DONE):
        environment = {"PATH": os.environ["PATH"], "HOME": self.home, "LANG": "C.UTF-8"}
        done = subprocess.run(command, cwd=cwd or self.home, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env=environment, timeout=300, **self.user)
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def test_the_libraries_are_found_from_the_program_also_through_a_link(self):
        link = os.path.join(Places.scratch, "link")
        os.symlink(os.path.join(Places.prefix, "bin", "fpgauge"), link)
        for program in (os.path.join(Places.prefix, "bin", "fpgauge"), link):
            for folder in ("/", self.home):
                listed = self.run_there(program, "devices", cwd=folder)
                for name in libraries():
                    if name != "rtl-trace":
                        self.assertIn(f"{Places.prefix}/{SIM}/libfpgauge-sim-{name}.so", listed)

    def test_a_library_that_is_not_there_is_looked_for_where_the_others_are(self):
        plan = os.path.join(Places.prefix, DOC, "examples", "wire.cfg")
        done = subprocess.run([os.path.join(Places.prefix, "bin", "fpgauge"), "check", plan, "--set", "device.library=none"],
                              capture_output=True, text=True, check=False, env={})
        self.assertEqual(done.returncode, WRONG_DEVICE, done.stderr)
        self.assertIn("no libfpgauge-sim-none.so in ", done.stderr)
        self.assertTrue(done.stderr.endswith(f", {Places.prefix}/{SIM}\n"), done.stderr)

    def test_the_example_of_an_external_tester_runs_in_a_copy_of_its_folder(self):
        copy = os.path.join(self.home, "examples")
        self.run_there("cp", "-r", os.path.join(Places.prefix, DOC, "examples"), copy)
        self.run_there(os.path.join(Places.prefix, "bin", "fpgauge"), "run", "exec-model.cfg", "--trial-log=search.log", "--json", "x.json",
                       cwd=copy)
        result = json.loads(octets_of(os.path.join(copy, "x.json")))["results"][0]
        self.assertAlmostEqual(result["throughput_fps"], 40e6, delta=result["resolution_fps"])
        if shutil.which("gnuplot"):
            self.run_there(os.path.join(Places.prefix, "bin", "fpgauge-plot-search"), "search.log", "search.svg", cwd=copy)
            self.assertIn(b"<svg", octets_of(os.path.join(copy, "search.svg")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
