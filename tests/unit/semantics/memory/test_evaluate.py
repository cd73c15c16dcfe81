"""Numbers that were made from pointers: what is known of sums and differences of them, and what is not."""

from __future__ import annotations

import pytest

import knaster

HEAD = "#include <assert.h>\nint main(void) { int a[4] = {1, 2, 3, 4}; unsigned long u = (unsigned long)a; "


def verdict(body: str) -> str:
    return knaster.check(f"{HEAD}{body} return 0; }}\n", file="a.c", property="reach", engine="search").verdict.value


@pytest.mark.parametrize(
    "said",
    [
        "(int *)(u + 4) == a + 1",
        "(int *)(8 + u) == a + 2",
        "*(int *)(u + 12) == 4",
        "(int *)((unsigned long)(a + 3) - 4) == a + 2",
        "(unsigned long)(a + 2) - u == 8",
        "u - u == 0",
        "(u & 7) == 0",
        "((unsigned long)((char *)a + 3) & 7) == 3",
        "((unsigned long)((char *)a + 5) & 3) == 1",
        "((unsigned long)((char *)a + 6) & 0) == 0",
    ],
)
def test_what_is_known(said: str) -> None:
    assert verdict(f"assert({said});") == "TRUE"
    assert verdict(f"assert(!({said}));") == "FALSE"


@pytest.mark.parametrize("number", ["8 - u", "u * 2", "u | 1", "u & 8", "u ^ u", "u / 2", "u + u", "u & -1", "u >> 1"])
def test_what_is_not_known(number: str) -> None:
    assert verdict(f"unsigned long v = {number}; assert(v == 1);") == "UNKNOWN"


def test_the_difference_of_two_objects_is_not_known() -> None:
    assert verdict("int b; assert((unsigned long)&b - u == 4);") == "UNKNOWN"
