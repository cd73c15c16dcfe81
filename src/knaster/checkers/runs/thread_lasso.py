"""The check of an infinite run of threads: replayed move by move on the interpreter of threads, and read as a word.

The stem begins where the program does; the cycle leads from the configuration in which the stem stops back to the very
same one; or deeper in the stack of the one thread that moves in it, which never comes back below where it began; or
the run stays there because it is over or nobody can move.  Where only fair runs count, the cycle is fair:
weakly, each thread moves in it or cannot move somewhere on it; strongly, each thread moves in it or can move nowhere on
it.  A cycle inside one atomic section asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.automata.words import Letter, Word, holds
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.checkers.runs.run_letters import is_fair, letter_of
from knaster.evidence.proofs.threads.thread_lasso import ThreadLasso
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.model import Call, Edge, Kind, Program
from knaster.program.state import State
from knaster.semantics.thread_graph import Node, ThreadGraph


class Event(NamedTuple):
    """A move as a trace tells it: whose, by which edge (None: back into a caller), and the states of the activation."""

    thread: int  # 0, 1, ...
    edge: Edge | None
    before: State | None  # None on the way back into a caller
    state: State | None  # None where the thread has ended


def check_thread_lasso(lasso: Lasso, program: Program, question: Termination | Temporal) -> None:
    """Raise `InternalError` unless a lasso is a fair run of threads that is not as the question asks."""
    graph = ThreadGraph(program)
    meanings = meanings_of(program, question) if isinstance(question, Temporal) else {}
    stem, cycle = list(events(lasso.stem)), list(events(lasso.cycle))
    if lasso.recurs is not None or (lasso.deeper and lasso.stays):
        raise InternalError("a run of threads comes back to the same configuration, or deeper in one stack")
    if lasso.stays != (not cycle):
        raise InternalError("the cycle of a run has no step")
    if lasso.stays and isinstance(question, Termination):
        raise InternalError("a run that ends does not refute that every run does")
    before, ways = follow(graph, set(graph.starts()), stem)
    ways = _with_globals(graph, ways, lasso.stem.paths[-1].end)
    ways = _with_beginnings(graph, ways, {event.thread for event in cycle})
    if lasso.waits and not lasso.stays:
        raise InternalError("a run that goes on is in no deadlock")
    for node in sorted(ways, key=repr):
        if lasso.stays and graph.rests(node) and lasso.waits != graph.is_over(node):
            word = Word(tuple(read(graph, meanings, before)), (letter_of(graph, node, meanings),))
        elif not lasso.stays and (around := _go_around(graph, node, cycle, lasso.deeper)) is not None:
            nodes = [each for places, _ in around for each in places]
            if not is_fair(graph, question.fair, nodes, {event.thread for event in cycle}):
                continue
            word = Word(tuple(read(graph, meanings, before)), tuple(read(graph, meanings, around)))
        else:
            continue
        if isinstance(question, Termination) or not holds(question.formula, word):
            return
    raise InternalError("the run does not come back to where its cycle began, is not fair, or is as it should be")


def check_saved_lasso(proof: ThreadLasso, program: Program, budget: Budget) -> None:
    """Raise `InternalError` unless a run that was saved is a fair run that is not as its question asks."""
    budget.check()
    if proof.program is not program or proof.lasso.fair != proof.question.fair:
        raise InternalError("the run is one of another program, or one that does not count")
    if program.kind is Kind.REFERENCES:
        from knaster.checkers.heap.lasso import check_heap_lasso

        check_heap_lasso(proof.lasso, program, proof.question)
    elif program.kind is Kind.MEMORY:
        from knaster.checkers.memory.memory_lasso import check_memory_lasso

        check_memory_lasso(proof.lasso, program, proof.question)
    else:
        check_thread_lasso(proof.lasso, program, proof.question)


def word_of(lasso: Lasso, program: Program, meanings: Meanings) -> Word:
    """Return the word of a run of threads that was checked."""
    graph = ThreadGraph(program)
    before, ways = follow(graph, set(graph.starts()), list(events(lasso.stem)))
    stem = tuple(read(graph, meanings, before))
    ways = _with_globals(graph, ways, lasso.stem.paths[-1].end)
    if lasso.stays:
        return Word(stem, (letter_of(graph, min(ways, key=repr), meanings),))
    around, _ = follow(graph, ways, list(events(lasso.cycle)))
    return Word(stem, tuple(read(graph, meanings, around)))


def _with_globals(graph: ThreadGraph, nodes: set[Node], state: State) -> set[Node]:
    """Return the nodes whose globals are those of a state."""
    return {node for node in nodes if all(state[name] == value for name, value in graph.shared(node).items())}


def _with_beginnings(graph: ThreadGraph, nodes: set[Node], moving: set[int]) -> set[Node]:
    """Return the nodes, and those in which threads that move no more have begun, with whatever values of locals."""
    todo, known = list(nodes), set(nodes)
    for node in todo:  # grows
        for thread in set(range(len(node.stacks))) - moving if not graph.is_inside(node) else ():
            for move in graph.beginnings(node, thread):
                if (begun := graph.node(move.after)) not in known:
                    known.add(begun)
                    todo.append(begun)
    return known


Passed = Sequence[tuple[frozenset[Node], Event]]  # where a run may stand before each of its moves


def follow(graph: ThreadGraph, nodes: set[Node], told: Sequence[Event]) -> tuple[Passed, set[Node]]:
    """Return where a run may stand before each move that is told, and after the last; raise where one cannot be."""
    passed: list[tuple[frozenset[Node], Event]] = []
    for event in told:
        ways = {node: set(_after(graph, node, event)) for node in nodes}
        passed.append((frozenset(node for node, after in ways.items() if after), event))
        nodes = set().union(*ways.values())
        if not nodes:
            raise InternalError(f"thread {event.thread + 1} cannot make a move that the run tells")
    return passed, nodes


def _after(graph: ThreadGraph, node: Node, event: Event) -> Iterator[Node]:
    for move in graph.moves(node):
        if move.thread == event.thread and move.edge == event.edge:
            if event.before is not None and dict(graph.threads.state(move.begun)) != event.before:
                continue
            stack = move.after.stacks[move.thread]
            if (dict(graph.threads.state(move.after)) if stack else None) == event.state:
                yield graph.node(move.after)


def _go_around(graph: ThreadGraph, node: Node, cycle: Sequence[Event], deeper: bool) -> Passed | None:
    try:
        passed, ends = follow(graph, {node}, cycle)
    except InternalError:
        return None  # the stem may have come to several nodes, and this is the wrong one
    if not deeper:
        return passed if node in ends else None
    thread, least = cycle[0].thread, len(node.stacks[cycle[0].thread])
    alone = all(event.thread == thread for event in cycle)
    above = all(len(each.stacks[thread]) >= least for nodes, _ in passed for each in nodes)
    return passed if alone and above and any(_is_deeper(node, end, thread) for end in ends) else None


def _is_deeper(node: Node, end: Node, thread: int) -> bool:
    """Tell whether a thread stands in the same activation with more below it, and nothing else has changed."""
    before, after = node.stacks[thread], end.stacks[thread]
    others = [stack for number, stack in enumerate(node.stacks) if number != thread]
    same = others == [stack for number, stack in enumerate(end.stacks) if number != thread]
    rest = (node.shared, node.running, node.section) == (end.shared, end.running, end.section)
    return same and rest and bool(before) and len(after) > len(before) and before[-1] == after[-1]


def read(graph: ThreadGraph, meanings: Meanings, passed: Passed) -> Iterator[Letter]:
    """Yield the letters of a run: one before each statement."""
    for nodes, event in passed:
        if event.edge is not None:
            letters = {letter_of(graph, node, meanings) for node in nodes}
            if len(letters) != 1:
                raise InternalError("the run does not tell what holds before one of its statements")
            yield letters.pop()


def events(trace: Trace) -> Iterator[Event]:
    """Yield the moves of a trace; calls that return are walked through."""
    for segment in trace.segments:
        thread = segment.thread - 1
        for number, path in enumerate(segment.paths):
            if number and not _enters(segment.paths[number - 1]):
                yield Event(thread, None, None, dict(path.start))
            following = segment.paths[number + 1].start if number + 1 < len(segment.paths) else None
            yield from _events_of(thread, path, following)


def _enters(path: Path) -> bool:
    return bool(path.steps) and isinstance(path.steps[-1].edge.action, Call) and path.steps[-1].inside is None


def _events_of(thread: int, path: Path, following: State | None) -> Iterator[Event]:
    todo: list[tuple[Path, int, State | None]] = [(path, 0, None)]
    while todo:
        here, at, back = todo.pop()
        if at == len(here.steps):
            if back is not None:
                yield Event(thread, None, None, dict(back))
            continue
        step, state = here.steps[at], dict(here.steps[at - 1].after if at else here.start)
        todo.append((here, at + 1, back))
        if not isinstance(step.edge.action, Call):
            ended = _ends_thread(step.edge)
            yield Event(thread, step.edge, state, None if ended else dict(step.after))
        elif step.inside is not None:
            yield Event(thread, step.edge, state, dict(step.inside.start))
            todo.append((step.inside, 0, step.after))
        else:
            if following is None:
                raise InternalError("a run stops inside a call that it does not show")
            yield Event(thread, step.edge, state, dict(following))


def _ends_thread(edge: Edge) -> bool:
    from knaster.program.model import Concurrent, ThreadOperation

    return isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.END
