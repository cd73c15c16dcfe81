"""Ranks in files: saved, read and checked again; what is wrong in a file is said."""

from __future__ import annotations

import json

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import examine, proof_to_text
from support.temporal_programs import questions

TRUE = [(text, asked) for _, text, asked, true in questions() if true]


@pytest.mark.parametrize(("text", "asked"), TRUE[1::5])
def test_saved_ranks_are_checked_again(text: str, asked: str) -> None:
    result = knaster.check(text + "\n", property=asked)
    saved = proof_to_text(result)
    proved = examine(saved, result.program, 1 << 16, Budget())
    assert not proved.endless and (asked == "termination") == (proved.formula == "")


def test_damaged_files_are_refused() -> None:
    text = "void main() begin L: skip; f(1); end void f(x) begin if (x) then f(0); fi end\n"
    result = knaster.check(text, property="G (L -> F ended)")
    document = json.loads(proof_to_text(result))
    wrong: dict[str, list[object]] = {
        "formula": ["G (L", 7, "G F L", "F G !ended"],
        "states": ["x", -1],
        "initial": [[99], []],
        "steps": [[], [[0]]],
        "ranks": [[["f", 0, [99999]]], [["f"]], [["nobody", 0, []]], []],
        "procedures": [{}, []],
        "nodes": [[], 3],
    }
    for field, values in wrong.items():
        for value in values:
            damaged = {**document, "ranking_of_heads": {**document["ranking_of_heads"], field: value}}
            with pytest.raises(ProofError):
                examine(json.dumps(damaged), result.program, 1 << 16, Budget())
