"""What is to be known of an answer about a C program: where its runs leave what C defines.

Signed integers wrap here, and in C their overflow is undefined; so a run in which one overflows says where, one that
goes on through other states than it shows says where one may, and so does a proof that does not exclude it.  A run
stops where C leaves the next step undefined in another way: what holds of all runs holds of those that stop there too,
so a proof says at which lines it did not exclude that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster.base.file_line import place
from knaster.base.graphs import postorder
from knaster.base.limits import Budget, OutOfBudget
from knaster.evidence.answers.answer import Diverges, Reachable, Result, Terminates, Unreachable
from knaster.evidence.proofs.table import Proof
from knaster.evidence.questions.targets import is_check
from knaster.evidence.questions.undefined_steps import KINDS, OVERFLOW, Lapse, Lapses
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Path
from knaster.program.expression import variables

MOST_STEPS = 20_000  # of a run that are looked at
_NOTES = {  # what is said of a lapse, by what is known of it; in the order in which it is said
    "here": "signed overflow in this run (undefined behaviour); here it wraps",
    "later": "possible signed overflow (undefined behaviour) where this run goes on",
    "happens": "signed overflow in some run (undefined behaviour); here it wraps",
    "may": "possible signed overflow (undefined behaviour), not ruled out",
}
Remark = tuple[str, str]  # what happens, and what is known of it


def remarks_about(result: Result, budget: Budget | None = None) -> tuple[str, ...]:
    """Return the remarks, each with all lines that it is about; none about steps that were asked for."""
    lapses, answered = Lapses(result.program), _steps_asked_for(result)
    found: dict[Remark, set[int]] = {}
    proofs: dict[int, tuple[Proof | None, bool]] = {}
    for _, answer in result.answers:
        match answer:
            case Reachable(trace) if trace is not None:
                found.setdefault((OVERFLOW, "here"), set()).update(_find_overflows(lapses, trace.paths))
            case Diverges(lasso) if lasso is not None:
                here = found.setdefault((OVERFLOW, "here"), set())
                here |= set(_find_overflows(lapses, lasso.once.paths))
                found.setdefault((OVERFLOW, "later"), set()).update(set(_lines_that_drift(lapses, lasso)) - here)
            case Unreachable(proof) | Terminates(proof):
                proofs[id(proof)] = proof, answer.checked
    for proof, checked in proofs.values():
        for lapse, known in _find_unexcluded(lapses, proof if checked else None, budget or Budget()):
            if (KINDS[lapse.what], lapse.line) not in answered:
                found.setdefault((lapse.what, known), set()).add(lapse.line)
    return tuple(_sentence(result.file, lines, *noted) for noted, lines in sorted(found.items(), key=_order) if lines)


def _steps_asked_for(result: Result) -> set[tuple[str, int]]:
    """Return the kinds and lines of undefined steps all of which have their own answers."""
    asked = {target.place: (target.kind, target.line) for target, _ in result.answers if target.kind}
    others = {
        tuple(label.split(":")[:2])
        for procedure in result.program.procedures
        for label, location in procedure.labels
        if is_check(label) and (procedure.name, location) not in asked
    }
    return {(kind, line) for kind, line in asked.values() if (kind, str(line)) not in others}


def _order(entry: tuple[Remark, set[int]]) -> tuple[bool, int, str]:
    (what, known), _ = entry
    return what != OVERFLOW, list(_NOTES).index(known), what


def _sentence(file: str, lines: Iterable[int], what: str, known: str) -> str:
    first, *rest = sorted(lines)
    others = " and ".join(filter(None, (", ".join(map(str, rest[:-1])), *map(str, rest[-1:]))))
    more = f"; likewise at line{'s' if len(rest) > 1 else ''} {others}" if rest else ""
    if what == OVERFLOW:
        return f"{place(file, first)}: {_NOTES[known]}{more}"
    ends = "happens in a run, which ends there" if known == "happens" else "is not excluded; a run would end there"
    return f"{place(file, first)}: {what} {ends}{more}"


def _find_unexcluded(lapses: Lapses, proof: Proof | None, budget: Budget) -> Iterator[tuple[Lapse, str]]:
    """Yield the lapses that a proof does not exclude, and what is known of each; None stands for no proof."""
    from knaster.checkers.all_runs import lapses_among
    from knaster.evidence.proofs.all_runs import AllRuns
    from knaster.evidence.proofs.invariants import Invariants
    from knaster.evidence.proofs.ranking import Ranking

    every = lapses.all()
    if not every:
        return
    if isinstance(proof, AllRuns):
        try:
            seen, unsure = lapses_among(proof, lapses, budget)
        except OutOfBudget:
            seen, unsure = set(), set(every)
        yield from ((lapse, "happens" if lapse in seen else "may") for lapse in every if lapse in seen | unsure)
        return
    from knaster.decide.conclusions.lapses_left import lapses_left

    invariants = proof.invariants if isinstance(proof, Ranking) else proof
    left = lapses_left(every, invariants, budget) if isinstance(invariants, Invariants) else set(every)
    yield from ((lapse, "may") for lapse in every if lapse in left)


def _find_overflows(lapses: Lapses, paths: tuple[Path, ...]) -> Iterator[int]:
    """Yield the lines at which a signed operation of a run has a result outside of its type."""
    left = MOST_STEPS
    for path in postorder(paths, lambda one: [step.inside for step in one.steps if step.inside is not None]):
        state = path.start
        for step in path.steps:
            left -= 1
            if left < 0:
                return
            for lapse in lapses.at((path.procedure, step.edge.source)):
                if lapse.what == OVERFLOW and lapse.happens(state):
                    yield lapse.line
            state = step.after


def _lines_that_drift(lapses: Lapses, lasso: Lasso) -> Iterator[int]:
    """Yield the lines at which a signed operation reads what changes from one repetition of a cycle to the next."""
    if lasso.recurs is None:
        return
    begin, end = lasso.cycle.paths[0].start, lasso.cycle.paths[-1].end
    changed = {name for name, value in begin.items() if end.get(name, value) != value}
    for path in lasso.cycle.paths:
        for step in path.steps:
            for lapse in lapses.at((path.procedure, step.edge.source)):
                if lapse.what == OVERFLOW and (lapse.condition is None or changed & variables(lapse.condition)):
                    yield lapse.line
