"""Recurrent sets: what has to be true so that a run that is in one of some sets of states goes on for ever.

A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko and R.-G. Xu, Proving Non-termination (POPL 2008).  From every
state of a set at its place some straight line through the program can be taken, and it ends in a set: at a place, or in
the entry of a procedure that is called.  Inputs have the values that the proof gives; where it gives none, there are
some for which the line can be taken.  Calls are walked through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from knaster_check.c.claims import expect_truth
from knaster_check.c.invariants import Obligation
from knaster_check.c.nodes import TRUE, Node, all_of, any_of, build, choices, constant, negate
from knaster_check.c.walk import Arrival, Entry, Place, Walk, formulas_of
from knaster_check.evaluate import belongs
from knaster_check.program import BOOL, Call, Edge, Formula, Program, Value
from knaster_check.refused import Unsupported
from knaster_check.table import Tick

MOST = 256  # lines from one place
Line = tuple[Arrival, tuple[Node, ...], bool]  # where it is, the inputs on the way, whether it ends in an entry


class Recurrence:
    """The obligations of sets; `given` are the values of inputs, by procedure and number of the edge."""

    def __init__(
        self, program: Program, sets: Mapping[Place, Formula], given: Mapping[tuple[str, int], Value], tick: Tick
    ) -> None:
        self.walk = Walk(program, (), tick)
        self.sets = sets
        self.values: dict[int, Value] = {}  # of edges, by identity
        for (name, number), value in given.items():
            self.values[id(program.procedures[name].edges[number])] = value

    def obligations(self) -> Iterator[Obligation]:
        """Yield for each set that a line from it can be taken and ends in a set."""
        for (name, location), formula in self.sets.items():
            state = self.walk.any_state(name)
            inside = expect_truth(build(formula, state)[0])
            stops = {at for own, at in self.sets if own == name}
            goals = []
            for number, line in enumerate(self._lines(Arrival((name, location), TRUE, state), stops)):
                # mutant(>=): one way more or less
                if number >= MOST:
                    raise Unsupported("there are too many ways between the places of the proof", f"'{name}'")
                goals.append(self._goal(line[0], line[1]))
            why = f"a run in the set at location {location} may not go on into a set"
            yield Obligation(all_of([inside, negate(any_of(goals))]), f"'{name}'", why)

    def _goal(self, end: Arrival, inputs: tuple[Node, ...]) -> Node:
        """Return that a line can be taken and ends in a set."""
        there = all_of([end.flag, expect_truth(build(self.sets[end.place], end.state)[0])])
        spoken = tuple(name for name in inputs if name in _names_in(there))
        return Node(("exists", spoken), BOOL, (there,)) if spoken else there

    def _lines(self, start: Arrival, stops: Collection[int]) -> Iterator[Line]:
        """Yield the lines from an arrival to one of some locations or into a set at an entry; no location twice."""
        todo: list[tuple[Arrival, tuple[Node, ...], frozenset[int]]] = [(start, (), frozenset({start.place[1]}))]
        while todo:
            arrival, inputs, seen = todo.pop()
            for edge in self.walk.leaving.get(arrival.place, ()):
                for after, read, ends in self._over(arrival, edge):
                    if ends or edge.target in stops:
                        yield after, inputs + read, ends
                    elif edge.target not in seen:
                        todo.append((after, inputs + read, seen | {edge.target}))

    def _over(self, arrival: Arrival, edge: Edge) -> Iterator[Line]:
        """Yield what follows over an edge; of a call, its entry if there is a set, and what returns."""
        self.walk.tick()
        inputs, read = self._inputs(edge)
        if not isinstance(edge.action, Call):
            yield self.walk.step(arrival, edge, inputs), read, False
            return
        call = self.walk.enter(arrival, edge, inputs)
        entry = self.walk.entry(call)
        if entry.place in self.sets:
            yield entry, read, True
        if call.callee.name in self.walk.inside:
            yield from self._through(arrival, call, entry, read)

    def _through(self, arrival: Arrival, call: Entry, entry: Arrival, read: tuple[Node, ...]) -> Iterator[Line]:
        end = call.callee.exit
        ways = iter([(entry, (), False)]) if call.callee.entry == end else self._lines(entry, {end})
        for last, inputs, ends in ways:
            yield last if ends else self.walk.leave(arrival, call, last), read + inputs, ends

    def _inputs(self, edge: Edge) -> tuple[list[Node], tuple[Node, ...]]:
        """Return the inputs of an edge, and those among them that may be chosen."""
        value = self.values.get(id(edge))
        types = choices(formulas_of(edge))
        if value is not None and all(belongs(value, type) for type in types):
            return [constant(value) for _ in types], ()
        names = [self.walk.names.fresh("input", type) for type in types]
        return names, tuple(names)


def _names_in(root: Node) -> set[Node]:
    """Return the names of which a node speaks."""
    seen, stack = {root}, [root]
    while stack:
        for part in stack.pop().operands:
            if part not in seen:
                seen.add(part)
                stack.append(part)
    return {node for node in seen if node.head[0] == "name"}
