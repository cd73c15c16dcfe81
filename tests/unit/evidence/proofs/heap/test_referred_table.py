"""A table of the reference model of a Boolean program: its form in a file."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.heap.referred_table import find_referred_proof
from knaster.evidence.answers.answer import Result
from knaster.evidence.proofs.heap.referred_table import from_fields, to_fields
from support.kinds_of_proofs import SEQUENTIAL


@cache
def result() -> Result:
    """Return an answer about a Boolean program by a method for programs with references."""
    return knaster.check(SEQUENTIAL, "R", engine="patterns", file="a.bp")


def fields() -> dict[str, Any]:
    found = find_referred_proof(result().program, tuple(target for target, _ in result().answers), result().proof)
    assert found is not None
    return to_fields(found, result().program)


def test_there_and_back() -> None:
    program = result().program
    again = from_fields(fields(), program, 0, Budget())
    assert again.asked[0].name == "R" and to_fields(again, program) == fields()


@pytest.mark.parametrize("wrong", [{"asked": []}, {"table": {"states": []}}, {"table": 1}, {"more": 1}])
def test_what_is_no_proof(wrong: dict[str, Any]) -> None:
    program = result().program
    with pytest.raises(ProofError):
        from_fields({"referred": {**fields()["referred"], **wrong}}, program, 0, Budget())
