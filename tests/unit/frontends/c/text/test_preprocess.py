"""The preprocessor: conditions, includes beside the file, and directives that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.base.errors import Problem
from knaster.frontends.c.text.preprocess import preprocess


def tokens(text: str, file: str = "x.c", model: str = "LP64") -> tuple[str, list[str]]:
    problems: list[Problem] = []
    found = preprocess(text, file, model, problems)
    return " ".join(token.text for token in found), [problem.message for problem in problems]


@pytest.mark.parametrize(
    ("condition", "part"),
    [
        ("#if 1", "a"),
        ("#if 0", "c"),
        ("#ifdef X", "c"),
        ("#ifndef X", "a"),
        ("#if defined(X) || !defined X", "a"),
        ("#if X", "c"),
    ],
)
def test_conditions(condition: str, part: str) -> None:
    assert tokens(f"{condition}\na\n#elif 0\nb\n#else\nc\n#endif\nd\n") == (f"{part} d", [])


def test_conditions_inside_conditions_that_do_not_count() -> None:
    assert tokens("#if 0\n#if 1\na\n#else\nb\n#endif\n#unknown\n#else\nc\n#endif\n") == ("c", [])


def test_definitions_end_where_they_are_taken_back() -> None:
    assert tokens("#define N 1\nN\n#undef N\nN\n") == ("1 N", [])


def test_arguments_may_go_on_in_the_next_line() -> None:
    assert tokens("#define f(x) <x>\nf(1\n+ 2)\n") == ("< 1 + 2 >", [])


def test_headers_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text('#pragma once\n#define N 7\nint\nh;\n#include "h.h"\n')
    file = str(tmp_path / "x.c")
    assert tokens('\n#include "h.h"\n#include "h.h"\nN;\n', file) == ("int h ; 7 ;", [])
    found = preprocess('\n#include "h.h"\n', file, "LP64", [])
    assert {token.span.line for token in found} == {2}


def test_a_header_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text('#include "h.h"\n')
    assert tokens('#include "h.h"\n', str(tmp_path / "x.c"))[1] == ["'h.h' includes itself"]


def test_system_headers() -> None:
    assert tokens("#include <limits.h>\nCHAR_BIT INT_MAX\n") == ("8 2147483647", [])
    assert tokens("#define NDEBUG\n#include <assert.h>\nassert(x);\n")[0] == "( ( void ) 0 ) ;"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("#if 1\n", "#if has no #endif"),
        ("#endif\n", "#endif without #if"),
        ("#error too bad\n", "#error too bad"),
        ("#frob\n", "'#frob' is not known"),
        ("#if 1 +\n#endif\n", "what stands after #if is not understood"),
        ('#include "none.h"\n', "there is no file 'none.h' beside this one"),
    ],
)
def test_problems(text: str, problem: str) -> None:
    assert tokens(text)[1] == [problem]
    assert tokens("#pragma x\n#line 3\n# 4\n#\n") == ("", [])
