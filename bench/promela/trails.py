#!/usr/bin/env python3
"""Trails in both directions: Spin replays what Riata found, and Riata replays what Spin found.

usage: trails.py CORPUS RIATA [--time SECONDS] [--only TEXT]

CORPUS holds the models and `spin_results.csv`. For each model with a recorded error of a kind (assertion or end state,
claim, acceptance, non-progress):

* Riata's counterexample is written with --trail, and `spin -t -p` must follow it to its end without losing the way;
  a violated assertion must be violated there, too.
* The verifier that Spin makes (with merged statements, as is its default) finds its own counterexample, and
  `riata replay` must follow the trail; it must end in the same kind of error.

Needs spin 6.5.2 and tcc or gcc. The exit code is 1 if a trail does not map.
"""
import argparse
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

LOST = ["no matching stmnt", "transition failed", "stop error", "invalid statement", "lost", "(?)", "trail file doesn't match"]


def call(command, where, seconds):
    try:
        return subprocess.run(command, cwd=where, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def to_spin(args, where, chosen):
    """Riata's counterexample, followed by Spin."""
    found = call([args.riata, "check", "m.pml", *chosen, "--trail", "r.trail", "-q", "--time", str(args.time)], where, args.time + 30)
    if found is None or found.returncode not in (0, 1, 2):
        return "open", "riata found nothing in time"
    if not (where / "r.trail").exists():
        return ("open", "nothing found") if found.returncode == 0 else ("differs", found.stderr.strip()[:200])
    done = call(["spin", "-t", "-k", "r.trail", "-p", "m.pml"], where, args.time)
    if done is None:
        return "open", "spin did not end in time"
    out = done.stdout + done.stderr
    shown = call([args.riata, "replay", "r.trail", "m.pml"], where, args.time)
    for lost in LOST:
        # The last statement may be what fails: a channel that does not exist, say.
        if lost == "transition failed" and shown and " at m.pml" in shown.stdout and out.count(lost) == 1:
            continue
        if lost in out:
            line = next(l for l in out.splitlines() if lost in l)
            return "differs", f"spin: {line.strip()[:160]}"
    if "trail ends after" not in out and "assertion violated" not in out:
        return "differs", out.strip().splitlines()[-1][:160] if out.strip() else "no output"
    if shown is None or shown.returncode != 0:
        return "differs", "riata does not follow its own trail: " + (shown.stdout.strip()[:120] if shown else "time")
    if "assertion violated" in shown.stdout and "assertion violated" not in out:
        return "differs", "the assertion is not violated in spin"
    return "agrees", ""


def to_riata(args, where, kind, claim, merged):
    """Spin's counterexample, followed by Riata."""
    spin = ["spin", "-a", "m.pml"] if merged else ["spin", "-a", "-o1", "-o2", "-o3", "m.pml"]
    call(spin, where, args.time)
    flags = {"safety": ["-DSAFETY"], "accept": [], "nonprogress": ["-DNP"]}[kind]
    if kind == "safety":
        flags = flags + ["-DNOCLAIM"]
    compiler = "tcc" if shutil.which("tcc") else "gcc"
    built = call([compiler, "-w", "-DNOREDUCE", *flags, "-o", "pan", "pan.c"], where, 60)
    if built is None or built.returncode != 0:
        return "open", "the verifier does not compile"
    run = {"safety": [], "accept": ["-a"], "nonprogress": ["-l"]}[kind]
    if claim not in ("", "never", "accept-labels"):
        run = run + ["-N", claim]
    for old in where.glob("*.trail"):
        if old.name != "r.trail":
            old.unlink()
    done = call(["./pan", "-m100000", "-w22", *run], where, args.time)
    if done is None:
        return "open", "the verifier did not end in time"
    if not (where / "m.pml.trail").exists():
        return "open", "the verifier wrote no trail"
    shown = call([args.riata, "replay", "m.pml.trail", "m.pml"], where, args.time)
    if shown is None:
        return "open", "replay did not end in time"
    if shown.returncode != 0:
        return "differs", (shown.stdout + shown.stderr).strip()[:200]
    asserts = "pan:1: assertion violated" in done.stdout
    if asserts and kind == "safety" and " at " not in shown.stdout:
        return "differs", "the run does not end in the error"
    if "pan:1: invalid end state" in done.stdout and "no process can move" not in shown.stdout:
        return "differs", "the run does not end in a deadlock"
    return "agrees", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("riata")
    parser.add_argument("--time", type=int, default=20)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    args.riata = str(pathlib.Path(args.riata).resolve())
    jobs = []
    for row in csv.DictReader(open(args.corpus / "spin_results.csv")):
        kind = row["mode"].split("_")[0]
        job = (row["model"], kind, row["claim"])
        if row["verdict"] == "fail" and "noreduce" in row["mode"] and "fullspace" not in row["mode"] and job not in jobs:
            jobs.append(job)
    total = {"to spin": {}, "to riata, merged": {}, "to riata, unmerged": {}}
    for model, kind, claim in jobs:
        if args.only not in model:
            continue
        with tempfile.TemporaryDirectory() as where:
            where = pathlib.Path(where)
            shutil.copy(args.corpus / f"{model}.pml", where / "m.pml")
            chosen = {
                "safety": ["--property", "assertions", "--property", "deadlock"],
                "nonprogress": ["--property", "progress"],
                "accept": ["--property", {"accept-labels": "acceptance", "never": "claim"}.get(claim, claim)],
            }[kind]
            results = {
                "to spin": to_spin(args, where, chosen),
                "to riata, merged": to_riata(args, where, kind, claim, True),
                "to riata, unmerged": to_riata(args, where, kind, claim, False),
            }
        for way, (result, why) in results.items():
            total[way][result] = total[way].get(result, 0) + 1
            if result != "agrees":
                print(f"{model} {kind} {claim}: {way}: {result}: {why}", flush=True)
    for way, counts in total.items():
        print(f"{way}: " + ", ".join(f"{n} {result}" for result, n in sorted(counts.items())))
    sys.exit(any("differs" in counts for counts in total.values()))


if __name__ == "__main__":
    main()
