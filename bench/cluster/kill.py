#!/usr/bin/env python3
"""A process that is killed, again and again; the search goes on, and the answer is the same.

    bench/cluster/kill.py MODEL --riata BINARY [--processes N] [--kills 20] [--seed 0] [--within SECONDS] [--command COMMAND]

COMMAND is `explore` unless it is given, with its arguments, such as `check -p live`. First the search runs undisturbed. Then it runs with a
checkpoint, and after a random time one of its processes, any of them, is killed; it is resumed, and so on until so many were killed. A last
call goes on to the end. With every resume it is told from which level. Exit code 1 if the answer is another one.
"""

import argparse
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time


def told(text):
    document = json.loads(text)
    keys = ("states", "levels", "deadlocks", "violations")
    said = []
    for entry in document["results"]:
        steps = len(entry["trace"]) if entry.get("trace") else None
        said.append([entry.get("property"), entry["verdict"], steps] + [entry["counters"].get(k) for k in keys])
    return said


def children(pid):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    if int(stat.read().rsplit(")", 1)[1].split()[1]) == pid:
                        found.append(int(name))
            except (OSError, IndexError):
                pass
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model")
    p.add_argument("--command", default="explore")
    p.add_argument("--riata", default="riata")
    p.add_argument("--processes", type=int, default=2)
    p.add_argument("--kills", type=int, default=20)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--within", type=float, default=0)
    args = p.parse_args()
    dice = random.Random(args.seed)
    base = [args.riata, *shlex.split(args.command), args.model, "--json", "--processes", str(args.processes)]
    start = time.time()
    whole = told(subprocess.run(base, capture_output=True, text=True).stdout)
    seconds = time.time() - start
    within = args.within or seconds
    print(f"undisturbed: {seconds:.1f} s, {whole}", flush=True)
    killed = finished = inconclusive = 0
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, "kept")
        while killed < args.kills:
            how = "--resume" if os.path.isdir(os.path.join(kept, "search-0")) else "--checkpoint"
            call = subprocess.Popen(base + [how, kept, "--commit-every", "0"], stdout=subprocess.PIPE, text=True)
            time.sleep(dice.uniform(0.05, within))
            if call.poll() is not None:
                finished += 1
                out = call.communicate()[0]
                if told(out) != whole:
                    print(f"DIFFERENT: {told(out)}")
                    sys.exit(1)
                # It was ready before it could be killed: from the beginning.
                subprocess.run(["rm", "-rf", kept], check=True)
                within = max(0.1, within * 0.8)
                continue
            victims = [call.pid] + children(call.pid)
            victim = dice.choice(victims)
            os.kill(victim, signal.SIGKILL)
            killed += 1
            out = call.communicate()[0]
            which = "the first" if victim == call.pid else "another"
            if victim != call.pid and out:
                said = told(out)
                inconclusive += any(entry[1] == "inconclusive" for entry in said)
                # What was decided before the loss stands.
                if any(entry[1] != "inconclusive" and entry not in whole for entry in said):
                    print(f"DIFFERENT after a loss: {told(out)}")
                    sys.exit(1)
            print(f"killed {killed}: {which} of {len(victims)}, exit {call.returncode}", flush=True)
            time.sleep(0.3)
        last = subprocess.run(base + ["--resume", kept], capture_output=True, text=True)
        if not last.stdout or told(last.stdout) != whole:
            print(f"DIFFERENT: {last.stdout or last.stderr}")
            sys.exit(1)
    print(f"{killed} kills, {inconclusive} times inconclusive, {finished} runs that were ready before; the answer is the same")


if __name__ == "__main__":
    main()
