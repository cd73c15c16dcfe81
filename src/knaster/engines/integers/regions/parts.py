"""Targets of a reduced program, each group on the part of the program that it depends on; one proof of all of them.

What is proved of parts is said of the whole (`transform.cones.lifted_invariants`), and whoever checks the proof looks
at the whole program: that a part has all of its runs is not relied on.  A run of a part is followed in the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.checkers.checked import Checked, check_excludes
from knaster.engines.contract import Findings, Spent, Task
from knaster.engines.integers.portfolio import portfolio
from knaster.evidence.answers.ledger import Ledger
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.transform.cones.cone import can_be_cut, find_cone
from knaster.transform.cones.guided_run import LostRun
from knaster.transform.cones.lifted_invariants import lift_invariants
from knaster.transform.cones.reduction import ConeReduction

LARGE = 40  # edges of a program that is looked at in parts
ALIKE = 0.75  # of the variables of one cone are in another
CHECKING = 0.5  # of the time that parts have taken is left for their proof, which is checked twice
LEAST = 1_000_000  # resource units of each part, however many there are
MOST_ALONE = 40  # targets of a group that are looked at one by one
LATE = "the time was spent on other targets, and on their proof"
OPEN = "no method decides it on the part of the program that it depends on"


@dataclass(slots=True)
class _Decided:
    """What is known of the targets of a program so far."""

    proofs: dict[Target, Invariants] = field(default_factory=dict)
    nowhere: list[Target] = field(default_factory=list)  # no edge leads to these: every proof excludes them
    traces: dict[Target, Trace] = field(default_factory=dict)


def find_groups(program: Program, targets: Sequence[Target]) -> list[ConeReduction]:
    """Return the parts of a program for groups of targets, the smallest first; none where it is looked at whole.

    The targets of one procedure belong together, and procedures whose targets depend on the same variables.
    """
    if program.size < LARGE or not can_be_cut(program):
        return []
    procedures: dict[str, list[Target]] = {}
    for target in targets:
        procedures.setdefault(target.procedure, []).append(target)
    groups: list[tuple[frozenset[tuple[str, str]], list[Target]]] = []
    for members in procedures.values():
        names = find_cone(program, {target.place for target in members}).names
        for number, (others, known) in enumerate(groups):
            if len(names & others) >= ALIKE * len(names | others):
                groups[number] = names | others, known + members
                break
        else:
            groups.append((names, list(members)))
    if len(groups) < 2 and len(led_to(program, targets)) < 2:
        return []
    return sorted((ConeReduction(program, Reach(tuple(members))) for _, members in groups), key=lambda p: p.weight)


def led_to(program: Program, targets: Sequence[Target]) -> list[Target]:
    """Return the targets that some edge leads to, or that a procedure begins at."""
    places = {(procedure.name, edge.target) for procedure in program.procedures for edge in procedure.edges}
    places |= {(procedure.name, procedure.entry) for procedure in program.procedures}
    return [target for target in targets if target.place in places]


def decide_in_parts(parts: Sequence[ConeReduction], task: Task, units: int) -> Findings | None:
    """Return what is found on parts of a program; None where that is nothing.

    Where the time is exhausted (`spent`), what was decided before is returned, with time left to check it.
    """
    decided = _Decided()
    time, late = task.budget.seconds_left, False
    todo, share = list(parts), max(units // len(parts), LEAST)
    while todo:
        part = todo.pop(0)
        question = part.reduction.question
        assert isinstance(question, Reach)
        inner = Task(part.part, question, task.budget, task.options, ledger=Ledger(), refused=task.refused)
        _note(decided, part, question.targets, portfolio(inner, share))
        if task.first and decided.traces:
            break
        todo += _single(decided, task.program, question.targets)
        left = task.budget.seconds_left
        if time is not None and left is not None and left < CHECKING * (time - left):
            late = True  # what is decided is kept: the rest of the time is for the proof
            break
    reachable = set(led_to(task.program, task.targets))
    decided.nowhere += [target for target in task.targets if target not in reachable]
    proof = _one_proof(decided, task)
    excluded = {*decided.proofs, *decided.nowhere} if proof is not None else set()
    open = [target for target in task.targets if target not in excluded and target not in decided.traces]
    if len(open) == len(task.targets):
        return None

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        return {target: decided.traces[target] for target in targets}

    return Findings(
        frozenset(decided.traces),
        None,
        {"method": "parts", "parts": len(parts)},
        traces=traces,
        proof=None if proof is None else lambda: proof,
        doubtful=dict.fromkeys(open, LATE if late else OPEN),
        spent=Spent(exhausted=late),
    )


def _single(decided: _Decided, program: Program, targets: Sequence[Target]) -> list[ConeReduction]:
    """Return a part for each target of a group that is left open: one that is hard keeps nobody else from a proof."""
    known = {*decided.proofs, *decided.nowhere, *decided.traces}
    left = [target for target in led_to(program, targets) if target not in known]
    if len(left) == len(targets) == 1 or len(left) > MOST_ALONE:
        return []
    return [ConeReduction(program, Reach((target,))) for target in left]


def _one_proof(decided: _Decided, task: Task) -> Invariants | None:
    """Return a proof about the whole program from those about parts; None where they do not fit together."""
    if not decided.proofs:
        return None
    proof = lift_invariants(task.program, tuple({id(each): each for each in decided.proofs.values()}.values()))
    try:
        check_excludes(proof, task.program, (*decided.proofs, *decided.nowhere), task.budget)
    except (InternalError, OutOfBudget):
        return None
    return proof


def _note(decided: _Decided, part: ConeReduction, targets: Sequence[Target], found: Findings) -> None:
    """Note what was found about a part."""
    for target in targets:
        if target in found.reached and found.traces is not None:
            try:
                decided.traces[target] = part.reduction.back(target, found.traces([target])[target])[1]
            except LostRun:
                continue
    if found.unknown is not None or found.proof is None:
        return
    proof = found.proof()
    proof = proof.proof if isinstance(proof, Checked) else proof
    excluded = [target for target in targets if target not in found.doubtful and target not in found.reached]
    if isinstance(proof, Invariants):
        decided.proofs |= dict.fromkeys(excluded, proof)
    elif not part.weight:
        decided.nowhere += excluded
