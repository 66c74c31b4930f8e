"""Statements."""
from .channels import Channels
from .scope import WIDTHS, Variable
from .tree import Item


class Statements(Channels):
    def item(self, *parts, **options):
        """An item that has the quirk of the text written last."""
        quirk, self.quirk = self.quirk, None
        return Item(*parts, quirk=options.pop("quirk", quirk), **options)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # -- statements without blocks --------------------------------------------------------------------------------

    def own(self):
        """A variable that nobody reads but its own assignment."""
        name, arrays = self.fresh("w"), [v for v in self.numbers() if v.length and "." not in v.name]
        value = f"({name} + 1) & 1"
        if arrays and self.chance(0.7):
            value = f"{self.r.choice(arrays).name}[{name}]"
        return self.item(f"byte {name}; {name} = {self.r.choice([0, 1, 1, 2, 3])}; {name} = {value};")

    def assign(self, place):
        if self.on("own") and not (place.d_step or place.inline) and self.chance(0.15):
            return self.own()
        kinds = [(10, "number")]
        if self.symbols():
            kinds.append((2, "mtype"))
        if self.channel_values() and any(v.kind == "chan" for v in self.variables):
            kinds.append((1, "chan"))
        kind = self.pick(kinds)
        if kind == "mtype":
            variables, names = self.symbols()
            return self.item(f"{self.r.choice(variables)} = {self.r.choice(list(names) + variables)};")
        if kind == "chan":
            variables = [v.name for v in self.variables if v.kind == "chan"]
            return self.item(f"{self.r.choice(variables)} = {self.r.choice(self.channel_values() + variables)};")
        variable = self.r.choice(self.numbers())
        target = self.place_of(variable)
        tame = place.endless or place.inline or not self.on("operators")
        if (not tame or variable.width <= 2) and self.chance(0.3):
            return self.item(f"{target}{self.r.choice(['++', '--'])};")
        if self.on("macros") and self.chance(0.15):
            return self.item(f"STEP({target});")
        if tame and self.chance(0.4):
            return self.item(f"{target} = {self.r.randrange(3)};")
        value = self.value(2)
        if tame or self.chance(0.5):
            value = f"({value}) & {self.r.choice([1, 1, 3])}"
        return self.item(f"{target} = {value};")

    def priority(self, place):
        whose = "_pid"
        if self.on("quirk_pid"):  # of a process that is gone, Spin forgets to undo it
            whose, self.quirk = self.r.choice(["0", "1"]), "priority of another"
        return self.item(f"set_priority({whose}, {self.r.randrange(1, 4)});")

    def assertion(self, place):
        condition = self.condition(1, probe=False)
        if self.chance(0.8):
            condition = f"{condition} || {self.condition(2, probe=False)}"
        return self.item(f"assert({condition});")

    def print(self, place):
        return self.item(f'printf("%d\\n", {self.value(1)});')

    def skip(self, place):
        return self.item(self.r.choice(["skip;", "true;", "(1);"]))

    def choose(self, place):
        numbers = [v for v in self.numbers() if v.width > 1 and not v.length and "." not in v.name]
        if not numbers:
            return self.assign(place)
        return self.item(f"select ({self.r.choice(numbers).name} : 0 .. {self.r.randrange(1, 3)});")

    def call(self, place):
        """A use of an inline."""
        numbers = [v for v in self.numbers() if not v.length]
        name, first, second = self.r.choice(self.inlines), self.r.choice(numbers), self.r.choice(numbers)
        if self.inline_receives and min(first.width, second.width) < 8:
            self.quirk = "receive"
        return self.item(f"{name}({first.name}, {second.name});")

    def start(self, place):
        """`run`, while there are few processes."""
        of = self.r.choice(self.startable)
        arguments = []
        for kind in of.parameters:
            if kind == "chan":
                arguments.append(self.r.choice(self.channel_values()))
            elif kind in self.mtypes:
                arguments.append(self.r.choice(self.mtypes[kind]))
            else:
                arguments.append(self.value(1) if self.on("operators") else self.atom())
        run = f"run {of.name}({', '.join(arguments)})"
        if self.chance(0.3):
            run = f"{self.place_of(self.r.choice([v for v in self.numbers()]))} = {run}"
        if place.endless or self.chance(0.4):
            return self.item("if", [self.option([self.item(f"_nr_pr < {self.r.randrange(3, 5)} ->"), self.item(f"{run};")]),
                                    self.option([Item("else", keep=True)])], "fi;")
        return self.item(f"{run};")

    def blocking(self, place):
        """A statement that may wait, without its end."""
        kinds = [(6, lambda place: self.condition()), (5, self.send), (4, self.receive)]
        if self.on("timeout") and not place.d_step:
            kinds.append((1, lambda place: self.r.choice(["timeout", "timeout", f"(timeout || {self.condition(0)})"])))
        return self.pick(kinds)(place) or self.condition()

    def wait(self, place):
        return self.item(f"{self.blocking(place)};")

    def guard(self, place):
        """The first statement of an option."""
        kinds = [(6, "wait"), (3, "free")]
        if self.pick(kinds) == "free":
            return self.item(self.r.choice(["true ->", "skip;", ""])) if self.chance(0.6) else self.assign(place)
        return self.item(f"{self.blocking(place)} ->")

    # -- statements with blocks -----------------------------------------------------------------------------------

    def block(self, place, count):
        """Statements, perhaps with variables of their own."""
        saved = list(self.variables)
        out = []
        if self.on("locals") and not place.d_step and self.chance(0.12):
            name = self.fresh("v")
            out.append(Item(f"byte {name};", kind="declaration"))
            self.variables.append(Variable(name, "byte", 8, shared=False))
        out += [self.statement(place) for _ in range(count)]
        self.variables = saved
        return out

    def option(self, statements):
        return Item("::", statements, kind="option")

    def options(self, place, loop):
        """Options of a selection. In a d_step they exclude each other."""
        if place.d_step:
            return self.exclusive_options(place)
        out, communicates = [], False
        inner = place.inner(breakable=loop or place.breakable)
        for _ in range(self.r.choice([1, 2, 2, 3])):
            first = self.guard(place)
            if not first.parts[0]:
                first = self.assign(place)
            communicates |= any(sign in first.parts[0] for sign in ("!", "?")) or "full" in first.parts[0]
            body = [first] + self.block(inner, self.r.randrange(0, 3))
            if inner.breakable and self.chance(0.35 if loop else 0.1):
                body.append(Item("break;"))
            out.append(self.option(body))
        if self.on("else") and (self.chance(0.5) if not communicates else self.chance(0.03)):
            body = [Item("else ->", keep=True)] + self.block(inner, self.r.randrange(0, 2))
            if loop and (not place.endless or self.chance(0.5)):
                body.append(Item("break;"))
            out.append(self.option(body))
        return out

    def exclusive_options(self, place):
        name = self.variable()
        out = []
        for value in range(self.r.randrange(1, 3)):
            out.append(self.option([self.item(f"({name} == {value}) ->")] + self.block(place.inner(), self.r.randrange(0, 2))))
        out.append(self.option([Item("else ->", keep=True)] + self.block(place.inner(), self.r.randrange(0, 2))))
        return out

    def selection(self, place):
        return Item("if", self.options(place, False), "fi;")

    def repetition(self, place):
        if place.d_step:
            return self.counted(place)
        endless = place.inner(endless=True)
        return Item("do", self.options(endless, True), "od;")

    def counted(self, place):
        """A loop that ends: a counter of its own says when."""
        counter = self.fresh("k")
        bound = self.r.randrange(1, 3)
        inner = place.inner(breakable=False)
        if self.on("for") and self.chance(0.6):
            loop = Item(f"for ({counter} : 0 .. {bound}) {{", self.block(inner, self.r.randrange(1, 3)), "}")
        else:
            count = [Item(f"({counter} < {bound}) ->", keep=True), Item(f"{counter}++;", keep=True)]
            loop = Item("do", [self.option(count + self.block(inner, self.r.randrange(1, 3))),
                               self.option([Item("else ->", keep=True), Item("break;", keep=True)])], "od;", keep=True)
        return Item("{", [Item(f"byte {counter};", kind="declaration"), loop], "}")

    def over_array(self, place):
        """`for (i in a)`."""
        arrays = [v for v in self.numbers() if v.length and "." not in v.name]
        if not arrays:
            return self.counted(place)
        counter, array = self.fresh("k"), self.r.choice(arrays).name
        body = [self.item(f"{array}[{counter}] = {self.value(1)} & 3;")] + self.block(place.inner(breakable=False), 1)
        return Item("{", [Item(f"byte {counter};", kind="declaration"), Item(f"for ({counter} in {array}) {{", body, "}")], "}")

    def over_channel(self, place):
        """`for (m in c)`, or a message for it."""
        name = self.fresh("m")
        declaration = Item(f"Message {name};", kind="declaration", keep=True)
        if self.chance(0.5):
            return Item("{", [declaration, Item(f"{name}.a = {self.value(1)} & 3;"), Item(f"messages!{name};")], "}")
        if self.chance(0.2):
            return Item("{", [declaration, Item(f"messages?{name};"), Item(f"{self.variable()} = {name}.a;")], "}")
        body = [self.item(f"{self.variable()} = {name}.a;")] + self.block(place.inner(breakable=False), 1)
        return Item("{", [declaration, Item(f"for ({name} in messages) {{", body, "}")], "}")

    def atomic(self, place):
        return Item("atomic {", self.block(place.inner(), self.r.choice([1, 2, 2, 3])), "}")

    def d_step(self, place):
        inner = place.inner(d_step=True, breakable=False)
        quirk = None
        first = [self.item(f"{self.condition()};") if self.chance(0.5) else self.assign(place)]
        if self.on("quirk_d_step"):
            quirk = "d_step"
            first = [self.pick([(1, self.skip), (1, self.assertion), (1, self.selection), (1, self.print)])(inner)]
        elif self.usable(inner) and self.chance(0.3):
            first = [self.item(f"{self.pick([(1, self.send), (1, self.receive)])(inner)};")]
        return Item("d_step {", first + self.block(inner, self.r.randrange(0, 3)), "}", quirk=quirk)

    def unless(self, place):
        inner = place.inner(breakable=False)
        main = self.block(inner, self.r.randrange(1, 3))
        escape = [self.item(f"{self.blocking(inner)};")] + self.block(inner, self.r.randrange(0, 2))
        if self.on("atomic") and self.chance(0.3):
            escape = [Item("atomic {", escape, "}")]
        return Item("{", main, "} unless {", escape, "}")

    def braces(self, place):
        return Item("{", self.block(place.inner(), self.r.randrange(1, 3)), "}")

    # -- any statement --------------------------------------------------------------------------------------------

    def simple(self, place):
        """(weight, writer) of the statements without blocks that fit here."""
        out = [(10, self.assign), (1, self.skip)]
        if self.on("assertions"):
            out.append((2, self.assertion))
        if self.on("print"):
            out.append((1, self.print))
        if self.inlines and not place.inline and not place.d_step:
            out.append((2, self.call))
        if place.d_step:
            return out
        if self.on("priority"):
            out.append((3, self.priority))
        if self.on("select"):
            out.append((1, self.choose))
        if self.channels:
            out.append((5, self.wait))
        out.append((1, self.wait))
        if self.startable and not place.inline and (not place.endless or self.on("run_loop")):
            out.append((3, self.start))
        return out

    def compound(self, place):
        out = []
        if self.on("selection"):
            out.append((4, self.selection))
            if not place.inline and not place.d_step and self.on("cycles"):
                out.append((2, self.repetition))
        out.append((1, self.counted))
        if self.on("for"):
            out.append((1, self.over_array))
        if place.d_step:
            return out
        if self.on("channel_loops") and not place.inline:
            out.append((5, self.over_channel))
        if self.on("atomic"):
            out.append((4, self.atomic))
        if self.on("d_step"):
            out.append((3, self.d_step))
        if self.on("unless") and not place.inline:
            out.append((3, self.unless))
        out.append((1, self.braces))
        return out

    def statement(self, place):
        kinds = self.simple(place)
        if place.depth > 0:
            weight = sum(w for w, _ in kinds)
            compound = self.compound(place)
            factor = 0.9 * weight / sum(w for w, _ in compound)
            kinds = kinds + [(w * factor, writer) for w, writer in compound]
        return self.pick(kinds)(place)

    # -- declarations ---------------------------------------------------------------------------------------------

    def declare(self, name, shared=True):
        """A declaration of a number, which is visible from here on."""
        kinds = ["byte", "byte"]
        if self.on("bits"):
            kinds += ["bit", "bool"]
        if self.on("wide"):
            kinds += ["short", "int"]
        if self.on("unsigned"):
            kinds += ["unsigned", "unsigned"]
        kind = self.r.choice(kinds)
        width = self.r.randrange(1, 5) if kind == "unsigned" else WIDTHS[kind]
        initial = self.r.choice(["", "", " = 1"])
        if kind in ("short", "int", "byte") and self.on("wide") and self.chance(0.3):
            initial = {"byte": " = 254", "short": " = 32767", "int": " = 2147483647"}[kind]
        length, quirk, prefix = 0, None, ""
        if self.on("arrays") and kind != "unsigned" and self.chance(0.3):
            length = self.r.randrange(2, 4)
            if kind in ("bit", "bool"):
                kind, width, quirk = ("bit", 1, "bits") if self.on("quirk_bits") else ("byte", 8, None)
                initial = ""
        if self.on("prefixes") and self.chance(0.4):
            prefix = self.r.choice(["hidden ", "local ", "show "]) if shared else "show "
            quirk = "hidden" if prefix == "hidden " else quirk
        size = f"[{length}]" if length else f" : {width}" if kind == "unsigned" else ""
        self.variables.append(Variable(name, kind, width, length, shared))
        return Item(f"{prefix}{kind} {name}{size}{initial};", kind="declaration", quirk=quirk)
