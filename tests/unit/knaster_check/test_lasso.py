"""The kernel's check of lassos: stems and cycles are replayed, and what cannot be repeated is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.frontends.c import parse
from knaster_check import Refused
from support.c_proofs import READ
from support.kernel import kernel

ROUND = "int main(void) { int i = 3, t = 7; while (i) { t = i; i = i == 1 ? 3 : i - 1; } }"
DEEP = "int g; void f(int n) { int m = n + 1; g = m; f(n); }\nint main(void) { f(4); }"
CALLS = "int g; int f(int n) { return n == 2 ? 0 : n + 1; }\nint main(void) { int i = 0; while (1) i = f(i); }"


def lasso(text: str) -> tuple[knaster.Result, dict[str, Any]]:
    """Return a run that never ends, and its file."""
    result = knaster.check(READ + text, file="p.c", property="termination", engine="search")
    document = json.loads(proof_to_text(result))
    assert document["lasso"]["set"] is None, result.to_text()
    return result, document


@pytest.mark.parametrize("text", [ROUND, DEEP, CALLS], ids=["round", "deep", "calls"])
def test_what_is_found_is_accepted(text: str) -> None:
    result, document = lasso(text)
    assert kernel(result.program, document).claim == "endless"


def test_what_is_read_has_to_be_the_same_again() -> None:
    result, document = lasso("int main(void) { int i = 0; while (1) { i = i + 1; if (i > 2) i = 0; } }")
    assert kernel(result.program, document).claim == "endless"
    for row in document["lasso"]["paths"]:
        for step in row[3]:
            for number in range(len(result.program.procedure(row[0]).edges)):
                if number != step[0]:
                    changed, step[0] = step[0], number
                    with pytest.raises(Refused):
                        kernel(result.program, document)
                    step[0] = changed


@pytest.mark.parametrize("text", [ROUND, DEEP, CALLS], ids=["round", "deep", "calls"])
def test_what_is_left_out_is_missed(text: str) -> None:
    result, document = lasso(text)
    data = document["lasso"]
    changes: list[dict[str, Any]] = [
        {"cycle": []},
        {"stem": []},
        {"stem": data["cycle"]},
        {"deeper": not data["deeper"]},
    ]
    changes += [{"others": [["main", 0, [["truth", True]]]]}, {"paths": []}]
    for number, row in enumerate(data["paths"]):
        if row[3]:
            shorter = copy.deepcopy(data["paths"])
            shorter[number][3].pop()
            changes.append({"paths": shorter})
    for change in changes:
        with pytest.raises(Refused):
            kernel(result.program, {**document, "lasso": {**data, **change}})


def test_what_a_condition_is_computed_from_has_to_be_the_same() -> None:
    text = "int main(void) { int i = 0, j = 1; while (j) { j = i < 2; i = i + 0; } }"
    result, document = lasso(text)
    assert kernel(result.program, document).claim == "endless"
    other = parse(READ + text.replace("i + 0", "i + 1"), "p.c")
    with pytest.raises(Refused, match="ends in another state"):
        kernel(other, {**document, "program": fingerprint(other)})
