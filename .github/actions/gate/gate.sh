#!/usr/bin/env bash
# The steps of the action, so that they can be tried without GitHub: all settings come from the environment, and the
# gate's exit code is the script's.
set -uo pipefail
: "${LAB:=compaction-lab}" "${SCENARIOS:=Scenarios}" "${BASELINES:=.compaction-lab/baselines}" "${THRESHOLDS:=}"
: "${BASE:=}" "${HEAD:=}" "${TOLERANCE:=3}" "${REPORTS:=compaction-lab-reports}"

mkdir -p "$REPORTS"
# Several words each: a command with its arguments, and several scenarios.
read -ra lab <<<"$LAB"
read -ra scenarios <<<"$SCENARIOS"
"${lab[@]}" run "${scenarios[@]}" --repetitions 1 --output "$REPORTS/runs"
code=$?
# 1 is an expectation that failed: the gate is asked all the same, and the worse of both counts.
[ "$code" -le 1 ] || exit "$code"

options=(--baselines "$BASELINES" --junit "$REPORTS/junit.xml" --json "$REPORTS/gate.json"
  --markdown "$REPORTS/gate.md" --benchmark-json "$REPORTS/benchmark.json")
[ -z "$THRESHOLDS" ] || options+=(--thresholds "$THRESHOLDS")
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--github)
if [ -n "$BASE" ] && [ -n "$HEAD" ]; then
  "${lab[@]}" compare-builds --base "$BASE" --head "$HEAD" --tolerance "$TOLERANCE" \
    --json "$REPORTS/times.json" --report "$REPORTS/times.md"
  compared=$?
  # What it found is the gate's to judge; a comparison that could not be made is not.
  case $compared in 0 | 1 | 3 | 5) ;; *) exit "$compared" ;; esac
  options+=(--comparison "$REPORTS/times.json")
fi

"${lab[@]}" gate "$REPORTS/runs" "${options[@]}"
result=$?
[ -z "${GITHUB_OUTPUT:-}" ] || echo "result=$result" >>"$GITHUB_OUTPUT"
[ "$result" -ne 0 ] || result=$code
exit "$result"
