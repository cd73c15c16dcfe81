"""Tours: the run that touches the most wanted nodes, the shortest of these, against all runs."""

from __future__ import annotations

import random
from typing import Any

from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.fast.tours import best_tour
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, configurations


def system_of(rules: list[tuple[str, tuple[str, ...]]]) -> PushdownSystem[bool]:
    return PushdownSystem.of(Boolean(), [Rule("p", source, "p", push, True) for source, push in rules])


def test_touching_more_is_better_than_being_short() -> None:
    rules: list[tuple[str, tuple[str, ...]]] = [
        ("s", ("goal",)),
        ("s", ("a",)),
        ("a", ("goal",)),
        ("a", ("f", "b")),
        ("b", ("goal",)),
        ("b", ("a",)),
        ("f", ("c",)),
        ("f", ()),
        ("c", ()),
    ]
    system = system_of(rules)
    start = Configuration("p", ("s",))
    tour = best_tour(system, start, "goal", ["a", "c", "goal", "nowhere"])
    assert tour is not None
    assert tour.touched == ("a", "c", "goal") and tour.end == Configuration("p", ("goal",))
    assert [rule.symbol for rule in tour.run] == ["s", "a", "f", "c", "b"]
    assert len(configurations(tour.start, tour.run)) == len(tour.run) + 1
    plain = best_tour(system, start, "goal", [])
    assert plain is not None and len(plain.run) == 1 and plain.touched == ()
    assert best_tour(system, start, "nowhere", ["a"]) is None


def test_best_tours_on_random_systems() -> None:
    """Enumerate runs breadth first with the set of touched nodes; the first arrivals are the shortest."""
    found = 0
    for seed in range(60):
        rng = random.Random(f"tour {seed}")
        symbols = [f"n{i}" for i in range(6)]
        rules = [
            (rng.choice(symbols), tuple(rng.choice(symbols) for _ in range(rng.choice([0, 1, 1, 1, 2]))))
            for _ in range(rng.randint(4, 11))
        ]
        goal, wanted = rng.choice(symbols), rng.sample(symbols, 3)
        tour = best_tour(system_of(rules), Configuration("p", ("n0",)), goal, wanted)
        best = _best_by_search(rules, goal, wanted, 14)
        if tour is None:
            assert best is None, seed
            continue
        passed = configurations(tour.start, tour.run)
        assert {each.stack[0] for each in passed if each.stack} & set(wanted) == set(tour.touched)
        assert passed[-1].stack[0] == goal
        if len(tour.run) <= 14:
            assert best == (-len(tour.touched), len(tour.run)), seed
            found += 1
    assert found > 20


def _best_by_search(rules: list[tuple[str, tuple[str, ...]]], goal: str, wanted: list[str], steps: int) -> Any:
    layer: set[tuple[tuple[str, ...], frozenset[str]]] = {(("n0",), frozenset({"n0"} & set(wanted)))}
    seen = set(layer)
    best: tuple[int, int] | None = None
    for length in range(steps + 1):
        for stack, touched in layer:
            if stack and stack[0] == goal:
                best = min(best or (0, 1 << 30), (-len(touched), length))
        following = set()
        for stack, touched in layer:
            for source, push in rules:
                if stack and stack[0] == source and len(stack) < 9:
                    after = push + stack[1:]
                    top = frozenset(after[:1]) & set(wanted)
                    following.add((after, touched | top))
        layer = following - seen
        seen |= layer
    return best
