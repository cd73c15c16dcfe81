"""Protection: to which sides a step commutes, by what it touches, what others reach, and the locks that are held."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.transactions.channel_use import Act, ChannelUse
from knaster.checkers.heap.transactions.protection import Commutes, Protection, reach
from knaster.checkers.heap.transactions.touches import Touch
from knaster.program.types import Reference
from support.zing_text import read

A, B = Reference("C", 1), Reference("C", 2)
Q = Reference("Q", 1)
PROGRAM = read("q = q;", "static int x; static bool m; static Q p; static Q q;")


def protection(unprotected: tuple[str, ...] = (), crowded: tuple[str, ...] = ()) -> Protection:
    return Protection(unprotected, ("m",), ChannelUse(PROGRAM, crowded))


def sides(
    given: Protection,
    *notes: Touch,
    mine: str = "",
    shared: set[Reference] | None,
    old: Collection[Reference] = (),
    act: Act = Act.LOOK,
    thread: int = 1,
) -> Commutes:
    statics = {"Main.x": 0, "Main.m": False, "Main.p": Q, "Main.q": None, "C.s": 2}
    return given.commutes(notes, frozenset(mine.split()), shared, old, statics, act, thread)


def test_alone_everything_commutes() -> None:
    given = protection(("x",))
    assert sides(given, ("x", True), (A, True), shared=None) is Commutes.BOTH
    assert sides(given, ("x", True), shared=set()) is Commutes.NEITHER
    assert sides(given, ("m", True), shared=set()) is Commutes.BOTH  # of locks others take care


def test_statics() -> None:
    given = protection(("x",))
    assert sides(given, ("x", False), shared=set()) is Commutes.NEITHER
    assert sides(given, ("y", False), shared=set()) is Commutes.BOTH  # nobody writes it
    assert sides(given, ("z", True), mine="m", shared=set()) is Commutes.BOTH
    assert sides(given, ("z", True), mine="m n", shared=set()) is Commutes.BOTH
    with pytest.raises(InternalError, match="'y' is not protected"):
        sides(given, ("y", True), shared=set())
    with pytest.raises(InternalError, match="'z' is not protected"):
        sides(given, ("z", False), mine="n", shared=set())  # not by the same lock


@pytest.mark.parametrize("writes", [False, True])
def test_a_later_step_may_break_the_rule(writes: bool) -> None:
    given = protection()
    assert sides(given, ("y", True), mine="m", shared=set()) is Commutes.BOTH
    with pytest.raises(InternalError, match="'y' is not protected"):
        sides(given, ("y", writes), shared=set())


def test_cells() -> None:
    given = protection(("class C",))
    assert sides(given, (A, True), shared=set()) is Commutes.BOTH  # out of reach
    assert sides(given, (A, True), shared={B}, old={B}) is Commutes.BOTH
    assert sides(given, (A, True), shared={A}) is Commutes.NEITHER
    assert sides(given, (A, True), shared={B}, old={A}) is Commutes.BOTH  # within reach before, but not now
    assert sides(given, (A, True), ("y", False), shared={A}) is Commutes.NEITHER


def test_cells_of_a_class_that_is_protected() -> None:
    assert sides(protection(), (A, False), shared={A}) is Commutes.BOTH
    assert sides(protection(), (A, True), mine="m", shared={A}) is Commutes.BOTH
    assert sides(protection(), (A, True), shared={B}) is Commutes.BOTH
    for shared, old in (({A}, set[Reference]()), (set[Reference](), {A})):  # what others had is noted, too
        with pytest.raises(InternalError, match="'class C' is not protected"):
            sides(protection(), (A, True), shared=shared, old=old)
    given = protection()
    sides(given, (A, False), shared={A})
    with pytest.raises(InternalError, match="'class C' is not protected"):
        sides(given, (B, True), shared={B})


@pytest.mark.parametrize(
    ("act", "crowded", "side"),
    [
        (Act.SEND, (), Commutes.LEFT),
        (Act.RECEIVE, (), Commutes.RIGHT),
        (Act.LOOK, (), Commutes.NEITHER),
        (Act.SEND, ("send Main.p",), Commutes.NEITHER),
        (Act.SEND, ("receive Main.p",), Commutes.LEFT),
    ],
)
def test_channels(act: Act, crowded: tuple[str, ...], side: Commutes) -> None:
    given = protection(("class Q",), crowded)
    assert sides(given, (Q, True), shared={Q}, act=act) is side
    assert sides(given, (Q, True), (A, False), shared={Q}, act=act) is side
    assert sides(given, ("y", False), (Q, True), shared={Q}, act=act) is side
    assert sides(given, (Q, True), shared=set(), old={Q}, act=act) is Commutes.BOTH
    if f"{act.value} Main.p" not in crowded and act is not Act.LOOK:
        with pytest.raises(InternalError, match="several threads"):
            sides(given, (Q, True), shared=set(), old={Q}, act=act, thread=2)


def test_what_values_lead_to() -> None:
    heap = {A: (1, B), B: (2, A), Q: (A,)}
    assert reach(heap, [A]) == {A, B} and reach(heap, [(1, (Q,))]) == {Q, A, B} and reach(heap, [1, None]) == set()
