"""Calls in programs with objects of their own: these are seen by every callee, and keep their numbers."""

from __future__ import annotations

import pytest

from knaster.program.memory import Address
from knaster.semantics.memory.shapes.calls import join_return, split_call
from knaster.semantics.memory.shapes.shape import FrameShape, Shape, Unfit, bases_in, reach
from support.shapes import cell, shape

STATICS = 2
CALLEE = FrameShape("f", 0, (("l", Address(5, 0)),), targets=("t",), after=5)


def called(**registers: int) -> Shape:
    """A caller with p -> 4 -> 5, and two objects of the program: 1 leads to 3, 2 to nothing; it has called f(5)."""
    caller = shape({"p": 4, **registers}, cell(3), cell(0), cell(0, 9), cell(5), cell(0))
    return Shape((caller.top, CALLEE), caller.nodes)


def test_a_callee_sees_the_objects_of_the_program_and_what_they_lead_to() -> None:
    inner, rest = split_call(called(), STATICS)
    assert rest.cuts == (5,) and [base for base, _ in rest.nodes] == [4]
    assert dict(inner.top.registers) == {"^0": Address(3, 0), "l": Address(3, 0)}
    assert inner.nodes == ((1, cell(4)), (2, cell(0)), (3, cell(0)), (4, cell(0, 9)))
    assert inner.top.targets == () and inner.top.after == 0


def test_where_a_caller_leads_to_an_object_of_the_program_nothing_is_marked() -> None:
    for base in (1, 2):
        _, rest = split_call(called(q=base), STATICS)
        assert rest.cuts == (5,)
    _, rest = split_call(called(q=3), STATICS)
    assert rest.cuts == (5, 3)


def test_what_comes_back_keeps_the_objects_of_the_program() -> None:
    before = called(q=2)
    inner, rest = split_call(before, STATICS)
    found = join_return(rest, inner._replace(frames=(inner.top._replace(location=9),)), STATICS)
    assert dict(found.frames[0].registers)["q"] == Address(2, 0)
    assert found.frames[1].registers == (("l", Address(4, 0)),) and found.frames[1].targets == ("t",)
    assert found.nodes == ((1, cell(5)), (2, cell(0)), (3, cell(4)), (4, cell(0)), (5, cell(0, 9)))


def test_where_the_caller_keeps_nothing_to_itself() -> None:
    caller = shape({}, cell(0), cell(0), cell(0, 7))
    before = Shape((caller.top, CALLEE._replace(registers=(("l", Address(3, 0)),))), caller.nodes)
    inner, rest = split_call(before, STATICS)
    assert rest.nodes == () and rest.cuts == ()
    found = join_return(rest, inner, STATICS)
    assert found.nodes == before.nodes and found.frames[1].registers == (("l", Address(3, 0)),)


@pytest.mark.parametrize("now", [0, Address(3, 4), Address(0, 0)])
def test_what_the_caller_needs_is_the_start_of_an_object(now: object) -> None:
    inner, rest = split_call(called(), STATICS)
    back = inner._replace(frames=(inner.top._replace(registers=(("^0", now),)),))
    with pytest.raises((Unfit, KeyError) if now == Address(0, 0) else Unfit):
        join_return(rest, back, STATICS)


def test_what_is_reached_is_what_is_there() -> None:
    nodes = {1: cell(2), 2: cell(3), 4: cell(1)}
    assert reach(nodes, iter([4, 9])) == [4, 1, 2] and reach(nodes, iter([2, 1])) == [2, 1]
    assert list(bases_in(iter([Address(0, 8), Address(-1, 0), 5, Address(3, 2)]))) == [3]
