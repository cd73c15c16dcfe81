"""Error projections against explicit ones: every valuation in the control state or on the stack, no weights at all.

`KNASTER_EXAMPLES=20 pytest tests/differential/test_projections.py` compares 1,000 random programs.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from knaster.pushdown.automaton import Automaton, single, starting_with, union
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.relations import BddRelation, BddRelations
from knaster.pushdown.merge import projecting_merge
from knaster.pushdown.projections.error_projection import Projection, project
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule, configurations, run_value

PROGRAMS = 50 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

Valuation = tuple[int, int]  # a global and a local bit
Pairs = frozenset[tuple[Valuation, Valuation]]
Flow = tuple[str, tuple[str, ...], Pairs]

VALUATIONS: list[Valuation] = [(g, local) for g in range(2) for local in range(2)]
EXPLICIT = BitRelations(VALUATIONS)


def random_flows(rng: random.Random) -> list[Flow]:
    """Return rules (node, what replaces it, relation) of a few procedures; node e is the error, m0 the start."""
    flows: list[Flow] = []
    sizes = {name: rng.randint(2, 5) for name in "mfh"[: rng.randint(1, 3)]}
    for name, size in sizes.items():
        nodes = [f"{name}{i}" for i in range(size)]
        for _ in range(rng.randint(size, 2 * size)):
            flows.append((rng.choice(nodes), (rng.choice(nodes),), _relation(rng)))
        flows.append((rng.choice(nodes), ("e",), frozenset((v, v) for v in rng.sample(VALUATIONS, 1))))
        for callee in sizes:
            if rng.random() < 0.6:
                flows.append((rng.choice(nodes), (f"{callee}0", rng.choice(nodes)), _call(rng)))
        flows.append((rng.choice(nodes[1:]), (), _relation(rng)))
    return flows


def _relation(rng: random.Random) -> Pairs:
    """Return a step: nothing happens, some valuations are stopped, or each becomes another one."""
    kind = rng.random()
    if kind < 0.3:
        return frozenset((v, v) for v in VALUATIONS)
    if kind < 0.5:
        return frozenset((v, v) for v in rng.sample(VALUATIONS, 2))
    return frozenset((v, rng.choice(VALUATIONS)) for v in VALUATIONS if rng.random() < 0.85)


def _call(rng: random.Random) -> Pairs:
    """Return the step into a callee: it sees the global, and its own local is free or fixed."""
    entries = {g: rng.sample(VALUATIONS, rng.randint(1, 2)) for g in range(2)}
    return frozenset(((g, local), v) for g, local in VALUATIONS for v in entries[g])


def weighted(flows: list[Flow], domain: Any, make: Any, project_locals: Any) -> PushdownSystem[Any]:
    rules = []
    for node, push, pairs in flows:
        weight = make(pairs)
        merge = projecting_merge(domain, weight, project_locals) if len(push) == 2 else None
        rules.append(Rule("p", node, "p", push, weight, merge))
    return PushdownSystem.of(domain, rules)


def explicit(flows: list[Flow]) -> PushdownSystem[bool]:
    """Return the system without weights: the global is the control state, locals are on the stack."""
    rules: dict[Rule[bool], None] = {}
    for node, push, pairs in flows:
        for (g, local), (g2, local2) in pairs:
            stack: tuple[Any, ...] = tuple((symbol, local2) for symbol in push)
            if len(push) == 2:
                stack = ((push[0], local2), (push[1], local))
            rules[Rule(g, (node, local), g2, stack, True)] = None
    return PushdownSystem.of(Boolean(), sorted(rules, key=str))


def explicit_projection(flows: list[Flow]) -> dict[str, set[Valuation]]:
    """Return for every node with which valuations runs from m0 to e pass it."""
    system = explicit(flows)
    start: Automaton[bool] = union(*(single(g, ("m0", local)) for g, local in VALUATIONS))
    error: Automaton[bool] = union(*(starting_with(g, ("e", local)) for g, local in VALUATIONS))
    post, pre = post_star(system, start), pre_star(system, error)
    found: dict[str, set[Valuation]] = {}
    for node in sorted({symbol for flow in flows for symbol in (flow[0], *flow[1])}):
        for g, local in VALUATIONS:
            if _both_accept(post, pre, g, (node, local)):
                found.setdefault(node, set()).add((g, local))
    return found


def _both_accept(post: Answer[bool], pre: Answer[bool], control: int, symbol: Any) -> bool:
    """Tell whether both accept some configuration with this control state and top symbol."""

    def after(q: int, s: int, letter: int) -> Iterator[tuple[int, int]]:
        name = post.symbols.names[letter]
        for t in post.leaving.get((q, letter), ()):
            for u in pre.leaving.get((s, pre.letter(name)), ()):
                yield post.target[t], pre.target[u]

    first = post.control(control), pre.control(control)
    if first[0] is None or first[1] is None or symbol not in post.symbols.numbers:
        return False
    todo = list(after(first[0], first[1], post.symbols.numbers[symbol]))
    seen = set(todo)
    while todo:
        q, s = todo.pop()
        if q in post.final and s in pre.final:
            return True
        for letter in range(len(post.symbols.names)):
            for pair in after(q, s, letter):
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
    return False


def projected(system: PushdownSystem[Any]) -> Projection[Any]:
    return project(system, single("p", "m0"), starting_with("p", "e"), witnesses=True)


def test_projection_equals_the_explicit_one() -> None:
    inside = outside = 0
    project_locals = EXPLICIT.projection(lambda v: v)
    for seed in range(PROGRAMS):
        flows = random_flows(random.Random(f"projection {seed}"))
        expected = explicit_projection(flows)
        found = projected(weighted(flows, EXPLICIT, EXPLICIT.relation, project_locals))
        assert set(found.nodes) == set(expected), seed
        for node in expected:
            assert found.values(node).image() == expected[node], (seed, node)
        candidates = {v: EXPLICIT.relation([(v, v)]) for v in VALUATIONS}
        for node in {flow[0] for flow in flows}:
            assert set(found.values_among(node, candidates)) == expected.get(node, set()), (seed, node)
            assert (node in found) == (found.weight(node) != EXPLICIT.zero)
        inside += len(expected)
        outside += len({flow[0] for flow in flows} - set(expected))
    assert inside > PROGRAMS and outside > PROGRAMS


def test_every_node_on_its_own_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    project_locals = EXPLICIT.projection(lambda v: v)
    monkeypatch.setattr(Projection, "_can_tabulate", False)
    for seed in range(PROGRAMS):
        flows = random_flows(random.Random(f"one by one {seed}"))
        found = projected(weighted(flows, EXPLICIT, EXPLICIT.relation, project_locals))
        assert set(found.nodes) == set(explicit_projection(flows)), seed


def test_symbolic_projection_equals_the_explicit_one() -> None:
    domain = BddRelations(["g", "l"], tagged=True)

    def literal(name: str, place: dict[str, int], value: int) -> dict[int, bool]:
        return {place[name]: bool(value)}

    def relation(pairs: Pairs) -> BddRelation:
        function = domain.store.false
        for (g, local), (g2, local2) in pairs:
            values = literal("g", domain.before, g) | literal("l", domain.before, local)
            values |= literal("g", domain.after, g2) | literal("l", domain.after, local2)
            function |= domain.store.assignment(values)
        return domain.relation(function)

    for seed in range(PROGRAMS):
        flows = random_flows(random.Random(f"symbolic {seed}"))
        found = projected(weighted(flows, domain, relation, domain.projection(["l"])))
        expected = explicit_projection(flows)
        assert set(found.nodes) == set(expected), seed
        for node, valuations in expected.items():
            assert found.values(node) == relation(frozenset((v, v) for v in valuations)), (seed, node)


def test_witnesses_pass_their_node() -> None:
    count = 0
    project_locals = EXPLICIT.projection(lambda v: v)
    for seed in range(PROGRAMS):
        flows = random_flows(random.Random(f"witness {seed}"))
        found = projected(weighted(flows, EXPLICIT, EXPLICIT.relation, project_locals))
        for node in {flow[0] for flow in flows}:
            one = found.witness(node)
            assert (one is not None) == (node in found), (seed, node)
            if one is None:
                continue
            passed = configurations(one.start, one.run)
            assert passed[0].stack == ("m0",) and passed[-1] == one.end and one.end.stack[0] == "e"
            assert any(each.stack[:1] == (node,) for each in passed), (seed, node)
            assert one.value == run_value(EXPLICIT, one.run) != EXPLICIT.zero, (seed, node)
            count += 1
    assert count > PROGRAMS
