"""What a callee sees of its caller's shape, and what comes back.

After N. Rinetzky, M. Sagiv and E. Yahav (SAS 2005).  A callee sees what its arguments and the program's own objects
lead to.  Where its caller leads into that by other ways, the callee has a variable `^0`, `^1`, ... for each such
object, in the order of a walk from its own variables.  No code knows these variables, so when the callee returns they
still lead to those objects, whatever has become of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from knaster_check.memory.inputs import Inputs
from knaster_check.memory.shapes.shape import (
    ANY,
    Activation,
    Node,
    Range,
    Shape,
    bases_in,
    reach,
    rename_activation,
    rename_node,
)
from knaster_check.memory.values import Address, Following, Piece
from knaster_check.refused import expect

MARK = "^"  # no variable of a program begins so


class Rest(NamedTuple):
    """A caller, what its callee does not see, and the objects of the callee to which that leads."""

    caller: Activation
    callee: Activation
    nodes: Mapping[int, Node]
    cuts: tuple[int, ...]


def split(shape: Shape, statics: int) -> tuple[Shape, Rest]:
    """Return what a callee that was just entered sees, and the rest."""
    caller, callee = shape.frames
    own = [base for base in shape.nodes if base <= statics]
    inside = reach(shape.nodes, [*callee.bases(), *own])
    outside = {base: shape.nodes[base] for base in reach(shape.nodes, caller.bases()) if base not in set(inside)}
    led = {*caller.bases(), *(base for node in outside.values() for base in bases_in(node.bytes.values()))}
    cuts = tuple([base for base in inside if base in led and base > statics])
    marks = {f"{MARK}{number}": Address(base, 0) for number, base in enumerate(cuts)}
    entered = callee._replace(values={**callee.values, **marks}, targets=(), after=0)
    return Shape((entered,), {base: shape.nodes[base] for base in inside}), Rest(caller, callee, outside, cuts)


def join(rest: Rest, end: Shape, statics: int) -> Shape:
    """Return the shape in which a callee that has come to an end is about to return to its caller."""
    (frame,) = end.frames
    shift = max((statics, *rest.nodes))
    moved = {base: base + shift for base in end.nodes if base > statics}
    names: dict[int, int] = {}
    for number, base in enumerate(rest.cuts):
        now = frame.values.get(f"{MARK}{number}")
        there = isinstance(now, Address) and now.offset == 0 and now.base in moved
        expect(there, "an object of the caller is lost in a call", f"'{frame.procedure}'")
        names[base] = moved[now.base]  # type: ignore[union-attr]  # `there`
    callee = rename_activation(frame, moved)._replace(targets=rest.callee.targets, after=rest.callee.after)
    nodes = {moved.get(base, base): rename_node(node, moved) for base, node in end.nodes.items()}
    nodes |= {base: rename_node(node, names) for base, node in rest.nodes.items()}
    return Shape((rename_activation(rest.caller, names), callee), nodes)


def without_inputs(rest: Rest, inputs: Inputs) -> Rest:
    """Return a rest whose numbers follow no inputs: each is one of a range, in memory any."""
    caller = rest.caller
    values = {name: _free(value, inputs) for name, value in caller.values.items()}
    nodes = {
        base: node._replace(bytes={at: _free_byte(byte, inputs) for at, byte in node.bytes.items()})
        for base, node in rest.nodes.items()
    }
    return rest._replace(caller=caller._replace(values=values), nodes=nodes)


def _free(value: Any, inputs: Inputs) -> Any:
    if not isinstance(value, Following):
        return value
    ends = value.value, value.value + value.sign * inputs.room(value)
    return Range(min(ends), max(ends)) if ends[0] != ends[1] else value.value


def _free_byte(byte: Any, inputs: Inputs) -> Any:
    if not isinstance(byte, Piece) or not isinstance(byte.whole, Following):
        return byte
    return ANY if inputs.room(byte.whole) else byte.whole.value >> 8 * byte.at & 255
