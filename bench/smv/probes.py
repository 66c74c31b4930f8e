#!/usr/bin/env python3
"""Small SMV models with NuSMV's answers: riata against what was recorded.

    probes.py PROBES RIATA [--nusmv BINARY] [--time SECONDS] [--only TEXT]

PROBES is a folder of models NAME.smv with `expected.csv`: columns probe, what (`states` or `property`), name, nusmv. For
each probe riata must give the same truth value (or number) for every property, and the same number of reachable states.
With `--nusmv` the binary is run, too, and its answers must be the recorded ones.

Prints what differs; exit code 1 if anything does that is not one of the differences that `docs/smv.md` gives reasons for:
where no initial state has a fair path, NuSMV says of every CTL formula that it is true, and that a longest path has length 0;
its arithmetic wraps at 32 bits; and it does not look for missing values (a case without a branch) in LTL formulas. These are
printed with the reason, and counted apart.
"""

import os
import sys

# The folder of this script has a `random.py`, which is not the one of the standard library.
HERE = sys.path.pop(0)

import argparse
import csv
import re

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


def known(model, found, what, was, now):
    """The reason for a difference that is wanted."""
    lonely = found.get("values", {}).get("no_fair_path") == "true"
    if lonely and (was, now) in (("true", "false"), ("0", "undefined")):
        return "no initial state has a fair path"
    if what not in ("states", "refused", "stopped") and any(int(n) >= 2**30 for n in re.findall(r"\b\d+\b", model)):
        return "NuSMV's arithmetic wraps at 32 bits"
    if what == "refused" and "LTLSPEC" in model and re.search("do not cover|division by zero|outside of the array|a shift by", now):
        return "a missing value in LTL"
    return None


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
    different, wanted_differences = 0, 0
    for name, wanted in sorted(probes.items()):
        with open(os.path.join(options.probes, name + ".smv")) as file:
            model = file.read()
        found = tools.riata(model, "p")
        told = []
        for what, was, now in differences(wanted, found):
            reason = known(model, found, what, was, now)
            line = f"{what}: NuSMV {was}, riata {now}"
            if reason:
                wanted_differences += 1
                print(f"{name}: {line} ({reason})", flush=True)
            else:
                told.append(line)
        if options.nusmv:
            told += [f"{what}: recorded {was}, NuSMV now {now}" for what, was, now in differences(wanted, tools.nusmv(model, "p"))]
        for line in told:
            print(f"{name}: {line}", flush=True)
        different += bool(told)
    print(f"{len(probes)} probes, {different} differ")
    if wanted_differences:
        print(f"{wanted_differences} answers differ for a reason that docs/smv.md gives")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
