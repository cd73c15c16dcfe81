"""Quantifiers are eliminated as all values say, and what is too hard ends, with a time limit and without one."""

from __future__ import annotations

import random
from itertools import product

import pytest

from knaster.base.limits import Budget
from knaster.smt import quantifiers
from knaster.smt.library import z3
from knaster.smt.quantifiers import eliminate
from knaster.smt.solver import Session
from knaster.smt.terms import Formula

VALUES = range(-4, 5)


def formula_of(draw: random.Random, session: Session, names: list[str]) -> Formula:
    """Return a random formula over some variables."""
    terms = [z3.Int(name, session.context) for name in names]

    def atom() -> Formula:
        left = draw.randint(-3, 3) * draw.choice(terms) + draw.randint(-2, 2) * draw.choice(terms)
        right = draw.choice(terms) + draw.randint(-3, 3)
        return draw.choice([left <= right, left == right, left % draw.randint(2, 3) == right % 2, left > right])

    parts = [z3.And(atom(), atom()) for _ in range(draw.randint(1, 2))]
    return z3.Or(*parts)


@pytest.mark.parametrize("seed", range(30))
def test_against_all_values(seed: int) -> None:
    draw, session = random.Random(seed), Session()
    x, y = (z3.Int(name, session.context) for name in "xy")
    inside = [z3.And(v >= VALUES[0], v <= VALUES[-1]) for v in (x, y)]
    body = formula_of(draw, session, ["a", "x", "y"])
    every = draw.random() < 0.5
    inner = z3.ForAll([y], z3.Implies(inside[1], body)) if every else z3.Exists([y], z3.And(inside[1], body))
    found = eliminate(session, z3.Exists([x], z3.And(inside[0], inner)))
    assert not quantifiers._outermost(found)
    for value in VALUES:
        holds = [
            (all if every else any)(
                z3.is_true(z3.simplify(z3.substitute(body, *_pairs(session, {"a": value, "x": one, "y": other}))))
                for other in VALUES
            )
            for one in VALUES
        ]
        said = z3.simplify(z3.substitute(found, *_pairs(session, {"a": value})))
        assert z3.is_true(said) if any(holds) else z3.is_false(said)


def _pairs(session: Session, values: dict[str, int]) -> list[tuple[Formula, Formula]]:
    return [(z3.Int(n, session.context), z3.IntVal(value, session.context)) for n, value in values.items()]


def hard(session: Session) -> Formula:
    """Return a formula on which z3's own elimination spends more than a minute."""
    xs, ys = ([z3.Int(f"{name}{n}", session.context) for n in range(3)] for name in "xy")
    a = z3.Int("a", session.context)
    parts = [
        (xs[n] * (7 + n) + ys[(n * 3 + 1) % 3] * (5 - n) + a) % (11 + n) != (xs[(n + 1) % 3] * 3 + ys[n]) % (7 + n)
        for n in range(3)
    ]
    return z3.ForAll(ys, z3.Exists(xs, z3.And(*parts)))


def test_what_is_hard_ends_without_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantifiers, "UNITS", 100_000)
    monkeypatch.setattr(quantifiers, "_ROUNDS", 5)
    said = [eliminate(session, hard(session)).sexpr() for session in (Session(), Session())]
    assert said[0] == said[1]


def test_what_is_not_eliminated_stays() -> None:
    session = Session(units=0)
    x, a = z3.Int("x", session.context), z3.Int("a", session.context)
    formula = z3.Exists([x], x * x == a)
    assert eliminate(session, formula).eq(formula)
    plain = a > 0
    assert eliminate(session, plain).eq(plain)


def test_several_quantifiers_beside_each_other() -> None:
    session = Session(Budget())
    x, a, b = (z3.Int(name, session.context) for name in "xab")
    one = z3.Exists([x], z3.And(x > a, x < b))
    found = eliminate(session, z3.And(one, z3.Not(z3.ForAll([x], x != 2 * a)), a > 0))
    for left, right in product(VALUES, VALUES):
        said = z3.simplify(z3.substitute(found, *_pairs(session, {"a": left, "b": right})))
        assert z3.is_true(said) == (right - left > 1 and left > 0)
