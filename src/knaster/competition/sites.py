"""The places that a witness names, in the tokens of a program: what stands there, or why nothing fits."""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.errors import KnasterError
from knaster.competition.statements import BRANCHES, LOOPS
from knaster.competition.tokens import TokenText
from knaster.competition.witness import WitnessPlace

_CHANGES = {
    "=",
    "++",
    "--",
    ";",
    "{",
    "}",
    *(f"{sign}=" for sign in ("+", "-", "*", "/", "%", "&", "^", "|", "<<", ">>")),
}


def find_branch(text: TokenText, place: WitnessPlace, file: str) -> int:
    """Return the keyword of a branching."""
    return _find(text, place, file, lambda n: text.tokens[n].text in BRANCHES, "if, while, for, do or switch")


def find_loop(text: TokenText, place: WitnessPlace, file: str) -> int:
    """Return the keyword of a loop."""
    return _find(text, place, file, lambda n: text.tokens[n].text in LOOPS, "for, while or do")


def find_statement(text: TokenText, place: WitnessPlace, file: str) -> int:
    """Return the first token of a statement or declaration."""
    return _find(text, place, file, lambda n: begins_statement(text, n), "a statement")


def find_call(text: TokenText, place: WitnessPlace, file: str) -> int:
    """Return the name of the function in the call that a closing bracket ends."""
    closed = _find(text, place, file, lambda n: _ends_call(text, n), "the ')' of a call")
    return text.partner[closed] - 1


def _find(text: TokenText, place: WitnessPlace, file: str, fits: Callable[[int], bool], what: str) -> int:
    if place.column is not None:
        number = text.at(place.line, place.column)
        if number is None or not fits(number):
            raise KnasterError(
                f"{file}:{place.line}:{place.column}: the witness expects {what} here, and there is none"
            )
        return number
    found = next((number for number in text.on_line(place.line) if fits(number)), None)
    if found is None:
        raise KnasterError(f"{file}:{place.line}: the witness expects {what} on this line, and there is none")
    return found


def begins_statement(text: TokenText, number: int) -> bool:
    """Tell whether a token begins a statement or declaration of a block."""
    before = text.tokens[number - 1].text if number else "{"
    if text.tokens[number].text in ("}", ")", ";", "else"):
        return text.tokens[number].text == ";" and before in ("{", "}", ";", ")", ":")
    if before in ("{", "}", "else", "do", ":"):
        return True
    if before == ";":
        return not _inside_header(text, number)
    return before == ")" and _closes_header(text, number - 1)


def needs_braces(text: TokenText, number: int) -> bool:
    """Tell whether a statement is the whole body of another one, without braces."""
    before = text.tokens[number - 1].text if number else "{"
    return before in ("else", "do") or (before == ")" and _closes_header(text, number - 1))


def _closes_header(text: TokenText, closed: int) -> bool:
    opened = text.partner.get(closed)
    return opened is not None and opened > 0 and text.tokens[opened - 1].text in ("if", "while", "for", "switch")


def _inside_header(text: TokenText, number: int) -> bool:
    """Tell whether a token stands between the brackets of a `for`."""
    return any(
        text.tokens[opened].text == "(" and opened < number < text.partner[opened]
        for opened in text.partner
        if opened and text.tokens[opened - 1].text == "for" and text.tokens[opened].text == "("
    )


def _ends_call(text: TokenText, number: int) -> bool:
    opened = text.partner.get(number)
    if text.tokens[number].text != ")" or not opened:
        return False
    word = text.tokens[opened - 1].text
    return (word[0].isalpha() or word[0] == "_") and word not in (*BRANCHES, "return", "sizeof", "__attribute__")


def may_call(text: TokenText, number: int) -> bool:
    """Tell whether a bracket may open the arguments of a call; that of a cast, or around a part, does not."""
    before = text.tokens[number - 1].text
    names = before[0].isalpha() or before[0] == "_"
    return text.tokens[number].text == "(" and ((names and before != "sizeof") or before in (")", "]"))


def expression_problem(expression: str) -> str | None:
    """Return why an expression of a witness is not taken; None where nothing speaks against it."""
    text = TokenText(expression)
    if not text.tokens or "#" in expression or "//" in expression or "/*" in expression:
        return f"'{expression}' is no expression"
    depth = 0
    for number, token in enumerate(text.tokens):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.text, 0)
        if depth < 0 or token.text in _CHANGES:
            return f"'{expression}' has an effect, or its brackets do not fit"
        behind = text.tokens[number + 1].text if number + 1 < len(text.tokens) else ""
        if behind == "(" and (token.text[0].isalpha() or token.text[0] == "_") and token.text != "sizeof":
            return f"'{expression}' calls {token.text}, and an expression of a witness has no effect"
    return None if depth == 0 else f"the brackets of '{expression}' do not fit"
