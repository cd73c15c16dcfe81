"""Contexts: from a program with threads, procedures that can be interrupted, one for each thread that begins it.

Nobody runs them: a method that looks at one thread at a time asks what each can do from where it begins.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.records import dataclass
from knaster.evidence.questions.question import Target
from knaster.program.expression import FALSE, TRUE, Expr, Not, Var
from knaster.program.model import Edge, Place, Procedure, Program
from knaster.transform.formulae import Fresh
from knaster.transform.threads.interruption import Body, Interruption, Move
from knaster.transform.threads.thread_view import Local
from knaster.transform.threads.waiting_threads import WaitingThreads


@dataclass(frozen=True, slots=True)
class Contexts:
    """A program whose threads may be interrupted: where, where threads begin and targets are.

    The edges of `moves` and of `watched` are not to be taken: the former are for whoever knows the shared states that
    occur, the latter say that all of the schedule matters at a target.
    """

    program: Program
    outside: Expr  # that nobody is in a section
    moves: tuple[Move, ...]
    beginners: tuple[str, ...]  # by thread
    places: tuple[tuple[Place, ...], ...]  # by target
    watched: tuple[Edge, ...]


def make_contexts(
    waiting: WaitingThreads,
    targets: tuple[Target, ...],
    schedule: Callable[[Program, Fresh], Local],
    idle: bool = False,
) -> Contexts:
    """Return the threads of a program; with `idle`, they may pass before they begin."""
    program = waiting.program
    fresh = Fresh(program)
    parts = Interruption(program, schedule(program, fresh), fresh, waiting.midway)
    bodies = parts.bodies()
    watched: list[Edge] = []
    for target in targets:
        for body in bodies:
            if body.procedure.name in waiting.named[target.procedure]:
                moves = parts.schedule.moves(FALSE)
                watched += [body.add(target.location, action, target.location) for action in moves]
    beginners = {name: fresh.name(f"thread_{name}") for name in dict.fromkeys(program.threads)}
    for name, beginner in beginners.items():
        body = Body(Procedure(beginner, (), (), (), 0, 1, ()), beginner)
        end, ended = body.new(), body.new()
        for call, _ in parts.first_calls(program.threads.index(name) + 1):
            body.add(0, call, end)
        body.add(end, parts.outside(), ended)
        parts.interrupt(body, [ended])
        parts.interrupt(body, [0] if idle else [], TRUE)
        bodies.append(body)
    groups = parts.groups()
    threads = tuple(beginners[name] for name in program.threads)
    whole = Program(
        tuple(name for group in groups for name in group),
        tuple(body.finish() for body in bodies),
        threads,
        program.init,
        program.file,
        kind=program.kind,
        together=groups,
    )
    places = tuple(
        tuple((parts.names[name], target.location) for name in waiting.named[target.procedure]) for target in targets
    )
    outside = Not(Var(parts.inside)) if parts.inside is not None else TRUE
    return Contexts(whole, outside, tuple(parts.moves), threads, places, tuple(watched))
