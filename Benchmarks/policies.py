#!/usr/bin/env python3
# What the named policies cost on scenarios of the catalog: Benchmarks/policies.py PROGRAM > policies.md
# Every cell runs once under the stepped schedule, so that the figures repeat to the byte. A cost is the area of waste (bytes
# above usedBytes, at each sample, until the next) plus 8 hours of each byte that was written again.
import collections
import csv
import os
import subprocess
import sys
import tempfile

PRICE_HOURS = 8
ENGINES = ["native", "lmdb", "sqlite"]
SCENARIOS = [
    "compaction/compaction-at-launch", "shapes/growing-lists", "pins/savepoint",
    "shapes/migration-remains",
]
POLICIES = [
    "never", "every-launch", "half-free = on-launch: usedBytes / totalBytes < 50 %",
    "documents = on-launch: totalBytes > 100 MB && usedBytes / totalBytes < 50 %",
    "rent-or-buy(8 h)", "rent-or-buy(2 h)", "square-root(20 MB)", "square-root(1 MB)",
    "multiple(2)", "multiple(1.5)", "pin-aware(50 %)",
]


def name(policy):
    return policy.split(" = ")[0]


def number(row, *columns):
    return sum(int(row[column] or 0) for column in columns)


def costs(folder):
    """The cost in byte-hours of each cell, and what it is made of."""
    cells = collections.defaultdict(list)
    with open(os.path.join(folder, "samples.csv"), newline="") as file:
        for row in csv.DictReader(file):
            if row["free_bytes"]:
                cells[row["engine"], row["arm"], row["policy"]].append(row)
    found = {}
    for key, rows in cells.items():
        area = 0
        for row, following in zip(rows, rows[1:]):
            waste = number(row, "free_bytes", "pinned_bytes", "pending_bytes")
            area += waste * (int(following["time_us"]) - int(row["time_us"]))
        rewritten = number(rows[-1], "rewritten_bytes")
        hours = area / 3.6e9
        found[key] = (hours + PRICE_HOURS * rewritten, number(rows[-1], "compactions"))
    return found


def main():
    program = os.path.abspath(sys.argv[1])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    regret = collections.defaultdict(list)
    rows = []
    with tempfile.TemporaryDirectory() as out:
        for scenario in SCENARIOS:
            command = [program, "run", f"Scenarios/{scenario}.yml", "--schedule", "stepped",
                       "--repetitions", "1", "--quiet", "--record-only", "--output", out]
            for policy in POLICIES:
                command += ["--policy", policy]
            for engine in ENGINES:
                command += ["--engine", engine]
            ran = subprocess.run(command, capture_output=True, text=True)
            print(scenario, ran.returncode, ran.stderr[-200:], file=sys.stderr)
            found = costs(os.path.join(out, os.path.basename(scenario)))
            for engine in ENGINES:
                arms = sorted({arm for e, arm, _ in found if e == engine})
                line = []
                for policy in POLICIES:
                    ratios, compactions = [], 0
                    for arm in arms:
                        cost = {p: c for (e, a, p), (c, _) in found.items()
                                if e == engine and a == arm}
                        best = min(cost.values(), default=0)
                        if name(policy) not in cost or best <= 0:
                            continue
                        ratios.append(cost[name(policy)] / best - 1)
                        compactions += found[engine, arm, name(policy)][1]
                    regret[name(policy)] += ratios
                    mean = sum(ratios) / len(ratios) if ratios else None
                    line.append("" if mean is None else f"{100 * mean:.0f} % ({compactions})")
                rows.append([os.path.basename(scenario), engine, len(arms)] + line)
    columns = ["scenario", "engine", "arms"] + [name(p) for p in POLICIES]
    print("# Named policies\n")
    print("What each policy costs beyond the best of this table, in the mean over the arms, and how often it compacted in all of")
    print("them. The cost is the area of waste plus 8 hours of each byte written again. Made by `Benchmarks/policies.py`, stepped.\n")
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print("\n| policy | median | mean | worst | cells |\n|---|---|---|---|---|")
    for policy in map(name, POLICIES):
        values = sorted(regret[policy])
        if values:
            middle = values[len(values) // 2]
            print(f"| `{policy}` | {100 * middle:.0f} % | {100 * sum(values) / len(values):.0f} % "
                  f"| {100 * values[-1]:.0f} % | {len(values)} |")


main()
