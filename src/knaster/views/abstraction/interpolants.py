"""Finds predicates that exclude a path which the abstraction has and the program has not, by tree interpolants.

A path into calls that return is a tree.  As Horn clauses, a relation for each of its points, it has no cycles, and a
model of the clauses is a tree interpolant: at each point a formula that follows from what comes before, excludes what
comes after, and speaks of what is in scope there; at the exit of a callee of its results and the values at its entry.
M. Heizmann, J. Hoenicke and A. Podelski, Nested Interpolants (POPL 2010); K. L. McMillan and A. Rybalchenko, Solving
Constrained Horn Clauses Using Interpolation (2013).  Spacer finds the model.  Points of calls that are alike are one
point, so that a path with doubled calls stays small.

Whatever the formulas are, their atoms are only predicates, so they may come from a guess: that no operator wraps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knaster.base.records import dataclass, replace
from knaster.program.algebra import atoms
from knaster.program.effects import effects, variables_in
from knaster.program.expression import TRUE, Expr, Var, variables
from knaster.program.liveness import live_variables
from knaster.program.model import Place, old
from knaster.program.types import INTEGER, Int, Type
from knaster.smt.horn import Clauses
from knaster.smt.integers import Integers
from knaster.smt.read_back import NotRead, read
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula, Sides, Term, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.abstraction.relations import Minterm
from knaster.views.steps.paths import CallPath, Paths, StepPath

_INSIDE = "callee "  # before the names of a callee's state at its exit
Point = tuple[object, Place, Minterm]  # of which run (None: the outermost one), where, and what holds


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a path: over a path, over a call whose run goes from `inside` to `leave`, or into a call for good."""

    by: StepPath | CallPath
    target: Point
    inside: Point | None = None
    leave: Point | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A path through the abstraction: where it starts and ends, and the step that leaves each point.

    The whole program has this form too (`everything`): several steps can leave a point there, and they make cycles.
    """

    start: Point
    ends: tuple[Point, ...]
    links: Mapping[Point, tuple[Link, ...]]


def everything(paths: Paths, targets: Iterable[Place]) -> Tree:
    """Return the whole program: a model of its clauses are invariants, and their atoms are predicates like others."""
    links: dict[Point, tuple[Link, ...]] = {}
    for run in (None, _INSIDE):
        for place in paths.places():
            found = [Link(path, (run, (place[0], path.target), ())) for path in paths.leaving[place]]
            site = paths.calls.get(place)
            if site is not None:
                first: Point = (_INSIDE, paths.entries[site.callee], ())
                leave: Point = (_INSIDE, paths.exits[site.callee], ())
                found.append(Link(site, (run, (place[0], site.target), ()), first, leave))
                if run is None:
                    found.append(Link(site, (run, paths.entries[site.callee], ())))
            links[run, place, ()] = tuple(found)
    ends: list[Point] = [(None, place, ()) for place in targets]
    for end in ends:
        links[end] = ()
    return Tree((None, paths.entries[paths.main], ()), tuple(ends), links)


class Interpolation:
    """Asks Spacer about paths of one program."""

    def __init__(self, paths: Paths, session: Session) -> None:
        self.paths = paths
        self.session = session
        self._live = live_variables(paths.program)
        self._effects = effects(paths.program)

    def predicates(self, tree: Tree, units: int, wraps: bool, down: bool) -> list[tuple[Place, Expr]] | None:
        """Return atoms of formulas between steps that do not lead to an end; None where they do, perhaps."""
        try:
            clauses = _Clauses(self, tree, wraps, down)
        except Unsuitable:
            return None
        if clauses.horn.query(clauses.goal(), units) is not Answer.UNSATISFIABLE:
            return None
        return list(dict.fromkeys(clauses.atoms()))

    def columns(self, point: Point) -> tuple[str, ...]:
        """Return the variables that the relation of a point speaks of."""
        run, place, _ = point
        name, location = place
        procedure, own = self.paths.program.procedure(name), self._effects[name]
        scope, touched = self.paths.program.scope(procedure), own.mod | own.ref | set(procedure.frame)
        begun = [v for v in variables_in(self._live[name][procedure.entry], scope) if v in touched]
        given = [v for v in begun if v in self.paths.program.globals or v in procedure.parameters]
        if place == self.paths.entries[name]:
            return tuple(given)
        if place == self.paths.exits[name]:
            return (*procedure.results, *(g for g in self.paths.program.globals if g in own.mod), *map(old, given))
        now = [v for v in variables_in(self._live[name][location], scope) if v in touched]
        if run is not None:
            now += [v if v in self.paths.rigid[name] else old(v) for v in given]
        return tuple(dict.fromkeys(now))


class _Clauses:
    """The clauses of one path."""

    def __init__(self, owner: Interpolation, tree: Tree, wraps: bool, down: bool) -> None:
        self.owner = owner
        self.paths = owner.paths
        self.tree = tree
        self.down = down
        self.translation = Translation(Integers(owner.session.context, wraps))
        self.horn = Clauses(owner.session)
        self.relations = {}
        for number, point in enumerate(_points(tree)):
            sorts = [self._variable(point, name).value.sort() for name in owner.columns(point)]
            self.relations[point] = self.horn.relation(f"{number}@{point[1][0]}@{point[1][1]}", sorts)
        self.goal = self.horn.relation("goal", ())
        self._add_start(tree.start, self.paths.program.init)
        links = [(point, link) for point in self.relations for link in tree.links.get(point, ())]
        if not down:
            for inside in dict.fromkeys(link.inside for _, link in links):
                if inside is not None:
                    self._add_start(inside, TRUE)
        for source, link in links:
            if isinstance(link.by, StepPath):
                self._add_path(source, link.target, link.by)
            else:
                self._add_call(source, link, link.by)
        for end in tree.ends:
            if end in self.relations:
                self._add_rule(end, self._state(end), self.goal(), Sides())

    def _variable(self, point: Point, name: str, prefix: str = "") -> Term:
        return self.translation.numbers.variable(prefix + name, self.paths.types[point[1][0]][name])

    def _state(self, point: Point, spoken: Iterable[Expr] = ()) -> dict[str, Term]:
        """Return the variables of the state at a point: those of its relation, and what expressions speak of."""
        own = self.paths.types[point[1][0]]
        names = {name for expr in spoken for name in variables(expr) if name in own}
        return {name: self._variable(point, name) for name in (*self.owner.columns(point), *sorted(names))}

    def _add_start(self, point: Point, condition: Expr) -> None:
        """Add that a run begins where a condition holds."""
        sides, state = Sides(), self._state(point, (condition,))
        sides.facts.append(self.translation.formula(condition, state, sides))
        self._add(state, self._at(point, state), sides)

    def _at(self, point: Point, state: Mapping[str, Term]) -> Formula:
        types = self.paths.types[point[1][0]]
        values = [self.translation.fit(state[name], types[name]).value for name in self.owner.columns(point)]
        return self.relations[point](*values)

    def _add_path(self, source: Point, target: Point, path: StepPath) -> None:
        updates = {name: path.update.get(name, Var(name)) for name in self.owner.columns(target)}
        state = self._state(source, (*path.guard, *updates.values()))
        state |= {entry.name: self.translation.numbers.variable(entry.name, entry.type) for entry in path.inputs}
        sides = Sides()
        sides.facts += [self.translation.formula(part, state, sides) for part in path.guard]
        after = {name: self._value(value, state, sides, path.procedure, name) for name, value in updates.items()}
        self._add_rule(source, state, self._at(target, after), sides)

    def _value(self, expr: Expr, state: Mapping[str, Term], sides: Sides, procedure: str, name: str) -> Term:
        return self.translation.term(expr, state, sides, type=self.paths.types[procedure][name])

    def _add_call(self, source: Point, link: Link, site: CallPath) -> None:
        sides, globals = Sides(), self.paths.program.globals
        state = self._state(source, (*site.guard, *site.arguments.values(), *map(Var, globals)))
        sides.facts += [self.translation.formula(part, state, sides) for part in site.guard]
        given = {name: state[name] for name in globals}
        for name, value in site.arguments.items():
            given[name] = self._value(value, state, sides, site.callee, name)
        if link.inside is None or link.leave is None:
            self._add_rule(source, state, self._at(link.target, given), sides)
            return
        if self.down:
            self._add_rule(source, state, self._at(link.inside, given), replace(sides, facts=list(sides.facts)))
        new = {name: self._variable(link.leave, name, _INSIDE) for name in self.owner.columns(link.leave)}
        leaving = {**new, **{old(name): term for name, term in given.items()}}
        sides.facts.append(self._at(link.leave, leaving))
        state |= self._state(source, map(Var, self.owner.columns(link.target)))
        after = {**state, **{name: {**given, **leaving}[result] for name, result in site.results.items()}}
        state |= {_INSIDE + name: term for name, term in new.items()}
        self._add_rule(source, state, self._at(link.target, after), sides)

    def _add_rule(self, source: Point, state: Mapping[str, Term], head: Formula, sides: Sides) -> None:
        """Add a clause that leads on from a point; the state has all its variables."""
        sides.facts.append(self._at(source, state))
        self._add(state, head, sides)

    def _add(self, state: Mapping[str, Term], head: Formula, sides: Sides) -> None:
        ranges = [fact for term in state.values() for fact in self.translation.numbers.within(term)]
        free = [*(term.value for term in state.values()), *sides.invented, *(value for _, value in sides.inputs)]
        self.horn.rule(free, head, [*sides.conditions, *ranges])

    def atoms(self) -> Iterator[tuple[Place, Expr]]:
        """Yield what the formulas of the model are made of, by place, in the order of the path."""
        model = self.horn.model()
        for point, relation in self.relations.items():
            meaning = model.get(relation.name())
            if meaning is None:
                continue
            state = self._state(point)
            names: dict[int, tuple[Expr, Type]] = {
                term.value.get_id(): (Var(name), INTEGER if isinstance(term.type, Int) else term.type)
                for name, term in state.items()
            }
            try:
                formula = read(meaning.of([state[name].value for name in self.owner.columns(point)]), names)
            except NotRead:
                continue
            yield from ((point[1], atom) for atom in atoms(formula))


def _points(tree: Tree) -> Iterator[Point]:
    """Yield the points of a path, callees where they are called."""
    seen: dict[Point, None] = {}
    todo: list[Point] = [tree.start]
    while todo:
        point = todo.pop()
        if point in seen:
            continue
        seen[point] = None
        yield point
        for link in tree.links.get(point, ()):
            todo.append(link.target)
            if link.inside is not None and link.leave is not None:
                todo += [link.leave, link.inside]
