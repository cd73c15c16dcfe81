"""The values that an expression can have in a state, for programs without references.

Each choice is independent of all others and an expression is a tree, so the values of its operands can be combined
freely: what is computed are *all* values, exactly.  `UNDEFINED` among them is an outcome that does not exist: division
by 0, a shift too far, an index out of range.  Every operand is evaluated, also that of `if` which is not taken.
With inputs each choice takes the next of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import product
from typing import Any

from knaster_check.formula import arity
from knaster_check.program import BOOL, Formula, Node, Reference, Type, Value
from knaster_check.refused import Refused, Unsupported

State = Mapping[str, Value]
Values = Collection[Value]
_BOTH = (False, True)
_MOST = 100_000  # combinations of values of one operator
_FARTHEST = 1 << 12  # shifts of unbounded integers go less far


class _Undefined:
    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = _Undefined()


def outcomes(
    formula: Formula, state: State, inputs: Iterator[Value] | None = None, after: State | None = None
) -> Values:
    """Return every value that a formula can have; `next` values are those of `after`."""
    stack: list[Values] = []
    for node in formula:
        match node:
            case ("truth" | "number" | "value", value):
                stack.append((value,))
            case ("variable", name):
                stack.append((state[name],))
            case ("next", name):
                stack.append((after[name],) if after is not None else ())
            case ("choice", type):
                stack.append(_choose(type, inputs))
            case _:
                cut = len(stack) - arity(node)
                operands = stack[cut:]
                del stack[cut:]
                stack.append(_combine(node, operands))
    return stack[0]


def can_be(
    formula: Formula, wanted: Value, state: State, inputs: Iterator[Value] | None, after: State | None = None
) -> bool:
    """Tell whether a formula can have a value."""
    if inputs is None and len(formula) == 1 and formula[0][0] == "choice":
        return belongs(wanted, formula[0][1])
    return any(same(value, wanted) for value in outcomes(formula, state, inputs, after))


def same(left: Value, right: Value) -> bool:
    """Tell whether two values are one; true is not 1."""
    return type(left) is type(right) and bool(left == right)


def belongs(value: Value, type: Type) -> bool:
    """Tell whether a value is one of a type."""
    match type:
        case ("bool",):
            return isinstance(value, bool)
        case ("int", _, _):
            return isinstance(value, int) and not isinstance(value, bool) and wrap(value, type) == value
        case ("array", element, length):
            parts = value if isinstance(value, tuple) and not isinstance(value, Reference) else ()
            return parts is value and len(parts) == length and all(belongs(part, element) for part in parts)
    raise Refused(f"a value of the type {type} is evaluated")


def wrap(value: int, type: Type) -> int:
    """Return the integer of a type that is congruent to a number."""
    _, width, signed = type
    if width is None:
        return value
    low = value & int((1 << width) - 1)
    return low - (1 << width) if signed and low >> (width - 1) else low


def _choose(type: Type, inputs: Iterator[Value] | None) -> Values:
    if inputs is None:
        if type != BOOL:
            raise Refused(f"a choice of the type {type} has no input")
        return _BOTH
    for value in inputs:
        if not belongs(value, type):
            raise Refused(f"{value!r} is no input of the type {type}")
        return (value,)
    raise Refused("a choice has no input")


def _combine(node: Node, operands: list[Values]) -> Values:
    count = 1
    for values in operands:
        count *= len(values)
    if count > _MOST:
        raise Refused("an expression has too many values")
    return [value for _, value in dict.fromkeys((type(value), value) for value in _results(node, operands))]


def _results(node: Node, operands: list[Values]) -> Iterator[Value]:
    for values in product(*operands):
        yield UNDEFINED if UNDEFINED in values else _apply(node, *values)


def _apply(node: Node, *values: Any) -> Value:
    match node:
        case ("not",):
            return not values[0]
        case ("logic", operator):
            return _LOGIC[operator](bool(values[0]), bool(values[1]))
        case ("if",):
            return values[1] if values[0] else values[2]
        case ("arithmetic", operator, type):
            return arithmetic(operator, _integer(values[0]), _integer(values[1]), type)
        case ("compare", operator):
            return _compare(operator, values[0], values[1])
        case ("convert", ("bool",)):
            return _integer(values[0]) != 0
        case ("convert", type):
            return wrap(_integer(values[0]), type)
        case ("element",):
            array, at = _array(values[0]), _integer(values[1])
            return array[at] if 0 <= at < len(array) else UNDEFINED
        case ("updated",):
            array, at = _array(values[0]), _integer(values[1])
            return (*array[:at], values[2], *array[at + 1 :]) if 0 <= at < len(array) else UNDEFINED
    if node[0] == "real_term":
        raise Unsupported("the kernel asks solvers about floating-point numbers, and computes none by their bits")
    raise Refused(f"'{node[0]}' is evaluated")


def arithmetic(operator: str, left: int, right: int, type: Type) -> Value:
    """Return the result of an operator in a type; division truncates towards 0."""
    if operator in ("/", "%"):
        if right == 0:
            return UNDEFINED
        # mutant(<): a quotient of 0 has no sign, and no divisor is 0
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return wrap(quotient if operator == "/" else left - right * quotient, type)
    if operator in ("<<", ">>"):
        if not 0 <= right < (type[1] or _FARTHEST):
            return UNDEFINED
        return wrap(left << right if operator == "<<" else left >> right, type)
    return wrap(_ARITHMETIC[operator](left, right), type)


def _compare(operator: str, left: Value, right: Value) -> bool:
    if operator in ("==", "!="):
        return bool(left == right) is (operator == "==")
    return bool(_ORDER[operator](_integer(left), _integer(right)))


def _integer(value: Value) -> int:
    if not isinstance(value, int):
        raise Refused(f"{value!r} is used as a number")
    return int(value)


def _array(value: Value) -> tuple[Value, ...]:
    if not isinstance(value, tuple) or isinstance(value, Reference):
        raise Refused(f"{value!r} is used as an array")
    return value


_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "&": lambda left, right: left and right,
    "|": lambda left, right: left or right,
    "^": lambda left, right: left is not right,
    "=": lambda left, right: left is right,
    "=>": lambda left, right: not left or right,
}
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
}
_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
