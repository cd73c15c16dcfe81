"""Fair effects in a file: read back as they were written, and refused where a field is another one."""

from __future__ import annotations

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.heap.fair_effects import FairEffects, from_fields, to_fields
from support.kinds_of_proofs import result_with


def test_there_and_back() -> None:
    result = result_with("fair_effects")
    proof = result.answers[0][1].proof  # type: ignore[union-attr]
    assert isinstance(proof, FairEffects) and "rows" in repr(proof) and proof.unreached_places() is None  # type: ignore[func-returns-value]
    document = to_fields(proof, result.program)
    again = from_fields(document, result.program, 0, Budget())
    assert to_fields(again, result.program) == document
    for change in ({"fair": "quite"}, {"more": 1}):
        with pytest.raises(ProofError):
            from_fields({"fair_effects": {**document["fair_effects"], **change}}, result.program, 0, Budget())
