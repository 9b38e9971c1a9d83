#!/bin/sh
# What pictures cost: 12 series of 10⁶ samples. The aim: less than 5 s, 500 MB and a picture of less than 500 kB.
#   Benchmarks/report.sh [FOLDER OF A RUN]
# With a folder that a run left, the whole report is rendered from it too, timed.
set -e
cd "$(dirname "$0")/.."
swift build -c release --product compaction-lab >&2
lab=$(swift build -c release --show-bin-path)/compaction-lab
picture=$(mktemp)
trap 'rm -f "$picture"' EXIT
"$lab" drawing-load --samples 1000000 --series 12 "$picture"
if [ -n "$1" ]; then
  wc -l "$1/samples.csv"
  time "$lab" report "$1"
fi
