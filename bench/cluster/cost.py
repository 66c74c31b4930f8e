#!/usr/bin/env python3
"""What it costs to divide states among processes.

    bench/cluster/cost.py MODEL… --riata BINARY [--processes 1,2,4] [--json FILE]

For each model: wall time, bytes on the wire for each state and each transition, memory of the largest process, and that times processes
divided by the memory of one process. One process here is one with the code for one (`explore` without further options).
"""

import argparse
import json
import subprocess
import time


def call(args, model, *more):
    start = time.time()
    run = subprocess.run([args.riata, "explore", model, "--threads", "1", "--json", *more], capture_output=True, text=True)
    seconds = time.time() - start
    document = json.loads(run.stdout)
    return document["results"][0], seconds


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="+")
    p.add_argument("--riata", default="riata")
    p.add_argument("--processes", default="2,4")
    p.add_argument("--json")
    args = p.parse_args()
    rows = []
    print(f"{'model':30} {'n':>2} {'states':>10} {'s':>7} {'B/state':>8} {'B/edge':>7} {'largest':>8} {'ratio':>6}")
    for model in args.models:
        one, seconds = call(args, model)
        for n in [1] + [int(n) for n in args.processes.split(",")]:
            if n > 1:
                entry, seconds = call(args, model, "--processes", str(n))
                sent, largest = entry["cluster"]["sent_bytes"], max(entry["cluster"]["bytes"])
            else:
                entry, sent, largest = one, 0, one["memory_bytes"]
            states, edges = entry["counters"]["states"], entry["counters"]["transitions"]
            row = {"model": model, "processes": n, "states": states, "seconds": seconds, "sent": sent,
                   "transitions": edges, "largest": largest, "ratio": largest * n / max(1, one["memory_bytes"])}
            rows.append(row)
            print(f"{model[-30:]:30} {n:2} {states:10} {seconds:7.2f} {sent / states:8.1f} {sent / max(1, edges):7.1f} "
                  f"{largest / 2**20:7.1f}M {row['ratio']:6.2f}", flush=True)
    if args.json:
        with open(args.json, "w") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    main()
