#!/usr/bin/env python3
"""Compares every check and store of Riata with Spot on random automata.

    differential.py [--riata PATH] [--count N] [--seed N]

For each automaton: Spot says whether it is empty; `riata empty --algorithm all` must say the same with every check
and every store, `--shortest` too, and each lasso is walked here, edge by edge, by a few lines that know nothing of
Riata. A lossy store may be inconclusive, never wrong. Checks that do not apply are counted and printed. Exits with 1 at
the first disagreement and leaves the automaton in a file.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

import spot_env

STORES = ["dense", "exact", "tree", "compact", "bitstate"]
CHECKS = "cvwy92 hpy96 gmz04 se05 and sd reach tarjan72 gv04 couvreur99 ascc tau03 cndfs ufscc".split()


def shape(rng):
    """Arguments of `riata random` for one automaton, and whether Spot is to be trusted with it."""
    n = rng.choice([1, 2, 3, 5, 8, 20, 50, 200])
    blocks = rng.choice([1, 2, 3, 6])
    density = rng.choice([0.5, 1.0, 1.5, 2.0, 3.0, 4.0])
    if blocks == 1:
        density = min(density, n - 1)
    sets = rng.choice([0, 1, 1, 1, 2, 3, 4])
    args = ["-n", n, "-d", density, "-a", sets, "--blocks", blocks]
    marks = ["-p", rng.choice([0.02, 0.1, 0.3, 0.5, 0.9])]
    args += ["--aps", rng.choice([0, 0, 1, 3])]
    args += rng.choice([[], [], ["--state-acc"]])
    args += rng.choice([marks, marks, marks, marks, [*marks, "--weak"], ["--terminal"]])
    if sets > 0 and "--terminal" not in args and rng.random() < 0.3:
        args.append("--empty")
    return [str(a) for a in args] + ["--seed", str(rng.getrandbits(32))]


def edges_of(text):
    """The edges (source, target, marks) of an automaton as `riata random` writes it."""
    edges, source, state_marks = [], None, frozenset()
    body = text.split("--BODY--\n")[1].split("--END--")[0]
    for line in body.splitlines():
        marks = frozenset(int(x) for x in line.split("{")[1].rstrip("}").split()) if "{" in line else frozenset()
        line = line.split("{")[0]
        if line.startswith("State:"):
            source, state_marks = int(line.split()[1]), marks
        else:
            edges.append((source, int(line.split("]")[1]), marks | state_marks))
    return edges


def accepts(edges, sets, lasso):
    """Is this lasso an accepting run from state 0? Parallel edges may be taken in turns."""
    stem, cycle = lasso["stem"], lasso["cycle"]
    states = stem + cycle
    if not cycle or states[0] != 0 or cycle[0] in stem:
        return False
    met = set()
    for i, s in enumerate(states):
        t = states[i + 1] if i + 1 < len(states) else cycle[0]
        step = [m for (a, b, m) in edges if a == s and b == t]
        if not step:
            return False
        if i >= len(stem):
            met.update(*step)
    return len(met) == sets


def dialects(spot, program, count, seed):
    """Automata of random formulas, written by Spot in every style of HOA it knows: the answers must be the same."""
    styles = ["hoa", "hoa,i", "hoa,k", "hoa,s", "hoa,t", "hoa,m", "hoa,l", "hoa,b", "hoa,v", "hoa,1.1"]
    tally = collections.Counter()
    formulas = spot.randltl(3, seed=seed, tree_size=(3, 12))
    for formula in (next(formulas) for _ in range(count)):
        for kind in ["tgba", "buchi"]:
            automaton = spot.translate(formula, kind, "low")
            # A product with its own complement has no accepting run, and more sets.
            closed = spot.product(automaton, spot.translate(spot.formula.Not(formula), "tgba", "low"))
            for a in [automaton, closed]:
                components = spot.scc_info(a).scc_count()
                for style in styles:
                    text = a.to_str(*style.split(",", 1))
                    run = subprocess.run([program, "empty", "-", "--json"], input=text, capture_output=True, text=True)
                    if run.returncode != (0 if a.is_empty() else 1):
                        sys.exit(f"exit code {run.returncode} for {formula} in style {style}: {run.stderr}\n{text}")
                    run = subprocess.run([program, "scc", "-", "--json"], input=text, capture_output=True, text=True)
                    found = len(json.loads(run.stdout)["results"][0]["components"])
                    if found != components:
                        sys.exit(f"{found} components instead of {components} for {formula}, style {style}\n{text}")
                    tally[style] += 1
    print("dialects of HOA that Spot writes: " + ", ".join(f"{s} {n}×" for s, n in tally.items()))


def conditions(spot, program, count, rng):
    """Random acceptance conditions without `Fin`, which Riata turns into generalised Büchi conditions.

    Without `t` and `f` too: Spot 2.13 crashes on `Inf(!3)|t`.
    """

    def condition(depth):
        if depth == 0 or rng.random() < 0.3:
            return f"Inf({rng.choice(['', '!'])}{rng.randrange(4)})"
        return f"({condition(depth - 1)}{rng.choice('&|')}{condition(depth - 1)})"

    tally = collections.Counter()
    for _ in range(count):
        n = rng.choice([2, 4, 8])
        wish = ["-n", n, "-d", rng.choice([1, 1.5, 2.5]) if n > 2 else 1, "-a", 4, "-p", rng.choice([0.1, 0.3])]
        wish = [str(w) for w in [*wish, "--seed", rng.getrandbits(32)]]
        text = subprocess.run([program, "random", *wish], capture_output=True, text=True, check=True).stdout
        lines = [l for l in text.splitlines() if not l.startswith("acc-name:")]
        lines = ["Acceptance: 4 " + condition(3) if l.startswith("Acceptance:") else l for l in lines]
        text = "\n".join(lines) + "\n"
        empty = spot.automaton(text).is_empty()
        run = subprocess.run([program, "empty", "-", "-a", "all", "-q"], input=text, capture_output=True, text=True)
        if run.returncode != (0 if empty else 1):
            sys.exit(f"exit code {run.returncode}, Spot says {'empty' if empty else 'nonempty'}: {run.stderr}\n{text}")
        tally["empty" if empty else "nonempty"] += 1
    print("acceptance conditions without Fin: " + ", ".join(f"{n} {v}" for v, n in sorted(tally.items())))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--riata", help="the program; built if not given")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    spot = spot_env.ensure()
    program = spot_env.riata(args.riata)
    rng = random.Random(args.seed)
    tally, skipped = collections.Counter(), collections.Counter()

    for number in range(args.count):
        wish = shape(rng)
        made = subprocess.run([program, "random", *wish], capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f"riata random {' '.join(wish)}: {made.stderr}")
        text = made.stdout
        edges = edges_of(text)
        sets = int(wish[wish.index("-a") + 1])
        empty = spot.automaton(text).is_empty()
        tally["empty" if empty else "nonempty"] += 1

        def fail(why):
            path = os.path.join(tempfile.gettempdir(), f"riata-differs-{number}.hoa")
            with open(path, "w") as f:
                f.write(text)
            sys.exit(f"automaton {number} ({' '.join(wish)}), kept in {path}: {why}")

        for store in STORES:
            for flags in [["--shortest"]] if store == "dense" else [[]]:
                command = [program, "empty", "-", "--json", "--algorithm", "all", "--store", store]
                if number % 2:
                    command += ["--memory", "64MiB"]
                run = subprocess.run([*command, *flags], input=text, capture_output=True, text=True)
                if run.returncode not in (0, 1, 3):
                    fail(f"exit code {run.returncode} with store {store}: {run.stderr}")
                answer = json.loads(run.stdout)
                done = [r["algorithm"] for r in answer["results"]]
                left = [s["algorithm"] for s in answer.get("skipped", [])]
                if sorted(done + left) != sorted(CHECKS):
                    fail(f"checks are missing with store {store}: {done} and {left}")
                skipped.update((store, s["algorithm"]) for s in answer.get("skipped", []))
                shortest = set()
                for r in answer["results"]:
                    lossy = store in ("compact", "bitstate")
                    right = "empty" if empty else "nonempty"
                    if r["verdict"] != right and not (lossy and r["verdict"] == "inconclusive"):
                        fail(f"Spot says {right}, {r['algorithm']} with store {store} says {r['verdict']}")
                    if lossy and r["verdict"] == "empty":
                        fail(f"{r['algorithm']} says empty with the lossy store {store}")
                    if r["verdict"] == "nonempty":
                        if not accepts(edges, sets, r["lasso"]):
                            fail(f"{r['algorithm']} with store {store}: {r['lasso']} is no accepting run")
                        if flags:
                            shortest.add(len(r["lasso"]["stem"]) + len(r["lasso"]["cycle"]))
                    tally[(store, r["verdict"])] += 1
                if len(shortest) > 1:
                    fail(f"shortest lassos of different lengths: {shortest}")
    print(f"{args.count} automata, {tally['empty']} empty and {tally['nonempty']} nonempty; all checks agree with Spot {spot.version()}")
    for store in STORES:
        verdicts = {v: c for (s, v), c in ((k, c) for k, c in tally.items() if isinstance(k, tuple)) if s == store}
        print(f"  {store}: " + ", ".join(f"{c} {v}" for v, c in sorted(verdicts.items())))
    dialects(spot, program, max(args.count // 20, 5), args.seed)
    conditions(spot, program, args.count, rng)
    print("not applicable: " + ", ".join(f"{a} with {s} {c}×" for (s, a), c in sorted(skipped.items())))


if __name__ == "__main__":
    main()
