"""Parts of values, sums, connectives, and the hints that go with mistakes in them."""

from __future__ import annotations

from knaster.calculus.language import formula as core
from knaster.calculus.language.formula import Bit, Formula
from knaster.calculus.language.syntax import Access, Number, Shifted, Term
from knaster.calculus.language.types import BOOL, Type

Place = tuple[Type, tuple[Bit, ...]]


def connect(operator: str, parts: list[Formula]) -> Formula:
    """Return the formula of a connective."""
    match operator:
        case "&":
            return core.And(tuple(parts))
        case "|":
            return core.Or(tuple(parts))
        case "->":
            return core.Or((core.Not(parts[0]), parts[1]))
        case "<-":
            return core.Or((parts[0], core.Not(parts[1])))
        case "<->":
            return core.Equivalent(parts[0], parts[1])
        case _:
            return core.Not(core.Equivalent(parts[0], parts[1]))


def select(type_: Type, bits: tuple[Bit, ...], selector: str | int) -> Place | str:
    """Return a member, an element or a bit, or what is wrong with the selector."""
    if isinstance(selector, str):
        if selector not in type_.members:
            return f"type {type_.name} has no member '{selector}'"
        member, offset = type_.members[selector]
        return member, bits[offset : offset + member.width]
    if type_.element is not None:
        if selector >= type_.length:
            return f"index {selector} is out of range: {type_.name} has the elements 0 to {type_.length - 1}"
        start = selector * type_.element.width
        return type_.element, bits[start : start + type_.element.width]
    if type_.is_basic and type_.name != "bool":
        if selector >= type_.width:
            return f"bit {selector} is out of range: {type_.name} has {type_.width} bits"
        return BOOL, (bits[type_.width - 1 - selector],)
    return f"type {type_.name} has no elements"


def unshift(term: Term) -> tuple[int, Access | Number]:
    """Return a term without its sum, and the number added."""
    return (term.offset, term.access) if isinstance(term, Shifted) else (0, term)


def compare_numbers(operator: str, left: tuple[Bit, ...], right: int | tuple[Bit, ...], shift: int) -> Formula:
    """Return left operator right + shift."""
    bits: tuple[Bit, ...] = ()
    if isinstance(right, int):
        shift += right
    else:
        bits = right
    match operator:
        case "=" | "<" | "<=":
            return core.Order(operator, left, bits, shift)
        case "!=":
            return core.Not(core.Order("=", left, bits, shift))
        case ">":
            return core.Not(core.Order("<=", left, bits, shift))
        case _:
            return core.Not(core.Order("<", left, bits, shift))


def code_bits(code: int, width: int) -> tuple[bool, ...]:
    """Return the bits of a code, most significant first."""
    return tuple(bool(code >> (width - 1 - index) & 1) for index in range(width))


def values_of(type_: Type) -> str:
    """Return a hint with the values of a type."""
    if not type_.is_basic:
        return f"{type_.name} is a class or an array: compare its parts"
    if type_.names:
        return f"its values are {', '.join(type_.names[:8])}{', ...' if len(type_.names) > 8 else ''}"
    return f"its values are {type_.low}..{type_.low + type_.size - 1}"
