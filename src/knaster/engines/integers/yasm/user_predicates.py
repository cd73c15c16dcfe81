"""Places the predicates that a user gives, and makes the Boolean program for them."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import UsageError
from knaster.frontends.languages import predicate_of, spelling_of
from knaster.program.algebra import substitute
from knaster.program.expression import Var
from knaster.program.model import Place, Program
from knaster.smt.signs import Oracle, Undecided
from knaster.smt.solver import Session
from knaster.views.abstraction.boolean_program import boolean_program
from knaster.views.abstraction.predicates import Placement
from knaster.views.abstraction.relations import Abstraction
from knaster.views.steps.cut import cut_program
from knaster.views.steps.paths import Paths, TooLarge


def place_predicates(paths: Paths, texts: Sequence[str]) -> Placement:
    """Return the predicates that a user gave, in their places."""
    placement = Placement(paths)
    for text in texts:
        predicate = predicate_of(paths.program, text)
        names = {name: Var(model) for name, model in predicate.names.items()}
        placement.give(predicate.procedure, substitute(predicate.condition, names))
    return placement


def abstraction_of(program: Program, targets: Sequence[Place], predicates: Sequence[str]) -> Program:
    """Return the Boolean program for given predicates: what `knaster show --as boolean` prints."""
    try:
        paths = cut_program(program, targets).paths
        abstraction = Abstraction(paths, Oracle(Session()), dict(place_predicates(paths, predicates).at), {})
        return boolean_program(abstraction, targets, spelling_of(program).expression).program
    except (TooLarge, Undecided) as error:
        raise UsageError(f"{program.file}: there is no abstraction: {error}") from None
