"""What holds at every place of a program, whatever the calling context: affine equations and constants.

Lal (2009), sections 2.1.2 and 3.5.2, after Müller-Olm and Seidl: the weight of all valid paths from the start to a
place tells which equations every state there satisfies.  Of a called procedure the weight from its entry to its return
gives the equations between values at its entry and at its return.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from knaster.base.errors import UnsupportedError
from knaster.evidence.answers.facts import Equation
from knaster.program.expression import Expr
from knaster.program.model import Location, Place, Procedure, Program, old
from knaster.program.temporaries import is_temporary
from knaster.program.types import Bool, Int, Type
from knaster.pushdown.domains.affine import AffineRelations, AffineSpace
from knaster.pushdown.domains.constants import TOP, ConstantTransformer, CopyConstants, Source
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Rationals, Row
from knaster.pushdown.domains.packed import WORD
from knaster.pushdown.domains.packed_affine import PackedAffineRelations
from knaster.views.weighted.affine_forms import affine_form, bits_of, is_number
from knaster.views.weighted.constant_sources import constant_source
from knaster.views.weighted.flow_graph import Advice, Slots, Translation, refuse_others, slots_of
from knaster.views.weighted.flow_session import FlowSession, changed_procedures, why_from_scratch

MOST = 24  # variables at once in affine relations: a weight has up to the fourth power of that many numbers
RESULT = "\\result"
W = TypeVar("W")
V = TypeVar("V")
R = TypeVar("R", covariant=True)


class Solution(Protocol[R]):
    """The weights of a graph, however they were computed."""

    def at(self, node: Hashable, context: Sequence[Hashable] | None = None, /) -> R:
        """Return the weight at a node; 0 where no path leads there."""
        ...

    def summary(self, procedure: str, /) -> R:
        """Return what a call does; 0 where none returns."""
        ...


class TooManyVariables(UnsupportedError):
    """A program with more variables at once than affine relations are computed for."""


class AffineFacts:
    """The affine equations of a program; `advice` is what another domain knows of it.

    Without `merges` calls lose the caller's locals, as in a pushdown system that is not extended (section 3.4).
    """

    def __init__(
        self,
        program: Program,
        advice: Advice | None = None,
        editable: bool = False,
        merges: bool = True,
        solution: Solution[AffineSpace] | None = None,
    ) -> None:
        refuse_others(program)
        self.program, self.bits, self._advice, self._merges = program, bits_of(program), advice, merges
        self._types = {own.name: program.types_in(own) for own in program.procedures}
        self.slots = slots_of(program, self._is_tracked)
        if len(self.slots.names) > MOST:
            raise TooManyVariables(
                f"affine relations are computed between {MOST} variables at most, and there are "
                f"{len(self.slots.names)} at once; the domain 'constants' takes any number",
                file=program.file,
            )
        self.arithmetic = Rationals() if self.bits is None else ModularIntegers(self.bits)
        self.domain = (
            PackedAffineRelations(self.slots.names, self.bits)
            if self.bits is not None and self.bits <= WORD
            else AffineRelations(self.slots.names, self.arithmetic)
        )
        self._said: dict[tuple[str, AffineSpace], tuple[Equation, ...]] = {}
        self.session: FlowSession[AffineSpace] | None = FlowSession(self.translate()) if editable else None
        kept = self.session.solution if self.session is not None else solution
        self.solution: Solution[AffineSpace] = kept if kept is not None else _solve(self.translate())

    def edit(self, program: Program) -> str:
        """Take an edited program; return why it has to be solved from scratch, empty where it was solved again."""
        slots = slots_of(program, lambda own, name: is_number(program.types_in(own)[name], self.bits))
        why = why_from_scratch(self.program, program)
        if not why and (slots.names != self.slots.names or bits_of(program) != self.bits):
            why = "other variables are tracked"
        if not why:
            changed = changed_procedures(self.program, program)
            self.program, self.slots, self._said = program, slots, {}
            self._types = {own.name: program.types_in(own) for own in program.procedures}
            assert self.session is not None
            self.session.edit(self.translate(), changed)
            self.solution = self.session.solution
        return why

    def translate(self) -> Translation[AffineSpace, tuple[int, Mapping[str, int]] | None]:
        """Return what makes the graph of the program."""
        return Translation(self.program, self.domain, self.slots, self._form, None, self._advice, self._merges)

    def at(self, place: tuple[str, Location]) -> tuple[Equation, ...] | None:
        """Return equations that imply all that hold at a place; None where no path leads there."""
        if self._advice is not None and not self._advice.is_reached(place):
            return None
        weight = self.solution.at(place)
        if weight == self.domain.zero:
            return None
        key = place[0], weight
        if self._advice is None and key in self._said:
            return self._said[key]
        columns = {slot: number for number, slot in enumerate(self.domain.variables, 1)}
        own = self.slots.own[place[0]]
        seen = [name for name in self._visible(place[0]) if own[name] in columns]
        rows = [*self.domain.relations(weight), *self._known_rows(place, columns)]
        self._said[key] = tuple(self._solve(rows, [(name, columns[own[name]]) for name in seen], 0))
        return self._said[key]

    def _known_rows(self, place: Place, columns: Mapping[str, int]) -> Iterator[Row]:
        """Yield the equations variable = constant that the advice has at a place."""
        own = self.slots.own[place[0]]
        for name, value in self._advice.constants(place).items() if self._advice is not None else ():
            if own.get(name) in columns:
                row = [0] * self.domain.size
                row[0], row[columns[own[name]]] = -value, 1
                yield tuple(row)

    def summary(self, procedure: Procedure) -> tuple[Equation, ...] | None:
        """Return equations between the values at the entry and at the return; None where no call returns.

        A matrix M of the weight maps a relation a at the return to M·a at the entry, for M₀₀ times the constant 1: so
        a holds at the return whenever b does at the entry, with the same value, iff M·a = M₀₀·b for every M.
        """
        if self._advice is not None and not self._advice.is_reached((procedure.name, procedure.exit)):
            return None
        weight = self.solution.summary(procedure.name)
        if weight == self.domain.zero:
            return None
        size = self.domain.size
        rows = []
        for matrix in weight.matrices():
            for number, row in enumerate(matrix):
                if matrix[0][0] or any(row):
                    before = [0] * size
                    before[number] = -matrix[0][0]
                    rows.append([*row, *before])
        columns = {slot: number for number, slot in enumerate(self.domain.variables, 1)}
        own = self.slots.own[procedure.name]
        after = [(name, columns[name]) for name in self.slots.globals]
        after = [(_result(procedure, name), columns[name]) for name in procedure.results] + after
        entries = [name for name in (*procedure.parameters, *self.slots.globals) if own.get(name) in columns]
        before_ = [(old(name), size + columns[own[name]]) for name in entries]
        relations = self.arithmetic.kernel(self.arithmetic.span(rows), 2 * size)
        merged = [_on_one_side(row, size) for row in relations]
        equations = self._solve(merged, [*after, *before_], 0)
        said = {name for name, _ in after}
        return tuple(each for each in equations if any(name in said for name, _ in each.factors))

    def _solve(self, rows: Sequence[Row], named: Sequence[tuple[str, int]], constant: int) -> Iterator[Equation]:
        """Yield the equations between named columns that the rows imply, each solved for the first of its names."""
        kept = [column for _, column in named]
        shown = {*kept, constant}
        hidden = [column for column in range(len(rows[0]) if rows else 0) if column not in shown]
        names = [name for name, _ in named]
        for row in self.arithmetic.restrict(rows, [*hidden, *kept, constant], len(hidden)):
            factors = zip(names, row, strict=False)
            yield Equation(row[-1], tuple([(name, factor) for name, factor in factors if factor]), self.bits)

    def _visible(self, procedure: str) -> Iterator[str]:
        """Yield the variables that a user has, in the order in which equations are solved for them."""
        own = self.program.procedure(procedure)
        tracked = self.slots.own[procedure]
        for name in (*self.program.globals, *reversed((*own.parameters, *own.locals))):
            if name in tracked and not is_temporary(name):
                yield name

    def _is_tracked(self, procedure: Procedure, name: str) -> bool:
        return is_number(self._types[procedure.name][name], self.bits)

    def _form(self, procedure: Procedure, expr: Expr) -> tuple[int, Mapping[str, int]] | None:
        return affine_form(expr, self.slots.own[procedure.name], self._types[procedure.name], self.bits)


class ConstantFacts:
    """The constants of a program; `advice` is what another domain knows of it."""

    def __init__(
        self,
        program: Program,
        advice: Advice | None = None,
        editable: bool = False,
        solution: Solution[ConstantTransformer] | None = None,
    ) -> None:
        refuse_others(program)
        self.program, self._advice = program, advice
        self._types = {own.name: program.types_in(own) for own in program.procedures}
        self.slots: Slots = slots_of(program, self._is_tracked)
        self.domain = CopyConstants(self.slots.names)
        self.session: FlowSession[ConstantTransformer] | None = FlowSession(self.translate()) if editable else None
        kept = self.session.solution if self.session is not None else solution
        self.solution: Solution[ConstantTransformer] = kept if kept is not None else _solve(self.translate())

    def edit(self, program: Program) -> str:
        """Take an edited program; return why it has to be solved from scratch, empty where it was solved again."""
        types = {own.name: program.types_in(own) for own in program.procedures}
        slots = slots_of(program, lambda own, name: isinstance(types[own.name][name], Int | Bool))
        why = why_from_scratch(self.program, program)
        if not why and slots.names != self.slots.names:
            why = "other variables are tracked"
        if not why:
            changed = changed_procedures(self.program, program)
            self.program, self.slots, self._types = program, slots, types
            assert self.session is not None
            self.session.edit(self.translate(), changed)
            self.solution = self.session.solution
        return why

    def translate(self) -> Translation[ConstantTransformer, Source]:
        """Return what makes the graph of the program."""
        return Translation(self.program, self.domain, self.slots, self._source, TOP, self._advice)

    def at(self, place: tuple[str, Location]) -> tuple[Equation, ...] | None:
        """Return `variable = constant` for every one that is constant at a place; None where no path leads there."""
        if self._advice is not None and not self._advice.is_reached(place):
            return None
        values = self.solution.at(place).apply(self.domain.unknown())
        if values is None:
            return None
        own, procedure = self.slots.own[place[0]], self.program.procedure(place[0])
        names = (*self.program.globals, *procedure.parameters, *procedure.locals)
        known = {name: values[own[name]] for name in names if name in own and not is_temporary(name)}
        return tuple(Equation(-value, ((name, 1),), None) for name, value in known.items() if isinstance(value, int))

    def summary(self, procedure: Procedure) -> tuple[Equation, ...] | None:
        """Return the globals and results that a procedure always leaves with one value; None where no call returns."""
        if self._advice is not None and not self._advice.is_reached((procedure.name, procedure.exit)):
            return None
        values = self.solution.summary(procedure.name).apply(self.domain.unknown())
        if values is None:
            return None
        named = [(_result(procedure, name), name) for name in procedure.results]
        named += [(name, name) for name in self.slots.globals]
        pairs = [(shown, values[slot]) for shown, slot in named]
        return tuple(Equation(-value, ((shown, 1),), None) for shown, value in pairs if isinstance(value, int))

    def _is_tracked(self, procedure: Procedure, name: str) -> bool:
        type: Type = self._types[procedure.name][name]
        return isinstance(type, Int | Bool)

    def _source(self, procedure: Procedure, expr: Expr) -> Source:
        return constant_source(expr, self.slots.own[procedure.name], self._types[procedure.name])


def _solve(translation: Translation[W, V]) -> Solution[W]:
    return translation.graph().jovp(translation.start(), engine="fast")


def _on_one_side(row: Row, size: int) -> Row:
    """Return a - b for the relations a at the return and b at the entry, with one constant: 1 is 1 at both."""
    return (row[0] - row[size], *row[1:size], 0, *(-entry for entry in row[size + 1 :]))


def _result(procedure: Procedure, name: str) -> str:
    if len(procedure.results) == 1:
        return RESULT
    return f"{RESULT}[{procedure.results.index(name)}]"
