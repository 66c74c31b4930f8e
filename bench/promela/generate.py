#!/usr/bin/env python3
"""Random small Promela programs, for comparing two checkers.

    generate.py SEED [SIZE]

prints one program. The programs are small on purpose (a few thousand states), never divide by zero, and nearly
always end or loop over few values. They use what is easy to get wrong: buffered and rendezvous channels, sorted
sends, random and copying receives, `eval`, polls, `atomic`, `d_step`, `unless`, `run` and the death of processes,
`timeout`, `else`, truncation on assignment and on sending, arrays, records, `mtype`, inlines, jumps, scopes.

Three things that Spin does are left out unless asked for (`quirks`): elements of `bit` arrays, and fields of channels
whose messages are one `bit`, keep eight bits; and past an index outside an array it goes on. Left out always is where
Spin's verifier is wrong:
- A receive into a variable narrower than the message field, and a receive that stores to a variable which an `eval`
  or an index of the same receive reads, or twice to one variable: going back, it restores the message from the new
  values.
- A sorted send of a value that does not fit the field: the place is found with the value before truncation. (Spin's
  simulator uses the value after.)
- `len` of a rendezvous channel, which is 1 while a message passes and is evaluated then by the receiver.
- A `d_step` that begins with a selection of which some option is unconditional and another is not: it forgets the
  unconditional one when it says whether the `d_step` can begin.

A program is a tree of `Item`s so that `shrink` can make a smaller one of it that still has some property.
"""
import copy
import random
import sys

WIDTH = {"bit": 1, "bool": 1, "unsigned": 1, "byte": 8, "short": 16, "int": 32, "any": 0}
TYPES = ["bit", "bool", "byte", "byte", "byte", "short", "int", "unsigned"]
MTYPES = ["ma", "mb", "mc"]


class Item:
    """A piece of text with blocks in it: `parts` are strings and lists of items."""

    def __init__(self, *parts, keep=False):
        self.parts = list(parts)
        self.keep = keep  # must not be removed: a declaration, say

    def lines(self, indent):
        pad = "  " * indent
        out = []
        for part in self.parts:
            if isinstance(part, str):
                out.append(pad + part)
            else:
                body = part or [Item("skip;")]
                for item in body:
                    out.extend(item.lines(indent + 1))
        return out

    def blocks(self):
        return [part for part in self.parts if isinstance(part, list)]


class Program:
    def __init__(self):
        self.heads = []  # global declarations
        self.inlines = []
        self.processes = []  # items

    def text(self):
        items = self.heads + self.inlines + self.processes
        return "\n".join(line for item in items for line in item.lines(0)) + "\n"


class Generator:
    def __init__(self, seed, size=10, quirks=False):
        self.r = random.Random(seed)
        self.quirks = quirks
        self.size = size
        self.labels = 0
        self.vars = []  # (name, type) that can be read and written in the scope
        self.arrays = []  # (name, type, length)
        self.chans = []  # (name, capacity, field types)
        self.inlines = []  # (name, number of parameters)
        self.runnable = []  # (name, parameter types)
        self.records = []

    # -- expressions ------------------------------------------------------------------------------------------

    def variable(self):
        r = self.r
        if self.arrays and r.random() < 0.2:
            name, kind, length = r.choice(self.arrays)
            if self.quirks and r.random() < 0.03:
                return f"{name}[{r.randrange(length + 1)}]"
            return f"{name}[{self.index(length)}]"
        if self.records and r.random() < 0.15:
            return r.choice(self.records)
        return r.choice(self.vars)[0]

    def wide_variable(self, kind, alone, used):
        """A variable that holds every value of a message field and is not used yet, or `_`."""
        width = 8 if kind == "bit" else WIDTH[kind]
        names = [n for n, t in self.vars if WIDTH[t] >= width and n not in used]
        if alone:
            names += [f"{n}[{self.index(length)}]" for n, t, length in self.arrays if WIDTH[t] >= width]
            names += [name for name in self.records if width <= 8 and "v[" not in name]
        return self.r.choice(names) if names else "_"

    def index(self, length):
        r = self.r
        small = [n for n, t in self.vars if t in ("byte", "bit", "bool", "unsigned")]
        if small and r.random() < 0.4:
            return f"{r.choice(small)} % {length}"
        return str(r.randrange(length))

    def constant(self):
        return str(self.r.choice([0, 0, 1, 1, 2, 3, 4, 255, 256, -1]))

    def value(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.35:
            roll = r.random()
            if roll < 0.55:
                return self.variable()
            if roll < 0.6:
                return "_pid"
            if roll < 0.63:
                return "_nr_pr"
            return self.constant()
        roll = r.random()
        a = self.value(depth - 1)
        if roll < 0.1:
            return f"-({a})"
        if roll < 0.15:
            return f"~({a})"
        if roll < 0.2:
            return f"!({a})"
        if roll < 0.3:
            return f"({self.condition(depth - 1, False)} -> {a} : {self.value(depth - 1)})"
        if roll < 0.4:
            return f"({a}) {r.choice(['/', '%'])} {r.choice([2, 3, 7])}"
        if roll < 0.47:
            return f"({a}) {r.choice(['<<', '>>'])} {r.randrange(4)}"
        buffered = [name for name, capacity, _ in self.chans if capacity > 0]
        if buffered and roll < 0.52:
            return f"len({r.choice(buffered)})"
        op = r.choice(["+", "+", "-", "*", "&", "|", "^"])
        return f"({a}) {op} ({self.value(depth - 1)})"

    def condition(self, depth=2, probe=True):
        """A condition; `full` and the like only where Spin takes them: not negated, not compared."""
        r = self.r
        roll = r.random()
        if depth > 0 and roll < 0.15:
            op = r.choice(["&&", "||"])
            return f"({self.condition(depth - 1, probe)} {op} {self.condition(depth - 1, probe)})"
        if depth > 0 and roll < 0.2:
            return f"!({self.condition(depth - 1, False)})"
        if self.chans and roll < 0.32:
            name, capacity, kinds = r.choice(self.chans)
            if capacity > 0 and r.random() < 0.5:
                return f"{name}{r.choice(['?', '??'])}[{self.patterns(kinds, poll=True)}]"
            if capacity > 0 and probe:
                return f"{r.choice(['empty', 'nempty', 'full', 'nfull'])}({name})"
        op = r.choice(["==", "==", "!=", "<", "<=", ">", ">="])
        return f"({self.value(depth - 1 if depth else 0)} {op} {self.value(0)})"

    def patterns(self, kinds, poll=False):
        out = []
        stores = False
        for kind in kinds:
            roll = self.r.random()
            if kind == "mtype" and roll < 0.6:
                out.append(self.r.choice(MTYPES))
            elif kind == "mtype":
                out.append("_" if roll < 0.7 or poll else "mt")
            elif roll < 0.2:
                out.append(self.r.choice(["0", "1", "2", "-1"]))
            elif roll < 0.35:
                out.append(f"eval({self.value(1)})")
            elif roll < 0.45 or poll:
                out.append("_")
            else:
                out.append(self.wide_variable(kind, len(kinds) == 1, out))
                stores = True
        if stores:
            out = ["eval(_pid)" if p.startswith("eval") else p for p in out]
        return ", ".join(out)

    def message(self, kinds, fits=False):
        """The fields of a message; if told so, only values that fit."""
        out = []
        for kind in kinds:
            if kind == "mtype":
                out.append(self.r.choice(MTYPES + ["mt"]))
            elif fits:
                out.append(f"({self.value(1)}) & {1 if kind == 'bit' else 7}")
            else:
                out.append(self.value(1))
        return ", ".join(out)

    # -- statements -------------------------------------------------------------------------------------------

    def assign(self):
        r = self.r
        roll = r.random()
        target = self.variable()
        if roll < 0.2:
            return Item(f"{target}{r.choice(['++', '--'])};")
        if roll < 0.3:
            return Item(f"mt = {r.choice(MTYPES)};")
        value = self.value()
        if r.random() < 0.5:
            value = f"({value}) & {r.choice([1, 3, 7])}"
        return Item(f"{target} = {value};")

    def send(self, dstep):
        if not self.chans:
            return self.assign()
        name, capacity, kinds = self.r.choice(self.chans)
        if dstep and capacity == 0:
            return self.assign()
        op = "!!" if capacity > 0 and self.r.random() < 0.2 else "!"
        message = self.message(kinds, op == "!!")
        return Item(f"{name}{op} {message};")

    def receive(self, dstep):
        if not self.chans:
            return self.assign()
        name, capacity, kinds = self.r.choice(self.chans)
        if dstep and capacity == 0:
            return self.assign()
        op = "??" if capacity > 0 and self.r.random() < 0.25 else "?"
        patterns = self.patterns(kinds)
        if capacity > 0 and self.r.random() < 0.15:
            patterns = f"<{patterns}>"
        return Item(f"{name}{op}{patterns};")

    def guard(self, dstep, first):
        """A statement that may block."""
        roll = self.r.random()
        if roll < 0.45:
            return Item(f"{self.condition()} ->")
        if roll < 0.65:
            return self.send(dstep)
        if roll < 0.85:
            return self.receive(dstep)
        if roll < 0.9 and not dstep:
            return Item("timeout ->")
        return Item("true ->") if first else self.assign()

    def options(self, depth, dstep, loop):
        r = self.r
        out = []
        n = r.randrange(1, 4)
        safe = True
        for _ in range(n):
            # Spin's verifier forgets unconditional options when it says whether a d_step can begin.
            first = Item(f"{self.condition()} ->") if dstep else self.guard(False, True)
            if any(sign in first.parts[0] for sign in ("!", "?")) and "->" not in first.parts[0]:
                safe = False
            body = [first] + self.block(depth - 1, dstep, r.randrange(0, 3))
            if loop and r.random() < 0.4:
                body.append(Item("break;"))
            out.append(Item("::", body))
        if (dstep and safe) or (safe and r.random() < 0.5) or r.random() < 0.02:
            body = [Item("else ->", keep=True)] + self.block(depth - 1, dstep, r.randrange(0, 2))
            if loop:
                body.append(Item("break;"))
            out.append(Item("::", body))
        return out

    def loop(self, depth, dstep):
        """A loop that ends: a counter of its own says when."""
        self.labels += 1
        counter = f"k{self.labels}"
        count = [Item(f"{counter} < {self.r.randrange(1, 3)} ->", keep=True), Item(f"{counter}++;", keep=True)]
        options = [Item("::", count + self.block(depth - 1, dstep, self.r.randrange(1, 3)))]
        options.append(Item("::", [Item("else ->", keep=True), Item("break;", keep=True)]))
        return Item("{", [Item(f"byte {counter};", keep=True), Item("do", options, "od;", keep=True)], "}")

    def statement(self, depth, dstep):
        r = self.r
        roll = r.random()
        if depth <= 0 or roll < 0.3:
            return self.assign()
        if roll < 0.4:
            return self.send(dstep) if not dstep else self.assign()
        if roll < 0.5:
            return self.receive(dstep) if not dstep else self.assign()
        if roll < 0.53 and not dstep:
            return Item(f"{self.condition()};")
        if roll < 0.57:
            return Item(f"assert({self.condition(2, False)} || {self.condition(1, False)});")
        if roll < 0.67:
            return Item("if", self.options(depth, dstep, False), "fi;")
        if roll < 0.72 and not dstep:
            return Item("do", self.options(depth, dstep, True), "od;")
        if roll < 0.77:
            return self.loop(depth, dstep)
        if roll < 0.84 and not dstep:
            return Item("atomic {", self.block(depth - 1, False, r.randrange(1, 4)), "}")
        if roll < 0.89 and not dstep:
            # Spin lets a d_step that begins with an assertion or skip intrude into the rendezvous of others.
            return Item("d_step {", [Item("(_nr_pr > 0);")] + self.block(depth - 1, True, r.randrange(1, 4)), "}")
        if roll < 0.92 and not dstep:
            return Item("{", self.block(depth - 1, False, r.randrange(1, 3)), "} unless {",
                        [self.guard(False, True)] + self.block(depth - 1, False, r.randrange(0, 2)), "}")
        if roll < 0.95 and self.runnable and not dstep:
            name, kinds = r.choice(self.runnable)
            arguments = ", ".join(self.value(1) for _ in kinds)
            if r.random() < 0.5:
                return Item(f"if :: _nr_pr < 4 -> run {name}({arguments}) :: else fi;")
            return Item(f"if :: _nr_pr < 4 -> {self.variable()} = run {name}({arguments}) :: else fi;")
        if self.inlines:
            name, count = r.choice(self.inlines)
            arguments = ", ".join(self.variable() for _ in range(count))
            return Item(f"{name}({arguments});")
        return self.assign()

    def block(self, depth, dstep, n):
        """Statements in a scope of their own, perhaps with a variable."""
        saved = list(self.vars)
        out = []
        for _ in range(n):
            out.append(self.statement(depth, dstep))
        self.vars = saved
        return out

    # -- the whole --------------------------------------------------------------------------------------------

    def declare(self, name, kinds=TYPES):
        r = self.r
        kind = r.choice(kinds)
        initial = r.choice(["", "", f" = {r.choice([1, 2, 3, 254, 255])}"])
        self.vars.append((name, kind))
        if kind == "unsigned":
            return f"unsigned {name} : {r.randrange(2, 5)}{initial};"
        if kind in ("bit", "bool") and initial:
            initial = " = 1"
        if kind == "short" and r.random() < 0.2:
            initial = " = 32767"
        return f"{kind} {name}{initial};"

    def process(self, name, head, parameters, size):
        saved = list(self.vars)
        self.vars.extend((p, "byte") for p in parameters)
        body = []
        for i in range(self.r.randrange(0, 2)):
            body.append(Item(self.declare(f"l{name.lower()}{i}"), keep=True))
        statements = [self.statement(3, False) for _ in range(size)]
        if self.r.random() < 0.25:
            self.labels += 1
            label = self.r.choice(["L", "end", "end_x"]) + str(self.labels)
            at = self.r.randrange(len(statements))
            statements.insert(at, Item(f"{label}: skip;", keep=True))
            where = self.r.randrange(at, len(statements))
            statements.insert(where + 1, Item(f"if :: {self.condition()} -> goto {label} :: true fi;"))
        body.extend(statements)
        self.vars = saved
        return Item(head + " {", body, "}")

    def program(self):
        r = self.r
        p = Program()
        p.heads.append(Item("mtype = { ma, mb, mc };", keep=True))
        p.heads.append(Item("mtype mt;", keep=True))
        for i in range(r.randrange(1, 4)):
            p.heads.append(Item(self.declare(f"g{i}"), keep=True))
        if r.random() < 0.4:
            kinds = ["byte", "short"] + (["bit"] if self.quirks else [])
            kind, length = r.choice(kinds), r.randrange(2, 4)
            self.arrays.append(("arr", kind, length))
            p.heads.append(Item(f"{kind} arr[{length}];", keep=True))
        if r.random() < 0.25:
            kind = "bit" if self.quirks else "byte"
            p.heads.append(Item(f"typedef R {{ byte u; {kind} v[2] }};", keep=True))
            p.heads.append(Item("R rec;", keep=True))
            self.records.extend(["rec.u", "rec.v[1]"])
        for i in range(r.randrange(0, 3)):
            kinds = [r.choice(["byte", "byte", "bit", "short", "mtype"]) for _ in range(r.randrange(1, 3))]
            if kinds == ["bit"] and not self.quirks:
                kinds = ["byte"]
            capacity = r.choice([0, 0, 1, 2])
            self.chans.append((f"c{i}", capacity, kinds))
            p.heads.append(Item(f"chan c{i} = [{capacity}] of {{ {', '.join(kinds)} }};", keep=True))
        if r.random() < 0.4:
            saved = list(self.vars)
            self.vars = [("a", "any"), ("b", "any")] + self.vars[:1]
            body = [Item(self.declare("tmp", ["byte", "short"]), keep=True)]
            body += [self.statement(1, False) for _ in range(r.randrange(1, 3))]
            p.inlines.append(Item("inline f(a, b) {", body, "}", keep=True))
            self.vars = saved
            self.inlines.append(("f", 2))
        size = max(1, self.size // 2)
        if r.random() < 0.4:
            kinds = ["byte"] * r.randrange(0, 2)
            parameters = [f"p{i}" for i in range(len(kinds))]
            head = "proctype S(" + "; ".join(f"{k} {q}" for k, q in zip(kinds, parameters)) + ")"
            p.processes.append(self.process("S", head, parameters, r.randrange(1, 3)))
            p.processes[-1].keep = True
            self.runnable.append(("S", kinds))
        for name in ["A", "B"][: r.randrange(1, 3)]:
            count = r.choice(["", "", "", " [2]"])
            p.processes.append(self.process(name, f"active{count} proctype {name}()", [], r.randrange(1, size + 1)))
        if r.random() < 0.3 or self.runnable:
            p.processes.append(self.process("I", "init", [], r.randrange(1, size + 1)))
        return p


def generate(seed, size=10, quirks=False):
    """The program of a seed."""
    return Generator(seed, size, quirks).program()


def all_blocks(program):
    """Every list of items that something can be removed from."""
    todo = [program.heads, program.inlines, program.processes]
    while todo:
        block = todo.pop()
        yield block
        for item in block:
            todo.extend(item.blocks())


def shrink(program, wrong, budget=400):
    """A smaller program for which `wrong(text)` is still true."""
    changed = True
    while changed and budget > 0:
        changed = False
        number = 0
        while budget > 0:
            smaller = copy.deepcopy(program)
            blocks = list(all_blocks(smaller))
            places = [(b, i) for b in range(len(blocks)) for i in range(len(blocks[b]))]
            if number >= 2 * len(places):
                break
            (b, i), unwrap = places[number // 2], number % 2
            item = blocks[b][i]
            number += 1
            if unwrap:
                inner = item.blocks()
                if not inner or item.parts[0] in ("::", "if", "do"):
                    continue
                blocks[b][i:i + 1] = [x for block in inner for x in block]
            else:
                del blocks[b][i]
            budget -= 1
            if wrong(smaller.text()):
                program = smaller
                changed = True
                number = max(0, number - 2)
    return program


if __name__ == "__main__":
    arguments = [int(a) for a in sys.argv[1:]]
    sys.stdout.write(generate(*(arguments or [0])).text())
