"""The paths of a program with memory, depth first: at each decision of a run, z3 says what is possible.

A `PathTree` keeps the decisions of the path that was taken last, each with the ways that are left, and on the solver
what they assume.  A run goes through them again and adds its own.

Notation: a *fork* is a decision: the name that it is about, the values that are possible, and which is taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.engines.integers.paths.model_terms import ModelTerms
from knaster.program.floating_point import from_bits, to_bits
from knaster.program.types import Bool
from knaster.semantics.memory.symbolic.line_values import LineValues
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, SymbolTable
from knaster.smt.bit_questions import ask_bits
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session

VALUES = 64  # of a number that must be chosen
QUESTION = 2_000  # units for a question about floating-point numbers
WORK = 400  # that it is worth
FEW = 12  # arguments of main, and bytes of one, are tried in a run that is shown


_COUNT = re.compile(r"argc$|the length of ")


class CutOff(Exception):
    """A path has more branches than are looked at."""


@dataclass(slots=True)
class Fork:
    """A decision: the values of a name that are possible, with a model of each, and which one is taken."""

    name: str
    values: list[int]
    models: list[Any]
    taken: int = 0


class PathTree:
    """Where the exploration stands."""

    def __init__(self, table: SymbolTable, session: Session, branches: int) -> None:
        self.session = session
        self.terms = ModelTerms(table, session)
        self.solver = session.solver("QF_BV")
        self.forks: list[Fork] = []
        self.branches = branches  # of one path
        self.complete = True  # nothing that is possible was left out
        self.why = ""
        self.record: list[tuple[int, ...]] = []  # of every fork the values, in the order in which they were met
        self._root: Any = None  # a model without assumptions
        self._open = 0  # forks of this path with more than one value
        self._floats: list[Fork] = []  # of this path, those that need floating-point numbers: another solver has them

    @property
    def model(self) -> Any:
        """A model of the path so far."""
        if self.forks:
            return self.forks[-1].models[self.forks[-1].taken]
        if self._root is None:
            self.solver.check()
            self._root = self.solver.model()
        return self._root

    def give_up(self, why: str) -> None:
        """Note that something possible was left out."""
        self.complete = False
        self.why = self.why or why

    def add(self, name: str, truth: bool) -> int:
        """Return the value that a name takes from here on, the first of those that are possible."""
        fork = self._truth(name) if truth else self._number(name)
        if len(fork.values) > 1:
            self._open += 1
            if self._open > self.branches:
                self._open -= 1
                raise CutOff
        self.record.append(tuple(fork.values))
        self._push(fork)
        return fork.values[0]

    def _push(self, fork: Fork) -> None:
        self.forks.append(fork)
        self.solver.push()
        if len(fork.values) > 1 or not self.complete:
            if self.terms.facts_of(fork.name) is not None:
                self._floats.append(fork)
            else:
                self.solver.add([self.terms.is_value(fork.name, fork.values[fork.taken])])

    def _own(self, name: str) -> tuple[int, Any]:
        """Return the value of a name in the model of the path, and that model."""
        return self.terms.number(self.model, name), self.model

    def _truth(self, name: str) -> Fork:
        value, model = self._own(name)
        fork = Fork(name, [value], [model])
        said, other = self._ask(name, [self.terms.is_value(name, 1 - value)])
        if said is Answer.SATISFIABLE:
            fork.values.append(1 - value)
            fork.models.append(other)
        elif said is Answer.UNKNOWN:
            self.give_up("the solver has not answered in the work that it may spend")
        return fork

    def _number(self, name: str) -> Fork:
        value, model = self._own(name)
        found = {value: model}
        others: list[Any] = []
        while True:
            others.append(z3.Not(self.terms.is_value(name, value)))
            said, model = self._ask(name, others)
            if said is Answer.UNSATISFIABLE:
                break
            if said is Answer.UNKNOWN or len(found) >= VALUES:
                self.give_up("an input that must be chosen has too many values")
                break
            value = self.terms.number(model, name)
            found[value] = model
        values = sorted(found, key=lambda each: (abs(each), each))
        return Fork(name, values, [found[each] for each in values])

    def model_with_few(self, names: Collection[str]) -> Any:
        """Return a model of the path in which some numbers, one after the other, are small where they can be."""
        model = self.model
        chosen: list[Any] = []
        for name in names:
            for small in range(min(FEW, self.terms.number(model, name))):
                said, other = self._ask(name, [*chosen, self.terms.is_value(name, small)])
                if said is Answer.SATISFIABLE:
                    model = other
                    chosen.append(self.terms.is_value(name, small))
                    break
        return model

    def _ask(self, name: str, formulas: list[Any]) -> tuple[Answer, Any]:
        """Tell whether formulas about a name can hold on this path, and a model where they can."""
        facts = self.terms.facts_of(name)
        if facts is None and not self._floats:
            said = self.solver.check(formulas)
            return said, self.solver.model() if said is Answer.SATISFIABLE else None
        known = dict.fromkeys([*(facts or ()), *(fact for fork in self._floats for fact in self._facts(fork))])
        taken = [self.terms.is_value(fork.name, fork.values[fork.taken]) for fork in self._floats]
        whole = [*self.solver.z3.assertions(), *known, *taken, *formulas]
        self.session.work(QUESTION)
        said, number = ask_bits(self.session, whole, WORK)
        if number is None:
            return said, None
        return said, LineValues(self.terms.table, lambda each: number(self.terms.term(each).value))

    def _facts(self, fork: Fork) -> tuple[Any, ...]:
        return self.terms.facts_of(fork.name) or ()

    def advance(self) -> bool:
        """Go on to the next path; tell whether there is one."""
        while self.forks:
            fork = self.forks.pop()
            self.solver.pop()
            if self._floats and self._floats[-1] is fork:
                self._floats.pop()
            if fork.taken + 1 < len(fork.values):
                fork.taken += 1
                self._push(fork)
                return True
            self._open -= len(fork.values) > 1
        return False


class PathInputs(SymbolicInputs):
    """The inputs of one run along a tree."""

    def __init__(self, table: SymbolTable, tree: PathTree, asked: Collection[str] = ()) -> None:
        super().__init__(table, asked)
        self.tree = tree
        self.position = 0
        self.known: dict[str, int] = {}
        self.altered = False  # bits of an input stand for no number of ours: NaN that signals is quiet here
        self.counts: list[str] = []  # inputs that say how many arguments there are, and how long they are

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input."""
        found = super().choose(type, origin, span)
        if isinstance(found, Symbol) and _COUNT.match(origin):
            self.counts.append(found.name)
        return found

    def take_way(self, truth: Symbol) -> bool:
        """Decide a truth value."""
        return bool(self._take(truth.name, True))

    def take_value(self, number: Symbol) -> int:
        """Decide which value a number has."""
        return self._take(number.name, False)

    def _take(self, name: str, truth: bool) -> int:
        if name in self.known:
            return self.known[name]
        if self.position < len(self.tree.forks):
            fork = self.tree.forks[self.position]
            assert fork.name == name, "a run goes on in another way on the same decisions"
            value = fork.values[fork.taken]
        else:
            value = self.tree.add(name, truth)
        self.position += 1
        self.known[name] = value
        return value

    @property
    def values(self) -> tuple[Any, ...]:
        """The inputs of a run along this path, in the order in which they were read."""
        found = []
        model = self.tree.model_with_few(self.counts)
        for kind, value in self.order:
            if kind == "value":
                found.append(value)
            elif kind == "symbol":
                found.append(self._value(model, value))
            elif kind == "float":
                bits = self._value(model, value[0])
                found.append(from_bits(bits, value[1]))
                self.altered = self.altered or to_bits(found[-1], value[1]) != bits
            elif self._value(model, value[1]):  # otherwise nobody reads it
                found.append(self._value(model, value[0]))
        return tuple(found)

    def _value(self, model: Any, name: str) -> Any:
        number = self.tree.terms.number(model, name)
        return bool(number) if isinstance(self.table.lines[name].type, Bool) else number
