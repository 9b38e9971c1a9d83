#!/bin/bash
# What a second core does for `fleet simulate`, beside two processes that share nothing, in the same run:
#   Benchmarks/fleet-scaling.sh PROGRAM CURVES [DEVICES] [ROUNDS]
# CURVES is the folder of `fleet measure Benchmarks/fleet.yml --max-data "8 MB"`. Nothing else may run meanwhile. Each round has,
# one after the other: one thread, two threads, and two processes of one thread with as many devices each.
set -euo pipefail
program=$(readlink -f "${1:?the path of compaction-lab}")
curves=${2:?the folder of fleet measure}
devices=${3:-30000}
rounds=${4:-5}
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# simulate OUTPUT THREADS
simulate() {
  "$program" fleet simulate "$here/fleet.yml" --curves "$curves" --devices "$devices" --jobs "$2" --output "$folder/$1" -q \
    --policy "tight = on-launch: totalBytes > 5 MB && usedBytes / totalBytes < 75 %" > /dev/null
}

both() { simulate first 1 & simulate second 1 & wait; }

# Prints the microseconds of a command.
measure() {
  local began=${EPOCHREALTIME/./}
  "$@"
  echo $((${EPOCHREALTIME/./} - began))
}

simulate first 2
for round in $(seq "$rounds"); do
  one=$(measure simulate first 1) two=$(measure simulate first 2) processes=$(measure both)
  echo "$one $two $processes"
done | awk "$(cat "$here/median.awk")"'{
  printf "one thread %.2f s, two threads %.2f s, two processes %.2f s\n", $1 / 1e6, $2 / 1e6, $3 / 1e6
  threads[NR] = $1 / $2; processes[NR] = 2 * $1 / $3; ratio[NR] = $3 / (2 * $2)
}
END {
  printf "two threads do %s times the work of one, two processes %s times; ratio %s\n", median(threads, NR, "%.3f"),
    median(processes, NR, "%.3f"), median(ratio, NR, "%.3f")
}'
