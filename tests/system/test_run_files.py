#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run file of this schema is read; one of another, or with damaged trials, is refused in one line, and stays as it is."""

import contextlib
import os
import shutil
import sqlite3
import zlib

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fpgauge_system import DONE, WRONG_PLAN, main

THROUGHPUT = 'test = "throughput"; frame_sizes = [64]; trial_duration = "1s"; resolution = "1%"; settle = "0s"'
EARLY, RELEASED = 0x46504752, 0x46504731  # the application ids before release 1 and since
EARLY_VERSIONS = range(1, 7)


def octets(path):
    with open(path, "rb") as file:
        return file.read()


class RunFileCase(ExecTesterCase):
    def setUp(self):
        super().setUp()
        self.write("tester.py", tester_text())
        self.write("plan.cfg", plan_text([THROUGHPUT]))
        done = self.fpgauge("run", "plan.cfg", "--db", "good.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)

    @contextlib.contextmanager
    def changed(self, name):
        shutil.copy(self.path("good.db"), self.path(name))
        with contextlib.closing(sqlite3.connect(self.path(name))) as database:
            yield database
            database.commit()

    def refused(self, name, *arguments, says):
        before, beside = octets(self.path(name)), sorted(os.listdir(self.scratch))
        done = self.fpgauge(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (WRONG_PLAN, "", 1), done.stderr)
        self.assertIn(f"{name}: {says}", done.stderr)
        self.assertEqual((octets(self.path(name)), sorted(os.listdir(self.scratch))), (before, beside))


class Schema(RunFileCase):
    def test_a_file_says_that_it_is_one_of_release_1(self):
        with contextlib.closing(sqlite3.connect(self.path("good.db"))) as database:
            self.assertEqual(database.execute("PRAGMA application_id").fetchone(), (RELEASED,))
            self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (1,))

    def test_a_file_that_cannot_be_written_is_reported(self):
        os.chmod(self.path("good.db"), 0o444)
        os.chmod(self.scratch, 0o555)
        done = self.fpgauge("report", "good.db", "--quiet")
        os.chmod(self.scratch, 0o755)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def early(self, version):
        """A file as programs before release 1 marked it; schemas 1 and 2 had a column for every count of a trial."""
        if version > 2:
            with self.changed("early.db") as database:
                database.executescript(f"PRAGMA application_id = {EARLY}; PRAGMA user_version = {version}")
            return
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path("early.db"))
        with contextlib.closing(sqlite3.connect(self.path("early.db"))) as database:
            database.executescript("CREATE TABLE run (one INTEGER PRIMARY KEY, tool TEXT NOT NULL);"
                                   "CREATE TABLE trial (number INTEGER PRIMARY KEY, offered_frames INTEGER);"
                                   "CREATE TABLE trial_port (trial INTEGER NOT NULL, port INTEGER NOT NULL);"
                                   f"PRAGMA application_id = {EARLY}; PRAGMA user_version = {version}")

    def test_a_file_of_before_release_1_is_refused_with_what_to_do(self):
        says = ("is a run file that fpgauge wrote before its release 1, which this program cannot read: run the plan again, "
                "or read it with the build that wrote it")
        for version in EARLY_VERSIONS:
            self.early(version)
            for arguments in (("report", "early.db"), ("resume", "early.db", "--allow-command"), ("compare", "early.db", "good.db"),
                              ("compare", "good.db", "early.db"), ("trend", "early.db")):
                with self.subTest(version=version, arguments=arguments):
                    self.refused("early.db", *arguments, says=says)

    def test_no_version_of_before_release_1_is_taken_for_one_of_today(self):
        for version in EARLY_VERSIONS:
            with self.subTest(version=version):
                with self.changed("other.db") as database:
                    database.execute(f"PRAGMA user_version = {version}")
                if version == 1:
                    self.assertEqual(self.fpgauge("report", "other.db", "--quiet").returncode, DONE)
                else:
                    self.refused("other.db", "report", "other.db", says=f"has schema version {version}; this program")

    def test_a_version_that_there_never_was_is_damage(self):
        for version in (0, -1):
            with self.changed("other.db") as database:
                database.execute(f"PRAGMA user_version = {version}")
            self.refused("other.db", "report", "other.db", says=f"has schema version {version}; this program")
            self.assertIn("the file is damaged", self.fpgauge("report", "other.db").stderr)


class Damage(RunFileCase):
    """Damage is found before a run goes on, whether it is an accident, which the checksum shows, or made."""

    DAMAGE = {
        "count": ("UPDATE trial SET result = replace(result, '\"ports\":1', '\"ports\":2') WHERE number = 3",
                  "trial 3 is not what was written"),
        "request": ("UPDATE trial SET request = replace(request, 'load', 'burst') WHERE number = 2", "trial 2 is not what was written"),
        "no document": ("UPDATE trial SET result = '[]' WHERE number = 2; UPDATE trial SET checksum = crc(request || result)",
                        "trial 2: result is not an object"),
        "surplus key": ("UPDATE trial SET result = replace(result, '\"sent\"', '\"more\":1,\"sent\"') WHERE number = 2; "
                        "UPDATE trial SET checksum = crc(request || result)", "trial 2: result/port/0/more is not a known key"),
        "no request": ("UPDATE trial SET request = '7' WHERE number = 2; UPDATE trial SET checksum = crc(request || result)",
                       "trial 2: request"),
        "request with a surplus key": ("UPDATE trial SET request = replace(request, '\"kind\"', '\"kin\":1,\"kind\"') WHERE number = 2; "
                                       "UPDATE trial SET checksum = crc(request || result)", "trial 2: request/kin is not a known key"),
        "trial that is gone": ("DELETE FROM trial WHERE number = 2", "trials, the last of which is number"),
        "type": ("UPDATE trial SET checksum = 'many' WHERE number = 1", "trial.checksum is a text"),
        "run that is gone": ("DELETE FROM run", "table run is empty"),
        "column that is gone": ("DROP VIEW trial_port; DROP VIEW search_trace; DROP VIEW loss_over_load; "
                                "ALTER TABLE trial DROP COLUMN late_frames", "it has no column trial.late_frames INTEGER"),
        "view for a table": ("ALTER TABLE trial RENAME TO old; CREATE VIEW trial AS SELECT * FROM old", "it has no column trial."),
    }

    def test_a_damaged_run_is_neither_resumed_nor_drawn_and_stays_as_it_is(self):
        for name, (sql, says) in self.DAMAGE.items():
            with self.changed("damaged.db") as database:
                database.execute("PRAGMA legacy_alter_table = ON")
                database.create_function("crc", 1, lambda text: zlib.crc32(text.encode()), deterministic=True)
                database.executescript("UPDATE run SET finished = NULL, incomplete = 'not at its end';" + sql)
            before = octets(self.path("damaged.db"))
            for arguments in (("report", "damaged.db", "--html", "drawn.html"), ("resume", "damaged.db", "--allow-command")):
                with self.subTest(damage=name, command=arguments[0]):
                    done = self.fpgauge(*arguments, "--quiet")
                    self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
                    self.assertIn("damaged.db: ", done.stderr)
                    self.assertIn(says, done.stderr)
                    self.assertFalse(os.path.exists(self.path("drawn.html")))
                    if arguments[0] == "report":
                        self.assertEqual(octets(self.path("damaged.db")), before)


if __name__ == "__main__":
    main()
