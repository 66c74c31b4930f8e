"""Small random SMV models, of every kind of declaration and operator.

`Generator(seed).model()` is a list of modules, each a head and a list of lines that may be left out one by one; `text`
writes it. Models are small (about 12 bits), often wrong, and often without a fair path or an initial state.
"""

import random

SYMBOLS = ["aa", "bb", "cc", "dd"]


class Generator:
    """One random model, as a list of modules, each a list of removable lines."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        # NuSMV warns that it is wrong about CTL and COMPUTE with COMPASSION.
        self.compassion = self.r.random() < 0.12
        self.process = self.r.random() < 0.25
        # Names in quotation marks and with dots.
        self.odd = self.r.random() < 0.15
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
        kind = self.pick("I", "I", "I", "E", "E", "B")
        single = {"I": self.integer, "E": self.symbol, "B": self.boolean}[kind]
        left = single(d - 1, ctx) if self.chance(0.5) else self.some(kind, d, ctx)
        op = self.pick("=", "!=", "<", "+") if self.chance(0.03) else "in"
        right = single(0, ctx) if self.chance(0.1) else self.some(kind, d, ctx)
        if self.chance(0.03):
            right = self.some(self.pick("I", "E", "B"), d, ctx)
        return self.group(f"{left} {op} {right}")

    def some(self, kind, d, ctx):
        """A set of numbers, symbols or booleans."""
        single = {"I": self.integer, "E": self.symbol, "B": self.boolean}[kind]
        members = lambda: ", ".join(single(0, ctx) for _ in range(self.r.randint(1, 3)))
        k = self.r.random()
        if k < 0.45 or d <= 0:
            return "{" + members() + "}"
        if k < 0.6 and kind == "I":
            low = self.r.randint(-2, 2)
            return f"{low}..{low + self.r.randint(0, 3)}"
        if k < 0.75:
            return "{" + members() + "} union " + self.pick(single(0, ctx), "{" + members() + "}")
        if k < 0.85:
            return f"({self.boolean(d - 1, ctx)} ? {self.some(kind, d - 1, ctx)} : {self.pick(single(0, ctx), self.some(kind, d - 1, ctx))})"
        if k < 0.97:
            return f"case {self.boolean(d - 1, ctx)} : {self.some(kind, d - 1, ctx)}; TRUE : {single(0, ctx)}; esac"
        return "{" + members() + ", " + self.pick("TRUE", "1", "aa") + "}"

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

    def number(self, n):
        """A constant expression for a number."""
        if self.chance(0.7):
            return str(n)
        m = self.r.randint(1, 3)
        return self.pick(f"{n - m} + {m}", f"{n + m} - {m}", f"{2 * n} / 2", f"max({n}, {n - m})", f"min({n + m}, {n})", f"{n * 1} mod {abs(n) + m}" if n >= 0 else str(n))

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
            return f"{'s' if signed else 'u'}wconst({self.number(self.r.randint(low, high))}, {self.number(width)})"
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
        k = self.r.randrange(17)
        if k == 16:
            return f"{self.pick('min', 'max')}({same()}, {same()})"
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
            return f"{self.group(self.word(self.chance(0.3), wide, d - 1, ctx))}[{self.number(low + width - 1)}:{self.number(low)}]"
        if k < 12 and width > 1:
            n = self.r.randint(1, width - 1)
            return f"extend({self.word(signed, n, d - 1, ctx)}, {self.number(width - n)})"
        if k < 13:
            # NuSMV 2.6 is wrong about a negative constant that becomes one signed bit.
            wide = 1 if signed and width == 1 else self.r.randint(1, 5)
            return f"resize({self.word(signed, wide, d - 1, ctx)}, {self.number(width)})"
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

    def deep(self, d, names):
        """Nested operators of the past and the future over variables."""
        if d <= 0 or self.chance(0.08):
            return self.r.choice(names)
        inner = lambda: self.deep(d - 1 - self.chance(0.2), names)
        k = self.r.random()
        if k < 0.3:
            return f"{self.pick('X', 'F', 'G', 'Y', 'Z', 'O', 'H', '!')} ({inner()})"
        if k < 0.75:
            return f"({inner()} {self.pick('U', 'V', 'S', 'T')} {inner()})"
        return f"({inner()} {self.pick('&', '|', '->', '<->')} {inner()})"

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

    def index(self, scope, low, high):
        """An expression between the bounds, or now and then one that may be outside."""
        options = [str(self.r.randint(low, high))]
        for m, u, f in scope:
            if f or len(m) > 20:
                continue
            if u[0] == "I":
                options.append(m if self.chance(0.1) else f"case {m} in {low}..{high} : {m}; TRUE : {low}; esac")
                if u[1] >= low and u[2] <= high:
                    options += [m, m]
            elif u[0] == "W" and not u[1]:
                options.append(f"min({low + 1}, max({low}, toint({m})))")
                if low == 0 and 2 ** u[2] - 1 <= high:
                    options += [m, m]
            elif u[0] == "B":
                options += [f"{low} + toint({m})", f"({m} ? {low} : {high})"]
        return self.r.choice(options)

    def declare(self, lines, scope, variables, count, defines=True):
        for i in range(count):
            t = self.type()
            if self.bits + self.bits_of(t) > 11:
                break
            n = f"{self.pick('x', 'y', 'z')}{len(variables)}"
            if self.odd and self.chance(0.4):
                n = self.pick(f'"{n} q"', f"{n}.a", f"{n}.a.b", f"{n}[1]", f"{n}.0", f'"VAR {n}"')
            k = self.r.random()
            if k < 0.08 and self.bits + 3 * self.bits_of(t) <= 11 and "[" not in n:
                low = self.pick(0, 1, -1)
                self.bits += 3 * self.bits_of(t)
                lines.append(f"VAR {n} : array {low}..{low + 2} of {self.write(t)};")
                for j in range(low, low + 3):
                    scope.append((f"{n}[{j}]", t, ()))
                    variables.append((f"{n}[{j}]", t, "state"))
                for _ in range(2):
                    scope.append((f"{n}[{self.index(scope, low, low + 2)}]", t, ()))
                if self.chance(0.3):
                    lines.append(f"DEFINE a{i}{n[0]} := {n};")
                    scope.append((f"a{i}{n[0]}[{self.index(scope, low, low + 2)}]", t, ()))
                continue
            if k < 0.13 and self.bits + 4 * self.bits_of(t) <= 11 and "[" not in n:
                self.bits += 4 * self.bits_of(t)
                lines.append(f"VAR {n} : array 0..1 of array 1..2 of {self.write(t)};")
                whole = self.chance(0.4)
                for j in ("[0][1]", "[0][2]", "[1][1]", "[1][2]"):
                    scope.append((n + j, t, ()))
                    variables.append((n + j, t, "part" if whole else "state"))
                index = lambda low, high: self.index(scope, low, high)
                for _ in range(3):
                    scope.append((f"{n}[{index(0, 1)}][{index(1, 2)}]", t, ()))
                scope.append((f"({n}[{index(0, 1)}])[{index(1, 2)}]", t, ()))
                test = self.r.choice([m for m, u, f in scope if u[0] == "B" and not f] or ["TRUE"])
                scope.append((f"({test} ? {n}[0] : {n}[1])[{index(1, 2)}]", t, ()))
                if whole:
                    lines += self.r.sample(
                        [
                            f"ASSIGN init({n}[0]) := {n}[1];",
                            f"ASSIGN next({n}[1]) := {n}[0];",
                            f"ASSIGN next({n}[0]) := {n}[1];",
                            f"TRANS next({n}[0]) = {n}[1]",
                            f"TRANS next({n})[0][1] = {n}[1][{index(1, 2)}]",
                            f"INIT {n}[0] = {n}[1]",
                        ],
                        self.r.randint(1, 3),
                    )
                continue
            self.bits += self.bits_of(t)
            if k < 0.22:
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
                scope.append((f"d{i}[{self.index(ctx['scope'], 0, 1)}]", t, flags))
                continue
            lines.append(f"DEFINE d{i} := {self.of(t, 2, ctx)};")
            scope.append((f"d{i}", t, flags))

    def model(self):
        main, scope, variables = [], [], []
        self.declare(main, scope, variables, self.r.randint(1, 4))
        plain = [(n, t, f) for n, t, f in scope if not f]
        if self.process or self.chance(0.4):
            self.submodules(main, scope, plain)
        if self.chance(0.15):
            self.nested(main, scope, "m")
        if self.chance(0.3):
            self.declare(main, scope, variables, 1, defines=False)
        main.append("VAR uses : {aa, bb, cc, dd};" if self.chance(0.1) else "CONSTANTS aa, bb, cc, dd;")
        self.body(main, scope, variables)
        ctx = {"scope": scope, "next": False, "input": False}
        for _ in range(self.pick(0, 0, 0, 1, 1, 2)):
            inputs = dict(ctx, input=self.chance(0.4))
            main.append(f"{self.pick('FAIRNESS', 'JUSTICE')} {self.boolean(2, inputs)}")
        if self.compassion:
            for _ in range(self.r.randint(0, 3)):
                inputs = dict(ctx, input=self.chance(0.3))
                main.append(f"COMPASSION({self.boolean(1, inputs)}, {self.boolean(1, inputs)})")
        if self.process and self.chance(0.3):
            main.append("FAIRNESS running")
        wide = dict(ctx, input=self.chance(0.15), next=self.chance(0.15))
        narrow = ctx if self.compassion else wide
        for i in range(self.r.randint(3, 6)):
            k = self.r.random()
            if k < 0.35 and not self.compassion:
                main.append(f"{self.pick('SPEC', 'CTLSPEC')} NAME p{i} := {self.ctl(2, ctx)};")
            elif k < 0.75 or (self.compassion and k < 0.9):
                names = self.names(ctx, lambda t: t[0] == "B")
                if names and self.chance(0.35):
                    main.append(f"LTLSPEC NAME p{i} := {self.deep(self.r.randint(2, 5), names)};")
                else:
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

    def nested(self, lines, inner, m):
        """An instance inside an instance, which looks at the outer one; says how many bits it adds."""
        given = [(n, t) for n, t, f in inner if not f and t[0] in "BI" and len(n) < 12 and '"' not in n]
        if not given or self.bits >= 11:
            return 0
        self.bits += 1
        (n, t), by_self = self.r.choice(given), self.chance(0.4) and m is not None
        # Formal parameters are no fields that `self` shows.
        by_self = by_self and not n.startswith("f")
        own, name = ("o." + n if by_self else "o"), f"n{m}"
        scope = [("v", ("B",), ()), (own, t, ()), ("o." + n if by_self else "o", t, ())]
        ctx = {"scope": scope, "next": False, "input": False}
        body = ["VAR v : boolean;", f"DEFINE e := {self.boolean(1, ctx)};"]
        if self.chance(0.7):
            body.append(f"ASSIGN next(v) := {self.assigned(('B',), 1, ctx)};")
        if self.chance(0.4):
            body.append(f"ASSIGN init(v) := {self.assigned(('B',), 0, dict(ctx, scope=[]))};")
        if self.process and self.chance(0.3):
            body.append(f"ASSIGN next({own}) := {self.assigned(t, 1, ctx)};")
        if self.chance(0.2):
            body.append(f"LTLSPEC NAME u{m} := {self.ltl(2, ctx)};")
        self.modules.append((f"MODULE {name}(o)", body))
        process = "process " if self.process and self.chance(0.5) else ""
        lines.append(f"VAR k : {process}{name}({'self' if by_self else n});")
        inner.append(("k.v", ("B",), ()))
        inner.append(("k.e", ("B",), ()))
        return 1

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
            if self.chance(0.4):
                cost += self.nested(lines, inner, m)
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
                if ("k.v", ("B",), ()) in inner:
                    scope.append((f"{name}.k.v", ("B",), ()))
                    scope.append((f"{name}.k.e", ("B",), ()))
                if process and self.chance(0.5):
                    scope.append((f"{name}.running", ("B",), ("input",)))


def text(modules):
    return "".join(head + "\n" + "".join("  " + line + "\n" for line in lines) for head, lines in modules)
