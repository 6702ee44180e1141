# SPDX-License-Identifier: Apache-2.0
"""What the cases of external testers share: a plan for one, and a good one that goes bad at a chosen trial."""

from fpgauge_system import SystemCase

GOOD = """\
import json, math, os, signal, sys, time
def good(request):
    load = request.get("load_fps", request["link_bps"] / 8 / (request["frame_octets"] + 20))
    duration = request.get("duration_s", request.get("burst_frames", 0) / load)
    offered = request.get("burst_frames", round(load * duration))
    rate = %(rate)s
    received = offered if load <= rate else min(offered, %(buffer)s + math.floor((offered - 1) * rate / load))
    return {"trial": request["trial"], "offered_frames": offered, "received_frames": received, "duration_s": duration}
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def bad(request, reply):
%(bad)s
for line in sys.stdin:
    request = json.loads(line)
    reply = good(request)
    if request["frame_octets"] == 128:
        bad(request, reply)
    say(json.dumps(reply) + "\\n")
"""


def tester_text(bad="pass", rate=40e6, buffer=500):
    """A tester whose model is a FIFO; `bad` is run at every trial of 128 octets."""
    return GOOD % {"rate": rate, "buffer": buffer, "bad": "\n".join("    " + line for line in bad.splitlines())}


def plan_text(tests, device=""):
    body = ",\n".join(f"  {{ {test} }}" for test in tests)
    return ('device = { backend = "exec"; command = ["python3", "-S", "tester.py"]; ' + device + " };\n"
            'link = { speed = "100G"; };\n' + f"run = (\n{body}\n);\n")


class ExecTesterCase(SystemCase):
    def run_tester(self, tester, tests, *arguments, device="", expect=0):
        """Runs a plan with a tester; returns (result object, finished process)."""
        self.write("tester.py", tester)
        return self.run_plan(plan_text(tests, device), *arguments, expect=expect)
