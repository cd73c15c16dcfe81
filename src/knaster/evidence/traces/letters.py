"""The word of a run that never ends: from a lasso, the letters of its stem and of its cycle.

A letter is the set of atoms that hold just before a statement; after the end there is one letter for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.automata.words import Letter, Word
from knaster.base.limits import OutOfBudget
from knaster.evidence.questions.letters import Meanings
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Path
from knaster.program.model import Place, Program
from knaster.program.state import State

MOST_LETTERS = 200_000
Standing = tuple[Place | None, State]  # before which statement, None after the end, and in which state


def letters_of(lasso: Lasso, program: Program, meanings: Meanings) -> Word:
    """Return the word of a run; raise `OutOfBudget` where it is too long to be read."""

    def letters(standings: list[Standing]) -> tuple[Letter, ...]:
        return tuple(letter_at(place, state, meanings) for place, state in standings)

    stem = list(standings_of(lasso.stem.paths))
    cycle = list(standings_of(lasso.cycle.paths))
    if lasso.stays:
        cycle = [(None, lasso.cycle.paths[-1].end)]
    return Word(letters(stem), letters(cycle))


def letter_at(place: Place | None, state: State, meanings: Meanings) -> Letter:
    """Return the atoms that hold before the statement at a place, or after the end where there is none."""
    return frozenset(atom for atom, meaning in meanings.items() if meaning.holds(place, state))


def standings_of(paths: tuple[Path, ...]) -> Iterator[Standing]:
    """Yield where a run stands before each of its statements, calls that return from inside included."""
    left = MOST_LETTERS
    for path in paths:
        todo = [_walk(path)]
        while todo:
            for place, state, inside in todo[-1]:
                left -= 1
                if left < 0:
                    raise OutOfBudget(f"the run has more than {MOST_LETTERS:,} steps, too many to read its letters")
                yield place, state
                if inside is not None:
                    todo.append(_walk(inside))
                    break
            else:
                todo.pop()


def _walk(path: Path) -> Iterator[tuple[Place, State, Path | None]]:
    state = path.start
    for step in path.steps:
        yield (path.procedure, step.edge.source), state, step.inside
        state = step.after
