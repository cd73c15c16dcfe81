"""Which steps may leave C: what types exclude is not asked for, and what is asked is asked of the right step."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

import knaster
from knaster.evidence.answers.answer import Verdict
from knaster.evidence.questions.undefined_steps import DIVISION, INDEX, OVERFLOW, SHIFT, Lapses
from knaster.frontends.languages import load

DECLARED = "int nd(void); unsigned char byte(void);\nint a[4]; int m, k; unsigned char b; unsigned u; long l;\n"


def found(step: str, integers: str = "machine") -> list[str]:
    text = f"{DECLARED}int main(void) {{ m = nd(); b = byte(); u = nd(); l = nd();\n{step}\nreturn 0; }}\n"
    program = load(text, file="t.c", integers=integers)
    return [lapse.what for lapse in Lapses(program).all() if lapse.line == 4]


@pytest.mark.parametrize(
    "step",
    [
        "k = b + b;", "k = b * b;", "k = -b;", "k = m / 2;", "k = m % 7;", "k = m / (b + 1);",
        "u = u + u;", "k = m & 7;", "k = 1 << (m & 15);", "k = m >> 3;", "k = a[m & 3];", "a[b & 1] = 1;",
        "k = (m & 255) + (b ? 1 : b);", "l = (long)m * 3;", "k = (m > 3) + 1;", "l = (long)m + u;",
    ],
)  # fmt: skip
def test_types_exclude_it(step: str) -> None:
    assert found(step) == []


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("k = m + 1;", [OVERFLOW]), ("k = -m;", [OVERFLOW]), ("k = m * b;", [OVERFLOW]), ("k = b << 24;", [OVERFLOW]),
        ("k = m / b;", [DIVISION]), ("k = m % m;", [DIVISION, OVERFLOW]), ("k = b << b;", [SHIFT, OVERFLOW]),
        ("k = 1u >> b;", [SHIFT]), ("k = a[b];", [INDEX]), ("a[m] = b;", [INDEX]), ("l = l + 1;", [OVERFLOW]),
        ("k = m / -1;", [OVERFLOW]), ("k = m++ + 1;", [OVERFLOW, OVERFLOW]), ("if (m + 1 > b) k = 1;", [OVERFLOW]),
    ],
)  # fmt: skip
def test_types_do_not_exclude_it(step: str, what: list[str]) -> None:
    assert sorted(found(step)) == sorted(what)


def test_mathematical_integers_do_not_overflow() -> None:
    assert found("k = m * m + 1; k = m / b;", integers="mathematical") == [DIVISION]


def test_steps_of_a_callee_that_is_seen_through_are_told_apart() -> None:
    text = (
        "int nd(void);\nint two(int n) {\n int a = n + 1;\n int b = n - 1;\n return a + b == n; }\n"
        "int main(void) {\n int n = nd();\n if (n < 0) { two(n); }\n assert(n == n); }\n"
    )
    result = knaster.check(text, file="t.c", engine="horn")
    assert result.verdict is Verdict.TRUE
    assert [note.split(": ")[0] for note in result.notes if "overflow" in note] == ["t.c:4"]
    assert "likewise at line 5" in result.notes[-1]
