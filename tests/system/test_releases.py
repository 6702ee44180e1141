#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What earlier releases left is read, and what they promised is there: the folders of tests/releases, each with the run file of a plan, the
results of its time, and the names that users write and read (docs/stability.md)."""

import contextlib
import lzma
import os
import shutil
import sqlite3
import zlib

from fpgauge_system import DONE, FPGAUGE, ROOT, WRONG_PLAN, SystemCase, main
from release_names import names

RELEASES = os.path.join(ROOT, "tests", "releases")
FOLDERS = sorted(entry.path for entry in os.scandir(RELEASES) if entry.is_dir())


def without_texts(results):
    """Texts for people are not promised."""
    return [{key: value for key, value in result.items() if key not in ("flags", "why_invalid")} for result in results]


class Releases(SystemCase):
    def each(self):
        """Puts the files of one release after the other into the folder of the test; the run file can be written, and is a copy."""
        self.assertTrue(FOLDERS)
        for folder in FOLDERS:
            with self.subTest(os.path.basename(folder)):
                for name in ("run.json", "plan.cfg"):
                    shutil.copy(os.path.join(folder, name), self.path(name))
                self.unpack(folder, "run.db")
                yield folder

    def unpack(self, folder, name):
        with lzma.open(os.path.join(folder, "run.db.xz")) as packed, open(self.path(name), "wb") as file:
            shutil.copyfileobj(packed, file)

    def done(self, *arguments, expect=DONE):
        done = self.fpgauge(*arguments)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def assert_results_of_then(self, name):
        then, now = self.result("run.json"), self.result(name)
        self.assertEqual(now["verdict"], then["verdict"])
        self.assert_within(without_texts(then["results"]), without_texts(now["results"]))

    def test_its_run_file_is_small_and_is_left_as_it_is_by_a_report(self):
        for folder in self.each():
            self.assertLess(os.path.getsize(os.path.join(folder, "run.db.xz")), 100_000)
            self.done("report", "run.db", "--json", "now.json", "--csv", "tables", "--junit", "junit.xml", "--quiet")
            self.assert_results_of_then("now.json")
            with open(self.path("run.db"), "rb") as now, lzma.open(os.path.join(folder, "run.db.xz")) as then:
                self.assertTrue(now.read() == then.read())

    def test_its_results_are_compared_with_those_of_its_plan_today(self):
        for _ in self.each():
            self.done("run", "plan.cfg", "--db", "today.db", "--json", "today.json", "--quiet")
            self.assert_results_of_then("today.json")
            for base in ("run.db", "run.json"):
                self.done("compare", base, "today.db", "--tolerance", "0%", "--json", "compared.json", "--quiet")
                compared = self.result("compared.json")
                self.assertEqual(({one["verdict"] for one in compared["results"]}, compared["verdict"]), ({"same"}, "pass"))
            self.done("trend", "run.db", "today.db", "run.json", "--json", "trend.json", "--quiet")
            self.assertEqual(self.result("trend.json")["passed_over"], [])
            os.unlink(self.path("today.db"))

    def test_its_run_is_resumed_from_any_trial(self):
        for _ in self.each():
            with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
                trials, = database.execute("SELECT count(*) FROM trial").fetchone()
            for kept in (0, trials // 2, trials - 1):
                shutil.copy(self.path("run.db"), self.path("part.db"))
                with contextlib.closing(sqlite3.connect(self.path("part.db"))) as database:
                    database.executescript(f"DELETE FROM trial WHERE number > {kept}; DELETE FROM result;"
                                           "UPDATE run SET finished = NULL, incomplete = 'not at its end'")
                self.done("resume", "part.db", "--recorded-plan", "--json", "resumed.json", "--quiet")
                self.assert_results_of_then("resumed.json")

    def test_its_names_are_there(self):
        for folder in self.each():
            with open(os.path.join(folder, "names"), encoding="utf-8") as file:
                promised = set(file.read().splitlines())
            self.done("run", "plan.cfg", "--db", "events.db", "--events", "events", "--quiet")
            with open(self.path("events"), encoding="utf-8") as file:
                gone = promised - names(FPGAUGE, file.read())
            self.assertEqual(sorted(gone), [])
            for kind in ("option run --db", "plan link: speed", "results.schema", "event step: trial"):
                self.assertTrue(any(name.startswith(kind) for name in promised), f"no {kind} among {len(promised)} names")

    def test_a_key_that_a_later_version_adds_to_a_trial_is_refused_by_name_where_trials_are_read(self):
        self.unpack(FOLDERS[-1], "later.db")
        with contextlib.closing(sqlite3.connect(self.path("later.db"))) as database:
            database.create_function("crc", 1, lambda text: zlib.crc32(text.encode()), deterministic=True)
            database.executescript("UPDATE trial SET result = json_set(result, '$.wholly_new', 1); UPDATE trial SET checksum = crc(request || result);"
                                   "UPDATE run SET finished = NULL, incomplete = 'not at its end'")
        said = self.done("resume", "later.db", "--recorded-plan", "--quiet", expect=WRONG_PLAN).stderr
        self.assertRegex(said, r"\A[^\n]*later\.db: [^\n]*wholly_new[^\n]*\n\Z")


if __name__ == "__main__":
    main()
