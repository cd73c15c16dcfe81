"""Claims of a proof file: of procedures and places that there are, each once, and with nothing left out."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster_check import Refused, read_program
from knaster_check.c.claims import read_claims, read_place
from support.c_attacks import program_of

PROGRAM = read_program(program_to_kernel(program_of("int main(void) { int i = 0; while (i < 9) i++; }")))
ALWAYS = [["truth", True]]
MAIN = PROGRAM.procedures["main"]
GOOD: dict[str, Any] = {
    "requires": [["main", ALWAYS]],
    "at": [["main", MAIN.entry, ALWAYS], ["main", MAIN.exit, ALWAYS]],
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"requires": [["nobody", ALWAYS]]}, "of no procedure"),
        ({"requires": [[7, ALWAYS]]}, "of no procedure"),
        ({"requires": [[["main"], ALWAYS]]}, "of no procedure"),
        ({"requires": [["main", ALWAYS]] * 2}, "two requirements"),
        ({"requires": []}, "does not say what"),
        ({"requires": [], "at": []}, "in which runs start"),
        ({"at": [*GOOD["at"], ["nobody", 0, ALWAYS]]}, "procedure that there is not"),
        ({"at": [*GOOD["at"], [["main"], 0, ALWAYS]]}, "procedure that there is not"),
        ({"at": [*GOOD["at"], GOOD["at"][0]]}, "two invariants"),
        ({"at": GOOD["at"][:1]}, "says nothing about"),
        ({"at": GOOD["at"][1:]}, "says nothing about"),
    ],
)
def test_what_is_no_claim_is_refused(change: dict[str, Any], why: str) -> None:
    assert len(read_claims(GOOD, PROGRAM).at) == 2
    with pytest.raises(Refused, match=why):
        read_claims({**GOOD, **change}, PROGRAM)


def test_places() -> None:
    assert read_place("main", MAIN.size - 1, PROGRAM) == ("main", MAIN.size - 1)
    for location in (MAIN.size, -1, True, "0", None):
        with pytest.raises(Refused):
            read_place("main", location, PROGRAM)
