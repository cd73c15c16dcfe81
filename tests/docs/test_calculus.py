"""The Python of docs/calculus.md runs, and its assertions hold."""

from __future__ import annotations

import re

import pytest

from support import ROOT

PAGE = ROOT / "docs" / "calculus.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_run(example: str) -> None:
    assert "assert" in example
    exec(compile(example, PAGE.name, "exec"), {"__name__": "example"})
