#!/usr/bin/env python3
"""Prints the random Promela program of a seed.

    generate.py [SEED] [--size N] [--only FEATURE,…] [--without FEATURE,…] [--features]
"""
import argparse
import sys

from generator import SWITCHES, generate


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--size", type=int, default=4)
    parser.add_argument("--only", type=lambda s: s.split(","))
    parser.add_argument("--without", type=lambda s: s.split(","), default=[])
    parser.add_argument("--features", action="store_true", help="list the features, with their probabilities")
    args = parser.parse_args()
    if args.features:
        for name, (chance, what) in SWITCHES.items():
            print(f"{name:16} {chance:4}  {what}")
        return
    program = generate(args.seed, args.size, args.only, args.without)
    sys.stdout.write(f"/* {' '.join(sorted(program.features))} */\n{program.text()}")


if __name__ == "__main__":
    main()
