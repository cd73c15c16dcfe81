"""Knoop and Steffen's encoding against its definition: stacks of dataflow values along every valid path."""

from __future__ import annotations

import os
from random import Random

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.domains.functions import FunctionSpace, FunctionTable
from knaster.pushdown.flow import Node
from knaster.pushdown.icfg import FlowGraph, GraphBuilder
from knaster.pushdown.knoop_steffen import knoop_steffen
from knaster.pushdown.semiring import is_below

PROGRAMS = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

VALUES = FunctionSpace(range(8), lambda a, b: a | b)  # subsets of three facts
Stack = tuple[int, ...]


def _transformer(random: Random) -> FunctionTable[int]:
    images = [random.randrange(8) & random.randrange(8) for _ in range(3)]
    empty = random.randrange(8) & random.randrange(8) & random.randrange(8)

    def image(value: int) -> int:
        result = empty
        for bit in range(3):
            if value >> bit & 1:
                result |= images[bit]
        return result

    return VALUES.function(image)


def _shape(random: Random) -> FlowGraph[FunctionTable[int]]:
    builder = GraphBuilder(VALUES)
    for name, length in (("m", 5), ("f", 5)):
        part = builder.procedure(name, f"{name}0", f"{name}{length}")
        call = random.randrange(1, length - 1)
        for node in range(length):
            if node == call:
                part.call(f"{name}{node}", "f", f"{name}{node + 1}")
            else:
                part.edge(f"{name}{node}", f"{name}{node + 1}")
        for _ in range(2):
            part.edge(f"{name}{random.choice([0, call + 1])}", f"{name}{random.randrange(call + 1, length + 1)}")
        if name == "f":
            part.edge("f0", f"f{length}")
    return builder.build("m")


def _ljop(
    shape: FlowGraph[FunctionTable[int]], effects: dict[Node, FunctionTable[int]], mask: int, start: int, depth: int
) -> dict[Node, set[int]]:
    """Return the tops of all stacks with at most `depth` values, by visiting every configuration.

    A configuration is a node, the return nodes of the unfinished calls and the stack *before* the node is executed; a
    return node is executed on arrival.
    """
    calls = {call.source: call for procedure in shape.procedures.values() for call in procedure.calls}
    sites = {call.return_site for call in calls.values()}

    def effect(node: Node, value: int) -> int:
        image = effects[node].apply(value)
        assert image is not None
        return image

    first: tuple[Node, tuple[Node, ...], Stack] = (shape.main.entry, (), (start,))
    seen, todo = {first}, [first]
    found: dict[Node, set[int]] = {}
    while todo:
        node, back, stack = todo.pop()
        found.setdefault(node, set()).add(stack[0])
        after = stack[0] if node in sites else effect(node, stack[0])
        procedure = shape.procedure_of[node]
        following = [(edge.target, back, (after, *stack[1:])) for edge in procedure.edges if edge.source == node]
        if node in calls and len(stack) < depth:
            entry = shape.procedures[calls[node].callee].entry
            following.append((entry, (calls[node].return_site, *back), (after, *stack)))
        if back and any(leave.node == node for leave in procedure.exits):
            merged = stack[1] & mask | effect(back[0], after) & ~mask
            following.append((back[0], back[1:], (merged, *stack[2:])))
        for configuration in following:
            if configuration not in seen:
                seen.add(configuration)
                todo.append(configuration)
    return found


def test_encoding_equals_definition() -> None:
    """R keeps the caller's facts in `mask` and takes the others from the callee; depth 5 decides nearly always."""
    equal = total = 0
    for seed in range(PROGRAMS):
        random = Random(seed)
        shape, mask = _shape(random), random.randrange(8)
        effects = {node: _transformer(random) for node in shape.procedure_of}
        keep = VALUES.pointwise(lambda caller, callee, mask=mask: caller & mask | callee & ~mask)  # type: ignore[misc]
        solution = knoop_steffen(shape, VALUES, effects, lambda _, a, b, keep=keep: keep(a, b)).jovp()  # type: ignore[misc]
        for start in (0, 5):
            tops = _ljop(shape, effects, mask, start, depth=5)
            for node in shape.procedure_of:
                expected = 0
                for top in tops.get(node, ()):
                    expected |= top
                weight = solution.at(node)
                assert (weight == VALUES.zero) == (node not in tops)
                value = weight.apply(start) or 0
                assert expected & ~value == 0, (seed, node)
                equal += value == expected
                total += 1
    assert equal > 0.99 * total


def test_a_call_right_after_a_return_is_refused() -> None:
    builder = GraphBuilder(VALUES)
    main = builder.procedure("m", "m0")
    main.call("m0", "f", "m1")
    main.call("m1", "f", "m2")
    builder.procedure("f", "f0", "f0")
    with pytest.raises(UsageError, match="both a return node and a call node"):
        knoop_steffen(builder.build("m"), VALUES, {}, lambda _, a, b: b)


def test_order_of_functions() -> None:
    assert is_below(VALUES, VALUES.one, VALUES.function(lambda value: value | 1))
