"""The first pass over a Zing model: every type by its name, and declarations that make none."""

from __future__ import annotations

import pytest

from knaster.frontends.zing.declarations import Declared, declarations
from knaster.frontends.zing.kinds import INT
from knaster.frontends.zing.lexer import tokenize
from knaster.frontends.zing.mistakes import Mistakes
from knaster.program.objects import ArrayCell, ChannelCell, SetCell
from knaster.program.types import BOOL, Enumeration, Pointer, Struct


def declared(text: str) -> tuple[Declared, list[str]]:
    mistakes = Mistakes(tokenize(text, []))
    found = declarations(mistakes.tokens, mistakes)
    return found, [problem.message for problem in mistakes.problems]


def test_every_kind_of_type() -> None:
    found, problems = declared(
        "struct Pair { Flag f; int n; }; enum Flag { up, down }; range Few -1 .. 0x2;"
        "array Row[3] Pair; array Any[] int; chan Line bool; set Bag Row;"
    )
    flag = Enumeration("Flag", ("up", "down"))
    pair = Struct("Pair", (("f", flag), ("n", INT)))
    assert not problems and found.kinds.types["Pair"] == pair and found.kinds.ranges == {"Few": (-1, 2)}
    assert found.kinds.collections == {
        "Row": ArrayCell("Row", pair, 3),
        "Any": ArrayCell("Any", INT, None),
        "Line": ChannelCell("Line", BOOL),
        "Bag": SetCell("Bag", Pointer("Row")),
    }


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("enum E { a, a };", ["'a' is there twice"]),
        ("enum E { a }; range E 1 .. 2;", ["there is already a type 'E' (line 1)"]),
        ("struct S { S s; };", ["the struct 'S' contains itself"]),
        ("struct S { T t; }; struct T { S s; };", ["the struct 'T' contains itself"]),
        ("struct S { int n; bool n; };", ["the struct 'S' has two fields 'n'"]),
        ("array A[2] Nothing;", ["there is no type 'Nothing'"]),
        ("set Z ulong;", ["'ulong' is not read by Knaster"]),
        ("enum E { a } set Z E;", ["a declaration ends with ';'"]),
        ("class C { void m() {", ["this '{' is not closed", "expected the '}' of 'C', found the end of the text"]),
        (
            "int g; enum E { };",
            ["expected a declaration: class, struct, enum, range, chan, set, array or interface, found 'int'"],
        ),
        ("range R 1.5 .. 2; enum E { a, };", ["expected a number, found '1.5'"]),
    ],
)
def test_what_declares_nothing(text: str, problems: list[str]) -> None:
    assert declared(text)[1] == problems


def test_reading_goes_on_behind_a_mistake() -> None:
    found, problems = declared("enum { a }; struct S { int n; };")
    assert problems == ["expected the name of an enum, found '{'"] and "S" in found.kinds.types
