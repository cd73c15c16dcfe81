"""How names, expressions and statements are written: the canonical spelling shared by the reader and the printer.

A name of the model that is no name of this language, from another front end or from Python, stands in braces.

Precedence, tightest first: `!`, `=`, `&`, `^`, `|`, `=>` (right associative), `?:` (right associative).
Parentheses stand only where they are needed to read the same tree again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from knaster.base.errors import InternalError
from knaster.frontends.boolean.lexer import is_name
from knaster.program.expression import TRUE, Binary, Choice, Conditional, Const, Expr, Not, Operator, Var
from knaster.program.model import (
    Action,
    Assign,
    Assume,
    Call,
    Concurrent,
    Edge,
    Procedure,
    Return,
    ThreadOperation,
    word_of,
)

LEVEL = {Operator.IMPLIES: 1, Operator.OR: 2, Operator.XOR: 3, Operator.AND: 4, Operator.EQUAL: 5}
"""How tightly a connective binds; `?:` is 0 and `!` is 6."""

_INSIDE_BRACES = str.maketrans("{}\n", "() ")


@lru_cache(maxsize=1 << 14)
def spelled_name(name: str) -> str:
    """Return how a variable or a procedure called `name` is written: as it is, or in braces."""
    return name if is_name(name) else "{" + name.translate(_INSIDE_BRACES) + "}"


def spelled_label(label: str) -> str:
    """Return how a label is written: as it is, a number too, or in braces."""
    return label if label.isascii() and label.isdecimal() else spelled_name(label)


def expression_to_text(expr: Expr) -> str:
    """Return the canonical text of `expr`."""
    pieces: list[str] = []
    todo: list[str | tuple[Expr, int]] = [(expr, 0)]  # text, or an operand and how tightly it must bind
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        node, least = item
        match node:
            case Const(value):
                pieces.append("T" if value else "F")
            case Var(name, primed):
                pieces.append("'" + spelled_name(name) if primed else spelled_name(name))
            case Choice():
                pieces.append("*")
            case Not(operand):
                todo += [(operand, 6), "!"]
            case Binary(operator, left, right):
                level = LEVEL[operator]
                if level < least:
                    pieces.append("(")
                    todo.append(")")
                below, above = (level + 1, level) if operator is Operator.IMPLIES else (level, level + 1)
                todo += [(right, above), f" {operator.value} ", (left, below)]
            case Conditional(condition, then, otherwise):
                if least > 0:
                    pieces.append("(")
                    todo.append(")")
                todo += [(otherwise, 0), " : ", (then, 1), " ? ", (condition, 1)]
    return "".join(pieces)


def statement_to_text(procedure: Procedure, edge: Edge) -> str:
    """Return the statement that an edge of `procedure` does, without the semicolon."""
    action = edge.action
    if isinstance(action, Concurrent) and action.location is not None:
        label = next((label for label, location in procedure.labels if location == action.location), action.location)
        return f"{action.operation.value} goto {spelled_label(str(label))}"
    return action_to_text(action)


def action_to_text(action: Action) -> str:
    """Return the statement that does `action`; a thread's start location is given by number."""
    match action:
        case Assume(condition):
            return "skip" if condition is TRUE or condition == TRUE else f"assume({expression_to_text(condition)})"
        case Assign(targets, values, constraint):
            text = f"{', '.join(map(spelled_name, targets))} := {_list(values)}" if targets else "_ := F"
            return text if constraint == TRUE else f"{text} constrain {expression_to_text(constraint)}"
        case Call(procedure, arguments, targets):
            call = f"{spelled_name(procedure)}({_list(arguments)})"
            if any(target is not None for target in targets):
                return f"{', '.join('_' if name is None else spelled_name(name) for name in targets)} := {call}"
            return call if procedure not in _STATEMENT_WORDS else "call " + call
        case Return(values):
            return f"return {_list(values)}" if values else "return"
        case Concurrent(operation, location, procedure, arguments):
            if procedure is not None:
                return f"{operation.value} {spelled_name(procedure)}({_list(arguments)})"
            return operation.value if location is None else f"{operation.value} goto {location}"
        case _:
            raise InternalError(f"'{word_of(action)}' is no statement of a Boolean program")


_STATEMENT_WORDS = {"print", "call", "enforce", "abortif", "dead", "sync"} | {word.value for word in ThreadOperation}


def _list(values: Iterable[Expr]) -> str:
    return ", ".join(map(expression_to_text, values))
