"""A statement is shown with single spaces, its literals as they are written."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.program.model import Program
from knaster.report.source import SourceText


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("x   =\t1;", "x = 1;"),
        ('f("  42",  x);', 'f("  42", x);'),
        (r"""g('"',   "\"  ");""", r"""g('"', "\"  ");"""),
        ("L:   x = 1;", "L: x = 1;"),
        ('broken("  ', 'broken("'),
    ],
)
def test_a_statement(line: str, shown: str) -> None:
    program = Program((), (), source=line)
    start = line.index("x") if line.startswith("L") else 0
    assert SourceText(program).statement(Span(1, start + 1, len(line) - start)) == shown
