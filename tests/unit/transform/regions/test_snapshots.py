"""Texts that are stored as a whole."""

from __future__ import annotations

import pytest

from knaster.program.memory import Snapshot
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.snapshots import known_bytes
from support.regions import compare_with_memory


def test_bytes_of_a_constant() -> None:
    assert known_bytes(Snapshot(6, ((0, 4, 0x01020304), (4, 2, 7)))) == [4, 3, 2, 1, 7, 0]
    with pytest.raises(Refused):
        known_bytes(Snapshot(2, ((0, 1, 7),)))


def test_a_text_is_stored() -> None:
    text = 'int main(void) { char t[4] = "ab", *p = t; int n = 0; while (*p++) n += p[-1]; if (n == 195) { ERROR: ; } '
    assert compare_with_memory(text + "return 0; }", "reach")[1] == 1
