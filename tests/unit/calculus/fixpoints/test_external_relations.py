"""Relations from and to Python."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.bdd.store import Bdd, OutOfNodes, Store, rename
from knaster.calculus import Place, Session, Symbolic, evaluate, parse
from knaster.calculus.language.types import BOOL, array, basic, record
from knaster.calculus.language.values import all_values, count_values, decode, encode, show

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
    def build(store: Store, places: tuple[Place, ...]) -> Bdd:
        source, target = places
        return store.assignment({source[0]: False, source[1]: False, target[0]: True, target[1]: True})

    solution = evaluate(parse(TEXT), relations={"Edge": Symbolic(build)})
    assert list(solution.relation("Reach")) == [(0,), (3,)]


def test_a_bdd_of_records_and_arrays() -> None:
    """A counter of three bits beside a lamp, step by step, as text and as a BDD."""
    types = "enum Lamp { off, on, broken }; class State { Lamp lamp; bool bits[3]; };"
    step = "t.lamp = s.lamp & s.lamp != broken & t.bits[0] != s.bits[0] & t.bits[1] = s.bits[1] & t.bits[2] = s.bits[2]"
    rest = """
        mu bool Reach(State s)
            (s.lamp = off & ! s.bits[0] & ! s.bits[1] & s.bits[2])
          | (exists State t. Reach(t) & Step(t, s));
        #ons Reach; #ons Step;
    """

    def build(store: Store, places: tuple[Place, ...]) -> Bdd:
        s, t = places
        flipped = ~s.member("bits").element(0).same(store, t.member("bits").element(0))
        kept = [s.member("bits").element(index).same(store, t.member("bits").element(index)) for index in (1, 2)]
        lamp = s.member("lamp").same(store, t.member("lamp")) & ~s.member("lamp").equals(store, "broken")
        return flipped & kept[0] & kept[1] & lamp

    as_text = evaluate(parse(f"{types} bool Step(State s, State t) s ~+ t {step}; {rest}"))
    as_bdd = evaluate(parse(f"{types} bool Step(State s, State t) s ~+ t; {rest}"), relations={"Step": Symbolic(build)})
    assert as_bdd.counts == as_text.counts == {"Reach": 2, "Step": 16}
    for name in as_text.counts:
        assert list(as_bdd.relation(name)) == list(as_text.relation(name))


def test_a_bdd_of_a_store_that_others_use() -> None:
    """The caller's relation is over its own variables; the system's are added below them."""
    store = Store(4)
    now, following = (0, 2), (1, 3)  # two bits and their next values, interleaved
    flip = store.var(0) ^ store.var(1)
    relation = flip & ~(store.var(2) ^ store.var(3))

    def build(given: Store, places: tuple[Place, ...]) -> Bdd:
        assert given is store
        source, target = places
        pairs = zip((*now, *following), (*source, *target), strict=True)
        return rename(relation, store.renaming(dict(pairs)))

    solution = evaluate(parse(TEXT), relations={"Edge": Symbolic(build)}, store=store)
    assert list(solution.relation("Reach")) == [(0,), (2,)]
    assert solution.relation("Reach").count == 2
    assert store.variables > 4 and min(min(levels) for levels in solution.relation("Edge").levels) == 4
    again = evaluate(parse("enum S { 0..9 }; bool f(S s) s < 3; #ons f;"), store=store)
    assert again.counts == {"f": 3}


def test_a_store_of_the_caller_is_never_replaced() -> None:
    text = "class C { bool b[9]; }; bool f(C c, C d) c ~- d c = d; #ons f;"
    with pytest.raises(OutOfNodes):
        evaluate(parse(text), store=Store(0, 1 << 9))
    assert evaluate(parse(text)).counts == {"f": 1 << 9}


def test_places_that_do_not_exist() -> None:
    place = Place(CLASS, tuple(range(CLASS.width)))
    assert place.member("flags").element(1).variables == (3,) and list(place) == list(range(6)) and place[5] == 5
    with pytest.raises(UsageError, match="no member 'flag'; did you mean 'flags'"):
        place.member("flag")
    with pytest.raises(UsageError, match="no element 2"):
        place.member("flags").element(2)
    with pytest.raises(UsageError, match="no element 0"):
        place.element(0)
    with pytest.raises(UsageError, match="type Colour is none of type Number"):
        place.member("colour").same(Store(6), place.member("number"))


def test_a_table_that_can_be_read_only_once() -> None:
    """The store is too small at first, so that everything starts again."""
    text = "enum S { 0..255 }; bool Edge(S s, S t); #ons Edge;"
    rows = [(number, 7 * number % 256) for number in range(256)]
    session = Session(parse(text), {"Edge": iter(rows)}, nodes=1 << 9)
    assert session.relation("Edge").count == 256 and session.nodes > 1 << 9
    assert session.relation("Edge").count == 256


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
