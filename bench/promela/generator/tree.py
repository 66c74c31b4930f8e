"""A program as a tree, so that `shrink` can make a smaller one of it."""


class Item:
    """A statement, an option, a declaration or a property: pieces of text with lists of items between them.

    `labels` stand before it. An item that is `keep` is never removed alone. `quirk` names something in it that Spin's
    verifier is known to get wrong, or to decide otherwise; see `known.py`.
    """

    def __init__(self, *parts, kind="statement", keep=False, quirk=None):
        self.parts = list(parts)
        self.kind = kind
        self.keep = keep
        self.quirk = quirk
        self.labels = []

    def lines(self, indent):
        out = []
        for number, part in enumerate(self.parts):
            if isinstance(part, str):
                labels = "".join(f"{label}: " for label in self.labels) if number == 0 else ""
                out.append("  " * indent + labels + part)
            else:
                for item in part or [Item("skip;")]:
                    out.extend(item.lines(indent + 1))
        return out

    def blocks(self):
        return [part for part in self.parts if isinstance(part, list)]

    def walk(self):
        """Itself and all items in it."""
        todo = [self]
        while todo:
            item = todo.pop()
            yield item
            for block in item.blocks():
                todo.extend(block)


class Program:
    """Global declarations, inlines, processes and properties.

    A `trace` or `notrace` stands apart: Spin has at most one of each, and they are part of its states.
    """

    def __init__(self):
        self.heads = []
        self.inlines = []
        self.processes = []
        self.traces = []
        self.properties = []
        self.features = frozenset()

    def sections(self):
        return [self.heads, self.inlines, self.processes, self.traces, self.properties]

    def text(self, properties=True, traces=None):
        """The program; with its traces as with its properties, unless told otherwise."""
        sections = [self.heads, self.inlines, self.processes]
        sections += [self.traces] if (properties if traces is None else traces) else []
        sections += [self.properties] if properties else []
        return "\n".join(line for items in sections for item in items for line in item.lines(0)) + "\n"

    def walk(self):
        for items in self.sections():
            for item in items:
                yield from item.walk()

    def quirks(self):
        found = {item.quirk for item in self.walk() if item.quirk}
        escapes = [item for item in self.walk() if "} unless {" in item.parts]
        if any(inner in escapes for item in escapes for inner in item.walk() if inner is not item):
            found.add("nested unless")
        return found
