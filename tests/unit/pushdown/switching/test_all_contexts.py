"""Any number of contexts: systems by hand, canonical sets of stacks, and tables that lack something."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown import PushdownSystem, Rule
from knaster.pushdown.domains import Boolean
from knaster.pushdown.switching.all_contexts import Reached, Search, has_finite_contexts, reach_all_contexts
from knaster.pushdown.switching.recheck import why_not_closed
from knaster.pushdown.transducers.contexts import Joint
from knaster.pushdown.transducers.language import NOTHING, Language, language_of, single_word


def _system(*rules: str) -> PushdownSystem[bool]:
    """Return the system of rules such as "p a q b c"."""
    split = [rule.split() for rule in rules]
    return PushdownSystem.of(Boolean(), [Rule(p, a, q, tuple(push), True) for p, a, q, *push in split])


RECURSIVE = [_system("p a p a b", "p a q", "q b p c"), _system("p x q y", "q y p x", "p x p")]
START = Joint("p", (("a",), ("x",)))
PING_PONG = [_system("p a q a b"), _system("q x p x y")]  # both stacks grow with each switch


def test_unbounded_stacks_and_a_fixed_point() -> None:
    found = reach_all_contexts(RECURSIVE, START)
    assert found.closed and not has_finite_contexts(RECURSIVE[0]) and has_finite_contexts(RECURSIVE[1])
    assert found.least[0, "p", "c"] == 1 and found.least[1, "q", "y"] == 1
    assert found.least[1, "q", "x"] == 2  # q is handed over before the second system has run
    assert (0, "q", "c") in found.least and (1, "q", None) in found.least
    assert why_not_closed(found) == ""


def test_a_bound_is_kept() -> None:
    found = reach_all_contexts(RECURSIVE, START, most=1)
    assert (found.contexts, found.closed) == (1, False)
    assert (1, "q", "x") not in found.least
    assert "switch to system" in why_not_closed(found)


def test_stacks_that_grow_with_every_switch_never_close() -> None:
    found = reach_all_contexts(PING_PONG, START, most=9)
    assert not found.closed and found.sizes == [1] * 9


def test_a_closed_state_is_not_handed_over() -> None:
    everywhere = reach_all_contexts(RECURSIVE, START)
    inside = reach_all_contexts(RECURSIVE, START, is_open=lambda state: state == "p")
    assert inside.closed and why_not_closed(inside) == ""
    assert (0, "q", "a") in everywhere.least and (0, "q", "a") not in inside.least
    assert why_not_closed(replace(inside, is_open=lambda state: True)) != ""


def test_several_starts() -> None:
    found = reach_all_contexts(RECURSIVE, [Joint("p", ((), ("x",))), Joint("q", (("b",), ("y",)))])
    assert found.closed and why_not_closed(found) == ""
    assert (0, "p", "c") in found.least and (0, "p", None) in found.least


def test_a_table_that_lacks_something_is_not_closed() -> None:
    """Every table that was made smaller is refused, unless everything that can be reached is still in it."""
    found = reach_all_contexts(RECURSIVE, START)
    smaller = [_without(found, number) for number in range(len(found.rows))]
    for number, row in enumerate(found.rows):
        for state, language in row.reached.items():
            for less in (NOTHING, single_word([0]), *_without_a_state(language)):
                if language.includes(less) and language != less:
                    rows = list(found.rows)
                    rows[number] = replace(row, reached={**row.reached, state: less})
                    smaller.append(replace(found, rows=rows))
    refused = [table for table in smaller if why_not_closed(table)]
    assert len(refused) > len(smaller) / 2
    for table in smaller:
        assert table in refused or _tops(table) == set(found.least)


def _without(found: Reached, number: int) -> Reached:
    return replace(found, rows=[row for position, row in enumerate(found.rows) if position != number])


def _tops(table: Reached) -> set[object]:
    return {
        (row.running, state, None if top is None else table.symbols[row.running].names[top])
        for row in table.rows
        for state, language in row.reached.items()
        for top in language.tops()
    }


def _without_a_state(language: Language) -> list[Language]:
    moves = {state: list(row) for state, row in enumerate(language.moves)}
    accepting = [state for state, accepts in enumerate(language.accepting) if accepts]
    return [language_of(0, moves, [state for state in accepting if state != gone]) for gone in accepting]


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="has 2 stacks"):
        reach_all_contexts(RECURSIVE, Joint("p", ((),)))


def test_a_tick_stops_the_search_and_leaves_what_was_found() -> None:
    calls = 0

    def tick() -> None:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise TimeoutError

    search = Search(RECURSIVE, [START], tick=tick)
    before: tuple[int, int] = (0, 0)
    with pytest.raises(TimeoutError):
        while not search.found.closed:
            before = search.found.contexts, len(search.found.rows)
            search.next_context()
    assert (search.found.contexts, len(search.found.rows)) == before
    search.tick = None
    while not search.found.closed:
        search.next_context()
    assert why_not_closed(search.found) == ""


def test_equal_sets_are_equal_values() -> None:
    """Random automata against all words up to a length that tells them apart."""
    words = [word for length in range(6) for word in product((0, 1), repeat=length)]
    seen: dict[frozenset[tuple[int, ...]], Language] = {}
    repeated = 0
    for seed in range(300):
        rng = random.Random(seed)
        moves = {s: [(rng.randrange(2), rng.randint(1, 2)) for _ in range(rng.randrange(3))] for s in range(3)}
        accepting = [state for state in range(3) if rng.random() < 0.4]
        alone = rng.random() < 0.2
        language = language_of(0, moves, accepting, alone)
        accepted = frozenset(word for word in words if _accepts(moves, accepting, word) or (alone and not word))
        assert accepted == frozenset(filter(language.contains, words)), seed
        repeated += accepted in seen
        assert seen.setdefault(accepted, language) == language, seed
        assert set(language.tops()) == {word[0] if word else None for word in accepted}
        for other, theirs in list(seen.items())[:20]:
            assert language.includes(theirs) == (other <= accepted)
    assert repeated > 50 and frozenset() in seen and seen[frozenset()] == NOTHING


def _accepts(moves: dict[int, list[tuple[int, int]]], accepting: list[int], word: tuple[int, ...]) -> bool:
    states = {0}
    for letter in word:
        states = {target for state in states for known, target in moves[state] if known == letter}
    return not states.isdisjoint(accepting)
