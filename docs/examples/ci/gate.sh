#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A gate for CI: runs a plan, and compares with the accepted runs of a folder.
#
#   gate.sh PLAN [RUNS [OPTION OF "fpgauge run"]...]
#
# Leaves run.db, junit.xml and report.json in the working directory, whatever the verdict is, and the run in the folder RUNS, where it is
# accepted if the gate is green. The first run is. FPGAUGE_ACCEPT_BECAUSE="REASON" accepts a new level, good or bad. Exits with 1 if a
# result is invalid, misses a limit of the plan, or is worse than in the accepted runs by more than FPGAUGE_TOLERANCE (1%); with 5 if that is
# unclear, since it was measured once: list the test three times in the plan; with 2 or 3 if plan or device are at fault, with 4 if the
# folder has runs of which nobody accepted one.
set -eu
if [ $# -lt 1 ]; then
  sed -n '3,12s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
fpgauge=${FPGAUGE:-fpgauge}
plan=$1
runs=${2:-}
shift
[ $# -eq 0 ] || shift

rm -f run.db junit.xml report.json compare.xml
status=0
"$fpgauge" run "$plan" --db run.db --junit junit.xml --json report.json "$@" || status=$?

if [ "$status" -eq 0 ] && [ -n "$runs" ]; then
  mkdir -p "$runs"
  name=$(date -u +%Y%m%d-%H%M%S)-$$
  cp run.db "$runs/$name.db"
  "$fpgauge" compare --baseline-dir "$runs" "$runs/$name.db" --tolerance "${FPGAUGE_TOLERANCE:-1%}" --junit compare.xml \
    "${FPGAUGE_ACCEPT_BECAUSE:+--accept-because=}${FPGAUGE_ACCEPT_BECAUSE:---accept}" || status=$?
  # The first run of a project is no failure.
  [ "$status" -ne 4 ] || [ ! -e "$runs/$name.db.accepted" ] || status=0
  # One file with both: the suites of the comparison after those of the run.
  if [ -s compare.xml ]; then
    id=$(grep -c '<testsuite ' junit.xml)
    { sed '$d' junit.xml; sed -n '/<testsuite /,$p' compare.xml | sed "s/<testsuite id=\"0\"/<testsuite id=\"$id\"/"; } > junit.xml.new
    mv junit.xml.new junit.xml
    rm compare.xml
  fi
fi

# Without results there is no report. A CI server must not take that for green.
if [ ! -e junit.xml ]; then
  cat > junit.xml << END
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
 <testsuite id="0" package="fpgauge" name="gate" timestamp="$(date -u +%Y-%m-%dT%H:%M:%S)" hostname="localhost" tests="1" failures="1" errors="0" skipped="0" time="0.000">
  <properties/>
  <testcase classname="fpgauge.gate" name="run" time="0.000">
   <failure type="invalid" message="no results: fpgauge run ended with exit code $status"/>
  </testcase>
  <system-out/>
  <system-err/>
 </testsuite>
</testsuites>
END
fi
exit "$status"
