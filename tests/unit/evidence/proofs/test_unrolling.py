"""A depth in a file: from nothing to the deepest, and words for it."""

from __future__ import annotations

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.unrolling import DEEPEST, Unrolling, from_fields, to_fields, to_words
from knaster.frontends.c import parse

PROGRAM = parse("int main(void) { return 0; }\n", "a.c")


@pytest.mark.parametrize("depth", [0, 1, DEEPEST])
def test_both_ways(depth: int) -> None:
    assert from_fields(to_fields(Unrolling(PROGRAM, depth), PROGRAM), PROGRAM, 0, Budget()).depth == depth


@pytest.mark.parametrize("depth", [-1, DEEPEST + 1, True, "1", None])
def test_what_is_no_depth(depth: object) -> None:
    with pytest.raises(ProofError, match="the depth is none"):
        from_fields({"unrolling": {"depth": depth}}, PROGRAM, 0, Budget())


def test_words() -> None:
    said = {depth: " ".join(to_words(Unrolling(PROGRAM, depth), PROGRAM, False)) for depth in (1, 2)}
    assert "once" in said[1] and "times" not in said[1] and "2 times" in said[2]
