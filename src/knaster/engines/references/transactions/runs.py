"""Runs: from derivations inside transactions and between them, the turns of the threads.

A piece of a run is its number of steps and its alternatives.  Whoever wants it replays it on the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.engines.references.transactions.boundary_states import BoundaryStates
from knaster.engines.references.transactions.derivation import Block, Context, Cut, Decisions, Effect, Node
from knaster.semantics.heap.decisions import Run, Turn

LONGEST = 200_000  # choices of a run that is written down


class Way(NamedTuple):
    """A way from a node: the steps since its root began, and what was decided since the node."""

    node: Node
    decisions: Decisions
    steps: int


class Piece(NamedTuple):
    """What one thread does inside one transaction."""

    state: int
    thread: int
    steps: int
    alternatives: tuple[int, ...]


def piece_of_way(way: Way) -> Piece:
    """Return the piece that leads to the end of a way."""
    steps, decisions = way.steps, [*_decisions(way.node), *way.decisions]
    creator = way.node.root.creator
    while isinstance(creator, Node):
        steps += creator.steps + 1
        decisions = [*_decisions(creator), *decisions]
        creator = creator.root.creator
    return _after(creator, steps, decisions)


def piece_of_end(context: Context, end: Effect | Cut | None) -> Piece:
    """Return the piece that leads to the end of a turn."""
    if end is None:
        return _after(context, 0, [])
    decisions: list[int | Effect] = []
    part: Effect | Cut | None = end
    while part is not None:
        decisions += [*_decisions(part.parent), *part.decisions]
        part = part.inner if isinstance(part, Cut) else None
    return _after(context, end.steps, decisions)


def piece_of_block(context: Context, block: Block) -> Piece:
    """Return the piece that leads to where a thread waits."""
    decisions: list[int | Effect] = []
    part: Block | None = block
    while part is not None:
        decisions += _decisions(part.parent)
        part = part.inner
    return _after(context, block.steps, decisions)


def run_to_state(states: BoundaryStates, number: int) -> list[Turn]:
    """Return the turns that lead to a state."""
    turns: list[Turn] = []
    while (origin := states.origins[number]) is not None:
        piece = piece_of_end(origin.context, origin.end)
        turns.append(Turn(piece.thread, piece.steps, piece.alternatives))
        number = piece.state
    return turns[::-1]


def run_by(states: BoundaryStates, pieces: Sequence[Piece], endless: bool = False) -> Run:
    """Return the run to the state of some pieces, and on by these."""
    last = [Turn(piece.thread, None if endless else piece.steps, piece.alternatives) for piece in pieces]
    return (*run_to_state(states, pieces[0].state), *last)


def _after(context: Context, steps: int, decisions: list[int | Effect]) -> Piece:
    """Return a piece that goes on where a context begins: after what its thread did since the state."""
    here = context
    while here.previous is not None:
        here, effect = here.previous
        steps += effect.steps
        decisions = [*_decisions(effect.parent), *effect.decisions, *decisions]
    return Piece(context.state, context.thread, steps, tuple(_expand(decisions)))


def _decisions(node: Node) -> list[int | Effect]:
    """Return what was decided from the beginning of a root to a node."""
    pieces: list[Decisions] = []
    here: Node | None = node
    while here is not None:
        pieces.append(here.decisions)
        here = here.parent
    return [decision for piece in reversed(pieces) for decision in piece]


def _expand(decisions: list[int | Effect]) -> Iterator[int]:
    """Yield the alternatives, with those of each effect in its place."""
    stack = [iter(decisions)]
    count = 0
    while stack:
        for decision in stack[-1]:
            if isinstance(decision, Effect):
                stack.append(iter([*_decisions(decision.parent), *decision.decisions]))
                break
            count += 1
            if count > LONGEST:
                raise OutOfBudget(f"the run makes more than {LONGEST:,} choices")
            yield decision
        else:
            stack.pop()
