"""Sets of configurations: composing them, edges into control states, wildcards and symbols nobody named."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import (
    ANY,
    EMPTY,
    Automaton,
    Edge,
    Wildcard,
    configuration_set,
    everything,
    intersection,
    separate,
    single,
    starting_with,
    union,
    without_empty_edges,
    without_weights,
)
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.solve import ijop, post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, SystemBuilder

NO_RULES: PushdownSystem[bool] = PushdownSystem.of(Boolean(), [])
WORDS = ["", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "x", "ax", "xa"]


def _language(automaton: Automaton[bool], state: str = "p") -> list[str]:
    """Return which of some words the automaton accepts, asked in both directions and as a set."""
    forward, backward = post_star(NO_RULES, automaton), pre_star(NO_RULES, automaton)
    accepted = []
    for word in WORDS:
        configuration = Configuration(state, tuple(word))
        answers = {answer.accepts(configuration) for answer in (forward, backward)}
        answers.add(weight_in(forward, configuration_set(configuration)))
        answers.add(weight_in(pre_star(NO_RULES, configuration_set(configuration)), automaton))
        assert len(answers) == 1, word
        accepted += [word] if answers.pop() else []
    return accepted


def test_sets() -> None:
    assert _language(single("p", "a", "b")) == ["ab"]
    assert _language(single("p")) == [""]
    assert _language(configuration_set(Configuration("p"), Configuration("p", ("a",)), Configuration("q", ("b",)))) == [
        "",
        "a",
    ]
    assert _language(starting_with("p", "a")) == ["a", "aa", "ab", "aab", "aba", "ax"]
    assert _language(starting_with("p")) == WORDS
    assert _language(everything(["q"])) == []
    assert _language(union(single("p", "a"), starting_with("p", "b"), single("q", "aa"))) == ["a", "b", "ba", "bb"]
    assert _language(union()) == []


def test_edges_into_control_states_are_renamed_apart() -> None:
    loop: Automaton[bool] = Automaton.of([("p", "a", "p"), ("p", "b", "f")], ["f"], ["p"])
    assert _language(loop) == ["b", "ab", "aab"]
    assert all(edge.target not in loop.initial for edge in separate(loop).edges)
    final: Automaton[bool] = Automaton.of([("p", "a", "p")], ["p"], ["p"])
    assert _language(final) == ["", "a", "aa"]
    crossed: Automaton[bool] = Automaton.of([("p", "a", "q"), ("q", "b", "f")], ["f"], ["p", "q"])
    assert _language(crossed) == ["ab"]
    assert _language(crossed, "q") == ["b"]


def test_a_state_of_the_automaton_may_be_called_like_a_control_state() -> None:
    builder = SystemBuilder(Boolean())
    builder.rule("f", "c", "f", "d")
    shadow: Automaton[bool] = Automaton.of([("p", "a", "f"), ("f", "c", "g")], ["g"], ["p"])
    answer = post_star(builder.build(), shadow)
    assert answer.accepts(Configuration("p", ("a", "c")))
    assert not answer.accepts(Configuration("f", ("d",)))
    assert not answer.accepts(Configuration("p", ("a", "d")))


def test_wildcards_match_symbols_that_nobody_named() -> None:
    not_a: Automaton[bool] = Automaton.of([("p", Wildcard(frozenset("a")), "f")], ["f"], ["p"])
    assert _language(not_a) == ["b", "x"]
    any_two: Automaton[bool] = Automaton.of([("p", ANY, "q"), ("q", ANY, "f")], ["f"], ["p"])
    assert _language(any_two) == ["aa", "ab", "ba", "bb", "ax", "xa"]
    assert ijop(NO_RULES, single("p", "z", "y"), starting_with("p", "z"), "post")
    assert ijop(NO_RULES, single("p", "z", "y"), starting_with("p", "z"), "pre")


def test_empty_edges_are_removed() -> None:
    automaton: Automaton[bool] = Automaton.of(
        [("p", EMPTY, "q"), ("q", "a", "r"), ("r", EMPTY, "q"), ("r", EMPTY, "f")], ["f"], ["p"]
    )
    assert _language(automaton) == ["a", "aa"]
    heavy: Automaton[Length] = Automaton((Edge("p", EMPTY, "f", 3),), frozenset("f"), frozenset("p"))
    with pytest.raises(UsageError, match="empty edge"):
        without_empty_edges(heavy, MinPath())


def test_intersection() -> None:
    odd: Automaton[bool] = Automaton.of([("p", ANY, "q"), ("q", ANY, "p")], ["q"], ["p"])
    assert _language(intersection(odd, starting_with("p", "a"), Boolean())) == ["a", "aab", "aba"]
    assert _language(intersection(starting_with("p", "a"), odd, Boolean())) == ["a", "aab", "aba"]
    other: Automaton[bool] = Automaton.of([("p", Wildcard(frozenset("b")), "f")], ["f"], ["p"])
    assert _language(intersection(odd, other, Boolean())) == ["a", "x"]
    assert _language(intersection(single("p", "a"), single("p", "b"), Boolean())) == []
    left: Automaton[Length] = Automaton((Edge("p", "a", "f", 3),), frozenset("f"), frozenset("p"))
    right: Automaton[Length] = Automaton((Edge("p", "a", "f", 4),), frozenset("f"), frozenset("p"))
    assert [edge.weight for edge in intersection(left, right, MinPath()).edges] == [7]


def test_a_set_that_is_asked_about_has_no_weights() -> None:
    system = PushdownSystem.of(MinPath(), [])
    heavy: Automaton[Length] = Automaton((Edge("p", "a", "f", 3),), frozenset("f"), frozenset("p"))
    answer = post_star(system, heavy)
    assert answer.weight_of(Configuration("p", ("a",))) == 3
    with pytest.raises(UsageError, match="has no weights"):
        weight_in(answer, heavy)
    assert weight_in(answer, without_weights(heavy)) == 3
