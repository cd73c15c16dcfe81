"""From the names of targets to places."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from support.trusting import SEQUENTIAL

TEXT = """decl g;
void main() begin
  L1: L2: skip;
  L2: assert(g);
  ERROR: error: R: f();
end
void f() begin
  L1: skip;
end
"""


def names(*wanted: str) -> list[str]:
    return [target.name for target in resolve_targets(parse(TEXT), wanted or None)]


def test_every_label_of_a_statement_is_a_target() -> None:
    assert names("all-labels") == ["main.L1", "main.L2", "main.L2", "ERROR", "error", "R", "f.L1"]
    assert names() == ["assert at line 4", "ERROR", "error"]


def test_every_target_comes_once() -> None:
    assert names("L1", "main.L1", "all-labels") == ["main.L1", "f.L1", "main.L2", "main.L2", "ERROR", "error", "R"]
    assert names("asserts", "asserts") == ["assert at line 4"]


@pytest.mark.parametrize("engine", SEQUENTIAL)
def test_both_labels_of_a_statement_are_answered(engine: str) -> None:
    result = knaster.check(TEXT, "all-labels", engine=engine)
    assert [(target.name, type(answer).__name__) for target, answer in result.answers] == [
        (name, "Reachable") for name in names("all-labels")
    ]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("r", "did you mean 'R'?"),
        ("l2", "did you mean 'L2'?"),
        ("Main.L1", "did you mean 'main.L1'?"),
        ("Error", "did you mean 'ERROR'?"),
        ("ERRO", "did you mean 'ERROR'?"),
        ("assert", "did you mean 'asserts'?"),
        ("xyz", "name a label, FILE:LINE, 'asserts' or 'all-labels'"),
    ],
)
def test_an_unknown_target_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as error:
        names(name)
    assert str(error.value) == f"<text>: there is no target '{name}'; {hint}"
