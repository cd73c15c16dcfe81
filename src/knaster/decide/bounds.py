"""Questions about threads that need several answers: for one bound after the other, or by two methods.

An engine that answers for one bound at a time is asked with a bound that grows; so is every engine where any number of
threads may run, of which a bound needs but a few.  Where nothing says that a method will come to an end, a cheap proof
for every number of switches (`modular`) is tried before it, and the method is asked for what is left.  Which methods
these are is read off the program and the question, never off a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import count

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.decide.choose import Method
from knaster.decide.crew import Crew, Running, coverage
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown, Unreachable
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.questions.question import Bound, Question, Reach, Target
from knaster.program.model import Kind, Program
from knaster.program.threads import most_started

PROVING = "modular"
SHARE = 3  # the proof may spend one part in so many of the time, if that is limited
Deciding = Callable[[Method, Budget, Program, Question], Result]
Answering = Callable[[Program, Question], Result]


def decide_threads(
    running: Running,
    method: Method,
    budget: Budget,
    decide: Deciding,
    ledger: Ledger,
    refused: frozenset[str] = frozenset(),
) -> Result:
    """Return what a method says of a program with threads; what a cheap proof excludes before is not asked again."""
    program, crew, asked = running
    alone = not crew.endless and method.engine.grows

    def answer(left: Question) -> Result:
        if alone:
            return decide(method, budget, program, left)
        bounded = partial(decide, method, budget)
        return grow(program, crew, left, method.engine.grows, bounded, ledger)

    tried = program_to_try(method.name, running) if method.fits and PROVING not in refused else None
    if tried is None:
        return answer(asked)
    share = budget if budget.seconds_left is None else budget.part(budget.seconds_left / SHARE)
    proof = Method(PROVING, ENGINES[PROVING], make_options(PROVING, {}))
    return prove_first(tried, asked, partial(decide, proof, share), answer, ledger)


def program_to_try(name: str, running: Running) -> Program | None:
    """Return the program to try the proof on before the default engine `name` is asked; None where it is not tried.

    Two threads that run the same procedure stand for any number: each heeds what the other can do, again and again.
    """
    program, crew, question = running
    if not program.is_threaded or program.kind in (Kind.REFERENCES, Kind.MEMORY):
        return None  # there it is no cheap proof: `auto` has turns for it
    if name == "states" and not crew.endless and most_started(program) is not None:
        return None  # its sets stop growing
    tried = crew.within(program, Bound("switches", 1)) if crew.endless else program
    return tried if ENGINES[PROVING].why_not(tried, question) is None else None


def prove_first(
    tried: Program, question: Question, prove: Answering, then: Callable[[Question], Result], ledger: Ledger
) -> Result:
    """Return what is proved for every number of switches, together with what another method says of the rest."""
    assert isinstance(question, Reach)
    first = prove(tried, question)
    proved = {target: answer for target, answer in first.answers if isinstance(answer, Unreachable)}
    left = tuple(target for target in question.targets if target not in proved)
    if not left:
        return first
    ledger.settle(proved)
    second = then(replace(question, targets=left))
    answers: dict[Target, Answer] = {**proved, **dict(second.answers)}
    told = {"modular_seconds": first.stats.get("fixpoint_seconds", 0.0), "modular_proved": len(proved)}
    return replace(
        second,
        question=question,
        answers=tuple((target, answers[target]) for target in question.targets),
        stats={**told, **second.stats},
    )


def grow(
    program: Program, crew: Crew, question: Question, grows: bool, decide: Answering, ledger: Ledger | None = None
) -> Result:
    """Ask with a bound that grows until every target is decided, the bound asked for is reached, or the budget ends.

    For engines that answer for one bound at a time, and for any number of threads, of which a bound needs but a few.
    """
    assert isinstance(question, Reach)
    asked, ledger = question.bound, ledger or Ledger()
    kind = asked.kind if asked is not None else "switches"
    steps: Iterable[int] = count(1 if kind == "rounds" else 0)
    if asked is not None and grows:
        steps = [asked.number]  # the least number falls out
    elif asked is not None:
        steps = range(1 if kind == "rounds" else 0, asked.number + 1)
    answers: dict[Target, Answer] = {}
    covered: int | None = None
    for number in steps:
        left = tuple(target for target in question.targets if not _is_decided(answers.get(target)))
        bound = Bound(kind, number)
        result = decide(crew.within(program, bound), replace(question, targets=left, bound=bound))
        for target, answer in result.answers:
            answers[target] = _within(answer, bound, crew, answers.get(target))
        hits = [target for target in question.targets if isinstance(answers[target], Reachable)]
        covered = _number_explored(result, number, covered)
        ledger.settle(answers, Bound(kind, covered) if covered is not None else None)
        if covered is None or covered < number:
            break
        if all(_is_decided(answer) for answer in answers.values()) or (question.first and hits):
            break
    ordered = tuple((target, answers[target]) for target in question.targets)
    explored = coverage(result.program, question, covered)
    unreached = None if crew.endless else result.unreached  # what so many threads leave out, others may reach
    return replace(result, question=question, answers=ordered, bound=explored, unreached=unreached)


def _number_explored(result: Result, number: int, before: int | None) -> int | None:
    """Return how far runs were explored: to the number asked for, or less where the budget ended on the way.

    Where nothing new happens after fewer switches, an engine need not try as many as it was asked for.
    """
    found = result.bound.covered if result.bound is not None else None
    if found is None:
        return before
    ended = any(
        isinstance(answer, Unknown)
        or (isinstance(answer, Unreachable) and answer.bound is not None and answer.bound.number < number)
        for _, answer in result.answers
    )
    return max(found, before if before is not None else found) if ended else number


def _within(answer: Answer, bound: Bound, crew: Crew, before: Answer | None) -> Answer:
    """Return an answer for one bound of several: with its least number, and no proof for other numbers of threads."""
    match answer:
        case Reachable():
            return replace(answer, least=answer.least if answer.least is not None else bound.number)
        case Unreachable() if answer.bound is None and crew.endless:
            return replace(answer, bound=bound)
        case Unknown() if isinstance(before, Unreachable) and before.bound is not None:
            return replace(before, beyond=answer.reason)
        case _:
            return answer


def _is_decided(answer: Answer | None) -> bool:
    return isinstance(answer, Reachable) or (isinstance(answer, Unreachable) and answer.bound is None)
