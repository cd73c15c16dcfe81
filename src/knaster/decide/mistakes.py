"""What becomes of a question when an engine makes a mistake: the next method is asked, and the answer says so.

A mistake is ours: evidence that the checkers refuse, or an engine that breaks down.  Nothing that such an engine has
said is believed; and once the kernel has refused a proof, no proof is that it does not check, because our checkers may
have made the same mistake as the engines.  Whoever looks for mistakes (tests, `KNASTER_DEBUG`, `KNASTER_STRICT`) is
shown them instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from knaster.base.errors import KernelRefusal
from knaster.base.records import replace
from knaster.decide.asked import How
from knaster.decide.choose import Method
from knaster.decide.crew import Running
from knaster.engines.contract import BREAKDOWNS, Mistake
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.answers.answer import Answer, Result, Terminates, Unknown, Unreachable
from knaster.evidence.answers.ledger import Ledger
from knaster.version import VERSION


@contextmanager
def blame(method: str) -> Iterator[None]:
    """Raise what breaks down here as the mistake of a method, unless somebody else was blamed before."""
    try:
        yield
    except Mistake as mistake:
        if mistake.method:
            raise
        raise Mistake(method, mistake.error) from mistake.error
    except BREAKDOWNS as error:
        raise Mistake(method, error) from error


def ask_in_turn(
    method: Method, running: Running, how: How, answer: Callable[[Method, frozenset[str]], Result], ledger: Ledger
) -> Result:
    """Return what a method answers; where one makes a mistake, what the next one does, with a note about it.

    Raises what the first mistake was where nobody else answers, and where nobody else is to be asked.
    """
    mistakes: list[Mistake] = []
    while True:
        try:
            result = answer(method, frozenset(mistake.method for mistake in mistakes))
            break
        except Mistake as mistake:
            following = _next_method(method, running, mistake, mistakes) if how.others else None
            if following is None or must_raise():
                raise (mistakes or [mistake])[0].error from None
            mistakes.append(mistake)
            method = following
            ledger.doubt()
    if any(isinstance(mistake.error, KernelRefusal) for mistake in mistakes):
        result = replace(result, answers=tuple((target, _doubt(answer)) for target, answer in result.answers))
    if mistakes and all(isinstance(answer, Unknown) for _, answer in result.answers):
        raise mistakes[0].error
    return replace(result, mistakes=tuple(map(_note, mistakes)))


def _doubt(answer: Answer) -> Answer:
    """Return an answer, but for a proof that the kernel has not checked."""
    proved = isinstance(answer, Unreachable | Terminates) and not answer.kernel
    return Unknown("the kernel has refused a proof, and has not checked this one") if proved else answer


def must_raise() -> bool:
    """Tell whether our mistakes are to be seen rather than mended: tests and people who look for them want that."""
    return bool(os.environ.get("KNASTER_STRICT") or os.environ.get("KNASTER_DEBUG"))


def _next_method(method: Method, running: Running, mistake: Mistake, before: list[Mistake]) -> Method | None:
    """Return who is asked after a mistake: the same engine, where it asks others, or the next; None where none is."""
    wrong = {mistake.method, *(one.method for one in before)}
    again = mistake.method in {one.method for one in before}
    if mistake.method != method.name and not again:
        return method
    for name, engine in ENGINES.items():
        usable = engine.decides and engine.why_not(running.program, running.question) is None
        if usable and name not in wrong and name != method.name:
            return Method(name, engine, make_options(name, {}), fits=True)
    return None


def _note(mistake: Mistake) -> str:
    """Return what the user is told of a mistake."""
    return f"the engine '{mistake.method}' made a mistake; please report it (Knaster {VERSION}: {mistake})"
