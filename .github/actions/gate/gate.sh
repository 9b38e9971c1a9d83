#!/usr/bin/env bash
# The steps of the action as a script, so that they run without GitHub too: all settings come from the environment, and the
# exit code is the gate's.
set -uo pipefail
: "${LAB:=compaction-lab}" "${SCENARIOS:=Scenarios}" "${BASELINES:=.compaction-lab/baselines}" "${THRESHOLDS:=}"
: "${BASE:=}" "${HEAD:=}" "${TOLERANCE:=3}" "${REPORTS:=compaction-lab-reports}"

mkdir -p "$REPORTS"
# Split at spaces: a command with its arguments, and several scenarios.
read -ra lab <<<"$LAB"
read -ra scenarios <<<"$SCENARIOS"
"${lab[@]}" run "${scenarios[@]}" --schedule stepped --repetitions 1 --output "$REPORTS/runs"
code=$?
# 1 is a failed expectation: the gate runs all the same, and the worse of both codes counts.
[ "$code" -le 1 ] || exit "$code"

options=(--baselines "$BASELINES" --junit "$REPORTS/junit.xml" --json "$REPORTS/gate.json"
  --markdown "$REPORTS/gate.md" --benchmark-json "$REPORTS/benchmark.json")
[ -z "$THRESHOLDS" ] || options+=(--thresholds "$THRESHOLDS")
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--github)
if [ -n "$BASE" ] && [ -n "$HEAD" ]; then
  "${lab[@]}" compare-builds --base "$BASE" --head "$HEAD" --tolerance "$TOLERANCE" \
    --json "$REPORTS/times.json" --report "$REPORTS/times.md"
  compared=$?
  # The gate judges the result of the comparison; here only a comparison that failed ends the job.
  case $compared in 0 | 1 | 3 | 5) ;; *) exit "$compared" ;; esac
  options+=(--comparison "$REPORTS/times.json")
fi

"${lab[@]}" gate "$REPORTS/runs" "${options[@]}"
result=$?
[ -z "${GITHUB_OUTPUT:-}" ] || echo "result=$result" >>"$GITHUB_OUTPUT"
[ "$result" -ne 0 ] || result=$code
exit "$result"
