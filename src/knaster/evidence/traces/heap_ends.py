"""Ends of runs of programs with references: whether a configuration is at a target, or the next step fails as asked."""

from __future__ import annotations

from knaster.evidence.questions.question import Target
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.cycle_watch import CycleWatch
from knaster.semantics.heap.failure import ASSERTION, ENDLESS, LONGEST_REGION, Fails, Failure
from knaster.semantics.heap.goals import ANY
from knaster.semantics.heap.interpreter import FailedAssume, Machine


def stands_at(configuration: Configuration, target: Target) -> bool:
    """Tell whether some thread stands at the place of a target."""
    return target.has_place and any(
        frames and (frames[-1].procedure, frames[-1].location) == target.place for frames in configuration.threads
    )


def find_failure(
    machine: Machine, configuration: Configuration, thread: int, target: Target, inside: bool
) -> Failure | None:
    """Return the failure of this kind that the next step meets; None where it meets none.

    `inside` an atomic region there is no deadlock: only its thread can go on, and fails where it cannot.
    """
    if thread and (failed := machine.failure_of(configuration, thread)):
        return failed if target.kind in (ANY, ASSERTION) else None
    found = None if inside else machine.stuck(configuration)
    if found is None and thread and configuration.threads[thread - 1]:
        found = _find_next_failure(machine, configuration.copy(), thread, configuration)
    return found if found is not None and target.kind in (ANY, found.kind) else None


def _find_next_failure(
    machine: Machine, copy: Configuration, thread: int, configuration: Configuration
) -> Failure | None:
    """Return how the next step of a thread fails, or the atomic region that it begins and never ends."""
    watch = CycleWatch(thread)
    for count in range(LONGEST_REGION):
        if watch.is_back(count, copy):
            break
        try:
            if count and len(machine.alternatives(copy, thread)) > 1:
                return None
            keeps = machine.step(copy, thread).keeps
        except Fails as fails:
            return machine.failure(copy, thread, fails)
        except FailedAssume:
            return None
        if not keeps or machine.failure_of(copy, thread):
            return None
    return machine.failure(configuration, thread, Fails(ENDLESS))


def enters_endless_region(machine: Machine, configuration: Configuration, thread: int, target: Target) -> bool:
    """Tell whether a thread is about to enter an atomic region that never ends, where that is looked for."""
    frame = configuration.threads[thread - 1][-1]
    edges = machine.edges_from(frame)
    if target.kind not in (ANY, ENDLESS) or not edges or not (edges[0].keeps or frame.base):
        return False
    found = _find_next_failure(machine, configuration.copy(), thread, configuration)
    return found is not None and found.kind == ENDLESS
