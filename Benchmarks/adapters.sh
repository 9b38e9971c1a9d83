#!/bin/bash
# What the adapters cost beside loops in C over the same libraries, in some minutes on a quiet machine:
#   Benchmarks/adapters.sh /tmp > adapters.md
# COMPACTION_LAB_REALM, _ROCKSDB, _DUCKDB and _WIREDTIGER name libraries; an engine without its library is left out, with the
# reason. What else is given goes to adapter-bench (--engine, --operation, --pairs, --rows, --seed). It is built from the main
# package, since no product exports the adapters.
cd "$(dirname "$0")/.." || exit 1
folder=${1:-/tmp}
shift
swift build -c release --product adapter-bench 1>&2 || exit 1
timeout 900 .build/release/adapter-bench --folder "$folder" "$@"
