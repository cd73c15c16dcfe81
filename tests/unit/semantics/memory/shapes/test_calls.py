"""Calls: what a callee sees, and what its caller has when it returns."""

from __future__ import annotations

import pytest

from knaster.program.memory import Address
from knaster.semantics.memory.shapes.calls import join_return, split_call
from knaster.semantics.memory.shapes.shape import FrameShape, Shape, Unfit
from support.shapes import cell, segment, shape

CALLEE = FrameShape("f", 0, (("l", Address(2, 0)),), targets=("t",), after=5)


def called() -> Shape:
    """A caller with p -> 1 -> 2 (a list), which has called f(2)."""
    caller = shape({"p": 1}, cell(2), segment(0), cell(0))
    return Shape((caller.top, CALLEE), caller.nodes)


def test_a_callee_sees_what_it_can_reach_and_where_its_caller_leads() -> None:
    inner, rest = split_call(called(), 0)
    assert inner.nodes == ((1, segment(0)),)
    assert inner.top.registers == (("^0", Address(1, 0)), ("l", Address(1, 0)))
    assert rest.cuts == (2,) and [base for base, _ in rest.nodes] == [1, 3]


def test_what_comes_back_is_joined() -> None:
    _, rest = split_call(called(), 0)
    back = FrameShape("f", 9, (("^0", Address(2, 0)),), results=(Address(1, 0),))
    found = join_return(rest, Shape((back,), ((1, cell(2)), (2, cell(0)))), 0)
    nodes = dict(found.nodes)
    first = dict(found.frames[0].registers)["p"].base
    second = nodes[first].cells[1][2].base
    assert nodes[second] == cell(0) and found.frames[1].targets == ("t",) and found.frames[1].after == 5
    assert nodes[found.frames[1].results[0].base] == cell(second)


def test_an_exit_without_what_the_caller_needs_is_refused() -> None:
    _, rest = split_call(called(), 0)
    with pytest.raises(Unfit):
        join_return(rest, Shape((FrameShape("f", 9, ()),), ()), 0)
