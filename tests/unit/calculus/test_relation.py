"""Relations from and to Python."""

from __future__ import annotations

import pytest

from knaster.calculus import Session, Symbolic, evaluate, parse
from knaster.calculus.types import BOOL, array, basic, record
from knaster.calculus.values import all_values, count_values, decode, encode, show
from knaster.errors import UsageError
from knaster.symbolic.bdd import Bdd, Store

TEXT = """
enum S { 0..3 };
bool Edge(S s, S t);
mu bool Reach(S s) s = 0 | (exists S t. Reach(t) & Edge(t, s));
#ons Reach;
"""
COLOUR = basic("Colour", 3, names=("red", "green", "blue"))
NUMBER = basic("Number", 3, low=5)
CLASS = record("Class", [("colour", COLOUR), ("flags", array(BOOL, 2)), ("number", NUMBER)], ())


def test_a_table() -> None:
    solution = evaluate(parse(TEXT), relations={"Edge": [(0, 1), (1, 3)]})
    assert solution.counts == {"Reach": 3}
    reach = solution.relation("Reach")
    assert list(reach) == [(0,), (1,), (3,)]
    assert (3,) in reach and (2,) not in reach and "x" not in reach and (1, 2) not in reach
    assert (reach.count, reach.out_of) == (3, 4)


def test_a_function() -> None:
    solution = evaluate(parse(TEXT), relations={"Edge": lambda s, t: t == s + 2})
    assert list(solution.relation("Reach")) == [(0,), (2,)]


def test_a_bdd() -> None:
    def build(store: Store, variables: tuple[tuple[int, ...], ...]) -> Bdd:
        source, target = variables
        return store.assignment({source[0]: False, source[1]: False, target[0]: True, target[1]: True})

    solution = evaluate(parse(TEXT), relations={"Edge": Symbolic(build)})
    assert list(solution.relation("Reach")) == [(0,), (3,)]


def test_an_empty_table_and_a_large_one() -> None:
    assert evaluate(parse(TEXT), relations={"Edge": []}).counts == {"Reach": 1}
    text = "enum S { 0..999 }; bool Edge(S s, S t); mu bool R(S s) s = 0 | (exists S t. R(t) & Edge(t, s)); #ons R;"
    assert evaluate(parse(text), relations={"Edge": [(i, i + 1) for i in range(999)]}).counts == {"R": 1000}


def test_a_given_relation_holds_of_values_only() -> None:
    text = "enum S { 0..2 }; bool Any(S s); #ons Any; forall S s. Any(s);"
    solution = evaluate(parse(text), relations={"Any": Symbolic(lambda store, variables: store.true)})
    assert solution.counts == {"Any": 3}


@pytest.mark.parametrize(
    ("relations", "message"),
    [
        ({"Edge": [(0,)]}, "takes 2 arguments, not 1"),
        ({"Edge": [(0, 7)]}, "7 is no value of type S"),
        ({"Edge": [(0, "one")]}, "'one' is no value of type S"),
        ({"Nothing": []}, "which is not declared"),
        ({"Edge": [], "Reach": []}, "which has a definition"),
    ],
)
def test_what_cannot_be_given(relations: dict[str, list[tuple[object, ...]]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate(parse(TEXT), relations=relations)


def test_a_function_of_too_many_values() -> None:
    system = parse("enum S { 0..65535 }; bool f(S s, S t); #ons f;")
    with pytest.raises(UsageError, match="too many"):
        evaluate(system, relations={"f": lambda s, t: True})


def test_an_unknown_predicate() -> None:
    with pytest.raises(UsageError, match="no predicate 'Nothing'"):
        Session(parse("1;")).relation("Nothing")


@pytest.mark.parametrize("type_", [BOOL, COLOUR, NUMBER, array(COLOUR, 2), CLASS, array(CLASS, 1)])
def test_values_there_and_back(type_: object) -> None:
    assert isinstance(type_, type(BOOL))
    values = [row[0] for row in all_values([type_])]
    assert len(values) == count_values(type_)
    codes = {tuple(encode(type_, value)) for value in values}
    assert len(codes) == len(values)
    assert [decode(type_, encode(type_, value)) for value in values] == values


def test_values_as_text() -> None:
    value = decode(CLASS, encode(CLASS, {"colour": "blue", "flags": (True, False), "number": 7}))
    assert show(value) == "{colour=blue,flags=[1,0],number=7}"
    with pytest.raises(UsageError, match="sequence of 2"):
        encode(CLASS, {"colour": "blue", "flags": (True,), "number": 7})
    with pytest.raises(UsageError, match="maps colour, flags, number"):
        encode(CLASS, {"colour": "blue"})
