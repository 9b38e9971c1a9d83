#!/bin/sh
# All parts of the comparison with at least 15 pairs, in about ten minutes on a quiet machine:
#   Benchmarks/final.sh /tmp > tables.md
set -e
cd "$(dirname "$0")"
folder=${1:-/tmp}
bench() { printf '\n'; .build/release/engine-bench --folder "$folder" "$@"; }
bench --part commits --rows 20000 --durable 200
bench --part commits --rows 20000 --durable 200 --state churned
bench --part commits --rows 20000 --durable 200 --unsynced 1000 --state fragmented
bench --part commits --rows 1000000 --durable 60 --unsynced 1000
bench --part reads --rows 20000
bench --part reads --rows 1000000
bench --part load --rows 20000
bench --part load --rows 1000000 --pairs 15
bench --part compaction --pairs 15
printf '\n'
.build/release/compaction-bench --folder "$folder" --rounds 15
