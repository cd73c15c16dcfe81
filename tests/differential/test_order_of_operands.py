"""Operands in no fixed order: random expressions, with and without memory, against an oracle of what C orders."""

from __future__ import annotations

import os

import pytest

import knaster
from knaster.evidence.answers.answer import Reachable
from support.generators.c_operands import Expressions, Node, program, random_state, to_text
from support.oracles.unsequenced import Ended, Oracle

PROGRAMS = 24 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BLOCK = 8
MOST = 12  # expressions of a program


def _expressions(seed: int, memory: bool) -> tuple[list[Node], bool]:
    """Return expressions of which at most the last one clashes, and whether it does."""
    maker, oracle = Expressions(seed, memory), Oracle(random_state(seed), memory)
    found: list[Node] = []
    while len(found) < MOST:
        node = maker.whole()
        try:
            clashes = oracle.clashes(node)
        except Ended:
            return found, False
        found.append(node)
        if clashes:
            return found, True
    return found, False


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
@pytest.mark.parametrize("memory", [False, True])
def test_an_order_that_is_undefined_is_found_where_it_happens(block: int, memory: bool) -> None:
    for seed in range(block, block + BLOCK):
        expressions, clashes = _expressions(seed, memory)
        text = program(expressions, random_state(seed), memory)
        last = text.count("\n", 0, text.rindex("return 0")) if clashes else 0
        for objects in ("always",) if memory else ("auto", "always"):
            result = knaster.check(text, property="safety", file="test.c", objects=objects)
            found = {
                target.line
                for target, answer in result.answers
                if target.kind == "order" and isinstance(answer, Reachable)
            }
            assert found == ({last} if clashes else set()), (seed, objects, to_text(expressions[-1]), text)
            assert not any("no fixed order" in note for note in result.notes), (seed, text, result.notes)
