"""Functions of the library: what the reader of C knows by name, the machine can do."""

from __future__ import annotations

from knaster.frontends.c.memory import calls
from knaster.semantics.memory.actions import FUNCTIONS


def test_the_machine_can_do_what_the_reader_calls() -> None:
    assert FUNCTIONS.keys() >= calls._LIBRARY
    assert {"va_start", "va_arg", "va_copy", "va_end"} <= FUNCTIONS.keys()
    assert {f"overflow {sign} s32" for sign in ("add", "sub", "mul")} <= FUNCTIONS.keys()
