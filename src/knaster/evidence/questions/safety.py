"""Formulas that ask for reachability: `G !at(L)`, and what means the same, of a program in which no run blocks.

Where no run blocks, every prefix can go on, so that the formula holds iff no run comes to one of the places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Target
from knaster.program.algebra import negation
from knaster.program.expression import TRUE, Not
from knaster.program.model import Assign, Assume, Edge, Kind, Location, Procedure, Program

if TYPE_CHECKING:
    from knaster.automata.ltl import Formula
    from knaster.evidence.questions.question import Temporal


def places_to_avoid(program: Program, question: Temporal) -> tuple[Target, ...] | None:
    """Return the targets of which a formula says that no run reaches them; None where it says something else."""
    from knaster.automata.core import UNTIL, to_core
    from knaster.automata.ltl import TRUE as ALWAYS
    from knaster.automata.ltl import Atom, Binary

    bad = to_core(question.formula, positive=False)
    if not isinstance(bad, Binary) or bad.operator is not UNTIL or bad.left != ALWAYS:
        return None
    atoms = list(_sides(bad.right))
    meanings = meanings_of(program, question)
    named = [(atom.text, meanings[atom.text]) for atom in atoms if isinstance(atom, Atom)]
    if len(named) < len(atoms) or any(meaning.condition or meaning.ended for _, meaning in named) or can_block(program):
        return None
    lines = {(own.name, edge.source): edge.span.line for own in program.procedures for edge in own.edges}
    return tuple(
        Target(text, *place, lines.get(place, 0)) for text, meaning in named for place in sorted(meaning.places)
    )


def _sides(formula: Formula) -> Iterator[Formula]:
    from knaster.automata.ltl import Binary, Operator

    if isinstance(formula, Binary) and formula.operator is Operator.OR:
        yield from _sides(formula.left)
        yield from _sides(formula.right)
    else:
        yield formula


def asks_for_ending(question: Temporal) -> bool:
    """Tell whether a formula says that every run ends."""
    from knaster.automata.core import UNTIL, to_core
    from knaster.automata.ltl import TRUE as ALWAYS
    from knaster.automata.ltl import Atom, Binary

    match to_core(question.formula, positive=True):
        case Binary(operator, left, Atom("ended")):
            return operator is UNTIL and left == ALWAYS
    return False


def final_places(own: Procedure) -> set[Location]:
    """Return where a run of C is over inside a function: behind `exit` and its like, and a failed assertion."""
    return {edge.target for edge in own.edges if edge.target not in own.leaving} - {own.exit} | set(own.failures)


def can_block(program: Program) -> bool:
    """Tell whether some state may have no step: an assumption without its opposite, or a place without a way out.

    In C there is no way out of `exit` and its like, and the run is over there.
    """
    for own in program.procedures:
        ends = {own.exit, *own.failures}
        if program.kind is Kind.INTEGERS:
            ends |= final_places(own)
        for location in {own.entry, *(edge.target for edge in own.edges)} - ends:
            if not _goes_on(own.leaving.get(location, ())):
                return True
    return False


def _goes_on(edges: tuple[Edge, ...]) -> bool:
    conditions = [edge.action.condition for edge in edges if isinstance(edge.action, Assume)]
    conditions += [edge.action.constraint for edge in edges if isinstance(edge.action, Assign)]
    if len(conditions) < len(edges) or TRUE in conditions:
        return True
    return any(Not(each) in conditions or negation(each) in conditions for each in conditions)
