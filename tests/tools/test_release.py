#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/release and tools/sbom, in a small repository: two clones give the same archive, lists and checksums; what is not of the commit, or
has no entry in CHANGELOG.md, is not released; and the lists obey the rules of SPDX 2.3. Every file of this source has a licence."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

sys.dont_write_bytecode = True
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOOLS = ("release", "sbom", "archived-commit", "install-packages", "packages.list")
FILES = {"CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nset(FPGAUGE_VERSION 3.2.1-rc4)\n", "a file": "no tag\n",
         "CHANGELOG.md": "# Changelog\n\n## [3.2.1-rc4] - 2026-01-02\n", "one.c": "/* SPDX-License-Identifier: MIT */\n",
         ".gitignore": "build*/\n"}
EXPRESSION = re.compile(r"NOASSERTION|NONE|\(*[A-Za-z0-9.+-]+\)*( (AND|OR|WITH) \(*[A-Za-z0-9.+-]+\)*)*")


def sbom_tool():
    loader = SourceFileLoader("sbom", os.path.join(ROOT, "tools", "sbom"))
    module = module_from_spec(spec_from_loader("sbom", loader))
    loader.exec_module(module)
    return module


def octets(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="fpgauge-release-")
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.first = os.path.join(self.scratch, "first")
        for name, text in FILES.items():
            self.write(name, text)
        os.makedirs(os.path.join(self.first, "tools"))
        for name in TOOLS:
            shutil.copy(os.path.join(ROOT, "tools", name), os.path.join(self.first, "tools"))
        # A checkout has this form; where this source is of an archive, it is filled in.
        self.write("tools/archived-commit", "$Format:%H %ct$\n")
        self.write(".gitattributes", "/tools/archived-commit export-subst\n")
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        path = os.path.join(self.first, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.first, check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "all")

    def release(self, directory, *arguments, source=None, umask=-1):
        tool = os.path.join(source or self.first, "tools", "release")
        return subprocess.run([tool, *arguments, directory], cwd=self.scratch, umask=umask, capture_output=True, text=True, check=False)

    def released(self, directory, *arguments, **options):
        done = self.release(directory, *(arguments or ["--source-only"]), **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class Release(Case):
    def test_two_clones_give_the_same_octets_whatever_the_umask(self):
        second = os.path.join(self.scratch, "far", "away")
        self.git("clone", "-q", self.first, second)
        said = self.released("one")
        self.assertIn("fpgauge 3.2.1-rc4: 2 files and SHA256SUMS", said)
        self.released("two", source=second, umask=0o077)
        names = sorted(os.listdir(os.path.join(self.scratch, "one")))
        self.assertEqual(names, ["SHA256SUMS", "fpgauge-3.2.1-rc4.spdx.json", "fpgauge-3.2.1-rc4.tar.xz"])
        for name in names:
            self.assertEqual(octets(self.scratch, "one", name), octets(self.scratch, "two", name), name)
        subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=os.path.join(self.scratch, "one"), check=True, capture_output=True)

    def test_the_archive_is_the_commit_in_one_folder_of_root_and_dated_by_it(self):
        self.released("out")
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=self.first, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
        with tarfile.open(os.path.join(self.scratch, "out", "fpgauge-3.2.1-rc4.tar.xz")) as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            self.assertEqual(sorted(member.name for member in members), sorted(f"fpgauge-3.2.1-rc4/{name}" for name in tracked))
            self.assertEqual({(member.uid, member.gid, member.mode & 0o022) for member in members}, {(0, 0, 0)})
            self.assertEqual(len({member.mtime for member in members}), 1)

    def test_what_is_not_of_the_commit_is_not_released(self):
        for name, text in (("one.c", "changed"), ("new", "untracked")):
            self.write(name, text)
            done = self.release("out", "--source-only")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f" {name}\n", done.stderr)
            self.assertIn("files differ from the commit", done.stderr)
            self.git("stash", "--include-untracked")
        self.assertFalse(os.path.exists(os.path.join(self.scratch, "out")))

    def test_a_version_without_an_entry_and_a_folder_with_files_are_refused(self):
        self.write("CHANGELOG.md", "# Changelog\n\n## [3.2.1] - 2026-01-02\n")
        self.commit()
        done = self.release("out", "--source-only")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn('CHANGELOG.md: no entry "## [3.2.1-rc4] - DATE"', done.stderr)
        self.write("CHANGELOG.md", FILES["CHANGELOG.md"])
        self.commit()
        done = self.release(self.first, "--source-only")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not empty", done.stderr)
        self.assertEqual(self.release("--wrong").returncode, 2)

    def test_a_step_that_fails_fails_the_release(self):
        self.write("two.c", "int no_tag;\n")
        self.commit()
        done = self.release("out", "--source-only")
        self.assertEqual(done.returncode, 1)
        self.assertIn("two.c: no SPDX-License-Identifier", done.stderr)
        self.git("rm", "-q", "two.c")
        self.write("tools/package", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\necho it broke; exit 1\n")
        os.chmod(os.path.join(self.first, "tools/package"), 0o755)
        self.commit()
        done = self.release("packages")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it broke", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.scratch, "packages", "SHA256SUMS")))


class Sbom(Case):
    def assert_obeys_spdx(self, document):
        """The rules of SPDX 2.3, clauses 6 to 11 and annex D, that a program can check."""
        self.assertEqual((document["spdxVersion"], document["dataLicense"], document["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(document["documentNamespace"], r"\A[a-z]+://[^#\s]+\Z")
        self.assertRegex(document["creationInfo"]["created"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        for creator in document["creationInfo"]["creators"]:
            self.assertRegex(creator, r"\A(Tool|Person|Organization): \S")
        elements = document["packages"] + document.get("files", [])
        known = [document["SPDXID"], *[element["SPDXID"] for element in elements]]
        self.assertEqual(len(known), len(set(known)))
        for element in elements:
            self.assertRegex(element["SPDXID"], r"\ASPDXRef-[A-Za-z0-9.-]+\Z")
            licences = [element["licenseConcluded"], *element.get("licenseInfoInFiles", []), *element.get("licenseInfoFromFiles", [])]
            for licence in [*licences, element.get("licenseDeclared", "NONE")]:
                self.assertTrue(EXPRESSION.fullmatch(licence), licence)
            for checksum in element.get("checksums", []):
                self.assertEqual(len(checksum["checksumValue"]), {"SHA1": 40, "SHA256": 64}[checksum["algorithm"]])
            self.assertIn("copyrightText", element)
        for package in document["packages"]:
            self.assertTrue(package["name"] and package["downloadLocation"])
            self.assertEqual("packageVerificationCode" in package, package["filesAnalyzed"])
        for one in document["relationships"]:
            self.assertTrue({one["spdxElementId"], one["relatedSpdxElement"]} <= set(known), one)
        self.assertIn("DESCRIBES", {one["relationshipType"] for one in document["relationships"]})

    def test_the_source_is_listed_file_by_file(self):
        self.released("out")
        document = json.loads(octets(self.scratch, "out", "fpgauge-3.2.1-rc4.spdx.json"))
        self.assert_obeys_spdx(document)
        files = {element["fileName"]: element for element in document["files"]}
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=self.first, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
        self.assertEqual(sorted(files), sorted(f"./{name}" for name in tracked))
        self.assertEqual((files["./one.c"]["licenseInfoInFiles"], files["./one.c"]["licenseConcluded"]), (["MIT"], "MIT"))
        self.assertEqual((files["./a file"]["licenseInfoInFiles"], files["./a file"]["licenseConcluded"]), (["NONE"], "Apache-2.0"))
        self.assertEqual(files["./one.c"]["checksums"][1]["checksumValue"], hashlib.sha256(FILES["one.c"].encode()).hexdigest())
        sums = "".join(sorted(element["checksums"][0]["checksumValue"] for element in files.values()))
        source, = document["packages"]
        self.assertEqual(source["packageVerificationCode"]["packageVerificationCodeValue"], hashlib.sha1(sums.encode()).hexdigest())
        archive = hashlib.sha256(octets(self.scratch, "out", "fpgauge-3.2.1-rc4.tar.xz")).hexdigest()
        self.assertEqual((source["versionInfo"], source["checksums"][0]["checksumValue"]), ("3.2.1-rc4", archive))

    def test_packages_are_listed_with_the_libraries_that_they_are_linked_with(self):
        tools = subprocess.run([os.path.join(ROOT, "tools/install-packages"), "--dry-run", "build"], capture_output=True, check=False)
        if not shutil.which("dpkg-deb") or tools.returncode != 0:
            self.skipTest("not all packages of the group build are installed")
        self.released("out")
        name = "fpgauge-3.2.1-rc4"
        subprocess.run(["tar", "-xf", f"out/{name}.tar.xz"], cwd=self.scratch, check=True)
        content = os.path.join(self.scratch, "content")
        os.makedirs(os.path.join(content, "usr/bin"))
        os.makedirs(os.path.join(content, "DEBIAN"))
        shutil.copy(os.path.realpath(shutil.which("sqlite3", path="/usr/bin") or "/bin/sh"), os.path.join(content, "usr/bin/one"))
        with open(os.path.join(content, "DEBIAN/control"), "w", encoding="utf-8") as file:
            file.write("Package: one\nVersion: 3.2.1~rc4\nArchitecture: all\nMaintainer: a <a@b>\nDescription: one\n")
        os.makedirs(os.path.join(self.scratch, "packages"))
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", content, os.path.join(self.scratch, "packages")], check=True, capture_output=True)
        made = subprocess.run([os.path.join(self.scratch, name, "tools/sbom"), "packages", f"out/{name}.tar.xz", "packages"],
                              cwd=self.scratch, capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        document = json.loads(made.stdout)
        self.assert_obeys_spdx(document)
        version = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", "libc6"], capture_output=True, text=True, check=True).stdout
        names = {element["SPDXID"]: (element["name"], element["versionInfo"]) for element in document["packages"]}
        related = {(names.get(one["spdxElementId"]), one["relationshipType"], names.get(one["relatedSpdxElement"])) for one in document["relationships"]}
        ours = ("one", "3.2.1~rc4")
        self.assertLessEqual({(None, "DESCRIBES", ours), (ours, "DYNAMIC_LINK", ("libc6", version)),
                              (ours, "GENERATED_FROM", ("fpgauge-source", "3.2.1-rc4"))}, related)
        self.assertIn("cmake", {one[0][0] for one in related if one[1] == "BUILD_DEPENDENCY_OF"})

    def test_every_file_of_this_source_has_a_licence(self):
        sbom = sbom_tool()
        licences = {path: sbom.licence_of(path, sbom.octets(ROOT, path)) for path in sbom.source_files()}
        self.assertGreater(sum(licence == "Apache-2.0" for licence in licences.values()), 1500)
        self.assertEqual({licence for licence in licences.values() if licence} - {"Apache-2.0"}, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
