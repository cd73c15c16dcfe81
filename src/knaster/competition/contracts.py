"""Contracts of a witness written into a program: at the entry of a function what it requires, at its returns the rest.

`return e;` becomes `{ T result; return (result = (e), ensured ? (void)0 : broken(), result); }`, on the same line.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.errors import KnasterError
from knaster.competition.insertions import Insertions, end_run
from knaster.competition.past_values import PastValue, declare, replace_past_values
from knaster.competition.sequence import NotValidated
from knaster.competition.sites import expression_problem
from knaster.competition.statements import function_start, type_of_function
from knaster.competition.tokens import TokenText
from knaster.competition.witness import Contract, WitnessPlace

_RESULT = "__knaster_result"


def find_body(text: TokenText, place: WitnessPlace, file: str) -> int:
    """Return the bracket that opens the body of the function whose definition has a place in its header."""
    for number in text.on_line(place.line):
        if place.column is not None and text.tokens[number].column != place.column:
            continue
        opened = next((n for n in range(number, len(text.tokens)) if text.tokens[n].text in ("{", ";")), None)
        if opened is None or text.tokens[opened].text != "{":
            continue
        start = function_start(text, opened + 1)
        if start is not None and start <= number and _name_of(text, start, opened) is not None:
            return opened
    raise KnasterError(f"{file}:{place.line}: the witness expects the definition of a function here, and there is none")


def _name_of(text: TokenText, start: int, opened: int) -> str | None:
    """Return the name of a function from the tokens of its header."""
    brackets = [n for n in range(start + 1, opened) if text.tokens[n].text == "("]
    return text.tokens[brackets[0] - 1].text if brackets and text.partner[brackets[0]] == opened - 1 else None


def insert_contract(insert: Insertions, contract: Contract, broken: str, file: str) -> None:
    """Insert calls of a function that is called where a contract does not hold."""
    text = insert.text
    opened = find_body(text, contract.place, file)
    start = function_start(text, opened + 1)
    assert start is not None
    ensures, past = replace_past_values(contract.ensures, f"{broken}_old")
    ensures = ensures.replace("\\result", _RESULT)
    if any(one.when not in ("Old", "Pre") for one in past):
        raise NotValidated("a contract speaks of an earlier visit")
    for part in (contract.requires, ensures, *(one.expression for one in past)):
        if problem := expression_problem(part):
            raise KnasterError(f"{file}:{contract.place.line}: in the witness, {problem}")
    insert.before(opened + 1, _at_entry(contract.requires, past, broken))
    if ensures.strip() == "1":
        return
    _check_returns(
        insert, opened, f"(({ensures}) ? (void)0 : {end_run(broken)})", type_of_function(text, _called(text, opened))
    )


def _called(text: TokenText, opened: int) -> str:
    start = function_start(text, opened + 1)
    name = None if start is None else _name_of(text, start, opened)
    assert name is not None
    return name


def _at_entry(requires: str, past: list[PastValue], broken: str) -> str:
    kept = "".join(f"{one.variable} = ({one.expression}); " for one in past)
    return f"{declare(past)}{kept}if (!({requires})) {end_run(broken)}; "


def _check_returns(insert: Insertions, opened: int, check: str, type: str | None) -> None:
    text = insert.text
    for number in _returns(text, opened):
        end = next(n for n in range(number, len(text.tokens)) if text.tokens[n].text == ";")
        if end == number + 1:
            insert.before(number, f"{{ {check}; ")
        elif type is None or type == "void":
            raise NotValidated(f"the type of what line {text.tokens[number].line} returns is not found")
        else:
            insert.before(number, f"{{ {type} {_RESULT}; ")
            insert.behind(number, f" ({_RESULT} = (")
            insert.before(end, f"), {check}, {_RESULT})")
        insert.behind(end, " }")
    if _RESULT not in check:
        insert.before(text.partner[opened], f"{check}; ")


def _returns(text: TokenText, opened: int) -> Iterator[int]:
    """Yield the return statements of a body."""
    for number in range(opened, text.partner[opened]):
        if text.tokens[number].text == "return":
            yield number
