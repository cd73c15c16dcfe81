"""Places predicates: which may stand at a place, those that were given, and new ones.

At the entry of a procedure predicates speak of parameters and globals, at its exit of results, globals and the values
at the entry, because that is what callers see; elsewhere of everything in scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.base.records import dataclass
from knaster.program.algebra import substitute
from knaster.program.expression import TRUE, Choice, Expr, Var, may_be_undefined, postorder, variables
from knaster.program.model import Place, Return, old
from knaster.views.abstraction.normal_form import normal_form
from knaster.views.abstraction.relations import Predicates
from knaster.views.steps.paths import Paths

MOST_NODES = 60  # of a predicate


@dataclass(frozen=True, slots=True)
class _Form:
    """A predicate as it would stand at places that name what never changes alike, and whether any can have it."""

    predicate: Expr
    spoken: frozenset[str]
    fits: bool


class Placement:
    """The predicates of every place; grows."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.at: dict[Place, Predicates] = {}
        self._scopes: dict[Place, frozenset[str]] = {}
        self._forms: dict[tuple[frozenset[str] | None, Expr], _Form] = {}

    def scope(self, place: Place) -> frozenset[str]:
        """Return the variables that predicates of a place may speak of."""
        if place not in self._scopes:
            program, procedure = self.paths.program, self.paths.program.procedure(place[0])
            shared = (*program.globals, *procedure.parameters)
            if place == self.paths.entries[place[0]]:
                names: Iterable[str] = shared
            elif place == self.paths.exits[place[0]]:
                names = (*program.globals, *procedure.results, *map(old, shared))
            else:
                names = self.paths.types[place[0]]
            self._scopes[place] = frozenset(names)
        return self._scopes[place]

    def add(self, place: Place, expr: Expr) -> bool:
        """Add a predicate; tell whether it is new there."""
        form, known = self._form(place, expr), self.at.get(place, ())
        if not form.fits or form.predicate in known or not form.spoken <= self.scope(place):
            return False
        self.at[place] = (*known, form.predicate)
        return True

    def _form(self, place: Place, expr: Expr) -> _Form:
        """Return what an expression is as a predicate of a place; at an exit the old values have names of their own."""
        rigid = self.paths.rigid[place[0]] if place != self.paths.exits[place[0]] else None
        found = self._forms.get((rigid, expr))
        if found is None:
            renamed = expr if rigid is None else substitute(expr, {old(name): Var(name) for name in sorted(rigid)})
            predicate, _ = normal_form(renamed)
            found = self._forms[rigid, expr] = _Form(predicate, frozenset(variables(predicate)), _fits(predicate))
        return found

    def give(self, procedure: str, expr: Expr) -> None:
        """Add a predicate everywhere in a procedure; at its exit also of what is returned."""
        for location in self.paths.points[procedure]:
            self.add((procedure, location), expr)
        inner = self.paths.program.procedure(procedure)
        for edge in inner.edges:
            match edge.action:
                case Return(values):
                    renamed: Mapping[str, Expr] = {
                        value.name: Var(result)
                        for value, result in zip(values, inner.results, strict=True)
                        if isinstance(value, Var)
                    }
                    self.add(self.paths.exits[procedure], substitute(expr, renamed))


def _fits(predicate: Expr) -> bool:
    """Tell whether a predicate can stand anywhere."""
    if predicate == TRUE or may_be_undefined(predicate):
        return False
    nodes = list(postorder(predicate))
    return len(nodes) <= MOST_NODES and not any(isinstance(node, Choice) for node in nodes)
