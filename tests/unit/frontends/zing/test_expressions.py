"""Expressions of Zing: what binds tighter, brackets of every kind, and operands that are missing."""

from __future__ import annotations

import pytest

from support.zing_text import messages, model, steps


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("i + i * 2", "i + (i * 2)"),
        ("i - 1 - 2", "(i - 1) - 2"),
        ("-i * 2", "(0 - i) * 2"),
        ("(i + 1) * 2", "(i + 1) * 2"),
        ("a[i + 1]", "a[(i + 1)]"),
        ("sizeof(a) + sizeof(B)", "sizeof(a) + 2"),
        ("c.next.f << 1", "c.next.f << 1"),
    ],
)
def test_numbers(text: str, meant: str) -> None:
    assert steps(f"int i; A a; C c; i = {text};")[0] == f"0-1 i = {meant}"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("b || b && i < 2", "b || (b && (i < 2))"),
        ("b | b ^ b & b", "b | (b ^ (b & b))"),
        ("!b == b", "!b == b"),
        ("i + 1 in z", "(i + 1) in z"),
        ("i << 1 < 2 == b", "((i << 1) < 2) == b"),
    ],
)
def test_truth_values(text: str, meant: str) -> None:
    assert steps(f"int i; bool b; Z z; b = {text};")[0] == f"0-1 b = {meant}"


def test_an_array_with_a_length() -> None:
    assert steps("A a; a = new A[1 + 2]; B b = new B;")[:2] == ["0-1 a = new A[(1 + 2)]", "1-2 b = new B"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(i + 1", "expected ')', found ';'"),
        ("a[1", "expected ']', found ';'"),
        ("i +", "expected an expression, found ';'"),
        ("sizeof i", "expected '(', found 'i'"),
        ("sizeof(i)", "'sizeof' asks for an array, a set or a channel, this is int"),
        ("i[0]", "only arrays have elements, this is int"),
        ("a[true]", "an index asks for an int, this is bool"),
        ("i + add(1)", "the class 'Main' has no method 'add'"),
        ("c.get(" * 60 + "1" + ")" * 60, "calls are nested more than 50 deep"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert problem in messages(model(f"int i; A a; C c; i = {text};"))
