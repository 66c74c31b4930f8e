"""The switches of the generator.

Each seed draws its own set of features (swarm testing: programs with few features each find more than programs with
all of them at once). A feature that is on is used often; one that is off, never.
"""

# name: (probability that a program may use it, what it is)
SWITCHES = {
    # data
    "arrays": (0.4, "arrays with constant and variable indices"),
    "bits": (0.4, "bit and bool variables"),
    "channels": (0.6, "buffered channels: ! ? of one and several fields"),
    "channel_tests": (0.5, "len, empty, full, nempty, nfull"),
    "channel_values": (0.2, "channels in variables, parameters and messages"),
    "channel_arrays": (0.15, "arrays of channels"),
    "channel_loops": (0.1, "for loops over the messages of a channel"),
    "conditional": (0.3, "(c -> a : b)"),
    "exclusive": (0.04, "xr and xs"),
    "local_channels": (0.1, "channels that a process makes"),
    "locals": (0.6, "variables of processes and of blocks"),
    "macros": (0.25, "#define, with and without parameters"),
    "mtype": (0.3, "one mtype"),
    "mtypes": (0.15, "a second, named mtype"),
    "operators": (0.6, "all operators, wrap-around"),
    "own": (0.15, "variables that only their own assignments read, also as an index that is out of range"),
    "prefixes": (0.06, "hidden, local and show before declarations"),
    "records": (0.25, "typedef, nested, with arrays"),
    "sorted": (0.25, "!!, ??, ?<>, ??<>, ?[], eval and constants in receives"),
    "rendezvous": (0.4, "channels without capacity"),
    "unsigned": (0.25, "unsigned : n"),
    "wide": (0.35, "short and int at their borders"),
    # control
    "active_many": (0.25, "active [2]"),
    "assertions": (0.5, "assert"),
    "atomic": (0.5, "atomic"),
    "cycles": (0.75, "processes that go on for ever"),
    "d_step": (0.35, "d_step"),
    "else": (0.7, "else"),
    "enabled_guard": (0.03, "enabled() in processes"),
    "for": (0.25, "for loops"),
    "goto": (0.4, "jumps, also into atomics and out of them"),
    "init": (0.35, "init"),
    "inline": (0.25, "inline"),
    "last": (0.1, "_last in processes"),
    "pid": (0.3, "_pid and _nr_pr"),
    "print": (0.2, "printf"),
    "priority": (0.08, "priority, set_priority and get_priority; never with rendezvous"),
    "provided": (0.12, "provided"),
    "remote": (0.25, "remote references in guards and assertions"),
    "remote_pid": (0.15, "remote references with a number of a process"),
    "run": (0.4, "run"),
    "run_loop": (0.15, "run in loops, of processes that die"),
    "select": (0.2, "select"),
    "selection": (0.8, "if and do"),
    "timeout": (0.3, "timeout"),
    "unless": (0.25, "unless, also nested"),
    # labels
    "accept": (0.45, "labels that begin with accept"),
    "end": (0.35, "labels that begin with end"),
    "labels": (0.5, "other labels"),
    "option_labels": (0.3, "labels at loops that begin an option"),
    "progress": (0.4, "labels that begin with progress"),
    # properties
    "claim": (0.35, "a never claim"),
    "claim_assert": (0.15, "assertions in the claim"),
    "claim_assign": (0.2, "assignments in the claim"),
    "claim_block": (0.1, "atomic and d_step in the claim"),
    "claim_chaos": (0.3, "the claim is an automaton by chance, not one of the usual forms"),
    "claim_end": (0.08, "labels of the claim that begin with end"),
    "ltl": (0.75, "ltl blocks"),
    "ltl_probe": (0.02, "empty, full, nempty, nfull in ltl blocks: Spin takes few"),
    "ltl_loose": (0.1, "propositions of ltl blocks without brackets"),
    "ltl_words": (0.2, "operators of ltl blocks as words"),
    "look_enabled": (0.12, "enabled() in properties"),
    "look_last": (0.12, "_last in properties"),
    "look_np": (0.12, "np_ in properties"),
    "look_nr_pr": (0.15, "_nr_pr in properties"),
    "look_pc": (0.04, "pc_value() in properties"),
    "look_remote": (0.4, "remote references in properties"),
    "look_timeout": (0.15, "timeout in properties"),
    "trace": (0.15, "trace and notrace"),
    # what Spin is known to get wrong, see known.py
    "quirk_bits": (0.02, "bit arrays, and channels of one bit"),
    "quirk_d_step": (0.02, "d_step that begins with skip, an assertion or a selection that is not exhaustive"),
    "quirk_index": (0.03, "indices that may be out of range"),
    "quirk_len": (0.01, "len of a rendezvous channel, and polls of it"),
    "quirk_pid": (0.02, "remote references with numbers of processes that may be of another type, or not there"),
    "quirk_receive": (0.02, "receives into narrow variables, or which change what they read"),
    "quirk_sorted": (0.02, "sorted sends of values that do not fit"),
}


def draw(r, only=None, without=()):
    """The features of a program."""
    unknown = (set(only or ()) | set(without)) - set(SWITCHES)
    if unknown:
        raise ValueError(f"no such feature: {', '.join(sorted(unknown))}")
    drawn = {name for name, (chance, _) in SWITCHES.items() if r.random() < chance}
    if only is not None:
        drawn &= set(only)
    drawn -= set(without)
    if "priority" in drawn:
        drawn.discard("rendezvous")
    if "rendezvous" in drawn:  # Spin refuses them together
        drawn -= {"enabled_guard", "look_enabled"}
    return frozenset(drawn)
