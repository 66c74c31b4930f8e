"""Random Promela programs with every construct and properties of every kind, for comparing checkers.

`features.py` lists the switches; each program draws its own set of them. `generate(seed)` gives a program, `shrink` a
smaller one that still has some property. The programs are small on purpose: a few processes, numbers that stay small in
loops that may go on for ever.
"""
from .features import SWITCHES
from .program import generate
from .shrink import shrink

__all__ = ["SWITCHES", "generate", "shrink"]
