"""Conditions over the globals of a C program, for the atoms `{e}` of formulas: read by its front end, and total.

The expression is the condition of an `if` in a function that is added to the text, so it may name what the text
declares: globals, constants of enumerations, macros.  What could be undefined is refused: an atom divides and shifts
nothing, reads no elements of arrays and calls nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knaster.base.errors import Problem, SourceError
from knaster.base.records import replace
from knaster.evidence.questions.static_conditions import Unreadable
from knaster.frontends.text.options import COptions, options_of
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Var,
    postorder,
    variables,
)
from knaster.program.model import Assume, Program, Return
from knaster.program.types import Bool, Int, Type

_FUNCTION = "knaster_formula"
_BEFORE = f"int {_FUNCTION}(void) {{ if ("
_TOTAL = frozenset(IntegerOperator) - {
    IntegerOperator.DIVIDE,
    IntegerOperator.REMAINDER,
    IntegerOperator.LEFT,
    IntegerOperator.RIGHT,
}
_COMPARE = "compare globals, as in {x > 2}"
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_WORDS = {8: "char", 16: "short", 32: "int", 64: "long long", None: "int"}


def global_condition(program: Program, text: str) -> Expr:
    """Return what a text means as a condition over the globals of a program; raise `Unreadable` where it is none."""
    if any(mark in text for mark in ("\n", "//", "/*", ";", "#", "{")) or not _is_balanced(text):
        raise Unreadable("an atom is one expression", _COMPARE)
    options = replace(options_of(program.reading), objects="never")
    problem: Problem | None = None
    for before in _texts(program):
        read = _read(before, text, program, options)
        if isinstance(read, Program):
            return _condition(read, program)
        problem = read if problem is None or read.span.column else problem
    assert problem is not None
    raise Unreadable(problem.message, problem.hint or _hint(program, problem), problem.span.column)


def _texts(program: Program) -> Iterator[str]:
    """Yield the text of the program, and one that has its globals alone: headers may be missing now."""
    yield program.source.rstrip("\n") + "\n"
    yield "".join(f"{word} {name};\n" for name, kind in program.types if (word := _word(name, kind)))


def _word(name: str, kind: Type) -> str:
    match kind:
        case Bool() if _NAME.match(name):
            return "_Bool"
        case Int(width, signed) if _NAME.match(name):
            return f"{'signed' if signed else 'unsigned'} {_WORDS[width]}"
    return ""


def _read(before: str, text: str, program: Program, options: COptions) -> Program | Problem:
    """Return the program with the function, or what is wrong with it, at a column of the expression."""
    from knaster.frontends.c import parse

    added = before.count("\n") + 1
    try:
        return parse(f"{before}{_BEFORE}{text}) return 1; return 0; }}\n", program.file, options=options)
    except SourceError as error:
        own = [problem for problem in error.problems if problem.span.line == added]
        problem = own[0] if own else error.problems[0]
        column = max(0, problem.span.column - len(_BEFORE) - 1) if own else 0
        return replace(problem, span=problem.span._replace(column=column))


def _condition(read: Program, program: Program) -> Expr:
    own = next((each for each in read.procedures if each.name == _FUNCTION), None)
    if own is None:  # nobody calls it, so what cannot be read in it is left out
        raise Unreadable("an atom reads globals that are numbers", "leave pointers and inputs out")
    if any(not isinstance(edge.action, Assume | Return) for edge in own.edges):
        raise Unreadable("an atom is a condition, without calls and assignments", _COMPARE)
    returns = {edge.source for edge in own.edges if edge.action == Return((Const(1),))}
    taken = [edge.action for edge in own.edges if edge.source == own.entry and edge.target in returns]
    condition = taken[0].condition if len(taken) == 1 and isinstance(taken[0], Assume) else None
    if condition is None or len(own.edges) != 4:
        raise Unreadable("an atom is one condition that reads a global", _COMPARE)
    for node in postorder(condition):
        match node:
            case Const() | Var() | Not() | Binary() | Compare() | Conditional() | Convert():
                continue
            case Arithmetic(operator=operator) if operator in _TOTAL:
                continue
            case Arithmetic():
                raise Unreadable("an atom has a value in every state", "leave divisions and shifts out")
        raise Unreadable("an atom reads globals that are numbers", "leave elements and inputs out")
    assert variables(condition) <= set(program.globals)
    return condition


def _is_balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return not depth


def _hint(program: Program, problem: Problem) -> str:
    from knaster.base.hints import did_you_mean

    quoted = re.findall(r"'([^']+)'", problem.message)
    for name in quoted:
        for procedure in program.procedures:
            if name in procedure.frame:
                return f"it is a local of '{procedure.name}', and atoms speak of globals"
        if hint := did_you_mean(name, program.globals):
            return hint
    return _COMPARE
