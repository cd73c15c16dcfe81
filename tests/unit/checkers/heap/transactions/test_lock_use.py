"""Lock use: a static is a lock where the text tests and takes it in one go and clears it, and does nothing else."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.transactions.lock_use import Use, uses_of
from knaster.engines.references.transactions.lock_texts import find_locks
from knaster.frontends.zing import parse
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
    assert [len(part) for part in found] == [2, 2, 2] and found.locks == {1}
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
