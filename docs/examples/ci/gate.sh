#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A gate for CI: runs a plan, and compares with an earlier run if there is one.
#
#   gate.sh PLAN [BASELINE.db [OPTION OF "fpgauge run"]...]
#
# Leaves run.db, junit.xml and report.json in the working directory, whatever the verdict is. Exits with 1 if a result is invalid, misses
# a limit of the plan, or is worse than in the baseline by more than FPGAUGE_TOLERANCE (1%); with 2 or 3 if plan or device are at fault.
set -eu
if [ $# -lt 1 ]; then
  sed -n '3,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
fpgauge=${FPGAUGE:-fpgauge}
plan=$1
baseline=${2:-}
shift
[ $# -eq 0 ] || shift

rm -f run.db junit.xml report.json
status=0
"$fpgauge" run "$plan" --db run.db --junit junit.xml --json report.json "$@" || status=$?
if [ "$status" -le 1 ] && [ -n "$baseline" ] && [ -e "$baseline" ]; then
  "$fpgauge" compare "$baseline" run.db --tolerance "${FPGAUGE_TOLERANCE:-1%}" || status=$?
fi
exit "$status"
