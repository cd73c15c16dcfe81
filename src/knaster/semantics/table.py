"""THE TABLE of kinds of programs: how runs of each are replayed, what can be asked of them, and how they are shown.

A new kind is a folder beside this file and a record here.  What lives in higher rooms is named, "module:function", and
imported when it is used: no room looks upwards, and nobody waits for what other kinds need.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.errors import UnsupportedError
from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Kind, Program


class Semantics(NamedTuple):
    """What there is to know about a kind of program; functions by their names, for `load_named`."""

    kind: Kind
    replay: str  # program, trace, target -> how the run fails, if it does; raises where it is no run to the target
    targets: str  # program -> what is asked where nobody names a target
    failures: str  # program, name -> the ways to fail that a name stands for; None where it stands for none
    names: tuple[str, ...]  # what stands for every target together, lines and the deadlock of threads aside
    entries: str  # program, trace, steps that may be added -> the entries of a trace, to be shown
    stuck: str  # program, trace -> why each thread cannot move at the end of it
    remarks: str | None = None  # result, budget -> what is to be said of steps that the language leaves undefined
    reads_inputs: bool = False  # a run is known by the inputs that it reads


_SEMANTICS = (
    Semantics(
        Kind.BOOLEAN,
        replay="knaster.checkers.runs.replay:replay_states",
        targets="knaster.evidence.questions.targets:asserts_and_errors",
        failures="knaster.evidence.questions.targets:deadlock_named",
        names=("all-labels", "asserts"),
        entries="knaster.report.entries:entries_of_states",
        stuck="knaster.checkers.runs.replay_deadlock:reasons_to_stand",
    ),
    Semantics(
        Kind.INTEGERS,
        replay="knaster.checkers.runs.replay:replay_states",
        targets="knaster.evidence.questions.targets:asserts_and_errors",
        failures="knaster.evidence.questions.memory_targets:failures_of_integers",
        names=("all-labels", "asserts"),
        entries="knaster.report.entries:entries_of_states",
        stuck="knaster.checkers.runs.replay_deadlock:reasons_to_stand",
        remarks="knaster.decide.conclusions.remarks:remarks_about",
        reads_inputs=True,
    ),
    Semantics(
        Kind.REFERENCES,
        replay="knaster.checkers.runs.replay_heap:replay_heap",
        targets="knaster.evidence.questions.targets:any_failure",
        failures="knaster.evidence.questions.targets:failures_named",
        names=("all-labels", "failures", "any failure"),
        entries="knaster.report.heap.entries:entries_of_heap",
        stuck="knaster.report.heap.deadlock:stuck_threads",
    ),
    Semantics(
        Kind.MEMORY,
        replay="knaster.checkers.runs.replay_memory:replay_memory",
        targets="knaster.evidence.questions.targets:asserts_and_errors",
        failures="knaster.evidence.questions.memory_targets:failures_of_memory",
        names=("all-labels", "asserts"),
        entries="knaster.report.memory.entries:entries_of_memory",
        stuck="knaster.checkers.runs.replay_memory_threads:reasons_to_wait",
        remarks="knaster.decide.conclusions.memory_remarks:remarks_about",
        reads_inputs=True,
    ),
)
SEMANTICS: Mapping[Kind, Semantics] = {semantics.kind: semantics for semantics in _SEMANTICS}


def semantics_of(program: Program) -> Semantics:
    """Return what there is to know about the kind of a program; refuse a kind that has no meaning yet."""
    if program.kind not in SEMANTICS:
        raise UnsupportedError(f"programs of kind '{program.kind.value}' have no meaning yet", None, program.file)
    return SEMANTICS[program.kind]
