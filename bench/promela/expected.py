#!/usr/bin/env python3
"""Small programs with Spin's recorded answers: Riata's answers against them.

usage: expected.py PROBES RIATA [PROBE…]

PROBES holds programs (`NAME.pml`) and `expected.csv` with the columns `probe`, `fairness` (`none` or `fair`), `what`
(`states`, `assertions`, `deadlock`, `acceptance`, `progress`, `claim` or the name of a formula) and `spin`, the answer
of Spin 6.5.2. An empty answer is none. `states` is compared with `explore --no-optimise`; the verdicts with `check`,
twice, with optimisations and without, which must agree.

Where Riata differs on purpose a rule says so, below; `docs/promela.md` has the reasons at length. A rule looks at the
program and at what Riata says, never at the name of a program. The exit code is 1 if anything else differs. Needs no Spin.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS = 60
GENERAL = {"states", "assertions", "deadlock", "acceptance", "progress"}
CLAIM = r"\b(?:ltl|never)\b[^{]*\{(?:[^{}]|\{[^{}]*\})*\}"
COUNTED = (r"\b_nr_pr\b", "(_nr_pr + 1)")


class Answers:
    """What Riata says of one program."""

    def __init__(self, riata, text):
        self.riata = riata
        self.text = text
        self.verdicts = {}
        self.wrong = []
        self.reason = ""
        self.said = ""
        self.refused = False

    def add(self, key, verdict):
        before = self.verdicts.setdefault(key, verdict)
        if before != verdict:
            self.wrong.append(f"{' '.join(key)}: {before} with optimisations, {verdict} without")

    def error(self):
        """The run-time error that Riata finds, if that is not a failed assertion."""
        return self.reason if "assertion violated" not in self.reason else ""

    def in_claims(self, pattern):
        """Is the pattern in a formula or a claim?"""
        return any(re.search(pattern, part) for part in re.findall(CLAIM, self.text, re.S))

    def rewritten(self, change, what):
        """The verdict when something is changed in the claims."""
        pattern, by = change
        text = re.sub(CLAIM, lambda part: re.sub(pattern, by, part.group()), self.text, flags=re.S)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.pml"
            path.write_text(text)
            _, results, _ = run(self.riata, "check", str(path), "--no-optimise")
        return next((r["verdict"] for r in results if r["property"] == what), None)


# Rules: name, when it applies (program and answers, question, Spin's answer), and why.
RULES = [
    (
        "an error ends the run",
        lambda a, what, spin: what in ("states", "deadlock") and a.error(),
        "what comes after an index out of range or a division by zero is not defined; Spin goes on with what it reads",
    ),
    (
        "shift counts",
        lambda a, what, spin: what in ("states", "assertions") and "shift by" in a.error(),
        "a shift by less than 0 or more than 31 is undefined in C, in which Spin computes",
    ),
    (
        "temporal operand",
        lambda a, what, spin: what not in GENERAL and "what the temporal operator is about" in a.said,
        "Spin compares the number of a token; Riata reads `[] x < 2` as `[] (x < 2)`, and warns",
    ),
    (
        "one bit is one bit",
        lambda a, what, spin: what in ("states", "assertions") and re.search(r"\bof\s*\{\s*(bit|bool)\b", a.text),
        "a field of type bit holds 0 or 1; in Spin's channels it has 8 bits",
    ),
    (
        "the claim is no process",
        lambda a, what, spin: what not in GENERAL and a.in_claims(r"\b_nr_pr\b") and a.rewritten(COUNTED, what) == spin,
        "Spin's verifier counts the claim itself while one is checked; with `_nr_pr + 1` Riata gives its answer",
    ),
    (
        "a label of another type",
        lambda a, what, spin: what not in GENERAL and a.in_claims(r"\w+\s*\[\s*\d+\s*\]\s*@"),
        "`P[n]@L` is false if process n is no P; Spin compares the location without looking at the type",
    ),
    (
        "_last is for claims",
        lambda a, what, spin: re.search(r"\b_last\b", a.text)
        and (not a.in_claims(r"\b_last\b") if what in GENERAL else re.search(r"\batomic\b", a.text)),
        "the manual defines _last for claims; in processes, and inside atomic, Spin's verifier sets it late or not at all",
    ),
    (
        "timeout in claims",
        lambda a, what, spin: what not in GENERAL and a.in_claims(r"\btimeout\b"),
        "the manual: true where no statement is executable in any active process; in Spin's claims it is false all the same",
    ),
    (
        "provided and fairness",
        lambda a, what, spin: what not in GENERAL and spin == "holds" and re.search(r"\bprovided\b", a.text),
        "a process whose clause is false cannot move, so that weak fairness does not ask it to",
    ),
    (
        "accept labels beside a claim",
        lambda a, what, spin: what == "claim" and re.search(r"\baccept\w*\s*:(?=.*\bnever\b)", a.text, re.S),
        "a claim is violated by its own accept labels; those of processes are the property `acceptance`",
    ),
    (
        "Spin's state vector",
        lambda a, what, spin: what in GENERAL and spin == "violated" and any(int(n) > 200 for n in re.findall(r"\[\s*(\d+)\s*\]", a.text)),
        "Spin stops with an error if a state has more than 1,024 bytes (VECTORSZ)",
    ),
    (
        "C code",
        lambda a, what, spin: a.refused and re.search(r"`c_(code|expr|decl|state|track)`", a.said),
        "C code is not executed",
    ),
    (
        "two inits",
        lambda a, what, spin: a.refused and "`init` is declared twice" in a.said,
        "a model has at most one init; Spin starts both",
    ),
]


def run(riata, *arguments):
    try:
        done = subprocess.run([riata, *arguments, "--json"], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, [], "no answer in time"
    try:
        return done.returncode, json.loads(done.stdout)["results"] if done.stdout else [], done.stderr
    except (ValueError, KeyError):
        return done.returncode, [], done.stderr + done.stdout


def ask(riata, path, fair):
    answers = Answers(riata, path.read_text(errors="replace"))
    code, results, answers.said = run(riata, "explore", str(path), "--no-optimise")
    if code == 2:
        answers.refused = True
        return answers
    if results and results[0]["verdict"] == "complete":
        answers.verdicts["none", "states"] = str(results[0]["counters"]["states"])
    for fairness in ["none", "fair"] if fair else ["none"]:
        more = ["--fairness", "weak"] if fairness == "fair" else []
        for written in ([], ["--no-optimise"]):
            code, results, said = run(riata, "check", str(path), *more, *written)
            if code not in (0, 1):
                answers.wrong.append(f"check ends with {code}: {said.strip()[-200:]}")
            for result in results:
                answers.add((fairness, result["property"]), result["verdict"])
                if result["property"] == "assertions" and result["verdict"] == "violated":
                    answers.reason = result.get("reason") or ""
    return answers


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[2])
    probes, riata, only = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    expected = collections.OrderedDict()
    with open(probes / "expected.csv", newline="") as file:
        for row in csv.DictReader(file):
            if not only or row["probe"] in only:
                expected.setdefault(row["probe"], []).append(row)
    agree, used, bad = 0, collections.Counter(), 0
    for probe, rows in expected.items():
        answers = ask(riata, probes / f"{probe}.pml", any(r["fairness"] == "fair" for r in rows))
        wrong, rules = list(answers.wrong), set()
        for row in rows:
            what, spin = row["what"], row["spin"]
            ours = "refused" if answers.refused else answers.verdicts.get((row["fairness"], what))
            if spin == "" or ours == spin:
                continue
            rule = next((name for name, applies, _ in RULES if applies(answers, what, spin)), None)
            if rule:
                rules.add(rule)
            else:
                wrong.append(f"{row['fairness']} {what}: Spin {spin}, Riata {ours}")
        used.update(rules)
        if wrong:
            bad += 1
            told = f" ({answers.said.strip().splitlines()[0]})" if answers.refused and answers.said.strip() else ""
            print(f"{probe}: {'; '.join(wrong)}{told}", flush=True)
        elif not rules:
            agree += 1
    for name, _, why in RULES:
        if used[name]:
            print(f"{used[name]:4} differ by rule: {name}: {why}")
    print(f"{len(expected)} programs: {agree} agree, {len(expected) - agree - bad} differ by a rule only, {bad} differ")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
