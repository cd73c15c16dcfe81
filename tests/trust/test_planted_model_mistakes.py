"""Mistakes that are easy to make about infinite runs of models that recurse, planted one by one: each is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import knaster
from knaster.checkers.heap.effect_arcs import Arc, Arcs, Row
from knaster.evidence.questions import heap_product
from knaster.evidence.questions.heap_product import ACCEPTED, SEEN
from knaster.program.algebra import disjunction
from knaster.program.expression import FALSE, Var
from knaster.program.model import Call
from knaster.program.objects import Store

INSIDE = """class Main { static bool x;
activate static void main() { while (true) { f(); } } static void f() { A: x = !x; B: x = !x; } };
"""
DEEPER = "class Main { static bool x; activate static void main() { f(); } "
DEEPER += "static void f() { A: f(); B: x = true; } };\n"
NESTED = "class Main { static bool x; activate static void main() { while (true) { f(); } } "
NESTED += "static void f() { g(); } static void g() { A: x = !x; } };\n"
ONCE = "class Main { static bool x; activate static void main() { g(); C: while (true) { f(); } } "
ONCE += "static void g() { A: x = true; } static void f() { B: x = x; } };\n"
ENDS = "class Main { static bool x; activate static void main() { A: x = true; f(); } static void f() { } };\n"
CASES = (
    (INSIDE, "F G !at(A)", "FALSE"),
    (INSIDE, "G F at(A)", "TRUE"),
    (INSIDE, "termination", "FALSE"),
    (NESTED, "F G !at(A)", "FALSE"),
    (DEEPER, "F G !at(A)", "FALSE"),
    (DEEPER, "F at(B)", "FALSE"),
    (DEEPER, "G F at(A)", "TRUE"),
    (ONCE, "F G !at(A)", "TRUE"),
    (ONCE, "F at(C) & F G in(f)", "FALSE"),
    (ENDS, "F ended", "TRUE"),
    (ENDS, "F G ended", "TRUE"),
    (ENDS, "G F at(A)", "FALSE"),
    (ENDS, "termination", "TRUE"),
)
Plant = Callable[[pytest.MonkeyPatch], None]


def change_stores(patch: pytest.MonkeyPatch, wrong: Callable[[Store], Store]) -> None:
    """Let the product make other assignments."""
    patch.setattr(heap_product, "Store", lambda places, value: wrong(Store(places, value)))


def what_a_callee_saw_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    change_stores(patch, lambda s: Store(s.places, FALSE) if s == Store((Var(ACCEPTED),), Var(SEEN)) else s)


def what_was_seen_in_a_call_is_not_kept(patch: pytest.MonkeyPatch) -> None:
    own = heap_product._Product._statement

    def wrong(self: Any, made: Any, edge: Any, place: int, inside: bool) -> None:
        with pytest.MonkeyPatch.context() as inner:
            if isinstance(edge.action, Call):
                inner.setattr(heap_product, "Store", lambda places, value: Store(places, Var(SEEN)))
            own(self, made, edge, place, inside)

    patch.setattr(heap_product._Product, "_statement", wrong)


def calls_are_never_entered(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Arcs, row: Row) -> Iterator[Arc]:
        return iter(self.leaving.get(row, ()))

    patch.setattr(Arcs, "after", wrong)


def calls_never_return(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Arcs, "back", lambda self, row, effect, outcome: None)


def one_accepting_step_is_enough(patch: pytest.MonkeyPatch) -> None:
    own = heap_product._Product._letter

    def wrong(self: Any, *about: Any) -> Any:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(heap_product, "Store", kept)
            return own(self, *about)

    def kept(places: Any, value: Any) -> Store:
        seen = disjunction([Var(ACCEPTED), value])
        return Store(places, seen if places == (Var(ACCEPTED),) else value)

    patch.setattr(heap_product._Product, "_letter", wrong)


def the_end_is_a_statement(patch: pytest.MonkeyPatch) -> None:
    own = heap_product._holds
    patch.setattr(heap_product, "_holds", lambda meaning, place: place is not None and own(meaning, place))


PLANTS: tuple[Plant, ...] = (
    what_a_callee_saw_is_forgotten,
    what_was_seen_in_a_call_is_not_kept,
    calls_are_never_entered,
    calls_never_return,
    one_accepting_step_is_enough,
    the_end_is_a_statement,
)


def wrong_cases() -> int:
    """Return how many questions are answered wrongly, or with evidence that is refused."""
    wrong = 0
    for text, asked, verdict in CASES:
        try:
            wrong += knaster.check(text, property=asked, engine="visible", file="a.zing").verdict.value != verdict
        except Exception:  # evidence that is refused, or a breakdown
            wrong += 1
    return wrong


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: str(plant.__name__))
def test_a_mistake_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert wrong_cases() > 0


def test_without_a_mistake_nothing_is_wrong() -> None:
    assert wrong_cases() == 0
