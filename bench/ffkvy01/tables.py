#!/usr/bin/env python3
"""FFKVY01's Tables 2 to 4 and 6 for the models of this folder.

    tables.py RIATA [MODEL…]

Runs every algorithm on every property and prints a table for each model. A star marks a property that is violated.
"""

import glob
import json
import os
import subprocess
import sys

SHOWN = ["el", "elsmv", "cty", "ctyplus", "owcty", "owcty-inner", "el2", "brs", "lockstep", "chain"]


def main():
    riata, models = sys.argv[1], sys.argv[2:]
    here = os.path.dirname(os.path.abspath(__file__))
    for model in models or sorted(glob.glob(os.path.join(here, "models", "*.smv"))):
        done = subprocess.run([riata, "check", model, "--algorithm", "all", "--json"], capture_output=True, text=True)
        results = json.loads(done.stdout)["results"]
        print(f"### {os.path.basename(model)}\n")
        print("| property | procedure | ext. iter. | EX/EY | EU/ES | time (s) | peak live nodes |\n|---|---|---|---|---|---|---|")
        properties = list(dict.fromkeys(r["property"] for r in results))
        for name in properties:
            rows = {r["algorithm"]: r for r in results if r["property"] == name}
            assert len({r["verdict"] for r in rows.values()}) == 1, name
            for algorithm in SHOWN:
                r = rows[algorithm]
                star = "*" if r["verdict"] == "violated" else ""
                strength = f" ({r['strength']})" if "strength" in r else ""
                print(
                    f"| {name}{star}{strength} | {algorithm} | {r['external_iterations']} | {r['ex']}/{r['ey']} "
                    f"| {r['eu']}/{r['es']} | {r['cpu_seconds']:.3f} | {r['peak_nodes']} |"
                )
        print()


if __name__ == "__main__":
    main()
