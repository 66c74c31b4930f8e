#!/usr/bin/env python3
"""Compares Riata with Spin on random Promela programs.

    differential.py [--riata PATH] [--spin PATH] [--cc CC] [--count N] [--seed N] [--keep DIR]

For each program of `generator`, Spin makes verifiers without its optimisations (`-o1 -o2 -o3`, `-DNOREDUCE`). They say
how many states there are (`-E -A`), whether an assertion or another run-time error is violated (`-E`), whether there is
an invalid end state (`-A`), whether a run passes labels of acceptance again and again (`-a`), or those of progress only
finitely often (`-DNP -l`), whether a `trace` or `notrace` is violated, and whether some run violates each formula and claim (`-a -N`): the last three without
fairness and with (`-f`). Riata must say the same: `explore --no-optimise` the count, `check` the verdicts, with
optimisations and without. Programs that Spin refuses, and those with too many states, are counted and left out.

A difference that a rule of `known.py` explains is counted under the name of the rule. Any other is shrunk, written to
DIR and told; the exit code is 1 if there was one.
"""
import argparse
import collections
import os
import sys
import tempfile

from generator import generate, shrink
from known import classify
from peers import Broken, Refused, Riata, Spin, write

# All other questions are about formulas and claims.
NAMED = ("assertions", "deadlock", "acceptance", "progress", "trace", "notrace")

# Riata with and without what it does to programs.
OPTIONS = {"": [], " unoptimised": ["--no-optimise"]}


def ask_riata(program, limits, folder):
    riata = Riata(limits, folder)
    # What the properties look at (`_last`, say) is part of the states, so they are left out here as for Spin.
    write(folder, program.text(properties=False))
    answers = {"states": riata.explore()["counters"]["states"]}
    write(folder, program.text())
    for name, flags in OPTIONS.items():
        for fairness in ("none", "weak"):
            for question, verdict, _ in riata.check(fairness, *flags):
                answers[question, name] = verdict
    return answers


def differences(program, spin, riata):
    """(question, options, Spin's answer, Riata's) where they are not the same."""
    out = []
    if spin["states"] != riata["states"]:
        out.append(("states", "", spin["states"], riata["states"]))
    for question, theirs in spin.items():
        if question == "states":
            continue
        for name in OPTIONS:
            ours = riata.get((question, name), "no answer")
            if ours != theirs:
                out.append((question, name, theirs, ours))
    return out


def compare(program, limits):
    """What Spin says, the differences, and the rules that explain others."""
    with tempfile.TemporaryDirectory(prefix="promela") as folder:
        spin = Spin(limits, folder).ask(program)
        try:
            riata = ask_riata(program, limits, folder)
        except Broken as e:
            return spin, [("broken", "", "", str(e))], []
    wrong, known = [], []
    for question, name, theirs, ours in differences(program, spin, riata):
        rule = classify(program, question, theirs, ours)
        if rule:
            known.append(rule)
        else:
            wrong.append((question, name, theirs, ours))
    return spin, wrong, known


def kind_of(difference):
    """What is the same for differences that may have the same cause."""
    question, name, theirs, ours = difference
    if question == "broken":
        return question, "", "", ours[:50]
    if question == "states":
        return question, "", "", "more" if isinstance(theirs, int) and ours > theirs else "fewer"
    property, fairness = question
    named = property if property in NAMED else "claim"
    return (named, fairness), name, theirs, ours


def tell(difference):
    question, name, theirs, ours = difference
    what = question if isinstance(question, str) else " ".join(question)
    return f"{what}{name}: Spin {theirs}, Riata {ours}"


def still_wrong(limits, first):
    """For shrinking: the program is still wrong, and in the same way."""
    def wrong(program):
        try:
            found = compare(program, limits)[1]
        except Refused:
            return False
        return any(kind_of(f) == kind_of(first) for f in found)
    return wrong


def keep(limits, seed, wrong, program):
    os.makedirs(limits.keep, exist_ok=True)
    path = os.path.join(limits.keep, f"{seed}.pml")
    with open(path, "w") as f:
        f.write(f"/* seed {seed}: {'; '.join(tell(w) for w in wrong)} */\n{program.text()}")
    print(f"seed {seed}: {'; '.join(tell(w) for w in wrong)}: {path}", flush=True)


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--riata", default="riata")
    parser.add_argument("--spin", default="spin")
    parser.add_argument("--cc", default="tcc", help="compiler of pan.c; gcc if there is no tcc")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=4)
    parser.add_argument("--without", type=lambda s: s.split(","), default=[], help="features to leave out")
    parser.add_argument("--states", type=int, default=20_000)
    parser.add_argument("--depth", type=int, default=200_000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--shrink", type=int, default=2, help="how many of a kind are shrunk")
    parser.add_argument("--keep", default="disagreements")
    limits = parser.parse_args()
    limits.riata = os.path.abspath(limits.riata) if os.path.exists(limits.riata) else limits.riata
    return limits


def main():
    limits = options()
    tally, seen, sizes = collections.Counter(), collections.Counter(), []
    for seed in range(limits.seed, limits.seed + limits.count):
        program = generate(seed, limits.size, without=limits.without)
        try:
            spin, wrong, known = compare(program, limits)
        except Refused as e:
            tally[f"left out: {e}"] += 1
            continue
        tally["compared"] += 1
        for question, answer in spin.items():
            named = question[0] if question[0] in NAMED else "claim"
            if question == "states":
                sizes.extend([answer] if isinstance(answer, int) else [])
            else:
                tally[f"{named} {question[1]}: {answer}"] += 1
        for rule in known:
            tally[f"known: {rule}"] += 1
        if wrong:
            tally["disagreements"] += 1
            kind = kind_of(wrong[0])
            seen[kind] += 1
            small = shrink(program, still_wrong(limits, wrong[0])) if seen[kind] <= limits.shrink else program
            keep(limits, seed, wrong, small)
    for what, n in sorted(tally.items()):
        print(f"{n:6} {what}")
    for kind, n in seen.most_common():
        print(f"{n:6} of the kind {kind}")
    if sizes:
        sizes.sort()
        print(f"states: median {sizes[len(sizes) // 2]}, largest {sizes[-1]}, total {sum(sizes)}")
    print(f"{tally['disagreements']} disagreements")
    sys.exit(1 if tally["disagreements"] else 0)


if __name__ == "__main__":
    main()
