"""Arguments without names are taken as what they are; formats in quotes say what their arguments are."""

from __future__ import annotations

import pytest

import knaster
from knaster.frontends.c.memory.unnamed import type_number
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.program.memory import Floating

HEAD = "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
TAKES = (
    "struct pair {{ int x, y; }}; int g(int n, ...) {{ va_list a; va_start(a, n); int r = {}; va_end(a); return r; }}\n"
)
RIGHT = [
    ("va_arg(a, int)", "char c = 1; g(1, c);"),
    ("va_arg(a, unsigned)", "_Bool b = 1; g(1, b);"),
    ("va_arg(a, size_t)", "g(1, sizeof(int));"),
    ("va_arg(a, double) > 1", "float f = 2; g(1, f);"),
    ("*va_arg(a, char *) + va_arg(a, int)", 'g(1, "a", 3);'),
    ("va_arg(a, struct pair).y", "struct pair v = {1, 2}; g(1, v);"),
    ("va_arg(a, long)", "int (*f)(int, ...) = g; f(1, 2L);"),
]
WRONG = [
    ("va_arg(a, int)", "g(1, 2L);"),
    ("va_arg(a, long)", "g(1, 2);"),
    ("va_arg(a, double) > 1", "g(1, 2);"),
    ("va_arg(a, int)", "g(1, 2.0);"),
    ("*va_arg(a, char *)", "g(1, 2);"),
    ("va_arg(a, struct pair).y", "g(1, 2);"),
    ("va_arg(a, long)", "int (*f)(int, ...) = g; f(1, 2);"),
]
FITS = [
    'char c = 1; short h = 2; printf("%d %hhd %hd %c %u %x", c, c, h, c, 2, -3);',
    'printf("%ld %lu %zu %jd %lld", 1L, 2UL, sizeof(int), (intmax_t)1, 3LL);',
    'printf("%f %g %.2e %5.1lf %%", 1.0, 2.0f, 3.0, 4.0);',
    'printf("%s %p %.*s %*d", "a", (void *)0, 1, "c", 5, 3);',
    'char b[9]; sprintf(b, "%d%%", 3); fprintf(stderr, "%s", b); printf("%d", 1, 2);',
]
MISFITS = [
    'printf("%d", 1L);',
    'printf("%ld", 1);',
    'printf("%d", 1.0);',
    'printf("%f", 1);',
    'printf("%d", "a");',
    'printf("%d %d", 1);',
    'printf("%*d", 5L, 3);',
    'char b[20]; snprintf(b, 20, "%lu", 3);',
]


def ask(body: str, taken: str = "0", **options: str) -> knaster.Result:
    text = f"{HEAD}{TAKES.format(taken)}int main(void) {{ {body} return 0; }}\n"
    return knaster.check(text, file="a.c", property="safety", **options)  # type: ignore[arg-type]


def failed(result: knaster.Result) -> set[str]:
    return {target.kind for target, answer in result.answers if isinstance(answer, knaster.Reachable)}


@pytest.mark.parametrize(("taken", "body"), RIGHT)
def test_an_argument_is_taken_as_what_it_is(taken: str, body: str) -> None:
    assert ask(body, taken).verdict.value == "TRUE"


@pytest.mark.parametrize(("taken", "body"), WRONG)
def test_an_argument_is_not_taken_as_something_else(taken: str, body: str) -> None:
    result = ask(body, taken)
    assert failed(result) == {"value"} and "replayed by the kernel" in result.to_text()


@pytest.mark.parametrize("body", FITS)
def test_arguments_fit(body: str) -> None:
    assert ask(body).verdict.value == "TRUE"


@pytest.mark.parametrize("body", MISFITS)
def test_arguments_do_not_fit(body: str) -> None:
    result = ask(body)
    assert result.verdict.value == "FALSE" and failed(result) == {"format"}


def test_the_data_model_counts() -> None:
    body = 'printf("%ld %zu", 1, 2u);'
    assert failed(ask(body)) == {"format"} and ask(body, data_model="ILP32").verdict.value == "TRUE"


def test_a_number_is_no_text() -> None:
    """Where the format is not in quotes, the run finds out."""
    for call in ("printf(s, 5);", "char b[9]; sprintf(b, s, 5);"):
        result = ask(f'char *s = "%s"; {call}')
        assert failed(result) == {"value"} and "replayed by the kernel" in result.to_text()


def test_reach_goes_on() -> None:
    text = f'{HEAD}void reach_error(void); int main(void) {{ printf("%d", 1L); reach_error(); }}\n'
    assert knaster.check(text, file="a.c", property="reach").verdict.value == "FALSE"


def test_what_is_told_apart() -> None:
    types = [Boolean(), Integer(32, True), Integer(64, True), Floating(64), Floating(32)]
    assert len(set(map(type_number, types))) == len(types)
    assert type_number(Integer(32, True)) == type_number(Integer(32, False))
