"""The record of a path to a stack."""

from __future__ import annotations

import knaster


def test_it_says_how_long_it_is() -> None:
    found = knaster.crash("void main() begin\nskip;\nskip; end\n", "main:3")
    assert repr(found) == "<CrashPath <text>: 2 statements to main:3>"
