"""Paths to stacks: shortest, through wanted lines, with calls that match; against search over explicit stacks."""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.decide.crash import _tour
from knaster.frontends.boolean.printer import to_text
from knaster.frontends.text.stack_traces import read_stack
from knaster.program.model import Call, Program
from knaster.views.weighted.control_flow import control_flow
from support.generators.boolean_programs import random_program

TEXT = """void main() begin
  A: f();
  while (*) do
    B: skip;
  od
  C: f();
  D: skip;
end
void f() begin
  if (*) then
    f();
  fi
  E: skip;
end
void never() begin
  skip;
end
"""


def test_a_shortest_path() -> None:
    found = knaster.crash(TEXT, "f:13\nmain:6\n")
    assert [step.line for step in found.path] == [2, 10, 13, 3, 6, 10, 13]
    assert [step.depth for step in found.path] == [0, 1, 1, 0, 0, 1, 1]


def test_through_lines() -> None:
    found = knaster.crash(TEXT, "f:13\nmain:2\n", [4, 11, 13])
    assert found.touched == (11, 13) and found.missed == (4,)
    assert [step.line for step in found.path].count(11) == 1


@pytest.mark.parametrize(
    ("stack", "why"),
    [
        ("f:13\nmain:7\n", "no path of the control flow comes to f:13, called from main:7"),
        ("f:99\nmain:6\n", "no statement of 'f' begins on line 99"),
        ("never:16\nmain:2\n", "comes to never:16, called from main:2"),
        ("never:16\n", "comes to never:16"),
        ("main:6\nf:13\n", "f:13 stands outside of the entry 'main'; the innermost frame is listed first"),
        ("f:13\nmain:6\nf:11\n__libc_start:1\n", "f:11 stands outside of the entry 'main'"),
    ],
)
def test_no_path(stack: str, why: str) -> None:
    found = knaster.crash(TEXT, stack)
    assert not found.path and why in found.misfit


def test_frames_of_the_library_are_left_out() -> None:
    text = "#0 abort () at abort.c:79\n#1 f () at t.bp:13\n#2 main () at t.bp:2\n#3 _start () at x.S:1\n"
    assert [str(frame) for frame in knaster.crash(TEXT, text).frames] == ["f:13", "main:2"]


@pytest.mark.parametrize(
    ("stack", "through", "why"),
    [
        ("g:1\n", [], "no frame of the stack is of <text>; the first is 'g'"),
        ("f:13\nnevr\nmain:2\n", [], "there is no procedure 'nevr' in <text>; did you mean 'never'"),
        ("f:13\n", [8], "no statement begins on line 8"),
    ],
)
def test_bad_stacks(stack: str, through: list[int], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        knaster.crash(TEXT, stack, through)


Stack = tuple[tuple[str, int], ...]  # the place on top, below it calls in progress: procedure and number of the edge


def shortest(program: Program, deep: int) -> dict[Stack, int]:
    """Return the number of rules to each stack up to a depth; a return is two: one pops, one goes on."""
    main = program.procedure(program.threads[0])
    lengths: dict[Stack, int] = {}
    todo: list[tuple[int, Stack]] = [(0, ((main.name, main.entry),))]
    while todo:
        length, stack = heappop(todo)
        if stack in lengths:
            continue
        lengths[stack] = length
        (name, location), below = stack[0], stack[1:]
        own = program.procedure(name)
        if location == own.exit and below:
            caller, number = below[0]
            heappush(todo, (length + 2, ((caller, program.procedure(caller).edges[number].target), *below[1:])))
        for number, edge in enumerate(own.edges):
            if edge.source == location and not isinstance(edge.action, Call):
                heappush(todo, (length + 1, ((name, edge.target), *below)))
            elif edge.source == location and isinstance(edge.action, Call) and len(stack) < deep:
                callee = program.procedure(edge.action.procedure)
                heappush(todo, (length + 1, ((callee.name, callee.entry), (name, number), *below)))
    return lengths


@pytest.mark.parametrize("seed", range(12))
def test_paths_are_shortest(seed: int) -> None:
    """Every statement of a random program once, with the stack of a shortest way there."""
    program = knaster.parse(to_text(random_program(Random(f"crash {seed}"))))
    lines = {(own.name, number): edge.span.line for own in program.procedures for number, edge in enumerate(own.edges)}
    wanted: dict[str, int] = {}
    for stack, length in shortest(program, 4).items():
        (name, location), below = stack[0], stack[1:]
        edges = program.procedure(name).leaving.get(location)
        if edges:
            text = "\n".join([f"{name}:{edges[0].span.line}", *(f"{each[0]}:{lines[each]}" for each in below)])
            wanted[text] = min(wanted.get(text, length), length)
    graph = control_flow(program)
    for text, length in list(wanted.items())[:: max(1, len(wanted) // 6)]:
        tour = _tour(program, graph, read_stack(text), [])
        assert tour is not None and len(tour.run) == length, (text, length, tour)
