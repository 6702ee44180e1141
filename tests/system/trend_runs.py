# SPDX-License-Identifier: Apache-2.0
"""Many run files from one run: copies with other dates, versions and values. A real run of each would say nothing more of
what is made of them."""

import json
import os
import sqlite3
import zlib

from exec_tester_case import ExecTesterCase, tester_text

SIZES = (64, 512)
TEST = 'test = "throughput"; frame_sizes = [64, 512]; trial_duration = "10ms"; resolution = "0.1%"; settle = "0s"; drain = "1us"'
INFO = 'info = { title = "Nightly"; dut = "S-48"; firmware = "1"; };\n'


def date_of(number):
    """RFC 3339, three hours apart."""
    day, hour = divmod(3 * number, 24)
    month, day = divmod(day, 28)
    return f"2026-{1 + month:02}-{1 + day:02}T{hour:02}:00:00Z"


class TrendCase(ExecTesterCase):
    """self.base: the octets of a run file of TEST."""

    base = None

    def setUp(self):
        super().setUp()
        if TrendCase.base is None:
            TrendCase.base = self.octets_of([TEST])
        os.mkdir(self.path("runs"))

    def octets_of(self, tests, info=INFO, tester=tester_text()):
        self.write("tester.py", tester)
        done = self.fpgauge("run", self.write("plan.cfg", info + self.plan(tests)), "--db", "base.db", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("base.db"), "rb") as file:
            octets = file.read()
        os.unlink(self.path("base.db"))
        return octets

    def plan(self, tests):
        body = ",\n".join(f"  {{ {test} }}" for test in tests)
        return ('device = { backend = "exec"; command = ["python3", "-S", "tester.py"]; };\n'
                'link = { speed = "100G"; };\n' + f"run = (\n{body}\n);\n")

    def make(self, name, number, factors=None, firmware="1", base=None, invalid=(), more=()):
        """A run file. factors: {frame size: by how much its throughput is other than in the base}. invalid: sizes. more: SQL."""
        with open(self.path(name), "wb") as file:
            file.write(base or self.base)
        database = sqlite3.connect(self.path(name))
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = MEMORY")
        database.execute("UPDATE run SET started = ?", (date_of(number),))
        database.execute("UPDATE info SET text = ? WHERE key = 'firmware'", (firmware,))
        for position, text in database.execute("SELECT position, document FROM result").fetchall():
            result = json.loads(text)
            size = result["frame_octets"]
            if result["test"] == "throughput":
                result["throughput_fps"] *= (factors or {}).get(size, 1)
            if size in invalid:
                result.update(valid=False, why_invalid="the tester was <ill>")
            text = json.dumps(result)
            database.execute("UPDATE result SET document = ?, checksum = ?, valid = ? WHERE position = ?",
                             (text, zlib.crc32(text.encode()), result["valid"], position))
        for statement in more:
            database.execute(statement)
        database.commit()
        database.close()
        return name

    def trend(self, *arguments, expect=0):
        """(the JSON, what was printed)"""
        done = self.fpgauge("trend", *arguments, "--json", "trend.json")
        self.assertEqual(done.returncode, expect, done.stderr)
        return self.result("trend.json"), done.stdout

    def series(self, trend, size, key="throughput_fps"):
        found = [one for plan in trend["plans"] for one in plan["series"] if one["frame_octets"] == size and one["key"] == key]
        self.assertEqual(len(found), 1)
        return found[0]
