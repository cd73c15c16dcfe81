"""The tutorial docs/concurrency.md says what the code does: its Python is run, and its program is the example.

Its sessions are run by `test_pages`, as those of every page.
"""

from __future__ import annotations

import re

import pytest

from knaster.frontends.boolean import parse
from support import ROOT

PAGE = (ROOT / "docs" / "concurrency.md").read_text("utf-8")


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "concurrency.md", "exec"), {})


def test_the_program_is_the_example() -> None:
    (text,) = re.findall(r"```bp\n(.*?)```", PAGE, re.DOTALL)
    shown, example = parse(text), parse((ROOT / "examples" / "threads" / "driver.bp").read_text("utf-8"))
    assert (shown.globals, shown.init, shown.threads) == (example.globals, example.init, example.threads)
    assert [(p.name, p.edges) for p in shown.procedures] == [(p.name, p.edges) for p in example.procedures]


def test_every_command_is_run() -> None:
    """A command stands in a console block, or is a form with FILE in it."""
    plain = re.sub(r"```console\n.*?```", "", PAGE, flags=re.DOTALL)
    assert all("FILE" in command for command in re.findall(r"knaster (?:check|show|compare)[^`\n]*", plain))
