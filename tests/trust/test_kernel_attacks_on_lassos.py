"""Runs of C programs that are said to never end and do, or leave their cycle: the kernel believes none of them."""

from __future__ import annotations

import pytest

from knaster.checkers.files import proof_to_text
from support.attacks.on_lassos import NAMES, changed_lasso, prove_endless
from support.c_attacks import refuses
from support.kernel import kernel


@pytest.mark.parametrize("name", NAMES)
def test_wrong_lassos(name: str) -> None:
    refuses(*changed_lasso(name))


def test_the_right_one_is_believed() -> None:
    result = prove_endless()
    assert kernel(result.program, proof_to_text(result)).claim == "endless"
