"""How programs of C are shown: statements and expressions of the model in C's own words."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.frontends.text.spelling import Spelling
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    Not,
    Operator,
    Updated,
    Var,
    postorder,
)
from knaster.program.memory import FloatTerm
from knaster.program.model import Assign, Assume, Call, Edge, Kind, Procedure, Program, Return
from knaster.program.types import Array, Bool, Int, Reference, Type, Value

_CONNECTIVES = {
    Operator.AND: "&&",
    Operator.OR: "||",
    Operator.XOR: "!=",
    Operator.EQUAL: "==",
    Operator.IMPLIES: "==>",
}
_STRENGTH = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7}
_STRENGTH |= {"==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1, "==>": 0, "<==>": -1, "^^": -1}
_UNARY, _ATOM, _WEAKEST = 11, 12, -1
_NAMES = {(8, True): "signed char", (16, True): "short", (32, True): "int", (64, True): "long long"}

_Text = tuple[str, int]  # and how strongly its outermost operator binds


def value_to_text(value: Value) -> str:
    """Return a value as traces show it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple) and not isinstance(value, Reference):
        shown = [value_to_text(part) for part in value[:12]]
        return "{" + ",".join(shown) + (",..." if len(value) > 12 else "") + "}"
    return str(value)


def type_to_text(type: Type) -> str:
    """Return the name of a type."""
    match type:
        case Bool():
            return "_Bool"
        case Int(None):
            return "integer"
        case Int(width, signed):
            assert width is not None
            name = _NAMES.get((width, True), f"int{width}_t")
            return name if signed else f"unsigned {name.removeprefix('signed ')}"
        case Array(element, length):
            return f"{type_to_text(element)}[{length}]"
        case _:
            return str(type)


def expression_to_text(expr: Expr, connectives: Mapping[Operator, str] = _CONNECTIVES) -> str:
    """Return an expression as C, or with other words for connectives."""
    stack: list[_Text] = []
    for node in postorder(expr):
        match node:
            case Const(value):
                text = value_to_text(value)
                stack.append((text, _UNARY if text.startswith("-") else _ATOM))
            case Var(name, primed):
                stack.append((name + ("'" if primed else ""), _ATOM))
            case Choice(_, _, origin):
                stack.append((origin if origin.endswith(")") else "*", _ATOM))
            case Not():
                stack.append((f"!{_inside(stack.pop(), _UNARY)}", _UNARY))
            case Binary(operator):
                _infix(stack, connectives[operator])
            case Arithmetic(integer):
                _infix(stack, integer.value)
            case Compare(comparison):
                _infix(stack, comparison.value)
            case Convert(_, type):
                operand = stack.pop()
                widens = type == Int(None) or (isinstance(type, Int) and _is_truth(node.operand))
                stack.append(operand if widens else (f"({type_to_text(type)}){_inside(operand, _UNARY)}", _UNARY))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                parts = (_inside(condition, 0), _inside(then, _WEAKEST + 1), _inside(otherwise, _WEAKEST))
                stack.append(("{} ? {} : {}".format(*parts), _WEAKEST))
            case Element():
                index, array = stack.pop(), stack.pop()
                stack.append((f"{_inside(array, _ATOM)}[{index[0]}]", _ATOM))
            case Updated():
                new, index, array = stack.pop(), stack.pop(), stack.pop()
                stack.append((f"{_inside(array, _ATOM)} with [{index[0]}] = {new[0]}", _WEAKEST))
            case FloatTerm(name, own):
                given = [stack.pop()[0] for _ in own][::-1]
                stack.append((f"{name}({', '.join(given)})", _ATOM))
    return stack.pop()[0]


def _is_truth(expr: Expr) -> bool:
    return isinstance(expr, Compare | Not | Binary)


def _inside(text: _Text, strength: int) -> str:
    return text[0] if text[1] >= strength else f"({text[0]})"


def _infix(stack: list[_Text], sign: str) -> None:
    right, left = stack.pop(), stack.pop()
    strength = _STRENGTH[sign]
    mixed = {left[1], right[1]} & {3, 4, 5} or strength in (3, 4, 5) or sign in ("<==>", "^^")
    if left[0] == "0" and sign == "-":
        stack.append((f"-{_inside(right, _UNARY)}", _UNARY))
        return
    tighter = (1, 0) if sign == "==>" else (0, 1)  # `a ==> b ==> c` is `a ==> (b ==> c)`
    shown = [
        _inside(side, strength + more if not mixed else _UNARY)
        for side, more in zip((left, right), tighter, strict=True)
    ]
    stack.append((f"{shown[0]} {sign} {shown[1]}", strength))


def statement_to_text(procedure: Procedure, edge: Edge) -> str:
    """Return what an edge does as a statement of C."""
    match edge.action:
        case Assume(condition):
            return f"assume({expression_to_text(condition)})"
        case Assign(targets, values):
            return "; ".join(map(_assignment, targets, values))
        case Call(name, arguments, targets):
            call = f"{name}({', '.join(map(expression_to_text, arguments))})"
            taken = [target for target in targets if target is not None]
            return f"{', '.join(taken)} = {call}" if taken else call
        case Return(values):
            return f"return {', '.join(map(expression_to_text, values))}".rstrip()
        case other:
            return str(other)


def _assignment(target: str, value: Expr) -> str:
    if isinstance(value, Updated) and value.array == Var(target):
        return f"{target}[{expression_to_text(value.index)}] = {expression_to_text(value.value)}"
    return f"{target} = {expression_to_text(value)}"


def program_to_text(program: Program) -> str:
    """Return the text of the program as it was read, after its line markers were heeded."""
    return program.source


def canonical_text(program: Program) -> str:
    """Return the text without comments; without empty lines too where no evidence names lines."""
    from knaster.frontends.c.comments import without_comments

    plain = without_comments(program.source)
    return plain if program.kind is Kind.MEMORY else "\n".join(line for line in plain.split("\n") if line)


def _name(name: str) -> str:
    return name


SPELLING = Spelling(
    name=_name,
    value=value_to_text,
    expression=expression_to_text,
    statement=statement_to_text,
    to_text=program_to_text,
    label=r"[A-Za-z_]\w*",
    routine="function",
    canonical=canonical_text,
)
"""C's operators, with brackets where they help; values as integers."""
