#!/usr/bin/env python3
"""Compares the verdicts of `check --engine gpu` on BEEM's properties with those recorded and with the explicit engine.

    bench/gpu/ltl.py RIATA CORPUS_BEEM OUT.jsonl [--cases 60] [--jobs 4] [--seconds 20] [--limit 400]

Of the properties with a recorded answer, as many that hold as that are violated, those of small instances first. Rows are
appended to OUT.jsonl, and a table is printed.
"""
import argparse, collections, concurrent.futures, csv, json, pathlib, subprocess, time


def call(riata, file, options, seconds):
    command = [riata, "check", str(file), "--json", "--time", str(seconds)] + options
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 40)
        answers = [a for a in json.loads(done.stdout)["results"] if a.get("algorithm") not in (None, "bfs")]
        answer = answers[-1]
    except (subprocess.TimeoutExpired, ValueError, KeyError, IndexError) as e:
        error = getattr(done, "stderr", "") if "done" in locals() else ""
        return {"error": (error or repr(e)).strip()[-300:]}
    row = {"verdict": answer["verdict"], "states": answer["counters"]["states"], "wall": time.time() - start}
    return row | ({"gpu": answer["gpu"]} if answer.get("gpu") else {})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("riata")
    parser.add_argument("beem")
    parser.add_argument("out")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--engine", default="gpu")
    args = parser.parse_args()
    beem = pathlib.Path(args.beem)
    states = {(r["model"], r["instance"]): int(r["states"] or 10**12)
              for r in csv.DictReader(open(beem / "instances.csv"))}
    answers = collections.defaultdict(list)
    for r in csv.DictReader(open(beem / "properties.csv")):
        file = beem / r["model"] / f"{r['model']}.{r['instance']}.prop{r['prop']}.dve"
        if r["prop_type"] == "LTL" and file.exists():
            answers[r["beem_answer"]].append((states.get((r["model"], r["instance"]), 10**12), str(file)))
    half = args.cases // 2
    cases = [(f, want) for want in ("yes", "no") for _, f in sorted(answers[want])[:half]]
    out, start = pathlib.Path(args.out), time.time()

    def one(case):
        file, want = case
        if time.time() - start > args.limit:
            return None
        row = {"file": pathlib.Path(file).name, "recorded": {"yes": "holds", "no": "violated"}[want],
               "gpu": call(args.riata, file, ["--engine", args.engine], args.seconds),
               "explicit": call(args.riata, file, ["--threads", "1"], args.seconds)}
        with out.open("a") as f:
            f.write(json.dumps(row) + "\n")
        return row

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = [r for r in pool.map(one, cases) if r]
    verdict = lambda r: r.get("verdict", "no answer")
    print("| model | recorded | explicit | gpu | states of the product | kernel s | search s | ready s |")
    print("|---|---|---|---|--:|--:|--:|--:|")
    for r in rows:
        told = r["gpu"].get("gpu", {})
        figures = [f"{told[k]:.3f}" if k in told else "-" for k in ("kernel_seconds", "search_seconds", "ready_seconds")]
        why = verdict(r["gpu"]) if "verdict" in r["gpu"] else r["gpu"]["error"].splitlines()[-1]
        print(f"| {r['file']} | {r['recorded']} | {verdict(r['explicit'])} | {why} | {r['gpu'].get('states', '-')} | "
              + " | ".join(figures) + " |")
    pairs = collections.Counter((verdict(r["gpu"]), verdict(r["explicit"]), r["recorded"]) for r in rows)
    print("\n(gpu, explicit, recorded):", dict(pairs))


if __name__ == "__main__":
    main()
