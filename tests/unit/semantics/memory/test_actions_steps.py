"""Actions one at a time: stores, local objects, calls by name and through pointers, and functions of the library."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.program.expression import Compare, Comparison, Const, Var
from knaster.program.memory import (
    NULL,
    Address,
    Addresses,
    Begin,
    Chunk,
    Form,
    Invoke,
    Library,
    ObjectDeclaration,
    Store,
)
from knaster.program.model import Assign, Assume, Call, Edge, Return
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.actions import Codes, _constant_image, agree, steps_of
from knaster.semantics.memory.failure import Fault, Unclear
from knaster.semantics.memory.objects import LOCAL
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.memory_desk import Desk, symbolic_desk

TEXT = """void far(int); int in(void); int g;
int one(int x) { return x; }
int none(void) { return 7; }
int many(int x, ...) { return x; }
int main(void) { int *p = &g; int (*f)(int) = one; int (*h)(void) = none; int (*m)(int, ...) = many;
  void (*q)(int) = far; q(1); return *p + f(1) + h() + m(1, 2); }
"""
INT = Form("4", ("4",))


def desk_of(*values: Any, **options: Any) -> Desk:
    return Desk(*values, text=TEXT, **options)


def act(desk: Desk, action: Any) -> str:
    """Do an action; return the kind of the undefined step that it is."""
    codes: Codes = desk.machine.codes
    edge = Edge(0, action, 1)
    try:
        codes._compile(edge)[2](desk.machine, desk.frame)
    except Fault as fault:
        return fault.kind
    except Unclear:
        return "unclear"
    return ""


@pytest.mark.parametrize("offset", range(-1, 6))
@pytest.mark.parametrize("packed", [False, True])
def test_stores(offset: int, packed: bool) -> None:
    """A number and a term, at a number and at a term: two of six bytes."""
    inside, fits = 0 <= offset <= 4, packed or offset % 2 == 0
    for late in (False, True):
        for term in (False, True):
            desk, inputs = symbolic_desk(offset, -2 if term else 0, text=TEXT)
            at = desk.new(size=6)
            where = inputs.choose(Int(8), "", 0)  # type: ignore[arg-type]
            value = inputs.choose(Int(16), "", 0)  # type: ignore[arg-type]
            place = Address(at.base, where if late else offset)
            desk.frame.registers["v"] = value if term else -2
            found = act(desk, Store(Const(place), Var("v"), Int(16), packed=packed))
            assert found == ("" if inside else "bounds")
            if inside:
                wanted = [None] * offset + [0xFE, 0xFF] + [None] * (4 - offset)
                assert [inputs.number(byte) for byte in desk.bytes(at)] == wanted
                assert late or term or desk.object(at).cells == {offset: (2, 0xFFFE)}  # an unsigned number
                assert desk.lapses == ([] if fits else ["alignment"])


def test_what_must_not_be_written() -> None:
    desk = desk_of()
    at = desk.new(size=4, kind="global", writable=False)
    for value in (5, Address(2, 0)):
        type = Int(32) if value == 5 else Addresses(4)
        assert act(desk, Store(Const(at), Const(value), type)) == "read-only"
        assert act(desk, Store(Const(at), Const(value), type, initial=True)) == ""
    assert act(desk, Store(Const(desk.new(size=4)), Const(5), Int(32), initial=True)) == ""
    assert act(desk, Store(Const(Address(at.base, 1)), Const(5), Chunk(1), packed=True)) == "read-only"


@pytest.mark.parametrize(("size", "constant", "wanted"), [(0, True, ""), (0, False, "length"), (1, False, "")])
def test_local_objects(size: int, constant: bool, wanted: str) -> None:
    desk = desk_of()
    desk.frame.registers["n"] = size
    assert act(desk, Begin("x", Const(size) if constant else Var("n"), True, False)) == wanted
    if not wanted:
        found = desk.machine.objects[desk.frame.objects["x"]]
        assert (found.size, found.kind, found.zeroed, found.writable) == (size, LOCAL, True, False)
    desk.frame.registers["n"] = -1
    assert act(desk, Begin("x", Var("n"))) == "length"
    desk.frame.registers["n"] = Address(1, 0)
    assert act(desk, Begin("x", Var("n"))) == "length"


@pytest.mark.parametrize(("value", "wanted"), [(0, "length"), (1, ""), (9, "")])
def test_lengths_that_are_inputs(value: int, wanted: str) -> None:
    desk, inputs = symbolic_desk(value, text=TEXT)
    desk.frame.registers["n"] = inputs.choose(Int(32), "", 0)  # type: ignore[arg-type]
    assert act(desk, Begin("x", Var("n"))) == wanted
    if not wanted:
        size = desk.machine.objects[desk.frame.objects["x"]].size
        assert isinstance(size, Symbol) and inputs.number(size) == value


def test_calls_by_name() -> None:
    desk = desk_of()
    act(desk, Call("many", (Const(1), Const(2), Const(3)), ("r",)))
    frame = desk.frame
    assert frame.code.procedure.name == "many" and frame.registers == {"x": 1} and frame.extra == (2, 3)
    assert frame.targets == ("r",) and frame.after == 1
    act(desk, Return((Const(4), Const(5))))
    assert desk.frame.results == (4, 5)
    act(desk, Assign(("y",), (Const(6),)))
    assert desk.frame.registers["y"] == 6
    with pytest.raises(InternalError):
        act(desk, Assign(("y", "z"), (Const(6), Const(7))))


@pytest.mark.parametrize(
    ("name", "offset", "form", "arguments", "wanted"),
    [
        ("one", 0, INT, (5,), ""),
        ("one", 1, INT, (5,), "call"),
        ("one", 0, Form("void", ("4",)), (5,), "call"),
        ("one", 0, Form("4", None), (), "call"),
        ("one", 0, Form("4", None), (5, 6), ""),
        ("none", 0, Form("4", ()), (), ""),
        ("many", 0, Form("4", ("4",), True), (5, 6), ""),
        ("far", 0, Form("void", ("4",)), (5,), "unclear"),
        ("g", 0, INT, (5,), "call"),
        (NULL, 0, INT, (5,), "null"),
        (NULL, 4, INT, (5,), "call"),
    ],
)
def test_calls_through_pointers(name: Any, offset: int, form: Form, arguments: tuple[int, ...], wanted: str) -> None:
    desk = desk_of()
    base = desk.machine.address_of(desk.frame, name).base if isinstance(name, str) else 0
    given = tuple(Const(argument) for argument in arguments)
    assert act(desk, Invoke(Const(Address(base, offset)), given, ("r",), form)) == wanted
    if wanted:
        assert len(desk.machine.frames) == 1
        return
    count = len(desk.frame.code.procedure.parameters)
    assert desk.frame.code.procedure.name == name and desk.frame.extra == arguments[count:]
    assert tuple(desk.frame.registers.values()) == arguments[:count] and desk.frame.after == 1


@pytest.mark.parametrize(
    ("own", "form", "agrees"),
    [
        (INT, INT, True),
        (INT, Form("4", None), True),
        (INT, Form("4", ("8",)), False),
        (INT, Form("void", ("4",)), False),
        (INT, Form("void", None), False),
        (INT, Form("4", ("4",), True), False),
        (INT, Form("4", None, True), True),
        (Form("4", None), INT, True),
        (Form("4", None), Form("void", ("4",)), False),
        (Form("4", None), Form("4", ("4",), True), False),
        (Form("4", ("4",), True), INT, False),
        (Form("4", ("4",), True), Form("4", None), True),
        (Form("4", ("4",), True), Form("void", None), False),
        (Form("4", ("4",), True), Form("4", ("8",), True), False),
    ],
)
def test_functions_of_one_form(own: Form, form: Form, agrees: bool) -> None:
    assert agree(own, form) is agrees


def test_names_and_numbers_of_functions() -> None:
    codes = desk_of().machine.codes
    assert all(codes.names[address.base] == name for name, address in codes.functions.items())
    assert len(codes.names) == len(codes.functions) == len(set(codes.functions.values()))
    assert {"one", "none", "many", "main"} <= codes.functions.keys()
    code = codes.code("one")
    assert codes.code("one") is code and list(steps_of(code)) == [
        step[0] for steps in code.steps.values() for step in steps
    ]


def test_of_several_conditions_the_last_is_not_evaluated() -> None:
    codes = desk_of().machine.codes
    less = Compare(Comparison.LESS, Var("x"), Const(3))
    yes, no, done = Edge(0, Assume(less), 1), Edge(0, Assume(less), 2), Edge(0, Assign(("x",), (Const(1),)), 3)
    both = codes._compile_all((yes, no))
    assert both[0][1] is not None and both[1][1] is None and [step[0] for step in both] == [yes, no]
    assert codes._compile_all((yes,))[0][1] is not None
    mixed = codes._compile_all((done, yes))
    assert mixed[0][1] is None and mixed[1][1] is not None


@pytest.mark.parametrize(
    ("cells", "image"),
    [
        ([], {}),
        ([(0, Int(32), -1), (4, Int(8), 300)], {0: (4, 2**32 - 1), 4: (1, 44)}),
        ([(0, BOOL, True)], {0: (1, 1)}),
        ([(0, Int(32), 1), (3, Int(8), 1)], None),
        ([(0, Int(32), 1), (4, Int(8), 1)], {0: (4, 1), 4: (1, 1)}),
        ([(0, Addresses(8), 0)], None),
        ([(0, Int(64), Address(1, 0))], None),
        ([(4, Int(8), 1), (0, Int(8), 1)], None),
    ],
)
def test_images_of_objects(cells: list[tuple[int, Any, Any]], image: Any) -> None:
    declared = ObjectDeclaration("o", 8, tuple((at, type, Const(value)) for at, type, value in cells))
    assert _constant_image(declared) == image
    variable = ObjectDeclaration("o", 8, ((0, Int(8), Var("x")),))
    assert _constant_image(variable) is None


def test_functions_of_the_library_take_terms_or_numbers() -> None:
    """Some take inputs as they are; printing takes them as they are where nobody wants the result."""
    desk, inputs = symbolic_desk(5, 5, 5, text=TEXT)
    for name in "abc":
        desk.frame.registers[name] = inputs.choose(Int(64, False), "", 0)  # type: ignore[arg-type]
    act(desk, Library("malloc", (Var("a"),), "r", None))
    assert isinstance(desk.object(desk.frame.registers["r"]).size, Symbol)
    act(desk, Library("aligned_alloc", (Const(8), Var("a")), "r", None))
    assert desk.object(desk.frame.registers["r"]).size == 5
    taken = []
    inputs.take_value = lambda number: taken.append(number.name) or 5  # type: ignore[method-assign,func-returns-value]
    format = Const(desk.text("%x"))
    act(desk, Library("printf", (format, Var("b")), None, None))
    assert not taken
    act(desk, Library("printf", (format, Var("b")), "n", None))
    assert taken == ["in1:u64"] and desk.frame.registers["n"] == 1
    act(desk, Library("free", (Const(NULL),), None, None))
    act(desk, Library("memset", (Const(NULL), Const(0), Const(0)), None, None))
    assert set(desk.frame.registers) == {"a", "b", "c", "r", "n"}


def test_uninterpreted_functions_take_terms() -> None:
    desk, inputs = symbolic_desk(5, 6, text=TEXT)
    desk.frame.registers["a"] = inputs.choose(Int(32), "", 0)  # type: ignore[arg-type]
    inputs.take_value = None  # type: ignore[method-assign,assignment]
    assert act(desk, Library("__CPROVER_uninterpreted_f s32", (Var("a"),), "r", None)) == ""
    assert isinstance(desk.frame.registers["r"], Symbol)


@pytest.mark.parametrize(("model", "zeros"), [("LP64", 63), ("ILP32", 31)])
def test_builtins_know_how_long_a_long_is(model: str, zeros: int) -> None:
    codes = Codes(knaster.parse(TEXT, file="a.c", data_model=model))
    count: Any = codes.function("__builtin_clzl")
    assert count(None, None, (1,), None) == zeros
    assert codes.function("malloc") is desk_of().machine.codes.function("malloc")


def test_sizes_of_local_objects() -> None:
    text = "int main(void) { int a[3]; int *p = a; return *p; }\n"
    codes = Codes(knaster.parse(text, file="a.c"))
    assert codes.is_local("main", "a") and not codes.is_local("main", "p") and not codes.is_local("other", "a")
    assert codes.local_size("main", "a") == 12
