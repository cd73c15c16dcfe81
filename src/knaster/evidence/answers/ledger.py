"""What is established while a question is being answered: a result at any moment, for whoever must answer early.

Answers and the bound within which all runs were explored are one record, replaced as a whole: neither is ever said
without the other, and another thread may read it at any time.  Nothing that was established is lost to a method that
starts again.  What an engine notes was not checked yet, and is said so.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.evidence.answers.answer import Answer, Answers, Reachable, Result, Terminates, Unknown, Unreachable
from knaster.evidence.questions.question import Bound, Target


class Established(NamedTuple):
    """Answers that hold for every number of switches, and the bound within which all runs were explored besides."""

    answers: Mapping[Target, Answer]
    bound: Bound | None

    def join(self, answers: Mapping[Target, Answer], bound: Bound | None) -> Established:
        """Return what holds when more is known; what was checked is not replaced by what was not."""
        kept = {target: answer for target, answer in self.answers.items() if answer.checked or target not in answers}
        if self.bound is not None and (bound is None or bound.number < self.bound.number):
            bound = self.bound
        return Established({**answers, **kept}, bound)

    def answer(self, target: Target, reason: str) -> Answer:
        """Return what is known of a target; `reason` is why there is no more."""
        found = self.answers.get(target)
        if isinstance(found, Reachable) and not found.checked and not found.unchecked:
            return replace(found, unchecked=reason)
        if found is not None:
            return found
        if self.bound is not None:
            return Unreachable(None, self.bound, unchecked=reason, beyond=reason)
        return Unknown(reason)


class Ledger:
    """What one question has established so far."""

    def __init__(self) -> None:
        self.established = Established({}, None)
        self._question: Result | None = None

    def open(self, result: Result) -> None:
        """Begin with a question: a result in which nothing is answered yet."""
        self._question = result

    def note(self, least: Mapping[Target, int | None], bound: Bound | None = None) -> None:
        """Take note of what an engine has reached, with least numbers, and within which bound it explored all runs."""
        reached = {target: Reachable(None, least=number) for target, number in least.items()}
        self.established = self.established.join(reached, bound)

    def settle(self, answers: Mapping[Target, Answer], bound: Bound | None = None) -> None:
        """Take note of answers that were checked; those that hold within a bound alone are in what was explored."""
        found = {target: answer for target, answer in answers.items() if _holds(answer)}
        self.established = self.established.join(found, bound)

    def doubt(self) -> None:
        """Forget what was not checked: whoever said it has made a mistake."""
        checked = {target: answer for target, answer in self.established.answers.items() if answer.checked}
        self.established = Established(checked, None)

    def answers(self, targets: Answers, reason: str) -> Answers:
        """Return what is known of each target of some answers; `reason` is why there is no more."""
        established = self.established
        return tuple((target, established.answer(target, reason)) for target, _ in targets)

    def result(self, reason: str) -> Result | None:
        """Return what is established, and of the rest why it is not; None where the question is not known yet.

        Proofs are left out: their BDDs may be in use by work that cannot be stopped.
        """
        result, established = self._question, self.established
        if result is None:
            return None
        covered = established.bound.number if established.bound is not None else None
        return replace(
            result,
            answers=tuple((target, _bare(established.answer(target, reason))) for target, _ in result.answers),
            bound=replace(result.bound, covered=covered) if result.bound is not None else None,
        )


def _holds(answer: Answer) -> bool:
    """Tell whether an answer holds for every number of switches."""
    return not isinstance(answer, Unknown) and (isinstance(answer, Reachable) or getattr(answer, "bound", None) is None)


def _bare(answer: Answer) -> Answer:
    return replace(answer, proof=None) if isinstance(answer, Unreachable | Terminates) else answer
