#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion in bash: it offers what the program takes, according to --help; and a real shell in a terminal completes a
line."""

import os
import pty
import re
import select
import subprocess
import time

import fpgauge_system
from fpgauge_system import FPGAUGE, IN_VAIN_S, ROOT, SystemCase

SCRIPT = os.path.join(ROOT, "host", "cli", "completion.bash")
# Takes words as bash passes them to a completion; prints what is offered, one per line.
OFFER = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fpgauge "$1" "${!#}"; printf "%s\\n" "${COMPREPLY[@]}"'


class Completion(SystemCase):
    def offered(self, *words):
        done = subprocess.run(["bash", "--norc", "-c", OFFER, "bash", SCRIPT, FPGAUGE, *words], cwd=self.scratch, text=True,
                              capture_output=True, timeout=IN_VAIN_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.split("\n") if line]

    def help(self, *topic):
        done = self.fpgauge("help", *topic)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def commands(self):
        commands = re.findall(r"^  fpgauge ([\w-]+)", self.help(), re.M)
        self.assertGreater(len(commands), 8)
        return commands

    def options(self, command):
        """{"--json": "FILE", "-q": "", "--trial-log": "[=FILE]"} as in the --help of the command."""
        options = {}
        for line in self.help(command).splitlines():
            form = re.match(r"^ {2,6}(?:(-[\w?]), )?(--[\w-]+)(\[?=[^ ]+)?(?: {2}|$)", line)
            if form:
                argument = form[3] or ""
                for name in filter(None, (form[1], form[2])):
                    options[name] = argument if argument.startswith("[") else argument.lstrip("=")
        return options

    def test_the_commands_that_help_lists_are_offered_and_no_others(self):
        self.assertEqual(sorted(self.offered("")), sorted([*self.commands(), "--help", "--version"]))
        self.assertEqual(self.offered("re"), [name for name in self.commands() if name.startswith("re")])

    def test_the_options_that_help_of_a_command_lists_are_offered_and_no_others(self):
        for command in self.commands():
            if command in ("help", "version"):
                continue
            with self.subTest(command):
                options = self.options(command)
                self.assertIn("--help", options)
                self.assertEqual(sorted(self.offered(command, "-")), sorted(options))
                self.assertEqual(self.offered(command, "--js"), ["--json"] if "--json" in options else [])

    def test_the_table_for_completion_has_the_arguments_that_help_names(self):
        table = [line.split(" ", 2) for line in self.help("options").splitlines()]
        for command in self.commands():
            if command in ("help", "version"):
                continue
            with self.subTest(command):
                mine = [line[1:] for line in table if line[0] == command]
                self.assertEqual({line[0]: line[1] if len(line) > 1 else "" for line in mine if line[0].startswith("-")},
                                 self.options(command))
                usage = re.search(rf"Usage: fpgauge {command} \[OPTION\.\.\.\] ?(.*)", self.help(command))
                self.assertEqual([line[0] for line in mine if not line[0].startswith("-")], usage[1].split())

    def test_help_is_offered_every_topic_and_each_is_one(self):
        topics = self.offered("help", "")
        self.assertEqual(sorted(topics), sorted([*self.commands(), "plan", "results", "results-schema", "options"]))
        for topic in topics:
            self.help(topic)

    def test_files_are_offered_by_what_the_argument_is(self):
        for name in ("lab.cfg", "lab.db", "lab.json", "lab.txt", "with space.cfg"):
            self.write(name, "")
        os.mkdir(self.path("labs"))
        cases = [(("run", "lab"), ["lab.cfg", "labs"]), (("check", "--set", "dut.model", "=", "wire", "lab"), ["lab.cfg", "labs"]),
                 (("check", "with"), ["with space.cfg"]), (("resume", "lab"), ["lab.db", "labs"]),
                 (("report", "lab.db", "--csv", "lab"), ["labs"]), (("compare", "lab"), ["lab.db", "lab.json", "labs"]),
                 (("compare", "lab.db", "lab"), ["lab.db", "lab.json", "labs"]), (("trend", "lab"), ["lab.db", "lab.json", "labs"]),
                 (("trend", "lab.db", "labs", "--tolerance", "1%", "lab"), ["lab.db", "lab.json", "labs"]),
                 (("run", "lab.cfg", "--json", "lab"), ["lab.cfg", "lab.db", "lab.json", "lab.txt", "labs"]),
                 (("run", "lab.cfg", "--json", "=", "lab.t"), ["lab.txt"]), (("run", "-j", "lab.t"), ["lab.txt"]),
                 (("run", "lab.cfg", "--json", "="), ["lab.cfg", "lab.db", "lab.json", "lab.txt", "labs", "with space.cfg"]),
                 (("run", "lab.cfg", "--trial-log", "=", "lab.t"), ["lab.txt"]), (("run", "--trial-log", "lab.c"), ["lab.cfg"]),
                 (("watch", "sim", ":", "twin", "--interval", ""), [])]
        for words, expected in cases:
            with self.subTest(" ".join(words)):
                self.assertEqual(sorted(self.offered(*words)), expected)

    def test_options_are_offered_where_no_argument_is_left(self):
        self.assertEqual(sorted(self.offered("devices", "")), sorted(self.options("devices")))
        self.assertEqual(sorted(self.offered("run", "lab.cfg", "")), sorted(self.options("run")))
        self.assertEqual(self.offered("version", "-"), [])

    def test_devices_are_offered_by_the_names_that_devices_lists(self):
        listed = self.fpgauge("devices", "--names").stdout.split()
        self.assertIn("sim:twin", listed)
        self.assertEqual(self.offered("selftest", ""), listed)
        # The shell replaces only what comes after its last word break, the colon.
        self.assertEqual(self.offered("watch", "sim", ":", "tw"),
                         [name.removeprefix("sim:") for name in listed if name.startswith("sim:tw")])

    def test_names_are_those_of_the_table_and_stand_alone(self):
        done = self.fpgauge("devices")
        rows = [line.split()[0] for line in done.stdout.splitlines()[1:]]
        self.assertEqual(self.fpgauge("devices", "--names").stdout.split(), rows)
        refused = self.fpgauge("devices", "--names", "--json", "x")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--names: cannot be combined with --json", refused.stderr)

    def typed(self, keys):
        """What a shell in a terminal has on its line after these keys."""
        environment = {**os.environ, "PATH": f"{os.path.dirname(FPGAUGE)}:{os.environ['PATH']}", "PS1": "ready> ", "TERM": "dumb",
                       "INPUTRC": "/dev/null", "HISTFILE": ""}
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.scratch)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment)
        seen = b""

        def until(text):
            nonlocal seen
            end = time.monotonic() + IN_VAIN_S
            while text not in seen:
                self.assertTrue(select.select([terminal], [], [], max(0, end - time.monotonic()))[0], seen)
                seen += os.read(terminal, 4096)
            before, seen = seen.split(text, 1)
            return before

        try:
            until(b"ready> ")
            os.write(terminal, f"source '{SCRIPT}'\n".encode())
            until(b"ready> ")
            # Then, at the beginning of the line, what turns it from a command into something to print.
            os.write(terminal, keys.encode() + b"\t\x01printf '%s|' FROM \x05 TO\n")
            until(b"\nFROM|")
            return until(b"TO|").decode()
        finally:
            os.close(terminal)
            os.waitpid(child, 0)

    def test_a_shell_in_a_terminal_completes_a_line(self):
        self.write("my plan.cfg", "")
        self.write("lab.json", "")
        for keys, line in (("fpgauge selfte", "fpgauge|selftest|"), ("fpgauge run --rec", "fpgauge|run|--rec|"),
                           ("fpgauge resume --rec", "fpgauge|resume|--recorded-plan|"), ("fpgauge watch sim:twi", "fpgauge|watch|sim:twin|"),
                           ("fpgauge check m", "fpgauge|check|my plan.cfg|"),
                           ("fpgauge compare --json=lab", "fpgauge|compare|--json=lab.json|")):
            with self.subTest(keys):
                self.assertEqual(self.typed(keys), line)


if __name__ == "__main__":
    fpgauge_system.main()
