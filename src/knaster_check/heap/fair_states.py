"""The check of fair states: no run of a program with references that counts is one that an automaton accepts.

A row is a whole state (`rows`), with the thread that is inside an atomic region there, and a state of the automaton.
The ends of runs that fail are not listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.heap.graph import HeapGraph, Node
from knaster_check.heap.rows import read_state
from knaster_check.program import Program, Target
from knaster_check.refused import Unsupported, expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.fair_rows import FairRows
from knaster_check.temporal.question import read_question

FIELDS = ("formula", "fair", "states", "initial", "steps", "rows")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run that counts ends, or is as a formula says."""
    expect(program.kind == "references", "it has states with references, and the program has none")
    expect(not targets, "fair states exclude no target")
    data = object_with(document["fair_states"], FIELDS, "'fair_states'")
    question = read_question(program, data, tick)
    graph = HeapGraph(program, tick)
    try:
        table = FairRows(graph, question, lambda node: node.failed)
        for row in list_of(data["rows"], "rows"):
            state, number = list_of(row, "a row", 2)
            node = Node(*read_state(graph.machine, state), False)
            table.after[node, number_of(number, "a state", question.automaton.states)] = []
        table.check(tick)
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    return question.affirm({"rows expanded": len(table.after)})
