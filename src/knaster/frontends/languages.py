"""The languages that Knaster reads, one line for each, and how to tell which one a file is written in.

The suffix of a file decides; where it says nothing, the content does.  A text of a language that is not read, or that
another command reads, is refused with one sentence instead of a syntax error for each of its lines.  What a language
needs is imported when the first text of it is read.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Problem, SourceError, Span, UsageError
from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.base.options import make_options, names
from knaster.frontends.text.files import read_text
from knaster.frontends.text.options import COptions, Options
from knaster.frontends.text.several import is_several
from knaster.frontends.text.spelling import Spelling

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


class Language(NamedTuple):
    """A language: what it is called in `Program.language` and in messages, and how it is told, read and written.

    `frontends/NAME` has a function `parse` that takes what `read` takes (the options where there are any), raises
    `SourceError` with every problem of a text and appends remarks to `notes`; its module `spelling` has `SPELLING`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sign: str  # "module:function", which tells whether a text looks like one
    options: type[Options] = Options

    def looks_like(self, text: str) -> bool:
        """Tell whether a text looks as if it were written in it."""
        return bool(load_named(self.sign)(text))

    def read(self, text: str, file: str, dialect: str, notes: list[Problem] | None, options: Options) -> Program:
        """Return the program that a text means."""
        own = () if self.options is Options else (options,)
        program: Program = load_named(f"{__package__}.{self.name}:parse")(text, file, dialect, notes, *own)
        return program

    @property
    def spelling(self) -> Spelling:
        """How its programs are written."""
        found: Spelling = load_named(f"{__package__}.{self.name}.spelling:SPELLING")
        return found


LANGUAGES = (
    Language("boolean", "a Boolean program", (".bp",), "knaster.frontends.text.content:looks_boolean"),
    Language("zing", "a Zing model", (".zing",), "knaster.frontends.text.content:looks_zing"),
    Language("pl", "a PL program", (".pl",), "knaster.frontends.text.content:looks_like_pl"),
    Language("c", "a C program", (".c", ".i"), "knaster.frontends.text.content:looks_like_c", COptions),
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
    if is_several(text):
        return next(language for language in LANGUAGES if language.name == "c")
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
    reading = make_options(language.options, options)
    try:
        return language.read(text, name, dialect, remarks, reading)
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
