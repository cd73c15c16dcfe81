"""A FALSE that needs a function which nobody defines to return a chosen value says so in the verdict line."""

from __future__ import annotations

import pytest

import knaster

MAIN = "int input(void); int other(void); int third(void); int __VERIFIER_nondet_int(void);\nint main(void) {{ {} }}\n"
CASES = {
    "assert(input() != 7);": "can fail if input(), which is not defined, returns 7 (",
    "int x = input(); assert(x < 3 || x > 3);": "can fail if input(), which is not defined, returns 3 (",
    "int x = input(); assert(x + input() != 7);": "can fail if input(), which is not defined, returns ",
    "assert(input() + other() != 7);": "can fail if input() and other(), which are not defined, return chosen values (",
    "assert(input() + other() - third() != 7);": "if input() and 2 other functions, which are not defined, return",
    "assert(__VERIFIER_nondet_int() != 7);": "can fail (",
    "input(); assert(0);": "can fail (",
    "int x = input(); x = 1; assert(x == 0);": "can fail (",
    "assert(input() != 7); assert(0);": "0 of 2 hold, 2 fail",
}


@pytest.mark.parametrize("body", CASES)
def test_the_verdict_line(body: str) -> None:
    result = knaster.check(MAIN.format(body), file="x.c", engine="horn")
    assert CASES[body] in result.to_text().splitlines()[0]
    if len(result.answers) == 1:
        assert ("not defined" in result.reason) == ("not defined" in CASES[body])


def test_a_run_that_never_ends() -> None:
    text = MAIN.format("int x = input(); while (x == 5) ; return 0;")
    result = knaster.check(text, file="x.c", property="termination")
    assert "if input(), which is not defined, returns 5 (" in result.to_text().splitlines()[0]


def test_some_of_several() -> None:
    body = "if (__VERIFIER_nondet_int()) assert(input() != 7); assert(0); return 0;"
    line = knaster.check(MAIN.format(body), file="x.c").to_text().splitlines()[0]
    assert "0 of 2 hold, 2 fail, 1 of them if input(), which is not defined, returns 7 (" in line
