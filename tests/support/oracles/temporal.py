"""Explicit decision of formulas on recursive Boolean programs: every state is a value, every set a Python set.

Repeating heads (Esparza, Hansel, Rossmanith, Schwoon, CAV 2000) with the plain tableau of the negated formula, which
is neither reduced nor counted: a step carries the set of acceptance sets that it meets, a summary those that were
met inside. A program has a wrong run iff a component of the graph of reachable heads meets all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.automata.automaton import Automaton, Step
from knaster.automata.core import to_core
from knaster.automata.tableau import make_tableau
from knaster.base.graphs import components
from knaster.evidence.questions.letters import Meaning, meanings_of
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.letters import letter_at
from knaster.program.model import Call, Location, Procedure, Program
from knaster.program.state import State
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors

Frozen = tuple[tuple[str, bool], ...]
Met = frozenset[int]
Head = tuple[str, Location, Frozen, int]  # procedure, location, state, state of the automaton
Waiting = tuple[Head, Head, int, Met, Met]  # own entry, head, identity of the call, what was met before and by it
ENDED = "@ended"
ANYTHING = Automaton(1, (0,), (Step(0, frozenset(), 0),), 0)


class TooLarge(Exception):
    """There are too many heads to enumerate."""


def freeze(state: State) -> Frozen:
    return tuple(sorted((name, bool(value)) for name, value in state.items()))


def holds_on_every_run(program: Program, question: Temporal | Termination, most: int = 20_000) -> bool:
    """Tell whether every run is as the question asks; raise `TooLarge` where that takes too long to find out."""
    return _Oracle(program, question, most).answer()


class _Oracle:
    def __init__(self, program: Program, question: Temporal | Termination, most: int) -> None:
        self.program, self.most = program, most
        self.stays = isinstance(question, Temporal)
        self.automaton, self.meanings = ANYTHING, dict[str, Meaning]()
        if isinstance(question, Temporal):
            self.automaton = make_tableau(to_core(question.formula, False))
            self.meanings = meanings_of(program, question)
        self.leaving = self.automaton.leaving()
        self.edges: dict[Head, set[tuple[Head, Met]]] = {}
        self.exits: dict[Head, set[tuple[Frozen, int, Met]]] = {}  # of entries
        self.waiting: dict[Head, set[Waiting]] = {}  # by the entry of a callee
        self.known: dict[tuple[Head, Head], set[Met]] = {}  # entry, head -> what was met on the way
        self.todo: list[tuple[Head, Head, Met]] = []

    def answer(self) -> bool:
        main = self.program.procedure(self.program.threads[0])
        roots: list[Head] = []
        for state in initial_states(self.program, main):
            for q in self.automaton.initial:
                entry = (main.name, main.entry, freeze(state), q)
                roots.append(entry)
                self.reach(entry, entry, frozenset())
        while self.todo:
            self.expand(*self.todo.pop())
        every = set(range(self.automaton.sets))
        graph = {head: [target for target, _ in out] for head, out in self.edges.items()}
        for root in roots:
            for last, q, _ in list(self.exits.get(root, ())):
                if self.stays:
                    self.end((ENDED, 0, last, q), graph, root)
        for component in components(roots, lambda head: graph.get(head, ())):
            inside = set(component)
            met = [m for head in component for target, m in self.edges.get(head, ()) if target in inside]
            if met and set().union(*met) == every:
                return False
        return True

    def end(self, head: Head, graph: dict[Head, list[Head]], source: Head) -> None:
        """Add the steps after the end; they are reached from the entry of main."""
        graph.setdefault(source, []).append(head)
        todo = [head]
        while todo:
            here = todo.pop()
            if here in self.edges:
                continue
            out = {((ENDED, 0, here[2], move.target), move.marks) for move in self.moves(here, None)}
            self.edges[here] = out
            graph[here] = [target for target, _ in out]
            todo += graph[here]

    def moves(self, head: Head, procedure: Procedure | None) -> Iterator[Step]:
        place = None if procedure is None else (head[0], head[1])
        letter = letter_at(place, dict(head[2]), self.meanings)
        return (move for move in self.leaving[head[3]] if move.takes(letter))

    def reach(self, entry: Head, head: Head, met: Met) -> None:
        seen = self.known.setdefault((entry, head), set())
        if met not in seen:
            if len(self.known) > self.most:
                raise TooLarge
            seen.add(met)
            self.todo.append((entry, head, met))

    def expand(self, entry: Head, head: Head, met: Met) -> None:
        procedure = self.program.procedure(head[0])
        state = dict(head[2])
        if head[1] == procedure.exit:
            self.leave(entry, head, met)
            return
        if head[1] in procedure.failures:
            if self.stays:
                self.edges.setdefault(head, set()).update(
                    ((head[0], head[1], head[2], move.target), move.marks) for move in self.moves(head, None)
                )
                for move in self.moves(head, None):
                    self.reach(entry, (head[0], head[1], head[2], move.target), met | move.marks)
            return
        for move in self.moves(head, procedure):
            for edge in procedure.leaving.get(head[1], ()):
                if isinstance(edge.action, Call):
                    callee = self.program.procedure(edge.action.procedure)
                    for start in entry_states(self.program, callee, edge.action, state):
                        inner = (callee.name, callee.entry, freeze(start), move.target)
                        self.step(head, inner, move.marks)
                        self.reach(inner, inner, frozenset())
                        key = (entry, head, id(edge), met, move.marks)
                        self.waiting.setdefault(inner, set()).add(key)
                        for end, q, inside in list(self.exits.get(inner, ())):
                            self.resume(key, end, q, inside)
                else:
                    for after in successors(procedure, edge, state):
                        target = (head[0], edge.target, freeze(after), move.target)
                        self.step(head, target, move.marks)
                        self.reach(entry, target, met | move.marks)

    def step(self, source: Head, target: Head, met: Met) -> None:
        self.edges.setdefault(source, set()).add((target, met))

    def leave(self, entry: Head, head: Head, met: Met) -> None:
        found = (head[2], head[3], met)
        exits = self.exits.setdefault(entry, set())
        if found not in exits:
            exits.add(found)
            for key in list(self.waiting.get(entry, ())):
                self.resume(key, *found)

    def resume(self, key: Waiting, end: Frozen, q: int, inside: Met) -> None:
        entry, head, number, met, own = key
        procedure = self.program.procedure(head[0])
        edge = next(each for each in procedure.edges if id(each) == number)
        assert isinstance(edge.action, Call)
        callee = self.program.procedure(edge.action.procedure)
        after = state_after_return(self.program, procedure, callee, edge.action, dict(head[2]), dict(end))
        if after is not None:
            target = (head[0], edge.target, freeze(after), q)
            self.step(head, target, own | inside)
            self.reach(entry, target, met | own | inside)
