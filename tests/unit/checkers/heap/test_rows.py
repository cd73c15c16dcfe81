"""Rows of tables: values have their types, cells are there, frames wait for calls; what may be unread."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.checkers.heap.rows import Rows, check_root, check_state, configuration_of, slot_types
from knaster.evidence.proofs.heap.effect_table import EffectRow, PathRow, RootRow
from knaster.evidence.proofs.heap.state_table import Activation, StateRow
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.model import Call
from knaster.program.types import BOOL, Int, Pointer, Reference, Struct
from knaster.semantics.heap.interpreter import Machine

TEXT = """struct Pair { int a; bool b; };
array Fixed[3] int;
array Open[] int;
chan Line int;
set Bag int;
class Node { int key; Node next; };
class Main { static Node top; static Pair pair;
activate static void main() { int y; top = new Node; y = work(top); }
static int work(Node n) { int x; x = n.key; return x; } };
"""
MACHINE = Machine(knaster.parse(TEXT, file="a.zing"))
NODE, OTHER = Reference("Node", 1), Reference("Node", 2)
INT = Int(32)
PAIR = Struct("Pair", (("a", INT), ("b", BOOL)))
CALLING = next(e.source for e in MACHINE.procedures["main"].edges if isinstance(e.action, Call))


@pytest.mark.parametrize(
    ("value", "type", "whole", "partial"),
    [
        (True, BOOL, True, True),
        (1, BOOL, False, False),
        (1, INT, True, True),
        (True, INT, False, False),
        (None, Pointer("Node"), True, True),
        (NODE, Pointer("Node"), True, True),
        (OTHER, Pointer("Node"), False, False),
        (("Node", 1), Pointer("Node"), False, False),  # it is equal to a reference, and none
        ((1, True), PAIR, True, True),
        ((1,), PAIR, False, False),
        ((1, True, 2), PAIR, False, False),
        ((1, 1), PAIR, False, False),
        ([1, True], PAIR, False, False),
        (7, PAIR, False, False),
        (UNREAD, INT, False, True),
        ((UNREAD, True), PAIR, False, False),  # a struct is read as a whole
    ],
)
def test_values_of_types(value: Any, type: Any, whole: bool, partial: bool) -> None:
    cells = {NODE: (1, None)}
    assert Rows(MACHINE, cells, False).fits(value, type) is whole
    assert Rows(MACHINE, cells, True).fits(value, type) is partial


def test_slots_of_cells() -> None:
    assert slot_types(MACHINE.cells["Node"], ()) == [INT, Pointer("Node")]
    assert slot_types(MACHINE.cells["Fixed"], (1,)) == [INT] * 3
    assert slot_types(MACHINE.cells["Open"], (1, 2)) == [INT] * 2
    assert slot_types(MACHINE.cells["Line"], (1, 2)) == [INT] * 2


STATICS = (None, (0, False))


@pytest.mark.parametrize(
    ("name", "slots", "whole", "partial"),
    [
        ("Node", (1, None), True, True),
        ("Node", (1,), False, False),
        ("Node", (UNREAD, None), False, True),
        ("Fixed", (1, 2, 3), True, True),
        ("Fixed", (1, 2), False, False),
        ("Open", (1, 2), True, True),
        ("Line", (1, True), False, False),
        ("Bag", (1, 2), True, True),
        ("Nobody", (), False, False),
    ],
)
def test_cells(name: str, slots: Any, whole: bool, partial: bool) -> None:
    for holds, unread in ((whole, False), (partial, True)):
        rows = Rows(MACHINE, {Reference(name, 1): slots}, unread)
        if holds:
            rows.memory(STATICS)
        else:
            with pytest.raises(InternalError, match="this is no table of the program"):
                rows.memory(STATICS)


def test_what_channels_and_sets_hold_may_be_unread() -> None:
    for name in ("Line", "Bag"):
        Rows(MACHINE, {Reference(name, 1): UNREAD}, True).memory(STATICS)
        with pytest.raises((InternalError, TypeError)):
            Rows(MACHINE, {Reference(name, 1): UNREAD}, False).memory(STATICS)
    with pytest.raises((InternalError, TypeError)):
        Rows(MACHINE, {Reference("Open", 1): UNREAD}, True).memory(STATICS)


def state(choosing: int, *threads: tuple[Activation, ...]) -> StateRow:
    return StateRow(choosing, STATICS, threads, {})


MAIN = Activation("main", CALLING, False, (0,))
WORK = Activation("work", 0, False, (None, 0))


def test_threads_that_choose_and_frames_that_wait() -> None:
    for right in (state(0, (MAIN, WORK)), state(1, (MAIN,), ()), state(2, (), (MAIN,)), state(3, (), (), (MAIN,))):
        check_state(MACHINE, right)
    for wrong in (
        state(2, (MAIN,)),
        state(-1, (MAIN,)),
        state(2, (MAIN,), ()),
        state(3, (MAIN,), (MAIN,), ()),
        state(2, (), (), (MAIN,)),
        state(0, (WORK, MAIN)),
    ):
        with pytest.raises(InternalError, match="this is no table of the program"):
            check_state(MACHINE, wrong)


def test_each_frame_but_the_last_is_in_a_call() -> None:
    (frames, alone) = configuration_of(MACHINE, state(0, (MAIN, WORK), (WORK,))).threads
    assert [frame.calling is not None for frame in (*frames, *alone)] == [True, False, False]


def root(held: tuple[Reference, ...] | None = (), **changes: Any) -> RootRow:
    fields: dict[str, Any] = {
        "procedure": "work",
        "base": False,
        "formals": (NODE,),
        "statics": STATICS,
        "cells": {NODE: (1, None)},
        "held": held,
        "paths": (PathRow(0, False, (NODE, 0), STATICS, {}),),
        "effects": (EffectRow((1,), None, STATICS, {}), EffectRow((), "Oops", STATICS, {})),
    }
    return RootRow(**{**fields, **changes})


def test_roots() -> None:
    for right in (
        root(),
        root(held=(NODE,)),
        root(held=None, cells={NODE: (UNREAD, None)}),
        root(paths=(PathRow(0, False, (NODE, 0), STATICS, {}, 1),)),
        root(paths=(PathRow(0, False, (OTHER, 0), STATICS, {OTHER: (2, NODE)}),)),
    ):
        check_root(MACHINE, right, 2)
    for wrong in (
        root(procedure="nobody"),
        root(formals=()),
        root(held=(OTHER,)),
        root(held=(NODE, OTHER)),
        root(cells={NODE: (UNREAD, None)}),  # held cells are read
        root(paths=(PathRow(0, False, (NODE, 0), STATICS, {}, 2),)),
        root(paths=(PathRow(0, False, (NODE, 0), STATICS, {}, -2),)),
        root(paths=(PathRow(9, False, (NODE, 0), STATICS, {}),)),
        root(paths=(PathRow(0, False, (OTHER, 0), STATICS, {}),)),
        root(effects=(EffectRow((), None, STATICS, {}),)),
        root(effects=(EffectRow((True,), None, STATICS, {}),)),
    ):
        with pytest.raises(InternalError, match="this is no table of the program"):
            check_root(MACHINE, wrong, 2)
