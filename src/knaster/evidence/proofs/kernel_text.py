"""A program as the text that the kernel reads (`knaster_check`), in one canonical form: docs/kernel.md says which.

Expressions are lists of nodes, each after its operands, spelled as in `formulas`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import UnsupportedError
from knaster.base.file_line import FileLine
from knaster.evidence.proofs.files import fingerprint
from knaster.program.expression import Binary, Choice, Conditional, Const, Expr, Not, Var, postorder
from knaster.program.model import Action, Assign, Assume, Call, Concurrent, Edge, Procedure, Program, Return, Types
from knaster.program.types import Array, Bool, Enumeration, Int, Pointer, Struct, Type

if TYPE_CHECKING:
    from knaster.program.objects import Cell

FORMAT, VERSION = "knaster program", 1


def program_to_kernel(program: Program, any_number: Collection[str] = ()) -> str:
    """Return a program as text for the kernel; `any_number` names the threads of which there may be any number."""
    objects = program.objects
    document = {
        "format": FORMAT,
        "version": VERSION,
        "kind": program.kind.value,
        "file": program.file,
        "fingerprint": fingerprint(program),
        "reading": dict(program.reading),
        "globals": program.globals,
        "types": _types(program.types),
        "init": expression_to_rows(program.init),
        "atomic": program.atomic,
        "threads": program.threads,
        "any_number": sorted(any_number),
        "cells": [] if objects is None else [_cell(cell) for cell in objects.cells],
        "statics": [] if objects is None else [[name, expression_to_rows(value)] for name, value in objects.statics],
    }
    if files := _files(program):
        document["files"] = files
    to_edge = edge_to_row
    if program.memory is not None:
        from knaster.evidence.proofs import kernel_memory_text as with_memory

        document["memory"], to_edge = with_memory.layout_to_row(program.memory), with_memory.edge_to_row
    procedures = ",\n".join(json.dumps(_procedure(procedure, to_edge)) for procedure in program.procedures)
    return f'{json.dumps(document)[:-1]}, "procedures": [\n{procedures}\n]}}\n'


def _files(program: Program) -> list[tuple[int, str]]:
    """Return the files of a program of several: the first line of each in the whole text, and what it is called."""
    lines = {span.line for own in program.procedures for span in (own.span, *(edge.span for edge in own.edges))}
    return sorted({(line - line.own + 1, line.file) for line in lines if isinstance(line, FileLine)})


def _procedure(procedure: Procedure, to_edge: Callable[[Edge], list[Any]]) -> dict[str, Any]:
    return {
        "name": procedure.name,
        "line": procedure.span.line,
        "parameters": procedure.parameters,
        "results": procedure.results,
        "locals": procedure.locals,
        "types": _types(procedure.types),
        "entry": procedure.entry,
        "exit": procedure.exit,
        "size": procedure.size,
        "enforce": expression_to_rows(procedure.enforce),
        "labels": procedure.labels,
        "failures": procedure.failures,
        "handlers": [[handler.location, handler.exception, handler.target] for handler in procedure.handlers],
        "edges": [to_edge(edge) for edge in procedure.edges],
    }


def edge_to_row(edge: Edge) -> list[Any]:
    """Return an edge as plain data."""
    return [edge.source, _action(edge.action), edge.target, edge.span.line, edge.keeps, edge.forgets]


def _action(action: Action) -> list[Any]:
    match action:
        case Assume(condition):
            return ["assume", expression_to_rows(condition)]
        case Assign(targets, values, constraint):
            return ["assign", targets, _rows(values), expression_to_rows(constraint)]
        case Call(name, arguments, targets, places, dispatch):
            return ["call", name, _rows(arguments), targets, [_perhaps(place) for place in places], dispatch]
        case Return(values):
            return ["return", _rows(values)]
        case Concurrent(operation, location, name, arguments):
            return ["thread", operation.value, location, name, _rows(arguments)]
        case _:
            return _heap_action(action)


def _heap_action(action: Action) -> list[Any]:
    from knaster.program import objects as o  # only programs with references pay for them

    match action:
        case o.Store(places, value):
            return ["store", _rows(places), expression_to_rows(value)]
        case o.Choose(place, alternatives, collection):
            return ["choose", expression_to_rows(place), alternatives, _perhaps(collection)]
        case o.Send(channel, value):
            return ["send", expression_to_rows(channel), expression_to_rows(value)]
        case o.Update(target, adds, operand, whole):
            return ["update", expression_to_rows(target), adds, expression_to_rows(operand), whole]
        case o.Join(waits, receives, mode, may_end):
            pairs = [[expression_to_rows(channel), expression_to_rows(place)] for channel, place in receives]
            return ["join", _rows(waits), pairs, mode.value, may_end]
        case o.Raise(exception):
            return ["raise", exception]
        case o.Print(text, arguments):
            return ["print", text, _rows(arguments)]
    raise UnsupportedError(f"{action.__class__.__name__} in a text for the kernel")


def _rows(expressions: Sequence[Expr]) -> list[Any]:
    return [expression_to_rows(expression) for expression in expressions]


def _perhaps(expression: Expr | None) -> list[Any] | None:
    return None if expression is None else expression_to_rows(expression)


def expression_to_rows(expression: Expr) -> list[Any]:
    """Return an expression as a list of nodes."""
    return [node_to_row(node) for node in postorder(expression)]


def node_to_row(node: Expr) -> list[Any]:
    """Return one node of an expression; its operands come before it."""
    match node:
        case Const(bool(value)):
            return ["truth", value]
        case Const(int(value)):
            return ["number", str(value)]
        case Const(value):
            from knaster.evidence.proofs.heap.values import value_to_json

            return ["value", value_to_json(value)]
        case Var(name, primed):
            return ["next" if primed else "variable", name]
        case Choice(type):
            return ["choice", type_to_row(type)]
        case Not():
            return ["not"]
        case Binary(operator):
            return ["logic", operator.value]
        case Conditional():
            return ["if"]
        case _:
            return _other_node(node)


def _other_node(node: Expr) -> list[Any]:
    from knaster.program import operators as o  # only programs over other types than Boolean pay for them

    match node:
        case o.Arithmetic(integer, _, _, type):
            return ["arithmetic", integer.value, type.width, type.signed]
        case o.Compare(comparison):
            return ["compare", comparison.value]
        case o.Convert(_, Bool()):
            return ["convert", "bool"]
        case o.Convert(_, Int(width, signed)):
            return ["convert", width, signed]
        case o.Element():
            return ["element"]
        case o.Updated():
            return ["updated"]
        case o.Part(_, index):
            return ["part", index]
        case o.Field(_, index, name):
            return ["field", index, name]
        case o.Index():
            return ["index"]
        case o.SizeOf():
            return ["size"]
        case o.Member():
            return ["member"]
        case o.New(cell, length):
            return ["new", cell, 0 if length is None else 1]
        case o.Self():
            return ["self"]
        case o.Apply(name, arguments):
            return ["apply", name, len(arguments)]
    return _float_node(node)


def _float_node(node: Expr) -> list[Any]:
    from knaster.program.memory import FloatTerm  # only programs with such numbers pay for it

    if isinstance(node, FloatTerm):
        return ["real_term", node.operator, type_to_row(node.type), type_to_row(node.result)]
    raise UnsupportedError(f"{node.__class__.__name__} in a text for the kernel")


def _types(types: Types) -> list[Any]:
    return [[name, type_to_row(type)] for name, type in types]


def type_to_row(type: Type) -> list[Any]:
    """Return a type as plain data."""
    match type:
        case Bool():
            return ["bool"]
        case Int(width, signed):
            return ["int", width, signed]
        case Array(element, length):
            return ["array", type_to_row(element), length]
        case Pointer(target):
            return ["pointer", target]
        case Enumeration(name, members):
            return ["enum", name, members]
        case Struct(name, fields):
            return ["struct", name, [[field, type_to_row(part)] for field, part in fields]]
    return _memory_type(type)


def _memory_type(type: Any) -> list[Any]:
    from knaster.program import memory as m  # only programs with memory pay for them

    match type:
        case m.Addresses(size):
            return ["address", size]
        case m.Chunk(size):
            return ["bytes", size]
        case m.Floating(width):
            return ["floating", width]
    raise UnsupportedError(f"{type.__class__.__name__} in a text for the kernel")


def _cell(cell: Cell) -> list[Any]:
    from knaster.program.objects import ArrayCell, ChannelCell, ClassCell

    match cell:
        case ClassCell(name, fields, initial):
            own = [[field, type_to_row(type)] for field, type in fields]
            return ["class", name, own, [[field, expression_to_rows(value)] for field, value in initial]]
        case ArrayCell(name, element, length):
            return ["array", name, type_to_row(element), length]
        case _:
            form = "channel" if isinstance(cell, ChannelCell) else "set"
            return [form, cell.name, type_to_row(cell.element), None]
