"""Runs of a program with memory, path by path, with inputs that are terms.

J. King, Symbolic Execution and Program Testing (CACM 1976).  `engine` goes through all paths up to a growing number of
branches, `path_inputs` decides by z3 which branches are possible and goes through them one after the other,
`model_terms` makes terms of the lines of `semantics.memory.symbols`.
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.requirements import MEMORY, NO_FORMULAS, SEQUENTIAL


class PathOptions(Options):
    """Paths of a program with memory."""

    branches: int = option(4096, "C with memory, 'paths': give up beyond so many branches of one path")
    solving: int = option(400, "C with memory, 'paths': how much work the solver may do, in millions of its units")


CARD = Card(
    "paths",
    "C with memory: path by path, inputs as terms",
    paper="King, *Symbolic Execution and Program Testing* (CACM 1976)",
    requires=(SEQUENTIAL, MEMORY, NO_FORMULAS),
    run="knaster.engines.integers.paths.engine:paths",
    options=PathOptions,
)
