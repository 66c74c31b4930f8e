#!/usr/bin/env python3
"""Checks that Riata reads models as Spin does.

    roundtrip.py [--print COMMAND] [--spin PATH] PLACE…

For every model in the places (files or directories): COMMAND prints Riata's syntax tree of it as text, with macros and
inlines expanded and all brackets written. Spin makes a verifier (`spin -a -o1 -o2 -o3`) from the model and one from
that text; the code of the transitions (`pan.m`) must be the same but for line numbers and the names of scopes. So a
precedence, a separator or an option that is read wrongly shows. Exits with 1 if one differs. Models that Spin refuses
must be refused again.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

COMMAND = "cargo run -q -p riata-promela --example parse_all -- --print"


def transitions(spin, folder, name):
    subprocess.run([spin, "-a", "-o1", "-o2", "-o3", name], cwd=folder, capture_output=True, timeout=60)
    path = os.path.join(folder, "pan.m")
    if not os.path.exists(path):
        return None
    with open(path, errors="replace") as f:
        text = f.read()
    for pattern, new in [
        (r"//.*", ""),
        (r"/\*.*?\*/", ""),
        (r"#line.*", ""),
        (r"Printf\(.*", ""),
        (r"near line \d+", ""),
        (r"line \d+", ""),
        (r"[\w./-]+\.\w+:\d+", ""),
        (r"S_\d+_\d+:.*", ""),
        (r"_\d+(_\d+)*_([a-zA-Z])", r"_S_\2"),
    ]:
        text = re.sub(pattern, new, text)
    return text


def same(spin, command, path):
    printed = subprocess.run([*command, path], capture_output=True, timeout=600)
    with tempfile.TemporaryDirectory(prefix="roundtrip") as folder:
        theirs, ours = os.path.join(folder, "a"), os.path.join(folder, "b")
        # Beside the model, so that it finds what it includes.
        os.symlink(os.path.dirname(os.path.abspath(path)), os.path.join(folder, "models"))
        os.makedirs(theirs)
        os.makedirs(ours)
        with open(os.path.join(ours, "m.pml"), "wb") as f:
            f.write(printed.stdout)
        wanted = transitions(spin, theirs, os.path.join("..", "models", os.path.basename(path)))
        found = transitions(spin, ours, "m.pml")
        if wanted is None:
            return found is None or printed.returncode != 0, "Spin refuses it"
        return wanted == found, "the same"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--print", default=COMMAND)
    parser.add_argument("--spin", default="spin")
    parser.add_argument("places", nargs="+")
    arguments = parser.parse_args()
    command = shlex.split(arguments.print)
    total = bad = 0
    for place in arguments.places:
        names = sorted(os.listdir(place)) if os.path.isdir(place) else [""]
        for name in names:
            path = os.path.join(place, name) if name else place
            if not path.endswith((".pml", ".promela", ".prom", ".pm")):
                continue
            total += 1
            fine, how = same(arguments.spin, command, path)
            if not fine:
                bad += 1
                print(f"{path}: differs")
            elif how != "the same":
                print(f"{path}: {how}")
    print(f"{total} models, {bad} differ")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
