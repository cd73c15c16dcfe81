"""The form of a state up to the names of cells: renamed cells look alike, shared ones do not, garbage is not seen."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from knaster.checkers.heap.form import Form, may_refer, referring_statics, referring_variables
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.types import BOOL, INTEGER, Pointer, Reference, Struct
from support.zing_text import read

ONE, TWO, THREE = (Reference("C", number) for number in (1, 2, 3))


def form_of(
    values: tuple[Any, ...], heap: Mapping[Reference, Any], kept: Mapping[Reference, Any] | None = None
) -> Hashable:
    form = Form(heap, kept or {})
    return form.spell(values), form.cells()


def test_names_of_cells_do_not_matter() -> None:
    assert form_of((ONE,), {ONE: (1, TWO), TWO: (2, None)}) == form_of((THREE,), {THREE: (1, ONE), ONE: (2, None)})
    assert form_of((ONE, TWO), {ONE: (), TWO: ()}) != form_of((ONE, ONE), {ONE: ()})
    assert form_of((ONE,), {ONE: (1,)}) != form_of((ONE,), {ONE: (2,)})


def test_classes_matter_and_garbage_does_not() -> None:
    other = Reference("D", 1)
    assert form_of((ONE,), {ONE: ()}) != form_of((other,), {other: ()})
    assert form_of((ONE,), {ONE: (1,), TWO: (2,)}) == form_of((ONE,), {ONE: (1,)})


def test_what_is_kept_keeps_its_name() -> None:
    assert form_of((ONE,), {ONE: ()}, {ONE: ()}) != form_of((TWO,), {TWO: ()}, {TWO: ()})


def test_circles_and_what_is_not_known() -> None:
    assert form_of((ONE,), {ONE: (TWO,), TWO: (ONE,)}) == form_of((TWO,), {ONE: (TWO,), TWO: (ONE,)})
    assert form_of((ONE,), {ONE: UNREAD}) == ((0,), (("C", UNREAD),))


def test_only_some_values_are_looked_at() -> None:
    form = Form({ONE: ()}, {})
    assert form.spell_all((ONE, None, TWO), (0, 1)) == (0, None, TWO)


def test_types_that_can_refer() -> None:
    pointer = Pointer("C")
    assert may_refer(pointer) and not may_refer(INTEGER) and not may_refer(BOOL)
    assert may_refer(Struct("S", (("x", INTEGER), ("p", pointer)))) and not may_refer(Struct("S", (("x", INTEGER),)))
    program = read("int i; C c; i = 1; c = new C;", "static int n; static C head;")
    main = program.procedure("main")
    names = main.parameters + main.locals
    assert [names[number] for number in referring_variables(program, main)] == ["c"]
    assert [program.globals[number].rpartition(".")[2] for number in referring_statics(program)] == ["head"]
