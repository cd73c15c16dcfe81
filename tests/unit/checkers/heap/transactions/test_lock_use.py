"""Lock use: a static is a lock where the text tests and takes it in one go and clears it, and does nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.transactions.lock_use import Use, cell_of, uses_of
from knaster.engines.references.transactions.lock_texts import find_locks
from knaster.frontends.zing import parse
from knaster.program.expression import Const, Not, Var
from knaster.program.model import Assume, Edge, Return
from knaster.program.objects import ClassCell, Join, Store
from knaster.views.heap.memory_layout import Layout

TAKE = "atomic { select { wait(!m) -> m = true; } }"
NO_LOCKS = [
    f"{TAKE} u = 1; m = true;",
    f"{TAKE} if (m) {{ u = 1; }} m = false;",
    "select { wait(!m) -> m = true; } m = false;",
    "atomic { select { wait(m) -> m = true; } } m = false;",
    "atomic { select { wait(!m) -> { u = 1; m = true; } } } m = false;",
    "atomic { select { wait(!m) -> m = true; wait(u == 1) -> ; } } m = false;",
    f"{TAKE} m = u == 1;",
]


def text(body: str, declared: str = "static bool m;") -> str:
    return f"class M {{ static int u; {declared} activate static void main() {{ {body} }} }};"


def test_a_lock() -> None:
    program = parse(text(f"{TAKE} u = 1; m = false; {TAKE} m = false;"))
    uses = list(uses_of(program, "M.m").values())
    assert [uses.count(use) for use in Use] == [2, 2, 2]
    found = find_locks(Layout(program))
    assert [len(part) for part in found[:3]] == [2, 2, 2] and found.locks == {1}
    assert not found.without(1).locks


@pytest.mark.parametrize("body", NO_LOCKS)
def test_other_statics(body: str) -> None:
    program = parse(text(body))
    assert not find_locks(Layout(program)).locks
    with pytest.raises(InternalError, match="is no lock"):
        uses_of(program, "M.m")


def test_a_static_that_begins_with_a_value() -> None:
    program = parse(text(f"{TAKE} m = false;", "static bool m = true;"))
    assert not find_locks(Layout(program)).locks
    with pytest.raises(InternalError, match="is no lock"):
        uses_of(program, "M.m")


MUTEX = "class Mutex { bool held; int k; };\n"
IN_CELL = "atomic { select { wait(!m.held) -> m.held = true; } }"
OTHER = IN_CELL.replace("m.held", "n.held")
CELLS = "static Mutex m = new Mutex; static Mutex n = new Mutex;"


def test_locks_in_cells() -> None:
    program = parse(MUTEX + text(f"{IN_CELL} u = m.k; m.held = false; {OTHER} n.k = 1; n.held = false;", CELLS))
    for lock in ("M.m.held", "M.n.held"):
        assert sorted(use.value for use in uses_of(program, lock).values()) == ["release", "take", "test"]
        assert cell_of(program, lock) == lock.removesuffix(".held")
    found = find_locks(Layout(program))
    assert [len(part) for part in found[:3]] == [2, 2, 2]
    assert {found.cells[lock] for lock in found.locks} == {(1, "held"), (2, "held")}
    ((point, tested), *_) = found.tests.items()
    assert found.cell_at(point, [0, 7, 8]) == (7 if found.cells[tested][0] == 1 else 8)
    assert found.cell_at((99, 0), [0, 7, 8]) is None


@pytest.mark.parametrize(
    ("body", "declared", "mutex"),
    [
        (f"Mutex x; x = m; x.held = false; {IN_CELL} m.held = false;", CELLS, MUTEX),
        (f"m = n; {IN_CELL} m.held = false;", CELLS, MUTEX),
        (f"m = new Mutex; {IN_CELL} m.held = false;", "static Mutex m;", MUTEX),
        (f"{IN_CELL} m.held = false;", "static Mutex n = new Mutex; static Mutex m = n;", MUTEX),
        (f"{IN_CELL} m.held = false;", CELLS, MUTEX.replace("held;", "held = true;")),
        (f"{IN_CELL} u = 1; if (m.held) {{ u = 2; }} m.held = false;", CELLS, MUTEX),
        (f"{IN_CELL} m.held = false; assume(n.held == m.held);", CELLS, MUTEX),  # that of another cell comes first
        (f"{IN_CELL} m.held = false; assume(m.held == n.held);", CELLS, MUTEX),
    ],
)
def test_other_fields(body: str, declared: str, mutex: str) -> None:
    program = parse(mutex + text(body, declared))
    assert not find_locks(Layout(program)).locks
    with pytest.raises(InternalError, match="is no lock"):
        uses_of(program, "M.m.held")


def test_no_initial_value_mentions_a_lock() -> None:
    program = parse(MUTEX + text(f"{TAKE} m = false;", "static bool m; static Mutex c = new Mutex;"))
    assert program.objects is not None
    uses_of(program, "M.m")
    (mutex,) = [cell for cell in program.objects.cells if isinstance(cell, ClassCell) and cell.fields]
    cells = tuple(
        replace(cell, initial=(("held", Var("M.m")),)) if cell is mutex else cell for cell in program.objects.cells
    )
    statics = (*program.objects.statics, ("M.u", Var("M.m")))
    for objects in (replace(program.objects, cells=cells), replace(program.objects, statics=statics)):
        with pytest.raises(InternalError, match="is no lock"):
            uses_of(replace(program, objects=objects), "M.m")


M = Var("M.m")
TEST = Edge(0, Join((Not(M),), ()), 1, keeps=True)
SET = Edge(1, Store((M,), Const(True)), 2)
CLEAR = Edge(2, Store((M,), Const(False)), 3)
LEAVE = Edge(3, Return(()), 4)


@pytest.mark.parametrize(
    ("edges", "entry", "found"),
    [
        ((TEST, SET, CLEAR, LEAVE), 0, True),
        ((replace(TEST, keeps=False), SET, CLEAR, LEAVE), 0, False),
        ((replace(TEST, action=Join((Not(M), Var("M.b")), ())), SET, CLEAR, LEAVE), 0, False),
        ((replace(TEST, action=Join((Not(M),), ((Var("M.q"), Var("M.b")),))), SET, CLEAR, LEAVE), 0, False),
        ((replace(TEST, action=Join((M,), ())), SET, CLEAR, LEAVE), 0, False),
        (
            (TEST, replace(TEST, action=Join((Var("M.b"),), ()), target=2), SET, CLEAR, LEAVE),
            0,
            False,
        ),  # another branch
        ((TEST, SET, CLEAR, LEAVE), 1, False),  # the procedure begins behind the test
        ((TEST, SET, CLEAR, LEAVE, Edge(3, Assume(Const(True)), 1)), 0, False),  # another way leads there
        ((TEST, SET, replace(SET, action=Assume(Const(True)), target=3), CLEAR, LEAVE), 0, False),  # it need not be set
        ((TEST, replace(SET, action=Store((Var("M.b"),), Const(True))), CLEAR, LEAVE), 0, False),
        ((TEST, replace(SET, action=Store((M, Var("M.b")), Const(True))), CLEAR, LEAVE), 0, False),
        ((SET, CLEAR, LEAVE), 1, False),
        ((replace(SET, source=0, target=1), replace(SET, target=0), LEAVE), 3, False),  # it is set in a circle
        ((TEST, SET, CLEAR, replace(CLEAR, action=Assume(Const(True)), target=4), LEAVE), 0, False),
        ((TEST, SET, replace(CLEAR, action=Store((M,), Var("M.b"))), LEAVE), 0, False),
    ],
)
def test_the_shape_of_a_test(edges: tuple[Edge, ...], entry: int, found: bool) -> None:
    program = parse(text("u = 1;", "static bool m; static bool b;"))
    (main,) = program.procedures
    changed = replace(main, edges=edges, entry=entry, exit=4)
    given = replace(program, procedures=(changed,))
    if found:
        assert uses_of(given, "M.m") == {("main", 0): Use.TEST, ("main", 1): Use.TAKE, ("main", 2): Use.RELEASE}
        return
    with pytest.raises(InternalError, match="is no lock"):
        uses_of(given, "M.m")
