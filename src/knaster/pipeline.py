"""The whole pipeline on one page: text -> Program -> SymbolicProgram -> engine -> traces and proofs, both checked.

What only some runs need is imported where it is needed, so that a small check feels instant.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from knaster.engines.summaries import Summaries, summaries
from knaster.errors import Problem, SourceError, UnsupportedError, UsageError
from knaster.frontends.languages import load as load
from knaster.program.model import Program
from knaster.results.certificate import Certificate
from knaster.results.targets import resolve_targets
from knaster.results.trace import Trace
from knaster.results.verdict import (
    Answer,
    Budget,
    Findings,
    Method,
    OutOfBudget,
    Query,
    Reachable,
    Statistics,
    Target,
    Unknown,
    Unreachable,
    Verdict,
    peak_megabytes,
)
from knaster.symbolic.bdd import BYTES_PER_NODE, OutOfNodes, Store
from knaster.symbolic.encode import SymbolicProgram, encode
from knaster.symbolic.layout import LAYOUTS
from knaster.symbolic.order import ORDERS

Engine = Callable[[SymbolicProgram, Query, Budget, Method], Findings]
Answers = tuple[tuple[Target, Answer], ...]
Made = TypeVar("Made")


def _pushdown(symbolic: SymbolicProgram, query: Query, budget: Budget, method: Method) -> Findings:
    from knaster.engines.saturation import saturation  # a library of its own: imported where it is asked for

    return saturation(symbolic, query, budget, method)


def _calculus(symbolic: SymbolicProgram, query: Query, budget: Budget, method: Method) -> Findings:
    from knaster.engines.fixpoint import fixpoint

    return fixpoint(symbolic, query, budget, method)


ENGINES: Mapping[str, Engine] = {"summaries": summaries, "pushdown": _pushdown, "calculus": _calculus}

FIRST_NODES = 1 << 20  # the first node table; four times larger after each restart
SMALL_PROGRAM = 3_000  # edges; up to here certificates are checked unless the caller says otherwise


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that one run established."""

    program: Program
    file: str
    entry: str
    engine: str
    answers: Answers
    stats: Statistics
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """FALSE where some target is reachable, TRUE where none is, UNKNOWN otherwise."""
        answers = [answer for _, answer in self.answers]
        if any(isinstance(answer, Reachable) for answer in answers):
            return Verdict.FALSE
        if any(isinstance(answer, Unknown) for answer in answers):
            return Verdict.UNKNOWN
        return Verdict.TRUE

    @property
    def reason(self) -> str:
        """Why the verdict is what it is, in a few words."""
        for verdict_kind in (Reachable, Unknown):
            for target, answer in self.answers:
                if isinstance(answer, verdict_kind):
                    return f"{target.name} is reachable" if isinstance(answer, Reachable) else answer.reason
        return "no target is reachable" if self.answers else "there is no target"

    @property
    def trace(self) -> Trace | None:
        """A shortest trace to the first reachable target."""
        return next((answer.trace for _, answer in self.answers if isinstance(answer, Reachable)), None)

    @property
    def certificate(self) -> Certificate | None:
        """The proof that the unreachable targets are unreachable."""
        return next((answer.certificate for _, answer in self.answers if isinstance(answer, Unreachable)), None)

    def __repr__(self) -> str:
        return f"<Result {self.file}: {self.verdict.value}, {self.reason}>"

    def _repr_html_(self) -> str:
        from knaster.results.render.notebook import result_page

        return result_page(self)

    def _repr_svg_(self) -> str | None:
        from knaster.results.render.notebook import result_picture

        return result_picture(self)


def _program_picture(program: Program) -> str | None:
    from knaster.results.render.notebook import program_picture

    return program_picture(program)


Program._repr_svg_ = _program_picture  # type: ignore[attr-defined]  # the model knows no pictures; a notebook wants one


def check(
    source: str | Path | Program,
    targets: str | Iterable[str | Target] | None = None,
    *,
    entry: str | None = None,
    engine: str = "summaries",
    direction: str = "post",
    fast: bool = False,
    algorithm: str = "entry-forward",
    strategy: str = "frontier",
    dialect: str = "default",
    traces: bool = True,
    certify: bool | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    order: str = "auto",
    layout: str = "slots",
    liveness: bool = True,
    effect_sets: bool = True,
    first: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Decide which targets of a program are reachable; `source` is a file, a text with a newline in it, or a Program.

    Targets are labels, `FILE:LINE`, "asserts" or "all-labels"; None means the asserts and the usual error labels.
    Every trace is replayed and every certificate is checked (by default where the program is small) before the result
    is returned.
    """
    started = time.perf_counter()
    for name, choices in (("engine", ENGINES), ("order", ORDERS), ("layout", LAYOUTS)):
        value = {"engine": engine, "order": order, "layout": layout}[name]
        if value not in choices:
            raise UsageError(f"unknown {name} '{value}'; choose one of {', '.join(choices)}")
    budget = Budget(timeout, memory, progress)
    remarks: list[Problem] = []
    program = source if isinstance(source, Program) else load(source, dialect, remarks)
    notes = [f"{program.file}:{remark.span.line}: {remark.message}" for remark in remarks]
    if engine != "summaries":
        notes.append("traces and certificates are derived by the summaries method")
    parsed = time.perf_counter()
    start = entry_of(program, entry)
    wanted = resolve_targets(program, targets)
    one = first or len(wanted) == 1
    query = Query(wanted, one, traces)
    must_certify = certify if certify is not None else sum(len(p.edges) for p in program.procedures) <= SMALL_PROGRAM

    def attempt(nodes: int) -> tuple[Answers, Statistics]:
        arrangement = LAYOUTS[layout](program, ORDERS[order])
        store = Store(arrangement.variables, nodes)
        symbolic = encode(program, start, arrangement, store, liveness=liveness, effect_sets=effect_sets)
        findings = ENGINES[engine](symbolic, query, budget, Method(direction, fast, algorithm, strategy))
        answers, shortfalls = _answers(symbolic, findings, query, budget, must_certify)
        notes.extend(shortfalls)
        return answers, findings.statistics

    answers: Answers
    try:
        (answers, statistics), restarts = with_enough_nodes(attempt, budget)
    except OutOfBudget as spent:
        answers, statistics, restarts = tuple((target, Unknown(str(spent))) for target in wanted), {}, 0
    stats = {
        **statistics,
        "restarts": restarts,
        "parse_seconds": parsed - started,
        "seconds": time.perf_counter() - started,
        "peak_megabytes": peak_megabytes(),
    }
    return Result(program, program.file, start, engine, answers, stats, tuple(notes))


def relations(program: Program, targets: str | Iterable[str] | None = None, entry: str | None = None) -> str:
    """Return the template relations of a program as text of the fixed-point calculus."""
    from knaster.engines.formulas.templates import templates

    return templates(program, entry_of(program, entry)).text(resolve_targets(program, targets))


def entry_of(program: Program, entry: str | None) -> str:
    """Return where the program starts; refuse what is not well-formed or not sequential."""
    from knaster.program.validate import validate, validate_entry

    if problems := (validate_entry if program.source else validate)(program, entry):  # what was read is well-formed
        raise SourceError(program.file, program.source, problems)
    if len(program.threads) > 1:
        threads = ", ".join(program.threads)
        feature = f"a program of {len(program.threads)} threads ({threads}); sequential programs only, so far"
        raise UnsupportedError(feature, None, program.file)
    return entry or program.threads[0]


def _answers(
    symbolic: SymbolicProgram, findings: Findings, query: Query, budget: Budget, must_certify: bool
) -> tuple[Answers, list[str]]:
    """Turn what the engine found into answers that have been checked by code that did not find them."""
    reached = [target for target in query.targets if target in findings.reached]
    unreached = [target for target in query.targets if target not in findings.reached]
    reason, certificate, notes = findings.reason, findings.certificate, list[str]()
    traces: Mapping[Target, Trace] = {}
    if reached and query.traces:
        try:
            traces = _traces(symbolic, findings, reached[:1] if query.first else reached, budget)
        except OutOfBudget as spent:
            notes.append(f"no trace: {spent}")
    if unreached and not reason and must_certify:
        from knaster.results.certify import certify as check_certificate

        try:
            certificate = certificate or _prove(symbolic, budget)
            check_certificate(certificate, unreached, budget)
        except OutOfBudget as spent:
            reason = f"{spent}, while checking the certificate"
    answers: dict[Target, Answer] = {}
    for target in query.targets:
        if target in findings.reached:
            answers[target] = Reachable(traces.get(target))
        else:
            answers[target] = Unknown(reason) if reason else Unreachable(certificate)
    return tuple(answers.items()), notes


def _traces(
    symbolic: SymbolicProgram, findings: Findings, targets: list[Target], budget: Budget
) -> Mapping[Target, Trace]:
    """Return a shortest trace to each target, replayed."""
    from knaster.results.replay import replay
    from knaster.results.shortest import find_traces

    summarizer = findings.summarizer or Summaries(symbolic, budget)
    traces = find_traces(symbolic, summarizer, targets, budget)
    for target, trace in traces.items():
        replay(symbolic.program, symbolic.entry, trace, target)
    return traces


def _prove(symbolic: SymbolicProgram, budget: Budget) -> Certificate:
    """Return path edges for an engine that has none of its own."""
    proof = Summaries(symbolic, budget)
    proof.demand(symbolic.entry, symbolic.initial())
    proof.run()
    return proof.certificate()


def with_enough_nodes(attempt: Callable[[int], Made], budget: Budget) -> tuple[Made, int]:
    """Run an attempt, again with a larger node table as long as the last one was too small; say how often again.

    Raises `OutOfBudget` where memory does not allow a larger one.
    """
    nodes, restarts = FIRST_NODES, 0
    while True:
        try:
            return attempt(nodes), restarts
        except OutOfNodes:
            if 4 * nodes * BYTES_PER_NODE > budget.bytes:
                raise OutOfBudget(f"the BDDs do not fit into {budget.bytes >> 20} MB") from None
            budget.tell(f"{nodes} BDD nodes were too few; starting again with {4 * nodes}")
            nodes, restarts = 4 * nodes, restarts + 1
