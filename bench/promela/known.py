"""Differences between Spin and Riata that are known, each as a rule.

A rule looks at the program, the question and both answers. What a rule explains is counted under its name; everything
else is a disagreement. `docs/promela.md` tells what is behind the rules.
"""
import re


def spin_stopped(program, question, spin, riata):
    """An error of the run ended Spin's search before it had an answer: nothing to compare."""
    return isinstance(spin, str) and spin.startswith("error")


def weak_fairness(program, question, spin, riata):
    """Spin's `-f` misses violations; what Riata found was confirmed by replay."""
    return question[1] == "weak" and spin == "holds" and riata == "violated"


def fair_runs_are_runs(program, question, spin, riata):
    """Spin finds a violation with `-f` and none without. A fair run is a run: that cannot be."""
    return question[1] == "weak" and spin == "violated" and spin.unfair == "holds"


def stale_stutter(program, question, spin, riata):
    """With `-f`, Spin takes the end of a run for accepting though no process is at such a label there any more."""
    return question == ("acceptance", "weak") and getattr(spin, "said", "").startswith("accept stutter") and riata == "holds"


def label_in_d_step(program, question, spin, riata):
    """All labels of this kind are inside a `d_step`: Riata sees none, so it does not ask the question."""
    prefix = {"acceptance": "accept", "progress": "progress"}.get(question[0])
    if riata != "no answer" or prefix is None:
        return False
    blocks = [item for item in program.walk() if item.parts[0] == "d_step {"]
    hidden = {id(inner) for block in blocks for inner in block.walk() if inner is not block}
    seen = [item for item in program.walk() if any(label.startswith(prefix) for label in item.labels)]
    return all(id(item) in hidden for item in seen)


def label_out_of_reach(program, question, spin, riata):
    """The statement with the label cannot be reached by any jump or step: Riata sees no label, and does not ask."""
    return riata == "no answer" and spin == "holds" and question[0] in ("acceptance", "progress")


def claim_counts_itself(program, question, spin, riata):
    """Spin's claim is a process: where there is one, `_nr_pr` is one more, for the program, too. Progress is a claim."""
    named = ("assertions", "deadlock", "acceptance", "states")
    return question[0] not in named and "_nr_pr" in program.text()


def flag_of_progress(program, question, spin, riata):
    """Spin's `np_` is a flag of the step before, not the state's, as the manual has it."""
    return "np_" in property_text(program, question[0])


def idle_claim(program, question, spin, riata):
    """`timeout` is true where no process can move, says the manual; in Spin's claims it is false all the same."""
    return "timeout" in property_text(program, question[0])


def temporal_operand(program, question, spin, riata):
    """`[] x < 2`: Spin compares the number of a token; Riata reads it as `[] (x < 2)`, and warns."""
    text = property_text(program, question[0])
    if not text.startswith("ltl"):
        return False
    text = text[text.index("{") + 1:text.rindex("}")]
    while True:
        mixed = [g for g in re.findall(r"\(([^()]*)\)", text) or [text] if RELATION.search(g) and TEMPORAL.search(g)]
        if mixed:
            return True
        inner = re.sub(r"\([^()]*\)", " p ", text)
        if inner == text:
            return False
        text = inner


def timeout_beside_a_claim(program, question, spin, riata):
    """With `timeout` in a process, Spin finds acceptance cycles in claims whose accept labels lie on no cycle at all.

    `never { do :: true :: skip -> break od; accept: (true); (false) }` is such a one, with `init { timeout || true }`.
    """
    return (property_text(program, question[0]).startswith("never") and riata == "holds"
            and getattr(spin, "said", "").startswith("acceptance cycle")
            and "timeout" in program.text(properties=False))


def else_seen_by_enabled(program, question, spin, riata):
    """To `enabled` an `else` can be taken if the process that moved last had no other step: pan keeps one flag for all.

    `active proctype B() { else; … }` can move, and `[] enabled(1)` is violated for Spin after a step of another process.
    """
    text = program.text(properties=False)
    asks = "enabled(" in property_text(program, question[0]) or "enabled(" in text
    return asks and re.search(r"\belse\b", text) is not None


def constant_in_formula(program, question, spin, riata):
    """`((!p) <-> q) && false` holds for Spin: its translation loses some constants. No run satisfies such a formula."""
    text = property_text(program, question[0])
    constant = r"\(\s*-?\d+\s*(==|!=|<=?|>=?)\s*-?\d+\s*\)|\b(true|false)\b"
    return text.startswith("ltl") and spin == "holds" and riata == "violated" and re.search(constant, text) is not None


RELATION = re.compile(r"==|!=|<=|>=|<(?!>|->)|(?<![-<])>")
TEMPORAL = re.compile(r"\[\]|<>|\b[UWV]\b|\b(always|eventually|until|weakuntil|release|implies|equivalent)\b|->|&&|\|\|")


def property_text(program, name):
    """The text of the property with this name; empty if it is none of the program's own."""
    for item in program.properties:
        words = item.parts[0].split("{")[0].split()
        if (words[1:] or ["claim"])[0] == name:
            return "\n".join(item.lines(0))
    return ""


def priority_and_blocks(program, question, spin, riata):
    """Spin's verifier does not look into a block when it asks whether a process of higher priority can move.

    With `do :: {skip}; x = 2; set_priority(_pid, 3) od` in two processes it has 13 states, without the brackets 27.
    """
    text = program.text(properties=False)
    return "priority" in text and re.search(r"(::|\{|;|->)\s*(\{|d_step|atomic)", text) is not None


def accept_inside_atomic(program, question, spin, riata):
    """Spin counts an accept label inside an `atomic` if the step closes a cycle of its search, not otherwise.

    Its verifier says so itself: with `-DHC4` (also `-DBITSTATE`, `-DMA`), without that shortcut, it finds nothing.
    """
    return question == ("acceptance", "none") and spin == "violated" and spin.hashed == riata == "holds"


def attempted_handshake(program, question, spin, riata):
    """Spin's `trace` judges a rendezvous send before it is known whether anybody receives."""
    if question[0] not in ("trace", "notrace") or spin != "violated" or riata != "holds":
        return False
    channels = re.findall(r"chan (\w+) = \[0\]", program.text())
    return any(re.search(rf"\b{channel}!", "\n".join(item.lines(0))) for item in program.traces for channel in channels)


def eval_of_own_length(program, question, spin, riata):
    """`c?eval(len(c))`: when pan takes the step back, it puts `len(c)` as it is then into the channel, not the message.

    `unrecv(now.c, XX-1, 0, q_len(now.c), 1)` in pan.b: one message of 1 becomes one of 0, and what follows it is lost. The
    channel may have a second name: that of a variable.
    """
    text = program.text(properties=False)
    declared = set(re.findall(r"\bchan (\w+)(?:\[\d+\])? = \[", text))
    for receive in re.finditer(r"\b(\w+)(?:\[[^\]]*\])?\s*\?\??\s*<?([^;?!]*\beval\([^;]*)", text):
        lengths = re.findall(r"\blen\((\w+)", receive[2])
        if any(name == receive[1] or not {name, receive[1]} <= declared for name in lengths):
            return True
    return False


def hidden_state(program, question, spin, riata):
    """A hidden variable is part of Riata's states, not of Spin's."""
    return "hidden" in program.quirks()


def quirk_of_program(program, question, spin, riata):
    """Something that the generator marks: Spin's verifier is wrong there, or it is left open what it means."""
    return bool(program.quirks() - {"hidden"})


RULES = [spin_stopped, weak_fairness, fair_runs_are_runs, stale_stutter, label_in_d_step, label_out_of_reach,
         claim_counts_itself, temporal_operand, flag_of_progress, idle_claim, timeout_beside_a_claim,
         else_seen_by_enabled, constant_in_formula,
         priority_and_blocks, accept_inside_atomic, attempted_handshake, eval_of_own_length,
         hidden_state, quirk_of_program]


def classify(program, question, spin, riata):
    """The name of the rule that explains the difference, or nothing."""
    pair = question if isinstance(question, tuple) else (question, "none")
    for rule in RULES:
        if rule(program, pair, spin, riata):
            quirks = "/".join(sorted(program.quirks())) if rule is quirk_of_program else ""
            return f"{rule.__name__} {quirks}".strip()
    return None
