"""Spin beside one thread of Riata, on the machine where this runs: for `run.py --spin`.

Each model is compiled by `spin -a` and `gcc -O2 -DSAFETY -DNOREDUCE`: a depth-first search of all states, as wide as they are.
It and `riata explore --threads 1` take turns, each stopped after some seconds; what counts is states stored for a second of
processor time, each program's own, without the seconds that spin and gcc took. Medians.
"""
import json, os, pathlib, re, signal, statistics, subprocess, tempfile, threading

# 2^25 slots, a stack of five million steps: enough for what a few seconds store.
PAN = ["-c0", "-E", "-m5000000", "-w25"]
MEMORY = 6000  # MiB, for each of the two


def timed(command, seconds, folder=None):
    """What a command printed, and the seconds of processor time that it took; it is interrupted if it takes longer."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder)
        timer = threading.Timer(seconds, child.send_signal, [signal.SIGINT])
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime


def compiled(file, options, folder):
    """A verifier in a folder, or nothing, and why."""
    macros = ["-D" + m for m in options if m != "-D"]
    flags = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", f"-DMEMLIM={MEMORY}", "-o", "pan", "pan.c"]
    for command in (["spin"] + macros + ["-a", str(file)], ["gcc"] + flags):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr or done.stdout).strip()[-200:]
    return None


def spin(folder, seconds):
    said, cpu = timed(["./pan"] + PAN, seconds, folder)
    states = re.search(r"^\s*([0-9.e+]+) states, stored", said, re.M)
    if not states:
        return {"error": said[-200:]}
    whole = "Search not completed" not in said and "max search depth too small" not in said
    return {"states": int(float(states.group(1))), "cpu": cpu, "whole": whole}


def riata(program, file, options, seconds):
    command = [program, "explore", str(file), "--json", "--threads", "1", "--time", str(seconds), "--memory", f"{MEMORY}M"]
    said, cpu = timed(command + options, seconds + 30)
    try:
        answer = json.loads(said)["results"][0]
        return {"states": answer["counters"]["states"], "cpu": cpu, "whole": answer["verdict"] == "complete"}
    except (ValueError, KeyError, IndexError):
        return {"error": said[-200:]}


def compare(program, file, options, seconds, runs):
    """A row: what each said, run by run."""
    row = {"file": file.name, "options": options, "spin": [], "riata": []}
    with tempfile.TemporaryDirectory() as folder:
        wrong = compiled(file, options, folder)
        if wrong:
            return dict(row, error=wrong)
        for _ in range(runs):
            row["riata"].append(riata(program, file, options, seconds))
            row["spin"].append(spin(pathlib.Path(folder), seconds))
    return row


def rate(runs):
    rates = [r["states"] / r["cpu"] for r in runs if r.get("cpu")]
    return statistics.median(rates) if rates else None


def table(rows):
    lines = ["| model | Spin M states/s | Riata M states/s | Riata : Spin |", "|---|--:|--:|--:|"]
    ratios = []
    for row in rows:
        name = " ".join([row["file"]] + [o for o in row["options"] if o != "-D"])
        spins, riatas = rate(row["spin"]), rate(row["riata"])
        if not spins or not riatas:
            lines.append(f"| {name} | {'-' if not spins else format(spins / 1e6, '.2f')} | - | - |")
            continue
        ratios.append(riatas / spins)
        both = [r[-1] for r in (row["spin"], row["riata"]) if r[-1].get("whole")]
        differs = len(both) == 2 and both[0]["states"] != both[1]["states"]
        lines.append(f"| {name} | {spins / 1e6:.2f} | {riatas / 1e6:.2f} | {ratios[-1]:.2f}{' other states' if differs else ''} |")
    if ratios:
        lines += ["", f"Geometric mean of {len(ratios)} ratios: {statistics.geometric_mean(ratios):.2f}."]
    return "\n".join(lines) + "\n"
