"""All interleavings of threads as one sequential program: a place says where every thread stands.

The product of the graphs of the threads (`flat_threads`), as far as control can get; threads are interrupted at their
points alone.  There are only so many threads, and none of them recurses where others could notice it, so this is exact:
what is proved holds for every number of switches.  Where main ends, all is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Reach, Target
from knaster.program.expression import TRUE
from knaster.program.model import Action, Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.program.types import Bool
from knaster.transform.memory_threads.flat_threads import FlatThread, Node
from knaster.transform.memory_threads.shared_program import SharedProgram, noticed_procedures, share
from knaster.transform.regions.refusal import Refused

FIRST = "#threads"
LARGEST = 12_000  # edges


class _Standing(NamedTuple):
    """Where all threads stand (None: it has ended), and which one is between two of its points (0: none)."""

    nodes: tuple[Node | None, ...]
    running: int


@dataclass(frozen=True, slots=True, eq=False)
class InterleavedProgram:
    """The sequential program of all interleavings; what its targets stand for (None: unclear)."""

    shared: SharedProgram
    program: Program
    targets: tuple[tuple[Target, Target | None], ...]
    threads: tuple[FlatThread, ...]
    standing: Mapping[Location, tuple[int, Node]]  # who takes the step from a place, and from where

    @property
    def question(self) -> Reach:
        """What is asked of the sequential program."""
        return Reach(tuple(target for target, _ in self.targets))


def reduce_interleavings(program: Program, asked: Sequence[Target]) -> InterleavedProgram:
    """Return the program of all interleavings; raise `Refused` where there is none, or it is too large."""
    return interleave(share(program, asked))


def interleave(shared: SharedProgram) -> InterleavedProgram:
    """Return the program of all interleavings."""
    return _Product(shared).make()


class _Product:
    """The product while it is made."""

    def __init__(self, shared: SharedProgram) -> None:
        self.shared = shared
        noticed, count = noticed_procedures(shared), len(shared.program.threads)
        self.threads = tuple(FlatThread(shared, number, noticed) for number in range(1, count + 1))
        self.places: dict[Place, list[Target]] = {}
        for target, _ in shared.targets:
            self.places.setdefault(target.place, []).append(target)
        self.numbers: dict[_Standing, Location] = {}
        self.failures: dict[Place, Location] = {}
        self.todo: list[_Standing] = []
        self.edges: list[Edge] = []
        self.size = 1  # 0 is the exit

    def make(self) -> InterleavedProgram:
        """Return the program."""
        start = _Standing(tuple(thread.entry for thread in self.threads), 1)
        entry = self._number(start)
        while self.todo:
            here = self.todo.pop()
            for action, target, edge in self._leave(here):
                span = edge.span if edge is not None else self.shared.program.procedures[0].span
                origin = edge.origin if edge is not None else None
                self.edges.append(Edge(self._number(here), action, target, span, origin))
            if len(self.edges) > LARGEST:
                raise Refused(f"the interleavings have more than {LARGEST:,} edges")
        return self._finish(entry)

    def _new(self) -> Location:
        self.size += 1
        return self.size - 1

    def _number(self, standing: _Standing) -> Location:
        if standing not in self.numbers:
            self.numbers[standing] = self._new()
            self.todo.append(standing)
        return self.numbers[standing]

    def _leave(self, here: _Standing) -> Iterator[tuple[Action, Location, Edge | None]]:
        """Yield the steps: somebody gets his turn, or the one whose turn it is goes on."""
        if not here.running:
            for number, node in enumerate(here.nodes, 1):
                if node is not None and self._may_run(here, number):
                    yield Assume(TRUE), self._number(here._replace(running=number)), None
            return
        number = here.running
        thread, node = self.threads[number - 1], here.nodes[number - 1]
        assert node is not None
        if node.place in self.places:
            if node.place not in self.failures:
                self.failures[node.place] = self._new()
            yield Assume(TRUE), self.failures[node.place], None
        for step in thread.steps(node):
            yield step.action, self._after(here, number, step.target), step.edge

    def _after(self, here: _Standing, number: int, target: Node) -> Location:
        thread, nodes = self.threads[number - 1], list(here.nodes)
        nodes[number - 1] = target
        if thread.is_over(target):
            if number == 1:
                return 0
            nodes[number - 1] = None
            return self._number(_Standing(tuple(nodes), 0))
        return self._number(_Standing(tuple(nodes), 0 if thread.is_point(target) else number))

    def _may_run(self, here: _Standing, number: int) -> bool:
        """Tell whether a thread may have been started, as far as the place of main tells."""
        main, node = here.nodes[0], here.nodes[number - 1]
        if number == 1 or main is None or node != self.threads[number - 1].entry or main.calls:
            return True
        counts = self.shared.copied.counts.get(main.place)
        return counts is None or max(counts) >= number

    def _finish(self, entry: Location) -> InterleavedProgram:
        own = {name: type for thread in self.threads for name, type in thread.variables.items()}
        last = self._new()
        self.edges.append(Edge(0, Return(()), last))
        failures = tuple(self.failures.values())
        first = Procedure(
            FIRST,
            (),
            (),
            tuple(own),
            entry,
            last,
            tuple(sorted(self.edges, key=lambda edge: edge.source)),
            failures=failures,
            types=tuple((name, type) for name, type in own.items() if not isinstance(type, Bool)),
        )
        called = self._called()
        kept = tuple(procedure for procedure in self.shared.program.procedures if procedure.name in called)
        made = replace(self.shared.program, procedures=(first, *kept), threads=(FIRST,))
        targets = tuple(
            (replace(target, procedure=FIRST, location=self._place_of(target)), original)
            for target, original in self.shared.targets
        )
        standing = {
            location: (here.running, here.nodes[here.running - 1])
            for here, location in self.numbers.items()
            if here.running
        }
        return InterleavedProgram(self.shared, self._fitted(made, targets), targets, self.threads, standing)  # type: ignore[arg-type]

    def _place_of(self, target: Target) -> Location:
        """Return where a target is in the product; a place of its own where control does not get there."""
        if target.place not in self.failures:
            self.failures[target.place] = self._new()
        return self.failures[target.place]

    def _fitted(self, program: Program, targets: tuple[tuple[Target, Target | None], ...]) -> Program:
        """Return the program with the places of targets to which control does not get."""
        first = program.procedures[0]
        places = tuple(dict.fromkeys((*first.failures, *(target.location for target, _ in targets))))
        return replace(program, procedures=(replace(first, failures=places), *program.procedures[1:]))

    def _called(self) -> set[str]:
        found: set[str] = set()
        todo: list[Sequence[Edge]] = [self.edges]
        while todo:
            for edge in todo.pop():
                if isinstance(edge.action, Call) and edge.action.procedure not in found:
                    found.add(edge.action.procedure)
                    todo.append(self.shared.program.procedure(edge.action.procedure).edges)
        return found
