"""The values of lines for given inputs: each operator computed on numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.program.evaluate import evaluate
from knaster.program.expression import variables
from knaster.program.types import Int
from knaster.semantics.memory.symbolic.symbols import SymbolTable


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
                found: Any = self.input_value(at) if line.value is None else evaluate(line.value, self.known, iter(()))
                self.known[at] = line.type.wrap(int(found)) if isinstance(line.type, Int) else bool(found)
        return self.known[name]
