"""Labels and jumps: put into the processes when they are written."""
from .tree import Item


def places(process, option_labels):
    """(item, in d_step) of every statement that can have a label.

    Spin takes no label at the first statement of a block, nor of an option unless that is a loop, nor at `unless`.
    """
    todo = [(process.parts[1], False, True)]
    while todo:
        block, d_step, first = todo.pop()
        for index, item in enumerate(block):
            if item.kind == "option":
                todo.append((item.blocks()[0], d_step, False))
                if option_labels and item.blocks()[0] and item.blocks()[0][0].parts[0] == "do":
                    yield item.blocks()[0][0], d_step
                continue
            labelled = (index > 0 or first) and "} unless {" not in item.parts
            if item.kind == "statement" and labelled and not item.parts[0].startswith(("else", "break")):
                yield item, d_step
            for inner in item.blocks():
                todo.append((inner, d_step or item.parts[0] == "d_step {", False))


def put(r, process, labels, option_labels):
    """Every label somewhere; several may meet at one statement."""
    possible = list(places(process, option_labels))
    outside = [p for p in possible if not p[1]]
    if not possible:
        process.parts[1].append(Item("skip;"))
        possible = outside = list(places(process, option_labels))
    for label in labels:
        some = possible if not outside or (r.random() < 0.05 and not label.startswith("L")) else outside
        r.choice(some)[0].labels.append(label)


def jump(r, process, labels, condition):
    """A jump to one of the labels, by a condition or always."""
    todo, blocks = [process.parts[1]], []
    while todo:
        block = todo.pop()
        if block and block[0].kind != "option":
            blocks.append(block)
        for item in block:
            if item.parts[0] != "d_step {":
                todo.extend(item.blocks())
    block = r.choice(blocks or [process.parts[1]])
    goto = Item(f"goto {r.choice(labels)};")
    if r.random() < 0.35:
        block.append(goto)
    else:
        options = [Item("::", [Item(f"{condition} ->"), goto], kind="option"),
                   Item("::", [Item(r.choice(["else", "true"]))], kind="option")]
        first = max((i + 1 for i, item in enumerate(block) if item.kind == "declaration"), default=0)
        at = r.randrange(min(max(first, 1), len(block)), len(block) + 1)
        block.insert(at, Item("if", options, "fi;"))
