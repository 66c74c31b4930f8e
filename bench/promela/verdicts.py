#!/usr/bin/env python3
"""Compares Riata's verdicts on Promela models with Spin's recorded ones.

usage: verdicts.py CORPUS RIATA [--algorithm NAME] [--por auto|on|off] [--time SECONDS] [--only TEXT]

CORPUS holds the models and `spin_results.csv`. Every row with verdict pass or fail is checked: safety (assertions
together with invalid end states), end states left aside, claims, acceptance, non-progress, with weak fairness or
without. Every row that is not compared is listed with the reason; the exit code is 1 if a verdict differs.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys


def riata(args, *more):
    """The results of one call: property and algorithm to verdict."""
    command = [args.riata, "check", *more, "--por", args.por, "--json", "--time", str(args.time), "--memory", "10GiB"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 101:
        return {"panic": done.stderr.strip().splitlines()[:2]}
    if not done.stdout:
        return {"error": done.stderr.strip().splitlines()[:3]}
    results = json.loads(done.stdout)["results"]
    return {(r["property"], r["algorithm"]): r["verdict"] for r in results}


def arguments(row):
    """What to ask for a row, or why it is not asked."""
    mode, claim = row["mode"], row["claim"]
    fair = ["--fairness", "weak"] if "_fair" in mode else []
    if mode.startswith("safety"):
        if mode.endswith("fullspace"):
            return None, "counts the space only"
        names = ["assertions"] if "noendcheck" in mode else ["assertions", "deadlock"]
        return [x for n in names for x in ("--property", n)], None
    if mode.startswith("nonprogress"):
        return ["--property", "progress", *fair], None
    if claim == "accept-labels":
        return ["--property", "acceptance", *fair], None
    if claim == "never":
        return ["--property", "claim", *fair], None
    return ["--property", claim, *fair], None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("riata")
    parser.add_argument("--algorithm", default="auto")
    parser.add_argument("--por", default="auto", choices=["auto", "on", "off"])
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    rows = list(csv.DictReader(open(args.corpus / "spin_results.csv")))
    agree = differ = open_ = 0
    known = {}
    for row in rows:
        name = f"{row['model']} {row['mode']} {row['claim']}".strip()
        if args.only not in name:
            continue
        if row["verdict"] not in ("pass", "fail"):
            print(f"not compared: {name}: Spin's verdict is {row['verdict']}")
            continue
        if "error, partial order reduction invalid" in row["error_kind"]:
            print(f"not compared: {name}: Spin refuses the reduction")
            continue
        flags, why = arguments(row)
        if why:
            print(f"not compared: {name}: {why}")
            continue
        safety = row["mode"].startswith("safety")
        algorithm = [] if safety or args.algorithm == "auto" else ["--algorithm", args.algorithm]
        key = (row["model"], *flags)
        if key not in known:
            known[key] = riata(args, str(args.corpus / f"{row['model']}.pml"), *flags, *algorithm)
        found = known[key]
        verdicts = set(found.values()) if all(isinstance(v, str) for v in found.values()) else {str(found)}
        mine = "fail" if "violated" in verdicts else "pass" if verdicts == {"holds"} else "open"
        if mine == row["verdict"]:
            agree += 1
        elif "panic" in str(sorted(verdicts)):
            differ += 1
            print(f"PANIC: {name}: {sorted(verdicts)}")
        elif mine == "open":
            open_ += 1
            print(f"open: {name}: {sorted(verdicts)}")
        else:
            differ += 1
            print(f"DIFFERENT: {name}: Spin {row['verdict']} ({row['error_kind']}), Riata {found}")
    print(f"{agree} agree, {differ} differ, {open_} open")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
