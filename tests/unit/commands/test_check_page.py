"""`knaster check --format html`: one file, one page that stands alone, whatever the answer is."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.cli import main
from knaster.jobs.job import give_up
from knaster.report.formats import Style
from support import ROOT
from support.pages import Page

Capture = pytest.CaptureFixture[str]


def page_of(capsys: Capture, *arguments: str) -> tuple[int, str]:
    code = main(["check", *arguments, "--format", "html"])
    text = capsys.readouterr().out
    assert text.startswith("<!DOCTYPE html>\n")
    Page(text)
    return code, text


def test_a_page_has_the_verdict_the_trace_and_the_program(capsys: Capture) -> None:
    code, text = page_of(capsys, str(ROOT / "examples" / "figure1.bp"), "--target", "R")
    assert code == 10
    assert "R (line 12) is reachable (trace replayed)." in text
    assert "R: skip</td>" in text
    assert "<svg" in text and "<summary>control flow</summary>" in text


def test_a_page_without_a_trace(capsys: Capture) -> None:
    code, text = page_of(capsys, str(ROOT / "examples" / "lock.bp"), "--trace", "none")
    assert code in (0, 10)
    assert 'role="tree"' not in text


def test_a_page_about_nothing_known() -> None:
    checked = give_up("a<b.bp", "interrupted", "html", Style())
    assert checked.code == 5
    assert Page(checked.output).seen and "Interrupted." in checked.output


def test_a_name_is_no_html(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "<b>&.bp"
    file.write_text("void main() begin\n  decl x;\n  assert(x);\nend\n")
    _, text = page_of(capsys, str(file))
    assert "&lt;b&gt;&amp;.bp" in text and "<b>&.bp" not in text


def test_several_files_are_a_table(capsys: Capture) -> None:
    file = str(ROOT / "examples" / "figure1.bp")
    code, text = page_of(capsys, file, file)
    assert code == 0 and "2 answers" in text and "data-sort" in text


def test_a_file_that_is_refused_has_no_page(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "wrong.bp"
    file.write_text("void main() begin\n  x := T;\nend\n")
    assert main(["check", str(file), "--format", "html"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "wrong.bp:2" in err
