#!/usr/bin/env python3
"""Riata on DVE models against Spin on their Promela twins: states a CPU second and bytes a state, in one run.

    bench/beem/spin.py DVE_CORPUS PROMELA_CORPUS --riata BINARY [--repeat N] [--seconds CAP]

The twins are `spins__beem_NAME_I.pml` and `NAME/NAME.I.dve`. Spin's verifier is made by `spin -a -o1 -o2 -o3` (without
rewritings that change the number of states) and by `spin -a`, compiled with `gcc -O2 -DNOREDUCE -DSAFETY`, and run
over the whole space (`-E -A`). Only twins with the same number of states are compared; a difference of at most one
percent is told, as the translation has an initial state of its own; the others are listed with both numbers. CPU
times and resident memory are those of the whole process, from the system, best of N runs; both sides take turns.
"""

import argparse
import glob
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile


def measured(command, folder, seconds):
    """The output of a command, its CPU seconds and its peak of resident bytes; no output if it was too slow."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with tempfile.TemporaryFile(mode="w+", errors="replace") as out:
        p = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if p.returncode < 0:
        text = None
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def compiled(model, options):
    """A folder with the verifier of a model."""
    folder = tempfile.mkdtemp()
    subprocess.run(["spin", "-a", *options, os.path.abspath(model)], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", "-w", "-O2", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=8000", "-o", "pan", "pan.c"], cwd=folder,
                   check=True)
    return folder


def pan(folder, seconds):
    """States, CPU seconds, bytes."""
    text, cpu, resident = measured(["./pan", "-m10000000", "-E", "-A", "-n"], folder, seconds)
    stored = text and re.search(r"^\s*(\d+) states, stored", text, re.M)
    if not stored or "max search depth too small" in text or "out of memory" in text:
        return None
    # The stack of `-m` is not the states': it is taken off where pan tells its size.
    stack = re.search(r"([\d.]+)\s+memory used for DFS stack", text)
    resident -= int(float(stack[1]) * (1 << 20)) if stack else 0
    return int(stored[1]), cpu, resident


def riata(binary, model, store, seconds):
    text, cpu, resident = measured([binary, "explore", model, "--store", store, "--threads", "1", "--json"], ".", seconds)
    if text is None:
        return None
    return json.loads(text)["results"][0]["counters"]["states"], cpu, resident


def best(runs):
    """The fastest of several runs."""
    return None if None in runs else min(runs, key=lambda r: r[1])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dve")
    p.add_argument("promela")
    p.add_argument("--riata", default="riata")
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--seconds", type=int, default=120)
    args = p.parse_args()
    binary = os.path.abspath(args.riata) if os.sep in args.riata else args.riata
    print("| model | Spin states | Riata states | Spin states/s | Riata states/s | ratio | tree store | "
          "Spin bytes/state | exact | tree |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    ratios, unequal = [], []
    for twin in sorted(glob.glob(os.path.join(args.promela, "spins__beem_*.pml"))):
        name, instance = re.match(r"spins__beem_(.*)_(\d+)\.pml", os.path.basename(twin)).groups()
        model = os.path.join(args.dve, name, f"{name}.{instance}.dve")
        if not os.path.exists(model):
            unequal.append(f"{name}.{instance}: no DVE model")
            continue
        ours = riata(binary, model, "exact", args.seconds)
        if ours is None:
            unequal.append(f"{name}.{instance}: Riata did not finish in {args.seconds} s")
            continue
        told = f"{name}.{instance}: {ours[0]} states in DVE"
        for options in (["-o1", "-o2", "-o3"], []):
            folder = compiled(twin, options)
            theirs = pan(folder, args.seconds)
            told += f", {theirs[0] if theirs else f'not finished in {args.seconds} s'} by spin -a {' '.join(options)}"
            if theirs and abs(theirs[0] - ours[0]) <= ours[0] * 0.01:
                break
        else:
            unequal.append(told)
            continue
        spins, exacts, trees = [theirs], [ours], [riata(binary, model, "tree", args.seconds)]
        for _ in range(args.repeat - 1):
            spins.append(pan(folder, args.seconds))
            exacts.append(riata(binary, model, "exact", args.seconds))
            trees.append(riata(binary, model, "tree", args.seconds))
        s, e, t = best(spins), best(exacts), best(trees)
        rate = lambda r: r[0] / r[1]
        ratios.append(rate(e) / rate(s))
        print(f"| {name}.{instance} | {s[0]} | {e[0]} | {rate(s):.0f} | {rate(e):.0f} | {rate(e) / rate(s):.2f} | "
              f"{rate(t) / rate(s):.2f} | {s[2] / s[0]:.0f} | {e[2] / e[0]:.0f} | {t[2] / t[0]:.0f} |", flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\nGeometric mean of the ratios of speed, exact store: {mean:.2f}")
    print("\nNot compared:\n")
    for line in unequal:
        print(f"- {line}")


if __name__ == "__main__":
    sys.exit(main())
