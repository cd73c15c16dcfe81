"""Formulas of proofs as plain data and back without trust: lists of nodes, each after its operands."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import ProofError
from knaster.evidence.proofs.reading import expect, list_of, values
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Updated,
    Var,
    postorder,
)
from knaster.program.types import BOOL, INTEGER, Bool, Int, Reference, Type


def formula_to_json(formula: Expr) -> list[Any]:
    """Return a formula as a list of nodes."""
    return [_node(node) for node in postorder(formula)]


def _node(node: Expr) -> list[Any]:
    match node:
        case Const(bool(value)):
            return ["truth", value]
        case Const(int(value)):
            return ["number", str(value)]
        case Const(tuple(value)) if not isinstance(value, Reference):
            return ["value", value]
        case Var(name):
            return ["variable", name]
        case Not():
            return ["not"]
        case Binary(operator):
            return ["logic", operator.value]
        case Conditional():
            return ["if"]
        case Arithmetic(integer, _, _, type):
            return ["arithmetic", integer.value, *_type(type)]
        case Compare(comparison):
            return ["compare", comparison.value]
        case Convert(_, type):
            return ["convert", *_type(type)]
        case Element():
            return ["element"]
        case Updated():
            return ["updated"]
        case _:
            raise ProofError(f"a formula has {node.__class__.__name__}, which is not saved")


def _type(type: Type) -> list[Any]:
    return [type.width, type.signed] if isinstance(type, Int) else ["bool"] if isinstance(type, Bool) else [str(type)]


def formula_of_json(rows: object) -> Expr:
    """Return the formula of a list of nodes; raise `ProofError` where it is none."""
    stack: list[Expr] = []
    for row in list_of(rows, "a formula"):
        expect(isinstance(row, list) and bool(row) and isinstance(row[0], str), "a node of a formula is no list")
        arity = _ARITIES.get(row[0])
        expect(arity is not None and arity <= len(stack), "a node of a formula has not its operands")
        assert arity is not None
        start = len(stack) - arity
        operands = stack[start:]
        del stack[start:]
        try:
            stack.append(_make_node(row, operands))
        except (ValueError, IndexError, TypeError):
            raise ProofError("this is no proof: a node of a formula is not known") from None
    expect(len(stack) == 1, "a formula is incomplete")
    return stack[0]


_ARITIES = {
    "truth": 0,
    "number": 0,
    "value": 0,
    "variable": 0,
    "not": 1,
    "logic": 2,
    "if": 3,
    "arithmetic": 2,
    "compare": 2,
    "convert": 1,
    "element": 2,
    "updated": 3,
}


def _make_node(row: list[Any], operands: list[Expr]) -> Expr:
    kind, rest = row[0], row[1:]
    one, two, three = (*operands, *[Const(False)] * 3)[:3]
    match kind:
        case "truth":
            return Const(bool(rest[0]))
        case "number":
            return Const(int(rest[0]))
        case "value":
            return Const(values(list_of(rest[0], "an array")))
        case "variable":
            return Var(str(rest[0]))
        case "not":
            return Not(one)
        case "logic":
            return Binary(Operator(rest[0]), one, two)
        case "if":
            return Conditional(one, two, three)
        case "arithmetic":
            type = _of_type(rest[1:])
            if not isinstance(type, Int):
                raise ValueError
            return Arithmetic(IntegerOperator(rest[0]), one, two, type)
        case "compare":
            return Compare(Comparison(rest[0]), one, two)
        case "convert":
            return Convert(one, _of_type(rest))
        case "updated":
            return Updated(one, two, three)
        case _:
            return Element(one, two)


def _of_type(row: list[Any]) -> Type:
    if row == ["bool"]:
        return BOOL
    width, signed = row
    if width is None:
        return INTEGER
    if type(width) is not int or not 0 < width <= 128 or type(signed) is not bool:
        raise ValueError
    return Int(width, signed)
