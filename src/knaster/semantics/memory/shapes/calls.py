"""What a call sees of a shape, and what comes back: the part of the heap that the callee can reach, and the rest.

After N. Rinetzky, M. Sagiv, E. Yahav, Interprocedural Shape Analysis for Cutpoint-Free Programs (SAS 2005).
Difference: where the rest leads into what the callee sees, the callee has a variable more for each such object
(`^0`, `^1`, ...), in the order in which a walk from its own variables meets them; it never touches them, and when it
returns they say what became of those objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.memory import Address
from knaster.semantics.memory.shapes.shape import (
    FrameShape,
    Node,
    Shape,
    Unfit,
    bases_in,
    cells_of,
    reach,
    rename_frame,
    rename_node,
    roots_of,
    tidy,
)

MARK = "^"  # no variable of a program begins so


class Rest(NamedTuple):
    """A caller and what its callee does not see; `cuts` are the objects of the callee to which it leads."""

    caller: FrameShape
    callee: FrameShape  # where its results go
    nodes: tuple[tuple[int, Node], ...]
    cuts: tuple[int, ...]


def split_call(shape: Shape, statics: int) -> tuple[Shape, Rest]:
    """Return what a callee that was just entered sees, and the rest."""
    caller, callee = shape.frames
    nodes = dict(shape.nodes)
    own = [base for base in bases_in(roots_of(callee))] + [base for base in nodes if base <= statics]
    order = reach(nodes, iter(own))
    seen = set(order)
    rest = {base: node for base, node in nodes.items() if base not in seen}
    led = set(bases_in(_values_outside(caller, rest)))
    cuts = tuple([base for base in order if base in led and base > statics])
    marks = tuple([(f"{MARK}{number}", Address(base, 0)) for number, base in enumerate(cuts)])
    entered = callee._replace(registers=tuple(sorted((*callee.registers, *marks))), targets=(), after=0)
    inner = Shape((entered,), tuple([(base, nodes[base]) for base in order]))
    return tidy(inner, statics), Rest(caller, callee, tuple(rest.items()), cuts)


def _values_outside(caller: FrameShape, rest: dict[int, Node]) -> Iterator[Any]:
    yield from roots_of(caller)
    for node in rest.values():
        yield from cells_of(node)


def join_return(rest: Rest, exit: Shape, statics: int) -> Shape:
    """Return the shape in which a callee that stands at its exit is about to return to its caller."""
    marks = dict(exit.top.registers)
    free = max((base for base, _ in rest.nodes), default=statics)
    moved = {base: base + free for base, _ in exit.nodes if base > statics}
    inner = rename_frame(exit.top, moved)
    nodes = {moved.get(base, base): rename_node(node, moved) for base, node in exit.nodes}
    names: dict[int, int] = {}
    for number, base in enumerate(rest.cuts):
        now = marks.get(f"{MARK}{number}")
        if not isinstance(now, Address) or now.offset != 0:
            raise Unfit("an object of the caller is lost in a call")
        names[base] = moved[now.base]
    nodes |= {base: rename_node(node, names) for base, node in rest.nodes}
    callee = inner._replace(
        targets=rest.callee.targets,
        after=rest.callee.after,
        registers=tuple([(name, value) for name, value in inner.registers if not name.startswith(MARK)]),
    )
    return tidy(Shape((rename_frame(rest.caller, names), callee), tuple(sorted(nodes.items()))), statics)
