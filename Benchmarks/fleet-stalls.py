#!/usr/bin/env python3
"""Compares the longest stall of a device that `fleet simulate --calibration` estimates with that of runs that really compacted:
Benchmarks/fleet-stalls.py PROGRAM [--engine E]... [--calibration FOLDER] [--output FOLDER] [--sizes MB...]
[--repetitions N] [--max-size SIZE]

Calibrates the machine first, unless a calibration is named. Then databases of eight sizes, which the calibration did not have,
are written to, durably as in an app, and compacted at the third launch, in the page cache. Nothing else may run meanwhile. Writes
to standard output.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

SIZES = [9, 12, 17, 23, 31, 40, 47, 56]  # MB of values.
REPETITIONS = 5
# Seconds before each run. An app is launched hours after the launch before, so that its compaction does not get memory that
# another one has just freed: a virtual machine gives such memory back to its host within two seconds.
PAUSE = 4
SCENARIO = """\
scenario: stalls-{size}-mb
question: How long do launches that compact take?
seed: {size}
durability: full
data:
  Item: {{ rows: {rows}, value: {{ size: 1 kB }} }}
clients:
  writer: {{ kind: writer, transaction: {{ update: 32 }} }}
phases:
  - use: {{ commits: {commits}, run: [writer] }}
launches: 4
engines: [{engines}]
policies:
  - third = on-launch: launchesSinceCompaction >= 3
sample: {{ every: 1_000 commits }}
"""


def measured(program, output, engines, size, repetitions):
    """Engine, written and file bytes of each launch that compacted, and the nanoseconds of the longest launch, for each run."""
    scenario = output / f"stalls-{size}-mb.yml"
    scenario.write_text(SCENARIO.format(
        size=size, rows=size * 1000, commits=size * 10, engines=", ".join(engines)))
    for repetition in range(repetitions):
        for engine in engines:
            time.sleep(PAUSE)
            own = output / engine / str(repetition)
            subprocess.run([program, "run", str(scenario), "--engine", engine, "--policy", "third", "--schedule", "stepped",
                            "--jobs", "1", "--repetitions", "1", "--no-peak-disk", "--output", str(own), "-q"],
                           check=True, stdout=subprocess.DEVNULL)
            record = json.loads((own / f"stalls-{size}-mb" / "record.json").read_text())
            for cell in record["cells"]:
                run = cell["repetitions"][0]
                events = [event["event"] for event in run["events"]]
                seen = [event for event in events
                        if event["kind"] == "onLaunch" and event["outcome"] == "finished" and event.get("callback")]
                if seen:
                    yield (engine, [(own["rewritten"], own["callback"]["totalBytes"]) for own in seen],
                           run["timing"]["blockedAtLaunchMax"])


def costs(calibration, engine):
    """The coefficients of warm compactions and launches, and the factor within which nine in ten single compactions are, as
    `fleet simulate` has it."""
    record = json.loads((calibration / "calibration.json").read_text())
    own = next(costs for costs in record["engines"] if costs["engine"] == engine)
    opening = next(model["fit"]["coefficients"] for model in own["models"]
                   if model["kind"] == "launch" and model["cache"] == "warm")
    return own["writingFit"]["coefficients"], opening, own["writingFit"]["nineInTenFactor"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--engine", action="append")
    options.add_argument("--calibration", type=pathlib.Path)
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="in MB")
    options.add_argument("--repetitions", type=int, default=REPETITIONS)
    options.add_argument("--max-size", default="128 MB", help="of the calibration's files")
    options.add_argument("--output", type=pathlib.Path)
    options = options.parse_args()
    engines = options.engine or ["native", "lmdb", "sqlite"]
    output = options.output or pathlib.Path(tempfile.mkdtemp())
    output.mkdir(parents=True, exist_ok=True)
    calibration = options.calibration or output / "calibration"
    if not options.calibration:
        subprocess.run([options.program, "calibrate", "--max-size", options.max_size, "--output", str(calibration), "-q"]
                       + [part for engine in engines for part in ("--engine", engine)], check=True, stdout=subprocess.DEVNULL)
    rows = [row for size in options.sizes for row in measured(options.program, output, engines, size, options.repetitions)]
    print("| engine | runs | bias | median error | nine in ten within | interval of the calibration | runs within it |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for engine in engines:
        compaction, opening, factor = costs(calibration, engine)
        errors = []
        for _, seen, time in (row for row in rows if row[0] == engine):
            estimate = max(sum(c * x for c, x in zip(compaction, (1, written, total)))
                           + opening[0] + opening[1] * total for written, total in seen)
            errors.append(estimate / time - 1)
        if not errors:
            continue
        sizes = sorted(map(abs, errors))
        within = sum(1 / factor <= 1 + error <= factor for error in errors) / len(errors)
        print(f"| {engine} | {len(errors)} | {statistics.median(errors):+.1%} | {statistics.median(sizes):.1%} "
              f"| {sizes[int(0.9 * (len(sizes) - 1))]:.1%} | 1 ÷ {factor:.2f} to {factor:.2f} | {within:.0%} |")


if __name__ == "__main__":
    main()
