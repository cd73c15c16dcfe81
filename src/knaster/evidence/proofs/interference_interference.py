"""Why threads never reach a target, one thread at a time: what each does under all that the others can do meanwhile.

A *role* is what a thread runs: the procedure of a thread, a procedure or a place where threads are started.  Each has
path edges at every location, as a sequential program has them, closed under the steps of its own and under the
*guarantees* of the other roles: all that their steps do to the shared variables, from one moment at which another
thread may run to the next.  Whoever runs in a role of which there may be several heeds the guarantee of its own too.

Where there are sections (or a shared variable that keeps others from running) the sets speak of two more things:
`inside`, whether a section is open, and `seen`, the shared variables at the last moment at which another thread could
run.  `certify_interference` checks all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from knaster.bdd.nodes import Node, flatten, rebuild
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store
from knaster.evidence.proofs.path_edges_proof import Vocabulary
from knaster.program.model import Location, Place, Program


class Ghosts(NamedTuple):
    """The names of what the sets speak of beside the variables of the program."""

    inside: str
    seen: Mapping[str, str]  # by shared variable


class Role(NamedTuple):
    """The procedure that a thread runs, from its entry or from a location on."""

    procedure: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Conduct:
    """What threads of one role do."""

    waiting: Bdd  # shared variables and parameters (NOW) of a thread that has not begun
    path_edges: Mapping[str, tuple[Bdd, ...]]  # by procedure and location
    guarantee: Mapping[frozenset[str], Bdd]  # by what is written: shared variables before (NOW), written ones (NEXT)


@dataclass(frozen=True, slots=True, eq=False)
class Interference:
    """The conduct of every role, over the slots of a vocabulary for each procedure."""

    program: Program
    store: Store
    vocabulary: Mapping[str, Vocabulary]
    ghosts: Ghosts | None
    conducts: Mapping[Role, Conduct]

    def __repr__(self) -> str:
        return f"<Interference of {self.program.file}: {len(self.conducts)} roles>"

    def places(self) -> set[Place]:
        """Return where a thread may stand."""
        none = self.store.false
        return {
            (name, location)
            for conduct in self.conducts.values()
            for name, sets in conduct.path_edges.items()
            for location, states in enumerate(sets)
            if states != none
        }

    def unreached(self) -> tuple[Place, ...]:
        """Return statements that no run reaches, in the order of the text."""
        return self.program.statements_outside(self.places())

    def __reduce__(self) -> tuple[object, ...]:
        functions: list[Bdd] = []
        for conduct in self.conducts.values():
            functions += [conduct.waiting, *(f for sets in conduct.path_edges.values() for f in sets)]
            functions += conduct.guarantee.values()
        nodes, numbers = flatten(self.store, functions)
        shapes = [
            (
                role,
                [(name, len(sets)) for name, sets in conduct.path_edges.items()],
                [tuple(sorted(names)) for names in conduct.guarantee],
            )
            for role, conduct in self.conducts.items()
        ]
        ghosts = None if self.ghosts is None else (self.ghosts.inside, dict(self.ghosts.seen))
        return _restored, (self.program, self.store.variables, nodes, numbers, dict(self.vocabulary), ghosts, shapes)


Shape = tuple[Role, list[tuple[str, int]], list[tuple[str, ...]]]


def _restored(
    program: Program,
    variables: int,
    nodes: list[Node],
    numbers: list[int],
    vocabulary: Mapping[str, Vocabulary],
    ghosts: tuple[str, dict[str, str]] | None,
    shapes: list[Shape],
) -> Interference:
    store = Store(variables, max(DEFAULT_NODES, 8 * len(nodes)))
    functions = rebuild(store, nodes)
    rest = (functions[number] for number in numbers)
    conducts = {}
    for role, sizes, written in shapes:
        waiting = next(rest)
        sets = {name: tuple(next(rest) for _ in range(size)) for name, size in sizes}
        conducts[role] = Conduct(waiting, sets, {frozenset(names): next(rest) for names in written})
    return Interference(program, store, vocabulary, Ghosts(*ghosts) if ghosts else None, conducts)
