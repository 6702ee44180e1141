#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Benchmarks the switch and compares with an earlier run, for CI: benchmark.sh [BASELINE.db]
# Leaves run.db, junit.xml and report.json. Exits with 1 if a limit of the plan is not met, a result is invalid, or one is worse
# than in the baseline by more than a percent.
set -eu
cd "$(dirname "$0")"
fpgauge=${FPGAUGE:-fpgauge}
baseline=${1:-baseline.db}

"$fpgauge" sim-build --top switch --ports 2 -GPORTS=2 -GWIDTH=512 -GFORWARD_CLOCKS=4 -o switch.so \
  switch.v switch_input.v switch_table.v
rm -f run.db
status=0
"$fpgauge" run switch.cfg --db run.db --junit junit.xml --json report.json || status=$?
if [ "$status" -eq 0 ] && [ -e "$baseline" ]; then
  "$fpgauge" compare "$baseline" run.db --tolerance 1% || status=$?
fi
exit "$status"
