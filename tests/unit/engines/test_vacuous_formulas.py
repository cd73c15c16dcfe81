"""Remarks on formulas that hold for lack of something: antecedents first, then atoms; only those of one moment."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.ltl import to_text
from knaster.automata.ltl_parser import parse_ltl
from knaster.engines.vacuous_formulas import candidates_of, remarks_on
from knaster.evidence.answers.answer import Diverges

THREADS = """decl x := 0;
void main_1() begin A: skip; B: x := 1; C: skip; D: skip; end
void main_2() begin E: skip; if (F) then NEVER: skip; fi L: while (1) do skip; od end
"""
MODEL = """class Main {
  static bool x;
  activate static void one() { A: x = true; C: x = false; }
  activate static void two() { E: x = x; if (false) { NEVER: x = true; } while (true) { L: x = x; } }
};
"""


def test_what_is_asked() -> None:
    found = [
        (to_text(each), antecedent) for each, antecedent in candidates_of(parse_ltl("G (p & !q -> F r) & (X p -> q)"))
    ]
    assert found == [("p & !q", True), ("p", False), ("q", False), ("r", False)]


def test_in_words() -> None:
    said = remarks_on(parse_ltl("G (p -> F q)"), lambda _: False)
    assert said == ("p never holds in a run, so what follows from it says nothing", "q never holds in a run")
    assert remarks_on(parse_ltl("G (p -> F q)"), lambda _: True) == ()


CASES = [("a.bp", THREADS, "states"), ("a.bp", THREADS, "explicit"), ("a.zing", MODEL, "explicit")]


@pytest.mark.parametrize(("file", "text", "engine"), CASES)
def test_threads_and_models(file: str, text: str, engine: str) -> None:
    result = knaster.check(text, file=file, engine=engine, property="G (NEVER -> F ended)")
    assert any("NEVER never holds in a run, so" in note for note in result.notes)
    assert any("ended never holds" in note for note in result.notes)
    result = knaster.check(text, file=file, engine=engine, property="G (C -> F at(L)) | F A", fair="weak")
    assert not any("never holds" in note for note in result.notes)  # what holds later is looked for, too


@pytest.mark.parametrize(("file", "text", "engine"), CASES)
def test_a_shortest_bad_prefix_comes_first(file: str, text: str, engine: str) -> None:
    """Whatever the run does afterwards, it goes straight to where the formula is violated."""
    result = knaster.check(text, file=file, engine=engine, property="G !C")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None and answer.checked
    first = answer.lasso.stem.segments[0]
    assert first.thread == 1 and sum(len(path.steps) for path in first.paths) >= (3 if file == "a.bp" else 2)
