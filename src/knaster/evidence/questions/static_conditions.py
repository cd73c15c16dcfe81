"""Conditions over the statics of a Zing model, for the atoms `{e}` of formulas: read by its front end, and total.

The expression is the condition of an `assume` in a method that is added to the text.  What could fail is refused: an
atom reads statics, not the cells that they refer to, and divides nothing.  Its numbers are mathematical integers.
"""

from __future__ import annotations

from knaster.base.errors import Problem, SourceError
from knaster.base.records import replace
from knaster.program.algebra import rebuilt
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Expr,
    IntegerOperator,
    Not,
    Var,
    operands,
    postorder,
)
from knaster.program.model import Assume, Program
from knaster.program.types import INTEGER

_METHOD = "knaster_formula"
_BEFORE = f"\nclass {_METHOD} {{ static void {_METHOD}() {{ assume("
_TOTAL = (IntegerOperator.ADD, IntegerOperator.SUBTRACT, IntegerOperator.MULTIPLY)


class Unreadable(Exception):
    """An expression that is no condition over statics; `column` counts from its first character."""

    def __init__(self, message: str, hint: str, column: int = 0) -> None:
        self.message, self.hint, self.column = message, hint, column
        super().__init__(message)


def static_condition(program: Program, text: str) -> Expr:
    """Return what a text means as a condition over the statics of a model; raise `Unreadable` where it is none."""
    from knaster.frontends.zing import parse

    if "\n" in text or "//" in text or "/*" in text:
        raise Unreadable("an expression stands on one line, without comments", "write it in one line")
    try:
        read = parse(f"{program.source}{_BEFORE}{text}); }} }};\n", program.file)
    except SourceError as error:
        raise _unreadable(program, error.problems[0]) from None
    own = next((each for each in read.procedures if each.name == _METHOD), None)
    edges = own.edges if own is not None else ()
    if len(read.procedures) != len(program.procedures) + 1 or len(edges) != 2:
        raise Unreadable("an atom is one expression, without calls and choices", "compare statics, as in {Main.x > 2}")
    condition = edges[0].action
    if not isinstance(condition, Assume):
        raise Unreadable("an atom is a condition", "compare statics, as in {Main.x > 2}")
    _refuse_partial(condition.condition)
    return _unbounded(condition.condition)


def _unreadable(program: Program, problem: Problem) -> Unreadable:
    last = program.source.count("\n") + 2
    column = problem.span.column - len(_BEFORE.lstrip("\n")) - 1 if problem.span.line == last else 0
    names = [name for name in program.globals if f"'{name.rpartition('.')[2]}'" in problem.message]
    hint = f"write {' or '.join(names)}" if names else problem.hint
    return Unreadable(problem.message, hint or "atoms speak of statics, as in {Main.x > 2}", max(0, column))


def _refuse_partial(condition: Expr) -> None:
    for node in postorder(condition):
        match node:
            case Const() | Var() | Not() | Binary() | Compare() | Conditional():
                continue
            case Arithmetic(operator=operator) if operator in _TOTAL:
                continue
            case Arithmetic():
                raise Unreadable("an atom has a value in every state", "use + - * and comparisons")
            case _:
                raise Unreadable("an atom reads statics, not what they refer to", "keep it in a static of its own")


def _unbounded(condition: Expr) -> Expr:
    """Return a condition whose numbers never overflow."""
    stack: list[Expr] = []
    for node in postorder(condition):
        count = len(operands(node))
        parts = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        if isinstance(node, Arithmetic):
            node = replace(node, type=INTEGER)
        stack.append(rebuilt(node, parts) if parts else node)
    return stack.pop()
