"""Channels: declarations, messages, sends and receives."""
from .expressions import Expressions
from .scope import WIDTHS, Channel
from .tree import Item


class Channels(Expressions):
    def declare_channels(self):
        """Global channels; those of one byte can be values of others."""
        kinds = ["byte", "byte", "byte", "short" if self.on("wide") else "byte"]
        kinds += list(self.mtypes) + (["bit", "bool"] if self.on("bits") else [])
        capacities = ([1, 1, 2] if self.on("channels") else []) + ([0, 0, 0] if self.on("rendezvous") else [])
        if not capacities:
            return []
        plain = []
        for number in range(self.r.randrange(1, 4)):
            fields = tuple(self.r.choice(kinds) for _ in range(self.r.choice([1, 1, 2, 3])))
            quirk = None
            if fields in (("bit",), ("bool",)):
                if self.on("quirk_bits"):
                    quirk = "bits"
                else:
                    fields = ("byte",)
            if self.on("channel_values") and number == 2:
                fields = (*fields[:1], "chan")
            elif self.on("channel_values") and number == 0:
                fields = ("byte",)
            capacity = self.r.choice(capacities)
            length = 2 if self.on("channel_arrays") and self.chance(0.4) else 0
            self.channels.append(Channel(f"c{number}", capacity, fields, length))
            size = f"[{length}]" if length else ""
            text = f"chan c{number}{size} = [{capacity}] of {{ {', '.join(fields)} }};"
            plain.append(Item(text, kind="declaration", quirk=quirk))
        return plain

    def declare_messages(self):
        """A channel whose messages are records: loops go over these only."""
        if not self.on("channel_loops"):
            return []
        return [Item(text, kind="declaration") for text in
                ["typedef Message { byte a; byte b };", "chan messages = [2] of { Message };"]]

    def name_of(self, channel, shared=False):
        return f"{channel.name}[{self.index(channel.length, shared)}]" if channel.length else channel.name

    def channel_values(self):
        """Names of channels that can be the value of a variable: all have messages of one byte."""
        names = [f"{c.name}[0]" if c.length else c.name for c in self.channels
                 if c.fields == ("byte",) and c.name.startswith("c")]
        return names or None

    def length_of_channel(self, shared):
        some = [c for c in self.channels if (c.capacity > 0 or self.on("quirk_len")) and not (shared and c.name[0] != "c")]
        if not some:
            return None
        channel = self.r.choice(some)
        if channel.capacity == 0:
            self.quirk = "len of rendezvous"
        return f"len({self.name_of(channel, shared)})"

    def channel_condition(self, depth, shared, probe):
        some = [c for c in self.channels if (c.capacity > 0 or self.on("quirk_len")) and not (shared and c.name[0] != "c")]
        if not some:
            return self.comparison(depth, shared)
        channel = self.r.choice(some)
        if channel.capacity == 0:
            self.quirk = "len of rendezvous"
        name = self.name_of(channel, shared)
        if self.on("sorted") and (not shared or not self.on("channel_tests") or self.chance(0.3)):
            op = self.r.choice(["?", "??"])
            return f"{name}{op}[{self.patterns(channel, poll=True, shared=shared)}]"
        if probe and self.on("channel_tests"):
            return f"{self.r.choice(['empty', 'nempty', 'full', 'nfull'])}({name})"
        return self.comparison(depth, shared)

    # -- messages -------------------------------------------------------------------------------------------------

    def target(self, field, alone, used):
        """A variable that holds every value of the field and is not used yet in this receive, or `_`."""
        if field == "chan":
            names = [v.name for v in self.variables if v.kind == "chan" and v.name not in used]
        elif field in self.mtypes:
            names = [v.name for v in self.variables if v.kind == field and v.name not in used]
        else:
            width = 8 if field in ("bit", "bool") else WIDTHS[field]
            fits = [v for v in self.numbers() if v.width >= width or self.on("quirk_receive")]
            names = []
            for v in fits:
                if v.length and not alone and not self.on("quirk_receive"):
                    continue
                name = self.place_of(v)
                if name in used and not self.on("quirk_receive"):
                    continue
                if v.width < width or name in used or (v.length and not alone):
                    self.maybe_quirk.add(name)
                names.append(name)
        name = self.r.choice(names) if names else "_"
        if name in self.maybe_quirk:
            self.quirk = "receive"
        return name

    def patterns(self, channel, poll=False, shared=False):
        out = []
        self.maybe_quirk = set()
        stores = False
        for field in channel.fields:
            roll = self.r.random()
            constant = self.on("sorted") and roll < 0.35
            if field == "chan":
                values = self.channel_values()
                out.append("_" if poll or roll < 0.2 else self.target(field, False, out))
                if self.on("sorted") and roll < 0.1 and values:
                    out[-1] = f"eval({self.r.choice(values)})"
            elif field in self.mtypes:
                # A name of an mtype is a constant also without `eval`.
                exact = roll < 0.5 or (poll and roll < 0.8)
                out.append(self.r.choice(self.mtypes[field]) if exact else "_" if poll else self.target(field, False, out))
            elif constant and roll < 0.18:
                out.append(self.r.choice(["0", "1", "2"]))
            elif constant:
                out.append(f"eval({self.value(1, shared)})")
            elif poll or roll > 0.9:
                out.append("_")
            else:
                out.append(self.target(field, len(channel.fields) == 1, out))
            stores = stores or (out[-1][0].isalpha() and "eval" not in out[-1] and out[-1] != "_")
        if stores and any(p.startswith("eval") for p in out):
            if self.on("quirk_receive"):
                self.quirk = "receive"
            else:
                out = ["eval(_pid)" if p.startswith("eval(") and p[5:] not in self.channel_names() else p for p in out]
        return ", ".join(out)

    def channel_names(self):
        return [f"{name})" for name in self.channel_values() or []]

    def message(self, channel, fits):
        """The fields of a message; if told so, only values that fit."""
        out = []
        for field in channel.fields:
            if field == "chan":
                names = self.channel_values() or []
                names += [v.name for v in self.variables if v.kind == "chan"]
                out.append(self.r.choice(names) if names else "0")
            elif field in self.mtypes:
                names = [v.name for v in self.variables if v.kind == field]
                out.append(self.r.choice(list(self.mtypes[field]) + names))
            elif fits or self.chance(0.5):
                out.append(f"({self.value(1)}) & {1 if field in ('bit', 'bool') else 3}")
            else:
                out.append(self.value(1))
        return ", ".join(out)

    def usable(self, place):
        """Channels, and variables that hold one. In a d_step nothing waits for another process."""
        some = list(self.channels)
        if self.channel_values():
            some += [Channel(v.name, 0, ("byte",)) for v in self.variables if v.kind == "chan"]
        if place.d_step:
            some = [c for c in some if c.capacity > 0]
        return some

    def send(self, place):
        some = self.usable(place)
        if not some:
            return None
        channel = self.r.choice(some)
        ordered = self.on("sorted") and channel.capacity > 0 and "chan" not in channel.fields and self.chance(0.25)
        loose = ordered and self.on("quirk_sorted")
        if loose:
            self.quirk = "sorted send"
        op = "!!" if ordered else "!"
        message = self.message(channel, ordered and not loose)
        if len(channel.fields) > 1 and channel.fields[0] in self.mtypes and self.chance(0.3):
            first, rest = message.split(", ", 1)
            message = f"{first}({rest})"
        return f"{self.name_of(channel)}{op}{message}"

    def receive(self, place):
        some = self.usable(place)
        if not some:
            return None
        channel = self.r.choice(some)
        special = self.on("sorted") and channel.capacity > 0
        op = "??" if special and self.chance(0.3) else "?"
        patterns = self.patterns(channel)
        if special and self.chance(0.25):
            patterns = f" <{patterns}>"
        name = self.name_of(channel)
        if channel.length and "%" in name:
            # Going back, Spin looks for the channel with the variables as they are after the receive.
            if self.on("quirk_receive"):
                self.quirk = "receive"
            else:
                name = f"{channel.name}[{self.r.randrange(channel.length)}]"
        return f"{name}{op}{patterns}"
