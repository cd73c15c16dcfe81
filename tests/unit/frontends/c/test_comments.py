"""Texts without comments: literals stay, lines stay, a comment is a blank."""

from __future__ import annotations

from knaster.frontends.c.comments import without_comments


def test_comments_are_blanks_and_literals_stay() -> None:
    text = 'int/**/x; // one\r\n  char *s = "/* no */ // no";\n/* two\nlines */ char c = \'"\'; // "\n'
    assert without_comments(text) == 'int x;\nchar *s = "/* no */ // no";\n\nchar c = \'"\';\n'
