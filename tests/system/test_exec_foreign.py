#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Somebody else's run files: whatever is in one, either it is refused with place, value and what was expected, or every
form of report is made from it, and nothing but what was asked for is written."""

import contextlib
import copy
import csv
import json
import os
import random
import shutil
import sqlite3
import xml.etree.ElementTree
import zlib

from exec_tester_case import ExecTesterCase, plan_text, tester_text
from fpgauge_system import DONE, INVALID, WRONG_PLAN, main
from results_schema import reader_of_results

THROUGHPUT = 'test = "throughput"; frame_sizes = [64, 1518]; trial_duration = "1s"; resolution = "1%"; settle = "0s"'
BURST = 'test = "back_to_back"; frame_sizes = [64]; repetitions = 2; first_burst = "64 frames"; settle = "0s"'
GOALS = 'test = "mlrsearch"; frame_sizes = [64]; preset = "ndrpdr"; settle = "0s"'
FORMS = ("--json", "out/r.json", "--csv", "out/csv", "--junit", "out/r.xml")
LIMIT = ' require = { throughput_fps = "1k"; };'


class ForeignCase(ExecTesterCase):
    tests = (THROUGHPUT + ";" + LIMIT, BURST, GOALS)

    def setUp(self):
        super().setUp()
        self.write("tester.py", tester_text())
        self.write("plan.cfg", plan_text(self.tests))
        done = self.fpgauge("run", "plan.cfg", "--db", "good.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        os.mkdir(self.path("out"))

    @contextlib.contextmanager
    def changed(self):
        """A copy of the good run file, open for changes; afterwards the checksums of results are those of their
        documents."""
        shutil.copy(self.path("good.db"), self.path("run.db"))
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            yield database
            for position, document in database.execute("SELECT position, document FROM result").fetchall():
                if isinstance(document, str) and "view" not in self.kinds(database):
                    database.execute("UPDATE result SET checksum = ? WHERE position = ? AND typeof(checksum) = 'integer'",
                                     (zlib.crc32(document.encode()), position))
            database.commit()

    @staticmethod
    def kinds(database):
        return {kind for kind, in database.execute("SELECT type FROM sqlite_master WHERE name = 'result'")}

    def documents(self, database):
        return {position: json.loads(text) for position, text in
                database.execute("SELECT position, document FROM result ORDER BY position").fetchall()}

    def put(self, database, position, document):
        database.execute("UPDATE result SET document = ? WHERE position = ?", (json.dumps(document), position))

    def refused(self, *says):
        before = sorted(os.listdir(self.scratch))
        done = self.fpgauge("report", "run.db", *FORMS)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (WRONG_PLAN, "", 1), done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(os.listdir(self.path("out")), ["csv"] if os.path.exists(self.path("out/csv")) else [])
        self.assertEqual(sorted(os.listdir(self.scratch)), before)
        return done

    def left_out(self, *says, kept=None):
        """A result that is not what the schema says is in no form of the report, all others are, and one line says so."""
        before = sorted(os.listdir(self.scratch))
        done = self.fpgauge("report", "run.db", *FORMS)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
        report = self.result("out/r.json")
        for text in says:
            self.assertIn(text, done.stderr)
            self.assertIn(text, report["incomplete"])
        self.assertIn("INCOMPLETE: ", done.stdout)
        self.assertEqual(len(report["results"]), self.count_of_results() - 1 if kept is None else kept)
        self.assertEqual(report["verdict"], "fail")
        tree = xml.etree.ElementTree.parse(self.path("out/r.xml"))
        self.assertTrue(any(says[0] in (case.get("message") or "") for case in tree.iter("failure")))
        self.assertEqual(sorted(os.listdir(self.scratch)), before)
        shutil.rmtree(self.path("out"))
        os.mkdir(self.path("out"))
        return done

    def count_of_results(self):
        with contextlib.closing(sqlite3.connect(self.path("good.db"))) as database:
            return database.execute("SELECT count(*) FROM result").fetchone()[0]

    def reported(self, code=DONE):
        done = self.fpgauge("report", "run.db", *FORMS)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return done


class Documents(ForeignCase):
    def test_a_test_that_is_a_path_names_no_file(self):
        for name in ("../../escaped", self.path("escaped"), "a/b", "", "jitter_rate"):
            with self.subTest(name=name):
                with self.changed() as database:
                    for position, document in self.documents(database).items():
                        self.put(database, position, dict(document, test=name))
                    database.execute("UPDATE result SET test = ?", (name,))
                self.left_out(f'run.db: /results/0/test = {json.dumps(name)}: must be one of ["throughput","back_to_back"',
                              kept=0)

    def test_a_key_of_any_length_is_a_column(self):
        lengths = range(190, 260)
        with self.changed() as database:
            document = self.documents(database)[0]
            document.update({"k" * length: {"v": length} for length in lengths})
            self.put(database, 0, document)
        self.reported()
        with open(self.path("out/csv/throughput.csv"), encoding="utf-8", newline="") as file:
            cells = next(csv.DictReader(file))
        for length in lengths:
            self.assertEqual(cells["k" * length + ".v"], str(length))

    def test_no_text_is_a_formula_to_a_spreadsheet_and_numbers_stay_numbers(self):
        texts = {f"{start}1+1": f"{start}cmd|' /C calc'!A0" for start in "=+-@\t"}
        with self.changed() as database:
            document = self.documents(database)[0]
            document.update(texts, listed=["=1", "2"], negative_s=-2.5, negatives=[-1, -2], plain="a=b", minus="", quoted='="x"')
            self.put(database, 0, document)
        self.reported()
        with open(self.path("out/csv/throughput.csv"), encoding="utf-8", newline="") as file:
            cells = next(csv.DictReader(file, strict=True))
        for key, text in texts.items():
            self.assertNotIn(key, cells)
            self.assertEqual(cells[f"'{key}"], f"'{text}")
        self.assertEqual((cells["listed"], cells["quoted"]), ("'=1; 2", "'=\"x\""))
        self.assertEqual([cells[key] for key in ("negative_s", "negatives", "plain", "minus")], ["-2.5", "-1 -2", "a=b", ""])

    def test_what_is_refused_is_what_the_published_schema_refuses(self):
        """Values missing, or of another type or size, in documents of every kind; python3-jsonschema judges them as
        well."""
        judge = reader_of_results()
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        wrong = [None, True, "text", "", [], {}, [{}], [5], -1, 0, 1e308, -1e308, 5e-324, 1 << 62, 0.5, {"a": [1, "b"]}]

        def spoil(value, rate):
            if isinstance(value, dict):
                return {key: spoil(inner, rate) for key, inner in value.items() if chance.random() > rate}
            if isinstance(value, list) and chance.random() > rate:
                return [spoil(inner, rate) for inner in value]
            return chance.choice(wrong) if chance.random() < rate else value

        self.fpgauge("report", "good.db", "--quiet", "--json", "good.json")
        whole = self.result("good.json")
        verdicts = set()
        for attempt in range(120):
            with self.changed() as database:
                report = copy.deepcopy(whole)
                position = chance.randrange(len(whole["results"]))
                document = spoil(self.documents(database)[position], chance.choice([0.002, 0.01, 0.05]))
                self.put(database, position, document)
                for key, kind in (("test", str), ("test_number", int), ("frame_octets", int), ("valid", bool)):
                    if type(document.get(key)) is kind and (kind is str or document[key] >= 0):
                        database.execute(f"UPDATE result SET {key} = ? WHERE position = ?", (document[key], position))
            added = {key: report["results"][position][key] for key in ("requirements", "verdict")}
            report["results"][position] = dict(document, **added)
            fits = judge.is_valid(report)
            verdicts.add(fits)
            with self.subTest(seed=seed, attempt=attempt):
                if fits:
                    done = self.fpgauge("report", "run.db", *FORMS)
                    self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
                    self.assertEqual(done.stderr, "")
                    shutil.rmtree(self.path("out"))
                    os.mkdir(self.path("out"))
                else:
                    self.left_out(f"run.db: /results/{position}")
        self.assertEqual(verdicts, {True, False}, "all documents were alike: the case shows nothing")

    def test_a_number_of_a_test_that_is_too_large_is_found_in_the_document(self):
        for number in (1 << 32, 1 << 62):
            with self.changed() as database:
                self.put(database, 0, dict(self.documents(database)[0], test_number=number))
                database.execute("UPDATE result SET test_number = ? WHERE position = 0", (number,))
            self.left_out(f"run.db: /results/0/test_number = {number}: must be at most 4294967295")

    def test_documents_that_lack_keys_which_may_be_added_are_reported(self):
        essential = ("test", "test_number", "frame_octets", "valid")
        with self.changed() as database:
            for position, document in self.documents(database).items():
                self.put(database, position, {key: document[key] for key in essential})
        self.reported(INVALID)  # a limit is set for a value that is not known

    def test_texts_are_no_commands_of_a_terminal_and_no_broken_xml(self):
        evil = "\x1b[2J\x1b]0;owned\x07\r\n\x00".rstrip("\x00") + "\u009b31m\u202e<&\">"
        with self.changed() as database:
            document = self.documents(database)[0]
            self.put(database, 0, dict(document, valid=False, why_invalid=evil, flags=[evil]))
            database.execute("UPDATE result SET valid = 0 WHERE position = 0")
            database.execute("UPDATE run SET plan_path = ?, tester = json_set(tester, '$.name', ?)", (evil, evil))
            database.execute("UPDATE plan_override SET text = ?", (evil,))
        done = self.reported(INVALID)
        for bad in "\x1b\x07\r\u009b\u202e":
            self.assertNotIn(bad, done.stdout)
        self.assertIn("owned", done.stdout)
        tree = xml.etree.ElementTree.parse(self.path("out/r.xml"))
        self.assertTrue(any("owned" in (case.get("message") or "") for case in tree.iter("failure")))

    def test_json_that_compare_is_given_is_held_against_the_schema_too(self):
        self.fpgauge("report", "good.db", "--quiet", "--json", "good.json")
        good = self.result("good.json")
        self.assertEqual(self.fpgauge("compare", "good.json", "good.db", "--quiet").returncode, DONE)
        for change, says in (({"schema": 99}, "schema is 99; this program"),
                             ({"results": [dict(good["results"][0], test_number=-1)]}, "/results/0/test_number = -1: must be"),
                             ({"results": [dict(good["results"][0], throughput_fps="fast")]}, '/throughput_fps = "fast": must be')):
            self.write("other.json", json.dumps(dict(good, **change)))
            for arguments in (("other.json", "good.db"), ("good.db", "other.json")):
                done = self.fpgauge("compare", *arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (WRONG_PLAN, "", 1), done.stderr)
                self.assertIn("other.json: ", done.stderr)
                self.assertIn(says, done.stderr)

    def test_octets_that_are_no_text_are_replaced(self):
        with self.changed() as database:
            for column in ("tool", "plan_path"):
                database.execute(f"UPDATE run SET {column} = CAST(CAST({column} AS BLOB) || x'ff41' AS TEXT)")
        self.reported()
        self.assertTrue(self.result("out/r.json")["plan_path"].endswith("plan.cfg\ufffdA"))


# Each change to a good run file, and what must be said about it.
DAMAGE = {
    "no run": ("DELETE FROM run", "table run is empty"),
    "no plan": ("DELETE FROM plan_file", "the plan is missing"),
    "text for a speed": ("UPDATE run SET link_bps = 'fast'", "run.link_bps is a text: must be a whole number from 0"),
    "no speed": ("UPDATE run SET link_bps = 0", "/link/bits_per_second = 0: must be at least 1"),
    "negative speed": ("UPDATE run SET link_bps = -1", "run.link_bps is a whole number, negative"),
    "blob for a program": ("UPDATE run SET tool = x'00ff'", "run.tool is a blob: must be a text"),
    "another program": ("UPDATE run SET tool = 'x'", '/tool = "x": must match ^fpgauge '),
    "no time": ("UPDATE run SET started = 'yesterday'", '/started = "yesterday": must match'),
    "tester that is not JSON": ("UPDATE run SET tester = '{'", "run.tester is not JSON"),
    "tester of no shape": ("UPDATE run SET tester = '[]'", '/device = []: must be of type "object"'),
    "calibration that is not JSON": ("UPDATE run SET calibration = 'x'", "run.calibration is not JSON"),
    "calibration of no shape": ("""UPDATE run SET calibration = '{"ports":5}'""", '/calibration/ports = 5: must be'),
    "plan that is a number": ("UPDATE plan_file SET text = x'31'", "plan_file.text is a blob"),
    "plan with a checksum of its own": ("UPDATE plan_file SET checksum = 1", "the text of the plan has another checksum"),
    "limit that is no number": ("UPDATE requirement SET limit_value = 'lots'", "requirement.limit_value is a text"),
    "limit without end": ("UPDATE requirement SET limit_value = 9e999", "requirement.limit_value is a number"),
    "limit of no test": ("UPDATE requirement SET test_number = -5", "requirement.test_number is a whole number, negative"),
    "result that is a blob": ("UPDATE result SET document = CAST(document AS BLOB)", "result.document is a blob"),
    "result that is not JSON": ("UPDATE result SET document = '{'", "the document of result 1 is not JSON"),
    "result that is a number": ("UPDATE result SET document = '[5]'", "the document of result 1 is not a JSON object"),
    "result of a negative test": ("UPDATE result SET test_number = -1", "result.test_number is a whole number, negative"),
    "result of another test": ("UPDATE result SET test_number = 7", "the column test_number of result 1 is not what its document says"),
    "result of another size": ("UPDATE result SET frame_octets = 65", "the column frame_octets of result 1"),
    "result that became valid": ("UPDATE result SET valid = 0 WHERE position = 1", "the column valid of result 2"),
    "result whose checksum is text": ("UPDATE result SET checksum = 'x'", "result.checksum is a text"),
    "table that is gone": ("DROP TABLE event", "it has no column event.detail TEXT"),
    "origin that is gone": ("DROP TABLE origin", "it has no column origin.directory TEXT"),
    "view in place of the origin": ("DROP TABLE origin; CREATE VIEW origin AS SELECT 1 AS directory, 1 AS inode",
                                    "it has no column origin."),
    "column that is gone": ("ALTER TABLE session DROP COLUMN outcome", "it has no column session.outcome TEXT"),
    "column of another type": ("ALTER TABLE result RENAME TO old; CREATE TABLE result AS SELECT * FROM old",
                               "it has no column result."),
    "view in place of a table": ("ALTER TABLE result RENAME TO old; CREATE VIEW result AS SELECT * FROM old",
                                 "it has no column result."),
    "table that a module computes": ("DROP TABLE event; CREATE VIRTUAL TABLE event USING fts5(number, session, time, kind, detail)",
                                     "it has no column event."),
}

# Where only results are damaged: how many of the two are still in the report.
KEPT = {"result that is not JSON": 0, "result that is a number": 0, "result of another test": 0, "result of another size": 0,
        "result that became valid": 1}


def put(*path):
    """A change of a document: path[:-1] leads to a key, and path[-1] is its new value."""
    def change(text):
        document = place = json.loads(text)
        for key in path[:-2]:
            place = place[key]
        place[path[-2]] = path[-1]
        return json.dumps(document, separators=(",", ":"))
    return change


def without(key):
    return lambda text: json.dumps({name: value for name, value in json.loads(text).items() if name != key})


def ignore_columns(database):
    """Allows what is not JSON: SQLite computes generated columns when a row is written, and would complain."""
    database.create_function("json_extract", 2, lambda document, path: None, deterministic=True)


BINS = "a list of 3 to 67 whole numbers, the second of them not 0, or null"
TRIAL_DOCUMENTS = {  # column, change of its text, what the refusal says
    "no JSON": ("request", lambda text: text[:-1], "request is not JSON: "),
    "no object": ("result", lambda text: "[]", "result is not an object"),
    "a key twice": ("request", lambda text: '{"kind":"load",' + text[1:], "request is not JSON: duplicate"),
    "a count that is a text": ("result", put("offered_frames", "many"), 'result/offered_frames is "many": must be a whole number'),
    "a count below 0": ("result", put("offered_frames", -1), "result/offered_frames is -1: must be a whole number"),
    "a count with a point": ("result", put("offered_frames", 5.0), "result/offered_frames is 5.0: must be a whole number"),
    "a small count as text": ("result", put("offered_frames", "5"), 'result/offered_frames is "5": must be a whole number'),
    "digits and more": ("result", put("lost_frames", "9223372036854775808 "), "result/lost_frames is "),
    "unknown as digits": ("result", put("lost_frames", "18446744073709551615"), "result/lost_frames is "),
    "more than 64 bits": ("result", put("lost_frames", "18446744073709551616"), "result/lost_frames is "),
    "more than 32 bits": ("request", put("frame_octets", 1 << 32), "request/frame_octets is 4294967296: must be a whole number from 0 to"),
    "a kind that there is not": ("request", put("kind", "sweep"), 'request/kind is "sweep": must be "load" or "burst"'),
    "a kind by number": ("request", put("kind", 0), 'request/kind is 0: must be "load" or "burst"'),
    "a rate that is a text": ("result", put("intended_fps", "fast"), 'result/intended_fps is "fast": must be a number'),
    "a truth by number": ("result", put("valid", 1), "result/valid is 1: must be true or false"),
    "a reason without end": ("result", put("why_invalid", "x" * 256), "result/why_invalid is "),
    "a key too few": ("result", without("lost_frames"), "result/lost_frames is missing"),
    "a key too many": ("result", put("colour", "red"), "result/colour is not a known key"),
    "no ports": ("result", without("port"), "result/port is not a list of 1 ports"),
    "too many ports": ("result", put("ports", 17), "result/port is not a list of 17 ports, of which there can be 16"),
    "a port too few": ("result", put("port", []), "result/port is not a list of 1 ports"),
    "a port that is none": ("result", put("port", 0, 7), "result/port/0 is not an object"),
    "a port with a wrong count": ("result", put("port", 0, "rx_gaps", []), "result/port/0/rx_gaps is []: must be"),
    "bins without width": ("result", put("port", 0, "latency_histogram", [1, 0, 3]), f"result/port/0/latency_histogram is [1,0,3]: must be {BINS}"),
    "too many bins": ("result", put("port", 0, "latency_histogram", [1] * 68), "result/port/0/latency_histogram is [1,1,"),
    "bins that are texts": ("result", put("port", 0, "latency_histogram", [1, 2, "3"]), "result/port/0/latency_histogram is "),
}


class Rows(ForeignCase):
    tests = (THROUGHPUT + ";" + LIMIT,)

    def test_a_file_that_could_not_have_been_written_is_refused(self):
        for name, (sql, says) in DAMAGE.items():
            with self.subTest(name):
                with self.changed() as database:
                    database.executescript(sql)
                if name in KEPT:
                    self.left_out(says, kept=KEPT[name])
                else:
                    self.refused("run.db: ", says)

    def test_what_may_not_be_null_and_is_is_refused(self):
        with contextlib.closing(sqlite3.connect(self.path("good.db"))) as database:
            tables = {name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            columns = [(table, row[1]) for table in sorted(tables) for row in database.execute(f"PRAGMA table_info({table})")
                       if row[3] and database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]]
        self.assertGreater(len(columns), 30)
        for table, column in columns:
            with self.subTest(table=table, column=column):
                with self.changed():
                    pass
                self.replace_in_schema(table, " NOT NULL", "         ")
                with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
                    database.execute(f"UPDATE {table} SET {column} = NULL")
                    database.commit()
                self.refused("run.db: is not an fpgauge run file: it has no column " + table)
                self.replace_in_schema(table, "         ", " NOT NULL")
                self.refused(f"NULL value in {table}.{column}")

    def replace_in_schema(self, table, before, after):
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?", (before, after, table))
            database.commit()
            version = database.execute("PRAGMA schema_version").fetchone()[0]
            database.execute(f"PRAGMA schema_version = {version + 1}")

    def test_nothing_in_the_file_runs_by_itself(self):
        """A trigger on the events of a run: it would fire as soon as a resumed run writes one."""
        with self.changed() as database:
            database.execute("UPDATE run SET finished = NULL, incomplete = 'not at its end'")
            database.execute("CREATE TRIGGER evil AFTER INSERT ON session BEGIN DELETE FROM trial; END")
        self.fpgauge("resume", "run.db", "--quiet", "--allow-command")
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            self.assertGreater(database.execute("SELECT count(*) FROM session").fetchone()[0], 1)
            self.assertGreater(database.execute("SELECT count(*) FROM trial").fetchone()[0], 0)

    def test_a_text_without_end_is_refused(self):
        with self.changed() as database:
            database.execute("UPDATE plan_file SET text = printf('%.*c', 100000000, ' ')")
        self.refused("run.db: ", "too big")

    def test_trials_of_no_type_are_refused_where_they_are_read(self):
        for column, value in (("wall_s", "'long'"), ("checksum", "'x'"), ("checksum", "1"), ("request", "''"),
                              ("result", "CAST(result AS BLOB)"), ("result", "result || char(0) || ' '")):
            with self.subTest(column=column, value=value):
                with self.changed() as database:
                    ignore_columns(database)
                    database.execute(f"UPDATE trial SET {column} = {value} WHERE number = 2")
                self.not_drawn("the file is damaged: trial")

    def not_drawn(self, says):
        done = self.fpgauge("report", "run.db", "--quiet", "--html", "out/r.html")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_documents_of_a_trial_that_it_could_not_have_are_refused_with_place_and_value(self):
        """Their checksum is right: whoever makes a file can make that, too."""
        for name, (column, change, says) in TRIAL_DOCUMENTS.items():
            with self.subTest(name):
                with self.changed() as database:
                    ignore_columns(database)
                    texts = dict(zip(("request", "result"),
                                     database.execute("SELECT request, result FROM trial WHERE number = 2").fetchone()))
                    text = change(texts[column])
                    self.assertNotEqual(text, texts[column])
                    texts[column] = text
                    database.execute("UPDATE trial SET request = ?, result = ?, checksum = ? WHERE number = 2",
                                     (*texts.values(), zlib.crc32("".join(texts.values()).encode())))
                self.not_drawn(f"run.db: the file is damaged: trial 2: {says}")


class Commands(ExecTesterCase):
    """The plan in a run file names a command: whether it is started depends on whose file it is."""

    def setUp(self):
        super().setUp()
        self.write("tester.py", 'open("started", "w").close()\n' + tester_text())
        self.write("plan.cfg", plan_text([THROUGHPUT]))
        done = self.fpgauge("run", "plan.cfg", "--db", "run.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.complete = self.path("complete.db")
        shutil.copy(self.path("run.db"), self.complete)
        os.unlink(self.path("started"))
        self.change("run.db", "UPDATE run SET finished = NULL, incomplete = 'not at its end'")

    def change(self, name, sql):
        with contextlib.closing(sqlite3.connect(self.path(name))) as database:
            database.executescript(sql)

    def asks(self, name, *says):
        before = sorted(os.listdir(self.scratch))
        done = self.fpgauge("resume", name)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (WRONG_PLAN, "", 1), done.stderr)
        for text in (*says, "; to go on with it starts the command python3 -S tester.py: ", "add --allow-command"):
            self.assertIn(text, done.stderr)
        self.assertFalse(os.path.exists(self.path("started")), "the command was started")
        self.assertEqual(sorted(os.listdir(self.scratch)), before)
        done = self.fpgauge("resume", name, "--allow-command", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertTrue(os.path.exists(self.path("started")))
        os.unlink(self.path("started"))

    def test_in_its_place_it_is_started_as_ever(self):
        done = self.fpgauge("resume", "run.db", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertTrue(os.path.exists(self.path("started")))

    def test_from_another_directory_it_is_started_when_it_is_allowed(self):
        os.mkdir(self.path("elsewhere"))
        os.rename(self.path("run.db"), self.path("elsewhere/run.db"))
        self.asks("elsewhere/run.db", f"was made in {self.scratch} and lies in {self.scratch}/elsewhere now")

    def test_by_another_name_of_its_directory_it_is_the_same(self):
        os.symlink(self.scratch, self.path("link"))
        done = self.fpgauge("resume", "link/run.db", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def test_of_a_copy_in_the_same_directory_it_is_started_when_it_is_allowed(self):
        """Like a file that was sent, whose sender guessed where it would be put."""
        shutil.copy(self.path("run.db"), self.path("sent.db"))
        self.asks("sent.db", "sent.db: is a copy of the file that the run made")

    def test_where_the_file_does_not_say_it_is_started_when_it_is_allowed(self):
        self.change("run.db", "DELETE FROM origin")
        self.asks("run.db", "does not say where it was made")

    def test_of_another_users_file_it_is_started_when_it_is_allowed(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        os.chown(self.path("run.db"), 65534, 65534)
        self.asks("run.db", "run.db: belongs to another user, number 65534")

    def test_of_a_run_that_is_complete_nothing_is_started(self):
        done = self.fpgauge("resume", "complete.db", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertFalse(os.path.exists(self.path("started")))

    def test_the_command_is_shown_as_one_line(self):
        self.change("run.db", "UPDATE plan_file SET text = replace(text, '\"-S\"', '\"-S\", \"\\x20' || printf('%.*c', 700, 'x')"
                              " || '\\n\\t\"')")
        with contextlib.closing(sqlite3.connect(self.path("run.db"))) as database:
            text, = database.execute("SELECT text FROM plan_file").fetchone()
            database.execute("UPDATE plan_file SET checksum = ?", (zlib.crc32(text.encode()),))
            database.commit()
        shutil.copy(self.path("run.db"), self.path("sent.db"))
        done = self.fpgauge("resume", "sent.db", "--recorded-plan")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (WRONG_PLAN, 1), done.stderr)
        self.assertIn("xxx...: see that it may", done.stderr)
        self.assertFalse(os.path.exists(self.path("started")))

    def test_help_says_what_is_started(self):
        for command in ("check", "resume"):
            text = " ".join(self.fpgauge(command, "--help").stdout.split())
            self.assertIn("started", text)
            self.assertIn('(backend "exec")', text)


if __name__ == "__main__":
    main()
