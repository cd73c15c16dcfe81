"""Channel use: who is alone with a channel, what a step does with one, and what a table must name."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.transactions.channel_use import Act, ChannelUse
from knaster.frontends.zing import parse
from knaster.program.model import Program
from knaster.program.types import Reference

TEXT = """
chan Box int;
class Main {
  static Box fixed = new Box;
  static Box moving;
  static int seen;
  activate static void main() { moving = new Box; moving = fixed; BODY }
};
"""
BOX = Reference("Box", 1)
OTHER = Reference("Box", 2)


def program(body: str = "send(fixed, 1);") -> Program:
    return parse(TEXT.replace("BODY", body), "a.zing")


def use(*crowded: str) -> ChannelUse:
    return ChannelUse(program(), crowded)


STATICS = {"Main.fixed": BOX, "Main.moving": OTHER, "Main.seen": 0}
SEND, RECEIVE, LOOK = Act.SEND, Act.RECEIVE, Act.LOOK


def test_only_a_static_that_never_changes_names_a_channel() -> None:
    found = use()
    assert "Main.fixed" in found.fixed and "Main.moving" not in found.fixed
    assert found.is_alone(BOX, STATICS, SEND, 1) and found.is_alone(OTHER, STATICS, SEND, 2)
    assert set(found.users) == {(SEND, "Main.fixed"), (SEND, "class Box")}


def test_what_is_no_channel() -> None:
    found = use()
    assert not found.is_alone(Reference("Main", 1), STATICS, SEND, 1) and not found.users


def test_one_thread_sends_and_another_receives() -> None:
    found = use()
    for _ in range(2):
        assert found.is_alone(BOX, STATICS, SEND, 1)
        assert found.is_alone(BOX, STATICS, RECEIVE, 2)


@pytest.mark.parametrize(
    ("acts", "word"),
    [
        ([(SEND, 1), (SEND, 2)], "send"),
        ([(RECEIVE, 1), (RECEIVE, 2)], "receive"),
        ([(SEND, 1), (LOOK, 2)], "send"),
        ([(LOOK, 1), (RECEIVE, 2)], "receive"),
        ([(RECEIVE, 2), (SEND, 1), (LOOK, 1)], "receive"),
    ],
)
def test_several_threads_are_named_or_refused(acts: list[tuple[Act, int]], word: str) -> None:
    found = use()
    with pytest.raises(InternalError, match=f"several threads {word} with 'Main.fixed'"):
        for act, thread in acts:
            found.is_alone(BOX, STATICS, act, thread)
    named = use("send Main.fixed", "receive Main.fixed")
    assert not any(named.is_alone(BOX, STATICS, act, thread) for act, thread in acts)


def test_who_looks_is_never_alone() -> None:
    found = use()
    assert not found.is_alone(BOX, STATICS, LOOK, 1)
    assert found.is_alone(BOX, STATICS, SEND, 1) and found.is_alone(BOX, STATICS, RECEIVE, 1)


def acts(body: str) -> list[Act]:
    return list(ChannelUse(program(body), ()).acts.values())


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("send(fixed, 1);", [SEND]),
        ("send(fixed, seen);", [SEND]),
        ("send(fixed, sizeof(fixed));", []),
        ("select { receive(fixed, seen) -> ; }", [RECEIVE]),
        ("select { receive(fixed, seen) -> ; wait(seen == 1) -> ; }", []),
        ("select { receive(fixed, seen) -> ; receive(moving, seen) -> ; }", []),
        ("select { wait(seen == 0) -> ; }", []),
    ],
)
def test_what_the_text_does(body: str, found: list[Act]) -> None:
    assert acts(body) == found


def test_to_receive_inside_a_region_is_to_look() -> None:
    found = ChannelUse(program("select { receive(fixed, seen) -> ; }"), ())
    (place,) = found.acts
    assert found.act_at(place, False) is RECEIVE and found.act_at(place, True) is LOOK
    assert found.act_at((place[0], -1), False) is LOOK
    (place,) = (sending := use()).acts
    assert sending.act_at(place, True) is SEND
