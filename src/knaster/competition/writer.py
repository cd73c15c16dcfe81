"""A witness of an answer about a C program: its inputs and its target, the cycle of a run, or what was proved.

A violation is told by the values that its run reads, in order (`told_inputs`); they decide its branches.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from knaster.base.errors import UsageError
from knaster.competition.branchings import branchings_of
from knaster.competition.properties import ASSERTIONS, ERRORS, Specification, formula_of_kind, read_specification
from knaster.competition.proved_claims import Claims, ends_do, function_contracts, loop_invariants, measures
from knaster.competition.sites import begins_statement
from knaster.competition.statements import LOOPS, end_of_statement
from knaster.competition.thread_ids import CREATING
from knaster.competition.tokens import TokenText
from knaster.competition.told_inputs import calls_on_line, input_segments
from knaster.competition.violations import ASSERTS, enclosing_full_expression
from knaster.competition.witness import Segment, Waypoint, Witness, WitnessPlace
from knaster.competition.witness_text import witness_to_text
from knaster.evidence.answers.answer import Verdict
from knaster.evidence.questions.properties import PROPERTIES
from knaster.evidence.questions.question import Reach, Target, Termination
from knaster.evidence.questions.targets import resolve_targets
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.frontends.text.files import decode
from knaster.program.model import Kind
from knaster.report.entries import Entry, Form, list_entries
from knaster.report.sentence import Report, endless_run, reachable_traces


def write_witness(report: Report, specification: Specification | None = None, file: bytes | None = None) -> str:
    """Return the witness of an answer as a text; raise `UsageError` with the reason where there is none.

    `file` is what the program was read from, where that is known.
    """
    if report.program.language != "c":
        raise UsageError("witnesses are about programs of C")
    if report.verdict is Verdict.UNKNOWN:
        raise UsageError("the question is not decided")
    source = report.program.source
    found = _Maker(report, specification).witness()
    if file is not None and decode(file) != source and (found.segments or found.invariants or found.contracts):
        raise UsageError("its lines are counted by #line, and a witness counts those of the file")
    return witness_to_text(found, source.encode() if file is None else file)


_MOST_BRANCHINGS = 60  # of a cycle that are written
_FORMULAS = {  # what forbids the undefined steps of a property
    "overflow": ["G ! overflow"],
    "leak": ["G valid-memcleanup"],
    "race": ["G ! data-race"],
    "memory": ["G valid-deref", "G valid-free", "G valid-memtrack"],
}


class _Maker:
    def __init__(self, report: Report, specification: Specification | None) -> None:
        self.report = report
        self.text = TokenText(report.program.source)
        self.file = os.path.basename(report.file)
        self.specification = specification or _default_specification(report)
        self.claims = Claims(report, self.text, self.file)

    def witness(self) -> Witness:
        """Return the witness of the answer."""
        model = dict(self.report.program.reading).get("data_model")
        frame = Witness("violation_sequence", "2.0", self.specification.text, model, (self.file,), ())
        if self.report.verdict is Verdict.TRUE:
            ends = isinstance(self.report.question, Termination)
            related = tuple(measures(self.claims)) if ends else ()
            found, contracts = (*related, *loop_invariants(self.claims)), tuple(function_contracts(self.claims))
            version = "2.1" if ends or contracts or self.report.program.is_threaded else "2.0"
            return frame._replace(kind="invariant_set", version=version, invariants=found, contracts=contracts)
        lasso = endless_run(self.report)
        if lasso is not None:
            return frame._replace(version="2.1", segments=tuple(self._endless(lasso)))
        traces = reachable_traces(self.report)
        if not traces:
            raise UsageError("there is no trace")
        asked = [(target, trace) for target, trace in traces if self._is_asked(target)]
        if not asked:
            raise UsageError(f"{traces[0][0].name} violates no part of {self.specification.formula}")
        target, trace = asked[0]
        if self.report.program.is_threaded:
            return frame._replace(version="2.2", segments=tuple(self._segments_of_threads(target, trace)))
        return frame._replace(segments=(*self._inputs(trace), Segment((), self._violation(target, trace))))

    def _segments_of_threads(self, target: Target, trace: Trace) -> Iterator[Segment]:
        """Yield the calls that create the threads of a run, in order, and what violates the property."""
        entries = self._entries(trace)
        created = 0
        for entry in entries:
            calls = [n for name in CREATING for n in calls_on_line(self.text, name, entry.span.line)]
            if not any(self.text.tokens[n].column >= entry.span.column for n in calls):
                continue
            created += 1
            if len(calls) != 1:
                raise UsageError(f"line {entry.span.line} creates several threads")
            place = self.claims.place_of(self.text.partner[calls[0] + 1])
            yield Segment((), Waypoint("function_enter", "follow", place, None, entry.thread - 1))
        if created != max(entry.thread for entry in entries) - 1:
            raise UsageError("its threads begin where the format cannot tell")
        yield Segment((), self._violation(target, trace)._replace(thread=entries[-1].thread - 1))

    def _is_asked(self, target: Target) -> bool:
        """Tell whether a target violates the property."""
        wanted = self.specification
        if wanted.undefined:
            return bool(target.kind)
        if wanted.target in ASSERTIONS:
            return target.name.startswith("assert at line")
        return target.name.rpartition(".")[2] == wanted.target

    def _violation(self, target: Target, trace: Trace) -> Waypoint:
        """Return the statement or full expression with which a run violates the property."""
        if not self.specification.undefined and self.specification.target in ERRORS:
            return self._target(trace)
        token = self._token_of(target, trace)
        if token is None:
            raise UsageError(f"{target.name} stands at no statement that the format can name")
        return Waypoint("target", "follow", self.claims.place_of(token), None)

    def _token_of(self, target: Target, trace: Trace) -> int | None:
        """Return the first token of what violates the property."""
        on_line = self.text.on_line(target.line)
        if self.specification.name == "unreach-label":
            return next((n for n in on_line if self.text.tokens[n].text == self.specification.target), None)
        if self.specification.undefined:
            column = target.column or self._entries(trace)[-1].span.column
            inside = [n for n in on_line if self.text.tokens[n].column <= column]
            return enclosing_full_expression(self.text, inside[-1]) if inside else None
        starts = [n for n in on_line if begins_statement(self.text, n) and self._asserts(n)]
        return starts[0] if len(starts) == 1 else None

    def _asserts(self, token: int) -> bool:
        """Tell whether a statement, and none inside it, is an assertion."""
        return self.text.tokens[token].text in ASSERTS

    def _inputs(self, trace: Trace) -> Iterator[Segment]:
        return input_segments(self.report.program, trace, self.text, self.file)

    def _target(self, trace: Trace) -> Waypoint:
        """Return the call with which a run violates the property."""
        function = self.specification.target or ""
        entries = [e for e in self._entries(trace) if e.procedure != function]
        if not entries:
            raise UsageError(f"{function} is where the program starts")
        line = entries[-1].span.line
        calls = calls_on_line(self.text, function, line)
        if not calls:
            raise UsageError(f"the call of {function} at line {line} is not found in the text")
        token = self.text.tokens[calls[0]]
        column = token.column if len(calls) == 1 and begins_statement(self.text, calls[0]) else None
        return Waypoint("target", "follow", WitnessPlace(self.file, line, column), None)

    def _entries(self, trace: Trace) -> list[Entry]:
        return list(list_entries(self.report.program, trace, Form.CALLS))

    def _endless(self, lasso: Lasso) -> Iterator[Segment]:
        """Yield the inputs of the stem, and the loop that is gone through for ever."""
        if lasso.stays or lasso.deeper:
            raise UsageError("the run that never ends is a recursion, which the format cannot tell")
        yield from self._inputs(lasso.stem)
        lines = sorted({entry.span.line for entry in self._entries(lasso.cycle) if entry.depth == 0})
        loop = self._loop_around(lines)
        if loop is None and (passed := list(self._passed_branchings(lasso))):
            yield from passed
            return
        token = loop if loop is not None else self._statement_on(lines)
        if token is None:
            raise UsageError("the run that never ends goes through no statement that the format can name")
        place = WitnessPlace(self.file, self.text.tokens[token].line, self.text.tokens[token].column)
        passes = ("branching", "true") if loop is not None else ("assumption", "1")
        yield Segment((), Waypoint(passes[0], "cycle", place, passes[1]))

    def _passed_branchings(self, lasso: Lasso) -> Iterator[Segment]:
        """Yield the branchings of a cycle of jumps in order; none where they are too many or not the same each time."""
        if lasso.recurs is not None and lasso.recurs.others:
            return
        spans = [entry.span for entry in self._entries(lasso.cycle) if entry.depth == 0]
        passed = list(branchings_of(self.text, [*spans, *spans[:1]]))
        for token, outcome in passed if len(passed) <= _MOST_BRANCHINGS else ():
            place, said = self.claims.place_of(token), "true" if outcome else "false"
            yield Segment((), Waypoint("branching", "cycle", place, said))

    def _statement_on(self, lines: list[int]) -> int | None:
        """Return the first statement of the first of these lines that has just one."""
        for line in lines:
            starts = [number for number in self.text.on_line(line) if begins_statement(self.text, number)]
            if len(starts) == 1:
                return starts[0]
        return None

    def _loop_around(self, lines: list[int]) -> int | None:
        """Return the innermost loop whose lines contain all of these; None where there is none."""
        found: tuple[int, int] | None = None
        for number, token in enumerate(self.text.tokens):
            if token.text not in LOOPS or ends_do(self.text, number) or not lines:
                continue
            end = end_of_statement(self.text, number)
            if end is None or not token.line <= lines[0] <= lines[-1] <= self.text.tokens[end - 1].line:
                continue
            if found is None or end - number <= found[0]:
                found = end - number, number
        return None if found is None else found[1]


def _default_specification(report: Report) -> Specification:
    """Return the property of a competition that an answer is about."""
    if isinstance(report.question, Termination):
        return read_specification("F end", report.file)
    if not isinstance(report.question, Reach):
        raise UsageError("of formulas no witness is written")
    asked = [target for target, _ in report.answers]
    reached = [target for target, _ in reachable_traces(report)]
    if any(target.kind for target in (reached if report.verdict is Verdict.FALSE else asked)):
        formulas = [formula_of_kind(target.kind) for target in reached[:1]] or _formulas_that_hold(report)
    else:
        formulas = [_formula_of_places(reached if report.verdict is Verdict.FALSE else asked)]
    entry = report.program.threads[0]
    return read_specification("\n".join(f"CHECK( init({entry}()), LTL({each}) )" for each in formulas), report.file)


def _formulas_that_hold(report: Report) -> list[str]:
    """Return the formulas that forbid just the undefined steps that are asked for."""
    program, asked = report.program, {target for target, _ in report.answers}
    checks = dict(program.reading).get("checks")
    lost = set(resolve_targets(program, "lost")) if program.kind is Kind.MEMORY else set()
    for name, formulas in _FORMULAS.items():
        if (name == "race") != program.is_threaded or (checks and checks != PROPERTIES[name].checks):
            continue
        found = set(PROPERTIES[name].targets_in(program))
        if asked in (found, found | lost):
            return formulas if asked == found | lost else formulas[:2]
    raise UsageError("no property of the format asks what is asked here; name one with --spec")


def _formula_of_places(targets: Sequence[Target]) -> str:
    """Return the property of calls, assertions or labels; of calls where there are several of them."""
    names = [target.name.rpartition(".")[2] for target in targets]
    for formula in (
        *(f"call({name}())" for name in ERRORS if name in names),
        *("call(__assert_fail())" for name in names if name.startswith("assert at line")),
        *(f"label({name})" for name in names if re.fullmatch(r"[A-Za-z_]\w*", name)),
    ):
        return f"G ! {formula}"
    raise UsageError("of targets that are no calls, assertions or labels the format cannot tell")
