"""Pictures of systems, sets and answers in a notebook; what is too large is not drawn."""

from __future__ import annotations

import pickle
from xml.etree import ElementTree

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown import (
    ANY,
    Answer,
    Automaton,
    Configuration,
    PushdownSystem,
    SystemBuilder,
    post_star,
    pre_star,
    single,
    starting_with,
    weight_in,
    witness,
)
from knaster.pushdown.domains import MinPath


@pytest.fixture(scope="module")
def system() -> PushdownSystem[int | float]:
    builder = SystemBuilder(MinPath())
    for rule in ("main f done", "f f more", "f leaf", "more leaf", "leaf"):
        symbol, *push = rule.split()
        builder.rule("p", symbol, "p", *push, weight=1)
    return builder.build()


def words(picture: str | None) -> str:
    assert picture is not None
    return " ".join(ElementTree.fromstring(picture).itertext())


def test_a_system_is_drawn_over_its_heads(system: PushdownSystem[int | float]) -> None:
    said = words(system._repr_svg_())
    assert all(word in said for word in ("main", "push done / 1", "pop / 1"))
    builder = SystemBuilder(MinPath())
    for number in range(200):
        builder.rule("p", number, "q", number + 1, weight=1)
    assert builder.build()._repr_svg_() is None


def test_sets_and_answers_are_automata(system: PushdownSystem[int | float]) -> None:
    assert "any" in words(starting_with("p", "a")._repr_svg_())
    assert "more / 1" in words(post_star(system, single("p", "main"))._repr_svg_())
    chain: Automaton[int | float] = Automaton.of([(number, "a", number + 1) for number in range(50)], [50], [0])
    assert chain._repr_svg_() is None


def test_or_and_and(system: PushdownSystem[int | float]) -> None:
    top: Automaton[int | float] = starting_with("p", "a")
    exact: Automaton[int | float] = single("p", "a", "b")
    reached = [Configuration("p", stack) for stack in (("a",), ("a", "b"), ("a", "c"), ("b",))]
    both, either = (
        post_star(PushdownSystem.of(MinPath(), []), sets) for sets in (top & exact, exact | single("p", "b"))
    )
    assert [both.accepts(one) for one in reached] == [False, True, False, False]
    assert [either.accepts(one) for one in reached] == [False, True, False, True]
    assert weight_in(post_star(system, single("p", "main")), starting_with("p", "leaf") & starting_with("p", ANY)) == 2
    with pytest.raises(UsageError, match="'&' is for automata without weights"):
        top & Automaton.of([("p", "a", "q", 1)], ["q"], ["p"])


@pytest.mark.parametrize("forward", [True, False])
def test_answers_travel(system: PushdownSystem[int | float], forward: bool) -> None:
    answer = pre_star(system, single("p", "done")) if forward else post_star(system, single("p", "main"))
    found: Answer[int | float] = pickle.loads(pickle.dumps(answer))
    assert list(found.transitions()) == list(answer.transitions())
    where: Automaton[int | float] = single("p", "leaf", "done")
    assert str(witness(found, where)) == str(witness(answer, where))
    assert pickle.loads(pickle.dumps(found)).weight_of(Configuration("p", ("leaf", "done"))) == weight_in(answer, where)
