"""The whole way on one page: text -> Program -> threads -> method -> findings -> answers, all of them checked.

`knaster.check` (`knaster.api`) makes the records that are taken here.  What only some runs need is imported where it is
needed, so that a small check feels instant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from knaster.base.lazy import load_named
from knaster.base.limits import Budget, Limits, OutOfBudget, peak_megabytes
from knaster.base.records import replace
from knaster.decide.asked import Asked, Evidence, How, Source
from knaster.decide.choose import Method, choose
from knaster.decide.conclusions.conclude import WHOLE, Conclusion, conclude
from knaster.decide.conclusions.second_look import look_again
from knaster.decide.crew import Running, coverage, set_up
from knaster.decide.mistakes import ask_in_turn, blame
from knaster.decide.node_tables import with_enough_nodes
from knaster.decide.reading import Stage, check_in_stages, in_full, recall_stage, stages_of, unanswered
from knaster.decide.several import decide_several, is_several
from knaster.engines.contract import Findings, Task
from knaster.engines.table import make_options
from knaster.evidence.answers.answer import NOT_KEPT, Answers, Result, Statistics, Unknown
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.questions.question import Question, Reach, Temporal
from knaster.program.model import Kind, Program
from knaster.semantics.table import semantics_of

if TYPE_CHECKING:
    from knaster.decide.cones import Deciding
    from knaster.decide.proof_cache import ProofCache
    from knaster.transform.reduction import Reduction


def check(
    source: Source,
    asked: Asked,
    how: How = How(),  # noqa: B008  # frozen
    limits: Limits = Limits(),  # noqa: B008
    evidence: Evidence = Evidence(),  # noqa: B008
    progress: Callable[[str], None] | None = None,
    ledger: Ledger | None = None,
    cache: ProofCache | None = None,
) -> Result:
    """Read a program and answer a question about it; `ledger` holds what is established at any moment before.

    With a `cache` the evidence of an earlier answer is checked again, where there is any.
    """
    budget, ledger = Budget.of(limits, progress), ledger or Ledger()
    if how.engine is not None:
        make_options(how.engine, how.options)  # wrong usage is said before a large file is read
    budget.tell("reading the program")
    program, notes = read_in_time(source, budget)
    parsed = budget.seconds_spent
    asked = in_full(source, program, asked)
    if source.before is None and (stages := stages_of(source, program, notes, asked, how)):

        def attempt(stage: Stage, rest: Limits, cache: ProofCache | None = cache) -> Result:
            about = asked._replace(question=stage.question)
            return check(stage.source, about, stage.how, rest, evidence, progress, ledger, cache)

        kept = recall_stage(stages, partial(attempt, rest=limits, cache=cache.by_itself())) if cache else None
        found = kept or check_in_stages(stages, budget, limits, attempt)
        options = {**found.options, **asked.property_in_force()}
        return replace(found, options=options, stats={**found.stats, "parse_seconds": parsed})
    running, watched = _watch(set_up(program, asked))
    method = choose(running.program, running.question, how)

    def finish(result: Result) -> Result:
        program, question = result.program, result.question
        options = {  # every choice that the answer depends on, for the JSON output
            "engine": result.engine,
            **result.options,
            "entry": program.threads[0] if len(program.threads) == 1 else None,
            **asked.in_force(),
            **asked.property_in_force(),
            "dialect": source.dialect,
            "first": question.first if isinstance(question, Reach) else False,
            "certify": evidence.wants_proof(program),
            "timeout": limits.seconds if limits.whole is None else limits.whole,
            "memory": limits.megabytes,
        }
        return replace(result, notes=(*unanswered(notes, result), *result.notes), options=options)

    opened = _open(running.program, running.question, method)
    ledger.open(finish(opened))

    def answer(method: Method, refused: frozenset[str]) -> Result:
        def decide(
            method: Method, budget: Budget, program: Program, question: Question, reduction: Reduction | None = None
        ) -> Result:
            return run_engine(method, program, question, budget, evidence, ledger, reduction, refused)

        if watched is not None:
            from knaster.decide.watched_formulas import decide_watched

            found = decide_watched(watched, lambda *about: decide(method, budget, *about))
        elif running.program.is_threaded:
            from knaster.decide.bounds import decide_threads

            found = decide_threads(running, method, budget, decide, ledger, refused)
        else:
            found = _decide_sequential(running, method, budget, decide, ledger)
        if evidence.short_proofs and found.program.kind in (Kind.INTEGERS, Kind.MEMORY):
            from knaster.decide.shortening.results import with_short_proofs

            found = with_short_proofs(found, budget)
        with blame(found.engine):
            return look_again(found, running.crew.endless, budget)

    recalled = cache.recall(opened, how, budget) if cache is not None else None
    if recalled is not None and recalled.stats:
        result = recalled
    else:
        result = ask_in_turn(method, running, how, answer, ledger)
        if cache is not None:
            was_kept = cache.keep(result, how)
            noted = recalled.notes if recalled is not None else ()
            noted = noted if was_kept or not cache.store.trouble else (*noted, f"{NOT_KEPT}: {cache.store.trouble}")
            result = replace(result, stats={**result.stats, "cached": 0}, notes=(*result.notes, *noted))
    if (remarks := semantics_of(program).remarks) is not None:
        ledger.settle(dict(result.answers))
        result = replace(result, notes=(*result.notes, *load_named(remarks)(result, budget)))
    return replace(finish(result), stats={"parse_seconds": parsed, **result.stats})


def _watch(running: Running) -> tuple[Running, Reduction | None]:
    """Return the question whether a monitor beside a program of C sees a formula violated; no monitor for others."""
    if running.program.kind is not Kind.INTEGERS or not isinstance(running.question, Temporal):
        return running, None
    from knaster.decide.watched_formulas import watch_question

    watched = watch_question(running.program, running.question)
    if watched is None:
        return running, None
    return running._replace(question=Reach(tuple(watched.targets.values()), first=True)), watched


def _decide_sequential(running: Running, method: Method, budget: Budget, decide: Deciding, ledger: Ledger) -> Result:
    """Decide a question about a program without threads: on parts of it, target by target, or as a whole."""
    program, question = running.program, running.question
    if program.kind is Kind.INTEGERS and isinstance(question, Reach):
        from knaster.decide.cones import decide_on_cones, find_parts

        if parts := find_parts(program, question):
            return decide_on_cones(parts, program, question, method, budget, decide, ledger)
    if is_several(program, question):
        return decide_several(program, question, method, budget, decide, ledger)
    return decide(method, budget, program, question)


def read_in_time(source: Source, budget: Budget) -> tuple[Program, tuple[str, ...]]:
    """Return a program and remarks about its text: no front end looks at a budget, and small texts may be much work."""
    if budget.seconds is None or isinstance(source.what, Program):
        return source.read()
    from knaster.base.deadline import within_time

    return within_time(budget, "the program was read", source.read)


def run_engine(
    method: Method,
    program: Program,
    question: Question,
    budget: Budget,
    evidence: Evidence,
    ledger: Ledger | None = None,
    reduction: Reduction | None = None,
    refused: frozenset[str] = frozenset(),
) -> Result:
    """Run an engine on a program, or on what a reduction makes of it, and check what it found.

    Raises `Mistake` where the engine breaks down, or what it found is refused.
    """
    engine, ledger = method.engine, ledger or Ledger()
    reduction = reduction or engine.reduction(program, question)
    reduced = (reduction.program, reduction.question) if reduction is not None else (program, question)

    def attempt(nodes: int) -> tuple[Conclusion, Findings]:
        task = Task(*reduced, budget, method.options, nodes, ledger, refused)
        budget.tell(f"looking for runs to the targets ({method.name})")
        with blame(method.name):
            findings = engine.find(task)
        if reduction is None:
            ledger.note({target: findings.least.get(target) for target in findings.reached}, findings.bound)
        budget.tell("checking what was found")
        with blame(findings.method or method.name):
            return conclude(task, findings, evidence, question, reduction), findings

    opened = _open(program, question, method)
    try:
        (concluded, findings), restarts = with_enough_nodes(attempt, budget)
    except OutOfBudget as spent:
        covered = ledger.established.bound.number if ledger.established.bound is not None else None
        answers = ledger.answers(opened.answers, str(spent))
        return replace(opened, answers=answers, stats=_stats({}, budget), bound=coverage(program, question, covered))
    covered = findings.covered
    if covered is None and reduction is not None and question.bound is not None and not findings.reason:
        covered = question.bound.number
    return replace(
        opened,
        answers=concluded.answers,
        stats=_stats({**findings.statistics, "restarts": restarts}, budget),
        notes=concluded.notes,
        unreached=concluded.unreached,
        bound=coverage(program, question, covered),
    )


def _open(program: Program, question: Question, method: Method) -> Result:
    """Return the result in which nothing is answered yet."""
    options = {**method.options.in_force(program.is_threaded), **dict(program.reading)}
    targets = question.targets if isinstance(question, Reach) else (WHOLE,)
    answers: Answers = tuple((target, Unknown("")) for target in targets)
    return Result(program, question, method.name, options, answers, {}, bound=coverage(program, question, None))


def _stats(statistics: Statistics, budget: Budget) -> Statistics:
    return {**statistics, "seconds": budget.seconds_spent, "peak_megabytes": peak_megabytes()}
