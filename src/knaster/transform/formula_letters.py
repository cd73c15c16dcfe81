"""Letters along the runs of a C program: before which steps one is read, and where the run is over.

A letter is read before a statement.  Its later steps, behind a call in it or an assignment inside an expression, take
none, as the way back into a caller takes none.  The parts of a `for` are statements of their own.
"""

from __future__ import annotations

from knaster.evidence.questions.letters import Meanings
from knaster.evidence.questions.safety import final_places
from knaster.program.model import Call, Location, Place, Procedure, Program

Letter = frozenset[str]


def beginnings(own: Procedure) -> set[Location]:
    """Return the places before which statements begin."""
    labelled = {location for _, location in own.labels}
    entering: dict[Location, list[bool]] = {}  # whether each edge there only goes on with the same statement
    for edge in own.edges:
        following = own.leaving.get(edge.target, ())
        same = bool(following) and following[0].span == edge.span and edge.target > edge.source
        entering.setdefault(edge.target, []).append(same)
    return {
        place
        for place in own.leaving
        if place == own.entry or place in labelled or not all(entering.get(place, [False]))
    }


def letter_at(meanings: Meanings, place: Place | None) -> Letter:
    """Return the atoms that hold at a place, or of a run that is over, whatever the values of variables are."""
    return frozenset(a for a, meaning in meanings.items() if meaning.condition is None and meaning.holds(place, {}))


def conditions_of(meanings: Meanings) -> tuple[str, ...]:
    """Return the atoms that depend on values."""
    return tuple(sorted(atom for atom, meaning in meanings.items() if meaning.condition is not None))


def calls_main(program: Program) -> bool:
    """Tell whether main is called: then its return need not be the end of the run."""
    main = program.threads[0]
    edges = (edge for own in program.procedures for edge in own.edges)
    return any(isinstance(edge.action, Call) and edge.action.procedure == main for edge in edges)


def places_of_ends(program: Program, own: Procedure) -> set[Location]:
    """Return the places of a procedure at which the run is over; the exit of main is one."""
    return final_places(own) | ({own.exit} if own.name == program.threads[0] else set())
