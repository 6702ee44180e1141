#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/check-words: what a comment is in each language, how it may begin, which words are retired, and limits that only fall."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import unittest

from tree_case import ROOT, TreeCase

TOOL = os.path.join(ROOT, "tools", "check-words")
LOADER = importlib.machinery.SourceFileLoader("check_words", TOOL)
check_words = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_words", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(check_words)

TERMS = """# Words

## Retired words

| word | say |
|---|---|
| `mail`, `foreign frames`; letters | frames for the host |
"""


def comments(path, text):
    return [(comment.line, comment.text) for comment in check_words.comments_of(path, text)]


class Comments(unittest.TestCase):
    def test_what_looks_like_a_comment_in_a_string_is_none(self):
        self.assertEqual(comments("a.c", 'char *a = "// of b", c = \'"\'; /* one */\nd("\\"/* of */"); // two\n'),
                         [(1, "one"), (2, "two")])
        self.assertEqual(comments("a.py", 'a = "# of b"\nb = """\n# of c\n"""  # one\n'), [(4, "one")])
        self.assertEqual(comments("CMakeLists.txt", 'set(a "# of b") # one\nset(b [[# of c]] \\# of)\n'), [(1, "one")])

    def test_lines_that_follow_one_another_are_one_comment(self):
        self.assertEqual(comments("a.v", "// one\n// of it\n\n// two\nwire a;  // three\n         // of it\nwire b;  // four\n"),
                         [(1, "one\nof it"), (4, "two"), (5, "three\nof it"), (7, "four")])
        self.assertEqual(comments("a.py", "# one\n# of it\na = 1  # two\nb = 1  # three\n"), [(1, "one\nof it"), (3, "two"), (4, "three")])
        self.assertEqual(comments("a.h", "/* one\n * of it */\n/* two */\n"), [(1, "one\n of it"), (3, "two")])

    def test_what_tools_read_is_no_comment(self):
        self.assertEqual(comments("a.v", "// SPDX-License-Identifier: Apache-2.0\n// verilator lint_off WIDTH\n// one\n"), [(3, "one")])

    def test_a_comment_begins_badly_with_a_preposition_or_relative_word_alone(self):
        for text, badly in (("Of those", True), ("whether it is", True), ("The least of all", False), ("in_use: held", False),
                            ("to(): sends", False), ("If it is", False), ("By-products", False), ("at most 3", False)):
            with self.subTest(text):
                self.assertEqual(check_words.begins_badly(check_words.Comment(1, 0, True, text)), badly)


class Tree(TreeCase):
    tool = "check-words"

    def setUp(self):
        super().setUp()
        self.write("docs/terms.md", TERMS)
        self.write("tools/words.limits", "begin host 50.0\nbegin host/plan 0.0\nmail host 1\n")
        self.write("host/a.c", "/* The first. */\n/* Of the second. */\nint rx_mail_next;\n")

    def test_a_folder_within_its_limits_is_clean(self):
        self.assert_clean()

    def test_a_folder_above_its_limit_is_shown_with_its_comments(self):
        self.append("host/a.c", "/* By the third. */\n")
        self.assertEqual(self.check(self.root), (1, ["host/a.c:2: begin with the subject: Of the second.",
                                                     "host/a.c:4: begin with the subject: By the third.",
                                                     "host: begin: 66.7, at most 50 (tools/words.limits)"]))

    def test_a_folder_with_a_row_of_its_own_does_not_count_to_the_one_above(self):
        self.write("host/plan/b.c", "/* The third. */\n/* By the fourth. */\n")
        self.assertEqual(self.check(self.root)[1][-1], "host/plan: begin: 50, at most 0 (tools/words.limits)")

    def test_a_retired_word_is_found_in_names_texts_and_over_lines(self):
        self.write("docs/a.md", "The foreign\nframes of a port.\n")
        self.append("host/a.c", 'print("Mail");\nint rx_foreign_frames, mailing;\n')
        self.assertEqual(self.check(self.root), (1, [
            "docs/a.md:1: foreign frames: retired, say frames for the host",
            "host/a.c:3: mail: retired, say frames for the host",
            "host/a.c:4: mail: retired, say frames for the host",
            "docs: foreign frames: 1, at most 0 (tools/words.limits)",
            "host: mail: 2, at most 1 (tools/words.limits)"]))

    def test_limits_fall_to_what_is_there_and_never_rise(self):
        self.write("host/a.c", "/* The first. */\n/* A second. */\n/* Its third. */\n/* Of it. */\n")
        self.write("host/plan/b.c", "/* By it. */\n")
        subprocess.run([TOOL, "--lower", self.root], check=True)
        with open(os.path.join(self.root, "tools", "words.limits"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "begin host 25.0\nbegin host/plan 0.0\n")


class Here(TreeCase):
    tool = "check-words"

    def test_the_tree_is_within_its_limits(self):
        self.assertEqual(self.check(ROOT), (0, []))


if __name__ == "__main__":
    unittest.main()
