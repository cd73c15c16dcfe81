"""Programs in C for wrong proofs that are made by hand, and the sentence that the kernel believes none of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pytest

from knaster.frontends.c import parse
from knaster.frontends.text.options import COptions
from knaster.program.model import Program
from knaster_check import Refused
from support.c_proofs import READ
from support.kernel import claims, document, kernel

Said = Mapping[str, Mapping[str, str]]
INPUTS = READ + "extern unsigned uint(void); extern unsigned long ulong(void); extern _Bool bit(void);\n"


@lru_cache
def program_of(text: str, integers: str = "machine") -> Program:
    """Return a program."""
    return parse(INPUTS + text, "p.c", options=COptions(integers=integers))


def refuses(program: Program, proof: Mapping[str, Any]) -> None:
    """The kernel does not believe a proof."""
    with pytest.raises(Refused):
        kernel(program, proof)


def invariants(program: Program, said: Said) -> dict[str, Any]:
    """Return a file with invariants."""
    return document(program, {"invariants": claims(program, said)})


HARD = "x > 1 && y > 1 && x < 4294967296 && y < 4294967296 && x * y == 4611685975477714963"
