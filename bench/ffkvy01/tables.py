#!/usr/bin/env python3
"""FFKVY01's Tables 2 to 4 and 6 for the models of this folder.

    tables.py RIATA [MODEL…]

Runs every algorithm on every property and prints a table for each model, and the sums over all properties. A star marks
a property that is violated. The end is 1 if two algorithms give different answers.
"""

import argparse
import glob
import json
import os
import subprocess
import sys

SHOWN = ["el", "elsmv", "cty", "ctyplus", "owcty", "owcty-inner", "el2", "brs", "lockstep", "chain"]
HEAD = """# Tables 2 to 4 and 6 for our own models

Written by `tables.py RIATA > tables.md`. The models are in [models](models); a star marks a property that is violated,
the strength is that of the product. Times are from a machine with other work on it: compare counts.
"""


def images(r):
    return r["ex"] + r["ey"]


def sums(runs):
    """The sums over all properties, and how OWCTY compares with EL on each."""
    print("## All properties\n")
    print("| |" + "".join(f" {a} |" for a in SHOWN) + "\n|---|" + "---|" * len(SHOWN))
    for what, value in [("external iterations", lambda r: r["external_iterations"]), ("images", images)]:
        print(f"| {what} |" + "".join(f" {sum(value(rows[a]) for rows in runs)} |" for a in SHOWN))
    pairs = [(images(rows["owcty"]), images(rows["el"])) for rows in runs]
    more = [str(o - e) for o, e in pairs if o > e]
    fewer = sum(rows["owcty"]["external_iterations"] <= rows["el"]["external_iterations"] for rows in runs)
    print(f"\nOWCTY has at most EL's external iterations on {fewer} of {len(runs)} properties, at most its images on "
          f"{len(pairs) - len(more)}; on the others it has {', '.join(more) or 'none'} more.")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("riata")
    p.add_argument("models", nargs="*", metavar="MODEL")
    args = p.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    print(HEAD)
    runs, differ = [], False
    for model in args.models or sorted(glob.glob(os.path.join(here, "models", "*.smv"))):
        command = [args.riata, "check", model, "--algorithm", "all", "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{model}: {done.stderr}")
        results = json.loads(done.stdout)["results"]
        print(f"### {os.path.basename(model)}\n")
        print("| property | procedure | ext. iter. | EX/EY | EU/ES | time (s) | peak live nodes |\n|---|---|---|---|---|---|---|")
        for name in dict.fromkeys(r["property"] for r in results):
            rows = {r["algorithm"]: r for r in results if r["property"] == name}
            runs.append(rows)
            differ |= len({r["verdict"] for r in rows.values()}) != 1
            for algorithm in SHOWN:
                r = rows[algorithm]
                star = "*" if r["verdict"] == "violated" else ""
                strength = f" ({r['strength']})" if "strength" in r else ""
                print(
                    f"| {name}{star}{strength} | {algorithm} | {r['external_iterations']} | {r['ex']}/{r['ey']} "
                    f"| {r['eu']}/{r['es']} | {r['cpu_seconds']:.3f} | {r['peak_nodes']} |"
                )
        print()
    sums(runs)
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
