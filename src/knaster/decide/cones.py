"""Decides targets of one program over integers, each on the part of the program that it depends on, cheap ones first.

Each is decided alone, which is cheaper than together; where there are many, those whose cones are alike together first.
What is decided is kept.  A run
of a part that the program does not have shows a branch that matters: it is taken into the part, a few times; after
that the whole program is looked at.  A part is believed to have all runs of the program because a checker looked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import replace
from knaster.checkers.checked import check_excludes
from knaster.checkers.parts import check_part
from knaster.decide.choose import Method
from knaster.decide.several import part_of_time, share_of_units
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown, Unreachable
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.program.model import Kind, Program
from knaster.transform.cones.cone import can_be_cut, find_cone, procedures_called
from knaster.transform.cones.lifted_invariants import lift_invariants
from knaster.transform.cones.reduction import ConeReduction
from knaster.transform.reduction import Reduction

SMALL = 40  # edges of a program that is looked at as a whole
LARGEST = 0.7  # for one target: a part with a larger share of the edges that matter is no part
MANY = 60  # targets: of more, those whose cones are alike are decided together
ALIKE = 0.75  # of the variables of one cone are in another
LIFTED = 500  # edges of a program of which one proof is made from those of its parts
REFINED = 6  # times that a part is made larger for a run that the program does not have


class Deciding(Protocol):
    """How a question is decided, on what a reduction makes of the program if there is one."""

    def __call__(
        self, method: Method, budget: Budget, program: Program, question: Question, reduction: Reduction | None = None
    ) -> Result:
        """Return the answers."""


def find_parts(program: Program, question: Question) -> list[ConeReduction]:
    """Return parts of a program for all targets of a question, the smallest first; none where they would not help."""
    if not isinstance(question, Reach) or program.kind is not Kind.INTEGERS or program.size < SMALL:
        return []
    plain = all(target.has_place and target.condition is None for target in question.targets)
    if not plain or question.bound is not None or not can_be_cut(program):
        return []
    parts = [ConeReduction(program, Reach(targets)) for targets in _group(program, question)]
    largest = LARGEST * sum(len(program.procedure(name).edges) for name in procedures_called(program))
    if len(question.targets) == 1 and parts[0].weight > largest:
        return []
    return sorted(parts, key=lambda part: part.weight)


def _group(program: Program, question: Reach) -> Iterator[tuple[Target, ...]]:
    """Yield the targets, each on its own; where there are many, in groups whose cones are alike."""
    if len(question.targets) <= MANY:
        yield from ((target,) for target in question.targets)
        return
    groups: list[tuple[frozenset[tuple[str, str]], list[Target]]] = []
    for target in question.targets:
        names = find_cone(program, [target.place]).names
        for number, (others, members) in enumerate(groups):
            if len(names & others) >= ALIKE * len(names | others):
                members.append(target)
                groups[number] = (names | others, members)
                break
        else:
            groups.append((names, [target]))
    for _, members in groups:
        yield tuple(members)


def decide_parts(
    parts: list[ConeReduction], program: Program, question: Reach, method: Method, budget: Budget, decide: Deciding
) -> Iterator[Result]:
    """Yield a result for each part in turn, about its targets; targets that stay open come again on their own."""
    deciding = _PartDeciding(program, question, decide)
    left: list[Target] = []
    several = any(len(part.reduction.targets) > 1 for part in parts)
    first = method._replace(options=replace(method.options, **share_of_units(method.options, 1, 1 + len(parts))))
    for number, part in enumerate(parts):
        share = part_of_time(budget, 2 * (len(parts) - number))
        result = deciding.decide(part, first, share)
        yield result
        left += [target for target, answer in result.answers if isinstance(answer, Unknown)]
        if budget.overdrawn() or (question.first and any(isinstance(a, Reachable) for _, a in result.answers)):
            return
    if len(left) >= len(parts) and not several:
        return  # there is no more to spend on each than before
    own = method._replace(options=replace(method.options, **share_of_units(method.options, 1, 1 + len(left))))
    for number, target in enumerate(left):
        result = deciding.decide_one(target, own, part_of_time(budget, len(left) - number))
        yield result
        if budget.overdrawn() or (question.first and any(isinstance(a, Reachable) for _, a in result.answers)):
            return


class _PartDeciding:
    """How targets are decided on parts of one program."""

    def __init__(self, program: Program, question: Reach, decide: Deciding) -> None:
        self.program = program
        self.question = question
        self.ask = decide

    def decide(self, part: ConeReduction, method: Method, budget: Budget, depth: int = 0) -> Result:
        """Return the answers of a part; where a run got lost, those of larger parts."""
        asked = part.reduction.question
        assert isinstance(asked, Reach)
        check_part(self.program, part.part, asked.targets)
        result = self.ask(method, budget, self.program, asked, part.reduction)
        if not part.lost or budget.overdrawn():
            return result
        answers: dict[Target, Answer] = dict(result.answers)
        open = tuple(target for target, answer in answers.items() if isinstance(answer, Unknown))
        fresh = frozenset(place for place in part.lost if place is not None) - part.forced
        if fresh and depth < REFINED:
            larger = ConeReduction(self.program, Reach(open), part.forced | fresh)
            again = self.decide(larger, method, budget, depth + 1)
        else:
            again = self.ask(method, budget, self.program, Reach(open))
        answers |= dict(again.answers)
        return replace(again, answers=tuple(answers.items()))

    def decide_one(self, target: Target, method: Method, budget: Budget) -> Result:
        """Return the answer about one target on its own cone."""
        return self.decide(ConeReduction(self.program, Reach((target,), first=True)), method, budget)


def decide_on_cones(
    parts: list[ConeReduction],
    program: Program,
    question: Reach,
    method: Method,
    budget: Budget,
    decide: Deciding,
    ledger: Ledger,
) -> Result:
    """Return an answer for every target, as far as time and units go."""
    proofs: dict[Target, Invariants] = {}  # about parts
    answers: dict[Target, Answer] = {target: Unknown("another target was found first") for target in question.targets}
    last: Result | None = None
    notes: dict[str, None] = {}
    for result in decide_parts(parts, program, question, method, budget, decide):
        answers |= {target: _bare(target, answer, program, proofs) for target, answer in result.answers}
        notes |= dict.fromkeys(result.notes)
        ledger.settle(answers)
        last = result
    assert last is not None
    if spent := budget.overdrawn():
        answers = {t: Unknown(spent, True) if isinstance(a, Unknown) else a for t, a in answers.items()}
    if (proof := _one_proof(program, proofs, budget)) is not None:
        answers |= {target: Unreachable(proof, checked=True) for target in proofs}
    return replace(
        last,
        question=question,
        answers=tuple((target, answers[target]) for target in question.targets),
        stats={**last.stats, "parts": len(parts)},
        notes=tuple(notes),
        unreached=None,
    )


def _bare(target: Target, answer: Answer, program: Program, proofs: dict[Target, Invariants]) -> Answer:
    """Return an answer without a proof that is about a part; invariants are put among the `proofs`."""
    if not isinstance(answer, Unreachable) or answer.proof is None or answer.proof.program is program:
        return answer
    if isinstance(answer.proof, Invariants) and answer.checked:
        proofs[target] = answer.proof
    return replace(answer, proof=None)


def _one_proof(program: Program, proofs: Mapping[Target, Invariants], budget: Budget) -> Invariants | None:
    """Return a proof about the whole program from those about parts; None where they do not fit together.

    The answers do not depend on it: each was checked on its part.
    """
    if not proofs or program.size > LIFTED or budget.overdrawn():
        return None
    proof = lift_invariants(program, tuple({id(proof): proof for proof in proofs.values()}.values()))
    try:
        check_excludes(proof, program, tuple(proofs), budget)
    except (InternalError, OutOfBudget):
        return None
    return proof
