"""Which threads run and how far is to be looked, from what a user says to the program and the bound that it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from knaster.base.errors import UsageError
from knaster.evidence.questions.question import Bound, Question, Reach
from knaster.program.model import Kind, Program

_ASKED = re.compile(r"(?P<name>[^*]+)(?:(?P<star>\*)(?P<count>[0-9]*))?")
_MOST = 1_000  # copies of a thread


class Crew(NamedTuple):
    """The threads that run: those named, and any number of copies of others, which come last."""

    named: tuple[str, ...]
    endless: tuple[str, ...] = ()

    def within(self, program: Program, bound: Bound | None) -> Program:
        """Return the program with its threads; K switches leave all but K + 1 copies of a thread idle."""
        copies = bound.number + 1 if bound is not None else 1
        threads = (*self.named, *(name for name in self.endless for _ in range(copies)))
        return program if threads == program.threads else replace(program, threads=threads)


def crew_of(program: Program, asked: Sequence[str] | None) -> Crew:
    """Return the threads that were asked for, each `NAME`, `NAME*N` or `NAME*`; without any, those of the program."""
    if not asked:
        return Crew(program.threads)
    named: list[str] = []
    endless: list[str] = []
    for text in asked:
        match = _ASKED.fullmatch(text)
        if match is None or match["count"] == "0" or len(match["count"] or "") > 4 or int(match["count"] or 1) > _MOST:
            raise UsageError(f"'{text}' names no thread; write NAME, NAME*N for 1 to {_MOST} copies, or NAME*")
        name = match["name"]
        _check_thread(program, name)
        if match["star"] and not match["count"]:
            endless += [name] if name not in endless else []
        else:
            named += [name] * int(match["count"] or 1)
    return Crew(tuple(named), tuple(endless))


def _check_thread(program: Program, name: str) -> None:
    names = [procedure.name for procedure in program.procedures]
    if name not in names:
        from knaster.base.hints import did_you_mean

        hint = did_you_mean(name, set(names)) or f"its procedures are {', '.join(names[:5])}" * bool(names)
        raise UsageError(f"{program.file}: there is no procedure '{name}' to run as a thread; {hint}")
    parameters = program.procedure(name).parameters
    if parameters:
        raise UsageError(
            f"{program.file}: '{name}' has parameters ({', '.join(parameters)}) and cannot run as a thread; "
            "name a procedure that calls it"
        )


def bound_asked(switches: int | None, rounds: int | None) -> Bound | None:
    """Return the bound that was asked for; refuse what makes no sense."""
    if switches is not None and rounds is not None:
        raise UsageError("a bound is a number of switches or of rounds, not both; give one of them")
    if switches is not None and switches < 0:
        raise UsageError(f"{switches} switches are impossible; give 0 or more")
    if rounds is not None and rounds < 1:
        raise UsageError(f"{rounds} rounds are impossible; give 1 or more")
    if rounds is not None:
        return Bound("rounds", rounds)
    return Bound("switches", switches) if switches is not None else None


def check_rounds(program: Program, crew: Crew, bound: Bound | None) -> None:
    """Refuse rounds where the number of threads is not fixed."""
    if bound is None or bound.kind != "rounds":
        return
    if crew.endless:
        raise UsageError(f"rounds need a fixed number of threads, not '{crew.endless[0]}*'; give --switches instead")
    from knaster.program.threads import reachable_procedures, started_by

    for name in reachable_procedures(program):
        for edge in program.procedure(name).edges:
            if started_by(edge) is not None:
                raise UsageError(
                    f"{program.file}: rounds need a fixed number of threads, and line {edge.span.line} starts one; "
                    "give --switches instead"
                )


def check_deadlock(program: Program, crew: Crew, question: Question) -> None:
    """Refuse to look for a deadlock where that cannot be decided."""
    if program.kind is Kind.REFERENCES or not isinstance(question, Reach) or not any(t.kind for t in question.targets):
        return
    from knaster.program.threads import why_no_standstill

    why = why_no_standstill(program)
    if crew.endless:
        why = f"a deadlock can be decided only for a limited number of threads, not for '{crew.endless[0]}*'"
    if why is not None:
        raise UsageError(f"{program.file}: {why}; name labels or 'asserts' as targets instead")
