#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/check-links: the pages of the tree pass, and every kind of broken link in a small tree is found with its line."""

import tempfile
import unittest

from tree_case import ROOT, TreeCase


class CheckLinks(TreeCase):
    tool = "check-links"

    def setUp(self):
        super().setUp()
        self.write("README.md", "# A title\n\n[page](docs/page.md) ![picture](docs/picture.png)\n")
        self.write("docs/picture.png", "")
        self.write("docs/page.md", "# Page\n\n## What it's `for`, mostly\n\n## Twice\n\n## Twice\n")

    def assert_found(self, *expected):
        code, complaints = self.check(self.root)
        self.assertEqual(complaints, list(expected))
        self.assertEqual(code, 1)

    def test_all_links_of_the_repository_lead_somewhere(self):
        self.assertEqual(self.check(ROOT), (0, []))

    def test_links_to_files_folders_and_headings_that_exist_pass(self):
        self.append("docs/page.md", "[a](page.md#what-its-for-mostly) [b](#twice) [c](#twice-1) [d](.) [e](picture.png \"title\")\n"
                                    "[ref]: picture.png\n")
        self.assert_clean()

    def test_a_link_to_a_file_that_is_not_there_is_found(self):
        self.append("README.md", "[gone](docs/gone.md)\n")
        self.assert_found("README.md:4: docs/gone.md: there is no docs/gone.md")

    def test_a_picture_that_is_not_there_is_found(self):
        self.append("docs/page.md", "![gone](images/gone.png)\n")
        self.assert_found("docs/page.md:8: images/gone.png: there is no docs/images/gone.png")

    def test_the_second_link_of_a_line_and_a_reference_are_looked_at(self):
        self.append("README.md", "[a](docs/page.md) [b](one.md)\n[c]: two.md\n")
        self.assert_found("README.md:4: one.md: there is no one.md", "README.md:5: two.md: there is no two.md")

    def test_an_anchor_without_its_heading_is_found(self):
        self.append("README.md", "[a](docs/page.md#thrice) [b](#twice)\n")
        self.assert_found("README.md:4: docs/page.md#thrice: docs/page.md has no heading #thrice",
                          "README.md:4: #twice: README.md has no heading #twice")

    def test_an_anchor_in_a_file_that_is_no_page_is_found(self):
        self.append("README.md", "[a](docs/picture.png#top)\n")
        self.assert_found("README.md:4: docs/picture.png#top: docs/picture.png is not a Markdown page and has no anchors")

    def test_code_is_not_searched_for_links_or_headings(self):
        self.append("README.md", "`a[0](gone.md)`\n```\n[x](gone.md)\n# Not a heading\n```\n[b](#not-a-heading)\n")
        self.assert_found("README.md:9: #not-a-heading: README.md has no heading #not-a-heading")

    def test_other_sites_are_not_opened(self):
        self.append("README.md", "[a](https://example.invalid/x) [b](mailto:someone@example.invalid)\n")
        self.assert_clean()

    def test_an_installed_page_may_not_link_out_of_its_folder(self):
        self.append("docs/page.md", "[a](../README.md)\n")
        self.assert_found("docs/page.md:8: ../README.md: pages in docs are installed without README.md")

    def test_a_link_out_of_the_source_tree_is_found(self):
        self.append("README.md", "[a](../other/README.md)\n")
        self.assert_found("README.md:4: ../other/README.md: leaves the source tree")

    def test_a_page_that_no_other_page_links_to_is_found(self):
        self.write("docs/lonely.md", "# Lonely\n\n[me](lonely.md)\n")
        self.assert_found("docs/lonely.md:1: no other page links to it")

    def test_a_folder_without_pages_is_not_a_tree_that_passes(self):
        with tempfile.TemporaryDirectory() as empty:
            code, complaints = self.check(empty)
            self.assertEqual(code, 1)
            self.assertEqual(len(complaints), 1)
            self.assertIn("not the top of the tree", complaints[0])


if __name__ == "__main__":
    unittest.main()
