"""Questions about bit-vectors that were written down for z3, answered by Bitwuzla where it is installed, else by z3.

A. Niemetz and M. Preiner, Bitwuzla (CAV 2023).  The formulas go over as text of SMT-LIB.  How much work a question is
worth is counted, as in `door`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from knaster.smt.door import SEED, ask_patiently
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session
from knaster.smt.terms import Formula

Number = Callable[[Formula], int]  # the value that a variable has in a model: of a truth value 0 or 1
_INSIDE = re.compile(r"\b(bv[us]div|bv[us]rem|bvsmod)_i\b")  # what z3 calls divisions that it has looked at
UNITS = 100_000  # of z3, for each unit of work


def ask_bits(session: Session, formulas: Sequence[Formula], work: int) -> tuple[Answer, Number | None]:
    """Tell whether formulas can hold together, and if so which numbers variables have then."""
    solver = session.solver()
    solver.add(formulas)
    if find_spec("bitwuzla") is None:
        return _ask_z3(session, solver, work)
    return _ask_bitwuzla(session, _INSIDE.sub(r"\1", solver.z3.to_smt2()), work)


def _ask_z3(session: Session, solver: Any, work: int) -> tuple[Answer, Number | None]:
    said = solver.check(units=UNITS * work)
    if said is not Answer.SATISFIABLE:
        return said, None
    model = solver.model()

    def number(variable: Formula) -> int:
        value = model.eval(variable, model_completion=True)
        return int(z3.is_true(value)) if z3.is_bool(value) else int(value.as_long())

    return said, number


def _ask_bitwuzla(session: Session, text: str, work: int) -> tuple[Answer, Number | None]:
    import bitwuzla

    session.budget.check()
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.SEED, SEED)
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    parser.parse(text, True, False)
    solver = parser.bitwuzla()
    found = ask_patiently(solver, 200 * work, session.budget)
    if found == "unsat":
        return Answer.UNSATISFIABLE, None
    if found != "sat":
        session.reason = "the solver does not know"
        return Answer.UNKNOWN, None
    declared = {str(term.symbol()).strip("|"): term for term in parser.get_declared_funs()}

    def number(variable: Formula) -> int:
        term = declared.get(str(variable.decl().name()))
        if term is None:
            return 0
        value = solver.get_value(term)
        return int(value.value()) if term.sort().is_bool() else int(value.value(10))

    return Answer.SATISFIABLE, number
