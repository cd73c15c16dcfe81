"""Inputs of symbols that have values: what a symbol stands for, evaluated line by line."""

from __future__ import annotations

from typing import Any

from knaster.semantics.memory.symbolic.line_values import LineValues
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, SymbolTable


class Table(SymbolicInputs):
    """Inputs with values, so that lines can be evaluated."""

    def __init__(self, *values: int) -> None:
        super().__init__(SymbolTable())
        self.given = values

    def number(self, value: Any) -> Any:
        """Return what a symbol stands for."""
        return self._number(value.name) if isinstance(value, Symbol) else value

    def _number(self, name: str) -> Any:
        line = self.table.lines[name]
        if line.value is None:
            return self.given[int(name[2 : name.index(":")])]
        return LineValues(self.table, self._number).value(name)

    def take_way(self, truth: Symbol) -> bool:
        """Return the value that it has."""
        return bool(self.number(truth))

    def take_value(self, number: Symbol) -> int:
        """Return the value that it has."""
        return int(self.number(number))
