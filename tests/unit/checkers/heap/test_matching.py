"""Calls and roots of a table: which match, who else holds a cell, and what an effect does to the caller."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.matching import apply_effect, held_outside, match_root, references
from knaster.evidence.proofs.heap.effect_table import EffectRow, RootRow
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.interpreter import Machine
from support.zing_text import read

A, B, X, Y = (Reference("C", number) for number in (1, 2, 8, 9))


def root(formals: tuple[Any, ...], cells: dict[Reference, Any], statics: tuple[Any, ...] = ()) -> RootRow:
    return RootRow("f", False, formals, statics, cells, None, (), ())


def match(wanted: RootRow, formals: list[Any], heap: dict[Reference, Any]) -> dict[Reference, Reference] | None:
    return match_root(wanted, formals, Configuration({}, heap))


def test_what_matches() -> None:
    assert match(root((1, A), {A: (2, B), B: UNREAD}), [1, X], {X: (2, Y), Y: (0, None)}) == {A: X, B: Y}
    assert match(root((1, A), {A: (2, UNREAD)}), [1, X], {X: (2, Y)}) == {A: X}
    assert match(root((UNREAD,), {}), [5], {}) == {}


@pytest.mark.parametrize(
    ("formals", "given"),
    [
        ((1,), [2]),
        ((1,), [True]),
        ((None,), [X]),
        ((A, B), [X, X]),  # two cells never match one
        ((A, A), [X, Y]),
        ((Reference("D", 1),), [X]),
    ],
)
def test_what_does_not_match(formals: tuple[Any, ...], given: list[Any]) -> None:
    cells = {cell: () for cell in formals if isinstance(cell, Reference)}
    assert match(root(formals, cells), given, {X: (), Y: ()}) is None


def test_who_holds_a_cell() -> None:
    heap = {X: (Y,), Y: ()}
    assert held_outside([X], [], {A: Y}, heap) == {A: Y}  # it hangs on a local of the caller
    assert held_outside([], [Y], {A: Y}, heap) == {A: Y} and held_outside([1], [], {A: Y}, heap) == {}
    assert held_outside([X], [], {A: X, B: Y}, heap) == {A: X}  # the rest hangs on what the callee sees
    assert sorted(references((X, (1, Y)))) == [X, Y]


def test_an_effect_changes_what_it_says() -> None:
    cells = Machine(read("")).cells
    into = Configuration({"s": 0, "t": 1}, {X: (1, None)}, [], {"C": 9})
    effect = EffectRow((B,), None, (7, UNREAD), {A: (UNREAD, B), B: (3, None)})
    new = Reference("C", 10)
    assert apply_effect(root((A,), {A: UNREAD}), effect, {A: X}, into, cells) == [new]
    assert into.statics == {"s": 7, "t": 1} and into.heap == {X: (1, new), new: (3, None)}
    kept = dict(into.heap)
    nothing = EffectRow((), None, (UNREAD, UNREAD), {A: UNREAD})
    assert apply_effect(root((A,), {A: UNREAD}), nothing, {A: X}, into, cells) == [] and into.heap == kept
    with pytest.raises(InternalError, match="does not see"):
        apply_effect(root((), {}), EffectRow((Y,), None, (UNREAD, UNREAD), {}), {}, into, cells)
