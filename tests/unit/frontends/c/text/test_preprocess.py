"""The preprocessor: conditions, includes beside the file, and directives that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.base.errors import Problem
from knaster.frontends.c.text import macros
from knaster.frontends.c.text.preprocess import preprocess
from knaster.frontends.text.options import COptions


def tokens(text: str, file: str = "x.c", model: str = "LP64", include: tuple[str, ...] = ()) -> tuple[str, list[str]]:
    problems: list[Problem] = []
    found = preprocess(text, file, COptions(data_model=model, include=include), problems)
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
    found = preprocess('\n#include "h.h"\n', file, COptions(), [])
    assert {token.span.line for token in found} == {2}


def test_a_header_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text('#include "h.h"\n')
    assert tokens('#include "h.h"\n', str(tmp_path / "x.c"))[1] == ["'h.h' includes itself"]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return a header that lies beside the folder of a program."""
    (tmp_path / "secret.h").write_text("int secret;\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "link.h").symlink_to(tmp_path / "secret.h")
    (tmp_path / "own" / "deep").mkdir()
    (tmp_path / "own" / "deep" / "d.h").write_text('#include "../e.h"\n')
    (tmp_path / "own" / "e.h").write_text("int e;\n")
    return tmp_path / "secret.h"


def test_headers_outside_of_the_folder_are_refused(secret: Path) -> None:
    file = str(secret.parent / "own" / "x.c")
    for name in (str(secret), "../secret.h", "deep/../../secret.h", "link.h", "../missing.h", "/dev/zero", "a\0b.h"):
        text, problems = tokens(f'#include "{name}"\n', file)
        assert text == "" and problems == [f"'{name}' is outside of the program's folder"]
    assert tokens('#include "deep/d.h"\n', file) == ("int e ;", [])


def test_headers_of_folders_that_are_allowed(secret: Path) -> None:
    file, allowed = str(secret.parent / "own" / "x.c"), (str(secret.parent),)
    for text in ('#include "../secret.h"\n', '#include "secret.h"\n', "#include <secret.h>\n", '#include "link.h"\n'):
        assert tokens(text, file, include=allowed) == ("int secret ;", [])
    assert "is not known" in tokens("#include <secret.h>\n", file)[1][0]


def test_headers_that_include_each_other_twice(tmp_path: Path) -> None:
    for one, other in ("ab", "ba"):
        (tmp_path / f"{one}.h").write_text(f'#include "{other}.h"\n' * 2)
    assert len(tokens('#include "a.h"\n' * 3, str(tmp_path / "x.c"))[1]) == 1
    for number in range(30):
        (tmp_path / f"h{number}.h").write_text(f'#include "h{number + 1}.h"\n' * 2)
    (tmp_path / "h30.h").write_text("")
    assert tokens('#include "h0.h"\n', str(tmp_path / "x.c"))[1] == ["headers are included more than 1,000 times"]


def test_headers_that_are_long_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.frontends.c.text.preprocess.MOST", 50)
    (tmp_path / "h.h").write_text("x " * 20)
    assert "more than 50 tokens" in tokens('#include "h.h"\n' * 9, str(tmp_path / "x.c"))[1][0]


def test_macros_of_many_lines_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macros, "_MOST_WORK", 100)
    text = "#define A x x x x\n" + "A\n#pragma x\n" * 50
    assert tokens(text)[1] == ["the macros of this file expand without end"]


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
