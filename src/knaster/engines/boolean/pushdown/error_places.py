"""Error projection of a program: the statements that some execution from the start to a target stands before.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
sections 5.2 and 5.3.  The program is the system of `rules`; `pushdown/projections` does the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.bdd.store import exists, minus
from knaster.engines.boolean.pushdown.rules import Encoding
from knaster.evidence.answers.projection import Values
from knaster.evidence.questions.question import Target
from knaster.program.model import Place
from knaster.pushdown.domains.relations import BddRelation
from knaster.pushdown.projections.error_projection import Projection, project
from knaster.views.symbolic.symbolic_program import SymbolicProgram

VALUES = 64  # partial valuations listed for one place; the rest is said to exist


@dataclass(frozen=True, slots=True, eq=False)
class ErrorProjection:
    """The places on executions to a target."""

    places: tuple[Place, ...]
    _encoding: Encoding
    _projection: Projection[BddRelation]

    def values(self, place: Place) -> Values:
        """Return the values of the variables in scope with which executions to a target pass a place."""
        domain, name = self._encoding.domain, place[0]
        scope = self._encoding.variables(name)
        known = {domain.before[variable]: source for source, variable in scope.items()}
        rest = exists(self._projection.values(place).function, domain.store.cube(domain.after.values()))
        unknown = set(domain.before.values()) - known.keys()
        rest = exists(rest, domain.store.cube(unknown))
        found: list[Mapping[str, bool]] = []
        while len(found) < VALUES and (cube := domain.store.pick(rest)) is not None:
            rest = minus(rest, domain.store.assignment(cube))
            found.append({source: cube[index] for index, source in known.items() if index in cube})
        return Values(tuple(found), rest == domain.store.false)


def error_projection(symbolic: SymbolicProgram, targets: Iterable[Target], budget: Budget) -> ErrorProjection:
    """Return the places on executions from the start to one of the targets, in the order of the text."""
    encoding = Encoding(symbolic, budget, tagged=True)
    goals = [(target.procedure, target.location) for target in targets]
    projection = project(encoding.system(), encoding.sources(), encoding.configurations(*goals))
    inside = set(projection.nodes)
    places = [(p.name, location) for p in symbolic.program.procedures for location in range(p.size)]
    return ErrorProjection(tuple(place for place in places if place in inside), encoding, projection)
