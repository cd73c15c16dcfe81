"""Tells what a text is when it is no program that we read, by the suffix of its file or by signs in the text.

A sign is a pattern that no text of the other languages here has outside its comments.  Only the beginning of a text is
looked at.
"""

from __future__ import annotations

import re

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.base.spans import line_starts, span_at

_BEGINNING = 100_000  # characters
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_VISIBLE = re.compile(r"[^\n]")
_ZING = r"\bactivate\b|^\s*class\s+\w+[^;{]*\{|^\s*chan\s+\w+\(|\bchoose\s*\(\s*bool\s*\)"
_BOOLEAN = r"^\s*decl\s|\)\s*begin\b"


@dataclass(frozen=True, slots=True)
class Stranger:
    """A text of another language: what it is, what to do with it, and where that shows."""

    title: str
    advice: str
    span: Span


class _Kind(NamedTuple):
    """A language that is not read here; its sign is compiled when a text is looked at."""

    title: str
    advice: str
    suffixes: tuple[str, ...]
    sign: str


_NOT_YET = "Knaster does not read {} yet"
_SOLVE = "'knaster solve FILE' evaluates files of the fixed-point calculus"
_PUSHDOWN = "'knaster pushdown FILE' reads pushdown systems"

_KINDS = (
    _Kind("a file of several pushdown systems", _PUSHDOWN, (".pds",), r"(?m)^\s*PDA[ \t]+\d+[ \t]+\d+"),
    _Kind("an XML file", _PUSHDOWN, (".xml",), r"\A\s*<[?!A-Za-z]"),
    _Kind("a JSON file", _PUSHDOWN, (".json",), r"\A\s*(?:\{\s*\"|\[\s*(?:[{\"]|\[\s*[^\s\w]))"),
    _Kind(
        "an SMT-LIB2 script",
        "Knaster reads programs, no formulas of SMT-LIB2",
        (".smt2",),
        r"^\s*\((?:set-logic|set-option|set-info|declare-\w+|define-\w+|assert|check-sat|rule|query)\b",
    ),
    _Kind(
        "a Promela model",
        "Knaster does not read Promela",
        (".pml", ".prom", ".promela"),
        r"^\s*(?:active\s*(?:\[[^\]]*\]\s*)?)?proctype\b|^\s*mtype\b|^\s*init\s*\{|^\s*ltl\b.*\{|^\s*chan\s+\w+\s*=",
    ),
    _Kind(
        "a file of the fixed-point calculus",
        _SOLVE,
        (".mu",),
        r"^\s*(?:mu|nu)\s+bool\b|^\s*enum\s+\w+\s*\{\s*[0-9]+\s*\.\.|^\s*(?:exists|forall)\b"
        r"|^\s*#(?:wit|witness|cex|counterexample|size|ons|onsetsize|dump|vis|reset|load|timer|frontier|print|quit)\b"
        r"|^\s*bool\s+\w+\s*\([^()]*\)\s*(?!begin\b)[^\s{;,]",
    ),
    _Kind(
        "a Zing model",
        "a file of a Zing model ends with .zing",
        (),
        _ZING,
    ),
    _Kind(
        "C",
        "give the file a name that ends in .c or .i",
        (".h",),
        r"^\s*#\s*(?:include|define|undef|if|ifdef|ifndef|pragma|line|error)\b|^#\s+[0-9]+\s+\""
        r"|\b(?:int|char|short|long|unsigned|signed|float|double|_Bool|size_t|uint(?:8|16|32|64)_t)\s+\**\w+\s*[(;=,\[]"
        r"|^\s*(?:extern|static|typedef|struct|union|const)\s+\w+|\b\w+\s*\([^(){};]*\)\s*\{\s*$|\bfor\s*\([^;]*;",
    ),
)


def looks_boolean(text: str) -> bool:
    """Tell whether a text has a declaration or a procedure of a Boolean program."""
    return re.search(_BOOLEAN, _without_comments(text), re.MULTILINE) is not None


def looks_zing(text: str) -> bool:
    """Tell whether a text has a class or a method of a Zing model."""
    return re.search(_ZING, _without_comments(text), re.MULTILINE) is not None


def looks_like_c(text: str) -> bool:
    """Tell whether a text has a sign of C and of no other language."""
    found = stranger_by_content(text)
    return found is not None and found.title == "C"


def looks_like_pl(text: str) -> bool:
    """Tell whether a text begins with a function of PL: no type before its name, results behind its parameters."""
    return re.match(r"\s*[A-Za-z_]\w*\s*\([\w\s,]*\)\s*(?::[\w\s,]*)?\{[^;}]*:=", _without_comments(text)) is not None


def stranger_by_suffix(file: str) -> Stranger | None:
    """Return what a file is by its suffix, None where the suffix says nothing."""
    for kind in _KINDS:
        if file.lower().endswith(kind.suffixes):
            return Stranger(kind.title, kind.advice, Span(1, 1))
    return None


def stranger_by_content(text: str) -> Stranger | None:
    """Return what a text is by the first sign in it, None where there is none."""
    plain = _without_comments(text)
    for kind in _KINDS:
        if found := re.search(kind.sign, plain, re.MULTILINE):
            start = found.start() + len(found.group()) - len(found.group().lstrip())
            shown = found.group().strip().split("\n")[0]
            return Stranger(kind.title, kind.advice, span_at(line_starts(text[: start + 1]), start, len(shown)))
    return None


def _without_comments(text: str) -> str:
    beginning = text[:_BEGINNING]
    return _COMMENT.sub(lambda match: _VISIBLE.sub(" ", match.group()), beginning)
