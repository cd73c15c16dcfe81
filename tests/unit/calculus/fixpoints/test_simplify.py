"""`assume` and `cofactor`, in Python and in native code: the contract, and a recursive definition to compare with."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from knaster.bdd.store import Bdd, Store
from knaster.calculus import evaluate, parse
from knaster.calculus.fixpoints import native_simplify
from knaster.calculus.fixpoints.native_simplify import NativeSimplifier
from knaster.calculus.fixpoints.simplify import PythonSimplifier, Simplifier, make_simplifier

VARIABLES = 6

needs_native = pytest.mark.skipif(native_simplify.load() is None, reason="the native library was not compiled")
both = pytest.mark.parametrize("kind", [PythonSimplifier, pytest.param(NativeSimplifier, marks=needs_native)])


def random_function(store: Store, random: Random) -> Bdd:
    function = store.false
    for _ in range(random.randint(0, 12)):
        chosen = random.sample(range(VARIABLES), random.randint(1, 4))
        function = function | store.assignment({level: random.random() < 0.5 for level in chosen})
    return function if random.random() < 0.5 else ~function


def defined(store: Store, function: Bdd, care: Bdd, branch_on_care: bool) -> Bdd:
    """The textbook recursion."""

    @cache
    def walk(f: Bdd, c: Bdd) -> Bdd:
        f_level, c_level = f.node_level(), c.node_level()
        if f_level is None or c_level is None:
            return f
        top = min(f_level, c_level)
        f_high, f_low = f.cofactors() if f_level == top else (f, f)  # type: ignore[misc]
        c_high, c_low = c.cofactors() if c_level == top else (c, c)  # type: ignore[misc]
        if c_high == store.false:
            return walk(f_low, c_low)
        if c_low == store.false:
            return walk(f_high, c_high)
        if c_level < f_level and not branch_on_care:
            return walk(f, c_high | c_low)
        return store.var(top).ite(walk(f_high, c_high), walk(f_low, c_low))

    return store.false if care == store.false else walk(function, care)


@both
@pytest.mark.parametrize("seed", range(100))
def test_contract_and_definition(seed: int, kind: Callable[[Store], Simplifier]) -> None:
    random = Random(seed)
    store = Store(VARIABLES, 1 << 14)
    simplifier = kind(store)
    for _ in range(5):
        function, care = random_function(store, random), random_function(store, random)
        assumed, cofactor = simplifier.assume(function, care), simplifier.cofactor(function, care)
        assert assumed & care == function & care
        assert cofactor & care == function & care
        assert assumed == defined(store, function, care, branch_on_care=False)
        assert cofactor == defined(store, function, care, branch_on_care=True)
        assert store.support(assumed) <= store.support(function)
        if care != store.false:
            everything = store.cube(range(VARIABLES))
            assert cofactor.exists(everything) == (function & care).exists(everything)


@both
def test_the_copy_is_thrown_away_when_it_is_large(
    kind: Callable[[Store], Simplifier], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knaster.calculus.fixpoints.simplify._LIMIT", 20)
    monkeypatch.setattr("knaster.calculus.fixpoints.native_simplify.MOST_RESULTS", 20)
    store = Store(VARIABLES, 1 << 14)
    simplifier = kind(store)
    random = Random(1)
    for _ in range(50):
        function, care = random_function(store, random), random_function(store, random)
        assert simplifier.assume(function, care) == defined(store, function, care, branch_on_care=False)


def test_python_simplifies_where_nothing_was_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_simplify, "load", lambda: None)
    assert isinstance(make_simplifier(Store(1, 1 << 10), lambda: None), PythonSimplifier)


def test_where_nothing_is_cared_for_the_result_is_false() -> None:
    assert evaluate(parse("bool f(bool a) a assume 0; bool g(bool a) a cofactor false; #ons f; #ons g;")).counts == {
        "f": 0,
        "g": 0,
    }


def test_assume_in_the_language() -> None:
    text = """
        enum S { 0..7 };
        bool T(S s, S t) t = s + 1 | (s = 7 & t = 7);
        mu bool Reach(S s);
        mu bool Step(S s, S t) T(s, t) assume Reach(s);
        mu bool Reach(S s) s = 3 | (exists S t. Step(t, s) & Reach(t));
        bool Image(S s) exists S t. T(t, s) cofactor (t = 2);
        #ons Reach; #ons Image;
        forall S s, S t. Reach(s) -> (Step(s, t) <-> T(s, t));
    """
    solution = evaluate(parse(text))
    assert solution.counts == {"Reach": 5, "Image": 1}  # the quantified cofactor is the image
    assert solution.queries == [True]


def test_attributes_mean_the_same_as_the_infix_words() -> None:
    text = "bool f(bool a, bool b) (a | b) { assume a }; bool g(bool a, bool b) (a | b) assume a; #ons f; #ons g;"
    counts = evaluate(parse(text)).counts
    assert counts["f"] == counts["g"] == 4
