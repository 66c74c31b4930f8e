"""Properties: `ltl` blocks and never claims."""
from .statements import Statements
from .tree import Item

WORDS = {"[]": "always", "<>": "eventually", "U": "until", "W": "weakuntil", "V": "release", "->": "implies",
         "<->": "equivalent"}


class Properties(Statements):
    """Writes properties over what is shared: no variables of processes are visible here."""

    # -- propositions ---------------------------------------------------------------------------------------------

    def look(self, probe=True):
        """A proposition in brackets; with `full` and the like (`probe`), or without."""
        kinds = [(8, lambda: self.comparison(1, True))]
        if self.channels and self.on("channel_tests"):
            kinds.append((3, lambda: self.channel_condition(1, True, probe)))
            kinds.append((2, lambda: f"{self.length_of_channel(True) or 0} {self.r.choice(['==', '<', '>'])} {self.r.randrange(2)}"))
        if self.on("look_remote"):
            kinds += [(6, self.remote_label), (3, self.remote_variable)]
        for feature, text in [("look_np", "np_"), ("look_timeout", "timeout")]:
            if self.on(feature):
                kinds.append((2, lambda text=text: text))
        if self.on("look_last"):
            kinds.append((3, lambda: f"_last == {self.r.randrange(3)}"))
        if self.on("look_nr_pr"):
            kinds.append((2, lambda: f"_nr_pr {self.r.choice(['<', '==', '>'])} {self.r.randrange(1, 4)}"))
        if self.on("look_enabled"):
            kinds.append((3, lambda: f"enabled({self.r.randrange(2)})"))
        if self.on("look_pc"):
            kinds.append((2, lambda: f"pc_value({self.r.randrange(2)}) {self.r.choice(['==', '<', '>'])} {self.r.randrange(1, 6)}"))
        return f"({self.pick(kinds)() or self.comparison(1, True)})"

    # -- formulas -------------------------------------------------------------------------------------------------

    def word(self, op):
        return WORDS[op] if self.on("ltl_words") and op in WORDS and self.chance(0.6) else op

    def proposition(self):
        text = self.look(probe=self.on("ltl_probe"))
        if self.on("ltl_loose") and self.chance(0.4):
            text = text.strip("()") if text.count("(") == text.strip("()").count("(") + 2 else text
        return text

    def usual_formula(self):
        """One of the forms that people write."""
        p, q = self.proposition(), self.proposition()
        form = self.r.choice(["[] {p}", "<> {p}", "[]<> {p}", "<>[] {p}", "[] ({p} -> <> {q})", "{p} U {q}", "{p} W {q}",
                              "[] ({p} -> ({p} U {q}))", "<>[] {p} -> []<> {q}", "[]<> {p} -> []<> {q}",
                              "!({p} U {q})", "<> ({p} && <> {q})", "{p} V {q}", "<> {p} && <> {q}", "[] {p} || <> {q}"])
        for op in ("[]", "<>", "->"):
            if self.on("ltl_words") and self.chance(0.3):
                form = form.replace(op, f" {WORDS[op]} ")
        return form.format(p=p, q=q)

    def formula(self, size):
        if size <= 0:
            return self.proposition()
        kind = self.pick([(5, 1), (4, 2)])
        if kind == 1:
            op = self.r.choice(["[]", "<>", "!", "[]", "<>"])
            return f"{self.word(op)} ({self.formula(size - 1)})"
        op = self.r.choice(["U", "W", "V", "->", "<->", "&&", "||", "U"])
        left = self.r.randrange(size)
        return f"(({self.formula(left)}) {self.word(op)} ({self.formula(size - 1 - left)}))"

    def ltl(self, number):
        formula = self.usual_formula() if self.chance(0.6) else self.formula(self.r.randrange(1, 5))
        return self.item(f"ltl p{number} {{ {formula} }}", kind="property")

    # -- never claims ---------------------------------------------------------------------------------------------

    def usual_claim(self):
        p, q = self.look(), self.look()
        loop = self.r.choice(["true", q, "skip"])
        forms = [
            # <>[] p
            ["do", f":: {loop}", f":: {p} -> break", "od;", "accept0: do", f":: {p}", "od"],
            # []<> p
            ["T0: do", f":: {p} -> goto accept1", f":: {loop}", "od;", "accept1: if", ":: true -> goto T0", "fi"],
            # <> p: it ends
            ["do", f":: {p} -> break", ":: else", "od"],
            # <> (p && [] !q)
            ["S0: if", f":: ({p} && !{q}) -> goto accept_S1", ":: true -> goto S0", "fi;", "accept_S1: if",
             f":: !{q} -> goto accept_S1", "fi"],
            # p, then q, then its end
            [f"{p};", f"{q};", "do", f":: {p}", ":: else -> break", "od"],
        ]
        lines = self.r.choice(forms)
        if self.on("claim_assert"):
            lines = ["do", f":: {p} -> assert({q})", ":: else", "od"] if self.chance(0.5) else [f"assert({q});", *lines]
        if self.on("claim_block"):
            lines = [f"{self.r.choice(['atomic', 'd_step'])} {{ {p}; {q} }};", *lines]
        if self.on("claim_assign"):
            lines = [f"{self.variable(shared=True)} = 1;", *lines]
        return [Item(line, keep=True) for line in lines]

    def chaotic_claim(self):
        """An automaton of a few states: each a selection with jumps."""
        prefixes = ["S", "S", "acceptS"] + (["endS"] if self.on("claim_end") else [])
        states = [f"{self.r.choice(prefixes)}{i}" for i in range(self.r.randrange(1, 4))]
        out = []
        for state in states:
            loop = self.chance(0.4)
            options = []
            for _ in range(self.r.randrange(1, 4)):
                body = [self.item(f"{self.r.choice([self.look(), self.look(), 'true'])} ->")]
                if self.on("claim_assert") and self.chance(0.3):
                    body.append(self.item(f"assert({self.look()});"))
                if self.chance(0.2):
                    body.append(self.item(f"{self.look()};"))
                if self.chance(0.7) or not loop:
                    body.append(Item(f"goto {self.r.choice(states)};"))
                elif self.chance(0.3):
                    body.append(Item("break;"))
                options.append(self.option(body))
            if self.chance(0.3):
                options.append(self.option([Item("else ->"), Item(f"goto {self.r.choice(states)};")]))
            item = Item("do", options, "od;") if loop else Item("if", options, "fi;")
            item.labels.append(state)
            out.append(item)
        return out

    def never(self, name):
        body = self.chaotic_claim() if self.on("claim_chaos") else self.usual_claim()
        return self.item(f"never {name}{' ' if name else ''}{{", body, "}", kind="property")

    # -- traces ---------------------------------------------------------------------------------------------------

    def event(self, channel, op):
        fields = [self.r.choice(self.mtypes[f]) if f in self.mtypes and self.chance(0.5)
                  else str(self.r.randrange(2)) if f == "byte" and self.chance(0.3) else "_" for f in channel.fields]
        return f"{channel.name}{op}{','.join(fields)}"

    def traces(self):
        """A sequence or a loop whose options begin with different events, so that it is deterministic."""
        some = [c for c in self.channels if not c.length and c.name[0] == "c"]
        if not self.on("trace") or not some:
            return []
        events = [(c, op) for c in self.r.sample(some, self.r.randrange(1, len(some) + 1)) for op in "!?"]
        word = self.r.choice(["trace", "trace", "notrace"])

        def sequence(first):
            rest = [self.r.choice(events) for _ in range(self.r.choice([0, 0, 1, 2]))]
            return [self.item(f"{self.event(*e)};") for e in [first, *rest]]

        if word == "notrace" and self.chance(0.7):
            return [self.item("notrace {", sequence(self.r.choice(events)), "}", kind="property")]
        firsts = self.r.sample(events, self.r.randrange(1, min(4, len(events)) + 1))
        loop = Item("do", [self.option(sequence(first)) for first in firsts], "od;")
        before = sequence(self.r.choice(events)) if self.chance(0.2) else []
        return [self.item(f"{word} {{", [*before, loop], "}", kind="property")]

    def properties(self):
        out = []
        if self.on("ltl"):
            out += [self.ltl(number) for number in range(self.r.choice([1, 1, 2, 3]))]
        if self.on("claim"):
            out.append(self.never("nv" if out else self.r.choice(["", "nv"])))
        return out
