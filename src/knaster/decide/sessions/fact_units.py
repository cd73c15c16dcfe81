"""Units of a program solved for facts: equations or constants at the first place of each line, and what a call does.

Weights pass from unit to unit as plain data: the basis of a space of matrices, or the sources of each variable.  They
are over the variables that the whole program tracks, so the digest of a procedure has these, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from knaster.decide.sessions.program_library import ProgramLibrary
from knaster.evidence.answers.facts import Equation
from knaster.program.model import Location, Procedure, Program
from knaster.pushdown.domains.affine import AffineSpace
from knaster.pushdown.domains.constants import TOP, ConstantTransformer, Join
from knaster.pushdown.flow import Node
from knaster.pushdown.units.component import Component
from knaster.pushdown.units.table import Inside, digest_of
from knaster.views.weighted.program_facts import AffineFacts, ConstantFacts

W = TypeVar("W")
Place = tuple[str, Location]


class WeightTexts(Protocol[W]):
    """Weights as texts."""

    def write(self, weight: W, /) -> str:
        """Return the text of a weight; equal ones have the same."""
        ...

    def read(self, text: str, /) -> W:
        """Return the weight of a text."""
        ...


class SpaceTexts:
    """Spaces of matrices: the rows of their bases."""

    def __init__(self, size: int) -> None:
        self._size = size

    def write(self, weight: AffineSpace) -> str:
        """Return the rows, each with the positions of what is not 0."""
        return json.dumps([[[at, entry] for at, entry in enumerate(row) if entry] for row in weight.basis])

    def read(self, text: str) -> AffineSpace:
        """Return the space with these rows."""
        rows = []
        for pairs in json.loads(text):
            row = [0] * self._size**2
            for at, entry in pairs:
                row[at] = entry
            rows.append(tuple(row))
        return AffineSpace(tuple(rows), self._size)


class TransformerTexts:
    """Transformers of constants: for each variable a constant, "T" or null, and the variables that it is read from."""

    def __init__(self, variables: tuple[str, ...]) -> None:
        self._variables = variables

    def write(self, weight: ConstantTransformer) -> str:
        """Return the sources of each variable."""
        if weight.entries is None:
            return "null"
        return json.dumps([["T" if own.constant is TOP else own.constant, own.variables] for own in weight.entries])

    def read(self, text: str) -> ConstantTransformer:
        """Return the transformer with these sources."""
        entries = json.loads(text)
        made = None if entries is None else tuple(Join(TOP if c == "T" else c, read) for c, read in entries)
        return ConstantTransformer(made, self._variables)


class SavedFacts:
    """The facts of one domain as units found them."""

    def __init__(self, results: Mapping[str, Any], places: Sequence[Place]) -> None:
        rows: dict[str, Iterator[Any]] = {name: iter(lines) for name, (lines, _) in results.items()}
        self._at = {(name, location): from_data(next(rows[name])) for name, location in places}
        self._calls = {name: from_data(call) for name, (_, call) in results.items()}

    def at(self, place: Place) -> tuple[Equation, ...] | None:
        """Return what holds at a place; None where no path leads there."""
        return self._at[place]

    def summary(self, procedure: Procedure) -> tuple[Equation, ...] | None:
        """Return what a call does; None where none returns."""
        return self._calls[procedure.name]


class UnitSolution(Generic[W]):
    """The weights of one unit, as those who tell facts ask for them."""

    def __init__(self, weights: Mapping[Node, W], summaries: Mapping[str, W], zero: W) -> None:
        self._weights, self._summaries, self._zero = weights, summaries, zero

    def at(self, node: Node, context: Sequence[Node] | None = None) -> W:
        """Return the weight at a node."""
        return self._weights.get(node, self._zero)

    def summary(self, procedure: str) -> W:
        """Return what a call does."""
        return self._summaries.get(procedure, self._zero)


class FactUnits(Generic[W]):
    """A program, one domain of facts, and the places that are asked for."""

    def __init__(
        self, program: Program, facts: AffineFacts | ConstantFacts, texts: WeightTexts[W], places: Sequence[Place]
    ) -> None:
        self._library, self._facts, self._texts = ProgramLibrary(program), facts, texts
        self._translation: Any = facts.translate()
        self._domain = facts.domain
        self.names = self._library.names
        self._places: dict[str, list[Location]] = {name: [] for name in self.names}
        for name, location in places:
            self._places[name].append(location)
        self._tracked = [facts.slots.names, getattr(facts, "bits", None)]

    @property
    def signatures(self) -> dict[str, str]:
        """What callers depend on."""
        return self._library.signatures

    def callees(self, name: str) -> Sequence[str]:
        """Return the procedures that a procedure calls."""
        return self._library.callees(name)

    def digest(self, name: str) -> str:
        """Return what tells a procedure from others: its graph, what is tracked, and the places that are asked for."""
        return digest_of([self._library.digest(name), self._tracked, self._places[name]])

    def start(self) -> str:
        """Return what holds before the first statement."""
        return self._texts.write(self._translation.start())

    def summarize(self, members: Sequence[str], outside: Mapping[str, str]) -> Mapping[str, str]:
        """Return what each procedure does."""
        component = self._component(members, outside)
        component.summarize()
        return {name: self._texts.write(component.summaries[name]) for name in members}

    def enter(
        self, members: Sequence[str], summaries: Mapping[str, str], entered: Mapping[str, Sequence[str]]
    ) -> Inside:
        """Return the facts at the places of each procedure, and those of its calls."""
        component = self._component(members, summaries)
        combine, zero = component.domain.combine, component.domain.zero
        states = {}
        for name, texts in entered.items():
            states[name] = zero
            for text in texts:
                states[name] = combine(states[name], self._texts.read(text))
        solution, passed = component.enter(states)
        weights = dict(zip(solution.name, solution.value, strict=True))
        called = {name: component.summaries[name] for name in members if component.flows[name].entry in weights}
        facts: Any = self._facts
        facts.solution = UnitSolution(weights, called, zero)
        results = {name: self._results(name) for name in members}
        return Inside(results, {name: self._texts.write(weight) for name, weight in passed.items()})

    def _results(self, name: str) -> list[Any]:
        facts, own = self._facts, self._facts.program.procedure(name)
        lines = [to_data(facts.at((name, location))) for location in self._places[name]]
        return [lines, to_data(facts.summary(own))]

    def _component(self, members: Sequence[str], summaries: Mapping[str, str]) -> Component[W]:
        domain: Any = self._domain
        flows = {name: self._translation.procedure(self._facts.program.procedure(name)) for name in members}
        return Component(domain, flows, {name: self._texts.read(text) for name, text in summaries.items()})


def affine_units(program: Program, places: Sequence[Place]) -> FactUnits[AffineSpace]:
    """Return the units of a program for affine equations."""
    facts = AffineFacts(program, solution=UnitSolution({}, {}, AffineSpace((), 0)))
    return FactUnits(program, facts, SpaceTexts(facts.domain.size), places)


def constant_units(program: Program, places: Sequence[Place]) -> FactUnits[ConstantTransformer]:
    """Return the units of a program for constants."""
    facts = ConstantFacts(program, solution=UnitSolution({}, {}, ConstantTransformer(None, ())))
    return FactUnits(program, facts, TransformerTexts(facts.domain.variables), places)


def to_data(facts: Sequence[Equation] | None) -> list[Any] | None:
    """Return equations as plain data."""
    if facts is None:
        return None
    return [[each.constant, [list(pair) for pair in each.factors], each.bits] for each in facts]


def from_data(data: Any) -> tuple[Equation, ...] | None:
    """Return the equations of plain data."""
    if data is None:
        return None
    return tuple(
        Equation(constant, tuple((name, factor) for name, factor in factors), bits) for constant, factors, bits in data
    )
