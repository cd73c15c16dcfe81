"""The kernel checks proofs of programs of several files: its text says which line stands in which file."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import proof_to_text
from knaster.checkers.kernel import ask_kernel
from knaster.frontends.text.several import FilePart, join_files

pytest.importorskip("clang.cindex")
MAIN = """#include <assert.h>
int any(void); int get(int *p, int i);
int main(void) { int a[3] = {3, 1, 2}, n = any(); if (n < 0 || n > 2) return 0;
assert(get(a, n) > 0); return 0; }
"""
OTHER = "int get(int *p, int i) {\nreturn p[i]; }\n"
TEXT = join_files([FilePart("a.c", MAIN), FilePart("b.c", OTHER)])


def _asked(text: str = TEXT) -> tuple[knaster.Result, dict[str, Any]]:
    result = knaster.check(text, file="a.c b.c", property="safety")
    return result, json.loads(proof_to_text(result))


def test_places_and_undefined_steps_have_the_names_of_their_files() -> None:
    result, proof = _asked()
    names = [target["name"] for target in proof["targets"]]
    assert "bounds:b.c:2" in names and not any(name.startswith("bounds:2") for name in names)
    assert ask_kernel(result.program, json.dumps(proof), Budget()).holds
    assert "proof checked by the kernel" in result.to_text()
    reach = knaster.check(TEXT, file="a.c b.c", property="reach")
    assert json.loads(proof_to_text(reach))["targets"][0]["name"] == "assert at line a.c:4"
    assert ask_kernel(reach.program, proof_to_text(reach), Budget()).holds


def test_a_run_through_two_files_is_replayed() -> None:
    result, _ = _asked(TEXT.replace("n > 2", "n > 3"))
    assert "1 fails" in result.to_text() and "trace replayed by the kernel" in result.to_text()


@pytest.mark.parametrize("name", ["bounds:a.c:2", "bounds:b.c:2:9", "null:b.c:1", "division:b.c:2"])
def test_a_target_elsewhere_is_what_the_kernel_looks_at(name: str) -> None:
    result, proof = _asked(TEXT.replace("n > 2", "n > 3"))
    target = {"name": name, "procedure": "", "location": 0}
    word = ask_kernel(result.program, json.dumps({**proof, "targets": [target]}), Budget())
    assert word.holds  # what happens is bounds:b.c:2:8


@pytest.mark.parametrize(
    "name", ["bounds:b.c:2", "bounds:b.c:2:8", "bounds", "an undefined step", "bounds:2", "x:b.c:2"]
)
def test_a_reached_one_and_no_name_of_one_are_refused(name: str) -> None:
    result, proof = _asked(TEXT.replace("n > 2", "n > 3"))
    target = {"name": name, "procedure": "", "location": 0}
    with pytest.raises(ProofError, match=r"a run comes to it at line|ends so"):
        ask_kernel(result.program, json.dumps({**proof, "targets": [target]}), Budget())
    target = {"name": "assert at line b.c:4", "procedure": "main", "location": 0}
    with pytest.raises(ProofError, match="the target stands elsewhere"):
        ask_kernel(result.program, json.dumps({**proof, "targets": [target]}), Budget())
