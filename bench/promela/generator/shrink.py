"""Smaller programs with the same property (delta debugging on the tree)."""
import copy

from .tree import Item


def blocks_of(program):
    """Every list of items that something can be removed from."""
    todo = list(program.sections())
    while todo:
        block = todo.pop(0)
        yield block
        for item in block:
            todo.extend(item.blocks())


def changes(block, index):
    """What can be tried with an item: lists of items that take its place, the boldest first."""
    item = block[index]
    if not item.keep:
        yield []
    inner = item.blocks()
    if inner and item.kind == "statement" and item.parts[0] not in ("if", "do"):
        yield [x for part in inner for x in part]
    if inner and item.kind == "statement" and item.parts[0] in ("if", "do") and len(inner[0]) == 1:
        yield list(inner[0][0].parts[1])
    if item.kind == "statement" and item.labels and item.parts != ["skip;"]:
        rest = Item("skip;")
        rest.labels = list(item.labels)
        yield [rest]
    for label in item.labels:
        other = copy.copy(item)
        other.labels = [x for x in item.labels if x != label]
        yield [other]


def size(program):
    return sum(len(item.labels) + 1 for item in program.walk())


def halves(program):
    """Programs without a large part: first whole processes and properties, then halves of blocks."""
    for number, block in enumerate(blocks_of(program)):
        if len(block) < 4:
            continue
        half = len(block) // 2
        for start, end in ((0, half), (half, len(block))):
            smaller = copy.deepcopy(program)
            del list(blocks_of(smaller))[number][start:end]
            yield smaller


def single(program):
    """Programs with one item less, or a smaller one."""
    for number, block in enumerate(blocks_of(program)):
        for index in range(len(block) - 1, -1, -1):
            for change in range(len(list(changes(block, index)))):
                smaller = copy.deepcopy(program)
                place = list(blocks_of(smaller))[number]
                place[index:index + 1] = list(changes(place, index))[change]
                yield smaller


def shrink(program, wrong, budget=400):
    """A smaller program for which `wrong(program)` is still true."""
    changed = True
    while changed and budget > 0:
        changed = False
        for candidates in (halves, single):
            again = True
            while again and budget > 0:
                again = False
                for smaller in candidates(program):
                    if budget <= 0:
                        break
                    if size(smaller) >= size(program):
                        continue
                    budget -= 1
                    if wrong(smaller):
                        program, again, changed = smaller, True, True
                        break
    return program
