#!/usr/bin/env python3
"""Any number of threads says the same.

    bench/parallel/same.py CORPUS… --riata BINARY [--threads 1,2,3,4,8] [--most STATES] [--time SECONDS] [--only TEXT]
                           [--minutes N] [--first SECONDS] [--jobs N]

CORPUS is a folder with DVE models (`*.dve`, in folders below), or with Promela models (`*.pml`). Each model is explored
by one thread; those with more than so many states, and those that take longer, are left out. Then, for each number of threads:

* explore, with the stores exact and tree: states, transitions, levels, deadlocks, violations, and the verdict;
* check, without partial-order reduction: the verdict of each property, and of assertions and deadlocks the number of steps of
  the run that is shown; formulas and claims by `ufscc`, by `cndfs`, and by the check that one thread takes, with scouts.

Models come in a random order that is always the same. With --minutes the last one is that after which the time is over;
--first is the time of the first exploration, which tells how large a model is; with --jobs so many models are done at a time.

Exit code 1 if there is a difference.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import random
import subprocess
import sys
import time


def call(args, seconds, *words):
    command = [args.riata, *words, "--json", "--time", str(seconds)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 101 or run.returncode < 0:
        return {"crash": run.stderr.strip().splitlines()[-1:]}
    try:
        return json.loads(run.stdout)
    except ValueError:
        return {"errors": [run.stderr.strip()[:200]]}


def counts(document):
    """What must not depend on threads."""
    if "crash" in document:
        return document
    if document.get("errors"):
        return None
    entry = document["results"][0]
    keys = ("states", "transitions", "levels", "deadlocks", "violations")
    return {"verdict": entry["verdict"], **{k: entry["counters"].get(k) for k in keys}}


def verdicts(document):
    if "crash" in document:
        return document
    if document.get("errors"):
        return None
    told = {}
    for entry in document["results"]:
        steps = len(entry["trace"]) if entry.get("trace") and entry["algorithm"] == "bfs" else None
        told.setdefault(entry.get("property"), set()).add((entry["verdict"], steps))
    return told


def unfinished(value):
    return value is None or "inconclusive" in json.dumps(value, default=sorted)


def model(args, path, threads):
    """Its states, comparisons and differences; nothing if it is too large."""
    alone = counts(call(args, args.first, "explore", path, "--threads", "1"))
    if unfinished(alone) or alone.get("states", 0) > args.most:
        return None
    compared = different = 0
    questions = [(("explore", path, "--store", store), counts, alone) for store in ("exact", "tree")]
    plain = ("check", path, "--por", "off")
    questions += [((*plain, "-a", a), verdicts, verdicts(call(args, args.time, *plain, "--threads", "1")))
                  for a in ("ufscc", "cndfs", "auto")]
    for words, told, expected in questions:
        for n in threads:
            # One thread takes the checks for one thread, but for those that are asked for by name.
            found = told(call(args, args.time, *words, "--threads", str(n)))
            if unfinished(found) or unfinished(expected):
                continue
            compared += 1
            if found != expected:
                different += 1
                print(f"{' '.join(words)} --threads {n}\n  one thread: {expected}\n  now:        {found}", flush=True)
    return alone["states"], compared, different


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus", nargs="+")
    p.add_argument("--riata", default="riata")
    p.add_argument("--threads", default="1,2,3,4,8")
    p.add_argument("--most", type=int, default=1_000_000)
    p.add_argument("--time", type=int, default=60)
    p.add_argument("--first", type=int, default=12)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--only", default="")
    p.add_argument("--minutes", type=float)
    args = p.parse_args()
    threads = [int(n) for n in args.threads.split(",")]
    files = sorted(f for c in args.corpus for e in ("dve", "pml")
                   for f in glob.glob(os.path.join(c, "**", "*." + e), recursive=True))
    files = [f for f in files if args.only in f]
    random.Random(1).shuffle(files)
    begun = time.monotonic()

    def one(path):
        if args.minutes and time.monotonic() - begun > args.minutes * 60:
            return "not reached"
        told = model(args, path, threads)
        if told is None:
            print(f"left out: {path}", file=sys.stderr, flush=True)
        return told

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        all_told = list(pool.map(one, files))
    done = [told for told in all_told if isinstance(told, tuple)]
    states, compared, different = (sum(column) for column in zip(*done)) if done else (0, 0, 0)
    print(f"{len(done)} models with {states} states, {compared} comparisons, {different} differences; "
          f"{all_told.count(None)} models left out, {all_told.count('not reached')} not reached")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
