# SPDX-License-Identifier: Apache-2.0
"""The commands and files of docs/tutorial.md, read from the page itself: ```root and ```sh have commands, one a line, whose exit
status is 0 if no comment says another one; any other fence with a name is a file of that name."""

import os
import re

PAGE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "tutorial.md"))
EXPECTED = re.compile(r"\s+# exit code (\d+)$")


def steps():
    """In order ("file", name, text), ("root", command, status) and ("user", command, status)."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    found = []
    for kind, text in re.findall(r"^```(\S*)\n(.*?)^```$", page, re.M | re.S):
        if not kind:
            raise AssertionError(f"{PAGE}: a fence of no kind, which nobody would try:\n{text}")
        if kind not in ("root", "sh"):
            found.append(("file", kind, text))
            continue
        for line in text.splitlines():
            status = EXPECTED.search(line)
            found.append(("root" if kind == "root" else "user", EXPECTED.sub("", line), int(status.group(1)) if status else 0))
    return found
