"""The native walk of `assume` and `cofactor`: larger functions, tables that grow, work that is stopped."""

from __future__ import annotations

from random import Random

import pytest

from knaster.bdd.store import Bdd, Store
from knaster.calculus.fixpoints import native_simplify
from knaster.calculus.fixpoints.native_simplify import NativeSimplifier
from knaster.calculus.fixpoints.simplify import PythonSimplifier

pytestmark = pytest.mark.skipif(native_simplify.load() is None, reason="the native library was not compiled")

VARIABLES = 24


def wide_function(store: Store, random: Random, cubes: int = 60) -> Bdd:
    """Return a disjunction of cubes: some thousand nodes."""
    function = store.false
    for _ in range(cubes):
        chosen = random.sample(range(VARIABLES), 6)
        function = function | store.assignment({level: random.random() < 0.5 for level in chosen})
    return function


@pytest.mark.parametrize(
    ("seed", "cubes"), [(0, 20), (1, 20), *(pytest.param(seed, 60, marks=pytest.mark.slow) for seed in range(4))]
)
def test_large_functions_as_in_python(seed: int, cubes: int) -> None:
    random, store = Random(seed), Store(VARIABLES, 1 << 20)
    ours, reference = NativeSimplifier(store), PythonSimplifier(store)
    for _ in range(3):
        function, care = wide_function(store, random, cubes), wide_function(store, random, cubes)
        assert ours.assume(function, care) == reference.assume(function, care)
        assert ours.cofactor(function, care) == reference.cofactor(function, care)


def test_the_same_question_is_answered_from_memory() -> None:
    store = Store(VARIABLES, 1 << 20)
    function, care = wide_function(store, Random(1)), wide_function(store, Random(2))
    calls: list[None] = []
    simplifier = NativeSimplifier(store, lambda: calls.append(None))
    first = simplifier.assume(function, care)
    calls.clear()
    assert simplifier.assume(function, care) == first
    assert not calls


@pytest.mark.parametrize("stop", (1, 6))
def test_work_that_is_stopped_can_be_asked_again(stop: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_simplify, "SLICE", 500)
    monkeypatch.setattr(native_simplify, "_OFTEN", 500)
    store = Store(VARIABLES, 1 << 20)
    function, care = wide_function(store, Random(3)), wide_function(store, Random(4))
    left = [stop]

    def tick() -> None:
        left[0] -= 1
        if not left[0]:
            raise InterruptedError

    simplifier = NativeSimplifier(store, tick)
    with pytest.raises(InterruptedError):
        simplifier.assume(function, care)
    assert simplifier.assume(function, care) == PythonSimplifier(store).assume(function, care)


def test_constants() -> None:
    store = Store(2, 1 << 10)
    simplifier, variable = NativeSimplifier(store), store.var(0)
    assert simplifier.assume(store.true, variable) == store.true
    assert simplifier.cofactor(store.false, variable) == store.false
    assert simplifier.assume(variable, store.true) == variable
    assert simplifier.cofactor(variable, ~variable) == store.false
