"""Texts without comments: literals stay, lines stay, a comment is a blank."""

from __future__ import annotations

from pathlib import Path

import knaster
from knaster.frontends.c.comments import without_comments


def test_comments_are_blanks_and_literals_stay() -> None:
    text = 'int/**/x; // one\r\n  char *s = "/* no */ // no";\n/* two\nlines */ char c = \'"\'; // "\n'
    assert without_comments(text) == 'int x;\nchar *s = "/* no */ // no";\n\nchar c = \'"\';\n'


def test_bytes_of_literals_that_are_no_utf_8_are_those_that_a_compiler_sees(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    text = """// sch\xf6n, "\xf6
char g[] = "\\0\xff\\"\xe4", c = '\xff'; /* '\xf6' */
int main(void) { assert(sizeof g == 5 && g[1] == '\\377' && g[3] == '\\344' && c == -1); return 0; }
"""
    file.write_bytes(text.encode("latin-1"))
    assert knaster.check(file).verdict.value == "TRUE"
    file.write_bytes(text.replace("'\xff'", "1").encode())  # now each is two bytes
    assert knaster.check(file).verdict.value == "FALSE"
