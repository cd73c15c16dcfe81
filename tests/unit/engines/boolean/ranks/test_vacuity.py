"""Remarks on formulas: what never happens, and prefixes whose runs block."""

from __future__ import annotations

import pytest

import knaster

TEXT = """decl g := 0, h;
void main() begin
  if (g) then N: skip; fi
  L: h := 1;
  if (*) then B: skip; assume(0); fi
  R: skip;
end
"""


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("G (at(N) -> F at(R))", "at(N) never holds in a run, so what follows from it says nothing"),
        ("G ({g} & at(L) -> F at(R))", "{g} & at(L) never holds in a run, so what follows"),
        ("F at(N) | F at(R)", "at(N) never holds in a run"),
        ("G !{g}", "{g} never holds in a run"),
        ("G !at(B)", "every run through it blocks"),
    ],
)
def test_what_is_said(asked: str, note: str) -> None:
    result = knaster.check(TEXT, property=asked)
    assert result.verdict.value == "TRUE" and note in result.notes[0], result.notes
    assert "Note: " in result.to_text()


@pytest.mark.parametrize(
    "asked", ["G (at(L) -> F at(R))", "G ({h} -> F ended)", "F {h}", "F ended", "G !at(R)", "G F {h}"]
)
def test_nothing_is_said_of_what_happens(asked: str) -> None:
    assert not knaster.check(TEXT, property=asked).notes
