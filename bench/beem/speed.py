#!/usr/bin/env python3
"""Speed and memory of exploration with the exact and the tree store.

    bench/beem/speed.py CORPUS --riata BINARY [--repeat N] [--models a.1,b.2]

States a second are of CPU time of the search; of several runs the fastest. Resident bytes are the peak of the whole
process over the number of states: 5 MB of it are the program itself, which counts where there are few states.
"""

import argparse
import json
import math
import os
import statistics
import subprocess

MODELS = "mcs.3,iprotocol.3,lamport.5,peterson.4,szymanski.3,leader_filters.5,anderson.6,bakery.7"


def explore(binary, corpus, name, store):
    model = name.rpartition(".")[0]
    path = os.path.join(corpus, model, name + ".dve")
    run = subprocess.run([binary, "explore", path, "--store", store, "--threads", "1", "--json"], capture_output=True, check=True)
    document = json.loads(run.stdout)
    entry = document["results"][0]
    n = entry["counters"]["states"]
    return {"states": n, "rate": n / entry["cpu_seconds"], "store": entry["memory_bytes"] / n,
            "resident": document["resident_bytes"] / n}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--riata", default="riata")
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--models", default=MODELS)
    args = p.parse_args()
    print("| model | states | exact: states/s | resident bytes/state | tree: states/s | store bytes/state | "
          "resident bytes/state |")
    print("|---|---|---|---|---|---|---|", flush=True)
    rows = []
    for name in args.models.split(","):
        runs = {"exact": [], "tree": []}
        for _ in range(args.repeat):
            for store in runs:
                runs[store].append(explore(args.riata, args.corpus, name, store))
        exact, tree = (max(r, key=lambda x: x["rate"]) for r in runs.values())
        rows.append((exact, tree))
        print(f"| {name} | {exact['states']} | {exact['rate']:.0f} | {exact['resident']:.1f} | {tree['rate']:.0f} | "
              f"{tree['store']:.1f} | {tree['resident']:.1f} |", flush=True)
    mean = lambda xs: math.exp(statistics.fmean(map(math.log, xs)))
    print(f"\nGeometric mean of states a second: exact {mean([e['rate'] for e, _ in rows]):.0f}, "
          f"tree {mean([t['rate'] for _, t in rows]):.0f}. "
          f"Median with the tree store: {statistics.median(t['store'] for _, t in rows):.1f} bytes a state in the "
          f"store, {statistics.median(t['resident'] for _, t in rows):.1f} resident.")


if __name__ == "__main__":
    main()
