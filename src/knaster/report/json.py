"""The answer of a check, for programs: one JSON object for each file, as `schema.json` and docs/output.md say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite

from knaster.base.exits import ExitCode
from knaster.evidence.answers.answer import Answer, Diverges, Reachable, Terminates, Unknown, Unreachable, Verdict
from knaster.evidence.questions.properties import REACH, property_of
from knaster.evidence.questions.question import Coverage, Question, Reach, Target, Temporal, Termination
from knaster.evidence.traces.inputs import list_inputs
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.frontends.languages import spelling_of
from knaster.frontends.text.several import split_files
from knaster.program.model import Kind, Program
from knaster.program.types import Reference, Value
from knaster.report.dead_statements import unreached_statements
from knaster.report.document import failure, nothing
from knaster.report.entries import Entry, Form, list_entries
from knaster.report.envelope import SCHEMA as SCHEMA
from knaster.report.envelope import Json as Json
from knaster.report.envelope import envelope, to_line
from knaster.report.envelope import schema as schema
from knaster.report.formats import Style
from knaster.report.proof_words import proof_to_json
from knaster.report.sentence import Report, endless_run
from knaster.semantics.table import semantics_of


def write_json(report: Report, style: Style) -> str:
    """Return an answer as the format `json`; what the command adds is a note."""
    form = None if style.trace is None else Form(style.trace)
    more: dict[str, Json] = {} if style.expected is None else {"expected": style.expected}
    return result_to_json(report, form, style.options, style.remarks, more)


def write_nothing(file: str, reason: str, style: Style) -> str:
    """Return that nothing is known of a file."""
    return nothing("check", style.options, file, ExitCode.UNDECIDED, reason)


def write_failure(file: str, code: ExitCode, error: Exception, message: str, style: Style) -> str:
    """Return that a file could not be checked."""
    return failure("check", style.options, file, code, error, message)


def result_to_json(
    report: Report,
    form: Form | None = None,
    options: Mapping[str, object] | None = None,
    remarks: Sequence[str] = (),
    further: Mapping[str, Json] | None = None,
) -> str:
    """Return the answer as one JSON object on one line; options, remarks and further fields are of the command."""
    notes = [*report.mistakes, *report.notes, *remarks]
    targets: list[Json] = []
    more: dict[str, Json] = dict(further or {})
    if "cached" in report.stats:
        more["cached"] = bool(report.stats["cached"])
    if parts := split_files(report.program.source):
        more["files"] = [{"name": part.name, "first": part.first} for part in parts]
    if not isinstance(report.question, Reach):
        more["property"] = property_of(report.question).name
    elif report.program.kind in (Kind.INTEGERS, Kind.MEMORY):
        more["property"] = str(report.options.get("property", REACH.name))
    if not isinstance(report.question, Reach) or report.program.kind is Kind.INTEGERS:
        more |= dict(report.program.reading)
    if isinstance(report.question, Temporal):
        more |= {"formula": str(report.question), "name": report.question.name or None}
        more["automaton"] = report.stats.get("automaton_states")
    if not isinstance(report.question, Reach):
        more["fair"] = report.question.fair
        more["checked"] = any(answer.checked for _, answer in report.answers)
        more["kernel"] = any(getattr(answer, "kernel", False) for _, answer in report.answers)
        more |= {name: said for _, answer in report.answers for name, said in _reduced(answer).items()}
    if (words := proof_to_json(report)) is not None:
        more["proof"] = words
    if (lasso := endless_run(report)) is not None and form is not Form.NONE:
        more["lasso"], remarks = lasso_to_json(report.program, lasso, form, report.question)
        with_heap = report.program.kind is Kind.REFERENCES
        more["inputs"] = [] if with_heap else inputs_to_json(report.program, lasso.once)
        notes += remarks
    for target, answer in report.answers if isinstance(report.question, Reach) else ():
        trace: Json = None
        unread = semantics_of(report.program).reads_inputs and "inputs" not in more
        if unread and isinstance(answer, Reachable) and answer.trace is not None:
            more["inputs"] = inputs_to_json(report.program, answer.trace)
        if isinstance(answer, Reachable) and answer.trace is not None and form is not Form.NONE:
            trace, note = trace_to_json(report.program, answer.trace, form)
            notes += [f"{target.name}: {note}"] if note else []
        targets.append(
            {
                "name": target.name,
                "line": target.line,
                "reachable": _reachable(answer),
                "least": answer.least if isinstance(answer, Reachable) else None,
                "checked": answer.checked,
                "kernel": not isinstance(answer, Unknown) and answer.kernel,
                **_reduced(answer),
                "trace": trace,
                **_failure(answer),
            }
        )
    unchecked = [a.unchecked for _, a in report.answers if not isinstance(a, Unknown) and not a.checked and a.unchecked]
    notes += [f"not checked: {reason}" for reason in dict.fromkeys(unchecked)]
    body: dict[str, Json] = {
        "targets": targets,
        "engine": report.engine,
        "threads": list(report.program.threads),
        "bound": _bound(report.bound),
        "unreached": _unreached_statements(report),
        "stats": dict(report.stats),
        "notes": notes,
        **more,
    }
    status = "undecided" if report.verdict is Verdict.UNKNOWN else "answered"
    in_force = {**(options or {}), **report.options}
    return to_line(envelope("check", report.file, status, report.verdict.value, report.reason, in_force, body))


def _reduced(answer: Answer) -> dict[str, Json]:
    """Return that the kernel has checked the proof of a reduced program, where that is all that it says."""
    return {"kernel_reduced": True} if getattr(answer, "kernel_reduced", False) else {}


def nothing_known(engine: str) -> dict[str, Json]:
    """Return the fields of a check that found nothing out."""
    return {"targets": [], "engine": engine, "threads": [], "bound": None, "unreached": None, "stats": {}, "notes": []}


def evidence_to_json(engine: str, program: Program, target: Target, trace: Trace | None) -> dict[str, Json]:
    """Return the fields of a check in which a trace, or else a proof, settles a target against what the method says."""
    entries, note = trace_to_json(program, trace) if trace is not None else (None, "")
    found = Unreachable(None, checked=True) if trace is None else Reachable(trace, checked=True)
    settled: Json = {
        "name": target.name,
        "line": target.line,
        "reachable": _reachable(found),
        "least": None,
        "checked": True,
        "kernel": False,
        "trace": entries,
    }
    return {**nothing_known(engine), "targets": [settled], "notes": [note] if note else []}


def trace_to_json(program: Program, trace: Trace, form: Form | None = None) -> tuple[list[Json], str]:
    """Return the entries of a trace and, where some calls are folded, a remark."""
    listing = list_entries(program, trace, form)
    values = _heap_values(program) if program.kind is Kind.REFERENCES else _plain_values
    entries: list[Json] = [
        {
            "line": entry.span.line,
            "column": entry.span.column,
            "procedure": entry.procedure,
            "depth": entry.depth,
            "thread": entry.thread,
            "context": entry.context,
            "edge": entry.kind.value,
            **values(entry),
        }
        for entry in listing
    ]
    return entries, listing.note


def _plain_values(entry: Entry) -> dict[str, Json]:
    return {"state": {name: value_to_json(value) for name, value in entry.state.items()}}


def _heap_values(program: Program) -> Callable[[Entry], dict[str, Json]]:
    """Return how entries of a program with references show their values: the thread, the state, the visible cells."""
    from knaster.report.heap.values import Shown
    from knaster.semantics.heap.configuration import StateWithHeap

    shown = Shown(program)

    def values(entry: Entry) -> dict[str, Json]:
        assert isinstance(entry.state, StateWithHeap)
        types = shown.types[entry.procedure]
        state = {name: shown.json(value, types[name]) for name, value in entry.state.items() if name in types}
        said: dict[str, Json] = {"says": entry.said} if entry.said else {}
        return {"thread": entry.thread, "state": state, "heap": shown.heap_json(entry.state), **said}

    return values


def _failure(answer: Answer) -> dict[str, Json]:
    failure = answer.failure if isinstance(answer, Reachable) else None
    if failure is None:
        return {}
    shown = {**asdict(failure), "category": failure.category}
    return {"failure": shown}


def lasso_to_json(
    program: Program,
    lasso: Lasso,
    form: Form | None = None,
    question: Question = Termination(),  # noqa: B008  # frozen
) -> tuple[Json, list[str]]:
    """Return a run that never ends, and remarks where calls are folded."""
    from knaster.report.endless import atoms_along, form_of, last_atoms

    form = form_of(lasso, form)
    parts, notes = [], []
    for trace in (lasso.stem, lasso.cycle):
        entries, note = trace_to_json(program, trace, form)
        statements = [entry for entry in entries if isinstance(entry, dict) and entry["edge"] != "back"]
        for entry, atoms in zip(statements, atoms_along(program, question, lasso, trace, form), strict=False):
            entry["atoms"] = list(atoms)
        parts.append(entries)
        notes += [note] if note else []
    if lasso.stays:
        resting = (parts[1] or parts[0])[-1:]  # of a thread that has ended there is nothing but its last step
        parts[1] = [{**entry, "edge": "stay"} for entry in resting if isinstance(entry, dict)]
        last = last_atoms(program, question, lasso)
        if last is not None:
            parts[1][0]["atoms"] = list(last)  # type: ignore[index]
    closed: dict[str, Json] = {}
    if lasso.recurs is not None:
        closed["set"] = spelling_of(program).expression(lasso.recurs.set)
    return {"stem": parts[0], "cycle": parts[1], "deeper": lasso.deeper, **closed}, notes


def inputs_to_json(program: Program, trace: Trace) -> Json:
    """Return the inputs of a run in the order in which they are read."""
    return [
        {"line": one.line, "function": one.procedure, "name": one.name, "value": value_to_json(one.value)}
        for one in list_inputs(program, trace)
    ]


def value_to_json(value: Value | str | float) -> Json:
    """Return a value: truth values as 1 and 0, arrays as lists, null as null, references by name, texts as they are.

    What is no number, or too large for one, is a text: JSON has no word for it.
    """
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, str | float):
        return value
    if value is None or isinstance(value, int):
        return None if value is None else int(value)
    if isinstance(value, Reference):
        return f"{value.target}#{value.number}"
    return [value_to_json(part) for part in value]


def _unreached_statements(report: Report) -> Json:
    """Return the statements that no run reaches; null where that is not known."""
    never = unreached_statements(report)
    return None if never is None else [{"line": line, "procedure": procedure} for line, procedure, _ in never]


def _reachable(answer: Reachable | Unreachable | Terminates | Diverges | Unknown) -> bool | None:
    """Tell whether a target is reachable; None where that is not known for every run."""
    match answer:
        case Reachable():
            return True
        case Unreachable(_, None):
            return False
        case _:
            return None


def _bound(coverage: Coverage | None) -> Json:
    """Return within what bound the question was asked, and within what bound every run was explored."""
    if coverage is None:
        return None
    return {"kind": coverage.kind, "asked": coverage.asked, "covered": coverage.covered}
