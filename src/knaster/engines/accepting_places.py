"""A product whose accepting steps are places: from a question, a program and places that wrong runs pass for ever.

Methods that know locations only, and not which edge was taken, decide all runs on it.  An accepting step leads through
a location of its own, which is left by one step that does nothing.
"""

from __future__ import annotations

from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.engines.violations import automaton_against
from knaster.evidence.proofs.ranks import product_for
from knaster.evidence.questions.product import EVERYTHING, Product
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Call, Edge, Location, Place, Procedure, Program


class Passing(NamedTuple):
    """A program, and which of its places a run passes again and again iff it is not as the question asks."""

    program: Program
    places: tuple[Place, ...]
    states: int  # of the automaton

    def after(self, place: Place) -> Place:
        """Return where the only step from an accepting place leads to."""
        name, location = place
        return name, self.program.procedure(name).leaving[location][0].target


def passing_places(program: Program, question: Temporal | Termination, budget: Budget) -> Passing:
    """Return the program beside the automaton of a question, with accepting places."""
    automaton = EVERYTHING
    if isinstance(question, Temporal):
        automaton = automaton_against(question.formula, budget)
    product = product_for(program, question, automaton)
    found: list[Place] = []
    procedures = tuple(_procedure(each, product, found) for each in product.program.procedures)
    return Passing(replace(product.program, procedures=procedures), tuple(found), automaton.states)


def _procedure(own: Procedure, product: Product, found: list[Place]) -> Procedure:
    edges: list[Edge] = []
    fresh = own.size
    for edge in own.edges:
        if id(edge) not in product.accepting:
            edges.append(edge)
            continue
        found.append((own.name, fresh))
        made = _through(edge, fresh)
        edges += made
        fresh += 1 + isinstance(edge.action, Call)
    edges.sort(key=lambda edge: edge.source)
    return replace(own, edges=tuple(edges))


def _through(edge: Edge, place: Location) -> list[Edge]:
    """Return the edges of an accepting step through a place; a call is made after it, other steps lead to it."""
    nothing = Assume(TRUE)
    if isinstance(edge.action, Call):
        return [
            Edge(edge.source, nothing, place, edge.span),
            Edge(place, nothing, place + 1, edge.span),
            replace(edge, source=place + 1),
        ]
    return [replace(edge, target=place), Edge(place, nothing, edge.target, edge.span)]
