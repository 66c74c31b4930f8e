"""Runs NuSMV and riata on a model, and gives what each says in the same form.

An answer is a dictionary. `{"stopped": True}`: there was not enough time. `{"refused": message}`: the model was not
accepted (with `"crash": True` where that is a bug of riata). Otherwise `values` has the truth value or number of each
specification by its name, `states` the number of reachable states, and `unfair` says whether NuSMV warned that no state
is fair.
"""

import json
import os
import re
import subprocess
import tempfile
import time

CTL = re.compile(r"^(\s*)(?:SPEC|CTLSPEC) NAME (\w+) := (.*);$", re.MULTILINE)
COMMANDS = "read_model -i {}\nflatten_hierarchy\nencode_variables\nbuild_model\nprint_reachable_states\ncheck_property\nshow_property\nquit\n"
# What NuSMV prints besides its errors.
CHATTER = ("***", "WARNING", "system dia", "####", "reachable", "-- ", "Fair states", "This might", "The initial", "Warning:", "The states set")
# Seconds that riata may need beyond its time limit: to notice it, and to print.
GRACE = 2.0


def run(command, seconds):
    """Exit code (None if it was stopped), standard output, standard error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


class Tools:
    def __init__(self, nusmv, riata, seconds):
        self.nusmv_binary, self.riata_binary, self.seconds = nusmv, riata, seconds
        self.folder = tempfile.mkdtemp(prefix="smv-")

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(content)
        return path

    def nusmv(self, model, tag):
        path = self.file(f"n{tag}.smv", model)
        script = self.file(f"n{tag}.cmd", COMMANDS.format(path))
        code, out, err = run([self.nusmv_binary, "-dcx", "-source", script], self.seconds)
        if code is None:
            return {"stopped": True}
        values = {}
        for found in re.finditer(r"\[(CTL|LTL|PSL|Invar|Quantitative)\s+(\w+)\s+\S+\s+(\S+)\]", out):
            values[found[3]] = found[2].lower().replace("infinite", "infinity")
        # Without a fair path NuSMV counts none of the states outside the goal: a longest path of 0 steps.
        unfair = "fair states are empty" in err + out
        states = re.search(r"^reachable states: (\S+)", out, re.MULTILINE)
        aborted = re.search("Aborting batch mode|^aborting 'source", err + out, re.MULTILINE)
        if aborted or code != 0 or not states or "unchecked" in values.values():
            lines = [l for l in (err + "\n" + out).splitlines() if l.strip() and not l.startswith(CHATTER)]
            lines = [l for l in lines if not re.search("terminated by a signal|Aborting|leave NuSMV|^aborting|^NuSMV >", l)]
            return {"refused": " / ".join(lines)[:300] or f"exit code {code}", "values": values}
        return {"values": values, "states": float(states[1]), "unfair": unfair}

    def riata(self, model, tag, fairness=True):
        """With `fairness` riata is also asked whether each CTL formula holds where a fair path begins."""
        if fairness:
            also = lambda m: f"{m[0]}\n{m[1]}CTLSPEC NAME {m[2]}_fair := (EG TRUE) -> ({m[3]});"
            model = CTL.sub(also, model)
            model = re.sub(r"^(\s*MODULE\s+main\b(?:\s*\(\s*\))?)", r"\1 CTLSPEC NAME no_fair_path := ! EG TRUE; ", model, flags=re.MULTILINE)
        path = self.file(f"r{tag}.smv", model)
        limit = max(1, int(self.seconds - GRACE))
        start = time.time()
        code, out, err = run([self.riata_binary, "check", path, "--json", "--time", str(limit)], self.seconds + GRACE)
        if code is None or time.time() - start > limit + GRACE:
            return {"refused": f"CRASH --time {limit} was not obeyed", "crash": True}
        if code == 3:
            return {"stopped": True}
        if code not in (0, 1, 2):
            return {"refused": f"CRASH exit {code}: {err[-400:]}", "crash": True}
        try:
            document = json.loads(out)
        except json.JSONDecodeError:
            return {"refused": f"CRASH no JSON: {err[-300:]}", "crash": True}
        if code == 2:
            return {"refused": "; ".join(e["message"] for e in document.get("errors", [])) or err[:300]}
        values, states = {}, None
        for r in document["results"]:
            value = {"holds": "true", "violated": "false"}.get(r["verdict"], r["verdict"])
            values[r["property"]] = str(r["value"]) if "value" in r else value
            states = r.get("reachable_states", states)
        if "inconclusive" in values.values():
            return {"stopped": True}
        return {"values": values, "states": states}
