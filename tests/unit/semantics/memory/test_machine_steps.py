"""The machine: which bytes may be used, what stands in memory, activations, and steps one by one or many at once."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.memory import (
    NULL,
    NULL_PAGE,
    Address,
    Addresses,
    Chunk,
    Floating,
    Fragment,
    Part,
    Snapshot,
)
from knaster.program.state import NoInput
from knaster.program.types import BOOL, Int
from knaster.semantics.memory import machine as machines
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.arguments import ARGUMENTS, TEXT
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.inputs import Candidates, Given, Numbers
from knaster.semantics.memory.machine import COPIED, Machine, describe, from_raw, to_raw
from knaster.semantics.memory.objects import ELSEWHERE, GLOBAL, HEAP, LITERAL, LOCAL
from knaster.semantics.memory.unknown import LateInputs, Unknown
from support.memory_desk import Desk, symbolic_desk
from support.symbol_values import Table

BYTE = Int(8, False)


def failure(work: Any, *given: Any, **more: Any) -> str:
    """Return the kind of an undefined step, and its words."""
    with pytest.raises(Fault) as caught:
        work(*given, **more)
    return f"{caught.value.kind}: {caught.value.message}"


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("offset", range(-1, 5))
def test_which_bytes_may_be_used(size: int, offset: int) -> None:
    desk = Desk()
    at = desk.new(size=4)
    place = Address(at.base, offset)
    if 0 <= offset <= 4 - size:
        assert desk.machine.usable(place, size, NOWHERE) is desk.object(at)
        desk.machine.kill(at.base)
        assert failure(desk.machine.usable, place, size, NOWHERE).startswith("dead: o (4 bytes) is used after")
    else:
        byte = offset if offset < 0 else offset + size - 1
        assert failure(desk.machine.usable, place, size, NOWHERE) == f"bounds: byte {byte} of o (4 bytes) is used"


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (NULL, "null"),
        (Address(0, NULL_PAGE - 1), "null"),
        (Address(0, NULL_PAGE), "invalid-pointer"),
        (Address(0, 1 - NULL_PAGE), "null"),
        (Address(0, -NULL_PAGE), "invalid-pointer"),
        (Address(-1, 0), "invalid-pointer"),
    ],
)
def test_what_is_no_object(place: Address, kind: str) -> None:
    found = failure(Desk().machine.usable, place, 1, NOWHERE)
    assert found.startswith(kind) and ("a function is used" in found) is (place.base < 0)


def test_nothing_is_named_as_its_first_byte() -> None:
    desk = Desk()
    assert failure(desk.machine.usable, desk.new(size=4), 5, NOWHERE).startswith("bounds: byte 4")
    assert failure(desk.machine.usable, Address(desk.new(size=2).base, 3), 0, NOWHERE).startswith("bounds: byte 3")


@pytest.mark.parametrize("asked", [(), ("overflow",), (("overflow", 3, 4),), (("overflow", 3, 5),), ("null",)])
def test_steps_after_which_runs_go_on(asked: tuple[Any, ...]) -> None:
    from knaster.base.errors import Span

    desk = Desk(strict=asked)
    if asked and asked[0] in ("overflow", ("overflow", 3, 4)):
        assert failure(desk.machine.lapse, "overflow", Span(3, 4), "so").startswith("overflow: so")
        return
    desk.machine.lapse("overflow", Span(3, 4), "so")
    assert desk.lapses == ["overflow"]


@pytest.mark.parametrize(("size", "offset", "noted"), [(4, 2, True), (4, 4, False), (16, 8, False), (16, 4, True)])
def test_alignment(size: int, offset: int, noted: bool) -> None:
    """To the size, and to no more than a pointer has."""
    desk = Desk()
    desk.machine.check_alignment(Address(desk.new(size=32).base, offset), size, NOWHERE)
    assert desk.lapses == (["alignment"] if noted else [])
    desk = Desk()
    desk.machine.check_alignment(Address(0, offset), size, NOWHERE)
    assert desk.lapses == []


@pytest.mark.parametrize("value", [2, 4, 9])
@pytest.mark.parametrize("mask", [0, 3])
def test_places_that_depend_on_inputs(value: int, mask: int) -> None:
    desk, inputs = symbolic_desk(value)
    place = Address(desk.new(size=12).base, inputs.choose(BYTE, "", NOWHERE))
    if value == 9:
        assert failure(desk.machine.check_place, place, 4, mask, NOWHERE).startswith("bounds")
        return
    if value % 4 == 0:
        inputs.take_value = None  # type: ignore[assignment,method-assign]  # no number is chosen
    desk.machine.check_place(place, 4, mask, NOWHERE)
    assert desk.lapses == (["alignment"] if mask and value % 4 else [])


def test_what_a_name_stands_for() -> None:
    text = """extern void far(void); int g;
int main(void) { goto over; { int x[3]; over: ; int *p = x; *p = g; void (*f)(void) = far; } return 0; }
"""
    desk = Desk(text=text)
    machine, frame = desk.machine, desk.frame
    assert desk.object(machine.address_of(frame, "g")).kind == GLOBAL
    far = machine.address_of(frame, "far")
    assert desk.object(far).kind == ELSEWHERE and machine.address_of(frame, "far") == far
    assert machine.is_function_elsewhere(far.base) and not machine.is_function_elsewhere(99)
    assert not machine.is_function_elsewhere(machine.globals["g"].base)
    (name,) = [name for procedure, name in machine.codes._sizes if procedure == "main" and name.startswith("x")]
    local = machine.address_of(frame, name)
    assert desk.object(local).kind == LOCAL and desk.object(local).size == 12
    assert machine.address_of(frame, name) == local and frame.objects[name] == local.base
    desk.object(local).write(0, 4, 7)
    machine.begin(frame, name, 12, False, False)
    assert desk.object(local).alive and not desk.object(local).cells and not desk.object(local).writable
    assert machine.address_of(frame, name) == local


def test_there_are_not_too_many_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    monkeypatch.setattr(machines, "MOST_OBJECTS", desk.machine.allocated + 2)
    desk.new(1)
    desk.new(1)
    with pytest.raises(Unclear, match="objects"):
        desk.new(1)
    monkeypatch.setattr(machines, "DEEPEST", 2)
    desk.machine.enter(desk.frame.code, (), (), 0, ())
    with pytest.raises(Unclear, match="nested more than 2 deep"):
        desk.machine.enter(desk.frame.code, (), (), 0, ())


def test_dead_objects_have_no_bytes() -> None:
    desk, inputs = symbolic_desk(0)
    at = desk.new(1, 2)
    desk.object(at).write(inputs.choose(BYTE, "", NOWHERE), 1, 7)
    assert desk.object(at).log
    desk.machine.kill(at.base)
    assert not desk.object(at).alive and not desk.object(at).cells and desk.object(at).log is None


@pytest.mark.parametrize(
    ("value", "type", "raw"),
    [
        (-1, Int(16), 0xFFFF),
        (True, BOOL, 1),
        (5, Int(64), 5),
        (1.0, Floating(32), 0x3F800000),
        (NULL, Addresses(8), 0),
        (Address(0, -1), Addresses(8), 2**64 - 1),
        (Address(3, 4), Addresses(8), Address(3, 4)),
        (Fragment(NULL, 0, 8), BYTE, Fragment(NULL, 0, 8)),
    ],
)
def test_values_stand_in_memory(value: Any, type: Any, raw: Any) -> None:
    found = to_raw(value, type)
    assert found == raw and found.__class__ is raw.__class__
    if not isinstance(raw, Fragment) and value != Address(0, -1):
        back = from_raw(raw, type, NOWHERE)
        assert back == value and back.__class__ is value.__class__


@pytest.mark.parametrize(
    ("raw", "type", "wanted"),
    [
        (2**64 - 1, Addresses(8), Address(0, 2**64 - 1)),
        (2, BOOL, "boolean"),
        (1, BOOL, True),
        (0, BOOL, False),
        (255, Int(8), -1),
        (Fragment(NULL, 0, 8), Addresses(8), "unclear"),
        (Address(3, 0), Floating(64), "unclear"),
        (2**32 + 0x3F800000, Floating(32), 1.0),
        (Fragment(NULL, 0, 8), BYTE, Fragment(NULL, 0, 8)),
        (Address(3, 0), Int(64), Address(3, 0)),
    ],
)
def test_what_stands_in_memory(raw: Any, type: Any, wanted: Any) -> None:
    try:
        found = from_raw(raw, type, NOWHERE)
    except Fault as fault:
        found = fault.kind
    except Unclear:
        found = "unclear"
    assert found == wanted and found.__class__ is wanted.__class__


@pytest.mark.parametrize("value", [0, 1, 2])
def test_truth_values_that_are_inputs(value: int) -> None:
    inputs = Table(value)
    late = LateInputs()
    late.ranges.append((value, value))
    term = inputs.choose(BYTE, "", NOWHERE)
    for raw in (term, Unknown(late, 0)):
        if value == 2:
            assert failure(from_raw, raw, BOOL, NOWHERE).startswith("boolean")
        else:
            assert bool(from_raw(raw, BOOL, NOWHERE)) is bool(value)
    if value == 2:
        return
    assert inputs.number(from_raw(term, Int(8), NOWHERE)) == value and to_raw(term, Int(32)).type == Int(32, False)
    assert from_raw(Unknown(late, 0), Int(8), NOWHERE).bounds == (value, value)


def test_loads_of_what_nobody_wrote() -> None:
    """All of it is one input; where some bytes are written, the others are inputs one by one; a struct is settled."""
    desk = Desk(-2, 9, 8)
    at = desk.new(None, None, None, None, 5, None, None, 6)
    load = desk.machine.load
    assert load(at, Int(32), NOWHERE) == -2 and load(at, Int(32), NOWHERE) == -2
    assert load(Address(at.base, 4), Int(32), NOWHERE) == 5 + (9 << 8) + (8 << 16) + (6 << 24)
    assert [each.type for each in desk.read] == [Int(32), BYTE, BYTE]
    assert [each.origin for each in desk.read][:2] == ["o, 0, not written before", "o, 5, not written before"]


def test_a_copy_is_settled_in_words() -> None:
    """Unwritten words of four bytes where they stand, the other unwritten bytes one by one."""
    desk = Desk(1, 2, 3, 4, 5, 6)
    at = desk.new(None, 7, None, None, *[None] * 5)
    found = desk.machine.load(at, Chunk(9), NOWHERE)
    assert [each.type.width for each in desk.read] == [8, 8, 8, 32, 8] and len(found.cells) == 6
    desk = Desk(1, 2, 3, 4)
    desk.machine.load(Address(desk.new(size=9).base, 4), Chunk(5), NOWHERE)
    desk.machine.load(Address(desk.new(size=9).base, 1), Chunk(2), NOWHERE)
    assert [each.type.width for each in desk.read] == [32, 8, 8, 8]


@pytest.mark.parametrize("size", [COPIED, COPIED + 1])
def test_large_copies_are_not_settled(size: int) -> None:
    words = -(-size // 4) + 4
    desk = Desk(*[0] * words)
    found = desk.machine.load(desk.new(size=size), Chunk(size), NOWHERE)
    assert len(desk.read) == (COPIED // 4 if size == COPIED else 0) == len(found.cells)
    zeros = Desk()
    assert zeros.machine.load(zeros.new(size=8, zeroed=True), Chunk(8), NOWHERE) == Snapshot(8, ((0, 8, 0),))


def test_texts_of_main_have_no_end_inside() -> None:
    desk = Desk(65, 66)
    at = desk.new(size=3, kind=TEXT, writable=False)
    desk.object(at).write(2, 1, 0)
    assert desk.machine.load(at, Chunk(3), NOWHERE).cells == ((0, 1, 65), (1, 1, 66), (2, 1, 0))
    desk = Desk(0)
    with pytest.raises(Stopped):
        desk.machine.load(desk.new(size=3, kind=TEXT), BYTE, NOWHERE)
    desk = Desk(65, 66)
    assert desk.machine.load(desk.new(size=3, kind=TEXT), Int(16, False), NOWHERE) == 0x4241
    with pytest.raises(Unclear, match="is copied"):
        desk.machine.load(desk.new(size=16, kind=ARGUMENTS), Chunk(16), NOWHERE)


def test_stores() -> None:
    desk = Desk()
    at, kept = desk.new(size=4), desk.new(size=4, kind=GLOBAL, writable=False)
    store = desk.machine.store
    store(at, Int(16), -2, NOWHERE)
    assert desk.bytes(at) == [0xFE, 0xFF, None, None]
    assert failure(store, Address(at.base, 3), Int(16), 0, NOWHERE).startswith("bounds")
    assert failure(store, kept, Int(16), 0, NOWHERE) == "read-only: 'o' (4 bytes) is written, and it must not change"
    store(kept, Int(16), 1, NOWHERE, initial=True)
    assert desk.bytes(kept)[:2] == [1, 0]
    with pytest.raises(Unclear, match="is changed"):
        store(desk.new(size=8, kind=ARGUMENTS, writable=False), Int(16), 0, NOWHERE)
    text = desk.new(size=4, kind=TEXT, writable=False)
    store(text, BYTE, 65, NOWHERE)
    assert desk.object(text).writable and desk.bytes(text)[0] == 65
    store(at, Chunk(2), Snapshot(2, ((0, 1, 9),)), NOWHERE)
    assert desk.bytes(at) == [9, None, None, None]


def test_parts_for_those_who_look() -> None:
    desk = Desk()
    at = desk.new(2, None, *[Fragment(NULL, 0, 8)] * 2)
    part = desk.machine.part
    assert part(at.base, Part("", 0, BYTE)) == 2 and part(at.base, Part("", 1, BYTE)) is None
    assert part(at.base, Part("", 0, BOOL)) is None and part(at.base, Part("", 2, Int(16))) is None


@pytest.mark.parametrize("kind", [GLOBAL, LOCAL, HEAP, LITERAL])
def test_names_of_objects(kind: str) -> None:
    desk = Desk()
    shown = describe(desk.object(desk.new(1, kind=kind)))
    assert shown == ("'o' (1 bytes)" if kind in (GLOBAL, LOCAL) else "o (1 bytes)")


PROGRAM = """int in(void); int g = 3; char word[4] = "ab"; int *where = &g; static int wild[2];
int twice(int x) { int y[2]; y[1] = x; int *p = y; return p[1] + p[1]; }
void quiet(int x) { if (x) return; g = x; }
int main(int argc) {
  int total = argc > 100, k = in();
  for (int i = 0; i < k; i++) { int z[1]; int *q = z; *q = twice(i); total += *q; quiet(i); }
  if (total > 1000) for (;;) ;
  return total + *where;
}
"""
CODES = Codes(knaster.parse(PROGRAM, file="a.c"))


def step_by_step(machine: Machine, limit: int) -> list[Any]:
    """Take steps one at a time; return where the machine stood before each, and after how many."""
    seen = []
    for _ in range(limit):
        if not machine.frames:
            break
        seen.append((machine.frame.code.procedure.name, machine.frame.location, len(machine.frames)))
        machine.step()
    return seen


def many_at_once(machine: Machine, limit: int, most: int) -> list[Any]:
    """The same with `run`, at most so many at a time; every place is watched."""
    passed: list[Any] = []
    total = 0
    while machine.frames and total < limit:
        name, depth = machine.frame.code.procedure.name, len(machine.frames)
        places: list[Any] = []
        count = machine.run(min(most, limit - total), frozenset(range(200)), name, places)
        assert count == len(places) and count <= most
        passed += [(*place, depth) for place in places]
        total += count
    return passed


@pytest.mark.parametrize("most", [1, 2, 5, 1000])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_many_steps_at_once_are_steps(count: int, most: int) -> None:
    one, other = (Machine(CODES, Given((1, count))) for _ in range(2))
    seen, passed = step_by_step(one, 500), many_at_once(other, 500, most)
    assert seen == passed and one.result == other.result == sum(2 * i for i in range(count)) + (3 if not count else 0)
    assert not one.frames and one.objects.keys() == other.objects.keys()
    assert [found.alive for found in one.objects.values()] == [found.alive for found in other.objects.values()]
    assert all(found.kind != LOCAL or not found.alive for found in one.objects.values())


def test_only_watched_places_are_passed() -> None:
    machine = Machine(CODES, Given((1, 0)))
    places: list[Any] = []
    machine.run(1000, frozenset({machine.frame.location}), "main", places)
    assert places == [("main", CODES.code("main").procedure.entry)]


def test_runs_that_do_not_end_say_how_far_they_came() -> None:
    machine = Machine(CODES, Given((1,)))
    with pytest.raises(NoInput):
        machine.run(1000, frozenset(), "main", [])
    assert 0 < machine.cut_short < 10
    endless = Machine(CODES, Given((1, 40)))
    endless.frame.registers["total"] = 0
    while len(endless.frames) > 1 or endless.allocated < 10:
        endless.run(50, frozenset(), "main", [])
    assert endless.run(0, frozenset(), "main", []) == 0


def test_where_nothing_can_go_on() -> None:
    body = "int *p = &g; __VERIFIER_assume(*p); return 0;"
    text = f"int g; extern void __VERIFIER_assume(int);\nint main(void) {{ {body} }}\n"
    program = knaster.parse(text, file="a.c")
    for together in (False, True):
        machine = Machine(Codes(program), Given(()))
        with pytest.raises(Stopped):
            for _ in range(100):
                machine.run(100, frozenset(), "main", []) if together else machine.step()
        assert machine.frames


def test_first_objects_and_arguments() -> None:
    machine = Machine(CODES, Given((7,)))
    names = {name: machine.objects[at.base] for name, at in machine.globals.items() if at.base > 0}
    assert names["g"].read(0, 4) == 3 and names["where"].read(0, 8) == machine.globals["g"]
    assert names["word"].read(0, 4) == 0x6261 and names["wild"].zeroed and names["wild"].read(4, 4) == 0
    assert machine.frame.registers == {"argc": 7} and machine.frame.code.procedure.name == "main"
    assert isinstance(machine.inputs, Given) and machine.inputs.read[0].type == Int(32)


def test_results_go_to_the_caller() -> None:
    machine = Machine(CODES, Candidates(Numbers(CODES.program), ()))
    caller = machine.frame
    caller.registers["r"] = 5
    for results, wanted in (((8,), 8), ((8, 9), 8), ((), None)):
        machine.enter(CODES.code("twice"), (4,), ("r", None), 3, ("more",))
        assert machine.frame.registers == {"x": 4} and machine.frame.extra == ("more",)
        machine.frame.results = results
        owned = machine.allocate("a", 1, LOCAL).base
        machine.frame.owned.append(owned)
        machine.leave()
        assert machine.frame is caller and caller.location == 3 and caller.registers.get("r") == wanted
        assert None not in caller.registers
        assert not machine.objects[owned].alive
    machine.leave()
    assert machine.result is None and not machine.frames


def test_variables_that_nobody_set_are_inputs() -> None:
    desk = Desk(9)
    assert desk.machine.choose_variable(desk.frame, "z") == 9 == desk.frame.registers["z"]
    assert desk.read[0].type == BOOL
