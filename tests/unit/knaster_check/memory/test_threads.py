"""Machines with threads: copies that go on by themselves, states that are compared, steps that nobody notices."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import read_program
from knaster_check.memory import threads as module
from knaster_check.memory.codes import Codes
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.machine import Frame
from knaster_check.memory.threads import PlainInputs, ThreadedMachine, is_private, key_of
from knaster_check.memory.values import Address, Following, Image, Piece
from knaster_check.program import Assign, Assume, Begin, Call, Edge, Return, Write
from knaster_check.refused import Unsupported
from support.kernel_desk import nothing


def machine() -> ThreadedMachine:
    made = ThreadedMachine(nothing(), Inputs(), lambda kind, place, at_once: None)
    made.begin_thread("f", 5)
    return made


CHANGES: dict[str, Any] = {
    "depth": lambda own: setattr(own, "depth", 1),
    "the end": lambda own: setattr(own, "over", True),
    "a thread": lambda own: own.begin_thread("f", 5),
    "an argument": lambda own: own.threads[1].frames[0].values.update({"a": 6}),
    "a truth value": lambda own: own.threads[1].frames[0].values.update({"a": True}),
    "a float": lambda own: own.threads[1].frames[0].values.update({"a": 5.0}),
    "a place": lambda own: setattr(own.threads[1].frames[0], "location", 1),
    "the way back": lambda own: setattr(own.threads[1].frames[0], "after", 3),
    "targets": lambda own: setattr(own.threads[1].frames[0], "targets", ("x",)),
    "a result": lambda own: setattr(own.threads[1].frames[0], "results", (1,)),
    "further": lambda own: setattr(own.threads[1].frames[0], "further", (1, 2)),
    "an end": lambda own: setattr(own.threads[1], "ended", True),
    "a join": lambda own: setattr(own.threads[1], "joined", True),
    "nobody joins": lambda own: setattr(own.threads[1], "detached", True),
    "what is said": lambda own: setattr(own.threads[1], "result", 4),
    "what is awaited": lambda own: setattr(own.threads[1], "awaits", Address(0, 4)),
    "an answer": lambda own: own.answers.update({"getenv": 1}),
    "an object": lambda own: own.begin(own.threads[1].frames[0], "o", 4, False, True),
    "a zeroed object": lambda own: own.begin(own.threads[1].frames[0], "o", 4, True, True),
    "a constant object": lambda own: own.begin(own.threads[1].frames[0], "o", 4, False, False),
    "a larger object": lambda own: own.begin(own.threads[1].frames[0], "o", 5, False, True),
    "an object of no name": lambda own: own.threads[1].frames[0].owned.append(own.allocate(4, "local").base),
    "a lost object": lambda own: own.allocate(4, "heap"),
    "an image": lambda own: own.threads[1].frames[0].values.update({"a": Image(2, {0: 1})}),
    "another image": lambda own: own.threads[1].frames[0].values.update({"a": Image(2, {0: 2})}),
    "a larger image": lambda own: own.threads[1].frames[0].values.update({"a": Image(3, {0: 1})}),
    "a piece": lambda own: own.threads[1].frames[0].values.update({"a": Piece(Address(0, 1), 0, 8)}),
    "another piece": lambda own: own.threads[1].frames[0].values.update({"a": Piece(Address(0, 1), 1, 8)}),
    "a null pointer": lambda own: own.threads[1].frames[0].values.update({"a": Address(0, 0)}),
    "a function": lambda own: own.threads[1].frames[0].values.update({"a": Address(-1, 0)}),
}


def test_states_that_differ_have_other_keys() -> None:
    keys = {key_of(machine())}
    for change in CHANGES.values():
        changed = machine()
        change(changed)
        twin = changed.copy()
        assert key_of(twin) == key_of(changed)
        assert key_of(changed) not in keys
        keys.add(key_of(changed))
    assert key_of(machine()) in keys


def test_which_thread_runs_matters_in_a_section() -> None:
    for depth in (0, 1):
        one, other = machine(), machine()
        one.depth = other.depth = depth
        other.switch(2)
        assert (key_of(one) == key_of(other)) is (depth == 0)


def test_objects_and_functions_have_other_names() -> None:
    keys = []
    for turned in (False, True):
        made = machine()
        values = [Address(made.allocate(4, "local").base, 0), Address(-1, 0)]
        made.threads[1].frames[0].values.update(zip("ab", values[::-1] if turned else values, strict=True))
        keys.append(key_of(made))
    assert keys[0] != keys[1]


def test_zeros_have_a_sign() -> None:
    keys = []
    for value in (0.0, -0.0, float("nan"), float("nan")):
        made = machine()
        made.threads[1].frames[0].values["a"] = value
        keys.append(key_of(made))
    assert keys[0] != keys[1] and keys[2] == keys[3]


def test_what_is_lost_is_a_living_object_of_the_heap() -> None:
    for kind, alive, reached, lost in (
        ("heap", True, False, True),
        ("heap", True, True, False),
        ("heap", False, False, False),
        ("local", True, False, False),
    ):
        made = machine()
        where = made.allocate(4, kind)
        made.objects[where.base].alive = alive
        made.threads[1].frames[0].values["a"] = where if reached else 5
        assert key_of(made)[0][3] is lost


def test_who_is_alone() -> None:
    made = machine()
    made.begin_thread("f", 5)
    made.switch(2)
    twin = made.copy()
    assert twin.frames is twin.threads[1].frames
    for ended, alone in (([], False), ([1], False), ([1, 2], True), ([2, 3], True), ([1, 2, 3], False)):
        for number, thread in enumerate(made.threads, 1):
            thread.ended = number in ended
        assert made.is_alone is alone


def test_a_copy_goes_on_by_itself() -> None:
    for change in CHANGES.values():
        first = machine()
        before, twin = key_of(first), first.copy()
        change(twin)
        assert key_of(first) == before
        assert twin.frames is twin.threads[0].frames


def test_bytes_are_part_of_a_state() -> None:
    def with_bytes(bytes: dict[int, Any], alive: bool = True, kind: str = "local") -> Any:
        made = machine()
        where = made.allocate(4, kind)
        made.threads[1].frames[0].values["a"] = where
        made.objects[where.base].bytes, made.objects[where.base].alive = bytes, alive
        return key_of(made), key_of(made.copy())

    found = [
        with_bytes({}),
        with_bytes({0: 1}),
        with_bytes({1: 1}),
        with_bytes({0: 2}),
        with_bytes({}, False),
        with_bytes({}, kind="heap"),
    ]
    assert all(one == other for one, other in found) and len({one for one, _ in found}) == 6


def test_names_of_objects_do_not_matter() -> None:
    def with_two(turned: bool) -> Any:
        made = machine()
        one, other = made.allocate(4, "heap"), made.allocate(8, "heap")
        if turned:
            other, one = made.allocate(8, "heap"), one
        made.threads[1].frames[0].values.update({"a": other, "b": one})
        made.objects[other.base].bytes = {0: Piece(one, 0, 8)}
        for base in [
            base for base in made.objects if base not in (one.base, other.base) and made.objects[base].kind == "heap"
        ]:
            del made.objects[base]
        return key_of(made)

    assert with_two(False) == with_two(True)


def edge(action: Any, *forgets: str) -> Edge:
    return Edge(0, action, 1, 1, False, forgets)


PLAIN = (("variable", "x"),)
LOAD = (("object", "x"), ("load", ("int", 32, True), False, 1, 1))
CHOICE = (("choice", ("int", 32, True)),)
TRUE = (("truth", True),)


@pytest.mark.parametrize(
    ("taken", "private"),
    [
        *[(edge(Assign(("x",), (PLAIN,), TRUE)), True), (edge(Assume(PLAIN)), True), (edge(Return((PLAIN,))), True)],
        *[(edge(Call("f", (PLAIN,), (), (), ())), True), (edge(Begin("new", PLAIN, False, True)), True)],
        *[
            (edge(Assign(("x",), (LOAD,), TRUE)), False),
            (edge(Assume(CHOICE)), False),
            (edge(Begin("own", PLAIN, False, True)), False),
        ],
        *[(edge(Assign(("x",), (PLAIN,), TRUE), "own"), False), (edge(Assign(("x",), (PLAIN,), TRUE), "x"), True)],
        *[(edge(Write(PLAIN, PLAIN, ("int", 32, True), False, False)), False), (edge(Return((LOAD,))), False)],
    ],
)
def test_steps_that_nobody_notices(taken: Edge, private: bool) -> None:
    frame = Frame(nothing().code("f"), {})
    frame.objects = {"own": 1}
    assert is_private(taken, frame) is private


def test_the_next_step() -> None:
    own = machine()
    own.switch(2)
    frame = own.frames[-1]
    frame.location = frame.code.procedure.exit
    assert not own.is_private()  # the thread ends with it
    own.frames.append(frame)
    assert own.is_private()
    frame.owned = [1]
    assert not own.is_private()
    frame.owned, frame.objects = [], {"o": 1}
    assert not own.is_private()


def test_who_may_run() -> None:
    own = machine()
    assert own.may_run == [1, 2] and not own.is_alone
    own.threads[1].ended = True
    assert own.may_run == [1] and own.is_alone
    own.over = True
    assert own.may_run == []
    own = machine()
    own.switch(2)
    own.depth = 1
    assert own.may_run == [2]


def test_main_ends_all() -> None:
    for thread in (1, 2):
        own = machine()
        own.switch(thread)
        own.frames[-1].location, own.frames[-1].results = own.frames[-1].code.procedure.exit, (7,)
        own.depth = 1
        own.step()
        assert own.threads[thread - 1].ended and own.threads[thread - 1].result == 7 and own.depth == 0
        assert own.over is (thread == 1)


def test_a_thread_that_ends_itself() -> None:
    own = machine()
    own.switch(2)
    own.begin(own.frames[-1], "o", 4, False, True)
    own.frames[-1].owned.append(own.allocate(1, "local").base)
    ending = [*own.frames[-1].objects.values(), *own.frames[-1].owned]
    own.end_thread(3)
    assert (
        not own.frames
        and own.threads[1].result == 3
        and not own.over
        and not any(own.objects[base].alive for base in ending)
    )


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    own = machine()
    for _ in range(48):
        own.begin_thread("f", 1)
    with pytest.raises(Unsupported, match="too many threads"):
        own.begin_thread("f", 1)
    inputs = PlainInputs([3])
    assert inputs.choose(("int", 8, False)) == 3 and inputs.reach == [3] and inputs.choose(("bool",)) is False
    monkeypatch.setattr(module, "MOST", 256)
    assert not isinstance(PlainInputs([0]).choose(("int", 8, False)), Following)
    monkeypatch.setattr(module, "MOST", 255)
    with pytest.raises(Unsupported, match="too many values"):
        PlainInputs([0]).choose(("int", 8, False))


def test_objects_of_threads_are_not_known() -> None:
    text = "_Thread_local int x; int main(void) { int *p = &x; return *p; }\n"
    codes = Codes(read_program(program_to_kernel(load(text, file="a.c", objects="always"))))
    with pytest.raises(Unsupported, match="'x'"):
        ThreadedMachine(codes, Inputs(), lambda kind, place, at_once: None)
