"""What small threads can come to: every interleaving of lists of instructions, enumerated one configuration at a time.

Nothing of Knaster is used to take steps.  An instruction is a tuple:

    load r g        store g r k  (g = r + k)      set r k         input r n    (r is one of 0 .. n - 1)
    divide r s k n  (r = 6 / (s - k); n is its name)
    test r op k to  (goes on where it holds, else to)             jump to      assert r op k     assume r op k
    lock m          unlock m     try r m          begin           end          (of a section)
    wait c m        woken m      signal c         broadcast c     post s       down s
    start t         join t       exit  (of the run)               halt         (the end of a thread; of main: of all)

`wait` is the first half of waiting for a condition, `woken` the second.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from support.oracles.schedule_costs import passed_over

Instruction = tuple[Any, ...]
OPERATORS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt}
UNBORN, ENDED = -1, -2


class Configuration(NamedTuple):
    """Where each thread stands, registers, globals, who holds each mutex, who waits for which condition, semaphores."""

    points: tuple[int, ...]
    registers: tuple[tuple[int, ...], ...]
    shared: tuple[int, ...]
    owners: tuple[int, ...]
    awaits: tuple[int, ...]
    semaphores: tuple[int, ...]
    section: int


class Verdicts(NamedTuple):
    """What some run comes to."""

    assertion: bool
    deadlock: bool
    race: bool
    configurations: int
    divisions: frozenset[str] = frozenset()  # by zero: their names


class Division(NamedTuple):
    """A division by zero."""

    name: str


class Crew(NamedTuple):
    """Programs of threads, main first, and how many registers, globals, mutexes and semaphores there are."""

    programs: tuple[tuple[Instruction, ...], ...]
    registers: int
    shared: int
    mutexes: int
    semaphores: int


def decide(crew: Crew, most: int) -> Verdicts | None:
    """Return what runs come to; None where there are more configurations."""
    first = _first(crew)
    seen, todo = {first}, [first]
    assertion = deadlock = race = False
    divisions: set[str] = set()
    while todo:
        here = todo.pop()
        race = race or _races(crew, here)
        stuck = True
        waiting = False
        for thread, point in enumerate(here.points):
            if point < 0 or here.section not in (-1, thread):
                continue
            after = list(_steps(crew, here, thread))
            waiting = waiting or not after
            for found in after:
                stuck = False
                if found == "fails":
                    assertion = True
                elif isinstance(found, Division):
                    divisions.add(found.name)
                elif found != "over" and found not in seen:
                    if len(seen) >= most:
                        return None
                    seen.add(found)
                    todo.append(found)
        deadlock = deadlock or (stuck and waiting and here.section == -1)
    return Verdicts(assertion, deadlock, race, len(seen), frozenset(divisions))


def _first(crew: Crew) -> Configuration:
    count = len(crew.programs)
    return Configuration(
        (0, *[UNBORN] * (count - 1)), ((0,) * crew.registers,) * count, (0,) * crew.shared, (-1,) * crew.mutexes,
        (-1,) * count, (0,) * crew.semaphores, -1,
    )  # fmt: skip


def fails_within(crew: Crew, kind: str, number: int, most: int) -> bool | None:
    """Tell whether an assertion fails within a bound (`schedule_costs.passed_over`); None beyond `most` nodes.

    A node is a configuration and who ran last; it is looked at again wherever it comes with a smaller cost.
    """
    cheapest: dict[tuple[Configuration, int], int] = {}
    todo = [(_first(crew), 1, int(kind == "rounds"))]
    while todo:
        here, last, cost = todo.pop()
        if cheapest.get((here, last), number + 1) <= cost:
            continue
        cheapest[here, last] = cost
        if len(cheapest) > most:
            return None
        ways = [
            list(_steps(crew, here, thread)) if point >= 0 and here.section in (-1, thread) else []
            for thread, point in enumerate(here.points)
        ]
        for thread, after in enumerate(ways):
            price = _price(kind, last, thread + 1, [bool(way) for way in ways]) if after else 0
            if cost + price > number:
                continue
            if "fails" in after:
                return True
            todo += [(each, thread + 1, cost + price) for each in after if isinstance(each, Configuration)]
    return False


def _price(kind: str, last: int, thread: int, can_run: list[bool]) -> int:
    return int(thread < last) if kind == "rounds" else passed_over(kind, last, thread, can_run)


def _races(crew: Crew, here: Configuration) -> bool:
    uses: list[tuple[int, bool]] = []
    for program, point in zip(crew.programs, here.points, strict=True):
        if point >= 0 and program[point][0] == "load":
            uses.append((program[point][2], False))
        elif point >= 0 and program[point][0] == "store":
            uses.append((program[point][1], True))
    return any(
        one[0] == other[0] and (one[1] or other[1]) for number, one in enumerate(uses) for other in uses[number + 1 :]
    )


def _put(values: Sequence[Any], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _steps(crew: Crew, here: Configuration, me: int) -> Iterator[Any]:
    """Yield the configurations after a step of a thread; nothing where it waits."""
    word, *rest = crew.programs[me][here.points[me]]
    own = here.registers[me]
    on = here._replace(points=_put(here.points, me, here.points[me] + 1))

    def register(at: int, value: int) -> Configuration:
        return on._replace(registers=_put(here.registers, me, _put(own, at, value)))

    match word:
        case "load":
            yield register(rest[0], here.shared[rest[1]])
        case "store":
            yield on._replace(shared=_put(here.shared, rest[0], own[rest[1]] + rest[2] if rest[1] >= 0 else rest[2]))
        case "set":
            yield register(rest[0], rest[1])
        case "divide":
            by = own[rest[1]] - rest[2]
            yield register(rest[0], int(6 / by)) if by else Division(rest[3])
        case "input":
            for value in range(rest[1]):
                yield register(rest[0], value)
        case "test":
            holds = OPERATORS[rest[1]](own[rest[0]], rest[2])
            yield on if holds else here._replace(points=_put(here.points, me, rest[3]))
        case "jump":
            yield here._replace(points=_put(here.points, me, rest[0]))
        case "assert" | "assume":
            holds = OPERATORS[rest[1]](own[rest[0]], rest[2])
            yield on if holds else "fails" if word == "assert" else "over"
        case "exit":
            yield "over"
        case "halt":
            yield "over" if me == 0 else on._replace(points=_put(here.points, me, ENDED))
        case _:
            yield from _meetings(here, on, me, word, rest, register)


def _meetings(here: Configuration, on: Configuration, me: int, word: str, rest: list[Any], register: Any) -> Any:
    match word:
        case "lock" | "try":
            free = here.owners[rest[-1]] == -1
            taken = on._replace(owners=_put(here.owners, rest[-1], me))
            if word == "try":
                value = register(rest[0], 0 if free else 1)
                yield value._replace(owners=taken.owners) if free else value
            elif free:
                yield taken
        case "unlock":
            yield on._replace(owners=_put(here.owners, rest[0], -1))
        case "begin":
            yield on._replace(section=me)
        case "end":
            yield on._replace(section=-1)
        case "wait":
            yield on._replace(owners=_put(here.owners, rest[1], -1), awaits=_put(here.awaits, me, rest[0]))
        case "woken":
            if here.awaits[me] == -1 and here.owners[rest[0]] == -1:
                yield on._replace(owners=_put(here.owners, rest[0], me))
        case "signal":
            waiting = [thread for thread, found in enumerate(here.awaits) if found == rest[0]]
            for thread in waiting:
                yield on._replace(awaits=_put(here.awaits, thread, -1))
            if not waiting:
                yield on
        case "broadcast":
            yield on._replace(awaits=tuple(-1 if found == rest[0] else found for found in here.awaits))
        case "post":
            yield on._replace(semaphores=_put(here.semaphores, rest[0], here.semaphores[rest[0]] + 1))
        case "down":
            if here.semaphores[rest[0]]:
                yield on._replace(semaphores=_put(here.semaphores, rest[0], here.semaphores[rest[0]] - 1))
        case "start":
            yield on._replace(points=_put(on.points, rest[0], 0))
        case "join":
            if here.points[rest[0]] == ENDED:
                yield on
        case _:
            raise ValueError(word)
