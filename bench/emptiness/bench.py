#!/usr/bin/env python3
"""Compares the speed of Riata's emptiness checks with Spot's, on the same files in the same run.

    bench.py [--riata PATH] [--repeat N] [--scale F] [--keep DIR] [--write]

Files are made by `riata random` from fixed seeds. Time is processor time of the check alone, without reading the
file, and with the extraction of the run where there is one; the best of N repetitions. With --write the table
goes to README.md beside this file.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

import spot_env

# Name, arguments of `riata random`, and the checks: ours with Spot's counterpart.
ONE = [("ascc", "Cou99new"), ("se05", "SE05"), ("gv04", "GV04")]
MANY = [("ascc", "Cou99new")]
CASES = [
    ("d=2, one set of 0.1n, empty", ["-d", 2, "-a", 1, "--fair", "0.1n", "--empty"], ONE),
    ("d=5, one set, p=0.1, empty", ["-d", 5, "-a", 1, "-p", 0.1, "--state-acc", "--empty"], ONE),
    ("d=10, one set of 0.01n, empty", ["-d", 10, "-a", 1, "--fair", "0.01n", "--empty"], ONE),
    ("d=3, 1000 blocks, one set, p=0.3, empty", ["-d", 3, "-a", 1, "-p", 0.3, "--state-acc", "--blocks", 1000, "--empty"], ONE),
    ("d=3, one set of 3 states, nonempty", ["-d", 3, "-a", 1, "--fair", 3], ONE),
    ("d=2, three sets, p=0.1, empty", ["-d", 2, "-a", 3, "-p", 0.1, "--empty"], MANY),
    ("d=5, three sets, p=0.3, empty", ["-d", 5, "-a", 3, "-p", 0.3, "--empty"], MANY),
    ("d=3, 1000 blocks, three sets, p=0.2, empty", ["-d", 3, "-a", 3, "-p", 0.2, "--blocks", 1000, "--empty"], MANY),
    ("d=3, three sets of 3 states, nonempty", ["-d", 3, "-a", 3, "--fair", 3], MANY),
]


def ours(program, path, check, repeat):
    best = None
    for _ in range(repeat):
        run = subprocess.run([program, "empty", path, "--json", "--algorithm", check], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            sys.exit(f"{path} {check}: exit code {run.returncode}: {run.stderr}")
        r = json.loads(run.stdout)["results"][0]
        if best is None or r["cpu_seconds"] < best["cpu_seconds"]:
            best = r
    return best


def theirs(spot, automaton, check, repeat):
    best = None
    for _ in range(repeat):
        instance = spot.make_emptiness_check_instantiator(check)[0].instantiate(automaton)
        start = time.thread_time()
        result = instance.check()
        # Riata always shows the run that it found, so Spot has to extract its own too.
        lasso = result.accepting_run() if result else None
        seconds = time.thread_time() - start
        out = spot.ostringstream()
        instance.print_stats(out)
        # Cou99new keeps no statistics.
        explored = [int(l.split()[0]) for l in out.str().splitlines() if "transitions explored" in l]
        if best is None or seconds < best[0]:
            best = (seconds, "nonempty" if result else "empty", explored[0] if explored else None)
        del lasso, result, instance
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--riata", help="the program; built if not given")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0, help="times a million states")
    parser.add_argument("--keep", help="keep the files in this directory")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    spot = spot_env.ensure()
    program = spot_env.riata(args.riata)
    states = round(1_000_000 * args.scale)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or scratch
        for number, (name, wish, checks) in enumerate(CASES):
            path = os.path.join(folder, f"case{number}.hoa")
            command = [program, "random", "-n", states, *wish, "--seed", number, "-o", path]
            subprocess.run([str(c) for c in command], check=True)
            automaton = spot.automaton(path)
            for check, peer in checks:
                a = ours(program, path, check, args.repeat)
                seconds, verdict, explored = theirs(spot, automaton, peer, args.repeat)
                if verdict != a["verdict"]:
                    sys.exit(f"{path}: {check} says {a['verdict']}, {peer} says {verdict}")
                counted = a["counters"]["transitions"]
                # Both consider each transition once where Spot does not count them.
                explored = explored or counted
                ns, peer_ns = a["cpu_seconds"] * 1e9 / max(counted, 1), seconds * 1e9 / max(explored, 1)
                ratio = f"{peer_ns / ns:.2f}" if ns else "-"
                rows.append([name, check, a["verdict"], f"{a['counters']['states']:,}", f"{counted:,}",
                             f"{a['cpu_seconds']:.3f}", f"{ns:.1f}", peer, f"{explored:,}", f"{seconds:.3f}",
                             f"{peer_ns:.1f}", ratio])
                print(" | ".join(rows[-1]), flush=True)
            del automaton
            if not args.keep:
                os.remove(path)
    header = ["automaton", "Riata", "verdict", "states", "transitions", "s", "ns/tr.", "Spot", "transitions", "s",
              "ns/tr.", "Spot ÷ Riata (per transition)"]
    table = ["| " + " | ".join(r) + " |" for r in [header, ["---"] * len(header), *rows]]
    if args.write:
        write("\n".join(table), states, args, spot)


def write(table, states, args, spot):
    cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.processor())
    text = f"""# Emptiness checks against Spot

`bench.py` makes random automata of {states:,} states with `riata random` (seeds fixed in the script), and runs Riata
and Spot {spot.version()} (PyPI package `spottl`, checks `Cou99new`, `SE05`, `GV04`) on the same files in the same run.
Times are processor seconds of the check alone, without reading the file; the best of {args.repeat}. A ratio above 1
means that Riata is faster. `Cou99new` does not count transitions; on an empty language it considers each one once, as
`ascc` does, and in the nonempty rows Riata's count is put in for it, which is an assumption.

Where a run exists, both times include its extraction, and Riata's its replay: Riata does not time its search apart. So
the nonempty rows say little about the searches. In an earlier run (best of 2) that left Spot's extraction out and kept
Riata's in, the ratios of those rows were 0.58 (`ascc`), 2.69 (`se05`) and 1.38 (`gv04`) with one set, and 0.29
(`ascc`) with three.

Machine: {cpu}, {platform.system()} {platform.machine()}, other work may have been running beside it.

{table}

`differential.py` compares verdicts: every check with every store, on small random automata, against Spot; and walks each
lasso on its own.
"""
    with open(os.path.join(spot_env.HERE, "README.md"), "w") as f:
        f.write(text)


if __name__ == "__main__":
    main()
