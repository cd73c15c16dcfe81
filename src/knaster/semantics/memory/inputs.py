"""The inputs of runs of programs with memory: values that are given, or candidates that are tried one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Arithmetic, Compare, Const, Expr, postorder
from knaster.program.memory import NULL, WILD, Addresses, memory_expressions
from knaster.program.model import Program, expressions
from knaster.program.state import NoInput
from knaster.semantics.candidate_inputs import Pool


class Reading(NamedTuple):
    """An input that a run has read: its type, where it comes from, where it is read, and the value."""

    type: Any
    origin: str
    span: Span
    value: Any


class Given:
    """Inputs that are given one by one; `read` are those that were read."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values
        self.read: list[Reading] = []

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return the next value."""
        if len(self.read) >= len(self.values):
            raise NoInput
        value = self.values[len(self.read)]
        self.read.append(Reading(type, origin, span, value))
        return value


class MemoryPool(Pool):
    """The candidates for each type; a pointer that nobody set is null or cannot be used."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        found: set[int] = set(self.constants)
        for procedure in program.procedures:
            for edge in procedure.edges:
                for expr in (*expressions(edge.action), *memory_expressions(edge.action)):
                    found |= _numbers(expr)
        near = {number + step for number in found for step in (-1, 0, 1)} | {-number for number in found}
        self.constants = tuple(sorted(near, key=lambda number: (abs(number), number)))

    def candidates(self, type: Any) -> tuple[Any, ...]:
        """Return values of a type, the simplest first."""
        return (NULL, WILD) if isinstance(type, Addresses) else super().candidates(type)

    def covers(self, type: Any) -> bool:
        """Tell whether the candidates stand for all values of a type."""
        return isinstance(type, Addresses) or super().covers(type)


def _numbers(expr: Expr) -> set[int]:
    return {
        operand.value
        for node in postorder(expr)
        if isinstance(node, Arithmetic | Compare)
        for operand in (node.left, node.right)
        if isinstance(operand, Const) and type(operand.value) is int and abs(operand.value) < 1 << 64
    }


class Candidates:
    """Inputs: the candidates with these numbers first, and then the simplest ones; `taken` are their numbers."""

    def __init__(self, pool: MemoryPool, first: Sequence[int]) -> None:
        self.pool = pool
        self.first = first
        self.taken: list[int] = []
        self.counts: list[int] = []  # how many candidates there were
        self.values: list[Any] = []
        self.complete = True

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return the next candidate."""
        values = self.pool.candidates(type)
        self.complete = self.complete and self.pool.covers(type)
        at = len(self.taken)
        number = self.first[at] if at < len(self.first) else 0
        self.taken.append(number)
        self.counts.append(len(values))
        self.values.append(values[number])
        return values[number]
