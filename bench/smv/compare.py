#!/usr/bin/env python3
"""Compares riata with NuSMV on a corpus of SMV models.

    compare.py CORPUS RIATA [--nusmv BINARY] [--time SECONDS] [--runs N] [--only TEXT] [--trust-stops]
               [--markdown FILE]

CORPUS holds `nusmv_results.csv` with the columns file, config, cpu_s, true, false, rc; a file may have several rows, one
for each way in which NuSMV was run. A row with another rc than 0 is one that NuSMV did not finish. With `--nusmv` the
binary is run side by side, in its default mode and with `-dynamic`, and its times are taken instead of the recorded
ones; the truth values must then be those of both. For every file that NuSMV finished, the numbers of true and false
specifications must be the same. Exit code 1 if a number differs that is not explained.

Times are processor seconds of the whole program, user and system, of all threads, the best of N runs; the tools take
turns. A run ends when it has used SECONDS of processor time. With `--trust-stops` NuSMV is not run in a mode in which
the recorded run was stopped.

One difference is known and wanted. A model whose fair set is empty has no fair path; NuSMV warns of that, considers
only fair initial states, and prints `is true` for every formula. riata says that EG TRUE is violated there.
"""

import argparse
import csv
import json
import math
import os
import re
import resource
import subprocess
import sys

EMPTY_FAIR_SET = {"written/chain100.smv", "written/chain200.smv", "written/chain400.smv", "written/chain800.smv"}
# Nothing is faster than this, so that no ratio is made of noise.
LEAST = 0.001


def timed(command, seconds):
    """Standard output, processor seconds and exit code of a command; None if it used up its time."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 2, int(seconds) + 2))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit, text=True
    ) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return (out, max(cpu, LEAST), process.returncode) if process.returncode >= 0 and cpu <= seconds else None


def riata(binary, model, seconds):
    # The time limit of riata is on the wall: a busy machine must not end it too early.
    done = timed([binary, "check", model, "--json", "--time", str(4 * seconds)], seconds)
    if done is None or done[2] not in (0, 1):
        return None
    # COMPUTE has a value, no truth.
    results = [r for r in json.loads(done[0])["results"] if "value" not in r]
    verdicts = [r["verdict"] for r in results]
    if "inconclusive" in verdicts:
        return None
    return {
        "true": verdicts.count("holds"),
        "false": verdicts.count("violated"),
        "cpu": done[1],
        "peak": max((r.get("peak_nodes", 0) for r in results), default=0),
    }


def nusmv(binary, model, seconds, dynamic):
    done = timed([binary] + (["-dynamic"] if dynamic else []) + [model], seconds)
    if done is None or done[2] != 0:
        return None
    said = re.findall(r"^-- (?:specification|invariant) .* is (true|false)$", done[0], re.MULTILINE)
    return {"true": said.count("true"), "false": said.count("false"), "cpu": done[1]}


def best(runs):
    """The fastest of several runs, if all of them ended."""
    runs = list(runs)
    return None if None in runs else min(runs, key=lambda r: r["cpu"])


def shown(run):
    return "stopped" if run is None else f"{run['cpu']:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("riata")
    parser.add_argument("--nusmv")
    parser.add_argument("--time", type=float, default=25)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--trust-stops", action="store_true", help="do not run NuSMV where it was stopped before")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    recorded = {}
    with open(os.path.join(options.corpus, "nusmv_results.csv"), newline="") as file:
        for row in csv.DictReader(file):
            if options.only in row["file"]:
                recorded.setdefault(row["file"], []).append(row)
    lines = [
        "| model | true | false | peak live nodes | riata, CPU s | NuSMV | NuSMV -dynamic | ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    wrong, solved, unsolved, behind, ratios = [], [], [], [], []
    for name, rows in recorded.items():
        model = os.path.join(options.corpus, name)
        told = [
            {"config": r["config"], "true": int(r["true"]), "false": int(r["false"]), "cpu": float(r["cpu_s"])}
            for r in rows
            if r["rc"] == "0"
        ]
        mine, modes = [], {"def": [], "dyn": []}
        for _ in range(options.runs):
            # What was stopped once is not tried again.
            if None not in mine:
                mine.append(riata(options.riata, model, options.time))
            for mode in modes if options.nusmv else ():
                if options.trust_stops and any(r["config"] == mode and r["rc"] != "0" for r in rows):
                    modes[mode] = [None]
                if None not in modes[mode]:
                    modes[mode].append(nusmv(options.nusmv, model, options.time, mode == "dyn"))
        mine = best(mine)
        if options.nusmv:
            theirs = {mode: best(runs) for mode, runs in modes.items()}
        else:
            theirs = {mode: next((r for r in told if r["config"] == mode), None) for mode in modes}
        finished = [r for r in theirs.values() if r]
        ratio = ""
        if mine and finished:
            ratios.append(mine["cpu"] / min(r["cpu"] for r in finished))
            ratio = f"{ratios[-1]:.2f}"
        elif mine:
            solved.append(name)
        elif finished:
            behind.append(name)
        else:
            unsolved.append(name)
        cells = (mine["true"], mine["false"], mine["peak"]) if mine else ("", "", "")
        cells += (shown(mine), shown(theirs["def"]), shown(theirs["dyn"]), ratio)
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
        print(lines[-1], flush=True)
        answers = {(r["true"], r["false"]) for r in told + finished + ([mine] if mine else [])}
        if len(answers) > 1 and name not in EMPTY_FAIR_SET:
            wrong.append(name)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
    summary = [
        f"different: {', '.join(wrong) or 'none'}",
        f"stopped here, finished by NuSMV: {', '.join(behind) or 'none'}",
        f"finished here, stopped in both modes of NuSMV: {', '.join(solved) or 'none'}",
        f"stopped in all: {', '.join(unsolved) or 'none'}",
        f"geometric mean of CPU time / NuSMV's better time: {mean:.2f} over {len(ratios)} models",
    ]
    print("\n".join(summary))
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write("\n".join(lines) + "\n\n" + "\n".join("* " + s for s in summary) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
