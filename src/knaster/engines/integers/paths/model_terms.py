"""Lines of symbols as terms of z3: what an expression over names computes, as bit-vectors."""

from __future__ import annotations

from typing import Any

from knaster.program.expression import Expr, variables
from knaster.program.memory import FloatTerm
from knaster.program.types import Int
from knaster.semantics.memory.symbolic.line_values import LineValues
from knaster.semantics.memory.symbolic.symbols import SymbolTable
from knaster.smt.bits import Bits
from knaster.smt.library import z3
from knaster.smt.solver import Session
from knaster.smt.terms import Formula, Sides, Term
from knaster.smt.translate import Translation

WORK = 60  # units for a line


class ModelTerms:
    """The terms of one table, each made when it is first asked for."""

    def __init__(self, table: SymbolTable, session: Session) -> None:
        self.table = table
        self.session = session
        self.numbers = Bits(session.context)
        self.translation = Translation(self.numbers)
        self.terms: dict[str, Term] = {}
        self.facts: dict[str, tuple[Formula, ...]] = {}  # of names that need floating-point numbers, what they are

    def term(self, name: str) -> Term:
        """Return the term that a name stands for."""
        todo = [name]
        while todo:
            value, type = self.table.lines[todo[-1]]
            needed = [] if value is None else [other for other in variables(value) if other not in self.terms]
            if needed:
                todo += needed
                continue
            at = todo.pop()
            if at in self.terms:
                continue
            if value is None:
                self.terms[at] = self.numbers.variable(at, type)
            else:
                self.session.work(WORK)
                sides = Sides()
                made = self.translation.term(value, self.terms, sides)
                self.terms[at] = self.numbers.convert(made, type) if isinstance(type, Int) else made
                self._note_facts(at, value, sides)
        return self.terms[name]

    def _note_facts(self, name: str, value: Expr, sides: Sides) -> None:
        facts = dict.fromkeys(fact for other in sorted(variables(value)) for fact in self.facts.get(other, ()))
        if facts or isinstance(value, FloatTerm):
            self.facts[name] = (*facts, *sides.facts)

    def facts_of(self, name: str) -> tuple[Formula, ...] | None:
        """Return what is so of the variables that a name needs besides inputs; None where it needs no such numbers."""
        self.term(name)
        return self.facts.get(name)

    def number(self, model: Any, name: str) -> int:
        """Return the value of a name in a model; a truth value as 0 or 1."""
        term = self.term(name)
        if isinstance(model, LineValues):
            return int(model.value(name))
        if name in self.facts:
            return int(LineValues(self.table, lambda each: self.number(model, each)).value(name))
        found = model.eval(term.value, model_completion=True)
        if z3.is_bool(found):
            return int(z3.is_true(found))
        assert isinstance(term.type, Int)
        return term.type.wrap(int(found.as_long()))

    def is_value(self, name: str, value: int) -> Formula:
        """Return that a name stands for a value."""
        term = self.term(name)
        if z3.is_bool(term.value):
            return term.value if value else z3.Not(term.value)
        return term.value == value
