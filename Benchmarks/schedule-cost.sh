#!/bin/bash
# What the default of both schedules costs beside the default of before, six stepped repetitions without the peak of disk use:
# the three scenarios of the documents, in pairs in an order drawn anew, with the ratios of wall and of processor time.
#   Benchmarks/schedule-cost.sh PROGRAM [PAIRS] [FOLDER]
# The aim is a ratio of wall times of at most 2.5. Run it while nothing else is at work.
set -euo pipefail
program=$(readlink -f "${1:?the path of compaction-lab}")
pairs=${2:-3}
folder=$(mktemp -d "${3:-/tmp}/schedule-cost-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$(dirname "$0")/.."

# Prints the seconds of a run with the given options: wall, and processor time of all its processes.
measure() {
  rm -rf "$folder/out"
  local TIMEFORMAT='%R %U %S'
  { time "$program" run Scenarios --no-journal -q --output "$folder/out" "$@" > "$folder/log" 2>&1; } 2> "$folder/time" ||
    { cat "$folder/log" >&2; exit 1; }
  awk '{ print $1, $2 + $3 }' "$folder/time"
}

both() { measure --schedule both; }
before() { measure --schedule stepped --repetitions 6 --no-peak-disk; }

for pair in $(seq "$pairs"); do
  if [ $((RANDOM % 2)) = 0 ]; then
    new=$(both) old=$(before)
  else
    old=$(before) new=$(both)
  fi
  echo "$new $old"
done | awk "$(cat Benchmarks/median.awk)"'
{
  wall[NR] = $1 / $3
  processor[NR] = $2 / $4
  printf "pair %d: both %.1f s, processor %.1f s; stepped %.1f s, processor %.1f s", NR, $1, $2, $3, $4
  printf "; ratio %.2f, processor %.2f\n", wall[NR], processor[NR]
  fflush()
} END {
  if (!NR) exit 1
  printf "median of %d pairs: wall %s, processor %s\n", NR, median(wall, NR, "%.2f"), median(processor, NR, "%.2f")
}'
