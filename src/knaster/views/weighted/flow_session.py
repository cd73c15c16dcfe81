"""Facts of a program that is edited: only procedures that changed get new rules, and what they reach new weights.

Lal (PhD thesis, University of Wisconsin, 2009), section 4.2.3, by the sessions of `knaster.pushdown`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic, TypeVar

from knaster.base.errors import InternalError
from knaster.program.model import Program
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.fast.session import Explanation, Session
from knaster.pushdown.icfg import CONTROL, FINAL, FlowGraph, FlowSolution
from knaster.views.weighted.flow_graph import Translation

W = TypeVar("W")
V = TypeVar("V")


class FlowSession(Generic[W]):
    """The solution of a program as it is now."""

    def __init__(self, translation: Translation[W, V]) -> None:
        self.graph: FlowGraph[W] = translation.graph()
        self._rules = {name: self.graph.rules_of(own) for name, own in self.graph.procedures.items()}
        self._session: Session[W] = Session(self.graph.system)
        start = (CONTROL, self.graph.main.entry, FINAL, translation.start())
        self._question: Automaton[W] = Automaton.of([start], [FINAL], [CONTROL])
        self.solution = FlowSolution(self.graph, self._session.post(self._question))

    def edit(self, translation: Translation[W, V], changed: Collection[str]) -> None:
        """Take an edited program of the same variables, entry and initial values, in which some procedures changed."""
        old, program = self.graph.procedures, translation.program
        kept = {own.name for own in program.procedures if own.name in old and own.name not in changed}
        flows = [old[own.name] if own.name in kept else translation.procedure(own) for own in program.procedures]
        graph = FlowGraph.of(self.graph.domain, flows, program.threads[0])
        if any(name in graph.procedures and graph.procedures[name].entry != old[name].entry for name in old):
            raise InternalError("a procedure that changed begins at another node")
        rules = {flow.name: self._rules[flow.name] if flow.name in kept else graph.rules_of(flow) for flow in flows}
        gone = [rule for name, own in self._rules.items() if name not in kept for rule in own]
        new = [rule for name, own in rules.items() if name not in kept for rule in own]
        self._session.edit(new, gone)
        self.graph, self._rules = graph, rules
        self.solution = FlowSolution(graph, self._session.post(self._question))

    def explain(self) -> Explanation:
        """Return what was computed since the last edit."""
        return self._session.explain()


def why_from_scratch(old: Program, new: Program) -> str:
    """Return why an edited program has to be solved from scratch; empty where what changed is enough."""
    if (old.globals, old.types, old.init, old.threads) != (new.globals, new.types, new.init, new.threads):
        return "globals or the entry have changed"
    for own in new.procedures:
        before = next((each for each in old.procedures if each.name == own.name), None)
        if before is None:
            continue
        if (before.parameters, before.results, before.entry) != (own.parameters, own.results, own.entry):
            return f"the signature of '{own.name}' has changed"
    return ""


def changed_procedures(old: Program, new: Program) -> set[str]:
    """Return the procedures that an edit has changed or added."""
    before = {own.name: own for own in old.procedures}
    return {own.name for own in new.procedures if before.get(own.name) != own}
