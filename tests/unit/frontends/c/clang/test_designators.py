"""Designators of elements far away, found by their text."""

from __future__ import annotations

import pytest

from knaster.frontends.c.clang.designators import find_far_designators


@pytest.mark.parametrize(
    ("text", "far"),
    [
        ("int a[] = {[999999999] = 1};", 1),
        ("int a[] = {1, [ 0x3fffffffU ] = 1, [5] = 2};", 1),
        ("#define N 2000000\n#define M N\nint a[] = {[M] = 1};", 1),
        ("enum { FAR = 1000000000 };\nint a[] = {[FAR - 1] = 1};", 1),
        ("int a[] = {[1 << 30] = 1};", 1),
        ("int a[] = {[1000 * 1000 * 10] = 1};", 1),
        ("int a[] = {[0 ... 99999999] = 1};", 1),
        ("int a[] = {[99999999999999999999999999] = 1};", 1),
        ("int a[4] = {[2] = 7}; int x = a[0]; /* {[999999999] = 1} */", 0),
        ('#define N 10\nint a[N] = {[N - 1] = 7}; char *s = "{[999999999] = ";', 0),
        ("int main(void) { return 1000000000; }", 0),
    ],
)
def test_which_are_far(text: str, far: int) -> None:
    assert len(list(find_far_designators(text))) == far
