"""What evaluating an expression of C may change."""

from __future__ import annotations

import pytest

from knaster.frontends.c.lower.effects import effect_of, is_plain, strip_conversions
from knaster.frontends.c.tree import nodes
from support.c_text import initial_value


@pytest.mark.parametrize("text", ["a + b * 3", "a < b", "-a", "t[1]", "s.x", "(char)a"])
def test_nothing_changes(text: str) -> None:
    effect = effect_of(initial_value(text), ())
    assert not effect.assigned and not effect


@pytest.mark.parametrize(
    ("text", "names"), [("a++", {"a"}), ("a = b", {"a"}), ("s.x += b--", {"s", "b"}), ("t[i++] = 1", {"t", "i"})]
)
def test_assigned(text: str, names: set[str]) -> None:
    value = initial_value(text)
    assert {found.name for found in effect_of(value, ()).assigned} == names and not is_plain(value)


def test_calls() -> None:
    assert bool(effect_of(initial_value("1 + f(2)"), ("f",))) and not is_plain(initial_value("f(2)"))
    assert is_plain(initial_value("a + 1"))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a / 2", True),
        ("a / 2u", True),
        ("c / 2l", True),
        ("a / 0", False),
        ("a / (int)4294967296l", False),
        ("a << 31", True),
        ("a << 32", False),
        ("a / b", False),
        ("(a, b)", False),
    ],
)
def test_what_is_always_defined_is_plain(text: str, plain: bool) -> None:
    assert is_plain(initial_value(text)) is plain


def test_conversions_that_do_not_matter_for_a_test() -> None:
    assert isinstance(strip_conversions(initial_value("(long)c")), nodes.Name)
    assert isinstance(strip_conversions(initial_value("(char)a")), nodes.Convert)
