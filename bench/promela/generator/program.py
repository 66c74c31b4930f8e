"""Whole programs."""
import dataclasses
import random

from . import labels
from .features import draw
from .properties import Properties
from .scope import WIDTHS, Channel, Place, Type, Variable
from .tree import Item, Program


class Writer(Properties):
    def __init__(self, seed, size=4, only=None, without=()):
        self.r = random.Random(seed)
        self.features = draw(self.r, only, without)
        self.size = size
        self.variables = []
        self.channels = []
        self.mtypes = {}  # name of the type to its names
        self.inlines = []
        self.inline_receives = False
        self.types = []  # all process types
        self.others = []  # those whose labels and variables can be seen here
        self.startable = []  # those that `run` may start here
        self.counter = 0
        self.quirk = None
        self.maybe_quirk = set()
        self.exclusive = False  # has some process said that a channel is its own?

    # -- global declarations --------------------------------------------------------------------------------------

    def declare_mtypes(self):
        out = []
        if self.on("mtype"):
            self.mtypes["mtype"] = ("ma", "mb", "mc")
            out.append("mtype = { ma, mb, mc };")
            out.append("mtype mt;" if self.chance(0.5) else "mtype mt = mb;")
            self.variables.append(Variable("mt", "mtype", 8))
        if self.on("mtypes"):
            self.mtypes["mtype:fruit"] = ("apple", "pear")
            out.append("mtype:fruit = { apple, pear };")
            out.append("mtype:fruit fruit;")
            self.variables.append(Variable("fruit", "mtype:fruit", 8))
        return [Item(text, kind="declaration") for text in out]

    def declare_records(self):
        if not self.on("records"):
            return []
        out = ["typedef In { byte q[2]; short f };", "typedef R { byte u; In n; byte w[2] = 1 };"]
        fields = [("u", "byte", 8, 0), ("n.q", "byte", 8, 2), ("n.f", "short", 16, 0), ("w", "byte", 8, 2)]
        if self.chance(0.3):
            out.append("R rec[2];")
            name = f"rec[{self.r.randrange(2)}]"
        else:
            out.append("R rec;")
            name = "rec"
        for field, kind, width, length in self.r.sample(fields, 3):
            self.variables.append(Variable(f"{name}.{field}", kind, width, length))
        return [Item(text, kind="declaration") for text in out]

    def declare_macros(self):
        if not self.on("macros"):
            return []
        return [Item(text, kind="declaration") for text in
                ["#define TWO 2", "#define STEP(v) v = (v + 1) & 3", f"#define COND {self.plain_comparison()}"]]

    def plain_comparison(self):
        numbers = [v for v in self.numbers() if not v.length]
        return f"({self.r.choice(numbers).name} == {self.r.randrange(2)})"

    def declare_inline(self):
        if not self.on("inline"):
            return []
        saved, self.variables = self.variables, [Variable("a", "byte", 8), Variable("b", "byte", 8)]
        body = [self.declare(self.fresh("t"), shared=False)] if self.on("locals") else []
        body += [self.statement(Place(1, inline=True)) for _ in range(self.r.randrange(1, 3))]
        self.variables = saved
        self.inline_receives = any("?" in line for item in body for line in item.lines(0))
        self.inlines.append("work")
        return [Item("inline work(a, b) {", body, "}", kind="inline")]

    # -- processes ------------------------------------------------------------------------------------------------

    def plan(self):
        """The process types, with the labels that they will have."""
        names = ["A", "B"][:self.r.choice([1, 2, 2, 2])]
        types = [self.type_of(name, 2 if self.on("active_many") and self.chance(0.4) else 1) for name in names]
        if self.on("run"):
            kinds = ["byte", "bit"] + list(self.mtypes) + (["chan"] if self.channel_values() else [])
            for name in ["S", "T"][:self.r.choice([1, 1, 2])]:
                parameters = tuple(self.r.choice(kinds) for _ in range(self.r.randrange(0, 3)))
                types.insert(self.r.randrange(2), self.type_of(name, 0, parameters))
        if self.on("init") or self.on("run"):
            types.append(self.type_of("init", 1))
        first = 0
        for at, of in enumerate(types):
            types[at] = dataclasses.replace(of, first=first)
            first += of.instances
        self.types = types
        return types

    def type_of(self, name, instances, parameters=()):
        prefixes = [("labels", "L"), ("accept", "accept"), ("progress", "progress"), ("end", "end")]
        out = []
        for feature, prefix in prefixes:
            if self.on(feature) or (prefix == "L" and self.on("goto")):
                out += [self.fresh(f"{prefix}{'' if prefix == 'L' else '_'}") for _ in range(self.r.choice([0, 1, 1, 2]))]
        variables = ("x" + name,) if self.on("locals") else ()
        return Type(name, parameters, instances, tuple(out), variables)

    def head(self, of):
        suffix = ""
        if self.on("priority") and self.chance(0.7):
            suffix += f" priority {self.r.randrange(1, 4)}"
        if of.name == "init":
            return "init" + suffix
        if self.on("provided") and self.chance(0.5):
            suffix += f" provided ({self.comparison(0, True)})"
        parameters = "; ".join(f"{kind} q{i}" for i, kind in enumerate(of.parameters))
        many = f" [{of.instances}]" if of.instances > 1 else ""
        active = f"active{many} " if of.instances else ""
        return f"{active}proctype {of.name}({parameters}){suffix}"

    def process(self, of):
        saved, channels, startable = list(self.variables), list(self.channels), self.startable
        for i, kind in enumerate(of.parameters):
            self.variables.append(Variable(f"q{i}", kind, WIDTHS.get(kind, 8), shared=False))
        # A process that was started starts no process of its own type: there would be no end.
        # Spin wants them declared before; a process may look at itself.
        self.others = [t for t in self.types[:self.types.index(of) + 1] if t.name != "init"]
        self.startable = [t for t in self.types if t.instances == 0 and not (of.instances == 0 and t.name <= of.name)]
        declarations = []
        if of.variables:
            declarations.append(Item(f"byte {of.variables[0]};", kind="declaration"))
            self.variables.append(Variable(of.variables[0], "byte", 8, shared=False))
            if self.chance(0.3):
                declarations.append(self.declare(f"y{of.name}", shared=False))
        declarations += self.own_channels(of)
        body = self.body(of)
        process = Item(self.head(of) + " {", body, "}", kind="process", keep=of.instances == 0)
        self.label(process, of)
        process.parts[1][:0] = declarations
        self.variables, self.channels, self.startable = saved, channels, startable
        return process

    def own_channels(self, of):
        out = []
        if self.on("channel_values") and self.channel_values() and self.chance(0.6):
            out.append(Item(f"chan h{of.name};", kind="declaration"))
            out.append(Item(f"h{of.name} = {self.r.choice(self.channel_values())};", keep=True))
            self.variables.append(Variable(f"h{of.name}", "chan", 8, shared=False))
        if self.on("local_channels"):
            out.append(Item(f"chan o{of.name} = [1] of {{ byte }};", kind="declaration"))
            self.channels.append(Channel(f"o{of.name}", 1, ("byte",)))
        if self.on("exclusive") and of.instances == 1 and self.channels and not self.channels[0].length:
            if not self.exclusive:
                self.exclusive = True
                out.append(Item(f"{self.r.choice(['xr', 'xs'])} {self.channels[0].name};", kind="declaration"))
        return out

    def body(self, of):
        count = self.r.randrange(2, self.size + 1)
        depth = self.r.choice([1, 2, 2, 3])
        if self.on("cycles") and of.instances and of.name != "init" and self.chance(0.65):
            before = [self.statement(Place(1)) for _ in range(self.r.choice([0, 0, 1]))]
            place = Place(depth, endless=True, breakable=True)
            if self.on("selection") and self.chance(0.6):
                return before + [Item("do", self.options(place, True), "od;")]
            body = [self.statement(place) for _ in range(count)]
            return before + [Item("do", [self.option(body)], "od;")]
        # A jump back makes a loop of a straight line.
        place = Place(depth, endless=self.on("goto"))
        first = [self.assign(place)] if self.chance(0.5) else []
        return first + [self.statement(place) for _ in range(count)]

    def label(self, process, of):
        labels.put(self.r, process, of.labels, self.on("option_labels"))
        if self.on("goto") and of.labels and self.chance(0.7):
            inside = {label for item in process.walk() if item.parts[0] == "d_step {" for inner in item.walk()
                      for label in inner.labels}
            targets = [label for label in of.labels if label not in inside]
            if targets:
                labels.jump(self.r, process, targets, self.comparison(0, True))

    # -- the whole ------------------------------------------------------------------------------------------------

    def program(self):
        program = Program()
        program.features = self.features
        program.heads += self.declare_mtypes()
        program.heads += [self.declare(f"g{i}") for i in range(self.r.randrange(1, 4))]
        if all(v.length for v in self.numbers()):
            program.heads.append(Item("byte g9;", kind="declaration"))
            self.variables.append(Variable("g9", "byte", 8))
        program.heads += self.declare_records()
        program.heads += self.declare_macros()
        program.heads += self.declare_channels()
        program.heads += self.declare_messages()
        types = self.plan()
        program.inlines += self.declare_inline()
        for of in types:
            program.processes.append(self.process(of))
        self.others = [t for t in self.types if t.name != "init"]
        program.traces += self.traces()
        program.properties += self.properties()
        return program


def generate(seed, size=4, only=None, without=()):
    """The program of a seed."""
    return Writer(seed, size, only, without).program()
