"""Expressions and conditions."""
from .scope import WIDTHS


class Expressions:
    """Writes expressions over what is visible. Divisors are never 0, indices never out of range (but `quirk_index`)."""

    def chance(self, probability):
        return self.r.random() < probability

    def on(self, feature):
        return feature in self.features

    def pick(self, weighted):
        """One of (weight, thing)."""
        weighted = [(w, thing) for w, thing in weighted if w]
        at = self.r.random() * sum(w for w, _ in weighted)
        for weight, thing in weighted:
            at -= weight
            if at < 0:
                return thing
        return weighted[-1][1]

    # -- variables ------------------------------------------------------------------------------------------------

    def numbers(self, shared=False):
        return [v for v in self.variables if v.kind in WIDTHS and (v.shared or not shared)]

    def index(self, length, shared=False):
        small = [v for v in self.numbers(shared) if v.kind in ("byte", "bit", "bool", "unsigned") and not v.length]
        if small and self.chance(0.5):
            name = self.r.choice(small).name
            if self.on("quirk_index") and self.chance(0.3):
                self.quirk = "index"
                return name
            return f"{name} % {length}"
        return str(self.r.randrange(length))

    def place_of(self, variable, shared=False):
        if variable.length:
            return f"{variable.name}[{self.index(variable.length, shared)}]"
        return variable.name

    def variable(self, shared=False):
        return self.place_of(self.r.choice(self.numbers(shared)), shared)

    def symbols(self):
        """Variables and names of an mtype: (variables, names), or nothing."""
        kinds = [(kind, names) for kind, names in self.mtypes.items()
                 if any(v.kind == kind for v in self.variables)]
        if not kinds:
            return None
        kind, names = self.r.choice(kinds)
        return [v.name for v in self.variables if v.kind == kind], names

    # -- values ---------------------------------------------------------------------------------------------------

    def constant(self):
        usual = ["0", "0", "1", "1", "2", "3"]
        if self.on("operators"):
            usual += ["4", "255", "256", "-1", "true"]
        if self.on("wide"):
            usual += ["32767", "65536"]
        if self.on("macros"):
            usual.append("TWO")
        return self.r.choice(usual)

    def atom(self, shared=False):
        kinds = [(12, "variable"), (6, "constant")]
        if self.on("pid"):
            kinds += [(1, "_nr_pr")] + ([] if shared else [(1, "_pid")])
        if self.on("channel_tests"):
            kinds.append((2, "len"))
        if self.on("priority") and not shared:
            kinds.append((1, "get_priority(_pid)"))
        if self.on("last") and not shared:
            kinds.append((1, "_last"))
        kind = self.pick(kinds)
        if kind == "variable":
            return self.variable(shared)
        if kind == "constant":
            return self.constant()
        if kind == "len":
            return self.length_of_channel(shared) or self.constant()
        return kind

    def value(self, depth=2, shared=False):
        if depth <= 0 or self.chance(0.4):
            return self.atom(shared)
        a = self.value(depth - 1, shared)
        if self.on("conditional") and self.chance(0.15):
            return f"({self.condition(depth - 1, shared, probe=False)} -> {a} : {self.value(depth - 1, shared)})"
        if not self.on("operators"):
            return f"({a}) {self.r.choice('+-')} {self.r.randrange(1, 3)}"
        form = self.pick([(1, "-({})"), (1, "~({})"), (1, "!({})"), (2, "({}) / 3"), (2, "({}) % 3"),
                          (1, "({}) << 1"), (1, "({}) >> 2"), (9, "")])
        if form:
            return form.format(a)
        op = self.r.choice(["+", "+", "-", "*", "&", "|", "^"])
        return f"({a}) {op} ({self.value(depth - 1, shared)})"

    # -- conditions -----------------------------------------------------------------------------------------------

    def comparison(self, depth, shared):
        symbols = self.symbols()
        if symbols and self.chance(0.2):
            return f"({self.r.choice(symbols[0])} {self.r.choice(['==', '!='])} {self.r.choice(symbols[1])})"
        if not self.on("operators") or self.chance(0.6):
            # A simple one: those that are sometimes true and sometimes false say most.
            test = self.r.choice(["== 0", "== 0", "== 1", "== 2", "!= 1", "!= 2", "< 1", "< 2", "> 0", "> 1"])
            return f"({self.variable(shared)} {test})"
        op = self.r.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"({self.value(depth - 1, shared)} {op} {self.value(0, shared)})"

    def condition(self, depth=2, shared=False, probe=True):
        """A condition; `full` and the like (`probe`) only where Spin takes them: not negated, not compared."""
        kinds = [(12, self.comparison)]
        if depth > 0:
            kinds += [(2, self.both), (1 if self.on("operators") else 0, self.negated)]
        if self.on("channel_tests") or self.on("sorted"):
            kinds.append((3, self.channel_condition))
        if self.on("remote") and not shared:
            kinds.append((3, self.remote_condition))
        if self.on("enabled_guard") and not shared:
            kinds.append((1, self.enabled_condition))
        if self.on("macros"):
            kinds.append((1, lambda depth, shared: "COND"))
        writer = self.pick(kinds)
        if writer in (self.both, self.channel_condition):
            return writer(depth, shared, probe)
        return writer(depth, shared) or self.comparison(depth, shared)

    def both(self, depth, shared, probe):
        op = self.r.choice(["&&", "||"])
        return f"({self.condition(depth - 1, shared, probe)} {op} {self.condition(depth - 1, shared, probe)})"

    def negated(self, depth, shared):
        return f"!({self.condition(depth - 1, shared, probe=False)})"

    def enabled_condition(self, depth, shared):
        return f"enabled({self.r.randrange(2)})"

    def remote_condition(self, depth, shared):
        return self.remote_label() if self.chance(0.7) else self.remote_variable()

    def instance(self, of):
        """How another process speaks of one: its type, if there is only one, or with its number."""
        if self.on("quirk_pid") and self.chance(0.3):
            self.quirk = "number of a process"
            return f"{of.name}[{self.r.randrange(4)}]"
        if of.instances == 1 and not (self.on("remote_pid") and self.chance(0.3)):
            return of.name
        if of.instances and self.on("remote_pid"):
            return f"{of.name}[{of.first + self.r.randrange(of.instances)}]"
        return None

    def remote_label(self):
        types = [t for t in self.others if t.labels]
        if not types:
            return None
        of = self.r.choice(types)
        instance = self.instance(of)
        return f"({instance}@{self.r.choice(of.labels)})" if instance else None

    def remote_variable(self):
        types = [t for t in self.others if t.variables]
        if not types:
            return None
        of = self.r.choice(types)
        instance = self.instance(of)
        op = self.r.choice(["==", "!=", "<"])
        return f"({instance}:{self.r.choice(of.variables)} {op} {self.r.randrange(3)})" if instance else None
