"""What evaluating an expression of C may change."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pycparser")

from pycparser.c_parser import CParser

from knaster.frontends.c.lower.effects import effect_of, is_plain


def expression(text: str) -> Any:
    return CParser().parse(f"int x = {text};", "").ext[0].init


@pytest.mark.parametrize("text", ["a + b * 3", "a < b", "-a", "a[1]", "s.x", "(char)a"])
def test_nothing_changes(text: str) -> None:
    effect = effect_of(expression(text), ())
    assert not effect.assigned and not effect


@pytest.mark.parametrize(
    ("text", "names"), [("a++", {"a"}), ("a = b", {"a"}), ("s.x += b--", {"s", "b"}), ("a[i++] = 1", {"a", "i"})]
)
def test_assigned(text: str, names: set[str]) -> None:
    assert effect_of(expression(text), ()).assigned == names and not is_plain(expression(text))


def test_calls() -> None:
    assert bool(effect_of(expression("1 + f(2)"), ("f",))) and not is_plain(expression("f(2)"))
    assert is_plain(expression("a + 1"))
