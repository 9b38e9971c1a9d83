#!/usr/bin/env python3
"""Measures what a link, an element of a list, an index entry and an embedded object take in compacted files of `native-objects`
and of Realm Core: the slope of the live bytes between two sizes, nodes included.

    Benchmarks/shape-space.py PROGRAM REALM_LIBRARY
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

SCENARIO = """scenario: shape-space
question: What does a shape take in a compacted file?
data:
  Item: {{ rows: {rows}, value: {{ size: 100 B }}, shape: {shape} }}
clients:
  writer: {{ kind: writer, transaction: {{ {transaction} }} }}
phases:
  - fill:  {{ commits: {commits}, run: [writer], launches: 1 }}
  - after: {{ commits: 1, run: [writer: {{ transaction: {{ update: 1 }} }}], launches: 2 }}
launches: 2
policies: [every-launch]
comparator: none
sample: {{ every: 1 commits }}
"""

# Name, rows, the two shapes with their transactions and commits, and by how many parts they differ.
SHAPES = [
    ("link in a list, with its backlink", 4000, ("links 2", "update: 1", 1), ("links 10", "update: 1", 1), 8 * 4000),
    ("element of a list of integers", 200, ("list", "append: 100", 100), ("list", "append: 100", 400), 300 * 100),
    ("index entry of 28 bits", 4000, ("indexes 1", "update: 1", 1), ("indexes 4", "update: 1", 1), 3 * 4000),
    # A tree of n has n children of n leaves each.
    ("embedded object of 100 bytes", 1000, ("tree of 3", "update: 1", 1), ("tree of 11", "update: 1", 1), 120 * 1000),
]
# Realm Core compacts automatically, too, which nothing switches off.
ENGINES = {"native-objects": "every-launch", "realm-core": "automatic + every-launch"}


def live_bytes(program, library, engine, rows, shape, transaction, commits):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "shape-space.yml"
        file.write_text(SCENARIO.format(rows=rows, shape=shape, transaction=transaction, commits=commits))
        subprocess.run(
            [program, "run", file, "--engine", engine, "--policy", ENGINES[engine], "--realm-library", library, "--schedule",
             "stepped", "--repetitions", "1", "--output", folder, "-q"], check=True, stdout=subprocess.DEVNULL)
        with open(pathlib.Path(folder) / "shape-space" / "samples.csv", newline="") as samples:
            return next(int(row["live_bytes"]) for row in csv.DictReader(samples) if row["launch"] == "2")


def main():
    program, library = sys.argv[1:]
    for name, rows, small, large, parts in SHAPES:
        figures = []
        for engine in ENGINES:
            sizes = [live_bytes(program, library, engine, rows, *shape) for shape in (small, large)]
            figures.append(f"{engine} {(sizes[1] - sizes[0]) / parts:.1f} B")
        print(f"{name}: {', '.join(figures)}")


main()
