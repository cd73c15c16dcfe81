"""The engines by name, the default first; each is imported when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from knaster import options
from knaster.engines.engine import Engine, Findings, Task
from knaster.engines.options import (
    AutomaticOptions,
    CalculusOptions,
    ExplicitOptions,
    Options,
    PushdownOptions,
    ReferenceOptions,
    SearchOptions,
    StacksOptions,
    StatesOptions,
    SummariesOptions,
    TransducersOptions,
)
from knaster.errors import UsageError
from knaster.results.question import Question, Reach

if TYPE_CHECKING:
    from knaster.program.model import Program
    from knaster.reductions.reduction import Reduction

MOST_POINTS = 100_000  # control points of threads with their calls inlined


MOST_PAIRS = 200_000  # of a valuation of the globals and an activation
MOST_RELATED = 4_000  # the same, where each is related to others


def _summaries(task: Task) -> Findings:
    from knaster.engines.summaries import summaries

    return summaries(task)


def _pushdown(task: Task) -> Findings:
    from knaster.engines.pushdown import pushdown

    return pushdown(task)


def _calculus(task: Task) -> Findings:
    from knaster.engines.calculus import calculus

    return calculus(task)


def _states(task: Task) -> Findings:
    from knaster.engines.states import states

    return states(task)


def _explicit(task: Task) -> Findings:
    if task.program.objects is not None:
        from knaster.engines.interleavings import interleavings

        return interleavings(task)
    from knaster.engines.explicit import explicit

    return explicit(task)


def _patterns(task: Task) -> Findings:
    from knaster.engines.patterns import patterns

    return patterns(task)


def _visible(task: Task) -> Findings:
    from knaster.engines.visible import visible

    return visible(task)


_CHANGES = 500  # places that one call changes: with more of them, what is visible may be less


def _automatic(task: Task) -> Findings:
    """Choose for a program with references: several threads, or one; patterns, or all that is visible."""
    from knaster.engines.patterns import patterns

    options = task.options
    assert isinstance(options, AutomaticOptions)
    if one_thread(task.program, task.question) is not None:
        from knaster.engines.interleavings import interleavings

        return _by("explicit", interleavings(task))
    found = patterns(replace(task, options=ReferenceOptions(options.edges, changes=_CHANGES)))
    if found.statistics["limited"]:
        from knaster.engines.visible import visible

        second = visible(replace(task, options=ReferenceOptions()))
        if not second.reason or second.reached >= found.reached:
            return _by("visible", second)
    return _by("patterns", found)


def _by(method: str, findings: Findings) -> Findings:
    return replace(findings, statistics={**findings.statistics, "method": method})


def _search(task: Task) -> Findings:
    from knaster.engines.search import search

    return search(task)


def typed(program: Program, question: Question) -> str | None:
    """Say why a method for sequential programs over integers cannot be used; None where it can."""
    if len(program.threads) > 1:
        return f"it checks sequential programs, and this one has {len(program.threads)} threads ({_listed(program)})"
    if program.objects is not None or program.is_boolean:
        return "it checks programs over integers"
    return None


def _transducers(task: Task) -> Findings:
    from knaster.engines.transducers import transducers

    return transducers(task)


def _stacks(task: Task) -> Findings:
    from knaster.engines.stacks import stacks

    return stacks(task)


def sequential(program: Program, question: Question) -> str | None:
    """Say why a method for reachability in sequential Boolean programs cannot be used; None where it can."""
    from knaster.program.model import Concurrent

    if not isinstance(question, Reach):
        return "it decides reachability, not termination"
    if program.objects is not None:
        if question.bound is not None:
            return "no method counts the switches of programs with references"
        return "it checks Boolean programs, and this one has a heap"
    if len(program.threads) > 1:
        return f"it checks sequential programs, and this one has {len(program.threads)} threads ({_listed(program)})"
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Concurrent):
                word, line = edge.action.operation.value, edge.span.line
                return f"it checks sequential programs, and line {line} has '{word}'"
    return None if program.is_boolean else "it checks programs whose variables are Boolean"


def one_thread(program: Program, question: Question) -> str | None:
    """Say why summaries of a program with references cannot be used; None where they can."""
    from knaster.program.expression import Apply, postorder
    from knaster.program.model import Concurrent
    from knaster.program.objects import Join

    if program.objects is None:
        return "it checks programs with references"
    if not isinstance(question, Reach):
        return "it decides reachability, not termination"
    if len(program.threads) > 1:
        return f"it checks one thread, and this program has {len(program.threads)} ({_listed(program)})"
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Concurrent):
                return f"it checks one thread, and line {edge.span.line} starts another"
            if isinstance(edge.action, Join):
                waits = edge.action.waits
                if any(isinstance(node, Apply) for wait in waits for node in postorder(wait)):
                    return f"line {edge.span.line} calls a method in a condition"
    return None


def references(program: Program, question: Question) -> str | None:
    """Say why no method for programs with references can be used; None where one can."""
    if program.objects is None:
        return "it checks programs with references"
    if question.bound is not None:
        return "it does not count the switches of programs with references"
    return None if isinstance(question, Reach) else "it decides reachability, not termination"


def one_by_one(program: Program, question: Question) -> str | None:
    """Say why single states cannot be enumerated; None where they can."""
    if program.objects is not None:
        return references(program, question)
    if not program.is_threaded:
        return sequential(program, question)
    return common_to_threads(program, question)


def threads_without_recursion(program: Program, question: Question) -> str | None:
    """Say why sets of configurations cannot be used; None where they can: threads that do not recurse."""
    why = common_to_threads(program, question)
    if why is not None:
        return why
    if not program.is_threaded:
        return "it checks programs with threads, and this one is sequential"
    from knaster.program.starts import recursive_procedure
    from knaster.symbolic.lanes import count_points

    recursive = recursive_procedure(program)
    if recursive is not None:
        return f"it inlines calls, and '{recursive}' calls itself"
    return None if count_points(program, MOST_POINTS) <= MOST_POINTS else "it inlines calls, and there are too many"


def common_to_threads(program: Program, question: Question) -> str | None:
    """Say what no method for threads handles; None where there is nothing of it."""
    if not isinstance(question, Reach):
        return "it decides reachability, not termination"
    from knaster.program.model import Concurrent, ThreadOperation

    unsettled = (ThreadOperation.WAIT, ThreadOperation.BROADCAST)
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Concurrent) and edge.action.operation in unsettled:
                return f"line {edge.span.line} has '{edge.action.operation.value}', and what it means is not settled"
    return None if program.is_boolean else "it checks programs whose variables are Boolean"


def few_stacks(program: Program, question: Question) -> str | None:
    """Say why sets of stacks with explicit values cannot be used; None where they can."""
    return _few(program, question, MOST_PAIRS)


def tiny(program: Program, question: Question) -> str | None:
    """Say why transducers with explicit values cannot be used; None where they can."""
    return _few(program, question, MOST_RELATED)


def _few(program: Program, question: Question, most: int) -> str | None:
    if not program.is_threaded:
        return "it checks programs with threads, and this one is sequential"
    if program.objects is not None:
        return "it checks Boolean programs, and this one has a heap"
    if (why := common_to_threads(program, question)) is not None:
        return why
    if question.bound is not None and question.bound.kind == "rounds":
        return "it counts switches, not rounds"
    from knaster.program.starts import reachable_procedures, started_by

    procedures = [program.procedure(name) for name in reachable_procedures(program)]
    for procedure in procedures:
        for edge in procedure.edges:
            if started_by(edge) is not None:
                return f"line {edge.span.line} starts a thread"
    activations = sum(procedure.size << len(procedure.frame) for procedure in procedures)
    pairs = (activations << len(program.globals)) * len(program.threads)
    if pairs > most:
        return f"it enumerates values, and there are {pairs} of globals and activations, more than {most}"
    return None


def bounded(program: Program, question: Question) -> str | None:
    """Say why the reduction of threads to a sequential program cannot be used; None where it can."""
    if not program.is_threaded:
        return "it reduces threads to a sequential program, and this one is sequential"
    from knaster.program.expression import TRUE

    for procedure in program.procedures:
        if procedure.enforce != TRUE:
            return f"'{procedure.name}' has 'enforce', which it does not know"
    return common_to_threads(program, question)


def interleaved(program: Program, question: Question) -> str | None:
    """Say why threads cannot be followed context by context; None where they can."""
    why = bounded(program, question)
    if why is not None:
        return why.replace("reduces threads to a sequential program", "follows threads")
    from knaster.program.model import Concurrent, ThreadOperation

    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.START:
                return f"line {edge.span.line} starts a thread, which it does not know"
    return None


def _lazy(task: Task) -> Findings:
    from knaster.engines.lazy import lazy

    return lazy(task)


def _sequentialized(program: Program, question: Question) -> Reduction:
    from knaster.reductions.sequentialize import sequentialize

    return sequentialize(program, question)


def _listed(program: Program) -> str:
    return ", ".join(program.threads[:5]) + (", ..." if len(program.threads) > 5 else "")


ENGINES: Mapping[str, Engine] = {
    "summaries": Engine(_summaries, SummariesOptions, sequential, "path edges and summary edges on BDDs (Bebop)"),
    "pushdown": Engine(_pushdown, PushdownOptions, sequential, "saturation of a weighted pushdown system"),
    "calculus": Engine(_calculus, CalculusOptions, sequential, "a formula of the fixed-point calculus"),
    "auto": Engine(
        _automatic, AutomaticOptions, references, "for programs with references: the method that fits", grows=True
    ),
    "patterns": Engine(_patterns, ReferenceOptions, one_thread, "summaries of what a call reads (references)"),
    "visible": Engine(_visible, ReferenceOptions, one_thread, "summaries of all that a call sees (references)"),
    "states": Engine(
        _states, StatesOptions, threads_without_recursion, "sets of configurations of threads", grows=True
    ),
    "stacks": Engine(
        _stacks,
        StacksOptions,
        few_stacks,
        "sets of stacks of small recursive threads",
        grows=True,
    ),
    "lazy": Engine(_lazy, Options, interleaved, "threads, context by context (Lal and Reps)", grows=True),
    "eager": Engine(
        _summaries, SummariesOptions, bounded, "threads as one sequential program (Lal and Reps)", _sequentialized
    ),
    "explicit": Engine(
        _explicit, ExplicitOptions, one_by_one, "one state after the other, for small programs", grows=True
    ),
    "search": Engine(_search, SearchOptions, typed, "C: runs on chosen inputs"),
    "transducers": Engine(
        _transducers, TransducersOptions, tiny, "what contexts make of stacks, for tiny threads (Lal)", grows=True
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
