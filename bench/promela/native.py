#!/usr/bin/env python3
"""Native code against the interpreter: the same successors in the same order.

    bench/promela/native.py EXAMPLE [MODEL…] [--count N] [--seed S] [--size N]

EXAMPLE is the program that `cargo build --release -p riata-jit --example native` makes. It looks at the first million
states of each MODEL (Promela or DVE), and of N random Promela programs, and compares all successors of each: told one by one
and at once, by native code, with those of the interpreter. The exit code is 1 if some differ; such programs are kept beside.
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from generator import generate  # noqa: E402

BATCH = 100


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("example")
    p.add_argument("models", nargs="*")
    p.add_argument("--count", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--size", type=int, default=4)
    return p.parse_args()


def compare(args, paths):
    """(same, native edges, edges left, lines about others)."""
    done = subprocess.run([args.example, "--same", *paths], capture_output=True, text=True)
    same, native, left, other = 0, 0, 0, []
    for line in done.stdout.splitlines():
        if " same; " in line:
            same += 1
            if " native, " in line:
                words = line.split("; ")[-1].split()
                native, left = native + int(words[0]), left + int(words[2])
        elif not line.endswith("not read") and not line.endswith("no interpreter"):
            other.append(line)
    if done.returncode != 0:
        other.append(f"exit {done.returncode}: {done.stderr.strip()[-300:]} ({paths[0]} …)")
    return same, native, left, other


def main():
    args = arguments()
    total = [0, 0, 0]
    wrong = []

    def add(found):
        for i in range(3):
            total[i] += found[i]
        wrong.extend(found[3])

    for path in args.models:
        add(compare(args, [path]))
    with tempfile.TemporaryDirectory(prefix="native") as folder:
        for first in range(args.seed, args.seed + args.count, BATCH):
            paths = []
            for seed in range(first, min(first + BATCH, args.seed + args.count)):
                paths.append(os.path.join(folder, f"{seed}.pml"))
                program = generate(seed, args.size)
                with open(paths[-1], "w") as f:
                    f.write(program.text(properties=False))
            add(compare(args, paths))
            for path in paths:
                os.remove(path)
    for line in wrong:
        print(line)
    print(f"{total[0]} programs are the same; {total[1]} edges native, {total[2]} left; {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
