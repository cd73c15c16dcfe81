"""How the programs of a language are written, for whoever shows one: statements, expressions, names and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from knaster.base.named_tuples import NamedTuple

if TYPE_CHECKING:
    from knaster.program.expression import Expr
    from knaster.program.model import Edge, Procedure, Program
    from knaster.program.types import Value


class Spelling(NamedTuple):
    """The spelling of one language; every front end has one.

    `statement` writes what one edge of a procedure does, `value` a value of a state as traces show it, and `to_text` a
    whole program as text that its front end reads again.  `label` is the pattern of a label: `label:` before a
    statement belongs to it, and `routine` the word for a procedure.  `canonical` is a text by which a program is
    recognised, where that of `to_text` has more in it.
    """

    name: Callable[[str], str]
    value: Callable[[Value], str]
    expression: Callable[[Expr], str]
    statement: Callable[[Procedure, Edge], str]
    to_text: Callable[[Program], str]
    label: str
    routine: str = "procedure"
    canonical: Callable[[Program], str] | None = None
