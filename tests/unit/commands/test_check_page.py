"""`knaster check --format html`: one file, one page that stands alone, whatever the answer is."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from knaster.cli import main
from knaster.jobs.job import give_up
from knaster.report.formats import Style
from support import ROOT

Capture = pytest.CaptureFixture[str]
UNCLOSED = {"meta", "br", "rect", "path", "line", "circle"}


class Page(HTMLParser):
    """Reads a page: every element is closed where it should be, and nothing comes from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.open += [] if tag in UNCLOSED else [tag]
        for name, value in attrs:
            assert name not in ("src", "onclick")
            assert name != "href" or (value or "").startswith("#")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(capsys: Capture, *arguments: str) -> tuple[int, str]:
    code = main(["check", *arguments, "--format", "html"])
    text = capsys.readouterr().out
    assert text.startswith("<!DOCTYPE html>\n")
    assert "script" not in Page(text).seen
    return code, text


def test_a_page_has_the_verdict_the_trace_and_the_program(capsys: Capture) -> None:
    code, text = page_of(capsys, str(ROOT / "examples" / "figure1.bp"), "--target", "R")
    assert code == 10
    assert "R (line 12) is reachable (trace replayed)." in text
    assert ">R: skip</td>" in text
    assert "<svg" in text and "<summary>control flow</summary>" in text


def test_a_page_without_a_trace(capsys: Capture) -> None:
    code, text = page_of(capsys, str(ROOT / "examples" / "lock.bp"), "--trace", "none")
    assert code in (0, 10)
    assert "<table" not in text


def test_a_page_about_nothing_known() -> None:
    checked = give_up("a<b.bp", "interrupted", "html", Style())
    assert checked.code == 5
    assert Page(checked.output).seen and "a&lt;b.bp: UNKNOWN. Interrupted." in checked.output


def test_a_name_is_no_html(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "<b>&.bp"
    file.write_text("void main() begin\n  decl x;\n  assert(x);\nend\n")
    _, text = page_of(capsys, str(file))
    assert "&lt;b&gt;&amp;.bp" in text and "<b>&" not in text


def test_a_page_is_about_one_file(capsys: Capture) -> None:
    file = str(ROOT / "examples" / "figure1.bp")
    assert main(["check", file, file, "--format", "html"]) == 1
    assert "html shows one file" in capsys.readouterr().err


def test_a_file_that_is_refused_has_no_page(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "wrong.bp"
    file.write_text("void main() begin\n  x := T;\nend\n")
    assert main(["check", str(file), "--format", "html"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "wrong.bp:2" in err
