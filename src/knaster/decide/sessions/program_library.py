"""A program that was read as a whole, as procedures with digests: what an edit changed is told by comparing these."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from knaster.program.model import Call, Procedure, Program
from knaster.pushdown.units.table import digest_of

_SPAN = re.compile(r"span=Span\([^)]*\)")  # of operators: where they stand in the text


class ProgramLibrary:
    """A program and the digests of its procedures; lines are counted from the beginning of a procedure."""

    def __init__(self, program: Program) -> None:
        self.whole, self.file = program, program.file
        first = program.procedure(program.threads[0])
        others = [own.name for own in program.procedures if own.name != first.name]
        self.names: Sequence[str] = (first.name, *others)
        self._head = digest_of([program.globals, program.types, program.init, program.reading, program.language])

    def callees(self, name: str) -> Sequence[str]:
        """Return the procedures that a procedure calls."""
        actions = [edge.action for edge in self.whole.procedure(name).edges]
        return list(dict.fromkeys(action.procedure for action in actions if isinstance(action, Call)))

    def line(self, name: str) -> int:
        """Return the line from which lines of a procedure are counted."""
        own = self.whole.procedure(name)
        return min([edge.span.line for edge in own.edges if edge.span.line], default=0)

    @cached_property
    def signatures(self) -> dict[str, str]:
        """What callers depend on."""
        return {own.name: _signature(own) for own in self.whole.procedures}

    def digest(self, name: str) -> str:
        """Return what tells a procedure from others: its graph, the globals, the signatures of its callees."""
        own, first = self.whole.procedure(name), self.line(name)
        edges = [(edge.source, edge.target, edge.action, edge.span.line - first) for edge in own.edges]
        shape = (own.entry, own.exit, own.locals, own.labels, own.failures, own.enforce, own.types)
        called = [self.signatures[each] for each in self.callees(name)]
        return digest_of([self._head, _signature(own), shape, _SPAN.sub("", repr(edges)), called])

    def program(self, names: Collection[str], besides: str) -> Program:
        """Return the program."""
        return self.whole


def _signature(own: Procedure) -> str:
    return f"{own.name}({', '.join(own.parameters)}):{len(own.results)}:{own.entry}"
