"""Whether a run of small threads never ends: cycles among all configurations of `c_interleavings`, fair or not.

A cycle is a component; it counts if, weakly fair, each thread moves in it or cannot move somewhere in it, and strongly
fair, moves in it or can move nowhere in it, where configurations that would be unfair are left out one after the other.
Inside a section nobody is asked.
"""

from __future__ import annotations

from support.oracles.c_interleavings import Configuration, Crew, _first, _steps

Moves = dict[Configuration, list[tuple[int, Configuration]]]


def never_ends(crew: Crew, fair: str, most: int) -> bool | None:
    """Tell whether some run that counts goes on for ever; None where there are more configurations."""
    first = _first(crew)
    moves: Moves = {}
    able: dict[Configuration, set[int]] = {}
    todo = [first]
    while todo:
        here = todo.pop()
        if here in moves:
            continue
        if len(moves) >= most:
            return None
        moves[here], able[here] = [], set()
        for thread, point in enumerate(here.points):
            if point < 0 or here.section not in (-1, thread):
                continue
            for found in _steps(crew, here, thread):
                able[here].add(thread)
                if isinstance(found, Configuration):
                    moves[here].append((thread, found))
                    todo.append(found)
    parts = [set(moves)]
    while parts:
        for component in _cycles(parts.pop(), moves):
            unfair = _unfair(component, moves, able, fair)
            if not unfair:
                return True
            if fair == "strong" and component - unfair:
                parts.append(component - unfair)
    return False


def _unfair(
    component: set[Configuration], moves: Moves, able: dict[Configuration, set[int]], fair: str
) -> set[Configuration]:
    """Return where a thread can move that never does, if that is not fair."""
    moved = {thread for here in component for thread, after in moves[here] if after in component}
    outside = {here for here in component if here.section == -1}
    for thread in range(len(next(iter(component)).points)):
        could = {here for here in outside if thread in able[here]}
        if fair != "none" and thread not in moved and could and (fair == "strong" or could == outside):
            return could
    return set()


def _cycles(among: set[Configuration], moves: Moves) -> list[set[Configuration]]:
    """Return the components in which there is a move, by what each configuration reaches and is reached from."""
    back: Moves = {here: [] for here in among}
    for here in among:
        for thread, after in moves[here]:
            if after in among:
                back[after].append((thread, here))
    found, todo = [], [among]
    while todo:
        rest = _trimmed(_trimmed(todo.pop(), moves), back)
        if not rest:
            continue
        pivot = next(iter(rest))
        ahead, behind = _reach(pivot, rest, moves), _reach(pivot, rest, back)
        component = ahead & behind
        if any(after in component for here in component for _, after in moves[here]):
            found.append(component)
        todo += [ahead - component, behind - component, rest - ahead - behind]
    return found


def _trimmed(among: set[Configuration], moves: Moves) -> set[Configuration]:
    while True:
        kept = {here for here in among if any(after in among for _, after in moves[here])}
        if kept == among:
            return kept
        among = kept


def _reach(first: Configuration, among: set[Configuration], moves: Moves) -> set[Configuration]:
    seen, todo = {first}, [first]
    while todo:
        for _, after in moves[todo.pop()]:
            if after in among and after not in seen:
                seen.add(after)
                todo.append(after)
    return seen
