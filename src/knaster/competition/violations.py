"""Where a violation happens: the call, assertion, label or full expression that the target of a witness names.

A target is the first character of a statement, or of a full expression (C11, 6.8): an expression statement, a
controlling expression, a clause of `for`.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.errors import KnasterError
from knaster.competition.insertions import Insertions
from knaster.competition.properties import ASSERTIONS, Specification
from knaster.competition.sites import begins_statement
from knaster.competition.statements import control_of, end_of_statement, function_start
from knaster.competition.tokens import TokenText
from knaster.competition.witness import WitnessPlace

ASSERTS = ("assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert", "static_assert")
_FAILS = ("__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail")
_HEADERS = ("if", "while", "for", "switch")


def insert_target(
    insert: Insertions, token: int, wanted: Specification, due: str, number: int, declared: list[str], file: str
) -> None:
    """Insert a call of `__knaster_violation` where the statement at a token violates a property and it is `due`."""
    text = insert.text
    end = end_of_statement(text, token)
    last = len(text.tokens) if end is None else end
    violation = f"(({due}) ? __knaster_violation() : (void)0)"
    if wanted.name == "unreach-label":
        _insert_at_label(insert, token, wanted, violation, file)
        return
    functions = (*ASSERTS, *_FAILS) if wanted.target in ASSERTIONS else (wanted.target,)
    calls = [n for n in range(token, last - 1) if text.tokens[n].text in functions and text.tokens[n + 1].text == "("]
    if not calls:
        raise _nothing(text, token, f"a call of {wanted.target}", file)
    for call in calls:
        closed = text.partner[call + 1]
        if text.tokens[call].text not in ASSERTS or wanted.target not in ASSERTIONS:
            insert.before(call, f"({violation}, ")
            insert.behind(closed, ")")
            continue
        name = f"__knaster_a{number}_{call}"
        comma = next(iter(_commas(text, call + 2, closed)), closed)
        declared.append(f"int {name}; ")
        fails = f"(({due} && !{name}) ? __knaster_violation() : (void)0)"
        insert.before(call + 2, f"({name} = ((")
        insert.behind(comma - 1, f") ? 1 : 0), {fails}, {name})")


def _insert_at_label(insert: Insertions, token: int, wanted: Specification, violation: str, file: str) -> None:
    tokens = insert.text.tokens
    for label in (token, token - 2):
        if label >= 0 and tokens[label].text == wanted.target and tokens[label + 1].text == ":":
            insert.behind(label + 1, f" {violation};")
            return
    raise _nothing(insert.text, token, f"the label {wanted.target}", file)


def _nothing(text: TokenText, token: int, what: str, file: str) -> KnasterError:
    where = f"{file}:{text.tokens[token].line}:{text.tokens[token].column}"
    return KnasterError(f"{where}: the witness expects {what} here, and there is none")


def find_full_expression(text: TokenText, place: WitnessPlace, file: str) -> int:
    """Return the token that begins a statement or a full expression at a place; raise where there is none."""
    starts = {*_clauses(text)}
    tokens = text.on_line(place.line)
    fits = [n for n in tokens if (begins_statement(text, n) or n in starts) and _is_at(text, n, place)]
    if not fits:
        where = f"{file}:{place.line}" + (f":{place.column}" if place.column is not None else "")
        raise KnasterError(f"{where}: the witness expects a statement or a full expression here, and there is none")
    return fits[0]


def _is_at(text: TokenText, token: int, place: WitnessPlace) -> bool:
    return place.column is None or text.tokens[token].column == place.column


def end_of_full_expression(text: TokenText, token: int) -> int:
    """Return the last token of the statement or full expression that begins at a token; of a header its bracket."""
    if text.tokens[token].text in _HEADERS:
        return text.partner.get(token + 1, token)
    for clause, last in _clauses(text).items():
        if clause == token:
            return last
    end = end_of_statement(text, token)
    return token if end is None else end - 1


def enclosing_full_expression(text: TokenText, token: int) -> int | None:
    """Return where the innermost full expression or statement around a token begins; None where there is none."""
    for clause, last in _clauses(text).items():
        if clause <= token <= last:
            return clause
    for start in range(token, -1, -1):
        if begins_statement(text, start) and text.tokens[start].text not in (*_HEADERS, "do", "{"):
            end = end_of_statement(text, start)
            if end is not None and end > token:
                return start if function_start(text, start) is not None else None
    return None


def _clauses(text: TokenText) -> dict[int, int]:
    """Return the controlling expressions and clauses of `for`: their first and last tokens."""
    found: dict[int, int] = {}
    for number, token in enumerate(text.tokens):
        if token.text not in (*_HEADERS, "do"):
            continue
        control = control_of(text, number)
        if control is not None and control.first < control.last:
            found[control.first] = control.last - 1
        if control is not None and token.text == "for":
            closed = text.partner[number + 1]
            if number + 2 < control.first - 1:
                found[number + 2] = control.first - 2
            if control.last + 1 < closed:
                found[control.last + 1] = closed - 1
    return found


def _commas(text: TokenText, first: int, last: int) -> Iterator[int]:
    """Yield the commas of a stretch that stand in no bracket of it."""
    place = first
    while place < last:
        if text.tokens[place].text == ",":
            yield place
        place = text.partner.get(place, place) + 1 if text.tokens[place].text in "([{" else place + 1
