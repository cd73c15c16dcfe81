"""A label is a place of its own, whatever the statement behind it does."""

from __future__ import annotations

import pytest

import knaster

pytest.importorskip("clang")

LABELLED = ["ERROR: ;", "ERROR: {}", "ERROR: goto end;", "ERROR: break;", "ERROR: (void)0;", "ERROR: if (1) goto end;"]


@pytest.mark.parametrize("statement", LABELLED)
@pytest.mark.parametrize(("limit", "verdict"), [(10, "TRUE"), (4, "FALSE")])
def test_only_whoever_comes_there_has_been_there(statement: str, limit: int, verdict: str) -> None:
    text = (
        f"int main() {{\n int x = 5;\n while (1) {{ if (x > {limit}) {{ {statement} }} break; }}\n end: return 0;\n}}\n"
    )
    assert knaster.check(text, file="labels.c").verdict.value == verdict
