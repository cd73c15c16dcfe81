"""Pointer aliases against concrete memory: never a pair too few, and without recursion none too many."""

from __future__ import annotations

import os
from random import Random

import pytest

from support.generators.pointer_programs import (
    PointerProcedure,
    PointerProgram,
    Statement,
    analyse,
    concrete_aliases,
    visible_aliases,
)

PROGRAMS = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


def _procedure(random: Random, name: str, formal: str | None, callees: list[str], length: int) -> PointerProcedure:
    variables, pointers = (f"{name}_a",), (f"{name}_p", f"{name}_q")
    here = [*pointers, "g", "h", *((formal,) if formal else ())]

    def statement() -> Statement:
        kind = random.choice(["copy", "copy", "address", "forget", "skip"])
        match kind:
            case "copy":
                return (kind, random.choice(here), random.choice(here))
            case "address":
                return (kind, random.choice(here), random.choice(["v", *variables]))
            case "forget":
                return (kind, random.choice(here))
            case _:
                return (kind,)

    edges = [(node, statement(), node + 1) for node in range(length)]
    for callee in callees:
        node = random.randrange(length)
        edges[node] = (node, ("call", callee, random.choice(here)), node + 1)
    for _ in range(random.randrange(3)):
        edges.append((random.randrange(length), statement(), random.randrange(1, length + 1)))
    return PointerProcedure(name, formal, variables, pointers, tuple(edges), length)


def _program(random: Random, recursive: bool) -> PointerProgram:
    inner = ["f"] if recursive else ["k"]
    procedures = [
        _procedure(random, "main", None, ["f"], 4),
        _procedure(random, "f", "f_x", inner, 3),
        _procedure(random, "k", "k_x", [], 2),
    ]
    return PointerProgram(("v",), ("g", "h"), tuple(procedures))


@pytest.mark.parametrize("recursive", [False, True])
def test_aliases_match_concrete_memory(recursive: bool) -> None:
    for seed in range(PROGRAMS):
        program = _program(Random(seed), recursive)
        domain, graph = analyse(program)
        solution = graph.jovp(domain.start())
        for node, pairs in sorted(concrete_aliases(program, depth=3).items()):
            found = visible_aliases(program, node, solution.at(node))
            assert pairs <= found, (seed, node, pairs - found)
            if not recursive:
                assert found <= pairs, (seed, node, found - pairs)
