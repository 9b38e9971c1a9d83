#!/bin/sh
# False alarms and power of compare-builds, for the table and the picture in Reports/Verdicts:
#   Benchmarks/verdicts.sh aa|loaded|swapped|power|curve [TRIES] > tries.csv
#   Benchmarks/verdicts.sh publish
# aa: a program beside a copy of itself on a quiet machine; loaded: beside itself while a second process works in
# bursts; swapped: loaded, with the two sides in each other's place; power: a busy wait of a tenth of the median commit time
# added to each commit of head; curve: other shares of it. Each stores what its tries come to in
# Reports/Verdicts/verdicts.csv; publish makes the page and the picture beside it.
set -e
cd "$(dirname "$0")/.."
what=$1
tries=${2:-}
bin=$(swift build -c release --show-bin-path)
swift build -c release --product verdict-study >&2
# Starting is most of so short a run, and takes a third less where no library is looked for.
static="--static-swift-stdlib --scratch-path .build/static"
lab=$(swift build -c release $static --show-bin-path)/compaction-lab
swift build -c release $static --product compaction-lab >&2
swift build -c release $static --product commit-loop >&2
# On one processor of several, so that the system's other work finds another; the load of loaded and swapped shares it.
if command -v taskset >/dev/null; then
  taskset -cp $(($(nproc) - 1)) $$ >/dev/null
fi
# In memory where there is a place for it: what a disk does for others is no part of the question, and half of the time.
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
  export TMPDIR=/dev/shm
fi
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
trap 'exit 130' INT TERM
mkdir "$copies/first" "$copies/second"
cp "$lab" "$copies/first"
cp "$lab" "$copies/second"
# A copy lies elsewhere in memory, and that alone has made 4 % of processor time: where less than that counts, one file
# has two names.
cp "$(dirname "$lab")/commit-loop" "$copies/first"
ln "$copies/first/commit-loop" "$copies/second"
arguments="run $PWD/Benchmarks/small.yml --record-only --repetitions 1 --jobs 1 --output out"
first="$copies/first/compaction-lab $arguments"
second="$copies/second/compaction-lab $arguments"
study() {
  name=$1
  shift
  "$bin/verdict-study" --study "$name" --results Reports/Verdicts/verdicts.csv "$@"
}
# The median of fifteen runs' medians, in nanoseconds.
median() {
  for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    (cd "$copies" && eval "$first" >/dev/null 2>&1 && "$first_lab" report out/small >/dev/null 2>&1)
    sed -n 's/.*,commit_p50_ns,ns,[a-z]*,\([0-9]*\).*/\1/p' "$copies/out/small/summary.csv"
  done | sort -n | sed -n 8p
}
# power TRIES PERCENT…
power() {
  count=$1
  shift
  first_lab=$copies/first/compaction-lab
  median=$(median)
  for percent in "$@"; do
    delay=$((median * percent / 100))
    echo "# median commit $median ns, $delay ns added" >&2
    study power --tries "$count" --tolerance 3 --added "$percent" --metric '*/commit_p50_ns' --base "$first" \
      --head "COMPACTION_LAB_TEST_COMMIT_DELAY_NS=$delay $second"
  done
}
case $what in
# Wall time and processor time are what decides where nothing is asked for.
aa)
  study aa --tries "${tries:-200}" --tolerance 10 --metric '*/commit_p50_ns' --metric wall_ns \
    --metric processor_time_ns --base "$first" --head "$second"
  ;;
# Beside a busy process, wall time is mostly that one's. A comparison takes several times as long there, so the program
# is one that starts in a few milliseconds.
loaded)
  study loaded --tries "${tries:-200}" --tolerance 3 --metric processor_time_ns --load \
    --base "$copies/first/commit-loop 300" --head "$copies/second/commit-loop 300"
  ;;
swapped)
  study swapped --tries "${tries:-200}" --tolerance 3 --metric processor_time_ns --load \
    --base "$copies/second/commit-loop 300" --head "$copies/first/commit-loop 300"
  ;;
power) power "${tries:-100}" 10 ;;
curve) power "${tries:-40}" 2 3 4 5 6 8 ;;
publish) "$bin/verdict-study" --publish . ;;
*)
  echo "usage: Benchmarks/verdicts.sh aa|loaded|swapped|power|curve [TRIES], or publish" >&2
  exit 64
  ;;
esac
