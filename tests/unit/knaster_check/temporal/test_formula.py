"""How long, how deep and how wide a formula may be; and which operator binds how."""

from __future__ import annotations

import pytest

from knaster_check import Refused
from knaster_check.temporal.formula import atoms, normal_form, read_formula


def test_lengths() -> None:
    assert read_formula("p".ljust(10_000)) == ("atom", "p")
    with pytest.raises(Refused, match="too long"):
        read_formula("p".ljust(10_001))


def test_depths() -> None:
    assert atoms(read_formula("!" * 98 + "p")) == ["p"]
    with pytest.raises(Refused, match="too deeply"):
        read_formula("!" * 99 + "p")
    assert atoms(read_formula("(" * 98 + "p" + ")" * 98)) == ["p"]


def test_what_is_wide_is_not_deep() -> None:
    assert atoms(read_formula(" & ".join(f"(p{number} | q)" for number in range(200))))[-1] == "p199"


def test_equivalences() -> None:
    normal_form(read_formula(" <-> ".join("abcdefghi")), True)
    with pytest.raises(Refused, match="too many"):
        normal_form(read_formula(" <-> ".join("abcdefghij")), True)


def test_what_binds_how() -> None:
    for short, long in (
        ("a & b | c & d", "((a & b) | (c & d))"),
        ("a -> b -> c", "(a -> (b -> c))"),
        ("a & b & c", "((a & b) & c)"),
        ("a U b U c", "(a U (b U c))"),
        ("! a U b", "((! a) U b)"),
        ("a <-> b -> c | d", "(a <-> (b -> (c | d)))"),
        ("X F G a", "(X (F (G a)))"),
    ):
        assert read_formula(short) == read_formula(long) != read_formula("a")
