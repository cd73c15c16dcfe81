"""Blocks that are read and written: how many there may be, which bytes they use, and when nobody knows."""

from __future__ import annotations

import pytest

import knaster

OPENED = 'char b[8] = {0}; FILE *f = fopen("a", "r"); if (!f) return 0;'
READ = "unsigned long n = fread(b, 2, 3, f);"


def verdict(body: str, property: str = "reach") -> str:
    text = f"#include <assert.h>\n#include <stdio.h>\nint main(void) {{ {OPENED} {body} fclose(f); return 0; }}\n"
    return knaster.check(text, file="a.c", property=property).verdict.value


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{READ} assert(n <= 3);", "TRUE"),
        (f"{READ} assert(n != 0);", "FALSE"),
        (f"{READ} assert(n != 3);", "FALSE"),
        (f"{READ} assert(!(n == 2 && b[0] == 1 && b[3] == 9));", "FALSE"),
        (f"{READ} assert(!(n == 3 && b[4] == 1 && b[5] == 9));", "FALSE"),
        (f"{READ} assert(b[6] == 0 && b[7] == 0);", "TRUE"),
        ("assert(fread(b, 0, 3, f) == 0 && b[0] == 0);", "TRUE"),
        ("assert(fread(b, 3, 0, f) == 0 && b[0] == 0);", "TRUE"),
        ("assert(fwrite(b, 2, 3, f) <= 3);", "TRUE"),
        ("assert(fwrite(b, 2, 3, f) != 3);", "FALSE"),
        ("assert(fwrite(b, 2, 3, f) != 0);", "FALSE"),
    ],
)
def test_how_much_is_read_and_written(body: str, said: str) -> None:
    assert verdict(body) == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("fread(b, 2, 4, f);", "TRUE"),
        ("fread(b, 2, 5, f);", "FALSE"),
        ("fread(b, 3, 3, f);", "FALSE"),
        ("fwrite(b, 2, 4, f);", "TRUE"),
        ("fwrite(b, 3, 3, f);", "FALSE"),
        ("fwrite(b, 9, 1, f);", "FALSE"),
        ("fwrite(0, 0, 5, f);", "TRUE"),
        ("fwrite(0, 5, 0, f);", "TRUE"),
        ("fwrite(0, 1, 1, f);", "FALSE"),
    ],
)
def test_which_bytes_are_used(body: str, said: str) -> None:
    assert verdict(body, "memory") == said


def test_too_much_is_not_known() -> None:
    assert verdict("static char long_one[66000]; fread(long_one, 3, 22000, f); assert(1);") == "UNKNOWN"
