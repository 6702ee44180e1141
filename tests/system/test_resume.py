#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing measured is lost: the program is killed at random moments of a run, resumes, and reports what an undisturbed
run reports, except for times. FPGAUGE_KILLS says how often (60; 200 in tools/test --long), FPGAUGE_TEST_SEED reproduces the
moments."""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from fpgauge_system import (DONE, FPGAUGE, IN_VAIN_S, INVALID, LONG, SEED, SystemCase, WRONG_DEVICE, WRONG_PLAN, events_of, fifo, main,
                            plan_text, wait_until)

KILLS = int(os.environ.get("FPGAUGE_KILLS", "200" if LONG else "60"))

# A kill is a kill, whatever the disk: in memory, there is time for many.
if os.access("/dev/shm", os.W_OK):
    tempfile.tempdir = "/dev/shm"

DUT = fifo(20, "70M")
PLAN = plan_text(['test = "throughput"; frame_sizes = [64, 128]; trial_duration = "20us"; resolution = "1%"',
                  'test = "back_to_back"; frame_sizes = [64]; repetitions = 3; max_burst = "20us"; first_burst = 16;'
                  ' search = "loss_verification"'], DUT)
# Ctrl-C will find this one at work: a minute at 100 Gb/s takes hours to simulate.
LONG = PLAN.replace("\n);", ',\n  { test = "throughput"; frame_sizes = [256]; trial_duration = "60s" }\n);')
TIMES = ("started", "finished")


def without_times(report):
    return {key: value for key, value in report.items() if key not in TIMES}


def rows(path, query):
    """Rows of a run file, read like any SQLite database."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


# Columns of what was asked and counted. Device times start over when a device is reopened, and no result depends on them.
TRIALS = ("SELECT number, kind, frame_octets, load_fps_numerator, load_fps_denominator, burst_frames, offered_frames, "
          "received_frames, lost_frames, latency_min_ot, latency_max_ot FROM trial ORDER BY number")
# Every octet of a trial, by its checksum, and when it was made.
SEALS = "SELECT number, checksum, started FROM trial ORDER BY number"


class Resume(SystemCase):
    def setUp(self):
        super().setUp()
        self.plan = self.write("plan.cfg", PLAN)

    def undisturbed(self, *arguments):
        """(report without times, rows of trials, seconds) of a run that nobody kills."""
        began = time.monotonic()
        done = self.fpgauge("run", self.plan, *arguments, "--db", self.path("calm.db"), "--json", self.path("calm.json"),
                            "--quiet")
        took_s = time.monotonic() - began
        self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "", ""))
        return without_times(self.result("calm.json")), rows(self.path("calm.db"), TRIALS), took_s

    def trials_on_disk(self):
        """Trials on disk of the program that is writing its events."""
        return sum(event["event"] == "step" for event in events_of(self.path("events")))

    def killed(self, trials, after_s, *arguments):
        """Starts fpgauge and kills it that long after that many trials are on the disk; false if it was done before.
        Trials and not only time, so that a busy machine has as many of them at the kill as an idle one."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path("events"))
        with subprocess.Popen([FPGAUGE, *arguments, "--events", "events"], cwd=self.scratch, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            while self.trials_on_disk() < trials and run.poll() is None:
                time.sleep(0.001)
            time.sleep(after_s)
            run.kill()
            run.communicate()
            return run.returncode == -signal.SIGKILL

    def test_killed_at_random_moments_a_run_goes_on_and_ends_as_if_nothing_had_been(self):
        # If it has been built, the twin is as good here and takes less time, so the run may be longer.
        twin = ("--set", "device.library=twin", "--set", "run[1].repetitions=40")
        library = twin if self.fpgauge("check", self.plan, *twin).returncode == DONE else ()
        calm, calm_trials, took_s = self.undisturbed(*library)
        choice = random.Random(SEED)
        some_trials_s = 4 * took_s / len(calm_trials)
        kills = again = kept = 0
        while kills < KILLS:
            name = self.path(f"run{kills}.db")
            said = f"kill {kills}"
            if not self.killed(choice.randrange(len(calm_trials)), choice.uniform(0, some_trials_s), "run", self.plan,
                               *library, "--db", name, "--quiet"):
                continue  # too late: the run was over
            kills += 1
            begun = os.path.exists(name) and os.path.getsize(name) > 0
            refused = self.fpgauge("report", name, "--quiet").returncode == WRONG_PLAN
            if not begun or refused:
                # It was killed before there was anything to lose: it says so, and makes nothing up.
                done = self.fpgauge("resume", name)
                self.assertEqual(done.returncode, WRONG_PLAN, said)
                self.assertRegex(done.stderr, "No such file|no run is in it|not an fpgauge run file", said)
                continue
            self.assertEqual(rows(name, TRIALS), calm_trials[:len(rows(name, TRIALS))], said)
            before = rows(name, SEALS)
            while choice.random() < 0.3 and self.killed(choice.randrange(len(calm_trials) - len(before) + 1),
                                                        choice.uniform(0, some_trials_s), "resume", name, "--quiet"):
                kills += 1
                again += 1
                self.fpgauge("report", name, "--quiet")  # plays back what a kill at the last moment left
                after = rows(name, SEALS)
                self.assertEqual(after[:len(before)], before, f"{said}: a trial was lost or changed")
                before = after
            kept += len(before)
            done = self.fpgauge("resume", name, "--quiet", "--json", self.path("resumed.json"))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (DONE, "", ""), said)
            self.assertEqual(without_times(self.result("resumed.json")), calm, said)
            self.assertEqual(rows(name, TRIALS), calm_trials, said)
            self.assertEqual(rows(name, SEALS)[:len(before)], before, f"{said}: a trial was lost or changed")
            done = self.fpgauge("report", name, "--quiet", "--json", self.path("reported.json"))
            self.assertEqual(self.result("reported.json"), self.result("resumed.json"), said)
            os.unlink(name)
        # It would prove nothing if every kill had come before the first trial.
        self.assertGreater(kept, kills)
        print(f"{kills} kills, {again} of them of a resumed run; {kept} trials kept; {library[1:] or 'rtl'}")

    def test_a_run_that_was_stopped_by_the_user_goes_on(self):
        calm, calm_trials, _ = self.undisturbed()
        long = self.write("long.cfg", LONG)
        with subprocess.Popen([FPGAUGE, "run", long, "--db", self.path("long.db"), "--quiet", "--events", "events"],
                              cwd=self.scratch, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            wait_until(lambda: any(event["event"] == "live" and event["frame_octets"] == 256
                                   for event in events_of(self.path("events"))), "the long test runs", run)
            run.send_signal(signal.SIGINT)
            _, complaint = run.communicate(timeout=IN_VAIN_S)
        stopped = "stopped by the user in trial 1 of throughput of 256 octets; bounds so far: lower none, upper none"
        warning, _, complaint = complaint.partition("\n")
        self.assertIn("warning: this may take long", warning)
        self.assertEqual((run.returncode, complaint),
                         (INVALID, f"fpgauge run: {stopped}; to go on: fpgauge resume {self.path('long.db')}\n"))
        done = self.fpgauge("report", "long.db", "--quiet", "--json", "long.json")
        self.assertEqual(done.returncode, INVALID)
        report = self.result("long.json")
        self.assertEqual(report["incomplete"], stopped)
        self.assertEqual(report["results"][:len(calm["results"])], calm["results"])
        self.assertEqual(rows(self.path("long.db"), TRIALS), calm_trials)
        self.assertEqual(os.listdir(self.scratch).count("long.db-wal"), 0, "a file at rest is one file")

        with subprocess.Popen([FPGAUGE, "resume", "long.db", "--quiet"], cwd=self.scratch, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as run:
            wait_until(lambda: len(rows(self.path("long.db"), "SELECT command FROM session")) == 2, "it has the file", run)
            # Two at once would turn one file into two.
            second = self.fpgauge("resume", "long.db", "--quiet")
            reader = self.fpgauge("report", "long.db", "--quiet")
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=IN_VAIN_S)
        self.assertEqual(second.stderr, "fpgauge resume: long.db: is in use by another run of fpgauge\n")
        self.assertEqual(second.returncode, WRONG_PLAN)
        self.assertEqual((reader.returncode, reader.stderr), (INVALID, ""), "a run in progress can be reported")
        self.assertEqual(rows(self.path("long.db"), TRIALS), calm_trials)
        self.assertEqual([row[0] for row in rows(self.path("long.db"), "SELECT command FROM session")], ["run", "resume"])

    def test_a_run_that_is_complete_is_only_reported(self):
        calm, calm_trials, _ = self.undisturbed()
        with open(self.path("calm.db"), "rb") as file:
            before = file.read()
        done = self.fpgauge("resume", "calm.db", "--quiet", "--json", "again.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(without_times(self.result("again.json")), calm)
        self.assertEqual(rows(self.path("calm.db"), "SELECT count(*) FROM session"), [(1,)])
        done = self.fpgauge("report", "calm.db", "--quiet")
        with open(self.path("calm.db"), "rb") as file:
            self.assertEqual(file.read(), before, "a report changed the file")
        self.assertEqual(len(calm_trials), sum(result["trials"] for result in calm["results"]))


class Refusal(SystemCase):
    """What does not belong together is not combined; the file stays as it was."""

    def setUp(self):
        super().setUp()
        self.plan = self.write("plan.cfg", PLAN)
        done = self.fpgauge("run", self.plan, "--db", "run.db", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        with open(self.path("run.db"), "rb") as file:
            self.complete = file.read()
        self.unfinish("run.db")

    def unfinish(self, name, trials=5):
        """A run file as a crash after some trials leaves it."""
        with sqlite3.connect(self.path(name)) as database:
            database.execute("UPDATE run SET finished = NULL, incomplete = 'not at its end'")
            database.execute("DELETE FROM result")
            database.execute("DELETE FROM trial WHERE number > ?", (trials,))

    def refused(self, *arguments, code=WRONG_PLAN, says):
        """One line that contains all of it, this exit code, and the same trials as before."""
        before = rows(self.path("run.db"), TRIALS)
        done = self.fpgauge(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertIn(len(lines), (1, 2), done.stderr)
        for text in says:
            self.assertIn(text, lines[-1])
        self.assertEqual(rows(self.path("run.db"), TRIALS), before)
        return done

    def test_another_plan_is_refused_with_both_named(self):
        self.write("plan.cfg", PLAN.replace("repetitions = 3", "repetitions = 4"))
        self.refused("resume", "run.db", says=("run.db", "plan.cfg as it was", "plan.cfg:6 is another plan by now"))
        done = self.fpgauge("resume", "run.db", "--recorded-plan", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)

    def test_an_included_file_is_part_of_the_plan(self):
        part = PLAN.splitlines(keepends=True)
        self.write("dut.cfg", part[2])
        self.write("whole.cfg", "".join(part[:2]) + '@include "dut.cfg"\n' + "".join(part[3:]))
        self.assertEqual(self.fpgauge("run", "whole.cfg", "--db", "whole.db", "--quiet").returncode, DONE)
        self.unfinish("whole.db")
        self.write("dut.cfg", part[2].replace("70M", "71M"))
        self.refused("resume", "whole.db", says=("whole.db", "dut.cfg:1 is another plan by now"))
        # The recorded text replaces files that are gone.
        os.unlink(self.path("dut.cfg"))
        os.unlink(self.path("whole.cfg"))
        done = self.fpgauge("resume", "whole.db", "--quiet", "--json", "whole.json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(len(self.result("whole.json")["results"]), 3)

    def test_another_device_is_refused_with_both_named(self):
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("UPDATE run SET tester = replace(tester, 'sim rtl', 'card 0000:3b:00.1')")
        self.refused("resume", "run.db", code=WRONG_DEVICE, says=("card 0000:3b:00.1", "sim rtl"))

    def test_another_register_map_is_refused_with_both_named(self):
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("UPDATE run SET tester = json_set(tester, '$.regmap', '1:0x12345678')")
        self.refused("resume", "run.db", code=WRONG_DEVICE, says=("1:0x12345678", "this device is", "sim rtl"))

    def test_a_trial_that_this_program_would_not_run_is_refused_with_both_named(self):
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("INSERT INTO plan_override (text) VALUES ('run[0].trial_duration=30us')")
        self.refused("resume", "run.db", "--quiet", says=("trial 1", "duration_ot = 250000 is recorded, 375000 is asked for"))

    def test_a_run_does_not_write_over_another(self):
        self.refused("run", self.plan, "--db", "run.db", says=("run.db: holds the run of", "plan.cfg", "new file"))
        self.write("notes.txt", "not a database, but somebody's")
        self.refused("run", self.plan, "--db", "notes.txt", says=("notes.txt", "is not a run file"))

    def test_a_copy_whose_plan_loads_or_writes_a_file_asks(self):
        self.fpgauge("devices", "--json", "devices.json")
        library = self.only({"results": self.result("devices.json")["devices"]}, name="sim:rtl")["what"].split(" ", 1)[1]
        for plan, says in ((PLAN.replace('library = "rtl"', f'library = "{library}"'), f"loads the library {library}"),
                           (PLAN + 'trial_log = "victim";\n', "writes the file victim"),
                           (PLAN.replace('library = "rtl"', 'library = "rtl"; capture = "victim"'), "writes the file victim")):
            with self.subTest(says):
                self.write("other.cfg", plan)
                done = self.fpgauge("run", "other.cfg", "--db", "other.db", "--quiet")
                self.assertEqual(done.returncode, DONE, done.stderr)
                self.unfinish("other.db")
                shutil.copy(self.path("other.db"), self.path("copy.db"))
                self.write("victim", "somebody's")
                done = self.fpgauge("resume", "copy.db")
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (WRONG_PLAN, "", 1), done.stderr)
                self.assertIn(f"copy.db: is a copy of the file that the run made; to go on with it {says}: ", done.stderr)
                with open(self.path("victim"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "somebody's")
                for arguments in (("copy.db", "--allow-command"), ("other.db",)):
                    done = self.fpgauge("resume", *arguments, "--quiet")
                    self.assertEqual((done.returncode, done.stderr), (DONE, ""))
                os.unlink(self.path("other.db"))

    def test_a_trial_that_changed_on_the_disk_is_no_measurement(self):
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("UPDATE trial SET result = json_set(result, '$.received_frames', received_frames - 1) WHERE number = 3")
        self.refused("resume", "run.db", "--quiet", says=("the file is damaged", "trial 3"))

    def test_a_number_of_trials_that_cannot_be_is_refused(self):
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("DELETE FROM trial WHERE number = 3")
        self.refused("resume", "run.db", says=("the file is damaged", "4 trials, the last of which is number 5"))

    def test_a_death_in_the_middle_of_opening_or_closing_is_played_back(self):
        # A hot rollback journal, as the change to or from WAL leaves it: half of a transaction is in the file.
        with contextlib.closing(sqlite3.connect(self.path("run.db"), isolation_level=None)) as database:
            for pragma in ("journal_mode = delete", "cache_size = 1"):
                database.execute("PRAGMA " + pragma)
            database.execute("BEGIN")
            database.execute("UPDATE trial SET started = 'half ' || started, wall_s = -1, checksum = 0")
            database.execute("UPDATE run SET tool = 'half written'")
            for suffix in ("", "-journal"):
                shutil.copy(self.path("run.db" + suffix), self.path("hot.db" + suffix))
            database.execute("ROLLBACK")
        with open(self.path("hot.db"), "rb") as file:
            self.assertIn(b"half ", file.read(), "nothing of it was written: the case shows nothing")
        done = self.fpgauge("report", "hot.db", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (INVALID, ""))
        self.assertEqual(rows(self.path("hot.db"), SEALS), rows(self.path("run.db"), SEALS))

    def test_a_newer_schema_is_refused_with_both_versions(self):
        with sqlite3.connect(self.path("run.db")) as database:
            database.execute("PRAGMA user_version = 99")
        for command in ("report", "resume"):
            self.refused(command, "run.db", says=("run.db", "schema version 99", "reads version 1:", "newer fpgauge"))

    def test_damaged_and_foreign_files_are_refused(self):
        whole = self.complete
        choice = random.Random(SEED)
        page = choice.randrange(2, len(whole) // 4096)
        garbage = bytes(choice.randrange(256) for _ in range(4096))
        damaged = {
            "cut.db": whole[:len(whole) // 2 + 1000],
            "overwritten.db": whole[:page * 4096] + garbage + whole[(page + 1) * 4096:],
            "header.db": bytes(100) + whole[100:],
            "empty.db": b"",
        }
        for name, content in damaged.items():
            for command in ("report", "resume"):
                with self.subTest(f"{command} {name}"):
                    self.write(name, content)
                    done = self.fpgauge(command, name)
                    self.assertEqual(done.returncode, WRONG_PLAN, done.stderr)
                    self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), done.stderr)
                    self.assertRegex(done.stderr, f"^fpgauge {command}: {name}: .*(damaged|no run is in it)")
                    with open(self.path(name), "rb") as file:
                        self.assertEqual(file.read(), content, "a damaged file is left as it is, for those who repair it")
        text = b"this is a text and no database at all; it is long enough to be taken for one\n"
        for name, content, says in (("text.db", 20 * text, ": is not an fpgauge run file"),
                                    ("short.txt", b"x", ": is not an fpgauge run file"),
                                    ("plan.cfg", PLAN.encode(), "a plan: `fpgauge run plan.cfg` runs it"),
                                    ("plan", PLAN.encode(), "a plan: `fpgauge run plan` runs it"),
                                    ("wrong.cfg", b"device = {\n", "a plan: `fpgauge run wrong.cfg` runs it")):
            self.write(name, content)
            for command in ("report", "resume"):
                done = self.refused(command, name, says=(name, says))
                self.assertNotIn("damaged", done.stderr)
        with sqlite3.connect(self.path("other.db")) as database:
            database.execute("CREATE TABLE addresses (name)")
        self.refused("report", "other.db", says=("other.db", "not an fpgauge run file"))
        self.refused("report", "nowhere.db", says=("nowhere.db", "No such file"))
        self.refused("resume", self.scratch, says=(self.scratch, "directory"))


if __name__ == "__main__":
    main()
