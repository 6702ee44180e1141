# SPDX-License-Identifier: Apache-2.0
"""Runs fpgauge from Python, and gives its results as objects.

    import fpgauge
    run = fpgauge.run("lab.cfg", db="lab.db", settings={"run[0].repetitions": 5})
    assert run.passed, run.explain()
    print(run.result("throughput", 64)["throughput_fps"])

A result that is invalid or misses a limit is no error: the run tells. An error is a FpgaugeError with the program's own message.
"""

from fpgauge.errors import DeviceError, FpgaugeError, PlanError, ProgramError
from fpgauge.program import check, report, resume, run, version
from fpgauge.results import Requirement, Result, Run, read

__all__ = ["DeviceError", "FpgaugeError", "PlanError", "ProgramError", "Requirement", "Result", "Run",
           "check", "read", "report", "resume", "run", "version"]
