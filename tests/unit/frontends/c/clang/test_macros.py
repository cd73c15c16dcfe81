"""Macros that double: what they stand for is counted, not written out."""

from __future__ import annotations

import pytest

from knaster.frontends.c.clang import macros
from knaster.frontends.c.clang.macros import find_large_macros
from support.c_text import messages


def doubled(count: int, last: str = "int main(void) { return A%d; }\n") -> str:
    lines = "".join(f"#define A{n} A{n - 1} + A{n - 1}\n" for n in range(1, count + 1))
    return f"#define A0 1\n{lines}{last % count}"


def test_forty_doublings_are_refused_at_once() -> None:
    assert messages(doubled(40)) == ["the macro 'A40' stands for more than 1,000,000 words"]
    assert list(find_large_macros(doubled(10))) == []
    assert list(find_large_macros(doubled(40, "int main(void) { return 0; /* %d */ }\n"))) == []  # nobody uses it


def test_sizes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, found in ((15, []), (14, ["A3"])):
        monkeypatch.setattr(macros, "MOST", most)
        assert [problem.message.split("'")[1] for problem in find_large_macros(doubled(3))] == found


def test_other_ways_to_grow() -> None:
    calls = "#define F0(x) x, x\n" + "".join(f"#define F{n}(x) F{n - 1}(x), F{n - 1}(x)\n" for n in range(1, 40))
    assert len(list(find_large_macros(calls + "int a[] = {F39(1)};\n"))) == 1
    longer = "#define B0 1\n" + "".join(f"#define B{n} B{n - 1} + \\\n B{n - 1}\n" for n in range(1, 40))
    assert len(list(find_large_macros(longer + "int x = B39;\n"))) == 1


def test_macros_that_name_themselves_or_each_other_end() -> None:
    for text in (
        "#define a a + a\n#define b c b\n#define c b c\nint x = a;\nint y = b;\n",
        "#define f(x) f(f(x))\n#define g g\n",
    ):
        assert list(find_large_macros(text)) == []
