"""Delta debugging: the smallest program on which something still fails, found from a larger one by greedy search.

It works on the model, not on the text: each of the `programs` next to the present one is tried, and the first that is
smaller and fails is the next one, until there is none.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.program.model import Assign, Call, Program, expressions
from knaster.transform.shrink.expressions import SKIP, weight
from knaster.transform.shrink.programs import smaller_programs


def shrink(program: Program, fails: Callable[[Program], bool], more: Callable[[], bool] = lambda: True) -> Program:
    """Return a program no larger than `program` on which `fails` holds too, and on none of the smaller ones next to it.

    Requires: `fails(program)`.  Where `more()` is false the search stops with what it has.
    """
    progress = True
    while progress:
        progress = False
        size = cost(program)
        for candidate in smaller_programs(program):
            if not more():
                return program
            if cost(candidate) < size and fails(candidate):
                program = candidate
                progress = True
                break
    return program


def cost(program: Program) -> int:
    """Return a number that gets smaller with every reduction worth making."""
    total = 20 * len(program.globals) + weight(program.init)
    for procedure in program.procedures:
        total += 100 + 20 * len(procedure.frame) + weight(procedure.enforce)
        total += 5 * procedure.size + len(procedure.labels)
        for edge in procedure.edges:
            total += 10 + 2 * (edge.action != SKIP) + sum(map(weight, expressions(edge.action)))
            if isinstance(edge.action, Call):
                total += sum(1 for target in edge.action.targets if target is not None)
            if isinstance(edge.action, Assign):
                total += len(edge.action.targets)
    return total
