#!/usr/bin/env python3
"""Holds the inspection of files in use to three bars: Benchmarks/live-files.py PROGRAM [--commit-loop PROGRAM] [--inspections N]
[--pairs N] [--seconds N] [--every S] [--engine E]... [--bar N]...

1. Of N inspections beside a writer of 100 commits a second at least 95 % are consistent, and all others say that the file
   changed while it was read.
2. Beside a writer at full speed at least 90 % have header and totals.
3. A writer at full speed loses at most 5 % of its commits (upper limit of a 95 % interval, bootstrap over pairs) while its file
   is inspected every S seconds; the order within each pair is random.
The writers of SQLite and LMDB are live-writer.c; that of the native engine is commit-loop. Exit code 1: a bar is not met.
"""
import argparse
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent
ROWS = {"sqlite": 20_000, "lmdb": 20_000, "native": 100_000}  # Files of some 30 MB, and of some 20 MB.
RESAMPLES = 10_000


def wilson(hits, count, z=1.96):
    """The 95 % interval of a share."""
    if count == 0:
        return 0.0, 1.0
    share = hits / count
    middle = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return (middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count)


class Writer:
    running = set()

    def __init__(self, options, engine, folder, seconds, rate):
        names = {"sqlite": "live.db", "lmdb": "live.mdb", "native": "loop.native"}
        self.path = folder / names[engine]
        if engine == "native":
            command = [options.commit_loop, str(10**9), str(math.ceil(seconds)), str(rate), str(ROWS[engine])]
        else:
            command = [options.writer, engine, self.path.name, str(seconds), str(rate), str(ROWS[engine])]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        Writer.running.add(self)

    def finish(self):
        out, _ = self.process.communicate()
        Writer.running.discard(self)
        assert self.process.returncode == 0, self.process.returncode
        return int(out)

    def stop(self):
        self.process.kill()
        self.process.communicate()
        Writer.running.discard(self)

    @staticmethod
    def end_all(number, _):
        """Ends the writers when the measurement is ended: they would write on."""
        for writer in list(Writer.running):
            writer.process.kill()
        raise SystemExit(128 + number)


def inspect(options, path):
    """Returns the report; None where there is none."""
    result = subprocess.run([options.program, "inspect", path.name, "--format", "json"], cwd=path.parent, capture_output=True,
                            text=True, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
    if result.returncode != 0:
        inspect.errors[result.stderr.strip()[:300]] = inspect.errors.get(result.stderr.strip()[:300], 0) + 1
        return None
    return json.loads(result.stdout)


inspect.errors = {}


def fill(options, engine, folder):
    """Makes the file that is worked on, so that it hardly grows later."""
    Writer(options, engine, folder, 6, 0).finish()


def has_totals(report):
    """Whether the report has header and totals."""
    if report is None:
        return False
    if "fileBytes" not in report:
        return report["space"]["file"] > 0
    return report["fileBytes"] > 0 and report["logicalBytes"] > 0 and report["space"]["live"]["min"] is not None


def watch(options, engine, folder, rate, count):
    """Inspects beside a writer, and returns (consistent, changed, without totals, failed, size of the file)."""
    writer = Writer(options, engine, folder, 3600, rate)
    time.sleep(0.5)
    outcomes = [0, 0, 0, 0, 0]
    for _ in range(count):
        assert writer.process.poll() is None, "the writer ended"
        report = inspect(options, writer.path)
        if report is None:
            outcomes[3] += 1
        elif report.get("change") is None:
            outcomes[0] += 1
            # A consistent snapshot is a sound file.
            if report.get("problems", {"count": 0})["count"] > 0:
                sys.exit(f"{engine}: a consistent report with problems: {report['problems']['texts'][:3]}")
        else:
            outcomes[1] += 1
        if not has_totals(report):
            outcomes[2] += 1
    outcomes[4] = writer.path.stat().st_size
    writer.stop()
    return outcomes


def timed(options, engine, folder, inspects):
    """Returns the commits of a writer at full speed."""
    writer = Writer(options, engine, folder, options.seconds, 0)
    end = time.monotonic() + options.seconds - options.every
    time.sleep(options.every)
    while inspects and time.monotonic() < end:
        inspect(options, writer.path)
        time.sleep(options.every)
    return writer.finish()


def hold_paced(options, engine, folder):
    good, changed, _, failed, size = watch(options, engine, folder, 100, options.inspections)
    low, high = wilson(good, options.inspections)
    print(f"{engine}, {size / 1e6:.1f} MB, 100 commits a second: {good} of {options.inspections} consistent "
          f"({low:.1%} to {high:.1%}), {changed} changed while read, {failed} failed", flush=True)
    return good >= 0.95 * options.inspections and good + changed == options.inspections


def hold_full_speed(options, engine, folder):
    count = max(1, options.inspections // 4)
    good, _, bare, failed, size = watch(options, engine, folder, 0, count)
    low, high = wilson(count - bare, count)
    print(f"{engine}, {size / 1e6:.1f} MB, full speed: {count - bare} of {count} with header and totals "
          f"({low:.1%} to {high:.1%}), {good} consistent, {failed} failed", flush=True)
    return count - bare >= 0.9 * count


def hold_loss(options, engine, folder):
    ratios = []
    for _ in range(options.pairs):
        order = [True, False]
        random.shuffle(order)
        commits = {inspects: timed(options, engine, folder, inspects) for inspects in order}
        ratios.append(math.log(commits[True] / commits[False]))
    means = sorted(sum(random.choices(ratios, k=len(ratios))) / len(ratios) for _ in range(RESAMPLES))
    loss = 1 - math.exp(means[RESAMPLES // 2])
    upper = 1 - math.exp(means[int(RESAMPLES * 0.05)])
    print(f"{engine}: {options.pairs} pairs, inspected every {options.every} s: loss of commits {loss:.1%}, "
          f"upper 95 % limit {upper:.1%}", flush=True)
    return upper <= 0.05


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--commit-loop", type=os.path.abspath)
    parser.add_argument("--inspections", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--every", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", action="append", choices=list(ROWS))
    parser.add_argument("--bar", action="append", type=int, choices=[1, 2, 3], help="only this bar; may be repeated")
    options = parser.parse_args()
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, Writer.end_all)
    engines = options.engine or ["sqlite", "lmdb"] + (["native"] if options.commit_loop else [])
    random.seed(options.seed)
    ok = True
    bars = {1: hold_paced, 2: hold_full_speed, 3: hold_loss}
    with tempfile.TemporaryDirectory() as work:
        options.writer = f"{work}/live-writer"
        subprocess.run(["cc", "-O2", "-o", options.writer, ROOT / "live-writer.c", "-lsqlite3", "-llmdb"], check=True)
        for engine in engines:
            folder = pathlib.Path(work) / engine
            folder.mkdir()
            fill(options, engine, folder)
            for bar in options.bar or bars:
                ok &= bars[bar](options, engine, folder)
    for text, count in inspect.errors.items():
        print(f"{count} × {text}")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
