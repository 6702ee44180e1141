#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run made by any version is reported by every later one: the files in tests/run-files, made by the programs of their
time, are reported, compared and resumed, and say what they said then."""

import contextlib
import json
import os
import shutil
import sqlite3
import zlib

from fpgauge_system import DONE, INVALID, ROOT, SystemCase, WRONG_DEVICE, WRONG_PLAN, main

FILES = os.path.join(ROOT, "tests", "run-files")
VERSIONS = sorted(name for name in os.listdir(FILES) if name.startswith("version-"))
NAMES = ("twin", "exec")
NEWEST = 6
DOCUMENTS = 3  # a trial is two documents since this version


def version_of(folder):
    return int(folder.split("-")[1])


def rows(path, query):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(query)]


def octets(path):
    with open(path, "rb") as file:
        return file.read()


def plain(value):
    """As generated columns and views return it: unsigned 64 bits, which version 2 kept in a signed column."""
    return float(value + 2**64) if isinstance(value, int) and value < 0 else value


class RunFiles(SystemCase):
    def each(self, check, names=NAMES, suffix=""):
        """check(version, name, copy of the file) for every version."""
        for version in VERSIONS:
            for name in names:
                with self.subTest(version=version, name=name + suffix):
                    copy = self.path(f"{version}-{name}.db")
                    shutil.copy(os.path.join(FILES, version, f"{name}{suffix}.db"), copy)
                    check(version, name, copy)

    def truth(self, version, name):
        with open(os.path.join(FILES, version, f"{name}.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_there_is_a_file_of_every_version(self):
        found = {rows(os.path.join(FILES, version, "twin.db"), "PRAGMA user_version")[0]["user_version"] for version in VERSIONS}
        self.assertEqual(found, set(range(1, NEWEST)))

    def test_a_report_is_the_one_of_then(self):
        def check(version, name, copy):
            before = octets(copy)
            done = self.fpgauge("report", copy, "--quiet", "--json", "now.json", "--csv", "csv", "--junit", "now.xml", "--html",
                                "now.html")
            self.assertEqual((done.returncode, done.stderr), (INVALID if name == "twin" else DONE, ""))
            then = self.truth(version, name)
            del then["schema"]  # the schema of reports has its own history
            self.assert_within(then, self.result("now.json"))
            self.assertEqual(octets(copy), before, "a report changed the file")
            shutil.rmtree(self.path("csv"))

        self.each(check)

    def test_a_run_of_then_is_the_same_in_a_comparison(self):
        def check(version, name, copy):
            truth = os.path.join(FILES, version, f"{name}.json")
            for pair in ((truth, copy), (copy, truth)):
                done = self.fpgauge("compare", *pair, "--tolerance", "0%", "--json", "compared.json", "--quiet")
                self.assertEqual((done.returncode, done.stderr), (DONE, ""), self.path("compared.json"))

        self.each(check)

    def test_a_file_that_cannot_be_written_is_reported(self):
        def check(version, name, copy):
            os.chmod(copy, 0o444)
            os.chmod(self.scratch, 0o555)
            done = self.fpgauge("report", copy, "--quiet")
            os.chmod(self.scratch, 0o755)
            self.assertEqual((done.returncode, done.stderr), (INVALID if name == "twin" else DONE, ""))

        self.each(check)

    def test_a_run_that_is_complete_stays_as_it_is(self):
        def check(version, name, copy):
            before = octets(copy)
            done = self.fpgauge("resume", copy, "--quiet", "--json", "now.json")
            self.assertEqual((done.returncode, done.stderr), (INVALID if name == "twin" else DONE, ""))
            self.assert_within(self.truth(version, name)["results"], self.result("now.json")["results"])
            self.assertEqual(octets(copy), before)

        self.each(check)

    def test_a_run_that_was_stopped_goes_on_and_ends_as_the_one_that_was_not(self):
        shutil.copy(os.path.join(FILES, "tester.py"), self.path("tester.py"))
        def check(version, name, copy):
            trials = rows(copy, "SELECT * FROM trial ORDER BY number")
            ports = rows(copy, "SELECT * FROM trial_port ORDER BY trial, port")
            done = self.fpgauge("resume", copy, "--quiet", "--allow-command", "--json", "now.json")
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))
            self.assert_within(self.truth(version, name)["results"], self.result("now.json")["results"])
            self.kept(copy, trials, ports)
            self.assertEqual(len(rows(copy, "SELECT number FROM trial")),
                             len(rows(os.path.join(FILES, version, f"{name}.db"), "SELECT number FROM trial")))
            self.assertEqual(rows(copy, "PRAGMA integrity_check"), [{"integrity_check": "ok"}])
            self.assertEqual(rows(copy, "SELECT count(*) AS count FROM search_trace"),
                             rows(copy, "SELECT count(*) AS count FROM trial"))

        self.each(check, ("exec",), "-stopped")

    def kept(self, path, trials, ports):
        """Every value of every column of the older file is in the current one, under the same name."""
        self.assertEqual(rows(path, "PRAGMA user_version"), [{"user_version": NEWEST}])
        now = rows(path, "SELECT * FROM trial ORDER BY number")
        for old, new in zip(trials, now):
            for key, value in old.items():
                if key in ("request", "result"):  # documents, with every key they had
                    self.assert_within(json.loads(value), json.loads(new[key]), f"trial {old['number']}")
                elif key != "checksum":
                    self.assertEqual(plain(value), new[key], f"trial {old['number']}: {key}")
            self.assertEqual(new["checksum"], zlib.crc32((new["request"] + new["result"]).encode()))
            # Counters that an older version did not have are not known.
            self.assertEqual((new["flow_count"], json.loads(new["result"])["flow_count"], json.loads(new["result"])["flow"]),
                             (None, None, []), f"trial {old['number']}")
            # There was no other traffic.
            for key, value in {"pattern": "pairs", "frame": "ipv4_udp", "vlan": None, "sizes": None, "seed": 1}.items():
                self.assertEqual((new[key], json.loads(new["request"])[key]), (value, value), f"trial {old['number']}: {key}")
        now = rows(path, "SELECT * FROM trial_port ORDER BY trial, port")
        for old, new in zip(ports, now):
            for key, value in old.items():
                self.assertEqual(plain(value), new[key], f"trial {old['trial']}, port {old['port']}: {key}")
            if "bad_payload_frames" not in old:  # a counter that an older version did not have is unknown, not 0
                self.assertIsNone(new["bad_payload_frames"], f"trial {old['trial']}, port {old['port']}")

    def test_a_run_on_the_twin_goes_on_too_unless_its_register_map_is_another_by_now(self):
        if self.fpgauge("check", os.path.join(FILES, "twin.cfg")).returncode != DONE:
            self.skipTest("no twin here")

        def check(version, name, copy):
            tester = json.loads(rows(copy, "SELECT tester FROM run")[0]["tester"])
            trials, ports = rows(copy, "SELECT * FROM trial ORDER BY number"), rows(copy, "SELECT * FROM trial_port ORDER BY 1, 2")
            done = self.fpgauge("resume", copy, "--quiet", "--json", "now.json")
            self.kept(copy, trials, ports)
            if done.returncode == WRONG_DEVICE:
                self.assertIn(tester["regmap"], done.stderr)
                self.assertEqual(len(rows(copy, "SELECT number FROM trial")), len(trials))
            else:
                self.assertEqual((done.returncode, done.stderr), (INVALID, ""))
                self.assert_within(self.truth(version, name)["results"], self.result("now.json")["results"])

        self.each(check, ("twin",), "-stopped")


class Damage(SystemCase):
    """Damage is found by the old checksum, before anything is made of the file, which is left as it is."""

    DAMAGE = {
        "count": ("UPDATE trial SET received_frames = received_frames + 1 WHERE number = 3", "trial 3 is not what was written"),
        "request": ("UPDATE trial SET kind = 'burst' WHERE number = 2", "trial 2 is not what was written"),
        "port": ("UPDATE trial_port SET rx_gaps = 5 WHERE trial = 1", "trial 1 is not what was written"),
        "port that is gone": ("DELETE FROM trial_port WHERE trial = 4", "trial 4 is not what was written"),
        "trial that is gone": ("DELETE FROM trial WHERE number = 2", "trials, the last of which is number"),
        "type": ("UPDATE trial SET lost_frames = 'many' WHERE number = 1", "trial 1 is not what was written"),
        "run that is gone": ("DELETE FROM run", "table run is empty"),
        "column that is gone": ("ALTER TABLE trial DROP COLUMN late_frames", "it has no column trial.late_frames INTEGER"),
        "view for a table": ("ALTER TABLE trial RENAME TO old; CREATE VIEW trial AS SELECT * FROM old", "it has no column trial."),
        "view for today's name": ("DROP VIEW search_trace; CREATE TABLE search_trace (x)", "search_trace"),
    }
    DAMAGE_OF_DOCUMENTS = {
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
        "column that is gone": ("DROP VIEW trial_port; ALTER TABLE trial DROP COLUMN late_frames", "it has no column trial.late_frames INTEGER"),
        "view for a table": ("ALTER TABLE trial RENAME TO old; CREATE VIEW trial AS SELECT * FROM old", "it has no column trial."),
        "table for today's view": ("DROP VIEW trial_port; CREATE TABLE trial_port (x)", "trial_port"),
    }

    def test_a_damaged_file_of_an_older_version_is_refused_and_stays_as_it_is(self):
        for version in VERSIONS:
            damages = self.DAMAGE if version_of(version) < DOCUMENTS else self.DAMAGE_OF_DOCUMENTS
            for name, (sql, says) in damages.items():
                path = self.path("damaged.db")
                shutil.copy(os.path.join(FILES, version, "exec-stopped.db"), path)
                with contextlib.closing(sqlite3.connect(path)) as database:
                    database.execute("PRAGMA legacy_alter_table = ON")
                    database.create_function("crc", 1, lambda text: zlib.crc32(text.encode()), deterministic=True)
                    if name.startswith("column"):
                        database.executescript("DROP VIEW search_trace; DROP VIEW IF EXISTS loss_over_load")
                    database.executescript(sql)
                before = octets(path)
                for command in (("report",), ("resume", "--allow-command")):
                    with self.subTest(version=version, damage=name, command=command[0]):
                        done = self.fpgauge(*command, "damaged.db", "--quiet")
                        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
                        self.assertIn("damaged.db: ", done.stderr)
                        self.assertIn(says, done.stderr)
                        self.assertEqual(octets(path), before)
                        self.assertFalse(os.path.exists(path + "-journal"))


if __name__ == "__main__":
    main()
