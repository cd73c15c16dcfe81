"""Names of C: what an identifier means where it stands, and which variable of the model holds it.

A local that would hide another variable of the model gets a number (`x#2`); a static local of f is the global `f::x`.
"""

from __future__ import annotations

from typing import Any

from knaster.base.records import dataclass, field
from knaster.frontends.c.names.types import CType, Foreign, Function, Vector


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of C; `name` is how the variables of the model that hold it begin."""

    name: str
    type: CType
    is_global: bool = False
    is_const: bool = False
    initial: Any = field(default=None, compare=False)  # its initial value in the syntax tree


@dataclass(frozen=True, slots=True)
class Enumerator:
    """A constant of an enumeration."""

    value: int


@dataclass(frozen=True, slots=True)
class TypeName:
    """A name for a type."""

    type: CType


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A function."""

    name: str
    type: Function


Symbol = Variable | Enumerator | TypeName | FunctionName


@dataclass(slots=True)
class Names:
    """The names of the model that are taken in one function, and those whose block has ended."""

    taken: set[str]
    reuse: bool
    free: dict[tuple[str, CType], list[str]] = field(default_factory=dict)

    def fresh(self, name: str, type: CType) -> tuple[str, bool]:
        """Return a name of the model for a local, and whether it is a new one."""
        if self.reuse and (ended := self.free.get((name, type))):
            return ended.pop(), False
        number, found = 1, name
        while found in self.taken:
            number += 1
            found = f"{name}#{number}"
        self.taken.add(found)
        return found, True


def clash(known: Symbol | None, new: Symbol) -> bool:
    """Tell whether a name is declared again in the same block in a way that C forbids (6.7, 6.2.7)."""
    match known, new:
        case None, _:
            return False
        case Variable(), Variable():
            again = known.is_global and new.is_global and known.name == new.name
            return not again or not _compatible(known.type, new.type)
        case TypeName(), TypeName():
            return known.type != new.type
        case FunctionName(), FunctionName():
            first, second = known.type.parameters, new.type.parameters
            if not _compatible(known.type.result, new.type.result):
                return True
            if first is None or second is None:
                return False
            return len(first) != len(second) or not all(map(_compatible, first, second))
        case _:
            return True


def _compatible(first: CType, second: CType) -> bool:
    """Tell whether two types may be the same one; what is not read is not compared."""
    if isinstance(first, Foreign) or isinstance(second, Foreign):
        return True
    if isinstance(first, Vector) and isinstance(second, Vector):
        lengths = first.length == second.length or 0 in (first.length, second.length)
        return lengths and _compatible(first.element, second.element)
    return first == second


class Scopes:
    """The blocks that are open, the innermost last; struct and enum tags have a name space of their own."""

    def __init__(self) -> None:
        self.symbols: list[dict[str, Symbol]] = [{}]
        self.tags: list[dict[str, CType]] = [{}]

    def open(self) -> None:
        """Begin a block."""
        self.symbols.append({})
        self.tags.append({})

    def close(self) -> dict[str, Symbol]:
        """End a block; return what was declared in it."""
        self.tags.pop()
        return self.symbols.pop()

    def find(self, name: str) -> Symbol | None:
        """Return what a name means here; None where it is not declared."""
        return next((block[name] for block in reversed(self.symbols) if name in block), None)

    def find_tag(self, tag: str) -> CType | None:
        """Return the struct or enum of a tag; None where it has no declaration."""
        return next((block[tag] for block in reversed(self.tags) if tag in block), None)

    def add(self, name: str, symbol: Symbol) -> None:
        """Declare a name in the innermost block."""
        self.symbols[-1][name] = symbol

    def everywhere(self, name: str, symbol: Symbol) -> None:
        """Declare a name of the whole file."""
        self.symbols[0][name] = symbol
