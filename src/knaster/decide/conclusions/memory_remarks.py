"""What is to be known of an answer about a program with memory: which undefined steps its runs come to.

Where only targets are asked for, an undefined step ends a run and a signed overflow wraps; whoever reads TRUE has to
know that some run came to one.
"""

from __future__ import annotations

from knaster.base.limits import Budget
from knaster.evidence.answers.answer import Reachable, Result, Terminates, Unreachable
from knaster.evidence.proofs.memory_runs import MemoryRuns
from knaster.evidence.traces.memory_runs import inputs_of, lapses_in
from knaster.semantics.memory.failure import LEAK, LOST, MESSAGES, OVERFLOW


def remarks_about(result: Result, budget: Budget | None = None) -> tuple[str, ...]:
    """Return the remarks, one for each kind of undefined step, with the lines that it is about."""
    found: dict[tuple[str, str], set[int]] = {}
    for _, answer in result.answers:
        if isinstance(answer, Reachable) and answer.trace is not None:
            for kind, line in lapses_in(result.program, inputs_of(answer.trace)):
                found.setdefault((kind, "in this run"), set()).add(line)
        elif isinstance(answer, Unreachable | Terminates) and isinstance(answer.proof, MemoryRuns):
            for kind, line in answer.proof.lapses:
                if kind in (LEAK, LOST):
                    continue  # what is left at the end of a run is no undefined step
                found.setdefault((kind, "in some run"), set()).add(line)
    return tuple(_sentence(result.file, kind, where, lines) for (kind, where), lines in sorted(found.items()))


def _sentence(file: str, kind: str, where: str, lines: set[int]) -> str:
    first, *rest = sorted(lines)
    others = f"; likewise at line {', '.join(map(str, rest))}" if rest else ""
    after = "here it wraps" if kind == OVERFLOW else "the run ends there"
    return f"{file}:{first}: {MESSAGES[kind]} {where} (undefined behaviour), {after}{others}"
