"""What an assignment copies: a constant, a variable of which every value is kept, or anything."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.program.expression import Const, Convert, Expr, Var
from knaster.program.types import Int, Type, holds_all
from knaster.pushdown.domains.constants import TOP, Source


def constant_source(expr: Expr, slots: Mapping[str, str], types: Mapping[str, Type]) -> Source:
    """Return a constant, the slot of a variable, or ⊤."""
    match expr:
        case Const(value) if isinstance(value, int):
            return int(value)
        case Var(name, False) if name in slots:
            return slots[name]
        case Convert(Const(value), type) if isinstance(value, int) and isinstance(type, Int):
            return type.wrap(int(value))
        case Convert(Var(name, False), type) if name in slots and holds_all(type, types.get(name)):
            return slots[name]
    return TOP
