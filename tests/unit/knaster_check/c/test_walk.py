"""Walks through regions of C: a step to itself is a cycle, and of edges without a condition each may be taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.c import parse
from knaster_check import Refused, check, read_program
from knaster_check.c.walk import _has_cycle
from knaster_check.program import Assume
from support.c_proofs import READ
from support.kernel import claims, document

BRANCH = "int main(void) { int a = 0, x = read(); if (x) a = 1; else a = 2; if (a == 2) reach_error(); return 0; }"
TRUE = [["truth", True]]
TWO = ["number", "2"]


def refusal(text: str, change: Callable[[Any], None], proof: Callable[[Any], dict[str, Any]]) -> str:
    """Return why the kernel refuses a proof of a program whose text was changed; empty where it believes it."""
    program = parse(READ + text)
    data = json.loads(program_to_kernel(program))
    change(data)
    try:
        check(read_program(json.dumps(data)), json.dumps(document(program, proof(program))))
    except Refused as refused:
        return str(refused)
    return ""


def main_of(data: Any) -> Any:
    return next(own for own in data["procedures"] if own["name"] == "main")


def branches(data: Any) -> list[Any]:
    """Return the edges out of the first place that has two."""
    edges = main_of(data)["edges"]
    at = next(edge[0] for edge in edges if sum(other[0] == edge[0] for other in edges) > 1)
    return [edge for edge in edges if edge[0] == at]


def invariants(program: Any) -> dict[str, Any]:
    return {"invariants": claims(program, {"main": {}})}


def unrolling(program: Any) -> dict[str, Any]:
    return {"unrolling": {"depth": 1}}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("proof", [invariants, unrolling])
def test_of_edges_without_a_condition_each_may_be_taken(proof: Any, turned: bool) -> None:
    """Whichever of them stands first in the text."""

    def free(data: Any, values: tuple[int, int] = (1, 2)) -> None:
        last = next(edge for edge in main_of(data)["edges"] if edge[1][0] == "assign" and edge[1][2] == [[TWO]])
        for edge, value in zip(branches(data), values, strict=True):
            edge[1], edge[2] = ["assign", ["a"], [[["number", str(value)]]], TRUE], last[2]
        if turned:
            main_of(data)["edges"].reverse()

    assert refusal(BRANCH, free, proof) != ""
    assert refusal(BRANCH, lambda data: free(data, (1, 3)), proof) == ""


def loop(data: Any) -> None:
    """Let the last assignment be followed by a step from its end to itself, on which a grows."""
    own = main_of(data)
    edge = next(edge for edge in own["edges"] if edge[1][0] == "assign" and edge[1][2] == [[["number", "2"]]])
    at = edge[2]
    more = [["variable", "a"], ["number", "1"], ["arithmetic", "+", 32, True]]
    own["edges"].append([at, ["assign", ["a"], [more], TRUE], at, edge[3], False, []])


@pytest.mark.parametrize("proof", [invariants, unrolling])
def test_a_step_to_itself_is_a_cycle(proof: Any) -> None:
    text = BRANCH.replace("a == 2", "a == 7")
    assert refusal(text, lambda data: None, proof) == ""
    assert ("in a cycle" if proof is invariants else "") in refusal(text, loop, proof) != ""


def test_cycles_of_procedures() -> None:
    program = read_program(program_to_kernel(parse(READ + BRANCH)))
    main = program.procedures["main"]
    assert not _has_cycle(main)
    (first, *others) = main.edges
    step = first._replace(action=Assume((("truth", True),)), target=first.source)
    assert _has_cycle(main._replace(edges=(step, first, *others)))
    back = first._replace(action=Assume((("truth", True),)), source=first.target, target=first.source)
    assert _has_cycle(main._replace(edges=(back, first, *others)))
