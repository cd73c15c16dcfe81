"""States of threads with memory in files: they are read as they were written, and what is none is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.memory.memory_states import MemoryStates, from_fields, to_fields
from knaster.program.kind import Kind

THREADED: Any = SimpleNamespace(kind=Kind.MEMORY, is_threaded=True)
FIELDS = {"states": 3, "strict": ["race"], "vague": False}


def read(fields: object, program: Any = THREADED) -> MemoryStates:
    return from_fields({"states_of_memory": fields}, program, 10, Budget())


@pytest.mark.parametrize("fair", ["none", "weak", "strong"])
def test_what_is_written_is_read(fair: str) -> None:
    proof = MemoryStates(THREADED, 7, ("overflow",), vague=True, fair=fair)
    written = to_fields(proof, THREADED)["states_of_memory"]
    assert ("fair" in written) is (fair != "none") and read(written) == proof


@pytest.mark.parametrize(
    "fields",
    [
        [],
        {},
        {**FIELDS, "more": 1},
        {**FIELDS, "fair": "very"},
        {**FIELDS, "states": "3"},
        {**FIELDS, "states": True},
        {**FIELDS, "strict": [1]},
        {**FIELDS, "strict": "race"},
        {**FIELDS, "vague": 0},
    ],
)
def test_what_is_no_proof(fields: object) -> None:
    assert read(FIELDS).states == 3
    with pytest.raises(ProofError):
        read(fields)


def test_it_is_about_threads_with_memory() -> None:
    for kind, threaded in ((Kind.MEMORY, False), (Kind.INTEGERS, True)):
        with pytest.raises(ProofError, match="the program has none"):
            read(FIELDS, SimpleNamespace(kind=kind, is_threaded=threaded))
