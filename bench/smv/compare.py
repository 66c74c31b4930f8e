#!/usr/bin/env python3
"""Compares riata with the recorded results of NuSMV on a corpus of SMV models.

    compare.py CORPUS RIATA [--time SECONDS] [--markdown FILE]

CORPUS holds `nusmv_results.csv` with the columns file, config, cpu_s, true, false, rc; a file may have several rows, one
for each way in which NuSMV was run. A row with another rc than 0 is one that NuSMV did not finish. For every file that
NuSMV finished, the numbers of true and false specifications must be the same. Exit code 1 if a number differs that is
not explained.

One difference is known and wanted. A model whose fair set is empty has no fair path; NuSMV warns of that, considers
only fair initial states, and prints `is true` for every formula. riata says that EG TRUE is violated there.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys

EMPTY_FAIR_SET = {"written/chain100.smv", "written/chain200.smv", "written/chain400.smv", "written/chain800.smv"}


def run(riata, model, seconds):
    command = [riata, "check", model, "--json", "--time", str(seconds)]
    before = os.times()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds * 2 + 30)
        results = json.loads(done.stdout)["results"]
    except (subprocess.TimeoutExpired, ValueError):
        return None
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    verdicts = [r["verdict"] for r in results]
    return {
        "true": verdicts.count("holds"),
        "false": verdicts.count("violated"),
        "open": verdicts.count("inconclusive"),
        "cpu": cpu,
        "peak": max((r.get("peak_nodes", 0) for r in results), default=0),
        "rc": done.returncode,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("riata")
    parser.add_argument("--time", type=float, default=25)
    parser.add_argument("--markdown")
    options = parser.parse_args()
    recorded = {}
    with open(os.path.join(options.corpus, "nusmv_results.csv"), newline="") as file:
        for row in csv.DictReader(file):
            recorded.setdefault(row["file"], []).append(row)
    lines = ["| model | true | false | CPU s | peak live nodes | NuSMV |", "|---|---|---|---|---|---|"]
    wrong, solved, unsolved, ratios = [], [], [], []
    for name, rows in recorded.items():
        mine = run(options.riata, os.path.join(options.corpus, name), options.time)
        finished = [r for r in rows if r["rc"] == "0"]
        theirs = "stopped"
        if finished:
            best = min(finished, key=lambda r: float(r["cpu_s"]))
            theirs = f"{best['true']}/{best['false']} in {best['cpu_s']} s ({best['config']})"
        if mine is None or mine["open"] or mine["rc"] not in (0, 1):
            lines.append(f"| {name} | | | stopped | | {theirs} |")
            unsolved.append(name)
            continue
        lines.append(f"| {name} | {mine['true']} | {mine['false']} | {mine['cpu']:.2f} | {mine['peak']} | {theirs} |")
        if finished:
            same = (mine["true"], mine["false"]) == (int(best["true"]), int(best["false"]))
            if not same and name not in EMPTY_FAIR_SET:
                wrong.append(name)
            ratios.append(max(mine["cpu"], 0.01) / max(float(best["cpu_s"]), 0.01))
        else:
            solved.append(name)
    print("\n".join(lines))
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
    summary = [
        f"different: {', '.join(wrong) or 'none'}",
        f"stopped here, finished by NuSMV: {', '.join(n for n in unsolved if any(r['rc'] == '0' for r in recorded[n])) or 'none'}",
        f"finished here, stopped in NuSMV: {', '.join(solved) or 'none'}",
        f"geometric mean of CPU time / NuSMV's better recorded time: {mean:.2f} over {len(ratios)} models",
    ]
    print("\n".join(summary))
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write("\n".join(lines) + "\n\n" + "\n".join("* " + s for s in summary) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
