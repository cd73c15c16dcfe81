"""Sessions: ask, edit the rules, ask again; only what an edit reaches is computed again.

Lal (PhD thesis, University of Wisconsin, 2009), section 4.2.3.  A session keeps the dependence graph, the path
expressions and the weights of its question.  An edit rebuilds the procedures whose rules changed; the weights of other
procedures are looked at again only if a procedure that they call changed its weight.

    session = Session(system)
    session.post(single("p", "main"))
    session.at("error")
    session.edit(add=[rule], remove=[other])
    session.at("error")
    str(session.explain())
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton, Wildcard
from knaster.pushdown.fast.rule_numbers import EMPTY_WORD, LOW, Row, symbol_of
from knaster.pushdown.fast.solver import FastSolver, require_path_extension
from knaster.pushdown.numbering import NONE
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.least import LIMIT
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, State, Symbol
from knaster.pushdown.tick import Tick

W = TypeVar("W")

Sides = tuple[State, Symbol, State, tuple[Symbol, ...]]

GROWTH = 4  # the expressions may grow to so many times their first number before they are made anew
SMALL = 10_000  # expressions that are never worth that


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was computed since the last edit, or since the question was asked.

    `procedures` are the entries of the procedures whose summaries were computed or have changed, `rebuilt` counts the
    procedures whose path expressions were made, `operations` those on weights; `scratch` tells why nothing was reused.
    """

    procedures: tuple[str, ...]
    rebuilt: int
    operations: int
    scratch: str = ""

    def __str__(self) -> str:
        start = f"computed from scratch, because {self.scratch}" if self.scratch else "computed again"
        names = f" ({', '.join(self.procedures)})" if self.procedures else ""
        return (
            f"{start}: {_count(len(self.procedures), 'summary', 'summaries')}{names}, path expressions of "
            f"{_count(self.rebuilt, 'procedure', 'procedures')}, "
            f"{_count(self.operations, 'operation', 'operations')} on weights"
        )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


class Session(Generic[W]):
    """A system that can be edited, and one question to it that is answered again after every edit.

    `tick` is called often while something is computed and stops that by raising; the session can still be used.  An
    edit that it stops is made all the same.
    """

    def __init__(self, system: PushdownSystem[W], *, limit: int = LIMIT, tick: Tick | None = None) -> None:
        require_path_extension(system)
        self._domain = system.domain
        self._limit, self._tick = limit, tick
        self._rules: dict[int, Rule[W]] = dict(enumerate(system.given))
        self._next = len(self._rules)
        self._places: dict[Sides, list[int]] | None = None
        self._system: PushdownSystem[W] | None = system
        self._solver: FastSolver[W] | None = None
        self._numbers: dict[int, list[int]] = {}  # given rule -> rules of the solver
        self._question: Automaton[W] | None = None
        self._forward = False
        self._scratch = "the question is new"
        self._before = (0, 0)
        self._size = 0

    @property
    def system(self) -> PushdownSystem[W]:
        """The system as it is now."""
        if self._system is None:
            self._system = PushdownSystem.of(self._domain, self._rules.values())
        return self._system

    def post(self, sources: Automaton[W]) -> Answer[W]:
        """Ask for everything that is reached from `sources`; return the answer, which is valid until the next edit."""
        return self._ask(sources, forward=False)

    def pre(self, targets: Automaton[W]) -> Answer[W]:
        """Ask for everything that reaches `targets`; return the answer, which is valid until the next edit."""
        return self._ask(targets, forward=True)

    def __repr__(self) -> str:
        return f"<Session with {self.system!r}>"

    def at(self, node: Symbol, context: Sequence[Symbol] = (), state: State | None = None) -> W:
        """Return the combined weight of the configurations whose stack starts with `node` and the symbols of `context`.

        Only those of one control state if `state` is given.  0 means that there are none.  A string is one symbol.
        """
        if isinstance(context, str):
            context = (context,)
        solver = self._current()
        names = solver.automaton.symbols.numbers
        symbols = [names[symbol] for symbol in (node, *context) if symbol in names]
        total = self._domain.zero
        if len(symbols) <= len(context):
            return total
        control = solver.automaton.states.numbers.get(state, solver.automaton.controls)
        for number in range(solver.automaton.controls) if state is None else [control]:
            if number < solver.automaton.controls:
                weight = solver.equations.weight(solver.starting_with(number, symbols))
                total = self._domain.combine(total, weight)
        return total

    def weight_of(self, configuration: Configuration) -> W:
        """Return the weight of one configuration."""
        solver = self._current()
        numbers = solver.automaton.symbols.numbers
        control = solver.automaton.states.numbers.get(configuration.state, solver.automaton.controls)
        if control >= solver.automaton.controls or any(symbol not in numbers for symbol in configuration.stack):
            return self._domain.zero
        return solver.equations.weight(solver.exactly(control, [numbers[each] for each in configuration.stack]))

    def edit(self, add: Iterable[Rule[W]] = (), remove: Iterable[Rule[W]] = ()) -> None:
        """Remove some rules, then add some; raise `UsageError` for a rule that is not there, and change nothing."""
        added = PushdownSystem.of(self._domain, add)
        require_path_extension(added)
        gone = self._find(remove)
        first = self._next
        for number in gone:
            self._drop(number)
        for rule in added.given:
            self._keep(rule)
        self._system = None
        if self._solver is not None:
            try:
                self._update(added, gone, first)
            except BaseException:  # a tick or a domain that gives up in the middle
                self._solver = None
                self._scratch = "the last edit was interrupted"
                raise

    def explain(self) -> Explanation:
        """Return what was computed since the last edit, or since the question was asked."""
        solver = self._current()
        rebuilt, operations = self._before
        return Explanation(
            tuple(sorted({_procedure(solver, vertex) for vertex in _summaries(solver)})),
            solver.procedures.rebuilt - rebuilt,
            solver.evaluator.evaluations - operations,
            self._scratch,
        )

    def _ask(self, question: Automaton[W], forward: bool) -> Answer[W]:
        if self._solver is None or question != self._question or forward != self._forward:
            self._question, self._forward, self._solver = question, forward, None
            self._restart("the question is new")
        return self._current().answer(self.system)

    def _restart(self, reason: str) -> None:
        assert self._question is not None
        system = self.system
        solver = FastSolver(system, self._question, forward=self._forward, limit=self._limit, tick=self._tick)
        places = list(self._rules)
        owners = _owners(system)
        self._numbers = {place: [] for place in places}
        for number, small in enumerate(solver.rules.place):
            self._numbers[places[owners[small]]].append(number)
        self._scratch = reason
        self._before = (0, 0)
        self._size = 0
        self._solver = solver

    def _update(self, added: PushdownSystem[W], gone: Sequence[int], first: int) -> None:
        """Hand an edit to the solver, or forget the solver where it cannot take the edit."""
        solver = self._solver
        assert solver is not None and self._question is not None
        size = len(solver.expressions)
        self._size = self._size or size
        rows = _rows(solver, added, any(isinstance(edge.symbol, Wildcard) for edge in self._question.edges))
        if isinstance(rows, str) or size > max(SMALL, GROWTH * self._size):
            self._solver = None
            self._scratch = rows if isinstance(rows, str) else "the old expressions had become too many"
            return
        removed = [number for place in gone for number in self._numbers.pop(place)]
        self._scratch = ""
        self._before = (solver.procedures.rebuilt, solver.evaluator.evaluations)
        solver.equations.recomputed.clear()
        numbers = solver.edit(list(zip(added.rules, rows, strict=True)), removed)
        for place, number in enumerate(numbers, first):
            self._numbers[place] = [] if number is None else [number]

    def _current(self) -> FastSolver[W]:
        if self._question is None:
            raise UsageError("nothing was asked yet; begin with post or pre")
        if self._solver is None:
            self._restart(self._scratch)
        assert self._solver is not None
        return self._solver

    def _find(self, rules: Iterable[Rule[W]]) -> list[int]:
        """Return the numbers of given rules, a different one for each."""
        found: list[int] = []
        for rule in rules:
            places = self._index().get(_left_and_right(rule), [])
            same = (n for n in places if n not in found and self._rules[n] == rule)
            number = next(same, None)
            if number is None:
                raise UsageError(f"{rule} cannot be removed: there is no such rule of this weight")
            found.append(number)
        return found

    def _index(self) -> dict[Sides, list[int]]:
        if self._places is None:
            self._places = {}
            for number, rule in self._rules.items():
                self._places.setdefault(_left_and_right(rule), []).append(number)
        return self._places

    def _drop(self, number: int) -> None:
        self._index()[_left_and_right(self._rules.pop(number))].remove(number)

    def _keep(self, rule: Rule[W]) -> None:
        self._index().setdefault(_left_and_right(rule), []).append(self._next)
        self._rules[self._next] = rule
        self._next += 1


def _left_and_right(rule: Rule[W]) -> Sides:
    return rule.source, rule.symbol, rule.target, rule.push


def _owners(system: PushdownSystem[W]) -> list[int]:
    """Return for every rule the given rule that it is a part of."""
    owners: list[int] = []
    for origin in system.origin:
        owners.append(owners[-1] if origin is None else origin)
    return owners


def _rows(solver: FastSolver[W], added: PushdownSystem[W], has_wildcards: bool) -> list[Row] | str:
    """Return new rules in the numbers of a solver, or why it cannot take them."""
    automaton = solver.automaton
    if len(added.rules) > len(added.given):
        return "a new rule pushes more than two symbols"
    controls = [automaton.states.numbers.get(state, automaton.controls) for state in added.table.states.names]
    if any(number >= automaton.controls for number in controls):
        return "a new rule has a new control state"
    if has_wildcards and any(symbol not in automaton.symbols.numbers for symbol in added.table.symbols.names):
        return "a new rule has a symbol that a wildcard of the question did not know"
    letters = [automaton.symbols.number(symbol) for symbol in added.table.symbols.names]
    table = added.table
    return [
        (
            controls[table.source[i]],
            letters[table.symbol[i]],
            controls[table.target[i]],
            NONE if table.first[i] == NONE else letters[table.first[i]],
            NONE if table.second[i] == NONE else letters[table.second[i]],
        )
        for i in range(len(table))
    ]


def _summaries(solver: FastSolver[W]) -> list[int]:
    """Return the out-nodes that were computed again: the transitions that stand for whole callees."""
    graph, controls = solver.dependence.graph, solver.automaton.controls
    if solver.dependence.forward:
        return [vertex for vertex in solver.equations.recomputed if graph.target[vertex] < controls]
    return [vertex for vertex in solver.equations.recomputed if symbol_of(graph.key[vertex]) == EMPTY_WORD]


def _procedure(solver: FastSolver[W], vertex: int) -> str:
    """Return the name of the procedure that an out-node summarises: the symbol at its entry."""
    graph, automaton = solver.dependence.graph, solver.automaton
    symbol = symbol_of(graph.key[vertex])
    if not solver.dependence.forward:
        own = len(automaton.states.names)
        target = graph.target[vertex]
        if target < own:
            return "the question"
        symbol = solver.dependence.middle[target - own] & LOW
    return str(automaton.symbols.names[symbol])
