"""Expressions of program texts and formulas of proofs: lists of nodes, each after its operands, read without trust.

node                             operands  value
["truth", true]  ["number", "5"]        0  a constant; ["value", [0, 0]] an array, ["value", null] null
["variable", "x"]  ["next", "x"]        0  of a variable now; after the assignment (in its constraint)
["choice", TYPE]                        0  any value of the type, each time another
["not"]                                 1
["logic", "&"]                          2  & | ^ = =>
["if"]                                  3  condition, then, otherwise
["arithmetic", "+", width, signed]      2  + - * / % & | ^ << >> in a type; width null: all integers
["compare", "<="]                       2  == != < <= > >=
["convert", width, signed]              1  ["convert", "bool"]: different from 0
["real_term", "+", TYPE, TYPE]    1, 2, 3  what an operator makes of floating-point numbers, by their bits
["element"]  ["updated"]             2, 3  of an array at an index; an array with an element replaced
["part", i]  ["field", i, "name"]       1  of a struct value; of the cell of a reference
["index"]  ["size"]  ["member"]   2, 1, 2  of a collection in the heap
["new", "C", n]  ["self"]            n, 0  a new cell (n 1: with its length); the number of the thread
["apply", "f", n]                       n  the result of a procedure that is run for its value alone

With memory, LC are the line and the column where it stands:
["real", "0x1.8p+0"]  ["pointer", "0"]  0  a constant; ["image", size, [[offset, size, number], ...]] one of bytes
["object", "x"]                         0  the address of an object or a function
["load", TYPE, packed, LC]              1  what stands at an address
["move", scale, part, LC]               2  an address moved by a number of elements; a part of a struct
["distance", scale, width, LC]          2  how many elements lie between two addresses
["compute", "+", width, signed, LC]     2  as arithmetic
["real_arithmetic", "+", width]         2  + - * / of floating-point numbers
["cast", TYPE, LC]                      1  as a value of another type
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from knaster_check.program import BOOL, Formula, Node, Reference, Type, Value
from knaster_check.refused import Refused, expect, list_of, number_of, text_of, truth_of

_NUMBER = re.compile(r"-?[0-9]{1,4000}\Z")
_WIDEST = 4096
LOGIC = frozenset(("&", "|", "^", "=", "=>"))
ARITHMETIC = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def read_formula(data: object, what: str = "a formula") -> Formula:
    """Return a formula each of whose nodes is known and has its operands."""
    nodes, depth = [], 0
    for row in list_of(data, what):
        head = row[0] if isinstance(row, list) and row and isinstance(row[0], str) else ""
        expect(head in _READERS, f"{what}: {str(row)[:60]} is no node of a formula")
        node = _READERS[head](head, row[1:])
        expect(depth >= arity(node), f"{what}: '{head}' has not its operands")
        depth += 1 - arity(node)
        nodes.append(node)
    expect(depth == 1, f"{what} is incomplete")
    return tuple(nodes)


def arity(node: Node) -> int:
    """Return the number of operands of a node."""
    own = _ARITIES.get(node[0], 0)
    return int(node[2]) if own < 0 else own


def operands(formula: Formula) -> Iterator[tuple[Node, list[int]]]:
    """Yield each node with the positions of its operands, which come before it."""
    stack: list[int] = []
    for position, node in enumerate(formula):
        cut = len(stack) - arity(node)
        own = stack[cut:]
        del stack[cut:]
        stack.append(position)
        yield node, own


def read_type(data: object) -> Type:
    """Return a type."""
    row = list_of(data, "a type")
    match row:
        case ["bool"]:
            return BOOL
        case ["int", width, signed]:
            return _integer_type(width, signed)
        case ["array", element, length]:
            return ("array", read_type(element), number_of(length, "the length of an array"))
        case ["pointer", str(name)]:
            return ("pointer", name)
        case ["address" | "bytes" as head, size]:
            return (head, number_of(size, "a size"))
        case ["floating", 32 | 64 as width]:
            return ("floating", width)
        case ["enum", str(name), members]:
            return ("enum", name, tuple(text_of(member, "a member") for member in list_of(members, "members")))
        case ["struct", str(name), fields]:
            pairs = [list_of(field, "a field", 2) for field in list_of(fields, "fields")]
            return ("struct", name, tuple((text_of(field, "a field"), read_type(type)) for field, type in pairs))
    raise Refused(f"{str(row)[:60]} is no type")


def _integer_type(width: object, signed: object) -> Type:
    if width is not None:
        expect(0 < number_of(width, "a width") <= _WIDEST, "a width is none")
    return ("int", width, truth_of(signed, "'signed'"))


def read_value(data: object) -> Value:
    """Return a value: a number, a truth value, null, the name of a cell ("C#2"), or a list of values."""
    if data is None or type(data) in (bool, int):
        return data
    if isinstance(data, list):
        return tuple(read_value(part) for part in data)
    if isinstance(data, str):
        target, sign, number = data.rpartition("#")
        if sign and number.isascii() and number.isdecimal() and len(number) < 10 and str(int(number)) == number:
            return Reference(target, int(number))
    raise Refused(f"{str(data)[:60]} is no value")


def _plain(head: str, rest: list[Any]) -> Node:
    expect(not rest, f"'{head}' has parameters")
    return (head,)


def _one(reader: Callable[[object, str], Any]) -> Callable[[str, list[Any]], Node]:
    return lambda head, rest: (head, reader(list_of(rest, f"the parameters of '{head}'", 1)[0], head))


def _of(names: frozenset[str]) -> Callable[[object, str], str]:
    def read(data: object, head: str) -> str:
        expect(text_of(data, head) in names, f"'{head}' has no operator {data!r}")
        return str(data)

    return read


def _number(data: object, head: str) -> int:
    expect(bool(_NUMBER.match(text_of(data, head))), f"{str(data)[:60]!r} is no number")
    return int(str(data))


def _arithmetic(head: str, rest: list[Any]) -> Node:
    operator, width, signed = list_of(rest, f"the parameters of '{head}'", 3)
    return (head, _of(ARITHMETIC)(operator, head), _integer_type(width, signed))


def _convert(head: str, rest: list[Any]) -> Node:
    if rest == ["bool"]:
        return (head, BOOL)
    return (head, _integer_type(*list_of(rest, f"the parameters of '{head}'", 2)))


def _real_term(head: str, rest: list[Any]) -> Node:
    """Read an operator with the types of its operands and of its result: of a floating-point number it takes bits."""
    operator, *types = list_of(rest, f"the parameters of '{head}'", 3)
    expect(text_of(operator, head) in _OPERATORS, f"'{head}' has no operator {operator!r}")
    given, result = map(read_type, types)
    kinds = given[0], result[0]
    if operator == "convert":
        fits = kinds in (("floating", "floating"), ("floating", "int"), ("int", "floating"))
        fits = fits and given[1] is not None and result[1] is not None
    else:
        fits = kinds == ("floating", "bool") if operator in COMPARISONS else kinds[0] == "floating" and given == result
    expect(fits, f"'{head}' has types that its operator does not take")
    return (head, operator, _OPERATORS[operator], given, result)


def _field(head: str, rest: list[Any]) -> Node:
    index, name = list_of(rest, f"the parameters of '{head}'", 2)
    return (head, number_of(index, head), text_of(name, head))


def _named(head: str, rest: list[Any]) -> Node:
    name, count = list_of(rest, f"the parameters of '{head}'", 2)
    return (head, text_of(name, head), number_of(count, head, 2 if head == "new" else None))


def _placed(count: int, *readers: Callable[[Any, str], Any]) -> Callable[[str, list[Any]], Node]:
    """Return a reader of parameters and, after them, `count` numbers of a place."""

    def read(head: str, rest: list[Any]) -> Node:
        parts = list_of(rest, f"the parameters of '{head}'", len(readers) + count)
        own = [reader(part, head) for reader, part in zip((*readers, *[number_of] * count), parts, strict=True)]
        return (head, *own)

    return read


def _compute(head: str, rest: list[Any]) -> Node:
    operator, width, signed, line, column = list_of(rest, f"the parameters of '{head}'", 5)
    place = number_of(line, head), number_of(column, head)
    return (head, _of(ARITHMETIC)(operator, head), _integer_type(width, signed), *place)


def _whole(data: object, head: str) -> int:
    expect(type(data) is int, f"'{head}': here should be a whole number")
    assert isinstance(data, int)
    return data


def _real(data: object, head: str) -> float:
    try:
        return float.fromhex(text_of(data, head))
    except (ValueError, OverflowError):
        raise Refused(f"{str(data)[:60]!r} is no number") from None


def _bytes(data: object, head: str) -> tuple[tuple[int, int, int], ...]:
    rows = [list_of(row, head, 3) for row in list_of(data, head)]
    return tuple((number_of(at, head), number_of(size, head), number_of(raw, head)) for at, size, raw in rows)


def _type_of(data: object, head: str) -> Type:
    return read_type(data)


_OPERATORS = {
    **dict.fromkeys(("+", "-", "*", "/", "==", "<", "<="), 2),
    **dict.fromkeys(("convert", "fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt"), 1),
    "fma": 3,
}  # of floating-point numbers, and how many operands they have
_ARITIES = {
    "real_term": -1,
    **{"load": 1, "move": 2, "distance": 2, "compute": 2, "real_arithmetic": 2, "cast": 1},
    **{"not": 1, "logic": 2, "if": 3, "arithmetic": 2, "compare": 2, "convert": 1, "element": 2, "updated": 3},
    **{"part": 1, "field": 1, "index": 2, "size": 1, "member": 2, "new": -1, "apply": -1},
}
_READERS: dict[str, Callable[[str, list[Any]], Node]] = {
    "truth": _one(truth_of),
    "number": _one(_number),
    "value": _one(lambda data, _: read_value(data)),
    "variable": _one(text_of),
    "next": _one(text_of),
    "choice": _one(lambda data, _: read_type(data)),
    "logic": _one(_of(LOGIC)),
    "arithmetic": _arithmetic,
    "compare": _one(_of(COMPARISONS)),
    "convert": _convert,
    "real_term": _real_term,
    "part": _one(number_of),
    "field": _field,
    "new": _named,
    "apply": _named,
    "real": _one(_real),
    "pointer": _one(_number),
    "image": _placed(0, number_of, _bytes),
    "object": _one(text_of),
    "load": _placed(2, _type_of, truth_of),
    "move": _placed(2, _whole, truth_of),
    "distance": _placed(2, number_of, number_of),
    "compute": _compute,
    "real_arithmetic": _placed(0, _of(frozenset("+-*/")), number_of),
    "cast": _placed(2, _type_of),
    **dict.fromkeys(("not", "if", "element", "updated", "index", "size", "member", "self"), _plain),
}
