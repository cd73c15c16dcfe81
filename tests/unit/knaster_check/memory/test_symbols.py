"""Inputs as terms: what a node says is what the run computes, whatever the operator and the type."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from knaster_check.c.nodes import Node, all_of
from knaster_check.c.solvers import Solvers
from knaster_check.memory.faults import Undefined
from knaster_check.memory.symbols import Nodes, Symbol, SymbolicInputs
from knaster_check.memory.values import range_of
from knaster_check.program import Type
from knaster_check.refused import Unsupported
from knaster_check.work import nothing

TYPES: list[Type] = [("int", 8, True), ("int", 8, False), ("int", 32, True), ("int", 64, False)]
SIGNS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")


class Silent:
    """A machine that notes what is undefined."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def note(self, kind: str, place: object) -> None:
        self.noted.append(kind)


def fixed(inputs: SymbolicInputs, symbols: list[Symbol]) -> list[Node]:
    return [inputs.nodes.compare("==", one.node, inputs.nodes.number(one.value)) for one in symbols]


def inputs_with(values: list[int], type: Type, kinds: tuple[str, ...] = ()) -> tuple[SymbolicInputs, list[Any]]:
    bounds = range_of(type)
    assert bounds is not None
    low, high = bounds
    bits = {f"i{number}.{low}.{high}": value % (1 << type[1]) for number, value in enumerate(values)}
    inputs = SymbolicInputs(Nodes(), bits, kinds)
    return inputs, [inputs.between(low, high) for _ in values]


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_node_says_what_the_run_computes(sign: str, type: Type) -> None:
    random, bounds = Random(f"{sign}{type}"), range_of(type)
    assert bounds is not None
    ends = [*bounds, 0, 1, 7, bounds[0] + 1, min(-1, bounds[0]) + bounds[1]]
    pairs = [(random.choice(ends), random.choice(ends)) for _ in range(4)]
    pairs += [(random.randint(*bounds), random.randint(*bounds)) for _ in range(4)]
    for values in pairs:
        machine: Any = Silent()
        inputs, symbols = inputs_with(list(values), type, ("overflow",))
        try:
            found = inputs.compute(machine, sign, symbols[0], symbols[1], type, (1, 1))
        except Undefined:
            found = None
        facts = fixed(inputs, symbols)
        solvers = Solvers(nothing)
        assert solvers.find(all_of([*facts, *inputs.trail])) is not None, values
        if found is not None:
            differs = inputs.nodes.compare("!=", found.node, inputs.nodes.number(found.value))
            assert solvers.find(all_of([*facts, differs])) is None, (values, found.value)


@pytest.mark.parametrize("value", [0, 1, -1, 5 << 8, -(1 << 31), (1 << 31) - 1])
def test_bytes_are_taken_apart_and_joined(value: int) -> None:
    inputs, (one,) = inputs_with([value], ("int", 32, True))
    parts = [inputs.byte_of(one, at) for at in range(4)]
    assert bytes(part.value for part in parts) == value.to_bytes(4, "little", signed=True)
    again = inputs.fitted(inputs.joined(parts), ("int", 32, True))
    assert again.value == value
    differs = inputs.nodes.compare("!=", again.node, one.node)
    assert Solvers(nothing).find(differs) is None


def test_what_was_asked_is_noted_once() -> None:
    inputs, (one, other) = inputs_with([3, 4], ("int", 32, True))
    assert inputs.compare("<", one, other) and inputs.compare("<", one, other)
    assert not inputs.compare(">", one, 3)
    assert inputs.pinned(one) == 3
    assert len(inputs.trail) == 3
    assert Solvers(nothing).find(all_of(inputs.trail)) is not None


def test_an_input_of_an_interval_stays_there() -> None:
    nodes = Nodes()
    first = SymbolicInputs(nodes, {"i0.-1.255": 400}, ()).between(-1, 255)
    assert -1 <= first.value <= 255
    outside = nodes.compare(">", first.node, nodes.number(255))
    assert Solvers(nothing).find(all_of([*nodes.facts, outside])) is None
    assert SymbolicInputs(nodes, {}, ()).between(-1, 255).node is first.node


def test_a_condition_is_not_both() -> None:
    inputs, (one,) = inputs_with([3], ("int", 8, True))
    condition = inputs.nodes.compare("==", one.node, inputs.nodes.number(3))
    inputs.decide(condition, True)
    with pytest.raises(Unsupported, match="does not hold"):
        inputs.decide(condition, False)


@pytest.mark.parametrize("type", [("int", 3, True), ("int", 3, False)])
@pytest.mark.parametrize("sign", SIGNS)
def test_runs_with_the_same_conditions_end_alike(sign: str, type: Type) -> None:
    """What is undefined, and an overflow where that is asked for, is the same wherever the same was noted."""
    bounds = range_of(type)
    assert bounds is not None
    nodes = Nodes()
    ends: dict[tuple[int, ...], str] = {}
    for one, other in product(range(bounds[0], bounds[1] + 1), repeat=2):
        bits = {f"i{number}.{bounds[0]}.{bounds[1]}": value % 8 for number, value in enumerate((one, other))}
        inputs = SymbolicInputs(nodes, bits, ("overflow",))
        machine: Any = Silent()
        try:
            inputs.compute(machine, sign, inputs.between(*bounds), inputs.between(*bounds), type, (1, 1))
            end = ",".join(machine.noted)
        except Undefined as undefined:
            end = undefined.kind
        assert ends.setdefault(tuple(map(id, inputs.trail)), end) == end, (one, other)
    kinds = {end for end in ends.values() if end}
    partial = {"/": {"division"}, "%": {"division"}, "<<": {"shift"}, ">>": {"shift"}}.get(sign, set())
    assert kinds == partial | ({"overflow"} if type[2] and sign in "+-*/%<<" else set())


def test_overflow_is_noted_where_it_is_asked_for() -> None:
    for kinds, count in ((("overflow",), 1), ((), 0)):
        inputs, (one, other) = inputs_with([3, 4], ("int", 8, True), kinds)
        machine: Any = Silent()
        inputs.compute(machine, "+", one, other, ("int", 8, True), (1, 1))
        assert len(inputs.trail) == count
    for type in (("int", 8, False), ("int", None, True)):
        inputs, (one, other) = inputs_with([3, 4], ("int", 8, True), ("overflow",))
        inputs.compute(machine, "+", one, other, type, (1, 1))
        assert not inputs.trail
    assert SymbolicInputs(Nodes(), {}, ("alignment",)).heeds_alignment and not inputs.heeds_alignment


def test_places_and_plain_numbers() -> None:
    inputs, (one,) = inputs_with([3], ("int", 8, True))
    moved = inputs.moved(5, one, 4)
    assert moved.value == 17 and inputs.joined([1, 2]) == 513 and inputs.pinned(7) == 7 and not inputs.trail
    differs = inputs.nodes.compare("!=", moved.node, inputs.nodes.number(17))
    assert Solvers(nothing).find(all_of([*fixed(inputs, [one]), differs])) is None


def test_intervals() -> None:
    for low, high, facts in ((0, 255, 0), (-128, 127, 0), (0, 200, 1), (-1, 127, 1), (3, 3, 1), (0, 1, 0)):
        nodes = Nodes()
        found = SymbolicInputs(nodes, {}, ()).between(low, high)
        assert found.value == min(max(0, low), high) and len(nodes.facts) == facts
        node = nodes.node(("not",), nodes.within(found.node, low, high))
        assert nodes.node(("not",), nodes.node(("not",), node)) is node
        assert Solvers(nothing).find(all_of([*nodes.facts, node])) is None
        for border in (low, high):
            same = nodes.compare("==", found.node, nodes.number(border))
            assert Solvers(nothing).find(all_of([*nodes.facts, same])) is not None


def test_a_shift_of_exact_numbers_is_not_too_far() -> None:
    nodes = Nodes()
    trails: dict[bool, set[tuple[int, ...]]] = {False: set(), True: set()}
    for count, fails in ((0, False), (3, False), ((1 << 16) - 1, False), (1 << 16, True)):
        inputs = SymbolicInputs(nodes, {"i0.0.131071": count}, ())
        machine: Any = Silent()
        try:
            inputs.compute(machine, "<<", 1, inputs.between(0, 131071), ("int", None, True), (1, 1))
            assert not fails
        except Undefined:
            assert fails
        trails[fails].add(tuple(map(id, inputs.trail)))
    assert len(trails[False]) == len(trails[True]) == 1 and trails[False] != trails[True]
