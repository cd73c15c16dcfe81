"""A C program as Horn clauses, and its invariants as their solution, in SMT-LIB.

N. Bjørner, A. Gurfinkel, K. McMillan and A. Rybalchenko, Horn Clause Solvers for Program Verification (2015).  There is
a predicate for what each procedure requires and for each place of the proof; the clauses are the obligations of
`checkers.invariants`, in which the predicates stand instead of the formulas of the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.checkers.c.claims import InvariantClaims
from knaster.checkers.c.meaning import Meaning
from knaster.checkers.c.names import Names
from knaster.checkers.c.obligations import Obligation, claim
from knaster.checkers.c.terms import Sides, Term, Unsuitable
from knaster.checkers.c.walk import State
from knaster.checkers.invariants import Obligations
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.program.expression import FALSE, Expr, Var
from knaster.program.model import Place, Program, old
from knaster.program.types import BOOL, Type
from knaster.report.scripts.listing import Arithmetic
from knaster.report.scripts.smt_lib import describe_place, printable
from knaster.smt.script import Node, Printing, ScriptDoor, sort_to_text, symbol
from knaster.version import VERSION

HEADER = """\
; A C program as Horn clauses, with a solution.
; Written by knaster {version} from {file}: {subject}.
; As it stands it asks of each clause whether the solution can break it. The proof
; holds where every answer is 'unsat':
;   z3 FILE.chc         cvc5 --incremental --arrays-exp --lang smt2 FILE.chc
; The clauses alone, for a solver that looks for a solution of its own and says 'sat':
;   sed -e '/; solution$/d' -e 's/^;horn //' FILE.chc > clauses.smt2"""
DROPPED = "; solution"


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of the entry values of a procedure, or at a place of them and of the values there."""

    name: str
    about: str
    parameters: tuple[tuple[str, Type], ...]
    formula: Expr


class _PredicateClaims(InvariantClaims):
    """The claims of a proof as predicates that are applied to values."""

    def __init__(self, proof: Invariants) -> None:
        super().__init__(proof)
        self.applied: dict[str, tuple[Predicate, tuple[Expr, ...]]] = {}
        self.required: dict[str, Predicate] = {}
        self.said: dict[Place, Predicate] = {}
        program = proof.program
        for name, formula in proof.requires.items():
            self.required[name] = Predicate(
                symbol(f"{name}.requires"), f"what '{name}' requires", tuple(_entry(program, name)), formula
            )
        for place, formula in proof.at.items():
            now = program.types_in(program.procedure(place[0])).items()
            about = f"the invariant at location {place[1]} of '{place[0]}' ({describe_place(program, place)})"
            name = symbol(f"{place[0]}.{place[1]}")
            self.said[place] = Predicate(name, about, (*_entry(program, place[0]), *now), formula)

    def requirement(self, name: str, entry: State) -> Expr:
        """Return the predicate of what a procedure requires, applied to entry values."""
        if name not in self.required:
            return FALSE
        return self._apply(self.required[name], {old(each): value for each, value in entry.items()})

    def invariant(self, place: Place, entry: State, now: State) -> Expr:
        """Return the predicate of a place, applied to entry values and values now."""
        return self._apply(self.said[place], {**now, **{old(each): value for each, value in entry.items()}})

    def _apply(self, predicate: Predicate, state: State) -> Expr:
        found = self.names.variable("holds", BOOL)
        self.applied[found.name] = predicate, tuple(state[name] for name, _ in predicate.parameters)
        return found


def _entry(program: Program, name: str) -> Iterator[tuple[str, Type]]:
    """Yield the entry values of a procedure, with their types."""
    procedure = program.procedure(name)
    types = program.types_in(procedure)
    for each in (*program.globals, *procedure.parameters):
        yield old(each), types[each]


class _ClauseMeaning(Meaning):
    """The meaning of obligations in which some truth values are applied predicates."""

    def __init__(self, arithmetic: Arithmetic, claims: _PredicateClaims) -> None:
        super().__init__(arithmetic(ScriptDoor()), claims.names.types)
        self.applied = claims.applied

    def _variable(self, name: str, sides: Sides) -> Term:
        if name not in self.applied:
            return super()._variable(name, sides)
        predicate, arguments = self.applied[name]
        values = tuple(self.term(one, sides).value for one in arguments)
        return Term(Node(predicate.name, "Bool", values), BOOL)


def clauses_to_text(
    proof: Invariants, targets: Sequence[Target], arithmetic: Arithmetic, subject: str, budget: Budget
) -> str:
    """Return the script; raise `Unsuitable` where the arithmetic has no clauses for the program."""
    program = proof.program
    claims = _PredicateClaims(proof)
    obligations = list(Obligations(proof, budget, claims).all(targets))
    lines = [HEADER.format(version=VERSION, file=printable(program.file), subject=printable(subject))]
    lines += ["", f"(set-logic ALL) {DROPPED}", ";horn (set-logic HORN)"]
    for predicate in (*claims.required.values(), *claims.said.values()):
        lines += ["", f"; {predicate.about}", *_definition(predicate, arithmetic)]
    for number, obligation in enumerate(obligations, 1):
        lines += ["", f"; {number}. {obligation.why} ({describe_place(program, obligation.place)})"]
        lines += _clause(_ClauseMeaning(arithmetic, claims), obligation)
    lines += ["", ";horn (check-sat)"]
    return "\n".join(lines) + "\n"


def _definition(predicate: Predicate, arithmetic: Arithmetic) -> Iterator[str]:
    """Yield the declaration of a predicate, for a solver that looks for one, and its definition by the proof."""
    spelled = {name: Var(_spell(name)) for name, _ in predicate.parameters}
    meaning = Meaning(arithmetic(ScriptDoor()), {spelled[name].name: type for name, type in predicate.parameters})
    formula, sides = meaning.step(claim(Names().rename(predicate.formula, spelled)))
    if sides.facts or not sides.exact:
        raise Unsuitable("a formula of the proof needs facts beside it")
    values = [meaning.term(one, Sides()).value for one in spelled.values()]
    sorts = [sort_to_text(value.sort) for value in values]
    printing = Printing([formula or meaning.door.truth(True)])
    body = printing.formulas[0]
    for name, _, text in reversed(printing.named):
        body = f"(let (({name} {text})) {body})"
    parameters = " ".join(f"({value.head} {sort})" for value, sort in zip(values, sorts, strict=True))
    yield f";horn (declare-fun {predicate.name} ({' '.join(sorts)}) Bool)"
    yield f"(define-fun {predicate.name} ({parameters}) Bool {body}) {DROPPED}"


def _spell(name: str) -> str:
    """Return a name that is none of SMT-LIB's own: `x.now`, or `x.old` of an entry value."""
    return f"{name[5:-1]}.old" if name.startswith("\\old(") else f"{name}.now"


def _clause(meaning: _ClauseMeaning, obligation: Obligation) -> Iterator[str]:
    """Yield a clause: asserted, or asked about."""
    body = list(meaning.obligation(Obligation(obligation.place, "", obligation.hypothesis, (), obligation.types)).parts)
    head = meaning.door.truth(False)
    for goal in obligation.conclusion:
        (step,) = goal.steps
        head, sides = meaning.step(step)
        assert not sides.facts
        body += sides.ranges
    printing = Printing([*body, head])
    *parts, conclusion = printing.formulas
    parts += [f"(= {name} {text})" for name, _, text in printing.named]
    bound = [f"({one.head} {sort_to_text(one.sort)})" for one in printing.variables]
    bound += [f"({name} {sort_to_text(sort)})" for name, sort, _ in printing.named]
    yield f"(push 1) (assert (not {DROPPED}"
    yield ";horn (assert"
    yield f"(forall ({' '.join(bound)})" if bound else "(and"
    yield "  (=> (and true"
    yield from (f"    {part}" for part in dict.fromkeys(parts))
    yield f"  ) {conclusion}))"
    yield ";horn )"
    yield f")) (check-sat) (pop 1) {DROPPED}"
