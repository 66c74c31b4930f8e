#!/usr/bin/env python3
"""Compares Riata with Spin on random Promela programs.

    differential.py [--riata PATH] [--spin PATH] [--cc CC] [--count N] [--seed N] [--keep DIR] [--spin-only]

For each program of `generate.py`: Spin makes a verifier without its optimisations (`-o1 -o2 -o3`, `-DNOREDUCE`),
which says how many states there are (`-E -A`), whether an assertion or another run-time error is violated (`-E`) and
whether there is an invalid end state (`-A`). Riata must say the same: `riata explore --no-optimise --json` the
count, `riata check --json` the verdicts of `assertions` and `deadlock`, with optimisations and without. The programs
that Spin refuses, and those with too many states, are counted and left out.

A disagreement is shrunk, written to DIR and told; exits with 1 if there was one.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from generate import generate, shrink


class Refused(Exception):
    """Nothing to compare: the reason."""


def run(command, cwd, seconds):
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        raise Refused(f"{os.path.basename(command[0])} takes too long") from None
    return done.returncode, done.stdout + done.stderr, done.stdout


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


def pan(folder, flags, limits):
    code, out, _ = run(["./pan", f"-m{limits.depth}", "-w18", *flags], folder, limits.seconds)
    stored = number(r"(\d+) states, stored", out)
    errors = number(r"errors: (\d+)", out)
    if stored is None or errors is None:
        raise Refused(f"pan crashed ({code})")
    if "max search depth too small" in out or stored > limits.states:
        raise Refused("too many states")
    said = re.search(r"pan:1: (.*?) \(at depth", out)
    return stored, errors > 0, said.group(1) if said else ""


def kind(said):
    """An error of pan in one word."""
    for word, name in [("assertion", "assertion"), ("invalid end state", "end state"), ("array index", "index")]:
        if word in said:
            return name
    return said.split("(")[0].strip() or "none"


def ask_spin(text, limits):
    """What Spin says: states (none if an error stopped the count), error of a step, invalid end state."""
    with tempfile.TemporaryDirectory(prefix="promela") as folder:
        with open(os.path.join(folder, "m.pml"), "w") as f:
            f.write(text)
        code, out, _ = run([limits.spin, "-a", "-o1", "-o2", "-o3", "m.pml"], folder, limits.seconds)
        if code != 0 or not os.path.exists(os.path.join(folder, "pan.c")) or "Error:" in out:
            reason = re.search(r"Error: (.*)", out)
            raise Refused("spin: " + (reason.group(1)[:40] if reason else f"code {code}"))
        code, out, _ = run([*limits.cc.split(), "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"], folder, 60)
        if code != 0:
            raise Refused("pan.c does not compile")
        stored, stopped, why = pan(folder, ["-E", "-A"], limits)
        _, step, said = pan(folder, ["-E"], limits)
        _, end, ended = pan(folder, ["-A"], limits)
        end = end and "end state" in ended
        # With `-A` pan goes on past the end of an array, through whatever lies there.
        stopped = stopped or "array index" in said
        return {"states": None if stopped else stored, "error": kind(said) if step else None,
                "deadlock": None if stopped else end}


def riata_json(command, folder, limits):
    command = [*command, "--json", "--time", str(limits.seconds)]
    code, out, stdout = run([limits.riata, *command], folder, 2 * limits.seconds)
    if code not in (0, 1):
        panic = re.search(r"panicked at (\S+?):?\n(.*)", out)
        said = f"panic at {panic.group(1)}, {panic.group(2)}" if panic else out.strip().split("\n")[0]
        raise RuntimeError(f"{said}: riata {' '.join(command)} exits with {code}")
    return json.loads(stdout)


def ask_riata(text, limits):
    with tempfile.TemporaryDirectory(prefix="promela") as folder:
        with open(os.path.join(folder, "m.pml"), "w") as f:
            f.write(text)
        answers = {"states": riata_json(["explore", "m.pml", "--no-optimise"], folder, limits)}
        answers["states"] = answers["states"]["results"][0]["counters"]["states"]
        for name, flags in [("", ["--no-optimise"]), (" optimised", [])]:
            results = riata_json(["check", "m.pml", *flags], folder, limits)["results"]
            for result in results:
                if result["property"] in ("assertions", "deadlock"):
                    answers[result["property"] + name] = result["verdict"]
        return answers


def disagreements(spin, riata):
    """What the two say differently."""
    out = []
    if spin["states"] is not None and riata["states"] != spin["states"]:
        out.append(f"states: Spin {spin['states']}, Riata {riata['states']}")
    wanted = "violated" if spin["error"] else "holds"
    for name in ("assertions", "assertions optimised"):
        if riata.get(name) != wanted:
            out.append(f"{name}: Spin {spin['error']}, Riata {riata.get(name)}")
    if spin["deadlock"] is not None:
        wanted = "violated" if spin["deadlock"] else "holds"
        for name in ("deadlock", "deadlock optimised"):
            if riata.get(name) != wanted:
                out.append(f"{name}: Spin {spin['deadlock']}, Riata {riata.get(name)}")
    return out


def compare(text, limits):
    spin = ask_spin(text, limits)
    if limits.spin_only:
        return spin, []
    try:
        return spin, disagreements(spin, ask_riata(text, limits))
    except (RuntimeError, json.JSONDecodeError, KeyError) as e:
        return spin, [str(e).splitlines()[0]]


def kind_of(disagreement):
    """What is the same for disagreements that may have the same cause."""
    return disagreement.split(":")[0]


def still_wrong(limits, first):
    """For shrinking: the program is still wrong, and in the same way."""
    def wrong(text):
        try:
            found = compare(text, limits)[1]
        except Refused:
            return False
        return any(kind_of(f) == kind_of(first) for f in found)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--riata", default="riata")
    parser.add_argument("--spin", default="spin")
    parser.add_argument("--cc", default="tcc", help="compiler of pan.c; gcc if there is no tcc")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--quirks", action="store_true", help="with what generate.py calls quirks")
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--depth", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--keep", default="disagreements")
    parser.add_argument("--spin-only", action="store_true", help="tell only what the programs are like")
    limits = parser.parse_args()
    limits.riata = os.path.abspath(limits.riata) if os.path.exists(limits.riata) else limits.riata
    tally = collections.Counter()
    seen = collections.Counter()
    sizes = []
    bad = 0
    for seed in range(limits.seed, limits.seed + limits.count):
        program = generate(seed, limits.size, limits.quirks)
        try:
            spin, wrong = compare(program.text(), limits)
        except Refused as e:
            tally[f"left out: {e}"] += 1
            continue
        tally["compared"] += 1
        tally[f"error: {spin['error']}"] += 1
        tally[f"deadlock: {spin['deadlock']}"] += 1
        if spin["states"] is not None:
            sizes.append(spin["states"])
        if wrong:
            bad += 1
            # Of each kind only a few are shrunk.
            seen[kind_of(wrong[0])] += 1
            few = seen[kind_of(wrong[0])] <= 3
            small = shrink(program, still_wrong(limits, wrong[0])).text() if few else program.text()
            os.makedirs(limits.keep, exist_ok=True)
            path = os.path.join(limits.keep, f"{seed}.pml")
            with open(path, "w") as f:
                f.write(f"/* {'; '.join(wrong)} */\n{small}")
            print(f"seed {seed}: {'; '.join(wrong)}: {path}", flush=True)
    for what, n in sorted(tally.items()):
        print(f"{n:6} {what}")
    if sizes:
        sizes.sort()
        print(f"states: median {sizes[len(sizes) // 2]}, largest {sizes[-1]}, total {sum(sizes)}")
    print(f"{bad} disagreements")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
