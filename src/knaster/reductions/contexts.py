"""Threads as procedures that can be interrupted, each under a procedure of its own that begins it; nobody runs them."""

from __future__ import annotations

from dataclasses import dataclass

from knaster.program.expression import FALSE, TRUE
from knaster.program.model import Edge, Place, Procedure, Program
from knaster.reductions.bits import Fresh
from knaster.reductions.interrupt import Body, Interruptible, Move
from knaster.reductions.schedules import Switches
from knaster.results.question import Target


@dataclass(frozen=True, slots=True)
class Contexts:
    """A program with contexts 0 .. K: its schedule, where it may be interrupted, where threads begin and targets are.

    The edges of `moves` and of `watched` are not to be taken: the former are for whoever knows the shared states that
    occur, the latter say that all of the schedule matters at a target.
    """

    program: Program
    schedule: Switches
    inside: str | None
    moves: tuple[Move, ...]
    beginners: tuple[str, ...]  # by thread
    places: tuple[Place, ...]  # by target
    watched: tuple[Edge, ...]


def contexts(program: Program, targets: tuple[Target, ...], number: int, idle: bool) -> Contexts:
    """Return the threads of a program for at most so many switches; with `idle`, they may pass before they begin.

    Requires: no thread is started.
    """
    fresh = Fresh(program)
    schedule = Switches(program, fresh, number, 0, 0)
    parts = Interruptible(program, schedule, fresh)
    bodies = parts.bodies()
    watched: list[Edge] = []
    for target in targets:
        body = next(body for body in bodies if body.procedure.name == target.procedure)
        watched += [body.add(target.location, action, target.location) for action in schedule.moves(FALSE)]
    beginners = {name: fresh.name(f"thread_{name}") for name in dict.fromkeys(program.threads)}
    for thread, name in enumerate(program.threads, 1):
        if name not in beginners or any(body.name == beginners[name] for body in bodies):
            continue
        body = Body(Procedure(beginners[name], (), (), (), 0, 1, ()), beginners[name])
        end, ended = body.new(), body.new()
        for call, _ in parts.first_calls(thread):
            body.add(0, call, end)
        body.add(end, parts.outside(), ended)
        parts.interrupt(body, [ended])
        parts.interrupt(body, [0] if idle else [], TRUE)
        bodies.append(body)
    groups = parts.groups()
    whole = Program(
        tuple(name for group in groups for name in group),
        tuple(body.finished() for body in bodies),
        tuple(beginners[name] for name in program.threads),
        program.init,
        program.file,
        together=groups,
    )
    return Contexts(
        whole,
        schedule,
        parts.inside,
        tuple(parts.moves),
        tuple(beginners[name] for name in program.threads),
        tuple((parts.names[target.procedure], target.location) for target in targets),
        tuple(watched),
    )
