#!/usr/bin/env python3
"""How the speed and the memory of a search grow with the number of states.

    bench/growth.py rate RIATA [--store exact] [--svg FILE] [--flags=…] MODEL…
    bench/growth.py memory RIATA [--store tree] [--flags=…] MODEL…

`rate` explores each MODEL and tells the states a second when 1, 2, 3, 5, 10, 20 and 30 million states are reached: those of the
stretch from a fifth fewer to a quarter more, from the samples that `--json` has. With --svg the curves are drawn.
`memory` explores each MODEL, and tells the resident bytes of the whole process at its peak a state, and what the search itself
holds. Both tell times of the wall: nothing else may be running.
"""

import argparse
import bisect
import json
import math
import os
import subprocess

STEPS = [1e6, 2e6, 3e6, 5e6, 1e7, 2e7, 3e7]
COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a"]


def explored(args, model):
    flags = ["--store", args.store, "--time", str(args.time), *args.flags]
    done = subprocess.run([args.riata, "explore", model, "--threads", "1", *flags, "--json"], capture_output=True, text=True)
    document = json.loads(done.stdout)
    return document["results"][0], document["resident_bytes"]


def moment(times, states, n):
    """When there were n states, between two samples."""
    i = bisect.bisect_left(states, n)
    if i == 0 or i == len(states):
        return None
    part = (n - states[i - 1]) / (states[i] - states[i - 1])
    return times[i - 1] + part * (times[i] - times[i - 1])


def rate(times, states, n):
    first, last = moment(times, states, n * 0.8), moment(times, states, n * 1.25)
    return n * 0.45 / (last - first) if first is not None and last else None


def rates(args):
    curves = []
    print("| model | " + " | ".join(f"{n / 1e6:.0f}" for n in STEPS) + " | last : first |")
    print("|---|" + "---|" * (len(STEPS) + 1))
    for model in args.models:
        answer, _ = explored(args, model)
        samples = [s for s in answer.get("samples", []) if s.get("states")]
        times, states = [0.0] + [s["seconds"] for s in samples], [0] + [s["states"] for s in samples]
        told = [rate(times, states, n) for n in STEPS]
        known = [r for r in told if r]
        cells = [f"{r / 1e6:.2f}" if r else "–" for r in told]
        ratio = f"{known[-1] / known[0]:.2f}" if known else "–"
        name = os.path.basename(model)
        print(f"| {name} | " + " | ".join(cells) + f" | {ratio} |", flush=True)
        fine = [1e6 * 1.1 ** i for i in range(60)]
        curves.append((name, [(n, r) for n in fine if (r := rate(times, states, n))]))
    if args.svg:
        with open(args.svg, "w") as f:
            f.write(picture(curves))


def picture(curves):
    """States a second over states, the latter in powers of ten."""
    width, height, left, bottom = 640, 360, 56, 44
    top = max((r for _, c in curves for _, r in c), default=1e6) * 1.1
    most = max((n for _, c in curves for n, _ in c), default=1e7)

    def x(n):
        return left + (width - left - 16) * math.log(n / 1e6) / math.log(max(most, 1.1e6) / 1e6)

    def y(r):
        return height - bottom - (height - bottom - 16) * r / top

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    step = 10 ** math.floor(math.log10(top)) / 2
    for i in range(int(top / step) + 1):
        at = y(i * step)
        out.append(f'<path d="M{left} {at:.1f}H{width - 16}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{i * step / 1e6:g}</text>')
    for n in [n for n in STEPS + [5e7] if n <= most]:
        out.append(f'<path d="M{x(n):.1f} {height - bottom}v4" stroke="black"/>')
        out.append(f'<text x="{x(n):.1f}" y="{height - bottom + 18}" text-anchor="middle">{n / 1e6:.0f}</text>')
    out.append(f'<text x="{width / 2:.0f}" y="{height - 8}" text-anchor="middle">million states</text>')
    out.append(f'<text x="14" y="{height / 2:.0f}" text-anchor="middle" transform="rotate(-90 14 {height / 2:.0f})">'
               "million states a second</text>")
    for i, (name, curve) in enumerate(curves):
        colour = COLOURS[i % len(COLOURS)]
        line = " ".join(f"{x(n):.1f},{y(r):.1f}" for n, r in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{width - 20}" y="{height - bottom - 12 - 16 * i}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def memory(args):
    print("| model | states | MB resident | bytes a state | of them the search | CPU |\n|---|---|---|---|---|---|")
    for model in args.models:
        answer, resident = explored(args, model)
        states = answer["counters"]["states"]
        note = "" if answer["verdict"] == "complete" else " (not all)"
        print(f"| {os.path.basename(model)} | {states}{note} | {resident / 1e6:.1f} | {resident / states:.1f} | "
              f"{answer['memory_bytes'] / states:.1f} | {answer['cpu_seconds']:.2f} s |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rate", "memory"])
    parser.add_argument("riata")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--store")
    parser.add_argument("--time", default="10m")
    parser.add_argument("--flags", type=lambda s: s.split(","), default=[])
    parser.add_argument("--svg")
    args = parser.parse_args()
    args.store = args.store or ("exact" if args.what == "rate" else "tree")
    (rates if args.what == "rate" else memory)(args)


if __name__ == "__main__":
    main()
