#!/usr/bin/env python3
"""Partial-order reduction: Riata's states against Spin's with its own reduction, and what it costs.

    bench/promela/por.py CORPUS --riata BINARY [--least N] [--most N] [--ltl] [--only TEXT]

CORPUS holds Promela models and `spin_results.csv`, which tells Spin's states with and without its reduction
(`safety_por` and `safety_noreduce`, over the whole space where that is recorded; with `--ltl` `accept_por` and
`accept_noreduce` of each claim). Riata explores each model of at least N states (20,000) with `--por off` and `--por auto`;
for claims it checks them. Columns: Spin without and with, Riata without and with, Riata's with over Spin's with, and CPU
seconds with over without. Where reduction is off, the reason is told. The exit code is 1 if an answer differs.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--riata", default="riata")
    p.add_argument("--least", type=int, default=20_000)
    p.add_argument("--most", type=int, default=4_000_000)
    p.add_argument("--seconds", type=int, default=60)
    p.add_argument("--ltl", action="store_true")
    p.add_argument("--only", default="")
    return p.parse_args()


def recorded(args):
    """model, claim, Spin's states without and with its reduction."""
    rows = {}
    for row in csv.DictReader(open(os.path.join(args.corpus, "spin_results.csv"))):
        rows.setdefault((row["model"], row["claim"]), {})[row["mode"]] = row
    kinds = ["accept_{}"] if args.ltl else ["safety_{}_fullspace", "safety_{}"]
    for (model, claim), modes in sorted(rows.items()):
        for kind in kinds:
            pair = [modes.get(kind.format(how)) for how in ("noreduce", "por")]
            if all(r and r["states_stored"] and not r["truncated"] and r["verdict"] != "unknown" for r in pair):
                # A violated claim ends the search anywhere.
                if not args.ltl or all(r["verdict"] == "pass" for r in pair):
                    yield model, claim, *(int(r["states_stored"]) for r in pair)
                break


def riata(args, model, claim, por):
    path = os.path.join(args.corpus, model + ".pml")
    what = ["check", path, "-p", claim] if claim else ["explore", path]
    done = subprocess.run([args.riata, *what, "--por", por, "--time", str(args.seconds), "--json"], capture_output=True, text=True)
    if not done.stdout:
        return None
    result = json.loads(done.stdout)["results"][-1]
    counters = result["counters"]
    bad = (counters.get("deadlocks", 0) > 0, counters.get("violations", 0) > 0)
    return result["verdict"], bad, counters["states"], result["cpu_seconds"], (result.get("por") or {}).get("off", "")


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else float("nan")


def main():
    args = arguments()
    ratios, before, times, differ = [], [], [], 0
    print("| model | Spin | with its reduction | Riata | with reduction | over Spin's | time | off |\n|---|---|---|---|---|---|---|---|")
    for model, claim, full, reduced in recorded(args):
        if not args.least <= full <= args.most or args.only not in model:
            continue
        off, on = riata(args, model, claim, "off"), riata(args, model, claim, "auto")
        name = f"{model} {claim}".strip()
        if not off or not on or "inconclusive" in (off[0], on[0]):
            print(f"| {name} | {full} | {reduced} | no answer | | | | |", flush=True)
            continue
        note = on[4]
        if off[:2] != on[:2]:
            differ += 1
            note = f"DIFFERS: {off[:2]} {on[:2]}"
        before.append(off[2] / reduced)
        ratios.append(on[2] / reduced)
        times.append(on[3] / max(off[3], 1e-4))
        print(f"| {name} | {full} | {reduced} | {off[2]} | {on[2]} | {ratios[-1]:.2f} | {times[-1]:.2f} | {note} |", flush=True)
    print(f"\n{len(ratios)} models. States over Spin's with its reduction: without ours {mean(before):.2f}, with it "
          f"{mean(ratios):.2f} in the geometric mean, at most {max(ratios, default=0):.2f}. Time with over without "
          f"{mean(times):.2f}, at most {max(times, default=0):.2f}. {differ} answers differ.")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
