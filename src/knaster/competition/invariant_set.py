"""Invariants and contracts of a witness written into a program: where one does not hold, its label ends the run."""

from __future__ import annotations

from knaster.base.errors import KnasterError
from knaster.competition.contracts import find_body, insert_contract
from knaster.competition.descents import Descent, descent_of
from knaster.competition.inner_variables import inner_integers, keep_inner
from knaster.competition.insertions import Insertions, end_run
from knaster.competition.past_values import assign, declare, replace_past_values
from knaster.competition.sequence import NotValidated
from knaster.competition.sites import begins_statement, expression_problem, find_loop, find_statement, needs_braces
from knaster.competition.statements import control_of, end_of_statement, function_start
from knaster.competition.tokens import TokenText
from knaster.competition.witness import TRANSITION, TRANSITIONS, Witness, WitnessInvariant

BROKEN = "KNASTER_BROKEN_"  # a label for each invariant
AGAIN = "KNASTER_AGAIN_"  # and for each that needs more, where steps are looked at


def instrument_invariants(witness: Witness, source: str, file: str, by_steps: bool = False) -> str:
    """Return the program in which `BROKEN` and a number is reached where an invariant or a contract does not hold.

    Invariants have the first numbers, contracts the next.  With `by_steps`, each visit is compared with the last one
    where that suffices (`descents`), unless a label `AGAIN` is reached.
    """
    text = TokenText(source)
    insert = Insertions(text)
    for number, one in enumerate(witness.invariants):
        finder = find_statement if one.type.startswith("location") else find_loop
        token = finder(text, one.place, file)
        name = f"__knaster_broken{number}"
        insert.define(token, f"void {name}(void) {{ {BROKEN}{number}: ; abort(); }} ")
        if one.type in TRANSITIONS:
            descent = descent_of(one.value) if by_steps else None
            if descent is not None and descent.condition:
                insert.define(token, f"void {name}_again(void) {{ {AGAIN}{number}: ; abort(); }} ")
            _relate_visits(insert, token, one, name, file, descent)
            continue
        _refuse_effects(one.value, one, file)
        if one.type == "loop_invariant":
            _before_control(insert, token, f"(({one.value}) ? (void)0 : {end_run(name)}), ")
        else:
            _before_statement(insert, token, f"if (!({one.value})) {end_run(name)}; ")
    for number, contract in enumerate(witness.contracts, len(witness.invariants)):
        name = f"__knaster_broken{number}"
        insert.define(
            find_body(text, contract.place, file) + 1, f"void {name}(void) {{ {BROKEN}{number}: ; abort(); }} "
        )
        insert_contract(insert, contract, name, file)
    return insert.written("extern void abort(void); extern int __VERIFIER_nondet_int(void); ")


def _refuse_effects(expression: str, one: WitnessInvariant, file: str) -> None:
    if problem := expression_problem(expression):
        raise KnasterError(f"{file}:{one.place.line}: in the witness, {problem}")


def again_labels(witness: Witness) -> list[str]:
    """Return the labels that must not be reached where steps are looked at."""
    found = [descent_of(one.value) if one.type in TRANSITIONS else None for one in witness.invariants]
    return [f"{AGAIN}{number}" for number, one in enumerate(found) if one is not None and one.condition]


def _relate_visits(
    insert: Insertions, token: int, one: WitnessInvariant, name: str, file: str, descent: Descent | None = None
) -> None:
    """Compare each visit of a place with an earlier visit in this call: with any of them, or with the last.

    A descent is one of each visit from the last one, at which its condition has held.
    """
    text = insert.text
    value, past = replace_past_values(one.value, f"{name}_past")
    if {each.when for each in past} - {"AnyPrev", "LastPrev"} or len({each.when for each in past}) != 1:
        raise NotValidated("a transition invariant speaks of other moments than earlier visits")
    for part in (value, *(each.expression for each in past)):
        _refuse_effects(part, one, file)
    start = function_start(text, token)
    assert start is not None
    body = next(n for n in range(start, token) if text.tokens[n].text == "{" and text.partner[n] > token)
    if any(text.tokens[n].text == "goto" for n in range(body, text.partner[body])):
        raise NotValidated("a transition invariant stands in a function with goto")
    seen, outer = f"{name}_seen", _statement_of_body(text, body, token)
    control = control_of(text, token) if one.type == TRANSITION else None
    inner = inner_integers(text, outer, token if control is None else control.first)
    again = ""
    if descent is not None and descent.condition:
        held = next(each.variable for each in past if _words(each.expression) == _words(f"({descent.condition})"))
        again = f"(({seen} && !{keep_inner(held, past, inner)[0]}) ? {end_run(f'{name}_again')} : (void)0), "
    value, past = keep_inner(value, past, inner)
    insert.before(outer, f"{declare(past)}int {seen} = 0; ")
    keeps = f"(void)({assign(past)}, {seen} = 1)"
    if past[0].when == "AnyPrev" and descent is None:
        keeps = f"((!{seen} && __VERIFIER_nondet_int()) ? {keeps} : (void)0)"
    told = f"(({seen} && !({value})) ? {end_run(name)} : (void)0), {again}{keeps}"
    if one.type == TRANSITION:
        _before_control(insert, token, f"{told}, ")
    else:
        _before_statement(insert, token, f"{told}; ")


def _words(expression: str) -> list[str]:
    return [token.text for token in TokenText(expression).tokens]


def _statement_of_body(text: TokenText, body: int, token: int) -> int:
    """Return the first token of the statement of a body in which a token stands."""
    starts = [n for n in range(body + 1, token + 1) if begins_statement(text, n)]
    depth = {
        n: sum(1 for o in range(body + 1, n) if text.tokens[o].text == "{" and text.partner[o] > n) for n in starts
    }
    whole = [n for n in starts if depth[n] == 0 and not needs_braces(text, n) and not _follows_else(text, n)]
    return whole[-1]


def _follows_else(text: TokenText, number: int) -> bool:
    return text.tokens[number - 1].text == "else"


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
