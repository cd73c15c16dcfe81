"""Marks: a reason for every change that is let be, of a line or of one operator in it."""

from __future__ import annotations

import pytest

from mutants.changes import list_changes
from mutants.marks import Unreasoned, mark_of, read_marks

TEXT = """
def f(a, b):
    # mutant: both are never true
    if a or b:
        return a + 1  # mutant(+): only the sign is read
    s = "# mutant: no comment"
    return a > b and a  # words; mutant(>, <): they are never equal
"""


def test_a_mark_covers_its_line_or_one_operator_of_it() -> None:
    marks = read_marks(TEXT)
    reasons = {(change.line, change.token): mark_of(change, marks) for change in list_changes(TEXT, "m.py")}
    assert {place for place, mark in reasons.items() if mark is None} == {(7, "and")}
    assert {mark.reason for mark in reasons.values() if mark} == {
        "both are never true",
        "only the sign is read",
        "they are never equal",
    }


def test_a_mark_without_a_reason_is_refused() -> None:
    with pytest.raises(Unreasoned, match="line 1"):
        read_marks("x = a + b  # mutant:")
