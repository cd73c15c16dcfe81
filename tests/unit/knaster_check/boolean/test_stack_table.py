"""Sets of stacks as automata: which are contained in which, which stacks can step, and what is no such set."""

from __future__ import annotations

import json

import pytest

from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.boolean.stack_table import Stacks, _holds, _is_contained, _letter, _tops
from knaster_check.boolean.thread_steps import Letter
from knaster_check.program import Call
from support.kernel import kernel
from support.kinds_of_proofs import result_with

LOW, WAITS = Letter("main", 0, (), None, True), Letter("main", 1, (), 0, True)
TOP, MIDDLE = Letter("f", 0, (), None, False), Letter("f", 1, (), 0, False)


def stacks(*rows: dict[Letter, int], accepting: tuple[int, ...]) -> Stacks:
    return Stacks(rows, tuple(at in accepting for at in range(len(rows))))


def test_containment() -> None:
    one = stacks({LOW: 1}, {}, accepting=(1,))
    two = stacks({LOW: 1, TOP: 2}, {}, {WAITS: 1}, accepting=(1,))
    assert _is_contained(one, 0, two, 0) and not _is_contained(two, 0, one, 0)
    assert _is_contained(two, 0, two, 0)
    assert not _is_contained(two, 0, two, 1) and not _is_contained(one, 1, one, 0)
    none = stacks({LOW: 1}, {}, accepting=())
    assert _is_contained(none, 0, one, 0) and not _is_contained(one, 0, none, 0)


def test_tops_are_the_stacks_of_runs() -> None:
    own = stacks({LOW: 2, TOP: 2, MIDDLE: 2, WAITS: 1}, {}, {WAITS: 1, MIDDLE: 2, TOP: 2, LOW: 1}, accepting=(1,))
    assert list(_tops(own)) == [((LOW,), None), ((TOP, WAITS), None), ((TOP, MIDDLE), 2)]


def test_what_holds_of_known_letters_and_a_rest() -> None:
    own = stacks({LOW: 1, TOP: 2}, {}, {WAITS: 1}, accepting=(1,))
    assert _holds(own, (LOW,), own, None) and not _holds(own, (TOP,), own, None)
    assert _holds(own, (TOP,), own, 2) and not _holds(own, (WAITS,), own, 1)
    assert not _holds(own, (), own, 0) and _holds(stacks({}, accepting=(0,)), (), own, 0)


def test_obligations_are_counted_and_files_are_read_without_trust() -> None:
    result = result_with("stack_table")
    document = json.loads(proof_to_text(result))
    verdict = kernel(result.program, document)
    assert verdict.answered["evaluated"] > 10
    data = document["stacks"]
    for wrong in (
        {"sets": [[[], []], *data["sets"][1:]]},
        {"letters": [[*data["letters"][0][:3], 0, *data["letters"][0][4:]], *data["letters"][1:]]},
    ):
        with pytest.raises(Refused):
            kernel(result.program, {**document, "stacks": {**data, **wrong}})


def test_why_letters_and_sets_are_none() -> None:
    result = result_with("stack_table")
    document = json.loads(proof_to_text(result))
    with pytest.raises(Refused, match="has no states"):
        kernel(result.program, {**document, "stacks": {**document["stacks"], "sets": [[[], []]]}})
    called = read_program(
        program_to_kernel(parse("void main() begin skip; f(); end\nvoid f() begin skip; end", "a.bp"))
    )
    edges = called.procedures["main"].edges
    call = next(number for number, edge in enumerate(edges) if isinstance(edge.action, Call))
    assert _letter(called, ["main", edges[call].source, [], call, True]).calling == call
    for at, edge in ((edges[1 - call].source, 1 - call), (edges[call].target, call)):
        with pytest.raises(Refused, match="waits for no call"):
            _letter(called, ["main", at, [], edge, True])
