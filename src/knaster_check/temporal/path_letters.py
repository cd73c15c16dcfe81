"""The letters of a run of one thread: what holds just before each statement, also inside calls that return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster_check.paths import Path
from knaster_check.program import Program
from knaster_check.refused import Unsupported
from knaster_check.temporal.letters import Meaning, letter

MOST = 100_000  # letters of a run


def letters_of(program: Program, paths: Sequence[Path], meanings: dict[str, Meaning]) -> list[set[str]]:
    """Return the letters of some paths, one after the other."""
    found = []
    for path in paths:
        for name, location, state in _standings(path):
            shared = {each: state[each] for each in program.globals}
            found.append(letter(meanings, [(1, (name, location))], shared, False))
            if len(found) > MOST:  # mutant(>): one letter more or less
                raise Unsupported("the run is too long to read its letters")
    return found


def _standings(path: Path) -> Iterator[tuple[str, int, Mapping[str, object]]]:
    """Yield where a run stands before each statement, and in which state."""
    todo = [iter(path.steps)]
    names = [path.procedure.name]
    while todo:
        step = next(todo[-1], None)
        if step is None:
            todo.pop()
            names.pop()
            continue
        edge, state, inside = step
        yield names[-1], edge.source, state
        if inside is not None:
            todo.append(iter(inside.steps))
            names.append(inside.procedure.name)
