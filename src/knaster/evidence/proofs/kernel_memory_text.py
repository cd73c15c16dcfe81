"""A program with memory as the text that the kernel reads: what it has besides others (docs/kernel.md).

Whatever can be undefined says where it stands: undefined steps are asked for by line and column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.base.errors import Span, UnsupportedError
from knaster.evidence.proofs.kernel_text import node_to_row, type_to_row
from knaster.program import memory as m
from knaster.program.expression import Const, Expr, postorder
from knaster.program.model import Action, Assign, Assume, Call, Edge, Return
from knaster.program.operators import Arithmetic, Convert


def layout_to_row(layout: m.MemoryLayout) -> dict[str, Any]:
    """Return the objects and functions of a program."""
    return {
        "pointer": layout.pointer,
        "objects": [_object(declared) for declared in layout.objects],
        "forms": [[name, _form(form)] for name, form in layout.forms],
    }


def _object(declared: m.ObjectDeclaration) -> dict[str, Any]:
    return {
        "name": declared.name,
        "size": declared.size,
        "writable": declared.writable,
        "literal": declared.literal,
        "unknown": declared.unknown,
        "per_thread": declared.per_thread,
        "cells": [[offset, type_to_row(type), _formula(value)] for offset, type, value in declared.cells],
    }


def _form(form: m.Form) -> list[Any]:
    return [form.result, form.parameters, form.variadic]


def edge_to_row(edge: Edge) -> list[Any]:
    """Return an edge as plain data, with its column."""
    action = _action(edge.action)
    return [edge.source, action, edge.target, edge.span.line, edge.keeps, edge.forgets, edge.span.column]


def _action(action: Action) -> list[Any]:
    match action:
        case Assume(condition):
            return ["assume", _formula(condition)]
        case Assign(targets, values, constraint):
            return ["assign", targets, _formulas(values), _formula(constraint)]
        case Call(name, arguments, targets):
            return ["call", name, _formulas(arguments), targets, [], []]
        case Return(values):
            return ["return", _formulas(values)]
        case m.Store(address, value, type, _, initial, packed):
            return ["write", _formula(address), _formula(value), type_to_row(type), initial, packed]
        case m.Begin(name, size, zeroed, writable):
            return ["begin", name, _formula(size), zeroed, writable]
        case m.Invoke(function, arguments, targets, form):
            return ["invoke", _formula(function), _formulas(arguments), targets, _form(form)]
        case m.Library(name, arguments, target, kind):
            return ["library", name, _formulas(arguments), target, None if kind is None else type_to_row(kind)]
    raise UnsupportedError(f"{action.__class__.__name__} in a text for the kernel")


def _formulas(expressions: Sequence[Expr]) -> list[Any]:
    return [_formula(expression) for expression in expressions]


def _formula(expression: Expr) -> list[Any]:
    return [_node(node) for node in postorder(expression)]


def _node(node: Any) -> list[Any]:
    match node:
        case Const(float(value)):
            return ["real", value.hex()]
        case Const(m.Address(0, offset)):
            return ["pointer", str(offset)]
        case Const(m.Snapshot(size, cells)):
            return ["image", size, [_cell(cell) for cell in cells]]
        case m.Load(_, type, span, _, packed):
            return ["load", type_to_row(type), packed, *_place(span)]
        case m.AddressOf(name):
            return ["object", name]
        case m.Moved(_, _, scale, span, part):
            return ["move", scale, part, *_place(span)]
        case m.Distance(_, _, scale, width, span):
            return ["distance", scale, width, *_place(span)]
        case m.FloatOperation(sign, _, _, kind):
            return ["real_arithmetic", sign, kind.width]
        case Arithmetic(sign, _, _, number, span):
            return ["compute", sign.value, number.width, number.signed, *_place(span)]
        case Convert(_, type, span):
            return ["cast", type_to_row(type), *_place(span)]
        case _:
            return node_to_row(node)


def _cell(cell: m.Cell) -> list[int]:
    offset, size, raw = cell
    if type(raw) is not int:
        raise UnsupportedError("a value with pointers in a text for the kernel")
    return [offset, size, raw]


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column
