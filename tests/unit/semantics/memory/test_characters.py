"""Classes of characters, of numbers and of symbols: nothing is chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from knaster.program.expression import NOWHERE
from knaster.program.types import Int
from knaster.semantics.memory.characters import is_within
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.memory_desk import Desk, symbolic_desk

CLASSES: dict[str, Callable[[str], bool]] = {
    "isalpha": lambda c: c.isalpha(),
    "isdigit": lambda c: c.isdigit(),
    "isalnum": lambda c: c.isalnum(),
    "isspace": lambda c: c in " \t\n\v\f\r",
    "isblank": lambda c: c in " \t",
    "isupper": lambda c: "A" <= c <= "Z",
    "islower": lambda c: "a" <= c <= "z",
    "isxdigit": lambda c: c in "0123456789abcdefABCDEF",
    "ispunct": lambda c: 33 <= ord(c) <= 126 and not c.isalnum(),
    "isprint": lambda c: 32 <= ord(c) <= 126,
    "isgraph": lambda c: 33 <= ord(c) <= 126,
    "iscntrl": lambda c: ord(c) < 32 or ord(c) == 127,
}


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_characters(name: str) -> None:
    """Of ASCII; nothing else is of a class."""
    desk = Desk()
    for code in range(-1, 256):
        assert desk.call(name, code) == int(0 <= code < 128 and CLASSES[name](chr(code)))


def test_letters() -> None:
    desk = Desk()
    for code in range(-1, 256):
        small, great = (code + 32 if 65 <= code <= 90 else code), (code - 32 if 97 <= code <= 122 else code)
        assert (desk.call("tolower", code), desk.call("toupper", code)) == (small, great)


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_symbols(name: str) -> None:
    """The answer is a term: no value is chosen, and no way is taken."""
    for code in (
        -1,
        0,
        9,
        13,
        14,
        31,
        32,
        33,
        47,
        48,
        57,
        58,
        64,
        65,
        70,
        71,
        90,
        91,
        97,
        102,
        103,
        122,
        123,
        126,
        127,
        200,
    ):
        desk, inputs = symbolic_desk(code)
        found = desk.call(name, inputs.choose(Int(32), "", NOWHERE))
        assert isinstance(found, Symbol) and found.bounds == (0, 1)
        assert inputs.number(found) == int(0 <= code < 128 and CLASSES[name](chr(code)))


def test_bounds_of_a_symbol_decide() -> None:
    _, inputs = symbolic_desk(7)
    code = inputs.choose(Int(8, False), "", NOWHERE)
    assert is_within(code, ((-5, -1), (256, 300))) is False
    assert is_within(code, ((300, 400), (0, 255))) is True
    assert is_within(code, ((0, 255), (3, 4))) is True
