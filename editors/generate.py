"""Writes the grammars of editors/vscode from the words that the readers of the languages know: `make editors`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from knaster.calculus.language.lexer import KEYWORDS as CALCULUS
from knaster.frontends.boolean.lexer import RESERVED
from knaster.frontends.boolean.notation import _STATEMENT_WORDS
from knaster.frontends.zing.lexer import KEYWORDS as ZING

FOLDER = Path(__file__).parent / "vscode" / "syntaxes"
_TYPES = {
    "bool",
    "void",
    "int",
    "byte",
    "sbyte",
    "short",
    "ushort",
    "uint",
    "long",
    "ulong",
    "string",
    "object",
    "decl",
}
_CONSTANTS = {"T", "F", "_", "true", "false", "null"}
LANGUAGES = {  # identifier, name, ending: the words
    "bp": ("Boolean program", RESERVED | _STATEMENT_WORDS),
    "zing": ("Zing", ZING),
    "mu": ("muCKE formulas", frozenset(CALCULUS) | {"bool"}),
}


def grammar(ending: str) -> dict[str, Any]:
    """Return the TextMate grammar of a language."""
    title, words = LANGUAGES[ending]
    kinds = {"constant.language": _CONSTANTS, "storage.type": _TYPES}
    keywords = words - _CONSTANTS - _TYPES
    patterns = [
        {"name": f"comment.line.{ending}", "match": "//.*$"},
        {"name": f"comment.block.{ending}", "begin": "/\\*", "end": "\\*/"},
        {"name": f"string.quoted.double.{ending}", "match": '"(?:[^"\\\\]|\\\\.)*"'},
        *({"name": f"{kind}.{ending}", "match": _any(words & group)} for kind, group in kinds.items() if words & group),
        {"name": f"keyword.control.{ending}", "match": _any(keywords)},
        {"name": f"constant.numeric.{ending}", "match": "\\b(?:0[xX][0-9A-Fa-f]+|[0-9]+)\\b"},
    ]
    if ending == "bp":
        patterns.append({"name": "entity.name.label.bp", "match": "^\\s*[A-Za-z_$][A-Za-z0-9_$#.]*\\s*:(?!=)"})
        patterns.append({"name": "variable.other.bp", "match": "\\{[^}\\n]*\\}"})
    if ending == "mu":
        patterns.append({"name": "keyword.other.mu", "match": "#[a-z]+"})
    return {"name": title, "scopeName": f"source.{ending}", "patterns": patterns}


def _any(words: frozenset[str] | set[str]) -> str:
    return f"(?<![A-Za-z0-9_$#])(?:{'|'.join(map(re.escape, sorted(words)))})(?![A-Za-z0-9_$#])"


def text_of(ending: str) -> str:
    """Return the file of a grammar."""
    return json.dumps(grammar(ending), indent=2) + "\n"


if __name__ == "__main__":
    for ending in LANGUAGES:
        (FOLDER / f"{ending}.tmLanguage.json").write_text(text_of(ending), "utf-8")
