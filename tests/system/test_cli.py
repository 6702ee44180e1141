#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line from outside: wrong arguments and plans end before any trial, with the exit code and the one line on
standard error that they deserve. Needs no working device; FPGAUGE names the program."""
import os
import re
import subprocess
import sys
import tempfile

PLAN = 'device = { backend = "sim"; library = "%s"; };\nrun = ({ test = "throughput"; frame_sizes = [64]; });\n'
COMMANDS = "run, resume, report, compare, trend, sweep, check, devices, selftest, send, watch, clock, sim-build, help or version"

# arguments, exit code, standard error
CASES = [
    (["rnu"], 2, f"fpgauge: rnu: unknown command; must be {COMMANDS}\n"),
    (["run", "missing.cfg"], 2, "fpgauge run: missing.cfg: cannot be read: No such file or directory\n"),
    (["check", "missing.cfg"], 2, "fpgauge check: missing.cfg: cannot be read: No such file or directory\n"),
    (["run", "."], 2, "fpgauge run: .: cannot be read: Is a directory\n"),
    (["run", "good.cfg", "--json", "none/x.json"], 2,
     "fpgauge run: --json none/x.json: cannot be written: No such file or directory\n"),
    (["run", "good.cfg", "--json", "."], 2, "fpgauge run: --json .: cannot be written: Is a directory\n"),
    (["run", "good.cfg", "--set", "run[0].settle=2"], 2,
     "fpgauge run: --set run[0].settle=2: settle = 2: must be a time with its unit, 0s to 604800s\n"),
    (["check", "good.cfg", "--set", "run[0].frame_size=[64]"], 2,
     '--set run[0].frame_size=[64]: frame_size = [...]: unknown key; did you mean "frame_sizes"?\n'),
    (["run", "corrupt.cfg"], 2,
     "fpgauge run: corrupt.cfg:3: buffer_frames = 4294967296: must be -2147483648 to 2147483647 "
     "(write larger numbers as text, in quotes)\n"),
    (["run", "syntax.cfg"], 2, "syntax.cfg:1: syntax error at or before: device { };\n"),
    (["help", "nothing"], 2,
     "fpgauge help: nothing: no such topic; must be run, resume, report, compare, trend, sweep, check, devices, selftest, send, watch, clock, sim-build, help, version, plan, results, results-schema or options\n"),
]
# arguments, a text that standard error has
USAGE = [
    ([], "a command is missing"),
    (["run"], "the PLAN is missing"),
    (["run", "a.cfg", "b.cfg"], "one plan at a time"),
    (["run", "good.cfg", "--json", "a", "--json", "b"], "must be given once"),
    (["run", "good.cfg", "--trial-log", "--trial-log=b"], "must be given once"),
    (["check", "good.cfg", "--trial-log"], "unrecognized option"),
    (["run", "good.cfg", "--colour"], "unrecognized option"),
    (["check", "good.cfg", "--csv", "x"], "unrecognized option"),
    (["check", "good.cfg", "--db", "x"], "unrecognized option"),
    (["resume"], "the DB is missing"),
    (["report", "a.db", "b.db"], "too many arguments; must be DB"),
    (["report", "a.db", "--events", "x"], "unrecognized option"),
    (["devices", "sim:rtl"], "takes no argument"),
    (["devices", "--db", "x"], "unrecognized option"),
    (["devices", "--names", "--json", "x"], "cannot be combined with --json"),
    (["selftest"], "the DEVICE is missing"),
    (["watch"], "the DEVICE is missing"),
    (["send", "--load", "1M"], "the DEVICE is missing"),
    (["send", "twin"], "--load must be given: 50%, 1.5M (frames a second) or 10Gbps"),
    (["send", "twin", "--load", "1M", "--load", "2M"], "--load 2M: must be given once"),
    (["send", "twin", "--load", "1M", "--for", "1s", "--frames", "5"], "--frames 5: must not be given with --for"),
    (["send", "twin", "wire", "--load", "1M"], "wire: too many arguments; must be DEVICE"),
    (["watch", "sim:rtl", "--quiet"], "unrecognized option"),
    (["selftest", "sim:rtl", "--calibration", "x"], "measured with --external"),
    (["selftest", "sim:rtl", "sim:twin"], "too many arguments; must be DEVICE"),
    (["selftest", "sim:rtl", "--db", "x"], "unrecognized option"),
    (["compare", "a.db"], "two run files must be given"),
    (["trend"], "run files, or folders that have some, must be given"),
    (["trend", "runs", "--junit", "x"], "unrecognized option"),
]
# arguments, a text that standard output has
HELP = [
    (["--help"], "Exit codes: 0 all results valid"),
    (["help"], "fpgauge run PLAN"),
    (["help", "run"], "--json=FILE"),
    (["help", "run"], "--trial-log[=FILE]"),
    (["run", "--help"], "--set=PATH=VALUE"),
    (["check", "--help"], "Usage: fpgauge check"),
    (["resume", "--help"], "--recorded-plan"),
    (["help", "report"], "--junit=FILE"),
    (["help", "compare"], "--tolerance=PERCENT"),
    (["help", "trend"], "--fail-on-step"),
    (["help", "devices"], "--json=FILE"),
    (["selftest", "--help"], "--external"),
    (["help", "watch"], "--interval=TIME"),
    (["help", "send"], "--load=LOAD"),
    (["help", "clock"], "--through=N:M"),
    (["help", "devices"], "--names"),
    (["help", "options"], "run --json FILE\n"),
    (["help", "results"], "\n### back_to_back (RFC 9004)\n\n| key | unit | better |"),
    (["help", "results-schema"], '"title": "Results of fpgauge"'),
    (["help", "plan"], "`loss_verification_z`"),
    (["--version"], "fpgauge "),
    (["version"], "fpgauge "),
]


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def run(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def check_man_page(program, page, complain):
    """Options and commands of --help are in the man page, and no others."""
    with open(page, encoding="utf-8") as file:
        text = file.read().replace("\\-", "-")
    out = "".join(run(program, ["help", command])[1] for command in ("run", "resume", "report", "compare", "trend", "sweep", "check", "devices", "selftest", "watch", "sim-build"))
    options = {word.split("=")[0].strip("[,") for word in out.split() if word.startswith("--")} - {"--usage", "--help"}
    for option in options:
        if option not in text:
            complain(f"{page}: {option} of `fpgauge run --help` is missing")
    for command in COMMANDS.replace(",", "").replace(" or", "").split():
        if f'"fpgauge {command}' not in text and f"fpgauge {command}" not in text:
            complain(f"{page}: the command {command} is missing")


def check_reports(program, complain):
    """The help names every file that `report` writes, just as its own --help does."""
    wanted = re.findall(r"--(\w+)=([A-Z]+)", run(program, ["help", "report"])[1])
    line = next(line for line in run(program, ["help"])[1].splitlines() if line.startswith("REPORT: "))
    if len(wanted) < 4 or sorted(re.findall(r"--(\w+) ([A-Z]+)", line)) != sorted(wanted):
        complain(f"fpgauge help: {line!r}, and `report --help` has {wanted}")


def main():
    program = os.path.abspath(os.environ["FPGAUGE"])
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/fpgauge.1")
    failures = []
    count = len(CASES) + len(USAGE) + len(HELP) + 2
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        write("good.cfg", PLAN % "rtl")
        write("corrupt.cfg", 'device = { backend = "sim"; };\n\ndut = { buffer_frames = 4294967296; };\n')
        write("syntax.cfg", "device { };\n")
        before = sorted(os.listdir("."))
        for arguments, code, expected in CASES:
            got, out, err = run(program, arguments)
            if got != code or not err.endswith(expected) or err.count("\n") != 1 or out:
                failures.append(f"{arguments}: exit {got}, expected {code}\n  {err!r}\n  {expected!r}\n  out {out!r}")
        for arguments, expected in USAGE:
            got, out, err = run(program, arguments)
            if got != 2 or expected not in err or out:
                failures.append(f"{arguments}: exit {got}, expected 2 and {expected!r}: {err!r}")
        for arguments, expected in HELP:
            got, out, err = run(program, arguments)
            if got != 0 or expected not in out or err:
                failures.append(f"{arguments}: exit {got}, expected 0 and {expected!r}: {out!r} {err!r}")
        if sorted(os.listdir(".")) != before:
            failures.append(f"files left behind: {os.listdir('.')}")
    check_man_page(program, page, failures.append)
    check_reports(program, failures.append)
    for failure in failures:
        print(failure)
    print(f"{count - len(failures)} of {count} passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
