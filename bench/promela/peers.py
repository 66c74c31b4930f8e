"""Asking Spin and Riata about a program.

An answer is a dictionary from questions to answers. A question is `states`, or a pair of a property (`assertions`,
`deadlock`, `acceptance`, `progress`, the name of a claim) and a fairness (`none`, `weak`, `strong`).
"""
import json
import os
import re
import subprocess


class Refused(Exception):
    """Nothing to compare: the reason."""


class Broken(Exception):
    """Riata did not answer: what it said."""


def run(command, folder, seconds):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace",
                              close_fds=False)
    except subprocess.TimeoutExpired:
        raise Refused(f"{os.path.basename(command[0])} takes too long") from None
    return done.returncode, done.stdout, done.stderr


def write(folder, text):
    with open(os.path.join(folder, "m.pml"), "w") as f:
        f.write(text)


# -- Spin -------------------------------------------------------------------------------------------------------------

def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


# What pan says if a claim or a cycle is violated; anything else is an error of the run.
VIOLATIONS = ("event_trace", "acceptance cycle", "accept stutter", "non-progress cycle", "claim", "assertion violated", "invalid end state")


class Verdict(str):
    """`holds`, `violated` or `error: …`, what pan said, its verdict without fairness, and that with hash compaction."""
    said = ""
    unfair = ""
    hashed = ""


class Spin:
    """Verifiers without reductions: `spin -a -o1 -o2 -o3`, `-DNOREDUCE`."""

    def __init__(self, limits, folder):
        self.limits = limits
        self.folder = folder
        self.more = []
        self.beyond = False

    def make(self, text):
        write(self.folder, text)
        # What masks the unused bytes of a state hides priorities, too, if they fall on such a byte. It cannot be left
        # out in searches for cycles.
        self.more = ["-DNOCOMP"] if "priority" in text else []
        for old in ("pan.c", "pan"):
            if os.path.exists(os.path.join(self.folder, old)):
                os.remove(os.path.join(self.folder, old))
        code, out, err = run([self.limits.spin, "-a", "-o1", "-o2", "-o3", "m.pml"], self.folder, self.limits.seconds)
        out += err
        if code != 0 or not os.path.exists(os.path.join(self.folder, "pan.c")) or "Error:" in out:
            reason = re.search(r"Error: (.*)", out) or re.search(r"(syntax error.*)", out)
            raise Refused("spin: " + (re.sub(r"'.*?'", "…", reason.group(1))[:60] if reason else f"code {code}"))

    def compile(self, *flags):
        more = self.more if "-DSAFETY" in flags else []
        code, _, _ = run([*self.limits.cc.split(), "-w", "-DNOREDUCE", "-DNFAIR=3", *more, *flags, "-o", "pan", "pan.c"],
                         self.folder, 60)
        if code != 0:
            raise Refused("pan.c does not compile")

    def search(self, *flags):
        """(states, what is wrong or nothing). Nothing at all if the search was cut short."""
        code, out, err = run(["./pan", f"-m{self.limits.depth}", "-w18", *flags], self.folder, self.limits.seconds)
        out += err
        stored, errors = number(r"(\d+) states, stored", out), number(r"errors: (\d+)", out)
        if stored is None or errors is None:
            raise Refused(f"pan crashed ({code})")
        if errors == 0 and ("max search depth too small" in out or stored > self.limits.states):
            raise Refused("too many states")
        said = re.search(r"pan:1: (.*?) \(at depth", out)
        if said and said.group(1).startswith("aborting"):
            raise Refused("pan aborts: a state has more than VECTORSZ bytes")
        return stored, (said.group(1) if said else "unknown") if errors else None

    def verdict(self, *flags):
        said = self.search(*flags)[1]
        if said is None:
            return Verdict("holds")
        violated = any(word in said for word in VIOLATIONS)
        verdict = Verdict("violated" if violated else f"error: {said.split('(')[0].strip()}")
        verdict.said = said
        return verdict

    def safety(self, answers):
        self.compile("-DSAFETY")
        stored, stopped = self.search("-E", "-A")
        step = self.search("-E")[1]
        end = self.verdict("-A")
        # With `-A` pan goes on past the end of an array, through whatever lies there: what it says then is about no run.
        _, out, _ = run(["./pan", f"-m{self.limits.depth}", "-w18", "-E", "-c0"], self.folder, self.limits.seconds)
        self.beyond = "array index" in out
        stopped = stopped or (self.beyond and "assertion violated - invalid array index")
        answers["states"] = f"error: {stopped.split('(')[0]}" if stopped else stored
        answers["assertions", "none"] = "violated" if step else "holds"
        answers["deadlock", "none"] = f"error: {stopped.split('(')[0]}" if stopped else end

    def cycles(self, answers, name, flags):
        for fairness, more in (("none", []), ("weak", ["-f"])):
            try:
                beyond = self.beyond and "-A" in flags
                answers[name, fairness] = Verdict("error: array index") if beyond else self.verdict(*flags, "-E", *more)
                answers[name, fairness].unfair = str(answers[name, "none"])
            except Refused:
                if fairness == "none":
                    raise

    def ask(self, program):
        answers = {}
        plain = program.text(properties=False)
        self.make(plain)
        self.safety(answers)
        if re.search(r"\baccept_\d+:", plain):
            self.compile()
            self.cycles(answers, "acceptance", ["-a", "-A"])
            if answers["acceptance", "none"] == "violated":
                self.compile("-DHC4")
                answers["acceptance", "none"].hashed = self.verdict("-a", "-A", "-E")
        if re.search(r"\bprogress_\d+:", plain):
            self.compile("-DNP")
            self.cycles(answers, "progress", ["-l", "-A"])
        for word in traces(program):
            self.make(program.text(properties=False, traces=True))
            self.compile("-DSAFETY")
            answers[word, "none"] = Verdict("error: array index") if self.beyond else self.verdict("-E", "-A")
        names = claims(program)
        if names:
            self.make(for_claims(program))
            self.compile()
            for name, said in names:
                self.cycles(answers, name, ["-a", *(["-N", said] if len(names) > 1 else [])])
        return answers


def claims(program):
    """(name that Riata gives it, name that Spin gives it) of each formula and claim."""
    out = []
    for item in program.properties:
        name = item.parts[0].split("{")[0].split()[1:]
        out.append((name[0], name[0]) if name else ("claim", "never_0"))
    return out


def traces(program):
    """`trace`, `notrace`, as far as they are there."""
    return [item.parts[0].split()[0] for item in program.traces]


def for_claims(program):
    """The program without its own assertions and labels of acceptance: Spin counts them in the search for a claim."""
    plain = program.text(properties=False)
    whole = program.text(traces=False)
    text = re.sub(r"\bassert(?=\()", "NO_ASSERT", plain) + whole[len(plain):]
    text = re.sub(r"\baccept_(?=\d)", "noaccept_", text)
    return '#define NO_ASSERT(e) printf("")\n' + text


# -- Riata ------------------------------------------------------------------------------------------------------------

class Answers:
    """One process of the example `answers`, for as many questions as there are."""
    def __init__(self, path):
        self.path, self.process = path, None

    def ask(self, folder, command):
        """Exit code, answers, what went wrong."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                            stderr=subprocess.DEVNULL)
        words = [os.path.join(folder, w) if w == "m.pml" else w for w in command]
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            return self.process.wait(), None, "the process ended"
        answer = json.loads(line)
        return answer["code"], answer.get("results"), answer.get("error", "")


class Riata:
    def __init__(self, limits, folder):
        self.limits = limits
        self.folder = folder
        if isinstance(getattr(limits, "answers", None), str):
            limits.answers = Answers(limits.answers)

    def json(self, *command):
        """The answer of a command; `Broken` if it is neither that nor a limit."""
        # Other processes are started as the program itself is.
        if getattr(self.limits, "answers", None) and "--processes" not in command:
            code, results, said = self.limits.answers.ask(self.folder, [*command, "--time", str(self.limits.seconds)])
            if code not in (0, 1, 3):
                raise Broken(f"exit {code}: {said.strip().splitlines()[:1]}")
            return results
        command = [self.limits.riata, *command, "--json", "--time", str(self.limits.seconds)]
        try:
            code, out, err = run(command, self.folder, 2 * self.limits.seconds + 60)  # the machine may be busy
        except Refused:
            raise Broken("limit of time not kept") from None
        if code not in (0, 1, 3):
            panic = re.search(r"panicked at (\S+?):?\n(.*)", err)
            said = f"panic at {panic.group(1)}, {panic.group(2)}" if panic else err.strip().split("\n")[0]
            raise Broken(f"exit {code}: {said}")
        return json.loads(out)["results"]

    def explore(self):
        return self.json("explore", "m.pml", "--no-optimise")[0]

    def replay(self, name, fairness):
        """Nothing if `replay` confirms the run that `check` finds; otherwise what it says."""
        check = [self.limits.riata, "check", "m.pml", "--property", name, "--fairness", fairness, "--json"]
        _, out, _ = run(check, self.folder, 2 * self.limits.seconds + 60)
        with open(os.path.join(self.folder, "run.json"), "w") as f:
            f.write(out)
        code, out, err = run([self.limits.riata, "replay", "run.json", "m.pml"], self.folder, 2 * self.limits.seconds + 60)
        return None if code == 0 else (out + err).strip().split("\n")[-1]

    def check(self, fairness="none", *flags):
        """(question, verdict, algorithm) of each entry; a limit of time has a verdict of its own."""
        results = self.json("check", "m.pml", "--fairness", fairness, *flags)
        late = lambda r: r["verdict"] == "inconclusive" and "time limit" in (r.get("reason") or "")
        verdict = lambda r: "out of time" if late(r) else r["verdict"]
        return [((r["property"], fairness), verdict(r), r.get("algorithm")) for r in results if "verdict" in r]
