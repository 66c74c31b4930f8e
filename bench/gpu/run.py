#!/usr/bin/env python3
"""Compares `--engine gpu` with `--engine explicit`, and records how fast both are.

    bench/gpu/run.py RIATA CORPUS_BEEM CORPUS_PROMELA [--out DIR] [--only TEXT] [--seconds N] [--limit N] [--runs N]
    bench/gpu/run.py RIATA --models [...]        the models of bench/gpu/models, large ones, with the sizes below
    bench/gpu/run.py RIATA --spin [--out DIR] [--explicit N] [--runs N] [--only TEXT]
                                                 those models by Spin and by one thread of Riata, on this machine; no device
    bench/gpu/run.py --table --out DIR           writes the tables anew
    bench/gpu/run.py RIATA CORPUS_BEEM CORPUS_PROMELA --write-counts FILE     the explicit engine alone, for later

With --counts FILE the counts of the explicit engine are taken from there, and it is not run. Models with a property process
(`*.prop*.dve`) are refused by this engine, and left out.

Each row is appended to DIR/rows.jsonl as soon as it is known, and what is there is not run again: a run that was ended
goes on where it was. The tables are DIR/corpus.md and DIR/models.md; those of --spin DIR/spin.jsonl and DIR/spin.md. No failure of a model ends a run.
"""
import argparse, concurrent.futures, json, math, pathlib, subprocess, sys, threading, time

import spin

HERE = pathlib.Path(__file__).resolve().parent
# Files and macros.
MODELS = [
    ("counters.pml", "N=5 M=25"), ("counters.pml", "N=5 M=64"), ("counters.pml", "N=6 M=36"),
    ("philosophers.pml", "N=9"), ("philosophers.pml", "N=11"), ("philosophers.pml", "N=12"),
    ("filter.pml", "N=5"), ("filter.pml", "N=6"), ("tiles.pml", "R=3 C=4"), ("tiles.pml", "R=2 C=5"),
    ("bakery.pml", "N=4 MAX=5"), ("bakery.pml", "N=4 MAX=7"), ("szymanski.pml", "N=5"), ("szymanski.pml", "N=6"),
    ("lamport.pml", "N=5"), ("lamport.pml", "N=6"),
    ("shadows.pml", "N=4 M=63"), ("shadows.pml", "N=5 M=31"), ("shadows.pml", "N=5 M=63"), ("shadows.pml", "N=6 M=20"),
    ("relay.pml", "N=5 K=3 M=3"), ("relay.pml", "N=6 K=3 M=2"), ("election.pml", "N=5 ROUNDS=2"),
    ("election.pml", "N=5 ROUNDS=3"), ("caches.pml", "N=6 V=3"), ("caches.pml", "N=7 V=2"),
    ("counters.pml", "N=6 M=20 CELL=int W=1000003"), ("counters.pml", "N=7 M=12 CELL=int W=1000003"),
    ("philosophers.pml", "N=9 CELL=int W=1000003"), ("philosophers.pml", "N=10 CELL=int W=30000001"),
    ("tiles.pml", "R=3 C=4 CELL=int W=100003"), ("relay.pml", "N=5 K=3 M=3 CELL=int W=1000003"),
    ("relay.pml", "N=6 K=3 M=2 CELL=int W=1000003"), ("counters.pml", "N=8 M=8 CELL=int W=9000011"),
]


def call(riata, file, options, seconds):
    """The answer of one call, or why there is none."""
    command = [riata, "explore", str(file), "--json", "--time", str(seconds)] + options
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 40)
    except subprocess.TimeoutExpired:
        return {"error": "did not end"}
    wall = time.time() - start
    try:
        said = json.loads(done.stdout)
    except ValueError:
        return {"error": (done.stderr or done.stdout).strip()[-400:] or f"exit {done.returncode}"}
    if not said.get("results"):
        problems = said.get("errors") or said.get("error") or done.stderr
        return {"error": str(problems)[-400:]}
    answer = said["results"][0]
    counters = answer["counters"]
    row = {k: counters.get(k) for k in ("states", "transitions", "deadlocks", "levels", "violations")}
    row.update(verdict=answer["verdict"], wall=wall, cpu=answer["cpu_seconds"], bytes=answer["memory_bytes"])
    if "gpu" in answer:
        row["gpu"] = answer["gpu"]
    return row


def compare(riata, file, options, args):
    row = {"file": file.name, "options": options, "gpu": [], "explicit": None}
    for _ in range(args.runs):
        row["gpu"].append(call(riata, file, options + ["--engine", "gpu"], args.seconds))
        if "error" in row["gpu"][-1]:
            break
    known = args.known.get(file.name if not options else " ".join([file.name] + options))
    if known:
        row["explicit"] = known
    elif "error" not in row["gpu"][0] and not args.no_explicit and not args.counts:
        memory = ["--memory", args.memory] if args.memory else []
        row["explicit"] = call(riata, file, options + memory, args.explicit)
    row["same"] = same(row)
    return row


COUNTS = ("states", "transitions", "deadlocks", "levels", "violations")


def same(row):
    """Is everything the same: all runs, and the other engine if it was done?"""
    gpu = row["gpu"]
    if any("error" in g or g["verdict"] != "complete" for g in gpu):
        return None
    counts = lambda r: [r[k] for k in COUNTS]
    if any(counts(g) != counts(gpu[0]) for g in gpu):
        return False
    other = row["explicit"]
    if not other or "error" in other or other["verdict"] != "complete":
        return None
    return counts(other) == counts(gpu[0])


def corpus(folder, ends):
    return sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix in ends and p.is_file())


def jobs(args):
    if args.models or args.spin:
        for name, macros in MODELS:
            if (HERE / "models" / name).exists():
                yield HERE / "models" / name, [x for m in macros.split() for x in ("-D", m)]
        return
    files = [f for f in corpus(args.beem, (".dve",)) if ".prop" not in f.name] + corpus(args.promela, (".pml",))
    # Small ones first, those of unknown size last.
    for file in sorted(files, key=lambda f: args.known.get(f.name, {}).get("states", 1 << 60)):
        yield file, []


def write_counts(args):
    """What the explicit engine counts, into a file."""
    path = pathlib.Path(args.write_counts)
    counts = json.loads(path.read_text()) if path.exists() else {}
    for file, options in jobs(args):
        name = file.name if not options else " ".join([file.name] + options)
        if name in counts or args.only not in name:
            continue
        memory = ["--memory", args.memory] if args.memory else []
        row = call(args.riata, file, options + memory, args.explicit)
        if row.get("verdict") == "complete":
            counts[name] = row
            path.write_text(json.dumps(counts, indent=0))


def beside_spin(args):
    """Spin and one thread of Riata in turns."""
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    log = out / "spin.jsonl"
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    known = {(r["file"], tuple(r["options"])) for r in rows}
    for file, options in jobs(args):
        if (file.name, tuple(options)) in known or args.only not in str(file) + " ".join(options):
            continue
        rows.append(spin.compare(args.riata, file, options, args.explicit, args.runs))
        with log.open("a") as f:
            f.write(json.dumps(rows[-1]) + "\n")
    (out / "spin.md").write_text(spin.table(rows))
    print((out / "spin.md").read_text())


def million(n, seconds):
    return f"{n / seconds / 1e6:.1f}" if seconds else "-"


def table(rows, models):
    lines = ["| model | bits | states | transitions | deadlocks | levels | kernel s | search s | ready s | M states/s kernel "
             "| M states/s search | explicit s | M states/s explicit | asked | bytes/state | same |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"]
    refused, rates = [], {128: [], 512: []}
    for row in rows:
        name = " ".join([row["file"]] + [o for o in row["options"] if o != "-D"])
        gpu = row["gpu"][-1]
        if "error" in gpu:
            refused.append(f"* `{name}`: {gpu['error'].splitlines()[-1]}")
            continue
        told, states = gpu["gpu"], gpu["states"]
        other = row["explicit"] or {}
        done = other.get("verdict") == "complete"
        verdict = {True: "yes", False: "**NO**", None: "-"}[row["same"]]
        if gpu["verdict"] != "complete":
            verdict = gpu["verdict"]
        elif states > 1e7:
            for most in rates:
                if told["state_bits"] <= most and (most == 128 or told["state_bits"] > 128):
                    rates[most].append(states / told["search_seconds"])
        lines.append(
            f"| {name} | {told['state_bits']} | {states} | {gpu['transitions']} | {gpu['deadlocks']} | {gpu['levels']} "
            f"| {told['kernel_seconds']:.3f} | {told['search_seconds']:.3f} | {told['ready_seconds']:.2f} "
            f"| {million(states, told['kernel_seconds'])} | {million(states, told['search_seconds'])} "
            f"| {format(other['cpu'], '.2f') if done else '-'} | {million(other['states'], other['cpu']) if done else '-'} "
            f"| {told['asked']} | {gpu['bytes'] / max(1, states):.0f} | {verdict} |")
    wrong = sum(r["same"] is False for r in rows)
    head = [f"{len(rows)} rows, {sum(r['same'] is True for r in rows)} the same by both engines, {wrong} **not the same**, "
            f"{len(refused)} refused.", ""]
    for most, all_rates in rates.items():
        if all_rates:
            mean = math.exp(sum(map(math.log, all_rates)) / len(all_rates))
            head.append(f"States of up to {most} bits, {len(all_rates)} models of more than 10^7 states: geometric mean "
                        f"{mean / 1e6:.0f} million states per second of the whole search.")
    return "\n".join(head + [""] + lines + ["", "Refused:", ""] + refused) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("riata", nargs="?")
    parser.add_argument("beem", nargs="?")
    parser.add_argument("promela", nargs="?")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--spin", action="store_true", help="Spin beside one thread of Riata, --explicit seconds each")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--out", default="gpu-out")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=20, help="for a search on the device")
    parser.add_argument("--explicit", type=int, default=10, help="seconds for the other engine")
    parser.add_argument("--no-explicit", action="store_true")
    parser.add_argument("--counts", default="", help="counts of the explicit engine, instead of running it")
    parser.add_argument("--write-counts", default="", help="run the explicit engine alone, and write its counts")
    parser.add_argument("--memory", default="")
    parser.add_argument("--limit", type=int, default=10**9, help="seconds for everything")
    parser.add_argument("--jobs", type=int, default=1, help="models at a time: for counts, not for speed")
    parser.add_argument("--runs", type=int, default=1)
    args = parser.parse_args()
    args.known = json.loads(pathlib.Path(args.counts).read_text()) if args.counts else {}
    if args.write_counts:
        return write_counts(args)
    if args.spin:
        return beside_spin(args)
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    log = out / "rows.jsonl"
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    known = {(r["file"], tuple(r["options"])) for r in rows}
    start = time.time()
    if not args.table:
        lock = threading.Lock()

        def one(job):
            file, options = job
            if time.time() - start > args.limit:
                return
            row = compare(args.riata, file, options, args)
            last = row["gpu"][-1]
            with lock:
                rows.append(row)
                with log.open("a") as f:
                    f.write(json.dumps(row) + "\n")
                told = last.get("error", "")[-200:] or (last.get("states"), last.get("gpu"))
                print(file.name, *options, row["same"], told, flush=True)

        wanted = [(file, options) for file, options in jobs(args)
                  if args.only in str(file) + " ".join(options) and (file.name, tuple(options)) not in known]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            list(pool.map(one, wanted))
        if time.time() - start > args.limit:
            print("no more time; run again to go on")
    models = {name for name, _ in MODELS}
    for name, some in (("models", [r for r in rows if r["file"] in models]),
                       ("corpus", [r for r in rows if r["file"] not in models])):
        if some:
            (out / f"{name}.md").write_text(table(some, name == "models"))
            print((out / f"{name}.md").read_text())


if __name__ == "__main__":
    sys.exit(main())
