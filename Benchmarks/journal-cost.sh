#!/bin/bash
# What the journal costs a run of 200 cells of about 50 ms: pairs of runs with and without one, in an order drawn anew, and the
# median of their ratios.
#   Benchmarks/journal-cost.sh PROGRAM [PAIRS] [FOLDER]
set -euo pipefail
program=$(readlink -f "${1:?the path of compaction-lab}")
pairs=${2:-15}
scenario=$(cd "$(dirname "$0")" && pwd)/journal-cost.yml
folder=$(mktemp -d "${3:-/tmp}/journal-cost-XXXXXX")
trap 'rm -rf "$folder"' EXIT

# Prints the microseconds of a run with the given option.
measure() {
  rm -rf "$folder/out"
  local began=${EPOCHREALTIME/./}
  "$program" run "$scenario" --schedule stepped --repetitions 200 --no-peak-disk --record-only -q --jobs 1 "$1" \
    --work-folder "$folder" --output "$folder/out" > "$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
  echo $((${EPOCHREALTIME/./} - began))
}

measure --journal > "$folder/first"
printf 'one cell: %s ms\n' $(($(cat "$folder/first") / 200000))
for pair in $(seq "$pairs"); do
  if [ $((RANDOM % 2)) = 0 ]; then
    with=$(measure --journal) without=$(measure --no-journal)
  else
    without=$(measure --no-journal) with=$(measure --journal)
  fi
  echo "$with $without"
done | awk "$(cat "${scenario%/*}/median.awk")"'{
  ratio[NR] = $1 / $2
  printf "pair %d: with %.2f s, without %.2f s, ratio %.4f\n", NR, $1 / 1e6, $2 / 1e6, ratio[NR]
} END {
  printf "median of %d pairs: %s\n", NR, median(ratio, NR, "%.4f")
}'
