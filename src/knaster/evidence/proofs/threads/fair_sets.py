"""Fair sets: why no fair run of threads is accepted by an automaton, as sets of configurations that shrink to nothing.

`reached` contains the starts and is closed under every move.  From it one set after the other is taken away, for one of
three reasons (E. A. Emerson and C.-L. Lei 1986; Y. Kesten, A. Pnueli and L. Raviv, ICALP 1998), each with the part
`kept` from which something can still be reached inside what is left:

    accepts      a step that counts (of a weak automaton: back to an earlier point); the rest is taken away
    moves  t     a move of thread t, or a place where it cannot move; the rest is taken away
    answers t    a move of thread t; of the rest, where thread t can move is taken away

Where fairness is asked for, cycles inside one atomic section are excluded by a second row of removals, by `accepts`
alone.  `checkers.threads.fair_sets` checks all this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knaster.automata.automaton import Automaton
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.bdd.nodes import MalformedNodes, Node, flatten, rebuild
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store
from knaster.evidence.proofs.ranks import automaton_of, automaton_to_fields, question_of
from knaster.evidence.proofs.reading import expect, has_keys, list_of, node, numbers
from knaster.evidence.proofs.threads.configurations import spell_lanes
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.program.layout.lanes import Lanes, count_points, make_lanes
from knaster.program.layout.point_order import point_order
from knaster.program.model import Program
from knaster.program.threads import recursive_procedure

if TYPE_CHECKING:
    from knaster.base.limits import Budget

Part = tuple[int, bool] | None  # the one thread that may move, and whether it is inside a section
OUTSIDE: Part = None  # any thread may move
Site = tuple[int, Part]  # a state of the automaton, and who may move
ACCEPTS, MOVES, ANSWERS = "accepts", "moves", "answers"
_FIELDS = {"formula", "fair", "states", "initial", "steps", "nodes", "reached", "removals", "inside"}
_NUMBERING = {"started", "shared", "lanes", "order"}
_MOST = 1_000  # threads that are started later
_MOST_POINTS = 1_000_000


class Removal(NamedTuple):
    """Why configurations are taken away: a reason, the thread that it is about, and from where it does not hold."""

    reason: str
    thread: int  # 0, 1, ...; 0 of `accepts`
    kept: Mapping[Site, Bdd]


@dataclass(frozen=True, slots=True, eq=False)
class FairSets:
    """The question, the automaton, and sets over the variables of `lanes`."""

    program: Program
    question: Termination | Temporal
    automaton: Automaton
    store: Store
    lanes: Lanes
    reached: Mapping[Site, Bdd]
    removals: tuple[Removal, ...]
    inside: tuple[Removal, ...]

    def __repr__(self) -> str:
        return f"<FairSets for {self.program.file}: {len(self.removals) + len(self.inside)} removals>"

    def __reduce__(self) -> tuple[object, ...]:
        nodes, functions = flatten(self.store, self._functions())
        rest = iter(functions)
        reached = {site: next(rest) for site in self.reached}
        rows = [[(each.reason, each.thread, {site: next(rest) for site in each.kept}) for each in row]
                for row in (self.removals, self.inside)]  # fmt: skip
        same = self.program, self.question, self.automaton, self.lanes
        return _restore, (same, self.store.variables, nodes, reached, rows)

    def unreached_places(self) -> None:
        """Return nothing: it is not said which statements no run reaches."""
        return

    def _functions(self) -> Iterator[Bdd]:
        yield from self.reached.values()
        for each in (*self.removals, *self.inside):
            yield from each.kept.values()


def _restore(
    same: tuple[Program, Termination | Temporal, Automaton, Lanes],
    variables: int,
    nodes: list[Node],
    reached: Mapping[Site, int],
    rows: Sequence[Sequence[tuple[str, int, Mapping[Site, int]]]],
) -> FairSets:
    program, question, automaton, lanes = same
    store = Store(variables, max(DEFAULT_NODES, 8 * len(nodes)))  # mutant: only room
    functions = rebuild(store, nodes)

    def sets(given: Mapping[Site, int]) -> dict[Site, Bdd]:
        return {site: functions[number] for site, number in given.items()}

    both = [tuple(Removal(reason, thread, sets(kept)) for reason, thread, kept in row) for row in rows]
    return FairSets(program, question, automaton, store, lanes, sets(reached), both[0], both[1])


def to_fields(proof: FairSets, program: Program) -> dict[str, Any]:
    """Return fair sets as fields of a document."""
    nodes, functions = flatten(proof.store, proof._functions())
    rest = iter(functions)
    reached = _sets_to_json(proof.reached, rest)
    rows = [
        [[each.reason, each.thread, _sets_to_json(each.kept, rest)] for each in row]
        for row in (proof.removals, proof.inside)
    ]
    return {
        "fair_sets": {
            "formula": None if isinstance(proof.question, Termination) else str(proof.question),
            "fair": proof.question.fair,
            **automaton_to_fields(proof.automaton),
            **_spell_numbering(proof.lanes),
            "nodes": nodes,
            "reached": reached,
            "removals": rows[0],
            "inside": rows[1],
        }
    }


def _spell_numbering(lanes: Lanes) -> dict[str, Any]:
    """Return which variable holds what, and in which order the points of each thread are, where loops go back."""
    orders = [point_order(lanes.program, lane) for lane in lanes.lanes]
    order = [[own[point] for point in lane.points] for lane, own in zip(lanes.lanes, orders, strict=True)]
    return {"started": len(lanes.started_lanes), **spell_lanes(lanes), "order": order}


def _sets_to_json(sets: Mapping[Site, Bdd], functions: Iterator[int]) -> list[list[int]]:
    """Return sets as rows: a state, the thread that may move (-1: any), whether inside a section, the function."""
    return [[state, *((-1, 0) if part is None else (part[0], int(part[1]))), next(functions)] for state, part in sets]


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> FairSets:
    """Return the fair sets of a document."""
    data = document["fair_sets"]
    has_keys(data, _FIELDS | _NUMBERING, "'fair_sets'")
    expect(data["fair"] in FAIRNESS, "there is no such fairness")
    question, automaton, started = (
        question_of(data["formula"], program, data["fair"]),
        automaton_of(data),
        data["started"],
    )
    expect(type(started) is int and 0 <= started <= _MOST, "the number of started threads is none")
    finite = recursive_procedure(program) is None and count_points(program, _MOST_POINTS) <= _MOST_POINTS
    expect(finite and program.is_threaded, "it is a proof about threads whose stacks have a bound")
    lanes = make_lanes(program, started, False)
    said = {name: data[name] for name in _NUMBERING}
    expect(said == _spell_numbering(lanes), "its variables are not numbered as those of the program are")
    store = Store(lanes.size, nodes)
    functions = rebuild(store, [node(entry) for entry in list_of(data["nodes"], "nodes")], budget.check)
    reached = _sets_of(data["reached"], functions)
    rows = [tuple(_removal(entry, functions) for entry in list_of(data[name], name)) for name in ("removals", "inside")]
    return FairSets(program, question, automaton, store, lanes, reached, rows[0], rows[1])


def _removal(entry: object, functions: Sequence[Bdd]) -> Removal:
    expect(isinstance(entry, list) and len(entry) == 3, "a removal has not three parts")
    assert isinstance(entry, list)
    reason, thread, kept = entry
    expect(reason in (ACCEPTS, MOVES, ANSWERS) and type(thread) is int, "a removal has no reason")
    return Removal(reason, thread, _sets_of(kept, functions))


def _sets_of(row: object, functions: Sequence[Bdd]) -> dict[Site, Bdd]:
    found: dict[Site, Bdd] = {}
    for entry in list_of(row, "sets"):
        parts = numbers(entry)
        expect(len(parts) == 4 and parts[1] >= -1 and parts[2] in (0, 1), "a set has no place")
        if not 0 <= parts[3] < len(functions):
            raise MalformedNodes("a set is none of the nodes")
        found[parts[0], OUTSIDE if parts[1] < 0 else (parts[1], bool(parts[2]))] = functions[parts[3]]
    return found
