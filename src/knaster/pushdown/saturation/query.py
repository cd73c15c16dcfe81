"""Questions about regular sets of configurations: path_summary on the product of an answer and an automaton.

Lal (PhD thesis, University of Wisconsin, 2009), section 2.4.1: A(C) = path_summary(A ∩ A_C), where the intersection
keeps the weights of A.  A node (q, c) of the product pairs a state of the answer with a state of A_C; l(q, c)
combines the weights of all paths from it to a final pair: l = 1 at final pairs, l(q, c) += w · l(q', c') along a
transition of weight w, in the order in which the answer is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field
from knaster.pushdown.automaton import (
    ANY,
    Automaton,
    Edge,
    Inner,
    Wildcard,
    separate,
    sorted_names,
    without_empty_edges,
)
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.least import LeastSolution, Log
from knaster.pushdown.system import State, Symbol
from knaster.pushdown.tick import with_ticks

W = TypeVar("W")

Node = tuple[int, State]


def weight_in(answer: Answer[W], configurations: Automaton[W]) -> W:
    """Return the combined weight with which `answer` accepts the configurations of an unweighted automaton."""
    pairs, solution = summarize(answer, configurations)
    domain, total = answer.system.domain, answer.system.domain.zero
    for weight in (*map(solution.at, pairs.starts), *(answer.weight[t] for t in pairs.empty)):
        total = domain.combine(total, weight)
    return total


def path_summary(answer: Answer[W]) -> W:
    """Return the combined weight of everything that `answer` accepts."""
    return weight_in(answer, stacks_starting_with(answer.states.names[: answer.controls]))


def weight_at(answer: Answer[W], symbol: Symbol, *below: Symbol, state: State | None = None) -> W:
    """Return the combined weight of the configurations whose stack starts with `symbol` and the symbols `below`.

    Only those of one control state if `state` is given.
    """
    domain, total = answer.system.domain, answer.system.domain.zero
    controls = range(answer.controls) if state is None else [answer.states.numbers.get(state, answer.controls)]
    for control in controls:
        if control < answer.controls:
            for q, weight in answer.read(control, (symbol, *below)).items():
                total = domain.combine(total, answer.then(weight, answer.rest[q]))
    return total


def stacks_starting_with(states: Iterable[State], *stack: Symbol) -> Automaton[W]:
    """Return the automaton for <p, stack Γ*> with p any of the given control states."""
    controls = list(states)
    chain: list[State] = [Inner(0, depth) for depth in range(len(stack) + 1)]
    edges: list[Edge[W]] = [Edge(chain[i], stack[i], chain[i + 1]) for i in range(1, len(stack))]
    edges.append(Edge(chain[-1], ANY, chain[-1]))
    edges += [Edge(state, stack[0] if stack else ANY, chain[min(1, len(stack))]) for state in controls]
    final = {chain[-1]} if stack else {chain[-1], *controls}
    return Automaton(tuple(edges), frozenset(final), frozenset(controls))


@dataclass(slots=True)
class Pairs:
    """The product of an answer and an automaton: pair n is `nodes[n]`, `into[n]` the pairs before it and by which t.

    `starts` are the pairs of control states, `ends` the final ones; `empty` are the transitions that accept an empty
    stack by themselves.
    """

    nodes: list[Node] = field(default_factory=list)
    into: list[list[tuple[int, int]]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    numbers: dict[Node, int] = field(default_factory=dict)

    def node(self, node: Node) -> int:
        """Return the number of a node, a new one if it is new."""
        number = self.numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.into.append([])
        return number


def summarize(
    answer: Answer[W], configurations: Automaton[W], log: Log[W] | None = None
) -> tuple[Pairs, LeastSolution[int, W]]:
    """Return the product of the answer and the automaton, and l as a least solution over the numbers of its nodes.

    The rule of a derivation in the log is the transition that was read.
    """
    pairs = product(answer, configurations)
    solution: LeastSolution[int, W] = LeastSolution(
        answer.system.domain,
        log=log,
        priority=int.__neg__,  # what was found last is nearest to the end of a path
        tick=answer.tick,
    )
    for node in pairs.ends:
        solution.add(node, answer.system.domain.one)
    for v in solution.changes():
        for source, t in pairs.into[solution.name[v]]:
            solution.add(source, answer.then(answer.weight[t], solution.value[v]), t, v)
    return pairs, solution


def product(answer: Answer[W], configurations: Automaton[W]) -> Pairs:
    """Return the nodes that the control states of the asked configurations lead to."""
    query = Query(answer, configurations)
    pairs = Pairs()
    for state in query.initial:
        control = answer.control(state)
        if control is not None:
            pairs.starts.append(pairs.node((control, state)))
            if state in query.final:
                pairs.empty += [
                    t for t in answer.leaving.get((control, answer.empty), ()) if answer.target[t] in answer.final
                ]
    for number, (q, c) in enumerate(with_ticks(pairs.nodes, answer.tick)):  # which grow
        for t in answer.leaving_state.get(q, ()):
            for after in query.successors(c, answer.symbol[t]):
                pairs.into[pairs.node((answer.target[t], after))].append((number, t))
        if q in answer.final and c in query.final:
            pairs.ends.append(number)
    return pairs


class Query(Generic[W]):
    """An unweighted automaton in the letters of an answer, its wildcards kept as they are."""

    def __init__(self, answer: Answer[W], automaton: Automaton[W]) -> None:
        domain = answer.system.domain
        clean = without_empty_edges(separate(automaton), domain)
        self.initial = sorted_names(clean.initial)
        self.final = clean.final
        self._exact: dict[tuple[State, int], list[State]] = {}
        self._wild: dict[State, list[tuple[frozenset[int], State]]] = {}
        for edge in clean.edges:
            if edge.weight is not None and edge.weight != domain.one:
                raise UsageError(f"a set that is asked about has no weights; {edge.source} -> {edge.target} has one")
            if isinstance(edge.symbol, Wildcard):
                numbers = answer.symbols.numbers
                excluded = frozenset(numbers[name] for name in edge.symbol.excluding if name in numbers)
                self._wild.setdefault(edge.source, []).append((excluded, edge.target))
            elif (letter := answer.letter(edge.symbol)) is not None:
                self._exact.setdefault((edge.source, letter), []).append(edge.target)

    def successors(self, state: State, letter: int) -> Iterator[State]:
        """Yield the states that a letter leads to."""
        yield from self._exact.get((state, letter), ())
        for excluded, target in self._wild.get(state, ()):
            if letter not in excluded:
                yield target
