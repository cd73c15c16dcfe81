"""All runs of a program with references beside an automaton, walked through by the kernel: what fair effects claim.

Such a proof is a table of calls of another program, the model with the automaton's steps written into it; how that was
made would have to be trusted.  So the kernel uses nothing of the file but the question and the automaton, which it
checks, and looks at the claim: whole stacks, every step of every thread, where there are not too many.  A program that
ends has finitely many; one that calls itself deeper and deeper has not, and nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.heap.graph import HeapGraph, Node
from knaster_check.program import Program, Target
from knaster_check.refused import Unsupported, expect, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.fair_rows import FairRows
from knaster_check.temporal.question import read_question

MOST = 50_000  # rows
DEEPEST = 200  # frames of a thread
_FIELDS = ("formula", "fair", "states", "initial", "steps", "roots")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run that counts ends, or is as a formula says."""
    expect(program.kind == "references", "it is about a program with references")
    expect(not targets, "fair effects exclude no target")
    data = object_with(document["fair_effects"], _FIELDS, "'fair_effects'")
    question = read_question(program, data, tick)
    graph = HeapGraph(program, tick)

    def is_admitted(node: Node) -> bool:
        # mutant(>): one row more or less, one frame more or less
        if len(table.after) > MOST or any(len(frames) > DEEPEST for frames in node.memory.threads):
            raise Unsupported("there are too many states")
        return True

    table = FairRows(graph, question, is_admitted)
    for start in graph.starts():
        table.after |= {(start, state): [] for state in question.automaton.initial}
    try:
        table.check(tick)
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    return question.affirm({"rows expanded": len(table.after)})
