"""Transducers by hand: the examples of chapter 6 of Lal's thesis, and what is refused."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown import Configuration, Merge, PushdownSystem, Rule, SystemBuilder
from knaster.pushdown.domains import BitRelations, Boolean, MinPath
from knaster.pushdown.domains.minpath import Length
from knaster.pushdown.transducers.contexts import Joint, Standing, weight_within
from knaster.pushdown.transducers.of_system import context_of, transducer_of
from knaster.pushdown.transducers.phases import Grown, phases_of
from knaster.pushdown.transducers.rounds import in_rounds
from knaster.pushdown.transducers.transducer import word_of


def _figure_6_4() -> PushdownSystem[Length]:
    builder = SystemBuilder(MinPath())
    builder.rule("p1", "a", "p1", "a", "b", weight=1)
    builder.rule("p1", "a", "p2", "b", weight=1)
    builder.rule("p2", "b", "p2", weight=1)
    return builder.build()


def test_pop_and_grow_of_figure_6_4() -> None:
    phases = phases_of(_figure_6_4())
    assert {each[:3]: each.weight for each in phases.pop} == {("p1", "a", "p2"): 2, ("p2", "b", "p2"): 1}
    grown = {
        (each.source, each.symbol, each.target): each.weight
        for each in phases.grow
        if each.target == Grown("p1", "a") and each.source in ("p1", "p2")
    }
    assert grown == {("p1", "a", Grown("p1", "a")): 0, ("p2", "b", Grown("p1", "a")): 1}


def test_the_transducer_of_figure_6_4() -> None:
    transducer = transducer_of(_figure_6_4())

    def weight(start: tuple[str, str], end: tuple[str, str]) -> Length:
        first, last = (word_of(Configuration(state, tuple(stack))) for state, stack in (start, end))
        return transducer.weight_of(first, last)

    assert [weight(("p1", "a"), ("p2", "b" * n)) for n in range(1, 6)] == [1, 2, 3, 4, 5]
    assert weight(("p1", "ab"), ("p2", "")) == 3
    assert weight(("p1", "ab"), ("p1", "ab")) == 0
    assert weight(("p1", "ab"), ("p1", "")) == inf  # as printed, step 6 gives any control state (erratum E2)
    assert weight(("p2", "a"), ("p2", "b")) == inf


def test_two_threads_set_and_copy() -> None:
    """The example of section 6.1: each thread sets x to 3 or 7 and then calls a procedure that copies x to y."""
    values = BitRelations([(x, y) for x in (0, 3, 7) for y in (0, 3, 7)])

    def thread(name: str) -> PushdownSystem[Any]:
        builder: SystemBuilder[Any] = SystemBuilder(values)
        for rule, effect in [
            ("1 2", lambda v: (3, v[1])), ("1 3", lambda v: (7, v[1])), ("2 7 4", None), ("3 7 5", None),
            ("4 6", None), ("5 6", None), ("7 8", lambda v: (v[0], v[0])), ("8", None),
        ]:  # fmt: skip
            symbol, *push = (name + node for node in rule.split())
            builder.rule("p", symbol, "p", *push, weight=effect and values.function(effect))
        return builder.build()

    systems = [thread("a"), thread("b")]
    start = Joint("p", (("a1",), ("b1",)))
    for rounds in (1, 2):
        reduced = in_rounds(systems, start, rounds)
        alone = reduced.weight_of(Joint("p", (("a6",), ("b1",))))
        assert set(alone.image()) == {(3, 3), (7, 7)}
        ends = [Joint("p", (("a6",), (f"b{node}",))) for node in (1, 2, 3)]
        mixed = {pair for end in ends for pair in reduced.weight_of(end).image()}
        assert mixed == {(3, 3), (3, 7), (7, 3), (7, 7)}


def _flags() -> list[PushdownSystem[bool]]:
    """One waits for the other's flag, which is the control state."""
    first = PushdownSystem.of(Boolean(), [Rule("up", "wait", "up", ("done",), True)])
    second = PushdownSystem.of(Boolean(), [Rule("down", "raise", "up", ("end",), True)])
    return [first, second]


@pytest.mark.parametrize(("switches", "reached"), [(0, False), (1, True), (2, True)])
def test_a_flag_needs_one_switch(switches: int, reached: bool) -> None:
    start = Joint("down", (("wait",), ("raise",)))
    assert weight_within(_flags(), start, Standing(0, ("done",)), switches) is reached
    assert weight_within(_flags(), start, Joint("up", (("done",), ("end",))), switches) is reached
    assert not weight_within(_flags(), start, Standing(0, ("done",), frozenset({"down"})), switches)


def test_symbols_and_states_that_no_rule_has() -> None:
    start = Joint("elsewhere", (("wait", "junk"), ("raise", "more")))
    assert weight_within(_flags(), start, start, 1)
    assert weight_within(_flags(), start, Standing(1, ("raise", "more")), 0)
    assert in_rounds(_flags(), start, 2).weight_of(start)


def test_what_is_refused() -> None:
    start = Joint("down", (("wait",), ("raise",)))
    with pytest.raises(UsageError, match="there cannot be -1 switches"):
        weight_within(_flags(), start, start, -1)
    with pytest.raises(UsageError, match="has 2 stacks"):
        weight_within(_flags(), Joint("down", (("wait",),)), start, 1)
    with pytest.raises(UsageError, match="at least 1 round"):
        in_rounds(_flags(), start, 0)
    with pytest.raises(UsageError, match="has 2 stacks"):
        in_rounds(_flags(), Joint("down", ()), 1)
    with pytest.raises(UsageError, match="'wait' belongs to two systems"):
        context_of([_flags()[0], _flags()[0]])
    merging = PushdownSystem.of(Boolean(), [Rule("p", "a", "p", ("b", "c"), True, Merge(lambda a, b: a and b))])
    with pytest.raises(UsageError, match="no place for merge functions"):
        transducer_of(merging)
    with pytest.raises(UsageError, match="no place for merge functions"):
        in_rounds([merging], Joint("p", (("a",),)), 1)


def test_configurations_are_shown() -> None:
    assert str(Joint("p", (("a", "b"), ()))) == "<p, a b | ε>"
