"""Which branches decide what is observed next: weak control closure of some locations of a procedure.

S. Danicic, R. Barraclough, M. Harman, J. Howroyd, Á. Kiss and M. Laurence, A Unifying Theory of Control Dependence
(TCS 2011): a set of locations is closed where from every other location at most one of them is met first.  Ways that
meet none, because they end or go on for ever, do not count: a part has the runs that get past them.

Notation: what a location sees is NONE, MANY, or the one location of the set that is met first from there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from knaster.program.model import Location, Procedure

NONE = -1
MANY = -2


def close_observables(procedure: Procedure, observed: Collection[Location]) -> set[Location]:
    """Return the least set, or a little more, that holds the observed locations and is closed."""
    successors = {at: [edge.target for edge in edges] for at, edges in procedure.leaving.items()}
    closed = set(observed)
    while True:
        seen = find_first_observed(procedure, closed)
        branches = [at for at, ways in successors.items() if len(ways) > 1 and at not in closed]
        wanted = [at for at in branches if _decides(seen, successors[at])]
        if not wanted:
            wanted = [at for at in branches if seen[at] == MANY and len({seen[way] for way in successors[at]}) > 1]
        if not wanted:
            wanted = [at for at in branches if seen[at] == MANY]
        if not wanted:
            return closed
        closed |= set(wanted)


def _decides(seen: Mapping[Location, int], ways: Collection[Location]) -> bool:
    """Tell whether the ways lead to different locations, each to at most one."""
    met = {seen[way] for way in ways} - {NONE}
    return len(met) > 1 and MANY not in met


def find_first_observed(procedure: Procedure, observed: Collection[Location]) -> dict[Location, int]:
    """Return what each location sees."""
    seen = {at: at if at in observed else NONE for at in range(procedure.size)}
    before: dict[Location, list[Location]] = {}
    for edge in procedure.edges:
        before.setdefault(edge.target, []).append(edge.source)
    todo = list(observed)
    while todo:
        at = todo.pop()
        for source in before.get(at, ()):
            if source in observed or seen[source] in (MANY, seen[at]):
                continue
            seen[source] = seen[at] if seen[source] == NONE else MANY
            todo.append(source)
    return seen
