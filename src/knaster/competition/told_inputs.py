"""The values that a run reads as segments of a witness: results of functions, and variables that nobody initialised.

A call that shares its line with another call of the same function is left out whole, since a place must be evaluated in
the order that is told.  Such a variable is told by an assumption at the statement behind its declaration: every run
that comes there has read it, so that, too, is evaluated once for each value.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.competition.sites import begins_statement
from knaster.competition.statements import function_start, returns_integer
from knaster.competition.tokens import TokenText
from knaster.competition.witness import Segment, Waypoint, WitnessPlace
from knaster.evidence.traces.inputs import Input, list_inputs
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Kind, Program

_MOST_VARIABLES = 300  # values of variables that are told; a run with more of them is told without
_NO_DECLARATIONS = ("return", "goto", "typedef", "extern", "static")


def input_segments(program: Program, trace: Trace, text: TokenText, file: str) -> Iterator[Segment]:
    """Yield segments for the values that a run reads, in order."""
    read = list_inputs(program, trace)
    variables = sum(not one.name.endswith("()") for one in read)
    with_variables = program.kind is Kind.INTEGERS and not program.is_threaded and variables <= _MOST_VARIABLES
    group: dict[str, int] = {}
    place: int | None = None
    for one in read:
        if not isinstance(one.value, int):
            continue
        behind = _behind_declaration(text, one) if with_variables else None
        called = None if behind is not None else _call(text, one)
        if behind is None and called is None:
            continue
        if group and (behind != place or one.name in group):
            yield _assumption(text, file, place, group)
            group = {}
        if behind is not None:
            place, group[one.name] = behind, int(one.value)
        elif called is not None:
            said = f"\\result == {int(one.value)}"
            yield Segment((), Waypoint("function_return", "follow", _at(text, file, text.partner[called + 1]), said))
    if group:
        yield _assumption(text, file, place, group)


def calls_on_line(text: TokenText, function: str, line: int) -> list[int]:
    """Return the calls of a function that begin on a line."""
    return [
        number
        for number in text.on_line(line)
        if text.tokens[number].text == function
        and text.tokens[number + 1].text == "("
        and function_start(text, number) is not None
    ]


def _call(text: TokenText, one: Input) -> int | None:
    """Return the call that returned an input; None where it is not the only one on its line, or returns no integer."""
    function = one.name.removesuffix("()")
    if function == one.name or not returns_integer(text, function):
        return None
    calls = calls_on_line(text, function, one.line)
    return calls[0] if len(calls) == 1 else None


def _behind_declaration(text: TokenText, one: Input) -> int | None:
    """Return the statement behind the declaration of a variable; None where it is not found, or computes something."""
    found = [number for number in text.on_line(one.line) if text.tokens[number].text == one.name]
    ends = [end for number in found if (end := _end_of_declaration(text, number)) is not None]
    if len(ends) != 1 or not begins_statement(text, ends[0] + 1) or _is_label(text, ends[0] + 1):
        return None
    return ends[0] + 1


def _is_label(text: TokenText, number: int) -> bool:
    """Tell whether a statement begins with a label, to which a run may come without the declaration before it."""
    return text.tokens[number].text in ("case", "default") or text.tokens[number + 1].text == ":"


def _end_of_declaration(text: TokenText, number: int) -> int | None:
    """Return the `;` of a declaration of plain names around a token; None where it is something else."""
    first = last = number
    while first and _is_name(text.tokens[first - 1].text):
        first -= 1
    while last + 1 < len(text.tokens) and _is_name(text.tokens[last + 1].text):
        last += 1
    words = [text.tokens[each].text for each in range(first, last + 1)]
    is_plain = begins_statement(text, first) and number > first and words[0] not in _NO_DECLARATIONS
    ends = last + 1 < len(text.tokens) and text.tokens[last + 1].text == ";"
    return last + 1 if is_plain and ends and function_start(text, number) is not None else None


def _is_name(word: str) -> bool:
    return word == "," or word[0].isalpha() or word[0] == "_"


def _assumption(text: TokenText, file: str, token: int | None, group: dict[str, int]) -> Segment:
    assert token is not None
    said = " && ".join(f"{name} == {_literal(value)}" for name, value in group.items())
    return Segment((), Waypoint("assumption", "follow", _at(text, file, token), said))


def _literal(value: int) -> str:
    return f"{value}ULL" if value >= 1 << 63 else str(value)


def _at(text: TokenText, file: str, token: int) -> WitnessPlace:
    return WitnessPlace(file, text.tokens[token].line, text.tokens[token].column)
