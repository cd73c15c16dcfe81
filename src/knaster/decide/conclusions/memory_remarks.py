"""What is to be known of an answer about a program with memory: which undefined steps its runs come to.

Where only targets are asked for, an undefined step ends a run; after some, such as a signed overflow, it goes on.
Whoever reads TRUE has to know that some run came to one.  Steps that are targets themselves have answers of their own.
"""

from __future__ import annotations

from knaster.base.file_line import place
from knaster.base.limits import Budget
from knaster.evidence.answers.answer import Reachable, Result, Terminates, Unreachable
from knaster.evidence.proofs.memory.memory_paths import MemoryPaths
from knaster.evidence.proofs.memory.memory_runs import MemoryRuns
from knaster.evidence.questions.question import Reach
from knaster.evidence.traces.memory_inputs import lapses_in
from knaster.evidence.traces.memory_runs import LAPSES
from knaster.semantics.memory.failure import LEAK, LOST, MESSAGES, OVERFLOW


def remarks_about(result: Result, budget: Budget | None = None) -> tuple[str, ...]:
    """Return the remarks, one for each kind of undefined step, with the lines that it is about."""
    found: dict[tuple[str, int], str] = {}
    for _, answer in result.answers:
        if isinstance(answer, Reachable) and answer.trace is not None:
            for step in lapses_in(result.program, answer.trace):
                found.setdefault(step, "in this run")
        elif isinstance(answer, Unreachable | Terminates) and isinstance(answer.proof, MemoryRuns | MemoryPaths):
            for step in answer.proof.lapses:
                found[step] = "in some run"
            for line in answer.proof.wraps if isinstance(answer.proof, MemoryPaths) else ():
                found.setdefault((OVERFLOW, line), "perhaps")
    targets = result.question.targets if isinstance(result.question, Reach) else ()
    asked = {(target.kind, target.line) for target in targets if target.kind}
    lines: dict[tuple[str, str], set[int]] = {}
    for (kind, line), where in found.items():
        if kind not in (LEAK, LOST) and (kind, line) not in asked:  # what is left at the end is no undefined step
            lines.setdefault((kind, where), set()).add(line)
    return tuple(_sentence(result.file, kind, where, lines[kind, where]) for kind, where in sorted(lines))


def _sentence(file: str, kind: str, where: str, lines: set[int]) -> str:
    first, *rest = sorted(lines)
    others = f"; likewise at line {', '.join(map(str, rest))}" if rest else ""
    after = "here it wraps" if kind == OVERFLOW else "the run goes on" if kind in LAPSES else "the run ends there"
    return f"{place(file, first)}: {MESSAGES[kind]} {where} (undefined behaviour), {after}{others}"
