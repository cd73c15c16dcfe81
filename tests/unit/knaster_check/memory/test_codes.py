"""Procedures that can be run: which way is taken, what a call through a pointer may be, when objects begin."""

from __future__ import annotations

import json
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, read_program
from knaster_check.memory.codes import Codes, _agree, _are_contrary
from knaster_check.memory.faults import Over
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.machine import Machine
from knaster_check.program import Form
from support.attacks.on_memory import text_of
from support.kernel_memory import Kernel


def end(body: str, inputs: list[int] | None = None) -> Any:
    """Return how a run of a program ends."""
    return Kernel(load(text_of(body), file="a.c", objects="always")).tell(inputs or [], 2_000)["end"]


def test_calls_through_pointers() -> None:
    assert end("int (*f)(int) = twice; return f(4);") == ("end", 8, "")
    assert end("int (*f)(int) = 0; return f(4);")[0] == "null"
    assert end("int (*f)(int) = (int (*)(int))5; return f(4);")[0] == "call"
    assert end("int x = 1; int (*f)(int) = (int (*)(int))&x; return f(4);")[0] == "call"
    assert end("long a = (long)twice; int (*f)(int) = (int (*)(int))(a + 1); return f(4);")[0] == "call"
    assert end("long (*f)(int) = (long (*)(int))twice; return f(4);")[0] == "call"
    assert end("int (*f)(int, int) = (int (*)(int, int))twice; return f(4, 5);")[0] == "call"
    assert end("int (*f)() = (int (*)())twice; return f(4);") == ("end", 8, "")
    assert end("int (*f)() = (int (*)())twice; return f();")[0] == "call"
    said = end("int nowhere(int); int (*f)(int) = nowhere; return f(4);")
    assert said == ("unclear", "a function is called through a pointer that nobody defines")


@pytest.mark.parametrize(
    ("own", "taken", "agree"),
    [
        (None, Form("i", ("i",), False), False),
        (Form("i", ("i",), False), Form("i", ("i",), False), True),
        (Form("i", ("i",), False), Form("l", ("i",), False), False),
        (Form("i", ("i",), False), Form("i", ("l",), False), False),
        (Form("i", ("i",), False), Form("i", None, False), True),
        (Form("i", ("i",), True), Form("i", None, False), True),
        (Form("i", ("i",), True), Form("i", ("i",), False), False),
        (Form("i", None, False), Form("i", ("i",), False), True),
    ],
)
def test_forms(own: Form | None, taken: Form, agree: bool) -> None:
    assert _agree(own, taken) is agree


def test_a_jump_into_a_block() -> None:
    assert end("goto L; { int v[2]; v[0] = 9; L: v[1] = 5; int *p = v + 1; return *p; }") == ("end", 5, "")
    assert end("goto L; { int v[2]; L: v[2] = 5; }")[0] == "bounds"


def test_lengths() -> None:
    for length, said in ((-1, "length"), (0, "length"), (1, "end")):
        assert end(f"int n = {length}, v[n], *p = v; return 1;")[0] == said
    assert end("int v[0], *p = v; return 1;") == ("end", 1, "")
    assert end("long n = (long)&n; int v[n], *p = v;")[0] == "unclear"


def test_what_may_stand_anywhere() -> None:
    packed = "struct { char a; int b; } __attribute__((packed)) s, *p = &s; p->b = 3; return p->b;"
    told = Kernel(load(text_of(packed), file="a.c", objects="always")).tell([], 500)
    assert told["end"] == ("end", 3, "") and not told["lapses"]
    wrong = "char v[9]; int *p = (int *)(v + 1); *p = 3; return *p;"
    told = Kernel(load(text_of(wrong), file="a.c", objects="always")).tell([], 500)
    assert [kind for kind, *_ in told["lapses"]] == ["alignment", "alignment"]


def test_a_number_that_nobody_sees_is_not_chosen() -> None:
    assert end('int n = input; char *p = "a"; printf("%d%s", n, p); return 1;', [5]) == ("end", 1, "")
    assert end('int n = input; char *p = "a"; int m = printf("%d%s", n, p); return m;', [5])[0] == "unclear"
    assert end('int n = input, *p = &n; char v[9]; sprintf(v, "%d", *p); return 1;', [5])[0] == "unclear"


X, Y, THREE = ["variable", "x"], ["variable", "y"], ["number", "3"]
B, C = ["variable", "b"], ["variable", "c"]


def taken(first: list[Any], second: list[Any], **values: Any) -> str:
    """Return which of two ways is taken under two conditions."""
    made = json.loads(
        program_to_kernel(load("int main(void) { int o, *p = &o; return 0; }", file="a.c", objects="always"))
    )
    main = made["procedures"][0]
    main["locals"] = ["x", "y", "b", "c"]
    main["types"] = [*main["types"], ["x", ["int", 32, True]], ["y", ["int", 32, True]]]
    main |= {"entry": 0, "exit": 1, "size": 4, "labels": [], "failures": [], "results": []}
    main["types"] = [pair for pair in main["types"] if pair[0] in ("x", "y")]
    main["edges"] = [[0, ["assume", first], 2, 1, False, [], 1], [0, ["assume", second], 3, 1, False, [], 1]]
    machine = Machine(Codes(read_program(json.dumps(made))), Inputs([1, 1]), lambda kind, place, at_once: None)
    machine.frames[-1].values = values
    try:
        machine.step()
    except Over:
        return "none"
    except Refused as refused:
        return refused.reason
    return ("first", "second")[machine.frames[-1].location - 2]


def test_ways() -> None:
    less, more, other = [X, THREE, ["compare", "<"]], [X, THREE, ["compare", ">="]], [Y, THREE, ["compare", ">="]]
    assert (
        [taken(less, more, x=x) for x in (2, 3)]
        == ["first", "second"]
        == [taken([B], [B, ["not"]], b=b) for b in (True, False)]
    )
    assert taken(less, other, x=2, y=3) == "a run can go on in two ways"
    assert taken(less, other, x=3, y=3) == "second" and taken(less, other, x=2, y=2) == "first"
    assert taken(less, other, x=3, y=2) == "none"
    assert taken(less, [X, THREE, ["compare", ">"]], x=3) == "none"
    assert (
        taken([B], [C], b=True, c=True) == "a run can go on in two ways" and taken([B], [C], b=False, c=False) == "none"
    )
    assert taken([B], [C, ["not"]], b=False, c=True) == "none"
    assert taken([["choice", ["bool"]]], [["choice", ["bool"]], ["not"]]) == "first"


def test_contraries() -> None:
    x, y, three = ("variable", "x"), ("variable", "y"), ("number", 3)
    for one, other in ((("<", ">=")), ("<=", ">"), ("==", "!=")):
        assert _are_contrary((x, three, ("compare", one)), (x, three, ("compare", other)))
        assert _are_contrary((x, three, ("compare", other)), (x, three, ("compare", one)))
        assert not _are_contrary((x, three, ("compare", one)), (y, three, ("compare", other)))
        assert not _are_contrary((x, three, ("compare", one)), (x, three, ("compare", one)))
    assert (
        _are_contrary((x,), (x, ("not",))) and not _are_contrary((x,), (y, ("not",))) and not _are_contrary((x,), (y,))
    )
    choice = ("choice", ("bool",))
    assert not _are_contrary((choice,), (choice, ("not",)))
    assert not _are_contrary((x, y, ("logic", "&")), (x, y, ("logic", "|")))
