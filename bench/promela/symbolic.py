#!/usr/bin/env python3
"""The symbolic engine on Promela against the same engine on DVE: what a state costs.

    bench/promela/symbolic.py PROMELA_CORPUS BEEM_CORPUS --riata BINARY [--before BINARY] [--rounds N] [--seconds CAP]
                              [--only NAME,NAME]

BEEM's models exist in DVE and as translations to Promela. Twins have the same states as written (`--no-optimise`); with
the optimiser's passes the Promela model has fewer, so that only the cost of a state can be compared. All sides take
turns, N rounds; of each the least CPU time (user and system, of the whole process) is taken, which a busy machine disturbs
least. CAP bounds the CPU seconds of a run. The counts of a twin as written must be those of the DVE model, and those of
all rounds and builds the same, or it is said and the exit status is 1.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

# Other translations have other states than their models (cambridge_4, bridge_2, extinction_2), or create processes.
TWINS = """elevator2_3 leader_filters_5 peterson_4 szymanski_4 lamport_6 brp_3 elevator_3 iprotocol_4""".split()


def run(binary, model, more, seconds):
    """States, transitions and deadlocks, and the CPU seconds; nothing if it did not end in time."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    command = [binary, "explore", model, "--engine", "symbolic", "--json", *more]
    with tempfile.TemporaryFile(mode="w+", errors="replace") as out:
        p = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    result = json.loads(text)["results"][0] if p.returncode >= 0 and text.startswith("{") else {}
    if result.get("verdict") != "complete":
        return None
    c = result["counters"]
    return (c["states"], c["transitions"], c.get("deadlocks")), usage.ru_utime + usage.ru_stime


def best(runs):
    """The counts, and the least time; nothing if a run did not end."""
    return None if None in runs else (runs[0][0], min(r[1] for r in runs))


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def price(r):
    """The microseconds of a state."""
    return r[1] / r[0][0] * 1e6


def cell(r):
    return "not finished | |" if r is None else f"{r[0][0]:,} | {r[1]:.2f} | {price(r):.1f}"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("promela")
    p.add_argument("beem")
    p.add_argument("--riata", default="riata")
    p.add_argument("--before")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", type=int, default=60)
    p.add_argument("--only", default="")
    args = p.parse_args()
    builds = [("before", args.before)] * bool(args.before) + [("now", args.riata)]
    wanted = [w for w in args.only.split(",") if w]
    print("| twin | build | states | DVE s | µs a state | states | as written s | µs a state | ratio "
          "| states | optimised s | µs a state | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    ratios = {name: ([], []) for name, _ in builds}
    wrong = []
    for twin in TWINS:
        if wanted and twin not in wanted:
            continue
        base, number = twin.rsplit("_", 1)
        dve = os.path.join(args.beem, base, f"{base}.{number}.dve")
        promela = os.path.join(args.promela, f"spins__beem_{twin}.pml")
        sides = [(dve, []), (promela, ["--no-optimise"]), (promela, [])]
        runs = {(name, i): [] for name, _ in builds for i in range(3)}
        for _ in range(args.rounds):
            for name, binary in builds:
                for i, (model, more) in enumerate(sides):
                    done = runs[name, i]
                    # What was too slow once is not tried again.
                    done.append(None if None in done else run(binary, model, more, args.seconds))
        for name, _ in builds:
            found = [best(runs[name, i]) for i in range(3)]
            line = f"| {twin} | {name} | {cell(found[0])} |"
            for i in (1, 2):
                ratio = price(found[i]) / price(found[0]) if found[i] and found[0] else None
                line += f" {cell(found[i])} | {ratio:.2f} |" if ratio else f" {cell(found[i])} | |"
                if ratio:
                    ratios[name][i - 1].append(ratio)
            print(line, flush=True)
            if name == "now" and found[0] and found[1] and found[0][0] != found[1][0]:
                wrong.append(f"{twin}: {found[0][0]} in DVE, {found[1][0]} in Promela")
            wrong += [f"{twin}: rounds differ" for i in range(3)
                      if found[i] and len({r[0] for r in runs[name, i]}) > 1]
    for name, (written, optimised) in ratios.items():
        print(f"\nGeometric means, {name}: a state of Promela costs {mean(written):.2f} times one of DVE as written "
              f"({len(written)} twins), {mean(optimised):.2f} times with the optimiser's passes ({len(optimised)}).")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
