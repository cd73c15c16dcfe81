"""Decides questions about C by several methods in turn: a little search, then proofs; the first with evidence is taken.

Each method gets a slice that is counted, never measured, so two runs say the same: search counts states, the others
resource units of z3.  What a method finds out about some targets is kept, and the next one is asked about the others.
With several cores later turns are taken before their time (`helpers`), which changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from knaster.base.errors import MissingError
from knaster.base.options import Options
from knaster.base.records import dataclass, replace
from knaster.engines.contract import BREAKDOWNS, Findings, Mistake, Task, Undecided
from knaster.engines.integers.horn import HornOptions
from knaster.engines.integers.ranking import RankingOptions
from knaster.engines.integers.recurrence import RecurrenceOptions
from knaster.engines.integers.search import SearchOptions
from knaster.engines.integers.unrolled import UnrolledOptions
from knaster.engines.integers.yasm import YasmOptions
from knaster.evidence.answers.answer import Statistics
from knaster.evidence.questions.question import Reach, Target, Temporal
from knaster.evidence.traces.trace import Trace
from knaster.program.floating_point import has_floats
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.engines.integers.helpers import Helpers

_FIRST = 10_000  # states of the search that comes first where runs are to end
_GLANCE = 400_000  # resource units of a first look at what may be easy, a fraction of a second
_SLICE = 5_000_000  # resource units of the first slices of proofs, seconds
STATES = 10_000  # of a search among other methods, a second or less
FEW = 1_000  # of the search that comes first in a small program: what takes longer to find may be easy to prove
ONE_RUN = 200_000  # of a program without inputs, which has one run: some seconds
LARGE = 1_000  # edges of a program of many procedures: predicates have the first turn then, whose cost grows slowest
SHALLOW = 400  # edges of a program whose shortest runs are all looked at before anything is proved
TURNS = 32  # of loops, within which every run may end
FLOAT_DEPTH, FLOAT_WORK = 128, 500  # of the only method for floating-point numbers
MOST = 60_000  # edges of a program that is proved anything about: formulas for more take minutes to write down


@dataclass(frozen=True, slots=True)
class Turn:
    """A method, and the options that limit its slice."""

    name: str
    run: Callable[[Task], Findings]
    options: Options
    alone: bool = False  # it needs nothing that an earlier turn has found out

    def find(self, task: Task) -> Findings:
        """Run the method; what breaks it down is its mistake, and not that of the others."""
        try:
            return replace(self.run(replace(task, options=self.options)), method=self.name)
        except MissingError as missing:
            return Findings(frozenset(), Undecided.because(missing), {}, method=self.name)
        except BREAKDOWNS as error:
            raise Mistake(self.name, error) from error


def portfolio(task: Task, units: int) -> Findings:
    """Answer by the first method that can."""
    if isinstance(task.question, Temporal):
        from knaster.transform.formula_monitor import why_no_monitor

        why = why_no_monitor(task.program, task.question)
        decided = "of formulas about C programs those about prefixes are decided, such as '!at(B) W at(A)'"
        reason = f"{decided}; of this one {why}"
        return Findings(frozenset(), Undecided(reason), {})
    if not isinstance(task.question, Reach):
        return _decide_ending(task, units)
    known: dict[Target, Findings] = {}
    statistics: Statistics = {}
    open: dict[str, Undecided] = {}  # by method, what it said last
    with closing(_take_turns(task, _turns_for(task, units))) as turns:
        for turn in turns:
            left = tuple(target for target in task.targets if target not in known)
            found = turn.find(replace(task, question=replace(task.question, targets=left)))
            statistics = {**statistics, **found.statistics, "method": turn.name}
            known |= dict.fromkeys((target for target in left if target in found.reached), found)
            if found.unknown is not None:
                open[turn.name] = found.unknown
            if found.unknown is None or (known and task.first) or len(known) == len(task.targets):
                return replace(found, statistics=statistics, **_join_reached(known))
            if task.budget.overdrawn():
                break
    return Findings(unknown=_join_unknown(open, task.program), statistics=statistics, **_join_reached(known))


def _turns_for(task: Task, units: int) -> Callable[[], Iterator[Turn]]:
    """Return the methods that a question about a program is asked, in the order of their turns."""
    program = task.program
    if has_floats(program):
        return lambda: float_turns(units)
    if not isinstance(task.question, Reach):
        return lambda: ending_turns(units, program.size)
    limits = _search_limits(program)
    return lambda: reach_turns(units, program.size, limits)


def _search_limits(program: Program) -> tuple[int, int]:
    """Return how many states are searched before anything is proved, and after a first look at what may be easy."""
    from knaster.engines.integers.search.engine import has_one_run

    if has_one_run(program):
        return ONE_RUN, ONE_RUN
    return (FEW, STATES) if program.size <= SHALLOW and program.kind is not Kind.MEMORY else (STATES, STATES)


def _take_turns(task: Task, turns: Callable[[], Iterator[Turn]]) -> Generator[Turn, None, None]:
    """Yield the turns of the methods that have made no mistake; with several cores, some are taken by helpers."""

    def numbered() -> Iterator[tuple[int, Turn]]:
        return enumerate(turn for turn in turns() if turn.name not in task.refused)

    if task.budget.cores <= 1:
        yield from (turn for _, turn in numbered())
        return
    from knaster.engines.integers.helpers import Helpers, can_help

    count = task.budget.cores - 1 if can_help() else 0
    helpers = Helpers(task, lambda: ((number, turn.find) for number, turn in numbered() if turn.alone), count)
    try:
        for number, turn in numbered():
            yield replace(turn, run=_help(helpers, number, turn, task)) if turn.alone else turn
    finally:
        helpers.stop()


def _help(helpers: Helpers, number: int, turn: Turn, whole: Task) -> Callable[[Task], Findings]:
    """Return a method that asks whether a helper has taken this turn, where all targets are still open."""

    def find(task: Task) -> Findings:
        found = helpers.find(number) if task.targets == whole.targets else None
        return turn.run(task) if found is None else found

    return find


def _join_unknown(open: Mapping[str, Undecided], program: Program) -> Undecided:
    """Return why several methods have not decided a question; what they say of a program that is too large, too."""
    edges, unknown = program.size, join_reasons(open.values())
    if not open:
        return Undecided("no method is left that has made no mistake")
    if edges <= MOST:
        return unknown
    return unknown._replace(
        reason=f"{unknown.reason}; the program has {edges:,} edges, and proofs are tried up to {MOST:,}"
    )


def join_reasons(open: Iterable[Undecided]) -> Undecided:
    """Return why several methods have not decided a question, in one; where the time was over, that alone is why."""
    said = list(open)
    late = [unknown for unknown in said if unknown.late]
    reasons = dict.fromkeys(unknown.reason for unknown in late[:1] or said)
    also = dict.fromkeys(known for unknown in said for known in unknown.also_known)
    return Undecided("; ".join(reasons), late=bool(late), also_known=tuple(also))


def reach_turns(units: int, edges: int, states: tuple[int, int]) -> Iterator[Turn]:
    """Yield the methods that decide targets of a program with so many edges, in the order of their turns."""
    from knaster.engines.integers.search.engine import Kept, search

    kept = Kept()

    def ask_search(task: Task) -> Findings:
        return search(task, kept)

    yield Turn("search", ask_search, SearchOptions(states[0]))
    if edges > MOST:
        return
    from knaster.engines.integers.horn.engine import Progress, horn

    progress = Progress()

    def ask_horn(task: Task) -> Findings:
        return horn(task, progress)

    if edges <= SHALLOW:
        yield Turn("horn", ask_horn, HornOptions(min(units, _GLANCE)))
        if states[0] < states[1]:
            yield Turn("search", ask_search, SearchOptions(states[1]))
    from knaster.engines.integers.unrolled.engine import unrolled

    if edges <= SHALLOW:
        yield Turn("unrolled", _only_runs(unrolled), UnrolledOptions(4, 5))
    if edges <= LARGE:
        yield Turn("horn", ask_horn, HornOptions(min(units, _SLICE)))
    yield Turn("unrolled", unrolled, UnrolledOptions(16, 50), alone=True)
    from knaster.engines.integers.yasm.engine import yasm

    yield Turn("yasm", yasm, YasmOptions(units=min(units, _SLICE)), alone=True)
    if units > _SLICE or edges > LARGE:
        yield Turn("horn", ask_horn, HornOptions(units))


def float_turns(units: int) -> Iterator[Turn]:
    """Yield the methods that take floating-point numbers; the others know integers alone, and are not asked."""
    from knaster.engines.integers.unrolled.engine import unrolled

    yield Turn("unrolled", unrolled, UnrolledOptions(FLOAT_DEPTH, FLOAT_WORK * (4 if units > _SLICE else 1)))


def _only_runs(method: Callable[[Task], Findings]) -> Callable[[Task], Findings]:
    """Return a method that tells of runs only: a proof by others says more."""

    def find(task: Task) -> Findings:
        found = method(task)
        open = found.unknown or Undecided("runs of a small depth reach no other target")
        done = len(found.reached) == len(task.targets)
        return replace(found, unknown=None if done else open, proof=None)

    return find


def ending_turns(units: int, edges: int) -> Iterator[Turn]:
    """Yield the methods that decide whether every run ends, in the order of their turns."""
    from knaster.engines.integers.search.engine import Kept, search

    kept = Kept()

    def ask_search(task: Task) -> Findings:
        return search(task, kept)

    if edges <= SHALLOW:
        from knaster.engines.integers.ranking.engine import ranking

        yield Turn("search", ask_search, SearchOptions(FEW))
        yield Turn("ranking", ranking, RankingOptions(min(units, _GLANCE)))
    yield Turn("search", ask_search, SearchOptions(_FIRST))
    if edges > MOST:
        return
    from knaster.engines.integers.ranking.engine import ranking

    yield Turn("ranking", ranking, RankingOptions(min(units, _SLICE)))
    from knaster.engines.integers.recurrence.engine import recurrence

    yield Turn("recurrence", recurrence, RecurrenceOptions(min(units, _SLICE)), alone=True)
    from knaster.engines.integers.unrolled.engine import unrolled

    yield Turn("unrolled", unrolled, UnrolledOptions(TURNS, 20), alone=True)
    yield Turn("search", ask_search, SearchOptions())
    yield Turn("ranking", ranking, RankingOptions(units), alone=True)
    from knaster.engines.integers.yasm.engine import yasm

    yield Turn("yasm", yasm, YasmOptions(units=units), alone=True)


def _decide_ending(task: Task, units: int) -> Findings:
    """Answer whether every run ends."""
    statistics: Statistics = {}
    open: dict[str, Undecided] = {}
    through: set[str] = set()  # methods that did not use up their slice: they would say the same again
    found = Findings(frozenset(), None, {})
    with closing(_take_turns(task, _turns_for(task, units))) as turns:
        for turn in turns:
            if turn.name in through:
                continue
            found = turn.find(task)
            if not found.spent.exhausted:
                through.add(turn.name)
            statistics = {**statistics, **found.statistics, "method": turn.name}
            if found.ends is not None:
                return replace(found, statistics=statistics)
            if found.unknown is not None:
                open[turn.name] = found.unknown
            if task.budget.overdrawn():
                break
    return replace(found, unknown=_join_unknown(open, task.program), statistics=statistics)


def _join_reached(known: Mapping[Target, Findings]) -> dict[str, Any]:
    """Return the fields of findings that say what was reached, and by whom."""
    finders = {target: findings.method for target, findings in known.items()}
    return {"reached": frozenset(known), "traces": _traces(known), "finders": finders}


def _traces(known: Mapping[Target, Findings]) -> Callable[[Sequence[Target]], Mapping[Target, Trace]]:
    """Return how the traces are had from whoever found the targets."""

    def traces(targets: Sequence[Target]) -> Mapping[Target, Trace]:
        found: dict[Target, Trace] = {}
        for target in targets:
            own = known[target].traces
            assert own is not None
            found |= {target: own([target])[target]}
        return found

    return traces
