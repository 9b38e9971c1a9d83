#!/bin/bash
# What `optimum` of 20 launches on three engines costs beside one run of `never` on the same three: pairs of both, in an order
# drawn anew, and the medians of their ratios, of wall-clock and of processor time.
#   Benchmarks/optimum-cost.sh PROGRAM [PAIRS] [FOLDER] [SCENARIO]
set -euo pipefail
program=$(readlink -f "${1:?the path of compaction-lab}")
pairs=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
scenario=$(readlink -f "${4:-$here/../Scenarios/apps/messenger.yml}")
folder=$(mktemp -d "${3:-/tmp}/optimum-cost-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cells=(--set launches.count=20 --policy never --engine native --engine lmdb --engine sqlite --quiet)
never=(run "$scenario" "${cells[@]}" --schedule stepped --repetitions 1)
optimum=(optimum "$scenario" "${cells[@]}")

# Prints the seconds that a command took, and those of processor time, its children's among them.
measure() {
  rm -rf "$folder/out" "$folder/work"
  mkdir "$folder/work"
  local TIMEFORMAT='%R %U %S'
  { time "$program" "$@" --work-folder "$folder/work" --output "$folder/out" > "$folder/log" 2>&1; } 2> "$folder/time" ||
    { cat "$folder/log" >&2; exit 1; }
  awk '{ print $1, $2 + $3 }' "$folder/time"
}

for pair in $(seq "$pairs"); do
  if [ $((RANDOM % 2)) = 0 ]; then
    one=$(measure "${never[@]}") all=$(measure "${optimum[@]}")
  else
    all=$(measure "${optimum[@]}") one=$(measure "${never[@]}")
  fi
  echo "$one $all"
done | awk "$(cat "$here/median.awk")"'
{
  wall[NR] = $3 / $1
  processor[NR] = $4 / $2
  printf "pair %d: never %.2f s, %.2f s of processor time; optimum %.2f s, %.2f s; ", NR, $1, $2, $3, $4
  printf "ratios %.1f and %.1f\n", wall[NR], processor[NR]
  fflush()
} END {
  printf "median of %d pairs: wall-clock time %s times, processor time %s times\n", NR, median(wall, NR, "%.1f"), median(processor, NR, "%.1f")
}'
