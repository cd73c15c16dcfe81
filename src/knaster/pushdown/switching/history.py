"""How a configuration was reached: the contexts that led to it, each with the rules that one system fired.

The sets of stacks of a row are independent of each other, so a run is put together from its end: the last context must
end in the stack that is wanted; a run of one system that ends there says with which stack its context began; that is
the stack with which its context before must end; and so on.  A stack that nobody asked for may be any of its set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.records import dataclass
from knaster.pushdown.automaton import single
from knaster.pushdown.numbering import Names
from knaster.pushdown.runs.witness import witness
from knaster.pushdown.solve import post_star
from knaster.pushdown.switching.all_contexts import Reached, Row, Top, stacks_as_set
from knaster.pushdown.system import Configuration, Rule, State, Symbol
from knaster.pushdown.tick import Tick
from knaster.pushdown.transducers.language import Language


@dataclass(frozen=True, slots=True)
class Context:
    """One context: which system ran, from which configuration of it, and the rules that it fired."""

    running: int
    start: Configuration
    run: tuple[Rule[bool], ...]


def history(found: Reached, top: Top, tick: Tick | None = None) -> list[Context]:
    """Return a run of all systems, with the least number of contexts, to a control state and a topmost symbol."""
    first = found.first[top]
    stack = _shortest(first.reached[top[1]], found.symbols[first.running], top[2], True)
    return history_of(found, first, top[1], {first.running: stack}, tick)


def history_to_tops(
    found: Reached, last: Row, state: State, tops: Sequence[Symbol | None], tick: Tick | None = None
) -> list[Context]:
    """Return a run of all systems to a control state that a row reaches, each with this topmost symbol."""
    stacks = (*last.stacks[: last.running], last.reached[state], *last.stacks[last.running + 1 :])
    wanted = {
        number: _shortest(language, found.symbols[number], top, True)
        for number, (language, top) in enumerate(zip(stacks, tops, strict=True))
    }
    return history_of(found, last, state, wanted, tick)


def history_of(
    found: Reached, last: Row, state: State, wanted: dict[int, tuple[Symbol, ...]], tick: Tick | None = None
) -> list[Context]:
    """Return a run of all systems to a control state that a row reaches, with the stacks that are wanted."""
    row: Row | None = last
    contexts: list[Context] = []
    while row is not None:
        number, names = row.running, found.symbols[row.running]
        if number not in wanted:
            wanted[number] = _shortest(row.reached[state], names, None, False)
        start = stacks_as_set(row.state, row.stacks[number], names)
        answer = post_star(found.systems[number], start, witnesses="one", tick=tick)
        run = witness(answer, single(state, *wanted[number]))
        assert run is not None
        wanted[number] = run.start.stack
        contexts.append(Context(number, run.start, tuple(run.run)))
        state, row = row.state, row.before
    return contexts[::-1]


def _shortest(language: Language, names: Names, top: Symbol | None, fixed: bool) -> tuple[Symbol, ...]:
    """Return a shortest word of a set; where `fixed`, one with this first letter, None for the empty word."""
    if fixed and top is None:
        return ()
    first = [(letter, target) for letter, target in language.moves[0] if not fixed or names.names[letter] == top]
    if not fixed and language.accepting[0]:
        return ()
    came: dict[int, tuple[int | None, int]] = {}
    order = list(_mark_states(came, None, first))
    for state in order:  # which grows
        if language.accepting[state]:
            return _spell_word(came, state, names)
        order += _mark_states(came, state, language.moves[state])
    raise AssertionError("a set of stacks is never empty")


def _mark_states(came: dict[int, tuple[int | None, int]], source: int | None, moves: object) -> Iterator[int]:
    assert isinstance(moves, list | tuple)
    for letter, target in moves:
        if target not in came:
            came[target] = source, letter
            yield target


def _spell_word(came: dict[int, tuple[int | None, int]], state: int, names: Names) -> tuple[Symbol, ...]:
    word: list[Symbol] = []
    here: int | None = state
    while here is not None:
        here, letter = came[here]
        word.append(names.names[letter])
    return tuple(reversed(word))
