"""Requirements of engines on a program and a question, each with the sentence that says why one cannot be used.

A card lists requirements in the order in which they are looked at; those that take longer to find out come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.question import Question, Reach, Temporal, Termination
from knaster.program.kind import Kind

if TYPE_CHECKING:  # cards are read for every `--help`
    from knaster.program.model import Edge, Program

Sentence = str | None  # why not, in words that follow "the engine cannot be used: "; None where nothing is missing


class Requirement(NamedTuple):
    """Something that a program and a question must have."""

    name: str
    why_not: Callable[[Program, Question], Sentence]

    def __repr__(self) -> str:
        return self.name


def first_failure(requirements: tuple[Requirement, ...], program: Program, question: Question) -> Sentence:
    """Return the sentence of the first requirement that fails; None where none does."""
    for requirement in requirements:
        if (sentence := requirement.why_not(program, question)) is not None:
            return sentence
    return None


def _edges(program: Program) -> Iterator[Edge]:
    return (edge for procedure in program.procedures for edge in procedure.edges)


def _names(program: Program) -> str:
    return ", ".join(program.threads[:5]) + (", ..." if len(program.threads) > 5 else "")


# The question


def _word_for(question: Question) -> str:
    """Return what a question asks about."""
    return {Reach: "reachability", Termination: "termination", Temporal: "formulas"}[type(question)]


def _reach(_: Program, question: Question) -> Sentence:
    return None if isinstance(question, Reach) else f"it decides reachability, not {_word_for(question)}"


def _is_end_of_c(program: Program, question: Question) -> bool:
    """Tell whether it is asked if every run of threads of C ends, whatever their schedule."""
    of_threads = program.kind is Kind.MEMORY and program.is_threaded
    return of_threads and isinstance(question, Termination) and question.bound is None


def _reach_or_threads(program: Program, question: Question) -> Sentence:
    if isinstance(question, Reach):
        return None
    threads = program.is_threaded and (program.kind is Kind.BOOLEAN or _is_end_of_c(program, question))
    if question.bound is None and (threads or program.kind is Kind.REFERENCES):
        return None
    return f"it decides {_word_for(question)} of Boolean threads and of Zing models, without a bound, alone"


def _reach_or_runs(program: Program, question: Question) -> Sentence:
    if isinstance(question, Reach):
        return None
    if question.bound is not None or program.kind is not Kind.BOOLEAN:
        return f"it decides {_word_for(question)} of Boolean programs, without a bound"
    from knaster.program.threads import most_started, recursive_procedure

    endless = recursive_procedure(program) is None and most_started(program) is None
    return "any number of threads may be started" if endless else None


def _reach_or_models(program: Program, question: Question) -> Sentence:
    if isinstance(question, Reach) or program.kind is Kind.REFERENCES:
        return None
    return f"it decides {_word_for(question)} of Zing models"


def _reach_or_recursive(program: Program, question: Question) -> Sentence:
    if isinstance(question, Reach) or question.bound is not None:
        return None
    from knaster.program.threads import recursive_procedure

    why = f"it decides {_word_for(question)} of threads that recurse, or within a number of switches"
    return why if recursive_procedure(program) is None else None


def _termination(_: Program, question: Question) -> Sentence:
    return None if isinstance(question, Termination) else f"it decides termination, not {_word_for(question)}"


def _about_runs(_: Program, question: Question) -> Sentence:
    return "it decides termination and formulas, not reachability" if isinstance(question, Reach) else None


def _no_rounds(_: Program, question: Question) -> Sentence:
    rounds = question.bound is not None and question.bound.kind == "rounds"
    return "it counts switches, not rounds" if rounds else None


def _only_rounds(_: Program, question: Question) -> Sentence:
    switches = question.bound is not None and question.bound.kind == "switches"
    return "it counts rounds, not switches" if switches else None


def _no_schedules(_: Program, question: Question) -> Sentence:
    kind = question.bound.kind if question.bound is not None else ""
    return f"it does not count {kind}" if kind in ("delays", "preemptions") else None


def _asks_for_deadlock(question: Question) -> bool:
    return isinstance(question, Reach) and not all(target.has_place for target in question.targets)


def _places_only(_: Program, question: Question) -> Sentence:
    why = "it decides which places are reached, not whether there is a deadlock"
    return why if _asks_for_deadlock(question) else None


def _decidable_deadlock(program: Program, question: Question) -> Sentence:
    from knaster.program.threads import why_no_standstill

    return why_no_standstill(program) if _asks_for_deadlock(question) and program.is_threaded else None


def _no_conditions(_: Program, question: Question) -> Sentence:
    targets = question.targets if isinstance(question, Reach) else ()
    named = next((target.name for target in targets if target.condition is not None), None)
    return None if named is None else f"it decides which places are reached, not in which states as '{named}' asks"


def _without_bound(_: Program, question: Question) -> Sentence:
    return None if question.bound is None else f"it does not count {question.bound.kind}"


def _no_formulas(_: Program, question: Question) -> Sentence:
    return "it decides reachability and termination, not formulas" if isinstance(question, Temporal) else None


REACH = Requirement("REACH", _reach)
NO_FORMULAS = Requirement("NO_FORMULAS", _no_formulas)
REACH_OR_THREADS = Requirement("REACH_OR_THREADS", _reach_or_threads)
REACH_OR_RUNS = Requirement("REACH_OR_RUNS", _reach_or_runs)
REACH_OR_MODELS = Requirement("REACH_OR_MODELS", _reach_or_models)
REACH_OR_RECURSIVE = Requirement("REACH_OR_RECURSIVE", _reach_or_recursive)
UNBOUNDED = Requirement("UNBOUNDED", _without_bound)
TERMINATION = Requirement("TERMINATION", _termination)
ABOUT_RUNS = Requirement("ABOUT_RUNS", _about_runs)
NO_ROUNDS = Requirement("NO_ROUNDS", _no_rounds)
ONLY_ROUNDS = Requirement("ONLY_ROUNDS", _only_rounds)
NO_SCHEDULES = Requirement("NO_SCHEDULES", _no_schedules)  # of every engine whose card does not say `schedules`
NO_CONDITIONS = Requirement("NO_CONDITIONS", _no_conditions)  # of every engine whose card does not say `conditions`
PLACES_ONLY = Requirement("PLACES_ONLY", _places_only)
DECIDABLE_DEADLOCK = Requirement("DECIDABLE_DEADLOCK", _decidable_deadlock)

# The kind of program


def _kind(name: str, why: str, *kinds: Kind) -> Requirement:
    return Requirement(name, lambda program, _: None if program.kind in kinds else why)


BOOLEAN = _kind("BOOLEAN", "it checks programs whose variables are Boolean", Kind.BOOLEAN)
INTEGERS = _kind("INTEGERS", "it checks programs over integers", Kind.INTEGERS)
REFERENCES = _kind("REFERENCES", "it checks programs with references", Kind.REFERENCES)
INTEGERS_OR_REFERENCES = _kind(
    "INTEGERS_OR_REFERENCES", "it checks programs of C or with references", Kind.INTEGERS, Kind.REFERENCES, Kind.MEMORY
)
MEMORY = _kind("MEMORY", "it checks programs of C with memory", Kind.MEMORY)
OF_C = _kind("OF_C", "it checks programs of C", Kind.INTEGERS, Kind.MEMORY)


def _boolean_or_threads_of_c(program: Program, question: Question) -> Sentence:
    if program.kind is Kind.MEMORY and program.is_threaded:
        return None if _is_end_of_c(program, question) else _reach(program, question)
    return first_failure((SETTLED, BOOLEAN, DECIDABLE_DEADLOCK), program, question)


BOOLEAN_OR_THREADS_OF_C = Requirement("BOOLEAN_OR_THREADS_OF_C", _boolean_or_threads_of_c)


def _boolean_or_flat(program: Program, question: Question) -> Sentence:
    if program.kind is not Kind.REFERENCES:
        return BOOLEAN.why_not(program, question)
    if _asks_for_deadlock(question):
        return "of Zing models it decides which places are reached, such as '--target asserts'"
    from knaster.transform.flat_models.flatten import why_not_flat

    why = why_not_flat(program)
    return None if why is None else f"it checks Boolean programs, and this model is none: {why}"


BOOLEAN_OR_FLAT = Requirement("BOOLEAN_OR_FLAT", _boolean_or_flat)


def _flat_or_threads_of_c(program: Program, question: Question) -> Sentence:
    of_c = program.kind is Kind.MEMORY and program.is_threaded
    return None if of_c else first_failure((BOOLEAN_OR_FLAT, PLACES_ONLY), program, question)


FLAT_OR_THREADS_OF_C = Requirement("FLAT_OR_THREADS_OF_C", _flat_or_threads_of_c)


def _references_or_referred(program: Program, question: Question) -> Sentence:
    if program.kind is not Kind.BOOLEAN:
        return REFERENCES.why_not(program, question)
    if _asks_for_deadlock(question):
        return "of Boolean programs it decides which places are reached"
    from knaster.transform.reference_models.reference_model import why_not_referred

    why = why_not_referred(program)
    return None if why is None else f"it checks programs with references, and this one cannot be read as such: {why}"


REFERENCES_OR_REFERRED = Requirement("REFERENCES_OR_REFERRED", _references_or_referred)
NO_HEAP = Requirement(
    "NO_HEAP",
    lambda program, _: (
        "it checks Boolean programs, and this one has a heap" if program.kind is Kind.REFERENCES else None
    ),
)

# Threads


def _sequential(program: Program, _: Question) -> Sentence:
    if program.memory is not None and program.memory.threaded:
        return "it checks sequential programs, and this one has threads"
    if len(program.threads) == 1:
        return None
    return f"it checks sequential programs, and this one has {len(program.threads)} threads ({_names(program)})"


def _sequential_or_threads_of_c(program: Program, question: Question) -> Sentence:
    if program.kind is Kind.MEMORY and (isinstance(question, Reach) or _is_end_of_c(program, question)):
        return None
    if program.kind is Kind.MEMORY and program.is_threaded:
        bounded = ", or of threads without a bound" if isinstance(question, Termination) else ""
        return f"it decides {_word_for(question)} of C without threads{bounded} alone"
    return _sequential(program, question)


def _no_thread_statements(program: Program, _: Question) -> Sentence:
    from knaster.program.model import Concurrent

    for edge in _edges(program):
        if isinstance(edge.action, Concurrent):
            return f"it checks sequential programs, and line {edge.span.line} has '{edge.action.operation.value}'"
    return None


def _one_thread(program: Program, _: Question) -> Sentence:
    from knaster.program.model import Concurrent

    if len(program.threads) > 1:
        return f"it checks one thread, and this program has {len(program.threads)} ({_names(program)})"
    for edge in _edges(program):
        if isinstance(edge.action, Concurrent):
            return f"it checks one thread, and line {edge.span.line} starts another"
    return None


def _no_calls_in_waits(program: Program, _: Question) -> Sentence:
    from knaster.program.expression import Apply, postorder
    from knaster.program.objects import Join

    for edge in _edges(program):
        waits = edge.action.waits if isinstance(edge.action, Join) else ()
        if any(isinstance(node, Apply) for wait in waits for node in postorder(wait)):
            return f"line {edge.span.line} calls a method in a condition"
    return None


def threads_for(what: str) -> Requirement:
    """Return the requirement that a program has threads, for an engine that does `what`."""

    def why_not(program: Program, _: Question) -> Sentence:
        return None if program.is_threaded else f"{what}, and this one is sequential"

    return Requirement("THREADS", why_not)


def _no_unsettled_operation(program: Program, _: Question) -> Sentence:
    from knaster.program.model import Concurrent, ThreadOperation

    unsettled = (ThreadOperation.WAIT, ThreadOperation.BROADCAST)
    for edge in _edges(program):
        if isinstance(edge.action, Concurrent) and edge.action.operation in unsettled:
            return f"line {edge.span.line} has '{edge.action.operation.value}', and what it means is not settled"
    return None


def _no_call_for_lock(program: Program, _: Question) -> Sentence:
    from knaster.program.model import Call

    for edge in _edges(program) if program.atomic is not None else ():
        if isinstance(edge.action, Call) and program.atomic in edge.action.targets:
            return f"line {edge.span.line} takes the result of a call for '{program.atomic}'"
    return None


def _first_start(program: Program, procedures: list[str]) -> int | None:
    """Return the line of the first statement of some procedures that starts a thread."""
    from knaster.program.threads import started_by

    edges = (edge for name in procedures for edge in program.procedure(name).edges)
    return next((edge.span.line for edge in edges if started_by(edge) is not None), None)


def _no_starts(program: Program, _: Question) -> Sentence:
    from knaster.program.threads import reachable_procedures

    line = _first_start(program, reachable_procedures(program))
    return None if line is None else f"line {line} starts a thread"


def _no_starts_in_rounds(program: Program, question: Question) -> Sentence:
    if question.bound is None or question.bound.kind != "rounds":
        return None
    line = _first_start(program, [procedure.name for procedure in program.procedures])
    return None if line is None else f"it counts rounds only where no line starts a thread, and line {line} does"


SEQUENTIAL = Requirement("SEQUENTIAL", _sequential)
SEQUENTIAL_OR_THREADS_OF_C = Requirement("SEQUENTIAL_OR_THREADS_OF_C", _sequential_or_threads_of_c)
NO_THREAD_STATEMENTS = Requirement("NO_THREAD_STATEMENTS", _no_thread_statements)
ONE_THREAD = Requirement("ONE_THREAD", _one_thread)
NO_CALLS_IN_WAITS = Requirement("NO_CALLS_IN_WAITS", _no_calls_in_waits)
THREADS = threads_for("it checks programs with threads")
SETTLED = Requirement("SETTLED", _no_unsettled_operation)  # every statement has one meaning
NO_CALL_FOR_LOCK = Requirement("NO_CALL_FOR_LOCK", _no_call_for_lock)
NO_STARTS = Requirement("NO_STARTS", _no_starts)
NO_STARTS_IN_ROUNDS = Requirement("NO_STARTS_IN_ROUNDS", _no_starts_in_rounds)

# The size


def _no_recursion(program: Program, _: Question) -> Sentence:
    from knaster.program.threads import recursive_procedure

    recursive = recursive_procedure(program)
    return None if recursive is None else f"it inlines calls, and '{recursive}' calls itself"


def points_at_most(most: int) -> Requirement:
    """Return the requirement that threads with their calls inlined have at most so many control points."""

    def why_not(program: Program, _: Question) -> Sentence:
        from knaster.program.layout.lanes import count_points

        return "it inlines calls, and there are too many" if count_points(program, most) > most else None

    return Requirement(f"points_at_most({most})", why_not)


def pairs_at_most(most: int) -> Requirement:
    """Return the requirement that there are at most so many pairs of a valuation of globals and an activation."""

    def why_not(program: Program, _: Question) -> Sentence:
        from knaster.program.threads import reachable_procedures

        procedures = [program.procedure(name) for name in reachable_procedures(program)]
        activations = sum(procedure.size << len(procedure.frame) for procedure in procedures)
        pairs = (activations << len(program.globals)) * len(program.threads)
        if pairs > most:
            return f"it enumerates values, and there are {pairs} of globals and activations, more than {most}"
        return None

    return Requirement(f"pairs_at_most({most})", why_not)


NO_RECURSION = Requirement("NO_RECURSION", _no_recursion)

# Requirements of some programs only


def _only(kind: str, concerns: Callable[[Program], bool], requirements: tuple[Requirement, ...]) -> Requirement:
    def why_not(program: Program, question: Question) -> Sentence:
        return first_failure(requirements, program, question) if concerns(program) else None

    return Requirement(f"{kind}({', '.join(requirement.name for requirement in requirements)})", why_not)


def of_threads(*requirements: Requirement) -> Requirement:
    """Return what is required of programs with threads alone."""
    return _only("of_threads", lambda program: program.is_threaded, requirements)


def of_references(*requirements: Requirement) -> Requirement:
    """Return what is required of programs with references alone."""
    return _only("of_references", lambda program: program.kind is Kind.REFERENCES, requirements)


def of_others(*requirements: Requirement) -> Requirement:
    """Return what is required of programs without references alone."""
    return _only("of_others", lambda program: program.kind is not Kind.REFERENCES, requirements)
