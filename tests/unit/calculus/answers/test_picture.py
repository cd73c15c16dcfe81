"""What a notebook shows of a solution."""

from __future__ import annotations

import pytest

from knaster.calculus import evaluate, parse
from knaster.cli import main
from support import ROOT

TEXT = (ROOT / "examples" / "calculus" / "game.mu").read_text("utf-8")


def test_a_solution_shows_its_answers_and_its_sizes() -> None:
    shown = evaluate(parse(TEXT), record=True)._repr_html_()
    assert shown.startswith("<table>") and "Win(1)" in shown and "<svg" in shown and "Rounds: Win" in shown
    assert "<svg" not in evaluate(parse(TEXT))._repr_html_()


def test_a_page_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(ROOT / "examples" / "calculus" / "game.mu"), "--format", "html"]) == 0
    page = capsys.readouterr().out
    assert (
        page.startswith("<!DOCTYPE html>")
        and "Win(9)" in page
        and "<main>" in page
        and "http://" not in page.replace("http://www.w3.org", "")
    )
