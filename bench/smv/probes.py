#!/usr/bin/env python3
"""Small SMV models with NuSMV's answers: riata against what was recorded.

    probes.py PROBES RIATA [--nusmv BINARY] [--time SECONDS] [--only TEXT]

PROBES is a folder of models NAME.smv with `expected.csv`: columns probe, what (`states` or `property`), name, nusmv. For
each probe riata must give the same truth value (or number) for every property, and the same number of reachable states.
With `--nusmv` the binary is run, too, and its answers must be the recorded ones.

Prints what differs; exit code 1 if anything does. A difference that is wanted is one of `docs/smv.md`: where no initial
state has a fair path, NuSMV says of every CTL formula that it is true, and riata does not (these are counted apart).
"""

import os
import sys

# The folder of this script has a `random.py`, which is not the one of the standard library.
HERE = sys.path.pop(0)

import argparse
import csv

sys.path.append(HERE)
from tools import Tools


def same(a, b):
    """Values are equal; numbers of states up to what NuSMV prints of them."""
    try:
        return a == b or abs(float(a) - float(b)) <= 1e-4 * abs(float(b))
    except (TypeError, ValueError):
        return a == b


def expected(folder):
    probes = {}
    with open(os.path.join(folder, "expected.csv"), newline="") as file:
        for row in csv.DictReader(file):
            probe = probes.setdefault(row["probe"], {"values": {}, "states": None})
            if row["what"] == "states":
                probe["states"] = row["nusmv"]
            else:
                probe["values"][row["name"]] = row["nusmv"]
    return probes


def differences(wanted, found):
    """What differs: (what, wanted, found)."""
    for why in ("stopped", "refused"):
        if why in found:
            yield why, "", found[why]
            return
    for name, value in wanted["values"].items():
        if not same(found["values"].get(name), value):
            yield name, value, found["values"].get(name)
    if wanted["states"] is not None and found["states"] is not None and not same(found["states"], wanted["states"]):
        yield "states", wanted["states"], found["states"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("probes")
    parser.add_argument("riata")
    parser.add_argument("--nusmv")
    parser.add_argument("--time", type=float, default=20, help="seconds for one run of one tool")
    parser.add_argument("--only", default="", help="probes whose name contains this")
    options = parser.parse_args()
    tools = Tools(options.nusmv, options.riata, options.time)
    probes = {name: p for name, p in expected(options.probes).items() if options.only in name}
    different, unfair = 0, 0
    for name, wanted in sorted(probes.items()):
        with open(os.path.join(options.probes, name + ".smv")) as file:
            model = file.read()
        found = tools.riata(model, "p")
        told = []
        for what, was, now in differences(wanted, found):
            lonely = was == "true" and now == "false" and found["values"].get("no_fair_path") == "true"
            if lonely:
                unfair += 1
            else:
                told.append(f"{what}: NuSMV {was}, riata {now}")
        if options.nusmv:
            told += [f"{what}: recorded {was}, NuSMV now {now}" for what, was, now in differences(wanted, tools.nusmv(model, "p"))]
        for line in told:
            print(f"{name}: {line}", flush=True)
        different += bool(told)
    print(f"{len(probes)} probes, {different} differ")
    if unfair:
        print(f"{unfair} properties differ because no initial state has a fair path")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
