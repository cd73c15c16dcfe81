"""Laws of calls: the sparsest polynomial is found again, and its text means what it computes."""

from __future__ import annotations

import random

import pytest

from knaster.engines.integers.inference.laws import Law, Polynomial, Signature, guess_law, law_of_call
from knaster.program.evaluate import evaluate
from knaster.program.model import old
from knaster.program.types import INTEGER, Int

TYPES = (Int(32), Int(8), Int(16, signed=False), INTEGER)
POINTS = [(a, b) for a in range(4) for b in (-2, 1, 5, 6)]


def law_of(value: Polynomial) -> Law | None:
    return guess_law((), {point: (value.value(point),) for point in POINTS})


@pytest.mark.parametrize(
    "terms",
    [
        (),
        (((), 7),),
        (((0, 1), 1),),
        (((), -3), ((1,), 2)),
        (((0,), 1), ((1,), -1), ((0, 0), 4)),
    ],
)
def test_a_sparse_polynomial_is_found_again(terms: tuple[tuple[tuple[int, ...], int], ...]) -> None:
    assert law_of(Polynomial(terms)) == Law((), (Polynomial(terms),))


def test_more_monomials_or_another_growth_are_no_law() -> None:
    assert law_of(Polynomial((((), 1), ((0,), 1), ((1,), 1), ((1, 1), 1)))) is None
    assert guess_law((), {(n,): (2**n,) for n in range(12)}) is None
    assert law_of(Polynomial((((0,), 5_000),))) is None


def test_few_calls_and_calls_that_tell_no_polynomial_from_another_are_no_law() -> None:
    assert guess_law((), {(n,): (2 * n + 3,) for n in range(4)}) is None
    assert guess_law((), {(n,): (2 * n + 3,) for n in range(5)}) is not None
    assert guess_law((), {(n, n): (2 * n + 3,) for n in range(9)}) == Law((), (Polynomial((((), 3), ((0,), 2))),))
    assert guess_law((), {(0,): (7,), (1,): (8,)}) is None


def test_what_is_held_is_no_variable() -> None:
    held = ((0, 2),)
    law = guess_law(held, {(2, n): (n + 2,) for n in range(6)})
    assert law == Law(held, (Polynomial((((), 2), ((1,), 1))),))
    assert law.applies((2, 99)) and not law.applies((1, 99))


def test_every_value_that_is_left_has_its_polynomial() -> None:
    law = guess_law((), {(n,): (3, -n) for n in range(9)})
    assert law == Law((), (Polynomial((((), 3),)), Polynomial((((0,), -1),))))
    assert guess_law((), {(n,): (3, 2**n) for n in range(9)}) is None


def test_one_call_is_a_law_of_its_own() -> None:
    law = law_of_call((3, -1), (0, 7))
    assert law.applies((3, -1)) and not law.applies((3, 1))
    assert [value.value((3, -1)) for value in law.values] == [0, 7]


@pytest.mark.parametrize("number", range(60))
def test_the_text_of_a_law_means_what_it_computes(number: int) -> None:
    chance = random.Random(number)
    types = {name: chance.choice(TYPES) for name in ("a", "b", "r")}
    if types["r"] == INTEGER or any(type.width != types["r"].width for type in types.values()):
        types = dict.fromkeys(types, types["r"])  # what is given to other types is converted, and tells less
    signature = Signature("f", ("a", "b"), ("r",), types)
    monomials = chance.sample([(), (0,), (1,), (0, 1), (1, 1)], chance.randint(0, 3))
    value = Polynomial(tuple((monomial, chance.randint(-9, 9)) for monomial in monomials))
    law = Law(tuple(chance.sample([(0, 3), (1, 0)], chance.randint(0, 2))), (value,))
    for _ in range(20):
        given = tuple(types[name].wrap(chance.choice((0, 3, -1, chance.getrandbits(33)))) for name in ("a", "b"))
        right = law.result(signature, given)[0]
        for left in (right, types["r"].wrap(right + 1)):
            state = {old("a"): given[0], old("b"): given[1], "r": left}
            says = evaluate(law.expression(signature), state, iter(()))
            assert says == (left == right or not law.applies(given)), (law, given)
