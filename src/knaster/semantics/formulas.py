"""Compiles Boolean formulas without choice to Python functions, for those that are evaluated again and again.

A replay asks the same few conditions in thousands of states; as one Python expression a condition costs a tenth of a
walk over its nodes, and so do all new values of an assignment as one tuple.  They mean what `sequential.values` means.
`compile_bits` and `compile_writing` do so for states that are the bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from knaster.program.expression import Binary, Conditional, Const, Expr, Not, Operator, Var, postorder
from knaster.program.state import State

Formula = Callable[[State, State], object]  # the state, and the one after (for primed variables): a truth value
Formulas = Callable[[State], tuple[bool, ...]]
LONGEST = 20_000  # characters
DEEPEST = 40  # levels of brackets
_JOINED = {Operator.AND: " and ", Operator.OR: " or "}
_COMPARED = {Operator.XOR: "!=", Operator.EQUAL: "==", Operator.IMPLIES: "<="}
_Spelling = Callable[[str, bool], str | None]  # a variable, whether it is primed; mutant: a type
# mutant: a type
_Part = tuple[str, Operator | None, bool, int]  # text, its outermost `and` or `or`, whether it is a bool, its depth


def compile_formula(expr: Expr) -> Formula | None:
    """Return a formula as a function; None where it has choices, is not Boolean, or is too large for Python."""
    part = _write(expr, _spell)
    if part is None:
        return None
    made: Formula = _make(f"lambda s, t: {part[0]}")
    return made


def compile_bits(expr: Expr, bit: Mapping[str, int]) -> Callable[[int], object] | None:
    """Return a formula as a function of the bits of a state; None as in `compile_formula`, and for primed variables."""
    part = _write(expr, _spell_bits(bit))
    if part is None:
        return None
    made: Callable[[int], object] = _make(f"lambda s: {part[0]}")
    return made


def compile_writing(expressions: Sequence[Expr], targets: Sequence[int], bit: Mapping[str, int], kept: int) -> Any:
    """Return the bits `kept` of a state with those of `targets` where the expressions hold, as a function of a state.

    `bit` has the bits of the variables that they read.  None as in `compile_bits`.
    """
    texts = [f"s & {kept}"]
    for expr, target in zip(expressions, targets, strict=True):
        part = _write(expr, _spell_bits(bit))
        if part is None:
            return None
        texts.append(f"({target} if {part[0]} else 0)")
    text = " | ".join(texts)
    return _make(f"lambda s: {text}") if len(text) <= LONGEST else None


def _spell(name: str, primed: bool) -> str:
    return f"{'t' if primed else 's'}[{name!r}]"


def _spell_bits(bit: Mapping[str, int]) -> _Spelling:
    return lambda name, primed: None if primed else f"(s & {bit[name]})"


def compile_formulas(expressions: Sequence[Expr]) -> Formulas | None:
    """Return several formulas as one function; None where one of them cannot be compiled, or all are too large."""
    texts = []
    for expr in expressions:
        part = _write(expr, _spell)
        if part is None:
            return None
        texts.append(part[0] if part[2] else f"not not ({part[0]})")
    text = "".join(f"{text}, " for text in texts)
    if len(text) > LONGEST:
        return None
    made: Formulas = _make(f"lambda s: ({text})")
    return made


@lru_cache(maxsize=10_000)
def _make(text: str) -> Any:
    """Return the function of a text; long programs have many that are the same."""
    return eval(text, {"__builtins__": {}})  # the text is ours: names of variables are quoted


def _write(expr: Expr, spell: _Spelling) -> _Part | None:
    """Return a formula as Python, its variables as `spell` writes them."""
    stack: list[_Part] = []
    for node in postorder(expr):
        match node:
            case Const(bool(value)):
                stack.append((str(value), None, True, 0))
            case Var(name, primed):
                spelled = spell(name, primed)
                if spelled is None:
                    return None
                stack.append((spelled, None, False, 0))
            case Not():
                text, joined, _, depth = stack.pop()
                stack.append((f"(not ({text}))" if joined else f"(not {text})", None, True, depth + 1))
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(_join(operator, left, right) if operator in _JOINED else _compare(operator, left, right))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                deepest = 1 + max(otherwise[3], then[3], condition[3])
                stack.append((f"(({then[0]}) if {condition[0]} else ({otherwise[0]}))", None, False, deepest))
            case _:
                return None
        if len(stack[-1][0]) > LONGEST or stack[-1][3] > DEEPEST:
            return None
    return stack.pop()


def _join(operator: Operator, left: _Part, right: _Part) -> _Part:
    """Join two operands by `and` or `or`; operands of the same connective need no brackets."""
    texts, deepest = [], 0
    for text, joined, _, depth in (left, right):
        bracket = joined is not None and joined is not operator
        texts.append(f"({text})" if bracket else text)
        deepest = max(deepest, depth + bracket)
    return _JOINED[operator].join(texts), operator, left[2] and right[2], deepest


def _compare(operator: Operator, left: _Part, right: _Part) -> _Part:
    texts = []
    for text, joined, is_bool, _ in (left, right):
        text = f"({text})" if joined else text
        texts.append(text if is_bool else f"(not not {text})")
    return f"({texts[0]} {_COMPARED[operator]} {texts[1]})", None, True, 2 + max(left[3], right[3])
