"""A program as it runs (`Running`): which threads, from which entry, asked what within which bound."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knaster.base.errors import SourceError, UsageError
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import replace
from knaster.decide.asked import Asked
from knaster.evidence.questions.properties import REACH, Property, Wording
from knaster.evidence.questions.question import Bound, Coverage, Question, Reach, Temporal, Termination
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Kind, Program
from knaster.program.validate import validate, validate_entry

_THREAD = r"(?P<name>[^*]+)(?:(?P<star>\*)(?P<count>[0-9]*))?"
_MOST = 1_000  # copies of a thread


class Crew(NamedTuple):
    """The threads that run: those named, and any number of copies of others, which come last."""

    named: tuple[str, ...]
    endless: tuple[str, ...] = ()

    def within(self, program: Program, bound: Bound | None) -> Program:
        """Return the program with its threads; K switches leave all but K + 1 copies of a thread idle.

        Any number of copies of one procedure are several threads, even where nobody is switched to.
        """
        copies = bound.number + 1 if bound is not None else 1
        if len(self.named) + len(self.endless) == 1 and self.endless:
            copies = max(copies, 2)
        threads = (*self.named, *(name for name in self.endless for _ in range(copies)))
        return program if threads == program.threads else replace(program, threads=threads)


class Running(NamedTuple):
    """A program with the threads that run, and the question about it with its bound."""

    program: Program
    crew: Crew
    question: Question


def set_up(program: Program, asked: Asked) -> Running:
    """Return the program as it is to run and what is asked of it; refuse what the program does not have."""
    if asked.threads:
        crew = crew_of(program, asked.threads)
        program = start_at(crew.within(program, asked.bound), None)
    else:
        program = start_at(program, asked.entry)
        crew = Crew(program.threads)
    if asked.bound is not None and asked.bound.kind != "switches":
        _refuse_bound(program, crew, asked.bound.kind)
    question = question_about(program, asked.question, asked.first)
    if asked.bound is not None and program.is_threaded:  # one thread is never switched from
        question = replace(question, bound=asked.bound)
    _refuse_deadlock(program, crew, question)
    return Running(program, crew, question)


def start_at(program: Program, entry: str | None) -> Program:
    """Return the program as it runs from `entry`, or as it says itself; refuse what is not well-formed."""
    if problems := (validate_entry if program.source else validate)(program, entry):  # what was read is well-formed
        raise SourceError(program.file, program.source, problems)
    return program if entry is None or program.threads == (entry,) else replace(program, threads=(entry,))


def question_about(program: Program, question: Wording, first: bool = False) -> Question:
    """Return the question that was asked; raise `UsageError` where it asks for nothing that there is."""
    if isinstance(question, Reach | Termination | Temporal):
        asked = question
    else:
        targets = question.targets_in(program) if isinstance(question, Property) else resolve_targets(program, question)
        asked = Reach(targets, first=first or len(targets) == 1)
    if isinstance(asked, Temporal):
        from knaster.evidence.questions.letters import meanings_of

        meanings_of(program, asked)  # an atom that means nothing is refused before anything is done
        if program.kind is Kind.INTEGERS:
            from knaster.evidence.questions.safety import asks_for_ending, places_to_avoid

            avoided = places_to_avoid(program, asked)
            if avoided is not None:
                asked = Reach(avoided, first=True)
            elif asks_for_ending(asked):
                asked = Termination()
    if isinstance(asked, Reach) and not asked.targets:
        none = "no assert and no error label" if question in (None, REACH) else "nothing that the targets stand for"
        raise UsageError(f"{program.file}: there is {none}; name a target with --target")
    sizes = {procedure.name: procedure.size for procedure in program.procedures}
    for target in asked.targets if isinstance(asked, Reach) else ():
        if target.has_place and not 0 <= target.location < sizes.get(target.procedure, 0):
            raise UsageError(f"{program.file}: there is no location {target.location} in '{target.procedure}'")
    return asked


def coverage(program: Program, question: Question, covered: int | None) -> Coverage | None:
    """Return how far a program with threads was explored; None for a sequential one."""
    if not program.is_threaded:
        return None
    bound = question.bound
    return Coverage(
        bound.kind if bound is not None else "switches", bound.number if bound is not None else None, covered
    )


def crew_of(program: Program, names: Sequence[str]) -> Crew:
    """Return the threads that were asked for, each `NAME`, `NAME*N` or `NAME*`."""
    named: list[str] = []
    endless: list[str] = []
    for text in names:
        match = re.fullmatch(_THREAD, text)
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


def _refuse_bound(program: Program, crew: Crew, kind: str) -> None:
    """Refuse rounds where the number of threads is not fixed, delays and preemptions where nothing limits it."""
    if crew.endless:
        raise UsageError(f"{kind} need a fixed number of threads, not '{crew.endless[0]}*'; give --switches instead")
    from knaster.program.threads import reachable_procedures, started_by, why_no_standstill

    if kind != "rounds":
        if program.kind is Kind.BOOLEAN and (why := why_no_standstill(program)) is not None:
            only = why.removeprefix("a deadlock can be decided ")
            raise UsageError(f"{program.file}: {kind} are counted {only}; give --switches instead")
        return
    for name in reachable_procedures(program):
        for edge in program.procedure(name).edges:
            if started_by(edge) is not None:
                raise UsageError(
                    f"{program.file}: {kind} need a fixed number of threads, and line {edge.span.line} starts one; "
                    "give --switches instead"
                )


def _refuse_deadlock(program: Program, crew: Crew, question: Question) -> None:
    """Refuse to look for a deadlock where that cannot be decided."""
    if program.kind in (Kind.REFERENCES, Kind.MEMORY) or not isinstance(question, Reach):
        return
    if all(target.has_place for target in question.targets):
        return
    from knaster.program.threads import why_no_standstill

    why = why_no_standstill(program)
    if crew.endless:
        why = f"a deadlock can be decided only for a limited number of threads, not for '{crew.endless[0]}*'"
    if why is not None:
        raise UsageError(f"{program.file}: {why}; name labels or 'asserts' as targets instead")
