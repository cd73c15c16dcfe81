"""The shapes of a proof file (docs/kernel.md): whatever is missing, unknown or leads nowhere is refused.

Cells of the file become bytes; those of a dead object say nothing.
"""

from __future__ import annotations

from typing import Any

from knaster_check.memory.objects import GLOBAL, HEAP, LOCAL, to_bytes
from knaster_check.memory.shapes.calls import MARK
from knaster_check.memory.shapes.shape import ANY, Activation, Node, Range, Shape, bases_in
from knaster_check.memory.values import Address, range_of
from knaster_check.program import Procedure, Program, Type
from knaster_check.refused import Unsupported, expect, list_of, number_of, object_with, text_of, truth_of

_SHAPE = ("procedure", "location", "registers", "objects", "owned", "results", "forgotten", "nodes")
_KINDS = {"global": GLOBAL, "literal": GLOBAL, "local": LOCAL, "heap": HEAP}
SINGLE = -1  # the link of what is no segment


class Reader:
    """Reads shapes of a program; `changing` are those of its own objects that have nodes."""

    def __init__(self, program: Program, changing: frozenset[int], statics: int) -> None:
        assert program.layout is not None
        self.program, self.changing, self.statics = program, changing, statics
        self.pointer = program.layout.pointer

    def shape(self, data: object) -> Shape:
        """Return a shape."""
        row = object_with(data, _SHAPE, "a shape")
        name = text_of(row["procedure"], "a shape")
        expect(name in self.program.procedures, f"there is no procedure '{name}'")
        procedure = self.program.procedures[name]
        nodes = dict(self._node(each) for each in list_of(row["nodes"], "nodes"))
        expect(len(nodes) == len(row["nodes"]), "a node is there twice", f"'{name}'")
        expect({base for base in nodes if base <= self.statics} == self.changing, "an object has no node", f"'{name}'")
        frame = self._activation(row, procedure)
        leads = [*frame.bases(), *(base for node in nodes.values() for base in bases_in(node.bytes.values()))]
        expect(all(base in nodes or base <= self.statics for base in leads), "a pointer leads to no node", f"'{name}'")
        return Shape((frame,), nodes)

    def _activation(self, row: dict[str, Any], procedure: Procedure) -> Activation:
        values = {name: value(data) for name, data in _pairs(row["registers"])}
        for name, known in values.items():
            plain = name in procedure.types and _may_be(known, procedure.types[name])
            expect(plain or name.startswith(MARK), f"'{name}' has no such value", f"'{procedure.name}'")
        return Activation(
            procedure.name,
            number_of(row["location"], "a location", procedure.size),
            values,
            {name: number_of(base, "an object") for name, base in _pairs(row["objects"])},
            tuple([number_of(base, "an object") for base in list_of(row["owned"], "objects")]),
            tuple(map(value, list_of(row["results"], "results"))),
            frozenset(names_of(row["forgotten"])),
        )

    def _node(self, data: object) -> tuple[int, Node]:
        base, size, kind, name, zeroed, writable, alive, cells, link = list_of(data, "a node", 9)
        text_of(name, "the name of an object")
        if text_of(kind, "a kind of object") not in _KINDS:
            raise Unsupported(f"the kernel does not know objects of the kind '{kind}' in shapes")
        size, unwritten = number_of(size, "a size"), 0 if truth_of(zeroed, "a node") else None
        bytes: dict[int, Any] = {}
        for cell in list_of(cells, "cells"):
            at, length, content = list_of(cell, "a cell", 3)
            end = number_of(at, "a cell") + number_of(length, "a cell")
            expect(end <= size and bytes.keys().isdisjoint(range(at, end)), "cells do not fit into their object")
            bytes.update(enumerate(_bytes(content, length), at))
        own = truth_of(writable, "a node"), truth_of(alive, "a node"), bytes if alive else {}
        node = Node(size, _KINDS[kind], unwritten, *own)
        if link != SINGLE:
            ends = node.kind == HEAP and node.alive and number_of(link, "a link") + self.pointer <= size
            expect(ends, "a segment has no place for its link")
            node = node._replace(link=link)
        return number_of(base, "a node"), node


def _bytes(content: object, length: int) -> Any:
    """Return what stands in a cell."""
    if content is None:
        return [ANY] * length
    known = value(content)
    expect(not isinstance(known, Range), "a cell has a range of numbers")
    return to_bytes(known, length)


def value(data: object) -> Any:
    """Return a value: a number, an address, a number of a range."""
    if isinstance(data, dict):
        if data.keys() == {"from", "to"}:
            low, high = data["from"], data["to"]
            expect(type(low) is type(high) is int and low <= high, "a range has no numbers")
            return Range(low, high)
        row = object_with(data, ("object", "offset"), "a value")
        expect(type(row["object"]) is type(row["offset"]) is int, "an address is no pair of numbers")
        return Address(row["object"], row["offset"])
    expect(type(data) in (int, bool), "this is no value")
    return data


def _may_be(known: Any, type: Type) -> bool:
    """Tell whether a variable of a type may have a value."""
    if isinstance(known, Address):
        return type[0] in ("address", "int")
    bounds = (0, 1) if type == ("bool",) else range_of(type) if type[0] == "int" else None
    if isinstance(known, Range):
        return type[0] == "int" and bounds is not None and bounds[0] <= known.low and known.high <= bounds[1]
    return bounds is not None and bounds[0] <= known <= bounds[1]


def _pairs(data: object) -> list[tuple[str, Any]]:
    """Return pairs of a name and something; no name is there twice."""
    found = [list_of(pair, "a pair", 2) for pair in list_of(data, "pairs")]
    named = [(text_of(name, "a name"), what) for name, what in found]
    expect(len(dict(named)) == len(named), "a name is there twice")
    return named


def names_of(data: object) -> list[str]:
    """Return names."""
    return [text_of(name, "a name") for name in list_of(data, "names")]
