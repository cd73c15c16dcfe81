"""Where a thread can move: formulas over sets say of every configuration what its own moves say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.proofs.threads.configurations import spell_lanes
from knaster.frontends.boolean import parse
from knaster.program.layout.lanes import make_lanes
from knaster.program.threads import most_started, recursive_procedure
from knaster_check import Refused, read_program
from knaster_check.boolean import lane_moves
from knaster_check.boolean.circuit import Circuit, Literal
from knaster_check.boolean.deadlock import _can_step
from knaster_check.boolean.lane_moves import find_ways_on, find_ways_out
from knaster_check.boolean.lane_steps import LaneSteps
from knaster_check.boolean.lanes import ENDED, UNUSED, Point, read_lanes
from knaster_check.boolean.obligations import Obligations
from knaster_check.boolean.thread_steps import Stack
from knaster_check.refused import Unsupported
from knaster_check.temporal.thread_graph import Node, ThreadGraph
from knaster_check.work import nothing
from support.generators.threaded_programs import Crowd, threaded_text
from support.kernel import kernel

CROWDS = {
    "sections": Crowd(threads=(2, 2), statements=(1, 3), sections=0.6, calls=0.2, enforces=0.2),
    "locked": Crowd(threads=(2, 2), statements=(1, 3), lock=1.0, sections=0.2),
    "starting": Crowd(threads=(1, 2), statements=(1, 3), starts=0.3, copies=True, sections=0.2),
}


def lane_steps(text: str) -> LaneSteps | None:
    program = parse(text, "a.bp")
    started = most_started(program)
    if recursive_procedure(program) is not None or started is None or started > 3:
        return None
    own = read_program(program_to_kernel(program))
    return LaneSteps(
        own, *read_lanes(own, {"started": started, **spell_lanes(make_lanes(program, started, False))}), False
    )


def nodes(graph: ThreadGraph, most: int) -> Iterator[Node]:
    todo = list(dict.fromkeys(graph.starts()))
    seen = set(todo)
    while todo and len(seen) < most:
        node = todo.pop()
        yield node
        fresh = dict.fromkeys(move.after for move in graph.moves(node))
        todo += [each for each in fresh if each not in seen]
        seen |= fresh.keys()


def values(steps: LaneSteps, node: Node) -> dict[Literal, bool]:
    """Return the variables of a configuration; of activations that do not exist, some value."""
    places = dict(zip((steps.shared[name] for name in steps.program.globals), node.shared, strict=True))
    for lane, own in enumerate(steps.lanes):
        stack: Stack | None = node.stacks[lane] if lane < len(node.stacks) else None
        point: Point = UNUSED if stack is None else ENDED
        if stack:
            calls = tuple((each.procedure, each.calling) for each in reversed(stack[1:]))
            point = (calls, stack[0].procedure, stack[0].location)  # type: ignore[assignment]
            for depth, letter in enumerate(reversed(stack)):
                places |= dict(zip(own.depths[depth], letter.frame, strict=False))
        code = own.points.index(point)
        places |= {bit: bool(code >> number & 1) for number, bit in enumerate(own.bits)}
    return {literal: places.get(place, False) for place, literal in steps.base.items()}


def is_true(circuit: Circuit, literal: Literal, given: Mapping[Literal, bool]) -> bool:
    if literal in (1, -1):
        return literal == 1
    gate = circuit.gates[abs(literal)]
    if gate is None:
        return given[abs(literal)] == (literal > 0)
    condition, then, otherwise = gate
    return is_true(circuit, then if is_true(circuit, condition, given) else otherwise, given) == (literal > 0)


def compare(steps: LaneSteps) -> tuple[int, int]:
    """Return how often threads could move and could not."""
    graph, obligations = ThreadGraph(steps.program), Obligations(nothing)
    lanes = range(len(steps.lanes))
    on, out = ([find(steps, lane, obligations) for lane in lanes] for find in (find_ways_on, find_ways_out))
    able = count = 0
    for node in nodes(graph, 60):
        if graph.is_inside(node) or graph.has_failed(node):
            continue
        given = values(steps, node)
        for lane in lanes:
            moves = graph.can_move(node, lane)
            assert is_true(steps.circuit, on[lane], given) is moves
            stack = node.stacks[lane] if lane < len(node.stacks) else ()
            leaves = not graph.threads.has_ended(stack) and _can_step(graph.threads, stack, node.shared)
            assert is_true(steps.circuit, out[lane], given) is leaves
            able, count = able + moves, count + 1
    return able, count - able


@pytest.mark.parametrize("crowd", CROWDS)
def test_random_threads(crowd: str) -> None:
    rng, able, stuck, done = Random(f"moves {crowd}"), 0, 0, 0
    while done < 8:
        steps = lane_steps(threaded_text(rng, CROWDS[crowd]))
        if steps is not None:
            more = compare(steps)
            able, stuck, done = able + more[0], stuck + more[1], done + 1
    assert able > 20 and stuck > 20


def test_sections_that_go_around() -> None:
    section = "decl x := 0; void main_1() begin atomic_begin; while ({}) do {} od atomic_end; end "
    section += "void main_2() begin x := *; end\n"
    for condition, body in (("!x", "skip;"), ("x", "x := *;"), ("T", "assume(x);"), ("!x", "x := *; assume(!x);")):
        steps = lane_steps(section.format(condition, body))
        assert steps is not None
        compare(steps)


def test_what_is_too_much_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "decl x, y; void main_1() begin assume(x & *); atomic_begin; while (!y) do x := *; od atomic_end; end "
    steps = lane_steps(text + "void main_2() begin skip; end\n")
    assert steps is not None
    for name in ("MOST_CHOICES", "MOST_ROUNDS"):
        with monkeypatch.context() as patch, pytest.raises(Unsupported):
            patch.setattr(lane_moves, name, 0)
            find_ways_on(steps, 0, Obligations(nothing))


WAITS = "decl g, h := 0; init(!g); void main_1() begin {} g := T; end void main_2() begin assume(g); end\n"
SAFE = WAITS.format("atomic_begin; assume(!h); atomic_end;")


@pytest.mark.parametrize("options", [{}, {"switches": 0}, {"rounds": 1}])
def test_a_proof_about_a_deadlock_is_one_of_its_own_program(options: dict[str, int]) -> None:
    evidence = knaster.Evidence(proofs=True)
    result = knaster.check(SAFE, "deadlock", file="a.bp", engine="states", evidence=evidence, **options)  # type: ignore[arg-type]
    document = json.loads(proof_to_text(result))
    verdict = kernel(result.program, document)
    assert verdict.claim == "unreachable" and verdict.bound == next(iter(options.items()), None)
    for change in (
        "assume(F);",
        "atomic_begin; assume(h); atomic_end;",
        "assume(!h); assume(h);",
        "while (T) do assume(g); od",
    ):
        other = parse(WAITS.format(change), "a.bp")
        with pytest.raises(Refused):
            kernel(other, {**document, "program": fingerprint(other)})
    with pytest.raises(Refused, match="says nothing"):
        kernel(result.program, {**document, "targets": [{"name": "overflow", "procedure": "", "location": 0}]})


def test_of_threads_that_are_forgotten_no_deadlock_is_excluded() -> None:
    text = "decl g := 0; void main() begin start_thread late(); R: g := F; end void late() begin assume(!g); end\n"
    result = knaster.check(text.replace("R:", "if (g) then R: skip; fi"), "R", file="a.bp", engine="states", switches=0)
    document = json.loads(proof_to_text(result))
    document["targets"] = [{"name": "deadlock", "procedure": "", "location": 0}]
    document["configurations"]["forgets"] = True
    with pytest.raises(Refused, match="says nothing"):
        kernel(result.program, document)
