"""The Python of docs/api.md runs, in order, and says what stands there."""

from __future__ import annotations

import doctest
import re

import pytest

import knaster
from support import ROOT

PAGE = ROOT / "docs" / "api.md"


def test_the_examples_say_what_stands_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    blocks = re.findall(r"```pycon\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for number, block in enumerate(blocks):
        test = parser.get_doctest(block, names, f"block {number}", PAGE.name, 0)
        assert test.examples
        runner.run(test, clear_globs=False)
        names = test.globs
    assert not runner.failures, capsys.readouterr().out


def test_every_public_name_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    for name in knaster.__all__:
        assert re.search(rf"\b{name}\b", text), f"docs/api.md does not mention {name}"
