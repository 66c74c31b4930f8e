#!/usr/bin/env python3
"""Any number of processes says the same.

    bench/cluster/same.py CORPUS… --riata BINARY [--processes 2,4] [--most STATES] [--least STATES] [--time SECONDS] [--only TEXT] [--check]

CORPUS is a model, or a folder with DVE models (`*.dve`, in folders below) or Promela models (`*.pml`). Each model is explored by one process as
always; those with more states than that, or with fewer, are left out. Then, for each number of processes, and once with a checkpoint:

* explore: states, transitions, levels, deadlocks, violations, the verdict, and the number of steps of the run that is shown;
* with --check, check without partial-order reduction: the verdict of each property, and for assertions and deadlocks the number of steps.

Exit code 1 if there is a difference.
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile


def call(args, *words):
    command = [args.riata, *words, "--json", "--time", str(args.time)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 101 or run.returncode < 0:
        return {"crash": run.stderr.strip().splitlines()[-1:]}
    try:
        return json.loads(run.stdout)
    except ValueError:
        return {"errors": [run.stderr.strip()[:200]]}


def counts(document):
    if "crash" in document or document.get("errors"):
        return document if "crash" in document else None
    entry = document["results"][0]
    keys = ("states", "transitions", "levels", "deadlocks", "violations")
    steps = len(entry["trace"]) if entry.get("trace") else None
    return {"verdict": entry["verdict"], "steps": steps, **{k: entry["counters"].get(k) for k in keys}}


def verdicts(document):
    if "crash" in document or document.get("errors"):
        return document if "crash" in document else None
    told = {}
    for entry in document["results"]:
        steps = len(entry["trace"]) if entry.get("trace") and entry["algorithm"] == "bfs" else None
        told[entry.get("property") or ""] = [entry["verdict"], steps]
    return told


def unfinished(value):
    return value is None or "inconclusive" in json.dumps(value)


def models(args):
    for corpus in args.corpus:
        if os.path.isfile(corpus):
            yield corpus
        for ending in ("dve", "pml"):
            yield from sorted(glob.glob(os.path.join(corpus, "**", "*." + ending), recursive=True))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus", nargs="+")
    p.add_argument("--riata", default="riata")
    p.add_argument("--processes", default="2,4")
    p.add_argument("--most", type=int, default=1_000_000)
    p.add_argument("--least", type=int, default=0)
    p.add_argument("--time", type=int, default=60)
    p.add_argument("--only", default="")
    p.add_argument("--check", action="store_true")
    args = p.parse_args()
    numbers = [int(n) for n in args.processes.split(",")]
    looked = compared = different = left = open_ = 0
    for path in (f for f in models(args) if args.only in f):
        alone = counts(call(args, "explore", path))
        if unfinished(alone) or not args.least <= alone.get("states", 0) <= args.most:
            left += 1
            continue
        looked += 1
        cases = [("explore", counts, alone)]
        if args.check:
            cases.append(("check", verdicts, verdicts(call(args, "check", path, "--por", "off"))))
        for command, told, expected in cases:
            if unfinished(expected):
                open_ += 1
                continue
            ways = [["--processes", str(n)] for n in numbers]
            with tempfile.TemporaryDirectory() as folder:
                ways.append(["--checkpoint", os.path.join(folder, "kept")])
                for way in ways:
                    got = told(call(args, command, path, *way))
                    if unfinished(got):
                        open_ += 1
                        print(f"open: {command} {path} {' '.join(way)}: {got}", flush=True)
                        continue
                    compared += 1
                    if got != expected:
                        different += 1
                        print(f"DIFFERENT: {command} {path} {' '.join(way)}\n  {expected}\n  {got}", flush=True)
    print(f"{looked} models, {compared} comparisons, {different} different, {open_} not decided in time; {left} models left out")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
