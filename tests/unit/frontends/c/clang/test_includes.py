"""Which files a text of C may include: what lies outside is not even opened, and nothing is included without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.base.errors import SourceError
from knaster.frontends.c import parse
from knaster.frontends.c.clang.includes import find_includes
from knaster.frontends.text.options import COptions

MAIN = "int main(void) { return 0; }\n"


def problems(text: str, file: Path, *include: str) -> list[str]:
    """Return what is wrong with a text of this file."""
    try:
        parse(text + MAIN, str(file), options=COptions(include=include))
    except SourceError as error:
        return [problem.message for problem in error.problems]
    return []


def test_headers_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text('#pragma once\nenum { N = 7 };\nint\nh;\n#include "h.h"\n')
    text = '\n#include "h.h"\n#include "h.h"\nint x = N;\n' + MAIN
    program = parse(text, str(tmp_path / "x.c"))
    assert program.globals == ("h", "x")


def test_problems_of_a_header_stand_where_it_is_included(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("\n\n\nint *p;\n")
    with pytest.raises(SourceError) as error:
        parse('\n#include "h.h"\n' + MAIN, str(tmp_path / "x.c"), options=COptions(objects="never"))
    assert [problem.span.line for problem in error.value.problems] == [2]


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
    file = secret.parent / "own" / "x.c"
    for name in (str(secret), "../secret.h", "deep/../../secret.h", "link.h", "../missing.h", "/dev/zero"):
        assert problems(f'#include "{name}"\n', file) == [f"'{name}' is outside of the program's folder"]
    assert problems('#include "deep/d.h"\n', file) == []


@pytest.mark.parametrize(
    "text",
    [
        '#/* */include "/dev/zero"\n',
        '#incl\\\nude "/dev/zero"\n',
        '%:include "/dev/zero"\n',
        '#import "/dev/zero"\n',
        '/* "*/ #include "/dev/zero" //"\n',
        "#include </dev/zero>\n",
        "#include <../../../../../../../../../../../../dev/zero>\n",
        '// ??/\n#include "/dev/zero"\n',
        '??=include "/dev/zero"\n',
        '\ufeff#\u00a0include "/dev/zero"\n',
        'int x;\r#include "/dev/zero"\n',
        '#incl\\\r\nude "/dev/zero"\r\n',
        '/* ??/\n */ #include_next "/dev/zero"\n',
    ],
)
def test_however_it_is_written(text: str, tmp_path: Path) -> None:
    said = problems(text, tmp_path / "x.c")
    assert said and all("is outside of the program's folder" in message for message in said)


@pytest.mark.parametrize(
    "text", ['#define FILE "/dev/zero"\n#include FILE\n', "#define TEXT(x) #x\n#include TEXT(/dev/zero)\n"]
)
def test_a_name_that_is_a_macro_is_not_read(text: str, tmp_path: Path) -> None:
    assert problems(text, tmp_path / "x.c") == ["the name of this include is a macro, which is not read"]


def test_the_line_of_an_include(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        parse('/* a\n b */ int x; \\\n int y;\n\n#include "/dev/zero"\n' + MAIN, str(tmp_path / "x.c"))
    assert error.value.problems[0].span.line == 5


def test_headers_of_folders_that_are_allowed(secret: Path) -> None:
    file, allowed = secret.parent / "own" / "x.c", str(secret.parent)
    for text in ('#include "../secret.h"\n', '#include "secret.h"\n', "#include <secret.h>\n", '#include "link.h"\n'):
        assert problems(text, file, allowed) == []
    assert "is not known" in problems("#include <secret.h>\n", file)[0]


def test_headers_that_include_each_other_twice(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"h{number}.h").write_text(f'#include "h{number + 1}.h"\n' * 2)
    (tmp_path / "h30.h").write_text("")
    said = ["headers are included more than 1,000 times"]
    assert problems('#include "h0.h"\n', tmp_path / "x.c") == said
    (tmp_path / "self.h").write_text('#include "self.h"\n')
    assert problems('#include "self.h"\n', tmp_path / "x.c") == said


def test_a_header_that_is_guarded_counts_once(tmp_path: Path) -> None:
    for number in range(30):
        inner = f'#include "h{number + 1}.h"\n' * 2
        (tmp_path / f"h{number}.h").write_text(f"/* {number} */\n#ifndef H{number}\n#define H{number}\n{inner}#endif\n")
    (tmp_path / "h30.h").write_text("")
    assert problems('#include "h0.h"\n', tmp_path / "x.c") == []


def test_what_is_no_include() -> None:
    assert find_includes('char s[] = "#include";\n// #include "/dev/zero"\n', "x.c", ()).problems == []


def test_a_file_that_includes_itself_under_a_name_that_it_defines(tmp_path: Path) -> None:
    header, file = tmp_path / "x.h", tmp_path / "x.c"
    text = "#ifndef T\n#define T(n) int f##n(void) { return n; }\n%s#undef T\n#define T(n) + f##n()\n"
    text += 'int sum(void) { return 0\n#include "x.h"\n; }\n#else\nT(1)\nT(2)\n#endif\n'
    header.write_text(text % '#include "x.h"\n')
    assert problems('#include "x.h"\n', file) == []
    said = ["headers are included more than 1,000 times"]
    for otherwise in ("#undef T\n", '#pragma pop_macro("T")\n', "#if UNKNOWN\n#undef T\n#endif\n", "??=undef T\n"):
        header.write_text(text % (otherwise + '#include "x.h"\n#include "x.h"\n'))
        assert problems('#include "x.h"\n', file) == said
    header.write_text((text % '#include "x.h"\n#include "x.h"\n').replace("T", "EOF"))  # a header of ours has it, too
    assert problems('#include <stdio.h>\n#include "x.h"\n', file) == said
