"""Documents of YAML that are odd: refused at once, in one sentence."""

from __future__ import annotations

import pytest

from knaster.base.errors import KnasterError
from knaster.competition.documents import read_document, shown
from knaster.competition.witness import read_witness
from support.witnesses import ENDS, invariants

BILLION = "[&a [x,x,x,x,x,x,x,x,x], " + ", ".join(
    f"&{name} [{','.join([f'*{before}'] * 9)}]" for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize(
    "text", ["[" * 5000 + "]" * 5000, "- " * 3000 + "a", "&a [*a]", "? [a]\n: b", "a: b: c", "\t- a"]
)
def test_what_is_no_document(text: str) -> None:
    with pytest.raises(KnasterError, match="this is no YAML"):
        read_document(text, "w.yml")


def test_lists_that_are_huge_when_they_are_written_out() -> None:
    text = invariants(("loop_invariant", 4, "1"), specification=ENDS)
    hashes = next(line for line in text.splitlines() if "input_file_hashes" in line)
    named = text.replace(hashes, f"{hashes.partition(':')[0]}: {{p.c: {BILLION}]}}")
    assert named != text and read_witness(named, "w.yml").hashes == ()
    with pytest.raises(KnasterError, match="its data_model is a list, expected ILP32 or LP64"):
        read_witness(text.replace("data_model: LP64", f"data_model: {BILLION}]"), "w.yml")


def test_what_is_shown_of_a_document() -> None:
    said: list[object] = [None, "C", [], {}, "a" * 70]
    assert [shown(each) for each in said] == [
        "missing",
        "'C'",
        "a list",
        "a mapping",
        f"'{'a' * 60}...'",
    ]
