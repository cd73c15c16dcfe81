"""Infinite runs of threads found by chance: walk at random until a configuration comes again, or the run rests.

No automaton, no components: the word of the walk is read letter by letter, the formula is evaluated on it, and fairness
is counted on the cycle.  What such a walk violates, no engine may call true.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from knaster.automata.words import Word, holds
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.evaluate import evaluate
from knaster.program.model import Program
from knaster.semantics.threads import UNBEGUN, Configuration, Threads


class Passed(NamedTuple):
    """A configuration on the way, and who moves next, by a statement or back into a caller."""

    here: Configuration
    thread: int
    speaks: bool


def find_violation(
    program: Program,
    question: Temporal | Termination,
    random: Random,
    walks: int,
    most: int = 60,
    switches: int | None = None,
) -> bool:
    """Tell whether one of some random walks is a run that counts and is not as the question asks.

    With `switches`, only runs with at most so many count; then the cycle is one of the thread that ran last.
    """
    meanings = meanings_of(program, question) if isinstance(question, Temporal) else {}
    threads = Threads(program)
    starts = list(threads.starts())
    if not starts:
        return False
    return any(
        _violates(threads, question, meanings, random.choice(starts), random, most, switches) for _ in range(walks)
    )


def _violates(
    threads: Threads,
    question: Temporal | Termination,
    meanings: Meanings,
    here: Configuration,
    random: Random,
    most: int,
    switches: int | None,
) -> bool:
    way: list[Passed] = []
    last, used = None, 0
    for thread in range(len(here.stacks)):  # with some values of its locals a thread may wait for ever
        beginnings = list(threads.begin(here._replace(running=thread)))
        if beginnings and random.random() < 0.5:
            here = random.choice(beginnings)._replace(running=here.running)
    at: dict[Configuration, int] = {}
    while len(way) < most:
        key = here._replace(running=0) if threads.may_switch(here) else here
        if key in at and random.random() < 0.7:
            if switches is not None and len({step.thread for step in way[at[key] :]} | {last}) > 1:
                return False
            return _judge(threads, question, meanings, way[: at[key]], way[at[key] :])
        at.setdefault(key, len(way))
        moves = _moves(threads, here)
        failed = _failed(threads, here)
        if not moves or failed:
            if not failed and not threads.may_switch(here):
                return False  # it blocks inside a section: no run
            resting = failed or all(map(threads.has_ended, here.stacks)) or threads.is_stuck(here)
            if not resting or isinstance(question, Termination):
                return False
            word = Word(_word(threads, meanings, way), (_letter(threads, meanings, here),))
            return not holds(question.formula, word)
        if switches is not None:
            moves = [move for move in moves if used < switches or last in (None, move[0])]
            if not moves:
                return False
            again = [move for move in moves if move[0] == last]
            moves = again if again and random.random() < 0.6 else moves
        thread, begun, speaks, here = random.choice(moves)
        used += last not in (None, thread)
        last = thread
        way.append(Passed(begun, thread, speaks))
    return False


def _moves(threads: Threads, here: Configuration) -> list[tuple[int, Configuration, bool, Configuration]]:
    found = []
    for thread in range(len(here.stacks)):
        if thread != here.running and not threads.may_switch(here):
            continue
        for begun in threads.begin(here._replace(running=thread)):
            for edge, after in threads.steps(begun):
                found.append((thread, here, edge is not None, after))
    return found


def _failed(threads: Threads, here: Configuration) -> bool:
    return any(s and s[-1].location in threads.procedures[s[-1].procedure].failures for s in here.stacks)


def _judge(
    threads: Threads, question: Temporal | Termination, meanings: Meanings, stem: list[Passed], cycle: list[Passed]
) -> bool:
    outside = [step.here for step in cycle if threads.may_switch(step.here)]
    if question.fair != "none" and outside:
        for thread in range(len(outside[0].stacks)):
            able = [threads.can_step(here._replace(running=thread)) for here in outside]
            moved = any(step.thread == thread for step in cycle)
            if not moved and (all(able) if question.fair == "weak" else any(able)):
                return False
    if isinstance(question, Termination):
        return True
    return not holds(question.formula, Word(_word(threads, meanings, stem), _word(threads, meanings, cycle)))


def _word(threads: Threads, meanings: Meanings, way: list[Passed]) -> tuple[frozenset[str], ...]:
    return tuple(_letter(threads, meanings, step.here) for step in way if step.speaks)


def _letter(threads: Threads, meanings: Meanings, here: Configuration) -> frozenset[str]:
    over = _failed(threads, here) or all(map(threads.has_ended, here.stacks))
    places = {}
    for thread, stack in enumerate(here.stacks):
        if stack and not over:
            own = threads.procedures[stack[-1].procedure]
            location = own.entry if stack[-1].location == UNBEGUN else stack[-1].location
            places[thread] = own.name, location
    shared = dict(zip(threads.program.globals, here.shared, strict=True))
    letter = set()
    for atom, meaning in meanings.items():
        if meaning.condition is not None:
            true = bool(evaluate(meaning.condition, shared, iter(())))
        elif meaning.ended:
            true = over
        else:
            wanted = places if meaning.thread is None else {meaning.thread - 1: places.get(meaning.thread - 1)}
            true = any(place in meaning.places for place in wanted.values())
        if true:
            letter.add(atom)
    return frozenset(letter)
