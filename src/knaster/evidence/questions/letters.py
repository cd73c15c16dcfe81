"""Letters: what the atoms of a formula mean in a program, and which of them hold just before a statement.

    at(L)  at(FILE:LINE)  at(p.L)  L     control stands before a statement with this label, or on this line
    in(p)                                the statement belongs to the procedure
    {e}                                  the expression is true of the globals; of a Zing model, of its statics
    ended                                the run is over: main has returned, or an assertion failed

After the end no `at` and no `in` holds, and expressions speak of the last globals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NoReturn

from knaster.automata.ltl import Atom, Formula, atoms
from knaster.base.errors import Problem, SourceError, Span
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.lines import files_of, line_named
from knaster.frontends.languages import spelling_of
from knaster.program.expression import TRUE, Expr, has_choice, variables
from knaster.program.model import Kind, Place, Program

if TYPE_CHECKING:
    from knaster.evidence.questions.question import Temporal
    from knaster.program.state import State

_CALL = re.compile(r"(?:thread\((?P<thread>[0-9]+)\)\.)?(?P<word>[A-Za-z_]+)\((?P<inside>.*)\)", re.DOTALL)
_WORDS = ("at", "in")


class Meaning(NamedTuple):
    """When an atom holds: at some places, where an expression over the globals is true, or after the end."""

    places: frozenset[Place] = frozenset()
    condition: Expr | None = None
    ended: bool = False
    thread: int | None = None  # the number of the thread that is meant, where one is

    def holds(self, place: Place | None, state: State) -> bool:
        """Tell whether it holds before the statement at a place, or after the end where there is none."""
        if self.condition is not None:
            from knaster.program.evaluate import evaluate

            return bool(evaluate(self.condition, state, iter(())))
        return self.ended if place is None else place in self.places

    def holds_of(self, places: Iterable[tuple[int, Place]], state: State, over: bool) -> bool:
        """Tell whether it holds where threads (0, 1, ...) stand at these places, or of a run that is over."""
        if self.condition is not None:
            return self.holds(None, state)
        wanted = None if self.thread is None else self.thread - 1
        return (self.ended and over) or any(
            place in self.places and wanted in (None, thread) for thread, place in places
        )


Meanings = Mapping[str, Meaning]  # by the text of the atom


def meanings_of(program: Program, question: Temporal) -> dict[str, Meaning]:
    """Return what each atom of a formula means; raise `SourceError` for one that means nothing."""
    return _Reader(program, question.formula, question.text or str(question)).meanings()


class _Reader:
    def __init__(self, program: Program, formula: Formula, text: str) -> None:
        self.program, self.formula, self.text = program, formula, text

    def meanings(self) -> dict[str, Meaning]:
        return {atom.text: self._meaning(atom) for atom in atoms(self.formula)}

    def _meaning(self, atom: Atom) -> Meaning:
        text = atom.text
        if text.startswith("{"):
            return Meaning(condition=self._condition(atom))
        if text == "ended":
            return Meaning(ended=True)
        call = _CALL.fullmatch(text)
        if call is None:
            return Meaning(self._labelled(atom, text))
        thread = None if call["thread"] is None else self._thread(atom, int(call["thread"]))
        match call["word"]:
            case "at":
                return Meaning(self._at(atom, call["inside"]), thread=thread)
            case "in":
                return Meaning(self._inside(atom, call["inside"]), thread=thread)
        from knaster.base.hints import did_you_mean

        hint = (
            did_you_mean(call["word"], _WORDS)
            or "atoms are at(LABEL), at(FILE:LINE), in(PROCEDURE), {EXPRESSION}, ended"
        )
        self._refuse(atom, f"there is no atom '{call['word']}(...)'", hint)

    def _thread(self, atom: Atom, number: int) -> int:
        count = len(self.program.threads)
        if self.program.kind is Kind.REFERENCES:
            return number if number else self._refuse(atom, "there is no thread 0", "threads are counted from 1")
        if not self.program.is_threaded:
            self._refuse(atom, "the program has no threads", "leave 'thread(...)' out")
        if not 1 <= number <= count:
            self._refuse(atom, f"there is no thread {number}", f"threads have the numbers 1 to {count}")
        return number

    def _at(self, atom: Atom, inside: str) -> frozenset[Place]:
        file, _, number = inside.rpartition(":")
        if not number.isdigit():
            return self._labelled(atom, inside)
        line = line_named(self.program, inside)
        if line is None:
            files = files_of(self.program)
            said = f"its file is {files[0]}" if len(files) == 1 else f"its files are {', '.join(files)}"
            self._refuse(atom, f"the program is not in '{file}'", said)
        lines = {(p.name, edge.source): edge.span.line for p in self.program.procedures for edge in p.edges}
        found = frozenset(place for place, own in lines.items() if own == line)
        if not found:
            near = min(lines.values(), key=lambda other: (abs(other - line), other), default=0)
            self._refuse(atom, f"no statement begins on line {number}", f"the nearest statement is on line {near}")
        return found

    def _labelled(self, atom: Atom, name: str) -> frozenset[Place]:
        labels = list(self._labels())
        found = frozenset(place for label, place in labels if name in (label, f"{place[0]}.{label}"))
        if not found:
            from knaster.base.hints import did_you_mean

            known = {label for label, _ in labels} | {f"{place[0]}.{label}" for label, place in labels}
            others = [name for name in ("ended",) if atom.text == name or len(atom.text) > 3]
            hint = did_you_mean(name, known, others)
            if not hint and name in self.program.globals:
                hint = f"it is a variable; write {{{name}}}"
            elif not hint and name in {p.name for p in self.program.procedures}:
                hint = f"it is a procedure; write in({name})"
            self._refuse(atom, f"there is no label '{name}'", hint or "name a label, or FILE:LINE in at(...)")
        return found

    def _labels(self) -> Iterator[tuple[str, Place]]:
        for procedure in self.program.procedures:
            for label, location in procedure.labels:
                yield label, (procedure.name, location)

    def _inside(self, atom: Atom, name: str) -> frozenset[Place]:
        for procedure in self.program.procedures:
            if procedure.name == name:
                return frozenset((name, edge.source) for edge in procedure.edges)
        from knaster.base.hints import did_you_mean

        known = [procedure.name for procedure in self.program.procedures]
        hint = did_you_mean(name, known) or f"its procedures are {', '.join(known[:5])}"
        self._refuse(atom, f"there is no procedure '{name}'", hint)

    def _condition(self, atom: Atom) -> Expr:
        text = atom.text[1:-1]
        if self.program.kind in (Kind.REFERENCES, Kind.INTEGERS):
            return self._static_condition(atom, text)
        if self.program.kind is not Kind.BOOLEAN:
            return TRUE  # of C with memory no formula with an expression is decided, whatever it says
        spelled = spelling_of(self.program)
        declared = ", ".join(map(spelled.name, self.program.globals))
        before = f"decl {declared};\n" if declared else ""
        from knaster.frontends.boolean import parse

        try:
            read = parse(f"{before}void main() begin\nassume({text});\nend\n", "the formula", "default", None)
        except SourceError as error:
            problem = error.problems[0]
            self._refuse(atom, problem.message, self._hint_on(problem), problem.span.column - len("assume"))
        found = next(action.condition for edge in read.procedures[0].edges if (action := edge.action))  # type: ignore[union-attr]
        if has_choice(found):
            self._refuse(atom, "an expression with a choice is neither true nor false", "leave '*' out")
        assert variables(found) <= set(self.program.globals)
        return found

    def _static_condition(self, atom: Atom, text: str) -> Expr:
        from knaster.evidence.questions.static_conditions import Unreadable, static_condition

        try:
            if self.program.kind is Kind.INTEGERS:
                from knaster.evidence.questions.c_conditions import global_condition

                return global_condition(self.program, text)
            return static_condition(self.program, text)
        except Unreadable as error:
            self._refuse(atom, error.message, error.hint, error.column + 1 if error.column else 0)

    def _hint_on(self, problem: Problem) -> str:
        """Return a hint on a name that is a local somewhere, or what the front end says."""
        quoted = re.findall(r"'([^']+)'", problem.message)
        for procedure in self.program.procedures:
            if any(name in procedure.frame for name in quoted):
                return f"it is a local of '{procedure.name}', and atoms speak of globals"
        return problem.hint

    def _refuse(self, atom: Atom, message: str, hint: str, offset: int = 0) -> NoReturn:
        span = Span(1, atom.column + max(0, offset), 1 if offset else len(atom.text))
        raise SourceError("the formula", self.text, [Problem(message, span, hint)])
