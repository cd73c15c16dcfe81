"""What a search looks for."""

from __future__ import annotations

from knaster.semantics.heap.failure import KINDS
from knaster.semantics.heap.goals import ANY, Goals


def test_places_and_kinds() -> None:
    goals = Goals(
        {"main": 0, "f": 1}, [("a", ("f", 3), ""), ("b", ("f", 3), ""), ("c", ("", 0), "deadlock"), ("d", ("", 0), ANY)]
    )
    assert goals.places == [{}, {3: ["a", "b"]}]
    assert goals.kinds["deadlock"] == ["c", "d"] and set(goals.kinds) == set(KINDS)
    assert goals.kinds["assertion"] == ["d"]
