# SPDX-License-Identifier: Apache-2.0
"""Starts the program. It is found by PATH, or is what the environment's FPGAUGE names."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Optional, Union

from fpgauge.errors import DeviceError, FpgaugeError, PlanError, ProgramError
from fpgauge.results import Run, run_of

Path = Union[str, "os.PathLike[str]"]
Value = Union[str, int, float, bool]
Settings = Optional[Mapping[str, Value]]
ERRORS: Mapping[int, type[FpgaugeError]] = {2: PlanError, 3: DeviceError}


def setting_text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def start(arguments: Sequence[str], good: Sequence[int], timeout: Optional[float] = None) -> "subprocess.CompletedProcess[str]":
    """The program's output; an exception unless the exit code is one of `good`."""
    program = os.environ.get("FPGAUGE", "fpgauge")
    try:
        done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=timeout)
    except OSError as error:
        raise ProgramError(f"{program} cannot be started: {error.strerror}") from None
    if done.returncode not in good:
        said = done.stderr.strip() or f"{program} {arguments[0]}: exit code {done.returncode}"
        raise ERRORS.get(done.returncode, ProgramError)(said)
    return done


def plan_arguments(plan: Optional[Path], preset: Optional[str], device: Optional[str], settings: Settings) -> list[str]:
    if (plan is None) == (preset is None):
        raise ValueError("either a plan or a preset must be given")
    chosen = [f"--preset={preset}"] if plan is None else [os.fspath(plan)]
    return chosen + ([f"--device={device}"] if device else []) + [f"--set={path}={setting_text(value)}" for path, value in (settings or {}).items()]


def reported(arguments: list[str], db: str, timeout: Optional[float]) -> Run:
    """Runs a command that reports. Exit code 1 is an answer, if there is a report of it."""
    with tempfile.TemporaryDirectory(prefix="fpgauge-") as folder:
        path = os.path.join(folder, "report.json")
        done = start([*arguments, "--quiet", f"--json={path}"], (0, 1), timeout)
        try:
            with open(path, encoding="utf-8") as file:
                return run_of(json.load(file), db)
        except FileNotFoundError:
            raise ProgramError(done.stderr.strip() or "the program wrote no report") from None
        except ValueError as error:
            raise ProgramError(f"the report is no JSON: {error}") from None


def run(plan: Optional[Path] = None, *, db: Path, preset: Optional[str] = None, device: Optional[str] = None, settings: Settings = None,
        junit: Optional[Path] = None, html: Optional[Path] = None, timeout: Optional[float] = None) -> Run:
    """Runs a plan, or a preset on a device. `db` is the run file to make; `settings` are those of --set; `timeout`, in seconds, kills the
    program, and resume() continues. Raises PlanError, DeviceError, ProgramError, subprocess.TimeoutExpired."""
    arguments = ["run", *plan_arguments(plan, preset, device, settings), f"--db={os.fspath(db)}"]
    arguments += [f"--junit={os.fspath(junit)}"] if junit else []
    arguments += [f"--html={os.fspath(html)}"] if html else []
    return reported(arguments, os.fspath(db), timeout)


def resume(db: Path, *, timeout: Optional[float] = None) -> Run:
    """Continues a run; of one that is complete, it only reports."""
    return reported(["resume", os.fspath(db)], os.fspath(db), timeout)


def report(db: Path) -> Run:
    """The results in a run file, also of a run that did not finish."""
    return reported(["report", os.fspath(db)], os.fspath(db), None)


def check(plan: Optional[Path] = None, *, preset: Optional[str] = None, device: Optional[str] = None, settings: Settings = None) -> str:
    """Validates a plan, and returns what would run, and for how long, as text. Raises as run()."""
    return start(["check", *plan_arguments(plan, preset, device, settings)], (0,)).stdout


def version() -> str:
    return start(["version"], (0,)).stdout.split()[1]
