"""What a file makes of its pointers: without conversions a pointer leads to an object of its type, and to all of it."""

from __future__ import annotations

from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Pointer, Sequence, Structure
from knaster.frontends.c.tree import nodes

_NEW = """malloc calloc realloc alloca aligned_alloc memalign valloc strdup
__builtin_alloca __builtin_malloc __builtin_calloc"""
_FRESH = frozenset(_NEW.split())


class Conversions(NamedTuple):
    """Whether pointers to characters, and others, may lead into objects of another type."""

    to_characters: bool = False
    to_others: bool = False

    def join(self, other: Conversions) -> Conversions:
        """Return what is true of one of two parts of a file."""
        return Conversions(self.to_characters or other.to_characters, self.to_others or other.to_others)


ANY = Conversions(True, True)


def conversions(file: nodes.File) -> Conversions:
    """Return what the functions and initial values of a file do."""
    found = Conversions()
    for body in (*(function.body for function in file.functions), *file.objects):
        for node in memory.walk(body):
            if isinstance(node, nodes.Convert | memory.NextArgument | nodes.Field):
                found = found.join(_of_node(node))
                if found == ANY:
                    return found
    return found


def _of_node(node: Any) -> Conversions:
    type = node.type
    if isinstance(node, nodes.Field):  # a union gives pointers and structs other types, too
        record: Any = node.record.type
        overlaid = isinstance(record, Structure) and record.union and isinstance(type, Pointer | Structure | Sequence)
        return ANY if overlaid else Conversions()
    if not isinstance(type, Pointer) or type.void or type.form is not None:
        return Conversions()
    if isinstance(node, nodes.Convert) and _keeps(node.operand, type):
        return Conversions()
    return Conversions(type.step <= 1, type.step > 1)


def _keeps(operand: Any, type: Pointer) -> bool:
    """Tell whether a pointer leads to what it led to before it was converted, or to what is new, or nowhere."""
    before = operand.type
    if isinstance(before, Pointer) and before.step == type.step and not before.void:
        return True
    while isinstance(operand, nodes.Convert):
        operand = operand.operand
    if isinstance(operand, nodes.Call):
        return operand.name in _FRESH
    return isinstance(operand, nodes.Number) and operand.value == 0
