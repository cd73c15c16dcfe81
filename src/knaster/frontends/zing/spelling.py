"""How Zing models are written: values, expressions and statements as the text spells them."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.frontends.text.spelling import Spelling
from knaster.program.expression import (
    FALSE,
    TRUE,
    Apply,
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Expr,
    Field,
    Index,
    Member,
    New,
    Not,
    Part,
    Self,
    SizeOf,
    Var,
    operands,
    postorder,
)
from knaster.program.model import Action, Assume, Call, Concurrent, Edge, Procedure, Program, Return, word_of
from knaster.program.objects import Choose, Join, Print, Raise, Send, Store, Update
from knaster.program.types import Int, Reference, Value


def value_to_text(value: Value) -> str:
    """Return a value as traces show it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Reference(target, number):
            return f"{target}#{number}"
        case int():
            return str(value)
        case parts:
            return f"{{{', '.join(value_to_text(part) for part in parts)}}}"


def expression_to_text(expr: Expr) -> str:
    """Return an expression; parentheses stand around every operation inside another one."""
    texts: list[str] = []
    for node in postorder(expr):
        count = len(operands(node))
        given = texts[len(texts) - count :]
        del texts[len(texts) - count :]
        texts.append(_node(node, given))
    text = texts.pop()
    bare = isinstance(expr, Binary | Conditional | Compare | Arithmetic | Member)
    return text[1:-1] if bare and text.startswith("(") and text.endswith(")") else text


def _node(node: Expr, given: list[str]) -> str:
    match node:
        case Const(value):
            return value_to_text(value)
        case Var(name):
            return name
        case Self():
            return "self"
        case Not():
            return f"!{given[0]}"
        case Conditional(_, _, otherwise) if otherwise == FALSE:
            return f"({given[0]} && {given[1]})"
        case Conditional(_, then, _) if then == TRUE:
            return f"({given[0]} || {given[2]})"
        case Arithmetic(_, _, right, type) if type not in (Int(32), Int(64)) and right == Const(0):
            return given[0]  # a number that is checked to fit into a narrow type
        case Binary(operator) | Compare(operator) | Arithmetic(operator):
            return f"({given[0]} {operator.value} {given[1]})"
        case Member():
            return f"({given[0]} in {given[1]})"
        case Part(_, _, name) | Field(_, _, name):
            return f"{given[0]}.{name}"
        case Index():
            return f"{given[0]}[{given[1]}]"
        case SizeOf():
            return f"sizeof({given[0]})"
        case New(cell):
            return f"new {cell}[{given[0]}]" if given else f"new {cell}"
        case Apply(procedure):
            return f"{procedure}({', '.join(given)})"
        case _:
            return str(node)


def statement_to_text(procedure: Procedure, edge: Edge) -> str:
    """Return the statement that an edge does, without the semicolon."""
    return action_to_text(edge.action)


def action_to_text(action: Action) -> str:
    """Return the statement that does `action`."""
    spell = expression_to_text
    match action:
        case Assume(condition):
            return ";" if condition == TRUE else f"assume({spell(condition)})"
        case Store(places, value):
            return " = ".join([*map(spell, places), spell(value)])
        case Choose(place, values, collection):
            domain = spell(collection) if collection is not None else "bool" if values == (False, True) else "..."
            return f"{spell(place)} = choose({domain})"
        case Send(channel, value):
            return f"send({spell(channel)}, {spell(value)})"
        case Update(target, adds, operand):
            return f"{spell(target)} = {spell(target)} {'+' if adds else '-'} {spell(operand)}"
        case Join(waits, receives):
            parts = [f"wait({spell(wait)})" for wait in waits]
            parts += [f"receive({spell(channel)}, {spell(place)})" for channel, place in receives]
            return f"select {' && '.join(parts) or 'timeout'} ->"
        case Raise(exception):
            return f"raise {exception}"
        case Print(text):
            return f"trace({text!r})"
        case Call(name, arguments, _, places):
            taken = next((f"{spell(place)} = " for place in places if place is not None), "")
            return f"{taken}{name}({_list(arguments)})"
        case Return(values):
            return f"return {_list(values)}" if values else "return"
        case Concurrent(_, _, started, arguments):
            return f"async {started}({_list(arguments)})"
        case _:
            return word_of(action)


def _list(values: Iterable[Expr]) -> str:
    return ", ".join(map(expression_to_text, values))


def _to_text(program: Program) -> str:
    return program.source if program.source.endswith("\n") else program.source + "\n"


SPELLING = Spelling(
    name=str,
    value=value_to_text,
    expression=expression_to_text,
    statement=statement_to_text,
    to_text=_to_text,
    label=r"[A-Za-z_][A-Za-z0-9_]*",
    routine="method",
)
"""The text as it was written; cells by their names, such as `Foo#2`."""
