#!/usr/bin/env python3
"""Two builds of Riata side by side: CPU seconds of emptiness checks.

    bench/checks.py OLD NEW [--algorithms se05,gmz04,tarjan72] [--repeat N] FILE...

Each FILE is a model with properties of its own, such as BEEM's `lup.2.prop2.dve`. The builds take turns; of N runs the
fastest counts. More than 1 is for NEW. Run it with nothing else running.
"""

import argparse
import json
import math
import os
import subprocess


def seconds(riata, model, algorithm):
    """CPU seconds and counters of the longest check of a model."""
    done = subprocess.run([riata, "check", model, "-a", algorithm, "--json"], capture_output=True, text=True)
    results = [r for r in json.loads(done.stdout)["results"] if r["algorithm"] == algorithm]
    longest = max(results, key=lambda r: r["cpu_seconds"])
    return longest["cpu_seconds"], (longest["verdict"], longest["counters"]["states"], longest["counters"]["transitions"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--algorithms", default="se05,gmz04,tarjan72")
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    ratios = []
    print("| model | check | states | old s | new s | ratio |\n|---|---|---|---|---|---|")
    for model in args.files:
        for algorithm in args.algorithms.split(","):
            times, counted = {args.old: [], args.new: []}, {}
            for _ in range(args.repeat):
                for riata in (args.old, args.new):
                    spent, counters = seconds(riata, model, algorithm)
                    times[riata].append(spent)
                    counted[riata] = counters
            old, new = min(times[args.old]), min(times[args.new])
            ratios.append(old / new)
            note = "" if counted[args.old] == counted[args.new] else " (another count)"
            print(f"| {os.path.basename(model)} | {algorithm} | {counted[args.new][1]}{note} | {old:.2f} | {new:.2f} | {old / new:.2f} |",
                  flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\nGeometric mean {mean:.3f}, least {min(ratios):.2f}, most {max(ratios):.2f}.")


if __name__ == "__main__":
    main()
