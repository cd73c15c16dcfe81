"""An answer for people: the verdict first, then the trace, in 80 columns.

A trace is shown in the order of execution, one statement a line: its line number, its procedure, its text (indented by
the depth of the call stack), and the values just before it.  Only what is new or has changed since the previous line of
the same activation is shown, and only what matters to the trace.

With threads there are two more columns, the thread and the context (switches so far), and a rule between contexts.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from knaster.base.file_line import FileLine
from knaster.base.lazy import load_named
from knaster.evidence.answers.answer import Reachable, Terminates
from knaster.evidence.questions.question import Question, Target, Temporal, Termination
from knaster.evidence.traces.trace import Trace
from knaster.frontends.text.several import split_files
from knaster.program.model import Kind, Program
from knaster.report.entries import REMARKS, Entry, Form, indent, list_entries, texts_of, with_changes
from knaster.report.formats import Style
from knaster.report.sentence import (
    Report,
    endless_run,
    notes_for_all,
    reachable_traces,
    sentence,
    unknown_sentence,
    word_for,
)
from knaster.report.source import SourceText
from knaster.semantics.table import semantics_of

if TYPE_CHECKING:
    from knaster.evidence.traces.lasso import Lasso

WIDTH = 80  # columns where nobody says how many there are
NARROWEST = 60  # a table is not made narrower than this
_LISTED = 20  # more targets than these are counted, not named
_VALUES = 28  # columns of 80 that are kept for values
_THREADED = 22  # the same beside threads


def write_text(report: Report, style: Style) -> str:
    """Return an answer as the format `text`."""
    form = None if style.trace is None else Form(style.trace)
    return "\n".join((*result_to_text(report, form, style.verbose, style.width), *style.remarks))


def write_notes(report: Report, style: Style) -> list[str]:
    """Return the lines of the notes that are shown to everybody."""
    return [line for note in notes_for_all(report) for line in _wrap(["Note:", *note.split()], style.width)]


def result_text(report: Report) -> str:
    """Return an answer as `knaster check` prints it."""
    return "\n".join(result_to_text(report))


def write_nothing(file: str, reason: str, style: Style) -> str:
    """Return that nothing is known of a file."""
    return unknown_sentence(file, reason)


def result_to_text(
    report: Report, form: Form | None = None, verbose: bool = False, width: int = WIDTH
) -> Iterator[str]:
    """Yield the lines of the answer; without a form, one trace, folded where it is long."""
    yield sentence(report)
    if len(report.answers) > 1:
        yield from _targets(report, verbose, width)
    traces = [] if form is Form.NONE else reachable_traces(report)
    shown = traces if form is not None else traces[:1]
    for target, trace in shown:
        yield ""
        if len(report.answers) > 1:
            yield f"{target!s}:"
        yield from trace_to_text(report.program, trace, form, width)
        yield from _stuck(report, target, width)
        yield from inputs_to_text(report.program, trace, width)
    if form is not Form.NONE and (lasso := endless_run(report)) is not None:
        yield ""
        yield from lasso_to_text(report.program, lasso, form, width, report.question)
        yield from inputs_to_text(report.program, lasso.once, width)
    if form is not Form.NONE and any(isinstance(answer, Terminates) for _, answer in report.answers):
        yield from _ending(report)
    if len(shown) < len(traces):
        more = len(traces) - len(shown)
        yield ""
        yield f"{more} more {'trace' if more == 1 else 'traces'}: '--trace calls' or '--trace full' shows all of them."
    if report.proof is not None:
        from knaster.report.proof_words import lines_of_proof

        for line in lines_of_proof(report, verbose):
            yield _cut(line, max(width, NARROWEST)) if not verbose else line
    if report.unreached:
        from knaster.report.dead_statements import unreached_to_text

        never = list(unreached_to_text(report, verbose))
        if never and shown:
            yield ""
        for said in never:
            yield from _wrap(said.split(), width)
    notes = () if verbose else write_notes(report, Style(width=width))
    if notes:
        yield ""
        yield from notes
    if verbose:
        yield from _details(report, width)


def _ending(report: Report) -> Iterator[str]:
    """Yield why every run ends."""
    from knaster.report.proof_words import lines_of_ending

    if lines := lines_of_ending(report):
        yield ""
        yield from lines


def _stuck(report: Report, target: Target, width: int) -> Iterator[str]:
    """Yield why each thread cannot move, where a trace ends in a deadlock."""
    answer = dict(report.answers)[target]
    if isinstance(answer, Reachable) and answer.failure is not None and answer.failure.kind == "deadlock":
        reasons = load_named(semantics_of(report.program).stuck)
        assert answer.trace is not None
        yield ""
        for line in reasons(report.program, answer.trace):
            indented = " " * (2 + len(line) - len(line.lstrip()))
            yield from (indented + part for part in _wrap(line.split(), width - len(indented)))


def trace_to_text(program: Program, trace: Trace, form: Form | None = None, width: int = WIDTH) -> Iterator[str]:
    """Yield the lines of a trace."""
    listing = list_entries(program, trace, form)
    threads = len({segment.thread for segment in trace.segments}) > 1
    table = _Table(program, threads, max(width, NARROWEST))
    yield table.header()
    context = 0
    for entry, changed in with_changes(listing):
        if entry.context != context:
            yield "  " + "-" * (table.width - 2)
        context = entry.context
        yield from table.rows(entry, changed)
    if listing.note:
        yield ""
        yield from _wrap(listing.note.split(), width)


def lasso_to_text(
    program: Program,
    lasso: Lasso,
    form: Form | None = None,
    width: int = WIDTH,
    question: Question = Termination(),  # noqa: B008  # frozen
) -> Iterator[str]:
    """Yield the lines of a run that never ends: the stem, then the cycle, with the atoms that hold at each step."""
    from knaster.report.endless import form_of, rows_of

    table = _Table(program, False, max(width, NARROWEST))
    asked = isinstance(question, Temporal)
    yield table.header() + (" [atoms]" if asked else "")
    for row in rows_of(program, question, lasso, form):
        if row.begins:
            yield "  " + "-- the cycle ".ljust(table.width - 2, "-")
        yield from table.rows(row.entry, row.changed, row.atoms)
    listing = list_entries(program, lasso.once, form_of(lasso, form))
    if listing.note:
        yield from _wrap(listing.note.split(), width)
    from knaster.report.runs import for_ever

    for said in for_ever(program, lasso):
        yield from (f"  {part}" for part in _wrap(said.split(), width - 2))


def inputs_to_text(program: Program, trace: Trace, width: int = WIDTH) -> Iterator[str]:
    """Yield the inputs of a run in the order in which they are read; nothing for Boolean programs."""
    if not semantics_of(program).reads_inputs:
        return
    from knaster.report.runs import inputs_said

    if said := inputs_said(program, trace):
        yield ""
        yield from _wrap(said, width)


def _longest_line(source: str) -> int:
    """Return how many letters the number of a line has, with the name of its file where there are several."""
    parts = split_files(source)
    if not parts:
        return len(str(source.count("\n") + 1))
    return max(len(str(FileLine(1, part.shown, part.text.count("\n")))) for part in parts)


class _Table:
    """The columns of a trace."""

    def __init__(self, program: Program, threads: bool, width: int) -> None:
        self.threads = threads and program.kind is Kind.REFERENCES
        self.width = width
        self.source = SourceText(program)
        self.word = self.source.spelling.routine
        self.wraps = program.kind is Kind.REFERENCES
        self.line_width = max(4, _longest_line(program.source))
        longest = max(len(procedure.name) for procedure in program.procedures)
        self.name_width = max(8, len(self.word), min(16, longest))
        self.threaded = program.is_threaded and program.kind is not Kind.REFERENCES
        self.left = width - (_THREADED if self.threaded else _VALUES) * width // WIDTH

    def header(self) -> str:
        thread = "thread  " if self.threads else ""
        head = "  thread context" if self.threaded else ""
        head += f"  {'line':>{self.line_width}}  {thread}{self.word:<{self.name_width}}  statement"
        return f"{head:<{self.left}}values before it"

    def rows(self, entry: Entry, changed: Container[str], atoms: tuple[str, ...] | None = None) -> Iterator[str]:
        values = [
            f"{name}={text}" for name, text in texts_of(entry, self.source.spelling.value).items() if name in changed
        ]
        values += [f"[{', '.join(atoms)}]"] if atoms else []
        name = _cut(entry.procedure, self.name_width)
        thread = f"{entry.thread:>6}  " if self.threads else ""
        head = f"  {entry.thread:>6} {entry.context:>7}" if self.threaded else ""
        head += f"  {entry.span.line:>{self.line_width}}  {thread}{name:<{self.name_width}}  {indent(entry.depth)}"
        head += self.source.statement(entry.span) + REMARKS.get(entry.kind, "")
        words, left = values, self.left
        if self.wraps:  # what is in a cell may be wrapped; where it is wide, further to the left
            words = " ".join(values).split()
            left = min(left, max(self.line_width + 4, self.width - max(map(len, words), default=0)))
        lines = list(_wrap(words, self.width - left))
        crowded = len(head) >= self.left and (self.threaded or self.wraps)
        if crowded or left < self.left:  # beside the statement if there is room, else below
            beside = f"{head}  {' '.join(values)}"
            head, lines = (beside, []) if len(beside) <= self.width else (head, ["", *lines])
        if not lines or not lines[0]:
            yield _cut(head, self.width).rstrip()
        else:
            yield f"{_cut(head, self.left - 1):<{self.left}}{lines[0]}"
        for line in lines[1:]:
            yield " " * left + line
        if entry.said:
            yield _cut(f"{'':>{self.line_width + 4}}says: {entry.said}", self.width)


def _targets(report: Report, verbose: bool, width: int) -> Iterator[str]:
    groups: dict[str, list[str]] = {"reachable": [], "unreachable": []}
    for target, answer in report.answers:
        failure = answer.failure if isinstance(answer, Reachable) and answer.trace is None else None
        where = f" (line {failure.line})" if failure is not None and not target.has_place else ""  # no trace says it
        groups.setdefault(word_for(answer), []).append(f"{target}{where}")
    for word, names in groups.items():
        limit = len(names) if verbose or word == "reachable" else _LISTED
        if len(names) > limit:
            yield f"  {word + ':':<12} {len(names)} targets"
            continue
        for line in _wrap([name + "," for name in names[:-1]] + names[-1:], width - 15):
            yield f"  {word + ':':<12} {line}"


def _details(report: Report, width: int) -> Iterator[str]:
    yield ""
    for note in (*report.mistakes, *report.notes):
        yield from _wrap(note.split(), width)
    yield f"engine: {report.engine}"
    for name, value in report.stats.items():
        if name == "check_ends":
            yield from _wrap(f"this check ends: {value}".split(), width)
        else:
            yield f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _wrap(words: list[str], width: int) -> Iterator[str]:
    """Yield lines of words; a word longer than a line has one to itself."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        yield line
