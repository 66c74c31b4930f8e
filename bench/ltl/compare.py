#!/usr/bin/env python3
"""Riata's automata against Spot's: sizes, time and languages, in one run.

    python3 -m venv venv && venv/bin/pip install spottl
    cargo build --release -p riata-automata --example ltl_bench
    venv/bin/python bench/ltl/compare.py FORMULAS BENCH_BINARY OUTPUT.md [--limit SECONDS] [--repeat N]

FORMULAS has lines `tag<TAB>formula`. BENCH_BINARY is the example `ltl_bench`. Each formula and its negation is
translated to a TGBA and to a state-based Büchi automaton by both libraries, in one process each; CPU times are of the
library calls alone. Every automaton of Riata is compared with Spot's: it must share no word with Spot's automaton of
the negation, and contain Spot's automaton. States are counted without a rejecting sink.

--limit is a budget for Riata; a call of Spot cannot be interrupted from Python, so leave formulas that Spot does not
finish out of FORMULAS.
"""

import argparse
import collections
import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import spot

CORE = ("dac", "eh", "sb", "beem")
KINDS = ("tgba", "ba")


class Late(Exception):
    pass


def late(*_):
    raise Late


def spot_translate(formula, kind, repeat):
    """Spot's automaton, and the CPU time of one call."""
    f = spot.formula(formula)
    options = () if kind == "tgba" else ("Buchi", "SBAcc")
    start = time.process_time()
    for _ in range(repeat):
        a = spot.translate(f, *options)
    return a, (time.process_time() - start) / repeat


def same_language(a, positive, negative):
    """Does `a` have the language of `positive`, whose complement is `negative`?"""
    return not a.intersects(negative) and spot.contains(a, positive)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("formulas")
    p.add_argument("bench")
    p.add_argument("output")
    p.add_argument("--limit", type=int, default=20)
    p.add_argument("--repeat", type=int, default=5)
    args = p.parse_args()
    signal.signal(signal.SIGALRM, late)
    # Spot's first translation loads tables: not measured.
    spot.translate("G(a -> F b) & (c U d)")

    with tempfile.TemporaryDirectory() as hoa:
        run = [args.bench, args.formulas, "--hoa", hoa, "--limit", str(args.limit), "--repeat", str(args.repeat)]
        ours = {}
        for row in csv.DictReader(subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()):
            ours[row["tag"], row["neg"]] = row
        totals = collections.OrderedDict()
        different, unequal, unknown, checked = [], [], [], 0
        for line in open(args.formulas):
            tag, formula = line.rstrip("\n").split("\t")
            group = "rand" if tag.startswith("rand") else re.split(r"[-=]", tag)[0]
            group = group if group in CORE + ("rand",) else "families"
            for neg in "01":
                text = formula if neg == "0" else "!(%s)" % formula
                row = ours[tag, neg]
                for kind in KINDS:
                    t = totals.setdefault((group, kind), dict(n=0, ours=0, spot=0, ours_t=0.0, spot_t=0.0, both=0))
                    t["n"] += 1
                    size = int(row[kind + "_states"])
                    repeat = args.repeat if group != "families" else 1
                    signal.alarm(args.limit)
                    try:
                        a, seconds = spot_translate(text, kind, repeat)
                        signal.alarm(0)
                    except (Late, RuntimeError) as e:
                        signal.alarm(0)
                        unknown.append((tag, neg, kind, "Spot: %s" % (str(e).split("\n")[0] or "no answer in time")))
                        continue
                    if size == 0:
                        different.append((group, kind, tag, neg, row["note"], a.num_states(), text))
                        continue
                    t["both"] += 1
                    t["ours"] += size
                    t["spot"] += a.num_states()
                    t["ours_t"] += float(row[kind + "_t"])
                    t["spot_t"] += seconds
                    if size != a.num_states():
                        different.append((group, kind, tag, neg, size, a.num_states(), text))
                    signal.alarm(args.limit)
                    try:
                        other = spot.translate("!(%s)" % text)
                        mine = spot.automaton(os.path.join(hoa, "%s.%s.%s.hoa" % (tag, neg, kind)))
                        if same_language(mine, a, other):
                            checked += 1
                        else:
                            unequal.append((tag, neg, kind, text))
                    except (Late, RuntimeError) as e:
                        unknown.append((tag, neg, kind, "Spot: %s" % (str(e).split("\n")[0] or "no answer in time")))
                    finally:
                        signal.alarm(0)

    write(args.output, totals, different, unequal, unknown, checked)
    return 1 if unequal else 0


def write(path, totals, different, unequal, unknown, checked):
    with open(path, "w") as out:
        say = lambda s="": print(s, file=out)
        say("## LTL to automata, against Spot %s" % spot.version())
        say()
        say("Formulas and their negations; states without a rejecting sink; CPU time of the library calls, same run.")
        say()
        say("| set | automaton | compared | Riata states | Spot states | Riata ms | Spot ms | Spot / Riata |")
        say("|---|---|---|---|---|---|---|---|")
        core = collections.OrderedDict()
        for (group, kind), t in totals.items():
            rows = [(group, t)]
            if group in CORE:
                c = core.setdefault(kind, collections.Counter())
                c.update(t)
            for name, t in rows:
                line(say, name, kind, t)
        for kind, t in core.items():
            line(say, "**all of %s**" % ", ".join(CORE), kind, t)
        say()
        say("Language equivalence with Spot's automaton: %d automata compared and equal, %d different, %d not decided "
            "because Spot gave no answer in time or has too few acceptance sets." % (checked, len(unequal), len(unknown)))
        for u in unequal:
            say("- **different language**: `%s` %s %s `%s`" % u)
        say()
        say("### Formulas where the sizes differ")
        say()
        say("| set | automaton | formula | Riata | Spot |")
        say("|---|---|---|---|---|")
        for group, kind, tag, neg, mine, theirs, text in different:
            text = text if len(text) <= 90 else text[:87] + "…"
            say("| %s | %s | %s%s `%s` | %s | %s |" % (group, kind, "¬" if neg == "1" else "", tag,
                                                  text.replace("|", "\\|"), mine, theirs))
        if unknown:
            say()
            say("### Not compared")
            say()
            for tag, neg, kind, why in unknown:
                say("- %s%s, %s: %s" % ("¬" if neg == "1" else "", tag, kind, why))


def line(say, name, kind, t):
    ratio = t["spot_t"] / t["ours_t"] if t["ours_t"] else float("nan")
    say("| %s | %s | %d of %d | %d | %d | %.1f | %.1f | %.1f |" % (
        name, kind, t["both"], t["n"], t["ours"], t["spot"], t["ours_t"] * 1e3, t["spot_t"] * 1e3, ratio))


if __name__ == "__main__":
    sys.exit(main())
