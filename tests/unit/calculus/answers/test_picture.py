"""What a notebook shows of a solution."""

from __future__ import annotations

from knaster.calculus import evaluate, parse
from support import ROOT

TEXT = (ROOT / "examples" / "calculus" / "game.mu").read_text("utf-8")


def test_a_solution_shows_its_answers_and_its_sizes() -> None:
    shown = evaluate(parse(TEXT), record=True)._repr_html_()
    assert shown.startswith("<table>") and "Win(1)" in shown and "<svg" in shown and "Rounds: Win" in shown
    assert "<svg" not in evaluate(parse(TEXT))._repr_html_()
