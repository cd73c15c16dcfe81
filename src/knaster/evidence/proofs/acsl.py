"""Formulas of proofs as predicates of ACSL, the specification language of C that Frama-C reads.

Numbers of ACSL have no bound, so a cast says where a machine integer may wrap, and nowhere else.  Values at the entry
are called as the context allows: `\\at(x, Pre)` inside of a function, `\\old(x)` in what it ensures, `x` in what it
requires.  P. Baudin and others, ACSL: ANSI/ISO C Specification Language, 1.17 (2021), sections 2.2 and 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import Enum

from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.value_ranges import ranges_of, result_bounds
from knaster.frontends.c.spelling import expression_to_text
from knaster.program.algebra import rebuilt
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
    operands,
    postorder,
    variables,
)
from knaster.program.flat import Row, build_tree, flat
from knaster.program.model import old, result_name
from knaster.program.types import BOOL, INTEGER, Int, Type
from knaster.smt.terms import Term

CONNECTIVES = {
    Operator.AND: "&&",
    Operator.OR: "||",
    Operator.XOR: "^^",
    Operator.EQUAL: "<==>",
    Operator.IMPLIES: "==>",
}
_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[\d+\])*\Z")
_OLD = re.compile(r"\\old\((.*)\)\Z")
_AGAIN = re.compile(r"#\d+\Z")  # of a name that is declared again in an inner block

NOTHING: Mapping[str, Offset] = {}


class Context(Enum):
    """Where a predicate stands."""

    INSIDE = "an invariant of a loop, an assertion"
    REQUIRES = "what a function requires"
    ENSURES = "what a function ensures"


class Offset(NamedTuple):
    """What a variable of a reduced program stands for: a pointer is `residue + stride * index` bytes inside."""

    pointer: str
    residue: int
    stride: int

    def index_of(self, offset: Expr) -> Expr:
        """Return the index, from the offset in bytes."""
        if self.residue:
            offset = Arithmetic(IntegerOperator.SUBTRACT, offset, Const(self.residue), INTEGER)
        return Arithmetic(IntegerOperator.DIVIDE, offset, Const(self.stride), INTEGER) if self.stride != 1 else offset


class Words:
    """Predicates of one function as text; `fixed` are the parameters that it never changes."""

    def __init__(
        self,
        types: Mapping[str, Type],
        parameters: Collection[str],
        fixed: Collection[str],
        offsets: Mapping[str, Offset] = NOTHING,
    ) -> None:
        self.types = {**types, **{old(name): type for name, type in types.items()}}
        self.parameters = parameters
        self.fixed = fixed
        self.offsets = offsets

    def predicate(self, formula: Expr, context: Context, visible: Collection[str]) -> str | None:
        """Return a formula as a predicate; None where it speaks of something that has no name there.

        `visible` are the variables that have one besides parameters: all of the function, or globals.
        """
        names: dict[str, str] = {}
        for name in sorted(variables(formula)):
            found = self._name(name, context, visible)
            if found is None:
                return None
            names[name] = found
        if len(set(names.values())) < len(names):  # a name of an inner block hides another
            return None
        rows = flat(_without_wrapping(formula, self.types))
        named: list[Row] = []
        for row in rows:
            named += flat(self._called(row.name, names)) if isinstance(row, Var) else [row]
        return expression_to_text(build_tree(named), CONNECTIVES)

    def _called(self, name: str, names: Mapping[str, str]) -> Expr:
        """Return a variable by its name, an index of a pointer as its offset."""
        called = Var(names.get(name, name))
        before = _OLD.fullmatch(name)
        offset = self.offsets.get(before[1] if before else name)
        return called if offset is None else offset.index_of(called)

    def _name(self, name: str, context: Context, visible: Collection[str]) -> str | None:
        """Return what a value is called, if it has a name."""
        if name == result_name(0):
            return "\\result" if context is Context.ENSURES else None
        before = _OLD.fullmatch(name)
        plain = _AGAIN.sub("", before[1] if before else name)
        if (offset := self.offsets.get(before[1] if before else name)) is not None:
            plain = f"\\offset({offset.pointer})"
        elif not _NAME.fullmatch(plain) or (before is None and name not in visible and name not in self.parameters):
            return None
        if context is Context.REQUIRES:
            return plain if before else None
        if context is Context.INSIDE:
            return f"\\at({plain}, Pre)" if before else plain
        if before:
            return f"\\old({plain})"
        if name in self.parameters:
            return plain if name in self.fixed else None
        return plain


def _without_wrapping(expr: Expr, types: Mapping[str, Type]) -> Expr:
    """Return an expression over numbers without a bound, with conversions where values may change by them."""
    known = ranges_of(expr, types)
    stack: list[Expr] = []
    for node in postorder(expr):
        count = len(operands(node))
        parts = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        below = [known[id(operand)] for operand in operands(node)]
        stack.append(_written(node, parts, below))
    return stack.pop()


def _written(node: Expr, parts: list[Expr], below: list[Term]) -> Expr:
    match node:
        case Const(bool(value)):
            return Var("\\true" if value else "\\false")
        case Arithmetic(operator, _, _, Int() as type):
            plain = Arithmetic(operator, _number(parts[0]), _number(parts[1]), INTEGER)
            return plain if _is_within(result_bounds(operator, *below), type) else Convert(plain, type)
        case Convert(_, Int() as type) if not _is_truth(parts[0]):
            return parts[0] if _is_within(below[0], type) else Convert(parts[0], type)
        case Convert(_, Int()):
            return _number(parts[0])
        case Convert(_, type) if type == BOOL:
            return parts[0] if _is_truth(parts[0]) else Compare(Comparison.DIFFERENT, parts[0], Const(0))
        case Compare(operator):
            return Compare(operator, _number(parts[0]), _number(parts[1]))
        case _ if parts:
            return rebuilt(node, parts)
        case _:
            return node


def _is_within(term: Term, type: Int) -> bool:
    if type.width is None:
        return True
    return term.low is not None and term.high is not None and type.holds(term.low) and type.holds(term.high)


def _is_truth(expr: Expr) -> bool:
    return isinstance(expr, Compare | Not | Binary) or (isinstance(expr, Var) and expr.name in ("\\true", "\\false"))


def _number(expr: Expr) -> Expr:
    """Return a truth value as a number."""
    return Conditional(expr, Const(1), Const(0)) if _is_truth(expr) else expr
