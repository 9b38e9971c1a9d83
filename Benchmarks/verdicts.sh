#!/bin/sh
# False alarms and power of compare-builds, for the table of Docs/Method.md:
#   Benchmarks/verdicts.sh aa|loaded|power [TRIES] > tries.csv
# aa: a run beside itself on a quiet machine; loaded: the same while a second process works in bursts; power: a busy wait
# of a tenth of the median commit time added to each commit of head. The last two lines say what the tries come to.
set -e
cd "$(dirname "$0")/.."
what=$1
tries=${2:-}
bin=$(swift build -c release --show-bin-path)
swift build -c release --product compaction-lab >/dev/null
swift build -c release --product verdict-study >/dev/null
lab=$bin/compaction-lab
study=$bin/verdict-study
# No gnuplot in the way of the runs: pictures are no part of what is measured.
run="PATH=/nowhere $lab run $PWD/Benchmarks/small.yml --repetitions 1 --jobs 1 --output out"
case $what in
aa) "$study" --tries "${tries:-200}" --tolerance 10 --metric '*/commit_p50_ns' --base "$run" ;;
loaded) "$study" --tries "${tries:-200}" --tolerance 10 --load --metric '*/commit_p50_ns' --base "$run" ;;
power)
  out=$(mktemp -d)
  (cd "$out" && eval "$run" >/dev/null 2>&1)
  median=$(sed -n 's/.*,commit_p50_ns,ns,[a-z]*,\([0-9]*\).*/\1/p' "$out/out/small/summary.csv" | head -1)
  rm -r "$out"
  delay=$((median / 10))
  echo "# median commit $median ns, $delay ns added" >&2
  "$study" --tries "${tries:-100}" --tolerance 3 --metric '*/commit_p50_ns' --base "$run" \
    --head "COMPACTION_LAB_TEST_COMMIT_DELAY_NS=$delay $run"
  ;;
*)
  echo "usage: Benchmarks/verdicts.sh aa|loaded|power [TRIES]" >&2
  exit 64
  ;;
esac
