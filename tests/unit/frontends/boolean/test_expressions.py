from __future__ import annotations

import pytest

from knaster.base.errors import SourceError, UsageError
from knaster.frontends.boolean import parse
from knaster.program.expression import CHOICE, FALSE, TRUE, Binary, Conditional, Expr, Not, Operator, Var
from knaster.program.model import Assign

A, B, C, D = (Var(name) for name in "abcd")


def expression(text: str, dialect: str = "default") -> Expr:
    program = parse(f"decl a, b, c, d; void main() begin a := {text}; end", dialect=dialect)
    action = program.procedure("main").edges[0].action
    assert isinstance(action, Assign)
    return action.values[0]


def binary(operator: Operator, left: Expr, right: Expr) -> Expr:
    return Binary(operator, left, right)


AND, OR, XOR, EQUAL, IMPLIES = Operator.AND, Operator.OR, Operator.XOR, Operator.EQUAL, Operator.IMPLIES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T", TRUE),
        ("1", TRUE),
        ("F", FALSE),
        ("0", FALSE),
        ("*", CHOICE),
        ("?", CHOICE),
        ("a", A),
        ("(((a)))", A),
        ("!a", Not(A)),
        ("~a", Not(A)),
        ("!~!a", Not(Not(Not(A)))),
        ("a & b", binary(AND, A, B)),
        ("a && b", binary(AND, A, B)),
        ("a | b", binary(OR, A, B)),
        ("a || b", binary(OR, A, B)),
        ("a ^ b", binary(XOR, A, B)),
        ("a = b", binary(EQUAL, A, B)),
        ("a == b", binary(EQUAL, A, B)),
        ("a=!b", binary(EQUAL, A, Not(B))),
        ("a != b", binary(XOR, A, B)),
        ("a => b", binary(IMPLIES, A, B)),
        ("a -> b", binary(IMPLIES, A, B)),
        ("a->b", binary(IMPLIES, A, B)),
        ("a ? b : c", Conditional(A, B, C)),
        ("? ? ? : ?", Conditional(CHOICE, CHOICE, CHOICE)),
        ("schoose[a,b]", binary(OR, A, binary(AND, Not(B), CHOICE))),
        ("schoose[F,F]", binary(OR, FALSE, binary(AND, Not(FALSE), CHOICE))),
        ("! schoose [a | b, c ? d : a]", Not(expression("schoose[(a | b), (c ? d : a)]"))),
    ],
)
def test_operands_and_connectives(text: str, expected: Expr) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "bracketed"),
    [
        ("!a = b", "(!a) = b"),
        ("a = b & c = d", "(a = b) & (c = d)"),
        ("a & b ^ c & d", "(a & b) ^ (c & d)"),
        ("a ^ b | c ^ d", "(a ^ b) | (c ^ d)"),
        ("a | b => c | d", "(a | b) => (c | d)"),
        ("a => b => c", "a => (b => c)"),
        ("a & b & c", "(a & b) & c"),
        ("a = b = c", "(a = b) = c"),
        ("a = b != c", "(a = b) != c"),
        ("a != b = c", "(a != b) = c"),
        ("a => b ? c => d : a => b", "(a => b) ? (c => d) : (a => b)"),
        ("a ? b : c ? d : a", "a ? b : (c ? d : a)"),
        ("a ? b ? c : d : a", "a ? (b ? c : d) : a"),
        ("a ? ? : *", "a ? (*) : (*)"),
    ],
)
def test_precedence(text: str, bracketed: str) -> None:
    assert expression(text) == expression(bracketed)


@pytest.mark.parametrize(
    ("text", "bracketed"),
    [
        ("a & b = c | d", "(a & b) = (c | d)"),
        ("a | b != c & d", "(a | b) != (c & d)"),
        ("a = b = c", "a = (b = c)"),
        ("a = b => c != d", "a = (b => (c != d))"),
        ("a => b = c", "a => (b = c)"),
        ("a = b ? c : d", "(a = b) ? c : d"),
        ("a & b ^ c | d", "((a & b) ^ c) | d"),
        ("!a = b", "(!a) = b"),
    ],
)
def test_precedence_of_boppo(text: str, bracketed: str) -> None:
    assert expression(text, "boppo") == expression(bracketed, "boppo") == expression(bracketed)


def test_unknown_dialect() -> None:
    with pytest.raises(UsageError, match="no dialect 'moped'; choose one of boppo, default"):
        parse("", dialect="moped")


def test_names_of_every_shape() -> None:
    names = ["$x", "_y", "a.b", "a-b", "x#1", "c$$main", "{*p == *q}", "{a // b}", "{a /* b}", "wait", "init", "call"]
    program = parse(f"decl {', '.join(names)}; void main() begin {names[0]} := {' & '.join(names)}; end")
    assert program.globals == tuple(names)


def test_a_name_does_not_swallow_an_arrow() -> None:
    assert expression("a->b") == Binary(IMPLIES, A, B)
    with pytest.raises(SourceError, match="'a-b' is not declared"):
        expression("a-b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected an expression, found ';'"),
        ("a &", "expected an expression, found ';'"),
        ("(a", "expected an operator or ')', found ';'"),
        ("a)", "expected ';', found ')'"),
        ("a b", "expected ';', found 'b'"),
        ("a ? b", "expected an operator or ':', found ';'"),
        ("schoose[a]", "expected an operator or ',', found ']'"),
        ("schoose[a,b", "expected an operator or ']', found ';'"),
        ("2", "expected an expression, found '2'"),
        ("'a", "a new value 'x is known only in a constraint"),
        ("_", "'_' throws a result away and has no value"),
        ("a & if", "expected an expression, found 'if'"),
    ],
)
def test_mistakes(text: str, expected: str) -> None:
    with pytest.raises(SourceError) as caught:
        expression(text)
    assert expected in str(caught.value)


DEPTH = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "(" * DEPTH + "a" + ")" * DEPTH,
        "!" * DEPTH + "a",
        "!(" * DEPTH + "a" + ")" * DEPTH,
        "(a & " * DEPTH + "a" + ")" * DEPTH,
        "a & " * DEPTH + "a",
        "a => " * DEPTH + "a",
        "a ? b : " * DEPTH + "a",
        "a ? " * DEPTH + "a" + " : b" * DEPTH,
        "schoose[" * DEPTH + "a" + ",b]" * DEPTH,
    ],
)
def test_depth_costs_no_recursion(text: str) -> None:
    expression(text)


def test_depth_is_refused_cleanly_where_it_is_wrong() -> None:
    with pytest.raises(SourceError, match=r"expected an operator or '\)'"):
        expression("(" * DEPTH + "a")
