"""All runs of a program over integers: every state at which they meet, for programs that read few inputs or none.

A state has its call (procedure, globals and arguments), the location and the values in scope.  The set holds the start,
and every step leads from one of its states to another, over calls that return and into calls.  No target is among the
steps; and where no way along them leads back to where it was, every run ends.  `checkers.all_runs` checks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys, list_of, values
from knaster.program.liveness import live_variables
from knaster.program.model import Kind, Location, Place, Program
from knaster.program.types import Value

if TYPE_CHECKING:
    from knaster.base.limits import Budget

Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class AllRuns:
    """Every state at which runs meet: by procedure, its globals and arguments, location, and values in scope."""

    program: Program
    states: tuple[tuple[str, Values, Location, Values], ...]

    def __repr__(self) -> str:
        return f"<AllRuns of {self.program.file}: {len(self.states)} states>"

    def unreached_places(self) -> tuple[Place, ...]:
        """Return the statements that no run reaches, in the order of the text; between the states runs are walked."""
        places: set[Place] = load_named("knaster.checkers.all_runs:visited_places")(self)
        return self.program.statements_outside(places)


def to_fields(proof: AllRuns, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document: the states, and which variables do not matter at which locations."""
    states = [[name, list(given), at, list(now)] for name, given, at, now in proof.states]
    return {"runs": {"states": states, "dead": list(_list_dead(program))}}


def _list_dead(program: Program) -> Iterator[list[Any]]:
    """Yield the variables that are dead, by procedure and location."""
    live = live_variables(program)
    for procedure in program.procedures:
        scope = program.scope(procedure)
        for location, mask in enumerate(live[procedure.name]):
            names = [name for bit, name in enumerate(scope) if not mask >> bit & 1]
            if names:
                yield [procedure.name, location, names]


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> AllRuns:
    """Return the states of a document."""
    expect(program.kind is Kind.INTEGERS, "it has states of integers, and the program has no integers")
    data = document["runs"]
    has_keys(data, {"states", "dead"}, "'runs'")
    list_of(data["dead"], "dead variables")  # our checker finds them itself
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    states = []
    for entry in list_of(data["states"], "states"):
        expect(isinstance(entry, list) and len(entry) == 4, "a state has not four parts")
        name, given, location, now = entry
        known = isinstance(name, str) and name in sizes and type(location) is int and 0 <= location < sizes[name]
        expect(known, "a state is of no place")
        states.append((name, values(given), location, values(now)))
    return AllRuns(program, tuple(states))
