#!/usr/bin/env python3
"""Riata's automata against Spot's: sizes, time and languages, in one run.

    python3 -m venv venv && venv/bin/pip install spottl
    cargo build --release -p riata-automata --example ltl_bench
    venv/bin/python bench/ltl/compare.py FORMULAS BENCH_BINARY OUTPUT.md [--part sizes|languages]

FORMULAS has lines `tag<TAB>formula`. BENCH_BINARY is the example `ltl_bench`. Each formula and its negation is
translated to a TGBA and to a state-based Büchi automaton by both libraries, in one process each; CPU times are of the
library calls alone. States are counted without a rejecting sink.

The language of every automaton of Riata is compared with Spot's: it must share no word with Spot's automaton of the
negation, and contain Spot's automaton of the formula. Languages do not depend on how small an automaton is, so Spot's
fastest translation is taken for this, and its usual one where that is late.

Nothing is skipped in silence: --budget is for each translation of Riata (in seconds) and --limit for each call of Spot
(in seconds of CPU time), and what is not finished within it is listed with the reason. Where only the complement that
containment needs is late, random words of Spot's automaton are tried instead, and that is listed, too.
"""

import argparse
import collections
import csv
import os
import re
import subprocess
import sys
import tempfile
import time

import spot
from limited import Failed, Limited

CORE = ("dac", "eh", "sb", "beem")
KINDS = ("tgba", "ba")
WORDS = 1000


def translate(formula, kind, repeat):
    """Spot's number of states, and the CPU time of one call."""
    f = spot.formula(formula)
    options = () if kind == "tgba" else ("Buchi", "SBAcc")
    start = time.process_time()
    for done in range(1, repeat + 1):
        a = spot.translate(f, *options)
        if time.process_time() - start > 0.1:
            break
    return a.num_states(), (time.process_time() - start) / done


def automaton(formula, fast):
    """An automaton of Spot for the formula, as text."""
    return spot.translate(formula, *(("low", "any") if fast else ())).to_str("hoa")


def disjoint(hoa, other):
    """Does Riata's automaton share no word with another?"""
    return not spot.automaton(hoa).intersects(spot.automaton(other))


def contains(hoa, other):
    """Is every word of another automaton accepted by Riata's?"""
    return spot.contains(spot.automaton(hoa), spot.automaton(other))


def contains_forq(hoa, other):
    """The same without a complement, by the algorithm FORQ on Büchi automata."""
    buchi = lambda a: spot.automaton(a).postprocess("Buchi", "low", "any")
    return spot.contains_forq(buchi(hoa), buchi(other))


def accepts_words(hoa, other):
    """Are words of another automaton, found by reordering it at random, accepted by Riata's?"""
    mine, other = spot.automaton(hoa), spot.automaton(other)
    spot.srand(1)
    for _ in range(WORDS):
        spot.randomize(other)
        word = other.accepting_word()
        if word is None:
            return True
        if not mine.intersects(word.as_automaton()):
            return False
    return True


class Languages:
    """Compares languages, and remembers Spot's automata of a formula while its kinds are compared."""

    def __init__(self, spots):
        self.spots, self.known = spots, {}

    def automaton(self, text):
        if text not in self.known:
            if len(self.known) > 8:
                self.known.clear()
            try:
                self.known[text] = self.spots.call("automaton", text, True)
            except Failed:
                self.known[text] = self.spots.call("automaton", text, False)
        return self.known[text]

    def same(self, hoa, text):
        """Equal, or not, and how far it was decided (nothing if fully)."""
        if not self.spots.call("disjoint", hoa, self.automaton("!(%s)" % text)):
            return False, ""
        positive = self.automaton(text)
        for way in ("contains", "contains_forq"):
            try:
                return self.spots.call(way, hoa, positive), ""
            except Failed:
                pass
        try:
            return self.spots.call("accepts_words", hoa, positive), "contained; the converse on %d words" % WORDS
        except Failed as e:
            return True, "contained; the converse not tried: %s" % e


def main():
    p = argparse.ArgumentParser()
    p.add_argument("formulas")
    p.add_argument("bench")
    p.add_argument("output")
    p.add_argument("--limit", type=int, default=60)
    p.add_argument("--repeat", type=int, default=5)
    p.add_argument("--budget", type=int, default=10)
    p.add_argument("--part", choices=["sizes", "languages"])
    args = p.parse_args()
    spots = Limited(args.limit, translate=translate, automaton=automaton, disjoint=disjoint, contains=contains,
                    contains_forq=contains_forq, accepts_words=accepts_words)
    languages = Languages(spots)
    result = Result()
    with tempfile.TemporaryDirectory() as folder:
        run = [args.bench, args.formulas, "--hoa", folder, "--limit", str(args.budget), "--repeat", str(args.repeat)]
        ours = {}
        for row in csv.DictReader(subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()):
            ours[row["tag"], row["neg"]] = row
        # Sizes and times first and without a pause, so that both sides were measured close together.
        for tag, neg, text in formulas(args.formulas) if args.part != "languages" else ():
            for kind in KINDS:
                try:
                    theirs = spots.call("translate", text, kind, args.repeat)
                except Failed as e:
                    theirs = str(e)
                result.size(tag, neg, kind, text, ours[tag, neg], theirs)
            print(tag, neg, theirs, file=sys.stderr, flush=True)
        for tag, neg, text in formulas(args.formulas) if args.part != "sizes" else ():
            for kind in KINDS:
                hoa = os.path.join(folder, "%s.%s.%s.hoa" % (tag, neg, kind))
                what = ("¬" if neg == "1" else "") + tag, kind
                if not os.path.exists(hoa):
                    result.unknown.append((*what, "Riata: " + ours[tag, neg]["note"]))
                    continue
                try:
                    same, how = languages.same(hoa, text)
                except Failed as e:
                    result.unknown.append((*what, "Spot: %s" % e))
                    continue
                if not same:
                    result.unequal.append((*what, text))
                elif how:
                    result.partly.append((*what, how))
                else:
                    result.equal += 1
            print("%s %s: %d equal, %d partly, %d unknown, %d different" % (
                tag, neg, result.equal, len(result.partly), len(result.unknown), len(result.unequal)),
                file=sys.stderr, flush=True)
    result.write(args.output, args)
    return 1 if result.unequal else 0


def formulas(path):
    """Each formula and its negation: tag, whether negated, text."""
    with open(path) as lines:
        for line in lines:
            if line.strip():
                tag, formula = line.rstrip("\n").split("\t")
                yield tag, "0", formula
                yield tag, "1", "!(%s)" % formula


def set_of(tag):
    """The set of a formula: one of CORE, `rand`, or its family."""
    name = re.split(r"[-=]", tag)[0]
    return name if name in CORE + ("rand",) else re.sub(r"=?[0-9,]*$", "", tag).rstrip("-")


class Result:
    def __init__(self):
        self.totals = collections.OrderedDict()
        self.different, self.unequal, self.unknown, self.partly, self.unfinished = [], [], [], [], []
        self.equal = 0

    def size(self, tag, neg, kind, text, row, theirs):
        """Adds the sizes of one formula; `theirs` is (states, seconds), or why there is none."""
        group = set_of(tag)
        groups = [group]
        if group in CORE:
            groups.append("**all of %s**" % ", ".join(CORE))
        elif group != "rand":
            groups.append("**all families**")
        mine = int(row[kind + "_states"])
        shown = ("¬" if neg == "1" else "") + tag
        if isinstance(theirs, str) or mine == 0:
            self.unfinished.append((shown, kind, mine or row["note"], theirs if isinstance(theirs, str) else theirs[0]))
        for name in groups:
            t = self.totals.setdefault((name, kind), collections.Counter())
            t["n"] += 1
            if isinstance(theirs, str) or mine == 0:
                continue
            t.update(both=1, ours=mine, spot=theirs[0], ours_t=float(row[kind + "_t"]), spot_t=theirs[1])
        if not isinstance(theirs, str) and mine and mine != theirs[0]:
            self.different.append((group, kind, shown, text, mine, theirs[0]))

    def write(self, path, args):
        with open(path, "w") as out:
            say = lambda s="": print(s, file=out)
            say("# LTL to automata, against Spot %s" % spot.version())
            say()
            say("Formulas and their negations; states without a rejecting sink; CPU time of the library calls, same run.")
            say("Written by `compare.py`, with %d s for a translation of Riata and %d s of CPU time for a call of Spot."
                % (args.budget, args.limit))
            say()
            if self.totals:
                self.table(say)
            if self.equal or self.unequal or self.unknown:
                self.languages(say)
            if self.totals:
                self.sizes(say)

    def table(self, say):
        say("| set | automaton | compared | Riata states | Spot states | Riata ms | Spot ms | Spot / Riata |")
        say("|---|---|---|---|---|---|---|---|")
        order = sorted(self.totals.items(), key=lambda x: x[0][0].startswith("**"))
        for (name, kind), t in order:
            ratio = t["spot_t"] / t["ours_t"] if t["ours_t"] else float("nan")
            say("| %s | %s | %d of %d | %d | %d | %.1f | %.1f | %.1f |" % (
                name, kind, t["both"], t["n"], t["ours"], t["spot"], t["ours_t"] * 1e3, t["spot_t"] * 1e3, ratio))

    def languages(self, say):
        say()
        say("## Languages")
        say()
        say("%d automata have the language of Spot's, %d were compared in part, %d not at all, %d **differ**." % (
            self.equal, len(self.partly), len(self.unknown), len(self.unequal)))
        for title, rows in (("Different", self.unequal), ("In part", self.partly), ("Not compared", self.unknown)):
            if rows:
                say()
                say("%s:" % title)
                say()
                for tag, kind, why in rows:
                    say("- %s, %s: %s" % (tag, kind, why))

    def sizes(self, say):
        if self.unfinished:
            say()
            say("## Not finished within the limit")
            say()
            say("| formula | automaton | Riata | Spot |")
            say("|---|---|---|---|")
            for row in self.unfinished:
                say("| %s | %s | %s | %s |" % row)
        say()
        say("## Formulas where the sizes differ")
        say()
        say("| set | automaton | formula | Riata | Spot |")
        say("|---|---|---|---|---|")
        for group, kind, tag, text, mine, theirs in self.different:
            text = text if len(text) <= 90 else text[:87] + "…"
            say("| %s | %s | %s `%s` | %d | %d |" % (group, kind, tag, text.replace("|", "\\|"), mine, theirs))


if __name__ == "__main__":
    sys.exit(main())
