#!/usr/bin/env python3
"""Compares the numbers of states of Promela models with Spin's.

usage: counts.py CORPUS RIATA [--most STATES] [--only TEXT]

`spin_results_unoptimised.csv` tells the states of the whole space after `spin -a -o1 -o2 -o3`: `riata explore
--no-optimise` must count exactly these. `spin_results.csv` tells those of Spin's default in its rows `fullspace`, and
where the search passed: `riata explore` must count no more.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys


def states(args, model, *flags):
    command = [args.riata, "explore", str(args.corpus / f"{model}.pml"), *flags, "--json", "--time", "300"]
    done = subprocess.run(command + ["--memory", "10GiB"], capture_output=True, text=True)
    if not done.stdout:
        return None, done.stderr.strip().splitlines()[:2]
    results = json.loads(done.stdout)["results"]
    if not results or results[0]["verdict"] != "complete":
        return None, "inconclusive" if results else done.stderr.strip().splitlines()[:2]
    return results[0]["counters"]["states"], results[0]["counters"]["violations"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("riata")
    parser.add_argument("--most", type=int, default=5_000_000)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    equal = wrong = 0
    for row in csv.DictReader(open(args.corpus / "spin_results_unoptimised.csv")):
        model = row["model"]
        if args.only not in model:
            continue
        if row["verdict"] != "pass":
            print(f"not compared: {model}: {row['verdict']} {row['error_kind']}")
            continue
        wanted = int(row["states_stored"])
        if wanted > args.most:
            print(f"not compared: {model}: {wanted} states")
            continue
        found, more = states(args, model, "--no-optimise")
        if found == wanted:
            equal += 1
        else:
            wrong += 1
            print(f"DIFFERENT: {model}: Spin {wanted}, Riata {found} {more}")
    print(f"unoptimised: {equal} equal, {wrong} different")
    least = {}
    for row in csv.DictReader(open(args.corpus / "spin_results.csv")):
        full = row["mode"] == "safety_noreduce_fullspace" or (row["mode"] == "safety_noreduce")
        if full and row["verdict"] == "pass" and args.only in row["model"]:
            least[row["model"]] = int(row["states_stored"])
    fine = more_states = 0
    for model, spin in least.items():
        if spin > args.most:
            continue
        found, more = states(args, model)
        if found is not None and found <= spin:
            fine += 1
        else:
            more_states += 1
            print(f"MORE: {model}: Spin's default {spin}, Riata {found} {more}")
    print(f"optimised: {fine} at most Spin's default, {more_states} more")
    return 1 if wrong or more_states else 0


if __name__ == "__main__":
    sys.exit(main())
