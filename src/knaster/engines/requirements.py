"""What each engine handles: a function says in a sentence why not, and None where it can be used.

What a program has is looked up here, where an engine is chosen; what the engines need is imported there alone.
"""

from __future__ import annotations

from knaster.evidence.questions.question import Question, Reach
from knaster.program.model import Call, Concurrent, Kind, Program, ThreadOperation

MOST_POINTS = 100_000  # control points of threads with their calls inlined
MOST_PAIRS = 200_000  # of a valuation of the globals and an activation
MOST_RELATED = 4_000  # the same, where each is related to others


def sequential(program: Program, question: Question) -> str | None:
    """Say why a method for reachability in sequential Boolean programs cannot be used; None where it can."""
    if not isinstance(question, Reach):
        return "it decides reachability, not termination"
    if program.kind is Kind.REFERENCES:
        return "it checks Boolean programs, and this one has a heap"
    if len(program.threads) > 1:
        return f"it checks sequential programs, and this one has {len(program.threads)} threads ({_listed(program)})"
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Concurrent):
                word, line = edge.action.operation.value, edge.span.line
                return f"it checks sequential programs, and line {line} has '{word}'"
    return None if program.kind is Kind.BOOLEAN else "it checks programs whose variables are Boolean"


def formulas(program: Program, question: Question) -> str | None:
    """Say why no formula of the calculus can be used; None where one can: sequential programs, and threads."""
    if not program.is_threaded or program.kind is Kind.REFERENCES:
        return sequential(program, question)
    if (why := common_to_threads(program, question) or _places_only(question)) is not None:
        return why
    return "it counts switches, not rounds" if question.bound is not None and question.bound.kind == "rounds" else None


def typed(program: Program, question: Question) -> str | None:
    """Say why a method for sequential programs over integers cannot be used; None where it can."""
    if len(program.threads) > 1:
        return f"it checks sequential programs, and this one has {len(program.threads)} threads ({_listed(program)})"
    if program.kind is not Kind.INTEGERS:
        return "it checks programs over integers"
    return None


def typed_reach(program: Program, question: Question) -> str | None:
    """Say why a method for reachability over integers cannot be used; None where it can."""
    if (why := typed(program, question)) is not None:
        return why
    return None if isinstance(question, Reach) else "it decides reachability, not termination"


def typed_ending(program: Program, question: Question) -> str | None:
    """Say why a method for termination over integers cannot be used; None where it can."""
    if (why := typed(program, question)) is not None:
        return why
    return "it decides termination, not reachability" if isinstance(question, Reach) else None


def one_thread(program: Program, question: Question) -> str | None:
    """Say why summaries of a program with references cannot be used; None where they can."""
    from knaster.program.expression import Apply, postorder
    from knaster.program.objects import Join

    if program.kind is not Kind.REFERENCES:
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
    if program.kind is not Kind.REFERENCES:
        return "it checks programs with references"
    if question.bound is not None and question.bound.kind == "rounds":
        return "it counts switches, not rounds"
    return None if isinstance(question, Reach) else "it decides reachability, not termination"


def automatic(program: Program, question: Question) -> str | None:
    """Say why no method can be chosen for C or for a program with references; None where one can."""
    if program.kind is Kind.REFERENCES:
        return references(program, question)
    why = typed(program, question)
    return None if why is None else why.replace("over integers", "of C or with references")


def one_by_one(program: Program, question: Question) -> str | None:
    """Say why single states cannot be enumerated; None where they can."""
    if program.kind is Kind.REFERENCES:
        return references(program, question)
    if not program.is_threaded:
        return sequential(program, question)
    return common_to_threads(program, question) or endless_deadlock(program, question)


def threads_without_recursion(program: Program, question: Question) -> str | None:
    """Say why sets of configurations cannot be used; None where they can: threads that do not recurse."""
    why = common_to_threads(program, question)
    if why is not None:
        return why
    if not program.is_threaded:
        return "it checks programs with threads, and this one is sequential"
    from knaster.program.threads import recursive_procedure
    from knaster.views.symbolic.lanes import count_points

    recursive = recursive_procedure(program)
    if recursive is not None:
        return f"it inlines calls, and '{recursive}' calls itself"
    if count_points(program, MOST_POINTS) > MOST_POINTS:
        return "it inlines calls, and there are too many"
    return endless_deadlock(program, question)


def endless_deadlock(program: Program, question: Question) -> str | None:
    """Say why it cannot be decided whether threads come to a standstill; None where it can, or nobody asks."""
    from knaster.program.threads import why_no_standstill

    return why_no_standstill(program) if asks_for_deadlock(question) else None


def asks_for_deadlock(question: Question) -> bool:
    """Tell whether a question is about the kind of failure, and not about places alone."""
    return isinstance(question, Reach) and any(target.kind for target in question.targets)


def _places_only(question: Question) -> str | None:
    return (
        "it decides which places are reached, not whether there is a deadlock" if asks_for_deadlock(question) else None
    )


def common_to_threads(program: Program, question: Question) -> str | None:
    """Say what no method for threads handles; None where there is nothing of it."""
    if not isinstance(question, Reach):
        return "it decides reachability, not termination"
    unsettled = (ThreadOperation.WAIT, ThreadOperation.BROADCAST)
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Concurrent) and edge.action.operation in unsettled:
                return f"line {edge.span.line} has '{edge.action.operation.value}', and what it means is not settled"
    return None if program.kind is Kind.BOOLEAN else "it checks programs whose variables are Boolean"


def alone(program: Program, question: Question) -> str | None:
    """Say why a proof of one thread at a time cannot be tried; None where it can."""
    if not program.is_threaded:
        return "it checks programs with threads, and this one is sequential"
    for procedure in program.procedures:
        for edge in procedure.edges:
            if program.atomic is not None and isinstance(edge.action, Call) and program.atomic in edge.action.targets:
                return f"line {edge.span.line} takes the result of a call for '{program.atomic}'"
    return common_to_threads(program, question) or _places_only(question)


def few_stacks(program: Program, question: Question) -> str | None:
    """Say why sets of stacks with explicit values cannot be used; None where they can."""
    return _few(program, question, MOST_PAIRS)


def tiny(program: Program, question: Question) -> str | None:
    """Say why transducers with explicit values cannot be used; None where they can."""
    return _few(program, question, MOST_RELATED)


def _few(program: Program, question: Question, most: int) -> str | None:
    if not program.is_threaded:
        return "it checks programs with threads, and this one is sequential"
    if program.kind is Kind.REFERENCES:
        return "it checks Boolean programs, and this one has a heap"
    if (why := common_to_threads(program, question) or _places_only(question)) is not None:
        return why
    if question.bound is not None and question.bound.kind == "rounds":
        return "it counts switches, not rounds"
    from knaster.program.threads import reachable_procedures, started_by

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
    if question.bound is not None and question.bound.kind == "rounds":
        from knaster.program.threads import started_by

        for procedure in program.procedures:
            for edge in procedure.edges:
                if started_by(edge) is not None:
                    return f"it counts rounds only where no line starts a thread, and line {edge.span.line} does"
    return common_to_threads(program, question) or _places_only(question)


def interleaved(program: Program, question: Question) -> str | None:
    """Say why threads cannot be followed context by context; None where they can."""
    if not program.is_threaded:
        return "it follows threads, and this one is sequential"
    return common_to_threads(program, question) or _places_only(question)


def _listed(program: Program) -> str:
    return ", ".join(program.threads[:5]) + (", ..." if len(program.threads) > 5 else "")
