"""Lists inputs worth trying: small numbers, the program's constants and their neighbours, the bounds of types."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.program.expression import Arithmetic, Compare, Const, Expr, Var, postorder
from knaster.program.model import Assign, Program, expressions
from knaster.program.types import Array, Bool, Int, Type, Value

SMALL = (0, 1, -1, 2, 3, -2, 5, 10)
MOST = 24  # values for one input
ARRAYS = 6
NOT_ITS_OWN = (
    "__knaster_"  # how variables begin that a program has not by itself, such as who counts the segments of a witness
)


class Pool:
    """The candidates for each type, in the order in which they are tried."""

    def __init__(self, program: Program) -> None:
        self.constants = tuple(_constants(program))
        self._known: dict[Type, tuple[Value, ...]] = {}

    def candidates(self, type: Type) -> tuple[Value, ...]:
        """Return values of a type, the simplest first."""
        if type not in self._known:
            self._known[type] = tuple(self._make_values(type))
        return self._known[type]

    def covers(self, type: Type) -> bool:
        """Tell whether the candidates are all values of a type."""
        match type:
            case Bool():
                return True
            case Int(int(width)):
                return len(self.candidates(type)) == 1 << width
            case _:
                return False

    def _make_values(self, type: Type) -> Iterator[Value]:
        match type:
            case Bool():
                yield from (False, True)
            case Int(width):
                if width is not None and 1 << width <= MOST:
                    yield from sorted(range(type.low or 0, (type.high or 0) + 1), key=abs)
                    return
                found = dict.fromkeys(number for number in SMALL[:4] if type.holds(number))
                found |= dict.fromkeys(number for number in self.constants if type.holds(number))
                found |= dict.fromkeys(number for number in SMALL if type.holds(number))
                bounds = [bound for bound in (type.low, type.high) if bound is not None] or [-1000, 1000]
                yield from dict.fromkeys([*list(found)[: MOST - 2], *bounds])
            case Array(element, length):
                for value in self.candidates(element)[:ARRAYS]:
                    yield (value,) * length
            case _:
                yield None


def _constants(program: Program) -> Iterator[int]:
    """Yield the numbers that the program compares or computes with, and what lies beside them, the smallest first."""
    found: set[int] = set()
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Assign) and all(map(_is_foreign, edge.action.targets)):
                continue
            for expr in expressions(edge.action):
                found |= _numbers(expr)
    # mutant(+): the steps are their own mirror
    near = {number + step for number in found for step in (-1, 0, 1)} | {-number for number in found}
    yield from sorted(near, key=lambda number: (abs(number), number))


def _numbers(expr: Expr) -> set[int]:
    return {
        operand.value
        for node in postorder(expr)
        if isinstance(node, Arithmetic | Compare)
        for operand, other in ((node.left, node.right), (node.right, node.left))
        if isinstance(operand, Const)
        and not (isinstance(other, Var) and _is_foreign(other.name))
        and type(operand.value) is int
    } | ({expr.value} if isinstance(expr, Const) and type(expr.value) is int else set())


def _is_foreign(variable: str) -> bool:
    return variable.startswith(NOT_ITS_OWN)
