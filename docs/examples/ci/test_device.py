# SPDX-License-Identifier: Apache-2.0
"""Tests of a device by fpgauge, for pytest: PYTHONPATH and plugin as in docs/python.md. Put your plan in place of gate.cfg."""

import fpgauge
import pytest

PLAN = "gate.cfg"  # a file beside this one


@pytest.mark.fpgauge(PLAN)
def test_every_limit_of_the_plan_is_met(fpgauge_run: fpgauge.Run) -> None:
    assert fpgauge_run.passed, fpgauge_run.explain()


@pytest.mark.fpgauge(PLAN)
def test_the_largest_frames_pass_at_line_rate(fpgauge_run: fpgauge.Run) -> None:
    assert fpgauge_run.result("throughput", 1518)["throughput_percent"] == 100


@pytest.mark.fpgauge(PLAN, settings={"run[0].frame_sizes": "[512]", "run[1].frame_sizes": "[128]"})
def test_medium_frames_pass_at_line_rate_as_well(fpgauge_run: fpgauge.Run) -> None:
    assert fpgauge_run.result("throughput", 512)["throughput_percent"] == 100
