"""GNU words out of the way: what changes no meaning is dropped, what the parser cannot read is refused by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import Problem
from knaster.frontends.c.text.tokens import Token

_DROPPED = frozenset(
    [
        "__extension__",
        "__inline",
        "__inline__",
        "__restrict",
        "__restrict__",
        "__const",
        "__const__",
        "_Noreturn",
        "__noreturn__",
        "__cdecl",
        "inline",
        "restrict",
        "register",
        "auto",
    ]
)
_WITH_BRACKETS = frozenset(("__attribute__", "__attribute", "__declspec", "_Alignas", "_Static_assert"))
_RENAMED = {
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed__": "signed",
    "__signed": "signed",
    "__int64": "long",
    "__builtin_va_list": "int",
    "_Float128": "double",
    "__float128": "double",
    "__PRETTY_FUNCTION__": '""',
    "__FUNCTION__": '""',
    "__func__": '""',
}
_REFUSED = frozenset(("constructor", "destructor", "packed", "cleanup", "vector_size", "scalar_storage_order"))
_ASM = frozenset(("__asm__", "__asm", "asm"))


def clean_tokens(tokens: Sequence[Token], problems: list[Problem]) -> list[Token]:
    """Return the tokens that the parser reads."""
    done: list[Token] = []
    depth, index = 0, 0  # of braces
    while index < len(tokens):
        token = tokens[index]
        depth += (token.text == "{") - (token.text == "}")
        if token.text in _WITH_BRACKETS or (token.text == "static_assert" and depth == 0):
            end = _after_brackets(tokens, index + 1)
            problems += _changes_of_meaning(tokens[index + 1 : end] if "_Static" not in token.text else ())
            index = end
        elif token.text in _ASM:
            if not done or done[-1].text != ")":
                problems.append(Problem("assembly is not read", token.span, "replace it by C"))
            while index + 1 < len(tokens) and tokens[index + 1].text not in ("(", "{", ";"):
                index += 1
            index = _after_brackets(tokens, index + 1)
        elif token.text == "(" and index + 1 < len(tokens) and tokens[index + 1].text == "{":
            replaced, index = _statement_expression(tokens, index, problems)
            done += replaced
        elif token.text == "static_assert":  # in a body: HOLA's way to write assert
            done.append(token._replace(text="assert"))
            index += 1
        else:
            if token.text not in _DROPPED:
                done.append(token._replace(text=_RENAMED[token.text]) if token.text in _RENAMED else token)
            index += 1
    return _without_empty(done)


def _changes_of_meaning(attribute: Sequence[Token]) -> Iterator[Problem]:
    """Yield the words of an attribute that change what a program does, or how large something is."""
    for token in attribute:
        word = token.text.removeprefix("__").removesuffix("__")
        if word in _REFUSED:
            yield Problem(f"the attribute '{word}' is not read", token.span, "write the program without it")


def _without_empty(tokens: list[Token]) -> list[Token]:
    """Return the tokens without a `;` that stands alone between functions."""
    done: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.text in "({[") - (token.text in ")}]") if len(token.text) == 1 else 0
        if token.text == ";" and depth == 0 and (not done or done[-1].text == ";"):
            continue
        done.append(token)
    return done


def _after_brackets(tokens: Sequence[Token], index: int) -> int:
    """Return where a group in brackets that begins at `index` is over; `index` where none begins there."""
    if index >= len(tokens) or tokens[index].text not in ("(", "{"):
        return index
    opening = tokens[index].text
    closing = ")" if opening == "(" else "}"
    depth = 0
    while index < len(tokens):
        depth += (tokens[index].text == opening) - (tokens[index].text == closing)
        index += 1
        if depth == 0:
            break
    return index


def _statement_expression(tokens: Sequence[Token], index: int, problems: list[Problem]) -> tuple[list[Token], int]:
    """Return what stands for `({ ... })`: glibc's way to write assert becomes a conditional, others are refused."""
    end = _after_brackets(tokens, index)
    inner = list(tokens[index + 2 : end - 2])
    if inner and inner[0].text == "if":
        after = _after_brackets(inner, 1)
        condition, rest = inner[1:after], inner[after:]
        texts = [token.text for token in rest]
        for start in ([";", "else"], ["{", "}", "else"]):
            if texts[: len(start)] == start and texts[-1:] == [";"]:
                at = tokens[index]
                middle = [at._replace(text=text) for text in ("?", "(", "void", ")", "0", ":")]
                call = rest[len(start) : -1]
                return [at, *clean_tokens([*condition, *middle, *call], problems), at._replace(text=")")], end
    what = "a statement in brackets inside an expression is not read"
    problems.append(Problem(what, tokens[index].span, "write it as a statement of its own"))
    return [tokens[index]._replace(text="0")], end
