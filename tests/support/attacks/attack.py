"""One attack: a program and a proof file about it that says what is not so, or is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.kernel import ask_kernel
from knaster.checkers.memory.reduced_texts import REDUCED
from knaster.program.model import Program
from knaster_check import Refused
from support.kernel import kernel

WORK = 400_000  # units that the kernel goes through a program before it is asked about the reduced one
Forged = tuple[Program, dict[str, Any]]


class Attack(NamedTuple):
    """An attack by its kind and name; what it is made of is made when it is asked for."""

    kind: str
    name: str
    make: Callable[[], Forged]

    def is_believed(self) -> bool:
        """Tell whether the kernel believes it, of the program or of one that it is reduced to."""
        program, proof = self.make()
        if any(kind in proof for kind in REDUCED):
            return is_believed_of_reduced(program, proof, WORK)
        try:
            kernel(program, proof)
        except Refused:
            return False
        return True


def is_believed_of_reduced(program: Program, proof: dict[str, Any], most: int | None) -> bool:
    """Tell whether the kernel believes a proof that is about a reduced program, of this one or of the program."""
    try:
        word = ask_kernel(program, json.dumps(proof), Budget(), most=most)
    except ProofError:
        return False
    return word.holds or word.of_reduced
