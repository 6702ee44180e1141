# SPDX-License-Identifier: Apache-2.0
"""The floors: the least share of a folder's lines that the tests must run. They only rise."""

import math

# Code that waits, is killed or depends on a clock does not run the same lines every time.
MARGIN_PERCENT = 0.5
# The margin of folders so small that a line or two is more than the percentage.
MARGIN_LINES = 2


def read(path):
    """{(form, folder): percent}"""
    floors = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 3 or words[0] not in ("short", "long", "rtl"):
                raise ValueError(f"{path}:{number}: must be: short|long|rtl FOLDER PERCENT")
            floors[words[0], words[1]] = float(words[2])
    return floors


def below(floors, form, folders):
    """[what is wrong]: folders below their floor, and floors of folders that no longer exist."""
    wrong = []
    for (which, folder), floor in sorted(floors.items()):
        if which != form:
            continue
        if folder not in folders:
            wrong.append(f"{folder}: has a floor but no lines")
        elif folders[folder].percent < floor:
            wrong.append(f"{folder}: {folders[folder].percent:.2f}% of its lines ran, the floor is {floor:.1f}%")
    return wrong + [f"{folder}: has no floor; --raise makes one" for folder in folders if (form, folder) not in floors]


def reachable(count):
    margin = max(MARGIN_PERCENT, 100 * MARGIN_LINES / count.lines)
    return max(0, math.floor((count.percent - margin) * 10) / 10)


def raised(floors, form, folders):
    """The floors after a measurement: none is lower than before."""
    higher = dict(floors)
    for folder, count in folders.items():
        higher[form, folder] = max(floors.get((form, folder), 0), reachable(count))
    return {key: percent for key, percent in higher.items() if key[0] != form or key[1] in folders}


def write(path, floors):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# SPDX-License-Identifier: Apache-2.0\n"
                   "# Lines that the tests run, percent of a folder, at least. tools/coverage checks them, and --raise raises them.\n"
                   "# short: C by the quick tests, as tools/test measures; long: C by every test; rtl: Verilog by the testbenches.\n")
        for (form, folder), percent in sorted(floors.items()):
            file.write(f"{form:5} {folder:20} {percent:5.1f}\n")
