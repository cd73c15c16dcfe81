"""What is said besides an answer about C: overflow, undefined steps, functions that nobody defines."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.results.answer import Verdict
from knaster.results.render.harness import harness


def notes(text: str, verdict: Verdict, **options: Any) -> list[str]:
    result = knaster.check(text, file="t.c", engine="search", **options)
    assert result.verdict is verdict
    assert all(note in " ".join(result.to_text().split()) for note in result.notes)
    return list(result.notes)


def test_a_run_with_an_overflow_says_where() -> None:
    text = "int main(void) {\n int x = 2147483647;\n x = x + 1;\n x = x - 5;\n assert(x > 0 && 0);\n return 0; }\n"
    lines = [note.split(":")[1] for note in notes(text, Verdict.FALSE)]
    assert lines == ["3", "4"]
    assert notes(text, Verdict.FALSE, integers="mathematical") == []
    assert notes(text.replace("int x", "unsigned x"), Verdict.FALSE) == []


def test_an_endless_run_with_an_overflow_says_where() -> None:
    text = "int main(void) {\n int x = 1, y = 2147483647;\n while (x) {\n y = -y; y = y - 2;\n }\n return 0; }\n"
    result = knaster.check(text, file="t.c", engine="search", property="termination")
    assert result.verdict is Verdict.FALSE and any(note.startswith("t.c:4:") for note in result.notes)


def test_an_endless_run_that_overflows_later_says_where() -> None:
    body = "int m = f(), x = 1, y = 0;\n while (x <= m) {\n x = x + 1;\n y = m - 3;\n }"
    text = f"int f(void);\nint main(void) {{\n {body} }}\n"
    result = knaster.check(text, file="t.c", property="termination")
    assert result.verdict is Verdict.FALSE  # where m is the largest integer
    said = "t.c:5: a signed integer may overflow when this run goes on, and wraps then, which C leaves open"
    assert [note for note in result.notes if "overflow" in note] == [said]
    result = knaster.check(text.replace("int m = f(), x", "unsigned m = f(), x"), file="t.c", property="termination")
    assert result.verdict is Verdict.FALSE and said not in result.notes


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("y = 6 / x;", "a division by zero"),
        ("y = 6 % (x + 1);", "a division by zero"),
        ("y = 1 << x;", "a shift too far"),
        ("y = a[x];", "an index out of range"),
        ("a[x] = 1;", "an index out of range"),
    ],
)
def test_a_proof_names_steps_that_may_be_undefined(step: str, what: str) -> None:
    text = "int main(void) {\n int a[2] = {0}; int x = __VERIFIER_nondet_bool(); int y = 0;\n STEP\n assert(y < 9); }\n"
    assert notes(text.replace("STEP", step), Verdict.TRUE) == [f"t.c:3: {what} is not excluded; a run would end there"]
    assert notes(text.replace("STEP", "y = 6 / 2 + (1 << 1) + a[1] - 5; a[0] = 1;"), Verdict.TRUE) == []


def test_functions_that_nobody_defines_are_named() -> None:
    text = "int f(int);\nvoid g(void);\nint main(void) {\n g();\n if (f(1) == 7) reach_error();\n return 0; }\n"
    found = notes(text, Verdict.FALSE)
    assert [note.split(" is ")[0] for note in found] == ["t.c:4: 'g'", "t.c:5: 'f'"]
    assert "reach_error (line 5)" in knaster.check(text, file="t.c", engine="search").to_text()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_harness_defines_what_the_run_does_not_call_too(tmp_path: Path) -> None:
    text = (
        "int f(int); void g(void); unsigned h(void);\nextern void reach_error(void);\n"
        "int main(void) {\n g();\n if (f(1) == 7) reach_error();\n return (int)h(); }\n"
    )
    result = knaster.check(text, file="t.c", engine="search")
    assert result.trace is not None
    (tmp_path / "t.c").write_text(text)
    (tmp_path / "out.c").write_text(harness(result.program, result.trace))
    binary = tmp_path / "binary"
    subprocess.run(["cc", "-w", "-o", binary, tmp_path / "t.c", tmp_path / "out.c"], check=True, timeout=60)
    assert subprocess.run([binary], capture_output=True, timeout=60).returncode == 10
