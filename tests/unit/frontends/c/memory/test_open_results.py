"""Results that C leaves open: tests of them are exact, and who uses the number gets any that C allows."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.answers.answer import Verdict
from knaster.report.harness import harness

TEXT = """#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>
int digit(int c) {{ return isdigit(c); }}
int compare(const char *a, const char *b) {{ return strcmp(a, b); }}
int main(void) {{ {} }}
"""
HOLDS = [
    "assert(isdigit('5'));",
    "assert(!isdigit('x') && isdigit('x') == 0);",
    "assert(isdigit('5') != 0 && 0 != isdigit('5'));",
    "_Bool b = isdigit('5'); assert(b == 1);",
    "assert(!!isdigit('5') == 1 && (isdigit('5') && 1) == 1);",
    "assert((isdigit('5') ? 3 : 4) == 3);",
    "assert(digit('5') && !digit('x'));",
    "assert(digit('x') == 0);",
    'int r = strcmp("a", "b"); assert(r < 0);',
    'assert(strcmp("b", "a") > 0 && 0 < strcmp("b", "a"));',
    'assert(compare("a", "b") <= -1 && compare("b", "a") >= 1 && compare("a", "a") == 0);',
    'assert(memcmp("ab", "ac", 2) < 0 && !strncmp("ab", "ac", 1));',
    "assert(signbit(-1.0) && !signbit(1.0) && isnan(NAN) != 0);",
]
FAILS = {  # what the verdict line says
    "assert(isdigit('5') == 1);": "if isdigit() returns ",
    "assert(isdigit('5') > 0);": "if isdigit() returns ",
    "assert(digit('5') == 1);": "if isdigit() returns ",
    'assert(strcmp("a", "b") == -1);': "if strcmp() returns ",
    'int r = compare("b", "a"); assert(r == 1);': "if strcmp() returns ",
    "assert(isupper('A') == isalpha('A'));": "if isupper() and another function of the library return ",
    "assert(isupper('A') + isalpha('A') + isalnum('A') != 7);": "if isupper() and 2 other functions of the library",
    "assert(isdigit('x'));": "can fail (",
}


@pytest.mark.parametrize("body", HOLDS)
def test_what_c_says_holds(body: str) -> None:
    assert knaster.check(TEXT.format(body), file="x.c").verdict is Verdict.TRUE


@pytest.mark.parametrize("body", FAILS)
def test_what_another_library_may_say(body: str) -> None:
    result = knaster.check(TEXT.format(body), file="x.c", property="reach")
    assert result.verdict is Verdict.FALSE
    assert FAILS[body] in result.to_text().splitlines()[0]


def test_the_harness_says_what_it_cannot_set() -> None:
    result = knaster.check(TEXT.format("assert(isdigit('5') == 1);"), file="x.c", property="reach")
    assert result.trace is not None
    found = harness(result.program, result.trace)
    assert "'isdigit() (left open)' may be another number in this library" in found
