"""The may side as a Boolean program that every engine reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("z3")

import knaster
from benchmarks.levels import levels
from knaster.cli import main
from knaster.decide.shown_forms import boolean_abstraction
from knaster.frontends.languages import spelling_of
from support.exact_abstraction import EXAMPLES, Sides, example, read

SIGNS = ["main: g < 0", "main: g > 0"]
ENGINES = ("summaries", "pushdown", "calculus")


def signs(count: int) -> list[str]:
    return SIGNS + [f"level_{i}: g {sign} 0" for i in range(1, count + 1) for sign in "<>"]


@pytest.mark.parametrize(
    ("text", "predicates", "target", "reached"),
    [
        (example("ex0"), ["main: x > 0"], None, False),
        (example("ex0"), [], None, False),  # the guard of ERROR contradicts that of its loop within one way
        (example("ex0").replace("if (x <= 0)", "while (y > 5) y = 0; if (x <= 0)"), [], None, True),
        (example("ex1"), ["main: x == 2", "f2: z == 2"], "HERE", True),
        (levels(2, False), signs(2), None, True),
        (levels(3, False), signs(3), None, False),
        (levels(3, True), signs(3), None, False),
        (levels(3, True), SIGNS, None, True),
    ],
)
def test_every_engine_says_what_may_says(
    text: str, predicates: Sequence[str], target: str | None, reached: bool
) -> None:
    kept = boolean_abstraction(read(text), target, predicates)
    printed = spelling_of(kept).to_text(kept)
    for engine in ENGINES:
        assert knaster.check(printed, file="test.bp", engine=engine).verdict.value == ("FALSE" if reached else "TRUE")
    grouped: dict[str, list[str]] = {}
    for predicate in predicates:
        name, _, condition = predicate.partition(": ")
        grouped.setdefault(name, []).append(condition)
    assert Sides(text, grouped, target or "ERROR").may_reach() is reached


def test_variables_are_called_by_their_predicates(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(EXAMPLES / "ex0.c")
    assert main(["show", path, "--as", "boolean", "--integers", "mathematical", "--predicate", "main: x > 0"]) == 0
    text = capsys.readouterr().out
    assert "decl {x > 0};" in text
    (tmp_path / "ex0.bp").write_text(text)
    assert main(["check", str(tmp_path / "ex0.bp")]) == 0


def test_combinations_that_no_state_has_are_excluded() -> None:
    kept = boolean_abstraction(
        read("int main(void) { int x; ERROR: return 0; }\n"), None, ["main: x > 0", "main: x > 5"]
    )
    assert "enforce {x > 0} | !{x > 5};" in spelling_of(kept).to_text(kept)


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        ("x > 0", "a predicate is written 'FUNCTION: COMPARISON'"),
        ("mian: x > 0", "did you mean 'main'?"),
        ("main: z > 0", "undeclared identifier 'z'"),
        ("main: x > 0 && y > 0", "give each comparison alone"),
        ("main: x >", "is no predicate"),
    ],
)
def test_what_is_no_predicate_is_refused(predicate: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES / "ex0.c"), "--engine", "yasm", "--predicate", predicate]) == 1
    assert message in capsys.readouterr().err
