"""What stands in an expression of Zing by itself, and names that mean nothing."""

from __future__ import annotations

import pytest

from knaster.frontends.zing.kinds import INT, Class
from knaster.frontends.zing.primaries import Scope
from knaster.program.types import BOOL
from support.zing_text import messages, model, steps


def test_the_innermost_variable_of_a_name() -> None:
    owner = Class("C", 0, fields={"f": INT}, statics={"s": INT})
    scope = Scope(owner, False, [{"i": ("i", INT)}, {"i": ("i'2", BOOL), "j": ("j", INT)}])
    assert scope.local("i") == ("i'2", BOOL) and scope.local("f") is None
    assert scope.visible() == {"f", "s", "i", "j"}


@pytest.mark.parametrize(
    ("type", "text", "meant"),
    [
        ("int", "0x10", "16"),
        ("int", "-2147483648", "-2147483648"),
        ("int", "self", "self"),
        ("bool", "true", "true"),
        ("C", "null", "null"),
        ("E", "E.b", "1"),
        ("int", "C.s", "C.s"),
        ("int", "t.x", "t.x"),
        ("int", "m.f", "m.f"),
        ("int", "m.g", "Main.g"),
        ("C", "new C()", "new C"),
    ],
)
def test_values(type: str, text: str, meant: str) -> None:
    assert steps(f"S t; Main m; {type} x; x = {text};", "int f; static int g;")[0] == f"0-1 x = {meant}"


def test_fields_of_this_instance() -> None:
    assert steps("", "int f; static int g; void m(int g) { f = g; this.f = Main.g; }", "m")[:2] == [
        *("0-1 this.f = g", "1-2 this.f = Main.g")
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2147483648", "2147483648 does not fit into int"),
        ("9223372036854775808", "9223372036854775808 does not fit into 64 bits"),
        ("1.5", "floating numbers are not read by Knaster"),
        ('"a"', "strings are no values"),
        ("this", "there is no 'this' in a static method"),
        ("f", "'f' belongs to an instance; this method is static"),
        ("nothing", "there is no variable 'nothing' here"),
        ("None.x", "there is no variable and no type 'None'"),
        ("E.z", "the enum 'E' has no value 'z'"),
        ("Main.f", "the static field 'Main.f' belongs to an instance"),
        ("Main.h", "the static field 'Main.h' does not exist"),
        ("t.z", "the struct 'S' has no field 'z'"),
        ("m.z", "the class 'Main' has no field 'z'"),
        ("x.z", "int has no fields"),
        ("new I", "'I' is nothing that can be made with 'new'"),
        ("new A", "the length of 'A' is missing"),
        ("new B[3]", "'B' has the length 2"),
        ("new C[3]", "'C' is no array type"),
        ("1 + choose(bool)", "'choose' is no part of an expression"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert problem in messages(model(f"S t; Main m; int x; x = {text};", "int f;"))
