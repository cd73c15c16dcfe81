"""Expressions of programs with memory as functions of a machine and an activation, made once for each.

Operands are evaluated from left to right; `&` and `|` stop where the result is clear, and of a conditional expression
one side is evaluated, as in C.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.formula import arity
from knaster_check.memory.faults import Place
from knaster_check.memory.numbers import ORDERS, cast, compare, compute, is_true, is_within, wrap
from knaster_check.memory.reals import operate
from knaster_check.memory.values import Address, Image, Open, OpenReal, range_of, size_of
from knaster_check.program import Formula, Node, Type
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.machine import Frame, Machine

Meaning = Callable[["Machine", "Frame"], Any]
Tree = tuple[Node, tuple[Any, ...]]  # a node and the trees of its operands


def meaning_of(formula: Formula) -> Meaning:
    """Return the function that evaluates an expression."""
    return _meaning(tree_of(formula))


def tree_of(formula: Formula) -> Tree:
    """Return an expression as a tree."""
    stack: list[Tree] = []
    for node in formula:
        cut = len(stack) - arity(node)
        stack[cut:] = [(node, tuple(stack[cut:]))]
    return stack[0]


def _meaning(tree: Tree, at_once: bool = False) -> Meaning:
    """Return the function that evaluates a tree; `at_once` where it is an address that is used here."""
    (head, *rest), operands = tree
    match head:
        case "move":
            first = _meaning(operands[0], at_once)
            return _move(first, _meaning(operands[1]), *rest, at_once)  # type: ignore[call-arg]
        case "load":
            return _load(_meaning(operands[0], True), *rest)
    return _MAKERS[head](*rest, *map(_meaning, operands))


def address_of(formula: Formula) -> Meaning:
    """Return the function that evaluates an address which is used at once."""
    return _meaning(tree_of(formula), True)


def _constant(value: Any) -> Meaning:
    return lambda machine, frame: value


def _image(size: int, cells: tuple[tuple[int, int, int], ...]) -> Meaning:
    found: dict[int, Any] = {}
    for offset, length, raw in cells:
        found.update(enumerate(raw.to_bytes(length, "little"), offset))
    return _constant(Image(size, found))


def _variable(name: str) -> Meaning:
    def read(machine: Machine, frame: Frame) -> Any:
        if name not in frame.values:  # nobody has set it: an input, the same from now on
            frame.values[name] = machine.inputs.choose(frame.code.procedure.types[name])
        return frame.values[name]

    return read


def _choice(type: Type) -> Meaning:
    return lambda machine, frame: machine.inputs.choose(type)


def _load(address: Meaning, type: Type, packed: bool, line: int, column: int) -> Meaning:
    place, fit, size = (line, column), alignment_of(type, packed), size_of(type)

    def load(machine: Machine, frame: Frame) -> Any:
        where = address(machine, frame)
        if where[1].__class__ is not int:
            where = machine.settled(where, size)
        if where[1] % fit:
            machine.check_alignment(where, type, place)
        return machine.load(where, type, place)

    return load


def alignment_of(type: Type, packed: bool) -> int:
    """Return what must divide the place where a value stands; 1 where it may stand anywhere."""
    size = size_of(type)
    return 1 if packed or type[0] == "bytes" or size & (size - 1) else size


def _object(name: str) -> Meaning:
    return lambda machine, frame: machine.address_of(frame, name)


def _move(address: Meaning, index: Meaning, scale: int, part: bool, line: int, column: int, at_once: bool) -> Meaning:
    def move(machine: Machine, frame: Frame) -> Any:
        base, offset = address(machine, frame)
        count = index(machine, frame)
        if count.__class__ is int and offset.__class__ is int:
            moved = Address(base, offset + count * scale)
            if count and base > 0 and not part and not 0 <= moved.offset <= machine.objects[base].size:
                machine.note("pointer", (line, column), at_once)
            return moved
        if not isinstance(count, int | Open):
            raise Unsupported("a pointer is moved by a number that was made from a pointer")
        place = machine.inputs.moved(offset, count, scale)
        leaves = base > 0 and not part and not is_within(machine, place, machine.objects[base].size)
        if leaves and is_true(machine, count):
            machine.note("pointer", (line, column), at_once)
        return Address(base, place if at_once else machine.inputs.pinned(place))

    return move


def _distance(scale: int, width: int, line: int, column: int, left: Meaning, right: Meaning) -> Meaning:
    type: Type = ("int", width, True)

    def subtract(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if one[0] != other[0]:
            machine.note("pointer", (line, column))
            return machine.inputs.choose(type)
        apart, unit = one[1] - other[1], max(scale, 1)
        # mutant(>=): 0 either way
        return wrap(apart // unit if apart >= 0 else -(-apart // unit), type)

    return subtract


def _compute(sign: str, type: Type, line: int, column: int, left: Meaning, right: Meaning) -> Meaning:
    place: Place = (line, column)
    bounds = range_of(type)
    plain = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}.get(sign)

    def calculate(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if plain is not None and one.__class__ is int and other.__class__ is int:  # the same, for speed
            value = plain(one, other)
            if bounds is None or bounds[0] <= value <= bounds[1]:  # mutant(<=): a border is computed below, the same
                return value
        return compute(machine, sign, one, other, type, place)

    return calculate


def _real_arithmetic(sign: str, width: int, left: Meaning, right: Meaning) -> Meaning:
    def calculate(machine: Machine, frame: Frame) -> Any:
        one, other = left(machine, frame), right(machine, frame)
        if isinstance(one, OpenReal) or isinstance(other, OpenReal):
            return machine.inputs.operate(sign, one, other, width)
        return operate(sign, one, other, width)

    return calculate


def _compare(sign: str, left: Meaning, right: Meaning) -> Meaning:
    plain = ORDERS[sign]

    def order(machine: Machine, frame: Frame) -> bool:
        one, other = left(machine, frame), right(machine, frame)
        if one.__class__ is int and other.__class__ is int:  # the same, for speed
            return plain(one, other)
        return compare(machine, sign, one, other)

    return order


def _cast(type: Type, line: int, column: int, operand: Meaning) -> Meaning:
    place: Place = (line, column)
    bounds = range_of(type) if type[0] == "int" else None

    def convert(machine: Machine, frame: Frame) -> Any:
        value = operand(machine, frame)
        # mutant(<=): a border is converted below, the same
        if bounds is not None and value.__class__ is int and bounds[0] <= value <= bounds[1]:
            return value
        return cast(machine, value, type, place)

    return convert


def _not(operand: Meaning) -> Meaning:
    return lambda machine, frame: not is_true(machine, operand(machine, frame))


def _logic(sign: str, left: Meaning, right: Meaning) -> Meaning:
    def both(machine: Machine, frame: Frame) -> bool:
        return is_true(machine, left(machine, frame)) and is_true(machine, right(machine, frame))

    def either(machine: Machine, frame: Frame) -> bool:
        return is_true(machine, left(machine, frame)) or is_true(machine, right(machine, frame))

    if sign not in ("&", "|"):
        raise Unsupported(f"'{sign}' of truth values in a program with memory")
    return both if sign == "&" else either


def _if(condition: Meaning, first: Meaning, second: Meaning) -> Meaning:
    def decide(machine: Machine, frame: Frame) -> Any:
        return (first if is_true(machine, condition(machine, frame)) else second)(machine, frame)

    return decide


_MAKERS: dict[str, Callable[..., Meaning]] = {
    "truth": _constant,
    "number": _constant,
    "real": _constant,
    "pointer": lambda offset: _constant(Address(0, offset)),
    "image": _image,
    "variable": _variable,
    "choice": _choice,
    "object": _object,
    "distance": _distance,
    "compute": _compute,
    "real_arithmetic": _real_arithmetic,
    "compare": _compare,
    "cast": _cast,
    "not": _not,
    "logic": _logic,
    "if": _if,
}
