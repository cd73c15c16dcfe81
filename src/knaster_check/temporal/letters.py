"""What the atoms of a formula mean in a program, just before a statement.

    at(L)  at(p.L)  at(FILE:LINE)  L     control stands before a statement with this label, or on this line
    in(p)                                the statement belongs to the procedure
    thread(n).at(L)  thread(n).in(p)     the same of one thread
    {e}                                  the expression is true of the globals
    ended                                the run is over: the first procedure has returned, or an assertion failed

Of Boolean programs: in an expression `!` and `~` bind most tightly, then `= == !=`, `& &&`, `^`, `| ||`,
and `=> ->` (right).  Of programs with references: `statics`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from knaster_check.evaluate import State, can_be
from knaster_check.program import Formula, Program
from knaster_check.refused import Unsupported, expect

Place = tuple[str, int]
_CALL = re.compile(r"(?:thread\(([0-9]{1,6})\)\.)?([A-Za-z_]+)\((.*)\)", re.DOTALL)
_TOKEN = re.compile(r"\s*([A-Za-z_$][\w$]*|[01]|==|!=|=>|->|&&|\|\||[()!~&|^=])")
_LEVELS = (("=", "==", "!="), ("&", "&&"), ("^",), ("|", "||"), ("=>", "->"))
_OPERATORS = {"==": "=", "!=": "^", "&&": "&", "||": "|", "->": "=>"}
_CONSTANTS = {"T": True, "1": True, "F": False, "0": False}


class Meaning(NamedTuple):
    """When an atom holds: at some places, where a formula over the globals is true, or after the end."""

    places: frozenset[Place] = frozenset()
    condition: Formula | None = None
    ended: bool = False
    thread: int | None = None  # 1, 2, ...: only that one is meant

    def holds(self, standing: Iterable[tuple[int, Place]], shared: State, over: bool) -> bool:
        """Tell whether it holds where threads stand at places, with these globals; `over`: of a run that is."""
        if self.condition is not None:
            return can_be(self.condition, True, shared, None)
        if self.ended:
            return over
        return any(self.thread in (None, thread) and place in self.places for thread, place in standing)


def meaning_of(program: Program, atom: str) -> Meaning:
    """Return what an atom means."""
    if atom.startswith("{"):
        return Meaning(condition=_condition(program, atom[1:-1]))
    if atom == "ended":
        return Meaning(ended=True)
    call = _CALL.fullmatch(atom)
    if call is None:
        return Meaning(_labelled(program, atom))
    thread = None if call[1] is None else int(call[1])
    expect(thread is None or _is_thread(program, thread), f"'{atom}': there is no such thread")
    if call[2] == "at":
        return Meaning(_placed(program, call[3]), thread=thread)
    expect(call[2] == "in" and call[3] in program.procedures, f"the atom '{atom}' means nothing")
    edges = program.procedures[call[3]].edges
    return Meaning(frozenset((call[3], edge.source) for edge in edges), thread=thread)


def _is_thread(program: Program, number: int) -> bool:
    if program.kind == "references":
        return number > 0  # threads are started one by one
    return program.is_threaded and 1 <= number <= len(program.threads)


def _condition(program: Program, text: str) -> Formula:
    if program.kind == "references":
        from knaster_check.temporal.statics import read_condition

        return read_condition(program, text)
    if program.kind != "boolean":
        raise Unsupported("nothing is known of conditions over integers")
    return _Expression(program, text).read()


def _placed(program: Program, inside: str) -> frozenset[Place]:
    file, colon, line = inside.rpartition(":")
    if not line.isdecimal():
        return _labelled(program, inside)
    if program.files:
        raise Unsupported("a formula speaks of a line of several files")
    names = [re.split(r"[/\\]", name)[-1] for name in (file, program.file)]
    expect(not colon or names[0] == names[1], f"the program is not in '{file}'")
    lines = {(own.name, edge.source): edge.line for own in program.procedures.values() for edge in own.edges}
    found = frozenset(place for place, own in lines.items() if own == int(line))
    expect(bool(found), f"no statement begins on line {line}")
    return found


def _labelled(program: Program, name: str) -> frozenset[Place]:
    found = frozenset(
        (own.name, location)
        for own in program.procedures.values()
        for label, location in own.labels
        if name in (label, f"{own.name}.{label}")
    )
    expect(bool(found), f"there is no label '{name}'")
    return found


class _Expression:
    def __init__(self, program: Program, text: str) -> None:
        self.program, self.tokens, self.at = program, [""], 0
        at = 0
        while at < len(text.rstrip()):
            token = _TOKEN.match(text, at)
            if token is None or len(self.tokens) > 1_000:  # mutant(>): one more or less
                raise Unsupported(f"the expression '{text[:40]}' is not understood")
            self.tokens.insert(-1, token[1])
            at = token.end()

    def read(self) -> Formula:
        found = self._level(len(_LEVELS))
        expect(self.at == len(self.tokens) - 1, "an expression goes on where it should end")
        return found

    def _level(self, level: int) -> Formula:
        if level == 0:
            return self._operand()
        found = self._level(level - 1)
        while self.tokens[self.at] in _LEVELS[level - 1]:
            operator = self._next()
            right = self._level(level if operator in ("=>", "->") else level - 1)
            found = (*found, *right, ("logic", _OPERATORS.get(operator, operator)))
        return found

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _operand(self) -> Formula:
        token = self._next()
        if token in ("!", "~"):
            return (*self._operand(), ("not",))
        if token == "(":
            found = self._level(len(_LEVELS))
            expect(self._next() == ")", "an expression has a '(' that is not closed")
            return found
        if token in self.program.globals:
            return (("variable", token),)
        expect(token in _CONSTANTS, f"'{token}' is no global")
        return (("truth", _CONSTANTS[token]),)


def letter(meanings: dict[str, Meaning], standing: Sequence[tuple[int, Place]], shared: State, over: bool) -> set[str]:
    """Return the atoms that hold."""
    return {atom for atom, meaning in meanings.items() if meaning.holds(standing, shared, over)}
