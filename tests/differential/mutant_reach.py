# SPDX-License-Identifier: Apache-2.0
"""Which sources a change of a line of a header can change: those that name what the line defines, or what is defined with it.

A header is read as its enumerators, macros and inline functions, each by its name. A line that is in none of them, or whose
name is not known, reaches every source that includes the header. More sources than needed do no harm; with one too few, the
mutant would be half a mutant, and the test says so when it is not found."""

import os
import re

WORD = re.compile(r"\b[A-Za-z_]\w*\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
ENUM = re.compile(r"\benum\b[^{;()]*\{([^}]*)\}")
MACRO = re.compile(r"^#define (\w+)(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
FUNCTION = re.compile(r"^static inline [^;{}]*?\b(\w+)\([^;{}]*\)\n\{\n.*?^\}", re.MULTILINE | re.DOTALL)


class Tree:
    """The sources below a folder, as far as they are asked for."""

    def __init__(self, root):
        self.root, self.texts, self.reached = root, {}, {}

    def text(self, path):
        if path not in self.texts:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                self.texts[path] = COMMENT.sub("", file.read())
        return self.texts[path]

    def includes(self, path):
        """All files that it includes, directly or not, as paths from the top."""
        if path not in self.reached:
            found, ahead = set(), [path]
            while ahead:
                for name in INCLUDE.findall(self.text(ahead.pop())):
                    if name not in found and os.path.exists(os.path.join(self.root, name)):
                        found.add(name)
                        ahead.append(name)
            self.reached[path] = found
        return self.reached[path]


def definitions(text):
    """[(name, the text that defines it)]"""
    found = [(match[1], match[0]) for match in (*MACRO.finditer(text), *FUNCTION.finditer(text))]
    for match in ENUM.finditer(text):
        before = ""
        for row in match[1].split(","):
            names = WORD.findall(row)
            if names:
                # One without a value is one more than the one before it.
                found.append((names[0], row if "=" in row else f"{row} {before}"))
                before = names[0]
    return found


def names_of(text, line):
    """What a line is part of the definition of; empty: it is not known."""
    line = " ".join(COMMENT.sub("", line).rstrip(" ,};\n").split())
    return {name for name, body in definitions(text) if line in " ".join(body.split())}


def touched(tree, header, line, sources):
    """Those of the sources, paths from the top, that a change of the line can change."""
    users = [source for source in sources if header in tree.includes(source)]
    names = names_of(tree.text(header), line)
    if not names:
        return users
    headers = {header}.union(*(tree.includes(source) for source in users))
    rows = [row for path in headers for row in definitions(tree.text(path))]
    while True:
        more = {name for name, body in rows if not names.isdisjoint(WORD.findall(body))} - names
        if not more:
            break
        names |= more
    return [source for source in users if not names.isdisjoint(WORD.findall(tree.text(source)))]
