"""What `knaster show` makes of a program besides text and pictures: each is a view that some engine works on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import UsageError
from knaster.base.limits import Budget
from knaster.decide.asked import Asked
from knaster.decide.choose import usable
from knaster.decide.crew import crew_of, question_about, set_up, start_at
from knaster.engines.contract import Task
from knaster.engines.table import engine_named, make_options
from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.evidence.proofs.heap.effect_table import EffectTable

Targets = str | Iterable[str] | None


def template_relations(program: Program, targets: Targets = None, entry: str | None = None) -> str:
    """Return the template relations of a program as text of the fixed-point calculus."""
    from knaster.engines.calculus.templates import templates

    started = start_at(program, entry)
    return templates(started).text(resolve_targets(started, targets))


def effect_table(
    program: Program, engine: str | None = None, entry: str | None = None, **options: Any
) -> tuple[EffectTable, str]:
    """Return the calls of a program with references and their effects, and why there may be more; empty if not."""
    if program.kind is not Kind.REFERENCES:
        raise UsageError(f"{program.file}: such summaries are for programs with references, and this one has none")
    started = start_at(program, entry)
    question, name = question_about(started, "failures"), engine or "auto"
    findings = usable(name, started, question).find(Task(started, question, Budget(), make_options(name, options)))
    if findings.table is None:
        why = engine_named("patterns").why_not(started, question) or f"the engine '{name}' makes none"
        raise UsageError(f"{program.file}: there are no summaries to show: {why}")
    return findings.table(), findings.reason


def kernel_text(program: Program, threads: Sequence[str] | None = None, entry: str | None = None) -> str:
    """Return a program as the text that the kernel of proofs reads; as `certify` runs it with these threads."""
    from knaster.evidence.proofs.kernel_text import program_to_kernel

    if not threads:
        return program_to_kernel(start_at(program, entry))
    crew = crew_of(program, threads)
    running = crew.within(program, Bound("switches", 1) if crew.endless else None)
    return program_to_kernel(start_at(running, entry), crew.endless)


def boolean_abstraction(program: Program, targets: Targets, predicates: Sequence[str]) -> Program:
    """Return the Boolean program that keeps of a program over integers which predicates hold."""
    from knaster.engines.integers.yasm.user_predicates import abstraction_of

    started = start_at(program, None)
    why = engine_named("yasm").why_not(started, Reach(()))
    if why is not None:
        raise UsageError(f"{program.file}: there is no abstraction by predicates: {why}")
    places = [target.place for target in resolve_targets(started, targets)]
    return abstraction_of(started, places, predicates)


def sequential_program(
    program: Program,
    targets: Targets = None,
    *,
    switches: int | None = None,
    rounds: int | None = None,
    threads: Sequence[str] | None = None,
) -> Program:
    """Return a sequential program that reaches its targets iff the program with threads does within the bound."""
    if switches is None and rounds is None:
        raise UsageError("a sequential program is one for a bound; give --switches or --rounds")
    started, _, question = set_up(program, Asked.of(targets, threads, switches=switches, rounds=rounds))
    reduction = usable("eager", started, question).reduction(started, question)
    assert reduction is not None
    return reduction.program
