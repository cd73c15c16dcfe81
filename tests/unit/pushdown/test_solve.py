"""Saturation: priorities, bounds, what witnesses cost, and very long runs."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown import kernel_calls as compiled
from knaster.pushdown.automaton import Automaton, Middle, single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.genkill import GenKill
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.runs.witness import witness, witnesses
from knaster.pushdown.saturation.query import path_summary, weight_at, weight_in
from knaster.pushdown.solve import ijop, post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, SystemBuilder, last_configuration


def _chain(length: int, domain: Any = None) -> PushdownSystem[Any]:
    """A procedure that calls itself `length` times and then returns from all of them; every rule has length 1."""
    builder: SystemBuilder[Any] = SystemBuilder(domain or MinPath())
    for i in range(length):
        builder.rule("p", i, "p", i + 1, "r", weight=1)
    builder.rule("p", length, "q", weight=1)
    builder.rule("q", "r", "q", weight=1)
    return builder.build()


@pytest.mark.parametrize("compiling", [True, False])
def test_long_runs(compiling: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiling:
        monkeypatch.setattr(compiled, "is_available", lambda: False)
    length = 50_000 if compiling else 10_000
    system = _chain(length)
    start: Automaton[Length] = single("p", 0)
    end: Automaton[Length] = single("q")
    forward, backward = post_star(system, start, witnesses="one"), pre_star(system, end, witnesses="one")
    for answer, asked in ((forward, end), (backward, start)):
        found = witness(answer, asked)
        assert found is not None
        assert len(found.run) == found.value == 2 * length + 1
        assert last_configuration(Configuration("p", (0,)), found.run) == Configuration("q")


def test_long_runs_with_all_derivations() -> None:
    builder = SystemBuilder(GenKill("x"))
    for i in range(1500):
        builder.rule("p", i, "p", i + 1, "r")
    builder.rule("p", 1500, "q", weight=GenKill("x").transformer(gen="x"))
    builder.rule("q", "r", "q")
    answer = post_star(builder.build(), single("p", 0), witnesses="all")
    assert [len(found.run) for found in witnesses(answer, single("q"))] == [3001]


def test_lengths_beyond_64_bits() -> None:
    """Every procedure calls the next one twice, so the only run has 2^100 rules or so."""
    builder = SystemBuilder(MinPath())
    for i in range(100):
        builder.rule("p", f"a{i}", "p", f"a{i + 1}", f"b{i}", weight=1)
        builder.rule("p", f"b{i}", "p", f"a{i + 1}", weight=1)
    builder.rule("p", "a100", "p", weight=1)
    system = builder.build()
    assert weight_in(post_star(system, single("p", "a0")), single("p")) == 3 * 2**100 - 2
    assert weight_in(pre_star(system, single("p")), single("p", "a0")) == 3 * 2**100 - 2


def test_large_weights_are_left_to_the_reference() -> None:
    builder = SystemBuilder(MinPath())
    builder.rule("p", "a", "p", "b", weight=10**30)
    builder.rule("p", "b", "p", "c", weight=2**62)
    assert post_star(builder.build(), single("p", "a")).weight_of(Configuration("p", ("c",))) == 10**30 + 2**62


def test_a_domain_that_never_stabilises_is_stopped() -> None:
    class Counting:
        zero, one = -1, 0

        def combine(self, a: int, b: int) -> int:
            return max(a, b)

        def extend(self, a: int, b: int) -> int:
            return -1 if -1 in (a, b) else a + b

    builder = SystemBuilder(Counting())
    builder.rule("p", "a", "p", "a", weight=1)
    system = builder.build()
    for saturate in (post_star, pre_star):
        with pytest.raises(UsageError, match="changed 50 times and is 50 now: Counting seems to have an infinite"):
            saturate(system, single("p", "a"), limit=50)
    loop: Automaton[int] = Automaton.of([("p", "a", "q", 1), ("q", "a", "q", 1)], ["q"], ["p"])
    answer = post_star(PushdownSystem.of(Counting(), []), loop)
    with pytest.raises(UsageError, match="infinite ascending chain"):
        weight_in(answer, starting_with("p"))
    with pytest.raises(UsageError, match="infinite ascending chain"):
        weight_at(answer, "a")


def test_priorities_change_the_work_not_the_answer() -> None:
    """The loop of Figure 4.1: finishing it before what follows saves work."""
    calls = 0

    class Watched(BitRelations[int]):
        def extend(self, first: Any, second: Any) -> Any:
            nonlocal calls
            calls += 1
            return super().extend(first, second)

    domain = Watched(range(10))
    builder = SystemBuilder(domain)
    step = domain.function(lambda x: x + 1 if x < 9 else None)
    for source, target in ("12", "23", "31", "34", "45", "56"):
        builder.rule("p", f"v{source}", "p", f"v{target}", weight=step if source == "1" else None)
    system = builder.build()
    costs = []
    answers = []
    for priority in (lambda p, g, q: -int(str(g)[1]), lambda p, g, q: int(str(g)[1])):
        calls = 0
        answers.append(post_star(system, single("p", "v1"), priority=priority))
        costs.append(calls)
    first, second = (sorted(map(repr, answer.transitions())) for answer in answers)
    assert first == second
    assert costs[1] < costs[0]
    reached = answers[0].weight_of(Configuration("p", ("v6",)))
    assert {target for source, target in reached if source == 0} == set(range(1, 10))


def test_priorities_see_names() -> None:
    seen: set[tuple[Any, Any, Any]] = set()

    def priority(source: Any, symbol: Any, target: Any) -> int:
        seen.add((source, symbol, target))
        return 0

    post_star(_chain(1), Automaton.of([("p", 0, "accept")], ["accept"], ["p"]), priority=priority)
    assert {("p", 0, "accept"), ("p", 1, None), ("q", None, None), ("q", "r", "accept"), ("q", None, "accept")} <= seen


def test_one_derivation_is_refused_where_it_cannot_justify_a_weight() -> None:
    domain = GenKill("xy")
    builder = SystemBuilder(domain)
    builder.rule("p", "a", "p", "b", weight=domain.transformer(gen="x"))
    builder.rule("p", "a", "p", "b", weight=domain.transformer(gen="y"))
    system = builder.build()
    with pytest.raises(UsageError, match="ask for all witnesses"):
        post_star(system, single("p", "a"), witnesses="one")
    with pytest.raises(UsageError, match="no derivations were kept"):
        witness(post_star(system, single("p", "a")), single("p", "b"))
    found = witnesses(post_star(system, single("p", "a"), witnesses="all"), single("p", "b"))
    assert [each.numbers for each in found] == [(0,), (1,)]

    class Bottleneck:
        zero, one = 0, 9

        def combine(self, a: int, b: int) -> int:
            return max(a, b)

        def extend(self, a: int, b: int) -> int:
            return min(a, b)

    wide = SystemBuilder(Bottleneck())
    wide.rule("p", "a", "p", "b", weight=3)
    wide.rule("p", "a", "p", "b", weight=5)
    best = witness(post_star(wide.build(), single("p", "a"), witnesses="one"), single("p", "b"))
    assert best is not None
    assert (best.numbers, best.value) == ((1,), 5)


def test_transitions_have_names() -> None:
    builder = SystemBuilder(Boolean())
    builder.rule("p", "a", "p", "e", "r")
    builder.rule("p", "e", "p")
    answer = post_star(builder.build(), Automaton.of([("p", "a", "f")], ["f"], ["p"]))
    mid = Middle("p", "e")
    assert {tuple(transition)[:3] for transition in answer.transitions()} == {
        ("p", "a", "f"),
        ("p", "e", mid),
        ("p", None, mid),
        (mid, "r", "f"),
        ("p", "r", "f"),
    }
    assert str(mid) == "mid(p, e)"


def test_unreachable_states_and_symbols() -> None:
    system = _chain(2)
    answer = post_star(system, single("p", 0))
    assert weight_at(answer, "nowhere") == MinPath().zero
    assert weight_at(answer, 0, state="nobody") == MinPath().zero
    assert weight_at(answer, 1, "r", state="p") == 1
    assert answer.weight_of(Configuration("nobody", (0,))) == MinPath().zero
    assert ijop(system, single("p", 0), single("nobody")) == MinPath().zero
    assert path_summary(answer) == 0


def test_duplicate_push_rules_with_different_lengths() -> None:
    builder = SystemBuilder(MinPath())
    for weight in (7, 3, 5):
        builder.rule("p", 0, "p", "e", "r", weight=weight)
    builder.rule("p", "e", "p", weight=1)
    answer = post_star(builder.build(), single("p", 0))
    assert answer.weight_of(Configuration("p", ("r",))) == 4
    assert answer.weight_of(Configuration("p", ("e", "r"))) == 3


@pytest.mark.parametrize("choice", [{"engine": "fats"}, {"witnesses": "some"}])
def test_a_choice_that_there_is_not(choice: dict[str, Any]) -> None:
    system = PushdownSystem.of(Boolean(), [Rule("p", "a", "p", (), True)])
    for saturate in (post_star, pre_star):
        with pytest.raises(UsageError, match=r"unknown .* choose one of"):
            saturate(system, single("p", "a"), **choice)
    with pytest.raises(UsageError, match="unknown direction 'pots'; choose one of post, pre"):
        ijop(system, single("p", "a"), single("p"), "pots")  # type: ignore[arg-type]
