#!/usr/bin/env python3
"""Runs a part of the BEEM corpus through Riata and compares with the recorded results.

    bench/beem/run.py CORPUS --out DIR [--riata PATH] [--task explore|property] [--max-states N]
                      [--models A,B] [--algorithms A,B|all] [--stores exact,tree] [--time SECONDS] [--memory SIZE]
                      [--deadlocks stutter|ignore]

CORPUS is the folder with instances.csv and properties.csv. Every run is one row of DIR/TASK.csv; rows that are
there are not run again, so a run that was stopped can be continued. DIR/TASK.md is written anew at the end.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys

COLUMNS = ["model", "instance", "property", "algorithm", "store", "verdict", "expected", "agrees", "states",
           "transitions", "levels", "deadlocks", "strength", "lasso", "memory_bytes", "resident_bytes", "cpu_seconds"]
KEY = COLUMNS[:5]


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--out", required=True)
    p.add_argument("--riata", default="riata")
    p.add_argument("--task", choices=["explore", "property"], default="explore")
    p.add_argument("--max-states", type=int, default=200_000)
    p.add_argument("--min-states", type=int, default=0)
    p.add_argument("--models", default="")
    p.add_argument("--algorithms", default="all")
    p.add_argument("--stores", default="exact")
    p.add_argument("--time", type=float, default=600)
    p.add_argument("--memory", default="4GiB")
    p.add_argument("--deadlocks", choices=["stutter", "ignore"], default="stutter")
    return p.parse_args()


def table(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def riata(args, *command):
    limits = ["--time", str(args.time), "--memory", args.memory]
    run = subprocess.run([args.riata, *command, "--json", *limits], capture_output=True, text=True)
    if run.returncode not in (0, 1, 3):
        raise SystemExit(f"riata {' '.join(command)} ended with {run.returncode}:\n{run.stderr}")
    return json.loads(run.stdout)


def row(job, document, entry, expected, agrees):
    counters = entry["counters"]
    lasso = entry.get("lasso")
    return {
        "model": job["model"], "instance": job["instance"], "property": job["property"],
        "algorithm": entry["algorithm"], "store": entry["store"], "verdict": entry["verdict"],
        "expected": expected, "agrees": agrees, "states": counters["states"],
        "transitions": counters["transitions"], "levels": counters.get("levels", ""),
        "deadlocks": counters.get("deadlocks", ""), "strength": entry.get("strength", ""),
        "lasso": len(lasso["stem"]) + len(lasso["cycle"]) if lasso else "",
        "memory_bytes": entry["memory_bytes"], "resident_bytes": document.get("resident_bytes", ""),
        "cpu_seconds": f"{entry['cpu_seconds']:.6f}",
    }


def explore(args, job, store):
    document = riata(args, "explore", job["file"], "--store", store)
    entry = document["results"][0]
    recorded = job["row"]
    expected = f"{recorded['states']}/{recorded['transitions']}"
    if entry["verdict"] != "complete" or recorded["complete_exploration"] != "yes":
        agrees = "unknown"
    else:
        same = entry["counters"]["states"] == int(recorded["states"])
        if recorded["transitions"]:
            same = same and entry["counters"]["transitions"] == int(recorded["transitions"])
        agrees = "yes" if same else "NO"
    return [row(job, document, entry, expected, agrees)]


def check(args, job, store, algorithm):
    document = riata(args, "check", job["file"], "--property", "property", "--deadlocks", args.deadlocks,
                     "--store", store, "--algorithm", algorithm)
    expected = {"yes": "holds", "no": "violated"}.get(job["answer"], "")
    rows = []
    for entry in document["results"]:
        if entry["verdict"] == "inconclusive" or not expected:
            agrees = "unknown"
        else:
            agrees = "yes" if entry["verdict"] == expected else "NO"
        rows.append(row(job, document, entry, expected, agrees))
    return rows


def jobs(args):
    chosen = set(filter(None, args.models.split(",")))
    instances = {}
    for r in table(os.path.join(args.corpus, "instances.csv")):
        small = r["states"] and args.min_states < int(r["states"]) <= args.max_states
        if small and r["has_dve"] == "1" and (not chosen or r["model"] in chosen):
            instances[r["model"], r["instance"]] = r
    place = lambda m, rest: os.path.join(args.corpus, m, f"{m}.{rest}.dve")
    if args.task == "explore":
        for (m, i), r in sorted(instances.items(), key=lambda x: int(x[1]["states"])):
            if r["complete_exploration"] == "yes":
                yield {"model": m, "instance": i, "property": "", "file": place(m, i), "row": r}
        return
    for p in table(os.path.join(args.corpus, "properties.csv")):
        if (p["model"], p["instance"]) in instances and p["has_prop_dve"] == "1":
            yield {"model": p["model"], "instance": p["instance"], "property": p["prop"],
                   "file": place(p["model"], f"{p['instance']}.prop{p['prop']}"), "answer": p["beem_answer"]}


def summary(args, rows):
    lines = [f"# BEEM, {args.task}", ""]
    wrong = [r for r in rows if r["agrees"] == "NO"]
    known = [r for r in rows if r["agrees"] in ("yes", "NO")]
    lines.append(f"{len(rows)} runs, {len(known)} with a recorded result, {len(wrong)} that differ from it.")
    for r in wrong:
        lines.append(f"- {r['model']}.{r['instance']} {r['property']} {r['algorithm']} {r['store']}: "
                     f"{r['verdict']}, {r['states']} states, recorded {r['expected']}")
    lines += ["", "| algorithm | store | runs | CPU s | states | transitions | states/s (geometric mean) | of hpy96: time | transitions |",
              "|---|---|---|---|---|---|---|---|---|"]
    groups = {}
    for r in rows:
        groups.setdefault((r["algorithm"], r["store"]), []).append(r)
    total = lambda g, c: sum(float(r[c]) for r in g)
    for (a, s), g in sorted(groups.items()):
        rates = [int(r["states"]) / float(r["cpu_seconds"]) for r in g if float(r["cpu_seconds"]) >= 0.01]
        mean = math.exp(sum(map(math.log, rates)) / len(rates)) if rates else 0
        base = groups.get(("hpy96", s))
        same = {tuple(r[k] for k in KEY[:3]) for r in g}
        relative = ["", ""]
        if base:
            b = [r for r in base if tuple(r[k] for k in KEY[:3]) in same]
            relative = [f"{100 * total(g, c) / max(total(b, c), 1e-9):.0f} %" for c in ("cpu_seconds", "transitions")]
        lines.append(f"| {a} | {s} | {len(g)} | {total(g, 'cpu_seconds'):.1f} | {total(g, 'states'):.0f} | "
                     f"{total(g, 'transitions'):.0f} | {mean:.0f} | {relative[0]} | {relative[1]} |")
    return "\n".join(lines) + "\n"


def main():
    args = arguments()
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, f"{args.task}.csv")
    rows = table(path) if os.path.exists(path) else []
    done = {tuple(r[k] for k in ["model", "instance", "property", "store"]) for r in rows}
    if not rows:
        with open(path, "w", newline="") as f:
            csv.DictWriter(f, COLUMNS).writeheader()
    for job in jobs(args):
        for store in args.stores.split(","):
            if (job["model"], job["instance"], job["property"], store) in done:
                continue
            if args.task == "explore":
                new = explore(args, job, store)
            else:
                new = [r for a in args.algorithms.split(",") for r in check(args, job, store, a)]
            with open(path, "a", newline="") as f:
                csv.DictWriter(f, COLUMNS).writerows(new)
            rows += new
            for r in new:
                if r["agrees"] == "NO":
                    print(f"differs: {r['model']}.{r['instance']} {r['property']} {r['algorithm']}: {r['verdict']}, "
                          f"{r['states']} states, recorded {r['expected']}", file=sys.stderr)
    text = summary(args, rows)
    with open(os.path.join(args.out, f"{args.task}.md"), "w") as f:
        f.write(text)
    print(text)
    return 1 if any(r["agrees"] == "NO" for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
