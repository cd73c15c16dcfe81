"""The tutorial docs/temporal.md says what the code does: its Python is run, and its program is the example."""

from __future__ import annotations

import re

import pytest

from knaster.frontends.boolean import parse
from support import ROOT

PAGE = (ROOT / "docs" / "temporal.md").read_text("utf-8")


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "temporal.md", "exec"), {})


def test_the_program_is_the_example() -> None:
    (text,) = re.findall(r"```bp\n(.*?)```", PAGE, re.DOTALL)
    shown, example = parse(text), parse((ROOT / "examples" / "temporal" / "driver.bp").read_text("utf-8"))
    assert (shown.globals, shown.init) == (example.globals, example.init)
    assert [(p.name, p.edges) for p in shown.procedures] == [(p.name, p.edges) for p in example.procedures]


def test_the_formula_of_the_calculus_is_that_of_the_engine() -> None:
    page = (ROOT / "docs" / "calculus.md").read_text("utf-8")
    own = (ROOT / "src" / "knaster" / "engines" / "calculus" / "fair.mu").read_text("utf-8")
    assert own[own.index("mu bool Summary") :].strip() in page
