#!/usr/bin/env python3
"""Two builds of Riata side by side: CPU seconds and memory of emptiness checks, or of exploration.

    bench/checks.py OLD NEW [--algorithms se05,gmz04,tarjan72] [--repeat N] FILE...
    bench/checks.py OLD NEW --explore [--flags=--engine=symbolic] [--repeat N] FILE...

For checks each FILE is a model with properties of its own, such as BEEM's `lup.2.prop2.dve`. The builds take turns; of N
runs the fastest counts. More than 1 is for NEW: it is faster, it needs less memory. Run it with nothing else running.
"""

import argparse
import json
import math
import os
import subprocess


def seconds(riata, model, algorithm, flags):
    """CPU seconds, resident bytes and counters of the longest check of a model, or of its exploration."""
    what = ["check", model, "-a", algorithm] if algorithm else ["explore", model]
    done = subprocess.run([riata, *what, *flags, "--json"], capture_output=True, text=True)
    document = json.loads(done.stdout)
    results = [r for r in document["results"] if not algorithm or r["algorithm"] == algorithm]
    longest = max(results, key=lambda r: r["cpu_seconds"])
    counted = (longest["verdict"], longest["counters"]["states"], longest["counters"].get("transitions"))
    return longest["cpu_seconds"], document.get("resident_bytes", 0), counted


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def told(name, ratios):
    print(f"{name}: geometric mean {mean(ratios):.3f}, least {min(ratios):.2f}, most {max(ratios):.2f}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--algorithms", default="se05,gmz04,tarjan72")
    parser.add_argument("--explore", action="store_true")
    parser.add_argument("--flags", type=lambda s: s.split(","), default=[])
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    times, sizes = [], []
    print("| model | check | states | old s | new s | ratio | memory |\n|---|---|---|---|---|---|---|")
    for model in args.files:
        for algorithm in [None] if args.explore else args.algorithms.split(","):
            runs = {args.old: [], args.new: []}
            for _ in range(args.repeat):
                for riata in (args.old, args.new):
                    runs[riata].append(seconds(riata, model, algorithm, args.flags))
            (old, old_size, old_count), (new, new_size, new_count) = (min(runs[r]) for r in (args.old, args.new))
            times.append(old / new)
            sizes.append(old_size / new_size if new_size and old_size else 1)
            note = "" if old_count == new_count else f" ({old_count[1]} before)"
            print(f"| {os.path.basename(model)} | {algorithm or 'explore'} | {new_count[1]}{note} | {old:.2f} | {new:.2f} | "
                  f"{times[-1]:.2f} | {sizes[-1]:.2f} |", flush=True)
    print()
    told("Speed", times)
    told("Memory", sizes)


if __name__ == "__main__":
    main()
