#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the middle of a long trial: the program ends soon and keeps the results it has."""

import os
import resource
import signal
import subprocess

from fpgauge_system import DONE, FPGAUGE, IN_VAIN_S, SystemCase, events_of, main, plan_text, wait_until

SHORT = 'test = "throughput"; frame_sizes = [64]; trial_duration = "100us";'
# A minute at 100 Gb/s takes hours to simulate: this one never ends by itself.
LONG = 'test = "throughput"; frame_sizes = [128]; trial_duration = "60s";'
# Processor time, not wall time: others may be at work on the machine.
ENDS_WITHIN_CPU_S = 1.0


def cpu_s(pid):
    """How much processor time a process has had."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(ticks) for ticks in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def cpu_of_ended_s():
    """The processor time of all programs that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Interrupt(SystemCase):
    def interrupt(self, signal_number):
        """Runs SHORT then LONG, sends the signal while LONG runs; returns (exit code, processor time it took to end)."""
        plan = self.write("long.cfg", plan_text([SHORT, LONG]))
        others_s = cpu_of_ended_s()
        with subprocess.Popen([FPGAUGE, "run", plan, "--json", "long.json", "--events", "events", "--db", "a b.db"],
                              cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as run:
            try:
                wait_until(lambda: any(event["event"] == "live" and event["frame_octets"] == 128
                                       for event in events_of(self.path("events"))), "LONG runs", run)
                # It is stopped while it is looked at; otherwise, on a busy machine, it would go on between the look and
                # the signal.
                run.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, run.pid, os.WSTOPPED | os.WNOWAIT)
                before_s = cpu_s(run.pid)
                run.send_signal(signal_number)
                run.send_signal(signal.SIGCONT)
                _, complaint = run.communicate(timeout=IN_VAIN_S)
            finally:
                run.kill()
        self.assertRegex(complaint, r"\Afpgauge run: warning: [^\n]*\nfpgauge run: stopped by the user in trial 1 of throughput of 128 octets; bounds so far: "
                                    r"lower none, upper none; to go on: fpgauge resume 'a b\.db'\n\Z")
        return run.returncode, cpu_of_ended_s() - others_s - before_s

    def check(self, signal_number):
        code, took_cpu_s = self.interrupt(signal_number)
        self.assertLess(took_cpu_s, ENDS_WITHIN_CPU_S)
        self.assertGreater(code, DONE, "an interrupted run is not done, and a signal must not kill it outright")
        report = self.result("long.json")
        short = self.only(report, test="throughput", frame_octets=64)
        self.assertTrue(short["valid"], short["why_invalid"])
        for result in report["results"]:
            self.assertFalse(result["frame_octets"] == 128 and result["valid"], "a trial cut short became a result")

    def test_sigint_ends_it_soon_with_the_results_so_far(self):
        self.check(signal.SIGINT)


if __name__ == "__main__":
    main()
