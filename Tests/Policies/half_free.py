#!/usr/bin/env python3
# A policy as a program: compacts where half of a file of at least 1 MB is free. Reads one line of JSON, prints one line.
import json
import sys

seen = json.loads(sys.stdin.readline())
total, used = seen["totalBytes"], seen["usedBytes"]
if used is None:
    print("no: the engine does not report usedBytes")
elif total >= 1_000_000 and used * 2 < total:
    print(f"yes: {total - used} of {total} bytes are free")
else:
    print(f"no: {used} of {total} bytes are used")
