"""Reading what was printed gives the same program, and printing that gives the same text."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from knaster.frontends.boolean import parse
from knaster.frontends.boolean.printer import to_text
from knaster.program.model import Program
from knaster.program.validate import validate
from support.generators.boolean_programs import LARGE, SMALL, programs, random_program
from support.generators.boolean_texts import random_text, texts

FACTOR = float(os.environ.get("KNASTER_EXAMPLES", "1"))
LAW = settings(max_examples=max(1, int(30 * FACTOR)), deadline=None, suppress_health_check=list(HealthCheck))


def check(program: Program) -> None:
    text = to_text(program)
    again = parse(text)
    assert again == program
    assert to_text(again) == text


@LAW
@given(texts())
def test_texts(text: str) -> None:
    check(parse(text))


@LAW
@given(texts())
def test_texts_of_another_dialect(text: str) -> None:
    check(parse(text, dialect="boppo"))


@LAW
@given(programs(SMALL))
def test_programs(program: Program) -> None:
    check(program)


def test_many_texts() -> None:
    for seed in range(int(80 * FACTOR)):
        program = parse(random_text(Random(seed)), dialect=("default", "boppo")[seed % 2])
        assert [problem.message for problem in validate(program, "main")] == [], seed
        check(program)


def test_many_programs() -> None:
    for seed in range(int(50 * FACTOR)):
        check(random_program(Random(seed), LARGE))


DEPTH = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "x := " + "!" * DEPTH + "x;",
        "x := " + "(x => " * DEPTH + "x" + ")" * DEPTH + ";",
        "x := " + "x = " * DEPTH + "x;",
        "if x then " * DEPTH + "x := 1;" + " fi" * DEPTH,
        "if x then " * DEPTH + "x := 1;" + " else x := 0; fi" * DEPTH,
        "if x then x := 1; else " * DEPTH + "x := 0;" + " fi" * DEPTH,
        "while x do if x then " * DEPTH + "x := 1;" + " fi od" * DEPTH,
        "if x then x := 1; else skip; fi " * DEPTH,
        "x := !x; " * 20_000,
    ],
    ids=["not", "implies", "equal", "if", "if-else", "else-if", "while-if", "row", "long"],
)
def test_deep_and_long_texts(text: str) -> None:
    program = parse(f"decl x; void main() begin {text} end")
    printed = to_text(program)
    assert to_text(parse(printed)) == printed  # `==` on such programs would recurse
    assert len(printed) < 10 * len(text) + 1000
