"""What a witness of a proof says: invariants of loops, contracts of functions, and measures as transition invariants.

Of invariants the simple parts are written: what compares sums of variables, results and numbers.  They are compared as
wide integers, for C compares what has a sign with what has none in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from knaster.base.errors import UsageError
from knaster.base.named_tuples import NamedTuple
from knaster.competition.sites import expression_problem
from knaster.competition.statements import LOOPS, control_of, end_of_statement, function_start
from knaster.competition.tokens import TokenText
from knaster.competition.witness import TRANSITION, Contract, WitnessInvariant, WitnessPlace
from knaster.report.proof_words import proof_to_json
from knaster.report.sentence import Report

_ATOM = r"(-?\d+|[A-Za-z_]\w*|\\result|\\old\([A-Za-z_]\w*\))"
_SIMPLE = re.compile(rf"{_ATOM} (<=|>=|<|>|==|!=) {_ATOM}")
_NAMES = re.compile(r"\\result|\\old\([A-Za-z_]\w*\)|[A-Za-z_]\w*\b")  # a name ends in one way only
_SUM = rf"((?:{_NAMES.pattern}|\d{{1,18}}\b|[-+*() ])+)"
_SUMS = re.compile(rf"{_SUM} (<=|>=|<|>|==|!=) {_SUM}")
_TYPES = {"int", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool", "__int128"}
_MEASURE = re.compile(r"[\w\s+*()-]+")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Claims(NamedTuple):
    """A proof, and the text of its program."""

    report: Report
    text: TokenText
    file: str

    def proof(self) -> dict[str, Any]:
        """Return what was proved, as it is written in JSON."""
        found = proof_to_json(self.report)
        return found if isinstance(found, dict) else {}

    @property
    def wide(self) -> str:
        """A cast to the widest integers that there are."""
        model = dict(self.report.program.reading).get("data_model")
        return "(long long)" if model == "ILP32" else "(__int128)"

    def place_of(self, token: int) -> WitnessPlace:
        """Return the place of a token."""
        found = self.text.tokens[token]
        return WitnessPlace(self.file, found.line, found.column)

    def loop_at(self, line: int) -> int | None:
        """Return the only loop that begins on a line; None where there is none, or several."""
        loops = [n for n in self.text.on_line(line) if self.text.tokens[n].text in LOOPS and not ends_do(self.text, n)]
        return loops[0] if len(loops) == 1 else None


def ends_do(text: TokenText, number: int) -> bool:
    """Tell whether a token is the `while` behind the body of a `do`."""
    return text.tokens[number].text == "while" and any(
        token.text == "do" and end_of_statement(text, place + 1) == number
        for place, token in enumerate(text.tokens[:number])
    )


def loop_invariants(claims: Claims) -> Iterator[WitnessInvariant]:
    """Yield the simple parts of what was proved at loops.

    A `do` is proved about where its body begins: it is there again where its condition holds.
    """
    for one in claims.proof().get("invariants", ()):
        loop = claims.loop_at(one["line"])
        if loop is None:
            continue
        condition = _condition_of(claims.text, loop) if claims.text.tokens[loop].text == "do" else ""
        for part in one["holds"] if condition is not None else ():
            written = write_part(claims, part)
            if written is not None and "\\" not in written:
                value = f"!({condition}) || {written}" if condition else written
                yield WitnessInvariant("loop_invariant", claims.place_of(loop), value)


def function_contracts(claims: Claims) -> Iterator[Contract]:
    """Yield the simple parts of what was proved of functions that say something."""
    for one in claims.proof().get("functions", ()):
        start = _definition_of(claims.text, one["function"])
        requires = [
            part for part in (write_part(claims, each) for each in one["requires"]) if part and "\\" not in part
        ]
        ensures = [part for part in (write_part(claims, each) for each in one["guarantees"]) if part]
        if start is not None and (requires or ensures):
            yield Contract(claims.place_of(start), " && ".join(requires) or "1", " && ".join(ensures) or "1")


def write_part(claims: Claims, part: str) -> str | None:
    """Return a simple part as an expression of a witness; None where it is none."""
    match = _SIMPLE.fullmatch(part) or _SUMS.fullmatch(part)
    words = {token.text for token in claims.text.tokens} - _TYPES
    if match is None or not {*_WORD.findall(part.replace("\\result", "").replace("\\old", ""))} <= words:
        return None
    if match[3].isdecimal() and _NAMES.fullmatch(match[1]):
        return f"{_at_entry(match[1])} {match[2]} {match[3]}"
    left, right = (_NAMES.sub(lambda name: f"{claims.wide}{_at_entry(name[0])}", side) for side in (match[1], match[3]))
    return f"{left} {match[2]} {right}"


def _at_entry(name: str) -> str:
    """Return a name, or what it was at the entry as the format writes it."""
    return re.sub(r"\\old\((\w+)\)", r"\\at(\1, Old)", name)


def _definition_of(text: TokenText, function: str) -> int | None:
    """Return the first token of the definition of a function; None where it is not found."""
    for number, token in enumerate(text.tokens[:-1]):
        if token.text != function or text.tokens[number + 1].text != "(" or number + 1 not in text.partner:
            continue
        behind = text.partner[number + 1] + 1
        if behind < len(text.tokens) and text.tokens[behind].text == "{":
            return function_start(text, behind + 1)
    return None


def measures(claims: Claims) -> Iterator[WitnessInvariant]:
    """Yield for each loop that one of the measures that decrease there has become less since any earlier visit.

    A proof by all runs has no measures: its witness is empty, which the format allows.
    """
    words = {token.text for token in claims.text.tokens}
    for one in claims.proof().get("ranking", ()):
        loop = claims.loop_at(one["line"])
        if loop is None:
            raise UsageError(f"line {one['line']} ends by a measure at no loop, which the format cannot tell")
        if _jumps_around(claims.text, loop):
            raise UsageError(
                f"the loop at line {one['line']} stands in a function with goto, where visits are not compared"
            )
        for part in one["decreases"]:
            if not _MEASURE.fullmatch(part) or not set(_WORD.findall(part)) <= words:
                raise UsageError(f"the measure {part} at line {one['line']} is no expression of the program")
        parts = [_decreases(part, claims.wide) for part in one["decreases"]]
        if not parts:
            continue  # runs leave this loop by what decreases at others
        yield WitnessInvariant(TRANSITION, claims.place_of(loop), " || ".join([*parts, *_leaves(claims.text, loop)]))


def _jumps_around(text: TokenText, loop: int) -> bool:
    """Tell whether there is a jump in the function of a loop."""
    start = function_start(text, loop)
    body = next((n for n in range(start or 0, loop) if text.tokens[n].text == "{" and text.partner[n] > loop), None)
    return body is not None and any(text.tokens[n].text == "goto" for n in range(body, text.partner[body]))


def _leaves(text: TokenText, loop: int) -> Iterator[str]:
    """Yield that the loop was gone through at the earlier visit and is left at this one, where nothing decreases."""
    condition = _condition_of(text, loop)
    if condition is not None:
        yield f"(\\at(({condition}), AnyPrev) && !({condition}))"


def _condition_of(text: TokenText, loop: int) -> str | None:
    """Return the controlling expression of a loop; None where it is a number, has an effect, or is left out."""
    control = control_of(text, loop)
    condition = "" if control is None else " ".join(text.source(control.first, control.last).split())
    return condition if condition and not condition.isdecimal() and expression_problem(condition) is None else None


def _decreases(measure: str, wide: str) -> str:
    """Return that a measure is less than at any earlier visit."""
    before = _WORD.sub(lambda word: f"{wide}\\at({word[0]}, AnyPrev)", measure)
    now = _WORD.sub(lambda word: f"{wide}{word[0]}", measure)
    return f"{before} > {now}"
