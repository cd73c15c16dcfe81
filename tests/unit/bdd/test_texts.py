"""Functions as texts: the same for the same function, whatever the order of the store."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError, ProofError
from knaster.bdd.store import Bdd, Store
from knaster.bdd.texts import function_to_text, text_to_function


def some(store: Store, places: list[int]) -> Bdd:
    a, b, c = (store.var(place) for place in places)
    return (a & ~b) | (b ^ c)


def test_a_text_does_not_depend_on_the_order() -> None:
    texts = set()
    for places in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        store = Store(3, 1 << 12)
        function = some(store, places)
        text = function_to_text(store, function, places)
        assert text_to_function(store, text, places) == function
        texts.add(text)
    assert len(texts) == 1


def test_constants_and_damage() -> None:
    store = Store(2, 1 << 12)
    assert function_to_text(store, store.true, []) == "T"
    assert text_to_function(store, "F", []) == store.false
    with pytest.raises(InternalError):
        function_to_text(store, store.var(1), [0])
    for text in ("", "0,T", "9,T,F", "0,T,7"):
        with pytest.raises(ProofError):
            text_to_function(store, text, [0, 1])
