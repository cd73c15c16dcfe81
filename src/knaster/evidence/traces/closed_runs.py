"""Closed runs: from the run of a call that is shown as one line, what it needs at its start and what is known after it.

This is `relevance` without a look at values: an expression needs all variables that it reads, which is sound (a run
needs more, and less is known).  Sets of variables are bit masks as in `program.effects`: the globals have the lowest
bits, the same in every procedure.  So a run of a million steps, none of which is shown, costs two passes of a few
operations on integers for each step of its DAG.

Notation: a *demand* is a mask of variables whose values at a point matter; K a mask of variables that are known there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.base.trampoline import answer
from knaster.evidence.traces.trace import Path
from knaster.program.effects import Mask, bits_of, reads
from knaster.program.expression import TRUE, Expr, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Program, Return

VARIANTS = 8
Names = frozenset[str]


class _Flow(NamedTuple):
    """What a new value reads, and whether these variables fix it."""

    target: Mask
    read: Mask
    fixed: bool


class _Internal(NamedTuple):
    """An edge inside a procedure: what it reads and whose new values it needs in any case, and what it writes."""

    read: Mask
    constrained: Mask
    written: Mask
    flows: tuple[_Flow, ...]


class _Call(NamedTuple):
    """A call: parameters from arguments, and the targets (in the caller) with the results (in the callee)."""

    arguments: tuple[_Flow, ...]
    written: Mask
    results: tuple[tuple[Mask, Mask], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Closed:
    """What one run needs: at its start, after each step (the targets that matter), and in the calls inside."""

    start: Mask
    written: tuple[Mask, ...]
    inside: Mapping[int, Closed]


_Backward = tuple[Path, Mask]
_Forward = tuple[Path, Closed, Mask]


class ClosedRuns:
    """The runs of one program that nobody looks into."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._procedures = {procedure.name: procedure for procedure in program.procedures}
        self._globals = (1 << len(program.globals)) - 1
        self._bits: dict[str, dict[str, Mask]] = {}
        self._enforced: dict[str, Mask] = {}
        self._edges: dict[int, tuple[Edge, _Internal | _Call]] = {}
        self._actions: dict[tuple[int, int], tuple[Edge, _Internal | _Call]] = {}
        self._scopes: dict[tuple[str, ...], dict[str, Mask]] = {}
        self._closed: dict[_Backward, Closed] = {}
        self._ends: dict[_Forward, Mask] = {}
        self._variants: Counter[Path | Closed] = Counter()

    def close(self, path: Path, wanted: Iterable[str]) -> tuple[Closed, Names]:
        """Return what a run needs so that `wanted` have their values at its end; the second by name, at its start."""
        first = self._ask(path, self._mask(path.procedure, wanted))
        if first not in self._closed:
            self._closed[first] = answer(self._needs(*first), lambda run: self._needs(*run), self._closed)
        closed = self._closed[first]
        return closed, self.names(path.procedure, closed.start)

    def known_at_end(self, path: Path, closed: Closed, known: Iterable[str]) -> Names:
        """Return what is known at the end of a run, where `known` is known at its start."""
        first = self._ask_forward(path, closed, self._mask(path.procedure, known))
        if first not in self._ends:
            self._ends[first] = answer(self._follow(*first), lambda run: self._follow(*run), self._ends)
        return self.names(path.procedure, self._ends[first])

    def _mask(self, procedure: str, names: Iterable[str]) -> Mask:
        bits = self._scope(procedure)
        return sum({bits[name] for name in names})

    def names(self, procedure: str, mask: Mask) -> Names:
        """Return the variables of a mask."""
        return frozenset(name for name, bit in self._scope(procedure).items() if mask & bit)

    def _scope(self, name: str) -> dict[str, Mask]:
        """Return the bits of a procedure's variables, and remember what it enforces."""
        if name not in self._bits:
            procedure = self._procedures[name]
            scope = self._program.scope(procedure)
            if scope not in self._scopes:
                self._scopes[scope] = bits_of(self._program, procedure)
            self._bits[name] = self._scopes[scope]
            self._enforced[name] = reads(procedure.enforce, self._bits[name])
        return self._bits[name]

    def _ask(self, path: Path, demand: Mask) -> _Backward:
        """Return the question what a run needs; beyond `VARIANTS` of them for everything that matters at its end."""
        if (path, demand) not in self._closed:
            self._variants[path] += 1
            if self._variants[path] > VARIANTS:
                demand = self._globals | self._mask(path.procedure, self._procedures[path.procedure].results)
        return path, demand

    def _needs(self, path: Path, needed: Mask) -> Generator[_Backward, Closed, Closed]:
        self._scope(path.procedure)
        enforced, steps = self._enforced[path.procedure], path.steps
        written = [0] * len(steps)
        inside: dict[int, Closed] = {}
        for index in range(len(steps) - 1, -1, -1):
            step = steps[index]
            needed |= enforced
            edge = self._edge(path.procedure, step.edge)
            if isinstance(edge, _Internal):
                needed |= edge.constrained
                written[index] = mattering = needed & edge.written
                needed = needed & ~edge.written | edge.read
                for flow in edge.flows:
                    if mattering & flow.target:
                        needed |= flow.read
                continue
            assert step.inside is not None
            wanted = 0
            for target, result in edge.results:
                if target & needed:
                    wanted |= result
            needed &= ~edge.written
            inner = inside[index] = yield self._ask(step.inside, wanted | needed & self._globals)
            needed = needed & ~self._globals | inner.start & self._globals
            for flow in edge.arguments:
                if inner.start & flow.target:
                    needed |= flow.read
        return Closed(needed | enforced, tuple(written), inside)

    def _ask_forward(self, path: Path, closed: Closed, known: Mask) -> _Forward:
        """Return the question what is known at the end of a run; beyond `VARIANTS` of them with less at its start."""
        if (path, closed, known) not in self._ends:
            self._variants[closed] += 1
            if self._variants[closed] > VARIANTS:
                known = closed.start
        return path, closed, known

    def _follow(self, path: Path, closed: Closed, known: Mask) -> Generator[_Forward, Mask, Mask]:
        for index, step in enumerate(path.steps):
            edge = self._edge(path.procedure, step.edge)
            if isinstance(edge, _Internal):
                if edge.written:
                    known = known & ~edge.written | closed.written[index] | _fixed(edge.flows, known)
                continue
            assert step.inside is not None
            inner = closed.inside[index]
            entered = known & self._globals | inner.start | _fixed(edge.arguments, known)
            end = yield self._ask_forward(step.inside, inner, entered)
            known = (known & ~self._globals | end & self._globals) & ~edge.written
            for target, result in edge.results:
                if end & result:
                    known |= target
        return known

    def _edge(self, name: str, edge: Edge) -> _Internal | _Call:
        """Return what an edge reads and writes; found once."""
        entry = self._edges.get(id(edge))
        if entry is None:
            scope = self._scope(name)
            key = id(scope), id(edge.action)  # equal statements of a long text are one action
            if key not in self._actions:
                self._actions[key] = edge, self._read_edge(self._procedures[name], edge)
            entry = self._edges[id(edge)] = edge, self._actions[key][1]
        return entry[1]

    def _read_edge(self, procedure: Procedure, edge: Edge) -> _Internal | _Call:
        bits = self._scope(procedure.name)
        match edge.action:
            case Assume(condition):
                return _Internal(reads(condition, bits), 0, 0, ())
            case Assign(targets, values, constraint):
                return _assignment(targets, values, constraint, bits)
            case Return(values):
                return _assignment(procedure.results, values, TRUE, bits)
            case Call() as call:
                callee = self._procedures[call.procedure]
                inner, taken = self._scope(callee.name), call.results(callee)
                passed = call.bindings(callee)
                arguments = tuple(
                    _Flow(inner[name], reads(value, bits), not has_choice(value)) for name, value in passed
                )
                results = tuple((bits[target], inner[result]) for target, result in taken)
                return _Call(arguments, sum({target for target, _ in results}), results)
            case _:
                return _Internal(0, 0, 0, ())


def _assignment(
    targets: Iterable[str], values: Iterable[Expr], constraint: Expr, bits: Mapping[str, Mask]
) -> _Internal:
    pairs = zip(targets, values, strict=True)
    flows = tuple(_Flow(bits[target], reads(value, bits), not has_choice(value)) for target, value in pairs)
    constrained = reads(constraint, bits, primed=True)
    return _Internal(reads(constraint, bits), constrained, sum({flow.target for flow in flows}), flows)


def _fixed(flows: Iterable[_Flow], known: Mask) -> Mask:
    """Return the targets whose new values the known variables fix."""
    mask = 0
    for flow in flows:
        if flow.fixed and not flow.read & ~known:
            mask |= flow.target
    return mask
