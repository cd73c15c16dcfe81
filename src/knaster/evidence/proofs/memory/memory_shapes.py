"""Shapes that all runs of a program with memory stay in, call by call: lists of any length in them.

An entry is what calls of a procedure see, with the shapes in which such a call stands at loops, after calls and at its
exit; the first shape of an entry is where it begins.  Made by `engines/references/shapes`, checked by
`checkers.memory.memory_shapes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.program.memory import Address
from knaster.program.model import Kind, Location, Place, Program
from knaster.semantics.memory.shapes.shape import FrameShape, Node, Range, Shape

if TYPE_CHECKING:
    from knaster.base.limits import Budget


@dataclass(frozen=True, slots=True)
class MemoryShapes:
    """Shapes by entries; `forgotten` has the variables that callers do not need where calls return."""

    program: Program
    entries: tuple[tuple[Shape, ...], ...]
    forgotten: tuple[tuple[tuple[str, Location], tuple[str, ...]], ...] = ()

    def unreached_places(self) -> tuple[Place, ...] | None:
        """Return None: places between loops are not written down."""
        return None


def to_fields(proof: MemoryShapes, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    entries = [[_shape_fields(shape) for shape in rows] for rows in proof.entries]
    forgotten = [[procedure, location, list(names)] for (procedure, location), names in proof.forgotten]
    return {"shapes_of_memory": {"entries": entries, "forgotten": forgotten}}


def _shape_fields(shape: Shape) -> dict[str, Any]:
    frame = shape.top
    return {
        "procedure": frame.procedure,
        "location": frame.location,
        "registers": [[name, _value_field(value)] for name, value in frame.registers],
        "objects": [[name, base] for name, base in frame.objects],
        "owned": list(frame.owned),
        "results": [_value_field(value) for value in frame.results],
        "forgotten": list(frame.forgotten),
        "nodes": [[base, *_node_fields(node)] for base, node in shape.nodes],
    }


def _node_fields(node: Node) -> list[Any]:
    cells = [[at, size, _value_field(value)] for at, size, value in node.cells]
    return [node.size, node.kind, node.name, node.zeroed, node.writable, node.alive, cells, node.link]


def _value_field(value: Any) -> Any:
    if isinstance(value, Range):
        return {"from": value.low, "to": value.high}
    return {"object": value.base, "offset": value.offset} if isinstance(value, Address) else value


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> MemoryShapes:
    """Return the proof of a document."""
    expect(program.kind is Kind.MEMORY, "it has shapes of memory, and the program has no memory")
    data = document["shapes_of_memory"]
    has_keys(data, {"entries", "forgotten"}, "'shapes_of_memory'")
    entries = tuple(
        [
            tuple([_shape(entry, program) for entry in list_of(rows, "shapes")])
            for rows in list_of(data["entries"], "entries")
        ]
    )
    forgotten = []
    for each in list_of(data["forgotten"], "forgotten variables"):
        expect(len(list_of(each, "a place")) == 3, "a place with forgotten variables has not three parts")
        forgotten.append(((_text(each[0]), _number(each[1])), _texts(each[2])))
    return MemoryShapes(program, entries, tuple(forgotten))


_KEYS = {"procedure", "location", "registers", "objects", "owned", "results", "forgotten", "nodes"}


def _shape(data: Any, program: Program) -> Shape:
    has_keys(data, _KEYS, "a shape")
    names = {procedure.name for procedure in program.procedures}
    expect(_text(data["procedure"]) in names, "a shape is of a procedure that the program has not")
    frame = FrameShape(
        data["procedure"],
        _number(data["location"]),
        tuple([(_text(name), _value(value)) for name, value in _pairs(data["registers"])]),
        tuple([(_text(name), _number(base)) for name, base in _pairs(data["objects"])]),
        tuple(map(_number, list_of(data["owned"], "objects"))),
        tuple(map(_value, list_of(data["results"], "results"))),
        _texts(data["forgotten"]),
    )
    return Shape((frame,), tuple([_node(each) for each in list_of(data["nodes"], "nodes")]))


def _node(data: Any) -> tuple[int, Node]:
    expect(len(list_of(data, "a node")) == 9, "a node has not nine parts")
    base, size, kind, name, zeroed, writable, alive, cells, link = data
    expect(all(type(flag) is bool for flag in (zeroed, writable, alive)), "a truth value is none")
    found = []
    for cell in list_of(cells, "cells"):
        expect(len(list_of(cell, "a cell")) == 3, "a cell has not three parts")
        found.append((_number(cell[0]), _number(cell[1]), _value(cell[2])))
    node = Node(_number(size), _text(kind), _text(name), zeroed, writable, alive, tuple(found), _number(link))
    return _number(base), node


def _pairs(data: Any) -> list[tuple[Any, Any]]:
    found = list_of(data, "pairs")
    expect(all(isinstance(pair, list) and len(pair) == 2 for pair in found), "a pair is none")
    return [(pair[0], pair[1]) for pair in found]


def _value(data: Any) -> Any:
    if data is None or type(data) in (int, bool):
        return data
    expect(isinstance(data, dict) and set(data) in ({"from", "to"}, {"object", "offset"}), "a value is none")
    if "from" in data:
        return Range(_number(data["from"]), _number(data["to"]))
    return Address(_number(data["object"]), _number(data["offset"]))


def _number(data: Any) -> int:
    expect(type(data) is int, "a number is none")
    return int(data)


def _text(data: Any) -> str:
    expect(isinstance(data, str), "a name is none")
    return str(data)


def _texts(data: Any) -> tuple[str, ...]:
    return tuple(map(_text, list_of(data, "names")))
