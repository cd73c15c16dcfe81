"""The statements of C around a token: where one ends, its controlling expression, the cases of a switch, its function.

Only brackets and keywords are looked at, so every reader of C may come after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.named_tuples import NamedTuple
from knaster.competition.tokens import TokenText

_INPUTS = {  # what functions return that nobody declares, by what stands behind `nondet_`
    "bool": "_Bool",
    "char": "char",
    "int": "int",
    "long": "long",
    "short": "short",
    "uchar": "unsigned char",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "unsigned": "unsigned int",
    "ushort": "unsigned short",
}
_INTEGERS = ("int", "char", "short", "long", "unsigned", "signed", "_Bool", "const")
BRANCHES = ("if", "while", "for", "do", "switch")
LOOPS = ("while", "for", "do")


class Control(NamedTuple):
    """The controlling expression of a statement: the tokens from `first` up to, without, `last`."""

    first: int
    last: int


def end_of_statement(text: TokenText, first: int) -> int | None:
    """Return the number of the token behind a statement; None where its end is not found."""
    tokens, place = text.tokens, first
    while place < len(tokens):
        word = tokens[place].text
        if word == "{":
            end = text.partner.get(place)
            return None if end is None else end + 1
        if word in ("if", "while", "for", "switch"):
            end = text.partner.get(place + 1)
            body = None if end is None else end_of_statement(text, end + 1)
            if word == "if" and body is not None and body < len(tokens) and tokens[body].text == "else":
                return end_of_statement(text, body + 1)
            return body
        if word == "do":
            body = end_of_statement(text, place + 1)
            end = None if body is None else text.partner.get(body + 1)
            return None if end is None else end + 2
        if (behind := _behind_label(text, place)) is not None:
            place = behind
            continue
        return _end_of_expression(text, place)
    return None


def _behind_label(text: TokenText, place: int) -> int | None:
    """Return the token behind the label at a place; None where there is none."""
    tokens = text.tokens
    word = tokens[place].text
    if word in ("case", "default"):
        while place < len(tokens) and tokens[place].text not in (":", ";", "{", "}"):
            place += 1
        return place + 1 if place < len(tokens) and tokens[place].text == ":" else None
    is_label = (word[0].isalpha() or word[0] == "_") and place + 1 < len(tokens) and tokens[place + 1].text == ":"
    return place + 2 if is_label else None


def _end_of_expression(text: TokenText, place: int) -> int | None:
    tokens = text.tokens
    while place < len(tokens):
        word = tokens[place].text
        if word == ";":
            return place + 1
        if word in ")]}":
            return None
        place = text.partner.get(place, place) + 1 if word in "([{" else place + 1
    return None


def control_of(text: TokenText, keyword: int) -> Control | None:
    """Return the controlling expression of the statement that a keyword begins; None where it is not found."""
    tokens = text.tokens
    if tokens[keyword].text == "do":
        body = end_of_statement(text, keyword + 1)
        if body is None or body >= len(tokens) or tokens[body].text != "while":
            return None
        keyword = body
    opened = keyword + 1
    closed = text.partner.get(opened)
    if closed is None or tokens[opened].text != "(":
        return None
    if tokens[keyword].text != "for":
        return Control(opened + 1, closed)
    ends = [place for place in _top_level(text, opened + 1, closed) if tokens[place].text == ";"]
    return Control(ends[0] + 1, ends[1]) if len(ends) == 2 else None


def cases_of(text: TokenText, keyword: int) -> list[str] | None:
    """Return the constants of the cases of a switch, those of inner ones left out; None where one is a range."""
    closed = text.partner.get(keyword + 1)
    end = None if closed is None else end_of_statement(text, closed + 1)
    if closed is None or end is None:
        return None
    found: list[str] = []
    place = closed + 1
    while place < end:
        word = text.tokens[place].text
        if word == "switch":
            place = end_of_statement(text, place) or end
            continue
        if word == "case":
            behind = _behind_label(text, place)
            if behind is None or any(text.tokens[each].text == "..." for each in range(place, behind)):
                return None
            found.append(text.source(place + 1, behind - 1))
        place += 1
    return found


def declarations(text: TokenText) -> Iterator[int]:
    """Yield the first token of each declaration and definition of a file."""
    number, begins = 0, True
    while number < len(text.tokens):
        if begins:
            yield number
        word = text.tokens[number].text
        if word == "{":
            number = text.partner.get(number, len(text.tokens))
            behind = text.tokens[number + 1].text if number + 1 < len(text.tokens) else ";"
            begins = behind not in (";", ",", "=", "*", "[")
        else:
            begins = word == ";"
        number += 1


def function_start(text: TokenText, place: int) -> int | None:
    """Return the first token of the function definition around a token; None where it stands in none."""
    start = max((first for first in declarations(text) if first <= place), default=0)
    opened = (number for number in range(start, place) if text.tokens[number].text == "{")
    return start if any(place < text.partner.get(number, 0) for number in opened) else None


def type_of_function(text: TokenText, name: str) -> str | None:
    """Return the type that a declaration or definition of a function gives it; None where none is found."""
    left_out = {"extern", "static", "inline", "__inline", "_Noreturn", "__extension__"}
    for number, token in enumerate(text.tokens[:-1]):
        if token.text != name or text.tokens[number + 1].text != "(" or not number:
            continue
        words: list[str] = []
        place = number - 1
        while place >= 0 and text.tokens[place].text not in (";", "}", "{", ")", ",", "(", "="):
            words.insert(0, text.tokens[place].text)
            place -= 1
        kept = [word for word in words if word not in left_out]
        if kept and all(word[0].isalpha() or word[0] == "_" for word in kept) and kept[-1] not in ("return", "else"):
            return " ".join(kept)
    return _INPUTS.get(name.partition("nondet_")[2]) if name.startswith(("__VERIFIER_nondet_", "nondet_")) else None


def returns_integer(text: TokenText, name: str) -> bool:
    """Tell whether the text says that a function returns an integer."""
    type = type_of_function(text, name)
    return type is not None and type != "void" and all(word in _INTEGERS for word in type.split())


def _top_level(text: TokenText, first: int, last: int) -> list[int]:
    """Return the tokens of a stretch that stand in no bracket of it."""
    found, place = [], first
    while place < last:
        found.append(place)
        place = text.partner.get(place, place) + 1 if text.tokens[place].text in "([{" else place + 1
    return found
