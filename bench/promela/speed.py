#!/usr/bin/env python3
"""Riata against Spin's compiled verifier: states a CPU second, time to a verdict, bytes a state.

    bench/promela/speed.py CORPUS --riata BINARY [--repeat N] [--seconds CAP] [--only NAME,NAME] [--flags=--no-optimise]

CORPUS is a folder of Promela models. Spin's verifier is made by `spin -a` and `gcc -O2 -DNOREDUCE -DSAFETY` and goes over
the whole space (`-E -A`, no report of errors), with the smallest stack of 10^4, 10^5, 10^6 and 10^7 that suffices, and the
better of the two tables that fit the states (`-w`); Riata explores the same space with its optimisations, as Spin does by
default. Both sides take turns; of N runs each the fastest is taken, and the spread is the slowest over it. CPU times are user and system time.

* search: the states stored, divided by the CPU time of the verifier, and of Riata's search alone.
* verdict: the CPU time of `spin -a`, the compiler and the verifier, and of Riata's whole process.
* bytes: resident memory, divided by the states; Spin's without the stack that `-m` asks for.

With formulas (`LTL` below): `gcc -O2 -DNOREDUCE`, `pan -a`, and `riata check --ltl`. The formula is appended to a copy of
the model. Only formulas that hold, so that both sides see everything.
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

MODELS = """spins__beem_peterson_4 spins__beem_leader_filters_5 spins__beem_brp_3 spins__beem_szymanski_4
spins__beem_iprotocol_4 spins__beem_blocks_3 spins__beem_lamport_6 spins__beem_loyd_2 spins__beem_phils_5
spins__beem_peg_solitaire_4 spins__beem_gear_2 spins__beem_extinction_2 spin__dtp spins__beem_elevator2_3
spins__beem_rushhour_4 spins__beem_sokoban_2 spins__beem_cambridge_4""".split()

# Who is at a place again and again was at the place before it again and again.
AGAIN = "([]<>({0}) && []<>!({0})) -> []<>({1})"
LTL = [
    ("spins__beem_peterson_4", AGAIN.format("P_0@CS", "P_0@wait")),
    ("spins__beem_lamport_6", AGAIN.format("P_0@CS", "P_0@q1")),
    ("spins__beem_szymanski_4", AGAIN.format("P_0@p3", "P_0@p2")),
    ("spins__beem_phils_5", AGAIN.format("phil_0@eat", "phil_0@one")),
    ("spins__beem_brp_3", AGAIN.format("Producer@wait_result", "Producer@start_send")),
    ("spins__beem_iprotocol_4", AGAIN.format("Consumer@consume", "Consumer@wait")),
    ("spins__beem_leader_filters_5", "[]<>(P_0@elected) -> <>[](P_0@elected)"),
    # Formulas of the models: their names.
    ("spin__LTL_mobile1", "ltl_0"),
    ("spin__LTL_train", "c1"),
]


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


def compiled(model, flags):
    """A folder with the verifier of a model, and the CPU seconds that making it took."""
    folder = tempfile.mkdtemp()
    text, first, _ = measured(["spin", "-a", os.path.abspath(model)], folder, 600)
    built, second, _ = measured(["gcc", "-w", "-O2", *flags, "-DMEMLIM=12000", "-o", "pan", "pan.c"], folder, 600)
    if text is None or built is None or not os.path.exists(os.path.join(folder, "pan")):
        sys.exit(f"{model}: Spin's verifier could not be made")
    return folder, first + second


def pan(folder, options, seconds, depth=10_000_000):
    """States, CPU seconds, bytes; nothing if it does not finish, or the search is deeper."""
    text, cpu, resident = measured(["./pan", f"-m{depth}", *options, "-n"], folder, seconds)
    stored = text and re.search(r"^\s*(\d+) states, stored", text, re.M)
    if not stored or "max search depth too small" in text or "out of memory" in text or "errors: 0" not in text:
        return None
    # The stack of `-m` is not the states': it is taken off where pan tells its size.
    stack = re.search(r"([\d.]+)\s+memory used for DFS stack", text)
    resident -= int(float(stack[1]) * (1 << 20)) if stack else 0
    return int(stored[1]), cpu, resident


def riata(command, seconds):
    """States, CPU seconds of the search, bytes, CPU seconds of the process."""
    text, cpu, resident = measured([*command, "--json"], ".", seconds)
    if text is None:
        return None
    result = json.loads(text)["results"][0]
    return result["counters"]["states"], result["cpu_seconds"], resident, cpu


def fastest(runs):
    return None if None in runs else min(runs, key=lambda r: r[1])


def spread(runs):
    return max(r[1] for r in runs) / min(r[1] for r in runs)


def fitted(folder, options, seconds):
    """Options of the verifier with which it is fastest: no more stack than it needs, and a table for its states."""
    for depth in (10_000, 100_000, 1_000_000, 10_000_000):
        if found := pan(folder, options, seconds, depth):
            table = max(10, math.ceil(math.log2(found[0])))
            tried = [(pan(folder, [*options, f"-w{w}"], seconds, depth), w) for w in (table, table + 1)]
            best = min((run[1], w) for run, w in tried if run)
            return [*options, f"-w{best[1]}"], depth
    return None


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def row(name, repeat, spin, sides):
    """One line: Spin's run and ours; `sides` are the commands of Riata, the exact store first."""
    make, flags, options, seconds = spin
    theirs, ours = [], [[] for _ in sides]
    folder, building = compiled(make, flags)
    fits = fitted(folder, options, seconds)
    for _ in range(repeat):
        theirs.append(fits and pan(folder, fits[0], seconds, fits[1]))
        for runs, command in zip(ours, sides):
            runs.append(riata(command, seconds))
    all_ours = ours
    s, ours = fastest(theirs), [fastest(r) for r in ours]
    if s is None or None in ours:
        print(f"| {name} | {'not finished' if s is None else s[0]} | {'not finished' if None in ours else ours[0][0]} |",
              flush=True)
        return None
    e = ours[0]
    search, verdict = (e[0] / e[1]) / (s[0] / s[1]), (building + s[1]) / e[3]
    line = (f"| {name} | {s[0]} | {e[0]} | {s[0] / s[1] / 1e6:.2f} | {e[0] / e[1] / 1e6:.2f} | {search:.2f} | "
            f"{spread(theirs):.2f}, {spread(all_ours[0]):.2f} | "
            f"{building + s[1]:.2f} | {e[3]:.2f} | {verdict:.1f} |")
    memory = None
    if len(ours) > 1:
        t = ours[1]
        memory = (t[2] / t[0]) / (s[2] / s[0])
        line += (f" {s[2] / s[0]:.0f} | {e[2] / e[0]:.0f} | {t[2] / t[0]:.0f} | {memory:.2f} | "
                 f"{(t[0] / t[1]) / (s[0] / s[1]):.2f} |")
    print(line, flush=True)
    return search, verdict, memory


def ready(binary, corpus):
    """The longest time from the start of the process until the model can be run, over all models."""
    print()
    # The second one optimises, too, and takes all steps from the first state.
    for command, more in (["simulate", ["--steps", "0"]], ["explore", ["--time", "0"]]):
        worst = (0.0, "")
        for model in sorted(glob.glob(os.path.join(corpus, "*.pml"))):
            runs = [measured([binary, command, model, *more], corpus, 20)[1] for _ in range(3)]
            worst = max(worst, (min(runs), os.path.basename(model)))
        print(f"`riata {command} {' '.join(more)}`: at most {worst[0] * 1000:.0f} ms of CPU time ({worst[1]}), best of three, "
              f"all models.")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--riata", default="riata")
    p.add_argument("--repeat", type=int, default=3)
    p.add_argument("--seconds", type=int, default=300)
    p.add_argument("--only", default="")
    p.add_argument("--flags", default="", help="more options of `riata explore`, such as --no-optimise")
    p.add_argument("--no-ltl", action="store_true", help="leave the formulas out")
    p.add_argument("--only-ltl", action="store_true", help="the formulas alone")
    args = p.parse_args()
    binary = os.path.abspath(args.riata) if os.sep in args.riata else args.riata
    wanted = [w for w in args.only.split(",") if w]
    chosen = lambda name: not wanted or any(w in name for w in wanted)

    print("| model | Spin states | Riata states | Spin M/s | Riata M/s | search | spread | Spin s to verdict | Riata s | verdict | "
          "Spin bytes | exact | tree | tree/Spin | tree search |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    rows = []
    for name in filter(chosen, MODELS if not args.only_ltl else []):
        model = os.path.join(args.corpus, name + ".pml")
        sides = [[binary, "explore", model, "--store", store, *args.flags.split()] for store in ("exact", "tree")]
        rows.append(row(name, args.repeat, (model, ["-DNOREDUCE", "-DSAFETY"], ["-E", "-A"], args.seconds), sides))
    rows = [r for r in rows if r] or [(math.nan,) * 3]
    print(f"\nGeometric means: search {mean([r[0] for r in rows]):.2f}, verdict {mean([r[1] for r in rows]):.2f}, "
          f"tree store's bytes {mean([r[2] for r in rows]):.2f} of Spin's\n")

    if args.no_ltl:
        return
    print("| model and formula | Spin states | Riata states | Spin M/s | Riata M/s | search | spread | Spin s to verdict | Riata s "
          "| verdict |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    rows = []
    for name, formula in LTL:
        if not chosen(name):
            continue
        model = os.path.join(args.corpus, name + ".pml")
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "m.pml")
            claim = formula if formula.isidentifier() else "speed"
            with open(copy, "w") as f:
                f.write(open(model, errors="replace").read())
                if claim == "speed":
                    f.write(f"\nltl speed {{ {formula} }}\n")
            side = [binary, "check", copy, "--property", claim, "--por", "off", "--threads", "1"]
            rows.append(row(f"{name}, `{formula}`", args.repeat,
                            (copy, ["-DNOREDUCE"], ["-a", "-N", claim], args.seconds), [side]))
    rows = [r for r in rows if r]
    print(f"\nGeometric means: search {mean([r[0] for r in rows]):.2f}, verdict {mean([r[1] for r in rows]):.2f}")
    if not wanted:
        ready(binary, args.corpus)


if __name__ == "__main__":
    sys.exit(main())
