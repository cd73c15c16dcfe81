"""An infinite run of threads, or of a model with references, in a file: its stem and cycle, and which runs count.

Runs of threads are paths and segments, as in `run`; of a model they are decisions, which thread steps and which
alternative it takes, and the interpreter computes the states again; of threads with memory they are inputs and lines,
as in `memory_run`.  `checkers.thread_lasso` replays the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import ProofError
from knaster.base.records import dataclass
from knaster.evidence.proofs.memory.memory_run import lasso_from_fields, lasso_to_fields
from knaster.evidence.proofs.ranks import question_of
from knaster.evidence.proofs.reading import expect, has_keys, list_of, numbers
from knaster.evidence.proofs.run import path_of, row_of, trace_of_rows
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.evidence.traces.lasso import Lasso, goes_in_turns
from knaster.evidence.traces.trace import Path, Step, Trace, inner_first
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.evidence.traces.heap_recorder import HeapRecorder

_FIELDS = {"formula", "fair", "deeper", "stays", "waits", "stem", "cycle"}
_MORE = {Kind.REFERENCES: "last", Kind.MEMORY: "inputs"}


@dataclass(frozen=True, slots=True, eq=False)
class ThreadLasso:
    """A run of a program, and the question that it is an answer to."""

    program: Program
    lasso: Lasso
    question: Termination | Temporal

    def __repr__(self) -> str:
        return f"<ThreadLasso of {self.program.file}>"

    def unreached_places(self) -> None:
        """Return nothing: a run says what is reached."""
        return


def to_fields(proof: ThreadLasso, program: Program) -> dict[str, Any]:
    """Return a run that never ends as fields of a document."""
    lasso = proof.lasso
    fields: dict[str, Any] = {
        "formula": lasso.formula or None,
        "fair": lasso.fair,
        "deeper": lasso.deeper,
        "stays": lasso.stays,
        "waits": lasso.waits,
    }
    if program.kind is Kind.REFERENCES:
        fields |= dict(zip(("stem", "cycle"), _decisions(program, lasso), strict=True))
        return {"run_of_threads": {**fields, "last": lasso.stem.segments[-1].thread}}
    if program.kind is Kind.MEMORY:
        return {"run_of_threads": {**fields, **lasso_to_fields(lasso)}}
    number = {path: at for at, path in enumerate(inner_first((*lasso.stem.paths, *lasso.cycle.paths)))}
    for name, trace in (("stem", lasso.stem), ("cycle", lasso.cycle)):
        fields[name] = [[segment.thread, [number[path] for path in segment.paths]] for segment in trace.segments]
    return {"run_of_threads": {**fields, "paths": [row_of(path, program, number) for path in number]}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> ThreadLasso:
    """Return the run of a document."""
    data, heap = document["run_of_threads"], program.kind is Kind.REFERENCES
    expect(program.kind is not Kind.INTEGERS and goes_in_turns(program), "it is a run of threads")
    has_keys(data, _FIELDS | {_MORE.get(program.kind, "paths")}, "'run_of_threads'")
    expect(data["fair"] in FAIRNESS, "there is no such fairness")
    flags = [data[name] for name in ("deeper", "stays", "waits")]
    expect(all(type(flag) is bool for flag in flags), "what it says of its end is no truth value")
    question = question_of(data["formula"], program, data["fair"])
    deeper, stays, waits = flags
    if heap:
        stem, cycle = _run_again(data, program, stays, budget)
    elif program.kind is Kind.MEMORY:
        stem, cycle = lasso_from_fields(data, program)
    else:
        paths: list[Path] = []
        for row in list_of(data["paths"], "paths"):
            budget.check()
            paths.append(path_of(row, program, paths))
        stem, cycle = (trace_of_rows(list_of(data[name], name), paths, program) for name in ("stem", "cycle"))
    formula = str(question) if isinstance(question, Temporal) else ""
    lasso = Lasso(stem, cycle, deeper, None, stays, waits, formula, data["fair"])
    return ThreadLasso(program, lasso, question)


def _decisions(program: Program, lasso: Lasso) -> tuple[list[list[int]], list[list[int]]]:
    """Return who steps along a run of a model, and which alternative each step takes."""
    from knaster.semantics.heap.interpreter import Machine

    machine = Machine(program)
    here = machine.start()
    found: list[list[list[int]]] = []
    for trace in (lasso.stem, lasso.cycle):
        found.append([])
        for thread, step in _steps(trace):
            chosen = 0
            if step.inputs:
                chosen = list(machine.alternatives(here, thread)).index(step.inputs[0])
            machine.step(here, thread, chosen)
            found[-1].append([thread, chosen])
    return found[0], found[1]


def _steps(trace: Trace) -> list[tuple[int, Step]]:
    """Return the steps of a run in the order of execution, calls that return expanded."""
    steps: list[tuple[int, Step]] = []
    for segment in trace.segments:
        todo: list[tuple[Path, int]] = [(path, 0) for path in reversed(segment.paths)]
        while todo:
            path, at = todo.pop()
            if at < len(path.steps):
                todo.append((path, at + 1))
                steps.append((segment.thread, path.steps[at]))
                if (inside := path.steps[at].inside) is not None:
                    todo.append((inside, 0))
    return steps


def _run_again(data: Mapping[str, Any], program: Program, stays: bool, budget: Budget) -> tuple[Trace, Trace]:
    """Return the stem and the cycle of a run of a model, as the interpreter takes them."""
    from knaster.evidence.traces.heap_recorder import HeapRecorder
    from knaster.semantics.heap.interpreter import Machine

    machine = Machine(program)
    recorder = HeapRecorder(machine, machine.start())
    _take(recorder, list_of(data["stem"], "stem"), budget)
    last = data["last"]
    expect(type(last) is int and 0 < last <= len(recorder.configuration.threads), "no such thread ran last")
    if recorder.configuration.threads[last - 1]:
        recorder.run(last)
    stem = recorder.trace()
    if stays:
        expect(data["cycle"] == [], "a run that stays goes on")
        return stem, recorder.stand_still()
    follows = recorder.go_on()
    _take(follows, list_of(data["cycle"], "cycle"), budget)
    return stem, follows.trace()


def _take(recorder: HeapRecorder, steps: Sequence[object], budget: Budget) -> None:
    from knaster.semantics.heap.failure import Fails
    from knaster.semantics.heap.interpreter import FailedAssume

    for step in steps:
        budget.check()
        pair = numbers(step)
        expect(len(pair) == 2, "a step has not two parts")
        threads = recorder.configuration.threads
        expect(0 < pair[0] <= len(threads) and bool(threads[pair[0] - 1]), "a step is of no thread")
        recorder.run(pair[0])
        try:
            expect(0 <= pair[1] < len(recorder.machine.alternatives(recorder.configuration, pair[0])), "no such choice")
            recorder.step(pair[1])
        except (Fails, FailedAssume):
            raise ProofError("the proof does not hold: its run cannot go on") from None
