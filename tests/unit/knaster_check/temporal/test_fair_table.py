"""What a fair table says: the formula and the fairness that it was made for, and no target."""

from __future__ import annotations

import json

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster_check import Refused
from support.kernel import kernel

TEXT = "decl x := 0;\nvoid one() begin x := 1; end\nvoid two() begin L: skip; end\n"


@pytest.mark.parametrize(("asked", "claim"), [("F {x}", "holds"), ("termination", "ends")])
def test_the_verdict_names_what_was_asked(asked: str, claim: str) -> None:
    result = knaster.check(TEXT, property=asked, fair="weak", threads=("one", "two"), engine="explicit", file="p.bp")
    document = json.loads(proof_to_text(result))
    verdict = kernel(result.program, document)
    assert (verdict.claim, verdict.fair) == (claim, "weak")
    assert verdict.formula == (document["fair_table"]["formula"] or "") and (verdict.formula != "") is (
        asked == "F {x}"
    )
    target = {"name": "line 3", "procedure": "two", "location": result.program.procedure("two").entry}
    with pytest.raises(Refused, match="no target"):
        kernel(result.program, {**document, "targets": [target]})
