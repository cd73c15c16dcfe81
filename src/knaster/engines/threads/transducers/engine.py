"""Decides targets of threads by transducers: one context relates words to words, applied to all configurations.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
section 6.3.  A configuration is a word: the globals, then the stacks of all threads.  With all values explicit no
weights are needed, so the set of what is reachable is made canonical after each context, and where a context does not
change it, it is complete for every number of switches.  Traces are found by sets of stacks (`contexts`)."""

from __future__ import annotations

import time

from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.engines.contract import STOPPED, Findings, Task, Undecided
from knaster.engines.threads.pushdown_systems import Frame, Shared, Systems, systems_of
from knaster.engines.threads.pushdown_traces import traces_within
from knaster.engines.threads.transducers import TransducersOptions
from knaster.evidence.questions.question import Bound
from knaster.program.model import Place
from knaster.pushdown.numbering import Names
from knaster.pushdown.transducers.images import image
from knaster.pushdown.transducers.language import Language, language_of
from knaster.pushdown.transducers.of_system import context_of
from knaster.pushdown.transducers.transducer import Control, Transducer


def transducers(task: Task) -> Findings:
    """Decide every target by applying the transducer of one context again and again."""
    started = time.perf_counter()
    assert isinstance(task.options, TransducersOptions)
    unknown: Undecided | None = None
    search = None
    try:
        systems = systems_of(task.program, task.options.rules, task.budget.check)
        search = _Search(task, systems)
        search.run()
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    least = {target: search.least[target.place] for target in task.targets if search and target.place in search.least}
    contexts = search.contexts if search else 0
    closed = search is not None and search.closed
    covered = contexts - 1 if contexts else None
    if closed and task.bound is not None and unknown is None:
        covered = task.bound.number
    undecided = not closed and len(least) < len(task.targets)
    if undecided and unknown is None and task.first and least:
        unknown = STOPPED
    return Findings(
        frozenset(least),
        unknown,
        {
            "fixpoint_seconds": time.perf_counter() - started,
            "moves": len(search.context.moves) if search else 0,
            "states": len(search.reached.moves) if search else 0,
            "contexts": contexts,
        },
        traces=lambda targets: traces_within(task.program, systems, max(least.values()), targets, task.budget.check),
        bound=Bound("switches", covered) if undecided and covered is not None else None,
        least=least,
        covered=covered,
    )


@dataclass(slots=True)
class _Search:
    """The words of what is reachable, context by context."""

    task: Task
    systems: Systems
    names: Names = field(default_factory=Names)
    context: Transducer[bool] = field(init=False)
    reached: Language = field(init=False)
    least: dict[Place, int] = field(default_factory=dict)
    contexts: int = 0
    closed: bool = False

    def __post_init__(self) -> None:
        starts = self.systems.starts
        symbols = [[symbol for joint in starts for symbol in joint.stacks[n]] for n in range(len(self.systems.systems))]
        self.context = context_of(
            self.systems.systems,
            states=[joint.state for joint in starts],
            symbols=symbols,
            is_start=lambda state: self.systems.is_open(state) or state in {joint.state for joint in starts},
            is_end=lambda state: isinstance(state, Shared) and state.results is None,
            tick=self.task.budget.check,
        )
        self.reached = self._words()

    def _words(self) -> Language:
        """Return the words of the configurations in which the program starts."""
        moves: dict[int, list[tuple[int, int]]] = {0: []}
        last = 0
        for joint in self.systems.starts:
            here = 0
            for symbol in joint.word():
                last += 1
                moves[here].append((self.names.number(symbol), last))
                moves[last] = []
                here = last
        ends = [state for state, row in moves.items() if not row and state]
        return language_of(0, moves, ends)

    def run(self) -> None:
        """Go on until nothing is new, every target is reached, or the bound is."""
        bound = self.task.bound
        while not self.closed and (bound is None or self.contexts <= bound.number):
            self.task.budget.tell(f"{self.contexts} contexts, an automaton of {len(self.reached.moves)} states")
            after = image(self.reached, self.context, self.names, self.task.budget.check)
            for place in self._places(after):
                self.least.setdefault(place, self.contexts)
            following = self._open(after)
            self.closed = self.reached.includes(following)
            self.reached = following
            self.contexts += 1
            hits = [target.place in self.least for target in self.task.targets]
            if all(hits) or (self.task.first and any(hits)):
                break

    def _places(self, words: Language) -> list[Place]:
        """Return where topmost activations stand: those that wait for no callee."""
        letters = dict.fromkeys(letter for row in words.moves for letter, _ in row)
        frames = (self.names.names[letter] for letter in letters)
        return [f.place for f in frames if isinstance(f, Frame) and f.location >= 0 and f.calling is None]

    def _open(self, words: Language) -> Language:
        """Return the words in whose control states another thread may run."""
        moves = {state + 1: list(row) for state, row in enumerate(words.moves)}
        shifted = {state: [(letter, target + 1) for letter, target in row] for state, row in moves.items()}
        shifted[0] = [(letter, target) for letter, target in shifted[1] if self._is_open(letter)]
        return language_of(0, shifted, [state + 1 for state, accepts in enumerate(words.accepting) if accepts])

    def _is_open(self, letter: int) -> bool:
        control = self.names.names[letter]
        return isinstance(control, Control) and self.systems.is_open(control.state)
