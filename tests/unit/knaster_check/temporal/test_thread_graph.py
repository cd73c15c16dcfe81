"""Nodes and moves of threads: who may run, who can move, where a run rests, and what a file says of a node."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.boolean.thread_steps import Letter, Stack
from knaster_check.program import UNBEGUN
from knaster_check.temporal.thread_graph import Node, ThreadGraph

TWO = """decl x; init(!x);
void main_1() begin decl l; l := x; f(l); end
void f(a) begin skip; end
void main_2() begin assert(x); end
"""


def graph(text: str) -> ThreadGraph:
    return ThreadGraph(read_program(program_to_kernel(parse(text, "a.bp"))))


def begun(graph: ThreadGraph, name: str, place: str = "entry", *frame: bool) -> Stack:
    """Return a thread that stands at the entry, the exit or a failure of its first procedure."""
    procedure = graph.program.procedures[name]
    places = {"entry": procedure.entry, "exit": procedure.exit, "failure": max(procedure.failures, default=0)}
    return (Letter(name, places[place], frame, None, True),)


def unbegun(name: str) -> Stack:
    return (Letter(name, UNBEGUN, (), None, True),)


def test_each_thread_may_be_the_first_to_begin() -> None:
    text = TWO + "void main_3() begin skip; end\n"
    found = [[stack[0].location == UNBEGUN for stack in node.stacks] for node in graph(text).starts()]
    assert found == [[False, True, True]] * 2 + [[True, False, True], [True, True, False]]


def test_a_way_back_and_a_beginning_are_silent() -> None:
    own = graph("decl x;\nvoid main_1() begin decl l; assume(l); end\nvoid main_2() begin skip; end\n")
    start = Node((False,), (unbegun("main_1"), unbegun("main_2")), 0, False)
    assert [(move.thread, move.silent) for move in own.moves(start)] == [(0, False), (0, True), (0, True), (1, False)]
    assert not any(own.beginnings(start, 1)) and not any(own.beginnings(start._replace(stacks=((), ())), 0))
    going = start._replace(stacks=(begun(own, "main_1", "entry", True), unbegun("main_2")))
    assert not any(own.beginnings(going, 0))


def test_a_beginning_leaves_the_others_alone() -> None:
    own = graph("decl x;\n" + "".join(f"void main_{n}() begin decl l; assume(l); end\n" for n in (1, 2, 3)))
    here = Node((False,), tuple(unbegun(f"main_{n}") for n in (1, 2, 3)), 0, False)
    for thread in range(3):
        for move in own.beginnings(here, thread):
            assert [stack[0].location == UNBEGUN for stack in move.after.stacks] == [n != thread for n in range(3)]


def test_who_runs_alone() -> None:
    own = graph("decl atomic;\nvoid thread1() begin assert(F); end\nvoid thread2() begin skip; end\n")
    stacks = begun(own, "thread1"), begun(own, "thread2")
    free = Node((False,), stacks, 0, False)
    assert not own.is_inside(free)
    assert own.is_inside(free._replace(section=True)) and own.is_inside(free._replace(shared=(True,)))
    failed = free._replace(section=True, stacks=(begun(own, "thread1", "failure"), stacks[1]))
    assert not own.is_inside(failed) and own.has_failed(failed) and own.is_over(failed) and own.rests(failed)
    assert not any(own.moves(failed)) and not own.can_move(failed, 1)
    ended = free._replace(stacks=((), begun(own, "thread2", "exit")))
    assert not own.has_failed(ended) and own.is_over(ended) and own.rests(ended)
    assert {move.thread for move in own.moves(free._replace(section=True, running=1))} == {1}
    assert {move.thread for move in own.moves(free)} == {0, 1}


def test_a_run_rests_where_nobody_can_move() -> None:
    own = graph("decl x;\nvoid main_1() begin assume(x); end\nvoid main_2() begin assume(!x); end\n")
    stacks = begun(own, "main_1"), begun(own, "main_2", "exit")
    waiting = Node((False,), stacks, 0, False)
    assert own.rests(waiting) and not own.is_over(waiting)
    assert not own.rests(waiting._replace(shared=(True,)))
    assert not own.rests(waiting._replace(section=True))  # in a section a thread cannot wait: this is no run
    both = waiting._replace(stacks=(stacks[0], begun(own, "main_2")))
    assert [own.can_move(both, thread) for thread in range(3)] == [False, True, False]
    assert [own.can_move(both._replace(shared=(True,)), thread) for thread in range(3)] == [True, False, False]


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("decl l; assume(l);", True),
        ("decl l; assume(x);", False),
        ("decl l; x := T; assume(l);", False),  # it is not first
        ("decl l; assume(T); ", False),
        ("assume(x);", False),
        ("decl l; x := T constrain l;", True),
        ("decl l; x := T constrain 'x;", False),
        ("decl l; x := l;", False),
        ("decl l; enforce l; skip;", True),
        ("decl l; enforce T; skip;", False),
        ("enforce x; skip;", False),
        ("decl l; start_thread g();", True),
        ("start_thread g();", False),
        ("decl l; h();", True),  # what the callee enforces
        ("decl l; g();", False),
        ("h();", False),
    ],
)
def test_whether_its_locals_may_let_a_thread_wait(body: str, waits: bool) -> None:
    text = f"decl x;\nvoid main_1() begin {body} end\nvoid g() begin skip; end\nvoid h() begin enforce x; skip; end\n"
    assert graph(text + "void main_2() begin skip; end\n")._may_wait("main_1") is waits


def test_before_which_statement_a_thread_stands() -> None:
    own = graph(TWO)
    entries = {name: procedure.entry for name, procedure in own.program.procedures.items()}
    here = Node((False,), (unbegun("main_1"), begun(own, "main_2"), ()), 0, False)
    assert list(own.standing(here)) == [(1, ("main_1", entries["main_1"])), (2, ("main_2", entries["main_2"]))]
    moved = here._replace(stacks=((Letter("main_1", 1, (False,), None, True),), begun(own, "main_2", "exit")))
    assert list(own.standing(moved)) == [(1, ("main_1", 1))]
    failed = here._replace(stacks=(begun(own, "main_1", "entry", True), begun(own, "main_2", "failure")))
    assert list(own.standing(failed)) == []


LOWER = ["main_1", 1, [1], 1]
UPPER = ["f", 0, [0], None]
STILL = ["main_2", UNBEGUN, [], None]


def test_a_node_of_a_file() -> None:
    found = graph(TWO).read([0], [[LOWER, UPPER], [STILL], []], 1, True)
    stack = Letter("f", 0, (False,), None, False), Letter("main_1", 1, (True,), 1, True)
    assert found == Node((False,), (stack, unbegun("main_2"), ()), 1, True)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (["nothing", 0, [], None], "no procedure"),
        (["f", -1.0, [0], None], "a number from 0"),
        (["f", -2, [0], None], "a number from 0"),
        (["f", 99, [0], None], "a number from 0"),
        (["main_2", UNBEGUN, [0], None], "a list of 0"),
        (["main_1", UNBEGUN, [0], None], "a list of 0"),
        (["main_1", 0, [], None], "a list of 1"),
        (["main_1", 0, [2], None], "a number from 0 to 1"),
        (["f", 0, [0], 99], "a number from 0"),
        (["f", 0, [0], "0"], "a number from 0"),
    ],
)
def test_what_is_no_activation(row: list[Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        graph(TWO).read([0], [[row]], 0, False)
