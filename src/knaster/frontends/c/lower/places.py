"""Places of C as parts of variables of the model: reading them, and the assignments that change them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.frontends.c.names.types import CType, Leaf, leaves
from knaster.program.expression import NOWHERE, Element, Expr, Updated, Var


@dataclass(frozen=True, slots=True)
class Place:
    """A variable, or the part of it that fields (in `name`) and indices select."""

    name: str
    type: CType
    indices: tuple[Expr, ...] = ()
    span: Span = NOWHERE

    def leaves(self) -> Iterator[tuple[Leaf, str]]:
        """Yield the parts that variables of the model hold, each with the name of its variable."""
        for leaf in leaves(self.type):
            yield leaf, self.name + leaf.suffix


def read(variable: str, indices: Sequence[Expr], span: Span) -> Expr:
    """Return the value of a variable, or of the element of it that the indices select."""
    found: Expr = Var(variable)
    for index in indices:
        found = Element(found, index, span)
    return found


def write_element(variable: str, indices: Sequence[Expr], value: Expr, span: Span) -> Expr:
    """Return the value of the whole variable after its element is given a new value."""
    for depth in range(len(indices) - 1, -1, -1):
        value = Updated(read(variable, indices[:depth], span), indices[depth], value, span)
    return value
