"""A violation sequence written into a program: the runs that pass its segments, and no others, reach its target.

A counter says which segment is due.  Where a waypoint of that segment is evaluated, the run goes on with the next
segment, or it ends; the run that violates the property in the last segment reaches a label.  After the last segment of
a cycle the first one is due again, and `__knaster_lap` is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knaster.base.errors import KnasterError
from knaster.base.named_tuples import NamedTuple
from knaster.competition.insertions import Insertions
from knaster.competition.sites import (
    expression_problem,
    find_branch,
    find_call,
    find_statement,
    needs_braces,
)
from knaster.competition.statements import cases_of, control_of, end_of_statement, function_start, type_of_function
from knaster.competition.tokens import TokenText
from knaster.competition.witness import Waypoint, Witness

VIOLATION, LAP, SEGMENT = "KNASTER_VIOLATION", "__knaster_lap", "__knaster_segment"
PASSED = "KNASTER_PASSED_"  # a label for each segment that a run has passed
_WHOLE = ("int", "char", "short", "long", "unsigned", "signed", "_Bool", "const")


class NotValidated(KnasterError):
    """Something in a witness that is understood and not checked, so that nothing is said about it."""


class Due(NamedTuple):
    """A waypoint and the number of the segment in which it is evaluated."""

    segment: int
    point: Waypoint


def instrument_sequence(witness: Witness, source: str, file: str, function: str) -> str:
    """Return the program in which exactly the runs of a witness reach `VIOLATION`, or go on for ever.

    `function` is the one whose call is the violation.
    """
    return _Writer(witness, source, file, function).written()


class _Writer:
    def __init__(self, witness: Witness, source: str, file: str, function: str) -> None:
        self.witness = witness
        self.file = file
        self.function = function
        self.text = TokenText(source)
        self.insert = Insertions(self.text)

    def written(self) -> str:
        """Return the program with all waypoints."""
        for number, (kind, dues) in enumerate(self._sites().items()):
            type, token = kind
            getattr(self, f"_{type}")(number, token, dues)
        preamble = (
            f"extern void abort(void); int {SEGMENT} = 0; long long __knaster_value; void {LAP}(void) {{ }} "
            f"void __knaster_violation(void) {{ {VIOLATION}: ; }} "
        )
        return self.insert.written(preamble)

    def _sites(self) -> dict[tuple[str, int], list[Due]]:
        """Return the waypoints by what they are about and where."""
        finders = {
            "assumption": find_statement,
            "branching": find_branch,
            "function_enter": find_call,
            "function_return": find_call,
            "target": find_statement,
        }
        sites: dict[tuple[str, int], list[Due]] = {}
        for number, segment in enumerate(self.witness.segments):
            for point in (*segment.avoids, segment.last):
                token = finders[point.type](self.text, point.place, self.file)
                if function_start(self.text, token) is None:
                    raise KnasterError(f"{self.file}:{point.place.line}: this place stands in no function")
                sites.setdefault((point.type, token), []).append(Due(number, point))
        return sites

    def _advance(self, segment: int) -> str:
        """Return the statements that end a segment."""
        cycle = self.witness.first_cycle
        label = f"{PASSED}{segment}: ; "
        if segment == len(self.witness.segments) - 1 and cycle is not None:
            return f"{label}{LAP}(); {SEGMENT} = {cycle}; "
        return f"{label}{SEGMENT} = {segment + 1}; "

    def _decisions(self, dues: list[Due], passes: dict[Due, str]) -> Iterator[str]:
        """Yield what happens at a place, given when each of its waypoints is passed; `__knaster_now` is what is due."""
        for due in sorted(dues, key=lambda due: due.point.action != "avoid"):
            condition = passes[due]
            if due.point.action == "avoid":
                yield f"if (__knaster_now == {due.segment}) {{ if ({condition}) abort(); }} "
            else:
                step = f"{{ {self._advance(due.segment)}}}"
                yield f"if (__knaster_now == {due.segment}) {{ if ({condition}) {step} else abort(); }} "

    def _body(self, dues: list[Due], passes: dict[Due, str]) -> str:
        return f"int __knaster_now = {SEGMENT}; " + "".join(self._decisions(dues, passes))

    def _branching(self, number: int, token: int, dues: list[Due]) -> None:
        control = control_of(self.text, token)
        if control is None:
            raise NotValidated(f"the controlling expression at line {self.text.tokens[token].line} is not found")
        if self.text.tokens[token].text == "switch":
            self._switch(number, token, dues)
            return
        passes = {}
        for due in dues:
            wanted = {"true": "v", "false": "!v"}.get(due.point.constraint or "")
            if wanted is None:
                raise KnasterError(f"{self.file}:{due.point.place.line}: a branching is 'true' or 'false' here")
            passes[due] = wanted
        name = f"__knaster_b{number}"
        self.insert.define(token, f"int {name}(int v) {{ {self._body(dues, passes)}return v; }} ")
        if control.first == control.last:
            self.insert.before(control.last, f"{name}(1)")
        else:
            self.insert.before(control.first, f"{name}((")
            self.insert.behind(control.last - 1, ") ? 1 : 0)")

    def _switch(self, number: int, token: int, dues: list[Due]) -> None:
        control, cases = control_of(self.text, token), cases_of(self.text, token)
        if control is None or cases is None:
            raise NotValidated(f"the cases of the switch at line {self.text.tokens[token].line} are not found")
        words = {each.text for each in self.text.tokens}
        if any("-" in case for case in cases) and any(
            word.startswith(("unsigned", "uint", "size_t")) for word in words
        ):
            raise NotValidated("a switch has negative cases, and its type is not known")
        matched = " || ".join(f"__knaster_value == ({case})" for case in cases) or "0"
        passes = {}
        for due in dues:
            said = due.point.constraint or ""
            if said != "default" and not re.fullmatch(r"-?\d{1,18}", said):
                raise KnasterError(f"{self.file}:{due.point.place.line}: a switch branches to a number or 'default'")
            passes[due] = f"!({matched})" if said == "default" else f"__knaster_value == {said}"
        name = f"__knaster_s{number}"
        self.insert.define(token, f"void {name}(void) {{ {self._body(dues, passes)}}} ")
        self.insert.before(control.first, "__knaster_value = (")
        self.insert.behind(control.last - 1, f"), {name}(), __knaster_value")

    def _assumption(self, number: int, token: int, dues: list[Due]) -> None:
        passes = {due: self._expression(due) for due in dues}
        self._insert_statement(token, f"{{ {self._body(dues, passes)}}} ")

    def _insert_statement(self, token: int, statement: str) -> None:
        if needs_braces(self.text, token):
            end = end_of_statement(self.text, token)
            if end is None:
                raise NotValidated(f"the end of the statement at line {self.text.tokens[token].line} is not found")
            self.insert.before(token, "{ ")
            self.insert.behind(end - 1, " }")
        self.insert.before(token, statement)

    def _expression(self, due: Due) -> str:
        expression = due.point.constraint or "1"
        if problem := expression_problem(expression):
            raise KnasterError(f"{self.file}:{due.point.place.line}: in the witness, {problem}")
        return expression

    def _function_enter(self, number: int, token: int, dues: list[Due]) -> None:
        closed = self.text.partner[token + 1]
        if any(self.text.tokens[each].text == "(" for each in range(token + 2, closed)):
            raise NotValidated("a call whose arguments may call others is entered")
        name = f"__knaster_e{number}"
        self.insert.define(token, f"void {name}(void) {{ {self._body(dues, dict.fromkeys(dues, '1'))}}} ")
        self.insert.before(token, f"({name}(), ")
        self.insert.behind(closed, ")")

    def _function_return(self, number: int, token: int, dues: list[Due]) -> None:
        called, closed = self.text.tokens[token].text, self.text.partner[token + 1]
        type = type_of_function(self.text, called)
        if type is None or (type != "void" and any(word not in _WHOLE for word in type.split())):
            raise NotValidated(f"the type of {called} is not known to be one of integers")
        passes = {}
        for due in dues:
            said = self._expression(due._replace(point=due.point._replace(constraint=_result(due.point.constraint))))
            if re.search(r"[A-Za-z_]\w*", re.sub(r"\bv\b|\b0[xX][0-9a-fA-F]+|\d[\w]*", " ", said)):
                raise NotValidated(f"'{due.point.constraint}' speaks of more than the result")
            passes[due] = said
        name = f"__knaster_r{number}"
        body = self._body(dues, passes)
        if type == "void":
            self.insert.define(token, f"void {name}(void) {{ {body}}} ")
            self.insert.before(token, "(")
            self.insert.behind(closed, f", {name}())")
        else:
            self.insert.define(token, f"{type} {name}({type} v) {{ {body}return v; }} ")
            self.insert.before(token, f"{name}(")
            self.insert.behind(closed, ")")

    def _target(self, number: int, token: int, dues: list[Due]) -> None:
        end = end_of_statement(self.text, token)
        if end is None:
            raise NotValidated(f"the end of the statement at line {self.text.tokens[token].line} is not found")
        tokens = self.text.tokens
        calls = [n for n in range(token, end - 1) if tokens[n].text == self.function and tokens[n + 1].text == "("]
        if not calls:
            where = f"{self.file}:{tokens[token].line}:{tokens[token].column}"
            raise KnasterError(f"{where}: the witness expects a call of {self.function} here, and there is none")
        name = f"__knaster_t{number}"
        last = len(self.witness.segments) - 1
        self.insert.define(token, f"void {name}(void) {{ if ({SEGMENT} == {last}) __knaster_violation(); }} ")
        for call in calls:
            self.insert.before(call, f"({name}(), ")
            self.insert.behind(self.text.partner[call + 1], ")")


def _result(constraint: str | None) -> str | None:
    return None if constraint is None else constraint.replace("\\result", " v ")
