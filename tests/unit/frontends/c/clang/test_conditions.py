"""How often files include each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.frontends.c.clang.conditions import count_includes

A = Path("a.h")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("#ifdef T\n#include 'a.h'\n#endif\n#define T\n#ifdef T\n#include 'a.h'\n#endif\n", 1),
        ("#define T\n#undef T\n#if !defined(T)\n#include 'a.h'\n#else\n#include 'a.h'\n#include 'a.h'\n#endif\n", 1),
        ("#if U\n#define T\n#endif\n#ifdef T\n#include 'a.h'\n#else\n#include 'a.h'\n#endif\n", 2),
        ("#define T\n#if 0\n#include 'a.h'\n#elif defined T\n#include 'a.h'\n#else\n#include 'a.h'\n#endif\n", 2),
        ("#define T\n#ifdef T\n#elif 1\n#include 'a.h'\n#else\n#include 'a.h'\n#endif\n", 0),
        ("#ifdef UNKNOWN\n#include 'a.h'\n#else\n#include 'a.h'\n#endif\n", 2),
        ("#ifndef _T\n#include 'a.h'\n#endif\n#define _T\n#ifndef G\n# /* */ include 'a.h'\n#endif\n#define G\n", 2),
        ("#define T\n#pragma pop_macro(T)\n", 1001),
    ],
)
def test_conditions_that_can_be_told(text: str, count: int) -> None:
    assert count_includes(text, Path("x.c"), {A: ""}, lambda rest, here: A, ("G=1",)) == count
