"""All paths of programs with memory by the kernel: what is true is accepted, what is wrong refused, the rest open."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.evidence.answers.answer import Unreachable
from knaster_check import Refused
from knaster_check.memory import paths
from knaster_check.refused import Unsupported
from support.attacks.on_memory import WRONG, right_paths, text_of
from support.kernel import kernel, kernel_of

TRUE = [  # a target that no run reaches, what main does, and how many paths there are
    ("ERROR", "int n = input, *p = &n; if (*p > 5) if (*p < 6) ERROR: ;", 2),
    ("ERROR", "int n = input, m = input, *p = &n; if (*p == m && *p < 5 && m > 7) ERROR: ;", 3),
    ("ERROR", "unsigned n = input, *p = &n; if (*p * *p % 4 == 3) ERROR: ;", 1),
    ("ERROR", "int n = input; char *p = (char *)&n; if (p[0] == 5 && p[1] == 1 && (n & 0xffff) != 261) ERROR: ;", 3),
    ("ERROR", "char v[4]; v[0] = byte; v[1] = 2; short s; memcpy(&s, v, 2); if (s / 256 != 2) ERROR: ;", 1),
    ("ERROR", "int v[4] = {0}; int i = input; v[i] = 1; if (v[0] > 1) ERROR: ;", 7),
    ("bounds", "int v[4] = {0}; int i = input; if (i >= 0 && i < 4) v[i] = 1;", 6),
    ("bounds", "struct pair v[3]; unsigned i = input; if (i < 3) v[i].c[2] = 1;", 4),
    ("pointer", "int v[4], *p = v; unsigned i = input; if (i <= 4) p = p + i;", 6),
    ("division", "int n = input, *p = &n; if (*p > 3) n = 7 / (*p - 3);", 2),
    ("shift", "int n = input, *p = &n; if (*p >= 0 && *p < 32) n = 7u << *p;", 3),
    ("overflow", "int n = input, *p = &n; if (n > -99 && n < 99) n = *p * 7 - 2;", 3),
    ("overflow", "int n = input, d = input, *p = &d; if (d > 0) n = n / *p;", 3),
    ("overflow", "int n = input, *p = &n; if (n >= 0 && n < 2) n = *p << 30;", 3),
    ("alignment", "char v[8]; int *p = (int *)(v + 4); *p = 3;", 1),
    ("ERROR", "char v[2]; v[0] = byte; if (isdigit(v[0]) && v[0] > '9') ERROR: ;", 4),
    ("ERROR", "char v[2]; v[0] = byte; if (!isalpha(v[0]) && v[0] == 'q') ERROR: ;", 6),
    ("ERROR", "double d, *p = &d; if (*p > 1.5) if (*p < 1.4) ERROR: ;", 2),
    ("ERROR", "float d, *p = &d; if (*p >= 0 && *p <= 9 && *p * 2 + 1 > 19) ERROR: ;", 3),
    ("ERROR", "int n = input, *p = &n; double d = *p; if ((int)d != n) ERROR: ;", 1),
    ("ERROR", "float d, *p = &d; double e = *p; if ((float)e != d && !isnan(d)) ERROR: ;", 2),
    ("value", "float d, *p = &d; if (*p > -129 && *p < 128) { signed char c = *p; }", 3),
]


@pytest.mark.parametrize(("target", "body", "count"), TRUE)
def test_what_is_true_is_accepted(target: str, body: str, count: int) -> None:
    verdict = kernel(*right_paths(target, body))
    assert verdict.claim == "unreachable"
    assert verdict.answered["paths"] == count


FALSE = [
    ("ERROR", "int n = input, m = input, *p = &n; if (*p == m + 1 && *p < 5 && m > 7) ERROR: ;"),  # it wraps
    ("ERROR", "unsigned n = input, *p = &n; if (*p * *p % 8 == 4) ERROR: ;"),
    ("ERROR", "int n = input; char *p = (char *)&n; if (p[0] == 5 && p[1] == 1 && (n & 0xffff) == 261) ERROR: ;"),
    ("ERROR", "int v[4] = {0}; int i = input; v[i] = 1; if (v[3] == 1) ERROR: ;"),
    ("bounds", "int v[4] = {0}; int i = input; if (i >= -1 && i < 4) v[i] = 1;"),
    ("bounds", "struct pair v[3]; unsigned i = input; if (i < 4) v[i].c[2] = 1;"),
    ("pointer", "int v[4], *p = v; unsigned i = input; if (i <= 5) p = p + i;"),
    ("division", "int n = input, *p = &n; if (*p > 3) n = 7 / (*p - 13);"),
    ("shift", "int n = input, *p = &n; if (*p >= 0 && *p < 33) n = 7u << *p;"),
    ("overflow", "int n = input, *p = &n; if (n > -99999 && n < 99999) n = *p * 77777 - 2;"),
    ("overflow", "int n = input, d = input, *p = &d; if (d < 0) n = n / *p;"),
    ("overflow", "int n = input, d = input, *p = &d; if (d < 0) n = n % *p;"),
    ("overflow", "int n = input, *p = &n; if (n >= 0 && n < 3) n = *p << 30;"),
    ("overflow", "int n = input, *p = &n; if (n >= -1 && n < 2) n = *p << 3;"),
    ("ERROR", "char v[2]; v[0] = byte; if (isdigit(v[0]) && v[0] == '9') ERROR: ;"),
    ("ERROR", "char v[2]; v[0] = byte; if (isspace(v[0]) && v[0] != ' ') ERROR: ;"),
    ("ERROR", "float d, *p = &d; if (*p >= 0 && *p <= 9 && *p * 2 + 1 > 18.9f) ERROR: ;"),
    ("ERROR", "int n = input, *p = &n; if (*p > 0) { float d = *p; if (d != n || (double)d != n) ERROR: ; }"),
    ("value", "float d, *p = &d; if (*p >= -129 && *p < 128) { signed char c = *p; }"),
    ("value", "float d, *p = &d; if (!(*p >= 128) && !(*p <= -129)) { signed char c = *p; }"),
    ("alignment", "char v[8]; int *p; unsigned char i = byte; if (i < 2) { p = (int *)(v + 4 * i + i); *p = 3; }"),
]


@pytest.mark.parametrize(("target", "body"), [*FALSE, *WRONG.values()])
@pytest.mark.parametrize("kind", ["paths", "regions"])
def test_what_is_wrong_is_refused(kind: str, target: str, body: str) -> None:
    with pytest.raises(Refused, match="a run") as refused:
        kernel(*right_paths(target, body, kind))
    assert not isinstance(refused.value, Unsupported)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("int n = input, *p = &n; malloc(*p); if (*p == 7) ERROR: ;", "1,000 values|paths"),
        ("int n = 1, *p = &n; while (1) *p = 2; ERROR: ;", "steps"),
        ("unsigned n = input, i = 0, *p = &i; while (i < n) *p += 1; if (i > n) ERROR: ;", "paths|steps"),
    ],
)
def test_what_is_too_much_is_not_judged(monkeypatch: pytest.MonkeyPatch, body: str, reason: str) -> None:
    monkeypatch.setattr(paths, "PATHS", 30)
    monkeypatch.setattr(paths, "STEPS", 3_000)
    with pytest.raises(Unsupported, match=reason):
        kernel(*right_paths("ERROR", body))


def test_long_conditions_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "CONDITIONS", 300)
    body = "int n = 0, *p = &n; while (__VERIFIER_nondet_bool()) { if (*p < 9) *p += 1; } if (n > 9) ERROR: ;"
    with pytest.raises(Unsupported, match="300 conditions"):
        kernel(*right_paths("ERROR", body))


def test_runs_that_end_are_known_to() -> None:
    text = text_of("unsigned char n = byte, *p = &n; while (*p > 250) *p += 1;")
    result = knaster.check(text, file="a.c", property="termination", engine="paths")
    assert kernel_of(result).claim == "ends"


@pytest.mark.parametrize("engine", ["paths", "regions"])
def test_check_says_that_the_kernel_looked(engine: str) -> None:
    text = text_of("int n = input, *p = &n; if (*p > 3) n = 7; if (*p > 3 && n != 7) ERROR: ;")
    ((_, answer),) = knaster.check(text, file="a.c", property="reach", engine=engine, objects="always").answers
    assert isinstance(answer, Unreachable)
    assert answer.kernel


def test_a_solver_that_says_too_little_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from knaster_check.c.solvers import Solvers

    wrong: dict[str, Any] = {}
    monkeypatch.setattr(Solvers, "find", lambda self, condition: wrong)
    with pytest.raises(Unsupported, match="go another way"):
        kernel(*right_paths("ERROR", "int n = input, *p = &n; if (*p > 5) if (*p < 6) ERROR: ;"))


def test_a_solver_that_finds_what_is_covered_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from knaster_check.c.solvers import Solvers

    right = Solvers.find
    said: list[Any] = []

    def find(self: Solvers, condition: Any) -> Any:
        said.append(right(self, condition) if said[1:] != [None] else said[0] if len(said) == 2 else None)
        return said[-1]

    monkeypatch.setattr(Solvers, "find", find)
    with pytest.raises(Unsupported, match="go another way"):
        kernel(*right_paths("ERROR", "int n = input, *p = &n; if (*p > 5) if (*p < 6) ERROR: ;"))
    assert said[1] is None and said[2] is said[0]
