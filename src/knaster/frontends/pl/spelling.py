"""How programs of PL are shown: C's expressions, and assignments with `:=`."""

from __future__ import annotations

from knaster.frontends.c.spelling import SPELLING as C
from knaster.frontends.c.spelling import expression_to_text
from knaster.frontends.text.spelling import Spelling
from knaster.program.model import Assign, Call, Edge, Procedure


def statement_to_text(procedure: Procedure, edge: Edge) -> str:
    """Return what an edge does as a statement of PL."""
    match edge.action:
        case Assign(targets, values):
            return f"{', '.join(targets)} := {', '.join(map(expression_to_text, values))}" if targets else "skip"
        case Call(name, arguments, targets):
            call = f"{name}({', '.join(map(expression_to_text, arguments))})"
            taken = [target for target in targets if target is not None]
            return f"{', '.join(taken)} := {call}" if taken else call
        case _:
            return C.statement(procedure, edge)


SPELLING: Spelling = C._replace(statement=statement_to_text)
"""As C, but for assignments and calls."""
