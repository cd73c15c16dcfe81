"""The languages that Knaster reads, one line for each, and how to tell which one a file is written in.

The suffix of a file decides; where it says nothing, the content does.  A text of a language that is not read, or that
another command reads, is refused with one sentence instead of a syntax error for each of its lines.  What a language
needs is imported when the first text of it is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from knaster.base.errors import Problem, SourceError, Span, UsageError
from knaster.base.options import configured, names
from knaster.frontends.options import COptions, Options
from knaster.frontends.spelling import Spelling
from knaster.frontends.text.files import read_text

if TYPE_CHECKING:  # the table of languages is read for every `--help`
    from knaster.frontends.c.predicate import Given
    from knaster.program.model import Program

__all__ = [
    "LANGUAGES",
    "Language",
    "Spelling",
    "language_of",
    "language_options",
    "load",
    "predicate_of",
    "spelling_of",
]


class Parse(Protocol):
    """Turns a text into a program; raises `SourceError` with every problem, appends remarks to `notes`."""

    def __call__(
        self, text: str, file: str, dialect: str, notes: list[Problem] | None, options: Options
    ) -> Program: ...


@dataclass(frozen=True, slots=True)
class Language:
    """A language: what it is called in `Program.language` and in messages, and how it is told, read and written."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    looks_like: Callable[[str], bool]
    parse: Parse
    spell: Callable[[], Spelling]
    options: type[Options] = Options

    @property
    def spelling(self) -> Spelling:
        """How its programs are written."""
        return self.spell()


def _looks_boolean(text: str) -> bool:
    from knaster.frontends.text.content import looks_boolean

    return looks_boolean(text)


def _parse_boolean(text: str, file: str, dialect: str, notes: list[Problem] | None, options: Options) -> Program:
    from knaster.frontends.boolean import parse

    return parse(text, file, dialect, notes)


def _spell_boolean() -> Spelling:
    from knaster.frontends.boolean.spelling import SPELLING

    return SPELLING


def _looks_zing(text: str) -> bool:
    from knaster.frontends.text.content import looks_zing

    return looks_zing(text)


def _parse_zing(text: str, file: str, dialect: str, notes: list[Problem] | None, options: Options) -> Program:
    from knaster.frontends.zing import parse

    return parse(text, file, dialect, notes)


def _spell_zing() -> Spelling:
    from knaster.frontends.zing.spelling import SPELLING

    return SPELLING


def _looks_like_c(text: str) -> bool:
    from knaster.frontends.text.content import looks_like_c

    return looks_like_c(text)


def _parse_c(text: str, file: str, dialect: str, notes: list[Problem] | None, options: Options) -> Program:
    from knaster.frontends.c import parse

    assert isinstance(options, COptions)
    return parse(text, file, notes, options)


def _spell_c() -> Spelling:
    from knaster.frontends.c.spelling import SPELLING

    return SPELLING


LANGUAGES = (
    Language("boolean", "a Boolean program", (".bp",), _looks_boolean, _parse_boolean, _spell_boolean),
    Language("zing", "a Zing model", (".zing",), _looks_zing, _parse_zing, _spell_zing),
    Language("c", "a C program", (".c", ".i"), _looks_like_c, _parse_c, _spell_c, COptions),
)
"""Every language that can be read.  The first one is assumed where neither the suffix nor the content tells."""


def language_options() -> tuple[str, ...]:
    """Return the names of the options of all languages."""
    return tuple(dict.fromkeys(name for language in LANGUAGES for name in names(language.options)))


def language_of(file: str, text: str) -> Language:
    """Return the language of a text; raise `SourceError` where it is one that is not read here."""
    for language in LANGUAGES:
        if file.lower().endswith(language.suffixes):
            return language
    from knaster.frontends.text.content import stranger_by_content, stranger_by_suffix

    found = stranger_by_suffix(file)
    if found is None:
        for language in LANGUAGES:
            if language.looks_like(text):
                return language
        found = stranger_by_content(text)
    if found is None:
        return LANGUAGES[0]
    raise _refusal(file, text, found.title, found.span, found.advice, LANGUAGES[0])


def load(
    source: str | os.PathLike[str],
    dialect: str = "default",
    remarks: list[Problem] | None = None,
    file: str | None = None,
    **options: Any,
) -> Program:
    """Return the program in a file, or in a text: one that has a newline in it or comes with the name of its file.

    `options` say how the language of the text is to be read; `UsageError` where it has no such choice.
    """
    if isinstance(source, str) and (file is not None or "\n" in source):
        text, name = source, file or "<text>"
    else:
        text, name = read_text(source), os.fspath(source)
    language = language_of(name, text)
    for option in options:
        if option not in names(language.options):
            owners = [other.title for other in LANGUAGES if option in names(other.options)]
            known = f"{' or '.join(owners)} can be" if owners else "nothing can be"
            raise UsageError(f"{name}: {known} read with '{option}', but this is {language.title}")
    reading = configured(language.options, options)
    try:
        return language.parse(text, name, dialect, remarks, reading)
    except SourceError:
        if language.looks_like(text):
            raise
        if other := next((other for other in LANGUAGES if other.looks_like(text)), None):
            advice = f"give the file a name that ends in '{other.suffixes[0]}'"
            raise _refusal(name, text, other.title, Span(1, 1), advice, language) from None
        from knaster.frontends.text.content import stranger_by_content

        if found := stranger_by_content(text):
            raise _refusal(name, text, found.title, found.span, found.advice, language) from None
        raise


def predicate_of(program: Program, text: str) -> Given:
    """Return what a predicate over the variables of a program means; `UsageError` where it means nothing."""
    if program.language != "c":
        raise UsageError("only C programs have predicates")
    from knaster.frontends.c.predicate import parse_predicate

    return parse_predicate(program, text)


def spelling_of(program: Program) -> Spelling:
    """Return how a program is written: as in the language that it was read from."""
    return next(language for language in LANGUAGES if language.name == program.language).spelling


def _refusal(file: str, text: str, title: str, span: Span, advice: str, expected: Language) -> SourceError:
    message = f"this looks like {title}, not like {expected.title}"
    return SourceError(file, text, [Problem(message, span, advice.replace("FILE", file))])
