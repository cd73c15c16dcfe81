"""Large blocks: all edges between two cut points as one formula, and calls.

D. Beyer, A. Cimatti, A. Griggio, M. E. Keremoglu and R. Sebastiani, Software Model Checking via Large-Block Encoding
(FMCAD 2009).  Cut points are entries, exits, loop heads, the two ends of calls, and targets; the edges between them
have no cycle.  What a block does is a *function* of the state before it and of its inputs: a guard, and a term for each
variable afterwards; ways that meet are merged by `If`.  So the weakest precondition of a block is a substitution, and a
block without inputs is deterministic.  Where two edges that leave one location do not exclude each other, an input
called selector says which is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from knaster.program.expression import TRUE, Choice, Compare, Comparison, Expr, Not, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return, word_of
from knaster.program.types import Type
from knaster.semantics.compiled import loop_heads
from knaster.smt.library import z3
from knaster.smt.solver import substitute
from knaster.smt.terms import Formula, Sides, State, Term, Unsuitable
from knaster.smt.translate import Translation

_QUICKLY = 200_000  # resource units
_OPPOSITE = {
    Comparison.EQUAL: Comparison.DIFFERENT,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.GREATER: Comparison.AT_MOST,
}


@dataclass(frozen=True, slots=True)
class Read:
    """An input of a block: the choice of an edge and the variable that stands for its value."""

    edge: Edge
    choice: Choice
    variable: Formula


@dataclass(frozen=True, slots=True)
class Block:
    """All ways from one cut point to another, as a function of the state before and the inputs.

    The run gets to `target` iff `guard`, and then each variable has the value of `update`.  `reads` are the inputs that
    the program chooses; `free` are all variables that are none of the state (inputs, selectors, invented values).
    """

    procedure: str
    source: Location
    target: Location
    guard: Formula
    update: Mapping[str, Term]
    reads: tuple[Read, ...]
    free: tuple[Formula, ...]
    exact: bool
    edges: frozenset[int] = field(compare=False)  # positions in Procedure.edges
    overflow: Formula | None = None  # where an operator on the way should have wrapped and did not

    def relation(self, after: State) -> list[Formula]:
        """Return the step as formulas over the variables before, the free ones, and those of `after`."""
        return [self.guard, *(term.value == self.update[name].value for name, term in after.items())]


@dataclass(frozen=True, slots=True)
class Calling:
    """A call: where the arguments are defined, and their values as terms over the caller's state."""

    procedure: str
    edge: Edge
    callee: str
    guard: Formula
    arguments: tuple[Term, ...]
    free: tuple[Formula, ...]
    exact: bool
    overflow: Formula | None = None

    @property
    def source(self) -> Location:
        """Where the call is made."""
        return self.edge.source

    @property
    def target(self) -> Location:
        """Where the caller goes on."""
        return self.edge.target

    @property
    def results(self) -> tuple[str | None, ...]:
        """The caller's variable for each result; None where it is thrown away."""
        action = self.edge.action
        assert isinstance(action, Call)
        return action.targets


@dataclass(frozen=True, slots=True)
class Blocks:
    """A program as blocks: its cut points, its variables before a step, its blocks and its calls."""

    program: Program
    translation: Translation
    cuts: Mapping[str, tuple[Location, ...]]
    variables: Mapping[str, Mapping[str, Term]]  # of each procedure, globals included, by the model's names
    blocks: tuple[Block, ...]
    calls: tuple[Calling, ...]

    def ranges(self, state: State) -> list[Formula]:
        """Return what the types say about the values of a state."""
        return [fact for term in state.values() for fact in self.translation.numbers.within(term)]

    def copy(self, procedure: str, prefix: str) -> dict[str, Term]:
        """Return variables of their own for a state of a procedure, called by a prefix and the name."""
        types = {name: term.type for name, term in self.variables[procedure].items()}
        return self.translation.variables(types, prefix)

    def renamed(self, formula: Formula, before: State, after: State) -> Formula:
        """Return a formula over one state as the same formula over another one."""
        return substitute(formula, [(term.value, after[name].value) for name, term in before.items() if name in after])

    def start(self) -> list[Formula]:
        """Return what holds of the globals when the program starts, over the variables of its entry procedure."""
        sides, entry = Sides(), self.program.threads[0]
        formula = self.translation.formula(self.program.init, self.variables[entry], sides)
        return [formula, *sides.conditions]

    def entering(self, call: Calling, callee: State) -> list[Formula]:
        """Return the step from the caller's variables into a state of the callee."""
        caller, inner = self.variables[call.procedure], self.program.procedure(call.callee)
        shared = [(callee[name], caller[name]) for name in self.program.globals if name in callee]
        passed = [(callee[n], t) for n, t in zip(inner.parameters, call.arguments, strict=True) if n in callee]
        return [call.guard, *(one.value == other.value for one, other in (*shared, *passed))]

    def returning(self, call: Calling, leave: State) -> dict[str, Term]:
        """Return the caller's state after a call whose callee stands at its exit in `leave`."""
        after = dict(self.variables[call.procedure])
        inner = self.program.procedure(call.callee)
        after |= {name: leave[name] for name in self.program.globals if name in leave}
        for target, result in zip(call.results, inner.results, strict=False):
            if target is not None and result in leave:
                after[target] = leave[result]
        return after


def cut_points(program: Program, targets: Iterable[Place] = ()) -> dict[str, tuple[Location, ...]]:
    """Return the cut points of each procedure, in the order of their numbers."""
    found: dict[str, tuple[Location, ...]] = {}
    wanted = list(targets)
    for procedure in program.procedures:
        cuts = {procedure.entry, procedure.exit, *loop_heads(procedure)}
        cuts |= {location for name, location in wanted if name == procedure.name}
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                cuts |= {edge.source, edge.target}
        found[procedure.name] = tuple(sorted(cuts))
    return found


def make_blocks(
    program: Program, translation: Translation, cuts: Mapping[str, tuple[Location, ...]], whole: bool = False
) -> Blocks:
    """Return the blocks of a sequential program between cut points; raise `Unsuitable` where there are none.

    Blocks that nobody can pass are left out, as far as z3 sees that at once; `whole` keeps them, so that which blocks
    there are depends on the text alone, and not on the arithmetic.
    """
    variables = {
        procedure.name: translation.variables(program.types_in(procedure), f"{procedure.name}:")
        for procedure in program.procedures
    }
    parameters = {p.name: [variables[p.name][name].type for name in p.parameters] for p in program.procedures}
    blocks: list[Block] = []
    calls: list[Calling] = []
    numbers = count(1)
    for procedure in program.procedures:
        if procedure.enforce != TRUE:
            raise Unsuitable(f"'{procedure.name}' has 'enforce'")
        own = frozenset(cuts[procedure.name])
        making = _Making(procedure, translation, variables[procedure.name], own, numbers, parameters, whole)
        for source in cuts[procedure.name]:
            blocks += making.blocks(source)
        calls += making.calls()
    return Blocks(program, translation, cuts, variables, tuple(blocks), tuple(calls))


@dataclass(slots=True)
class _Way:
    """What is known at a location inside a block: how runs get there, and with which values."""

    guard: Formula
    state: dict[str, Term]
    reads: list[Read]
    free: list[Formula]
    exact: bool
    edges: frozenset[int]
    overflows: list[Formula] = field(default_factory=list)


class _Making:
    """The blocks of one procedure."""

    def __init__(
        self,
        procedure: Procedure,
        translation: Translation,
        variables: Mapping[str, Term],
        cuts: frozenset[Location],
        numbers: Iterator[int],
        parameters: Mapping[str, list[Type]],
        whole: bool,
    ) -> None:
        self.procedure = procedure
        self.whole = whole
        self.translation = translation
        self.variables = variables
        self.cuts = cuts
        self.numbers = numbers
        self.parameters = parameters
        self.leaving: dict[Location, list[tuple[int, Edge]]] = {}
        for position, edge in enumerate(procedure.edges):
            self.leaving.setdefault(edge.source, []).append((position, edge))

    def calls(self) -> Iterator[Calling]:
        """Yield the calls."""
        for edge in self.procedure.edges:
            if isinstance(edge.action, Call):
                sides = Sides()
                name = edge.action.procedure
                passed = zip(self.parameters[name], edge.action.arguments, strict=True)
                arguments = tuple(
                    self.translation.fit(self.translation.term(argument, self.variables, sides, type=type), type)
                    for type, argument in passed
                )
                free = (*(variable for _, variable in sides.inputs), *sides.invented)
                guard = self.all(sides.conditions)
                overflow = z3.Or(*sides.overflows) if sides.overflows else None
                yield Calling(self.procedure.name, edge, name, guard, arguments, free, sides.exact, overflow)

    def blocks(self, source: Location) -> Iterator[Block]:
        """Yield the blocks that begin at a cut point, by their targets."""
        ways: dict[Location, list[_Way]] = {}
        begin = _Way(z3.BoolVal(True, self.translation.context), dict(self.variables), [], [], True, frozenset())
        for location in self._order(source):
            if location != source and location not in ways:
                continue  # no way leads there
            here = begin if location == source else self._merged(ways.pop(location))
            for edge, after in self._steps(location, here):
                ways.setdefault(edge.target, []).append(after)
        for target in sorted(ways):
            end = self._merged(ways[target])
            if self.whole or not z3.is_false(end.guard):
                yield Block(
                    self.procedure.name,
                    source,
                    target,
                    end.guard,
                    end.state,
                    tuple(end.reads),
                    tuple(end.free),
                    end.exact,
                    end.edges,
                    z3.Or(*end.overflows) if end.overflows else None,
                )

    def _order(self, source: Location) -> list[Location]:
        """Return the cut point and the locations behind it before the next cut points, each after those before it."""
        finished: list[Location] = []
        seen = {source}
        stack = [(source, iter(self.leaving.get(source, ())))]
        while stack:
            location, edges = stack[-1]
            for _, edge in edges:
                inner = edge.target not in self.cuts and edge.target not in seen
                if inner and not isinstance(edge.action, Call):
                    seen.add(edge.target)
                    stack.append((edge.target, iter(self.leaving.get(edge.target, ()))))
                    break
            else:
                finished.append(location)
                stack.pop()
        return finished[::-1]

    def _steps(self, location: Location, here: _Way) -> Iterator[tuple[Edge, _Way]]:
        """Yield what each edge makes of what is known at a location."""
        edges = [(position, edge) for position, edge in self.leaving.get(location, ()) if not _is_call(edge)]
        plain = [edge for _, edge in edges]
        selectors = [] if _exclusive(plain) or self._apart(plain) else self._selectors(len(edges))
        for number, (position, edge) in enumerate(edges):
            guards = [z3.Not(selector) for selector in selectors[:number]]
            guards += selectors[number : number + 1]
            after = self._after(here, edge, guards)
            after.free += selectors
            after.edges = here.edges | {position}
            if self.whole or not z3.is_false(after.guard):
                yield edge, after

    def _apart(self, edges: list[Edge]) -> bool:
        """Tell whether z3 sees quickly that at most one of several conditions can hold, as those of a switch."""
        sides, conditions = Sides(), []
        for edge in edges:
            if not isinstance(edge.action, Assume) or has_choice(edge.action.condition):
                return False
            conditions.append(self.translation.formula(edge.action.condition, self.variables, sides))
        solver = z3.Solver(ctx=self.translation.context)
        solver.set("rlimit", _QUICKLY)
        solver.add(z3.AtLeast(*conditions, 2))
        return bool(solver.check() == z3.unsat)

    def _selectors(self, edges: int) -> list[Formula]:
        """Return Booleans that say which of several edges is taken: the first one that is true."""
        return [z3.Bool(f"selector!{next(self.numbers)}", self.translation.context) for _ in range(edges - 1)]

    def _after(self, here: _Way, edge: Edge, guards: list[Formula]) -> _Way:
        sides, state = Sides(), dict(here.state)
        term = self.translation.term
        match edge.action:
            case Assume(condition):
                guards = [*guards, term(condition, here.state, sides).value]
            case Assign(targets, values, constraint):
                state |= self._written(targets, values, here.state, sides)
                if constraint != TRUE:
                    guards = [*guards, self.translation.formula(constraint, here.state, sides, state)]
            case Return(values):
                state |= self._written(self.procedure.results, values, here.state, sides)
            case action:
                raise Unsuitable(f"line {edge.span.line}: '{word_of(action)}' is nothing for a solver")
        reads = [*here.reads, *(Read(edge, choice, variable) for choice, variable in sides.inputs)]
        free = [*here.free, *(variable for _, variable in sides.inputs), *sides.invented]
        guard = self.all([here.guard, *guards, *sides.conditions])
        more = [self.all([here.guard, *sides.facts, z3.Or(*sides.overflows)])] if sides.overflows else []
        return _Way(guard, state, reads, free, here.exact and sides.exact, here.edges, [*here.overflows, *more])

    def _written(self, targets: Iterable[str], values: Iterable[Expr], state: State, sides: Sides) -> dict[str, Term]:
        written: dict[str, Term] = {}
        for target, value in zip(targets, values, strict=True):
            type = self.variables[target].type
            found = self.translation.term(value, state, sides, type=type)
            written[target] = self.translation.fit(found, type)
        return written

    def _merged(self, ways: list[_Way]) -> _Way:
        """Return several ways to one location as one; their guards exclude each other."""
        if len(ways) == 1:
            return ways[0]
        state: dict[str, Term] = {}
        for name in self.variables:
            found = ways[-1].state[name]
            for way in reversed(ways[:-1]):
                found = self.translation.either(way.guard, way.state[name], found)
            state[name] = found
        reads = {read.variable.get_id(): read for way in ways for read in way.reads}
        free = {variable.get_id(): variable for way in ways for variable in way.free}
        edges = frozenset().union(*(way.edges for way in ways))
        guard = z3.simplify(z3.Or(*(way.guard for way in ways)))
        over = {formula.get_id(): formula for way in ways for formula in way.overflows}
        exact = all(way.exact for way in ways)
        return _Way(guard, state, list(reads.values()), list(free.values()), exact, edges, list(over.values()))

    def all(self, formulas: list[Formula]) -> Formula:
        """Return a conjunction without what is plainly true."""
        kept = [formula for formula in formulas if not z3.is_true(formula)]
        if any(z3.is_false(formula) for formula in kept):
            return z3.BoolVal(False, self.translation.context)
        if not kept:
            return z3.BoolVal(True, self.translation.context)
        return kept[0] if len(kept) == 1 else z3.And(*kept)


def _is_call(edge: Edge) -> bool:
    return isinstance(edge.action, Call)


def _exclusive(edges: list[Edge]) -> bool:
    """Tell whether at most one of the edges that leave a location can be taken, as far as their form tells."""
    if len(edges) < 2:
        return True
    match edges:
        case [Edge(_, Assume(one)), Edge(_, Assume(other))]:
            if Not(one) == other or Not(other) == one:
                return True
            if isinstance(one, Compare) and isinstance(other, Compare):
                same = one.left == other.left and one.right == other.right
                return same and other.operator in (_OPPOSITE.get(one.operator), _inverse(one.operator))
    return False


def _inverse(operator: Comparison) -> Comparison | None:
    return next((key for key, value in _OPPOSITE.items() if value is operator), None)
