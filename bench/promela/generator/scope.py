"""What the writer of a program knows of the place where it writes."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Variable:
    name: str
    kind: str  # bit, bool, byte, short, int, unsigned, mtype, a name of an mtype, chan
    width: int
    length: int = 0  # of an array
    shared: bool = True


@dataclasses.dataclass(frozen=True)
class Channel:
    name: str
    capacity: int
    fields: tuple
    length: int = 0


@dataclasses.dataclass(frozen=True)
class Type:
    """A process type: what others can say of it."""
    name: str
    parameters: tuple = ()
    instances: int = 0  # 0: started with run
    labels: tuple = ()
    variables: tuple = ()  # its variables that others can look at
    first: int = 0  # the number of its first instance, if it is active


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a statement stands."""
    depth: int
    d_step: bool = False
    endless: bool = False  # in a loop that may go on for ever: numbers must stay small
    breakable: bool = False
    inline: bool = False

    def inner(self, **changes):
        return dataclasses.replace(self, depth=self.depth - 1, **changes)


WIDTHS = {"bit": 1, "bool": 1, "unsigned": 2, "byte": 8, "short": 16, "int": 32}
