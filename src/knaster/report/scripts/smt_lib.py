"""Obligations as a script of SMT-LIB: each is a question of its own, and a proof holds where every answer is `unsat`.

Each obligation is written in one arithmetic in whole: bit-vectors or integers, as it was answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.checkers.c.meaning import Meaning
from knaster.checkers.c.obligations import Obligation
from knaster.checkers.c.terms import Unsuitable
from knaster.program.model import Place, Program
from knaster.report.scripts.listing import ARITHMETICS, Arithmetic, Chapter
from knaster.smt.script import Node, Printing, ScriptDoor, sort_to_text
from knaster.version import VERSION

HEADER = """\
; A proof about a C program, as questions.
; Written by knaster {version} from {file}: {subject}.
; Each (check-sat) asks whether one obligation of the proof can be wrong. The proof
; holds where every answer is 'unsat': that is what to look for in the output of
;   z3 FILE.smt2        cvc5 --incremental --arrays-exp FILE.smt2
; A name such as |x#3| is a value of the variable x on the way; 't!4' abbreviates.
"""


def obligations_to_text(
    program: Program, chapters: Sequence[tuple[Chapter, Sequence[Arithmetic | None]]], subject: str
) -> str:
    """Return a script; where no arithmetic is picked for an obligation, it is the first that has formulas for it."""
    lines = [
        HEADER.format(
            title="A proof about a C program, as questions.", version=VERSION, file=program.file, subject=subject
        )
    ]
    lines.append("(set-logic ALL)")
    number = 0
    for chapter, picked in chapters:
        lines.append(f"\n; ---- {chapter.title}")
        for obligation, arithmetic in zip(chapter.obligations, picked, strict=True):
            number += 1
            lines += ["", f"; {number}. {obligation.why} ({describe_place(program, obligation.place)})"]
            lines += _question(chapter, obligation, ARITHMETICS if arithmetic is None else (arithmetic,))
    return "\n".join(lines) + "\n"


def printable(text: str) -> str:
    """Return a text without what could end a comment."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def describe_place(program: Program, place: Place) -> str:
    """Return the line of a place and its procedure."""
    name, location = place
    edges = program.procedure(name).leaving.get(location, ())
    line = min((edge.span.line for edge in edges if edge.span.line), default=program.procedure(name).span.line)
    return f"{name}, line {line}" if line else name


def _question(chapter: Chapter, obligation: Obligation, arithmetics: Sequence[Arithmetic]) -> Iterator[str]:
    """Yield one question; raise `Unsuitable` where no arithmetic has formulas for it."""
    parts = translate(chapter, obligation, arithmetics)
    printing = Printing(parts)
    yield "(push 1)"
    for variable in printing.variables:
        yield f"(declare-const {variable.head} {sort_to_text(variable.sort)})"
    for name, sort, text in printing.named:
        yield f"(define-fun {name} () {sort_to_text(sort)} {text})"
    for text in printing.formulas:
        yield f"(assert {text})"
    yield "(check-sat)"
    yield "(pop 1)"


def translate(chapter: Chapter, obligation: Obligation, arithmetics: Sequence[Arithmetic]) -> list[Node]:
    """Return formulas that must not hold together, in the first arithmetic that has them."""
    for arithmetic in arithmetics[:-1]:
        try:
            return Meaning(arithmetic(ScriptDoor()), chapter.types).obligation(obligation).parts
        except Unsuitable:
            continue
    return Meaning(arithmetics[-1](ScriptDoor()), chapter.types).obligation(obligation).parts
