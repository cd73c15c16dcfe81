"""The check of a fair table: no run of threads that counts is one that an automaton accepts (`fair_rows`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.program import Program, Target
from knaster_check.refused import expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.fair_rows import FairRows
from knaster_check.temporal.question import read_question
from knaster_check.temporal.thread_graph import ThreadGraph

FIELDS = ("formula", "fair", "states", "initial", "steps", "rows")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that every run of threads that counts ends, or is as a formula says."""
    expect(program.kind == "boolean", "it is a proof about Boolean programs")
    expect(not targets, "a fair table excludes no target")
    data = object_with(document["fair_table"], FIELDS, "'fair_table'")
    question = read_question(program, data, tick)
    graph = ThreadGraph(program)
    table = FairRows(graph, question)
    for row in list_of(data["rows"], "rows"):
        *node, state = list_of(row, "a row", 5)
        table.after[graph.read(*node), number_of(state, "a state", question.automaton.states)] = []
    table.check(tick)
    return question.affirm({"rows expanded": len(table.after)})
