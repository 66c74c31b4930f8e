#!/usr/bin/env python3
"""Reachable states, diameter, fair states and deadlocks: riata explore against NuSMV.

usage: explore.py RIATA NUSMV SECONDS FILE.smv...

NuSMV runs with -dynamic, and is asked for print_reachable_states, print_fair_states and check_fsm. Its diameter is the
number of levels of a breadth-first search, the initial states being the first; so is riata's `levels`. Where a model
has no fairness, NuSMV's fair states are those with an infinite path, and riata prints none. One line a file; the exit
code is 1 if the two differ anywhere.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

COMMANDS = "go\nprint_reachable_states\nprint_fair_states\ncheck_fsm\nquit\n"


def run(command, seconds):
    """Output, exit code and seconds; no output if there was no time."""
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        return done.stdout + done.stderr, done.returncode, time.time() - start
    except subprocess.TimeoutExpired:
        return None, None, time.time() - start


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found[1]) if found else None


def nusmv(binary, script, file, seconds):
    text, _, took = run([binary, "-dynamic", "-source", script, file], seconds)
    if text is None or "reachable states" not in text:
        return None, took
    return {
        "states": number(r"reachable states: (\S+)", text),
        "levels": number(r"system diameter: (\S+)", text),
        "fair": number(r"fair states: (\S+)", text),
        "stuck": "not deadlock-free" in text,
    }, took


def riata(binary, file, seconds):
    text, code, took = run([binary, "explore", file, "--json", "--time", str(seconds)], seconds + 5)
    if code != 0:
        return None, took
    entry = json.loads(text.splitlines()[0])["results"][0]
    return {
        "states": entry["reachable_states"],
        "levels": entry["counters"]["levels"],
        "fair": entry.get("fair_states"),
        "stuck": entry["counters"]["deadlocks"] > 0,
    }, took


def same(ours, theirs):
    def close(a, b):
        # NuSMV prints six digits.
        return a is None or b is None or abs(a - b) <= 1e-5 * max(abs(a), abs(b))

    numbers = all(close(ours[k], theirs[k]) for k in ("states", "levels", "fair"))
    return numbers and ours["stuck"] == theirs["stuck"]


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    ours_binary, theirs_binary, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    agreed, differ, open_ = 0, 0, 0
    with tempfile.NamedTemporaryFile("w", suffix=".cmd") as script:
        script.write(COMMANDS)
        script.flush()
        for file in sys.argv[4:]:
            theirs, their_time = nusmv(theirs_binary, script.name, file, seconds)
            ours, our_time = riata(ours_binary, file, seconds)
            if ours is None or theirs is None:
                word, open_ = "open", open_ + 1
            elif same(ours, theirs):
                word, agreed = "same", agreed + 1
            else:
                word, differ = "DIFFERENT", differ + 1
            print(f"{word} {os.path.basename(file)} riata {our_time:.1f} s {ours} NuSMV {their_time:.1f} s {theirs}", flush=True)
    print(f"{agreed} the same, {differ} different, {open_} open")
    sys.exit(1 if differ else 0)


main()
