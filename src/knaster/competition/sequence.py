"""A violation sequence written into a program: the runs that pass its segments, and no others, reach its target.

A counter says which segment is due.  Where a waypoint of that segment is evaluated, the run goes on with the next
segment, or it ends; the run that violates the property in the last segment reaches a label.  After the last segment of
a cycle the first one is due again, and `__knaster_lap` is set.  What is inserted are expressions without calls, so that
loops stay loops for whoever looks for runs without end.
"""

from __future__ import annotations

import re

from knaster.base.errors import KnasterError
from knaster.base.named_tuples import NamedTuple
from knaster.competition.insertions import Insertions
from knaster.competition.properties import Specification
from knaster.competition.sites import (
    expression_problem,
    find_branch,
    find_call,
    find_statement,
    may_call,
    needs_braces,
)
from knaster.competition.statements import (
    cases_of,
    control_of,
    end_of_statement,
    function_start,
    returns_integer,
    type_of_function,
)
from knaster.competition.tokens import TokenText
from knaster.competition.violations import end_of_full_expression, find_full_expression, insert_target
from knaster.competition.witness import Waypoint, Witness

VIOLATION, LAP, SEGMENT = "KNASTER_VIOLATION", "__knaster_lap", "__knaster_segment"
_LEFT = "__knaster_left"  # how many branchings a run may come to before it passes the next segment
HURRY = 50
PASSED = "KNASTER_PASSED_"  # a label for each segment that a run has passed


class NotValidated(KnasterError):
    """Something in a witness that is understood and not checked, so that nothing is said about it."""


class Due(NamedTuple):
    """A waypoint and the number of the segment in which it is evaluated."""

    segment: int
    point: Waypoint


class Instrumented(NamedTuple):
    """A program with a witness, and from where to where, in lines and columns, its violation happens."""

    text: str
    first: tuple[int, int] = (0, 0)
    last: tuple[int, int] = (0, 0)


def instrument_sequence(
    witness: Witness, source: str, file: str, specification: Specification, labelled: bool = False, hurry: int = 0
) -> Instrumented:
    """Return the program in which exactly the runs of a witness reach `VIOLATION`, or go on for ever.

    An undefined step that violates the property stands where the record says.  With `labelled`, a label is reached
    behind each segment that a run passes.  With `hurry`, a run also ends where it comes to so many branchings without
    passing a segment: some runs of the witness are missing then, and one that goes on for ever passes its cycle.
    """
    writer = _Writer(witness, source, file, specification, labelled)
    writer.hurry = hurry
    return writer.written()


class _Writer:
    def __init__(self, witness: Witness, source: str, file: str, specification: Specification, labelled: bool) -> None:
        self.witness = witness
        self.file = file
        self.specification = specification
        self.labelled = labelled
        self.text = TokenText(source)
        self.insert = Insertions(self.text)
        self.declared: list[str] = []
        self.hurry = 0

    def written(self) -> Instrumented:
        """Return the program with all waypoints."""
        if self.hurry:
            self._count_branchings()
        for number, (kind, dues) in enumerate(self._sites().items()):
            type, token = kind
            getattr(self, f"_{type}")(number, token, dues)
        passed = "".join(
            f"void {PASSED}{number}_(void) {{ {PASSED}{number}: ; }} "
            for number in range(len(self.witness.segments) if self.labelled else 0)
        )
        preamble = (
            f"extern void abort(void); int {SEGMENT} = 0; int {LAP} = 0; {''.join(self.declared)}{passed}"
            f"void __knaster_violation(void) {{ {VIOLATION}: ; }} "
        )
        text = self.insert.written(preamble)
        if not self.specification.undefined:
            return Instrumented(text)
        token = find_full_expression(self.text, self.witness.segments[-1].last.place, self.file)
        ends = end_of_full_expression(self.text, token)
        return Instrumented(text, self.insert.place_of(token, preamble), self.insert.place_of(ends, preamble))

    def _count_branchings(self) -> None:
        """End runs that come to many branchings and pass no segment."""
        self.declared.append(f"int {_LEFT} = {self.hurry}; ")
        count = f"({_LEFT} > 0 ? ({_LEFT} = {_LEFT} - 1, (void)0) : abort()), "
        for number, token in enumerate(self.text.tokens):
            control = control_of(self.text, number) if token.text in ("if", "while", "for") else None
            if control is None or function_start(self.text, number) is None:
                continue
            if control.first == control.last:
                self.insert.before(control.last, f"{count}1")
            else:
                self.insert.before(control.first, f"{count}(")
                self.insert.behind(control.last - 1, ")")

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
        if self.specification.undefined:
            finders["target"] = find_full_expression
        for number, segment in enumerate(self.witness.segments):
            for point in (*segment.avoids, segment.last):
                token = finders[point.type](self.text, point.place, self.file)
                if function_start(self.text, token) is None:
                    raise KnasterError(f"{self.file}:{point.place.line}: this place stands in no function")
                sites.setdefault((point.type, token), []).append(Due(number, point))
        return sites

    def _advance(self, segment: int) -> str:
        """Return the expression that ends a segment."""
        cycle = self.witness.first_cycle
        told = f"{PASSED}{segment}_(), " if self.labelled else ""
        told += f"{_LEFT} = {self.hurry}, " if self.hurry else ""
        if segment == len(self.witness.segments) - 1 and cycle is not None:
            return f"({told}{LAP} = 1, {SEGMENT} = {cycle}, (void)0)"
        return f"({told}{SEGMENT} = {segment + 1}, (void)0)"

    def _decisions(self, number: int, dues: list[Due], passes: dict[Due, str]) -> str:
        """Return the expression of what happens at a place, given when each of its waypoints is passed."""
        now = SEGMENT if len(dues) == 1 else f"__knaster_now{number}"
        parts = []
        if len(dues) > 1:
            self.declared.append(f"int {now}; ")
            parts.append(f"{now} = {SEGMENT}")
        for due in sorted(dues, key=lambda due: due.point.action != "avoid"):
            condition = passes[due]
            if due.point.action == "avoid":
                parts.append(f"(({now} == {due.segment} && ({condition})) ? abort() : (void)0)")
            else:
                step = f"(({condition}) ? {self._advance(due.segment)} : abort())"
                parts.append(f"({now} == {due.segment} ? {step} : (void)0)")
        return ", ".join(parts)

    def _branching(self, number: int, token: int, dues: list[Due]) -> None:
        control = control_of(self.text, token)
        if control is None:
            raise NotValidated(f"the controlling expression at line {self.text.tokens[token].line} is not found")
        if self.text.tokens[token].text == "switch":
            self._switch(number, token, dues)
            return
        passes, name = {}, f"__knaster_b{number}"
        for due in dues:
            wanted = {"true": name, "false": f"!{name}"}.get(due.point.constraint or "")
            if wanted is None:
                raise KnasterError(f"{self.file}:{due.point.place.line}: a branching is 'true' or 'false' here")
            passes[due] = wanted
        self.declared.append(f"int {name}; ")
        told = self._decisions(number, dues, passes)
        if control.first == control.last:
            self.insert.before(control.last, f"({name} = 1, {told}, {name})")
        else:
            self.insert.before(control.first, f"({name} = ((")
            self.insert.behind(control.last - 1, f") ? 1 : 0), {told}, {name})")

    def _switch(self, number: int, token: int, dues: list[Due]) -> None:
        control, cases = control_of(self.text, token), cases_of(self.text, token)
        if control is None or cases is None:
            raise NotValidated(f"the cases of the switch at line {self.text.tokens[token].line} are not found")
        words = {each.text for each in self.text.tokens}
        if any("-" in case for case in cases) and any(
            word.startswith(("unsigned", "uint", "size_t")) for word in words
        ):
            raise NotValidated("a switch has negative cases, and its type is not known")
        name = f"__knaster_s{number}"
        matched = " || ".join(f"{name} == ({case})" for case in cases) or "0"
        passes = {}
        for due in dues:
            said = due.point.constraint or ""
            if said != "default" and not re.fullmatch(r"-?\d{1,18}", said):
                raise KnasterError(f"{self.file}:{due.point.place.line}: a switch branches to a number or 'default'")
            passes[due] = f"!({matched})" if said == "default" else f"{name} == {said}"
        self.declared.append(f"long long {name}; ")
        self.insert.before(control.first, f"{name} = (")
        self.insert.behind(control.last - 1, f"), {self._decisions(number, dues, passes)}, {name}")

    def _assumption(self, number: int, token: int, dues: list[Due]) -> None:
        passes = {due: self._expression(due) for due in dues}
        self._insert_statement(token, f"{self._decisions(number, dues, passes)}; ")

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
        if any(may_call(self.text, each) for each in range(token + 2, closed)):
            raise NotValidated("a call whose arguments may call others is entered")
        self.insert.before(token, f"({self._decisions(number, dues, dict.fromkeys(dues, '1'))}, ")
        self.insert.behind(closed, ")")

    def _function_return(self, number: int, token: int, dues: list[Due]) -> None:
        called, closed = self.text.tokens[token].text, self.text.partner[token + 1]
        type = type_of_function(self.text, called)
        if type != "void" and not returns_integer(self.text, called):
            raise NotValidated(f"the type of {called} is not known to be one of integers")
        passes, name = {}, f"__knaster_r{number}"
        for due in dues:
            stated = None if due.point.constraint is None else due.point.constraint.replace("\\result", f" {name} ")
            said = self._expression(due._replace(point=due.point._replace(constraint=stated)))
            if re.search(r"[A-Za-z_]\w*", re.sub(rf"\b{name}\b|\b0[xX][0-9a-fA-F]+|\d[\w]*", " ", said)):
                raise NotValidated(f"'{due.point.constraint}' speaks of more than the result")
            passes[due] = said
        told = self._decisions(number, dues, passes)
        if type is None or type == "void":
            self.insert.before(token, "(")
            self.insert.behind(closed, f", {told})")
        else:
            self.declared.append(f"{' '.join(word for word in type.split() if word != 'const')} {name}; ")
            self.insert.before(token, f"({name} = ")
            self.insert.behind(closed, f", {told}, {name})")

    def _target(self, number: int, token: int, dues: list[Due]) -> None:
        if not self.specification.undefined:
            due = f"{SEGMENT} == {len(self.witness.segments) - 1}"
            insert_target(self.insert, token, self.specification, due, number, self.declared, self.file)
