# SPDX-License-Identifier: Apache-2.0
"""For pytest, which finds it by itself where the package is installed; otherwise: pytest -p fpgauge.pytest_plugin.

    @pytest.mark.fpgauge("lab.cfg", settings={"run[0].repetitions": 5})
    def test_throughput(fpgauge_run):
        assert fpgauge_run.passed, fpgauge_run.explain()

The plan's path is relative to the test file. Tests of one module with equal markers share one run.
"""

import os
from typing import Any

import pytest

import fpgauge


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "fpgauge(plan, **arguments): the run that the fixture fpgauge_run is; arguments as of fpgauge.run()")


@pytest.fixture(scope="module")
def fpgauge_runs() -> dict[str, fpgauge.Run]:
    """The runs of a module, by what was asked."""
    return {}


@pytest.fixture
def fpgauge_run(request: Any, fpgauge_runs: dict[str, fpgauge.Run], tmp_path_factory: Any) -> fpgauge.Run:
    """The run of the plan that the marker `fpgauge` names."""
    marker = request.node.get_closest_marker("fpgauge")
    if marker is None:
        raise pytest.UsageError(f"{request.node.nodeid}: fpgauge_run needs @pytest.mark.fpgauge(PLAN)")
    asked = repr((marker.args, sorted(marker.kwargs.items())))
    if asked not in fpgauge_runs:
        arguments = dict(marker.kwargs)
        arguments.setdefault("db", tmp_path_factory.mktemp("fpgauge") / "run.db")
        plans = [os.path.join(os.path.dirname(str(request.node.path)), os.fspath(plan)) for plan in marker.args]
        fpgauge_runs[asked] = fpgauge.run(*plans, **arguments)
    return fpgauge_runs[asked]
