"""The letters of a run of one thread: one before each statement, of callees too, and not too many."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster_check.refused import Unsupported
from knaster_check.temporal import path_letters
from support.kernel import kernel

TEXT = "decl x := 0;\nvoid main() begin while (1) do f(); od end\nvoid f() begin A: x := !x; end\n"


def test_a_callee_has_letters_too_and_the_longest_run_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    result = knaster.check(TEXT, property="G !in(f)", file="p.bp")
    proof = json.loads(proof_to_text(result))
    read: list[list[set[str]]] = []
    letters_of = path_letters.letters_of

    def note(*arguments: Any) -> list[set[str]]:
        read.append(letters_of(*arguments))
        return read[-1]

    monkeypatch.setattr(path_letters, "letters_of", note)
    verdict = kernel(result.program, proof)
    assert (verdict.claim, verdict.formula) == ("violated", proof["lasso"]["formula"])
    assert {"in(f)"} in read[0] and set() in read[0]
    longest = max(map(len, read))
    monkeypatch.setattr(path_letters, "MOST", longest)
    assert kernel(result.program, proof).claim == "violated"
    monkeypatch.setattr(path_letters, "MOST", longest - 1)
    with pytest.raises(Unsupported, match="too long"):
        kernel(result.program, proof)
