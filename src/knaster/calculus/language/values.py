"""Values of the language as Python values, and back.

bool <-> bool, a named enumeration <-> str, a range <-> int, an array <-> tuple, a class <-> dict of its members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from knaster.base.errors import UsageError
from knaster.calculus.language.types import Type

Value = bool | int | str | tuple["Value", ...] | dict[str, "Value"]


def encode(type_: Type, value: object) -> list[bool]:
    """Return the bits of a value, or refuse it."""
    bits: list[bool] = []
    todo: list[tuple[Type, object]] = [(type_, value)]
    while todo:
        current, given = todo.pop()
        if current.is_basic:
            code = _code(current, given)
            bits.extend(bool(code >> (current.width - 1 - index) & 1) for index in range(current.width))
        elif current.element is not None:
            if not isinstance(given, Sequence) or len(given) != current.length:
                raise UsageError(f"a value of type {current.name} is a sequence of {current.length}, not {given!r}")
            todo.extend((current.element, part) for part in reversed(given))
        else:
            if not isinstance(given, Mapping) or set(given) != set(current.members):
                names = ", ".join(current.members)
                raise UsageError(f"a value of type {current.name} maps {names} to values, not {given!r}")
            todo.extend((member, given[name]) for name, (member, _) in reversed(current.members.items()))
    return bits


def _code(type_: Type, value: object) -> int:
    code: int | None = None
    if isinstance(value, str):
        code = type_.code(value)
    elif isinstance(value, int):
        code = type_.number_code(int(value))
    if code is None:
        raise UsageError(f"{value!r} is no value of type {type_.name}")
    return code


def decode(type_: Type, bits: Sequence[bool]) -> Value:
    """Return the value of the bits.  Requires: they code one."""
    values: list[Value] = []
    todo: list[tuple[Type, int, bool]] = [(type_, 0, False)]
    while todo:
        current, offset, complete = todo.pop()
        if current.is_basic:
            code = sum(1 << (current.width - 1 - index) for index in range(current.width) if bits[offset + index])
            values.append(_show_value(current, code))
        elif complete:
            count = current.length if current.element is not None else len(current.members)
            parts = values[len(values) - count :]
            del values[len(values) - count :]
            is_array = current.element is not None
            values.append(tuple(parts) if is_array else dict(zip(current.members, parts, strict=True)))
        else:
            todo.append((current, offset, True))
            if current.element is not None:
                width = current.element.width
                todo.extend((current.element, offset + i * width, False) for i in reversed(range(current.length)))
            else:
                todo.extend((member, offset + start, False) for member, start in reversed(current.members.values()))
    return values[0]


def _show_value(type_: Type, code: int) -> Value:
    if type_.name == "bool":
        return code == 1
    return type_.names[code] if type_.names else code + type_.low


def count_values(type_: Type) -> int:
    """Return how many values a type has."""
    total = 1
    for leaf in type_.leaves():
        total *= leaf.type.size
    return total


def all_values(types: Sequence[Type]) -> Iterator[tuple[Value, ...]]:
    """Yield every tuple of values of the types."""
    leaves = [leaf for type_ in types for leaf in type_.leaves()]
    for codes in product(*(range(leaf.type.size) for leaf in leaves)):
        bits = [
            bool(code >> (leaf.type.width - 1 - index) & 1)
            for leaf, code in zip(leaves, codes, strict=True)
            for index in range(leaf.type.width)
        ]
        found = []
        start = 0
        for type_ in types:
            found.append(decode(type_, bits[start : start + type_.width]))
            start += type_.width
        yield tuple(found)


def show(value: Value) -> str:
    """Return a value as the language writes it: `red`, `3`, `1`, `{a=1,b=2}` for a class, `[1,0]` for an array."""
    pieces: list[str] = []
    stack: list[object] = [value]
    while stack:
        current = stack.pop()
        if isinstance(current, _Mark):
            pieces.append(current.text)
        elif isinstance(current, bool):
            pieces.append("1" if current else "0")
        elif isinstance(current, tuple):
            stack.append(_Mark("]"))
            for index, part in reversed(list(enumerate(current))):
                stack.append(part)
                stack.append(_Mark("," if index else "["))
        elif isinstance(current, dict):
            stack.append(_Mark("}"))
            for index, (name, part) in reversed(list(enumerate(current.items()))):
                stack.append(part)
                stack.append(_Mark(f",{name}=" if index else f"{{{name}="))
        else:
            pieces.append(str(current))
    return "".join(pieces)


class _Mark:
    """Punctuation between values."""

    def __init__(self, text: str) -> None:
        self.text = text
