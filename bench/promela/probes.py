#!/usr/bin/env python3
"""Corner cases of Promela, one small program each: Riata's answers against Spin's.

usage: probes.py PROBES RIATA [--spin PATH] [--cc CC] [-v]

Every program in PROBES is given to Spin (`spin -a`; `-DNOREDUCE`, without statement merging and dead-variable
elimination) and to Riata. Compared are: whether it is refused; the number of states of the whole space (`pan -E -A`
against `explore --no-optimise`), unless a run-time error ends it; assertions (`pan -E`); end states (`pan -A`); each
`ltl` formula and never claim (`pan -a -N`), without fairness and with (`-f` against `--fairness weak`).

Some programs show errors of Spin 6.5.2 itself (c1_fairbug, c2_runactive) or known differences; there Riata must give
the answer that is written down here. The exit code is 1 if an answer differs.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What is right where Spin is wrong: (program, question) to (answer, why).
RIGHT = {
    ("c1_fairbug", "fair"): ("violated", "Spin's -f does not see that the end of a run is fair"),
    ("c2_runactive", "assertions"): ("violated", "Spin's reduction misses it; -DNOREDUCE finds it"),
    # Differences that docs/promela.md tells.
    ("b6_arr", "states"): (1, "an index out of range ends the run; Spin with -A goes on"),
    ("d1_condexpr", "assertions"): ("violated", "a shift by more than 31 is a run-time error"),
    ("d1_condexpr", "states"): (2, "the same"),
    ("f3_ltlX", "refused"): (None, "Spin as it is packaged refuses X"),
    ("f3_ltlX", "p"): ("holds", "the only process sets n to 1 in its first step"),
    ("c6_poll_rv", "refused"): (None, "Spin refuses nfull(c) inside a larger expression"),
    ("c6_poll_rv", "assertions"): ("violated", "a rendezvous channel cannot be polled"),
}


def run(command, where, seconds=60):
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, errors="replace", timeout=seconds)
    return done.returncode, done.stdout + done.stderr


def build(args, where, flags):
    code, out = run([args.spin, "-a", "-o1", "-o2", "-o3", "m.pml"], where)
    if not (where / "pan.c").exists():
        return None, out
    code, out = run([*args.cc.split(), "-w", "-DNOREDUCE", *flags, "-o", "pan", "pan.c"], where)
    return (None, out) if code != 0 else (True, "")


def pan(where, flags):
    """Errors found, states stored, and what pan says is wrong. Nothing if it crashed."""
    code, out = run(["./pan", "-m10000", "-w18", *flags], where)
    errors = re.search(r"errors: (\d+)", out)
    stored = re.search(r"(\d+) states, stored", out)
    said = re.search(r"pan:1: (.*?) \(at depth", out)
    if not errors or not stored:
        return None
    return int(errors.group(1)), int(stored.group(1)), said.group(1) if said else ""


def ask_spin(args, where):
    answers = {}
    ready, out = build(args, where, ["-DSAFETY", "-DNOCLAIM"])
    if not ready:
        return {"refused": True}
    whole = pan(where, ["-E", "-A"])
    # What pan says of the whole space is a run-time error, or that it was cut short.
    if whole and whole[0] == 0:
        answers["states"] = whole[1]
    asserted = pan(where, ["-E"])
    answers["assertions"] = "crash" if asserted is None else "violated" if asserted[0] else "holds"
    ended = pan(where, ["-A"])
    if ended and (ended[0] == 0 or "invalid end state" in ended[2]):
        answers["deadlock"] = "violated" if ended[0] else "holds"
    text = (where / "m.pml").read_text()
    claims = re.findall(r"^\s*ltl\s+(\w+)\s*\{", text, re.M)
    unnamed = len(re.findall(r"^\s*ltl\s*\{", text, re.M))
    names = [(c, ["-N", c]) for c in claims] + [(f"ltl_{i}", ["-N", f"ltl_{i}"]) for i in range(unnamed)]
    names += [("claim", [])] if re.search(r"^\s*never\b", text, re.M) else []
    if names and build(args, where, [])[0]:
        for name, flags in names:
            for kind, more in [("", []), ("fair ", ["-f"])]:
                found = pan(where, ["-a", "-E", "-A", *more, *flags])
                answers[f"{kind}{name}"] = "crash" if found is None else "violated" if found[0] else "holds"
    return answers


def riata(args, where, *command):
    done = subprocess.run([args.riata, *command, "--json"], cwd=where, capture_output=True, text=True, timeout=120)
    if done.returncode == 101 or not done.stdout:
        return done.returncode, []
    return done.returncode, json.loads(done.stdout)["results"]


def ask_riata(args, where):
    code, results = riata(args, where, "explore", "m.pml", "--no-optimise")
    if code == 2:
        return {"refused": True}
    answers = {"states": results[0]["counters"]["states"]} if results else {"crash": code}
    for kind, more in [("", []), ("fair ", ["--fairness", "weak"])]:
        code, results = riata(args, where, "check", "m.pml", *more)
        for r in results:
            if kind and r["property"] in ("assertions", "deadlock", "acceptance", "progress"):
                continue
            answers[kind + r["property"]] = r["verdict"]
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("probes", type=pathlib.Path)
    parser.add_argument("riata")
    parser.add_argument("--spin", default="spin")
    parser.add_argument("--cc", default="tcc" if shutil.which("tcc") else "gcc")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    args.riata = str(pathlib.Path(args.riata).resolve())
    agree = differ = compared = known = 0
    for probe in sorted(args.probes.glob("*.pml")):
        name = probe.stem
        with tempfile.TemporaryDirectory() as where:
            where = pathlib.Path(where)
            shutil.copy(probe, where / "m.pml")
            spin = ask_spin(args, where)
            ours = ask_riata(args, where)
        wrong = []
        for question in sorted(set(spin) | set(ours)):
            right = RIGHT.get((name, question)) or RIGHT.get((name, question.split()[0]))
            theirs, mine = spin.get(question), ours.get(question)
            if right:
                known += 1
                if mine != right[0]:
                    wrong.append(f"{question}: Riata says {mine}, right is {right[0]} ({right[1]})")
            elif theirs is not None and (question in ("refused", "states") or mine is not None):
                compared += 1
                if theirs == "crash" and mine == "violated":
                    continue
                if theirs != mine:
                    wrong.append(f"{question}: Spin says {theirs}, Riata {mine}")
            elif question == "refused":
                wrong.append(f"refused: Spin says {theirs}, Riata {mine}")
        agree, differ = agree + (not wrong), differ + bool(wrong)
        if wrong or args.v:
            print(f"{name}: {'; '.join(wrong) or 'agrees'} {ours if args.v else ''}", flush=True)
    print(f"{agree} programs agree, {differ} differ; {compared} answers compared, {known} with an answer of their own")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
