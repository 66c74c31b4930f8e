#!/usr/bin/env python3
"""Random SMV models: riata against NuSMV.

    random.py NUSMV RIATA [--count N] [--seed S] [--time SECONDS] [--keep FOLDER] [--jobs N] [--all]

Writes small random models of every kind of declaration, with CTL, LTL (past and bounded operators included), PSL,
invariants and COMPUTE, and runs both tools on each. Compared are the truth value (or number) of every specification and
the number of reachable states. Where one tool accepts a model and the other refuses it, that is counted by the message
and an example is shown; NuSMV's word is final only where both accept. Exit code 1 if a value differs. The smallest model
with each difference is printed after it has been shrunk; `--keep` writes all of them to a folder, `--all` shrinks the
refused ones, too.

One difference is known and wanted: NuSMV looks at fair initial states only, and where there are none, it says that every
CTL formula is true. Riata looks at all initial states then, because an empty fair set means that there is no fair path.
So for each CTL formula f riata is also asked for `EG TRUE -> f`, which must be what NuSMV says of f, and for `! EG TRUE`;
where the two tools differ, the latter must hold. Such differences are counted apart, and so are longest paths (COMPUTE)
where no state is fair.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SYMBOLS = ["aa", "bb", "cc", "dd"]


class Generator:
    """One random model, as a list of modules, each a list of removable lines."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        # NuSMV warns that it is wrong about CTL and COMPUTE with COMPASSION.
        self.compassion = self.r.random() < 0.12
        self.process = not self.compassion and self.r.random() < 0.2
        self.modules = []
        self.bits = 0

    def chance(self, p):
        return self.r.random() < p

    def pick(self, *options):
        return self.r.choice(options)

    # Types: ("B",), ("I", low, high), ("E", values), ("W", signed, width).

    def type(self):
        k = self.r.random()
        if k < 0.3:
            return ("B",)
        if k < 0.55:
            low = self.pick(0, 0, 0, 1, -1, -2, -3)
            return ("I", low, low + self.r.randint(0 if self.chance(0.02) else 1, 4))
        if k < 0.7:
            values = self.r.sample(SYMBOLS, self.r.randint(1 if self.chance(0.05) else 2, 3))
            if self.chance(0.3):
                values += [str(self.r.randint(-2, 3))]
            return ("E", tuple(values))
        if k < 0.75:
            return ("I", *self.r.choice([(-1, 1), (0, 2), (2, 3)]), "set")
        return ("W", self.chance(0.4), self.r.randint(1, 4))

    def bits_of(self, t):
        if t[0] == "B":
            return 1
        if t[0] == "W":
            return t[2]
        return max(1, (len(t[1]) if t[0] == "E" else t[2] - t[1] + 1) - 1).bit_length()

    def write(self, t):
        if t[0] == "B":
            return "{TRUE, FALSE}" if self.chance(0.005) else "boolean"
        if t[0] == "I":
            if len(t) > 3:
                values = list(range(t[1], t[2] + 1))
                self.r.shuffle(values)
                return "{" + ", ".join(map(str, values)) + "}"
            return f"{t[1]}..{t[2]}"
        if t[0] == "E":
            return "{" + ", ".join(t[1]) + "}"
        sign = "signed " if t[1] else self.pick("unsigned ", "")
        return f"{sign}word[{t[2]}]"

    # Expressions.

    def group(self, text):
        """Brackets are left out now and then: precedence decides, and often the types no longer fit."""
        return text if self.chance(0.04) else f"({text})"

    def names(self, ctx, ok):
        return [n for n, t, flags in ctx["scope"] if ok(t) and (ctx["input"] or "input" not in flags) and (ctx["next"] or "next" not in flags)]

    def boolean(self, d, ctx):
        names = self.names(ctx, lambda t: t[0] == "B")
        if d <= 0 or self.chance(0.15):
            if names and self.chance(0.9):
                return self.r.choice(names)
            if self.chance(0.5):
                return self.comparison(0, ctx)
            return self.pick("TRUE", "FALSE")
        k = self.r.randrange(12)
        if k < 4:
            op = self.pick("&", "|", "->", "<->", "xor", "xnor", "=", "!=", "&", "|")
            return self.group(f"{self.boolean(d - 1, ctx)} {op} {self.boolean(d - 1, ctx)}")
        if k < 5:
            return f"!{self.group(self.boolean(d - 1, ctx))}"
        if k < 6 and self.chance(0.2):
            return self.guarded(d, ctx)
        if k < 6:
            return self.case(("B",), d, ctx)
        if k < 7 and ctx["next"]:
            inner = dict(ctx, next=False, input=False)
            return f"next({self.boolean(d - 1, inner)})"
        if k < 8 and self.chance(0.4):
            return f"bool({self.word(self.chance(0.03), 1, d - 1, ctx)})"
        if k < 8 and self.chance(0.2):
            return f"bool({self.integer(d - 1, ctx)})"
        return self.comparison(d, ctx)

    def guarded(self, d, ctx):
        """A condition that keeps a division by zero away, or not."""
        numbers = self.names(ctx, lambda t: t[0] == "I") or ["1"]
        y = self.r.choice(numbers)
        value = f"{self.integer(d - 1, ctx)} {self.pick('/', 'mod')} {y}"
        test = f"({value} {self.pick('=', '<', '>=', '!=')} {self.integer(0, ctx)})"
        zero, other = f"({y} = 0)", f"({y} != 0)"
        return self.pick(
            f"({other} -> {test})",
            f"({zero} | {test})",
            f"({test} & {other})",
            f"({other} & !{test})",
            f"({zero} ? {self.boolean(d - 1, ctx)} : {test})",
            f"case {zero} : {self.boolean(d - 1, ctx)}; {test} : {self.boolean(0, ctx)}; TRUE : {self.boolean(0, ctx)}; esac",
            f"({other} -> case {self.boolean(0, ctx)} : {test}; TRUE : {self.boolean(0, ctx)}; esac)",
        )

    def comparison(self, d, ctx):
        k = self.r.random()
        if k < 0.35:
            op = self.pick("=", "!=", "<", "<=", ">", ">=")
            return self.group(f"{self.integer(d - 1, ctx)} {op} {self.integer(d - 1, ctx)}")
        if k < 0.6:
            signed, width = self.chance(0.4), self.r.randint(1, 4)
            op = self.pick("=", "!=", "<", "<=", ">", ">=")
            return self.group(f"{self.word(signed, width, d - 1, ctx)} {op} {self.word(signed, width, d - 1, ctx)}")
        if k < 0.8:
            op = self.pick("=", "!=", "=")
            return self.group(f"{self.symbol(d - 1, ctx)} {op} {self.symbol(d - 1, ctx)}")
        if k < 0.92:
            members = ", ".join(self.integer(0, ctx) for _ in range(self.r.randint(1, 3)))
            low = self.r.randint(-2, 2)
            some = self.pick("{" + members + "}", f"{low}..{low + self.r.randint(0, 2)}", "{" + members + "} union " + self.integer(0, ctx))
            op = self.pick("=", "!=") if self.chance(0.03) else "in"
            return self.group(f"{self.integer(d - 1, ctx)} {op} {some}")
        members = ", ".join(self.r.sample(SYMBOLS, self.r.randint(1, 3)))
        return self.group(f"{self.symbol(d - 1, ctx)} in {{{members}}}")

    def symbol(self, d, ctx):
        names = self.names(ctx, lambda t: t[0] == "E")
        if d > 0 and self.chance(0.2):
            return self.case(("E",), d, ctx)
        if ctx["next"] and names and self.chance(0.2):
            return f"next({self.r.choice(names)})" if not self.is_input(ctx, names) else self.r.choice(names)
        if names and self.chance(0.7):
            return self.r.choice(names)
        return self.r.choice(SYMBOLS[:3])

    def is_input(self, ctx, names):
        return any("input" in f or "next" in f for n, _, f in ctx["scope"] if n in names)

    def case(self, t, d, ctx):
        value = lambda: self.of(t, d - 1, ctx)
        if self.chance(0.4):
            return self.group(f"{self.boolean(d - 1, ctx)} ? {value()} : {value()}")
        branches = "".join(f"{self.boolean(d - 1, ctx)} : {value()}; " for _ in range(self.r.randint(1, 2)))
        last = "" if self.chance(0.03) else f"TRUE : {value()}; "
        return f"case {branches}{last}esac"

    def of(self, t, d, ctx):
        if t[0] == "B":
            return self.boolean(d, ctx)
        if t[0] == "I":
            return self.integer(d, ctx)
        if t[0] == "E":
            return self.symbol(d, ctx)
        return self.word(t[1], t[2], d, ctx)

    def integer(self, d, ctx):
        names = self.names(ctx, lambda t: t[0] == "I")
        if d <= 0 or self.chance(0.2):
            if names and self.chance(0.75):
                return self.r.choice(names)
            return str(self.r.randint(-3, 5))
        k = self.r.randrange(12)
        if k < 3:
            op = self.pick("+", "-", "*")
            return self.group(f"{self.integer(d - 1, ctx)} {op} {self.integer(d - 1, ctx)}")
        if k < 5:
            by = self.integer(d - 1, ctx) if self.chance(0.15) else str(self.pick(1, 2, 3, -2, -3))
            return self.group(f"{self.integer(d - 1, ctx)} {self.pick('/', 'mod')} {by}")
        if k < 6:
            return f"count({', '.join(self.boolean(d - 1, ctx) for _ in range(self.r.randint(1, 3)))})"
        if k < 7:
            return f"toint({self.pick(self.word(self.chance(0.5), self.r.randint(1, 3), d - 1, ctx), self.boolean(d - 1, ctx))})"
        if k < 8:
            return f"-{self.group(self.integer(d - 1, ctx))}"
        if k < 9:
            f = self.pick("abs", "min", "max")
            args = [self.integer(d - 1, ctx) for _ in range(1 if f == "abs" else 2)]
            return f"{f}({', '.join(args)})"
        if k < 10 and ctx["next"]:
            return f"next({self.integer(d - 1, dict(ctx, next=False, input=False))})"
        if k < 11:
            return self.case(("I",), d, ctx)
        return self.r.choice(names) if names else "1"

    def constant_word(self, signed, width):
        if signed and self.chance(0.2):
            return f"-0sd{width}_{self.r.randint(0, 2 ** (width - 1))}"
        value = self.r.randrange(2**width)
        k = self.r.randrange(6)
        sign = "s" if signed else self.pick("u", "")
        if k == 0:
            return f"0{sign}b{width}_{value:0{width}b}"
        if k == 1:
            return f"0{sign}h{width}_{value:x}"
        if k == 2:
            return f"0{sign}o{width}_{value:o}"
        if k == 3:
            low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if signed else (0, 2**width - 1)
            high += self.chance(0.03)
            return f"{'s' if signed else 'u'}wconst({self.r.randint(low, high)}, {width})"
        if k == 4:
            return f"0{sign}b_{value:0{width}b}"
        if signed:
            value = self.r.randrange(2 ** (width - 1)) if not self.chance(0.02) else value
        return f"0{sign}d{width}_{value}"

    def word(self, signed, width, d, ctx):
        names = self.names(ctx, lambda t: t == ("W", signed, width))
        if d <= 0 or self.chance(0.2):
            if names and self.chance(0.85):
                return self.r.choice(names)
            return self.constant_word(signed, width)
        same = lambda: self.word(signed, width, d - 1, ctx)
        k = self.r.randrange(16)
        if k < 3:
            return self.group(f"{same()} {self.pick('+', '-', '*')} {same()}")
        if k < 4:
            by = same() if self.chance(0.1) else self.group(f"{same()} | 0{'s' if signed else 'u'}b{width}_{1:0{width}b}")
            return self.group(f"{same()} {self.pick('/', 'mod')} {by}")
        if k < 6:
            return self.group(f"{same()} {self.pick('&', '|', 'xor', 'xnor', '<->', '->')} {same()}")
        if k < 7:
            return f"{self.pick('!', '-')}{self.group(same())}"
        if k < 9:
            by = self.pick(
                str(self.r.randint(0, width + (1 if self.chance(0.1) else 0))),
                self.word(False, self.r.randint(1, 2 if width > 2 else 1), d - 1, ctx),
            )
            return self.group(f"{same()} {self.pick('<<', '>>')} {by}")
        if k < 10 and not signed and width > 1:
            n = self.r.randint(1, width - 1)
            a, b = self.word(self.chance(0.3), n, d - 1, ctx), self.word(self.chance(0.3), width - n, d - 1, ctx)
            return self.group(f"{a} :: {b}")
        if k < 11 and not signed:
            wide = width + self.r.randint(0, 2)
            low = self.r.randint(0, wide - width)
            return f"{self.group(self.word(self.chance(0.3), wide, d - 1, ctx))}[{low + width - 1}:{low}]"
        if k < 12 and width > 1:
            n = self.r.randint(1, width - 1)
            return f"extend({self.word(signed, n, d - 1, ctx)}, {width - n})"
        if k < 13:
            # NuSMV 2.6 is wrong about a negative constant that becomes one signed bit.
            wide = 1 if signed and width == 1 else self.r.randint(1, 5)
            return f"resize({self.word(signed, wide, d - 1, ctx)}, {width})"
        if k < 14:
            other = self.word(not signed, width, d - 1, ctx)
            return f"{'signed' if signed else 'unsigned'}({other})"
        if k < 15 and width == 1 and not signed:
            return f"word1({self.boolean(d - 1, ctx)})"
        if ctx["next"] and self.chance(0.3):
            return f"next({self.word(signed, width, d - 1, dict(ctx, next=False, input=False))})"
        return self.case(("W", signed, width), d, ctx)

    def assigned(self, t, d, ctx):
        """A value, or a set of values, that a variable of type t can have."""
        k = self.r.random()
        if t[0] == "B":
            if k < 0.2:
                return self.pick("{TRUE, FALSE}", "{FALSE}", f"{{{self.boolean(1, ctx)}, {self.boolean(1, ctx)}}}", f"{self.boolean(0, ctx)} union TRUE")
            return self.boolean(d, ctx)
        if t[0] == "W":
            if k < 0.01:
                return f"{{{self.word(t[1], t[2], 1, ctx)}, {self.word(t[1], t[2], 1, ctx)}}}"
            return self.word(t[1], t[2], d, ctx)
        if t[0] == "E":
            own = lambda: self.r.choice([v for v in t[1]] + self.names(ctx, lambda u: u == t))
            if k < 0.3:
                return self.pick(own(), "{" + own() + ", " + own() + "}", own() + " union " + own())
            if k < 0.34:
                return self.symbol(d, ctx)
            return f"case {self.boolean(d - 1, ctx)} : {own()}; {self.boolean(1, ctx)} : {{{own()}, {own()}}}; TRUE : {own()}; esac"
        low, high = t[1], t[2]
        own = lambda: self.r.choice([str(self.r.randint(low, high))] + self.names(ctx, lambda u: u == t))
        if k < 0.25:
            return self.pick(own(), "{" + own() + ", " + own() + "}", f"{low}..{high}", own() + " union " + own())
        e = self.integer(d, ctx)
        if k < 0.3:
            return e
        if k < 0.5:
            return f"case {e} >= {low} & {e} <= {high} : {e}; TRUE : {own()}; esac"
        if k < 0.6:
            return f"case {e} in {low}..{high} : {{{e}, {own()}}}; TRUE : {own()}; esac"
        if k < 0.8 and low >= 0:
            return f"{low} + abs({e}) mod {high - low + 1}"
        return f"max({low}, min({high}, {e}))"

    # Temporal formulas.

    def ctl(self, d, ctx):
        if d <= 0 or self.chance(0.1):
            return self.boolean(2, ctx)
        k = self.r.randrange(10)
        n = self.r.randint(0, 2)
        bounds = f"{n}..{n + self.r.randint(0, 2)}"
        if k < 5:
            return f"{self.pick('EX', 'AX', 'EF', 'AF', 'EG', 'AG')} {self.group(self.ctl(d - 1, ctx))}"
        if k < 6:
            return f"{self.pick('E', 'A')} [{self.ctl(d - 1, ctx)} U {self.ctl(d - 1, ctx)}]"
        if k < 7:
            if self.chance(0.4):
                return f"{self.pick('E', 'A')} [{self.ctl(d - 1, ctx)} BU {bounds} {self.ctl(d - 1, ctx)}]"
            return f"{self.pick('EBF', 'ABF', 'EBG', 'ABG')} {bounds} {self.group(self.ctl(d - 1, ctx))}"
        if k < 8:
            return f"!{self.group(self.ctl(d - 1, ctx))}"
        op = self.pick("&", "|", "->", "<->", "xor", "xnor")
        return self.group(f"{self.ctl(d - 1, ctx)} {op} {self.ctl(d - 1, ctx)}")

    def ltl(self, d, ctx):
        if d <= 0 or self.chance(0.1):
            return self.boolean(2, ctx)
        k = self.r.randrange(10)
        if k < 4:
            op = self.pick("X", "F", "G", "F", "G", "Y", "Z", "O", "H")
            if op in "FGOH" and self.chance(0.25):
                n = self.r.randint(0, 2)
                op += f" [{n}, {n + self.r.randint(0, 2)}]"
            return f"{op} {self.group(self.ltl(d - 1, ctx))}"
        if k < 7:
            return self.group(f"{self.ltl(d - 1, ctx)} {self.pick('U', 'V', 'S', 'T')} {self.ltl(d - 1, ctx)}")
        if k < 8:
            return f"!{self.group(self.ltl(d - 1, ctx))}"
        op = self.pick("&", "|", "->", "<->", "xor", "xnor")
        return self.group(f"{self.ltl(d - 1, ctx)} {op} {self.ltl(d - 1, ctx)}")

    def psl(self, d, ctx):
        names = self.names(ctx, lambda t: t[0] == "B") or ["TRUE"]
        if d <= 0 or self.chance(0.1):
            return self.r.choice(names) if self.chance(0.6) else f"({self.r.choice(names)} {self.pick('&', '|', '->')} {self.r.choice(names)})"
        inner, other = self.psl(d - 1, ctx), self.psl(d - 1, ctx)
        n, m = self.r.randint(0, 2), self.r.randint(0, 2)
        return self.pick(
            f"(always ({inner}))",
            f"(never ({inner}))",
            f"(eventually! ({inner}))",
            f"(next ({inner}))",
            f"(next! ({inner}))",
            f"(next[{n}] ({inner}))",
            f"(next![{n}] ({inner}))",
            f"({inner} {self.pick('until', 'until!', 'until_', 'until!_')} {other})",
            f"({inner} {self.pick('before', 'before!', 'before_', 'before!_')} {other})",
            f"({inner} {self.pick('&', '|', '->', '<->')} {other})",
            f"(next_a[{n}:{n + m}] ({inner}))",
            f"(next_e[{n}:{n + m}] ({inner}))",
            f"(next_a![{n}:{n + m}] ({inner}))",
            f"(next_e![{n}:{n + m}] ({inner}))",
            f"(next_event({self.psl(0, ctx)})({inner}))",
            f"(next_event!({self.psl(0, ctx)})({inner}))",
            f"(G ({inner}))",
            f"(F ({inner}))",
            f"(X ({inner}))",
            f"(({inner}) U ({other}))",
            f"(!({inner}))",
        )

    # Declarations.

    def body(self, lines, scope, variables, prefix=None):
        """Assignments and constraints over the variables of a module."""
        state = [(n, t) for n, t, kind in variables if kind == "state"]
        frozen = [(n, t) for n, t, kind in variables if kind == "frozen"]
        ctx = lambda **more: {"scope": more.pop("scope", scope), "next": False, "input": False, **more}
        done = []
        for i, (n, t) in enumerate(state):
            k = self.r.random()
            plain = [(m, u, f) for m, u, f in scope if m in done and not f]
            if k < 0.1:
                lines.append(f"ASSIGN {n} := {self.assigned(t, 2, ctx(scope=plain))};")
                done.append(n)
                continue
            if k < 0.6:
                lines.append(f"ASSIGN init({n}) := {self.assigned(t, 1, ctx(scope=plain if self.chance(0.97) else scope))};")
            if k < 0.2 or k > 0.35:
                reads = ctx(input=True)
                if done and self.chance(0.2):
                    earlier = [(f"next({m})", u, f) for m, u, f in plain]
                    reads = ctx(input=True, scope=scope + earlier)
                lines.append(f"ASSIGN next({n}) := {self.assigned(t, 2, reads)};")
            done.append(n)
        for n, t in frozen:
            if self.chance(0.4):
                lines.append(f"ASSIGN init({n}) := {self.assigned(t, 1, ctx(scope=[]))};")
        if self.chance(0.25):
            lines.append(f"INIT {self.weak(2, ctx())}")
        if self.chance(0.2):
            lines.append(f"INVAR {self.weak(2, ctx())}{self.pick(';', '')}")
        if self.chance(0.3):
            lines.append(f"TRANS {self.weak(3, ctx(next=True, input=True))}")

    def weak(self, d, ctx):
        """A condition that is often true: most models are to have states, and steps."""
        if self.chance(0.15):
            return self.boolean(d, ctx)
        return self.group(" | ".join(self.boolean(d - i % 2, ctx) for i in range(self.r.randint(2, 3))))

    def declare(self, lines, scope, variables, count, defines=True):
        for i in range(count):
            t = self.type()
            if self.bits + self.bits_of(t) > 11:
                break
            n = f"{self.pick('x', 'y', 'z')}{len(variables)}"
            k = self.r.random()
            if k < 0.08 and self.bits + 3 * self.bits_of(t) <= 11:
                low = self.pick(0, 1, -1)
                self.bits += 3 * self.bits_of(t)
                lines.append(f"VAR {n} : array {low}..{low + 2} of {self.write(t)};")
                for j in range(low, low + 3):
                    scope.append((f"{n}[{j}]", t, ()))
                    variables.append((f"{n}[{j}]", t, "state"))
                ints = [m for m, u, f in scope if u[0] == "I" and not f]
                if ints:
                    m = self.r.choice(ints)
                    index = f"case {m} in {low}..{low + 2} : {m}; TRUE : {low}; esac" if self.chance(0.8) else m
                    scope.append((f"{n}[{index}]", t, ()))
                continue
            if k < 0.11 and self.bits + 4 * self.bits_of(t) <= 11:
                self.bits += 4 * self.bits_of(t)
                lines.append(f"VAR {n} : array 0..1 of array 1..2 of {self.write(t)};")
                for j in ("[0][1]", "[0][2]", "[1][1]", "[1][2]"):
                    scope.append((n + j, t, ()))
                    variables.append((n + j, t, "state"))
                continue
            self.bits += self.bits_of(t)
            if k < 0.22 and not self.compassion:
                lines.append(f"IVAR {n} : {self.write(t)};")
                scope.append((n, t, ("input",)))
                variables.append((n, t, "input"))
            elif k < 0.3:
                lines.append(f"FROZENVAR {n} : {self.write(t)};")
                scope.append((n, t, ()))
                variables.append((n, t, "frozen"))
            else:
                lines.append(f"VAR {n} : {self.write(t)};")
                scope.append((n, t, ()))
                variables.append((n, t, "state"))
        for i in range(self.r.randint(0, 2) if defines else 0):
            k = self.r.random()
            ctx = {"scope": list(scope), "next": k < 0.15, "input": 0.1 < k < 0.3}
            t = self.type()
            flags = tuple(f for f in ("next", "input") if ctx[f])
            if self.chance(0.15) and not flags:
                lines.append(f"DEFINE d{i} := [{self.of(t, 1, ctx)}, {self.of(t, 1, ctx)}];")
                scope.append((f"d{i}[0]", t, flags))
                scope.append((f"d{i}[1]", t, flags))
                continue
            lines.append(f"DEFINE d{i} := {self.of(t, 2, ctx)};")
            scope.append((f"d{i}", t, flags))

    def model(self):
        main, scope, variables = [], [], []
        self.declare(main, scope, variables, self.r.randint(1, 4))
        plain = [(n, t, f) for n, t, f in scope if not f]
        if self.process or self.chance(0.4):
            self.submodules(main, scope, plain)
        if self.chance(0.3):
            self.declare(main, scope, variables, 1, defines=False)
        main.append("VAR uses : {aa, bb, cc, dd};" if self.chance(0.1) else "CONSTANTS aa, bb, cc, dd;")
        self.body(main, scope, variables)
        ctx = {"scope": scope, "next": False, "input": False}
        for _ in range(self.pick(0, 0, 0, 1, 1, 2)):
            inputs = dict(ctx, input=self.chance(0.4) and not self.compassion)
            main.append(f"{self.pick('FAIRNESS', 'JUSTICE')} {self.boolean(2, inputs)}")
        if self.compassion:
            for _ in range(self.r.randint(0, 2)):
                main.append(f"COMPASSION({self.boolean(1, ctx)}, {self.boolean(1, ctx)})")
        if self.process and self.chance(0.3):
            main.append("FAIRNESS running")
        wide = dict(ctx, input=self.chance(0.15), next=self.chance(0.15))
        narrow = ctx if self.compassion else wide
        for i in range(self.r.randint(3, 6)):
            k = self.r.random()
            if k < 0.35 and not self.compassion:
                main.append(f"{self.pick('SPEC', 'CTLSPEC')} NAME p{i} := {self.ctl(2, ctx)};")
            elif k < 0.75 or (self.compassion and k < 0.9):
                main.append(f"LTLSPEC NAME p{i} := {self.ltl(2, narrow)};")
            elif k < 0.85:
                main.append(f"INVARSPEC NAME p{i} := {self.boolean(2, narrow)};")
            elif k < 0.95 and not self.compassion:
                main.append(f"COMPUTE NAME p{i} := {self.pick('MIN', 'MAX')} [{self.ctl(1, ctx)}, {self.ctl(1, ctx)}];")
            else:
                main.append(f"PSLSPEC NAME p{i} := {self.psl(2, ctx)};")
        modules = self.modules + [("MODULE main", main)]
        if self.chance(0.5):
            modules.reverse()
        return modules

    def submodules(self, main, scope, plain):
        for m in range(self.r.randint(1, 2)):
            formals = [(f"f{i}", *self.r.choice(plain)[1:]) for i in range(self.r.randint(0, 2))] if plain else []
            lines, inner, variables = [], list(formals), []
            before = self.bits
            self.declare(lines, inner, variables, self.r.randint(1, 2))
            cost = self.bits - before
            if not variables:
                return
            if self.process and self.chance(0.5):
                inner.append(("running", ("B",), ("input",)))
            self.body(lines, inner, variables)
            if self.process and self.chance(0.4):
                lines.append("FAIRNESS running")
            shared = None
            if self.process and formals and self.chance(0.5):
                shared = self.r.choice(formals)
                ctx = {"scope": inner, "next": False, "input": True}
                lines.append(f"ASSIGN next({shared[0]}) := {self.assigned(shared[1], 2, ctx)};")
            if self.chance(0.2) and not self.compassion:
                ctx = {"scope": inner, "next": False, "input": False}
                lines.append(f"CTLSPEC NAME s{m} := {self.ctl(1, ctx)};")
            if self.chance(0.2):
                ctx = {"scope": inner, "next": False, "input": False}
                lines.append(f"LTLSPEC NAME t{m} := {self.ltl(2, ctx)};")
            if self.chance(0.15):
                self.modules.append((f"MODULE base{m}", lines))
                lines = [f"ISA base{m}"]
            head = f"MODULE m{m}" + (f"({', '.join(f[0] for f in formals)})" if formals else self.pick("", "()"))
            self.modules.append((head, lines))
            for i in range(self.r.randint(1, 2)):
                if i and self.bits + cost > 12:
                    break
                self.bits += cost if i else 0
                ctx = {"scope": plain, "next": False, "input": False}
                actuals = []
                for formal in formals:
                    t = formal[1]
                    same = [n for n, u, f in plain if u == t]
                    named = same and (formal == shared or self.chance(0.8))
                    actuals.append(self.r.choice(same) if named else self.of(t, 1, ctx))
                name = f"i{m}{i}"
                process = "process " if self.process and self.chance(0.7) else ""
                main.append(f"VAR {name} : {process}m{m}" + (f"({', '.join(actuals)})" if actuals else "") + ";")
                for n, t, kind in variables:
                    scope.append((f"{name}.{n}", t, ("input",) if kind == "input" else ()))
                if process and self.chance(0.5):
                    scope.append((f"{name}.running", ("B",), ("input",)))


def text(modules):
    return "".join(head + "\n" + "".join("  " + line + "\n" for line in lines) for head, lines in modules)


# The two tools.

CTL = re.compile(r"^(\s*)(?:SPEC|CTLSPEC) NAME (\w+) := (.*);$", re.MULTILINE)


def run(command, seconds):
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
        script = self.file(
            f"n{tag}.cmd",
            f"read_model -i {path}\nflatten_hierarchy\nencode_variables\nbuild_model\nprint_reachable_states\n"
            "check_property\nshow_property\nquit\n",
        )
        code, out, err = run([self.nusmv_binary, "-dcx", "-source", script], self.seconds)
        if code is None:
            return {"stopped": True}
        values = {}
        for found in re.finditer(r"\[(CTL|LTL|PSL|Invar|Quantitative)\s+(\w+)\s+\S+\s+(\S+)\]", out):
            values[found[3]] = found[2].lower().replace("infinite", "infinity")
        # Without a fair path NuSMV counts none of the states outside the goal: a longest path of 0 steps.
        unfair = "fair states are empty" in err + out
        states = re.search(r"^reachable states: (\S+)", out, re.MULTILINE)
        if re.search("Aborting batch mode|^aborting 'source", err + out, re.MULTILINE) or code != 0 or not states or "unchecked" in values.values():
            lines = [l for l in (err + "\n" + out).splitlines() if l.strip() and not l.startswith(("***", "WARNING", "system dia", "####", "reachable", "-- ", "Fair states", "This might", "The initial"))]
            lines = [l for l in lines if not re.search("terminated by a signal|Aborting|leave NuSMV|^aborting|^NuSMV >", l)]
            return {"refused": " / ".join(lines)[:300] or f"exit code {code}", "values": values}
        return {"values": values, "states": float(states[1]), "unfair": unfair}

    def riata(self, model, tag):
        also = lambda m: f"{m[0]}\n{m[1]}CTLSPEC NAME {m[2]}_fair := (EG TRUE) -> ({m[3]});"
        model = CTL.sub(also, model).replace("MODULE main\n", "MODULE main\n  CTLSPEC NAME no_fair_path := ! EG TRUE;\n")
        path = self.file(f"r{tag}.smv", model)
        code, out, err = run([self.riata_binary, "check", path, "--json"], self.seconds)
        if code is None:
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
        return {"values": values, "states": states}

    def compare(self, model, tag):
        """What is different: (kind, what), or None."""
        theirs, mine = self.nusmv(model, tag), self.riata(model, tag)
        if mine.get("crash"):
            return ("WRONG", mine["refused"], 0)
        if "stopped" in theirs or "stopped" in mine:
            return ("stopped", "NuSMV" if "stopped" in theirs else "riata", 0)
        if "refused" in theirs and "refused" in mine:
            return ("both refuse", simple(theirs["refused"]), 0)
        if "refused" in theirs:
            return ("accepted by riata only", simple(theirs["refused"]), 0)
        if "refused" in mine:
            return ("accepted by NuSMV only", simple(mine["refused"]), 0)
        known, compared = 0, 0
        for name, value in theirs["values"].items():
            if name not in mine["values"]:
                if name != "N/A":
                    return ("WRONG", f"{name}: {value}, {mine['values'].get(name)}", 0)
                continue
            own = mine["values"][name]
            compared += 1
            if own == value:
                continue
            lonely = mine["values"]["no_fair_path"] == "true"
            if own == "false" and value == "true" and lonely and mine["values"].get(name + "_fair") == "true":
                known += 1
                continue
            if own == "undefined" and value == "0" and theirs["unfair"] and lonely:
                known += 1
                continue
            return ("WRONG", f"NuSMV {value}, riata {own}: {kind(model, name)}", 0)
        if mine["states"] is not None and theirs["values"] and abs(mine["states"] - theirs["states"]) > 1e-4 * theirs["states"]:
            return ("WRONG", f"states: NuSMV {theirs['states']:g}, riata {mine['states']:g}", 0)
        return ("same, but for models without a fair path" if known else "same", "", compared)


def kind(model, name):
    found = re.search(rf"(\w+) NAME {name} :=", model)
    return found[1] if found else name


def simple(message):
    """A message without the names and numbers of the model."""
    message = re.sub(r"(file|aborting) \S+ ?(line \d+:?)?", "", message)
    message = re.sub(r"[`'\"][^`'\"]*[`'\"]", "_", message)
    message = re.sub(r"-?\d+", "N", message)
    return message.strip()[:150]


# Shrinking.

def smaller(modules):
    """Models with one part less."""
    for m in range(len(modules)):
        head, lines = modules[m]
        if "main" not in head:
            yield modules[:m] + modules[m + 1 :]
        for size in (8, 4, 2, 1):
            for i in range(0, len(lines), size):
                if i + size <= len(lines):
                    yield modules[:m] + [(head, lines[:i] + lines[i + size :])] + modules[m + 1 :]
    for m in range(len(modules)):
        head, lines = modules[m]
        for i, line in enumerate(lines):
            for shorter in shorter_lines(line):
                yield modules[:m] + [(head, lines[:i] + [shorter] + lines[i + 1 :])] + modules[m + 1 :]


def groups(line):
    """Bracketed parts, and case expressions."""
    stack, found = [], []
    for i, c in enumerate(line):
        if c == "(":
            stack.append(i)
        elif c == ")" and stack:
            j = stack.pop()
            found.append((j, i + 1))
            before = re.search(r"\w+$", line[:j])
            if before:
                found.append((before.start(), i + 1))
    for m in re.finditer(r"case (?:(?!case|esac).)*esac", line):
        found.append(m.span())
    return sorted(found, key=lambda s: s[0] - s[1])


def shorter_lines(line):
    parts = groups(line)
    for a, b in parts:
        inside = [p for p in parts if a < p[0] and p[1] < b]
        options = [line[c:d] for c, d in inside] + ["TRUE", "FALSE", "0", "1"]
        options += re.findall(r"[a-z]\w*(?:\.\w+)?(?:\[-?\d\])?", line[a:b])
        for option in options:
            if len(option) < b - a:
                yield line[:a] + option + line[b:]
    for a, b in parts:
        for m in re.finditer(r" (?:<->|->|[&|]|xor|xnor|[-+*/]|mod|[<>]=?|!?=|[UVST]|in|union) ", line[a:b]):
            yield line[:a] + "(" + line[a + m.end() : b]
            yield line[: a + m.start()] + ")" + line[b:]
    for m in re.finditer(r"[EA][XFG] |[XFGYZOH] |!|-", line):
        yield line[: m.start()] + line[m.end() :]


def shrink(tools, modules, difference, tag, tries=400):
    again = True
    while again and tries > 0:
        again = False
        for candidate in smaller(modules):
            tries -= 1
            if tries <= 0:
                break
            found = tools.compare(text(candidate), tag)
            if found and found[:2] == difference[:2]:
                modules, again = candidate, True
                break
    return modules


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nusmv")
    parser.add_argument("riata")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=float, default=20, help="seconds for one run of one tool")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the shrunken models")
    parser.add_argument("--all", action="store_true", help="shrink the models that only one tool accepts, too")
    options = parser.parse_args()
    tools = Tools(options.nusmv, options.riata, options.time)
    counts, examples, specifications = {}, {}, 0

    def one(seed):
        modules = Generator(seed).model()
        return seed, modules, tools.compare(text(modules), seed % (4 * options.jobs))

    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, modules, found in pool.map(one, range(options.seed, options.seed + options.count)):
            what, why, compared = found
            specifications += compared
            counts[what] = counts.get(what, 0) + 1
            if not what.startswith("same"):
                examples.setdefault((what, why), []).append((len(text(modules)), seed, modules))
            if what == "WRONG":
                print(f"seed {seed}: {why}", flush=True)
    for (what, why), found in sorted(examples.items(), key=lambda e: (e[0][0], -len(e[1]))):
        _, seed, modules = min(found, key=lambda f: f[:2])
        print(f"\n== {what}: {why} ({len(found)} times; seed {seed})")
        if what == "WRONG" or options.all:
            modules = shrink(tools, modules, (what, why), "s")
            print(text(modules), end="")
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{what.split()[0]}-{seed}.smv"), "w") as file:
                    file.write(f"-- {what}: {why}\n" + text(modules))
    print(f"\n{sum(counts.values())} models, {specifications} specifications compared")
    for what in sorted(counts):
        print(f"  {counts[what]:6} {what}")
    return 1 if counts.get("WRONG") else 0


if __name__ == "__main__":
    sys.exit(main())
