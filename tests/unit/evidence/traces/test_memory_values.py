"""Values as people read them: characters, names of enumerations, and what pointers point to."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.evidence.traces.memory_values import part_at, spell_as
from knaster.program.memory import Part
from knaster.program.types import Int

NUMBERS = tuple(Part(f"[{index}]", 4 * index, Int(32)) for index in range(12))
PAIRS = tuple(
    Part(f"[{index}].{name}", 8 * index + at, Int(32)) for index in (0, 1) for at, name in ((0, "x"), (4, "y"))
)
INNER = (Part(".a.x", 0, Int(32)), Part(".a.y", 4, Int(32)), Part(".b.x", 8, Int(32)), Part(".b.t[0]", 12, Int(8)))


@pytest.mark.parametrize(
    "value, shown, text",
    [
        (40, "char", "'('"), (0, "char", r"'\0'"), (10, "char", r"'\n'"), (39, "char", r"'\''"), (-3, "char", -3),
        (5, "enum IDLE=0 RUN=5", "RUN"), (3, "enum IDLE=0 RUN=5", 3), (-1, "enum NO=-1", "NO"),
    ],
)  # fmt: skip
def test_a_number(value: int, shown: str, text: Any) -> None:
    assert spell_as(value, shown) == text


@pytest.mark.parametrize(
    "parts, offset, text",
    [
        (NUMBERS, 8, "[2]"), (NUMBERS, 400, "[100]"), (NUMBERS, 6, ""), (PAIRS, 8, "[1]"), (PAIRS, 12, "[1].y"),
        (INNER, 8, ".b"), (INNER, 4, ".a.y"), (INNER, 12, ".b.t[0]"), ((), 4, ""),
    ],
)  # fmt: skip
def test_a_part(parts: tuple[Part, ...], offset: int, text: str) -> None:
    assert part_at(parts, offset) == text


def test_a_trace() -> None:
    text = """#include <assert.h>
enum state { IDLE, RUN = 5 };
struct tok { char kind; enum state s; };
char buf[] = "a(";
int next(char *p, enum state st) { char c = *p; return c == '(' ? st : 7; }
int main(void) {
  struct tok t[2] = {{'x', IDLE}, {'y', RUN}}, *q = &t[1];
  int a[4] = {0}, *r = &a[2], *end = a + 4;
  (*r)++;
  a[1] = next(buf + 1, q->s);
  assert(a[1] != 5);
}
"""
    said = knaster.check(text, file="a.c").to_text()
    words = set(said.split())
    assert {"q=&t[1]", "r=&a[2]", "end=&a[4]", "t[1].kind='y'", "t[1].s=RUN", "st=RUN", "c='('", "p=&buf[1]"} <= words
    assert said.count("a[1] = next") == 1 and said.count("(*r)++") == 1 and said.count("assert(") == 1
