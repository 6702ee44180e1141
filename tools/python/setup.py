# SPDX-License-Identifier: Apache-2.0
"""Gives the package the version of the program, which is in the CMakeLists.txt at the top of the source."""

import re
from pathlib import Path

from setuptools import setup

TEXT = (Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text(encoding="utf-8")
VERSION = re.search(r"(?m)^set\(FPGAUGE_VERSION (\S+)\)", TEXT)
if VERSION is None:
    raise SystemExit("CMakeLists.txt: no version")
setup(version=VERSION[1].replace("-", ""))
