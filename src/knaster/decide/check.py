"""The whole way on one page: text -> Program -> reduction -> engine -> findings -> answers, all of them checked.

What only some runs need is imported where it is needed, so that a small check feels instant.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from knaster.base.errors import Problem, SourceError, UnsupportedError, UsageError
from knaster.base.limits import Budget, Limits, OutOfBudget, peak_megabytes
from knaster.bdd.store import BYTES_PER_NODE, OutOfNodes
from knaster.decide.bounds import PROVING, SHARE, coverage, grow, preparing, prove_first
from knaster.decide.conclude import Conclusion, Evidence, conclude
from knaster.decide.crew import Crew, bound_asked, check_deadlock, check_rounds, crew_of
from knaster.engines.contract import FIRST_NODES, Engine, Findings, Task
from knaster.engines.options import Options
from knaster.engines.table import ENGINES, configured, engine_named
from knaster.evidence.answers.answer import Answers, Result, Statistics, Unknown
from knaster.evidence.questions.question import Bound, Question, Reach, Target, Termination
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import language_options
from knaster.frontends.languages import load as load
from knaster.program.model import Kind, Place, Program

if TYPE_CHECKING:
    from knaster.evidence.proofs.heap_tables_heap_table import EffectTable
    from knaster.transform.reduction import Reduction

PROPERTIES = ("reach", "termination")
Asked = Question | str | Iterable[str | Target] | None
Made = TypeVar("Made")


def check(
    source: str | os.PathLike[str] | Program,
    question: Asked = None,
    *,
    file: str | None = None,
    engine: str | None = None,
    limits: Limits = Limits(),  # noqa: B008  # frozen
    evidence: Evidence = Evidence(),  # noqa: B008
    first: bool = False,
    entry: str | None = None,
    switches: int | None = None,
    rounds: int | None = None,
    threads: Sequence[str] | None = None,
    property: str = "reach",
    dialect: str = "default",
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Result:
    """Answer a question about a program; `source` is a file, a text with a newline in it, or a Program.

    `file` is the name of a text, which then needs no newline.

    The question is a `Reach` or a `Termination`, or in short the names of targets: labels, `FILE:LINE`, "asserts" or
    "all-labels"; None means the asserts and the usual error labels, or with `property` "termination" whether every run
    ends.  `options` are those of the engine and of the language.  Every trace is replayed and every proof is checked
    (by default where the program is small) before the result is returned.

    Of programs with threads, `switches` or `rounds` is the bound; without one it grows by itself.  `threads` names the
    procedures that run ("NAME", "NAME*3", or "NAME*" for any number); without it the program says so itself.
    """
    budget = Budget.of(limits, progress)
    bound = bound_asked(switches, rounds)
    if entry is not None and threads:
        raise UsageError("an entry is the only thread; give --entry or --thread, not both")
    reading = {name: options.pop(name) for name in language_options() if name in options}
    if engine is not None:
        configured(engine, options)  # wrong usage is said before a large file is read
    question = _with_property(question, property)
    budget.tell("reading the program")
    remarks: list[Problem] = []
    if isinstance(source, Program) and reading:
        raise UsageError(f"the program was read already, so '{next(iter(reading))}' comes too late")
    program = source if isinstance(source, Program) else load(source, dialect, remarks, file, **reading)
    crew = crew_of(program, threads)
    program = starting_at(crew.within(program, bound) if threads else program, entry)
    parsed = budget.spent
    crew = crew if threads else crew_of(program, None)
    check_rounds(program, crew, bound)
    asked = _bounded(question_about(program, question, first), bound, program)
    check_deadlock(program, crew, asked)
    engine = None if engine == "auto" and program.kind is Kind.BOOLEAN else engine
    name = engine or default_engine(program, asked)
    how = Method(name, usable(name, program, asked), configured(name, options), budget, evidence)
    tried = preparing(name, program, crew, asked) if engine is None else None
    result = _decided(program, crew, asked, how, tried)
    notes = (*(f"{program.file}:{remark.span.line}: {remark.message}" for remark in remarks), *result.notes)
    if program.kind is Kind.INTEGERS:
        from knaster.decide.remarks import remarks_about

        notes = (*notes, *remarks_about(result, budget))
    in_force = {
        "engine": result.engine,
        **result.options,
        "entry": program.threads[0] if len(program.threads) == 1 else None,
        "switches": switches,
        "rounds": rounds,
        "thread": list(threads) if threads else None,
        "dialect": dialect,
        "first": asked.first if isinstance(asked, Reach) else False,
        "certify": evidence.wants_proof(program),
        "timeout": limits.seconds,
        "memory": limits.megabytes,
    }
    return replace(result, notes=notes, options=in_force, stats={"parse_seconds": parsed, **result.stats})


def _decided(program: Program, crew: Crew, asked: Question, how: Method, tried: Program | None) -> Result:
    """Return what a method says; of a program to be `tried` first, what is proved there is not asked again."""
    grows = how.engine.grows
    alone = not crew.endless and (grows or not program.is_threaded)

    def answer(left: Question) -> Result:
        return how.decide(program, left) if alone else grow(program, crew, left, grows, how.decide)

    if tried is None:
        return answer(asked)
    budget = how.budget
    share = budget if budget.left is None else budget.part(budget.left / SHARE)
    proof = Method(PROVING, ENGINES[PROVING], configured(PROVING, {}), share, how.evidence)
    return prove_first(tried, asked, proof.decide, answer)


@dataclass(frozen=True, slots=True)
class Method:
    """An engine with its options, what it may spend, and what is to vouch for its answers."""

    name: str
    engine: Engine
    options: Options
    budget: Budget
    evidence: Evidence

    def decide(self, program: Program, question: Question) -> Result:
        """Answer a question."""
        return decide(program, question, self.name, self.engine, self.options, self.budget, self.evidence)


def decide(
    program: Program,
    question: Question,
    name: str,
    engine: Engine,
    options: Options,
    budget: Budget,
    evidence: Evidence,
    reduction: Reduction | None = None,
) -> Result:
    """Run an engine on a program, or on what a reduction makes of it, and check what it found."""
    reduction = reduction or (engine.reduce(program, question) if engine.reduce is not None else None)
    reduced = (reduction.program, reduction.question) if reduction is not None else (program, question)

    def attempt(nodes: int) -> tuple[Conclusion, Findings]:
        task = Task(*reduced, budget, options, nodes)
        budget.tell(f"looking for runs to the targets ({name})")
        findings = engine.run(task)
        budget.tell("checking what was found")
        return conclude(task, findings, evidence, question, reduction), findings

    statistics: Statistics = {}
    unreached: tuple[Place, ...] | None = None
    notes: tuple[str, ...] = ()
    covered: int | None = None
    try:
        (concluded, findings), restarts = with_enough_nodes(attempt, budget)
        answers: Answers = concluded.answers
        statistics = {**findings.statistics, "restarts": restarts}
        notes, unreached = concluded.notes, concluded.unreached
        covered = findings.covered
        if covered is None and reduction is not None and question.bound is not None and not findings.reason:
            covered = question.bound.number
    except OutOfBudget as spent:
        answers = tuple((target, Unknown(str(spent))) for target in _asked_for(question))
    stats = {**statistics, "seconds": budget.spent, "peak_megabytes": peak_megabytes()}
    bound = coverage(program, question.bound, covered)
    return Result(
        program,
        question,
        name,
        {**options.in_force(program.is_threaded), **dict(program.reading)},
        answers,
        stats,
        notes,
        unreached,
        bound,
    )


def _bounded(question: Question, bound: Bound | None, program: Program) -> Question:
    """Return the question with its bound; one thread is never switched from."""
    return question if bound is None or not program.is_threaded else replace(question, bound=bound)


def _with_property(question: Asked, property: str) -> Asked:
    """Return the question that a property and targets make together."""
    if property not in PROPERTIES:
        raise UsageError(f"unknown property '{property}'; choose one of {', '.join(PROPERTIES)}")
    if property == "reach" or isinstance(question, Termination):
        return question
    if question is not None:
        raise UsageError("a target cannot be named where the question is whether every run ends")
    return Termination()


def question_about(program: Program, question: Asked, first: bool = False) -> Question:
    """Return the question that was asked; raise `UsageError` where it asks for nothing that there is."""
    if isinstance(question, Reach | Termination):
        asked = question
    else:
        targets = resolve_targets(program, question)
        one_is_enough = question is None and program.kind is Kind.INTEGERS  # any error is an error
        asked = Reach(targets, first=first or len(targets) == 1 or one_is_enough)
    if isinstance(asked, Reach) and not asked.targets:
        none = "no assert and no error label" if question is None else "nothing that the targets stand for"
        raise UsageError(f"{program.file}: there is {none}; name a target with --target")
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    for target in asked.targets if isinstance(asked, Reach) else ():
        if not target.kind and not 0 <= target.location < sizes.get(target.procedure, 0):
            raise UsageError(f"{program.file}: there is no location {target.location} in '{target.procedure}'")
    return asked


def default_engine(program: Program, question: Question) -> str:
    """Return the first engine that handles a question about a program; where none does, the first of all.

    A method that only proves is not asked alone.
    """
    deciding = (name for name, engine in ENGINES.items() if engine.decides)
    return next((name for name in deciding if ENGINES[name].handles(program, question) is None), next(iter(ENGINES)))


def usable(name: str, program: Program, question: Question) -> Engine:
    """Return the engine of this name; refuse what it does not handle, and name those that do."""
    engine = engine_named(name)
    why = engine.handles(program, question)
    if why is None:
        return engine
    others = [other for other, candidate in ENGINES.items() if candidate.handles(program, question) is None]
    if others:
        raise UsageError(f"{program.file}: the engine '{name}' cannot be used: {why}; use {' or '.join(others)}")
    raise UnsupportedError(
        f"the engine '{name}' cannot be used: {why}; no other engine can, so far", None, program.file
    )


def starting_at(program: Program, entry: str | None) -> Program:
    """Return the program as it runs from `entry`, or as it says itself; refuse what is not well-formed."""
    from knaster.program.validate import validate, validate_entry

    if problems := (validate_entry if program.source else validate)(program, entry):  # what was read is well-formed
        raise SourceError(program.file, program.source, problems)
    return program if entry is None or program.threads == (entry,) else replace(program, threads=(entry,))


def relations(program: Program, targets: str | Iterable[str] | None = None, entry: str | None = None) -> str:
    """Return the template relations of a program as text of the fixed-point calculus."""
    from knaster.engines.calculus.templates import templates

    started = starting_at(program, entry)
    return templates(started).text(resolve_targets(started, targets))


def scheduled(
    program: Program,
    question: Asked = None,
    *,
    switches: int | None = None,
    rounds: int | None = None,
    threads: Sequence[str] | None = None,
    property: str = "reach",
) -> tuple[Program, Question]:
    """Return the program with the threads that are to run, and the question about it with its bound."""
    bound = bound_asked(switches, rounds)
    crew = crew_of(program, threads)
    running = crew.within(program, bound)
    check_rounds(running, crew, bound)
    return running, _bounded(question_about(running, _with_property(question, property)), bound, running)


def effects(
    program: Program, engine: str | None = None, entry: str | None = None, **options: Any
) -> tuple[EffectTable, str]:
    """Return the calls of a program with references and their effects, and why there may be more; empty if not."""
    if program.kind is not Kind.REFERENCES:
        raise UsageError(f"{program.file}: such summaries are for programs with references, and this one has none")
    started = starting_at(program, entry)
    question, name = question_about(started, "failures"), engine or "auto"
    findings = usable(name, started, question).run(Task(started, question, Budget(), configured(name, options)))
    if findings.table is None:
        from knaster.engines.requirements import one_thread

        why = one_thread(started, question) or f"the engine '{name}' makes none"
        raise UsageError(f"{program.file}: there are no summaries to show: {why}")
    return findings.table(), findings.reason


def abstracted(program: Program, targets: str | Iterable[str] | None, predicates: Sequence[str]) -> Program:
    """Return the Boolean program that keeps of a program over integers which predicates hold."""
    from knaster.engines.integers.yasm.user_predicates import abstraction_of

    started = starting_at(program, None)
    why = engine_named("yasm").handles(started, Reach(()))
    if why is not None:
        raise UsageError(f"{program.file}: there is no abstraction by predicates: {why}")
    wanted = [target.place for target in resolve_targets(started, targets)]
    return abstraction_of(started, wanted, predicates)


def sequential(
    program: Program,
    targets: str | Iterable[str] | None = None,
    *,
    switches: int | None = None,
    rounds: int | None = None,
    threads: Sequence[str] | None = None,
) -> Program:
    """Return a sequential program that reaches its targets iff the program with threads does within the bound."""
    if switches is None and rounds is None:
        raise UsageError("a sequential program is one for a bound; give --switches or --rounds")
    started, question = scheduled(program, targets, switches=switches, rounds=rounds, threads=threads)
    reduce = usable("eager", started, question).reduce
    assert reduce is not None
    return reduce(started, question).program


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
            budget.tell(f"the sets of states need more memory; starting again with room for {4 * nodes:,} nodes")
            nodes, restarts = 4 * nodes, restarts + 1


def _asked_for(question: Question) -> tuple[Target, ...]:
    from knaster.decide.conclude import WHOLE

    return question.targets if isinstance(question, Reach) else (WHOLE,)


def _program_picture(program: Program) -> str | None:
    from knaster.report.notebook import program_picture

    return program_picture(program)


Program._repr_svg_ = _program_picture  # type: ignore[attr-defined]  # the model knows no pictures; a notebook wants one
