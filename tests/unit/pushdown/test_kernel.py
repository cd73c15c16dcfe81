"""The compiled kernel: it is there, it notices what it cannot do, and large systems come out right."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest

from knaster.native import library
from knaster.pushdown import kernel
from knaster.pushdown import kernel_calls as compiled
from knaster.pushdown.automaton import single
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.numbering import NumberedAutomaton, RuleTable, integers
from knaster.pushdown.saturation.query import path_summary
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule

needs_kernel = pytest.mark.skipif(not compiled.is_available(), reason="the kernel was not compiled")


def test_nothing_is_called_where_there_is_no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    kernel.load.cache_clear()
    monkeypatch.setattr(library, "LIBRARY", tmp_path / "nothing.so")
    assert kernel.load() is None
    kernel.load.cache_clear()


def _random_rules(
    rng: random.Random, states: int, symbols: int, rules: int, domain: Any, weight: Any
) -> PushdownSystem[Any]:
    def rule() -> Rule[Any]:
        push = tuple(rng.randrange(symbols) for _ in range(rng.choice([0, 1, 1, 2])))
        return Rule(rng.randrange(states), rng.randrange(symbols), rng.randrange(states), push, weight(rng))

    return PushdownSystem.of(domain, [rule() for _ in range(rules)])


@needs_kernel
@pytest.mark.parametrize("saturate", [post_star, pre_star])
@pytest.mark.parametrize(("states", "symbols", "rules"), [(3, 150, 500), (400, 4, 1500), (3000, 3000, 4000)])
@pytest.mark.parametrize("weighted", [False, True])
def test_larger_systems(
    saturate: Any, states: int, symbols: int, rules: int, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sparse and dense pairs of state and symbol, tables that have to grow, lengths in and beyond the buckets."""
    rng = random.Random(f"{states} {symbols} {weighted}")
    if weighted:
        system = _random_rules(rng, states, symbols, rules, MinPath(), lambda r: r.choice([0, 1, 5, 2**20, 2**40]))
    else:
        system = _random_rules(rng, states, symbols, rules, Boolean(), lambda r: True)
    start: Any = single(system.rules[0].source, system.rules[0].symbol)
    fast = saturate(system, start)
    monkeypatch.setattr(compiled, "is_available", lambda: False)
    slow = saturate(system, start)
    assert isinstance(fast.source, memoryview) and isinstance(slow.source, list)
    rows = [set(zip(a.source, a.symbol, a.target, a.weight, strict=True)) for a in (fast, slow)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == len(fast)
    assert path_summary(fast) == path_summary(slow)


@needs_kernel
def test_memory_outlives_the_answer() -> None:
    table = RuleTable.numbered(1, 2, (integers([0]), integers([0]), integers([0]), integers([1]), integers([-1])))
    states = table.states.copy()
    states.number("accept")
    automaton: NumberedAutomaton[bool] = NumberedAutomaton(
        integers([0]), integers([0]), integers([1]), [True], frozenset({1}), 1, states, table.symbols
    )
    found = compiled.saturate(table, automaton, backward=False)
    assert found is not None
    symbols = found.symbol
    del found
    assert list(symbols) == [0, 1]
    assert (
        compiled.saturate(table, automaton, backward=False, lengths=array("q", [2**62]), edge_lengths=array("q", [0]))
        is None
    )
