#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/build-commit: the commit, whether files differ from it; outside of git that of an archive, or nothing; and its file changes only
when that does."""

import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "build-commit")


class BuildCommit(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.source = os.path.join(scratch.name, "source")
        self.file = os.path.join(scratch.name, "build_commit.c")
        os.makedirs(os.path.join(self.source, "inner"))

    def write(self, name, text):
        with open(os.path.join(self.source, name), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        user = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(["git", *user, *arguments], cwd=self.source, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, source=None):
        subprocess.run([TOOL, source or self.source, self.file], check=True, cwd="/")
        with open(self.file, encoding="utf-8") as file:
            return file.read().split('BUILD_COMMIT[] = "')[1].split('"')[0]

    def test_it_names_the_commit_and_says_when_files_differ_from_it(self):
        self.write("file", "1")
        self.git("init", "-q")
        self.git("add", "file")
        self.git("commit", "-qm", "first")
        head = self.git("rev-parse", "HEAD")
        self.assertEqual(self.commit(), head[:12])
        self.write("untracked", "1")
        self.assertEqual(self.commit(), head[:12])
        self.write("file", "2")
        self.assertEqual(self.commit(), head[:12] + "-dirty")
        self.git("tag", "-a", "v1", "-m", "a tag")
        self.git("commit", "-qam", "second")
        self.assertEqual(self.commit(), self.git("rev-parse", "HEAD")[:12])

    def test_outside_of_git_and_inside_of_another_work_tree_there_is_none(self):
        self.assertEqual(self.commit(), "")
        self.write("file", "1")
        self.git("init", "-q")
        self.git("add", "file")
        self.git("commit", "-qm", "first")
        self.assertEqual(self.commit(os.path.join(self.source, "inner")), "")

    def test_what_git_archive_made_knows_its_commit(self):
        os.makedirs(os.path.join(self.source, "tools"))
        self.write("tools/archived-commit", "$Format:%H %ct$\n")
        self.assertEqual(self.commit(), "")
        self.write(".gitattributes", "/tools/archived-commit export-subst\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.git("archive", "--prefix=inner/", "--output=archive.tar", "HEAD")
        subprocess.run(["tar", "-xf", "archive.tar"], cwd=self.source, check=True)
        self.assertEqual(self.commit(os.path.join(self.source, "inner")), self.git("rev-parse", "HEAD")[:12])

    def test_the_file_is_left_alone_while_nothing_changes(self):
        self.commit()
        os.utime(self.file, (1, 1))
        self.commit()
        self.assertEqual(os.stat(self.file).st_mtime, 1)


if __name__ == "__main__":
    unittest.main()
