#!/usr/bin/env python3
"""Runs a part of the BEEM corpus through Riata and compares with the recorded results.

    bench/beem/run.py CORPUS --out DIR [--riata PATH] [--task explore|property|ltl] [--max-states N]
                      [--models A,B] [--algorithms A,B|all] [--stores exact,tree] [--time SECONDS] [--memory SIZE]
                      [--deadlocks stutter|ignore] [--por off|auto|on]

explore compares the numbers of states and transitions; property the verdicts of the models that are composed with a
property process; ltl those of the formulas on the plain models, reachability included.

CORPUS is the folder with instances.csv and properties.csv. Every run is one row of DIR/TASK.csv; rows that are
there are not run again, so a run that was stopped can be continued. DIR/TASK.md is written anew at the end.
"""

import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

COLUMNS = ["model", "instance", "property", "algorithm", "store", "verdict", "expected", "agrees", "states",
           "transitions", "levels", "deadlocks", "strength", "lasso", "memory_bytes", "resident_bytes", "cpu_seconds"]
KEY = COLUMNS[:5]


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus")
    p.add_argument("--out", required=True)
    p.add_argument("--riata", default="riata")
    p.add_argument("--task", choices=["explore", "property", "ltl"], default="explore")
    p.add_argument("--max-states", type=int, default=200_000)
    p.add_argument("--min-states", type=int, default=0)
    p.add_argument("--models", default="")
    p.add_argument("--algorithms", default="all")
    p.add_argument("--stores", default="exact")
    p.add_argument("--time", type=float, default=600)
    p.add_argument("--memory", default="4GiB")
    p.add_argument("--unknown", action="store_true", help="properties without a recorded answer, too")
    p.add_argument("--deadlocks", choices=["stutter", "ignore"], default="stutter")
    p.add_argument("--por", choices=["auto", "on", "off"], default="off", help="partial-order reduction of checks")
    return p.parse_args()


def table(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def riata(args, *command):
    limits = ["--time", str(args.time), "--memory", args.memory]
    run = subprocess.run([args.riata, *command, "--json", *limits], capture_output=True, text=True)
    if run.returncode not in (0, 1, 3):
        raise Failed(f"riata {' '.join(command)} ended with {run.returncode}:\n{run.stderr}")
    return json.loads(run.stdout)


class Failed(Exception):
    """Riata refused the input, or broke."""


def row(job, document, entry, expected, agrees):
    counters = entry["counters"]
    lasso = entry.get("lasso")
    return {
        "model": job["model"], "instance": job["instance"], "property": job["property"],
        "algorithm": entry["algorithm"], "store": entry["store"], "verdict": entry["verdict"],
        "expected": expected, "agrees": agrees, "states": counters["states"],
        "transitions": counters["transitions"], "levels": counters.get("levels", ""),
        "deadlocks": counters.get("deadlocks", ""), "strength": entry.get("strength", ""),
        "lasso": len(lasso["stem"]) + len(lasso["cycle"]) if lasso else "",
        "memory_bytes": entry["memory_bytes"], "resident_bytes": document.get("resident_bytes", ""),
        "cpu_seconds": f"{entry['cpu_seconds']:.6f}",
    }


def explore(args, job, store):
    document = riata(args, "explore", job["file"], "--store", store)
    entry = document["results"][0]
    recorded = job["row"]
    expected = f"{recorded['states']}/{recorded['transitions']}"
    if entry["verdict"] != "complete" or recorded["complete_exploration"] != "yes":
        agrees = "unknown"
    else:
        states = entry["counters"]["states"]
        # DiVinE counts the state after a run-time error as one of the model's.
        same = int(recorded["states"]) in (states, states + 1 if entry["counters"]["violations"] else states)
        if recorded["transitions"]:
            same = same and entry["counters"]["transitions"] == int(recorded["transitions"])
        agrees = "yes" if same else "NO"
    return [row(job, document, entry, expected, agrees)]


def check(args, job, store, algorithm):
    what = ["--ltl", job["formula"]] if "formula" in job else ["--property", "property"]
    document = riata(args, "check", job["file"], *what, "--deadlocks", args.deadlocks, "--por", args.por, "--store", store,
                     "--algorithm", algorithm)
    answers = {"yes": "holds", "no": "violated"}
    if job["type"] == "reachability":
        answers = {"yes": "violated", "no": "holds"}
    expected = answers.get(job["answer"], "")
    rows = []
    for entry in document["results"]:
        if entry["verdict"] == "inconclusive" or not expected:
            agrees = "unknown"
        else:
            agrees = "yes" if entry["verdict"] == expected else "NO"
        rows.append(row(job, document, entry, expected, agrees))
    return rows


def jobs(args):
    chosen = set(filter(None, args.models.split(",")))
    instances = {}
    for r in table(os.path.join(args.corpus, "instances.csv")):
        small = r["states"] and args.min_states < int(r["states"]) <= args.max_states
        if small and r["has_dve"] == "1" and (not chosen or r["model"] in chosen):
            instances[r["model"], r["instance"]] = r
    place = lambda m, rest: os.path.join(args.corpus, m, f"{m}.{rest}.dve")
    if args.task == "explore":
        for (m, i), r in sorted(instances.items(), key=lambda x: int(x[1]["states"])):
            if r["complete_exploration"] == "yes":
                yield {"model": m, "instance": i, "property": "", "file": place(m, i), "row": r}
        return
    for p in table(os.path.join(args.corpus, "properties.csv")):
        m, i = p["model"], p["instance"]
        if (m, i) not in instances:
            continue
        if p["beem_answer"] not in ("yes", "no") and not args.unknown:
            continue
        job = {"model": m, "instance": i, "property": p["prop"], "answer": p["beem_answer"], "type": p["prop_type"]}
        if args.task == "ltl":
            known = propositions(args.corpus, m, instances[m, i]["params"])
            formula = re.sub(r"[a-z_][a-z0-9_]*", lambda w: "{" + known.get(w[0], w[0]) + "}", p["formula"])
            if p["prop_type"] == "reachability":
                formula = f"G !({formula})"
            yield {**job, "file": place(m, i), "formula": formula}
        elif p["has_prop_dve"] == "1":
            yield {**job, "file": place(m, f"{i}.prop{p['prop']}")}


def propositions(corpus, model, params):
    """The propositions of a model, from its description, with the parameters of an instance."""
    values = dict(re.findall(r"(\w+)\s*=\s*(-?\w+)", params))

    def loop(call):
        variable, low, high, body, between = call.groups()
        number = lambda t: int(values.get(t.strip(), t)) if "decr" not in t else int(values[t.strip()[5:-1]]) - 1
        body = body.replace("`'", "")
        one = lambda k: re.sub(rf"(?<![A-Za-z]){variable}(?![A-Za-z])", str(k), body.replace(f"_{variable}", f"_{k}"))
        return between.join(one(k) for k in range(number(low), number(high) + 1))

    known = {}
    for ap in xml.etree.ElementTree.parse(os.path.join(corpus, model, f"{model}.xml")).iter("ap"):
        text = ap.findtext("ap-expression").strip()
        try:
            text = re.sub(r"myloop\((\w+),([^,]*),([^,]*), ?`(.*?)', ?`([^']*)'\)", loop, text)
        except KeyError:
            pass
        known[ap.findtext("ap-name").strip()] = re.sub(r"\b[A-Z_]+\b", lambda w: values.get(w[0], w[0]), text)
    return known


def summary(args, rows):
    lines = [f"# BEEM, {args.task}", ""]
    wrong = [r for r in rows if r["agrees"] == "NO"]
    known = [r for r in rows if r["agrees"] in ("yes", "NO")]
    lines.append(f"{len(rows)} runs, {len(known)} with a recorded result, {len(wrong)} that differ from it.")
    for r in wrong:
        lines.append(f"- {r['model']}.{r['instance']} {r['property']} {r['algorithm']} {r['store']}: "
                     f"{r['verdict']}, {r['states']} states, recorded {r['expected']}")
    lines += ["", "| algorithm | store | runs | CPU s | states | transitions | states/s (geometric mean) | of hpy96: time | transitions |",
              "|---|---|---|---|---|---|---|---|---|"]
    groups = {}
    for r in rows:
        groups.setdefault((r["algorithm"], r["store"]), []).append(r)
    total = lambda g, c: sum(float(r[c]) for r in g)
    for (a, s), g in sorted(groups.items()):
        rates = [int(r["states"]) / float(r["cpu_seconds"]) for r in g if float(r["cpu_seconds"]) >= 0.01]
        mean = math.exp(sum(map(math.log, rates)) / len(rates)) if rates else 0
        base = groups.get(("hpy96", s))
        same = {tuple(r[k] for k in KEY[:3]) for r in g}
        relative = ["", ""]
        if base:
            b = [r for r in base if tuple(r[k] for k in KEY[:3]) in same]
            relative = [f"{100 * total(g, c) / max(total(b, c), 1e-9):.0f} %" for c in ("cpu_seconds", "transitions")]
        lines.append(f"| {a} | {s} | {len(g)} | {total(g, 'cpu_seconds'):.1f} | {total(g, 'states'):.0f} | "
                     f"{total(g, 'transitions'):.0f} | {mean:.0f} | {relative[0]} | {relative[1]} |")
    return "\n".join(lines) + "\n"


def main():
    args = arguments()
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, f"{args.task}.csv")
    rows = table(path) if os.path.exists(path) else []
    done = {tuple(r[k] for k in ["model", "instance", "property", "store"]) for r in rows}
    if not rows:
        with open(path, "w", newline="") as f:
            csv.DictWriter(f, COLUMNS).writeheader()
    for job in jobs(args):
        for store in args.stores.split(","):
            if (job["model"], job["instance"], job["property"], store) in done:
                continue
            try:
                if args.task == "explore":
                    new = explore(args, job, store)
                else:
                    new = [r for a in args.algorithms.split(",") for r in check(args, job, store, a)]
            except Failed as failure:
                print(f"skipped {job['model']}.{job['instance']} {job['property']}: {failure}", file=sys.stderr)
                continue
            with open(path, "a", newline="") as f:
                csv.DictWriter(f, COLUMNS).writerows(new)
            rows += new
            for r in new:
                if r["agrees"] == "NO":
                    print(f"differs: {r['model']}.{r['instance']} {r['property']} {r['algorithm']}: {r['verdict']}, "
                          f"{r['states']} states, recorded {r['expected']}", file=sys.stderr)
    text = summary(args, rows)
    with open(os.path.join(args.out, f"{args.task}.md"), "w") as f:
        f.write(text)
    print(text)
    return 1 if any(r["agrees"] == "NO" for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
