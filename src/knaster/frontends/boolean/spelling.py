"""How Boolean programs are written, as the record that every front end gives to whoever shows its programs."""

from __future__ import annotations

from knaster.frontends.boolean.lexer import NAME
from knaster.frontends.boolean.notation import expression_to_text, spelled_name, statement_to_text
from knaster.frontends.text.spelling import Spelling
from knaster.program.model import Program
from knaster.program.types import Value


def _value(value: Value) -> str:
    return "1" if value else "0"


def _to_text(program: Program) -> str:
    from knaster.frontends.boolean.printer import to_text  # only whoever prints a whole program pays for it

    return to_text(program)


SPELLING = Spelling(
    name=spelled_name,
    value=_value,
    expression=expression_to_text,
    statement=statement_to_text,
    to_text=_to_text,
    label=rf"(?:{NAME}|[0-9]+)",
)
"""Names in braces where they need them, `T` and `F` in expressions, `1` and `0` in traces."""
