"""Colours of the site: Pygments lexers for Boolean programs, Zing and formulas, by the words of their readers."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

LANGUAGES = runpy.run_path(str(Path(__file__).parents[1] / "editors" / "generate.py"))["LANGUAGES"]


def lexer_of(ending: str) -> type[RegexLexer]:
    """Return the lexer of a language."""
    title, known = LANGUAGES[ending]
    rules: list[Any] = [
        (r"\s+", Text),
        (r"//.*?$", Comment.Single),
        (r"/\*(?:.|\n)*?\*/", Comment.Multiline),
        (r'"(?:[^"\\]|\\.)*"', String),
        (words(sorted(known), prefix=r"(?<![\w$#])", suffix=r"(?![\w$#])"), Keyword),
        (r"[A-Za-z_$#][\w$#.]*", Name),
        (r"\d+", Number),
        (r".", Operator),
    ]

    class Lexer(RegexLexer):
        name = title
        aliases: ClassVar[list[str]] = [ending]
        tokens: ClassVar[dict[str, Any]] = {"root": rules}

    return Lexer
