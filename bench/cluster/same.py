#!/usr/bin/env python3
"""Any number of processes says the same.

    bench/cluster/same.py CORPUS… --riata BINARY [--processes 2,4] [--most STATES] [--least STATES] [--time SECONDS] [--only TEXT] [--check]
    bench/cluster/same.py BEEM --riata BINARY --complete [--ltl NUMBER] [--most STATES] …

CORPUS is a model, or a folder with DVE models (`*.dve`, in folders below) or Promela models (`*.pml`). Each model is explored by one process as
always; those with more states than that, or with fewer, are left out. Then, for each number of processes, and once with a checkpoint:

* explore: states, transitions, levels, deadlocks, violations, the verdict, and the number of steps of the run that is shown;
* with --check, check without partial-order reduction: the verdict of each property, and for assertions and deadlocks the number of steps.

With --complete CORPUS is that of BEEM, with its tables. Models are the instances that `instances.csv` calls complete, up to so many
states, and the number of states must be that of the table, too. With --ltl there are, besides, so many formulas of `properties.csv` that
hold and as many that are violated, taken from all models in turn, the smaller instances first; the answer must be that of the table,
too. --time is then for each of these.

Exit code 1 if there is a difference.
"""

import argparse
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile


def call(args, *words):
    command = [args.riata, *words, "--json", "--time", str(args.time)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 101 or run.returncode < 0:
        return {"crash": run.stderr.strip().splitlines()[-1:]}
    try:
        return json.loads(run.stdout)
    except ValueError:
        return {"errors": [run.stderr.strip()[:200]]}


def counts(document):
    if "crash" in document or document.get("errors"):
        return document if "crash" in document else None
    entry = document["results"][0]
    keys = ("states", "transitions", "levels", "deadlocks", "violations")
    steps = len(entry["trace"]) if entry.get("trace") else None
    return {"verdict": entry["verdict"], "steps": steps, **{k: entry["counters"].get(k) for k in keys}}


def verdicts(document):
    if "crash" in document or document.get("errors"):
        return document if "crash" in document else None
    told = {}
    for entry in document["results"]:
        steps = len(entry["trace"]) if entry.get("trace") and entry["algorithm"] == "bfs" else None
        told[entry.get("property") or ""] = [entry["verdict"], steps]
    return told


def unfinished(value):
    return value is None or "inconclusive" in json.dumps(value)


def models(args):
    for corpus in args.corpus:
        if os.path.isfile(corpus):
            yield corpus
        for ending in ("dve", "pml"):
            yield from sorted(glob.glob(os.path.join(corpus, "**", "*." + ending), recursive=True))


def table(corpus, name):
    with open(os.path.join(corpus, name), newline="") as file:
        return list(csv.DictReader(file))


def complete(corpus, most):
    """The complete instances of BEEM up to so many states, the smaller ones first: (model, instance) to the number of states."""
    rows = [r for r in table(corpus, "instances.csv") if r["complete_exploration"] == "yes" and int(r["states"]) <= most]
    return {(r["model"], r["instance"]): int(r["states"]) for r in sorted(rows, key=lambda r: int(r["states"]))}


def formulas(corpus, sizes, number):
    """Formulas with a known answer, from all models in turn: so many that hold, and so many that are violated."""
    for answer, verdict in (("yes", "holds"), ("no", "violated")):
        of_model = {}
        for row in table(corpus, "properties.csv"):
            key = (row["model"], row["instance"])
            if row["prop_type"] == "LTL" and row["beem_answer"] == answer and key in sizes:
                path = os.path.join(corpus, row["model"], "{model}.{instance}.prop{prop}.dve".format(**row))
                of_model.setdefault(row["model"], []).append((sizes[key], path))
        rounds = (sorted(of_model[m])[i] for i in range(99) for m in sorted(of_model) if i < len(of_model[m]))
        yield from ((path, verdict) for _, (_, path) in zip(range(number), rounds))


class Tally:
    """What was compared."""

    def __init__(self, args):
        self.args = args
        self.looked = self.compared = self.different = self.open = self.left = 0
        self.violated = 0

    def table(self, path, ours, theirs):
        self.compared += 1
        if ours != theirs:
            self.different += 1
            print(f"DIFFERENT: {path}: {ours}, the table has {theirs}", flush=True)

    def ways(self, path, command, told, expected, *words):
        """The same by several processes, and with a checkpoint."""
        if unfinished(expected):
            self.open += 1
            print(f"open: {command} {path}: {expected}", flush=True)
            return
        ways = [["--processes", n] for n in self.args.processes.split(",")]
        with tempfile.TemporaryDirectory() as folder:
            for way in [*ways, ["--checkpoint", os.path.join(folder, "kept")]]:
                got = told(call(self.args, command, path, *words, *way))
                if unfinished(got):
                    self.open += 1
                    print(f"open: {command} {path} {' '.join(way)}: {got}", flush=True)
                    continue
                self.compared += 1
                if got != expected:
                    self.different += 1
                    print(f"DIFFERENT: {command} {path} {' '.join(way)}\n  {expected}\n  {got}", flush=True)

    def model(self, path, states=None):
        alone = counts(call(self.args, "explore", path))
        if unfinished(alone) or not self.args.least <= alone.get("states", 0) <= self.args.most:
            self.left += 1
            if states is not None:
                print(f"left out: {path}: {alone}", flush=True)
            return
        self.looked += 1
        if states is not None:
            self.table(path, alone["states"], states)
        self.ways(path, "explore", counts, alone)
        if self.args.check:
            self.ways(path, "check", verdicts, verdicts(call(self.args, "check", path, "--por", "off")))

    def formula(self, path, verdict):
        words = ("--por", "off", "--property", "property")
        alone = verdicts(call(self.args, "check", path, *words))
        self.looked += 1
        if not unfinished(alone):
            self.violated += verdict == "violated"
            self.table(path, alone.get("property", ["none"])[0], verdict)
        self.ways(path, "check", verdicts, alone, "--property", "property")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus", nargs="+")
    p.add_argument("--riata", default="riata")
    p.add_argument("--processes", default="2,4")
    p.add_argument("--most", type=int, default=1_000_000)
    p.add_argument("--least", type=int, default=0)
    p.add_argument("--time", type=int, default=60)
    p.add_argument("--only", default="")
    p.add_argument("--check", action="store_true")
    p.add_argument("--complete", action="store_true")
    p.add_argument("--ltl", type=int, default=0)
    args = p.parse_args()
    tally = Tally(args)
    if args.complete:
        corpus = args.corpus[0]
        sizes = complete(corpus, args.most)
        for path, verdict in formulas(corpus, sizes, args.ltl):
            tally.formula(path, verdict)
        if args.ltl:
            print(f"{tally.looked} formulas, {tally.violated} of them violated, {tally.compared} comparisons, "
                  f"{tally.different} different, {tally.open} not decided in time", flush=True)
            tally.looked = tally.compared = 0
        for (model, instance), states in sizes.items():
            path = os.path.join(corpus, model, f"{model}.{instance}.dve")
            if args.only in path:
                tally.model(path, states)
    else:
        for path in models(args):
            if args.only in path:
                tally.model(path)
    print(f"{tally.looked} models, {tally.compared} comparisons, {tally.different} different, "
          f"{tally.open} not decided in time; {tally.left} models left out")
    sys.exit(1 if tally.different else 0)


if __name__ == "__main__":
    main()
