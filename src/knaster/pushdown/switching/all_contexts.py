"""Computes what several pushdown systems that share control states reach, with any number of context switches.

Qadeer and Rehof, Context-Bounded Model Checking of Concurrent Software (TACAS 2005): a symbolic configuration is a
control state and, for each system, a regular set of stacks; in a context one system replaces its set by post* of it,
one set for each control state in which it can stop.  Liu and Wahl, CUBA: Interprocedural Context-UnBounded Analysis
of Concurrent Programs (PLDI 2018): the search ends where a context adds nothing new, and what was found is then
everything, for every number of switches.  (The problem is undecidable: sets of stacks can grow for ever.)  That the
sets are canonical automata and that a configuration inside a larger one is not looked at again are what makes it end
often.

Contexts are counted from 1: with k switches there are k + 1.  Only in an *open* control state may another system run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from knaster.base.errors import UsageError
from knaster.base.graphs import components
from knaster.base.records import dataclass, field
from knaster.pushdown.automaton import Automaton, Edge, Inner
from knaster.pushdown.numbering import Names
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import PushdownSystem, State, Symbol
from knaster.pushdown.tick import Tick
from knaster.pushdown.transducers.contexts import Joint
from knaster.pushdown.transducers.language import Language, language_of, single_word
from knaster.pushdown.transducers.phases import phases_of

Stacks = tuple[Language, ...]  # of every system
Top = tuple[int, State, Symbol | None]  # which system runs, the control state, and its topmost symbol, None: no symbol


@dataclass(frozen=True, slots=True)
class Entry:
    """A control state in which another system may run, and what the stacks may be."""

    state: State
    stacks: Stacks


@dataclass(frozen=True, slots=True)
class Row:
    """A context: which system runs, what the stacks were when it started, and its own in every state it reaches."""

    running: int
    stacks: Stacks
    reached: Mapping[State, Language]
    state: State = field(default=None, compare=False)  # in which it started, for `history`
    before: Row | None = field(default=None, compare=False, repr=False)  # the context before it, None for the first


@dataclass(slots=True)
class Reached:
    """What several systems reach: the rows of all contexts, and the least number of contexts for each top of a stack.

    Where `closed`, the rows contain all that can be reached with any number of contexts; otherwise with `contexts`.
    """

    systems: Sequence[PushdownSystem[bool]]
    starts: tuple[Joint, ...]
    is_open: Callable[[State], bool]
    symbols: tuple[Names, ...]
    rows: list[Row] = field(default_factory=list)
    least: dict[Top, int] = field(default_factory=dict)
    first: dict[Top, Row] = field(default_factory=dict, repr=False)  # the context that reached each top first
    sizes: list[int] = field(default_factory=list)  # new entries after each number of contexts
    contexts: int = 0
    closed: bool = False


def reach_all_contexts(
    systems: Sequence[PushdownSystem[bool]],
    start: Joint | Sequence[Joint],
    *,
    is_open: Callable[[State], bool] = lambda state: True,
    most: int | None = None,
    tick: Tick | None = None,
) -> Reached:
    """Return what the systems reach from `start` in any number of contexts, or in at most so many.

    Without `most` it need not end; then `tick` must, by raising.  A `Search` keeps what was found until then.
    """
    starts = [start] if isinstance(start, Joint) else list(start)
    search = Search(systems, starts, is_open, tick)
    while not search.found.closed and (most is None or search.found.contexts < most):
        search.next_context()
    return search.found


class Search:
    """A search that goes on by one context at a time; what `found` has is right whenever it is stopped."""

    def __init__(
        self,
        systems: Sequence[PushdownSystem[bool]],
        starts: Sequence[Joint],
        is_open: Callable[[State], bool] = lambda state: True,
        tick: Tick | None = None,
    ) -> None:
        for joint in starts:
            if len(joint.stacks) != len(systems):
                raise UsageError(f"a configuration of {len(systems)} systems has {len(systems)} stacks")
        names = tuple(Names() for _ in systems)
        for number, system in enumerate(systems):
            for rule in system.given:
                for symbol in (rule.symbol, *rule.push):
                    names[number].number(symbol)
        self.tick = tick
        self.found = Reached(systems, tuple(starts), is_open, names)
        self._memory: dict[tuple[int, State, Language], Mapping[State, Language]] = {}
        self._known: dict[State, list[Stacks]] = {}
        self._new: list[tuple[Entry, Row | None]] = []  # entries to look at, and the context that led to each
        for joint in starts:
            stacks = tuple(
                single_word([names[number].number(symbol) for symbol in stack])
                for number, stack in enumerate(joint.stacks)
            )
            self._add(Entry(joint.state, stacks), None, self._new)

    def next_context(self) -> None:
        """Let every system run in what the last context added."""
        found = self.found
        following: list[tuple[Entry, Row | None]] = []
        rows: list[Row] = []
        for entry, before in self._new:
            for number in range(len(found.systems)):
                if before is not None and number == before.running:
                    continue
                if self.tick is not None:
                    self.tick()
                reached = self._after(number, entry.state, entry.stacks[number])
                rows.append(Row(number, entry.stacks, reached, entry.state, before))
        for row in rows:
            for state, language in row.reached.items():
                if found.is_open(state):
                    stacks = (*row.stacks[: row.running], language, *row.stacks[row.running + 1 :])
                    self._add(Entry(state, stacks), row, following)
        self._new = following  # nothing above has changed what was found, so a tick may raise at any time
        found.rows += rows
        found.contexts += 1
        found.sizes.append(len(following))
        found.closed = not following
        for row in rows:
            for state, language in row.reached.items():
                self._note(row, state, language)

    def _note(self, row: Row, state: State, language: Language) -> None:
        found, names = self.found, self.found.symbols[row.running].names
        for top in language.tops():
            key = row.running, state, None if top is None else names[top]
            if key not in found.least:
                found.least[key], found.first[key] = found.contexts, row

    def _add(self, entry: Entry, before: Row | None, queue: list[tuple[Entry, Row | None]]) -> None:
        """Let an entry wait unless one that contains it is known."""
        known = self._known.setdefault(entry.state, [])
        for stacks in known:
            if all(large.includes(small) for large, small in zip(stacks, entry.stacks, strict=True)):
                return
        known.append(entry.stacks)
        queue.append((entry, before))

    def _after(self, number: int, state: State, stacks: Language) -> Mapping[State, Language]:
        """Return the sets of stacks of one system after a context, by control state."""
        key = number, state, stacks
        if key not in self._memory:
            system, names = self.found.systems[number], self.found.symbols[number]
            answer = post_star(system, stacks_as_set(state, stacks, names), tick=self.tick)
            self._memory[key] = languages_by_state(answer, names)
        return self._memory[key]


def stacks_as_set(state: State, stacks: Language, names: Names) -> Automaton[bool]:
    """Return the configurations of one control state with the stacks of a set."""
    edges: list[Edge[bool]] = []
    for source, moves in enumerate(stacks.moves):
        for letter, target in moves:
            edges.append(Edge(Inner(1, source), names.names[letter], Inner(1, target)))
            if source == 0:
                edges.append(Edge(state, names.names[letter], Inner(1, target)))
    final = {Inner(1, number) for number, accepts in enumerate(stacks.accepting) if accepts}
    return Automaton(tuple(edges), frozenset(final | ({state} if stacks.accepting[0] else set())), frozenset({state}))


def languages_by_state(answer: Answer[bool], names: Names) -> Mapping[State, Language]:
    """Return the stacks that an answer accepts in each control state where it accepts any."""
    moves: dict[int, list[tuple[int, int]]] = {}
    emptied = set()
    letters = [names.number(symbol) for symbol in answer.symbols.names]
    for source, symbol, target in zip(answer.source, answer.symbol, answer.target, strict=True):
        if symbol == answer.empty:
            if target in answer.final:
                emptied.add(source)
        else:
            moves.setdefault(source, []).append((letters[symbol], target))
    found = {}
    for control in range(answer.controls):
        if control in moves or control in emptied or control in answer.final:
            language = language_of(control, moves, answer.final, control in emptied)
            if not language.is_empty:
                found[answer.states.names[control]] = language
    return found


def has_finite_contexts(system: PushdownSystem[bool]) -> bool:
    """Tell whether a system reaches only finitely many configurations from each one (Liu and Wahl, section 4).

    Then it does so within every number of contexts.  It is enough that no single symbol grows without end: that the
    automaton of what they grow to has no cycle.
    """
    leaving: dict[State, list[State]] = {}
    for transition in phases_of(system).grow:
        leaving.setdefault(transition.source, []).append(transition.target)
    cycles = components(leaving, lambda state: leaving.get(state, ()))
    return not any(len(each) > 1 or each[0] in leaving.get(each[0], ()) for each in cycles)
