#!/usr/bin/env python3
"""Partial-order reduction of the BEEM models: states and CPU seconds with it and without it.

    bench/beem/por.py CORPUS --riata BINARY [--least N] [--most N] [--por auto|on]

CORPUS is the folder with instances.csv. Every instance of N to N states (100,000 to 10,000,000) is explored twice, with the tree
store. Whether there are deadlocks and violations must not differ; the exit code is 1 if it does.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys


def explore(args, path, por):
    command = [args.riata, "explore", path, "--store", "tree", "--por", por, "--threads", "1", "--time", "300", "--json"]
    result = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["results"][0]
    counters = result["counters"]
    bad = (counters["deadlocks"] > 0, counters["violations"] > 0)
    return result["verdict"], bad, counters["states"], result["cpu_seconds"], (result.get("por") or {}).get("off", "")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--riata", default="riata")
    p.add_argument("--least", type=int, default=100_000)
    p.add_argument("--most", type=int, default=10_000_000)
    p.add_argument("--por", default="auto", choices=["auto", "on"])
    args = p.parse_args()
    ratios, times, differ = [], [], 0
    print("| instance | states | with reduction | ratio | time | off |\n|---|---|---|---|---|---|")
    for row in csv.DictReader(open(os.path.join(args.corpus, "instances.csv"))):
        name = f"{row['model']}.{row['instance']}"
        path = os.path.join(args.corpus, row["model"], name + ".dve")
        if not row["states"] or not args.least <= int(row["states"]) <= args.most or not os.path.exists(path):
            continue
        off, on = explore(args, path, "off"), explore(args, path, args.por)
        if off[0] != "complete" or on[0] != "complete":
            print(f"| {name} | no answer | | | | |", flush=True)
            continue
        differ += off[1] != on[1]
        ratios.append(on[2] / off[2])
        times.append(on[3] / max(off[3], 1e-3))
        note = on[4] if off[1] == on[1] else f"DIFFERS: {off[1]} {on[1]}"
        print(f"| {name} | {off[2]} | {on[2]} | {ratios[-1]:.2f} | {times[-1]:.2f} | {note} |", flush=True)
    mean = lambda numbers: math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else float("nan")
    print(f"\n{len(ratios)} instances. States {mean(ratios):.2f} in the geometric mean, time {mean(times):.2f}, at most "
          f"{max(times, default=0):.2f}. {differ} answers differ.")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
