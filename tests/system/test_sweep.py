#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sweep on this machine: bad input is refused before anything is made; whatever dies in the middle, every point is there once, as
its own run gives it; and what report and compare make of the folder."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.parse
import xml.etree.ElementTree as xml

from fpgauge_system import DONE, FPGAUGE, INVALID, IN_VAIN_S, SEED, WRONG_PLAN, main, plan_text, wait_until
from sweep_case import PLAN, SweepCase, processes_on

HTML = "{http://www.w3.org/1999/xhtml}"
VARY = ("--vary", "dut.buffer_frames=100,200", "--vary", "run[1].repetitions=20,25")
RUNS = 4

# Durable is durable, whatever the disk.
if os.access("/dev/shm", os.W_OK):
    tempfile.tempdir = "/dev/shm"


class Sweep(SweepCase):
    alone = None  # result of undisturbed()

    @contextlib.contextmanager
    def begin(self, *arguments):
        """A sweep at work; a case that fails does not wait for it."""
        with subprocess.Popen([FPGAUGE, "sweep", *arguments], cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise

    def complete(self, folder):
        """All runs of VARY are there, each by one first session."""
        files = self.run_files(folder)
        self.assertEqual([int(os.path.basename(path)[:3]) for path in files], list(range(1, RUNS + 1)))
        for path in files:
            self.assertEqual(self.sessions(path)[0], "run")
            self.assertLessEqual(set(self.sessions(path)[1:]), {"resume"})

    def undisturbed(self):
        """Reports of the same runs, each made by `fpgauge run`, once for all cases."""
        if Sweep.alone:
            return Sweep.alone
        for buffer_frames in ("100", "200"):
            for repetitions in ("20", "25"):
                done = self.fpgauge("run", "plan.cfg", "--set", f"dut.buffer_frames={buffer_frames}", "--set",
                                    f"run[1].repetitions={repetitions}", "--db", self.path(f"one-{buffer_frames}-{repetitions}.db"), "-q")
                self.assertEqual(done.returncode, DONE, done.stderr)
        os.mkdir(self.path("alone"))
        for name in os.listdir(self.scratch):
            if name.startswith("one-"):
                shutil.move(self.path(name), self.path("alone"))
        Sweep.alone = self.reports("alone")
        return Sweep.alone

    def test_every_point_is_what_a_run_with_its_settings_gives(self):
        done = self.sweep("all", *VARY, "--jobs", "2", "--json", self.path("all.json"))
        self.complete("all")
        alone = self.undisturbed()
        self.assertEqual(self.reports("all"), alone)
        self.assertIn("4 runs: 4 done, 4 of them passed (4 with remarks, see !); 0 incomplete, 0 not begun", done.stdout)
        points = self.result("all.json")["points"]
        self.assertEqual([point["settings"] for point in points],
                         [{"dut.buffer_frames": frames, "run[1].repetitions": times} for frames in ("100", "200") for times in ("20", "25")])
        for point in points:
            settings = tuple(f"{path}={value}" for path, value in point["settings"].items())
            self.assertEqual((point["state"], point["passes"]), ("done", True))
            self.assertEqual(point["results"], alone[settings]["results"])
            self.assertIn(os.path.join(self.path("all"), point["run_file"]), self.run_files("all"))

    def test_a_worker_that_dies_is_started_again_and_goes_on_with_its_run(self):
        with self.begin("plan.cfg", *VARY, "-o", "killed", "--jobs", "1") as leader:
            wait_until(lambda: self.stop_in_mid_run("killed", 2), "run 2 is in its middle", leader)
            for pid in processes_on(self.path("killed"), 2):
                os.kill(pid, signal.SIGKILL)
            out, errors = leader.communicate(timeout=IN_VAIN_S)
        self.assertEqual(leader.returncode, DONE, f"{out}\n{errors}")
        self.assertIn("run 2 was killed by signal 9 (Killed); it is started again", errors)
        self.complete("killed")
        self.assertEqual([self.sessions(path) for path in self.run_files("killed")], [["run"], ["run", "resume"], ["run"], ["run"]])
        self.assertEqual(self.reports("killed"), self.undisturbed())

    def test_ctrl_c_ends_it_and_the_same_command_goes_on(self):
        with self.begin("plan.cfg", *VARY, "-o", "stopped", "--jobs", "1") as leader:
            wait_until(lambda: self.stop_in_mid_run("stopped", 2), "run 2 is in its middle", leader)
            leader.send_signal(signal.SIGINT)
            for pid in processes_on(self.path("stopped"), 2):
                wait_until(lambda pid=pid: is_pending(pid, signal.SIGTERM), "the worker was told", leader)
                os.kill(pid, signal.SIGCONT)
            out, errors = leader.communicate(timeout=IN_VAIN_S)
        self.assertEqual(leader.returncode, INVALID, f"{out}\n{errors}")
        self.assertIn(f"interrupted; to go on: fpgauge sweep --resume {self.path('stopped')}", errors)
        self.assertIn("4 runs: 1 done, 1 of them passed (1 with remarks, see !); 1 incomplete, 2 not begun", out)
        done = self.fpgauge("report", "stopped")
        self.assertEqual(done.returncode, INVALID)
        self.sweep("stopped", *VARY)
        self.complete("stopped")
        self.assertEqual([self.sessions(path) for path in self.run_files("stopped")], [["run"], ["run", "resume"], ["run"], ["run"]])

    def test_a_second_worker_on_a_point_waits_for_the_first_and_makes_nothing_twice(self):
        self.sweep("two", *VARY, "-q")
        os.remove(self.run_files("two")[1])
        with self.begin("--resume", self.path("two"), "--point", "2") as first:
            wait_until(lambda: self.stop_in_mid_run("two", 2), "run 2 is in its middle", first)
            with self.begin("--resume", self.path("two"), "--point", "2") as second:
                wait_until(lambda: awaits_lock(self.path("two/sweep.lock")), "the second waits", second)
                first.send_signal(signal.SIGCONT)
                for worker in (first, second):
                    _, errors = worker.communicate(timeout=IN_VAIN_S)
                    self.assertEqual(worker.returncode, DONE, errors)
        self.assertEqual([self.sessions(path) for path in self.run_files("two")], [["run"]] * RUNS)

    def test_a_worker_goes_on_after_the_death_of_its_leader_and_the_next_leader_makes_nothing_twice(self):
        command = ["nohup", FPGAUGE, "sweep", "plan.cfg", *VARY, "-o", "orphan", "--jobs", "1", "-q"]
        with subprocess.Popen(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as leader:
            wait_until(lambda: self.stop_in_mid_run("orphan", 2), "run 2 is in its middle", leader)
            pids = processes_on(self.path("orphan"), 2)
            leader.kill()
            leader.wait(IN_VAIN_S)
        for pid in pids:  # the kernel may have done so: nobody else can wake the orphans of a process group
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        done = self.fpgauge("sweep", "--resume", "orphan")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.complete("orphan")
        self.assertEqual(self.sessions(self.run_files("orphan")[1]), ["run"])

    def test_what_is_no_complete_run_of_its_point_does_not_count(self):
        self.sweep("files", *VARY)
        files = self.run_files("files")
        os.truncate(files[0], 0)
        shutil.copy(files[3], files[1])
        with open(files[2], "r+b") as file:
            file.seek(4096)
            file.write(random.Random(SEED).randbytes(os.path.getsize(files[2]) - 4096))
        report = self.fpgauge("report", "files", "--json", "-")
        states = [point["state"] for point in json.loads(report.stdout)["points"]]
        self.assertEqual((report.returncode, states), (INVALID, ["not begun", "not of this sweep", "damaged", "done"]))
        done = self.fpgauge("sweep", "--resume", "files")
        self.assertIn("holds another run than that of dut.buffer_frames=100, run[1].repetitions=25: move it away", done.stderr)
        self.assertIn(f"that file is kept as {files[2]}.damaged", done.stderr)
        self.assertNotEqual(done.returncode, DONE)
        os.remove(files[1])
        self.assertEqual(self.fpgauge("sweep", "--resume", "files", "--quiet").returncode, DONE)
        self.complete("files")
        self.assertEqual(self.reports("files"), self.undisturbed())

    def test_two_leaders_of_one_sweep_are_one_too_many(self):
        with self.begin("plan.cfg", *VARY, "-o", "two", "--jobs", "1") as leader:
            wait_until(lambda: self.stop_in_mid_run("two", 1), "run 1 is in its middle", leader)
            done = self.fpgauge("sweep", "--resume", "two")
            self.assertEqual((done.returncode, done.stdout), (WRONG_PLAN, ""))
            self.assertIn("another fpgauge works on this sweep", done.stderr)
            for pid in processes_on(self.path("two"), 1):
                os.kill(pid, signal.SIGCONT)
            leader.communicate(timeout=IN_VAIN_S)
        self.complete("two")

    def test_one_point_can_be_made_by_itself(self):
        with self.begin("plan.cfg", *VARY, "-o", "point", "--jobs", "1") as leader:
            wait_until(lambda: self.stop_in_mid_run("point", 1), "run 1 is in its middle", leader)
            self.assertEqual(self.fpgauge("sweep", "--resume", "point", "--point", "4").returncode, DONE)
            for pid in processes_on(self.path("point"), 1):
                os.kill(pid, signal.SIGCONT)
            leader.communicate(timeout=IN_VAIN_S)
        self.complete("point")
        self.assertEqual([self.sessions(path) for path in self.run_files("point")], [["run"]] * 4)
        done = self.fpgauge("sweep", "--resume", "point", "--point", "5")
        self.assertEqual((done.returncode, done.stderr.strip()),
                         (WRONG_PLAN, f"fpgauge sweep: --point 5: must be 1 to 4, the runs of {self.path('point')}"))

    def test_a_wrong_path_or_value_is_refused_before_the_first_run(self):
        for vary, said in (
                ("dut.buffer_frames=64,abc",
                 "run 2 of 2: --set dut.buffer_frames=abc: dut.buffer_frames = abc: not a number: must be 1 to 65536"),
                ("dut.bufer_frames=1,2", "run 1 of 2: --set dut.bufer_frames=1: dut.bufer_frames = 1: no such setting here; did you mean"),
                ("run[0].frame_sizes=[64],[65,1]", "run 2 of 2: --set run[0].frame_sizes=[65,1]: frame_sizes[1] = 1: must be 64 to 9216"),
                ("run[2].resolution=1%", "run 1 of 1: --set run[2].resolution=1%: [2]: the list has 2 elements"),
                ("link.speed=100G,900G", "run 2 of 2: --set link.speed=900G: link.speed = \"900G\": must be 10M to 800G"),
                ("dut.buffer_frames=1,", "--vary dut.buffer_frames=1,: a value is missing"),
                ("dut=1,2", "run 1 of 2: --set dut=1: dut = 1: must be a group")):
            with self.subTest(vary):
                self.assertIn(f"fpgauge sweep: {said}", self.refused("plan.cfg", "--vary", vary, "-o", "none"))

    def test_arguments_that_contradict_one_another_are_refused(self):
        vary = ("--vary", "dut.buffer_frames=1,2")
        for arguments, said in (
                (("plan.cfg",), "--vary must be given"),
                (vary, "the PLAN is missing"),
                (("plan.cfg", *vary, *vary), "is varied by --vary dut.buffer_frames already"),
                (("plan.cfg", *vary, "--set", "dut.buffer_frames=3"), "contradicts the setting dut.buffer_frames=3"),
                (("plan.cfg", *vary, "--device", "twin", "--vary", "device.library=twin,rtl"), "contradicts the setting device.library"),
                (("plan.cfg", *vary, "--point", "1"), "--point: must be given with --resume DIR"),
                (("plan.cfg", *vary, "--wait"), "--wait: must be given with --slurm"),
                (("plan.cfg", *vary, "--slurm-option=-v"), "--slurm-option: must be given with --slurm"),
                (("plan.cfg", *vary, "--jobs", "0"), "--jobs 0: must be 1 to 256"),
                (("plan.cfg", "--resume", "x"), "has plan, settings and folder"),
                (("--resume", "none"), "none: is not the folder of a sweep"),
                (("plan.cfg", "--vary", "dut.buffer_frames=" + ",".join(map(str, range(1, 1002)))), "at most 1000 values"),
                (("--preset", "rfc2544", *vary), "--device must be given"),
                (("--preset", "nothing", *vary), "--preset nothing: must be one of")):
            with self.subTest(said):
                self.assertIn(said, self.refused(*arguments))

    def test_a_folder_with_something_else_in_it_is_left_alone(self):
        self.sweep("first", "--vary", "dut.buffer_frames=100,200", "-q")
        self.assertIn("first: holds another sweep: --vary dut.buffer_frames=200 there, dut.buffer_frames=300 here",
                      self.refused("plan.cfg", "--vary", "dut.buffer_frames=100,300", "-o", "first"))
        self.write("plan.cfg", PLAN + "# \n")
        self.assertIn("the plan is plan.cfg there, another one, or was changed here",
                      self.refused("plan.cfg", "--vary", "dut.buffer_frames=100,200", "-o", "first"))
        self.assertIn("is not the folder of a sweep, and not empty",
                      self.refused("plan.cfg", "--vary", "dut.buffer_frames=100,200", "-o", "."))

    def test_a_sweep_that_was_moved_goes_on_only_when_told_that_it_may(self):
        self.sweep("here", "--vary", "dut.buffer_frames=100,200", "-q")
        os.rename(self.path("here"), self.path("there"))
        os.remove(self.run_files("there")[1])
        self.assertIn("its plan may start commands", self.refused("--resume", "there"))
        done = self.fpgauge("sweep", "--resume", "there", "--allow-command")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(len(self.run_files("there")), 2)

    def test_a_preset_can_be_swept_and_gone_on_with(self):
        done = self.fpgauge("sweep", "--preset", "rfc2544", "--device", "twin", "--set", "run[0].trial_duration=1ms", "--set",
                            "run[0].frame_sizes=[64]", "--set", "run[1].frame_sizes=[64]", "--set", "run[5].frame_sizes=[64]", "--vary", "run[0].resolution=1%,2%", "-o", "preset")
        self.assertIn(done.returncode, (DONE, INVALID), done.stderr)
        again = self.fpgauge("sweep", "--resume", "preset")
        self.assertEqual(again.returncode, done.returncode, again.stderr)
        self.assertEqual([self.sessions(path) for path in self.run_files("preset")], [["run"]] * 2)

    def test_compare_matches_points_by_their_settings(self):
        self.sweep("base", "--vary", "dut.buffer_frames=100,200,300", "-q")
        self.sweep("new", "--vary", "dut.buffer_frames=300,200,400", "--set", "dut.service_fps=30M", "-q")
        done = self.fpgauge("compare", "base", "base", "--json", self.path("same.json"))
        self.assertEqual((done.returncode, self.result("same.json")["only_new"]), (DONE, 0), done.stderr)
        self.assertEqual([point["verdict"] for point in self.result("same.json")["points"]], ["same or better"] * 3)
        done = self.fpgauge("compare", "base", "new", "--json", self.path("worse.json"))
        points = self.result("worse.json")["points"]
        self.assertEqual((done.returncode, self.result("worse.json")["only_new"]), (INVALID, 1))
        self.assertEqual([(point["base"], point["new"], point["verdict"]) for point in points],
                         [(1, None, "missing"), (2, 2, "worse"), (3, 1, "worse")])
        self.assertIn("3 runs of BASE: 0 the same or better, 0 unclear, 2 worse, 0 not done in NEW, 1 missing there", done.stdout)
        os.remove(self.run_files("new")[1])
        done = self.fpgauge("compare", "base", "new", "--json", "-")
        self.assertEqual(json.loads(done.stdout)["points"][1]["verdict"], "not done")
        for option in ("--junit", "--markdown"):
            self.assertEqual(self.fpgauge("compare", "base", "new", option, "x").returncode, WRONG_PLAN)
        self.assertIn("so must be what it is compared with", self.fpgauge("compare", "base", self.run_files("new")[0]).stderr)

    def test_a_sweep_says_of_its_results_what_the_reports_of_its_runs_say(self):
        """A buffer that holds the overload of the whole trial: the throughput may be too high, and its flag says so."""
        plan = self.write("flag.cfg", plan_text(['test = "throughput"; frame_sizes = [64]; trial_duration = "200us"; resolution = "1%"; '
                                                 'settle = "0s"; drain = "1ms"'], library="twin",
                                                dut='model = "fifo"; buffer_frames = 100; service_fps = "80%"; latency_ns = 800'))
        done = self.fpgauge("sweep", plan, "--vary", "dut.buffer_frames=100,5000", "-o", "flagged")
        self.assertEqual(done.returncode, DONE, done.stderr)
        words = []
        for path in self.run_files("flagged"):
            report = self.fpgauge("report", path).stdout
            word, = re.findall(r"^ +64  .* {2}(yes|yes, see !|INVALID)$", report, re.M)
            words.append(word)
            for line in re.findall(r"^  ! (.*)$", report, re.M):
                self.assertIn(f"  ! run 2, throughput, {line}\n", done.stdout)
        self.assertEqual(words, ["yes", "yes, see !"])
        self.assertEqual(re.findall(r"throughput_fps  (.*)$", done.stdout, re.M), words)
        self.assertIn("2 done, 2 of them passed (1 with remarks, see !)", done.stdout)
        tree, (rows,) = self.page("flagged", "flagged.html", DONE)
        self.assertEqual([row[-1] for row in rows], ["passed", "passed, see remarks"])
        flag, = json.loads(self.fpgauge("report", "flagged", "--json", "-").stdout)["points"][1]["results"][0]["flags"]
        self.assertIn(flag, "\n".join("".join(one.itertext()) for one in tree.iter(f"{HTML}li")))

    def page(self, folder, name, expect):
        """(tree, [[cells of a row, ...] of a table, ...]) of a page of a sweep."""
        environment = self.environment
        self.environment = {"PATH": self.scratch}  # a path without gnuplot
        done = self.fpgauge("report", folder, "--html", name, "-q")
        self.environment = environment
        self.assertEqual((done.returncode, done.stderr), (expect, ""))
        tree = xml.parse(self.path(name)).getroot()
        tables = [[["".join(cell.itertext()) for cell in row] for row in table.findall(f"{HTML}tbody/{HTML}tr")] for table in tree.iter(f"{HTML}table")]
        return tree, tables

    def test_the_page_of_a_sweep_has_every_value_names_what_failed_and_links_to_what_was_written(self):
        limit = PLAN.replace('resolution = "1%";', 'resolution = "1%"; require = { throughput_fps = "35M"; };')
        self.write("plan.cfg", limit.replace("frame_sizes = [64]", "frame_sizes = [64, 128]", 1))
        self.sweep("all", "--vary", "dut.service_fps=30M,40M", "--vary", "run[1].repetitions=2,3", "-q", expect=INVALID)
        report = json.loads(self.fpgauge("report", "all", "--json", "-").stdout)
        written = report["points"][2]["run_file"].replace(".db", ".html")
        self.write(f"all/{written}", "<html/>")
        tree, tables = self.page("all", "all/index.html", INVALID)
        self.assertEqual(len(tables), 2)
        columns = (("throughput", "throughput_fps", (64, 128)), ("back_to_back", "average_frames", (64,)))
        for (test, key, sizes), rows in zip(columns, tables):
            self.assertEqual([row[:3] for row in rows], [[str(i + 1), fps, n] for i, (fps, n) in enumerate((f, r) for f in ("30M", "40M") for r in "23")])
            for point, row in zip(report["points"], rows):
                results = {one["frame_octets"]: one for one in point["results"] if one["test"] == test}
                for octets, cell in zip(sizes, row[3:-1], strict=True):
                    shown = cell.replace("\u202f", "").split()
                    self.assertAlmostEqual(float(shown[0]), results[octets][key], delta=0.06)
                    self.assertEqual(shown[1:], ["FAIL"] if results[octets]["verdict"] == "fail" else
                                     ["see", "remarks"] if results[octets]["flags"] else [])
                remarks = ", see remarks" if any(one["flags"] for one in point["results"]) else ""
                self.assertEqual(row[-1], "passed" + remarks if point["passes"] else "failed")
        digits = [float(one.get("value")) for one in tree.iter(f"{HTML}data")]
        self.assertEqual(sorted(digits), sorted(one[key] for point in report["points"] for one in point["results"] for test, key, _ in columns
                                                if one["test"] == test))
        links = {one.get("href") for one in tree.iter(f"{HTML}a")}
        self.assertEqual(links, {"#summary", "#test1", "#test2", written})
        self.assertEqual([a for a in tree.iter(f"{HTML}a") if a.get("href") == written][0].text, "3")
        text = "\n".join("".join(one.itertext()) for one in tree.iter(f"{HTML}li"))
        self.assertEqual(text.count("a limit of the plan is missed"), 4)
        self.assertIn("run 1, dut.service_fps=30M, run[1].repetitions=2: Throughput, 64 octets: a limit of the plan is missed", text)
        with open(self.path("all/index.html"), encoding="utf-8") as file:
            self.assertNotIn("http:", file.read().replace('xmlns="http://www.w3.org/1999/xhtml"', ""))

    def test_the_page_of_a_sweep_that_is_not_done_says_which_runs_are_missing_and_finds_reports_from_elsewhere(self):
        self.sweep("a & b", "--vary", "dut.buffer_frames=100,200,300", "-q")
        first, second, third = self.run_files("a & b")
        os.remove(second)
        with open(third, "r+b") as file:
            file.write(b"no database")
        self.write(os.path.join("a & b", os.path.basename(first).replace(".db", ".html")), "<html/>")
        tree, tables = self.page("a & b", "page.html", INVALID)
        self.assertEqual([[row[0], row[-1]] for row in tables[0]], [["1", "passed, see remarks"], ["2", "not begun"], ["3", "not of this sweep"]])
        self.assertEqual(tables[0][1][2:-1], ["-"])
        self.assertEqual(["".join(one.itertext())[:40] for one in tree.iter(f"{HTML}li")][:2],  # the rest are remarks
                         ["run 2, dut.buffer_frames=200: not begun", "run 3, dut.buffer_frames=300: not of thi"])
        target = next(a.get("href") for a in tree.iter(f"{HTML}a") if not a.get("href").startswith("#"))
        self.assertEqual(urllib.parse.unquote(target), os.path.realpath(first).replace(".db", ".html"))
        self.assertEqual(next(one for one in tree.iter(f"{HTML}div") if one.get("data-verdict")).get("data-verdict"), "NOT DONE")

    def test_report_of_a_sweep_refuses_the_forms_of_one_run(self):
        self.sweep("all", "--vary", "dut.buffer_frames=100", "-q")
        for option in ("--csv", "--junit", "--pdf"):
            done = self.fpgauge("report", "all", option, "x")
            self.assertEqual(done.returncode, WRONG_PLAN)
            self.assertIn(f"{option}: is made of one run", done.stderr)


def awaits_lock(path):
    """Whether somebody waits for a lock on a file."""
    with open("/proc/locks", encoding="ascii") as file:
        return any("->" in line and f":{os.stat(path).st_ino} " in line for line in file)


def is_pending(pid, number):
    """Whether a process that is stopped has a signal to take once it goes on."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        masks = [int(line.split()[1], 16) for line in file if line.startswith(("SigPnd:", "ShdPnd:"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


if __name__ == "__main__":
    main()
