#!/usr/bin/env python3
"""What threads gain: wall time against the search by one thread, on models of millions of states.

    bench/parallel/speed.py CORPUS --riata BINARY [--threads 2] [--repeat 3] [--models a.1,b.2] [--skip-ltl]

CORPUS is the folder of BEEM's DVE models. Breadth-first: `riata explore`. LTL: formulas that hold, so that both sides see
everything; one thread takes `ascc`, several take the same with scouts, `ufscc`, and `cndfs`. Of several runs the fastest;
sides take turns. The machine must have nothing else to do. Memory is the peak of the process.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import time

MODELS = "lamport.7,peterson.6,anderson.6,szymanski.5,mcs.6,telephony.7,iprotocol.6"


def call(args, *words):
    command = [args.riata, *words, "--json"]
    start = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True)
    wall = time.monotonic() - start
    document = json.loads(run.stdout)
    entry = document["results"][0]
    return {"wall": wall, "states": entry["counters"]["states"], "verdict": entry["verdict"],
            "algorithm": entry["algorithm"], "bytes": document["resident_bytes"]}


def best(args, variants):
    runs = [[] for _ in variants]
    for _ in range(args.repeat):
        for i, words in enumerate(variants):
            runs[i].append(call(args, *words))
    return [min(r, key=lambda x: x["wall"]) for r in runs]


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else float("nan")


def row(name, results):
    one = results[0]
    cells = [f"{r['wall']:.2f} s ({one['wall'] / r['wall']:.2f}×, memory {r['bytes'] / one['bytes']:.2f}×)" for r in results[1:]]
    print(f"| {name} | {one['states']} | {one['verdict']} | {one['algorithm']} {one['wall']:.2f} s | " + " | ".join(cells) + " |",
          flush=True)
    return [one["wall"] / r["wall"] for r in results[1:]]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--riata", default="riata")
    p.add_argument("--threads", default="2")
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--models", default=MODELS)
    p.add_argument("--formula", default="G F {1 == 1}",
                   help="a formula that holds; what the product is searched for")
    p.add_argument("--skip-ltl", action="store_true")
    args = p.parse_args()
    path = lambda name: os.path.join(args.corpus, name.rpartition(".")[0], name + ".dve")
    several = ["--threads", args.threads]
    gains = []
    print(f"| model | states | verdict | one thread | bfs, {args.threads} threads |\n|---|---|---|---|---|", flush=True)
    for name in args.models.split(","):
        words = ["explore", path(name), "--threads"]
        gains += row(name, best(args, [words + ["1"], words + [args.threads]]))
    print(f"\nBreadth-first: {mean(gains):.2f} times (geometric mean).\n")
    if args.skip_ltl:
        return
    gains = []
    names = ["ascc with scouts", "ufscc", "cndfs"]
    print("| model | states | verdict | one thread | " + " | ".join(f"{n}, {args.threads} threads" for n in names) + " |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name in args.models.split(","):
        words = ["check", path(name), "--ltl", args.formula, "--por", "off"]
        variants = [words + ["-a", "ascc", "--threads", "1"]] + [words + several + ["-a", a] for a in ("ascc", "ufscc", "cndfs")]
        gains.append(row(name, best(args, variants)))
    means = ", ".join(f"{n} {mean(g):.2f} times" for n, g in zip(names, zip(*gains)))
    print(f"\nLTL that holds: {means} (geometric means).")


if __name__ == "__main__":
    main()
