"""The preprocessor, as far as it is needed without a compiler: includes, macros, conditions.

System headers are known by name (`headers`), `"x.h"` is read beside the file or in a folder that the user names, and
nowhere else; what comes from it stands on the line that includes it.  Anything else is refused with the advice to run
`cc -E` first.
"""

from __future__ import annotations

import re
from pathlib import Path

from knaster.base.errors import KnasterError, Problem, Span
from knaster.base.records import dataclass
from knaster.frontends.c.text.conditions import NoCondition, holds
from knaster.frontends.c.text.headers import HEADERS, PREDEFINED, macros_of
from knaster.frontends.c.text.macros import MOST, Macro, TooLong, Work, defined_by, expand, simple_macro
from knaster.frontends.c.text.tokens import Line, Token, logical_lines
from knaster.frontends.text.files import read_text
from knaster.frontends.text.options import COptions

ADVICE = "run 'cc -E FILE.c > FILE.i' first and check FILE.i"
_PREDEFINED = re.compile(
    "__GNUC(_MINOR|_PATCHLEVEL|_STDC_INLINE|_GNU_INLINE)?__|__clang__|__clang_(major|minor)__|__VERSION__|__OPTIMIZE__"
    "|__OPTIMIZE_SIZE__|_?_?_LP64(__)?|_?_?_ILP32(__)?|__(x86_64|i386|amd64|arm|aarch64)(__)?|(__)?(linux|unix)(__)?"
    "|__SIZEOF_[A-Z0-9_]+__|__(SIZE|PTRDIFF|WCHAR|WINT|U?INT(MAX|[0-9]+)?|LONG|LONG_LONG|SHRT|SCHAR)_(MAX|WIDTH|TYPE)__|__CHAR_(BIT|UNSIGNED)__|__BYTE_ORDER__|__ORDER_[A-Z]+_ENDIAN__"
    "|__STRICT_ANSI__|__NO_INLINE__|__ELF__|__COUNTER__|__FILE__|__LINE__|__DATE__|__TIME__|__INCLUDE_LEVEL__"
    "|__STDC_[A-Z0-9_]+__"
)
_OUTSIDE = "allow its folder with '-I FOLDER'"
_DEEPEST = 40  # includes inside includes
_MOST_HEADERS = 1_000  # includes of one program


class _TooMuch(Exception):
    """The text is small, and what it stands for is not."""


@dataclass(slots=True)
class _Condition:
    """An `#if` that is open: whether its lines count now, whether some part has counted, whether it counts at all."""

    active: bool
    done: bool
    outside: bool
    span: Span


def preprocess(text: str, file: str, options: COptions, problems: list[Problem]) -> list[Token]:
    """Return the tokens of a text, macros expanded; what is wrong is added to `problems`."""
    folders = [Path(file).parent, *map(Path, options.include)]
    reader = _Preprocessor(options.data_model, folders, problems)
    try:
        reader.read(logical_lines(text, problems), folders[0], 0)
    except _TooMuch as much:
        problems.append(Problem(str(much), reader.where or Span(1, 1), ADVICE))
    return reader.tokens


class _Preprocessor:
    """The macros that are defined so far, and the tokens that have come out."""

    def __init__(self, data_model: str, folders: list[Path], problems: list[Problem]) -> None:
        self.data_model = data_model
        self.folders = folders  # of headers: that of the program comes first
        self.headers = 0  # that were read
        self.where: Span | None = None  # the include of the program itself that is being read
        self.problems = problems
        self.work = Work()
        self.macros: dict[str, Macro] = {name: simple_macro(value) for name, value in PREDEFINED.items()}
        self.tokens: list[Token] = []
        self.pending: list[Token] = []  # not expanded yet: a macro's arguments may go on in the next line

    def read(self, lines: list[Line], folder: Path, depth: int) -> None:
        """Read one file."""
        conditions: list[_Condition] = []
        for line in lines:
            if line and line[0].text == "#":
                self.flush()
                self.directive(line, conditions, folder, depth)
            elif not conditions or conditions[-1].active:
                self.pending += line
        self.flush()
        if conditions:
            self.problems.append(Problem("#if has no #endif", conditions[-1].span))

    def flush(self) -> None:
        """Expand what has been read since the last directive."""
        if not self.pending:
            return
        self.where = self.where or self.pending[0].span
        try:
            self.tokens += expand(self.pending, self.macros, self.work)
        except (TooLong, RecursionError):
            raise _TooMuch("the macros of this file expand without end") from None
        self.pending, self.where = [], None

    def directive(self, line: Line, conditions: list[_Condition], folder: Path, depth: int) -> None:
        """Obey a line that begins with #."""
        if len(line) == 1:
            return
        word, rest = line[1], line[2:]
        active = not conditions or conditions[-1].active
        if word.text in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self.condition(word, rest, conditions, active)
            return
        if not active:
            return
        match word.text:
            case "define":
                if found := defined_by(rest, self.problems):
                    self.macros[found[0]] = found[1]
            case "undef":
                self.macros.pop(rest[0].text if rest else "", None)
            case "include":
                self.include(line, folder, depth)
            case "error":
                self.problems.append(Problem("#error " + " ".join(token.text for token in rest), word.span))
            case "pragma" if rest and rest[0].text in ("pack", "scalar_storage_order"):
                self.problems.append(Problem(f"'#pragma {rest[0].text}' is not read", word.span, "leave it out"))
            case "pragma" | "warning" | "ident" | "line":
                pass
            case number if number.isdigit():
                pass
            case other:
                self.problems.append(Problem(f"'#{other}' is not known", word.span, ADVICE))

    def condition(self, word: Token, rest: Line, conditions: list[_Condition], active: bool) -> None:
        """Open, turn or close a condition."""
        match word.text:
            case "if" | "ifdef" | "ifndef":
                value = active and self.value(word, rest)
                conditions.append(_Condition(value, value, active, word.span))
            case _ if not conditions:
                self.problems.append(Problem(f"#{word.text} without #if", word.span))
            case "elif":
                last = conditions[-1]
                last.active = last.outside and not last.done and self.value(word, rest)
                last.done = last.done or last.active
            case "else":
                last = conditions[-1]
                last.active, last.done = last.outside and not last.done, True
            case _:
                conditions.pop()

    def value(self, word: Token, rest: Line) -> bool:
        """Return what the condition of a directive says."""
        self.refuse_predefined(word, rest)
        if word.text in ("ifdef", "ifndef"):
            return (bool(rest) and rest[0].text in self.macros) == (word.text == "ifdef")
        try:
            return holds(expand(self.without_defined(rest), self.macros, self.work))
        except (NoCondition, TooLong, RecursionError):
            self.problems.append(Problem(f"what stands after #{word.text} is not understood", word.span, ADVICE))
            return False

    def refuse_predefined(self, word: Token, rest: Line) -> None:
        """Refuse a condition about a macro that every compiler defines in its own way."""
        for token in rest:
            if token.text not in self.macros and _PREDEFINED.fullmatch(token.text):
                what = f"'{token.text}' after #{word.text} is what a compiler defines, and there is none here"
                self.problems.append(Problem(what, word.span, ADVICE))
                return

    def without_defined(self, rest: Line) -> Line:
        """Return the tokens with 1 or 0 for each `defined NAME`."""
        done: Line = []
        index = 0
        while index < len(rest):
            token = rest[index]
            if token.text != "defined":
                done.append(token)
                index += 1
                continue
            bracket = index + 1 < len(rest) and rest[index + 1].text == "("
            name = rest[index + 1 + bracket].text if index + 1 + bracket < len(rest) else ""
            done.append(token._replace(text="1" if name in self.macros else "0"))
            index += 4 if bracket else 2
        return done

    def include(self, line: Line, folder: Path, depth: int) -> None:
        """Read a header: a system header by name, any other beside the file."""
        where = line[1].span
        name = "".join(token.text for token in line[2:]).strip('<>"')
        quoted = len(line) > 2 and line[2].text.startswith('"')
        places = [folder, *self.folders[1:]] if quoted else self.folders[1:]
        inside = [place / name for place in places if self.is_inside(place / name)]
        found = next((path for path in inside if path.is_file()), None) if quoted or name not in HEADERS else None
        if found is not None:
            self.read_header(found, where, depth)
        elif quoted and not inside:
            self.problems.append(Problem(f"'{name}' is outside of the program's folder", where, _OUTSIDE))
        elif name in HEADERS:
            self.macros |= {key: simple_macro(value) for key, value in macros_of(name, self.data_model).items()}
            if name == "assert.h" and "NDEBUG" in self.macros:
                self.macros["assert"] = Macro(simple_macro("((void)0)").body, ("ignored",))
        elif quoted:
            self.problems.append(Problem(f"there is no file '{name}' beside this one", where, ADVICE))
        else:
            known = ", ".join(header.removesuffix(".h") for header in HEADERS)
            self.problems.append(Problem(f"the header <{name}> is not known (known: {known})", where, ADVICE))

    def is_inside(self, path: Path) -> bool:
        """Tell whether a header lies in one of the folders that may be read, links followed."""
        try:
            whole = path.resolve()
            return any(whole.is_relative_to(folder.resolve()) for folder in self.folders)
        except (OSError, RuntimeError, ValueError):  # links that lead nowhere, names that no file can have
            return False

    def read_header(self, path: Path, where: Span, depth: int) -> None:
        """Read a file that is included; its tokens stand where it is included."""
        self.where = self.where or where
        self.headers += 1
        if depth >= _DEEPEST:
            raise _TooMuch(f"'{path.name}' includes itself")
        if self.headers > _MOST_HEADERS:
            raise _TooMuch(f"headers are included more than {_MOST_HEADERS:,} times")
        try:
            lines = logical_lines(read_text(path), self.problems)
        except KnasterError as error:
            self.problems.append(Problem(str(error), where))
            return
        once = bool(lines) and any([token.text for token in line] == ["#", "pragma", "once"] for line in lines)
        key = f"#pragma once {path.resolve()}"
        if once and key in self.macros:
            return
        if once:
            self.macros[key] = Macro(())
        first = len(self.tokens)
        self.read(lines, path.parent, depth + 1)
        self.tokens[first:] = [token._replace(span=where) for token in self.tokens[first:]]
        if len(self.tokens) > MOST:
            raise _TooMuch(f"with its headers the program has more than {MOST:,} tokens")
        self.where = None if depth == 0 else self.where
