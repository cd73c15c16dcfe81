"""Types of expressions: every operator has operands of the types that it asks for, every value that of its place.

A constant has every type that it is a value of; everything else has one.  Programs with references have types of their
own (`program.objects`) and are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.base.errors import Problem, Span
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Updated,
    Var,
    postorder,
)
from knaster.program.memory import Floating, FloatTerm
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return
from knaster.program.types import BOOL, Array, Bool, Int, Type, belongs

_SHIFTS = (IntegerOperator.LEFT, IntegerOperator.RIGHT)
_EITHER = (Comparison.EQUAL, Comparison.DIFFERENT)
Found = Type | Const  # a constant until something asks for its type


def mismatches(expr: Expr, expected: Type, types: Mapping[str, Type]) -> Iterator[str]:
    """Yield what is wrong with the types in an expression that should have a type; nothing where they are right."""
    stack: list[Found] = []
    for node in postorder(expr):
        match node:
            case Const():
                stack.append(node)
            case Var(name):
                stack.append(types.get(name, BOOL))
            case Choice(type):
                stack.append(type)
            case _:
                count = _operands(node)
                given = stack[len(stack) - count :]
                del stack[len(stack) - count :]
                yield from _wrong(node, given)
                stack.append(_result(node, given))
    if not fits(stack[-1], expected):
        yield f"a value of {describe_type(expected)} is expected, not {describe_type(stack[-1])}"


def fits(found: Found, expected: Type) -> bool:
    """Tell whether something is of a type."""
    return belongs(found.value, expected) if isinstance(found, Const) else found == expected


def describe_type(type: Found) -> str:
    """Return a type in words."""
    match type:
        case Const(value):
            return f"the constant {value}"
        case Bool():
            return "type bool"
        case Int(None):
            return "type integer"
        case Int(width, signed):
            return f"type {'int' if signed else 'unsigned'} of {width} bits"
        case Array(element, length):
            return f"an array of {length}, each {describe_type(element)}"
        case _:
            return f"type {type.name if hasattr(type, 'name') else type}"


def _operands(node: Expr) -> int:
    match node:
        case Not() | Convert():
            return 1
        case Conditional() | Updated():
            return 3
        case FloatTerm(_, own):
            return len(own)
        case _:
            return 2


def _result(node: Expr, given: Sequence[Found]) -> Found:
    match node:
        case Arithmetic(_, _, _, type) | Convert(_, type):
            return type
        case Conditional():
            return given[2] if isinstance(given[1], Const) else given[1]
        case Element():
            return given[0].element if isinstance(given[0], Array) else BOOL
        case Updated():
            return given[0]
        case FloatTerm(_, _, _, result):
            return _bits_of(result)
        case _:
            return BOOL


def _bits_of(type: Floating | Int | Bool) -> Type:
    """Return the type of the operands or the result of an operation of floating-point numbers: they are bits."""
    return Int(type.width, False) if isinstance(type, Floating) else type


def _wrong(node: Expr, given: Sequence[Found]) -> Iterator[str]:
    match node:
        case Not() | Binary():
            yield from (f"a truth value is expected, not {describe_type(one)}" for one in given if not fits(one, BOOL))
        case Conditional():
            if not fits(given[0], BOOL):
                yield f"a condition is a truth value, not {describe_type(given[0])}"
            yield from _same(given[1], given[2])
        case Arithmetic(operator, _, _, type):
            counted = given[:1] if operator in _SHIFTS else given
            yield from (
                f"'{operator}' in {describe_type(type)} has {describe_type(one)}"
                for one in counted
                if not fits(one, type)
            )
            if operator in _SHIFTS and not _is_integer(given[1]):
                yield f"a shift by {describe_type(given[1])}"
        case Compare(comparison):
            yield from _same(given[0], given[1])
            if comparison not in _EITHER:
                yield from (f"'{comparison}' of {describe_type(one)}" for one in given if not _is_integer(one))
        case Convert(_, type):
            if not (_is_integer(given[0]) or fits(given[0], BOOL)) or not isinstance(type, Int | Bool):
                yield f"{describe_type(given[0])} is converted to {describe_type(type)}"
        case Element() | Updated():
            if not isinstance(given[0], Array):
                yield f"{describe_type(given[0])} has no elements"
            elif isinstance(node, Updated) and not fits(given[2], given[0].element):
                yield f"an element of {describe_type(given[0].element)} is given {describe_type(given[2])}"
            if not _is_integer(given[1]):
                yield f"an index is {describe_type(given[1])}"
        case FloatTerm(operator, _, kind):
            own = _bits_of(kind)
            yield from (
                f"'{operator}' of {describe_type(own)} has {describe_type(one)}" for one in given if not fits(one, own)
            )


def _same(left: Found, right: Found) -> Iterator[str]:
    if isinstance(left, Const) and isinstance(right, Const):
        return
    one, other = (right, left) if isinstance(left, Const) else (left, right)
    if not isinstance(one, Const) and not fits(other, one):
        yield f"{describe_type(left)} stands beside {describe_type(right)}"


def _is_integer(found: Found) -> bool:
    if isinstance(found, Const):
        return isinstance(found.value, int) and not isinstance(found.value, bool)
    return isinstance(found, Int)


def type_problems(program: Program) -> list[Problem]:
    """Return every edge of a well-formed program on which a value is not of the type of its place."""
    problems = [Problem(what, Span(1, 1)) for what in mismatches(program.init, BOOL, dict(program.types))]
    procedures = {procedure.name: procedure for procedure in program.procedures}
    scopes = {name: program.types_in(procedure) for name, procedure in procedures.items()}
    for procedure in program.procedures:
        types = scopes[procedure.name]
        for edge in procedure.edges:
            for expr, expected in _places(edge, types, procedure, procedures, scopes):
                for what in mismatches(expr, expected, types):
                    where = f"in '{procedure.name}' at location {edge.source}"
                    problems.append(Problem(f"{where}: {what}", edge.span if edge.span.line else procedure.span))
    return problems


def _places(
    edge: Edge,
    types: Mapping[str, Type],
    procedure: Procedure,
    procedures: Mapping[str, Procedure],
    scopes: Mapping[str, Mapping[str, Type]],
) -> Iterator[tuple[Expr, Type]]:
    """Yield what an edge evaluates, each expression with the type that it should have."""
    match edge.action:
        case Assume(condition):
            yield condition, BOOL
        case Assign(targets, values, constraint):
            yield constraint, BOOL
            yield from ((value, types[target]) for target, value in zip(targets, values, strict=True))
        case Return(values):
            yield from ((value, types[name]) for name, value in zip(procedure.results, values, strict=True))
        case Call(name) as call:
            callee, inner = procedures[name], scopes[name]
            yield from ((value, inner[into]) for into, value in call.bindings(callee))
            yield from ((Var(target), inner[result]) for target, result in call.results(callee))
