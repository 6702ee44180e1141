# SPDX-License-Identifier: Apache-2.0
"""The results of a run as objects, of the JSON that the program writes (docs/results.md, docs/results.schema.json)."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union

from fpgauge.errors import ProgramError

SCHEMAS = (2,)  # versions of results.schema.json


@dataclass(frozen=True)
class Requirement:
    """A limit of the plan for one value of a result."""

    key: str
    relation: str  # at_least, at_most
    limit: float
    value: Optional[float]  # None meets no limit
    met: bool

    def __str__(self) -> str:
        return f"{self.key} is {self.value}, must be {self.relation.replace('_', ' ')} {self.limit}"


@dataclass(frozen=True)
class Result(Mapping[str, Any]):
    """What one test says of one frame size or mix. What every result has is an attribute; all keys, those of the benchmark among
    them, are items: result["throughput_fps"]. What was not measured is None."""

    test: str
    test_number: int  # position in the plan, from 1
    rfc: str
    frame_octets: Optional[int]  # None: a mix
    sizes: Optional[str]  # the mix; None: one size
    valid: bool
    why_invalid: Optional[str]
    flags: tuple[str, ...]
    verdict: Optional[str]  # pass, fail, invalid, skipped; None: the plan has no limits
    requirements: tuple[Requirement, ...]
    report: Mapping[str, Any]  # all of the JSON

    def __getitem__(self, key: str) -> Any:
        return self.report[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.report)

    def __len__(self) -> int:
        return len(self.report)

    @property
    def missed(self) -> tuple[Requirement, ...]:
        return tuple(one for one in self.requirements if not one.met)

    @property
    def name(self) -> str:
        return f"{self.test_number} {self.test} of {self.sizes or f'{self.frame_octets} octets'}"


@dataclass(frozen=True)
class Run:
    """A run: its results in the order of the plan. `db` is the run file, if it is known."""

    tool: str
    plan_path: str
    device: Mapping[str, Any]
    started: str
    finished: str
    incomplete: Optional[str]  # why the run did not finish
    verdict: Optional[str]  # pass, fail; None: the plan has no limits
    results: tuple[Result, ...]
    report: Mapping[str, Any]  # all of the JSON
    db: Optional[str] = None

    @property
    def passed(self) -> bool:
        """The run finished, all results are valid, and every limit is met: what exit code 0 of the program means."""
        return self.incomplete is None and self.verdict != "fail" and all(one.valid for one in self.results)

    def result(self, test: str, size: Union[int, str, None] = None) -> Result:
        """The one result of this test, and this frame size or mix if given. KeyError if there is none, or more than one."""
        found = [one for one in self.results if one.test == test and size in (None, one.frame_octets, one.sizes)]
        if len(found) != 1:
            raise KeyError(f"{len(found)} results of {test}, {size}; there are: {', '.join(one.name for one in self.results)}")
        return found[0]

    def explain(self) -> str:
        """Why the run did not pass, a line for each reason."""
        lines = [f"the run did not finish: {self.incomplete}"] if self.incomplete else []
        for one in self.results:
            if not one.valid:
                lines.append(f"{one.name}: invalid: {one.why_invalid}")
            lines += [f"{one.name}: {missed}" for missed in one.missed]
        return "\n".join(lines)


def result_of(json_result: Mapping[str, Any]) -> Result:
    one = json_result
    requirements = tuple(Requirement(**{key: item[key] for key in ("key", "relation", "limit", "value", "met")})
                         for item in one["requirements"] or ())
    return Result(test=one["test"], test_number=one["test_number"], rfc=one["rfc"], frame_octets=one["frame_octets"], sizes=one["sizes"],
                  valid=one["valid"], why_invalid=one["why_invalid"], flags=tuple(one["flags"]), verdict=one["verdict"],
                  requirements=requirements, report=one)


def run_of(json_report: Any, db: Optional[str] = None) -> Run:
    """Raises ProgramError if this is no report of a version that is known."""
    if not isinstance(json_report, dict) or json_report.get("schema") not in SCHEMAS:
        has = json_report.get("schema") if isinstance(json_report, dict) else "none"
        raise ProgramError(f"no report of schema {' or '.join(map(str, SCHEMAS))}: schema is {has}")
    one = json_report
    try:
        return Run(tool=one["tool"], plan_path=one["plan_path"], device=one["device"], started=one["started"], finished=one["finished"],
                   incomplete=one.get("incomplete"), verdict=one["verdict"], results=tuple(map(result_of, one["results"])), report=one, db=db)
    except KeyError as missing:
        raise ProgramError(f"the report lacks {missing}") from None


def read(path: Union[str, "os.PathLike[str]"]) -> Run:
    """Of a file that `fpgauge run --json` wrote."""
    with open(path, encoding="utf-8") as file:
        try:
            return run_of(json.load(file))
        except ValueError as error:
            raise ProgramError(f"{os.fspath(path)}: {error}") from None
