"""The check of path edges procedure by procedure: some procedures of a program, where the others are two sets each.

Of a procedure that is not looked at, the certificate has the set at its entry (with which states these ones enter it)
and the set at its exit (what calls that begin so may do); its other sets are not asked for.  Where every procedure is
looked at once, entered with all that the others pass to it, and has at its exit what callers take its calls to do as
far as they begin as they do there, the certificates together are one of the program: every obligation of `path_edges`
is one of a single edge, with these two sets of a callee.

    entered    what others pass to a procedure is in its entry set
    start      of the procedure that runs first, so is every initial state
    edges      as in `path_edges`; what comes to the exit is in the exit set, and callers go on with all of it
    written    no variable is said to be left alone by a call: the exit set alone says so
    targets    hold no state at all
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, minus
from knaster.checkers.path_edges import PathEdgeChecker, check_form
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.questions.question import Target


def check_unit(
    certificate: Certificate,
    members: Collection[str],
    entered: Mapping[str, Bdd],
    targets: Iterable[Target],
    entry: str,
    budget: Budget,
) -> None:
    """Raise `InternalError` unless the sets of these procedures, which are entered so, are closed and exclude targets.

    `entry` is the procedure that runs first.
    """
    program, sets = certificate.program, certificate.path_edges
    check_form(certificate, program)
    checker = PathEdgeChecker(certificate, budget)
    checker.entry = entry
    checker.written = {own.name: set(program.scope(own)) for own in program.procedures}
    if any(spoken.rigid for spoken in certificate.vocabulary.values()):
        raise InternalError("a variable is said to be rigid, and not all procedures are read")
    for target in targets:
        if target.procedure not in members or sets[target.procedure][target.location] != checker.store.false:
            raise InternalError(f"the certificate does not exclude '{target.name}'")
    if entry in members:
        checker.check_start()
    for procedure in program.procedures:
        if procedure.name not in members:
            continue
        states = entered.get(procedure.name, checker.store.false)
        if minus(states, sets[procedure.name][procedure.entry]) != checker.store.false:
            raise InternalError(f"the entry of '{procedure.name}' misses what others pass to it")
        for edge in procedure.edges:
            checker.check_edge(procedure, edge)
