#!/usr/bin/env python3
"""Compares the text for devices, compiled for this machine (RIATA_GPU=host), with the explicit engine; no device is needed.

    bench/gpu/host.py RIATA [--beem DIR] [--promela DIR] [--states N] [--corpus N] [--limit SECONDS] [--jobs N]

All models of the repository of at most --states states, and of the corpora those of at most --corpus, for --limit seconds:
those with few characters first. States, transitions, deadlocks, levels and violations must be the same. Ends with 1 if they
differ somewhere, or if nothing was compared; a model that is refused is named.
"""
import argparse, concurrent.futures, json, os, pathlib, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTS = ("states", "transitions", "deadlocks", "levels", "violations")


def call(riata, file, options, seconds, **environment):
    """The counts of one call, or a word that says why there are none."""
    command = [riata, "explore", str(file), "--json", "--time", str(seconds), "--memory", "2G"] + options
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=4 * seconds + 20,
                              env=dict(os.environ, **environment))
        said = json.loads(done.stdout)
        if not said.get("results"):
            return str(said.get("errors") or said.get("error") or done.stderr).strip()[-300:]
        answer = said["results"][0]
    except subprocess.TimeoutExpired:
        return "did not end"
    except ValueError:
        return (done.stderr or f"exit {done.returncode}").strip()[-300:]
    if answer["verdict"] != "complete":
        return answer["verdict"]
    return {name: answer["counters"].get(name) for name in COUNTS}


def repository():
    folders = [ROOT / "models"] + sorted((ROOT / "bench").glob("*/models"))
    return [f for folder in folders for f in sorted(folder.iterdir()) if f.suffix in (".pml", ".dve")]


def corpus(args):
    files = [f for f in pathlib.Path(args.beem).rglob("*.dve") if ".prop" not in f.name] if args.beem else []
    files += pathlib.Path(args.promela).rglob("*.pml") if args.promela else []
    return sorted(files, key=lambda f: (f.stat().st_size, f.name))


def compare(args, file, most, until):
    """The name, and what came of it: same, DIFFERENT, or a reason why it was not compared."""
    if until and time.time() > until:
        return file.name, "no time"
    expected = call(args.riata, file, ["--threads", "1"], 2)
    if isinstance(expected, str):
        return file.name, "left out"
    if expected["states"] > most:
        return file.name, "left out"
    found = call(args.riata, file, ["--engine", "gpu"], 20, RIATA_GPU="host")
    if isinstance(found, str):
        return file.name, found
    return file.name, "same" if found == expected else f"DIFFERENT: {found}, not {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("riata")
    parser.add_argument("--beem")
    parser.add_argument("--promela")
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--corpus", type=int, default=1_000)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    wrong = False
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for what, files, most, limit in (("repository", repository(), args.states, None),
                                         ("corpus", corpus(args), args.corpus, args.limit)):
            until = limit and time.time() + limit
            rows = list(pool.map(lambda f: compare(args, f, most, until), files))
            some = lambda said: [name for name, why in rows if why == said]
            same, odd = some("same"), [r for r in rows if r[1] not in ("same", "left out", "no time")]
            print(f"{what}: {len(files)} models, {len(same)} the same, {len(some('left out'))} without as few states, "
                  f"{len(some('no time'))} for which there was no time")
            for name, why in odd:
                print(f"  {name}: {why}")
            wrong |= any(why.startswith("DIFFERENT") for _, why in odd) or (bool(files) and not same)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
