#!/usr/bin/env python3
"""Compares the named policies with the optimum, beside the policies that need no choice and the documents' conditions, on the
scenarios of at least four launches: Benchmarks/policies.py PROGRAM [--engine E]... [--only SCENARIO]... [--output FOLDER]
[--report FILE]

Every cell runs once under the stepped schedule, so that the figures repeat to the byte. Writes Markdown to standard output, or
to FILE. With --output the results of `optimum` stay in FOLDER, and scenarios that it has are not run again.
"""
import argparse
import collections
import csv
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINES = ["native", "lmdb", "sqlite"]
# With twelve launches of the thousand that open-write-close has, since the work grows with their square. Without
# compaction/killed: compactions that are killed have no launch matrix.
SCENARIOS = {f"apps/{name}": [] for name in (
    "feed-reader", "fitness-tracker", "image-cache", "importer", "kiosk", "mail", "messenger", "notes", "offline-map",
    "point-of-sale")} | {
    "compaction/async-opening-stall": [], "compaction/charging": [], "compaction/compaction-at-launch": [],
    "compaction/rebound": [], "dispatch-queue-pinning": [], "frozen-objects": [], "long-reader": [],
    "modes/open-write-close": ["--set", "launches.count=12", "--set", "phases.write.launches=2 to 12"],
    "pins/savepoint": [], "shapes/growing-lists": [], "shapes/migration-remains": [],
}
JOBS = 2  # Cells at a time.
HALF = "usedBytes / totalBytes < 50 %"
# A tenth of the documents' sizes: the scenarios have a tenth of an app's data.
POLICIES = [
    "never", "every-launch", f"half-free = on-launch: {HALF}", f"documents-2-MB = on-launch: totalBytes > 2 MB && {HALF}",
    f"documents-10-MB = on-launch: totalBytes > 10 MB && {HALF}", "rent-or-buy(8 h)", "square-root(20 MB)",
    "square-root(1 MB)", "multiple(2)", "multiple(1.5)",
    "pin-aware = on-launch: (usedBytes + peakPinnedBytes) / totalBytes < 50 %",
]


def name(policy):
    return policy.split(" = ")[0]


def optimum(program, scenario, engines, output):
    """The rows of a scenario's optimum.csv at the objective's own prices, or why there are none."""
    table = output / f"{pathlib.PurePath(scenario).name}-optimum" / "optimum.csv"
    if not table.exists():
        command = [program, "optimum", str(ROOT / "Scenarios" / f"{scenario}.yml"), "--quiet", "--jobs", str(JOBS),
                   "--output", str(output)] + SCENARIOS[scenario]
        command += [part for policy in POLICIES for part in ("--policy", policy)]
        command += [part for engine in engines for part in ("--engine", engine)]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 0 or not table.exists():
            return [], f"exit code {ran.returncode}: {' '.join(ran.stderr.split())[-300:]}"
    with open(table, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if float(row["work_price_factor"]) == 1], None


def losses(rows):
    """For each cell, by policy: the cost above the optimum, as a share of the optimum (None where that is not above 0), and
    as a share of what the worse of `never` and `every-launch` costs above it."""
    cells = collections.defaultdict(dict)
    for row in rows:
        cells[row["engine"], row["arm"]][row["policy"]] = float(row["cost_points"])
    found = {}
    for key, cost in cells.items():
        # Where compactions do not forget what was before them the optimum is only the cheapest schedule that was run.
        best = min(cost.values())
        # An arm may have policies of its own.
        if not {"never", "every-launch"} <= cost.keys():
            continue
        extreme = max(cost["never"], cost["every-launch"]) - best
        found[key] = {
            policy: ((cost[policy] - best) / best if best > 0 else None, (cost[policy] - best) / extreme if extreme > 0 else 0)
            for policy in map(name, POLICIES) if policy in cost}
    return found


def percent(value):
    return "" if value is None else f"{100 * value:,.1f} %" if abs(value) < 10 else f"{100 * value:,.0f} %"


def table(columns, rows):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)] + [
        "| " + " | ".join(map(str, row)) + " |" for row in rows]


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(cells, absent):
    policies = [name(policy) for policy in POLICIES]
    lines = ["# Named policies", "",
             "Made by `Benchmarks/policies.py`: what each policy costs above the cheapest launch schedule",
             "([method](../Docs/Optimum.md#optimum-and-regret)), under the stepped schedule. The loss is that cost as a share of",
             "what the worse of `never` and `every-launch` costs above the optimum, also where the optimum costs nothing.", "",
             "`multiple(2)` is `half-free` in other words. `pin-aware`, which counts the most bytes that were pinned as used, has no",
             "name among the policies: it is seldom better than `half-free`, and worse on average.", ""]
    rows = []
    for policy in policies:
        regret = [cell[policy][0] for cell in cells.values() if policy in cell and cell[policy][0] is not None]
        loss = [cell[policy][1] for cell in cells.values() if policy in cell]
        asked = [cell for cell in cells.values() if policy in cell]
        first = sum(cell[policy][1] <= min(other[1] for other in cell.values()) + 1e-9 for cell in asked)
        if loss:
            rows.append([f"`{policy}`", len(loss), percent(statistics.median(regret)) if regret else "",
                         percent(statistics.median(loss)), percent(statistics.mean(loss)), percent(quantile(loss, 0.9)),
                         percent(max(loss)), first])
    lines += table(["policy", "cells", "median regret", "median loss", "mean loss", "90 % of cells below", "worst loss",
                    "best or equal in"], rows)
    columns = ["scenario", "engine", "arm"] + [f"`{policy}`" for policy in policies]
    for title, figure in [("## Loss by cell", 1), ("## Regret by cell\n\nEmpty where the optimum costs nothing.", 0)]:
        lines += ["", title, ""] + table(columns, [
            [*key] + [percent(cell[policy][figure]) if policy in cell else "" for policy in policies]
            for key, cell in cells.items()])
    for scenario, reason in absent:
        lines += ["", f"Not run: {scenario}: {reason}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--engine", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    arguments = parser.parse_args()
    program, engines = str(pathlib.Path(arguments.program).resolve()), arguments.engine or ENGINES
    cells, absent = {}, []
    with tempfile.TemporaryDirectory() as temporary:
        for scenario in SCENARIOS:
            if arguments.only and pathlib.PurePath(scenario).name not in arguments.only:
                continue
            rows, reason = optimum(program, scenario, engines, arguments.output or pathlib.Path(temporary))
            print(scenario, reason or "done", file=sys.stderr, flush=True)
            if reason:
                absent.append((scenario, reason))
            for (engine, arm), found in losses(rows).items():
                cells[scenario, engine, arm] = found
            # After each scenario: what was found is there even if a later one is cut off.
            if arguments.report:
                arguments.report.write_text(report(cells, absent), encoding="utf-8")
    if not arguments.report:
        print(report(cells, absent), end="")


main()
