"""Invariants of a witness written into a program: where one does not hold, its label is reached and the run ends."""

from __future__ import annotations

from knaster.base.errors import KnasterError
from knaster.competition.insertions import Insertions
from knaster.competition.sequence import NotValidated
from knaster.competition.sites import expression_problem, find_loop, find_statement, needs_braces
from knaster.competition.statements import control_of, end_of_statement
from knaster.competition.tokens import TokenText
from knaster.competition.witness import Witness

BROKEN = "KNASTER_BROKEN_"  # a label for each invariant


def instrument_invariants(witness: Witness, source: str, file: str) -> str:
    """Return the program in which `BROKEN` and the number of an invariant is reached where it does not hold."""
    text = TokenText(source)
    insert = Insertions(text)
    for number, one in enumerate(witness.invariants):
        if problem := expression_problem(one.value):
            raise KnasterError(f"{file}:{one.place.line}: in the witness, {problem}")
        finder = find_loop if one.type == "loop_invariant" else find_statement
        token = finder(text, one.place, file)
        name = f"__knaster_broken{number}"
        insert.define(token, f"void {name}(void) {{ {BROKEN}{number}: ; abort(); }} ")
        if one.type == "loop_invariant":
            _before_control(insert, token, f"(({one.value}) ? (void)0 : {name}()), ")
        else:
            _before_statement(insert, token, f"if (!({one.value})) {name}(); ")
    return insert.written("extern void abort(void); ")


def _before_control(insert: Insertions, token: int, part: str) -> None:
    control = control_of(insert.text, token)
    if control is None:
        raise NotValidated(f"the controlling expression at line {insert.text.tokens[token].line} is not found")
    if control.first == control.last:
        insert.before(control.last, f"{part}1")
    else:
        insert.before(control.first, f"{part}(")
        insert.behind(control.last - 1, ")")


def _before_statement(insert: Insertions, token: int, statement: str) -> None:
    if needs_braces(insert.text, token):
        end = end_of_statement(insert.text, token)
        if end is None:
            raise NotValidated(f"the end of the statement at line {insert.text.tokens[token].line} is not found")
        insert.before(token, "{ ")
        insert.behind(end - 1, " }")
    insert.before(token, statement)
