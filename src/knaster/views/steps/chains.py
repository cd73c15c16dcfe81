"""Ways: blocks and calls composed from one loop head, entry or exit to the next, so that fewer places need invariants.

A way is again a function of the state before it, of its free variables, and of what the calls on it leave behind.
Calls of procedures without loops, whose own calls are such calls too, are composed as well (`plain`), so `assert`
helpers cost nothing.  Ways are told apart by the calls that they make, not by the branches between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from knaster.base.graphs import components
from knaster.program.model import Location, Place, Procedure
from knaster.smt.library import z3
from knaster.smt.solver import substitute
from knaster.smt.terms import Formula, Term
from knaster.views.steps.formula import Block, Blocks, Calling, Read

OVERFLOW: Place = ("", 0)  # where a way leads on which an operator should have wrapped and did not
MOST_WAYS = 16  # that lead to one place
MOST_CALLS = 3  # on one way
MOST_EDGES = 100  # of a procedure that is composed into its callers, and of those that it calls
MOST_PLAIN = 4  # ways through a procedure that is composed into its callers


@dataclass(frozen=True, slots=True)
class Inside:
    """A call on a way: what the callee is given (globals and parameters), and what it leaves behind."""

    call: Calling
    given: Mapping[str, Term]
    leave: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Taken:
    """A block on a way, with the inputs that it reads there."""

    block: Block
    reads: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class Composed:
    """A call of a plain procedure on a way: what happens inside it."""

    call: Calling
    arcs: tuple[Arc, ...]


Arc = Taken | Inside | Composed


@dataclass(frozen=True, slots=True)
class Way:
    """A way from a cut point to another, or into a call, or to a target (perhaps inside a plain procedure)."""

    procedure: str
    source: Location
    target: Location
    guard: tuple[Formula, ...]
    state: Mapping[str, Term]
    arcs: tuple[Arc, ...] = ()
    calls: tuple[Inside, ...] = ()
    free: tuple[Formula, ...] = ()
    entered: Inside | None = None
    failed: Place | None = None

    @property
    def key(self) -> str:
        """What tells it from other ways, whatever the arithmetic."""
        entered = "" if self.entered is None else f" into {self.entered.call.callee} to {self.entered.call.target}"
        failed = "" if self.failed is None else f" fails at {self.failed}"
        return f"{self.procedure} {self.source} {_shown(self.arcs)}{entered}{failed}"


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways of a program between kept cut points; calls that are entered; targets that are reached."""

    blocks: Blocks
    kept: Mapping[str, frozenset[Location]]
    plain: frozenset[str]
    inner: tuple[Way, ...]
    entering: tuple[Way, ...]
    failing: tuple[Way, ...]


Arcs = dict[str, dict[Location, list[Block | Calling]]]


def arcs_of(blocks: Blocks) -> Arcs:
    """Return the blocks and calls that leave each cut point of each procedure."""
    found: Arcs = {procedure.name: {} for procedure in blocks.program.procedures}
    every: list[Block | Calling] = [*blocks.blocks, *blocks.calls]
    for arc in every:
        found[arc.procedure].setdefault(arc.source, []).append(arc)
    return found


def plain_procedures(blocks: Blocks, most: int = MOST_PLAIN) -> tuple[str, ...]:
    """Return the procedures that are composed into their callers, callees first; never the entry procedure.

    `most` ways lead through each of them.
    """
    arcs = arcs_of(blocks)
    calls: dict[str, list[str]] = {procedure.name: [] for procedure in blocks.program.procedures}
    for call in blocks.calls:
        calls[call.procedure].append(call.callee)
    sizes = {procedure.name: len(procedure.edges) for procedure in blocks.program.procedures}
    found: dict[str, int] = {}  # with the number of ways through each
    for part in components(list(calls), calls.__getitem__):
        name = part[0]
        if len(part) > 1 or name in calls[name] or name in blocks.program.threads:
            continue
        sizes[name] += sum(sizes[callee] for callee in calls[name])
        if sizes[name] <= MOST_EDGES and all(callee in found for callee in calls[name]) and not _loops(arcs[name]):
            ways = _count(blocks.program.procedure(name), arcs[name], found)
            if ways <= most:
                found[name] = ways
    return tuple(found)


def _loops(arcs: Mapping[Location, list[Block | Calling]]) -> bool:
    """Tell whether a procedure has a cycle."""

    def after(location: Location) -> list[Location]:
        return [arc.target for arc in arcs.get(location, ())]

    return any(len(part) > 1 or part[0] in after(part[0]) for part in components(sorted(arcs), after))


def _count(procedure: Procedure, arcs: Mapping[Location, list[Block | Calling]], through: Mapping[str, int]) -> int:
    """Return how many ways lead through a procedure without cycles, or to one of its places."""
    ways = {procedure.entry: 1}
    for location in _order(procedure, arcs, frozenset()):
        for arc in arcs.get(location, ()):
            times = through[arc.callee] if isinstance(arc, Calling) else 1
            ways[arc.target] = ways.get(arc.target, 0) + times * ways.get(location, 0)
    return max(ways.values())


def kept_points(
    blocks: Blocks, heads: Mapping[str, Iterable[Location]], plain: Iterable[str]
) -> dict[str, frozenset[Location]]:
    """Return entry, exit, the loop heads, and places where too many ways would meet, of the procedures that count."""
    found, arcs, composed = {}, arcs_of(blocks), frozenset(plain)
    for procedure in blocks.program.procedures:
        if procedure.name not in composed:
            fixed = {procedure.entry, procedure.exit, *heads[procedure.name]}
            found[procedure.name] = frozenset(_kept(procedure, arcs[procedure.name], fixed, composed))
    return found


def _kept(
    procedure: Procedure, arcs: Mapping[Location, list[Block | Calling]], kept: set[Location], plain: frozenset[str]
) -> set[Location]:
    ways, calls = dict.fromkeys(kept, 1), dict.fromkeys(kept, 0)
    for location in _order(procedure, arcs, frozenset(kept)):
        if location not in kept and (ways.get(location, 0) > MOST_WAYS or calls.get(location, 0) >= MOST_CALLS):
            kept.add(location)
            ways[location], calls[location] = 1, 0
        for arc in arcs.get(location, ()):
            if arc.target in kept:
                continue
            called = isinstance(arc, Calling)
            deeper = isinstance(arc, Calling) and arc.callee not in plain
            times = MOST_PLAIN // 2 if called and not deeper else 1
            ways[arc.target] = ways.get(arc.target, 0) + ways.get(location, 0) * times
            calls[arc.target] = max(calls.get(arc.target, 0), calls.get(location, 0) + deeper)
    return kept


def _order(
    procedure: Procedure, arcs: Mapping[Location, list[Block | Calling]], kept: frozenset[Location]
) -> list[Location]:
    """Return the cut points so that each that is not kept comes after those before it."""
    finished: list[Location] = []
    seen: set[Location] = set()
    for root in (procedure.entry, *sorted(kept)):
        stack = [(root, iter(arcs.get(root, ())))] if root not in seen else []
        seen.add(root)
        while stack:
            location, leaving = stack[-1]
            for arc in leaving:
                if arc.target not in seen and arc.target not in kept:
                    seen.add(arc.target)
                    stack.append((arc.target, iter(arcs.get(arc.target, ()))))
                    break
            else:
                finished.append(location)
                stack.pop()
    return finished[::-1]


def make_ways(
    blocks: Blocks,
    kept: Mapping[str, frozenset[Location]],
    plain: Sequence[str],
    targets: Iterable[Place],
    overflows: bool = False,
) -> Ways:
    """Return the ways between kept cut points; every cycle must pass one of them.

    With `overflows` also those on which an operator should have wrapped and did not, as ways that fail.
    """
    making = _Making(blocks, plain, frozenset(targets), overflows)
    inner: list[Way] = []
    entering: list[Way] = []
    failing: list[Way] = []
    for procedure in blocks.program.procedures:
        for source in sorted(kept.get(procedure.name, ())):
            for way in making.ways(procedure.name, source, kept[procedure.name]):
                (failing if way.failed is not None else entering if way.entered is not None else inner).append(way)
    return Ways(blocks, kept, frozenset(plain), tuple(inner), tuple(entering), tuple(failing))


class _Making:
    """Ways while they are made."""

    def __init__(self, blocks: Blocks, plain: Sequence[str], targets: frozenset[Place], overflows: bool) -> None:
        self.blocks = blocks
        self.overflows = overflows
        self.targets = targets
        self.arcs = arcs_of(blocks)
        self.numbers = count(1)
        self.through: dict[str, list[Way]] = {}  # of plain procedures: the ways to the exit and to targets
        for name in plain:
            procedure = blocks.program.procedure(name)
            self.through[name] = list(self.ways(name, procedure.entry, frozenset({procedure.exit})))

    def ways(self, name: str, source: Location, kept: frozenset[Location]) -> Iterator[Way]:
        """Yield every way from a cut point, up to the next kept ones."""
        todo = [Way(name, source, source, (), dict(self.blocks.variables[name]))]
        while todo:
            way = todo.pop()
            if (name, way.target) in self.targets and way.failed is None:
                yield replace(way, failed=(name, way.target))
            if way.arcs and way.target in kept:
                yield way
                continue
            for arc in self.arcs[name].get(way.target, ()):
                for longer in self.extended(way, arc):
                    if longer.failed is not None or longer.entered is not None:
                        yield longer
                    else:
                        todo.append(longer)

    def extended(self, way: Way, arc: Block | Calling) -> Iterator[Way]:
        """Yield what a way becomes with a block or a call at its end."""
        pairs = self._pairs(way)
        if self.overflows and arc.overflow is not None:
            over = (*way.guard, substitute(arc.overflow, pairs))
            yield replace(way, guard=over, failed=OVERFLOW, free=(*way.free, *arc.free))
        if isinstance(arc, Block):
            state = {name: _replaced(term, pairs) for name, term in arc.update.items()}
            guard = (*way.guard, substitute(arc.guard, pairs))
            arcs = (*way.arcs, Taken(arc, arc.reads))
            yield replace(way, target=arc.target, guard=guard, state=state, arcs=arcs, free=(*way.free, *arc.free))
            return
        guard = (*way.guard, substitute(arc.guard, pairs))
        inner = self.blocks.program.procedure(arc.callee)
        given = {name: way.state[name] for name in self.blocks.program.globals}
        given |= {n: _replaced(t, pairs) for n, t in zip(inner.parameters, arc.arguments, strict=True)}
        before = replace(way, guard=guard, free=(*way.free, *arc.free))
        if arc.callee in self.through:
            yield from self._composed(before, arc, given)
            return
        leave = self.blocks.copy(arc.callee, f"{arc.callee}'{next(self.numbers)}:")
        inside = Inside(arc, given, leave)
        yield replace(before, entered=inside)
        after = replace(before, arcs=(*way.arcs, inside), calls=(*way.calls, inside), target=arc.target)
        yield replace(after, state=self._returned(way.state, arc, leave))

    def _pairs(self, way: Way) -> list[tuple[Formula, Formula]]:
        variables = self.blocks.variables[way.procedure]
        return [
            (term.value, way.state[name].value)
            for name, term in variables.items()
            if not term.value.eq(way.state[name].value)
        ]

    def _composed(self, way: Way, call: Calling, given: Mapping[str, Term]) -> Iterator[Way]:
        """Yield the ways through a plain callee, and to the targets in it."""
        for through in self.through[call.callee]:
            fresh = [(one, z3.Const(f"{one}!{next(self.numbers)}", one.sort())) for one in through.free]
            variables = self.blocks.variables[call.callee]
            pairs = [(variables[name].value, term.value) for name, term in given.items()] + fresh
            longer = replace(
                way,
                guard=(*way.guard, *(substitute(formula, pairs) for formula in through.guard)),
                free=(*way.free, *(new for _, new in fresh)),
                arcs=(*way.arcs, Composed(call, tuple(_renamed(arc, fresh) for arc in through.arcs))),
            )
            leave = {name: _replaced(term, pairs) for name, term in through.state.items()}
            if through.failed is not None:
                shared = {name: leave[name] for name in self.blocks.program.globals}
                yield replace(longer, failed=through.failed, state={**way.state, **shared})
                continue
            yield replace(longer, target=call.target, state=self._returned(way.state, call, leave))

    def _returned(self, state: Mapping[str, Term], call: Calling, leave: Mapping[str, Term]) -> dict[str, Term]:
        """Return the caller's state after a call."""
        inner = self.blocks.program.procedure(call.callee)
        after = {**state, **{name: leave[name] for name in self.blocks.program.globals}}
        for target, result in zip(call.results, inner.results, strict=False):
            if target is not None:
                after[target] = leave[result]
        return after


class Through:
    """The ways through calls of plain procedures, as functions of the caller's state."""

    def __init__(self, blocks: Blocks, plain: Sequence[str]) -> None:
        self.names = frozenset(plain)
        self._making = _Making(blocks, plain, frozenset(), False)

    def ways(self, call: Calling) -> list[Way]:
        """Return the ways through one call, from the caller's variables before it to those after it."""
        before = dict(self._making.blocks.variables[call.procedure])
        return list(self._making.extended(Way(call.procedure, call.source, call.source, (), before), call))


def _shown(arcs: Sequence[Arc]) -> str:
    """Return the places that a way passes."""
    parts = []
    for arc in arcs:
        match arc:
            case Taken(block):
                parts.append(str(block.target))
            case Inside(call):
                parts.append(f"{call.callee}() {call.target}")
            case Composed(call, inner):
                parts.append(f"{call.callee}({_shown(inner)}) {call.target}")
    return " ".join(parts)


def _renamed(arc: Arc, fresh: list[tuple[Formula, Formula]]) -> Arc:
    """Return an arc whose inputs have other names."""
    if isinstance(arc, Taken):
        return Taken(arc.block, tuple(replace(read, variable=substitute(read.variable, fresh)) for read in arc.reads))
    if isinstance(arc, Composed):
        return Composed(arc.call, tuple(_renamed(inner, fresh) for inner in arc.arcs))
    return arc


def _replaced(term: Term, pairs: list[tuple[Formula, Formula]]) -> Term:
    return replace(term, value=substitute(term.value, pairs)) if pairs else term
