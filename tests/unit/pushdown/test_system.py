"""Systems: what is refused, what long right sides become, and what runs do."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import Automaton, single
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.merge import Merge, projecting_merge
from knaster.pushdown.runs.witness import given_rules, witness
from knaster.pushdown.saturation.query import path_summary, weight_in
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import (
    Configuration,
    PushdownSystem,
    Rule,
    SystemBuilder,
    configurations,
    first_configuration,
    last_configuration,
    run_value,
)


def test_a_weight_of_another_domain_is_refused() -> None:
    foreign: Any = "x"
    number: Any = 3
    with pytest.raises(UsageError, match="<p, a> -> <p, ε>: 'x' is no weight of the domain MinPath"):
        PushdownSystem.of(MinPath(), [Rule("p", "a", "p", (), foreign)])
    system = PushdownSystem.of(Boolean(), [Rule("p", "a", "p", (), True)])
    with pytest.raises(UsageError, match="no weight of the domain Boolean"):
        post_star(system, Automaton.of([("p", "a", "f", number)], ["f"], ["p"]))


def test_only_a_push_of_two_symbols_can_merge() -> None:
    with pytest.raises(UsageError, match="only a rule that pushes two symbols"):
        adding: Merge[Length] = Merge(lambda a, b: a + b)
        PushdownSystem.of(MinPath(), [Rule("p", "a", "p", ("b",), 0, adding)])


def _long_push() -> PushdownSystem[Length]:
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "q", "b", "c", "d", "e", weight=5)
    builder.rule("q", "b", "q", weight=1)
    return builder.build()


def test_a_long_right_side_is_taken_apart() -> None:
    system = _long_push()
    assert [len(rule.push) for rule in system.rules] == [2, 2, 2, 0]
    assert system.origin == (0, None, None, 1)
    end = Configuration("q", tuple("cde"))
    forward = post_star(system, single("p", "a"))
    assert forward.weight_of(end) == 6
    assert forward.weight_of(Configuration("q", tuple("bcde"))) == 5
    assert pre_star(system, single("q", *"cde")).weight_of(Configuration("p", ("a",))) == 6
    found = witness(forward, single("q", *"cde"))
    assert found is not None
    assert given_rules(forward, found) == list(system.given)
    assert (found.start, found.end, found.value) == (Configuration("p", ("a",)), end, 6)


def test_the_inside_of_a_long_push_is_no_configuration_of_the_user() -> None:
    answer = post_star(_long_push(), single("p", "a"))
    assert not answer.accepts(Configuration("q", tuple("de")))
    assert not answer.accepts(Configuration("p", tuple("de")))
    assert path_summary(answer) == 0


def test_runs() -> None:
    call: Rule[Length] = Rule("p", "a", "p", ("b", "c"), 2, projecting_merge(MinPath(), 2, lambda w: w + 10))
    back: Rule[Length] = Rule("p", "b", "p", (), 3)
    start = Configuration("p", ("a", "z"))
    assert [str(each) for each in configurations(start, [call, back])] == ["<p, a z>", "<p, b c z>", "<p, c z>"]
    assert last_configuration(start, []) == start
    assert last_configuration(start, [call, back]) == Configuration("p", ("c", "z"))
    assert first_configuration(Configuration("p", ("c", "z")), [call, back]) == start
    with pytest.raises(UsageError, match="cannot fire"):
        configurations(start, [back])
    with pytest.raises(UsageError, match="does not lead to"):
        first_configuration(Configuration("p", ("c",)), [call])
    assert run_value(MinPath(), [call, back]) == 15
    assert run_value(MinPath(), [call]) == 2
    assert run_value(MinPath(), [back]) == 3
    with pytest.raises(UsageError, match="more than two"):
        run_value(MinPath(), _long_push().given)
    assert str(Configuration("p")) == "<p, ε>"


def test_a_rule_of_weight_zero_never_fires() -> None:
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "p", "b", weight=MinPath().zero)
    builder.rule("p", "a", "p", "c", "d", weight=MinPath().zero)
    system = builder.build()
    assert len(post_star(system, single("p", "a"))) == 1
    assert len(pre_star(system, single("p", "b"))) == 1


def test_a_system_without_rules() -> None:
    system: PushdownSystem[bool] = PushdownSystem.of(Boolean(), [])
    for saturate in (post_star, pre_star):
        answer = saturate(system, single("p", "a"))
        assert answer.accepts(Configuration("p", ("a",)))
        assert not answer.accepts(Configuration("p"))
        assert not answer.accepts(Configuration("q", ("a",)))
        assert weight_in(answer, single("q", "b")) is False
