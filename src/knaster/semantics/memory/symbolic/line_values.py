"""The values of lines for given inputs: each operator computed on numbers, floating-point ones as `floats` has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.program.evaluate import evaluate
from knaster.program.expression import Const, Expr, Var, variables
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Int
from knaster.semantics.memory.floats import compute, from_bits, from_number, quiet_bits, round_to, to_bits
from knaster.semantics.memory.mathematics import fused, round_as
from knaster.semantics.memory.symbolic.symbols import SymbolTable

_SIGNS = ("+", "-", "*", "/")


class LineValues:
    """The values of one choice of inputs; `input_value` says what an input is, a truth value as 0 or 1."""

    def __init__(self, table: SymbolTable, input_value: Callable[[str], int]) -> None:
        self.table = table
        self.input_value = input_value
        self.known: dict[str, Any] = {}

    def value(self, name: str) -> Any:
        """Return the value of a name."""
        todo = [name]
        while todo:
            line = self.table.lines[todo[-1]]
            missing = [] if line.value is None else [each for each in variables(line.value) if each not in self.known]
            if missing:
                todo += missing
                continue
            at = todo.pop()
            if at not in self.known:
                found = self.input_value(at) if line.value is None else self._compute(line.value)
                self.known[at] = line.type.wrap(int(found)) if isinstance(line.type, Int) else bool(found)
        return self.known[name]

    def _compute(self, value: Expr) -> Any:
        if not isinstance(value, FloatTerm):
            return evaluate(value, self.known, iter(()))
        return float_term_value(value, [self._operand(operand) for operand in value.operands])

    def _operand(self, operand: Expr) -> int:
        assert isinstance(operand, Const | Var)
        return int(self.known[operand.name] if isinstance(operand, Var) else operand.value)  # type: ignore[arg-type]


def float_term_value(term: FloatTerm, raws: list[int]) -> int:
    """Return what a term computes from bits, or from an integer."""
    if isinstance(term.type, Int):
        assert isinstance(term.result, Floating)
        return to_bits(from_number(raws[0], term.result), term.result)
    given = [from_bits(raw & (1 << term.type.width) - 1, term.type) for raw in raws]
    if isinstance(term.result, Int):
        inside = given[0] == given[0] and abs(given[0]) < 2.0 ** (term.result.width or 0)
        return int(given[0]) if inside else 0  # nobody asks where it is not inside
    if term.operator in _SIGNS:
        found = compute(term.operator, given[0], given[1], term.result)
    elif term.operator == "fma":
        found = fused(given[0], given[1], given[2], term.result)
    elif term.operator == "convert":
        found = round_to(given[0], term.result)
    else:
        found = round_as(term.operator, given[0], term.result)
    return quiet_bits(term.result) if found != found else to_bits(found, term.result)
