#!/usr/bin/env python3
"""Compares Riata with itself on random Promela programs.

    selfcheck.py [--riata PATH] [--count N] [--seed N] [--keep DIR] [--answers PATH]

For each program of `generator`, every property is decided with every fairness by the plain way (unoptimised, explicit,
exact store, the check that Riata chooses) and by all others: with each optimisation, by every check, with every store,
by the symbolic engine; whether `explore` finds deadlocks and violations, and which formulas have a run (`--exists`), with
partial-order reduction and without. All must agree; a lossy store may also say that it does not know, but not that a property holds;
the symbolic engine may refuse. And fewer runs violate fewer properties: what is violated by a strongly fair run is
violated by a weakly fair one, what is violated by that is violated. A run that was found is confirmed by `replay`, step by
step. Every third program has formulas with `X`.

A difference is shrunk, written to DIR and told; the exit code is 1 if there was one.
"""
import argparse
import collections
import os
import sys
import tempfile

from generator import generate, shrink
from peers import Broken, Riata, write

# name: (fairnesses, flags, kind of answer)
PLAIN = ["--no-optimise", "--por", "off"]
WAYS = {
    "optimised": (("none", "weak", "strong"), [], "same"),
    "por": (("none",), ["--no-optimise", "--por", "on"], "same"),
    "por with all checks": (("none",), ["--no-optimise", "--por", "on", "--algorithm", "all"], "same"),
    "optimised por": (("none",), ["--por", "on"], "same"),
    "without por": (("none",), ["--por", "off"], "same"),
    "por compact": (("none",), ["--por", "on", "--store", "compact"], "lossy"),
    "por bitstate": (("none",), ["--por", "on", "--store", "bitstate", "--memory", "1MiB"], "lossy"),
    "native": (("none", "weak", "strong"), ["--no-optimise", "--por", "off", "--jit-after", "0"], "same"),
    "native all checks": (("none", "weak"), ["--jit-after", "0", "--algorithm", "all"], "same"),
    "native por": (("none",), ["--por", "on", "--jit-after", "0"], "same"),
    "interpreted": (("none",), ["--no-jit"], "same"),
    "threads": (("none", "weak"), ["--threads", "3"], "same"),
    "threads plain": (("none",), ["--no-optimise", "--por", "off", "--threads", "2", "--store", "tree"], "same"),
    "threads por": (("none",), ["--por", "on", "--threads", "3"], "same"),
    "scouts with all checks": (("none",), ["--por", "on", "--algorithm", "all", "--threads", "3"], "same"),
    "ufscc": (("none", "weak"), ["--algorithm", "ufscc", "--threads", "3"], "same"),
    "cndfs": (("none",), ["--algorithm", "cndfs", "--threads", "3"], "same"),
    "explore threads": (("none",), ["--no-optimise", "--por", "off", "--threads", "3"], "explore"),
    "begun again": (("none",), ["--por", "off", "--alone", "20"], "same"),
    "begun again plain": (("none",), ["--no-optimise", "--por", "off", "--alone", "7", "--store", "tree"], "same"),
    "explore begun again": (("none",), ["--no-optimise", "--por", "off", "--alone", "20"], "explore"),
    "stats": (("none", "weak", "strong"), ["--stats", "--threads", "1"], "same"),
    "stats with all checks": (("none",), ["--stats", "--no-optimise", "--algorithm", "all", "--threads", "1"], "same"),
    "explore stats": (("none",), ["--no-optimise", "--por", "off", "--stats", "--threads", "1"], "explore"),
    "processes": (("none",), ["--processes", "2"], "may refuse"),
    "explore processes": (("none",), ["--no-optimise", "--por", "off", "--processes", "2"], "explore"),
    "swarm": (("none",), ["--store", "bitstate", "--memory", "1MiB", "--threads", "2"], "lossy, all"),
    "swarm compact": (("none",), ["--store", "compact", "--threads", "2"], "lossy, all"),
    "explore native": (("none",), ["--no-optimise", "--por", "off", "--jit-after", "0"], "explore"),
    "without merge": (("none", "weak"), ["--no-optimise=merge"], "same"),
    "without dead": (("none", "weak"), ["--no-optimise=dead"], "same"),
    "without unread": (("none", "weak"), ["--no-optimise=unread"], "same"),
    "all checks": (("none", "weak"), ["--algorithm", "all"], "same"),
    "ba": (("none", "weak"), ["--automaton", "ba", "--algorithm", "all"], "same"),
    "tgba": (("none", "weak"), ["--automaton", "tgba"], "same"),
    "tree": (("none",), ["--store", "tree"], "same"),
    "compact": (("none",), ["--store", "compact"], "lossy"),
    "bitstate": (("none",), ["--store", "bitstate", "--memory", "1MiB"], "lossy"),
    "symbolic": (("none",), ["--engine", "symbolic"], "may refuse"),
    "explore por": (("none",), ["--por", "on"], "explore"),
    "exists por": (("none",), ["--por", "on"], "exists"),
}
STRONGER = [("strong", "weak"), ("weak", "none")]


def plain(riata):
    """The verdicts by the plain way, for every fairness; nothing if the program is too large."""
    out = {}
    for fairness in ("none", "weak", "strong"):
        for question, verdict, _ in riata.check(fairness, *PLAIN):
            out[question] = verdict
        if {"inconclusive", "out of time"} & set(out.values()):
            return None
    return out


def unordered(reference):
    """Verdicts that contradict each other: violated under more fairness, but not under less."""
    out = []
    for (name, fairness), verdict in reference.items():
        for stronger, weaker in STRONGER:
            less = reference.get((name, weaker))
            if fairness == stronger and verdict == "violated" and less == "holds":
                out.append((f"fairness {weaker}", (name, weaker), "violated", less))
    return out


def infinite(reference):
    """Flags that choose the properties of infinite runs: only these can do with a lossy store."""
    names = sorted({name for name, _ in reference} - {"assertions", "deadlock", "trace", "notrace"})
    return [flag for name in names for flag in ("-p", name)]


def fits(verdict, right, kind):
    # A busy machine decides which of two answers comes in time.
    if right == "inconclusive" or verdict in (right, "out of time"):
        return True
    if kind.startswith("lossy"):
        return verdict == "inconclusive"
    return kind == "may refuse" and verdict == "inconclusive"


def some_ways(limits, seed):
    """With optimisations always; of the other ways two, in turn, unless all are wanted."""
    names = list(limits.ways)
    others = [name for name in names if name != "optimised"]
    if limits.every or len(others) <= 2:
        return names
    return [name for name in names if name == "optimised"] + [others[(seed + k) % len(others)] for k in (0, 2)]


# Formulas with X, which Spin as it is packaged refuses: made of those that the program has.
NEXT = ["X ({f})", "[] (({f}) -> X ({f}))", "<> (({f}) && X ({f}))", "X X ({f})"]


def with_next(program, seed):
    """Every third program has formulas that count steps."""
    if seed % 3 == 0:
        for item in program.properties:
            text = item.parts[0]
            if text.startswith("ltl"):
                formula = text[text.index("{") + 1:text.rindex("}")].strip()
                item.parts[0] = text[:text.index("{")] + "{ " + NEXT[seed // 3 % len(NEXT)].format(f=formula) + " }"
    return program


def replayed(riata, reference):
    """What `replay` says against a run that `check` found, of one property that is violated."""
    violated = sorted(question for question, verdict in reference.items() if verdict == "violated")
    if not violated:
        return []
    name, fairness = violated[len(violated) // 2]
    said = riata.replay(name, fairness)
    return [("replay", (name, fairness), "confirmed", said)] if said else []


def explored(riata, flags):
    """What `explore` counts must not depend on how; with reduction, whether there are deadlocks and violations."""
    def bad(*flags):
        counters = riata.json("explore", "m.pml", *flags)[0]["counters"]
        if reduced:
            return {what: counters.get(what, 0) > 0 for what in ("deadlocks", "violations")}
        return {what: counters.get(what, 0) for what in ("states", "transitions", "levels", "deadlocks", "violations")}
    reduced = "on" in flags
    right, other = bad(*PLAIN), bad(*flags)
    return [("explore por" if reduced else "explore native", (what, "none"), str(right[what]), str(other[what])) for what in right if right[what] != other[what]]


def existing(riata, reference, flags):
    """The same for runs that satisfy a formula, instead of those that violate it."""
    out = []
    for name in infinite(reference)[1::2]:
        try:
            (question, right, _), *_ = riata.check("none", "-p", name, "--exists", *PLAIN)
        except Broken as e:
            if "exit 2" in str(e):
                continue
            raise
        (_, other, _), *_ = riata.check("none", "-p", name, "--exists", *flags)
        if not fits(other, right, "same"):
            out.append(("exists por", question, right, other))
    return out


def compare(program, limits, ways):
    """(way, question, plain verdict, other verdict) where they differ; nothing if the program is refused or too large."""
    with tempfile.TemporaryDirectory(prefix="promela") as folder:
        riata = Riata(limits, folder)
        write(folder, program.text())
        try:
            size = riata.explore()
            if size["verdict"] != "complete" or size["counters"]["states"] > limits.states:
                return None
            reference = plain(riata)
        except Broken as e:
            return None if "exit 2" in str(e) else [("plain", ("", ""), "", str(e))]
        if reference is None:
            return None
        out = unordered(reference) + replayed(riata, reference)
        for way in ways:
            fairnesses, flags, kind = WAYS[way]
            if kind in ("explore", "exists"):
                try:
                    out += explored(riata, flags) if kind == "explore" else existing(riata, reference, flags)
                except Broken as e:
                    out.append((way, ("", "none"), "", str(e)))
                continue
            for fairness in fairnesses:
                chosen = infinite(reference) if kind == "lossy" else []
                if kind == "lossy" and not chosen:
                    continue
                try:
                    answers = riata.check(fairness, *flags, *chosen)
                except Broken as e:
                    if kind != "may refuse" or "exit 2" not in str(e):
                        out.append((way, ("", fairness), "", str(e)))
                    continue
                for question, verdict, algorithm in answers:
                    right = reference.get(question, "no answer")
                    if not fits(verdict, right, kind):
                        out.append((f"{way} {algorithm}", question, right, verdict))
                if kind == "same" and {q for q, _, _ in answers} != {q for q in reference if q[1] == fairness}:
                    out.append((way, ("", fairness), "", "not all properties are there"))
        return out


def kind_of(difference):
    way, (name, fairness), right, other = difference
    named = name if name in ("assertions", "deadlock", "acceptance", "progress", "") else "claim"
    return way.split()[0], named, fairness, right, other[:50]


def tell(difference):
    way, (name, fairness), right, other = difference
    return f"{name} {fairness}: plain {right}, {way} {other}"


def still_wrong(limits, first):
    """For shrinking: the program is still wrong, and in the same way."""
    ways = [way for way in WAYS if first[0].startswith(way)]

    def wrong(program):
        found = compare(program, limits, ways)
        return found is not None and any(kind_of(f) == kind_of(first) for f in found)
    return wrong


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--riata", default="riata")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=3)
    parser.add_argument("--without", type=lambda s: s.split(","), default=[], help="features to leave out")
    parser.add_argument("--ways", type=lambda s: s.split(","), help=f"which of: {', '.join(WAYS)}")
    parser.add_argument("--every", action="store_true", help="all ways for each program, not some in turn")
    parser.add_argument("--states", type=int, default=3000, help="larger programs are left out")
    parser.add_argument("--seconds", type=float, default=1, help="limit for each answer")
    parser.add_argument("--shrink", type=int, default=2, help="how many of a kind are shrunk")
    parser.add_argument("--keep", default="disagreements")
    parser.add_argument("--answers", help="the example `answers` of the crate riata: one process for all questions")
    limits = parser.parse_args()
    limits.riata = os.path.abspath(limits.riata) if os.path.exists(limits.riata) else limits.riata
    limits.ways = limits.ways or list(WAYS)
    # That is no option of the command line.
    limits.ways = [way for way in limits.ways if limits.answers or "--alone" not in WAYS[way][1]]
    return limits


def main():
    limits = options()
    tally, seen = collections.Counter(), collections.Counter()
    for seed in range(limits.seed, limits.seed + limits.count):
        program = with_next(generate(seed, limits.size, without=limits.without), seed)
        wrong = compare(program, limits, some_ways(limits, seed))
        tally["left out" if wrong is None else "compared"] += 1
        if not wrong:
            continue
        tally["disagreements"] += 1
        kind = kind_of(wrong[0])
        seen[kind] += 1
        if seen[kind] <= limits.shrink:
            program = shrink(program, still_wrong(limits, wrong[0]))
        os.makedirs(limits.keep, exist_ok=True)
        path = os.path.join(limits.keep, f"{seed}.pml")
        with open(path, "w") as f:
            f.write(f"/* seed {seed}: {'; '.join(tell(w) for w in wrong)} */\n{program.text()}")
        print(f"seed {seed}: {'; '.join(tell(w) for w in wrong[:4])}: {path}", flush=True)
    for kind, n in seen.most_common():
        print(f"{n:6} of the kind {kind}")
    print(f"{tally['compared']} programs, {tally['left out']} left out, {tally['disagreements']} disagreements")
    sys.exit(1 if tally["disagreements"] else 0)


if __name__ == "__main__":
    main()
