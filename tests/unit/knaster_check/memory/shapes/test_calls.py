"""Calls: what a callee sees, what its caller has when it returns, and numbers that no longer follow inputs."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.objects import to_bytes
from knaster_check.memory.shapes.calls import join, split, without_inputs
from knaster_check.memory.shapes.shape import ANY, Range, Shape
from knaster_check.memory.values import Address
from knaster_check.refused import Refused
from support.kernel_shapes import cell, following, frame, segment, shape

CALLEE = frame({"l": Address(2, 0)}, "f", targets=("t",), after=5)


def called(statics: int = 0, **more: Any) -> Shape:
    """A caller with p -> 1 -> 2 (a list), which has called f(2); nothing leads to 3."""
    nodes = {1 + statics: cell(2 + statics), 2 + statics: segment(0), 3 + statics: cell(2 + statics)}
    own = {number: cell(0) for number in range(1, statics + 1)}
    callee = CALLEE._replace(values={"l": Address(2 + statics, 0)})
    return Shape((frame({"p": 1 + statics}, **more), callee), {**own, **nodes})


def test_a_callee_sees_what_it_can_reach_and_where_its_caller_leads() -> None:
    inner, rest = split(called(), 0)
    assert inner.nodes == {2: segment(0)}
    assert inner.frames == (frame({"l": Address(2, 0), "^0": 2}, "f"),)
    assert rest.cuts == (2,) and rest.nodes == {1: cell(2)}
    assert rest.caller == frame({"p": 1}) and rest.callee == CALLEE


def test_objects_of_the_program_are_seen_by_all() -> None:
    inner, rest = split(called(1, objects={"x": 1}), 1)
    assert inner.nodes == {1: cell(0), 3: segment(0)} and rest.cuts == (3,) and list(rest.nodes) == [2]
    alone = Shape((frame({"p": 1}), frame({}, "f")), {1: cell(2), 2: cell(0)})
    inner, rest = split(alone, 1)
    assert inner.frames[0].values == {"^0": Address(2, 0)} or rest.cuts == ()
    assert inner.nodes == alone.nodes and rest.nodes == {}


def test_what_only_the_caller_leads_to_is_not_cut() -> None:
    shape = Shape((frame({"p": 1, "q": 2}, owned=(3,)), frame({"r": 3}, "f")), {1: cell(0), 2: cell(3), 3: cell(0)})
    inner, rest = split(shape, 0)
    assert list(inner.nodes) == [3] and rest.cuts == (3,) and list(rest.nodes) == [1, 2]


def test_cuts_have_the_order_of_a_walk() -> None:
    nodes = {1: cell(2), 2: cell(3), 3: cell(0), 4: cell(0)}
    shape = Shape((frame({"p": 3, "q": 4, "r": 1}), frame({"s": 4, "t": 1}, "f")), nodes)
    inner, rest = split(shape, 0)
    assert rest.cuts == (4, 1, 3)
    assert [inner.frames[0].values[f"^{number}"] for number in range(3)] == [Address(base, 0) for base in (4, 1, 3)]


def test_what_comes_back_is_joined() -> None:
    _, rest = split(called(), 0)
    back = frame({"^0": 2, "l": Address(1, 0)}, "f", location=9, results=(Address(1, 0),), objects={"x": 1}, owned=(2,))
    found = join(rest, Shape((back,), {1: cell(2), 2: cell(0)}), 0)
    assert found.frames[0] == frame({"p": 1})
    assert found.nodes == {1: cell(3), 2: cell(3), 3: cell(0)}
    assert found.frames[1] == back._replace(
        values={"^0": Address(3, 0), "l": Address(2, 0)},
        results=(Address(2, 0),),
        objects={"x": 2},
        owned=(3,),
        targets=("t",),
        after=5,
    )


def test_objects_of_the_program_keep_their_numbers() -> None:
    _, rest = split(called(1), 1)
    back = frame({"^0": 2}, "f", results=(Address(1, 0),))
    found = join(rest, Shape((back,), {1: cell(2), 2: cell(1)}), 1)
    assert found.nodes == {1: cell(4), 4: cell(1), 2: cell(4)}
    assert found.frames[1].results == (Address(1, 0),)
    nothing = rest._replace(nodes={}, cuts=())
    assert join(nothing, Shape((back,), {1: cell(2), 2: cell(1)}), 1).nodes == {1: cell(3), 3: cell(1)}


@pytest.mark.parametrize(
    "values", [{}, {"^1": 1}, {"^0": 0}, {"^0": Address(1, 8)}, {"^0": 7.5}, {"^0": Address(9, 0)}]
)
def test_an_end_without_what_the_caller_needs_is_refused(values: dict[str, Any]) -> None:
    _, rest = split(called(), 0)
    with pytest.raises(Refused, match="is lost in a call"):
        join(rest, Shape((frame(values, "f"),), {1: cell(0)}), 0)


def test_numbers_that_follow_inputs_become_ranges() -> None:
    inputs = Inputs()
    up, down, one = following(3, 9, inputs), following(3, 9, inputs, sign=-1), following(5, 9, inputs)
    inputs.keep(one, 5, 5)
    inputs.keep(up, 0, 7)
    nodes = {1: cell(0, up), 2: cell(0, one), 3: cell(1, 9)}
    caller = frame({"i": up, "j": down, "k": one, "p": 1, "m": 4})
    _, rest = split(Shape((caller, frame({}, "f")), nodes), 0)
    rest = without_inputs(rest._replace(nodes=nodes), inputs)
    assert rest.caller.values == {"i": Range(3, 7), "j": Range(3, 9), "k": 5, "p": Address(1, 0), "m": 4}
    assert [rest.nodes[1].byte(at) for at in range(4)] == [ANY] * 4
    assert [rest.nodes[2].byte(at) for at in range(4)] == list(to_bytes(5, 4))
    assert rest.nodes[3] == cell(1, 9)


def test_a_shape_of_one_activation_is_no_call() -> None:
    with pytest.raises(ValueError, match="unpack"):
        split(shape({}), 0)
