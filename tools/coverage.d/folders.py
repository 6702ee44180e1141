# SPDX-License-Identifier: Apache-2.0
"""Counts of lines and branches per folder."""

import collections
import os


class Count:
    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_taken = 0

    def add(self, other):
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def percent(self):
        return 100 * self.lines_run / self.lines

    @property
    def branch_percent(self):
        return 100 * self.branches_taken / self.branches if self.branches else None


def by_folder(files):
    """{path of a file: Count} added up per folder: {folder: Count}, in order; without those in which nothing can run."""
    folders = collections.defaultdict(Count)
    for path, count in sorted(files.items()):
        folders[os.path.dirname(path)].add(count)
    return {folder: count for folder, count in folders.items() if count.lines}


def total(folders, *below):
    """The total of all folders, or of the given ones and those below them."""
    whole = Count()
    for folder, count in folders.items():
        if not below or any(f"{folder}/".startswith(f"{top}/") for top in below):
            whole.add(count)
    return whole


def missed(files_missed, folder):
    """Lines that did not run: ["path: 12, 15-17"]."""
    return [f"{path}: {ranges(numbers)}" for path, numbers in sorted(files_missed.items())
            if numbers and f"{path}/".startswith(f"{folder}/")]


def ranges(numbers):
    pieces = []
    for number in sorted(numbers):
        if pieces and pieces[-1][1] == number - 1:
            pieces[-1][1] = number
        else:
            pieces.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in pieces)
