#!/usr/bin/env python3
"""Random SMV models: riata against NuSMV.

    random.py NUSMV RIATA [--count N] [--seed S] [--time SECONDS] [--keep FOLDER] [--jobs N] [--all]

Writes small random models of every kind of declaration, with CTL, LTL (past and bounded operators included), PSL,
invariants and COMPUTE, and runs both tools on each. Compared are the truth value (or number) of every specification and
the number of reachable states. NuSMV's word is final only where both accept a model. Exit code 1 if a value differs. The smallest model
with each difference is printed after it has been shrunk; `--keep` writes all of them to a folder, `--all` shrinks the
refused ones, too.

One difference is known and wanted: NuSMV looks at fair initial states only, and where there are none, it says that every
CTL formula is true. Riata looks at all initial states then, because an empty fair set means that there is no fair path.
So for each CTL formula f riata is also asked for `EG TRUE -> f`, which must be what NuSMV says of f, and for `! EG TRUE`;
where the two tools differ, the latter must hold. Such differences are counted apart, and so are longest paths (COMPUTE)
where no state is fair.

Another one: with COMPASSION, NuSMV misses fair paths if a condition of fairness looks at inputs or at `running`. What
riata then calls false, with a run that its evaluator has replayed, is counted apart.

Where only one of the two accepts a model, the reason is one of a list (RULES), or the message is shown as unclassified.
"""

import os
import sys

# The folder of this script has a `random.py`, which is not the one of the standard library.
HERE = sys.path.pop(0)

import argparse
import re
from concurrent.futures import ThreadPoolExecutor

sys.path.append(HERE)
from generate import Generator, text
from tools import Tools


class Comparison(Tools):
    def compare(self, model, tag):
        """What is different: (kind, what), or None."""
        theirs, mine = self.nusmv(model, tag), self.riata(model, tag)
        if mine.get("crash"):
            return ("WRONG", mine["refused"], 0)
        if "stopped" in theirs or "stopped" in mine:
            return ("stopped", "NuSMV" if "stopped" in theirs else "riata", 0)
        if "refused" in theirs and "refused" in mine:
            return ("both refuse", simple(theirs["refused"]), 0)
        if "refused" in theirs:
            return ("accepted by riata only", classified("riata", simple(theirs["refused"])), 0)
        if "refused" in mine:
            return ("accepted by NuSMV only", classified("NuSMV", simple(mine["refused"])), 0)
        known, known_strong, compared = 0, 0, 0
        for name, value in theirs["values"].items():
            if name not in mine["values"]:
                if name != "N/A":
                    return ("WRONG", f"{name}: {value}, {mine['values'].get(name)}", 0)
                continue
            own = mine["values"][name]
            compared += 1
            if own == value:
                continue
            lonely = mine["values"]["no_fair_path"] == "true"
            if own == "false" and value == "true" and lonely and mine["values"].get(name + "_fair") == "true":
                known += 1
                continue
            if own == "false" and value == "true" and strong_inputs(model):
                known_strong += 1
                continue
            if own == "undefined" and value == "0" and theirs["unfair"] and lonely:
                known += 1
                continue
            return ("WRONG", f"NuSMV {value}, riata {own}: {kind(model, name)}", 0)
        if mine["states"] is not None and theirs["values"] and abs(mine["states"] - theirs["states"]) > 1e-4 * theirs["states"]:
            return ("WRONG", f"states: NuSMV {theirs['states']:g}, riata {mine['states']:g}", 0)
        if known_strong:
            return ("same, but for COMPASSION and fairness over inputs", "", compared)
        return ("same, but for models without a fair path" if known else "same", "", compared)


def strong_inputs(model):
    """Is there COMPASSION, and fairness that speaks of steps? Then NuSMV misses fair paths; riata's are replayed."""
    names = {"running"} | {n.strip('"') for n in re.findall(r"^\s*IVAR (\S+|\"[^\"]*\") :", model, re.MULTILINE)}
    mentions = lambda line: any(re.search(rf"(?<!\w){re.escape(n)}(?!\w)", line) for n in names)
    for name, body in re.findall(r"^\s*DEFINE (\w+) := (.*)$", model, re.MULTILINE):
        if mentions(body):
            names.add(name)
    fairness = re.findall(r"^\s*(?:FAIRNESS|JUSTICE|COMPASSION).*$", model, re.MULTILINE)
    return "COMPASSION" in model and any(map(mentions, fairness))


# Why one of the two refuses what the other accepts: (who accepts, what the other says, the reason in words).
RULES = [
    ("riata", "PSL parse error|expected _, got _ instead", "PSL: NuSMV wants other brackets, or finds other types"),
    ("riata", "reached invalid code|tableau construction|Problems in Tableau", "NuSMV gives up on `next`, `case` or a division inside LTL (internal error)"),
    ("riata", "A variable is expected in left-hand-side", "NuSMV takes a variable with one value for a constant"),
    ("riata", "Invalid (boolean|integer) cast", "NuSMV folds a constant under `bool` or `toint` and does not know it again"),
    ("riata", "Division by zero", "a division by zero that a constant elsewhere makes harmless"),
    ("riata", "perform_memory_sharing", "NuSMV gives up on `next`, `case` or a division inside LTL (internal error)"),
    ("riata", "cannot assign value|out of bounds|not exhaustive", "a value that a variable which is a function of others never has"),
    ("riata", "at token _: syntax error", "`?:` between the brackets of `E [p U q]`, and the like"),
    ("riata", "_ undefined", "an array as a whole in CTL or an invariant, or a parameter that NuSMV loses"),
    ("NuSMV", "division by zero|do not cover|outside of the array|a shift by", "an undefined value that decides nothing: in LTL, or where NuSMV's constants hide it"),
    ("NuSMV", "cannot have the value", "a value outside its range where no state is left"),
]


def classified(who, message):
    """The reason why only `who` accepts a model."""
    for accepts, pattern, reason in RULES:
        if accepts == who and re.search(pattern, message):
            return reason
    return "unclassified: " + message


def kind(model, name):
    found = re.search(rf"(\w+) NAME {name} :=", model)
    return found[1] if found else name


def simple(message):
    """A message without the names and numbers of the model."""
    message = re.sub(r"(file|aborting) \S+ ?(line \d+:?)?", "", message)
    message = re.sub(r"[`'\"][^`'\"]*[`'\"]", "_", message)
    message = re.sub(r"-?\d+", "N", message)
    return message.strip()[:150]


# Shrinking.

def smaller(modules):
    """Models with one part less."""
    for m in range(len(modules)):
        head, lines = modules[m]
        if "main" not in head:
            yield modules[:m] + modules[m + 1 :]
        for size in (8, 4, 2, 1):
            for i in range(0, len(lines), size):
                if i + size <= len(lines):
                    yield modules[:m] + [(head, lines[:i] + lines[i + size :])] + modules[m + 1 :]
    for m in range(len(modules)):
        head, lines = modules[m]
        for i, line in enumerate(lines):
            for shorter in shorter_lines(line):
                yield modules[:m] + [(head, lines[:i] + [shorter] + lines[i + 1 :])] + modules[m + 1 :]


def groups(line):
    """Bracketed parts, and case expressions."""
    stack, found = [], []
    for i, c in enumerate(line):
        if c == "(":
            stack.append(i)
        elif c == ")" and stack:
            j = stack.pop()
            found.append((j, i + 1))
            before = re.search(r"\w+$", line[:j])
            if before:
                found.append((before.start(), i + 1))
    for m in re.finditer(r"case (?:(?!case|esac).)*esac", line):
        found.append(m.span())
    return sorted(found, key=lambda s: s[0] - s[1])


def shorter_lines(line):
    parts = groups(line)
    for a, b in parts:
        inside = [p for p in parts if a < p[0] and p[1] < b]
        options = [line[c:d] for c, d in inside] + ["TRUE", "FALSE", "0", "1"]
        options += re.findall(r"[a-z]\w*(?:\.\w+)?(?:\[-?\d\])?", line[a:b])
        for option in options:
            if len(option) < b - a:
                yield line[:a] + option + line[b:]
    for a, b in parts:
        for m in re.finditer(r" (?:<->|->|[&|]|xor|xnor|[-+*/]|mod|[<>]=?|!?=|[UVST]|in|union) ", line[a:b]):
            yield line[:a] + "(" + line[a + m.end() : b]
            yield line[: a + m.start()] + ")" + line[b:]
    for m in re.finditer(r"[EA][XFG] |[XFGYZOH] |!|-", line):
        yield line[: m.start()] + line[m.end() :]


def shrink(tools, modules, difference, tag, tries=400):
    again = True
    while again and tries > 0:
        again = False
        for candidate in smaller(modules):
            tries -= 1
            if tries <= 0:
                break
            found = tools.compare(text(candidate), tag)
            if found and found[:2] == difference[:2]:
                modules, again = candidate, True
                break
    return modules


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nusmv")
    parser.add_argument("riata")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=float, default=20, help="seconds for one run of one tool")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the shrunken models")
    parser.add_argument("--all", action="store_true", help="shrink the models that only one tool accepts, too")
    options = parser.parse_args()
    tools = Comparison(options.nusmv, options.riata, options.time)
    counts, examples, specifications = {}, {}, 0

    def one(seed):
        modules = Generator(seed).model()
        return seed, modules, tools.compare(text(modules), seed % (4 * options.jobs))

    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, modules, found in pool.map(one, range(options.seed, options.seed + options.count)):
            what, why, compared = found
            specifications += compared
            counts[what] = counts.get(what, 0) + 1
            if not what.startswith("same") and (what != "both refuse" or options.all):
                examples.setdefault((what, why), []).append((len(text(modules)), seed, modules))
            if what == "WRONG":
                print(f"seed {seed}: {why}", flush=True)
    for (what, why), found in sorted(examples.items(), key=lambda e: (e[0][0], -len(e[1]))):
        _, seed, modules = min(found, key=lambda f: f[:2])
        print(f"\n== {what}: {why} ({len(found)} times; seed {seed})")
        if what == "WRONG" or options.all:
            modules = shrink(tools, modules, (what, why), "s")
            print(text(modules), end="")
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{what.split()[0]}-{seed}.smv"), "w") as file:
                    file.write(f"-- {what}: {why}\n" + text(modules))
    print(f"\n{sum(counts.values())} models, {specifications} specifications compared")
    for what in sorted(counts):
        print(f"  {counts[what]:6} {what}")
    return 1 if counts.get("WRONG") else 0


if __name__ == "__main__":
    sys.exit(main())
