"""Every proof of the examples in C and Zing, and of programs with arrays and conditions, is saved and holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import knaster
from knaster.base.errors import KnasterError, ProofError, UsageError
from knaster.base.limits import Budget, Limits
from knaster.checkers.files import examine, proof_to_text
from knaster.evidence.proofs.table import PROOFS
from knaster.program.model import Kind
from knaster_check.refused import Unsupported
from knaster_check.table import KINDS
from support import ROOT
from support.c_proofs import READ
from support.kernel import kernel

_LONG = ("par-recursion.zing",)  # the kernel walks for half a minute until its states are too many
EXAMPLES = [
    pytest.param(path, marks=pytest.mark.slow) if path.name in _LONG else path
    for path in sorted((ROOT / "examples").rglob("*"))
    if path.suffix in (".c", ".zing")
]
CLAIMS = {"TRUE": {"unreachable", "ends"}, "FALSE": {"reachable", "endless"}}


@pytest.mark.parametrize("property", ["reach", "termination"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path: Path, property: str) -> None:
    if "lists" in path.parts and property == "termination":
        pytest.skip("nobody decides it, and it would take all of its time")
    try:
        few = {"states": 2_000} if path.suffix == ".zing" and property == "termination" else {}
        result = knaster.check(path, property=property, limits=Limits(seconds=20), **few)  # type: ignore[arg-type]
    except KnasterError as refused:
        pytest.skip(str(refused))  # no termination of Zing, no assertion in the file
    try:
        text = proof_to_text(result)
    except (UsageError, ProofError) as none:
        assert "proved" in str(none) or "reachable" in str(none) or "cannot be saved yet" in str(none)
        return
    try:
        assert kernel(result.program, text).claim in CLAIMS[result.verdict.value]
    except Unsupported as silent:
        memory = result.program.kind is Kind.MEMORY  # beside that: runs with references, tables between transactions
        assert memory or "there is no check" in str(silent) or "too many states" in str(silent)


def test_the_kernel_knows_every_kind_of_proof() -> None:
    assert {(kind.name, kind.marks) for kind in PROOFS} <= {(kind.name, kind.marks) for kind in KINDS}


ORDINARY = {  # programs whose proofs could not be saved once
    "a constant array": "const int t[4] = {1, 2, 3, 4}; int main(void) { int i = read(), s = 0;"
    " while (i > 0 && i < 4) { s = t[i]; i = read(); } if (s > 4) reach_error(); }",
    "an array that is written": "int a[8]; int main(void) { int i; for (i = 0; i < 8; i++) a[i] = i;"
    " if (a[3] < 0) reach_error(); }",
    "two arrays": "int a[3], b[3]; int main(void) { int i = read(); if (i < 0 || i > 2) return 0;"
    " a[i] = 5; b[i] = a[i]; while (read()) b[i] = a[i]; if (b[i] != 5) reach_error(); }",
    "a conditional expression": "int main(void) { int x = read(), y; y = x > 0 ? x : 0;"
    " while (read()) y = y > 9 ? 9 : y; if (y < 0) reach_error(); }",
    "bytes": "int main(void) { unsigned char c = octet(); int n = 0; while (c) { c = c >> 1; n = n < 8 ? n + 1 : n; }"
    " if (n > 8) reach_error(); }",
    "a call with an array": "int a[2]; int get(int i) { return i == 0 ? a[0] : a[1]; }\n"
    "int main(void) { int i = 0; a[0] = 1; a[1] = 2; while (i < 9) { if (get(i % 2) > 2) reach_error(); i++; } }",
}


@pytest.mark.parametrize("engine", [None, "horn"])
@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_programs(name: str, engine: str | None) -> None:
    result = knaster.check(READ + ORDINARY[name], file="p.c", engine=engine, limits=Limits(seconds=20))
    if result.verdict.value != "TRUE":
        pytest.skip(f"'{engine}' does not decide it")
    text = proof_to_text(result)
    assert examine(text, result.program, 1 << 16, Budget()).targets
    assert kernel(result.program, text).claim == "unreachable"
