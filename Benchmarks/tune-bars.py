#!/usr/bin/env python3
"""Holds the rules that `tune` finds to three bars, over the ten apps and the catalog's scenarios of at least four launches:
Benchmarks/tune-bars.py PROGRAM [--engine E]... [--only SCENARIO]... [--seeds N] [--folder FOLDER] [--output FILE]

Each scenario is tuned by itself. On native N training seeds are followed by N held-out ones, on other engines 3 by 3. Regrets
and the intervals of their differences are computed here, from tune.csv: 10,000 resamples of the held-out seeds, paired. With
--folder the results of `tune` stay there, and what it has is not run again. Exit code 1: a bar is not met.
"""
import argparse
import collections
import csv
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
APPS = [f"apps/{name}" for name in (
    "feed-reader", "fitness-tracker", "image-cache", "importer", "kiosk", "mail", "messenger", "notes", "offline-map",
    "point-of-sale")]
# With twelve launches of the thousand that open-write-close has, since the work grows with their square. Without
# compaction/killed: compactions that are killed have no launch matrix.
CATALOG = {
    "compaction/async-opening-stall": [], "compaction/charging": [], "compaction/compaction-at-launch": [],
    "compaction/rebound": [], "dispatch-queue-pinning": [], "frozen-objects": [], "long-reader": [],
    "modes/open-write-close": ["--set", "launches.count=12", "--set", "phases.write.launches=2 to 12"],
    "pins/savepoint": [], "shapes/growing-lists": [], "shapes/migration-remains": [],
}
ENGINES = ["native", "lmdb", "sqlite"]
# As VendorDefault has them; all but the last two are shipped or documented by a vendor.
# Automatic compaction is none of them, since it decides at no launch.
VENDORS = ["realm-100MB-50", "realm-20MB-50", "realm-50MB-50", "couchdb-smoosh", "couchdb-smoosh-channel", "etcd-defrag", "never",
           "every-launch"]
JOBS = 2  # Cells at a time.
MIN_SEEDS = 5  # With fewer an interval says nothing.
RESAMPLES = 10_000


def tune(program, scenario, engine, seeds, extra, folder):
    """The rows of tune.csv and the shipped rule, or why there are none."""
    found = folder / f"{pathlib.PurePath(scenario).name}-{engine}"
    record = next(found.glob("*-tune/tune.json"), None)
    if record is None:
        command = [program, "tune", str(ROOT / "Scenarios" / f"{scenario}.yml"), "--engine", engine, "--robustness", "0",
                   "--training-seeds", str(seeds), "--held-out-seeds", str(seeds), "--quiet", "--jobs",
                   str(JOBS), "--output", str(found)] + extra
        ran = subprocess.run(command, capture_output=True, text=True)
        record = next(found.glob("*-tune/tune.json"), None)
        if record is None:
            return None, f"exit code {ran.returncode}: {' '.join(ran.stderr.split())[-200:]}"
    result = json.loads(record.read_text(encoding="utf-8"))["engines"][0]
    if result.get("absence"):
        return None, result["absence"]
    with open(record.with_name("tune.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shipped = next(family for family in result["families"] if not family["hasMemory"])
    hindsights = [family.get("hindsightRegret") for family in result["families"] if not family["hasMemory"]]
    return {"rows": rows, "shipped": shipped["policy"], "hindsight": min((h for h in hindsights if h is not None), default=None),
            "approximate": any(workload.get("difference") for workload in result["workloads"])}, None


class Costs:
    """Costs and optima by policy, workload and seed."""

    def __init__(self, rows):
        table = collections.defaultdict(lambda: collections.defaultdict(dict))
        for row in rows:
            pair = float(row["cost_points"]), float(row["optimum_points"])
            table[row["policy"]][row["scenario"], row["arm"]][row["seed"]] = pair
        self.seeds = sorted({row["seed"] for row in rows}, key=int)
        self.policies = {
            policy: [[pairs[seed] for seed in self.seeds] for pairs in workloads.values()]
            for policy, workloads in table.items()
            if all(len(pairs) == len(self.seeds) for pairs in workloads.values())}

    def regret(self, policy, draw=None):
        """The mean over workloads of (cost − optimum) ÷ optimum, each summed over the seeds; None where an optimum is not
        above zero."""
        regrets = []
        for pairs in self.policies[policy]:
            chosen = pairs if draw is None else [pairs[seed] for seed in draw]
            optimum = sum(pair[1] for pair in chosen)
            if optimum <= 0:
                return None
            regrets.append(sum(pair[0] for pair in chosen) / optimum - 1)
        return statistics.fmean(regrets)

    def difference(self, policy, other):
        """The 95 % interval of how much more regret the policy has than the other; None with few seeds."""
        if len(self.seeds) < MIN_SEEDS:
            return None
        generator = random.Random(22)
        draws = [generator.choices(range(len(self.seeds)), k=len(self.seeds)) for _ in range(RESAMPLES)]
        pairs = [(self.regret(policy, draw), self.regret(other, draw)) for draw in draws]
        differences = sorted(a - b for a, b in pairs if a is not None and b is not None)
        if len(differences) < RESAMPLES:
            return None
        return differences[int(0.025 * RESAMPLES)], differences[int(0.975 * RESAMPLES) - 1]


def evaluate(result):
    """What the shipped rule came to beside the vendors' rules."""
    costs = Costs(result["rows"])
    shipped = result["shipped"]
    regrets = {policy: costs.regret(policy) for policy in costs.policies}
    own = regrets[shipped]
    found = {"shipped": shipped, "regret": own, "seeds": len(costs.seeds), "approximate": result["approximate"],
             "hindsight": result["hindsight"], "others": {}}
    # A vendor's rule that is run under another name is that policy; where the optimum costs nothing there is no regret.
    if own is None:
        return found
    for policy in costs.policies:
        if policy != shipped and regrets[policy] is not None:
            found["others"][policy] = (regrets[policy], costs.difference(policy, shipped))
    vendors = [(regrets[name], name) for name in VENDORS if regrets.get(name) is not None]
    # Of rules that cost the same, no compaction is the simplest.
    found["best"] = min(vendors, key=lambda vendor: (round(vendor[0], 9), vendor[1] != "never", vendor[1]), default=None)
    return found


def percent(value):
    value = value if value is None or abs(value) >= 5e-4 else 0.0
    return "–" if value is None else f"{100 * value:.1f} %" if abs(value) < 10 else f"{100 * value:,.0f} %"


def points(interval):
    return "–" if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"


def table(columns, rows):
    return ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)] + [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]


def counted(cells):
    return f"{len(cells)} cell" + ("" if len(cells) == 1 else "s")


def key_floor(cell):
    return f"best vendor's {percent(cell['best'][0])}, shipped {percent(cell['regret'])}, with hindsight {percent(cell['hindsight'])}"


def bars(cells):
    """The three bars as (sentence, whether it is met), over cells with an interval."""
    known = {key: cell for key, cell in cells.items() if cell["regret"] is not None}
    with_interval = {key: cell for key, cell in known.items() if cell["seeds"] >= MIN_SEEDS}
    found = []
    if known:
        median = statistics.median(cell["regret"] for cell in known.values())
        without = len(cells) - len(known)
        found.append((f"median held-out regret {percent(median)} over {counted(known)} (bar: at most 10 %)"
                      + (f"; the optimum of {without} more costs nothing, so that there is no regret" if without else ""),
                      median <= 0.1))
    # Better by more than a point at 95 %: the whole interval is below −1 point.
    better = [key for key, cell in with_interval.items() if any(
        interval is not None and interval[1] < -0.01
        for name, (_, interval) in cell["others"].items() if name in VENDORS)]
    if with_interval:
        share = 1 - len(better) / len(with_interval)
        found.append((f"on {percent(share)} of {counted(with_interval)} no vendor's rule is better by more than a point "
                      f"(bar: 90 %)" + (": not on " + ", ".join(" ".join(key) for key in better) if better else ""), share >= 0.9))
        poor = {key: cell for key, cell in with_interval.items() if cell["best"] and cell["best"][0] > 0.1}
        unbeaten = [key for key, cell in poor.items() if cell["best"][1] not in cell["others"]
                    or cell["others"][cell["best"][1]][1] is None or cell["others"][cell["best"][1]][1][0] <= 0]
        found.append((f"where the best vendor's rule exceeds 10 % ({counted(poor)}), {len(poor) - len(unbeaten)} beat it with "
                      "an interval above zero (bar: all)" + (": not " + ", ".join(
                          f"{' '.join(key)} ({key_floor(poor[key])})" for key in unbeaten) if unbeaten else ""), not unbeaten))
    return found


def report(cells, absent, seeds, met):
    lines = ["# Tuning", "", "Made by `Benchmarks/tune-bars.py`: held-out regret of the rule that `tune` ships, for each scenario of at least",
             "four launches by itself ([method](../Docs/Optimum.md#optimum-and-regret)), beside the rules that vendors ship.", "",
             f"On native {seeds} training seeds and as many held-out ones, on other engines 3 and 3, too few for intervals. Families: all.",
             "Intervals are of 10,000 paired resamples of the held-out seeds, with 95 %.", ""]
    lines += [f"- {'Met' if is_met else 'NOT met'}: {sentence}." for sentence, is_met in met]
    lines += ["", "## Shipped rules", ""]
    rows = []
    for (scenario, engine), cell in cells.items():
        best = cell.get("best")
        interval = cell["others"].get(best[1], (None, None))[1] if best else None
        rows.append([scenario, engine + (" ≈" if cell["approximate"] else ""),
                     f"`{cell['shipped'].removeprefix('on-launch: ')}`", percent(cell["regret"]),
                     percent(cell["hindsight"]), best[1] if best else "–", percent(best[0]) if best else "–", points(interval)])
    lines += table(["scenario", "engine", "shipped rule", "regret", "with hindsight", "best vendor's rule", "its regret", "points above"],
                   rows)
    lines += ["", "With hindsight is the least that any rule of the families would have come to on the held-out seeds. What is left is",
              "what a function of two sizes cannot know: how long the app stays closed next, and what it will delete.",
              "≈ marks cells that do not renew to the byte: their optimum is approximate. – stands where the optimum costs nothing,",
              "or for an interval of fewer than five seeds.", "", "## Vendors' rules", ""]
    rows = []
    for name in VENDORS:
        regrets = [regret for cell in cells.values() for policy, (regret, _) in cell["others"].items() if policy == name]
        if regrets:
            rows.append([f"`{name}`", len(regrets), percent(statistics.median(regrets)), percent(min(regrets)),
                         percent(max(regrets))])
    lines += table(["rule", "cells", "median regret", "least", "most"], rows)
    for (scenario, engine), reason in absent.items():
        lines += ["", f"Not tuned: {scenario} on {engine}: {reason}."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--engine", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    cells, absent = {}, {}
    with tempfile.TemporaryDirectory() as temporary:
        for engine in arguments.engine or ENGINES:
            for scenario, extra in list({name: [] for name in APPS}.items()) + list(CATALOG.items()):
                if arguments.only and pathlib.PurePath(scenario).name not in arguments.only:
                    continue
                seeds = arguments.seeds if engine == "native" else 3
                result, reason = tune(program, scenario, engine, seeds, extra, arguments.folder or pathlib.Path(temporary))
                if reason:
                    absent[scenario, engine] = reason
                else:
                    cells[scenario, engine] = evaluate(result)
                print(scenario, engine, reason or percent(cells[scenario, engine]["regret"]), file=sys.stderr, flush=True)
    met = bars(cells)
    text = report(cells, absent, arguments.seeds, met)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0 if met and all(is_met for _, is_met in met) else 1


sys.exit(main())
