"""The engines by name, the default first; each is imported when it runs.

An engine called `name` is the function of that name in the file of that name; `handling` says what it handles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from knaster.base import options
from knaster.base.errors import UsageError
from knaster.engines.contract import Engine, Findings, Task
from knaster.engines.options import (
    AutomaticOptions,
    CalculusOptions,
    ExplicitOptions,
    HornOptions,
    ModularOptions,
    Options,
    PushdownOptions,
    RankingOptions,
    RecurrenceOptions,
    ReferenceOptions,
    SearchOptions,
    StacksOptions,
    StatesOptions,
    SummariesOptions,
    TransducersOptions,
    YasmOptions,
)

if TYPE_CHECKING:
    from knaster.evidence.questions.question import Question
    from knaster.program.model import Program
    from knaster.transform.reduction import Reduction


_HOMES = {
    "summaries": "knaster.engines.boolean.summaries",
    "pushdown": "knaster.engines.boolean.pushdown.engine",
    "auto": "knaster.engines.auto",
    "patterns": "knaster.engines.references.patterns",
    "visible": "knaster.engines.references.visible",
    "states": "knaster.engines.threads.states.engine",
    "modular": "knaster.engines.threads.modular.engine",
    "stacks": "knaster.engines.threads.stacks",
    "lazy": "knaster.engines.threads.lazy.engine",
    "calculus": "knaster.engines.calculus.engine",
    "explicit": "knaster.engines.explicit.engine",
    "search": "knaster.engines.integers.search",
    "horn": "knaster.engines.integers.horn.engine",
    "ranking": "knaster.engines.integers.ranking.engine",
    "recurrence": "knaster.engines.integers.recurrence",
    "yasm": "knaster.engines.integers.yasm.engine",
    "transducers": "knaster.engines.threads.transducers",
}


def _engine(
    name: str,
    kind: type[Options],
    handles: str,
    about: str,
    *,
    grows: bool = False,
    decides: bool = True,
    reduce: Callable[[Program, Question], Reduction] | None = None,
) -> Engine:
    """Return the record of an engine whose file is called `name`; `handles` is a function of `handling`."""

    def run(task: Task) -> Findings:
        findings: Findings = getattr(import_module(_HOMES[name]), name)(task)
        return findings

    def why_not(program: Program, question: Question) -> str | None:
        sentence: str | None = getattr(import_module("knaster.engines.requirements"), handles)(program, question)
        return sentence

    return Engine(run, kind, why_not, about, reduce, decides, grows)


def _sequentialized(program: Program, question: Question) -> Reduction:
    from knaster.transform.threads.sequentialize import sequentialize

    return sequentialize(program, question)


ENGINES: Mapping[str, Engine] = {
    "summaries": _engine("summaries", SummariesOptions, "sequential", "path edges and summary edges on BDDs (Bebop)"),
    "pushdown": _engine("pushdown", PushdownOptions, "sequential", "saturation of a weighted pushdown system"),
    "auto": _engine("auto", AutomaticOptions, "automatic", "the method that fits the program", grows=True),
    "patterns": _engine("patterns", ReferenceOptions, "one_thread", "summaries of what a call reads (references)"),
    "visible": _engine("visible", ReferenceOptions, "one_thread", "summaries of all that a call sees (references)"),
    "states": _engine(
        "states", StatesOptions, "threads_without_recursion", "sets of configurations of threads", grows=True
    ),
    "modular": _engine(
        "modular",
        ModularOptions,
        "alone",
        "a proof of one thread at a time, for every number of switches",
        grows=True,
        decides=False,
    ),
    "stacks": _engine("stacks", StacksOptions, "few_stacks", "sets of stacks of small recursive threads", grows=True),
    "lazy": _engine("lazy", Options, "interleaved", "threads, context by context (Lal and Reps)", grows=True),
    "eager": _engine(
        "summaries",
        SummariesOptions,
        "bounded",
        "threads as one sequential program (Lal and Reps)",
        reduce=_sequentialized,
    ),
    "calculus": _engine("calculus", CalculusOptions, "formulas", "a formula of the fixed-point calculus"),
    "explicit": _engine(
        "explicit", ExplicitOptions, "one_by_one", "one state after the other, for small programs", grows=True
    ),
    "search": _engine("search", SearchOptions, "typed", "C: runs on chosen inputs"),
    "horn": _engine("horn", HornOptions, "typed_reach", "C: invariants and summaries by Horn clauses (Spacer)"),
    "ranking": _engine("ranking", RankingOptions, "typed_ending", "C: measures that decrease in every loop"),
    "recurrence": _engine(
        "recurrence", RecurrenceOptions, "typed_ending", "C: sets of states to which a run can always come back"
    ),
    "yasm": _engine("yasm", YasmOptions, "typed", "C: predicates, from above and below (YASM)"),
    "transducers": _engine(
        "transducers",
        TransducersOptions,
        "tiny",
        "what contexts make of stacks, for tiny threads (Lal)",
        grows=True,
    ),
}


def engine_named(name: str) -> Engine:
    """Return an engine; raise `UsageError` where there is none of that name."""
    if name not in ENGINES:
        raise UsageError(f"unknown engine '{name}'; choose one of {', '.join(ENGINES)}")
    return ENGINES[name]


def configured(name: str, given: Mapping[str, Any]) -> Options:
    """Return the options of an engine; refuse what it does not have, and values that no choice allows."""
    kind = engine_named(name).options
    for option in given:
        if option not in options.names(kind):
            raise UsageError(f"the engine '{name}' has no option '{option}'; {_owners(option)}")
    return options.configured(kind, given)


def _owners(option: str) -> str:
    owners = [name for name, engine in ENGINES.items() if option in options.names(engine.options)]
    if not owners:
        return "no engine has"
    return f"{' and '.join(owners)} {'has' if len(owners) == 1 else 'have'} it"
