"""The inputs of runs of programs with memory: values that are given, or candidates that are tried one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Arithmetic, Compare, Const, Expr, postorder
from knaster.program.memory import memory_expressions
from knaster.program.model import Program, expressions
from knaster.program.state import NoInput
from knaster.semantics.candidate_inputs import MOST, SMALL
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.unknown import LateInputs


class Reading(NamedTuple):
    """An input that a run has read: its type, where it comes from, where it is read, and the value."""

    type: Any
    origin: str
    span: Span
    value: Any


class Given:
    """Inputs that are given one by one; `read` are those that were read."""

    vague = False
    frozen = False  # whoever looks at the next step only reads nothing

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values
        self.read: list[Reading] = []

    def any_value(self, low: int, high: int) -> Any:
        """Return no value: what is given is never vague."""
        raise NoInput

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return the next value."""
        if self.frozen:
            raise Unclear("an input is not read yet")
        if len(self.read) >= len(self.values):
            raise NoInput
        value = self.values[len(self.read)]
        self.read.append(Reading(type, origin, span, value))
        return value


class Numbers:
    """The numbers that are worth trying for an input: small ones, the program's own and what lies beside them."""

    def __init__(self, program: Program) -> None:
        found: set[int] = set()
        for procedure in program.procedures:
            for edge in procedure.edges:
                for expr in (*expressions(edge.action), *memory_expressions(edge.action)):
                    found |= _numbers(expr)
        # mutant(+): the steps are their own mirror
        near = {number + step for number in found for step in (-1, 0, 1)} | {-number for number in found}
        own = sorted(near, key=lambda number: (abs(number), number))
        self.all = tuple(dict.fromkeys([*SMALL[:4], *own, *SMALL]))

    def within(self, low: int, high: int) -> list[int]:
        """Return those of an interval, with its bounds, the simplest first."""
        found = [number for number in self.all if low <= number <= high][: MOST - 2]
        return list(dict.fromkeys([*found, low, high]))


def _numbers(expr: Expr) -> set[int]:
    return {
        operand.value
        for node in postorder(expr)
        if isinstance(node, Arithmetic | Compare)
        for operand in (node.left, node.right)
        if isinstance(operand, Const) and type(operand.value) is int and abs(operand.value) < 1 << 64
    }


class Candidates(LateInputs):
    """Inputs: ways with these numbers first, and then always the first one; `taken` are their numbers."""

    def __init__(self, numbers: Numbers, first: Sequence[int]) -> None:
        super().__init__()
        self.numbers = numbers
        self.first = first
        self.taken: list[int] = []
        self.counts: list[int] = []  # how many ways there were

    def pick(self, count: int) -> int:
        """Return the number of the way to go on."""
        at = len(self.taken)
        number = self.first[at] if at < len(self.first) else 0
        self.taken.append(number)
        self.counts.append(count)
        return number

    def candidates(self, low: int, high: int) -> list[int]:
        """Return numbers of an interval that are worth trying, the simplest first."""
        return self.numbers.within(low, high)
