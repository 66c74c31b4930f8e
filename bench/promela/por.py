#!/usr/bin/env python3
"""Partial-order reduction: Riata's states against Spin's with its own reduction, and what it costs.

    bench/promela/por.py CORPUS --riata BINARY [--least N] [--most N] [--ltl] [--only TEXT] [--pan] [--por on]

CORPUS holds Promela models and `spin_results.csv`, which tells Spin's states with and without its reduction
(`safety_por` and `safety_noreduce`, over the whole space where that is recorded; with `--ltl` `accept_por` and
`accept_noreduce` of each claim). Riata explores each model of at least N states (20,000) with `--por off` and `--por auto` (or `on`);
for claims it checks them. Columns: Spin without and with, Riata without and with, Riata's with over Spin's with, and CPU
seconds with over without. Where reduction is off, the reason is told. The exit code is 1 if an answer differs.

With `--pan` Spin's compiled verifier runs beside it, with its own reduction (`spin -a`, `gcc -O2 -DSAFETY`, a table as large as
the recorded states ask for): `pan` is the CPU time of its search over that of Riata's, with reduction on both sides; `verdict`
the same from the text on, with `spin` and the compiler on the one side and the whole process on the other. More than 1 is for
Riata. The whole space on both sides (`-E -A`), or the claim (`-a -N`).
"""

import argparse
import csv
import json
import math
import os
import shutil
import sys

from speed import compiled, measured, pan


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--riata", default="riata")
    p.add_argument("--least", type=int, default=20_000)
    p.add_argument("--most", type=int, default=4_000_000)
    p.add_argument("--seconds", type=int, default=60)
    p.add_argument("--ltl", action="store_true")
    p.add_argument("--only", default="")
    p.add_argument("--pan", action="store_true")
    p.add_argument("--por", default="auto", choices=["auto", "on"])
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
    command = [args.riata, *what, "--por", por, "--threads", "1", "--time", str(args.seconds), "--json"]
    text, cpu, _ = measured(command, ".", 2 * args.seconds)
    if not text:
        return None
    result = json.loads(text)["results"][-1]
    counters = result["counters"]
    bad = (counters.get("deadlocks", 0) > 0, counters.get("violations", 0) > 0)
    return result["verdict"], bad, counters["states"], result["cpu_seconds"], (result.get("por") or {}).get("off", ""), cpu


def spin(args, model, claim, states):
    """CPU seconds of the search of Spin's verifier with its reduction, and with the time to make it; nothing if it fails."""
    table = max(16, math.ceil(math.log2(states)) + 1)
    options = ["-a", "-N", claim] if claim else ["-E", "-A"]
    folder, building = compiled(os.path.join(args.corpus, model + ".pml"), [] if claim else ["-DSAFETY"])
    # A small model does not pay for a stack that it does not need.
    runs = (pan(folder, [*options, f"-w{table}"], args.seconds, depth) for depth in (10_000, 1_000_000, 10_000_000))
    found = next(filter(None, runs), None)
    shutil.rmtree(folder)
    return found and (found[1], building + found[1])


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else float("nan")


def main():
    args = arguments()
    ratios, before, times, differ, searches, verdicts = [], [], [], 0, [], []
    more = " pan | verdict |" if args.pan else ""
    print(f"| model | Spin | with its reduction | Riata | with reduction | over Spin's | time |{more} off |")
    print("|---" * (8 + more.count("|")) + "|")
    for model, claim, full, reduced in recorded(args):
        if not args.least <= full <= args.most or args.only not in model:
            continue
        off, on = riata(args, model, claim, "off"), riata(args, model, claim, args.por)
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
        beside = ""
        if args.pan:
            found = spin(args, model, claim, reduced)
            if found:
                searches.append(found[0] / max(on[3], 1e-4))
                verdicts.append(found[1] / max(on[5], 1e-4))
            beside = f" {searches[-1]:.2f} | {verdicts[-1]:.1f} |" if found else " | |"
        print(f"| {name} | {full} | {reduced} | {off[2]} | {on[2]} | {ratios[-1]:.2f} | {times[-1]:.2f} |{beside} {note} |", flush=True)
    print(f"\n{len(ratios)} models. States over Spin's with its reduction: without ours {mean(before):.2f}, with it "
          f"{mean(ratios):.2f} in the geometric mean, at most {max(ratios, default=0):.2f}. Time with over without "
          f"{mean(times):.2f}, at most {max(times, default=0):.2f}. {differ} answers differ.")
    if args.pan:
        print(f"Spin's search takes {mean(searches):.2f} times Riata's CPU time, from the text to the verdict {mean(verdicts):.1f} times.")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
