#!/usr/bin/env python3
"""Compares the symbolic engine with the explicit one on the small instances of BEEM.

    bench/beem/symbolic.py CORPUS --out DIR [--riata PATH] [--max-states N] [--models A,B] [--algorithms auto,el]
                           [--time SECONDS] [--tasks explore,ltl,property,product]

explore compares the numbers of states, transitions, deadlocks and violations; ltl the verdicts of the formulas (and of
reachability) on the plain models; property those of the models that are composed with a property process; product the
numbers of states, deadlocks and violations of these. Every case has one row in DIR/symbolic.csv; rows that are there are not run again. The end is 1 if
the engines differ anywhere, or if a case has no answer.
"""

import argparse
import csv
import os
import sys

import run

COLUMNS = ["task", "model", "instance", "property", "algorithm", "explicit", "symbolic", "agrees", "strength",
           "explicit_seconds", "symbolic_seconds", "peak_nodes"]
NUMBERS = ["states", "transitions", "deadlocks", "violations"]


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--out", required=True)
    p.add_argument("--riata", default="riata")
    p.add_argument("--max-states", type=int, default=100_000)
    p.add_argument("--models", default="")
    p.add_argument("--algorithms", default="auto")
    p.add_argument("--tasks", default="explore,ltl,property,product")
    p.add_argument("--parts", type=int, default=1, help="take only every PARTS-th file, from number PART on")
    p.add_argument("--part", type=int, default=0)
    p.add_argument("--time", type=float, default=600)
    p.add_argument("--memory", default="4GiB")
    args = p.parse_args()
    # What the jobs of run.py want to know.
    args.min_states, args.unknown = 0, True
    return args


def seconds(entry):
    return entry["cpu_seconds"] + entry.get("setup_seconds", 0)


def row(job, task, algorithm, one, other, explicit, symbolic):
    known = "inconclusive" not in (one, other)
    return {"task": task, "model": job["model"], "instance": job["instance"], "property": job["property"],
            "algorithm": algorithm, "explicit": one, "symbolic": other,
            "agrees": ("yes" if one == other else "NO") if known else "unknown",
            "strength": symbolic.get("strength", ""), "explicit_seconds": f"{seconds(explicit):.3f}",
            "symbolic_seconds": f"{seconds(symbolic):.3f}", "peak_nodes": symbolic.get("peak_nodes", "")}


def explore(args, job, task):
    # Steps of a model and its property process together are not counted by the symbolic engine.
    numbers = NUMBERS if task == "explore" else ["states", "deadlocks", "violations"]

    def counts(*flags):
        entry = run.riata(args, "explore", job["file"], *flags)["results"][0]
        if entry["verdict"] != "complete":
            return "inconclusive", entry
        return "/".join(str(entry["counters"].get(n)) for n in numbers), entry

    one, explicit = counts()
    other, symbolic = counts("--engine", "symbolic")
    return [row(job, task, symbolic["algorithm"], one, other, explicit, symbolic)]


def check(args, jobs, task):
    """All formulas of a model in one run."""
    what = ["--property", "property"]
    if "formula" in jobs[0]:
        what = [word for job in jobs for word in ("--ltl", job["formula"])]
    names = ["property"] if len(what) == 2 and what[0] == "--property" else [f"ltl_{i}" for i in range(len(jobs))]
    explicit = {e["property"]: e for e in run.riata(args, "check", jobs[0]["file"], *what)["results"]}
    rows = []
    for algorithm in args.algorithms.split(","):
        flags = ["--engine", "symbolic", "--algorithm", algorithm]
        for symbolic in run.riata(args, "check", jobs[0]["file"], *what, *flags)["results"]:
            one = explicit[symbolic["property"]]
            job = jobs[names.index(symbolic["property"])]
            rows.append(row(job, task, symbolic["algorithm"], one["verdict"], symbolic["verdict"], one, symbolic))
    return rows


def cases(args):
    """Tasks, each with the jobs that are about one file."""
    for task in args.tasks.split(","):
        args.task = "property" if task == "product" else task
        files = {}
        for job in run.jobs(args):
            files.setdefault(job["file"], []).append(job)
        for i, jobs in enumerate(files.values()):
            if i % args.parts == args.part:
                yield task, jobs


def summary(rows):
    lines = ["| task | runs | agree | differ | no answer | CPU s explicit | CPU s symbolic | slowest symbolic |",
             "|---|---|---|---|---|---|---|---|"]
    for task in dict.fromkeys(r["task"] for r in rows):
        these = [r for r in rows if r["task"] == task]
        count = lambda a: sum(r["agrees"] == a for r in these)
        total = lambda c: sum(float(r[c]) for r in these)
        slow = max(these, key=lambda r: float(r["symbolic_seconds"]))
        name = f"{slow['model']}.{slow['instance']}" + (f" property {slow['property']}" if slow["property"] else "")
        lines.append(f"| {task} | {len(these)} | {count('yes')} | {count('NO')} | {count('unknown')} | "
                     f"{total('explicit_seconds'):.1f} | {total('symbolic_seconds'):.1f} | "
                     f"{name}: {float(slow['symbolic_seconds']):.1f} |")
    return "\n".join(lines) + "\n"


def main():
    args = arguments()
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "symbolic.csv")
    rows = run.table(path) if os.path.exists(path) else []
    done = {(r["task"], r["model"], r["instance"], r["property"]) for r in rows}
    if not rows:
        with open(path, "w", newline="") as f:
            csv.DictWriter(f, COLUMNS).writeheader()
    failed = False
    for task, jobs in cases(args):
        jobs = [j for j in jobs if (task, j["model"], j["instance"], j["property"]) not in done]
        if not jobs:
            continue
        try:
            new = explore(args, jobs[0], task) if task in ("explore", "product") else check(args, jobs, task)
        except run.Failed as failure:
            print(f"skipped {jobs[0]['file']}: {failure}", file=sys.stderr)
            failed = True
            continue
        with open(path, "a", newline="") as f:
            csv.DictWriter(f, COLUMNS).writerows(new)
        rows += new
        for r in new:
            if r["agrees"] != "yes":
                print(f"{r['task']} {r['model']}.{r['instance']} {r['property']} {r['algorithm']}: "
                      f"explicit {r['explicit']}, symbolic {r['symbolic']}", file=sys.stderr)
    text = summary(rows)
    with open(os.path.join(args.out, "symbolic.md"), "w") as f:
        f.write(text)
    print(text)
    return 1 if failed or any(r["agrees"] != "yes" for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
